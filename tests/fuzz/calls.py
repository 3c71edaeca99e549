"""Every public method of a game, called on a state, with arguments good and bad."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

from ludwright.kernel.decisions import CHANCE, Decision
from ludwright.kernel.game import Game
from ludwright.kernel.moves import Move, Step
from ludwright.kernel.state import State
from tests.fuzz.damage import WILD, wild_answer

Call = Callable[[Game, State, random.Random], Any]

NUMBERS: tuple[Any, ...] = (0, 1, 2, -1, 3, 100, 2**31, 2**63, True, None, 1.5, "2", [])
WRONG_SEATS: tuple[Any, ...] = ("nobody", "", CHANCE, 0, None, True, [], ("p1",))


def _seat(game: Game, dice: random.Random) -> Any:
    return dice.choice(WRONG_SEATS) if dice.random() < 0.15 else dice.choice(game.seats)


def _seat_or_none(game: Game, dice: random.Random) -> Any:
    return None if dice.random() < 0.5 else _seat(game, dice)


def answer(decision: Decision | None, dice: random.Random) -> Any:
    """Mostly one that is offered."""
    if decision is None or not decision.answers or dice.random() < 0.2:
        return wild_answer(() if decision is None else decision.options[:5], (), dice)
    return decision.answers[dice.randrange(len(decision.answers))]


def _move(game: Game, state: State, dice: random.Random) -> Any:
    if dice.random() < 0.1:
        name = dice.choice([*(action.name for action in game.program.actions), "", "chance", "x"])
        return Move(name, {"$x": dice.choice(WILD)}, dice.random() < 0.3)
    moves = game.legal_moves(state)
    if not moves:
        return Move("pass", {})
    move = dice.choice(moves)
    request = game.legal_choices(state, move)
    for _ in range(3):
        if request.complete or request.decision_id is None or not request.options:
            break
        options = request.options
        picked: Any = options[dice.randrange(len(options))]
        if request.type == "chooseN":
            picked = [picked]
        move = move.with_param(request.decision_id, picked)
        request = game.legal_choices(state, move)
    return move


def _choose(game: Game, state: State, dice: random.Random) -> Any:
    seat = _seat_or_none(game, dice)
    return game.choose(state, answer(game.decision(state), dice), seat)


def _play_on(game: Game, state: State, dice: random.Random) -> Any:
    for _ in range(6):
        decision = game.decision(state)
        if decision is None or not decision.answers:
            break
        state = game.choose(state, answer(decision, dice)).state
    return state


def _events(game: Game, state: State, dice: random.Random) -> Any:
    step = game.choose(state, answer(game.decision(state), dice))
    return game.events(step, _seat_or_none(game, dice))


def _notation(game: Game, state: State, dice: random.Random) -> Any:
    move = _move(game, state, dice)
    text = game.notation(state, move)
    return text, game.parse_move(state, text)


def _small(dice: random.Random) -> Any:
    return dice.choice(NUMBERS)


# Methods that both engines have; their answers must be the same.
CALLS: dict[str, Call] = {
    "apply_move": lambda g, s, d: g.apply_move(s, _move(g, s, d), _seat_or_none(g, d)),
    "choose": _choose,
    "current_seat": lambda g, s, d: g.current_seat(s),
    "decision": lambda g, s, d: g.decision(s, _seat_or_none(g, d)),
    "draw": lambda g, s, d: g.draw(s, lambda count: count // 2),
    "events": _events,
    "initial_state": lambda g, s, d: g.initial_state(_small(d), _small(d)),
    "legal_choices": lambda g, s, d: g.legal_choices(s, _move(g, s, d)),
    "legal_moves": lambda g, s, d: g.legal_moves(s),
    "notation": _notation,
    "observe": lambda g, s, d: g.observe(s, _seat_or_none(g, d)),
    "parse_move": lambda g, s, d: g.parse_move(s, d.choice(["", "e4", "x" * 50, "a1 b2", "\x00"])),
    "perft": lambda g, s, d: g.perft(s, d.choice((0, 1, 1, -1))),
    "position_hash": lambda g, s, d: g.position_hash(s),
    "replay": lambda g, s, d: g.replay(s, [answer(g.decision(s), d)]),
    "resample": lambda g, s, d: g.resample(s, _seat(g, d), d.choice((0, 1, -1, 2**64, 7))),
    "result": lambda g, s, d: g.result(s),
    "score": lambda g, s, d: g.score(s, _seat(g, d)),
    "seats_in_play": lambda g, s, d: g.seats_in_play(s),
    "start": lambda g, s, d: g.start(_small(d), _small(d)),
    "state_from_bytes": lambda g, s, d: g.state_from_bytes(s.to_bytes()),
    "state_from_json": lambda g, s, d: g.state_from_json(g.state_to_json(s)),
    "state_hash": lambda g, s, d: g.state_hash(s),
    "state_to_json": lambda g, s, d: g.state_to_json(s),
    "tells_alike_pieces_apart": lambda g, s, d: g.tells_alike_pieces_apart(s),
    "trusted": lambda g, s, d: g.trusted(s),
    "validate_move": lambda g, s, d: g.validate_move(s, _move(g, s, d)),
    "why": lambda g, s, d: g.why(s, _move(g, s, d)),
    "withdraw": lambda g, s, d: g.withdraw(s, _seat(g, d)),
    "several choices": _play_on,
    "pickle": lambda g, s, d: g.decision(pickle.loads(pickle.dumps(s))),
    "copy": lambda g, s, d: g.decision(copy.deepcopy(s)),
    "repr": lambda g, s, d: (repr(s), hash(s), s == s.to_bytes()),
}
# Only native games have these; they must not crash.
NATIVE_CALLS: dict[str, Call] = {
    "batch": lambda g, s, d: g.batch(d.choice((0, 1, 3, -1)), _small(d), _small(d)),
    "playouts": lambda g, s, d: g.playouts(
        d.choice((0, 1, 2, -1)), _small(d), d.choice((1, 1, 2, 0, -1)), players=_small(d), limit=50
    ),
}
# Public, and no question about a state.
NO_QUESTIONS = {
    "advance", "asked", "chance", "choose_all", "decisions", "engine", "engine_reason", "fast", "gamedef", "gamedef_hash",
    "gamedef_json", "machine", "named_further", "part_ended", "program", "projection", "reason_in", "renew", "seats", "values",
}  # fmt: skip


def told(value: Any) -> Any:
    """What a caller can see of a result, to be compared between engines."""
    if isinstance(value, State):
        return value.to_bytes()
    if isinstance(value, Step):
        return value.state.to_bytes(), value.part_ended, value.barrier, value.events
    if isinstance(value, float):
        return repr(value)
    return value
