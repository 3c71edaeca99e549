"""Keys of positions, natively: the same numbers as `program.position_key`."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.analysis.shapes import Bits, Int, Lst, Shape, Tup
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.llvm.builder import Operand, Var
from ludwright.native.codegen.state.cells import bits_from
from ludwright.native.codegen.state.values import Value, Wide, element, item
from ludwright.native.errors import NativeUnsupported
from ludwright.program.position_key import FACTOR

_BITS = 31  # of a number that are absorbed at once


def times(b: Body, node: ir.Times) -> Operand:
    """How often the position has been recorded."""
    f = b.f
    history = b.program.histories[node.history]
    low, high = (Var(f, init=half) for half in position_key(b, node.history))
    total = Var(f, init=0)
    with f.for_range(0, f.smin(f.cell(history.addr), history.keep)) as at:
        cell = at * 2 + (history.addr + 1)
        same = f.cell(cell).eq(low.get()) & f.cell(cell + 1).eq(high.get())
        total.set(total.get() + same.i64())
    return total.get()


def position_key(b: Body, history: int) -> tuple[Operand, Operand]:
    """The key of the position for a history, as two cells: see `program.position_key`."""
    f = b.f
    key = Var(f, init=0)
    for value in b.program.histories[history].values:
        _absorb(key, b.expr(value), b.shape(value))
    mixed = f.call("i64", "mix", key.get())
    low = f.emit(f"trunc i64 {mixed.text} to i32", "i32")
    return f.emit(f"sext i32 {low.text} to i64"), f.emit(f"ashr i64 {mixed.text}, 32")


def _absorb(key: Var, value: Value, shape: Shape) -> None:
    f = key.f
    if isinstance(value, Operand):
        _absorb_number(key, value.i64(), shape)
        return
    given = value.shape
    if isinstance(given, Bits):
        _absorb_bits(key, value)
    elif isinstance(given, Tup):
        if given.optional:
            raise NativeUnsupported("a tuple that may be none in a history")
        _mix(key, f.value(len(given.items)))
        for index, inner in enumerate(given.items):
            _absorb(key, item(value, index), inner)
    else:
        assert isinstance(given, Lst)
        _mix(key, f.load(value.ptr))
        if given.item is not None:
            with f.for_range(0, f.load(value.ptr)) as at:
                _absorb(key, element(value, at), given.item)


def _mix(key: Var, value: Operand) -> None:
    mixed = (key.get() ^ value) * (FACTOR - (1 << 64))
    key.set(mixed ^ (mixed >> 32))


def _absorb_number(key: Var, value: Operand, shape: Shape) -> None:
    f = key.f
    if isinstance(shape, Int) and shape.lo >= -(1 << _BITS) and shape.hi < 1 << _BITS:
        _mix(key, value)
        return
    rest = Var(f, init=value)
    with f.if_(value < 0):
        _mix(key, rest.get())
    with f.else_(), f.loop() as out:
        now = rest.get()
        _mix(key, now & ((1 << _BITS) - 1))
        rest.set(now >> _BITS)
        f.leave_if(rest.get().eq(0), out)


def _absorb_bits(key: Var, value: Wide) -> None:
    """31 bits at a time, up to the last that is set."""
    f = key.f
    last = Var(f, init=0)
    parts = [bits_from(f, value, first) for first in range(0, 64 * value.shape.words, _BITS)]
    for index, part in enumerate(parts):
        with f.if_(part.ne(0)):
            last.set(index)
    for index, part in enumerate(parts):
        with f.if_(last.get() >= index):
            _mix(key, part)
