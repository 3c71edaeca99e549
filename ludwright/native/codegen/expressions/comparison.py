"""Comparing values: numbers, sets, tuples and lists."""

from __future__ import annotations

from ludwright.native.analysis.shapes import Bits, Lst, Tup
from ludwright.native.codegen.llvm.builder import Operand, Var
from ludwright.native.codegen.state.values import Value, Wide, element, item, to_bits, to_list
from ludwright.native.errors import NativeUnsupported


def equal(left: Value, right: Value) -> Operand:
    if isinstance(left, Operand) and isinstance(right, Operand):
        return left.i64().eq(right.i64())
    if isinstance(left, Operand):
        left, right = right, left
    assert isinstance(left, Wide)
    f, shape = left.ptr.f, left.shape
    if isinstance(right, Operand):
        if isinstance(shape, Bits):
            return _equal_bits(left, to_bits(f, right, shape.words))
        if isinstance(shape, Tup) and shape.optional:
            return f.load(left.ptr).eq(0) & right.i64().eq(-1)
        return f.false
    if isinstance(shape, Bits) and isinstance(right.shape, Bits):
        words = max(shape.words, right.shape.words)
        return _equal_bits(to_bits(f, left, words), to_bits(f, right, words))
    if isinstance(shape, Tup) and isinstance(right.shape, Tup):
        if len(shape.items) != len(right.shape.items):
            return f.false
        return _equal_tuples(left, shape, right, right.shape)
    return _order_lists(to_list(left), to_list(right)).eq(0)


def _equal_bits(left: Wide, right: Wide) -> Operand:
    f = left.ptr.f
    differences = [
        f.load(left.ptr, word) ^ f.load(right.ptr, word)
        for word in range(min(left.shape.words, right.shape.words))
    ]
    total = differences[0]
    for difference in differences[1:]:
        total = total | difference
    return total.eq(0)


def _equal_tuples(left: Wide, a: Tup, right: Wide, b: Tup) -> Operand:
    f = left.ptr.f
    result = f.true
    if a.optional or b.optional:
        one = f.load(left.ptr) if a.optional else f.value(1)
        two = f.load(right.ptr) if b.optional else f.value(1)
        result = one.eq(two)
    for index in range(len(a.items)):
        result = result & equal(item(left, index), item(right, index))
    return result


def order(left: Value, right: Value) -> Operand:
    """-1, 0 or 1."""
    if isinstance(left, Operand) and isinstance(right, Operand):
        a, b = left.i64(), right.i64()
        return (a > b).i64() - (a < b).i64()
    if isinstance(left, Wide) and isinstance(right, Wide):
        if isinstance(left.shape, Tup) and isinstance(right.shape, Tup):
            return _order_tuples(left, left.shape, right, right.shape)
        if not isinstance(left.shape, Bits) and not isinstance(right.shape, Bits):
            return _order_lists(to_list(left), to_list(right))
    return _order_bits(left, right)


def _order_bits(left: Value, right: Value) -> Operand:
    wide = [value for value in (left, right) if isinstance(value, Wide)]
    f, words = wide[0].ptr.f, max(value.shape.words for value in wide)
    one, two = to_bits(f, left, words), to_bits(f, right, words)
    result = Var(f, init=0)
    for word in range(words):
        a, b = f.load(one.ptr, word), f.load(two.ptr, word)
        with f.if_(a.ne(b)):
            result.set(f.select(a.below(b), -1, 1))
    return result.get()


def _order_tuples(left: Wide, a: Tup, right: Wide, b: Tup) -> Operand:
    f = left.ptr.f
    if a.optional or b.optional:
        raise NativeUnsupported("the order of tuples that may be none")
    result = Var(f, init=0)
    with f.block() as done:
        for index in range(min(len(a.items), len(b.items))):
            found = order(item(left, index), item(right, index))
            result.set(found)
            f.leave_if(found.ne(0), done)
        if len(a.items) != len(b.items):
            result.set(1 if len(a.items) > len(b.items) else -1)
    return result.get()


def _order_lists(left: Wide, right: Wide) -> Operand:
    f = left.ptr.f
    a, b = left.shape, right.shape
    assert isinstance(a, Lst)
    assert isinstance(b, Lst)
    one, two = f.load(left.ptr), f.load(right.ptr)
    result = Var(f, init=order(one, two))
    if a.item is None or b.item is None:
        return result.get()
    with f.block() as done, f.for_range(0, f.smin(one, two)) as at:
        found = order(element(left, at), element(right, at))
        with f.if_(found.ne(0)):
            result.set(found)
            f.br(done)
    return result.get()
