"""Compiling effects, whatever they are: each by the function that a table has for its class.

The table is `constructs.EFFECTS`. So no module of one effect imports those of the others.
"""

from __future__ import annotations

from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Scope, Statement


def block(lowering: Lowering, code: Code, body: tree.Block, scope: Scope) -> None:
    """A list of effects with its own scope: `let` is visible to its end."""
    inner = scope.inner()
    for index, item in enumerate(body):
        effect(lowering, code, item, inner)
        if isinstance(item, tree.Return | tree.Stop) and index + 1 < len(body):
            lowering.unit.diagnostics.warning(
                "unreachable",
                body[index + 1].span,
                "nothing after this point is ever reached",
                "remove it, or put the `return` or `stop` into an `if`",
            )
            return


def effect(lowering: Lowering, code: Code, node: tree.Effect, scope: Scope) -> None:
    unit = lowering.unit
    around, unit.statement = unit.statement, Statement(node.span)
    lowering.effects[type(node)](lowering, code, node, scope)
    unit.statement = around
