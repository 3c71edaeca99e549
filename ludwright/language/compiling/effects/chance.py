"""`roll`: a random value for a variable or a new name."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.assignments import assign
from ludwright.language.compiling.expressions import names
from ludwright.language.compiling.expressions.comprehensions import declare
from ludwright.language.compiling.expressions.targets import target
from ludwright.language.compiling.expressions.type_check import (
    check_type,
    stream,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import (
    NONE,
    Broken,
    Val,
    storable,
)


def roll(lowering: Lowering, code: Code, node: tree.RollRandom, scope: Scope) -> None:
    unit = lowering.unit
    outcomes = stream(unit, node.source, scope)
    if isinstance(outcomes, Broken):
        scope.names.setdefault(node.bind, Local(Val(ir.Const(0), NONE), origin="broken"))
        return
    site = unit.site(node.span, f"{unit.rule}: roll {node.bind}")
    local_name = scope.find(node.bind) is not None
    if node.of is not None or local_name or names.is_declared(unit, node.bind) is not None:
        named: tree.Expr = tree.Name(node.bind, span=node.span)
        if node.of is not None:
            named = tree.Attr(node.of, node.bind, span=node.span)
        goal = target(unit, named, scope)
        if goal is None:
            return
        outcome = unit.register()
        check = check_type(unit, Val(ir.Load(outcome), outcomes.elem), goal.type, node.source.span)
        if isinstance(check, Broken):
            return
        variable = goal.slot.index if goal.slot is not None else -1
        code.emit(
            ir.Chance(
                outcome, outcomes.source, outcomes.elem, node.bind, variable, site,
                code.move_loops(),
            )
        )  # fmt: skip
        assign(lowering, code, goal, ir.Load(outcome), node)
        return
    type_ = storable(outcomes.elem)
    addr = code.slot(type_, node.bind)
    local = Local(Val(code.load(addr, type_), type_), addr, type_)
    declare(unit, scope, node.bind, local, node.span)
    code.emit(ir.Chance(addr, outcomes.source, type_, node.bind, -1, site, code.move_loops()))
