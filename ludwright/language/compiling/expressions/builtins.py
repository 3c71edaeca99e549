"""Built-in functions over collections, numbers and seats; for boards see `boards` and `travel`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.expressions import boards, presence, travel
from ludwright.language.compiling.expressions.arguments import Arguments
from ludwright.language.compiling.expressions.arithmetic import arithmetic
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.type_check import (
    as_set,
    check_type,
    different,
    stream,
    to_stream,
    to_value,
    value_of,
)
from ludwright.language.compiling.sites import placed
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import (
    BOOL,
    BROKEN,
    INT,
    MAX_LIST,
    Broken,
    Compiled,
    Seq,
    Val,
    constant_of,
    int_type,
    join,
    none_of,
    noun,
    seat_type,
    universe,
)
from ludwright.language.reading.wording import SORTED_BY
from ludwright.program.types import Type

BuiltIn = Callable[[Unit, tree.Call, Scope, Type | None], Compiled]


def _count(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "count(collection)", 1)
    if not args.ok:
        return BROKEN
    compiled = expression(unit, node.args[0], scope)
    match compiled:
        case Val(type=Type(kind="place")):
            return boards.place_count(unit, compiled, node.span)
        case Val(expr=expr, type=Type(kind="list") as type_):
            return Val(ir.Length(expr), int_type(0, type_.cap))
        case Val(expr=expr, type=Type(kind="set") as type_):
            item = type_.items[0]
            return Val(ir.Length(expr, True), int_type(0, item.hi - item.lo + 1))
    sequence = to_stream(unit, compiled, node.args[0].span)
    if isinstance(sequence, Broken):
        return sequence
    return Val(ir.Aggregate("count", sequence.source), int_type(0, sequence.cap))


def _sum(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    sequence = _sole_stream(unit, node, scope, "sum(numbers)")
    if isinstance(sequence, Broken):
        return sequence
    if sequence.elem.kind != "int" and sequence.cap:
        unit.error(
            "not-a-number",
            node.span,
            f"sum adds numbers, not {noun(sequence.elem)}",
            "count them with `count(…)`, or add a number of each: `sum(x.… for x in …)`",
        )
        return BROKEN
    if presence.holds_none(sequence.elem) and sequence.cap:
        _without_none(unit, node, scope, sequence.elem)
        return BROKEN
    bound = min(sequence.cap, 2**20)
    type_ = int_type(min(0, sequence.elem.lo * bound), max(0, sequence.elem.hi * bound))
    return Val(ir.Aggregate("sum", sequence.source, site=unit.site(node.span)), type_)


def _any(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    if len(node.args) == 1 and isinstance(node.args[0], tree.Name | tree.Call | tree.Attr):
        place = expression(unit, node.args[0], scope)
        if isinstance(place, Val) and place.type.kind == "place":
            # How many pieces lie somewhere is public, even where they are not seen.
            held = boards.place_count(unit, place, node.span)
            test = ir.Compare(">", held.expr, ir.Const(0))
            unit.narrowing.proving(test, if_true=unit.narrowing.there(ir.PiecesSource(place.expr)))
            return Val(test, BOOL)
        sequence = to_stream(unit, place, node.args[0].span)
    else:
        sequence = _sole_stream(unit, node, scope, "any(collection)")
    if isinstance(sequence, Broken):
        return sequence
    op: ir.AggregateOp = "any" if sequence.elem.kind == "bool" else "exists"
    if op == "any":
        sequence = presence.truths(unit, sequence)
    return Val(ir.Aggregate(op, sequence.source), BOOL)


def _all(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    sequence = _sole_stream(unit, node, scope, "all(conditions)")
    if isinstance(sequence, Broken):
        return sequence
    if sequence.elem.kind != "bool" and sequence.cap:
        unit.error(
            "not-a-condition",
            node.span,
            f"all needs conditions, not {noun(sequence.elem)}",
            "put the condition first: `all(x.ready for x in …)`",
        )
        return BROKEN
    sequence = presence.truths(unit, sequence) if sequence.cap else sequence
    return Val(ir.Aggregate("all", sequence.source), BOOL)


def _without_none(unit: Unit, node: tree.Call, scope: Scope, elem: Type) -> None:
    """Numbers are added, and things put in order: what has none has to be left out first."""
    head = node.args[0]
    if isinstance(head, tree.Comp) and elem.optional:
        spelled = presence.spelled(head.head)
        unit.error(
            "may-be-none",
            head.head.span,
            f"`{spelled}` may be none here" if spelled else "this may be none",
            f"leave those out: `{node.fn}({spelled or 'x'} for … if {spelled or 'x'} != none)`",
        )
        return
    presence.report(unit, Type("list", items=(elem,)), elem, head.span, head, scope)


def _sole_stream(unit: Unit, node: tree.Call, scope: Scope, usage: str) -> Seq | Broken:
    args = Arguments(unit, node, scope, usage, 1, named=("default",))
    if not args.ok:
        return BROKEN
    return stream(unit, node.args[0], scope)


def _extremum(op: Literal["min", "max"]) -> BuiltIn:
    def build(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
        if len(node.args) == 1:
            return _extremum_of(unit, op, node, scope)
        args = Arguments(unit, node, scope, f"{op}(a, b) or {op}(collection)", 2, 8)
        if not args.ok:
            return BROKEN
        result: Val | Broken = args.number(0)
        for index in range(1, len(node.args)):
            other = args.number(index)
            if isinstance(result, Broken) or isinstance(other, Broken):
                return BROKEN
            result = arithmetic(unit, op, result, other, node.span)
        return result

    return build


def _extremum_of(unit: Unit, op: Literal["min", "max"], node: tree.Call, scope: Scope) -> Compiled:
    sequence = _sole_stream(unit, node, scope, f"{op}(collection, default=…)")
    if isinstance(sequence, Broken):
        return sequence
    default: ir.Expr | None = None
    type_ = sequence.elem
    if type_.kind not in ("int", "tuple", "list", "enum"):
        unit.error(
            "not-a-number",
            node.span,
            f"{op} compares numbers or tuples, not {noun(type_)}",
            f"write `{op}((score, x) for x in …)` to find the best x",
        )
        return BROKEN
    if presence.holds_none(type_) and sequence.cap:
        _without_none(unit, node, scope, type_)
        return BROKEN
    for name, value_node in node.named:
        if name == "default":
            value = value_of(unit, value_node, scope, type_)
            if isinstance(value, Broken):
                return value
            # the result may be none then
            wanted = presence.optional(type_) if type_.is_scalar else type_
            checked = check_type(unit, value, wanted, value_node.span, value_node, scope)
            if isinstance(checked, Broken):
                return checked
            default = checked.expr
            type_ = join(type_, checked.type) or type_
    site = unit.site(node.span, f"{unit.rule}: {op} of nothing")
    aggregate = ir.Aggregate(op, sequence.source, default, site)
    return Val(aggregate, type_)


def _first(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    sequence = _sole_stream(unit, node, scope, "first(collection)")
    if isinstance(sequence, Broken):
        return sequence
    if not sequence.elem.is_scalar:
        unit.error(
            "wrong-type",
            node.span,
            "first of nothing would be none, and a tuple cannot be none",
            "ask `any(…)` first and take `[…][0]`",
        )
        return BROKEN
    if isinstance(sequence.source, ir.ConstSource) and sequence.source.values:
        (member, *_) = sequence.source.values
        assert isinstance(member, int)
        return Val(ir.Const(member), sequence.elem)
    none = ir.Const(none_of(sequence.elem))
    return Val(ir.Aggregate("first", sequence.source, none), replace(sequence.elem, optional=True))


def _sort(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    by = next((value for name, value in node.named if name in ("by", "key")), None)
    if by is not None:
        unit.error("unknown-argument", by.span or node.span, "`sort` has no `by`", SORTED_BY)
        return BROKEN
    args = Arguments(unit, node, scope, "sort(collection, desc=true)", 1, named=("desc",))
    if not args.ok:
        return BROKEN
    listed = to_value(unit, stream(unit, node.args[0], scope), node.span)
    if isinstance(listed, Broken):
        return listed
    if presence.holds_none(listed.type.items[0]) and listed.type.items[0].kind != "none":
        _without_none(unit, node, scope, listed.type.items[0])
        return BROKEN
    descending = False
    for name, value in node.named:
        if name == "desc":
            flag = constant_of(expression(unit, value, scope, BOOL))
            if flag is None:
                unit.error(
                    "not-constant",
                    value.span,
                    "desc is `true` or `false`",
                    "write `desc=true`, or leave it out",
                )
            descending = bool(flag)
    return Val(ir.Sorted(listed.expr, descending), listed.type)


def _group(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    sequence = _sole_stream(unit, node, scope, "group(key for x in collection)")
    if isinstance(sequence, Broken):
        return sequence
    if presence.holds_none(sequence.elem) and sequence.cap:
        _without_none(unit, node, scope, sequence.elem)
        return BROKEN
    cap = min(sequence.cap, MAX_LIST)
    bounds = universe(sequence.elem)
    if bounds is not None:
        cap = min(cap, bounds[1] - bounds[0] + 1)
    pair = Type("tuple", items=(sequence.elem, int_type(0, sequence.cap)))
    return Val(ir.Group(sequence.source, max(1, cap)), Type("list", items=(pair,), cap=max(1, cap)))


def _combos(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "combos(collection, k)", 2)
    if not args.ok:
        return BROKEN
    listed = to_value(unit, stream(unit, node.args[0], scope), node.span)
    size = args.number(1)
    if isinstance(listed, Broken) or isinstance(size, Broken):
        return BROKEN
    cap = max(1, min(size.type.hi, listed.type.cap))
    elem = Type("list", items=listed.type.items, cap=cap)
    return Seq(ir.CombosSource(listed.expr, size.expr), elem, 2**30)


def _distinct(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    sequence = _sole_stream(unit, node, scope, "distinct(collection)")
    if isinstance(sequence, Broken):
        return sequence
    return different(unit, sequence, node.span)


def _default(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "default(value, if_none)", 2)
    if not args.ok:
        return BROKEN
    value = value_of(unit, node.args[0], scope, expect)
    if isinstance(value, Broken):
        return value
    other = value_of(unit, node.args[1], scope, value.type)
    if isinstance(other, Broken):
        return other
    if value.type.kind == "none":
        return other
    joined = join(value.type, other.type)
    other = other if joined is None else presence.stated(unit, other, joined) or other
    if joined is None or not value.type.is_scalar:
        return check_type(unit, other, value.type, node.args[1].span)
    reg = unit.register()
    missing = ir.Compare("==", ir.Load(reg), ir.Const(none_of(value.type)))
    expr = ir.Bind(reg, value.expr, ir.Select(missing, other.expr, ir.Load(reg)))
    return Val(expr, replace(joined, optional=other.type.optional))


def _abs(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "abs(number)", 1)
    value = args.number(0)
    if isinstance(value, Broken):
        return value
    reg = unit.register()
    negative = ir.Arith("-", ir.Const(0), ir.Load(reg), unit.site(node.span))
    expr = ir.Bind(reg, value.expr, ir.Arith("max", ir.Load(reg), negative))
    return Val(expr, int_type(0, max(abs(value.type.lo), abs(value.type.hi))))


def _rest(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """All but the first element."""
    sequence = _sole_stream(unit, node, scope, "rest(list)")
    if isinstance(sequence, Broken):
        return sequence
    listed = to_value(unit, sequence, node.span)
    if isinstance(listed, Broken):
        return listed
    values, index = unit.register(), unit.register()
    last = ir.Arith("-", ir.Length(ir.Load(values)), ir.Const(1))
    tail = ir.Stream(
        (ir.Loop((index,), ir.RangeSource(ir.Const(1), last, MAX_LIST)),),
        ir.ListItem(ir.Load(values), ir.Load(index)),
    )
    return Seq(ir.BindSource(values, listed.expr, tail), sequence.elem, max(0, sequence.cap - 1))


def _set(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    if not node.args and not node.named:
        node = replace(node, args=(tree.ListLit((), span=node.span),))
    sequence = _sole_stream(unit, node, scope, "set(collection)")
    if isinstance(sequence, Broken):
        return sequence
    if sequence.cap == 0 and (expect is None or expect.kind != "set"):
        return sequence  # nothing says of what it is empty
    item = expect.items[0] if expect is not None and expect.kind == "set" else sequence.elem
    return as_set(unit, sequence, replace(item, optional=False), node.span)


# ------------------------------------------------------------------------ seats


def _opponent(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "opponent(seat)", 1)
    seat = args.typed(0, presence.optional(seat_type(unit.world)))
    if isinstance(seat, Broken):
        return seat
    if len(unit.world.seats) != 2:
        unit.error(
            "wrong-type",
            node.span,
            "opponent(…) needs a game of exactly two seats",
            "with more, go through `seats` and leave one out",
        )
        return BROKEN
    expr = ir.Lookup(unit.table((1, 0)), seat.expr, -1, unit.site(node.span))
    return Val(expr, seat.type)


def _rotation(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """rotation(seats, start=p) or rotation(seats, after=p)."""
    usage = "rotation(seats, start=p) or rotation(seats, after=p)"
    args = Arguments(unit, node, scope, usage, 1, named=("start", "after"))
    if not args.ok:
        return BROKEN
    among = stream(unit, node.args[0], scope)
    named = dict(node.named)
    origin = named.get("start") or named.get("after")
    if origin is None:
        unit.error("arity", node.span, "a rotation starts somewhere", f"write `{usage}`")
        return BROKEN
    seat = value_of(unit, origin, scope, seat_type(unit.world))
    if isinstance(among, Broken) or isinstance(seat, Broken):
        return BROKEN
    checked = check_type(unit, seat, seat_type(unit.world), origin.span, origin, scope)
    if isinstance(checked, Broken):
        return checked
    around = ir.SeatsSource(_present(unit, checked.expr, origin), "after" in named)
    cap = len(unit.world.seats)
    if isinstance(among.source, ir.SeatsSource):
        return Seq(around, seat_type(unit.world), cap)
    reg = unit.register()
    inside = ir.Filter(ir.InStream(ir.Load(reg), among.source))
    return Seq(
        ir.Stream((ir.Loop((reg,), around), inside), ir.Load(reg)), seat_type(unit.world), cap
    )


def _rotate(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """rotate(seat, n): n seats further on, around the table."""
    args = Arguments(unit, node, scope, "rotate(seat, n)", 1, 2)
    seat = args.typed(0, seat_type(unit.world))
    steps: Val | Broken = args.number(1) if len(node.args) > 1 else Val(ir.Const(1), INT)
    if isinstance(seat, Broken) or isinstance(steps, Broken):
        return BROKEN
    site = unit.site(node.span)
    moved = ir.Arith("+", _present(unit, seat.expr, node), steps.expr, site)
    return Val(ir.Arith("%", moved, ir.Load(ir.PLAYERS), site), seat_type(unit.world))


def _present(unit: Unit, seat: ir.Expr, node: tree.Expr) -> ir.Expr:
    """The seat that is counted from. Where a game may have fewer players than seats, it could be
    one that nobody plays, and nobody sits next to that."""
    world = unit.world
    everybody = world.min_players == len(world.seats)
    match seat:
        case ir.Load(addr=ir.ACTIVE | ir.ACTOR):
            return seat
        case ir.Const(value=int(number)) if number < world.min_players:
            return seat
        case _:
            return (
                seat if everybody else ir.Present(seat, ir.Load(ir.PLAYERS), unit.site(node.span))
            )


def _times(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    args = Arguments(unit, node, scope, "times(history)", 1)
    name = node.args[0].id if args.ok and isinstance(node.args[0], tree.Name) else None
    for index, history in enumerate(unit.histories):
        if history.name == name:
            return Val(ir.Times(index), int_type(0, history.keep))
    if args.ok:
        unit.error(
            "unknown-history",
            node.span,
            "times(…) names a history",
            "declare it: `history: { positions: { of: [board], keep: 100 } }`",
        )
    return BROKEN


def _not_condition(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """`empty(place)`, `none(collection)`: nothing there."""
    sequence = _sole_stream(unit, node, scope, f"{node.fn}(collection)")
    if isinstance(sequence, Broken):
        return sequence
    return Val(ir.Not(ir.Aggregate("exists", sequence.source)), BOOL)


def _declassify(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    """declassify(e): the rule knowingly lets the chooser learn from what is hidden."""
    args = Arguments(unit, node, scope, "declassify(expression)", 1)
    if not args.ok:
        return BROKEN
    result = expression(unit, node.args[0], scope, expect)
    # Sites are filled in now: a node that gets its site later is another node.
    if isinstance(result, Val):
        result = replace(result, expr=placed(result.expr, unit.origin))
        unit.declassified[id(result.expr)] = result.expr
    elif isinstance(result, Seq):
        result = replace(result, source=placed(result.source, unit.origin))
        unit.declassified[id(result.source)] = result.source
    return result


FUNCTIONS: dict[str, BuiltIn] = {
    "count": _count,
    "sum": _sum,
    "any": _any,
    "all": _all,
    "min": _extremum("min"),
    "max": _extremum("max"),
    "first": _first,
    "sort": _sort,
    "group": _group,
    "combos": _combos,
    "distinct": _distinct,
    "default": _default,
    "abs": _abs,
    "rest": _rest,
    "set": _set,
    "opponent": _opponent,
    "rotation": _rotation,
    "rotate": _rotate,
    "times": _times,
    "empty": _not_condition,
    "declassify": _declassify,
    **boards.FUNCTIONS,
    **travel.FUNCTIONS,
}
