"""Choices of many: what may be picked next, given what has been picked so far."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import Shape
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.expressions.comparison import equal
from ludwright.native.codegen.llvm.builder import Label, Operand, Var
from ludwright.native.codegen.state.cells import decode
from ludwright.native.codegen.state.pieces import PieceCode
from ludwright.native.codegen.state.values import (
    Value,
    Wide,
    bit_of,
    element,
    length,
    number,
    read,
    write,
)


class Picks:
    """The picks of one choice.

    `domain` holds all that could ever be picked, `size` of them; `follows` marks the pieces that
    come behind one they are alike.
    """

    def __init__(
        self, b: Body, choice: ir.Choice, shape: Shape, domain: Operand, follows: Operand | None,
        size: Operand,
    ) -> None:  # fmt: skip
        self.b, self.f, self.choice = b, b.f, choice
        self.shape, self.domain, self.follows, self.size = shape, domain, follows, size
        at: Operand | int = choice.result
        if choice.together:
            at = b.f.param("seat") * choice.result_type.width + choice.result
        self._low, self._high = self._limits()
        self.picked = decode(b.f, choice.result_type, at)

    def _limits(self) -> tuple[Operand, Operand]:
        """How many must and how many may be picked."""
        b, f, choice = self.b, self.f, self.choice
        low = f.value(0) if choice.minimum is None else b.num(choice.minimum)
        if choice.maximum is not None:
            high = b.num(choice.maximum)
        else:
            high = f.value(choice.result_type.cap) if choice.repeats else self.size
        if not choice.repeats:
            high = f.smin(high, self.size)
        if choice.as_many:
            low = f.select(self.size > 0, high, 0)
        return low, high

    def list_options(self) -> Operand:
        """Write what may be picked next to the buffer of answers; how many that are."""
        f, choice, size, low, high = self.f, self.choice, self.size, self._low, self._high
        count = length(self.picked)
        f.ctx[layout.MINIMUM] = low
        f.ctx[layout.MAXIMUM] = f.smax(high, 0)
        f.ctx[layout.CAN_STOP] = count >= low
        f.ctx[layout.DECLINE] = 0
        found, answers = Var(f, init=0), f.ctx[layout.ANSWERS]
        with f.if_((count < high) & (low <= high) & (size > 0)):
            first, end = f.value(0), size
            if not choice.sequence:
                last = self._last()
                first = f.smax(last, 0) if choice.repeats else last + 1
                if not choice.repeats:
                    # enough must be left behind it to reach the minimum
                    end = f.smin(size, size + count - low + 1)
            with f.for_range(first, end) as at, f.block() as skip:
                if not choice.repeats:
                    self._leave_unless_open(at, skip)
                to = f.gep(answers, found.get() * self.shape.words)
                write(to, self.shape, self._option(at))
                found.add(1)
        return found.get()

    def _option(self, at: Operand) -> Value:
        """An element of the domain by its position."""
        return read(self.f.gep(self.domain, at * self.shape.words), self.shape)

    def _taken(self, option: Value) -> Operand:
        """Whether an element of the domain has been picked."""
        f, picked = self.f, self.picked
        if self.choice.result_type.kind == "set":
            offset = number(option) - self.choice.result_type.items[0].lo
            if isinstance(picked, Operand):
                return ((picked >> offset) & 1).ne(0)
            return bit_of(picked.ptr, offset)
        assert isinstance(picked, Wide)
        found = Var(f, "i1", 0)
        with (
            f.block() as out,
            f.for_range(0, f.load(picked.ptr)) as at,
            f.if_(equal(element(picked, at), option)),
        ):
            found.set(1)
            f.br(out)
        return found.get()

    def _last(self) -> Operand:
        """The position of the last element of the domain that has been picked, or -1."""
        f = self.f
        last = Var(f, init=-1)
        with f.for_range(0, self.size) as at:
            last.set(f.select(self._taken(self._option(at)), at, last.get()))
        return last.get()

    def _leave_unless_open(self, at: Operand, skip: Label) -> None:
        """Of pieces that are alike, the first one left is picked."""
        f = self.f
        if self.choice.sequence:
            f.leave_if(self._taken(self._option(at)), skip)
        if self.follows is not None:
            with f.if_(f.load(self.follows, at).ne(0)):
                f.leave_unless(self._taken(self._option(at - 1)), skip)


def group_alike(pieces: PieceCode, domain: Operand, follows: Operand, size: Operand) -> None:
    """Bring pieces that are alike together, ascending, where the first of them stands."""
    f = domain.f
    with f.for_range(0, size) as at:
        f.store(follows, at, 0)
    start = Var(f, init=0)
    with f.while_(lambda: start.get() < size):
        base = start.get()
        end = Var(f, init=base + 1)
        with f.for_range(base + 1, size) as at:
            piece = f.load(domain, at)
            with f.if_(pieces.alike(f, piece, f.load(domain, base))):
                # shift those in between up by one, and put it in order behind its like
                place = Var(f, init=at)
                with f.while_(lambda: place.get() > end.get()):
                    f.store(domain, place.get(), f.load(domain, place.get() - 1))
                    place.add(-1)
                with f.loop() as found:
                    f.leave_if(place.get() <= base, found)
                    other = f.load(domain, place.get() - 1)
                    f.leave_unless(other > piece, found)
                    f.store(domain, place.get(), other)
                    place.add(-1)
                f.store(domain, place.get(), piece)
                f.store(follows, end.get(), 1)
                end.add(1)
        start.set(end.get())
