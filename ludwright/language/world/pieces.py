"""Pieces: pools of alike pieces, one piece per combination of properties, or per table row.

Built in two steps. How many pieces each kind has comes first, because properties may be typed by
pieces (`carrier: Piece?`); then their properties and names.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.gamedef import PieceDecl, TypeExpr
from ludwright.language.tree import Expr, Name
from ludwright.language.world.constants import ConstantEvaluator
from ludwright.language.world.encoding import Universes, row_type, seat_type
from ludwright.language.world.piece_names import PieceNamer
from ludwright.language.world.types import TypeResolver
from ludwright.language.world.values import suggest
from ludwright.program.types import Overflow, Type
from ludwright.program.world import PieceKind, Property, Table, World

MAX_PIECES = 20_000


@dataclass
class _Outline:
    """A kind whose pieces are counted: which values of `each`, row and owner each piece has."""

    declaration: PieceDecl
    first: int
    count: int
    each: list[tuple[str, Type]]
    table: Table | None
    copies: list[int]  # of each combination or row, in order
    seats: Sequence[int] = field(default=(-1,))  # one round of pieces for each of these owners

    @property
    def combinations(self) -> list[tuple[int, ...]]:
        if self.table is not None:
            return [(row,) for row in range(len(self.table.rows))]
        return list(itertools.product(*(range(t.lo, t.hi + 1) for _, t in self.each)))


def build_pieces(
    declarations: tuple[PieceDecl, ...],
    world: World,
    constants: ConstantEvaluator,
    diagnostics: Diagnostics,
) -> tuple[PieceKind, ...]:
    builder = _PieceBuilder(world, constants, diagnostics)
    outlines = builder.outline(declarations)
    counted = tuple(
        PieceKind(o.declaration.name, o.first, o.count, (), (), _individual(o.declaration))
        for o in outlines
    )
    return builder.finish(outlines, replace(world, kinds=counted))


def _individual(declaration: PieceDecl) -> bool:
    """One piece for each combination or row, without copies, has a name of its own."""
    single = bool(declaration.each or declaration.rows) and declaration.count is None
    return declaration.individual or single


class _PieceBuilder:
    def __init__(
        self, world: World, constants: ConstantEvaluator, diagnostics: Diagnostics
    ) -> None:
        self._world = world
        self._constants = constants
        self._diagnostics = diagnostics
        self._types = TypeResolver(world, diagnostics)

    # ----------------------------------------------------------------- counting

    def outline(self, declarations: tuple[PieceDecl, ...]) -> list[_Outline]:
        outlines: list[_Outline] = []
        seen: set[str] = set()
        total = 0
        for declaration in declarations:
            if declaration.name in seen:
                self._diagnostics.error(
                    "name-clash", declaration.span,
                    f"the pieces `{declaration.name}` are declared twice", "rename one of them",
                )  # fmt: skip
                continue
            seen.add(declaration.name)
            outline = self._outline(declaration, total)
            if outline is not None:
                outlines.append(outline)
                total += outline.count
        return outlines

    def _outline(self, declaration: PieceDecl, first: int) -> _Outline | None:
        each = self._each(declaration)
        table = self._table(declaration)
        if each is None or (declaration.rows is not None and table is None):
            return None
        if each and table is not None:
            self._diagnostics.error(
                "bad-pieces", declaration.span,
                f"`{declaration.name}` has both properties to combine and a table of rows",
                "put the properties into columns of the table",
            )  # fmt: skip
            each = []
        combinations = (
            len(table.rows) if table is not None
            else math.prod(type_.hi - type_.lo + 1 for _, type_ in each)
        )  # fmt: skip
        seats = self._seats(declaration)
        # Refused before anything of that length is made.
        if not self._room_for(declaration, first, combinations * len(seats)):
            return None
        copies = self._copies(declaration, table, bool(each), combinations)
        count = sum(copies) * len(seats)
        if not self._room_for(declaration, first, count):
            return None
        if count < 1:
            self._diagnostics.error(
                "bad-count", declaration.span, f"there are no pieces `{declaration.name}`",
                "give it a `count:` of at least 1",
            )  # fmt: skip
            return None
        return _Outline(declaration, first, count, each, table, copies, seats)

    def _each(self, declaration: PieceDecl) -> list[tuple[str, Type]] | None:
        found: list[tuple[str, Type]] = []
        for name, texpr in declaration.each:
            type_ = self._scalar(declaration, name, texpr, self._types)
            if type_ is None:
                return None
            if type_.optional or type_.kind == "piece":
                self._diagnostics.error(
                    "bad-property-type", texpr.span or declaration.span,
                    f"there cannot be one `{declaration.name}` for each `{name}`",
                    "use a range, a list of values, an enum, Seat or Space",
                )  # fmt: skip
                return None
            found.append((name, type_))
        return found

    def _scalar(
        self, declaration: PieceDecl, name: str, texpr: TypeExpr, types: TypeResolver
    ) -> Type | None:
        type_ = types.resolve(texpr)
        if type_ is not None and not type_.is_scalar:
            self._diagnostics.error(
                "bad-property-type", texpr.span or declaration.span,
                f"`{declaration.name}.{name}` must be a single value, not a {type_.kind}",
                "use several properties",
            )  # fmt: skip
            return None
        return type_

    def _table(self, declaration: PieceDecl) -> Table | None:
        if declaration.rows is None:
            return None
        table = self._world.tables.get(declaration.rows)
        if table is None:
            self._diagnostics.error(
                "unknown-table", declaration.span,
                f"`{declaration.name}` are the rows of `{declaration.rows}`, but there is no such "
                "table",
                suggest(declaration.rows, self._world.tables, "declare it under `tables:`"),
            )  # fmt: skip
        return table

    def _seats(self, declaration: PieceDecl) -> Sequence[int]:
        """The owners that each get the counted pieces; (-1,) where no owner is given out."""
        if declaration.owner == "seat" and declaration.count is not None:
            return range(len(self._world.seats))
        return (-1,)

    def _copies(
        self, declaration: PieceDecl, table: Table | None, has_each: bool, combinations: int
    ) -> list[int]:
        count = declaration.count
        if count is None:
            alone = table is None and not has_each
            return [max(1, self._world.space_count)] if alone else [1] * combinations
        if table is not None and isinstance(count, Name) and count.id in table.columns:
            return self._column_counts(declaration, table, count.id, count)
        value = self._constants.integer(count, f"the count of `{declaration.name}`")
        if value is None:
            return [1] * combinations
        if value < 1:
            self._diagnostics.error(
                "bad-count", count.span or declaration.span,
                f"the count of `{declaration.name}` is {value}, but must be at least 1",
                "write a number of at least 1",
            )  # fmt: skip
            value = 1
        return [value] * combinations

    def _column_counts(
        self, declaration: PieceDecl, table: Table, column: str, count: Expr
    ) -> list[int]:
        attribute = table.columns[column]
        numbers: list[int] = []
        for value in attribute.values:
            if attribute.type.kind != "int" or not isinstance(value, int):
                self._diagnostics.error(
                    "bad-count", count.span or declaration.span,
                    f"the column `{column}` of `{table.name}` does not hold numbers, so it cannot "
                    f"say how many `{declaration.name}` there are",
                    "name a column of numbers",
                )  # fmt: skip
                return [1] * len(table.rows)
            missing = value == attribute.type.none
            if value < 0 and not missing:
                self._diagnostics.error(
                    "bad-count", count.span or declaration.span,
                    f"the column `{column}` of `{table.name}` says there are {value} pieces",
                    "write 0 or more",
                )  # fmt: skip
            numbers.append(1 if missing else max(0, value))
        return numbers

    def _room_for(self, declaration: PieceDecl, first: int, count: int) -> bool:
        if first + count <= MAX_PIECES:
            return True
        self._diagnostics.error(
            "too-large", declaration.span,
            f"with `{declaration.name}` there would be {first + count} pieces; at most "
            f"{MAX_PIECES} are allowed",
            "use fewer pieces",
        )  # fmt: skip
        return False

    # --------------------------------------------------------------- properties

    def finish(self, outlines: list[_Outline], counted: World) -> tuple[PieceKind, ...]:
        """The kinds with their properties, typed over a world that knows every kind's pieces."""
        types = TypeResolver(counted, self._diagnostics)
        universes = Universes(counted)
        namer = PieceNamer(universes, self._diagnostics)
        kinds: list[PieceKind] = []
        for outline, kind in zip(outlines, counted.kinds, strict=True):
            properties = self._fixed(outline)
            properties += self._changeable(outline, types, universes)
            self._check_property_names(outline, properties)
            self._check_shared(outline, properties, kinds)
            complete = replace(kind, properties=tuple(properties))
            names = namer.names(complete, outline.declaration, outline.table)
            kinds.append(replace(complete, names=names))
        return tuple(kinds)

    def _fixed(self, outline: _Outline) -> list[Property]:
        """Owner, row and `each` properties. Order of pieces: owners, combinations, copies."""
        declaration = outline.declaration
        properties: list[Property] = []
        round_length = sum(outline.copies)
        if declaration.owner is not None:
            properties.append(self._owner(outline, round_length))
        columns = list(outline.each)
        if outline.table is not None:
            columns = [("row", row_type(self._world, outline.table.name))]
        combinations = outline.combinations if columns else []
        for position, (name, type_) in enumerate(columns):
            one_round = [
                combination[position]
                for combination, copies in zip(combinations, outline.copies, strict=True)
                for _ in range(copies)
            ]
            initial = tuple(one_round * len(outline.seats))
            properties.append(Property(name, type_, fixed=True, initial=initial))
        return properties

    def _owner(self, outline: _Outline, round_length: int) -> Property:
        declaration = outline.declaration
        type_ = seat_type(self._world)
        if declaration.owner == "seat":
            if outline.seats != (-1,):
                owners = tuple(seat for seat in outline.seats for _ in range(round_length))
                return Property("owner", type_, fixed=True, initial=owners)
            unowned = (type_.none,) * outline.count
            return Property("owner", replace(type_, optional=True), fixed=False, initial=unowned)
        seats = self._world.seats
        owner_name = declaration.owner or ""
        owner = seats.index(owner_name) if owner_name in seats else 0
        if owner_name not in seats:
            self._diagnostics.error(
                "unknown-seat", declaration.span,
                f"`{declaration.name}` belongs to `{owner_name}`, but there is no such seat",
                suggest(owner_name, [*seats, "seat"], "write `seat`, or a seat's name"),
            )  # fmt: skip
        return Property("owner", type_, fixed=True, initial=(owner,) * outline.count)

    def _changeable(
        self, outline: _Outline, types: TypeResolver, universes: Universes
    ) -> list[Property]:
        declaration = outline.declaration
        properties: list[Property] = []
        for name, texpr, default in declaration.props:
            type_ = self._scalar(declaration, name, texpr, types)
            if type_ is None:
                continue
            start = _first_value(type_)
            if default is not None:
                value = self._constants.evaluate(default)
                span: Span | None = default.span or texpr.span or declaration.span
                what = f"the default of `{declaration.name}.{name}`"
                if value is not None:
                    given = universes.encode_scalar(value, type_, span, what, self._diagnostics)
                    start = start if given is None else given
            initial = (start,) * outline.count
            overflow: Overflow = dict(declaration.overflows).get(name) or "fault"
            if overflow != "fault" and type_.kind != "int":
                self._diagnostics.error(
                    "overflow-without-range", declaration.span,
                    f"`{name}` is no number, so it has no range that `{overflow}` could be about",
                    f"leave `{overflow}` out, or give a range, as in `0..9 {overflow}`",
                )  # fmt: skip
            properties.append(Property(name, type_, False, initial, overflow))
        return properties

    def _check_property_names(self, outline: _Outline, properties: list[Property]) -> None:
        declaration = outline.declaration
        seen: set[str] = set()
        columns = outline.table.columns if outline.table is not None else {}
        for item in properties:
            if item.name in seen or item.name in columns:
                other = "a column of its table" if item.name in columns else "another property"
                self._diagnostics.error(
                    "name-clash", declaration.span,
                    f"`{declaration.name}.{item.name}` has the same name as {other}",
                    "rename one of them",
                )  # fmt: skip
            seen.add(item.name)

    def _check_shared(
        self, outline: _Outline, properties: list[Property], others: list[PieceKind]
    ) -> None:
        """A property of several kinds is one thing: it has one range, and changes or never does."""
        name = outline.declaration.name
        for prop in properties:
            for other in others:
                twin = next((each for each in other.properties if each.name == prop.name), None)
                if prop.name == "owner" or twin is None or (prop.fixed and twin.fixed):
                    continue
                if prop.fixed != twin.fixed:
                    fixed, free = (name, other.name) if prop.fixed else (other.name, name)
                    told = f"`{prop.name}` of `{fixed}` never changes, and that of `{free}` can"
                elif prop.type.kind != twin.type.kind:
                    told = f"`{prop.name}` of `{name}` is another thing than that of `{other.name}`"
                elif (prop.type, prop.overflow) != (twin.type, twin.overflow):
                    told = (
                        f"`{prop.name}` of `{name}` has another range than that of `{other.name}`"
                    )
                else:
                    continue
                self._diagnostics.error(
                    "property-differs", outline.declaration.span, told,
                    "declare both alike, or give one of them another name",
                )  # fmt: skip
                return


def _first_value(type_: Type) -> int:
    """0, false or the first value; `none` where that is possible."""
    if type_.optional:
        return type_.none
    return min(max(0, type_.lo), type_.hi) if type_.kind == "int" else type_.lo
