"""Effects on pieces: moving, placing, removing, drawing, shuffling, revealing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludwright.diagnostics import did_you_mean
from ludwright.kernel import program as ir
from ludwright.kernel.types import Type
from ludwright.kernel.world import PieceKind
from ludwright.language import tree
from ludwright.language.compiling import attributes, boards, effects, narrowing, zones
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.expressions import (
    as_set,
    check_type,
    expression,
    number,
    to_stream,
    typed,
    value_of,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.targets import Target
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import (
    INT,
    MAX_LIST,
    Broken,
    Seq,
    Val,
    direction_type,
    noun,
    piece_type,
    place_type,
    seat_type,
)


def piece_effect(game: Lowering, code: Code, node: tree.Effect, scope: Scope) -> None:
    match node:
        case tree.MoveToken():
            _move(game, code, node, scope)
        case tree.MoveCount():
            _move_count(game, code, node, scope)
        case tree.MoveTokenAdjacent():
            _move_adjacent(game, code, node, scope)
        case tree.CreateToken():
            _create(game, code, node, scope)
        case tree.DestroyToken():
            _destroy(game, code, node, scope)
        case tree.Draw():
            _draw(game, code, node, scope)
        case tree.Shuffle():
            _shuffle(game, code, node, scope)
        case tree.Reveal(what=what, to=seats):
            _reveal(game, code, what, seats, scope, hide=False)
        case tree.Conceal(what=what, origin=seats):
            _reveal(game, code, what, seats, scope, hide=True)
        case _:
            raise AssertionError(f"unknown effect {node!r}")


# ---------------------------------------------------------------------- one piece


def put(
    game: Lowering,
    code: Code,
    piece: ir.Expr,
    place: ir.Expr,
    node: tree.Node,
    where: ir.Where = "default",
    at: ir.Expr | None = None,
) -> None:
    """Move one piece, then what follows from it: limits of the place, triggers."""
    watched = game.triggers_on_entry(place)
    old = None
    site = game.unit.site(node.span)
    if watched:
        old = code.slot(place_type(game.unit.world), "from")
        count = game.unit.world.piece_count
        code.store(
            old,
            ir.LoadAt(game.unit.layout.piece_place, piece, count, -1, site=site),
            place_type(game.unit.world),
        )
    zones.guard(game, code, piece, place, node)
    code.emit(ir.MovePiece(piece, place, where, at, site))
    _learn_entry(game, code, place)
    game.check_limits(code, place, site)
    if watched and old is not None:
        game.emit_moved(code, piece, old, place, watched, node)


def _learn_entry(game: Lowering, code: Code, place: ir.Expr) -> None:
    """There is a piece now where one was put, also by the name that the rule has for the place."""
    named = game.place_origin.get(place.addr) if isinstance(place, ir.Load) else None
    if named is not None and not narrowing.touches(game.unit, named, (narrowing.STATE,)):
        code.flow.learn(narrowing.there(game.unit, ir.PiecesSource(named)))


def each_piece(
    game: Lowering,
    code: Code,
    pieces: Seq,
    node: tree.Node,
    action: Callable[[ir.Expr], None],
) -> None:
    """Run code for every piece of a collection that is fixed beforehand."""
    unit = game.unit
    cap = max(1, min(pieces.cap, MAX_LIST))
    type_ = Type("list", items=(pieces.elem,), cap=cap)
    listed, index = code.slot(type_, "pieces"), code.slot(INT, "index")
    code.store(listed, ir.MakeList(pieces.source, cap, site=unit.site(node.span)), type_)
    code.store(index, ir.Const(0), INT)
    top, done = code.label(), code.label()
    code.mark(top, (narrowing.STATE,))
    whole = ir.LoadWide(listed, type_)
    code.branch(ir.Compare("<", ir.Load(index), ir.Length(whole)), done)
    piece = code.slot(piece_type(unit.world), "piece")
    code.store(piece, ir.ListItem(whole, ir.Load(index)), piece_type(unit.world))
    with code.loop(index, done):
        action(ir.Load(piece))
    code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
    code.emit(ir.Tick(unit.site(node.span)))
    code.jump(top)
    code.mark(done)


def pieces_of(game: Lowering, node: tree.Expr, scope: Scope, many: bool) -> Val | Seq | Broken:
    """A piece, or (a collection, or a place when `many`) several."""
    compiled = expression(game.unit, node, scope, piece_type(game.unit.world))
    if isinstance(compiled, Broken):
        return compiled
    if isinstance(compiled, Val):
        if compiled.type.kind == "piece":
            return compiled  # doing something to none is a fault
        if compiled.type.kind == "place" and not many:
            game.unit.error(
                "wrong-type",
                node.span,
                "a piece is needed here, this is a space or zone",
                "write `move all of …`, or take `….piece`",
            )
            return Broken()
    sequence = to_stream(game.unit, compiled, node.span)
    if isinstance(sequence, Seq) and sequence.elem.kind != "piece" and sequence.cap:
        game.unit.error(
            "wrong-type",
            node.span,
            f"pieces are needed here, these are {noun(sequence.elem)}",
            "name pieces, or a place with pieces on it",
        )
        return Broken()
    return sequence


def _fixed_place(game: Lowering, code: Code, node: tree.Expr, scope: Scope) -> ir.Expr | None:
    """A place, evaluated once before anything moves."""
    place = typed(game.unit, node, scope, place_type(game.unit.world))
    if isinstance(place, Broken):
        return None
    if isinstance(place.expr, ir.Const):
        return place.expr
    slot = code.slot(place_type(game.unit.world), "to")
    code.store(slot, place.expr, place_type(game.unit.world))
    game.place_origin[slot] = place.expr
    return ir.Load(slot)


def _move(game: Lowering, code: Code, node: tree.MoveToken, scope: Scope) -> None:
    what = pieces_of(game, node.what, scope, node.all)
    place = _fixed_place(game, code, node.to, scope)
    if isinstance(what, Broken) or place is None:
        return
    origin: ir.Expr | None = None
    if node.origin is not None:
        stated = typed(game.unit, node.origin, scope, place_type(game.unit.world))
        if isinstance(stated, Broken):
            return
        origin = stated.expr

    def move(piece: ir.Expr) -> None:
        if origin is not None:
            unit = game.unit
            here = ir.LoadAt(unit.layout.piece_place, piece, unit.world.piece_count, -1)
            site = unit.site(node.span, f"{unit.rule}: the piece is not where `from` says")
            code.emit(ir.Require(ir.Compare("==", here, origin), site, fault=True))
        _put_at(game, code, piece, place, node)

    if isinstance(what, Val):
        piece = code.slot(piece_type(game.unit.world), "piece")
        code.store(piece, what.expr, replace(piece_type(game.unit.world), optional=True))
        move(ir.Load(piece))
    else:
        each_piece(game, code, what, node, move)


def _put_at(
    game: Lowering, code: Code, piece: ir.Expr, place: ir.Expr, node: tree.MoveToken
) -> None:
    if node.position != "random":
        put(game, code, piece, place, node, node.position or "default")
        return
    orders = game.orders_of(place)
    if orders <= {"deck"}:
        put(game, code, piece, place, node, "middle")
        return
    at = code.slot(INT, "at")
    count = boards.place_count(game.unit, Val(place, place_type(game.unit.world)), node.span)
    outcomes = ir.RangeSource(ir.Const(0), count.expr, game.unit.world.piece_count + 1)
    code.emit(
        ir.Chance(
            at, outcomes, INT, "position", -1, game.unit.site(node.span), code.move_loops(),
            arranges=True,
        )
    )  # fmt: skip
    put(game, code, piece, place, node, "at", ir.Load(at))


def _kind(game: Lowering, node: tree.Expr) -> PieceKind | None:
    kinds = {kind.name: kind for kind in game.unit.world.kinds}
    if isinstance(node, tree.Name) and node.id in kinds:
        return kinds[node.id]
    name = node.id if isinstance(node, tree.Name) else ""
    if any(decl.name == name for decl in game.unit.gamedef.pieces):
        return None  # its declaration has a mistake, which has been told
    game.unit.error(
        "unknown-piece",
        node.span,
        f"there is no kind of piece `{name}`",
        did_you_mean(name, kinds) or "declare it under `pieces:`",
    )
    return None


def _of_kind(
    game: Lowering, kind: PieceKind, source: ir.Source, owner: ir.Expr | None, node: tree.Node
) -> Seq:
    """The members of a stream that are of a kind (and of an owner)."""
    reg = game.unit.register()
    first, last = ir.Const(kind.first), ir.Const(kind.first + kind.count - 1)
    test: ir.Expr = ir.And(
        ir.Compare(">=", ir.Load(reg), first), ir.Compare("<=", ir.Load(reg), last)
    )
    if owner is not None:
        of = attributes.attribute(
            game.unit, Val(ir.Load(reg), piece_type(game.unit.world)), "owner", node.span
        )
        if isinstance(of, Val):
            test = ir.And(test, ir.Compare("==", of.expr, owner))
    stream_ = ir.Stream((ir.Loop((reg,), source), ir.Filter(test)), ir.Load(reg))
    return Seq(stream_, piece_type(game.unit.world), kind.count, ascending=False)


def _owner(
    game: Lowering, code: Code, node: tree.Expr | None, scope: Scope
) -> ir.Expr | Broken | None:
    if node is None:
        return None
    seat = typed(game.unit, node, scope, seat_type(game.unit.world))
    if isinstance(seat, Broken):
        return seat
    if isinstance(seat.expr, ir.Const):
        return seat.expr
    slot = code.slot(seat_type(game.unit.world), "owner")
    code.store(slot, seat.expr, seat_type(game.unit.world))
    return ir.Load(slot)


def _repeated(
    game: Lowering,
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
    code.store(index, ir.Arith("+", ir.Load(index), ir.Const(1)), INT)
    code.emit(ir.Tick(game.unit.site(node.span)))
    code.jump(top)
    code.mark(done)


def _move_count(game: Lowering, code: Code, node: tree.MoveCount, scope: Scope) -> None:
    unit = game.unit
    kind = _kind(game, node.kind)
    owner = _owner(game, code, node.owner, scope)
    origin = _fixed_place(game, code, node.origin, scope)
    place = _fixed_place(game, code, node.to, scope)
    count = number(unit, node.count, scope)
    if kind is None or origin is None or place is None:
        return
    if isinstance(count, Broken) or isinstance(owner, Broken):
        return

    def one() -> None:
        found = _of_kind(game, kind, ir.PiecesSource(origin), owner, node)
        piece = code.slot(piece_type(unit.world), "piece")
        first = ir.Aggregate("first", found.source, ir.Const(-1))
        code.store(piece, first, replace(piece_type(unit.world), optional=True))
        site = unit.site(node.span, f"{unit.rule}: not enough {kind.name} to move")
        code.emit(ir.Require(ir.Compare(">=", ir.Load(piece), ir.Const(0)), site))
        put(game, code, ir.Load(piece), place, node)

    _repeated(game, code, count.expr, node, one)


def _move_adjacent(game: Lowering, code: Code, node: tree.MoveTokenAdjacent, scope: Scope) -> None:
    unit = game.unit
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
    code.emit(ir.Require(ir.Compare(">=", ir.Load(target), ir.Const(0)), site))
    put(game, code, ir.Load(piece), ir.Load(target), node)


# -------------------------------------------------------------- placing, removing


def _create(game: Lowering, code: Code, node: tree.CreateToken, scope: Scope) -> None:
    unit = game.unit
    kind = _kind(game, node.kind)
    owner = _owner(game, code, node.owner, scope)
    place = _fixed_place(game, code, node.to, scope)
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
        supply = _of_kind(game, kind, ir.ConstSource(tuple(kind.pieces)), by_owner, node)
        reg = unit.register()
        off = ir.LoadAt(unit.layout.piece_place, ir.Load(reg), unit.world.piece_count, -1)
        free = ir.Stream(
            (
                ir.Loop(
                    (reg,),
                    supply.source if by_owner is not None else ir.ConstSource(tuple(kind.pieces)),
                ),
                ir.Filter(ir.Compare("<", off, ir.Const(0))),
            ),
            ir.Load(reg),
        )
        piece = code.slot(piece_type(unit.world), "piece")
        code.store(
            piece,
            ir.Aggregate("first", free, ir.Const(-1)),
            replace(piece_type(unit.world), optional=True),
        )
        site = unit.site(node.span, f"{unit.rule}: no {kind.name} is left to place")
        present = ir.Compare(">=", ir.Load(piece), ir.Const(0))
        code.emit(ir.Require(present, site, fault=not counted))
        if owner is not None and by_owner is None:
            _set_property(game, code, ir.Load(piece), "owner", owner, node)
        for name, value_node in node.props:
            slot = unit.layout.piece_props.get(name)
            if slot is None or name not in properties:
                unit.error(
                    "unknown-attribute",
                    value_node.span or node.span,
                    f"`{kind.name}` has no property `{name}` that can be set",
                    did_you_mean(name, properties) or "declare it under `props` of the piece",
                )
                continue
            value = value_of(unit, value_node, scope, slot.variable.type)
            if isinstance(value, Broken):
                continue
            expr = effects.coerce(game, value, slot.variable.type, value_node, scope)
            if expr is not None:
                _set_property(game, code, ir.Load(piece), name, expr, node)
        put(game, code, ir.Load(piece), place, node)

    _repeated(game, code, count.expr if count is not None else ir.Const(1), node, one)


def _set_property(
    game: Lowering, code: Code, piece: ir.Expr, name: str, value: ir.Expr, node: tree.Node
) -> None:
    slot = game.unit.layout.piece_props[name]
    variable = slot.variable
    goal = Target(variable.addr, variable.type, piece, variable.count, slot)
    effects.assign(game, code, goal, value, node)


def _destroy(game: Lowering, code: Code, node: tree.DestroyToken, scope: Scope) -> None:
    what = pieces_of(game, node.what, scope, node.all)
    if isinstance(what, Broken):
        return
    if isinstance(what, Val):
        piece = code.slot(piece_type(game.unit.world), "piece")
        code.store(piece, what.expr, replace(piece_type(game.unit.world), optional=True))
        put(game, code, ir.Load(piece), ir.Const(-1), node)
    else:
        each_piece(game, code, what, node, lambda piece: put(game, code, piece, ir.Const(-1), node))


# ------------------------------------------------------------- drawing, shuffling


def _draw(game: Lowering, code: Code, node: tree.Draw, scope: Scope) -> None:
    unit = game.unit
    count = number(unit, node.count, scope)
    origin = _fixed_place(game, code, node.origin, scope)
    place = _fixed_place(game, code, node.to, scope)
    if isinstance(count, Broken) or origin is None or place is None:
        return
    held = boards.place_count(unit, Val(origin, place_type(unit.world)), node.span).expr
    wanted = count.expr
    if node.up_to:
        wanted = ir.Arith("min", wanted, held)
    else:
        site = unit.site(node.span, f"{unit.rule}: not enough pieces to draw")
        slot = code.slot(INT, "wanted")
        code.store(slot, wanted, INT)
        wanted = ir.Load(slot)
        # A draw is chance, and after chance nothing may be taken back: too few is a mistake
        # of the rules, unless they say `draw up to`.
        code.emit(ir.Require(ir.Compare(">=", held, wanted), site, fault=True))
    orders = game.orders_of(origin)

    def one() -> None:
        piece = code.slot(piece_type(unit.world), "drawn")
        pick_from(game, code, origin, orders, piece, node)
        put(game, code, ir.Load(piece), place, node)

    known = count.expr.value if isinstance(count.expr, ir.Const) else 0
    surely = isinstance(known, int) and known > 0 and not node.up_to
    _repeated(game, code, wanted, node, one, surely)


def pick_from(
    game: Lowering,
    code: Code,
    origin: ir.Expr,
    orders: set[str],
    piece: int,
    node: tree.Node,
) -> None:
    """The next piece of a zone: the top of a stack, any of a bag, a deck's known top or any of
    its unordered middle."""
    unit = game.unit
    type_ = piece_type(unit.world)
    site = unit.site(node.span, f"{unit.rule}: draw")
    done = code.label()
    count = len(unit.world.places)
    head = ir.LoadAt(unit.layout.place_head, origin, count, -1, site=site)
    if "deck" in orders:
        other = code.label()
        top, bottom = game.deck_cells(origin)
        if orders != {"deck"}:
            code.branch(game.has_order(origin, "deck"), other)
        held = boards.place_count(unit, Val(origin, place_type(unit.world)), node.span).expr
        last = ir.Arith("-", ir.Arith("-", held, bottom), ir.Const(1))
        known = code.label()
        unordered = ir.And(ir.Compare("==", top, ir.Const(0)), ir.Compare(">=", last, ir.Const(0)))
        code.branch(unordered, known)
        pieces, index = unit.register(), unit.register()
        listed = ir.MakeList(ir.PiecesSource(origin), max(1, unit.world.piece_count))
        middle = ir.BindSource(
            pieces,
            listed,
            ir.Stream(
                (ir.Loop((index,), ir.RangeSource(ir.Const(0), last, unit.world.piece_count)),),
                ir.ListItem(ir.Load(pieces), ir.Load(index)),
            ),
        )
        code.emit(ir.Chance(piece, middle, type_, "draw", -1, site, code.move_loops()))
        code.jump(done)
        code.mark(known)
        code.store(piece, head, type_)
        code.jump(done)
        code.mark(other)
    if "bag" in orders:
        other = code.label()
        if orders != {"bag"}:
            code.branch(game.has_order(origin, "bag"), other)
        source = ir.PiecesSource(origin)
        code.emit(ir.Chance(piece, source, type_, "draw", -1, site, code.move_loops()))
        code.jump(done)
        code.mark(other)
    if orders & {"stack", "row"}:
        code.store(piece, head, type_)
    code.mark(done)


def _shuffle(game: Lowering, code: Code, node: tree.Shuffle, scope: Scope) -> None:
    unit = game.unit
    place = _fixed_place(game, code, node.zone, scope)
    if place is None:
        return
    orders = game.orders_of(place)
    if "deck" in orders:
        other = code.label()
        if orders != {"deck"}:
            code.branch(game.has_order(place, "deck"), other)
        code.emit(ir.MixDeck(place))
        code.mark(other)
    if orders & {"stack", "row"}:
        done = code.label()
        if orders - {"stack", "row"}:
            ordered = ir.Or(game.has_order(place, "stack"), game.has_order(place, "row"))
            code.branch(ordered, done)
        index, other_index = code.slot(INT, "index"), code.slot(INT, "other")
        held = boards.place_count(unit, Val(place, place_type(unit.world)), node.span).expr
        code.store(index, ir.Arith("-", held, ir.Const(1)), INT)
        top = code.label()
        code.mark(top, (narrowing.STATE,))
        code.branch(ir.Compare(">", ir.Load(index), ir.Const(0)), done)
        site = unit.site(node.span, f"{unit.rule}: shuffle")
        outcomes = ir.RangeSource(ir.Const(0), ir.Load(index), unit.world.piece_count)
        with code.loop(index, done):
            code.emit(
                ir.Chance(
                    other_index, outcomes, INT, "shuffle", -1, site, code.move_loops(),
                    arranges=True,
                )
            )  # fmt: skip
        code.emit(ir.SwapInPlace(place, ir.Load(index), ir.Load(other_index)))
        code.store(index, ir.Arith("-", ir.Load(index), ir.Const(1)), INT)
        code.emit(ir.Tick(site))
        code.jump(top)
        code.mark(done)
    if orders == {"bag"}:
        unit.diagnostics.warning(
            "no-effect",
            node.span,
            "this zone has no order, so there is nothing to shuffle",
            "declare the zone with `order: deck`, or leave the shuffle out",
        )


def _reveal(
    game: Lowering,
    code: Code,
    what: tree.Expr,
    seats_node: tree.Expr | None,
    scope: Scope,
    hide: bool,
) -> None:
    unit = game.unit
    item = seat_type(unit.world)
    everyone: ir.Expr = ir.Const((1 << len(unit.world.seats)) - 1)
    if seats_node is not None and not (
        isinstance(seats_node, tree.Name) and seats_node.id == "all"
    ):
        compiled = expression(unit, seats_node, scope, item)
        if isinstance(compiled, Val) and compiled.type.kind == "seat":
            seat = check_type(unit, compiled, item, seats_node.span, seats_node, scope)
            if isinstance(seat, Broken):
                return
            compiled = Seq(ir.ItemsSource((seat.expr,)), item, 1)
        seats = to_stream(unit, compiled, seats_node.span)
        if isinstance(seats, Broken):
            return
        chosen = as_set(unit, seats, item, seats_node.span)
        if isinstance(chosen, Broken):
            return
        everyone = chosen.expr
    pieces = pieces_of(game, what, scope, many=True)
    if isinstance(pieces, Broken):
        return
    if isinstance(pieces, Val):
        code.emit(ir.RevealPiece(pieces.expr, everyone, hide))
        return
    mask = code.slot(Type("set", items=(item,)), "viewers")
    code.store(mask, everyone, Type("set", items=(item,)))
    viewers = ir.LoadWide(mask, Type("set", items=(item,)))
    each_piece(
        game,
        code,
        pieces,
        tree.Node(span=what.span),
        lambda piece: code.emit(ir.RevealPiece(piece, viewers, hide)),
    )
