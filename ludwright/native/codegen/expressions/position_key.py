"""Keys of positions, natively: the same numbers as `program.position_key`."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.analysis.shapes import Bits, Lst, Tup
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.llvm.builder import Operand, Var
from ludwright.native.codegen.state.values import Value, Wide, element, item
from ludwright.native.errors import NativeUnsupported
from ludwright.program.position_key import FACTOR, ONWARD, START


def times(b: Body, node: ir.Times) -> Operand:
    """How often the position has been recorded."""
    f = b.f
    history = b.program.histories[node.history]
    key, total = Var(f, init=position_key(b, node.history)), Var(f, init=0)
    recorded = f.gep(f.state, history.addr + 1, "i32")
    with f.for_range(0, f.smin(f.cell(history.addr), history.keep)) as at:
        two_cells = f.gep(recorded, at)
        same = f.emit(f"load i64, ptr {two_cells.text}, align 4").eq(key.get())
        total.set(total.get() + same.i64())
    return total.get()


def position_key(b: Body, history: int) -> Operand:
    """The key of the position for a history: see `program.position_key`."""
    f = b.f
    key = Var(f, init=_signed(START))
    for value in b.program.histories[history].values:
        _absorb(key, b.expr(value))
    return f.call("i64", "mix", key.get())


def _absorb(key: Var, value: Value) -> None:
    f = key.f
    if isinstance(value, Operand):
        _mix(key, value.i64())
        return
    given = value.shape
    if isinstance(given, Bits):
        _absorb_bits(key, value)
    elif isinstance(given, Tup):
        if given.optional:
            raise NativeUnsupported("a tuple that may be none in a history")
        _mix(key, f.value(len(given.items)))
        for index in range(len(given.items)):
            _absorb(key, item(value, index))
    else:
        assert isinstance(given, Lst)
        _mix(key, f.load(value.ptr))
        if given.item is not None:
            with f.for_range(0, f.load(value.ptr)) as at:
                _absorb(key, element(value, at))


def _mix(key: Var, value: Operand, factor: Operand | None = None) -> None:
    mixed = (key.get() ^ value) * (factor or key.f.value(_signed(FACTOR)))
    key.set(mixed ^ (mixed >> 32))


def _absorb_bits(key: Var, value: Wide) -> None:
    """Word by word, up to the last that is not 0."""
    f = key.f
    words = [f.load(value.ptr, at) for at in range(value.shape.words)]
    left: list[Operand] = []  # for each word, what comes after it
    for word in reversed(words[1:]):
        left.insert(0, word | left[0] if left else word)
    for at, word in enumerate(words):
        more = left[at].ne(0) if at < len(left) else f.false
        factor = f.select(more, _signed(ONWARD), _signed(FACTOR))
        if at == 0:
            _mix(key, word, factor)
            continue
        with f.if_((word if at == len(left) else word | left[at]).ne(0)):
            _mix(key, word, factor)


def _signed(number: int) -> int:
    return number - (number >> 63 << 64)
