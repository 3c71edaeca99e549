"""What the tests of the numbered requirements share: fixtures, and filling in moves."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ludwright as lw
from ludwright import ChoiceRequest, Game, IllegalMove, Move, State
from tests.engines import under_test

FIXTURES = Path(__file__).parent / "fixtures"
CHOICES = 500  # decisions of one move; more means that it never ends


def book(name: str, **parameters: int | bool) -> Game:
    """A fixture, ready to play on the engine under test."""
    return _book(under_test(), name, **parameters)


@cache
def _book(engine: str, name: str, **parameters: int | bool) -> Game:
    text = (FIXTURES / f"{name}.md").read_text(encoding="utf-8")
    name = f"{name}.md"
    return lw.load_text(
        text, chance="generator", name=name, engine=engine, search_budget=None, **parameters
    )


def variables(game: Game, state: State) -> dict[str, Any]:
    found: dict[str, Any] = game.observe(state, None)["variables"]
    return found


def ids(moves: list[Move]) -> list[str]:
    return [move.action_id for move in moves]


def filled(move: Move, **params: Any) -> Move:
    """The move with more answers; `x` stands for the decision `$x`."""
    for name, value in params.items():
        move = move.with_param(f"${name}", value)
    return move


def answer(request: ChoiceRequest, rng: random.Random) -> Any:
    """A random answer to a whole decision: a size first, then a subset of it."""
    if request.kind == "chooseN":
        assert request.min is not None
        assert request.max is not None
        count = rng.randint(request.min, request.max)
        return rng.sample(list(request.options), count)
    options = [*request.options, *([None] if request.optional else [])]
    return rng.choice(options)


def pick(move: Move, request: ChoiceRequest, rng: random.Random) -> Move:
    """The move with one more random answer; a chooseN is answered one pick at a time."""
    assert request.decision_id is not None
    if request.kind != "chooseN":
        return move.with_param(request.decision_id, answer(request, rng))
    stop = [lw.STOP] if request.can_stop else []
    key = request.decision_id if request.picked else f"{request.decision_id}#0"
    return move.with_param(key, rng.choice([*request.options, *stop]))


def completed(game: Game, state: State, move: Move, rng: random.Random) -> Move:
    """A template filled in at random, one pick at a time."""
    for _ in range(CHOICES):
        request = game.legal_choices(state, move)
        if request.complete:
            assert request.legal, request.reason
            return move
        assert request.options or request.optional or request.can_stop, f"dead end in {move}"
        move = pick(move, request, rng)
    raise AssertionError(f"{move.action_id} never ends")


def ask(game: Game, state: State, move: Move) -> ChoiceRequest:
    """What `legal_choices` answers: the same from this state object, from one that was loaded from
    its bytes, and after other questions; whoever asks changes neither the state nor the move."""
    before, params = state.to_bytes(), dict(move.params)
    found = _told(game, state, move)
    assert _told(game, game.state_from_bytes(before), move) == found
    for other in game.legal_moves(state):
        _told(game, state, other)
    assert _told(game, state, Move(move.action_id, params)) == found
    assert state.to_bytes() == before
    assert dict(move.params) == params
    return game.legal_choices(state, move)


def _told(game: Game, state: State, move: Move) -> tuple[Any, ...]:
    """An answer, or an error, as plain values."""
    try:
        request = game.legal_choices(state, move)
    except IllegalMove as error:
        return error.code, error.rule, error.reason, str(error.span)
    told = (
        request.complete, request.decision_id, request.name, request.kind, list(request.options),
        request.min, request.max, list(request.legality), request.optional, request.seat,
        request.legal, request.reason, request.stops_at, request.picked, request.can_stop,
    )  # fmt: skip
    if not request.complete:
        assert len(request.legality) == len(request.options)  # a word for each option
    return told


def refused(game: Game, state: State, move: Move, seat: str | None = None) -> IllegalMove:
    """The error of a move that must not be possible; makes sure that nothing has changed."""
    before = state.to_bytes()
    with pytest.raises(IllegalMove) as caught:
        game.apply_move(state, move, seat)
    with pytest.raises(IllegalMove) as again:
        game.validate_move(state, move, seat)
    why = game.why(state, move, seat)
    assert (why.legal, why.code, why.reason) == (False, caught.value.code, caught.value.reason)
    assert again.value.code == caught.value.code
    reloaded = game.why(game.state_from_bytes(before), move, seat)
    assert (reloaded.code, reloaded.rule, reloaded.reason) == (why.code, why.rule, why.reason)
    assert caught.value.reason
    assert state.to_bytes() == before
    return caught.value
