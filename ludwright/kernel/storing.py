"""The `Store` instruction: ranges kept, changes noted, the plainest stores made cheap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludwright.kernel import program as ir
from ludwright.kernel.context import RUN, Cells, Fn, Refused, Run, Step, fault
from ludwright.kernel.expressions import Expressions
from ludwright.kernel.pieces import EVERYONE, Pieces
from ludwright.kernel.storage import decoder, encoder
from ludwright.kernel.types import NO_INT


def store(expressions: Expressions, instr: ir.Store, following: int) -> Step:
    """Compile a store; `following` is the next instruction."""
    value = _ranged(expressions, instr)
    if instr.index is not None:
        return _indexed(expressions, instr, value, following)
    addr = instr.addr
    if addr >= expressions.program.cells:

        def to_register(S: Cells) -> int:
            S[addr] = value(S)
            return following

        return to_register
    if instr.type.is_scalar:
        if instr.variable < 0:

            def to_local(S: Cells) -> int:
                S[addr] = value(S)
                return following

            return to_local
        variable = instr.variable

        def to_variable(S: Cells) -> int:
            new = value(S)
            old = S[addr]
            if new != old:
                S[addr] = new
                S[ir.LOG] += 1
                run: Run = S[RUN]
                if run.events is not None:
                    run.events.append(("changed", variable, 0, old, new, EVERYONE))
            return following

        return to_variable
    return _wide(instr, value, following)


def _wide(instr: ir.Store, value: Fn, following: int) -> Step:
    addr, variable = instr.addr, instr.variable
    read, write = decoder(instr.type), encoder(instr.type)

    def to_cells(S: Cells) -> int:
        new = value(S)
        if variable >= 0:
            _note(S, variable, 0, read(S, addr), new, _everyone)
        write(S, addr, new)
        return following

    return to_cells


def _indexed(expressions: Expressions, instr: ir.Store, value: Fn, following: int) -> Step:
    assert instr.index is not None
    index = expressions.expr(instr.index)
    addr, stride, size, variable, site = (
        instr.addr, instr.stride, instr.size, instr.variable, instr.site,
    )  # fmt: skip
    read, write = decoder(instr.type), encoder(instr.type)
    program = expressions.program
    scalar = instr.type.is_scalar
    viewers: Callable[[Cells, int], int] = _everyone
    if variable >= 0 and program.variables[variable].scope == "piece":
        viewers = Pieces(program).viewers

    def to_element(S: Cells) -> int:
        at = index(S)
        new = value(S)
        if not 0 <= at < size:
            if at < 0:
                raise fault(program, "none", site, "there is nothing here to change")
            raise fault(program, "range", site, f"index {at} is outside 0..{size - 1}")
        cell = addr + at * stride
        if scalar:
            if variable >= 0:
                _note(S, variable, at, S[cell], new, viewers)
            S[cell] = new
        else:
            if variable >= 0:
                _note(S, variable, at, read(S, cell), new, viewers)
            write(S, cell, new)
        return following

    return to_element


def _note(
    S: Cells, variable: int, index: int, old: Any, new: Any, viewers: Callable[[Cells, int], int]
) -> None:
    if old != new:
        S[ir.LOG] += 1
        run: Run = S[RUN]
        if run.events is not None:
            run.events.append(("changed", variable, index, old, new, viewers(S, index)))


def _everyone(S: Cells, index: int) -> int:
    return EVERYONE


def _ranged(expressions: Expressions, instr: ir.Store) -> Fn:
    """The value to store, within its range."""
    value = expressions.expr(instr.value)
    type_, site, program = instr.type, instr.site, expressions.program
    if type_.kind == "bool":
        if isinstance(instr.value, ir.Const | ir.Load):
            return value
        return lambda S: int(value(S))
    if type_.kind == "list":
        return _short_enough(program, value, type_.cap, site)
    if type_.kind != "int" or _fits(expressions, instr):
        return value
    lo, hi, overflow, optional = type_.lo, type_.hi, instr.overflow, type_.optional

    def ranged(S: Cells) -> int:
        number: int = value(S)
        if lo <= number <= hi or (optional and number == NO_INT):
            return number
        if overflow == "clamp":
            return lo if number < lo else hi
        if overflow == "refuse":
            raise Refused(site, "out-of-range", f"{number} is outside {lo}..{hi}")
        raise fault(program, "range", site, f"{number} is outside {lo}..{hi}")

    return ranged


def _fits(expressions: Expressions, instr: ir.Store) -> bool:
    """A constant inside the range needs no check at run time."""
    if isinstance(instr.value, ir.Const) and isinstance(instr.value.value, int):
        return instr.type.lo <= instr.value.value <= instr.type.hi
    return False


def _short_enough(program: ir.Program, value: Fn, cap: int, site: int) -> Fn:
    def listed(S: Cells) -> Any:
        items = value(S)
        if len(items) > cap:
            raise fault(program, "range", site, f"a list of {len(items)} where {cap} fit")
        return items

    return listed
