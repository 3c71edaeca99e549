"""Plays games while memory runs out: `python -m tests.native.sanitised STATES GAME...`.

Meant for a debugging allocator (`PYTHONMALLOC=debug`, `-X dev`), which stops the process where
memory is written out of bounds or after it was given back. Every native function is called again
and again with the 1st, 2nd, 3rd … request for memory failing: once that one alone, once all from
there on. It must raise MemoryError or succeed, leave nothing behind, and work the next time.
"""

from __future__ import annotations

import _testcapi  # type: ignore[import-not-found]
import gc
import random
import sys
from array import array
from collections.abc import Callable
from typing import Any

import ludwright as lw
from ludwright import Move
from ludwright.kernel.play.game import core_of
from ludwright.kernel.protocol.state import State, sealed_bytes
from ludwright.native import layout

MOST = 5_000  # requests of one call
Call = Callable[[], Any]


def main() -> None:
    states = int(sys.argv[1])
    for name in sys.argv[2:]:
        calls = failures = 0
        game: Any = lw.load(name, engine="native")
        game.decision(game.initial_state(7))
        core: Any = core_of(game)
        core.machine.engine.await_optimised()  # or a build in the background would find no memory
        played = positions(game, states)
        gc.freeze()  # what is there to stay need not be looked at each time
        for state in played:
            functions, methods = calls_at(game, state)
            for call in (*functions, *methods):
                calls += 1
                failures += starve(name, call, call in functions)
        print(f"{name}: {calls} calls, {failures} failures")


def positions(game: Any, count: int) -> list[State]:
    """The first states of a random game."""
    dice = random.Random(count)
    found = [game.initial_state(7)]
    while len(found) < count and (decision := game.decision(found[-1])) is not None:
        found.append(game.choose(found[-1], dice.choice(decision.answers)).state)
    return found


def calls_at(game: Any, state: State) -> tuple[list[Call], list[Call]]:
    """Calls of native functions, and of the methods in front of them."""
    core: Any = core_of(game)
    block = core.block(None, None)
    data, seal, game_id = state.to_bytes(), core.seal, state.game_id
    decision = game.decision(state)
    record = state.known_record

    def fresh() -> State:
        """The same state, whose decision nobody has asked for."""
        return sealed_bytes(seal, game_id, data, record)

    functions: list[Call] = [
        lambda: core.plain_start(block), lambda: core.plain_offer(data),
        lambda: core.plain_decision(fresh()),
    ]  # fmt: skip
    methods: list[Call] = [lambda: game.decision(fresh())]
    if decision is None or not decision.answers:
        return functions, methods
    first, last = decision.answers[0], decision.answers[-1]
    stop = core.stop(state)
    functions += [
        lambda: core.plain_choice(state, first, None),
        lambda: core.plain_choice(state, last, decision.seat),
        lambda: core.plain_step(data, record[2], 0, layout.GIVEN_POSITION),
    ]
    methods += [lambda: game.choose(fresh(), first)]
    move = whole_move(game, state)
    if move is not None:
        opened = Move(move.action_id)
        functions += [
            lambda: core.plain_move(fresh(), opened, None),
            lambda: core.plain_move(fresh(), move, None),
            lambda: core.plain_move(fresh(), move, True),
        ]
    if len(stop.answers):
        methods += [lambda: core.advance(state, stop, stop.answers[0])]
    return functions, methods


def whole_move(game: Any, state: State) -> Move | None:
    """The first move of a state, completed; None where Python has to look at its ids or lists."""
    move: Move | None = next(iter(game.legal_moves(state)), None)
    while move is not None and not (request := game.legal_choices(state, move)).complete:
        plain = request.kind == "chooseOne" and request.decision_id.isalnum()
        move = move.with_param(request.decision_id, request.options[0]) if plain else None
    return move


def starve(name: str, call: Call, native: bool) -> int:
    """How many requests can fail in a call. Python loses some memory then where it calls itself."""
    expected = told(call())
    for alone in (1, 0):
        failures = 0
        for at in range(MOST):
            if not fails(call, at, at + 1 if alone else 0):
                break
            failures += 1
            assert told(call()) == expected, f"{name}: another result after request {at} failed"
        else:
            raise AssertionError(f"{name}: a call that asks for memory {MOST} times")
        lost = leak(call, failures, alone) if native else 0
        assert lost <= 0, f"{name}: {lost} blocks of memory are lost"
    return failures


def fails(call: Call, start: int, stop: int) -> bool:
    error = False
    _testcapi.set_nomemory(start, stop)
    try:
        call()
    except MemoryError:
        error = True
    finally:
        _testcapi.remove_mem_hooks()
    return error


def leak(call: Call, failures: int, alone: int) -> int:
    """Blocks that stay taken for every time that all ways to fail are gone through."""
    counts = array("q", [0, 0, 0])  # numbers in a list would take memory themselves
    for number in range(3):
        for at in range(failures):
            fails(call, at, at + 1 if alone else 0)
        gc.collect()
        counts[number] = sys.getallocatedblocks()
    return min(counts[2] - counts[1], counts[1] - counts[0])


def told(found: Any) -> object:
    """A result as something that can be compared."""
    if isinstance(found, State):
        return found.to_bytes()
    if hasattr(found, "state"):
        return found.state.to_bytes()
    if hasattr(found, "options"):
        return found.seat, tuple(found.options), found.optional, found.can_stop, str(found)
    return found


if __name__ == "__main__":
    main()
