"""Go against OpenSpiel: liberties, ko, positions that come again, the area; and known counts."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from tests.games import lockstep

COLUMNS = "abcdefghijklmnopqrs"
pytestmark = pytest.mark.usefixtures("engine")


def written(state: Any, action: int) -> str:
    """`B j4` and `W PASS` name the side as well, and there is no column `i`."""
    text: str = state.action_to_string(action).split()[1].lower()
    return text if text == "pass" else COLUMNS["abcdefghjklmnopqrst".index(text[0])] + text[1:]


@pytest.mark.parametrize(("size", "few"), [(9, 1), (5, 4), (3, 10), (2, 20)])
def test_lockstep_with_openspiel(size: int, few: int) -> None:
    pyspiel = lockstep.peer("pyspiel")
    game = lw.load("go", size=size)
    for seed in lockstep.games(few):
        other = pyspiel.load_game("go", {"board_size": size}).new_initial_state()
        lockstep.mirror(game, other, written, seed)


def test_lockstep_reaches_every_way_to_end() -> None:
    """A 2 x 2 board repeats positions quickly; komi 0.5 lets black win now and then."""
    pyspiel = lockstep.peer("pyspiel")
    game = lw.load("go", size=2, komi=0)
    found = set()
    for seed in range(150):
        other = pyspiel.load_game("go", {"board_size": 2, "komi": 0.5}).new_initial_state()
        lockstep.mirror(game, other, written, seed)
        found.add(tuple(other.returns()))
    assert found == {(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)}


def areas(rows: list[str]) -> dict[str, int]:
    """The scores of both sides if nobody plays on."""
    game = lw.load("go", size=len(rows), komi=0)
    state = game.position(drawing="\n".join(" ".join(row) for row in rows))
    for _ in game.seats:
        state = game.apply_move(state, game.parse_move(state, "pass")).state
    result = game.result(state)
    assert result is not None
    return dict(result.scores)


def test_crossings_that_both_sides_reach_belong_to_nobody() -> None:
    assert areas(["BB.WW", "BB.WW", "BB.WW", "BB.WW", "BB.WW"]) == {"black": 10, "white": 10}
    assert areas([".BW.B", "BBWBB", "WWWW.", ".W.WW", "W.W.."]) == {"black": 7, "white": 16}


def test_an_empty_board_belongs_to_nobody() -> None:
    assert areas(["..", ".."]) == {"black": 0, "white": 0}


def test_legal_positions_of_the_smallest_boards() -> None:
    """Tromp and Farnebäck: of 3^n positions 57 are legal on 2 x 2: every chain has a liberty."""
    game = lw.load("go", size=2)
    seen = set()
    stack = [game.initial_state()]
    while stack:
        state = stack.pop()
        key = tuple(sorted(lockstep.owners(game, state).items()))
        turn = (key, game.current_seat(state), game.observe(state, None)["variables"]["ko"])
        if turn in seen or game.result(state) is not None:
            continue
        seen.add(turn)
        stack += [game.apply_move(state, move).state for move in game.legal_moves(state)]
    assert len({key for key, _, _ in seen}) == 57
