"""Every public method that takes a state checks it, whoever made it, before native code sees it."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.protocol.state import State
from tests.api.games import loaded
from tests.native.support import needs_native

Call = Callable[[Game, State], Any]


def some_decision(game: Game) -> lw.Decision:
    found = game.decision(game.initial_state(seed=1))
    assert found is not None
    return found


# Every public method with a state among its arguments, called with something plausible.
DOORS: dict[str, Call] = {
    "core.trusted": lambda game, state: core_of(game).trusted(state),
    "seats_in_play": lambda game, state: game.seats_in_play(state),
    "state_to_json": lambda game, state: game.state_to_json(state),
    "state_hash": lambda game, state: game.state_hash(state),
    "position_hash": lambda game, state: game.position_hash(state),
    "decision": lambda game, state: game.decision(state),
    "core.is_asked": lambda game, state: core_of(game).is_asked(state, game.seats[0]),
    "core.asked": lambda game, state: core_of(game).asked(state),
    "question": lambda game, state: game.question(state),
    "option_texts": lambda game, state: game.option_texts(state),
    "core.question": lambda game, state: core_of(game).question(state),
    "core.option_texts": lambda game, state: core_of(game).option_texts(state),
    "search": lambda game, state: game.search(state, simulations=1),
    "chance_outcomes": lambda game, state: game.chance_outcomes(state),
    "worlds": lambda game, state: game.worlds(state, game.seats[0], 1),
    "random_answer": lambda game, state: game.random_answer(state, lambda count: 0),
    "core.named_further": lambda game, state: core_of(game).named_further(
        state, 0, "none", ("choice",)
    ),
    "current_seat": lambda game, state: game.current_seat(state),
    "choose": lambda game, state: game.choose(state, "none"),
    "core.choose_all": lambda game, state: core_of(game).choose_all(state, []),
    "core.advance": lambda game, state: core_of(game).advance(
        state, core_of(game).stop(game.initial_state()), 0
    ),
    "withdraw": lambda game, state: game.withdraw(state, game.seats[0]),
    "legal_moves": lambda game, state: game.legal_moves(state),
    "legal_choices": lambda game, state: game.legal_choices(state, Move("none")),
    "apply_move": lambda game, state: game.apply_move(state, Move("none")),
    "validate_move": lambda game, state: game.validate_move(state, Move("none")),
    "why": lambda game, state: game.why(state, Move("none")),
    "notation": lambda game, state: game.notation(state, Move("none")),
    "parse_move": lambda game, state: game.parse_move(state, "none"),
    "perft": lambda game, state: game.perft(state, 0),
    "result": lambda game, state: game.result(state),
    "score": lambda game, state: game.score(state, game.seats[0]),
    "observe": lambda game, state: game.observe(state, game.seats[0]),
    "determinize": lambda game, state: game.determinize(state, game.seats[0], 1),
    "replay": lambda game, state: game.replay(state, [0]),
    "draw": lambda game, state: game.draw(state),
    # without a state playouts begin new games
    "playouts": lambda game, state: game.playouts(1, state=state or "none"),  # type: ignore[arg-type]
    "core.observe": lambda game, state: core_of(game).observe(state, game.seats[0]),
    "core.draw": lambda game, state: core_of(game).draw(state),
    "core.scene": lambda game, state: core_of(game).scene(state, None),
    "core.viewers": lambda game, state: core_of(game).viewers(state),
    "core.playing": lambda game, state: core_of(game).playing(state, game.seats[0]),
    "core.check_turn": lambda game, state: core_of(game).check_turn(
        state, some_decision(game), "nobody"
    ),
    "core.cells": lambda game, state: core_of(game).cells(state),
    "core.stop": lambda game, state: core_of(game).stop(state),
    "core.result": lambda game, state: core_of(game).result(state),
    "core.decision": lambda game, state: core_of(game).decision(state),
    "core.sealed_stop": lambda game, state: core_of(game).sealed_stop(state, game.seats[0]),
    "core.choose": lambda game, state: core_of(game).choose(state, "none"),
    "core.still_open": lambda game, state: core_of(game).still_open(state, Stop("over"), 0),
    "core.withdraw": lambda game, state: core_of(game).withdraw(state, game.seats[0]),
}


def test_the_list_of_doors_is_complete() -> None:
    taking = {
        prefix + name
        for prefix, of in (("", Game), ("core.", Core))
        for name, method in inspect.getmembers(of, inspect.isfunction)
        if not name.startswith("_") and "state" in inspect.signature(method).parameters
    }
    assert taking == DOORS.keys()


def spoilt(game: Game, state: State) -> list[int]:
    """The next piece behind the third card is nowhere."""
    cells = list(state.cells)
    cells[game.program.piece_next + 3] = 10**9
    return cells


def by_hand(game: Game, state: State) -> State:
    return State(state.game_id, spoilt(game, state))


def unpickled(game: Game, state: State) -> State:
    remade, (game_id, _) = state.__reduce__()
    changed: State = pickle.loads(pickle.dumps(remade(game_id, by_hand(game, state).to_bytes())))
    return changed


@pytest.mark.parametrize("made", [by_hand, unpickled])
@pytest.mark.parametrize("door", DOORS)
def test_spoilt_states_are_refused_at_every_door(
    engine: str, made: Callable[[Game, State], State], door: str
) -> None:
    game = loaded("hearts", engine)
    state = made(game, game.initial_state(seed=1))
    for _ in range(2):  # a refusal is not forgotten
        with pytest.raises(ValueError, match="not a state of this game: "):
            DOORS[door](game, state)


@pytest.mark.parametrize("door", DOORS)
def test_states_of_another_game_are_refused_at_every_door(engine: str, door: str) -> None:
    game = loaded("hearts", engine)
    for name in ("goofspiel", "hearts"):
        other = loaded(name, engine, "explicit").initial_state()
        with pytest.raises(ValueError, match="belongs to another game"):
            DOORS[door](game, other)


@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_state_is_told_so(engine: str, door: str) -> None:
    game = loaded("pig", engine)
    for thing in (None, b"", 7, game):
        with pytest.raises(TypeError, match="a State is needed"):
            DOORS[door](game, thing)  # type: ignore[arg-type]


# What takes a move, a text or a step, and what it says where something else is given.
NEEDED: dict[str, tuple[str, Callable[[Game, State, Any], Any]]] = {
    "legal_choices": ("Move", lambda game, state, thing: game.legal_choices(state, thing)),
    "apply_move": ("Move", lambda game, state, thing: game.apply_move(state, thing)),
    "validate_move": ("Move", lambda game, state, thing: game.validate_move(state, thing)),
    "why": ("Move", lambda game, state, thing: game.why(state, thing)),
    "notation": ("Move", lambda game, state, thing: game.notation(state, thing)),
    "parse_move": ("str", lambda game, state, thing: game.parse_move(state, thing)),
    "state_from_json": ("dict", lambda game, state, thing: game.state_from_json(thing)),
}


@pytest.mark.parametrize("method", NEEDED)
def test_what_is_no_move_text_or_step_is_told_so(engine: str, method: str) -> None:
    game = loaded("pig", engine)
    state = game.initial_state(seed=1)
    kind, call = NEEDED[method]
    things: tuple[Any, ...] = (None, b"", 7, game, ["roll"], ("roll", {}))
    for thing in things:
        with pytest.raises(TypeError, match=f"a {kind} is needed, not {type(thing).__name__}"):
            call(game, state, thing)


def test_a_move_is_made_of_names_and_answers() -> None:
    parts: list[tuple[Any, Any]] = [(5, {}), (["roll"], {}), ("roll", {1: 2}), ("roll", [("n", 1)])]
    for action, params in parts:
        with pytest.raises(TypeError, match="is needed, not "):
            Move(action, params)


CHECK = "_problem_of"  # the method that looks at a state from elsewhere


def test_a_state_from_elsewhere_is_checked_once(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = loaded("hearts", engine)
    checks: list[int] = []
    problem = getattr(core_of(game), CHECK)

    def counted(state: State) -> Any:
        checks.append(1)
        return problem(state)

    monkeypatch.setattr(core_of(game), CHECK, counted)
    state = game.initial_state(seed=1)
    decision = game.decision(state)
    assert decision is not None
    after = game.choose(state, decision.answers[0]).state
    game.observe(after, "North")
    assert not checks, "what the game made itself needs no check"
    copy: State = pickle.loads(pickle.dumps(after))
    assert game.decision(copy) == game.decision(after)
    assert game.observe(copy, "North") == game.observe(after, "North")
    assert checks == [1]


def test_cells_given_by_hand_are_copied() -> None:
    game = lw.load("pig", engine="python")
    first = game.initial_state()
    cells = list(first.cells)
    state = State(first.game_id, cells)
    assert game.decision(state) == game.decision(first)
    cells[-1] = 10**9
    assert state == first


@pytest.mark.parametrize("cell", ["1", 1.0, None, 2**31, -(2**31) - 1])
def test_cells_are_whole_numbers_of_32_bits(cell: Any) -> None:
    with pytest.raises(ValueError, match="whole number of 32 bits"):
        State("game", [0, cell])


@needs_native
def test_states_change_engines_at_any_decision() -> None:
    """Each engine checks what the other has made, and comes to the same decision."""
    games = [loaded("hearts", engine) for engine in ("python", "native")]
    state = games[0].initial_state(seed=4)
    for number in range(12):
        game, other = games[number % 2], games[1 - number % 2]
        decision = game.decision(state)
        assert decision is not None
        assert decision == other.decision(state) == game.decision(state)
        state = game.choose(state, decision.answers[0]).state
