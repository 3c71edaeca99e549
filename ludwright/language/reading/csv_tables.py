"""Tables from CSV files beside the rulebook: `tables: { Card: cards.csv }`.

The first line names the columns. A file becomes the list of rows that could stand in its place, so
nothing behind the reader knows of it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.prose import check_prose
from ludwright.language.reading.source import Source

CSV_SUFFIX = ".csv"
_NUMBER = re.compile(r"-?[0-9]+")
_TRUTH = {"true": True, "false": False}

# The text of a file that lies beside another one; None if there is no such file.
Beside = Callable[[str, str], Source | None]


def with_csv(block: YMap, beside: Beside, sources: dict[str, str], found: Diagnostics) -> YMap:
    """The same block with the rows of CSV files in the place of their names."""
    reader = _Reader(beside, sources, found)
    entries = tuple(
        (key, reader.tables(node) if key.text == "tables" else node) for key, node in block.entries
    )
    return YMap(entries, block.span, block.flow)


class _Reader:
    def __init__(self, beside: Beside, sources: dict[str, str], found: Diagnostics) -> None:
        self._beside, self._sources, self._diagnostics = beside, sources, found

    def tables(self, node: YNode) -> YNode:
        if not isinstance(node, YMap):
            return node
        entries = tuple((key, self._table(spec)) for key, spec in node.entries)
        return YMap(entries, node.span, node.flow)

    def _table(self, spec: YNode) -> YNode:
        if not isinstance(spec, YScalar) or not spec.text.lower().endswith(CSV_SUFFIX):
            return spec
        name = spec.text
        plain = "/" not in name and "\\" not in name and not name.startswith(".")
        source = self._beside(spec.span.file, name) if plain else None
        if source is None:
            self._diagnostics.error(
                "csv-table",
                spec.span,
                f"there is no file {name} beside the rulebook"
                if plain
                else "a table is read from a file in the folder of the rulebook only",
                "write the name of a `.csv` file in the same folder",
            )
            return YList((), spec.span)
        self._sources[source.file] = source.text
        check_prose(source, (), self._diagnostics)
        return YList(self._rows(source), spec.span)

    def _rows(self, source: Source) -> tuple[YNode, ...]:
        reader = csv.reader(io.StringIO(source.text), strict=True, skipinitialspace=True)
        rows: list[YNode] = []
        columns: list[YScalar] = []
        try:
            for cells in reader:
                span = Span(source.file, reader.line_num, 1, reader.line_num, 2)
                given = [cell.strip() for cell in cells]
                if not any(given):
                    continue
                if not columns:
                    columns = [_cell(cell, span, plain=True) for cell in given]
                    continue
                if len(given) > len(columns):
                    self._broken(
                        span, f"this row has {len(given)} cells for {len(columns)} columns"
                    )
                    continue
                pairs = zip(columns, given, strict=False)
                entries = [
                    (column, _cell(cell, span, column.text in ("id", "title")))
                    for column, cell in pairs
                    if cell  # an empty cell says nothing
                ]
                rows.append(YMap(tuple(entries), span))
        except csv.Error as problem:
            self._broken(Span(source.file, reader.line_num, 1, reader.line_num, 2), str(problem))
        return tuple(rows)

    def _broken(self, span: Span, message: str) -> None:
        self._diagnostics.error(
            "csv-table",
            span,
            message,
            'put text that holds a comma into double quotes: `"[red, blue]"`',
        )


def _cell(text: str, span: Span, plain: bool) -> YScalar:
    """A cell as YAML would read it; `plain` text is not looked at."""
    value: str | int | bool = text
    if not plain:
        value = int(text) if _NUMBER.fullmatch(text) else _TRUTH.get(text, text)
    return YScalar(value, text, False, span)
