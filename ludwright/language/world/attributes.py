"""Types of constant attributes and table columns, inferred from all their values together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.world.encoding import Universe, Universes, enum_type
from ludwright.language.world.values import NONE, Many, Named, Raw, describe, suggest
from ludwright.program.types import INT_MAX, INT_MIN, Type
from ludwright.program.world import Attribute, Constant, World

MAX_REPORTS = 5  # per column


@dataclass(frozen=True)
class Cell:
    value: Raw
    span: Span | None = None


@dataclass
class Column:
    """One attribute of every member of a universe; a member without it has no cell."""

    owner: str  # "Space", "Seat", or the table's name
    name: str
    cells: list[Cell | None]
    # Positions reported as wrong: they count as missing. Shared by the parts of a tuple column.
    wrong: set[int] = field(default_factory=set)

    @property
    def full_name(self) -> str:
        return f"{self.owner}.{self.name}"

    def present(self) -> Iterator[tuple[int, Cell]]:
        for at, cell in enumerate(self.cells):
            if cell is not None and at not in self.wrong:
                yield at, cell

    def leaves(self) -> Iterator[tuple[Raw, int, Cell]]:
        """Every single value, those of lists one by one."""
        for at, cell in self.present():
            if isinstance(cell.value, Many):
                for item in cell.value.items:
                    yield item, at, cell
            else:
                yield cell.value, at, cell

    @property
    def has_gaps(self) -> bool:
        filled = sum(1 for _, cell in self.present() if cell.value is not NONE)
        return filled < len(self.cells)


class ColumnTyper:
    """Types all columns of a game at once, and adds the enums that their new words form."""

    def __init__(self, world: World, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._universes = Universes(world)
        self.enums: dict[str, tuple[str, ...]] = dict(world.enums)

    def type_columns(self, columns: Sequence[Column]) -> list[Attribute]:
        chosen = [[self._choose(part) for part in self._parts(column)] for column in columns]
        new_words = [kind for kinds in chosen for kind in kinds if isinstance(kind, _NewWords)]
        names = self._name_new_enums(new_words)
        world = replace(self._universes.world, enums=self.enums)
        self._universes = Universes(world)

        def type_of(kind: Type | _NewWords) -> Type:
            if isinstance(kind, Type):
                return kind
            return replace(enum_type(world, names[id(kind)]), optional=kind.optional)

        return [
            self._encode(column, [type_of(kind) for kind in kinds])
            for column, kinds in zip(columns, chosen, strict=True)
        ]

    # ----------------------------------------------------------------- choosing

    def _parts(self, column: Column) -> list[Column]:
        """A column of tuples is typed position by position, any other as one."""
        self._check_shape(column)
        shapes = {_shape(cell.value) for _, cell in column.present() if cell.value is not NONE}
        length = max((length for _, length in shapes), default=0)
        if length < 1:
            return [column]
        return [
            Column(
                column.owner, column.name, [_item(cell, at) for cell in column.cells], column.wrong
            )
            for at in range(length)
        ]

    def _check_shape(self, column: Column) -> None:
        """Marks cells that are nested, or not of the shape of the first one."""
        first: Cell | None = None
        for at, cell in list(column.present()):
            if isinstance(cell.value, Many) and any(
                isinstance(item, Many) for item in cell.value.items
            ):
                self._report(
                    column, at, "nested-list", cell.span,
                    f"`{column.full_name}` holds a list inside a list",
                    "write one row for each inner list",
                )  # fmt: skip
            elif cell.value is not NONE:
                first = first or cell
                if _shape(cell.value) != _shape(first.value):
                    self._report_mixed(column, at, cell.span, first.value, cell.value)

    def _choose(self, column: Column) -> Type | _NewWords:
        """The type of the column's single values; values that do not fit are marked wrong."""
        first: Raw = NONE
        numbers: list[int] = []
        names: dict[str, tuple[int, Cell]] = {}
        qualifiers: dict[str, None] = {}
        has_none = False
        for value, at, cell in list(column.leaves()):
            if value is NONE:
                has_none = True
                continue
            if first is NONE:
                first = value
            if type(value) is not type(first):
                self._report_mixed(column, at, cell.span, first, value)
            elif isinstance(value, Named):
                names.setdefault(value.name, (at, cell))
                if value.universe:
                    qualifiers.setdefault(value.universe)
            elif isinstance(value, int):
                numbers.append(value)
        optional = has_none or column.has_gaps
        if isinstance(first, bool):
            return Type("bool", hi=1, optional=optional)
        if isinstance(first, int):
            low, high = _clamp(min(numbers)), _clamp(max(numbers))
            return Type("int", lo=low, hi=high, optional=optional)
        if not names:
            return Type("int", optional=optional)
        universe = self._universe(column, names, qualifiers)
        if universe is None:
            return _NewWords(column, tuple(names), optional)
        return replace(universe.type, optional=optional or column.has_gaps)

    def _universe(
        self, column: Column, names: dict[str, tuple[int, Cell]], qualifiers: dict[str, None]
    ) -> Universe | None:
        """The universe all these names belong to; None where they are new words."""
        every = self._universes.all
        if qualifiers:
            wanted = next(iter(qualifiers))
            return next((u for u in every if u.type.name == wanted), None)
        fitting = [u for u in every if u.bare and all(name in u.members for name in names)]
        if not fitting:
            return self._misspelt(column, names)
        for universe in fitting:
            if universe.type.name.lower() == column.name.lower():
                return universe
        best = [u for u in fitting if u.rank == fitting[0].rank]
        exact = [u for u in best if len(u.members) == len(names)]
        if len(best) > 1 and len(exact) != 1:
            name, (_, cell) = next(iter(names.items()))
            self._diagnostics.error(
                "ambiguous-name", cell.span,
                f"`{column.full_name}`: `{name}` is {best[0].label} and also {best[1].label}",
                f"write `{best[0].type.name}.{name}` or `{best[1].type.name}.{name}`",
            )  # fmt: skip
        return exact[0] if len(exact) == 1 else best[0]

    def _misspelt(self, column: Column, names: dict[str, tuple[int, Cell]]) -> Universe | None:
        """Are these names of a known universe, but for a typing mistake? If so, report it."""
        for universe in self._universes.all:
            strange = [name for name in names if name not in universe.members]
            if not universe.bare or len(strange) == len(names) or len(strange) > MAX_REPORTS:
                continue
            if not all(suggest(name, universe.members) for name in strange):
                continue
            for value, at, cell in list(column.leaves()):
                if isinstance(value, Named) and value.name in strange:
                    self._report(
                        column, at, "unknown-name", value.span or cell.span,
                        f"`{column.full_name}`: `{value.name}` is not {universe.label}, "
                        "as the others are",
                        suggest(value.name, universe.members),
                    )  # fmt: skip
            return universe
        return None

    # ---------------------------------------------------------------- new words

    def _name_new_enums(self, columns: list[_NewWords]) -> dict[int, str]:
        """Columns of the same name that share a word share the enum, so they can be compared."""
        groups: list[tuple[list[_NewWords], dict[str, None]]] = []
        for words in columns:
            members, values = [words], dict.fromkeys(words.names)
            for group in list(groups):
                same_name = group[0][0].column.name == words.column.name
                if same_name and any(name in values for name in group[1]):
                    groups.remove(group)
                    members = group[0] + members
                    values = {**group[1], **values}
            groups.append((members, values))
        names: dict[int, str] = {}
        for members, values in groups:
            name = members[0].column.full_name
            while name in self.enums:
                name += "'"
            self.enums[name] = tuple(values)
            names.update((id(words), name) for words in members)
        return names

    # ----------------------------------------------------------------- encoding

    def _encode(self, column: Column, types: list[Type]) -> Attribute:
        many = [cell.value for _, cell in column.present() if isinstance(cell.value, Many)]
        whole = types[0]
        missing: Constant = whole.none
        if many and many[0].is_list:
            # A member without the list simply has an empty one.
            item = replace(whole, optional=any(NONE in value.items for value in many))
            cap = max(1, *(len(value.items) for value in many))
            whole, missing = Type("list", items=(item,), cap=cap), ()
        elif many:
            if column.has_gaps:
                types = [replace(type_, optional=True) for type_ in types]
            whole = Type("tuple", items=tuple(types))
            missing = tuple(type_.none for type_ in types)
        values: list[Constant] = [missing] * len(column.cells)
        problems = Diagnostics()
        for at, cell in column.present():
            if (many and cell.value is NONE) or len(problems.items) >= MAX_REPORTS:
                continue
            constant = self._universes.encode(
                cell.value, whole, cell.span, f"`{column.full_name}`", problems
            )
            if constant is not None:
                values[at] = constant
        for problem in problems.items:
            self._diagnostics.error(problem.code, problem.span, problem.message, problem.suggestion)
        return Attribute(whole, tuple(values))

    def _report(
        self,
        column: Column,
        at: int,
        code: str,
        span: Span | None,
        message: str,
        suggestion: str | None,
    ) -> None:
        """Marks a cell as wrong; only the first few of a column are spelt out."""
        if at not in column.wrong:
            column.wrong.add(at)
            if len(column.wrong) <= MAX_REPORTS:
                self._diagnostics.error(code, span, message, suggestion)

    def _report_mixed(
        self, column: Column, at: int, span: Span | None, usual: Raw, strange: Raw
    ) -> None:
        self._report(
            column, at, "mixed-values", span,
            f"`{column.full_name}` is {describe(strange)} here, but {describe(usual)} before",
            "give all of them the same kind of value",
        )  # fmt: skip


@dataclass(frozen=True)
class _NewWords:
    """A column of names that nobody declared: they form an enum of their own."""

    column: Column
    names: tuple[str, ...]
    optional: bool


def _shape(value: Raw) -> tuple[bool, int]:
    """Single, list, or tuple of a length."""
    if not isinstance(value, Many):
        return (False, 0)
    return (True, -1 if value.is_list else len(value.items))


def _item(cell: Cell | None, at: int) -> Cell | None:
    if cell is None or not isinstance(cell.value, Many) or at >= len(cell.value.items):
        return None
    return Cell(cell.value.items[at], cell.span)


def _clamp(value: int) -> int:
    return min(max(value, INT_MIN), INT_MAX)
