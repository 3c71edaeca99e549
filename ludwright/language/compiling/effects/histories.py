"""`history:`: what makes a position, as the values that are hashed when it is recorded.

A place that the rulebook names counts with the pieces that lie there. Everything else counts with
its value; a variable that holds a place is not what lies on that place. Pieces that are alike are
equal wherever they occur.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.diagnostics import did_you_mean
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.expressions import attributes
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.results import to_stream, to_value
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.sites import placed
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import Broken, Seq, Val, piece_type
from ludwright.program.types import Type


def declare_histories(unit: Unit) -> None:
    for decl in unit.gamedef.history:
        values: list[ir.Expr] = []
        unit.rule = f"history {decl.name}"
        items = decl.of.items if isinstance(decl.of, tree.ListLit) else (decl.of,)
        for item in items:
            value = _part(unit, item)
            if value is not None:
                values.append(value)
        addr = unit.layout.take(1 + 2 * decl.keep)
        history = ir.History(decl.name, addr, decl.keep, decl.last, tuple(values))
        site = unit.site(decl.span)
        unit.histories.append(placed(history, site))


def _part(unit: Unit, item: tree.Expr) -> ir.Expr | None:
    compiled = expression(unit, item, Scope())
    if isinstance(compiled, Val) and compiled.type.kind == "place" and _named(compiled.expr):
        compiled = Seq(ir.ItemsSource((compiled.expr,)), compiled.type, 1)
    if isinstance(compiled, Seq) and compiled.elem.kind == "place" and _named(compiled.source):
        return _contents(unit, compiled)
    if isinstance(compiled, Val):
        return _value(unit, compiled.expr, compiled.type)
    sequence = to_stream(unit, compiled, item.span)
    if isinstance(sequence, Broken):
        return None
    listed = to_value(unit, sequence, item.span)
    if isinstance(listed, Broken):
        return None
    value = _value(unit, listed.expr, listed.type)
    # What goes by number has no order of its own between pieces that are alike.
    by_number = sequence.ascending and _names_alike(unit, sequence.elem)
    return ir.Sorted(value) if by_number else value


def _named(node: ir.Expr | ir.Source, loops: frozenset[int] = frozenset()) -> bool:
    """Whether these places are named by the rulebook, and not read from the state."""
    match node:
        case ir.Const() | ir.Lookup() | ir.ConstSource() | ir.RowSource():
            return True
        case ir.Load(addr=addr):
            return addr in loops
        case ir.ItemsSource(items=parts) | ir.ConcatSource(parts=parts):
            return all(_named(part, loops) for part in parts)
        case ir.SelectSource(then=then, other=other):
            return _named(then, loops) and _named(other, loops)
        case ir.BindSource(body=body):
            return _named(body, loops)
        case ir.Stream(clauses=clauses, head=head):
            for clause in clauses:
                if isinstance(clause, ir.Loop) and _named(clause.source, loops):
                    loops |= set(clause.regs)
            return _named(head, loops)
        case _:
            return False


def _contents(unit: Unit, places: Seq) -> ir.Expr:
    """What lies where: (place, kind, properties) of every piece."""
    place, piece = unit.register(), unit.register()
    stream = ir.Stream(
        (ir.Loop((place,), places.source), ir.Loop((piece,), ir.PiecesSource(ir.Load(place)))),
        ir.MakeTuple((ir.Load(place), *_class(unit, ir.Load(piece)))),
    )
    return ir.MakeList(stream, max(1, unit.world.piece_count))


def _class(unit: Unit, piece: ir.Expr) -> tuple[ir.Expr, ...]:
    """Kind and properties of a piece: what it has in common with those that are alike."""
    kinds = [0] * unit.world.piece_count
    for number, kind in enumerate(unit.world.kinds):
        kinds[kind.first : kind.first + kind.count] = [number] * kind.count
    parts: list[ir.Expr] = [ir.Lookup(unit.table(kinds), piece, -1)]
    names = dict.fromkeys(p.name for kind in unit.world.kinds for p in kind.properties)
    for name in names:
        slot, fixed = unit.layout.piece_props.get(name), attributes.fixed_property(unit, name)
        if slot is not None:
            named = Val(piece, piece_type(unit.world))
            parts.append(attributes.load_variable(unit, slot, named, None).expr)
        elif fixed is not None:
            parts.append(ir.Lookup(fixed[0], piece, fixed[1].none))
    return tuple(parts)


def _value(unit: Unit, value: ir.Expr, type_: Type) -> ir.Expr:
    """A value as it is, but for the numbers of pieces, which do not tell alike ones apart."""
    if not _names_alike(unit, type_):
        return value
    reg = unit.register()
    match type_.kind:
        case "piece":
            place = ir.LoadAt(unit.layout.piece_place, ir.Load(reg), unit.world.piece_count, -1)
            told: ir.Expr = ir.MakeTuple((place, *_class(unit, ir.Load(reg))))
        case "tuple":
            told = ir.MakeTuple(
                tuple(
                    _value(unit, ir.Item(ir.Load(reg), index), item)
                    for index, item in enumerate(type_.items)
                )
            )
        case _:
            return _members(unit, value, type_)
    return ir.Bind(reg, value, told)


def _members(unit: Unit, value: ir.Expr, type_: Type) -> ir.Expr:
    item = type_.items[0]
    reg = unit.register()
    of_set = type_.kind == "set"
    source: ir.Source = ir.SetSource(value, item.lo) if of_set else ir.ListSource(value)
    cap = item.hi - item.lo + 1 if of_set else type_.cap
    each = ir.Stream((ir.Loop((reg,), source),), _value(unit, ir.Load(reg), item))
    listed = ir.MakeList(each, max(1, cap))
    return ir.Sorted(listed) if of_set else listed


def _names_alike(unit: Unit, type_: Type) -> bool:
    if type_.kind == "piece":
        return any(not kind.individual for kind in unit.world.kinds)
    return any(_names_alike(unit, item) for item in type_.items)


# ---------------------------------------------------------------------------- effects


def change(lowering: Lowering, code: Code, node: tree.Record | tree.Clear, scope: Scope) -> None:
    """`record` and `clear`."""
    unit, name = lowering.unit, node.history
    for index, history in enumerate(unit.histories):
        if history.name == name:
            if isinstance(node, tree.Record):
                code.emit(ir.RecordPosition(index, unit.site(node.span)))
            else:
                code.emit(ir.ClearHistory(index))
            return
    unit.error(
        "unknown-history",
        node.span,
        f"there is no history `{name}`",
        did_you_mean(name, [history.name for history in unit.histories])
        or "declare it: `history: { positions: { of: [board], keep: 100 } }`",
    )
