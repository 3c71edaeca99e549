"""Assignments: `=`, `+=`, shifting a marker, and values that hold only inside a `with`."""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects import local_types
from ludwright.language.compiling.effects.dispatch import block, effect
from ludwright.language.compiling.expressions import presence
from ludwright.language.compiling.expressions.targets import Target, target
from ludwright.language.compiling.expressions.type_check import (
    check_type,
    condition,
    number,
    value_of,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs import narrow_ranges
from ludwright.language.compiling.rules import triggers
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import (
    INT,
    Broken,
    Val,
    constant_of,
    none_of,
    noun,
    space_type,
    universe,
)
from ludwright.program.types import Type


def set_variable(lowering: Lowering, code: Code, node: tree.SetVar, scope: Scope) -> None:
    unit = lowering.unit
    goal = target(unit, node.target, scope)
    value = value_of(unit, node.value, scope, goal.type if goal else None)
    if goal is None or isinstance(value, Broken):
        return
    if goal.local is not None and local_types.grows(unit, goal.local, value.type, node):
        return  # everything is compiled again, with the wider type
    declared = "the range under `vars:`" if goal.slot is not None else "the range that is declared"
    checked = coerce(lowering, value, goal.type, node.value, scope, declared)
    if checked is not None:
        narrow_ranges.note(unit, goal, value, node)
        assign(lowering, code, goal, checked, node)
        if goal.type.optional and not value.type.optional and value.type.kind != "none":
            code.flow.learn(unit.narrowing.there(goal.load(-1)))


def coerce(
    lowering: Lowering, value: Val, type_: Type, node: tree.Expr, scope: Scope,
    declared: str = "the range that is declared",
) -> ir.Expr | None:  # fmt: skip
    """The value as the type it is stored in; None after a diagnostic, which says with `declared`
    where the range stands."""
    if type_.kind == "set" and value.type.kind == "list":
        item = type_.items[0]
        if not value.type.items[0].is_scalar or universe(item) is None:
            check_type(lowering.unit, value, type_, node.span)
            return None
        if value.type.items[0].optional:
            presence.report(lowering.unit, value.type, type_, node.span, node, scope)
            return None
        source = (
            value.expr.stream if isinstance(value.expr, ir.MakeList) else ir.ListSource(value.expr)
        )
        return ir.MakeSet(source, item.lo, item.hi, lowering.unit.site(node.span))
    checked = check_type(lowering.unit, value, type_, node.span, node, scope)
    if isinstance(checked, Broken):
        return None
    constant = constant_of(checked)
    if constant is None or constant == none_of(type_):
        constant = type_.lo
    if type_.kind == "int" and not type_.lo <= constant <= type_.hi:
        lowering.unit.error(
            "out-of-range",
            node.span,
            f"{constant} is outside {type_.lo}..{type_.hi}",
            f"change the number, or {declared}",
        )
        return None
    if type_.kind == "list" and isinstance(checked.expr, ir.MakeList):
        return replace(checked.expr, cap=type_.cap)
    return checked.expr


def assign(lowering: Lowering, code: Code, goal: Target, value: ir.Expr, node: tree.Node) -> None:
    """Store, with the checks and triggers of what is stored to."""
    unit = lowering.unit
    site = unit.site(node.span)
    if goal.slot is None:
        code.emit(goal.store(value, site))
        return
    slot = goal.slot
    watched = triggers.watching_variable(lowering, slot)
    if (
        goal.index is not None
        and not isinstance(goal.index, ir.Const | ir.Load)
        and (watched or slot.states)
    ):
        index = code.slot(INT, "index")
        code.store(index, goal.index, INT)
        goal = replace(goal, index=ir.Load(index))
    old = None
    if watched:
        old = code.slot(goal.type, "old")
        code.store(old, goal.load(site), goal.type)
    code.emit(goal.store(value, site))
    if slot.states:
        _check_marker(lowering, code, goal, site)
    if watched:
        assert old is not None
        triggers.changed(lowering, code, goal, old, watched, node)


def _check_marker(lowering: Lowering, code: Code, goal: Target, site: int) -> None:
    """A marker keeps to the spaces it lies on and to its constraints."""
    unit = lowering.unit
    assert goal.slot is not None
    slot = goal.slot
    decl = next(m for m in unit.gamedef.markers if m.name == slot.variable.name)
    if goal.index is not None:
        here: ir.Expr = goal.index
    else:
        here = ir.Const(goal.addr - slot.variable.addr)
    if slot.on is not None:
        inside = unit.table(int(i in slot.on) for i in range(unit.world.space_count))
        code.emit(ir.Require(ir.Lookup(inside, here, 0), site))
    scope = Scope()
    scope.names["here"] = Local(Val(here, space_type(unit.world)))
    for constraint in decl.constraints:
        applies = condition(unit, constraint.when, scope)
        allowed = unit.table(int(state in constraint.allowed) for state in slot.states)
        fits = ir.Lookup(allowed, goal.load(site), 0)
        rule = f"marker {decl.name}: not allowed here"
        code.emit(ir.Require(ir.Or(ir.Not(applies), fits), unit.site(constraint.span, rule)))


def add(lowering: Lowering, code: Code, node: tree.AddVar, scope: Scope) -> None:
    unit = lowering.unit
    goal = target(unit, node.target, scope)
    delta = value_of(unit, node.delta, scope)
    if goal is None or isinstance(delta, Broken):
        return
    if goal.type.kind == delta.type.kind == "int" and not _both_there(
        lowering, goal, delta, node, scope
    ):
        return
    if goal.type.kind != "int" or delta.type.kind != "int":
        wrong = goal.type if goal.type.kind != "int" else delta.type
        span = node.target.span if goal.type.kind != "int" else node.delta.span
        unit.error(
            "not-a-number",
            span,
            f"`+=` needs numbers, this is {noun(wrong)}",
            "write `=` to set it"
            if goal.type.kind != "int"
            else _number_of(unit, delta.type) or "write a number",
        )
        return
    site = unit.site(node.span)
    narrow_ranges.note_added(unit, goal, delta, node)
    total = ir.Arith("+", goal.load(site), delta.expr, site)
    assign(lowering, code, goal, total, node)
    if goal.type.optional:
        code.flow.learn(unit.narrowing.there(goal.load(site)))


def _number_of(unit: Unit, type_: Type) -> str | None:
    """How to get a number from a row or from several things."""
    if type_.kind == "row":
        columns = unit.world.tables[type_.name].columns
        number = next((name for name, column in columns.items() if column.type.kind == "int"), None)
        return f"ask for a column of the row: `….{number}`" if number else None
    if type_.kind in ("list", "set"):
        return "add up or count them: `sum(…)`, `count(…)`"
    return "ask for a number that belongs to it: `….points`"


def _both_there(
    lowering: Lowering, goal: Target, delta: Val, node: tree.AddVar, scope: Scope
) -> bool:
    """Nothing can be added to none, nor none to anything."""
    before = _before(lowering, goal, scope)
    for value, side in ((before, node.target), (delta, node.delta)):
        if value.type.optional:
            presence.report(lowering.unit, value.type, INT, side.span, side, scope)
            return False
    return True


def _before(lowering: Lowering, goal: Target, scope: Scope) -> Val:
    """What a target holds before it is changed."""
    type_ = replace(goal.type, optional=goal.type.optional or goal.missing)
    before = lowering.unit.narrowed(scope, Val(goal.load(-1), type_))
    assert isinstance(before, Val)
    return before


def _there(lowering: Lowering, goal: Target, node: tree.Expr, scope: Scope) -> bool:
    """Whether there certainly is something that has this variable; otherwise it is told."""
    before = _before(lowering, goal, scope)
    if not goal.missing or not before.type.optional:
        return True
    presence.report(lowering.unit, before.type, goal.type, node.span, node, scope)
    return False


def shift(lowering: Lowering, code: Code, node: tree.ShiftMarker, scope: Scope) -> None:
    unit = lowering.unit
    goal = target(unit, node.target, scope)
    delta = number(unit, node.delta, scope)
    if goal is None or isinstance(delta, Broken):
        return
    if goal.slot is None or not goal.slot.states:
        unit.error(
            "not-a-marker",
            node.target.span,
            "only a marker can be shifted",
            "use `+=` for a number, or declare it under `markers:`",
        )
        return
    site = unit.site(node.span)
    moved = ir.Arith("+", goal.load(site), delta.expr, site)
    last = ir.Const(len(goal.slot.states) - 1)
    assign(lowering, code, goal, ir.Arith("max", ir.Const(0), ir.Arith("min", moved, last)), node)


def with_values(lowering: Lowering, code: Code, node: tree.With, scope: Scope) -> None:
    saved: list[tuple[Target, int]] = []
    for item in node.sets:
        goal = target(lowering.unit, item.target, scope)
        if goal is None or not _there(lowering, goal, item.target, scope):
            continue
        if goal.index is not None:
            index = code.slot(INT, "index")
            code.store(index, goal.index, INT)
            goal = replace(goal, index=ir.Load(index))
        old = code.slot(goal.type, "saved")
        code.store(old, goal.load(lowering.unit.site(item.span)), goal.type)
        saved.append((goal, old))
        effect(lowering, code, item, scope)

    def restore() -> None:
        for goal, old in reversed(saved):
            code.emit(goal.store(code.load(old, goal.type), lowering.unit.site(node.span)))

    code.unwinds.append(restore)
    block(lowering, code, node.body, scope)
    code.unwinds.pop()
    restore()
