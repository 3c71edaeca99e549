"""Compiling what is inside a node, whatever it is.

An expression can hold any other. So that the modules of the constructs need not import each other,
each node is compiled by the function that a table has for its class; see `constructs`.
"""

from __future__ import annotations

from ludwright.language import tree
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import Compiled
from ludwright.program.types import Type


def expression(unit: Unit, node: tree.Expr, scope: Scope, expect: Type | None = None) -> Compiled:
    """Compile an expression to a value or a stream. `expect` only helps to tell names apart."""
    return unit.narrowed(scope, unit.expressions[type(node)](unit, node, scope, expect))
