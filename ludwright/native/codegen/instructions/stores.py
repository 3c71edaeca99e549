"""The `Store` and `Zero` instructions: values within their ranges, changes as events."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.kernel.interpreter.pieces import EVERYONE
from ludwright.native.analysis.shapes import CELL, Int, Shape, of_type
from ludwright.native.codegen.expressions.comparison import equal
from ludwright.native.codegen.instructions.piece_moves import seen_by
from ludwright.native.codegen.instructions.ranges import ranged
from ludwright.native.codegen.instructions.segment import Segment
from ludwright.native.codegen.llvm.builder import Operand
from ludwright.native.codegen.state.cells import decode, encode
from ludwright.native.codegen.state.facts import property_changed
from ludwright.native.codegen.state.values import Value, number
from ludwright.program import faults
from ludwright.program.events import EventKind


def store(s: Segment, instr: ir.Store) -> None:
    f, body = s.f, s.body
    index = body.num(instr.index) if instr.index is not None else None
    value = ranged(body, instr, index)
    if index is None:
        if instr.addr >= s.program.cells:
            body.put_register(instr.addr, value)
            return
        at = f.value(instr.addr)
    else:
        assert instr.index is not None
        _check_target(s, instr, index, body.bounds(instr.index))
        at = index * instr.stride + instr.addr
    if instr.variable >= 0:
        if instr.type.is_scalar:
            old, new = f.cell(at), number(value)
            _note_change(s, instr, index, old.ne(new), old, new, CELL)
        else:
            before = decode(f, instr.type, at)
            changed = ~equal(before, value)
            _note_change(s, instr, index, changed, before, value, of_type(instr.type))
    encode(f, instr.type, at, value)
    property_changed(s.module, f, instr.addr, index)


def _note_change(
    s: Segment, instr: ir.Store, index: Operand | None, changed: Operand, old: Value, new: Value,
    shape: Shape,
) -> None:  # fmt: skip
    f = s.f
    s.log(changed.i64())
    if s.events.on:
        with f.if_(changed):
            viewers = f.value(EVERYONE)
            variable = s.program.variables[instr.variable]
            at = f.value((instr.addr - variable.addr) // instr.type.width)
            at = at if index is None else index
            if variable.scope == "piece":
                viewers = seen_by(s, at + variable.first)
            s.events.note(
                EventKind.CHANGED, instr.variable, at, (old, shape), (new, shape), viewers
            )


def _check_target(s: Segment, instr: ir.Store, index: Operand, bounds: Int) -> None:
    f = s.f
    if bounds.lo < 0:
        error = f.errors.fault(faults.NOTHING_TO_CHANGE, instr.site)
        f.check(index >= 0, error)
    s.body.check_index(index, bounds, instr.size, instr.site)


def zero(s: Segment, addr: int, count: int) -> None:
    if addr < s.program.cells:
        s.clear(addr, count)
        return
    for register in range(addr, addr + count):
        if isinstance(s.module.shapes.registers.get(register, Int()), Int):
            s.body.put_register(register, s.f.value(0))
