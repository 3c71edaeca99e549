"""Wide values in native code: tuples, lists and large sets as words in memory.

A number is an SSA value; everything else is the address of its words. An expression writes its
words to a place of its own in the stack frame; registers copy what is put into them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludwright.kernel.types import Type
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.errors import NativeUnsupported
from ludwright.native.module import Module
from ludwright.native.shapes import Bits, Int, Lst, Shape, Tup, as_list, of_type, same_layout

_MASK31 = (1 << 31) - 1
_INLINE = 8  # words that are copied one by one


@dataclass(frozen=True, slots=True)
class Wide:
    ptr: V
    shape: Shape


Value = V | Wide


class Values:
    """Moves values about inside one function."""

    def __init__(self, module: Module, f: F, shared: Mapping[int, int] | None = None) -> None:
        self.module = module
        self.program = module.program
        self.f = f
        self._registers: dict[int, tuple[V, Shape]] = {}
        self._in_memory = shared or {}  # registers that lie in the memory of the run

    # ---------------------------------------------------------- registers

    def register(self, number: int) -> tuple[V, Shape]:
        """The words of a register in this function, 0 before anything is put there."""
        known = self._registers.get(number)
        if known is None:
            shape = self.module.shapes.registers.get(number, Int())
            if number in self._in_memory:
                at = self.f.alloca("ptr")
                base, own = f"{at}.base", f"{at}.own"
                slot = f"getelementptr inbounds i64, ptr %ctx, i64 {layout.REGISTERS}"
                self.f.at_entry(f"{at}.slot = {slot}")
                self.f.at_entry(f"{base} = load ptr, ptr {at}.slot")
                word = self._in_memory[number]
                self.f.at_entry(f"{own} = getelementptr inbounds i64, ptr {base}, i64 {word}")
                known = self._registers[number] = (V(self.f, own, "ptr"), shape)
                return known
            ptr = self.temp(shape)
            cleared = 1 if isinstance(shape, Lst) else min(shape.words, 64)
            for word in range(cleared):
                at = f"{ptr.text}.z{word}"
                self.f.at_entry(f"{at} = getelementptr inbounds i64, ptr {ptr.text}, i64 {word}")
                self.f.at_entry(f"store i64 0, ptr {at}")
            known = self._registers[number] = (ptr, shape)
        return known

    def put_register(self, number: int, value: Value, shape: Shape) -> None:
        ptr, own = self.register(number)
        self.write(ptr, own, value, shape)

    def lend_register(self, number: int, value: Value, shape: Shape) -> None:
        """Put what nobody will change into a register that is never put again: not copied."""
        if isinstance(value, Wide):
            self._registers[number] = (value.ptr, shape)
        else:
            self.put_register(number, value, shape)

    def get_register(self, number: int) -> Value:
        ptr, shape = self.register(number)
        return self.read(ptr, shape)

    def temp(self, shape: Shape) -> V:
        words = self.module.words(shape)
        type_ = "i64" if words == 1 else f"[{words} x i64]"
        return V(self.f, self.f.alloca(type_), "ptr")

    # ------------------------------------------------------ words and copies

    def read(self, ptr: V, shape: Shape) -> Value:
        return self.f.load(ptr) if isinstance(shape, Int) else Wide(ptr, shape)

    def number(self, value: Value) -> V:
        if isinstance(value, Wide):
            raise NativeUnsupported("a list or tuple where a number is needed")
        return value

    def write(self, to: V, shape: Shape, value: Value, given: Shape) -> None:
        """Put a value of shape `given` into words of shape `shape`."""
        f = self.f
        if isinstance(value, V):
            number = value.i64()
            if isinstance(shape, Int):
                f.store(to, 0, number)
            elif isinstance(shape, Bits):
                f.store(to, 0, number)
                for word in range(1, shape.words):
                    f.store(to, word, 0)
            elif isinstance(shape, Tup) and shape.optional:
                for word in range(shape.words):  # only `none` comes as a number
                    f.store(to, word, 0)
            else:
                raise NativeUnsupported("a list that may be none")
            return
        self._write_wide(to, shape, value)

    def _write_wide(self, to: V, shape: Shape, value: Wide) -> None:
        f, given = self.f, value.shape
        if isinstance(shape, Bits) and isinstance(given, Bits):
            for word in range(shape.words):
                f.store(to, word, f.load(value.ptr, word) if word < given.words else 0)
            return
        if isinstance(shape, Tup) and isinstance(given, Tup):
            if shape.optional:
                f.store(to, 0, f.load(value.ptr) if given.optional else 1)
            for index, (own, other) in enumerate(zip(shape.items, given.items, strict=True)):
                self.write(
                    f.gep(to, shape.offset(index)), own,
                    self.read(f.gep(value.ptr, given.offset(index)), other), other,
                )  # fmt: skip
            return
        if isinstance(shape, Lst):
            self._write_list(to, shape, value)
            return
        raise NativeUnsupported("a value that changes its kind")

    def _write_list(self, to: V, shape: Lst, value: Wide) -> None:
        f = self.f
        given = value.shape
        if isinstance(given, Tup):
            f.store(to, 0, len(given.items))
            for index, item in enumerate(given.items):
                assert shape.item is not None
                self.write(
                    f.gep(to, 1 + index * shape.step), shape.item,
                    self.read(f.gep(value.ptr, given.offset(index)), item), item,
                )  # fmt: skip
            return
        assert isinstance(given, Lst)
        length = f.load(value.ptr)
        f.store(to, 0, length)
        if given.item is None or shape.item is None:
            return
        if same_layout(given.item, shape.item):
            f.copy(f.gep(to, 1), f.gep(value.ptr, 1), length * (8 * shape.step))
            return
        with f.count(0, length) as at:
            self.write(
                f.gep(f.gep(to, 1), at * shape.step), shape.item,
                self.read(f.gep(f.gep(value.ptr, 1), at * given.step), given.item), given.item,
            )  # fmt: skip

    def kept(self, value: Value, shape: Shape) -> Value:
        """A copy that stays while the expression it came from is evaluated again."""
        if isinstance(value, V):
            return value
        ptr = self.temp(shape)
        self.write(ptr, shape, value, value.shape)
        return Wide(ptr, shape)

    def listed(self, value: Value) -> Wide:
        """A value as a list."""
        if isinstance(value, V):
            raise NativeUnsupported("a number where a list is needed")
        if isinstance(value.shape, Lst):
            return value
        shape = as_list(value.shape)
        ptr = self.temp(shape)
        self.write(ptr, shape, value, value.shape)
        return Wide(ptr, shape)

    def bits(self, value: Value, words: int) -> Wide:
        """A set in at least so many words."""
        if isinstance(value, Wide) and isinstance(value.shape, Bits) and value.shape.words >= words:
            return value
        shape = Bits(words)
        ptr = self.temp(shape)
        self.write(ptr, shape, value, value.shape if isinstance(value, Wide) else Int())
        return Wide(ptr, shape)

    def truth(self, value: Value) -> V:
        f = self.f
        if isinstance(value, V):
            return value if value.type == "i1" else value.ne(0)
        shape = value.shape
        if isinstance(shape, Lst):
            return f.load(value.ptr).ne(0)
        if isinstance(shape, Tup):
            return V(f, "true" if shape.items or shape.optional else "false", "i1")
        assert isinstance(shape, Bits)
        total = f.load(value.ptr)
        for word in range(1, shape.words):
            total = total | f.load(value.ptr, word)
        return total.ne(0)

    # --------------------------------------------------------- comparison

    def equal(self, left: Value, right: Value) -> V:
        f = self.f
        if isinstance(left, V) and isinstance(right, V):
            return left.i64().eq(right.i64())
        if isinstance(left, V) or isinstance(right, V):
            number, wide = (left, right) if isinstance(left, V) else (right, left)
            assert isinstance(number, V)
            assert isinstance(wide, Wide)
            if isinstance(wide.shape, Bits):
                return self._equal_bits(self.bits(number, wide.shape.words), wide)
            if isinstance(wide.shape, Tup) and wide.shape.optional:
                return f.load(wide.ptr).eq(0) & number.i64().eq(-1)
            return V(f, "false", "i1")
        a, b = left.shape, right.shape
        if isinstance(a, Bits) and isinstance(b, Bits):
            words = max(a.words, b.words)
            return self._equal_bits(self.bits(left, words), self.bits(right, words))
        if isinstance(a, Tup) and isinstance(b, Tup):
            if len(a.items) != len(b.items):
                return V(f, "false", "i1")
            return self._equal_tuples(left, a, right, b)
        return self._order(self.listed(left), self.listed(right)).eq(0)

    def _equal_bits(self, left: Wide, right: Wide) -> V:
        f = self.f
        total: V | None = None
        for word in range(min(left.shape.words, right.shape.words)):
            differ = f.load(left.ptr, word) ^ f.load(right.ptr, word)
            total = differ if total is None else total | differ
        assert total is not None
        return total.eq(0)

    def _equal_tuples(self, left: Wide, a: Tup, right: Wide, b: Tup) -> V:
        f = self.f
        result = V(f, "true", "i1")
        if a.optional or b.optional:
            one = f.load(left.ptr) if a.optional else f.value(1)
            two = f.load(right.ptr) if b.optional else f.value(1)
            result = one.eq(two)
        for index, (x, y) in enumerate(zip(a.items, b.items, strict=True)):
            result = result & self.equal(
                self.read(f.gep(left.ptr, a.offset(index)), x),
                self.read(f.gep(right.ptr, b.offset(index)), y),
            )
        return result

    def order(self, left: Value, right: Value) -> V:
        """-1, 0 or 1."""
        f = self.f
        if isinstance(left, V) and isinstance(right, V):
            a, b = left.i64(), right.i64()
            return (a > b).i64() - (a < b).i64()
        if isinstance(left, Wide) and isinstance(right, Wide):
            if isinstance(left.shape, Tup) and isinstance(right.shape, Tup):
                return self._order_tuples(left, left.shape, right, right.shape)
            if not isinstance(left.shape, Bits) and not isinstance(right.shape, Bits):
                return self._order(self.listed(left), self.listed(right))
        words = max(part.shape.words for part in (left, right) if isinstance(part, Wide))
        one, two = self.bits(left, words), self.bits(right, words)
        result = Var(f, init=0)
        for word in range(words):
            a, b = f.load(one.ptr, word), f.load(two.ptr, word)
            with f.if_(a.ne(b)):
                result.set(f.select(a.below(b), -1, 1))
        return result.get()

    def _order_tuples(self, left: Wide, a: Tup, right: Wide, b: Tup) -> V:
        f = self.f
        if a.optional or b.optional:
            raise NativeUnsupported("the order of tuples that may be none")
        result = Var(f, init=0)
        done = f.label()
        for index, (x, y) in enumerate(zip(a.items, b.items, strict=False)):
            found = self.order(
                self.read(f.gep(left.ptr, a.offset(index)), x),
                self.read(f.gep(right.ptr, b.offset(index)), y),
            )
            result.set(found)
            f.leave_if(found.ne(0), done)
        if len(a.items) != len(b.items):
            result.set(1 if len(a.items) > len(b.items) else -1)
        f.place(done)
        return result.get()

    def _order(self, left: Wide, right: Wide) -> V:
        f = self.f
        a, b = left.shape, right.shape
        assert isinstance(a, Lst)
        assert isinstance(b, Lst)
        one, two = f.load(left.ptr), f.load(right.ptr)
        result = Var(f, init=self.order(one, two))
        if a.item is None or b.item is None:
            return result.get()
        done = f.label()
        with f.count(0, f.smin(one, two)) as at:
            found = self.order(
                self.read(f.gep(f.gep(left.ptr, 1), at * a.step), a.item),
                self.read(f.gep(f.gep(right.ptr, 1), at * b.step), b.item),
            )
            same = f.label()
            differ = f.label()
            f.branch(found.ne(0), differ, same)
            f.place(differ)
            result.set(found)
            f.br(done)
            f.place(same)
        f.place(done)
        return result.get()

    # -------------------------------------------------------------- cells

    def decode(self, type_: Type, at: V | int) -> Value:
        """A value of this type from the cells at an address."""
        if type_.is_scalar:
            return self.f.cell(at)
        shape = of_type(type_)
        if isinstance(shape, Int):
            return self._decode_small_set(type_.width, at)
        ptr = self.temp(shape)
        self._decode(type_, self.f.value(at), ptr)
        return Wide(ptr, shape)

    def _decode_small_set(self, width: int, at: V | int) -> V:
        f = self.f
        bits = f.cell(at)
        for cell in range(1, width):
            bits = bits | (f.cell(f.value(at) + cell) << (31 * cell))
        return bits

    def _decode(self, type_: Type, at: V, to: V) -> None:
        f = self.f
        shape = of_type(type_)
        if isinstance(shape, Int):
            f.store(to, 0, self.number(self.decode(type_, at)))
        elif isinstance(shape, Bits):
            for word in range(shape.words):
                f.store(to, word, self._word_of_cells(type_.width, at, word))
        elif isinstance(shape, Tup):
            self._decode_tuple(type_, shape, at, to)
        else:
            item = type_.items[0]
            length = f.smax(f.smin(f.cell(at), type_.cap), 0)
            f.store(to, 0, length)
            with f.count(0, length) as index:
                self._decode(
                    item, at + index * item.width + 1, f.gep(f.gep(to, 1), index * shape.step)
                )

    def _decode_tuple(self, type_: Type, shape: Tup, at: V, to: V) -> None:
        f = self.f
        done = f.label()
        if shape.optional:
            for word in range(shape.words):
                f.store(to, word, 0)
            f.leave_if(f.cell(at).eq(type_.items[0].none if type_.items else -1), done)
            f.store(to, 0, 1)
        offset = 0
        for index, item in enumerate(type_.items):
            self._decode(item, at + offset, f.gep(to, shape.offset(index)))
            offset += item.width
        f.place(done)

    def _word_of_cells(self, width: int, at: V, word: int) -> V:
        """Bits 64 * word .. 64 * word + 63 of a set that lies in cells of 31 bits."""
        f = self.f
        total = f.value(0)
        for cell in range(width):
            shift = 31 * cell - 64 * word
            if -31 < shift < 64:
                part = f.cell(at + cell)
                total = total | (part << shift if shift >= 0 else part >> -shift)
        return total

    def encode(self, type_: Type, at: V | int, value: Value) -> None:
        """Write a value to the cells of a type at an address."""
        f = self.f
        where = f.value(at)
        shape = of_type(type_)
        if type_.is_scalar:
            f.set_cell(where, self.number(value).i64())
        elif isinstance(shape, (Int, Bits)):
            self._encode_set(type_.width, where, value)
        elif isinstance(shape, Tup):
            self._encode_tuple(type_, shape, where, value)
        else:
            self._encode_list(type_, shape, where, self.listed(value))

    def _encode_set(self, width: int, at: V, value: Value) -> None:
        f = self.f
        for cell in range(width):
            first = 31 * cell
            if isinstance(value, V):
                piece = (value.i64() >> first) & _MASK31 if first < 64 else f.value(0)
            else:
                word, shift = divmod(first, 64)
                piece = f.value(0)
                if word < value.shape.words:
                    piece = f.load(value.ptr, word) >> shift
                if shift > 33 and word + 1 < value.shape.words:
                    piece = piece | (f.load(value.ptr, word + 1) << (64 - shift))
                piece = piece & _MASK31
            f.set_cell(at + cell, piece)

    def _encode_tuple(self, type_: Type, shape: Tup, at: V, value: Value) -> None:
        f = self.f
        missing = type_.items[0].none if type_.items else -1
        done = f.label()

        def nothing() -> None:
            f.set_cell(at, missing)
            for cell in range(1, type_.width):
                f.set_cell(at + cell, 0)

        if isinstance(value, V):
            nothing()
            return
        given = value.shape
        assert isinstance(given, Tup)
        if given.optional:
            there, absent = f.label(), f.label()
            f.branch(f.load(value.ptr).ne(0), there, absent)
            f.place(absent)
            nothing()
            f.br(done)
            f.place(there)
        offset = 0
        for index, item in enumerate(type_.items):
            part = self.read(f.gep(value.ptr, given.offset(index)), given.items[index])
            self.encode(item, at + offset, part)
            offset += item.width
        f.place(done)

    def _encode_list(self, type_: Type, shape: Lst, at: V, value: Wide) -> None:
        f = self.f
        item = type_.items[0]
        given = value.shape
        assert isinstance(given, Lst)
        length = f.load(value.ptr)
        f.set_cell(at, length)
        if given.item is not None:
            with f.count(0, length) as index:
                part = self.read(f.gep(f.gep(value.ptr, 1), index * given.step), given.item)
                self.encode(item, at + index * item.width + 1, part)
        rest = f.gep(f.state, at + length * item.width + 1, "i32")
        f.zero(rest, (f.value(type_.cap) - length) * (4 * item.width))
