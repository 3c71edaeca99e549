"""`x.name`: what seats, places, pieces and rows have."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language.compiling.expressions.folding import fold
from ludwright.language.compiling.layout import Slot
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import (
    BROKEN,
    Broken,
    Compiled,
    Seq,
    TableRef,
    Val,
    compatible,
    int_type,
    kind_type,
    noun,
    piece_type,
    place_type,
    seat_type,
    space_type,
    unnamed,
)
from ludwright.language.world.encoding import listed
from ludwright.program.types import NO_ENTITY, Type
from ludwright.program.world import Attribute, PieceKind, Table, World
from ludwright.spelling import did_you_mean

Owner = Val | Seq | TableRef
_LENGTHS = ("length", "size", "count", "len", "number")  # what others call `count(…)`
KINDS = "__kinds"  # the labels that are kinds of pieces


def attribute(
    unit: Unit, owner: Owner, name: str, span: Span | None, scope: Scope | None = None
) -> Compiled:
    """`scope` tells what is known of the row of a piece, of which only a column is asked for."""
    if not isinstance(owner, Val):
        unit.error(
            "attribute-of-collection",
            span,
            f"`.{name}` needs one thing, this is a collection",
            "write `count(…)`" if name in _LENGTHS else f"go through it: `x.{name} for x in …`",
        )
        return BROKEN
    match owner.type.kind:
        case "seat":
            found = _of_seat(unit, owner, name, span)
            known = seat_attribute_names(unit)
        case "place":
            found = _of_place(unit, owner, name, span)
            known = place_attribute_names(unit)
        case "piece":
            found = _of_piece(unit, owner, name, span, scope)
            known = piece_attribute_names(unit)
        case "row":
            found = _of_row(unit, owner.expr, owner.type.name, name, span)
            known = set(unit.world.tables[owner.type.name].columns)
        case _:
            found, known = None, set()
    if found is not None:
        return _of_none(found) if owner.type.optional else found
    of = {"place": "space"}.get(owner.type.kind, owner.type.kind)
    if any(decl.name == name and decl.scope == of for decl in unit.gamedef.vars):
        return BROKEN  # its declaration has a mistake, which has been told
    suggestion = of_the_game(unit, name, owner.type.kind) or did_you_mean(
        _OTHER_NAMES.get(name, name), known
    )
    if suggestion is None and of == "space" and name in piece_attribute_names(unit):
        suggestion = f"the pieces there have it: `x.{name} for x in …`"
    if name in ("empty", "isEmpty", "is_empty"):
        suggestion = "write `empty(x)`"
    if suggestion is None and known:
        suggestion = "it has " + ", ".join(f"`{each}`" for each in sorted(known))
    suggestion = suggestion or f"leave `.{name}` out, or ask a seat, space, piece or row for it"
    unit.error("unknown-attribute", span, f"{noun(owner.type)} has no `{name}`", suggestion)
    return BROKEN


# What other languages call it.
_OTHER_NAMES = {
    **dict.fromkeys(("length", "size", "len"), "count"),
    **dict.fromkeys(("neighbours", "neighbors", "neighbour", "neighbor"), "adjacent"),
    **dict.fromkeys(("space", "position", "location", "zone"), "place"),
    **dict.fromkeys(("player", "seat"), "owner"),
}


def of_the_game(unit: Unit, name: str, owner: str) -> str | None:
    """What to write where a variable of the whole game is asked of a seat or a space."""
    scope = {"seat": "Seat", "place": "Space"}.get(owner)
    if scope is None or name not in unit.layout.globals:
        return None
    return f"there is one `{name}` for the whole game; for one of each declare `{scope}.{name}`"


def _of_none(found: Compiled) -> Compiled:
    """What is read from something that may be none may be none too; a collection is empty then."""
    if isinstance(found, Val) and found.type.kind == "tuple":
        items = tuple(replace(item, optional=True) for item in found.type.items)
        return replace(found, type=replace(found.type, items=items))
    if isinstance(found, Val) and found.type.is_scalar:
        return replace(found, type=replace(found.type, optional=True))
    return found


def seat_attribute_names(unit: Unit) -> set[str]:
    zones = {name for name, each in unit.world.zone_each.items() if each}
    return set(unit.layout.seat_vars) | set(unit.world.seat_attributes) | zones


def place_attribute_names(unit: Unit) -> set[str]:
    fixed = {"piece", "pieces", "adjacent", "count", "owner", *unit.world.touching}
    return fixed | set(unit.layout.space_vars) | set(unit.world.space_attributes)


def piece_attribute_names(unit: Unit) -> set[str]:
    names = {"place", "kind"} | {prop.name for kind in unit.world.kinds for prop in kind.properties}
    for kind in unit.world.kinds:
        for prop in kind.properties:
            if prop.type.kind == "row":
                names |= set(unit.world.tables[prop.type.name].columns)
    return names


# ------------------------------------------------------------------------ loads


def load_indexed(
    unit: Unit, addr: int, type_: Type, index: ir.Expr, size: int, span: Span | None
) -> Val:
    site = unit.site(span)
    if type_.is_scalar:
        expr: ir.Expr = ir.LoadAt(addr, index, size, type_.none, site=site)
    else:
        expr = ir.LoadWide(addr, type_, index, type_.width, size, site)
    return Val(expr, type_)


def owner_position(unit: Unit, slot: Slot, owner: Val, changing: bool = False) -> ir.Expr:
    """Which value of a variable belongs to a seat, space or piece; negative if none does, or where
    it is to be changed and never changes."""
    variable, world = slot.variable, unit.world
    numbers = {"space": world.space_count, "piece": world.piece_count}.get(variable.scope)
    if numbers is None or (variable.scope == "space" and variable.owners == range(numbers)):
        return owner.expr
    possible: Sequence[int] = range(max(0, owner.type.lo), owner.type.hi + 1)
    if variable.scope == "space":
        numbers, possible = len(world.places), possible_places(unit, owner)
    owners = _owners(world, variable, changing)
    if all(number in owners for number in possible):
        if variable.first == 0:
            return owner.expr
        return fold(ir.Arith("-", owner.expr, ir.Const(variable.first)), unit)
    table = unit.table(at - variable.first if at in owners else -1 for at in range(numbers))
    return fold(ir.Lookup(table, owner.expr, -1), unit)


def _owners(world: World, variable: ir.Variable, changing: bool) -> Container[int]:
    """Whose values a variable holds, or whose can change. A property has cells for all pieces from
    the first to the last kind that has it, also for those of kinds between that do not."""
    if variable.scope != "piece":
        return variable.owners
    return frozenset(
        piece
        for kind in world.kinds
        if any(p.name == variable.name and not (changing and p.fixed) for p in kind.properties)
        for piece in kind.pieces
    )


def load_variable(unit: Unit, slot: Slot, owner: Val, span: Span | None) -> Val:
    index = owner_position(unit, slot, owner)
    looked_up = isinstance(index, ir.Lookup) or index == ir.Const(-1)
    return load_at(unit, slot, index, span, missing=looked_up and index is not owner.expr)


def load_at(
    unit: Unit, slot: Slot, index: ir.Expr, span: Span | None, missing: bool = False
) -> Val:
    """One of the values of a variable, counted over all owners and members."""
    variable = slot.variable
    type_ = replace(unnamed(variable.type), optional=variable.type.optional or missing)
    if (
        isinstance(index, ir.Const)
        and isinstance(index.value, int)
        and 0 <= index.value < slot.count
        and variable.type.is_scalar
    ):
        return Val(ir.Load(variable.addr + index.value), type_)
    found = load_indexed(unit, variable.addr, variable.type, index, slot.count, span)
    return replace(found, type=type_)


def constants(unit: Unit, attr: Attribute, index: ir.Expr, span: Span | None) -> Val | Seq:
    """A constant property, looked up by index; a list-valued one is a stream."""
    if attr.type.kind == "list":
        rows = tuple(
            value if isinstance(value, tuple) else (() if value < 0 else (value,))
            for value in attr.values
        )
        table = unit.row_table(rows)
        cap = max((len(row) for row in rows), default=0)
        return Seq(ir.RowSource(table, index), attr.type.items[0], cap)
    values = tuple(value for value in attr.values if isinstance(value, int))
    lookup = ir.Lookup(unit.table(values), index, attr.type.none, unit.site(span))
    return Val(fold(lookup, unit), attr.type)


# ------------------------------------------------------------------- by owner


def _of_seat(unit: Unit, seat: Val, name: str, span: Span | None) -> Compiled | None:
    if name in unit.layout.seat_vars:
        return load_variable(unit, unit.layout.seat_vars[name], seat, span)
    if name in unit.world.seat_attributes:
        return constants(unit, unit.world.seat_attributes[name], seat.expr, span)
    if unit.world.zone_each.get(name):
        return zone_of(unit, name, seat, span)
    return None


def zone_of(unit: Unit, name: str, seat: Val, span: Span | None) -> Val:
    table = unit.table(unit.world.zones[name])
    lookup = ir.Lookup(table, seat.expr, -1, unit.site(span))
    type_ = replace(place_type(unit.world), optional=seat.type.optional)
    return Val(fold(lookup, unit), type_)


def zone_at(unit: Unit, name: str, key: Val, span: Span | None) -> Val:
    """The zone of a member: `pile(3)`. A number that is none is a fault, none gives none."""
    index = unit.world.zone_index[name]
    places = unit.world.zones[name]
    at = fold(ir.Arith("-", key.expr, ir.Const(index.lo)), unit)
    type_ = Type("place", name, places[0], places[-1], optional=key.type.optional)
    if key.type.kind == "int" and not (index.lo <= key.type.lo and key.type.hi <= index.hi):
        return Val(ir.ListItem(ir.Const(places), at, unit.site(span)), type_)
    return Val(fold(ir.Lookup(unit.table(places), at, -1, unit.site(span)), unit), type_)


def possible_places(unit: Unit, place: Val) -> tuple[int, ...]:
    """The places that a value can be, as far as its type and its text tell."""
    world = unit.world
    match place:
        case Val(expr=ir.Const(value=int(value))):
            return (value,) if value >= 0 else ()
        case Val(expr=ir.Lookup(table=table)) if place.type.name not in world.groups:
            return tuple(at for at in unit.tables[table] if at >= 0)
        case Val(type=Type(name="space")):
            return tuple(range(world.space_count))
        case Val(type=Type(name=name)) if name in world.groups or name in world.zones:
            return (*world.groups.get(name, ()), *world.zones.get(name, ()))
        case _:
            return tuple(range(max(0, place.type.lo), min(place.type.hi + 1, len(world.places))))


def pieces_in(unit: Unit, place: Val) -> Type:
    """The type of the pieces in a place: of one kind where `of:` of the zones says so."""
    world = unit.world
    held = {world.places[at].kinds for at in possible_places(unit, place)}
    kinds = {name for names in held for name in names}
    if () in held or len(kinds) != 1:
        return piece_type(world)
    kind = next((kind for kind in world.kinds if kind.name in kinds), None)
    return piece_type(world) if kind is None else kind_type(kind)


def _of_place(unit: Unit, place: Val, name: str, span: Span | None) -> Compiled | None:
    world, layout, index = unit.world, unit.layout, place.expr
    count = len(world.places)
    if name in layout.space_vars:
        return load_variable(unit, layout.space_vars[name], place, span)
    if name in world.space_attributes:
        attr = world.space_attributes[name]
        found = constants(unit, attr, index, span)
        missing = [
            at
            for at in possible_places(unit, place)
            if at >= len(attr.values) or attr.values[at] == attr.type.none
        ]
        if isinstance(found, Val) and not missing:
            found = replace(found, type=replace(found.type, optional=False))
        return found
    match name:
        case "piece":
            type_ = replace(pieces_in(unit, place), optional=True)
            return load_indexed(unit, layout.place_head, type_, index, count, span)
        case "pieces":
            ascending = all(p.order == "bag" for p in world.places)
            return Seq(ir.PiecesSource(index), pieces_in(unit, place), world.piece_count, ascending)
        case "count":
            type_ = int_type(0, world.piece_count)
            none = type_.none if place.type.optional else 0
            expr = ir.LoadAt(layout.place_count, index, count, none, site=unit.site(span))
            return Val(expr, type_)
        case "adjacent" | "cells" | "corners" | "sides" if name == "adjacent" or world.touching:
            rows = world.adjacent if name == "adjacent" else world.touching.get(name, ())
            padding = ((),) * (count - len(rows))  # zones have no neighbours
            table = unit.row_table((*rows, *padding))
            cap = max((len(row) for row in rows), default=0)
            return Seq(ir.RowSource(table, index), space_type(world), cap, ascending=True)
        case "owner":
            owners = unit.table(p.owner for p in world.places)
            lookup = ir.Lookup(owners, index, -1, unit.site(span))
            possible = possible_places(unit, place)
            ownerless = any(world.places[at].owner < 0 for at in possible)
            if place.type.name and all(world.places[at].zone is None for at in possible):
                _warn_unowned(unit, span)
            return Val(fold(lookup, unit), replace(seat_type(world), optional=ownerless))
        case _:
            return None


def _warn_unowned(unit: Unit, span: Span | None) -> None:
    code = "space-owner"
    if not any(item.code == code and item.span == span for item in unit.diagnostics.items):
        unit.diagnostics.warning(
            code,
            span,
            "a space belongs to nobody, so this is always none",
            "ask for what lies there: `….piece.owner`",
        )


def _of_piece(
    unit: Unit, piece: Val, name: str, span: Span | None, scope: Scope | None = None
) -> Compiled | None:
    world, layout = unit.world, unit.layout
    if _differs(unit, piece, name, span):
        return BROKEN
    if name in ("place", "zone"):
        type_ = replace(place_type(world), optional=True)
        return load_indexed(unit, layout.piece_place, type_, piece.expr, world.piece_count, span)
    if name == "kind":
        numbers = [at for at, kind in enumerate(world.kinds) for _ in kind.pieces]
        lookup = ir.Lookup(unit.table(numbers), piece.expr, -1, unit.site(span))
        return Val(fold(lookup, unit), kinds_type(unit))
    if name in layout.piece_props:
        return load_variable(unit, layout.piece_props[name], piece, span)
    fixed = fixed_property(unit, name)
    if fixed is not None:
        table, type_ = fixed
        if len(_kinds_of(unit, piece)) == 1:
            own = [p.type for k in _kinds_of(unit, piece) for p in k.properties if p.name == name]
            type_ = own[0] if own else type_
        lookup = ir.Lookup(table, piece.expr, type_.none, unit.site(span))
        return Val(fold(lookup, unit), type_)
    for kind in _kinds_of(unit, piece):
        for prop in kind.properties:
            if prop.type.kind == "row" and name in world.tables[prop.type.name].columns:
                row = _only_row(unit, piece, name, span) or _of_piece(unit, piece, prop.name, span)
                if scope is not None and row is not None:
                    row = unit.narrowed(scope, row)
                return attribute(unit, row, name, span) if isinstance(row, Val) else BROKEN
    return None


def _only_row(unit: Unit, piece: Val, column: str, span: Span | None) -> Val | None:
    """The row of a piece that may be of several kinds, if only one table has such a column: none
    for pieces that are rows of another one, or of none."""
    rows = [
        (kind, prop)
        for kind in _kinds_of(unit, piece)
        for prop in kind.properties
        if prop.type.kind == "row" and prop.fixed
    ]
    having = {p.type.name for _, p in rows if column in unit.world.tables[p.type.name].columns}
    if len(having) != 1 or len({prop.type.name for _, prop in rows}) == 1:
        return None
    values = [NO_ENTITY] * unit.world.piece_count
    type_: Type | None = None
    for kind, prop in rows:
        if prop.type.name in having:
            values[kind.first : kind.first + kind.count] = prop.initial
            type_ = replace(prop.type, optional=True)
    assert type_ is not None
    return Val(ir.Lookup(unit.table(values), piece.expr, NO_ENTITY, unit.site(span)), type_)


def changes(unit: Unit, piece: Val, name: str) -> bool:
    """Whether a property can change of any of the kinds that a piece may be of."""
    kinds = _kinds_of(unit, piece)
    return any(p.name == name and not p.fixed for kind in kinds for p in kind.properties)


def kinds_type(unit: Unit) -> Type:
    """What `piece.kind` is: one of the names under `pieces:`."""
    unit.label_sets.setdefault(KINDS, tuple(kind.name for kind in unit.world.kinds))
    return Type("label", KINDS, 0, max(0, len(unit.world.kinds) - 1))


def is_kind_of_piece(value: Val) -> bool:
    """Whether this is the kind of a piece that is known only in play."""
    named = value.type.kind == "label" and value.type.name == KINDS
    return named and isinstance(value.expr, ir.Lookup)


def properties_of_kinds(unit: Unit, kind: Val, numbers: Iterable[int]) -> list[ir.Expr]:
    """What a piece has because its kind is one of these."""
    assert isinstance(kind.expr, ir.Lookup)
    piece = Val(kind.expr.index, piece_type(unit.world))
    kinds = [unit.world.kinds[number] for number in numbers]
    if not kinds:
        return []
    declared = [{p.name for p in k.properties if not p.type.optional} for k in kinds]
    found: list[Compiled | None] = []
    for prop in kinds[0].properties:
        if all(prop.name in names for names in declared):
            if not _other_type(unit, piece, prop.name):
                found.append(_of_piece(unit, piece, prop.name, None))
            columns = unit.world.tables[prop.type.name].columns if prop.type.kind == "row" else ()
            tables = {p.type for k in kinds for p in k.properties if p.name == prop.name}
            if columns and len(tables) == 1:
                rows = (_only_row(unit, piece, column, None) for column in columns)
                found.append(next((row for row in rows if row is not None), None))
    return [value.expr for value in found if isinstance(value, Val)]


def _kinds_of(unit: Unit, piece: Val) -> list[PieceKind]:
    """The kinds that a piece may be of, by the name of its type or by the range of its numbers."""
    named, lo, hi = piece.type.name, piece.type.lo, piece.type.hi
    return [
        kind
        for kind in unit.world.kinds
        if named in ("", kind.name) and kind.first <= hi and lo < kind.first + kind.count
    ]


def _differs(unit: Unit, piece: Val, name: str, span: Span | None) -> bool:
    """Whether a property is one thing for some kinds of pieces and another for others: an error."""
    other = _other_type(unit, piece, name)
    if other is None:
        return False
    (one, of_one), (two, of_two) = other
    unit.error(
        "wrong-type",
        span,
        f"`{name}` of a piece is {noun(of_one)} for `{one}` and {noun(of_two)} for `{two}`",
        f"take it from a zone that is only for one kind: `of: {one}`, or `of: {two}`",
    )
    return True


def _other_type(
    unit: Unit, piece: Val, name: str
) -> tuple[tuple[str, Type], tuple[str, Type]] | None:
    """Two kinds of which a property has different types."""
    kinds = _kinds_of(unit, piece)
    types = [(k.name, p.type) for k in kinds for p in k.properties if p.name == name]
    others = (other for other in types if not compatible(other[1], types[0][1]))
    other = next(others, None)
    return None if other is None else (types[0], other)


def fixed_property(unit: Unit, name: str) -> tuple[int, Type] | None:
    """The table of a property that never changes, over all pieces (none where a kind lacks it)."""
    world = unit.world
    type_: Type | None = None
    everywhere = True
    for kind in world.kinds:
        found = next((p for p in kind.properties if p.name == name and p.fixed), None)
        if found is None:
            everywhere = False
        elif type_ is None:
            type_ = found.type
        else:
            type_ = replace(type_, lo=min(type_.lo, found.type.lo), hi=max(type_.hi, found.type.hi))
    if type_ is None:
        return None
    values = [type_.none] * world.piece_count
    for kind in world.kinds:
        for prop in kind.properties:
            if prop.name == name:
                values[kind.first : kind.first + kind.count] = prop.initial
    if not everywhere:
        type_ = replace(type_, optional=True)
    return unit.table(values), type_


def _of_row(unit: Unit, row: ir.Expr, table: str, name: str, span: Span | None) -> Compiled | None:
    columns = unit.world.tables[table].columns
    if name not in columns:
        return None
    return constants(unit, columns[name], row, span)


def row_by_key(unit: Unit, table: Table, index: Val, span: Span | None) -> Val | Broken:
    """The row whose key is the name of a seat, space, enum value or row."""
    members = members_of(unit, index.type) or ()
    row_type = Type("row", table.name, 0, max(0, len(table.rows) - 1))
    rows = tuple(table.rows.index(name) if name in table.rows else -1 for name in members)
    missing = [name for name, row in zip(members, rows, strict=True) if row < 0]
    if len(missing) == len(members):
        wanted = _keys_of(unit, table)
        called = f"the rows of `{table.name}` are called {listed(table.rows)}"
        unit.error(
            "wrong-type",
            span,
            f"{called}; {noun(index.type)} says none of them",
            f"write {noun(wanted)} in the brackets" if wanted else "write one of them",
        )
        return BROKEN
    lookup = ir.Lookup(unit.table(rows), index.expr, -1, unit.site(span))
    type_ = replace(row_type, optional=bool(missing) or index.type.optional)
    return Val(fold(lookup, unit), type_)


def _keys_of(unit: Unit, table: Table) -> Type | None:
    """What the rows of a table are called by, if all of them are members of one thing."""
    world = unit.world
    enums = [Type("enum", name) for name in world.enums]
    tables = [Type("row", name) for name in world.tables if name != table.name]
    for type_ in (Type("seat"), *enums, *tables, Type("direction"), space_type(world)):
        if set(table.rows) <= set(members_of(unit, type_) or ()):
            return type_
    return None


def members_of(unit: Unit, type_: Type) -> tuple[str, ...] | None:
    """The names of everything of a type, by index."""
    world = unit.world
    match type_.kind:
        case "seat":
            return world.seats
        case "place":
            return tuple(place.name for place in world.places)
        case "enum":
            return world.enums.get(type_.name)
        case "row":
            return world.tables[type_.name].rows
        case "direction":
            return world.directions
        case _:
            return None
