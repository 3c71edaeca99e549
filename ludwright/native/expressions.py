"""Expressions as straight code: numbers in registers, conditions as branches."""

from __future__ import annotations

from typing import ClassVar

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.aggregates import Aggregates
from ludwright.native.builder import F, V, Var
from ludwright.native.errors import NativeUnsupported
from ludwright.native.module import RESULT
from ludwright.native.shapes import (
    I64_MAX,
    I64_MIN,
    Bits,
    Int,
    Lst,
    Shape,
    Tup,
    of_type,
    readable_as,
)
from ludwright.native.tabulating import HOLE, Tabulated
from ludwright.native.ticking import tick
from ludwright.native.values import Value, Wide
from ludwright.native.words import flatten

_OVERFLOW = "a number left the 64-bit range"
_DEEP = 8  # operations one in another that are still cheap to do once


class Expressions(Aggregates):
    """The expressions of one function."""

    _ICMP: ClassVar[dict[str, str]] = {
        "==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge",
    }  # fmt: skip

    def expr(self, node: ir.Expr) -> Value:
        known = self.remembered(node)
        if known is not None:
            return known
        match node:
            case ir.Const():
                return self._const(node)
            case ir.Load(addr=addr):
                return self.f.cell(addr) if addr < self.program.cells else self.get_register(addr)
            case ir.LoadWide():
                return self._load_wide(node)
            case ir.LoadAt():
                return self._load_at(node)
            case ir.Lookup():
                return self._lookup(node)
            case ir.Arith():
                return self._arith(node)
            case ir.Compare() | ir.Not() | ir.InSet() | ir.InStream():
                return self.condition(node)
            case ir.And() | ir.Or():
                return self._logic(node)
            case ir.Select():
                return self._select_value(node)
            case ir.Bind(reg=reg, value=value, body=body):
                self.put_register(reg, self.expr(value), self.shape(value))
                return self.expr(body)
            case ir.CallFn():
                return self._call(node)
            case ir.MakeTuple():
                return self._make_tuple(node)
            case ir.Item():
                return self._item(node)
            case ir.ListItem():
                return self._list_item(node)
            case ir.Length(of=of, of_set=of_set):
                return self._length(self.expr(of), of_set)
            case ir.SetOp():
                return self._set_op(node)
            case ir.Spend(ticks=ticks, site=site):
                tick(self.f, site, ticks)
                return self.f.value(1)
            case _:
                return self.collected(node)

    def _const(self, node: ir.Const) -> Value:
        shape = self.shape(node)
        if isinstance(shape, Int):
            assert isinstance(node.value, int)
            return self.f.value(int(node.value))
        words: list[int] = []
        flatten(node.value, shape, words)
        return Wide(V(self.f, self.module.table(words, "i64"), "ptr"), shape)

    # -------------------------------------------------------------- loads

    def _load_wide(self, node: ir.LoadWide) -> Value:
        f = self.f
        if node.addr >= self.program.cells:
            return self.get_register(node.addr)
        if node.index is None:
            return self.decode(node.type, node.addr)
        index, bounds = self.num(node.index), self.bounds(node.index)
        shape = self.shape(node)
        result = self.temp(shape)
        absent, there, done = f.label(), f.label(), f.label()
        f.branch(index < 0, absent, there)
        f.place(absent)
        for word in range(1 if isinstance(shape, Lst) else shape.words):
            f.store(result, word, 0)
        f.br(done)
        f.place(there)
        self.check_index(index, bounds, node.size, node.site)
        value = self.decode(node.type, index * node.stride + node.addr)
        self.write(result, shape, value, of_type(node.type))
        f.place(done)
        return self.read(result, shape)

    def _load_at(self, node: ir.LoadAt) -> V:
        f = self.f
        index, bounds = self.num(node.index), self.bounds(node.index)
        self.check_index(index, bounds, node.size, node.site)
        if bounds.lo >= 0:
            return f.cell(index * node.stride + node.addr)
        # No branch: the cell of index 0 is read in place of one that is not there.
        at = f.smax(index, 0)
        return f.select(index < 0, node.none, f.cell(at * node.stride + node.addr))

    def _lookup(self, node: ir.Lookup) -> V:
        f = self.f
        values = self.program.tables[node.table]
        index, bounds = self.num(node.index), self.bounds(node.index)
        self.check_index(index, bounds, len(values), node.site)
        wide = any(not -(1 << 31) <= value < 1 << 31 for value in values)
        type_ = "i64" if wide else "i32"
        if not values:
            return f.value(node.none)
        if bounds.lo == -1 and -(1 << 31) <= node.none < 1 << 31:
            # the entry of `none` lies in front of the others
            values, index, bounds = (node.none, *values), index + 1, Int(0, bounds.hi + 1)
        table = V(f, self.module.table(values, type_), "ptr")
        if bounds.lo >= 0:
            return f.load(table, index, type_)
        found = f.load(table, f.smax(index, 0), type_)
        return f.select(index < 0, node.none, found)

    # --------------------------------------------------------- arithmetic

    def _arith(self, node: ir.Arith) -> V:
        f = self.f
        left, right = self.num(node.left), self.num(node.right)
        if node.op == "min":
            return f.smin(left, right)
        if node.op == "max":
            return f.smax(left, right)
        a, b = self.bounds(node.left), self.bounds(node.right)
        overflow = f.errors.fault("overflow", node.site, _OVERFLOW)
        if node.op in ("//", "%"):
            return self._division(node, left, right, a, b)
        if node.op == "+":
            plain = a.lo + b.lo >= I64_MIN and a.hi + b.hi <= I64_MAX
        elif node.op == "-":
            plain = a.lo - b.hi >= I64_MIN and a.hi - b.lo <= I64_MAX
        else:
            corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            plain = min(corners) >= I64_MIN and max(corners) <= I64_MAX
        name = {"+": "add", "-": "sub", "*": "mul"}[node.op]
        if plain:
            return f.op(name, left, right)
        pair = f.emit(
            f"call {RESULT} @llvm.s{name}.with.overflow.i64(i64 {left.text}, i64 {right.text})",
            RESULT,
        )
        over = f.emit(f"extractvalue {RESULT} {pair.text}, 1", "i1")
        f.check(over.not_(), overflow)
        return f.emit(f"extractvalue {RESULT} {pair.text}, 0")

    def _division(self, node: ir.Arith, left: V, right: V, a: Int, b: Int) -> V:
        f = self.f
        if b.lo <= 0 <= b.hi:
            error = f.errors.fault("division", node.site, "division by zero")
            f.check(right.ne(0), error)
        if a.lo == I64_MIN and b.lo <= -1 <= b.hi:
            if node.op == "//":
                error = f.errors.fault("overflow", node.site, _OVERFLOW)
                f.check((left.eq(I64_MIN) & right.eq(-1)).not_(), error)
            else:
                right = f.select(right.eq(-1), 1, right)
        if a.lo >= 0 and b.lo > 0:
            return f.emit(f"{'udiv' if node.op == '//' else 'urem'} i64 {left.text}, {right.text}")
        remainder = f.emit(f"srem i64 {left.text}, {right.text}")
        # floor: the remainder has the divisor's sign
        wrong = remainder.ne(0) & ((remainder ^ right) < 0)
        if node.op == "%":
            return remainder + f.select(wrong, right, 0)
        return f.emit(f"sdiv i64 {left.text}, {right.text}") - wrong.i64()

    # --------------------------------------------------------- conditions

    def condition(self, node: ir.Expr) -> V:
        """A condition as one bit, without branches where it is simple."""
        f = self.f
        match node:
            case ir.Compare():
                return self._compare(node)
            case ir.Not(arg=arg):
                return self.condition(arg).not_()
            case ir.InSet():
                return self._in_set(node)
            case ir.And(left=left, right=right) if self.simple(right):
                return self.condition(left) & self.condition(right)
            case ir.Or(left=left, right=right) if self.simple(right):
                return self.condition(left) | self.condition(right)
            case ir.And() | ir.Or():
                yes, no, done = f.label(), f.label(), f.label()
                result = Var(f, "i1")
                self.goto(node, yes, no)
                f.place(yes)
                result.set(1)
                f.br(done)
                f.place(no)
                result.set(0)
                f.place(done)
                return result.get()
            case ir.InStream(item=item, stream=stream):
                return self.in_stream(item, stream)
            case _:
                return self.truth(self.expr(node))

    def goto(self, node: ir.Expr, then: str, other: str) -> None:
        f = self.f
        match node:
            case ir.Not(arg=arg):
                self.goto(arg, other, then)
            case ir.And(left=left, right=right):
                go = f.label()
                self.goto(left, go, other)
                f.place(go)
                self.goto(right, then, other)
            case ir.Or(left=left, right=right):
                go = f.label()
                self.goto(left, then, go)
                f.place(go)
                self.goto(right, then, other)
            case ir.Bind(reg=reg, value=value, body=body):
                self.put_register(reg, self.expr(value), self.shape(value))
                self.goto(body, then, other)
            case _:
                f.branch(self.condition(node), then, other)

    def simple(self, node: ir.Expr, depth: int = 4) -> bool:
        """Cheap, and cannot fail: may be evaluated where the interpreter would not look."""
        if depth == 0:
            return False
        if id(node) in self._remembered:
            return self._remembered[id(node)][1] is None
        match node:
            case ir.Const(value=value):
                return isinstance(value, int)
            case ir.Load():
                return isinstance(self.shape(node), Int)
            case ir.LoadAt(index=index, size=size):
                return self.bounds(index).hi < size and self.simple(index, depth - 1)
            case ir.Lookup(index=index, table=table):
                inside = self.bounds(index).hi < len(self.program.tables[table])
                return inside and self.simple(index, depth - 1)
            case ir.Compare(left=left, right=right):
                numbers = isinstance(self.shape(left), Int) and isinstance(self.shape(right), Int)
                return numbers and self.simple(left, depth - 1) and self.simple(right, depth - 1)
            case ir.CallFn(fn=fn, args=args):
                made = self.module.tabulated.of(fn)
                known = made is not None and made.total
                return known and all(self.simple(arg, depth - 1) for arg in args)
            case ir.Not(arg=arg):
                return self.simple(arg, depth - 1)
            case ir.And(left=left, right=right) | ir.Or(left=left, right=right):
                return self.simple(left, depth - 1) and self.simple(right, depth - 1)
            case _:
                return False

    def sure(self, node: ir.Expr) -> bool:
        if isinstance(node, ir.CallFn) and all(map(self.simple, node.args)):
            return self.simple(self.program.functions[node.fn].body, _DEEP)
        return self.simple(node)

    def _compare(self, node: ir.Compare) -> V:
        f = self.f
        left, right = self.expr(node.left), self.expr(node.right)
        if isinstance(left, V) and isinstance(right, V):
            return f.icmp(self._ICMP[node.op], left.i64(), right.i64())
        if node.op == "==":
            return self.equal(left, right)
        if node.op == "!=":
            return self.equal(left, right).not_()
        return f.icmp(self._ICMP[node.op], self.order(left, right), 0)

    def _in_set(self, node: ir.InSet) -> V:
        f = self.f
        offset = self.num(node.item) - node.lo
        of = self.expr(node.of)
        if isinstance(of, V):
            inside = offset.below(64)
            shift = f.select(inside, offset, 0)
            return inside & ((of.i64() >> shift) & 1).ne(0)
        inside = offset.below(64 * of.shape.words)
        at = f.select(inside, offset, 0)
        word = f.load(of.ptr, at >> 6)
        return inside & ((word >> (at & 63)) & 1).ne(0)

    def _logic(self, node: ir.And | ir.Or) -> Value:
        """`and` and `or` give one of their operands, as Python does."""
        f = self.f
        left, right = self.shape(node.left), self.shape(node.right)
        if not isinstance(left, Int) or not isinstance(right, Int):
            raise NativeUnsupported("`and` or `or` of values that are no conditions")
        if left.lo >= 0 and left.hi <= 1 and right.lo >= 0 and right.hi <= 1:
            return self.condition(node)
        result = Var(f)
        more, done = f.label(), f.label()
        first = self.num(node.left)
        result.set(first)
        if isinstance(node, ir.And):
            f.branch(first.ne(0), more, done)
        else:
            f.branch(first.ne(0), done, more)
        f.place(more)
        result.set(self.num(node.right))
        f.place(done)
        return result.get()

    def _select_value(self, node: ir.Select) -> Value:
        f = self.f
        shape = self.shape(node)
        if isinstance(shape, Int) and self.simple(node.then) and self.simple(node.other):
            when = self.condition(node.when)
            return f.select(when, self.num(node.then), self.num(node.other))
        slot = self.temp(shape)
        yes, no, done = f.label(), f.label(), f.label()
        self.goto(node.when, yes, no)
        f.place(yes)
        self.write(slot, shape, self.expr(node.then), self.shape(node.then))
        f.br(done)
        f.place(no)
        self.write(slot, shape, self.expr(node.other), self.shape(node.other))
        f.place(done)
        return self.read(slot, shape)

    # -------------------------------------------------- tuples, lists, sets

    def _make_tuple(self, node: ir.MakeTuple) -> Value:
        f = self.f
        shape = self.shape(node)
        assert isinstance(shape, Tup)
        slot = self.temp(shape)
        for index, item in enumerate(node.items):
            own = shape.items[index]
            self.write(f.gep(slot, shape.offset(index)), own, self.expr(item), self.shape(item))
        return Wide(slot, shape)

    def _item(self, node: ir.Item) -> Value:
        f = self.f
        value = self.expr(node.of)
        if isinstance(value, V):
            return f.value(-1)
        shape = value.shape
        assert isinstance(shape, Tup)
        item = shape.items[node.index]
        found = self.read(f.gep(value.ptr, shape.offset(node.index)), item)
        if shape.optional:
            return f.select(f.load(value.ptr).ne(0), self.number(found), -1)
        return found

    def _list_item(self, node: ir.ListItem) -> Value:
        f = self.f
        value = self.listed(self.expr(node.of))
        index = self.num(node.index)
        length = f.load(value.ptr)
        error = f.errors.fault("range", node.site, "item {a} of a list of {b}")
        f.check(index.below(length), error, index, length)
        shape = value.shape
        assert isinstance(shape, Lst)
        if shape.item is None:
            return f.value(0)
        return self.read(f.gep(f.gep(value.ptr, 1), index * shape.step), shape.item)

    def _length(self, value: Value, of_set: bool) -> V:
        f = self.f
        if isinstance(value, V):
            return f.ctpop(value.i64())
        if isinstance(value.shape, Lst):
            return f.load(value.ptr)
        if isinstance(value.shape, Tup):
            return f.value(len(value.shape.items))
        total = f.value(0)
        for word in range(value.shape.words):
            total = total + f.ctpop(f.load(value.ptr, word))
        return total

    def _set_op(self, node: ir.SetOp) -> Value:
        f = self.f
        left, right = self.expr(node.left), self.expr(node.right)
        if isinstance(left, V) and isinstance(right, V):
            a, b = left.i64(), right.i64()
            return self._merged(node.op, a, b)
        shape = self.shape(node)
        assert isinstance(shape, Bits)
        one, two = self.bits(left, shape.words), self.bits(right, shape.words)
        slot = self.temp(shape)
        for word in range(shape.words):
            f.store(slot, word, self._merged(node.op, f.load(one.ptr, word), f.load(two.ptr, word)))
        return Wide(slot, shape)

    def _merged(self, op: str, left: V, right: V) -> V:
        if op == "union":
            return left | right
        if op == "minus":
            return left & (right ^ -1)
        return left & right

    # ---------------------------------------------------------- functions

    def _call(self, node: ir.CallFn) -> Value:
        values = [self.expr(arg) for arg in node.args]
        table = self.module.tabulated.of(node.fn)
        if table is not None:
            arguments = [self.number(value).i64() for value in values]
            if table.total:
                return self._tabulated(table, arguments)
            return self._perhaps_tabulated(table, node, arguments)
        return self._called(node, values)

    def _called(self, node: ir.CallFn, values: list[Value]) -> Value:
        f = self.f
        name, params, shape = self.function(node.fn)
        told = [f"ptr {f.state.text}", f"ptr {f.context.text}"]
        for value, arg, wanted in zip(values, node.args, params, strict=True):
            if isinstance(wanted, Int):
                told.append(f"i64 {self.number(value).i64().text}")
                continue
            if isinstance(value, Wide) and readable_as(value.shape, wanted):
                told.append(f"ptr {value.ptr.text}")  # functions change nothing they are given
                continue
            slot = self.temp(wanted)
            self.write(slot, wanted, value, self.shape(arg))
            told.append(f"ptr {slot.text}")
        result = None
        if not isinstance(shape, Int):
            result = self.temp(shape)
            told.append(f"ptr {result.text}")
        pair = f.emit(f"call {RESULT} @{name}({', '.join(told)})", RESULT)
        failed = f.emit(f"extractvalue {RESULT} {pair.text}, 1", "i1")
        good = f.label()
        f.branch(failed, f.passed_on(), good, likely=False)
        f.place(good)
        if result is not None:
            return Wide(result, shape)
        return f.emit(f"extractvalue {RESULT} {pair.text}, 0")

    def _perhaps_tabulated(self, table: Tabulated, node: ir.CallFn, arguments: list[V]) -> V:
        """What the table does not hold is worked out by the function itself."""
        f = self.f
        inside = V(f, "true", "i1")
        described = zip(arguments, table.lows, table.sizes, table.clipped, strict=True)
        for argument, low, size, clipped in described:
            if clipped:
                inside = inside & (argument - low).below(size)
        result = Var(f, init=HOLE)
        with f.if_(inside, likely=True):
            result.set(self._tabulated(table, arguments))
        with f.if_(result.get().eq(HOLE), likely=False):
            kept: list[Value] = [*arguments]
            result.set(self.number(self._called(node, kept)))
        return result.get()

    def _tabulated(self, table: Tabulated, arguments: list[V]) -> V:
        f = self.f
        at = f.value(0)
        for argument, low, size in zip(arguments, table.lows, table.sizes, strict=True):
            at = at * size + (argument - low)
        return f.load(V(f, self.module.table(table.values), "ptr"), at, "i32")

    def function(self, number: int) -> tuple[str, list[Shape], Shape]:
        """(name, shapes of the parameters, shape of the result) of a function of the Program."""
        function = self.program.functions[number]
        shapes = self.module.shapes
        params = [shapes.registers.get(register, Int()) for register in function.params]
        shape = shapes.of(function.body)
        name = f"function{number}"
        if name not in self.module.begun:
            self.module.begun.add(name)
            self._write_function(number, function, params, shape)
        return name, params, shape

    def _write_function(
        self, number: int, function: ir.Function, params: list[Shape], shape: Shape
    ) -> None:
        told = [
            ("i64" if isinstance(own, Int) else "ptr", f"p{index}")
            for index, own in enumerate(params)
        ]
        if not isinstance(shape, Int):
            told.append(("ptr", "result"))
        f = self.module.pure(f"function{number}", told)
        body = type(self)(self.module, f)
        for index, (register, own) in enumerate(zip(function.params, params, strict=True)):
            given = f.param(f"p{index}")
            body.lend_register(register, given if isinstance(own, Int) else Wide(given, own), own)
        if number in self.module.kept:
            self._write_kept(number, f, body, function)
            return
        value = body.expr(function.body)
        if isinstance(shape, Int):
            f.end_with(body.number(value).i64())
        else:
            body.write(f.param("result"), shape, value, shape)
            f.end_with(f.value(0))
        self.module.add(f)

    def _write_kept(self, number: int, f: F, body: Expressions, function: ir.Function) -> None:
        """A function that is evaluated once an epoch for the same arguments (see `keeping`)."""
        arguments = [f.param(f"p{index}") for index in range(len(function.params))]
        place = self.module.kept.place(f, number, arguments)
        known, epoch = f.label(), f.ctx(layout.EPOCH)
        f.leave_if(f.load(place).eq(epoch), known)
        result = body.number(body.expr(function.body)).i64()
        f.store(place, 0, epoch)
        f.store(place, 1, result)
        f.end_with(result)
        f.place(known)
        f.end_with(f.load(place, 1))
        self.module.add(f)


class Body(Expressions):
    """Everything one function of native code may contain."""
