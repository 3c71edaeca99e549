"""The `Store` instruction: values within their ranges, and changes of variables as events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.expressions import Expressions
from ludwright.kernel.interpreter.pieces import EVERYONE, Pieces
from ludwright.kernel.interpreter.ranges import out_of_range
from ludwright.kernel.interpreter.run import RUN, Fn, Memory, Refused, Run, Step, fault
from ludwright.program import faults
from ludwright.program.cells import decoder, encoder
from ludwright.program.events import EventKind
from ludwright.program.ranges import misfit, which_owner, whose_range
from ludwright.program.types import NO_INT


def _of_property(program: ir.Program, variable: ir.Variable) -> Callable[[Memory, int], int]:
    """Who sees the piece that one of the values of a property belongs to."""
    viewers, first = Pieces(program).viewers, variable.first
    return lambda memory, at: viewers(memory, first + at)


def store(expressions: Expressions, instr: ir.Store, following: int) -> Step:
    """Compile a store; `following` is the next instruction."""
    program, addr, variable = expressions.program, instr.addr, instr.variable
    value = _fitting(expressions, instr)
    index = expressions.expr(instr.index) if instr.index is not None else lambda memory: 0
    read, write = decoder(instr.type), encoder(instr.type)
    viewers: Callable[[Memory, int], int] = lambda memory, at: EVERYONE  # noqa: E731
    if variable >= 0 and program.variables[variable].scope == "piece":
        viewers = _of_property(program, program.variables[variable])

    def to_register(memory: Memory) -> int:
        memory[addr] = value(memory)
        return following

    first = which_owner(program, instr) if instr.index is None else 0

    def to_cells(memory: Memory) -> int:
        at = index(memory)
        new = value(memory)
        if instr.index is not None:
            _check_index(program, instr, at)
        cell = addr + at * instr.stride
        at += first
        if variable >= 0 and (old := read(memory, cell)) != new:
            memory[ir.LOG] += 1
            run: Run = memory[RUN]
            if run.events is not None:
                run.events.append((EventKind.CHANGED, variable, at, old, new, viewers(memory, at)))
        write(memory, cell, new)
        return following

    return to_cells if addr < program.cells else to_register


def _check_index(program: ir.Program, instr: ir.Store, at: int) -> None:
    if at < 0:
        raise fault(program, faults.NOTHING_TO_CHANGE, instr.site)
    if at >= instr.size:
        raise fault(program, faults.index_outside(at, instr.size - 1), instr.site)


def _fitting(expressions: Expressions, instr: ir.Store) -> Fn:
    """The value to store, within its range."""
    value, program = expressions.expr(instr.value), expressions.program
    type_, site, overflow = instr.type, instr.site, instr.overflow
    wrong_in = misfit(program.world, type_, declared=instr.variable >= 0)
    whose, first = whose_range(instr), which_owner(program, instr)
    index = expressions.expr(instr.index) if instr.index is not None else lambda memory: first

    def bounded(memory: Memory) -> int:
        found: int = value(memory)
        if type_.lo <= found <= type_.hi or (type_.optional and found == NO_INT):
            return found
        if overflow == "clamp":
            return type_.lo if found < type_.lo else type_.hi
        raise Refused(faults.refused_number(found, type_.lo, type_.hi), site)

    def checked(memory: Memory) -> Any:
        found = value(memory)
        if type_.kind == "list" and len(found) > type_.cap:
            raise fault(program, faults.list_too_long(len(found), type_.cap), site)
        wrong = wrong_in(found) if wrong_in is not None else None
        if wrong is not None:
            raise out_of_range(program, site, wrong, whose, index(memory))
        return found

    if type_.kind == "bool":
        return lambda memory: int(value(memory))
    return bounded if type_.kind == "int" and overflow != "fault" else checked
