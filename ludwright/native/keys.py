"""Keys of positions, natively: the same numbers as `kernel.hashing`."""

from __future__ import annotations

from ludwright.kernel.hashing import FACTOR
from ludwright.native.builder import V, Var
from ludwright.native.errors import NativeUnsupported
from ludwright.native.flat import Flat
from ludwright.native.shapes import Bits, Int, Shape, Tup, as_list
from ludwright.native.values import Value, Wide


class Keys(Flat):
    """What histories ask, in one function."""

    def times(self, number: int) -> Value:
        f = self.f
        history = self.program.histories[number]
        key = self.position_key(number)
        low, high = Var(f, init=self.low_half(key)), Var(f, init=self.high_half(key))
        total = Var(f, init=0)
        with f.count(0, f.smin(f.cell(history.addr), history.keep)) as at:
            cell = at * 2 + (history.addr + 1)
            same = f.cell(cell).eq(low.get()) & f.cell(cell + 1).eq(high.get())
            total.set(total.get() + same.i64())
        return total.get()

    def low_half(self, key: V) -> V:
        f = self.f
        return f.emit(f"sext i32 {f.emit(f'trunc i64 {key.text} to i32', 'i32').text} to i64")

    def high_half(self, key: V) -> V:
        return self.f.emit(f"ashr i64 {key.text}, 32")

    def position_key(self, number: int) -> V:
        """The 64-bit key of the position for a history: see `kernel.hashing`."""
        f = self.f
        key = Var(f, init=0)
        for value in self.program.histories[number].values:
            self._absorb(key, self.expr(value), self.shape(value))
        return f.call("i64", "mix", key.get())

    def _absorb(self, key: Var, value: Value, shape: Shape) -> None:
        f = self.f
        if isinstance(value, V):
            self._absorb_number(key, value.i64(), shape)
            return
        given = value.shape
        if isinstance(given, Bits):
            self._absorb_bits(key, value)
            return
        if isinstance(given, Tup):
            if given.optional:
                raise NativeUnsupported("a tuple that may be none in a history")
            self._mix(key, f.value(len(given.items)))
            for index, item in enumerate(given.items):
                part = self.read(f.gep(value.ptr, given.offset(index)), item)
                self._absorb(key, part, item)
            return
        listed = as_list(given)
        self._mix(key, f.load(value.ptr))
        if listed.item is None:
            return
        item = listed.item
        with f.count(0, f.load(value.ptr)) as at:
            part = self.read(f.gep(f.gep(value.ptr, 1), at * listed.step), item)
            self._absorb(key, part, item)

    def _mix(self, key: Var, value: V) -> None:
        mixed = (key.get() ^ value) * (FACTOR - (1 << 64))
        key.set(mixed ^ (mixed >> 32))

    def _absorb_number(self, key: Var, value: V, shape: Shape) -> None:
        f = self.f
        if isinstance(shape, Int) and shape.lo >= -(1 << 31) and shape.hi < 1 << 31:
            self._mix(key, value)
            return
        rest = Var(f, init=value)
        negative, pieces, done = f.label(), f.label(), f.label()
        f.branch(value < 0, negative, pieces)
        f.place(negative)
        self._mix(key, rest.get())
        f.br(done)
        f.place(pieces)
        now = rest.get()
        self._mix(key, now & ((1 << 31) - 1))
        rest.set(now >> 31)
        f.branch(rest.get().ne(0), pieces, done)
        f.place(done)

    def _absorb_bits(self, key: Var, value: Wide) -> None:
        """31 bits at a time, as far as there are any."""
        f = self.f
        bits = 64 * value.shape.words
        last = Var(f, init=0)
        pieces: list[V] = []
        for first in range(0, bits, 31):
            word, shift = divmod(first, 64)
            piece = f.load(value.ptr, word) >> shift
            if shift > 33 and word + 1 < value.shape.words:
                piece = piece | (f.load(value.ptr, word + 1) << (64 - shift))
            piece = piece & ((1 << 31) - 1)
            pieces.append(piece)
            with f.if_(piece.ne(0)):
                last.set(len(pieces) - 1)
        for index, piece in enumerate(pieces):
            with f.if_(last.get() >= index):
                self._mix(key, piece)
