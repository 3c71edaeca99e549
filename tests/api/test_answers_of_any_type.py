"""Answers from callers: whole numbers of any type are the ints they stand for; nothing else is."""

from __future__ import annotations

import enum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludwright as lw
from ludwright import IllegalMove, Move
from ludwright.kernel.protocol.arguments import plain_answer, same_answer
from ludwright.simulate.recorder import Recorder
from ludwright.simulate.trace import read_trace
from tests.engines import ENGINES

BOOK = """
# Answers
```yaml
game: { id: answers, title: Answers, players: 2 }
seats: [red, blue]
spaces: { land: { track: 3 } }
vars: { n: 0..99, sum: 0..999 }
actions:
  - { id: of_range, params: { x: 0..60 }, effects: [n = x] }
  - { id: of_list, params: { x: "[1, 4, 7]" }, effects: [n = x] }
  - { id: of_truths, params: { x: "[true, false]" }, effects: [n = 1 if x else 0] }
  - { id: of_pairs, params: { x: "[(i, i == 1) for i in 0..2]" }, effects: ["n = x[0]"] }
  - { id: of_places, params: { x: land }, effects: [n = 5] }
  - { id: of_set, effects: [{ chooseN: { bind: $x, options: 1..4, min: 1, max: 2 } }, n = count($x)] }
end: [{ when: n == 98, draw: all, reason: never }]
```
"""


class Number(enum.IntEnum):
    FOUR = 4


class Place(enum.StrEnum):
    SECOND = "land2"


@cache
def loaded(engine: str) -> lw.Game:
    return lw.load_text(BOOK, engine=engine)


@pytest.fixture(params=ENGINES)
def game(request: pytest.FixtureRequest) -> lw.Game:
    return loaded(request.param)


# action, what may be answered, and what stands for it
SAME: list[tuple[str, Any, list[Any]]] = [
    ("of_range", 4, [np.int64(4), np.uint8(4), Number.FOUR, np.array(4)]),
    ("of_list", 4, [np.int64(4), np.uint8(4), Number.FOUR, np.array(4)]),
    ("of_truths", True, [np.bool_(True), np.array(True)]),
    ("of_pairs", [1, True], [(1, True), [np.int8(1), np.bool_(True)], (np.int64(1), True)]),
    ("of_places", "land2", [np.str_("land2"), Place.SECOND]),
    ("of_set", [1, 4], [(4, 1), [np.int64(1), Number.FOUR]]),
]
# action, and what is only equal to an option, or looks like one
OTHERS: list[tuple[str, list[Any]]] = [
    ("of_range", [True, 4.0, np.float64(4), "4", np.bool_(True), 4 + 0j, [4], np.array([4, 4])]),
    ("of_list", [True, 4.0, np.float64(4), "4", np.bool_(True), 4 + 0j, [4], np.array([4, 4])]),
    ("of_truths", [1, 0, 1.0, np.int64(1), "true"]),
    ("of_pairs", [[1, 1], [True, True], [1.0, True], (1, 1), [0, 0], np.array([1, 1])]),
    ("of_places", [1, b"land2", ["land2"]]),
    ("of_set", [[1.0, 4], [True], [1, "4"], [1, True], 1.0, True]),
]


def begun(game: lw.Game, action: str) -> lw.State:
    return game.choose(game.initial_state(), action).state


@pytest.mark.parametrize(("action", "plain", "others"), SAME)
def test_what_counts_as_an_option_is_that_option(
    game: lw.Game, action: str, plain: Any, others: list[Any]
) -> None:
    state = begun(game, action)
    decision = game.decision(state)
    assert decision is not None
    wanted = game.choose(state, plain).state
    move = Move(action, {decision.decision_id: plain})
    for other in others:
        assert game.choose(state, other).state == wanted
        assert game.choose(state, other, decision.seat).state == wanted
        same = Move(action, {decision.decision_id: other})
        assert action == "of_set" or (same == move and hash(same) == hash(move))
        assert game.apply_move(game.initial_state(), same).state == wanted
        assert game.legal_choices(game.initial_state(), same).complete
        assert game.replay(game.initial_state(), [action, other]) == wanted


@pytest.mark.parametrize(("action", "others"), OTHERS)
def test_what_is_only_equal_to_an_option_is_refused(
    game: lw.Game, action: str, others: list[Any]
) -> None:
    state = begun(game, action)
    decision = game.decision(state)
    assert decision is not None
    for other in others:
        with pytest.raises(IllegalMove):
            game.choose(state, other)
        assert not game.why(game.initial_state(), Move(action, {decision.decision_id: other})).legal


def test_refusals_of_numbers_say_what_is_wrong(game: lw.Game) -> None:
    for action in ("of_range", "of_list"):
        with pytest.raises(IllegalMove, match=r"4\.0.* is not a number") as refused:
            game.choose(begun(game, action), 4.0)
        assert refused.value.code == "wrong-type"


def test_numbers_of_moves_are_plain() -> None:
    move = Move(
        "a", {"x": np.int64(3), "y": [np.int8(1), (np.bool_(True), "z")], "z": Place.SECOND}
    )
    assert repr(move) == "Move('a', {'x': 3, 'y': (1, (True, 'z')), 'z': 'land2'})"


@pytest.mark.parametrize(
    ("one", "other"),
    [(True, 1), (False, 0), (1, 1.0), ([1], [True]), ((1, (0,)), (1, (False,))), (None, 0)],
)
def test_moves_with_different_answers_are_different(one: Any, other: Any) -> None:
    assert Move("a", {"x": one}) != Move("a", {"x": other})
    assert Move("a", {"x": one}) == Move("a", {"x": one})
    assert len({Move("a", {"x": one}), Move("a", {"x": other})}) == 2


def test_ranges_hold_what_may_be_answered() -> None:
    numbers = lw.Range(1, 5)
    assert all(number in numbers for number in (1, np.int64(5), Number.FOUR))
    assert not any(thing in numbers for thing in (0, 6, True, 4.0, "4", None))
    assert numbers.index(np.int64(4)) == 3


@pytest.mark.parametrize("value", [4.0, object(), b"x", [1, 2.5], np.array([1, 2])])
def test_what_stands_for_no_answer_stays_as_it_is(value: Any) -> None:
    assert type(plain_answer(value)) is type(value)
    assert not same_answer(plain_answer(value), 4)


def test_traces_hold_plain_answers_only(game: lw.Game, tmp_path: Path) -> None:
    state = game.initial_state()
    recorder = Recorder(game, state)
    answers: list[Any] = ["of_list", np.int64(4), "of_pairs", (np.int64(1), np.bool_(True))]
    for answer in answers:
        decision = game.decision(state)
        assert decision is not None
        step = game.choose(state, answer)
        recorder.add(decision, answer, step)
        state = step.state
        with pytest.raises(TypeError, match=r"not 4\.0"):
            recorder.add(decision, 4.0, step)
    path = tmp_path / "game.json"
    recorder.trace("answers", game.gamedef_hash, {}, 2, 0).write(path)
    found = [answer for entry in read_trace(path).entries for _, answer in entry.params]
    assert found == ["of_list", 4, "of_pairs", [1, True]]
    assert [type(answer) for answer in found[3]] == [int, bool]


def test_what_an_agent_gave_is_told_whatever_it_is(game: lw.Game, tmp_path: Path) -> None:
    recorder = Recorder(game, game.initial_state())
    recorder.stop("agent", lw.LudwrightError("no"), game.decision(game.initial_state()), 4.5)
    path = tmp_path / "game.json"
    recorder.trace("answers", game.gamedef_hash, {}, 2, 0).write(path)
    stopped = read_trace(path).stopped
    assert stopped is not None
    assert stopped.option == "4.5"
