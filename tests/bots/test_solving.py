"""Solvers: values that are known from elsewhere, and policies that can be played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ludwright
from ludwright.agents.agent import Agent, RandomAgent
from ludwright.bots.policy import Policy, PolicyBot, PolicyError, read_policy
from ludwright.bots.solving.cfr import equilibrium
from ludwright.bots.solving.exact import Unsolved, is_open, solve
from ludwright.bots.solving.game_tree import TooLarge, whole_tree
from ludwright.cli.main import app
from ludwright.simulate.driver import play_out


def test_kuhn_poker_is_worth_what_kuhn_said() -> None:
    tree = whole_tree(ludwright.load("kuhn-poker", chance="explicit"))
    assert len(tree.set_sizes) == 12
    found = equilibrium(tree, 1e-4)
    assert found.exploitability <= 1e-4
    assert found.value == pytest.approx(-1 / 18, abs=2e-4)


def test_leduc_poker_comes_near_its_equilibrium() -> None:
    tree = whole_tree(ludwright.load("leduc-poker", chance="explicit"))
    assert len(tree.set_sizes) == 936
    found = equilibrium(tree, 0.02)
    assert found.exploitability <= 0.02
    assert found.value == pytest.approx(-0.0856, abs=0.02)


def test_a_policy_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    result = CliRunner().invoke(app, ["solve", "kuhn-poker", "-o", str(path), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["value"] == pytest.approx(-1 / 18, abs=2e-3)
    policy, game = read_policy(path), ludwright.load("kuhn-poker")
    gains = 0
    for number in range(400):
        bots: dict[str, Agent] = {"p1": RandomAgent(number), "p2": PolicyBot(policy, number)}
        ended = game.result(play_out(game, game.initial_state(number), bots).state)
        assert ended is not None
        gains += ended.scores["p2"]
    assert gains > 0
    other = ludwright.load("leduc-poker")
    bot = PolicyBot(policy, 1)
    with pytest.raises(PolicyError, match="for `kuhn-poker`, not for `leduc-poker`"):
        play_out(other, other.initial_state(), {"p1": bot, "p2": bot})


def test_a_policy_knows_every_decision_of_its_game(tmp_path: Path) -> None:
    """A bot names information sets as the solver did."""
    explicit, game = ludwright.load("leduc-poker", chance="explicit"), ludwright.load("leduc-poker")
    keys = set(whole_tree(explicit).set_keys(explicit))
    met: list[str] = []

    class Noting(dict[str, list[float]]):
        def get(self, key: str, default: object = None) -> object:  # type: ignore[override]
            met.append(key)
            return default

    policy = Policy("leduc-poker", game.gamedef_hash, Noting(), {})
    for number in range(30):
        bots = {seat: PolicyBot(policy, number) for seat in ("p1", "p2")}
        play_out(game, game.initial_state(number), bots)
    assert met
    assert keys.issuperset(met)


def test_small_open_games_are_solved() -> None:
    game = ludwright.load("nim")
    assert is_open(game)
    found = solve(game, game.initial_state(), 20, 1 << 28)
    assert found.values["first"] in (0.0, 1.0)
    for name in ("pig", "hearts", "goofspiel"):
        assert not is_open(ludwright.load(name))


def test_what_is_too_large_is_told() -> None:
    game = ludwright.load("connect-four")
    with pytest.raises(Unsolved, match="not solved"):
        solve(game, game.initial_state(), 0.05, 1 << 24)
    with pytest.raises(TooLarge):
        whole_tree(ludwright.load("liars-dice", chance="explicit"), largest=1_000)
