"""Both engines side by side over every shipped game: same bytes, decisions, events and errors."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.kernel.machine import ChanceMode
from tests.native.support import engine, needs_native

pytestmark = needs_native
GAMES = sorted(lw.shipped_games())


def play(name: str, chance: ChanceMode, seeds: range, limit: int) -> int:
    from ludwright.native.lockstep import lockstep
    from ludwright.native.machine import NativeMachine

    game = lw.load(name, chance=chance)
    native = NativeMachine(game.program, chance, engine=engine(name, events=True))
    decisions = 0
    for seed in seeds:
        players = len(game.seats) if seed % 2 else game.program.world.min_players
        made, difference = lockstep(game.machine, native, seed, players, limit)
        assert difference is None, f"{name}, {chance}, seed {seed}: {difference}"
        decisions += made
    return decisions


@pytest.mark.parametrize("chance", ["generator", "explicit"])
@pytest.mark.parametrize("name", GAMES)
def test_shipped_games_agree(name: str, chance: ChanceMode) -> None:
    assert play(name, chance, range(2), 60) > 0


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_shipped_games_agree_for_long(name: str) -> None:
    assert play(name, "generator", range(100, 140), 2_000) > 0


@pytest.mark.parametrize("budget", [0, 1, 7])
def test_a_small_budget_leaves_the_same_options_open(budget: int) -> None:
    from ludwright.native.lockstep import lockstep
    from ludwright.native.machine import NativeMachine

    game = lw.load("delta", search_budget=budget)
    native = NativeMachine(game.program, search_budget=budget, engine=engine("delta", events=True))
    made, difference = lockstep(game.machine, native, 5, 4, 40)
    assert difference is None, str(difference)
    assert made > 0


def test_a_difference_is_told_with_step_and_values() -> None:
    from ludwright.native.lockstep import Difference

    told = str(Difference(3, "cell 7", 1, 2, "action place"))
    assert told.startswith("step 3: cell 7 (rule: action place)")
    assert "interpreted: 1" in told
    assert "native:      2" in told
