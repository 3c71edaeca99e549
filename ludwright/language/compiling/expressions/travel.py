"""Built-in functions about going from space to space: `reach`, costs, paths, trails.

In `step` the space where one stands is called `it`. In `cost` and `halt` `it` is the space that is
entered; in `cost` the one that is left is called `here`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.expressions import presence
from ludwright.language.compiling.expressions.arguments import Arguments
from ludwright.language.compiling.expressions.boards import MAX_PAIRED, space_of, spaces_of
from ludwright.language.compiling.expressions.type_check import (
    as_set,
    condition,
    number,
    typed,
)
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import (
    BOOL,
    BROKEN,
    INT,
    MAX_LIST,
    Broken,
    Compiled,
    Val,
    int_type,
    space_type,
)
from ludwright.program.types import INT_MAX, Type

Gives = Literal["spaces", "costs", "cost", "path"]
Function = Callable[[Unit, tree.Call, Scope, Type | None], Compiled]

_TICKS_OF_TRAIL = 10  # each time a trail is made longer

_OPTIONS = ("over", "steps", "step", "cost", "within", "halt")
_USAGE = "over=spaces, step=neighbours of it, cost=of a step, within=n, halt=condition"


@dataclass
class _Journey:
    """What the arguments of a call say, compiled."""

    starts: ir.Source
    over: ir.Expr | None
    here: int  # the register of the space where one stands
    to: int  # and of the one that is entered
    step: ir.Source
    cost: Val | None
    within: Val | None
    halts: ir.Stream | None


def _reach(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, f"reach(starts, {_USAGE})", 1, named=_OPTIONS)
    journey = _journey(args)
    return BROKEN if journey is None else _compiled(args, journey, "spaces", None)


def _reach_costs(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, f"reachCosts(starts, {_USAGE})", 1, named=_OPTIONS)
    if unit.world.space_count > MAX_LIST:
        unit.error(
            "too-large", node.span, f"reachCosts(…) works for up to {MAX_LIST} spaces",
            "ask for the cost to one space: `reachCost(a, b)`",
        )  # fmt: skip
        return BROKEN
    journey = _journey(args)
    return BROKEN if journey is None else _compiled(args, journey, "costs", None)


def _to_goal(gives: Literal["cost", "path"]) -> Function:
    def build(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
        args = Arguments(unit, node, scope, f"{node.fn}(from, to, {_USAGE})", 2, named=_OPTIONS)
        goal = space_of(args, 1)
        journey = _journey(args)
        if journey is None or isinstance(goal, Broken):
            return BROKEN
        if gives == "path" and unit.world.space_count > MAX_LIST:
            unit.error(
                "too-large", node.span, f"path(…) works for up to {MAX_LIST} spaces",
                "use a smaller board",
            )  # fmt: skip
            return BROKEN
        return _compiled(args, journey, gives, goal.expr)

    return build


def _connected(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, f"connected(from, to, {_USAGE})", 2, named=_OPTIONS)
    target = space_of(args, 1)
    if isinstance(target, Broken):
        return target
    reached = _reach(unit, replace(node, args=node.args[:1]), scope, expect)
    if not isinstance(reached, Val):
        return BROKEN
    return Val(ir.InSet(target.expr, reached.expr, 0), BOOL)


# --------------------------------------------------------------------------- arguments


def _journey(args: Arguments) -> _Journey | None:
    """The arguments, compiled; None after a diagnostic."""
    if not args.ok or not _fit_together(args):
        return None
    unit, scope = args.unit, args.scope
    starts = spaces_of(args, args.node.args[0])
    over = set_of_spaces(args, "over")
    here, to = unit.register(), unit.register()
    space = space_type(unit.world)
    standing, entering = scope.inner(), scope.inner()
    standing.names["it"] = Local(Val(ir.Load(here), space))
    entering.names["it"] = Local(Val(ir.Load(to), space))
    entering.names["here"] = Local(Val(ir.Load(here), space))
    step = _step(args, here, standing)
    cost = _cost(args, entering)
    within_node = args.named("within") or args.named("steps")
    within = None if within_node is None else number(unit, within_node, scope)
    halts = _halts(args)
    parts = (starts, over, step, cost, within)
    if any(isinstance(part, Broken) for part in parts):
        return None
    assert not isinstance(starts, Broken)
    assert not isinstance(over, Broken)
    assert not isinstance(step, Broken)
    assert not isinstance(cost, Broken)
    assert not isinstance(within, Broken)
    return _Journey(starts.source, over, here, to, step, cost, within, halts)


def _fit_together(args: Arguments) -> bool:
    """`steps` counts steps, so it goes with no costs; `within` is the same, and more."""
    given = dict(args.node.named)
    if "steps" not in given or not {"within", "cost"} & set(given):
        return True
    args.unit.error(
        "wrong-value",
        given["steps"].span or args.node.span,
        "`steps` counts steps, and stands alone",
        "write `within=n`: the cost of all steps together is at most n",
    )
    return False


def set_of_spaces(args: Arguments, name: str) -> ir.Expr | Broken | None:
    """A named argument as a set of spaces."""
    node = args.named(name)
    if node is None:
        return None
    spaces = spaces_of(args, node)
    if isinstance(spaces, Broken):
        return spaces
    value = as_set(args.unit, spaces, space_type(args.unit.world), node.span)
    return value if isinstance(value, Broken) else value.expr


def _step(args: Arguments, here: int, standing: Scope) -> ir.Source | Broken:
    node = args.named("step")
    if node is None:
        return ir.RowSource(args.unit.row_table(args.unit.world.adjacent), ir.Load(here))
    spaces = spaces_of(args, node, standing)
    return spaces if isinstance(spaces, Broken) else spaces.source


def _cost(args: Arguments, entering: Scope) -> Val | Broken | None:
    node = args.named("cost")
    if node is None:
        return None
    return typed(args.unit, node, entering, presence.optional(INT))


def _halts(args: Arguments) -> ir.Stream | None:
    node = args.named("halt")
    if node is None:
        return None
    unit = args.unit
    register, scope = unit.register(), args.scope.inner()
    scope.names["it"] = Local(Val(ir.Load(register), space_type(unit.world)))
    test = condition(unit, node, scope)
    return ir.Stream((ir.Loop((register,), _all_spaces(unit)), ir.Filter(test)), ir.Load(register))


def _all_spaces(unit: Unit) -> ir.Source:
    return ir.ConstSource(tuple(range(unit.world.space_count)))


# ---------------------------------------------------------------------------- lowering


def _compiled(args: Arguments, journey: _Journey, gives: Gives, goal: ir.Expr | None) -> Val:
    unit = args.unit
    space = space_type(unit.world)
    plain = _neighbours(unit, journey)
    if gives == "spaces" and plain is not None:
        within = journey.within.expr if journey.within is not None else None
        reach = ir.Reach(journey.starts, journey.over, within, plain)
        return Val(reach, Type("set", items=(space,)))
    expr: ir.Expr = _travel(args, journey, gives, goal)
    cost = int_type(0, _most(unit, journey))
    cap = max(1, unit.world.space_count)
    types: dict[Gives, Type] = {
        "spaces": Type("set", items=(space,)),
        "costs": Type("list", items=(Type("tuple", items=(space, cost)),), cap=cap),
        "cost": replace(cost, optional=True),
        "path": Type("list", items=(space,), cap=cap),
    }
    return Val(expr, types[gives])


def _neighbours(unit: Unit, journey: _Journey) -> int | None:
    """The table of neighbours, if every step is just one to a neighbour."""
    if journey.cost is not None or journey.halts is not None:
        return None
    match journey.step:
        case ir.RowSource(table=table, index=ir.Load(addr=addr)) if addr == journey.here:
            rows = unit.rows[table][: unit.world.space_count]
            return unit.row_table(rows)
        case _:
            return None


def _travel(args: Arguments, journey: _Journey, gives: Gives, goal: ir.Expr | None) -> ir.Expr:
    unit = args.unit
    clauses: list[ir.Loop | ir.Filter | ir.Until] = [
        ir.Loop((journey.here,), _all_spaces(unit)),
        ir.Loop((journey.to,), journey.step),
    ]
    allowed = unit.register()
    if journey.over is not None:
        clauses.append(ir.Filter(ir.InSet(ir.Load(journey.to), ir.Load(allowed), 0)))
    cost = journey.cost.expr if journey.cost is not None else ir.Const(1)
    travel = ir.Travel(
        journey.starts,
        ir.Stream(tuple(clauses), ir.MakeTuple((ir.Load(journey.to), cost))),
        journey.halts,
        journey.within.expr if journey.within is not None else None,
        goal,
        gives,
        unit.world.space_count,
        journey.cost is not None,
        unit.site(args.node.span),
    )
    return travel if journey.over is None else ir.Bind(allowed, journey.over, travel)


def _most(unit: Unit, journey: _Journey) -> int:
    """The most that a space can cost: no way goes through one twice."""
    each = 1 if journey.cost is None else max(0, journey.cost.type.hi)
    most = min(INT_MAX, each * unit.world.space_count)
    return most if journey.within is None else max(0, min(most, journey.within.type.hi))


# ------------------------------------------------------------------------------ trails


def _longest_trail(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """longestTrail(links, ends=joints, through=joints): how many links the longest has."""
    usage = "longestTrail(roads, ends=corners, through=corners that can be passed)"
    args = Arguments(unit, node, scope, usage, 1, named=("ends", "through"))
    if not args.ok:
        return BROKEN
    if args.named("ends") is None:
        unit.error(
            "arity", node.span, "`longestTrail` does not say where links meet",
            "add `ends=…`: the spaces between them, such as `ends=corners`",
        )  # fmt: skip
        return BROKEN
    if unit.world.space_count > MAX_PAIRED:
        unit.error(
            "too-large", node.span, f"longestTrail(…) works for up to {MAX_PAIRED} spaces",
            "use a smaller board",
        )  # fmt: skip
        return BROKEN
    found = spaces_of(args, node.args[0])
    links = BROKEN if isinstance(found, Broken) else as_set(
        unit, found, space_type(unit.world), node.args[0].span
    )  # fmt: skip
    joints, through = set_of_spaces(args, "ends"), set_of_spaces(args, "through")
    if isinstance(links, Broken) or isinstance(joints, Broken) or isinstance(through, Broken):
        return BROKEN
    assert joints is not None
    table = unit.row_table(unit.world.adjacent)
    spend = ir.Spend(_TICKS_OF_TRAIL, unit.site(node.span))
    return Val(
        ir.Trail(links.expr, joints, through, table, spend),
        int_type(0, unit.world.space_count),
    )


FUNCTIONS: dict[str, Function] = {
    "reach": _reach,
    "reachCost": _to_goal("cost"),
    "reachCosts": _reach_costs,
    "path": _to_goal("path"),
    "connected": _connected,
    "longestTrail": _longest_trail,
}
