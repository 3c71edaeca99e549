"""Every public method of a game, called on a state, with arguments good and bad."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.protocol.decision import CHANCE, Decision
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Step
from tests.fuzz.damage import WILD, wild_answer
from tests.fuzz.worker import interrupted

Call = Callable[[Game, State, random.Random], Any]

NONSENSE = ("", "e4", "x" * 50, "a1 b2", "\x00", "none", "__stop")
STATEMENTS = (
    "", "end turn", "let x = 1", "place nothing at nowhere", "for s in seats do end game",
    "if any(seats) then end turn", "x = 1", "(" * 40, "\x00", "import os", "shuffle", "1 + 1",
)  # fmt: skip
DRAWINGS = ("", ".", "x o\n. .", "\x00", "8/8/8", "#" * 200)
NUMBERS: tuple[Any, ...] = (0, 1, 2, -1, 3, 100, 2**31, 2**63, True, None, 1.5, "2", [])
COUNT_SECONDS = 0.5
GIVEN_UP = "it was given up"
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
    if dice.random() < 0.05:
        return dice.choice(WILD)
    if dice.random() < 0.1:
        name = dice.choice([*(action.name for action in game.program.actions), "", "chance", "x"])
        return Move(name, {"$x": dice.choice(WILD)})
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
        if request.kind == "chooseN":
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
    return step.events(_seat_or_none(game, dice))


def _choose_all(game: Game, state: State, dice: random.Random) -> Any:
    decision = game.decision(state)
    picks = [answer(decision, dice) for _ in range(dice.randrange(4))]
    return core_of(game).choose_all(state, picks, _seat_or_none(game, dice))


def _parsed(game: Game, state: State, dice: random.Random) -> Any:
    """Nonsense is compared with all moves there are, which takes long where there are many."""
    moves = game.legal_moves(state)
    text = dice.choice(NONSENSE)
    if moves and dice.random() < 0.9:
        text = game.notation(state, dice.choice(moves))
    return game.parse_move(state, _now_and_then_wild(text, dice))


def _notation(game: Game, state: State, dice: random.Random) -> Any:
    move = _move(game, state, dice)
    return game.notation(state, move)


def _now_and_then_wild(value: Any, dice: random.Random) -> Any:
    return dice.choice(WILD) if dice.random() < 0.2 else value


def _counted(game: Game, state: State, dice: random.Random) -> Any:
    """Nobody promises that counting ends soon, only that Ctrl-C ends it."""
    try:
        with interrupted(COUNT_SECONDS):
            return game.perft(state, dice.choice((0, 1, 1, -1)))
    except KeyboardInterrupt:
        return GIVEN_UP


def _arranged(game: Game, state: State, dice: random.Random) -> Any:
    """Statements and drawings that mostly mean nothing in this game."""
    texts = [dice.choice(STATEMENTS) for _ in range(dice.randrange(3))]
    moves = [dice.choice(NONSENSE)] if dice.random() < 0.2 else []
    return game.position(*texts, drawing=dice.choice(DRAWINGS), moves=moves, seed=_small(dice))


def _searched(game: Game, state: State, dice: random.Random) -> Any:
    settings: dict[str, Any] = {"simulations": 3, "cutoff": 20, "worlds": 2, "seed": 1}
    if dice.random() < 0.3:
        settings[dice.choice(list(settings))] = _small(dice)
    if settings["simulations"] in (2**31, 2**63):
        settings["simulations"] = 3
    return game.search(state, _seat_or_none(game, dice), memory=16 << 20, **settings)


def _small(dice: random.Random) -> Any:
    return dice.choice(NUMBERS)


# Methods that both engines have; their answers must be the same.
CALLS: dict[str, Call] = {
    "apply_move": lambda g, s, d: g.apply_move(s, _move(g, s, d), _seat_or_none(g, d)),
    "asked": lambda g, s, d: g.decision(s) and core_of(g).asked(s, _seat_or_none(g, d)),
    "chance_outcomes": lambda g, s, d: g.chance_outcomes(s),
    "choose": _choose,
    "choose_all": _choose_all,
    "current_seat": lambda g, s, d: g.current_seat(s),
    "decision": lambda g, s, d: g.decision(s, _seat_or_none(g, d)),
    "draw": lambda g, s, d: g.draw(s, _seat_or_none(g, d), d.choice((100, 40, 1))),
    "random_answer": lambda g, s, d: g.random_answer(s, lambda count: count // 2),
    "events": _events,
    "initial_state": lambda g, s, d: g.initial_state(_small(d), _small(d)),
    "legal_choices": lambda g, s, d: g.legal_choices(s, _move(g, s, d)),
    "legal_moves": lambda g, s, d: g.legal_moves(s),
    "notation": _notation,
    "observe": lambda g, s, d: g.observe(s, _seat_or_none(g, d)),
    "parse_move": _parsed,
    "perft": _counted,
    "position_hash": lambda g, s, d: g.position_hash(s),
    "option_texts": lambda g, s, d: g.option_texts(s, _seat_or_none(g, d)),
    "position": _arranged,
    "question": lambda g, s, d: g.question(s, _seat_or_none(g, d)),
    "replay": lambda g, s, d: g.replay(s, [answer(g.decision(s), d)]),
    "determinize": lambda g, s, d: g.determinize(s, _seat(g, d), d.choice((0, 1, -1, 2**64, 7))),
    "result": lambda g, s, d: g.result(s),
    "score": lambda g, s, d: g.score(s, _seat(g, d)),
    "seats_in_play": lambda g, s, d: g.seats_in_play(s),
    "state_from_bytes": lambda g, s, d: g.state_from_bytes(_now_and_then_wild(s.to_bytes(), d)),
    "state_from_json": lambda g, s, d: g.state_from_json(_now_and_then_wild(g.state_to_json(s), d)),
    "state_hash": lambda g, s, d: g.state_hash(s),
    "state_to_json": lambda g, s, d: g.state_to_json(s),
    "validate_move": lambda g, s, d: g.validate_move(s, _move(g, s, d)),
    "why": lambda g, s, d: g.why(s, _move(g, s, d)),
    "worlds": lambda g, s, d: g.worlds(s, _seat(g, d), 2, seed=_small(d)),
    "withdraw": lambda g, s, d: g.withdraw(s, _seat(g, d)),
    "several choices": _play_on,
    "pickle": lambda g, s, d: g.decision(pickle.loads(pickle.dumps(s))),
    "copy": lambda g, s, d: g.decision(copy.deepcopy(s)),
    "repr": lambda g, s, d: (repr(s), hash(s), s == s.to_bytes()),
}
# Only native games have these; they must not crash.
NATIVE_CALLS: dict[str, Call] = {
    "batch": lambda g, s, d: g.batch(d.choice((0, 1, 3, -1)), _small(d), _small(d)),
    "batch_of": lambda g, s, d: g.batch_of([s, s]).counts,
    "playouts": lambda g, s, d: g.playouts(
        d.choice((0, 1, 2, -1)), _small(d), d.choice((1, 1, 2, 0, -1)), players=_small(d), limit=50
    ),
    "search": _searched,
    "playouts from here": lambda g, s, d: g.playouts(2, _small(d), limit=50, state=s),
}
# Where one engine counts or lists what the other has to make move by move.
COSTLY = {"parse_move", "notation", "perft"}
# Public, and no question about a state.
NO_QUESTIONS = {
    "engine", "engine_reason", "fast", "gamedef", "gamedef_json", "reason_in", "renew", "seats", "trees",
}  # fmt: skip


def told(value: Any) -> Any:
    """What a caller can see of a result, to be compared between engines."""
    if isinstance(value, State):
        return value.to_bytes()
    if isinstance(value, Step):
        return value.state.to_bytes(), value.part_ended, value.barrier, value.events()
    if isinstance(value, float):
        return repr(value)
    return value
