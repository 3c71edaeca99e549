"""Values that leave their range, and lists too long: what is put into cells must fit them."""

from __future__ import annotations

from typing import NamedTuple

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int, Lst, Shape, Tup
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.llvm.builder import Operand
from ludwright.native.codegen.state.values import Value, Wide, read, to_list
from ludwright.program import faults
from ludwright.program.faults import FIRST_NUMBER
from ludwright.program.ranges import Limits, limits, which_owner, whose_range
from ludwright.program.types import Type


def ranged(body: Body, instr: ir.Store, index: Operand | None) -> Value:
    """The value to store, checked against its type; `index`: which of a variable's values it is."""
    type_, value = instr.type, body.expr(instr.value)
    if type_.kind == "list":
        value = _short_enough(body, value, type_, instr.site)
    if isinstance(value, Wide):
        shape = value.shape
    elif type_.is_scalar:
        value, shape = value.i64(), body.bounds(instr.value)
        if type_.kind == "int" and instr.overflow != "fault":
            return _bounded(body, instr, value, shape)
    else:
        return value  # a set, or none
    program = body.program
    told = Told(whose_range(instr), which_owner(program, instr) if index is None else index)
    inside(body, value, shape, type_, instr.site, declared=instr.variable >= 0, told=told)
    return value


def _bounded(body: Body, instr: ir.Store, number: Operand, shape: Int) -> Operand:
    """A number that is clamped, or refused, outside its range."""
    f, type_ = body.f, instr.type
    limit = limits(body.program.world, type_, declared=True)
    assert limit is not None
    if _within(shape, limit):
        return number
    if instr.overflow == "refuse":
        error = f.errors.refusal(
            faults.refused_number(FIRST_NUMBER, limit.lo, limit.hi), instr.site
        )
        f.check(_fits(number, limit), error, number)
        return number
    clamped = f.select(number < type_.lo, type_.lo, f.value(type_.hi))
    return f.select(_fits(number, limit), number, clamped)


def _short_enough(body: Body, value: Value, type_: Type, site: int) -> Wide:
    f = body.f
    listed = to_list(value)
    assert isinstance(listed.shape, Lst)
    if listed.shape.cap > type_.cap:
        length = f.load(listed.ptr)
        error = f.errors.fault(faults.list_too_long(FIRST_NUMBER, type_.cap), site)
        f.check(length <= type_.cap, error, length)
    return listed


class Told(NamedTuple):
    """What the fault says of a variable."""

    whose: str
    owner: Operand | int


NOTHING_TOLD = Told("", 0)


def inside(
    body: Body, value: Value, shape: Shape, type_: Type, site: int, declared: bool = False,
    told: Told = NOTHING_TOLD,
) -> None:  # fmt: skip
    """A fault at the first part of a value that is outside its range. `declared`: the type is what
    a rulebook says, not what the compiler has found out."""
    f = body.f
    if _sure(body, shape, type_, declared):
        return
    if isinstance(value, Operand):
        limit = limits(body.program.world, type_, declared)
        assert limit is not None
        number = value.i64()
        trouble = faults.Trouble(limit.trouble.code, limit.trouble.reason + told.whose)
        f.check(_fits(number, limit), f.errors.fault(trouble, site), number, told.owner)
    elif isinstance(shape, Lst) and shape.item is not None:
        first, item = f.gep(value.ptr, 1), shape.item
        with f.for_range(0, f.load(value.ptr)) as index:
            part = read(f.gep(first, index * shape.step), item)
            inside(body, part, item, type_.items[0], site, declared)
    elif isinstance(shape, Tup) and shape.optional:
        with f.if_(f.load(value.ptr).ne(0)):
            _items(body, value, shape, type_, site, declared)
    elif isinstance(shape, Tup):
        _items(body, value, shape, type_, site, declared)


def _items(body: Body, value: Wide, shape: Tup, type_: Type, site: int, declared: bool) -> None:
    for number, (item, wanted) in enumerate(zip(shape.items, type_.items, strict=True)):
        part = read(body.f.gep(value.ptr, shape.offset(number)), item)
        inside(body, part, item, wanted, site, declared)


def _sure(body: Body, shape: Shape, type_: Type, declared: bool) -> bool:
    """Whether every part is known to be in range."""
    if type_.kind == "list" and isinstance(shape, Lst):
        return shape.item is None or _sure(body, shape.item, type_.items[0], declared)
    if type_.kind == "tuple" and isinstance(shape, Tup):
        pairs = zip(shape.items, type_.items, strict=True)
        return all(_sure(body, item, wanted, declared) for item, wanted in pairs)
    limit = limits(body.program.world, type_, declared)
    return limit is None or not isinstance(shape, Int) or _within(shape, limit)


def _within(shape: Int, limit: Limits) -> bool:
    low = shape.lo
    if limit.none is not None and low == limit.none and limit.none == limit.lo - 1:
        low = limit.lo
    return limit.lo <= low and shape.hi <= limit.hi


def _fits(number: Operand, limit: Limits) -> Operand:
    fits = (number >= limit.lo) & (number <= limit.hi)
    return fits | number.eq(limit.none) if limit.none is not None else fits
