"""Finds the shape of every register and expression of a Program.

This is an abstract interpretation: it goes over everything that writes a register or a cell until
no shape changes any more. Numbers that keep growing are widened after some rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludwright import program as ir
from ludwright.native.analysis.cell_ranges import CellBounds, is_number, is_plain_list
from ludwright.native.analysis.groups import Group, groups
from ludwright.native.analysis.shapes import (
    BOOL,
    CELL,
    I64_MAX,
    I64_MIN,
    NONE,
    NOTHING,
    Bits,
    Int,
    Lst,
    Shape,
    Tup,
    as_list,
    join,
    join_all,
    join_some,
    laid_out,
    of_constant,
    of_members,
    of_type,
    widened,
)
from ludwright.native.errors import NativeUnsupported
from ludwright.program.nodes import walk
from ludwright.program.types import INT_MAX, NO_INT, Type

_WIDEN_AFTER = 8  # rounds: numbers that still grow then are taken to be unbounded
_ROUNDS = 60  # no Program takes as many
_UNITING = (ir.LoadAt, ir.LoadWide, ir.Store, ir.Choice)


class Inference:
    """The shapes of one Program."""

    def __init__(self, program: ir.Program, results: Mapping[int, Int] | None = None) -> None:
        """`results`: known bounds of the values of functions."""
        self.program = program
        self._results = results or {}
        self.registers: dict[int, Shape] = {}
        self._memo: dict[int, Shape] = {}
        self._elements: dict[int, Shape | None] = {}
        self._constants: dict[int, Shape | None] = {}  # the same of sources that never change
        self._kept: list[object] = []  # whose ids are in use
        self._changed: set[int] = set()  # registers and groups of cells, in this round
        self._round = 0
        self.cells = CellBounds(program)
        self._solve()

    def _solve(self) -> None:
        program = self.program
        roots: list[object] = [
            *program.code, *program.choices, *program.functions, *program.histories,
        ]  # fmt: skip
        if program.score is not None:
            roots.append(program.score[1])
            self.registers[program.score[0]] = CELL
        for shown in program.shown:
            roots.append(shown.value)
            if shown.seat is not None:
                self.registers[shown.seat] = CELL
        inside = [list(walk(root)) for root in roots]
        for nodes in inside:
            for item in nodes:
                if isinstance(item, _UNITING):
                    self._unite(item)
        found = groups(program, self.cells, inside)
        for self._round in range(_ROUNDS):
            before, self._changed = self._changed, set()
            for group in found:
                if not self._round or group.depends_on(before) or group.depends_on(self._changed):
                    self._write(group)
            if not self._changed:
                return
            if not self._round:  # what is always the same has been said
                for group in found:
                    group.writers = [item for item in group.writers if not _is_constant(item)]
        raise NativeUnsupported("a register whose shape cannot be found")

    def _write(self, group: Group) -> None:
        """Write what a group writes, by what is known now; what it said of its nodes before is
        forgotten. What others have said of nodes that they share with it holds for this round."""
        for node in group.asked:
            self._memo.pop(id(node), None)
            self._elements.pop(id(node), None)
        kept, self._kept = self._kept, group.asked
        group.asked.clear()
        for item in group.writers:
            self._writer(item)
        self._kept = kept

    def _unite(self, item: object) -> None:
        """Cells that are reached by an index share their bounds."""
        match item:
            case ir.LoadAt(addr=addr, size=size, stride=stride) if addr < self.program.cells:
                self.cells.unite(addr, stride, size)
            case ir.Store(addr=addr, index=index, size=size, stride=stride, type=type_):
                if addr < self.program.cells and is_plain_list(type_):
                    self._unite_list(addr, type_, None if index is None else stride * size)
                elif index is not None and is_number(type_):
                    self.cells.unite(addr, stride, size)
            case ir.LoadWide(addr=addr, index=index, size=size, stride=stride, type=type_):
                if addr < self.program.cells and is_plain_list(type_):
                    self._unite_list(addr, type_, None if index is None else stride * size)
                elif addr < self.program.cells and index is not None and is_number(type_):
                    self.cells.unite(addr, stride, size)
            case ir.Choice(together=together, result=result, result_type=type_):
                if result < self.program.cells and is_plain_list(type_) and not together:
                    self._unite_list(result, type_, None)
                elif result < self.program.cells and (is_number(type_) or is_plain_list(type_)):
                    count = len(self.program.world.seats) if together else 1
                    self.cells.unite(result, 1, type_.width * count)
            case _:
                pass

    def _unite_list(self, addr: int, type_: Type, whole: int | None) -> None:
        """The items of a list share their bounds. `whole`: so do the cells of many lists."""
        if whole is None:
            self.cells.unite(addr + 1, 1, type_.cap)
        else:
            self.cells.unite(addr, 1, whole)

    # ------------------------------------------------------------ binding

    def bind(self, register: int, shape: Shape | None, limit: Shape | None = None) -> None:
        """A value of this shape is put into a register or cell, and never one beyond the limit."""
        if shape is None or shape == NOTHING:
            return
        if register < self.program.cells:
            if self.cells.bind(register, shape):
                self._changed.add(self.cells.group(register))
                if self._round >= _WIDEN_AFTER and limit is not None:
                    self.cells.bind(register, limit)
                elif self._round >= _WIDEN_AFTER:
                    self.cells.widen(register)
            return
        old = self.registers.get(register)
        new = shape if old is None else join(old, shape)
        if new != old:
            if self._round >= _WIDEN_AFTER:
                new = widened(new) if limit is None else join(new, limit)
                if new == old:
                    return
            self.registers[register] = new
            self._changed.add(register)

    def _writer(self, item: Any) -> None:
        match item:
            case ir.Bind(reg=reg, value=value) | ir.BindSource(reg=reg, value=value):
                self.bind(reg, self.of(value))
            case ir.Loop(regs=regs, source=source):
                self._bind_loop(regs, self.element(source))
            case ir.CallFn(fn=fn, args=args):
                for register, arg in zip(self.program.functions[fn].params, args, strict=True):
                    self.bind(register, self.of(arg))
            case ir.Store(addr=addr, value=value, index=index, type=type_):
                if addr >= self.program.cells or is_number(type_):
                    checked = type_.kind == "int" and type_.hi < INT_MAX
                    limit = self._stored(item, Int()) if checked else None
                    self.bind(addr, self._stored(item, self.of(value)), limit)
                elif is_plain_list(type_):
                    self._listed(addr, type_, as_list(self.of(value)).item)
                else:
                    self._wide(addr, type_.width if index is None else item.stride * item.size)
            case ir.Chance(addr=addr, outcomes=outcomes, type=type_):
                if addr >= self.program.cells or is_number(type_):
                    self.bind(addr, self.element(outcomes))
                else:
                    self._wide(addr, type_.width)
            case ir.BestBegin(addr=addr, type=type_):
                if addr >= self.program.cells:
                    self.bind(addr, of_type(type_))
                else:
                    self._wide(addr, type_.width)
            case ir.Choice():
                self._bind_choice(item)
            case _:
                pass

    def _listed(self, addr: int, type_: Type, item: Shape | None) -> None:
        """A list of numbers is stored: its length, and its items."""
        self.bind(addr, Int(0, type_.cap))
        if type_.cap:
            self.bind(addr + 1, item)

    def _wide(self, addr: int, count: int) -> None:
        self._changed |= self.cells.bind_wide(addr, count)

    def _stored(self, store: ir.Store, shape: Shape) -> Shape:
        type_ = store.type
        if shape == NOTHING:
            return shape
        if type_.kind == "int" and isinstance(shape, Int):
            low = min(type_.lo, type_.none) if type_.optional else type_.lo
            return Int(max(shape.lo, low), max(min(shape.hi, type_.hi), shape.lo, low))
        if type_.kind == "set" and isinstance(shape, Int) and isinstance(of_type(type_), Int):
            return shape
        if type_.kind in ("list", "set", "tuple"):
            return laid_out(shape, of_type(type_))
        return shape

    def _bind_loop(self, regs: tuple[int, ...], element: Shape | None) -> None:
        if element is None:
            return
        if len(regs) == 1 or element == NOTHING:
            self.bind(regs[0], element)
            return
        if isinstance(element, Lst):
            for register in regs:
                self.bind(register, element.item)
            return
        if not isinstance(element, Tup) or len(element.items) != len(regs):
            raise NativeUnsupported("a loop that unpacks something other than its tuples")
        for register, item in zip(regs, element.items, strict=True):
            self.bind(register, item)

    def _bind_choice(self, choice: ir.Choice) -> None:
        if choice.chooser >= 0:
            self.bind(choice.chooser, Int(0, max(0, len(self.program.world.seats) - 1)))
        if choice.finish is not None:
            labels = Int(0, max(0, len(choice.labels) - 1))
            answers = labels if choice.options is None else self.element(choice.options)
            self.bind(choice.finish[0], answers)
        seats = len(self.program.world.seats)
        if choice.answered >= 0:
            self.bind(choice.answered, Int(0, (1 << seats) - 1))
        if choice.kind == "labels":
            self.bind(choice.result, Int(-1, len(choice.labels)))
            return
        if is_plain_list(choice.result_type) and choice.result < self.program.cells:
            assert choice.options is not None
            self._listed(choice.result, choice.result_type, self.element(choice.options))
            return
        if not is_number(choice.result_type) and choice.result < self.program.cells:
            width = choice.result_type.width
            self._wide(choice.result, width * (seats if choice.together else 1))
            return
        if choice.kind != "one" or choice.options is None or not choice.result_type.is_scalar:
            self.bind(choice.result, of_type(choice.result_type))
        if choice.kind == "one" and choice.options is not None:
            self.bind(choice.result, self.element(choice.options))
            if choice.optional and choice.result_type.is_scalar:
                none = choice.result_type.none
                self.bind(choice.result, Int(none, none))

    # -------------------------------------------------------- expressions

    def of(self, node: ir.Expr) -> Shape:
        known = self._memo.get(id(node))
        if known is None:
            known = self._memo[id(node)] = self._of(node)
            self._kept.append(node)
        return known

    def _of(self, node: ir.Expr) -> Shape:
        match node:
            case ir.Const(value=value):
                return of_constant(value)
            case ir.Load(addr=addr):
                if addr < self.program.cells:
                    return self._cell(addr)
                return self.registers.get(addr, NOTHING)
            case ir.LoadWide(addr=addr, type=type_, index=index):
                if addr >= self.program.cells:
                    return self.registers.get(addr, of_type(type_))
                if is_plain_list(type_):
                    return Lst(type_.cap, self._cell(addr + 1) if type_.cap else Int(0, 0))
                if is_number(type_):
                    return self._cell(addr)
                shape = of_type(type_)
                return join(shape, NONE) if index is not None and type_.kind == "tuple" else shape
            case ir.LoadAt(addr=addr, none=none, index=index):
                inside = CELL if addr >= self.program.cells else self._cell(addr)
                return inside if self._never_none(index) else join(inside, Int(none, none))
            case ir.Lookup(table=table, none=none, index=index):
                values = self.program.tables[table]
                if not values or not self._never_none(index):
                    values = (*values, none)
                return Int(min(values), max(values))
            case ir.Arith():
                return self._arith(node)
            case ir.Compare() | ir.Not() | ir.InSet() | ir.InStream():
                return BOOL
            case ir.And(left=left, right=right) | ir.Or(left=left, right=right):
                return join(self.of(left), self.of(right))
            case ir.Select(then=then, other=other):
                return join(self.of(then), self.of(other))
            case ir.Bind(body=body) | ir.Present(seat=body):
                return self.of(body)
            case ir.CallFn(fn=fn):
                known = self._results.get(fn)
                return self.of(self.program.functions[fn].body) if known is None else known
            case ir.MakeTuple(items=items):
                return Tup(tuple(self.of(item) for item in items))
            case ir.Item(of=of, index=index):
                return self._item(self.of(of), index)
            case ir.ListItem(of=of):
                item = as_list(self.of(of)).item
                return NOTHING if item is None else item
            case ir.Length():
                return Int(0, 1 << 31)
            case ir.MakeList(stream=stream, cap=cap):
                return Lst(cap, self.element(stream))
            case ir.MakeSet(lo=lo, hi=hi):
                return of_members(hi - lo + 1)
            case ir.SetOp(left=left, right=right):
                return self._set_op(self.of(left), self.of(right))
            case ir.Sorted(of=of):
                return as_list(self.of(of))
            case ir.Group(stream=stream, cap=cap):
                key = self.element(stream)
                return Lst(cap, Tup((key if key is not None else Int(0, 0), Int(0, 1 << 31))))
            case ir.Reach(table=table):
                return of_members(max(1, len(self.program.rows[table])))
            case ir.Travel():
                return _travelled(node)
            case ir.Trail(table=table):
                return Int(0, len(self.program.rows[table]))
            case ir.Aggregate():
                return self._aggregate(node)
            case ir.Times():
                return Int(0, 1 << 31)
            case ir.Spend():
                return Int(0, 1)  # two values: a constant would not be evaluated
            case _:
                raise NativeUnsupported(f"the expression {type(node).__name__}")

    def _never_none(self, index: ir.Expr) -> bool:
        shape = self.of(index)
        return isinstance(shape, Int) and shape.lo >= 0

    def _cell(self, addr: int) -> Int:
        if addr == ir.LOG:
            raise NativeUnsupported("rules that read the event counter")
        return self.cells.of(addr)

    def _item(self, shape: Shape, index: int) -> Shape:
        if shape == NOTHING:
            return NOTHING
        if isinstance(shape, Tup):
            item = shape.items[index]
            if shape.optional and not isinstance(item, Int):
                raise NativeUnsupported("a wide part of a tuple that may be none")
            return join(item, NONE) if shape.optional else item
        if isinstance(shape, Int):
            return NONE
        raise NativeUnsupported("an item of something that is no tuple")

    def _set_op(self, left: Shape, right: Shape) -> Shape:
        if isinstance(left, Int) and isinstance(right, Int):
            if left.lo < 0 or right.lo < 0:
                return Int()
            return Int(0, (1 << max(left.hi.bit_length(), right.hi.bit_length())) - 1)
        return join(left, right)

    def _arith(self, node: ir.Arith) -> Shape:
        a, b = self.of(node.left), self.of(node.right)
        if not isinstance(a, Int) or not isinstance(b, Int):
            raise NativeUnsupported(f"`{node.op}` of something that is no number")
        if NOTHING in (a, b):
            return NOTHING
        match node.op:
            case "+":
                return _bounded(a.lo + b.lo, a.hi + b.hi)
            case "-":
                return _bounded(a.lo - b.hi, a.hi - b.lo)
            case "*":
                corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
                return _bounded(min(corners), max(corners))
            case "min":
                return Int(min(a.lo, b.lo), min(a.hi, b.hi))
            case "max":
                return Int(max(a.lo, b.lo), max(a.hi, b.hi))
            case "%":
                if b.lo > 0:
                    return Int(0, b.hi - 1)
                largest = max(abs(b.lo), abs(b.hi))
                return _bounded(-largest, largest)
            case _:
                largest = max(abs(a.lo), abs(a.hi))
                return _bounded(-largest, largest)

    def _aggregate(self, node: ir.Aggregate) -> Shape:
        match node.op:
            case "count":
                return Int(0, 1 << 40)
            case "exists" | "any" | "all":
                return BOOL
            case "sum":
                return Int()
            case _:
                shape = self.element(node.stream)
                if node.default is not None:
                    shape = join_some(shape, self.of(node.default))
                elif node.op == "first":
                    shape = join_some(shape, NONE)
                return NOTHING if shape is None else shape

    # ------------------------------------------------------------- streams

    def element(self, node: ir.Source) -> Shape | None:
        """The shape of a stream's elements; None if it never has one."""
        if id(node) not in self._elements:
            self._elements[id(node)] = self._element(node)
            self._kept.append(node)
        return self._elements[id(node)]

    def _element(self, node: ir.Source) -> Shape | None:
        match node:
            case ir.RangeSource(lo=lo, hi=hi):
                a, b = self.of(lo), self.of(hi)
                if not isinstance(a, Int) or not isinstance(b, Int):
                    raise NativeUnsupported("a range between values that are no numbers")
                return NOTHING if NOTHING in (a, b) else Int(a.lo, max(a.lo, b.hi))
            case ir.ConstSource() | ir.RowSource():
                if id(node) not in self._constants:
                    self._constants[id(node)] = self._constant_element(node)
                return self._constants[id(node)]
            case ir.PiecesSource() | ir.DrawFrom():
                return Int(0, max(0, self.program.world.piece_count - 1))
            case ir.SetSource(of=of, lo=lo):
                shape = self.of(of)
                if isinstance(shape, Bits):
                    return Int(lo, lo + 64 * shape.words - 1)
                top = shape.hi.bit_length() if isinstance(shape, Int) and shape.lo >= 0 else 64
                return Int(lo, lo + max(0, top - 1))
            case ir.ListSource(of=of):
                return as_list(self.of(of)).item
            case ir.ItemsSource(items=items):
                return join_all(tuple(self.of(item) for item in items))
            case ir.ConcatSource(parts=parts):
                joined: Shape | None = None
                for part in parts:
                    joined = join_some(joined, self.element(part))
                return joined
            case ir.SelectSource(then=then, other=other):
                return join_some(self.element(then), self.element(other))
            case ir.BindSource(body=body):
                return self.element(body)
            case ir.SeatsSource():
                return Int(0, max(0, len(self.program.world.seats) - 1))
            case ir.CombosSource(of=of):
                return as_list(self.of(of))
            case ir.Stream(head=head):
                return self.of(head)
            case _:
                raise NativeUnsupported(f"the source {type(node).__name__}")

    def _constant_element(self, node: ir.ConstSource | ir.RowSource) -> Shape | None:
        if isinstance(node, ir.ConstSource):
            return join_all(tuple(of_constant(value) for value in node.values))
        entries = {value for row in self.program.rows[node.table] for value in row}
        return join_all(tuple(of_constant(value) for value in entries))


def _is_constant(writer: object) -> bool:
    """Whether what is written is the same in every round."""
    match writer:
        case ir.Store(value=ir.Const()) | ir.Bind(value=ir.Const()):
            return True
        case ir.Loop(source=ir.ConstSource() | ir.RowSource() | ir.PiecesSource()):
            return True
        case _:
            return False


def _travelled(node: ir.Travel) -> Shape:
    space, cost = Int(0, max(0, node.spaces - 1)), Int(0, INT_MAX)
    match node.gives:
        case "spaces":
            return of_members(max(1, node.spaces))
        case "costs":
            return Lst(max(1, node.spaces), Tup((space, cost)))
        case "cost":
            return Int(NO_INT, INT_MAX)
        case "path":
            return Lst(max(1, node.spaces), space)


def _bounded(lo: int, hi: int) -> Int:
    """Arithmetic is checked, so the result always fits."""
    return Int(max(lo, I64_MIN), min(hi, I64_MAX))
