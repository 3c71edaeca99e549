"""`history:`: what makes a position, as the values that are hashed when it is recorded.

A place that the rulebook names counts with the pieces that lie there. Everything else counts with
its value; a variable that holds a place is not what lies on that place. Pieces that are alike are
equal wherever they occur. A board counts as sets of its spaces where pieces have few properties: an
engine may keep such sets, so a position costs it a few numbers instead of one for every piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.expressions import attributes
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.type_check import to_stream, to_value
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.sites import placed
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import Broken, Seq, Val, piece_type
from ludwright.program.types import Type
from ludwright.spelling import did_you_mean

_FEW = 8  # values of a property, for each of which there is a set of spaces
_MOST_SETS = 16


def declare_histories(unit: Unit) -> None:
    for decl in unit.gamedef.history:
        values: list[ir.Expr] = []
        unit.rule = f"history {decl.name}"
        items = decl.of.items if isinstance(decl.of, tree.ListLit) else (decl.of,)
        for item in items:
            values += _part(unit, item)
        addr = unit.layout.take(1 + 2 * decl.keep)
        history = ir.History(decl.name, addr, decl.keep, decl.last, tuple(values))
        site = unit.site(decl.span)
        unit.histories.append(placed(history, site))


def _part(unit: Unit, item: tree.Expr) -> Sequence[ir.Expr]:
    compiled = expression(unit, item, Scope())
    if isinstance(compiled, Val) and compiled.type.kind == "place" and _named(compiled.expr):
        compiled = Seq(ir.ItemsSource((compiled.expr,)), compiled.type, 1)
    if isinstance(compiled, Seq) and compiled.elem.kind == "place" and _named(compiled.source):
        return _layout(unit, compiled) or [_contents(unit, compiled.source)]
    if isinstance(compiled, Val):
        return [_value(unit, compiled.expr, compiled.type)]
    sequence = to_stream(unit, compiled, item.span)
    if isinstance(sequence, Broken):
        return []
    listed = to_value(unit, sequence, item.span)
    if isinstance(listed, Broken):
        return []
    value = _value(unit, listed.expr, listed.type)
    # What goes by number has no order of its own between pieces that are alike.
    by_number = sequence.ascending and _names_alike(unit, sequence.elem)
    return [ir.Sorted(value) if by_number else value]


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


def _layout(unit: Unit, places: Seq) -> Sequence[ir.Expr]:
    """What lies on a board, as sets: the spaces with a piece, those whose first piece has a value
    of a property; then what lies where there are several pieces.

    Nothing if that would be many sets.
    """
    source = places.source
    if not isinstance(source, ir.ConstSource) or not places.ascending or not source.values:
        return []
    if source.values[-1] not in range(unit.world.space_count):
        return []  # a zone has no set
    space, count = ir.Load(unit.register()), len(unit.world.places)
    first = ir.LoadAt(unit.layout.place_head, space, count, -1)
    conditions: list[ir.Expr] = [ir.Compare("!=", first, ir.Const(-1))]
    for part, type_ in _class(unit, first):
        plain = isinstance(part, ir.LoadAt | ir.Lookup) and part.index == first
        # A piece has no other values, and where it must have one, the last set is what is left.
        values = range(type_.lo, type_.hi + type_.optional)
        if not plain or type_.kind == "int" or len(values) > _FEW:
            return []
        conditions += [ir.Compare("==", part, ir.Const(value)) for value in values]
    if len(conditions) > _MOST_SETS:
        return []
    held = ir.LoadAt(unit.layout.place_count, space, count, 0)
    several = ir.Compare(">", held, ir.Const(1))
    return [
        *(_where(unit, space, source, condition) for condition in conditions),
        _contents(unit, ir.Stream((ir.Loop((space.addr,), source), ir.Filter(several)), space)),
    ]


def _where(unit: Unit, space: ir.Load, source: ir.Source, condition: ir.Expr) -> ir.Expr:
    """The spaces for which a condition holds."""
    stream = ir.Stream((ir.Loop((space.addr,), source), ir.Filter(condition)), space)
    return ir.MakeSet(stream, 0, unit.world.space_count - 1)


def _contents(unit: Unit, places: ir.Source) -> ir.Expr:
    """What lies where: (place, kind, properties) of every piece."""
    place, piece = unit.register(), unit.register()
    described = (part for part, _ in _class(unit, ir.Load(piece)))
    stream = ir.Stream(
        (ir.Loop((place,), places), ir.Loop((piece,), ir.PiecesSource(ir.Load(place)))),
        ir.MakeTuple((ir.Load(place), *described)),
    )
    return ir.MakeList(stream, max(1, unit.world.piece_count))


def _class(unit: Unit, piece: ir.Expr) -> Iterator[tuple[ir.Expr, Type]]:
    """Kind and properties of a piece: what it has in common with those that are alike."""
    world = unit.world
    kinds = [0] * world.piece_count
    for number, kind in enumerate(world.kinds):
        kinds[kind.first : kind.first + kind.count] = [number] * kind.count
    yield ir.Lookup(unit.table(kinds), piece, -1), Type("label", hi=max(0, len(world.kinds) - 1))
    names = dict.fromkeys(p.name for kind in world.kinds for p in kind.properties)
    for name in names:
        slot, fixed = unit.layout.piece_props.get(name), attributes.fixed_property(unit, name)
        if slot is not None:
            found = attributes.load_variable(unit, slot, Val(piece, piece_type(world)), None)
            yield found.expr, found.type
        elif fixed is not None:
            yield ir.Lookup(fixed[0], piece, fixed[1].none), fixed[1]


def _value(unit: Unit, value: ir.Expr, type_: Type) -> ir.Expr:
    """A value as it is, but for the numbers of pieces, which do not tell alike ones apart."""
    if not _names_alike(unit, type_):
        return value
    reg = unit.register()
    match type_.kind:
        case "piece":
            place = ir.LoadAt(unit.layout.piece_place, ir.Load(reg), unit.world.piece_count, -1)
            described = (part for part, _ in _class(unit, ir.Load(reg)))
            told: ir.Expr = ir.MakeTuple((place, *described))
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
