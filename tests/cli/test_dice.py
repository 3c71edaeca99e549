from __future__ import annotations

from ludwright.kernel.play.agent_dice import Dice, game_seed, policy_seed


def test_a_single_outcome_draws_nothing() -> None:
    one, other = Dice(9), Dice(9)
    assert one.pick(1) == 0
    assert one.next() == other.next()


def test_samples_are_distinct_and_ascending() -> None:
    picks = Dice(1).sample(1000, 20)
    assert picks == sorted(set(picks))
    assert len(picks) == 20
    assert Dice(1).sample(3, 20) == [0, 1, 2]


def test_games_of_a_series_get_different_seeds() -> None:
    seeds = {policy_seed(1, i) for i in range(100)} | {game_seed(1, i) for i in range(100)}
    assert len(seeds) == 200
