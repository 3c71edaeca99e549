"""Counterfactual regret minimisation as machine code, over the arrays of a `GameTree`.

`improve` runs iterations of CFR+: both seats in turn follow their regrets, sums of regrets never
fall below zero, and later strategies weigh more in the average. `respond` finds what the best
answer to the average strategy of the other seat is worth.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ludwright.bots.solving.game_tree import CHANCE_NODE, END, FIRST
from ludwright.forking import making
from ludwright.native.build.llvm import Library, optimised
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var
from ludwright.native.codegen.llvm.error_table import ErrorTable
from ludwright.native.codegen.llvm.module import FOOTER, HEADER
from ludwright.native.codegen.llvm.reals import REAL, combined, constant, exceeds, real

# The arrays that both functions are given, whole numbers first.
WHOLE = ("kinds", "sets", "first_edges", "edge_counts", "children", "set_first", "set_sizes",
         "set_seats", "levels")  # fmt: skip
REALS = ("chances", "worths", "regrets", "strategy", "average", "reach0", "reach1", "reach",
         "values")  # fmt: skip
COUNTS = ("nodes", "set_count", "level_count")


@cache
def functions() -> tuple[Any, Any]:
    """`improve(arrays…, from, to)` and `respond(arrays…, seat)`."""
    improve, respond = _improve(), _respond()
    text = "\n".join([HEADER, improve.text(), respond.text(), FOOTER])
    with making:
        library = Library(optimised(text, 2), ["improve", "respond"])
    given = [ctypes.c_void_p] * (len(WHOLE) + len(REALS)) + [ctypes.c_int64] * len(COUNTS)
    words = [ctypes.c_int64] * 2
    made = ctypes.CFUNCTYPE(None, *given, *words)(library.address("improve"))
    found = ctypes.CFUNCTYPE(ctypes.c_double, *given, ctypes.c_int64)(library.address("respond"))
    made.library = found.library = library  # type: ignore[attr-defined]
    return made, found


def _function(name: str, result: str, more: Sequence[str]) -> Function:
    arrays = [f"ptr noalias {each}" for each in (*WHOLE, *REALS)]
    counts = [f"i64 {each}" for each in (*COUNTS, *more)]
    return Function(name, result, [*arrays, *counts], ErrorTable(), linkage="dso_local")


def _whole(f: Function, name: str, at: Operand | int) -> Operand:
    return f.load(f.param(name), at)


def _real(f: Function, name: str, at: Operand | int) -> Operand:
    return f.load(f.param(name), at, REAL)


def _put(f: Function, name: str, at: Operand | int, value: Operand) -> None:
    f.store(f.param(name), at, value, REAL)


def _add(f: Function, name: str, at: Operand, value: Operand) -> None:
    _put(f, name, at, combined("fadd", _real(f, name, at), value))


# ------------------------------------------------------------------ iterations


def _improve() -> Function:
    f = _function("improve", "void", ("first", "end"))
    with f.for_range(f.param("first"), f.param("end")) as number:
        for seat in (0, 1):
            _match_regrets(f)
            _reach_all(f)
            _walk_back(f, seat, real(number))
            _floor_regrets(f, seat)
    f.ret()
    return f


def _match_regrets(f: Function) -> None:
    """Every strategy is as its regrets; where there are none, all answers are alike."""
    with f.for_range(0, f.param("set_count")) as one:
        first, size = _whole(f, "set_first", one), _whole(f, "set_sizes", one)
        total = Var(f, REAL, constant(f, 0.0))
        with f.for_range(0, size) as at:
            total.set(combined("fadd", total.get(), _real(f, "regrets", first + at)))
        some = exceeds(total.get(), constant(f, 0.0))
        even = combined("fdiv", constant(f, 1.0), real(size))
        with f.for_range(0, size) as at:
            share = combined("fdiv", _real(f, "regrets", first + at), total.get())
            _put(f, "strategy", first + at, f.select(some, share, even))


def _reach_all(f: Function) -> None:
    """How likely each node is, by who brings it about."""
    for name in ("reach0", "reach1", "reach"):
        _put(f, name, 0, constant(f, 1.0))
    with f.for_range(0, f.param("nodes")) as node:
        kind, first = _whole(f, "kinds", node), _whole(f, "first_edges", node)
        start = Var(f, init=0)
        with f.if_(kind >= FIRST):
            start.set(_whole(f, "set_first", _whole(f, "sets", node)))
        with f.for_range(0, _whole(f, "edge_counts", node)) as at:
            child = _whole(f, "children", first + at)
            chance = Var(f, REAL, constant(f, 1.0))
            own = Var(f, REAL, constant(f, 1.0))
            with f.if_(kind.eq(CHANCE_NODE)):
                chance.set(_real(f, "chances", first + at))
            with f.else_():
                own.set(_real(f, "strategy", start.get() + at))
            one = constant(f, 1.0)
            zero_moves, one_moves = kind.eq(FIRST), kind.eq(FIRST + 1)
            for name, factor in (
                ("reach0", f.select(zero_moves, own.get(), one)),
                ("reach1", f.select(one_moves, own.get(), one)), ("reach", chance.get()),
            ):  # fmt: skip
                _put(f, name, child, combined("fmul", _real(f, name, node), factor))


def _walk_back(f: Function, seat: int, weight: Operand) -> None:
    """Values from the ends to the start, and the regrets of one seat on the way."""
    mine, others = f"reach{seat}", f"reach{1 - seat}"
    with f.for_range(0, f.param("nodes")) as back:
        node = f.param("nodes") - 1 - back
        kind, first = _whole(f, "kinds", node), _whole(f, "first_edges", node)
        size = _whole(f, "edge_counts", node)
        value = Var(f, REAL, constant(f, 0.0))
        with f.block() as done:
            sign = constant(f, -1.0 if seat else 1.0)
            _end_or_chance(f, node, value, done, lambda worth: combined("fmul", worth, sign))
            start = _whole(f, "set_first", _whole(f, "sets", node))
            with f.for_range(0, size) as at:
                _grow(f, value, first, at, _real(f, "strategy", start + at))
            f.leave_unless(kind.eq(FIRST + seat), done)
            reach = combined("fmul", _real(f, others, node), _real(f, "reach", node))
            own = combined("fmul", _real(f, mine, node), weight)
            with f.for_range(0, size) as at:
                child = _real(f, "values", _whole(f, "children", first + at))
                lost = combined("fsub", child, value.get())
                _add(f, "regrets", start + at, combined("fmul", reach, lost))
                played = combined("fmul", own, _real(f, "strategy", start + at))
                _add(f, "average", start + at, played)
        _put(f, "values", node, value.get())


def _end_or_chance(
    f: Function, node: Operand, value: Var, done: Label, of_seat: Callable[[Operand], Operand]
) -> None:
    """At an end, or where chance decides, set the value to a seat and leave."""
    kind, first = _whole(f, "kinds", node), _whole(f, "first_edges", node)
    with f.if_(kind.eq(END)):
        value.set(of_seat(_real(f, "worths", node)))
        f.br(done)
    with f.if_(kind.eq(CHANCE_NODE)):
        with f.for_range(0, _whole(f, "edge_counts", node)) as at:
            _grow(f, value, first, at, _real(f, "chances", first + at))
        f.br(done)


def _grow(f: Function, value: Var, first: Operand, at: Operand, share: Operand) -> None:
    child = _real(f, "values", _whole(f, "children", first + at))
    value.set(combined("fadd", value.get(), combined("fmul", share, child)))


def _floor_regrets(f: Function, seat: int) -> None:
    with f.for_range(0, f.param("set_count")) as one, f.block() as skip:
        f.leave_unless(_whole(f, "set_seats", one).eq(seat), skip)
        first = _whole(f, "set_first", one)
        with f.for_range(0, _whole(f, "set_sizes", one)) as at:
            now, none = _real(f, "regrets", first + at), constant(f, 0.0)
            _put(f, "regrets", first + at, f.select(exceeds(now, none), now, none))


# --------------------------------------------------------------- best responses


def _respond() -> Function:
    """With `strategy` set to what both play, the value of the best response of a seat.

    Uses `regrets` as room for what each answer of an information set is worth.
    """
    f = _function("respond", REAL, ("seat",))
    seat = f.param("seat")
    _reach_all(f)
    with f.for_range(0, f.param("level_count")) as back:
        level = f.param("level_count") - 1 - back
        begin, end = _whole(f, "levels", level), _whole(f, "levels", level + 1)
        with f.for_range(begin, end) as node, f.block() as skip:
            f.leave_unless(_whole(f, "kinds", node).eq(seat + FIRST), skip)
            _add_up(f, node, seat)
        with f.for_range(begin, end) as node:
            _value_of_response(f, node, seat)
    f.ret(_real(f, "values", 0))
    return f


def _add_up(f: Function, node: Operand, seat: Operand) -> None:
    first = _whole(f, "first_edges", node)
    start = _whole(f, "set_first", _whole(f, "sets", node))
    other = f.select(seat.eq(0), _real(f, "reach1", node), _real(f, "reach0", node))
    reach = combined("fmul", other, _real(f, "reach", node))
    with f.for_range(0, _whole(f, "edge_counts", node)) as at:
        child = _real(f, "values", _whole(f, "children", first + at))
        _add(f, "regrets", start + at, combined("fmul", reach, child))


def _value_of_response(f: Function, node: Operand, seat: Operand) -> None:
    def of_seat(worth: Operand) -> Operand:
        return f.select(seat.eq(0), worth, combined("fsub", constant(f, 0.0), worth))

    kind, first = _whole(f, "kinds", node), _whole(f, "first_edges", node)
    size = _whole(f, "edge_counts", node)
    value = Var(f, REAL, constant(f, 0.0))
    with f.block() as done:
        _end_or_chance(f, node, value, done, of_seat)
        start = _whole(f, "set_first", _whole(f, "sets", node))
        with f.if_(kind.eq(seat + FIRST)):
            best, most = Var(f, init=0), Var(f, REAL, _real(f, "regrets", start))
            with f.for_range(1, size) as at:
                own = _real(f, "regrets", start + at)
                with f.if_(exceeds(own, most.get())):
                    best.set(at)
                    most.set(own)
            value.set(_real(f, "values", _whole(f, "children", first + best.get())))
            f.br(done)
        with f.for_range(0, size) as at:
            _grow(f, value, first, at, _real(f, "strategy", start + at))
    _put(f, "values", node, value.get())
