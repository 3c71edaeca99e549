"""Counting work, and ending a run that somebody wants to end.

Every loop of instructions costs ticks, as in the interpreter. Now and then a run asks whether it is
to go on: after many ticks, at every node of a search, at every state of a batch. A caller in
another thread says so in `HALT_NOW`. Where the caller's own thread runs native code, Python is
asked whether a signal handler (Ctrl-C) has raised something, for which the run takes the
interpreter's lock for a moment.

Runs that hold that lock from end to end (`fastcall`, `talking`) never ask: a signal handler, or
another thread that it lets in, might use their context. If they last, they end instead, and what
was asked of them goes the way of all games. Only this depends on the clock, and no result does.
"""

from __future__ import annotations

import sys

from ludwright.native import layout
from ludwright.native.builder import F, V
from ludwright.native.module import Module

ASKED_AFTER = 1024  # ticks
_TICKS_COST = 4  # questions that these ticks count for
QUESTIONS = 16  # between two looks at the clock
_CLOCKS_PER_SECOND = 1_000 if sys.platform == "win32" else 1_000_000  # of C's `clock`
_LONG = _CLOCKS_PER_SECOND // 10


def add_ticking(module: Module) -> None:
    _halted(module)


def _halted(module: Module) -> None:
    """`halted`: whether a run that has asked a few times has to end here."""
    f = F(
        "halted", "i1", (("ptr", "ctx"),), module.errors, on_fail="unreachable",
        attributes="cold noinline nounwind",
    )  # fmt: skip
    words = f.ctx_ptr(layout.HALT)
    with f.if_(f.emit(f"load volatile i64, ptr {words.text}").ne(0)):
        f.ret(V(f, "true", "i1"))
    f.store(words, layout.HALT_LEFT, QUESTIONS)
    now, since = f.emit("call i64 @clock()"), f.load(words, layout.HALT_SINCE)
    with f.if_(since.eq(0)):
        f.store(words, layout.HALT_SINCE, now)
        f.ret(V(f, "false", "i1"))
    # its highest bits may be anything, where it has fewer of them
    with f.if_(((now - since) & 0x7FFFFFFF) < _LONG):
        f.ret(V(f, "false", "i1"))
    with f.if_(f.load(words, layout.HALT_ASK).eq(0)):
        f.ret(V(f, "true", "i1"))
    f.store(words, layout.HALT_SINCE, now)
    lock = f.emit("call i32 @PyGILState_Ensure()", "i32")
    raised = f.emit("call i32 @PyErr_CheckSignals()", "i32")
    stop = f.icmp("ne", raised, f.value(0, "i32"))
    with f.if_(stop):
        what = [f.gep(words, layout.HALT_RAISED + at) for at in range(3)]
        f.call("void", "PyErr_Fetch", *what)
    f.do(f"call void @PyGILState_Release(i32 {lock.text})")
    f.ret(stop)
    module.add(f)


def leave_if_halted(f: F, broken: str, cost: int = 1) -> None:
    """Go to a label, the error noted, if the run has to end."""
    words = f.ctx_ptr(layout.HALT)
    now = f.emit(f"load volatile i64, ptr {words.text}")
    left = f.load(words, layout.HALT_LEFT) - cost
    f.store(words, layout.HALT_LEFT, left)
    ask, halted, go = f.label(), f.label(), f.label()
    f.branch(now.ne(0) | (left < 0), ask, go, likely=False)
    f.place(ask)
    f.branch(f.emit("call i1 @halted(ptr %ctx)", "i1"), halted, go, likely=False)
    f.place(halted)
    error = f.errors.engine("halted", "stopped by the caller")
    f.call("void", "fail", f.context, f.value(error), f.value(0), f.value(0))
    f.br(broken)
    f.place(go)


def tick(f: F, site: int, amount: int = 1) -> None:
    """Count work; a fault where there has been too much of it."""
    before = f.ctx(layout.TICKS_LEFT)
    left = before - amount
    f.set_ctx(layout.TICKS_LEFT, left)
    # One test for both: a number below 0 differs from one above in its highest bit.
    with f.if_((before ^ left).below(ASKED_AFTER).not_(), likely=False):
        error = f.errors.fault("ticks", site, "this goes on and on without a decision")
        f.check(left >= 0, error)
        leave_if_halted(f, f.passed_on(), _TICKS_COST)
