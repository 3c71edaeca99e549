"""Counting work, and ending a run that somebody wants to end.

Every loop of instructions costs ticks, as in the interpreter. Now and then a run asks whether it is
to go on: after many ticks, at every node of a search, at every state of a batch. A caller in
another thread says so in `HALT_NOW`. Where the caller's own thread runs native code, Python is
asked whether a signal handler (Ctrl-C) has raised something; for that the run takes the
interpreter's lock for a moment.

Runs that hold that lock from end to end (`native.python`) never ask: a signal handler, or another
thread that it lets in, might use their context. If they last, they end instead, and the kernel does
what was asked of them. Only this depends on the clock, and no result does.
"""

from __future__ import annotations

import sys

from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Words
from ludwright.native.codegen.llvm.module import Module
from ludwright.program import faults

ASKED_AFTER = 1024  # ticks
_TICKS_COST = 4  # questions that these ticks count for
QUESTIONS = 16  # between two looks at the clock
_CLOCKS_PER_SECOND = 1_000 if sys.platform == "win32" else 1_000_000  # of C's `clock`
HALTED = ("halted", "stopped by the caller")  # the error
_PATIENCE = _CLOCKS_PER_SECOND // 10  # before a run asks Python, or ends


def add_halted(module: Module) -> None:
    """`halted`: whether a run that has asked a few times has to end here."""
    with module.function("halted", "i1", "ptr ctx", cold=True) as f:
        halt = Words(f.ctx[layout.HALT])
        with f.if_(halt_wanted(f)):
            f.ret(1)
        halt[layout.HALT_LEFT] = QUESTIONS
        now, since = f.call("i64", "clock"), halt[layout.HALT_SINCE]
        with f.if_(since.eq(0)):
            halt[layout.HALT_SINCE] = now
            f.ret(0)
        # its highest bits may be anything, where it has fewer of them
        with f.if_(((now - since) & 0x7FFFFFFF) < _PATIENCE):
            f.ret(0)
        with f.if_(halt[layout.HALT_ASK].eq(0)):
            f.ret(1)
        halt[layout.HALT_SINCE] = now
        lock = f.call("i32", "PyGILState_Ensure")
        stop = f.call("i32", "PyErr_CheckSignals").ne(0)
        with f.if_(stop):
            raised = [f.gep(halt.base, layout.HALT_RAISED + at) for at in range(3)]
            f.call("void", "PyErr_Fetch", *raised)
        f.call("void", "PyGILState_Release", lock)
        f.ret(stop)


def add_pause(module: Module) -> None:
    """`pause`: after many ticks, whether the run has to end here; the error is noted then."""
    with module.function("pause", "i1", "ptr ctx", cold=True) as f:
        with f.block() as broken:
            leave_if_halted(f, broken, _TICKS_COST)
            f.ret(0)
        f.ret(1)


def halt_wanted(f: Function) -> Operand:
    """Whether the caller wants a run to end."""
    return f.emit(f"load volatile i64, ptr {f.ctx[layout.HALT].text}").ne(0)


def leave_if_halted(f: Function, broken: Label, cost: int = 1) -> None:
    """Go to a label, the error noted, if the run has to end."""
    halt = Words(f.ctx[layout.HALT])
    wanted = halt_wanted(f)
    left = halt[layout.HALT_LEFT] - cost
    halt[layout.HALT_LEFT] = left
    with (
        f.if_(wanted | (left < 0), likely=False),
        f.if_(f.call("i1", "halted", f.context), likely=False),
    ):
        note_error(f, f.context, f.errors.engine(*HALTED))
        f.br(broken)


def is_refusal(noted: Operand) -> Operand:
    """Whether the error in a slot is a refusal: the slot holds the number plus one."""
    return (noted & 1).ne(0)


def note_error(f: Function, context: Operand, error: Operand | int) -> None:
    f.call("void", "fail", context, error, 0, 0)


def tick(f: Function, site: int, amount: int = 1) -> None:
    """Count work; a fault where there has been too much of it."""
    before = f.ctx[layout.TICKS_LEFT]
    left = before - amount
    f.ctx[layout.TICKS_LEFT] = left
    # One test for both: a number below 0 differs from one above in its highest bit.
    with f.if_(~(before ^ left).below(ASKED_AFTER), likely=False):
        error = f.errors.fault(faults.TICKS, site)
        f.check(left >= 0, error)
        f.leave_if(f.call("i1", "pause", f.context), f.passed_on(), likely=False)
