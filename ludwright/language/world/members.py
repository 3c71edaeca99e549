"""Constant attributes of seats and spaces, collected as columns."""

from __future__ import annotations

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.gamedef import SeatDecl, SpaceGroup
from ludwright.language.tree import Expr
from ludwright.language.world.attributes import Cell, Column
from ludwright.language.world.constants import ConstantEvaluator
from ludwright.language.world.encoding import indexes
from ludwright.language.world.spaces import SpaceLayout
from ludwright.language.world.values import NONE, Raw
from ludwright.program.world import World

MAX_CELLS = 1_000_000


def seat_columns(
    declarations: tuple[SeatDecl, ...], world: World, constants: ConstantEvaluator
) -> list[Column]:
    columns: dict[str, Column] = {}
    for at, seat in enumerate(declarations[: len(world.seats)]):
        for name, expr in seat.attributes:
            column = columns.setdefault(name, Column("Seat", name, [None] * len(world.seats)))
            value = constants.evaluate(expr)
            if value is not None:
                column.cells[at] = Cell(value, expr.span or seat.span)
    return list(columns.values())


def space_columns(
    groups: tuple[SpaceGroup, ...], layout: SpaceLayout, world: World, diagnostics: Diagnostics
) -> list[Column]:
    return _SpaceColumns(layout, world, diagnostics).collect(groups)


class _SpaceColumns:
    def __init__(self, layout: SpaceLayout, world: World, diagnostics: Diagnostics) -> None:
        self._layout = layout
        self._diagnostics = diagnostics
        self._columns: dict[str, Column] = {}
        self._space_index = indexes(layout.names)
        self._constants = ConstantEvaluator(world, diagnostics, self._read, self._known)
        self._built_in = ["index", "column", "row"] if layout.has_grid else ["index"]
        self._position = [at for group in layout.groups.values() for at in range(len(group))]
        self._refused: set[str] = set()

    def collect(self, groups: tuple[SpaceGroup, ...]) -> list[Column]:
        done: set[str] = set()
        for space, item in self._layout.items.items():
            for name, expr in item.attributes:
                self._add(name, space, expr, item.span)
        for group in groups:
            if group.name in done:
                continue
            done.add(group.name)
            self._add_drawn(group)
            for name, expr in group.attributes:
                self._add_computed(group, name, expr)
        return list(self._columns.values())

    def _add_drawn(self, group: SpaceGroup) -> None:
        """What the signs in the drawing of a board say."""
        marked = self._layout.marked.get(group.name, {})
        for mark in group.legend:
            for name, expr in mark.attributes:
                for space in marked.get(mark.sign, ()):
                    if not self._add(name, space, expr, mark.span):
                        break

    def _add_computed(self, group: SpaceGroup, name: str, expr: Expr) -> None:
        for space in self._layout.groups[group.name]:
            # What a space says of itself wins over what is said of the whole group.
            column = self._columns.get(name)
            if column is not None and column.cells[space] is not None:
                continue
            if not self._add(name, space, expr, group.span):
                return

    def _add(self, name: str, space: int, expr: Expr, span: Span | None) -> bool:
        column = self._column(name, span)
        if column is None:
            return False
        value = self._constants.evaluate(expr, here=self._layout.names[space])
        if value is not None:
            column.cells[space] = Cell(value, expr.span or span)
        return value is not None

    def _column(self, name: str, span: Span | None) -> Column | None:
        if name in self._columns:
            return self._columns[name]
        if name in self._refused:
            return None
        spaces = len(self._layout.names)
        if name in self._built_in:
            self._refused.add(name)
            self._diagnostics.error(
                "name-clash", span, f"every space already has the attribute `{name}`",
                "choose another name",
            )  # fmt: skip
            return None
        if (len(self._columns) + 1) * spaces > MAX_CELLS:
            self._refused.add(name)
            self._diagnostics.error(
                "too-large", span,
                f"{len(self._columns) + 1} attributes on {spaces} spaces are too many",
                "use fewer attributes",
            )  # fmt: skip
            return None
        self._columns[name] = Column("Space", name, [None] * spaces)
        return self._columns[name]

    # ------------------------------------------- reading, inside computed attributes

    def _read(self, space_name: str, attribute: str) -> Raw | None:
        space = self._space_index.get(space_name)
        if space is None:
            return None
        if attribute == "index":
            return self._position[space]
        if attribute in self._built_in:
            return self._layout.coordinates[space][0 if attribute == "column" else 1]
        column = self._columns.get(attribute)
        if column is None:
            return None
        cell = column.cells[space]
        return NONE if cell is None else cell.value

    def _known(self) -> list[str]:
        return [*self._built_in, *self._columns]
