"""Tables: named rows of constants."""

from __future__ import annotations

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import TableDecl, TableRow
from ludwright.language.world.attributes import Cell, Column
from ludwright.language.world.constants import ConstantEvaluator
from ludwright.program.types import Type
from ludwright.program.world import Attribute, Table

MAX_CELLS = 1_000_000

_UNTYPED = Attribute(Type("none"), ())


def outline_tables(
    declarations: tuple[TableDecl, ...], diagnostics: Diagnostics
) -> dict[str, Table]:
    """The tables with their rows' names; their columns are typed later, over all names."""
    tables: dict[str, Table] = {}
    cells = 0
    for declaration in declarations:
        if declaration.name in tables:
            diagnostics.error(
                "name-clash", declaration.span,
                f"the table `{declaration.name}` is declared twice", "rename one of them",
            )  # fmt: skip
            continue
        columns = dict.fromkeys(name for row in declaration.rows for name, _ in row.cells)
        rows = tuple(row.key or "" for row in declaration.rows)
        _check_rows(declaration, rows, diagnostics)
        # Missing cells are stored too, so a ragged table is larger than its text.
        size = len(rows) * max(1, len(columns))
        if cells + size > MAX_CELLS:
            diagnostics.error(
                "too-large", declaration.span,
                f"`{declaration.name}` would bring the tables to {cells + size} cells; at most "
                f"{MAX_CELLS} are allowed", "use fewer rows or columns",
            )  # fmt: skip
            rows, columns = (), {}
            size = 0
        cells += size
        tables[declaration.name] = Table(
            declaration.name, rows, dict.fromkeys(columns, _UNTYPED), declaration.keyed
        )
    return tables


def _check_rows(declaration: TableDecl, names: tuple[str, ...], diagnostics: Diagnostics) -> None:
    if not names:
        diagnostics.error(
            "empty-declaration", declaration.span, f"the table `{declaration.name}` has no rows",
            "list at least one row",
        )  # fmt: skip
    seen: set[str] = set()
    for name, row in zip(names, declaration.rows, strict=True):
        if name and name in seen:
            diagnostics.error(
                "name-clash", row.span or declaration.span,
                f"the table `{declaration.name}` has two rows named `{name}`",
                "rename one of them",
            )  # fmt: skip
            return  # one example is enough: a pasted table repeats them all
        seen.add(name)


def table_columns(
    declaration: TableDecl, outline: Table, constants: ConstantEvaluator, diagnostics: Diagnostics
) -> list[Column]:
    """The columns with their values as written."""
    by_name = {
        name: Column(declaration.name, name, [None] * len(outline.rows)) for name in outline.columns
    }
    if not by_name:
        return []
    for at, row in enumerate(declaration.rows):
        for name, cell in _row_cells(declaration, row, constants, diagnostics):
            by_name[name].cells[at] = cell
    return list(by_name.values())


def _row_cells(
    declaration: TableDecl, row: TableRow, constants: ConstantEvaluator, diagnostics: Diagnostics
) -> list[tuple[str, Cell]]:
    cells: dict[str, Cell] = {}
    for name, expr in row.cells:
        if name in cells:
            diagnostics.error(
                "name-clash", expr.span or row.span,
                f"a row of `{declaration.name}` has the column `{name}` twice",
                "leave one of them out",
            )  # fmt: skip
            continue
        value = constants.evaluate(expr)
        if value is not None:
            cells[name] = Cell(value, expr.span or row.span)
    return list(cells.items())
