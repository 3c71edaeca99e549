"""`a.b` and `a[i]`: attributes of things, items of tuples and lists, rows of tables."""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.expressions import attributes, indexed, names
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.folding import fold
from ludwright.language.compiling.expressions.row_items import row_item
from ludwright.language.compiling.expressions.type_check import (
    check_type,
    number,
    to_stream,
    to_value,
    typed,
    value_of,
)
from ludwright.language.compiling.tree_walk import dotted
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import (
    BROKEN,
    INT,
    Broken,
    Compiled,
    Seq,
    TableRef,
    Val,
    compatible,
    const,
    constant_of,
    none_of,
    noun,
    seat_type,
)
from ludwright.program.types import NO_ENTITY, Type
from ludwright.program.world import Table


def attribute(unit: Unit, node: tree.Attr, scope: Scope, expect: Type | None) -> Compiled:
    full = dotted(node)
    if full is not None and scope.find(full.split(".")[0]) is None:
        slot = unit.layout.globals.get(full)
        if slot is not None and slot.each is not None:
            return indexed.needs_index(unit, slot, node.span)
        if full in unit.declared_functions or slot is not None:
            return names.named(unit, node, full, scope, expect)
        if isinstance(node.of, tree.Name):
            values = unit.world.enums.get(node.of.id)
            if values is not None and node.name in values:
                type_ = Type("enum", node.of.id, 0, len(values) - 1)
                return const(values.index(node.name), type_)
            table = unit.world.tables.get(node.of.id)
            if table is not None and node.name in table.rows:
                type_ = Type("row", table.name, 0, len(table.rows) - 1)
                return const(table.rows.index(node.name), type_)
    owner = expression(unit, node.of, scope)
    if isinstance(owner, Broken):
        return owner
    slots = {"seat": unit.layout.seat_vars, "place": unit.layout.space_vars}
    slot = slots[owner.type.kind].get(node.name) if (
        isinstance(owner, Val) and owner.type.kind in slots
    ) else None  # fmt: skip
    if slot is not None and slot.each is not None:
        return indexed.needs_index(unit, slot, node.span)
    return attributes.attribute(unit, owner, node.name, node.span, scope)


def item(unit: Unit, node: tree.Index, scope: Scope, expect: Type | None) -> Compiled:
    # `$bid[seat]`: the answer of one seat to a sealed decision
    if isinstance(node.of, tree.Name):
        local = scope.find(node.of.id)
        if local is not None and local.origin == "sealed":
            return _sealed_answer(unit, local, node, scope)
    named = indexed.indexed(unit, node.of, scope)
    if isinstance(named, Broken):
        return named
    if named is not None:
        return indexed.value(unit, *named, node, scope)
    of = expression(unit, node.of, scope)
    match of:
        case Broken():
            return of
        case TableRef(name=name):
            return _table_row(unit, name, node, scope)
        case Val(type=Type(kind="row")) if of.type.name in unit.world.tables:
            return row_item(unit, of, node, scope)
        case Val(type=Type(kind="tuple") as type_):
            at = expression(unit, node.index, scope)
            index = constant_of(at) if isinstance(at, Val) and at.type.kind == "int" else None
            if index is None or not 0 <= index < len(type_.items):
                unit.error(
                    "tuple-index",
                    node.index.span,
                    f"a tuple of {len(type_.items)} is indexed by a constant from 0",
                    "or unpack it: `let a, b = …`",
                )
                return BROKEN
            return Val(ir.Item(of.expr, index), type_.items[index])
        case Val(type=type_) if type_.kind not in ("list", "set", "place"):
            unit.error(
                "not-a-collection",
                node.of.span,
                f"`[…]` takes one out of several, and this is {noun(type_)}",
                "for one of each member of something declare an index, as in `vars: { lane[1..3]: "
                "0..9 }`; other things are in lists, tables and places",
            )
            return BROKEN
        case _:
            sequence = to_stream(unit, of, node.of.span)
            index_value = number(unit, node.index, scope)
            if isinstance(sequence, Broken) or isinstance(index_value, Broken):
                return BROKEN
            if constant_of(index_value) == 0 and not isinstance(sequence.source, ir.ListSource):
                return _first_of(unit, sequence, node)
            listed = to_value(unit, sequence, node.of.span)
            if isinstance(listed, Broken):
                return listed
            if isinstance(sequence.source, ir.ConstSource):
                listed = replace(listed, expr=ir.Const(sequence.source.values))
            found = ir.ListItem(listed.expr, index_value.expr, unit.site(node.span))
            return Val(found, sequence.elem)


def _instead_of_number(unit: Unit, table: Table, given: Type) -> str:
    """What to write where a row is not asked for by its number."""
    if given.kind == "row" and given.name == table.name:
        return f"it is the row already: leave `{table.name}[…]` out"
    column = next((n for n, c in table.columns.items() if compatible(c.type, given)), None)
    if column is not None:
        return f"look for the row: `first(r for r in {table.name} if r.{column} == …)`"
    if any(table.rows):
        first = table.rows[0]
        return f"write its number, or the name of a row, such as `{first}`, without `{table.name}`"
    return "write its number, or give each row an `id`"


def _sealed_answer(unit: Unit, local: Local, node: tree.Index, scope: Scope) -> Compiled:
    """`$bid[seat]`. A seat that was not asked has no answer: it is none, or nothing, where the
    choice allows that, and otherwise a fault."""
    assert isinstance(node.of, tree.Name)
    assert isinstance(local.value, Val)
    assert local.addr is not None
    assert local.type is not None
    seat = typed(unit, node.index, scope, seat_type(unit.world))
    if isinstance(seat, Broken):
        return seat
    world, type_, at = unit.world, local.type, seat.expr
    site = unit.site(node.span, f"{unit.rule}: {node.of.id} of a seat that was not asked")
    if type_.kind not in ("set", "list"):  # these are empty
        nobody = ir.Const(NO_ENTITY if type_.optional else len(world.seats))
        if local.value.expr != ir.Const(0):
            at = ir.Select(ir.InSet(at, local.value.expr, 0), at, nobody)
        elif world.min_players < len(world.seats):
            at = ir.Select(ir.Compare("<", at, ir.Load(ir.PLAYERS)), at, nobody)
    if type_.is_scalar:
        return Val(ir.LoadAt(local.addr, at, len(world.seats), type_.none, site=site), type_)
    return Val(ir.LoadWide(local.addr, type_, at, type_.width, len(world.seats), site), type_)


def _first_of(unit: Unit, sequence: Seq, node: tree.Index) -> Val | Broken:
    """`[…][0]`: the first member, which must be there. No list is made only to look at its head."""
    elem = sequence.elem
    if isinstance(sequence.source, ir.ConstSource) and sequence.source.values:
        value = sequence.source.values[0]
        if isinstance(value, int):
            return const(value, elem)
    if not elem.is_scalar or elem.optional:
        listed = to_value(unit, sequence, node.of.span)
        if isinstance(listed, Broken):
            return listed
        return Val(ir.ListItem(listed.expr, ir.Const(0), unit.site(node.span)), elem)
    reg, none = unit.register(), ir.Const(none_of(elem))
    missing = ir.ListItem(ir.Const(()), ir.Const(0), unit.site(node.span))
    found = ir.Select(ir.Compare("!=", ir.Load(reg), none), ir.Load(reg), missing)
    return Val(ir.Bind(reg, ir.Aggregate("first", sequence.source, none), found), elem)


def _table_row(unit: Unit, name: str, node: tree.Index, scope: Scope) -> Compiled:
    table = unit.world.tables[name]
    row_type = Type("row", name, 0, max(0, len(table.rows) - 1))
    index = value_of(unit, node.index, scope)
    if isinstance(index, Broken):
        return index
    if table.keyed and index.type.kind != "int":
        keyed = attributes.row_by_key(unit, table, index, node.span)
        if isinstance(keyed, Broken) or list(table.columns) != ["value"]:
            return keyed
        return attributes.attribute(unit, keyed, "value", node.span)
    if index.type.kind != "int":
        unit.error(
            "wrong-type",
            node.index.span,
            f"rows of `{name}` are numbered from 0; this is {noun(index.type)}",
            _instead_of_number(unit, table, index.type),
        )
        return BROKEN
    index_value = check_type(unit, index, INT, node.index.span, node.index, scope)
    if isinstance(index_value, Broken):
        return index_value
    # The row is its number; one that does not exist is a fault, also a negative one.
    site, rows = unit.site(node.span), tuple(range(len(table.rows)))
    if index_value.type.lo < 0:
        return Val(ir.ListItem(ir.Const(rows), index_value.expr, site), row_type)
    row = ir.Lookup(unit.table(rows), index_value.expr, NO_ENTITY, site)
    return Val(fold(row, unit), row_type)
