"""Effects on pieces: moving, placing, removing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling import narrowing
from ludwright.language.compiling.code import Code, Passage, Stock
from ludwright.language.compiling.effects import zones
from ludwright.language.compiling.effects.assignments import assign, coerce
from ludwright.language.compiling.effects.places import (
    check_limits,
    is_limited,
    orders_of,
    places_of,
    says_whose,
)
from ludwright.language.compiling.expressions import attributes, boards
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.folding import fold
from ludwright.language.compiling.expressions.targets import Target
from ludwright.language.compiling.expressions.type_check import (
    number,
    to_stream,
    typed,
    value_of,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.rules import triggers
from ludwright.language.compiling.tree_walk import dotted
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import (
    INT,
    MAX_LIST,
    Broken,
    Seq,
    Val,
    direction_type,
    kind_type,
    noun,
    piece_type,
    place_type,
    seat_type,
    storable,
)
from ludwright.program.types import Type
from ludwright.program.world import PieceKind
from ludwright.spelling import did_you_mean

_NO_PROPERTIES: Mapping[str, ir.Expr] = MappingProxyType({})

# ---------------------------------------------------------------------- one piece


def put(
    lowering: Lowering,
    code: Code,
    piece: ir.Expr,
    place: ir.Expr,
    node: tree.Node,
    where: ir.Where = "default",
    at: ir.Expr | None = None,
    limited: bool = True,
) -> None:
    """Move one piece, then what follows from it: limits of the place, triggers.

    Not `limited`: more is about to change, so the caller looks at the limits when it is done.
    """
    watched = triggers.watching_places(lowering)
    old = None
    site = lowering.unit.site(node.span)
    if watched:
        old = code.slot(place_type(lowering.unit.world), "from")
        count = lowering.unit.world.piece_count
        code.store(
            old,
            ir.LoadAt(lowering.unit.layout.piece_place, piece, count, -1, site=site),
            place_type(lowering.unit.world),
        )
    zones.guard(lowering, code, piece, place, node)
    alone = code.passage is None or bool(watched)  # what a trigger moves is not counted
    passage = Passage(len(code.instrs), ir.Const(1)) if alone else code.here()
    code.emit(ir.MovePiece(piece, place, where, at, site))
    _learn_entry(lowering, code, place)
    if limited:
        check_limits(lowering, code, place, site, passage, piece if alone else None)
    if watched and old is not None:
        triggers.moved(lowering, code, piece, old, place, watched)


def _learn_entry(lowering: Lowering, code: Code, place: ir.Expr) -> None:
    """There is a piece now where one was put, also by the name that the rule has for the place."""
    named = lowering.place_origin.get(place.addr) if isinstance(place, ir.Load) else None
    if named is not None and not lowering.unit.narrowing.touches(named, (narrowing.STATE,)):
        code.flow.learn(lowering.unit.narrowing.there(ir.PiecesSource(named)))


def put_all(
    lowering: Lowering,
    code: Code,
    pieces: Seq,
    place: ir.Expr,
    node: tree.Node,
    where: ir.Side = "default",
    limited: bool = True,
) -> None:
    """Move every piece of a collection that is fixed beforehand: at once, unless something follows
    from each of the moves. `limited`: as in `put`."""
    if triggers.watching_places(lowering) or (limited and is_limited(lowering, place)):
        each_piece(
            lowering, code, pieces, node,
            lambda piece: put(lowering, code, piece, place, node, where, limited=limited),
        )  # fmt: skip
        return
    listed = _listed(lowering, code, pieces, node)
    zones.guard_all(lowering, code, listed, place, node)
    code.emit(ir.MoveAll(listed, place, where, lowering.unit.site(node.span)))


def _listed(lowering: Lowering, code: Code, pieces: Seq, node: tree.Node) -> ir.Expr:
    """A collection as a list that is fixed from now on."""
    cap = max(1, min(pieces.cap, MAX_LIST))
    type_ = Type("list", items=(pieces.elem,), cap=cap)
    listed = code.slot(type_, "pieces")
    site = lowering.unit.site(node.span)
    code.store(listed, ir.MakeList(pieces.source, cap, site=site), type_)
    return ir.LoadWide(listed, type_)


def each_piece(
    lowering: Lowering,
    code: Code,
    pieces: Seq,
    node: tree.Node,
    action: Callable[[ir.Expr], None],
) -> None:
    """Run code for every piece of a collection that is fixed beforehand."""
    unit = lowering.unit
    whole = _listed(lowering, code, pieces, node)
    index = code.slot(INT, "index")
    code.store(index, ir.Const(0), INT)
    top, done = code.label(), code.label()
    code.mark(top, (narrowing.STATE,))
    code.branch(ir.Compare("<", ir.Load(index), ir.Length(whole)), done)
    piece = code.slot(piece_type(unit.world), "piece")
    code.store(piece, ir.ListItem(whole, ir.Load(index)), piece_type(unit.world))
    with code.loop(index, done):
        action(ir.Load(piece))
    code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
    code.emit(ir.Tick(unit.site(node.span)))
    code.jump(top)
    code.mark(done)


def pieces_of(lowering: Lowering, node: tree.Expr, scope: Scope, many: bool) -> Val | Seq | Broken:
    """A piece, or (a collection, or a place when `many`) several."""
    compiled = expression(lowering.unit, node, scope, piece_type(lowering.unit.world))
    if isinstance(compiled, Broken):
        return compiled
    if isinstance(compiled, Val):
        if compiled.type.kind == "piece":
            return compiled  # doing something to none is a fault
        if compiled.type.kind == "place" and not many:
            lowering.unit.error(
                "wrong-type",
                node.span,
                "a piece is needed here, this is a space or zone",
                "write `move all of …`, or take `….piece`",
            )
            return Broken()
    sequence = to_stream(lowering.unit, compiled, node.span)
    if isinstance(sequence, Seq) and sequence.elem.kind != "piece" and sequence.cap:
        lowering.unit.error(
            "wrong-type",
            node.span,
            f"pieces are needed here, these are {noun(sequence.elem)}",
            "name pieces, or a place with pieces on it",
        )
        return Broken()
    return sequence


def fixed_place(lowering: Lowering, code: Code, node: tree.Expr, scope: Scope) -> ir.Expr | None:
    """A place, evaluated once before anything moves."""
    type_ = place_type(lowering.unit.world)
    place = typed(lowering.unit, node, scope, type_)
    if isinstance(place, Broken):
        return None
    kept = _kept(code, place.expr, type_, "to")
    if isinstance(kept, ir.Load):
        lowering.place_origin[kept.addr] = place.expr
    return kept


def _kept(code: Code, value: ir.Expr, type_: Type, name: str) -> ir.Expr:
    """A value that is evaluated here, once, however often it is read."""
    if isinstance(value, ir.Const):
        return value
    slot = code.slot(type_, name)
    code.store(slot, value, type_)
    return ir.Load(slot)


def move(lowering: Lowering, code: Code, node: tree.MoveToken, scope: Scope) -> None:
    what = pieces_of(lowering, node.what, scope, node.all)
    place = fixed_place(lowering, code, node.to, scope)
    if isinstance(what, Broken) or place is None:
        return
    origin: ir.Expr | None = None
    if node.origin is not None:
        stated = typed(lowering.unit, node.origin, scope, place_type(lowering.unit.world))
        if isinstance(stated, Broken):
            return
        origin = stated.expr

    def move_one(piece: ir.Expr) -> None:
        if origin is not None:
            unit = lowering.unit
            here = ir.LoadAt(unit.layout.piece_place, piece, unit.world.piece_count, -1)
            site = unit.site(node.span, f"{unit.rule}: the piece is not where `from` says")
            code.emit(ir.Require(ir.Compare("==", here, origin), site, fault=True))
        _put_at(lowering, code, piece, place, node)

    if isinstance(what, Val):
        piece = code.slot(piece_type(lowering.unit.world), "piece")
        code.store(piece, what.expr, replace(piece_type(lowering.unit.world), optional=True))
        move_one(ir.Load(piece))
    elif origin is None and (side := _side(lowering, place, node)) is not None:
        put_all(lowering, code, what, place, node, side)
    else:
        each_piece(lowering, code, what, node, move_one)


def _put_at(
    lowering: Lowering, code: Code, piece: ir.Expr, place: ir.Expr, node: tree.MoveToken
) -> None:
    if (side := _side(lowering, place, node)) is not None:
        put(lowering, code, piece, place, node, side)
        return
    at = code.slot(INT, "at")
    count = boards.place_count(
        lowering.unit, Val(place, place_type(lowering.unit.world)), node.span
    )
    outcomes = ir.RangeSource(ir.Const(0), count.expr, lowering.unit.world.piece_count + 1)
    code.emit(
        ir.Chance(
            at, outcomes, INT, "position", -1, lowering.unit.site(node.span), code.move_loops(),
            arranges=True,
        )
    )  # fmt: skip
    put(lowering, code, piece, place, node, "at", ir.Load(at))


def _side(lowering: Lowering, place: ir.Expr, node: tree.MoveToken) -> ir.Side | None:
    """Where pieces come in a place; None: at a random position, which is chance."""
    if node.position != "random":
        return node.position or "default"
    return "middle" if orders_of(lowering, place) <= {"deck"} else None


def _kind(lowering: Lowering, node: tree.Expr) -> PieceKind | None:
    kinds = {kind.name: kind for kind in lowering.unit.world.kinds}
    if isinstance(node, tree.Name) and node.id in kinds:
        return kinds[node.id]
    name = node.id if isinstance(node, tree.Name) else ""
    if any(decl.name == name for decl in lowering.unit.gamedef.pieces):
        return None  # its declaration has a mistake, which has been told
    lowering.unit.error(
        "unknown-piece",
        node.span,
        f"there is no kind of piece `{name}`",
        did_you_mean(name, kinds) or "declare it under `pieces:`",
    )
    return None


def _of_kind(
    lowering: Lowering,
    kind: PieceKind,
    source: ir.Source,
    owner: ir.Expr | None,
    node: tree.Node,
    props: Mapping[str, ir.Expr] = _NO_PROPERTIES,
    outside: bool = False,
) -> Seq:
    """The members of a stream that are of a kind (and of an owner, with these properties, and out
    of the game)."""
    reg = lowering.unit.register()
    tests: list[ir.Expr] = []
    if not _only(lowering, kind, source):
        first, last = ir.Const(kind.first), ir.Const(kind.first + kind.count - 1)
        tests.append(ir.Compare(">=", ir.Load(reg), first))
        tests.append(ir.Compare("<=", ir.Load(reg), last))
    if owner is not None:
        of = attributes.attribute(
            lowering.unit, Val(ir.Load(reg), piece_type(lowering.unit.world)), "owner", node.span
        )
        if isinstance(of, Val):
            tests.append(ir.Compare("==", of.expr, owner))
    for name, value in props.items():
        own = attributes.attribute(
            lowering.unit, Val(ir.Load(reg), kind_type(kind)), name, node.span
        )
        if isinstance(own, Val):
            tests.append(ir.Compare("==", own.expr, value))
    if outside:
        off = lowering.unit.layout.piece_place
        place = ir.LoadAt(off, ir.Load(reg), lowering.unit.world.piece_count, -1)
        tests.append(ir.Compare("==", place, ir.Const(-1)))
    loop = ir.Loop((reg,), source)
    stream_ = ir.Stream((loop, *(ir.Filter(test) for test in tests)), ir.Load(reg))
    return Seq(stream_, piece_type(lowering.unit.world), kind.count, ascending=False)


def _only(lowering: Lowering, kind: PieceKind, source: ir.Source) -> bool:
    """Whether all pieces of a source are certainly of a kind."""
    match source:
        case ir.ConstSource():
            return True  # the pieces of the kind
        case ir.PiecesSource(place=place):
            known = places_of(lowering, place)
            places = lowering.unit.world.places
            there = places if known is None else [places[at] for at in known if at >= 0]
            others = [other for other in lowering.unit.world.kinds if other is not kind]
            return not any(place.takes(other) for place in there for other in others)
        case _:
            return False


def _first(lowering: Lowering, code: Code, stock: Stock, site: int, fault: bool = False) -> ir.Expr:
    """The first piece of a stock; that there is one is demanded."""
    type_ = piece_type(lowering.unit.world)
    piece = code.slot(type_, "piece")
    first = ir.Aggregate("first", stock.pieces, ir.Const(-1))
    code.store(piece, first, replace(type_, optional=True))
    code.stocks[len(code.instrs)] = stock
    code.emit(ir.Require(ir.Compare("!=", ir.Load(piece), ir.Const(-1)), site, fault=fault))
    return ir.Load(piece)


def _owner(
    lowering: Lowering, code: Code, node: tree.Expr | None, scope: Scope
) -> ir.Expr | Broken | None:
    if node is None:
        return None
    type_ = seat_type(lowering.unit.world)
    seat = typed(lowering.unit, node, scope, type_)
    return seat if isinstance(seat, Broken) else _kept(code, seat.expr, type_, "owner")


def repeated(
    lowering: Lowering,
    code: Code,
    count: ir.Expr,
    node: tree.Node,
    body: Callable[[], None],
    at_least_once: bool = False,
) -> None:
    """Run code `count` times. Where that is at least once, the first test is left out: so it can
    be seen that what the code does has been done."""
    if isinstance(count, ir.Const) and count.value == 1:
        body()
        return
    left, index = code.slot(INT, "left"), code.slot(INT, "index")
    code.passage = Passage(len(code.instrs), count)
    code.store(left, count, INT)
    code.store(index, ir.Const(0), INT)
    top, done = code.label(), code.label()
    inside = code.label()
    if at_least_once:
        code.jump(inside)
    code.mark(top, (narrowing.STATE,))
    code.branch(ir.Compare("<", ir.Load(index), ir.Load(left)), done)
    code.mark(inside)
    with code.loop(index, done):
        body()
    code.passage = None
    code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
    code.emit(ir.Tick(lowering.unit.site(node.span)))
    code.jump(top)
    code.mark(done)


def move_count(lowering: Lowering, code: Code, node: tree.MoveCount, scope: Scope) -> None:
    """A number of pieces of a kind, one after the other; without `to` they go to the supply."""
    unit = lowering.unit
    kind = _kind(lowering, node.kind)
    owner = _owner(lowering, code, node.owner, scope)
    origin = fixed_place(lowering, code, node.origin, scope)
    place: ir.Expr | None = ir.Const(-1)
    if node.to is not None:
        place = fixed_place(lowering, code, node.to, scope)
    props = _properties(lowering, code, kind, node, scope) if kind is not None else None
    every = isinstance(node.count, tree.Name) and node.count.id == "all"
    count = None if every else number(unit, node.count, scope)
    if kind is None or origin is None or place is None or props is None:
        return
    if isinstance(count, Broken) or isinstance(owner, Broken):
        return
    says_whose(lowering, kind, origin, node)
    found = _of_kind(lowering, kind, ir.PiecesSource(origin), owner, node, props)
    held = ir.Aggregate("count", found.source)
    if count is None:
        many: ir.Expr = held
    else:
        many = ir.Arith("min", count.expr, held) if node.up_to else count.expr

    def one() -> None:
        found = _of_kind(lowering, kind, ir.PiecesSource(origin), owner, node, props)
        if count is None or node.up_to:  # there are as many as are moved
            slot = code.slot(piece_type(unit.world), "piece")
            first = ir.Aggregate("first", found.source, ir.Const(-1))
            code.store(slot, first, replace(piece_type(unit.world), optional=True))
            piece: ir.Expr = ir.Load(slot)
        else:
            verb = "move" if node.to is not None else "remove"
            site = unit.site(node.span, f"{unit.rule}: not enough {kind.name} to {verb}")
            stock = Stock(f"`{kind.name}` to {verb}", found.source, code.here())
            piece = _first(lowering, code, stock, site)
        put(lowering, code, piece, place, node)

    repeated(lowering, code, many, node, one)


def _properties(
    lowering: Lowering, code: Code, kind: PieceKind, node: tree.MoveCount, scope: Scope
) -> dict[str, ir.Expr] | None:
    """The values of `with`, each read once before anything moves; None after a diagnostic."""
    unit = lowering.unit
    others = {prop.name for each in unit.world.kinds for prop in each.properties}
    found: dict[str, ir.Expr] = {}
    for name, value_node in node.props:
        own = attributes.attribute(
            unit, Val(ir.Const(kind.first), kind_type(kind)), name, value_node.span
        )
        if not isinstance(own, Val):
            return None
        if name in others - {prop.name for prop in kind.properties}:
            unit.error(
                "unknown-attribute",
                value_node.span or node.span,
                f"`{kind.name}` has no property `{name}`",
                did_you_mean(name, [prop.name for prop in kind.properties])
                or "declare it under `props` of the piece",
            )
            return None
        expect = replace(own.type, optional=True) if own.type.is_scalar else own.type
        value = typed(unit, value_node, scope, expect)
        if isinstance(value, Broken):
            return None
        if isinstance(value.expr, ir.Const):
            found[name] = value.expr
            continue
        slot = code.slot(storable(expect), name)
        code.store(slot, value.expr, storable(expect))
        found[name] = code.load(slot, expect)
    return found


def move_adjacent(
    lowering: Lowering, code: Code, node: tree.MoveTokenAdjacent, scope: Scope
) -> None:
    unit = lowering.unit
    token = typed(unit, node.token, scope, piece_type(unit.world))
    if isinstance(token, Broken):
        return
    if node.direction is None:
        unit.error(
            "no-direction",
            node.span,
            "which way should the piece move?",
            "give a `direction`, or use `move … to …`",
        )
        return
    direction = typed(unit, node.direction, scope, direction_type(unit.world))
    if isinstance(direction, Broken):
        return
    piece = code.slot(piece_type(unit.world), "piece")
    code.store(piece, token.expr, piece_type(unit.world))
    here = ir.LoadAt(unit.layout.piece_place, ir.Load(piece), unit.world.piece_count, -1)
    target = code.slot(place_type(unit.world), "to")
    code.store(target, boards.step_expr(unit, here, direction.expr), place_type(unit.world))
    site = unit.site(node.span, f"{unit.rule}: that way leads off the board")
    code.emit(ir.Require(ir.Compare("!=", ir.Load(target), ir.Const(-1)), site))
    put(lowering, code, ir.Load(piece), ir.Load(target), node)


# -------------------------------------------------------------- placing, removing


def _seat_before_kind(unit: Unit, node: tree.CreateToken, scope: Scope) -> str | None:
    """The seat in `place red man at a1`, which stands where a number belongs."""
    name = dotted(node.count) if node.count is not None and node.owner is None else None
    if name in unit.world.seats or name in ("actor", "active"):
        return name
    local = scope.find(name) if name is not None else None
    seat = local is not None and isinstance(local.value, Val) and local.value.type.kind == "seat"
    return name if seat else None


def create(lowering: Lowering, code: Code, node: tree.CreateToken, scope: Scope) -> None:
    unit = lowering.unit
    kind = _kind(lowering, node.kind)
    owner = _owner(lowering, code, node.owner, scope)
    place = fixed_place(lowering, code, node.to, scope)
    if node.count is not None and (seat := _seat_before_kind(unit, node, scope)) is not None:
        unit.error(
            "wrong-type", node.count.span, "the seat comes after the kind of piece",
            f"write `place {dotted(node.kind)} of {seat} at …`",
        )  # fmt: skip
        return
    count = number(unit, node.count, scope) if node.count is not None else None
    if kind is None or place is None or isinstance(owner, Broken) or isinstance(count, Broken):
        return
    properties = {prop.name: prop for prop in kind.properties}
    if owner is not None and "owner" not in properties:
        unit.error(
            "no-owner",
            node.span,
            f"`{kind.name}` has no owner",
            f"declare it: `{kind.name}: {{ owner: seat }}`",
        )
        return
    by_owner = owner if owner is not None and properties["owner"].initial[:1] != (-1,) else None
    decl = next((decl for decl in unit.gamedef.pieces if decl.name == kind.name), None)
    counted = decl is not None and decl.count is not None

    def one() -> None:
        all_ = ir.ConstSource(tuple(kind.pieces))
        free = _of_kind(lowering, kind, all_, by_owner, node, outside=True).source
        site = unit.site(node.span, f"{unit.rule}: no {kind.name} is left to place")
        stock = Stock(f"`{kind.name}` left to place", free, code.here(), supply=True)
        piece = _first(lowering, code, stock, site, fault=not counted)
        if owner is not None and by_owner is None:
            _set_property(lowering, code, piece, "owner", owner, node)
        for name, value_node in node.props:
            slot = unit.layout.piece_props.get(name)
            if slot is None or name not in properties or properties[name].fixed:
                unit.error(
                    "unknown-attribute",
                    value_node.span or node.span,
                    f"`{kind.name}` has no property `{name}` that can be set",
                    f"every `{kind.name}` belongs to somebody; write `of SEAT` for one of theirs"
                    if name == "owner"
                    else "what stands under `each` never changes; declare it beside `each` instead"
                    if name in properties
                    else did_you_mean(name, properties) or "declare it under `props` of the piece",
                )
                continue
            value = value_of(unit, value_node, scope, slot.variable.type)
            if isinstance(value, Broken):
                continue
            expr = coerce(lowering, value, slot.variable.type, value_node, scope)
            if expr is not None:
                _set_property(lowering, code, piece, name, expr, node)
        put(lowering, code, piece, place, node)

    repeated(lowering, code, count.expr if count is not None else ir.Const(1), node, one)


def _set_property(
    lowering: Lowering, code: Code, piece: ir.Expr, name: str, value: ir.Expr, node: tree.Node
) -> None:
    unit, slot = lowering.unit, lowering.unit.layout.piece_props[name]
    variable = slot.variable
    index = fold(ir.Arith("-", piece, ir.Const(variable.first)), unit)
    goal = Target(variable.addr, variable.type, index, variable.count, slot)
    assign(lowering, code, goal, value, node)


def destroy(lowering: Lowering, code: Code, node: tree.DestroyToken, scope: Scope) -> None:
    what = pieces_of(lowering, node.what, scope, node.all)
    if isinstance(what, Broken):
        return
    if isinstance(what, Val):
        piece = code.slot(piece_type(lowering.unit.world), "piece")
        code.store(piece, what.expr, replace(piece_type(lowering.unit.world), optional=True))
        put(lowering, code, ir.Load(piece), ir.Const(-1), node)
    else:
        put_all(lowering, code, what, ir.Const(-1), node)
