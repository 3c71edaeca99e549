"""`row[key]`: a column of a row that is chosen by its number, or by a thing it is named after.

A table with keys on both sides, such as the distances between towns, is read `road[a][b]`.
"""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.expressions import attributes
from ludwright.language.compiling.expressions.type_check import check_type, value_of
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import (
    BROKEN,
    Broken,
    Compiled,
    Val,
    constant_of,
    join,
    noun,
)
from ludwright.program.types import Type
from ludwright.program.world import Attribute, Table

MAX_ITEMS = 200_000  # of a table that is read by two keys


def row_item(unit: Unit, row: Val, node: tree.Index, scope: Scope) -> Compiled:
    table = unit.world.tables[row.type.name]
    key = value_of(unit, node.index, scope)
    if isinstance(key, Broken):
        return key
    type_ = _common_type(unit, table, node)
    if type_ is None:
        return BROKEN
    certain = replace(key.type, optional=False)
    checked = check_type(unit, key, certain, node.index.span, node.index, scope)
    if isinstance(checked, Broken):
        return checked
    names = tuple(table.columns) if key.type.kind == "int" else _members(unit, key.type, table)
    if names is None:
        unit.error(
            "wrong-type",
            node.index.span,
            f"`{table.name}` has no columns for {noun(key.type)}",
            "its columns are " + ", ".join(f"`{name}`" for name in list(table.columns)[:8]),
        )
        return BROKEN
    if len(names) * len(table.rows) > MAX_ITEMS:
        unit.error(
            "too-large", node.span, f"`{table.name}` is too large to be read by two keys",
            "use a smaller table",
        )  # fmt: skip
        return BROKEN
    return _looked_up(unit, table, row, checked, names, type_, node.span)


def _common_type(unit: Unit, table: Table, node: tree.Index) -> Type | None:
    """The type of all columns; None after a diagnostic, where they differ."""
    joined: Type | None = None
    for number, column in enumerate(table.columns.values()):
        joined = column.type if number == 0 else joined and join(joined, column.type)
    if joined is not None and joined.is_scalar:
        return joined
    first = next(iter(table.columns), None)
    if first is None:
        unit.error(
            "wrong-type",
            node.span,
            f"the rows of `{table.name}` have no columns, so nothing can be taken from them",
            "give the rows values under `tables:`",
        )
        return None
    unit.error(
        "wrong-type",
        node.span,
        f"the columns of `{table.name}` are of different kinds, so one is taken by its name",
        f"write for example `….{first}`",
    )
    return None


def _members(unit: Unit, type_: Type, table: Table) -> tuple[str, ...] | None:
    """What columns are named after; None where no column is named after any of them."""
    members = attributes.members_of(unit, type_)
    return members if members is not None and set(members) & set(table.columns) else None


def _looked_up(
    unit: Unit, table: Table, row: Val, key: Val, names: tuple[str, ...], type_: Type,
    span: Span | None,
) -> Val:  # fmt: skip
    columns: list[Attribute | None] = [table.columns.get(name) for name in names]
    values: list[int] = []
    for number in range(len(table.rows)):
        for column in columns:
            cell_value = type_.none if column is None else column.values[number]
            assert isinstance(cell_value, int), "columns of lists have no common scalar type"
            values.append(cell_value)
    width = len(names)
    at, column_at = constant_of(row), constant_of(key)
    if at is not None and at >= 0 and column_at is not None and 0 <= column_at < width:
        value = values[at * width + column_at]
        return Val(ir.Const(value), replace(type_, optional=value == type_.none))
    index = key.expr
    if key.type.kind == "int":  # a number that no column has is a fault
        index = ir.ListItem(ir.Const(tuple(range(width))), key.expr, unit.site(span))
    at_row = ir.Arith("*", row.expr, ir.Const(width))  # below 0 where there is no row
    cell = ir.Arith("+", at_row, index)
    lookup = ir.Lookup(unit.table(values), cell, type_.none, unit.site(span))
    optional = row.type.optional or type_.none in values
    return Val(lookup, replace(type_, optional=optional))
