"""Games that are played for a score: who is better, and what a faulted game is worth."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import ludwright
from ludwright.agents import RandomAgent, View
from ludwright.bots.naming import UnknownBot, checked
from ludwright.bots.policy import Policy, PolicyBot, PolicyError
from ludwright.bots.tournaments.entering import tournament
from ludwright.bots.tournaments.evidence import Question
from ludwright.bots.tournaments.keeping import write_parquet
from ludwright.bots.tournaments.playing import Outcome
from ludwright.bots.tournaments.standings import standings
from ludwright.cli.commands.tournament import _text
from ludwright.cli.main import app
from ludwright.simulate import simulate
from ludwright.simulate.averages import (
    interval_of_rounds,
    interval_of_sums,
    played_for_score,
    student,
)
from ludwright.simulate.native_series import _squares


def scored(number: int, one: int, two: int) -> Outcome:
    """A game by what both bots scored; in games with odd numbers the second one sat first."""
    points = (1.0, 0.0) if one > two else (0.0, 1.0) if two > one else (0.5, 0.5)
    ranks = (1, 2) if one > two else (2, 1) if two > one else (1, 1)
    first, second = (0, 1) if number % 2 == 0 else (1, 0)
    return Outcome(
        number, number // 2, (first, second), (points[first], points[second]),
        (ranks[first], ranks[second]), ((one, two)[first], (one, two)[second]), 1, 0.0, "",
    )  # fmt: skip


def faulted(number: int) -> Outcome:
    return Outcome(
        number, number // 2, (0, 1), (0.0, 0.0), (1, 1), (0, 0), 0, 0.0, "", "broken", False
    )


def small_wins_large_losses(games: int) -> list[Outcome]:
    """The first bot wins three games of four by 1, and loses the fourth by 8."""
    return [scored(at, -8, 8) if at % 4 == 3 else scored(at, 1, -1) for at in range(games)]


@pytest.mark.parametrize("name", ["kuhn-poker", "leduc-poker", "backgammon", "hearts", "kalah"])
def test_these_games_are_played_for_their_score(name: str) -> None:
    assert played_for_score(ludwright.load(name, engine="python").program)


@pytest.mark.parametrize("name", ["chess", "pig", "liars-dice", "go", "three-fords"])
def test_these_games_are_won(name: str) -> None:
    """Pig has points and go counts area, but some ending names winners."""
    assert not played_for_score(ludwright.load(name, engine="python").program)


def test_whoever_wins_often_and_loses_much_is_not_better() -> None:
    outcomes = small_wins_large_losses(40)
    by_score, by_share = standings("ab", outcomes, True), standings("ab", outcomes)
    assert [each.bot for each in by_score] == ["b", "a"]
    assert [each.bot for each in by_share] == ["a", "b"]
    assert [each.score for each in by_score] == [1.25, -1.25]
    assert [each.score for each in by_share] == [None, None]
    low, high = by_score[0].score_interval or (0, 0)
    assert low < 1.25 < high


def test_a_faulted_game_counts_for_nobody() -> None:
    outcomes = [scored(0, 3, -3), faulted(1), scored(2, 1, -1), faulted(3)]
    best, other = standings("ab", outcomes, True)
    assert (best.bot, best.games, best.points, best.share, best.score) == ("a", 2, 2.0, 1.0, 2.0)
    assert (other.games, other.share) == (2, 0.0)
    rated = standings("ab", [faulted(at) for at in range(4)], True)
    assert [(each.games, each.points, each.score) for each in rated] == [(0, 0.0, None)] * 2
    question = Question(0.4, 0.6)
    assert question.decided([faulted(at) for at in range(200)], 2).verdict == ""
    assert Question(0, 1, of="score").decided([faulted(at) for at in range(200)], 2).verdict == ""


def test_an_unfinished_game_is_drawn_and_has_no_score() -> None:
    given = (0.5, 0.5), (1, 1), (0, 0), 9, 0.0, "the limit was reached"
    open_ = Outcome(1, 0, (1, 0), *given, finished=False)
    best, _ = standings("ab", [scored(0, 3, -3), open_], True)
    assert (best.games, best.share, best.score) == (2, 0.75, 3.0)


def test_parquet_tells_no_score_where_there_is_none(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(tmp_path / "x.parquet", "ab", [faulted(0), scored(1, 2, -2)])
    rows = parquet.read_table(tmp_path / "x.parquet").to_pylist()
    assert [(row["points"], row["rank"], row["score"]) for row in rows] == [
        (None, None, None), (None, None, None), (0.0, 2, -2), (1.0, 1, 2),
    ]  # fmt: skip


def test_intervals_of_rounds_leave_out_the_luck_of_the_deal() -> None:
    """Both games of a round have the same deal: it gives with one hand what it takes elsewhere."""
    luck = random.Random(1)
    rounds = [(deal + 1, 1 - deal) for deal in (luck.randint(-50, 50) for _ in range(50))]
    assert interval_of_rounds(rounds) == (1.0, 1.0)
    single = interval_of_rounds([[score] for each in rounds for score in each])
    assert single is not None
    assert single[1] - single[0] > 5
    assert interval_of_rounds(rounds[:1]) is None


def test_intervals_hold_the_mean_as_often_as_they_say() -> None:
    dice, held = random.Random(5), 0
    for _ in range(2_000):
        rolls = [dice.randint(1, 6) for _ in range(8)]
        found = interval_of_sums(sum(rolls), sum(roll * roll for roll in rolls), 8)
        assert found is not None
        assert found == pytest.approx(interval_of_rounds([[roll] for roll in rolls]))
        held += found[0] <= 3.5 <= found[1]
    assert 0.93 < held / 2_000 < 0.97
    assert [student(freedom) for freedom in (1, 5, 30)] == pytest.approx(
        [12.706, 2.571, 2.042], rel=2e-3
    )


@pytest.mark.parametrize(("mean", "wrong"), [(0.0, "yes"), (0.4, "no")])
def test_a_question_about_scores_errs_as_rarely_as_it_says(mean: float, wrong: str) -> None:
    """Wins of 1 or 2 like Kuhn poker's, with the mean at either end of what is asked."""
    dice, question, errors, trials = random.Random(3), Question(0.0, 0.4, of="score"), 0, 300
    for _ in range(trials):
        games = [scored(at, *_drawn(dice, mean)) for at in range(1_200)]
        verdict = question.decided(games, 2).verdict
        assert verdict
        errors += verdict == wrong
    assert errors / trials < 0.08


def _drawn(dice: random.Random, mean: float) -> tuple[int, int]:
    size = dice.choice((1, 1, 2))
    own = size if dice.random() < 0.5 + mean / 2 / (4 / 3) else -size
    return own, -own


def test_a_question_about_scores_can_have_another_answer_than_one_about_wins() -> None:
    outcomes = small_wins_large_losses(4_000)
    assert Question(0.5, 0.6).decided(outcomes, 2).verdict == "yes"
    assert Question(-0.5, 0.5, of="score").decided(outcomes, 2).verdict == "no"
    with pytest.raises(ludwright.LudwrightError):
        Question(-1, 0.5)
    with pytest.raises(ludwright.LudwrightError):
        Question(1, 1, of="score")


class Broken:
    """Plays a few answers and then fails."""

    def __init__(self, seed: int) -> None:
        self._random = RandomAgent(seed)

    def choose(self, view: View) -> Any:
        if view.decision.seat == "cross":
            raise KeyError("never mind")
        return self._random.choose(view)


def test_a_bot_that_fails_ends_its_game_and_not_the_tournament() -> None:
    table = tournament("tic-tac-toe", {"mine": Broken, "other": "random"}, 4, seed=1)
    assert [each.number for each in table.faults] == [0, 2]
    assert table.faults[0].fault == "bot `mine`: KeyError: 'never mind'"
    assert table.games == 2
    assert sum(each.points for each in table.standings) == 2


def test_a_policy_of_another_game_is_refused_before_play() -> None:
    kuhn, pig = ludwright.load("kuhn-poker"), ludwright.load("pig")
    policy = Policy("kuhn-poker", kuhn.gamedef_hash, {}, {})

    def maker(seed: int) -> PolicyBot:
        return PolicyBot(policy, seed)

    checked("policy:x", maker, kuhn, 2)
    with pytest.raises(PolicyError, match=r"`policy:x`: .* for `kuhn-poker`, not for `pig`"):
        checked("policy:x", maker, pig, 2)
    with pytest.raises(PolicyError, match="for `kuhn-poker`, not for `pig`"):
        tournament(pig, [maker, "random"], 2, players=2)
    with pytest.raises(PolicyError, match="with 2 seats, not 3"):
        PolicyBot(policy, 1).check(kuhn, 3)
    other = Policy("kuhn-poker", "another hash", {}, {})
    with pytest.raises(PolicyError, match="other rules of `kuhn-poker`"):
        PolicyBot(other, 1).check(kuhn, 2)


def run(*words: str) -> Any:
    return CliRunner().invoke(app, words)


def test_commands_refuse_a_policy_of_another_game(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    hashed = ludwright.load("kuhn-poker", engine="python").gamedef_hash
    Policy("kuhn-poker", hashed, {}, {}).write(path)
    bot = f"policy:{path}"
    for words in (
        ("tournament", "pig", "--bots", f"{bot},random", "-n", "4", "--players", "2"),
        ("simulate", "pig", "--agents", bot, "-n", "2"),
        ("play", "pig", "--bot", bot),
    ):
        result = run(*words)
        assert result.stdout == ""
        assert "for `kuhn-poker`, not for `pig`" in str(result.exception)
        assert getattr(result.exception, "code", None) == 2


def test_the_table_shows_scores_and_says_what_was_tested() -> None:
    given = ("tournament", "kuhn-poker", "--bots", "greedy,random", "-n", "24", "--workers", "1")
    text = run(*given, "--sprt", "0.4:0.6").stdout
    assert text.split("\n")[0].split() == [
        "bot",
        "games",
        "score",
        "95",
        "%",
        "interval",
        "share",
        "95",
        "%",
        "interval",
        "rating",
    ]
    assert "share of wins" in text
    assert "--sprt score:LOW:HIGH" in text
    told = json.loads(run(*given, "--json").stdout)
    assert (told["rankedBy"], told["faults"], told["games"]) == ("score", 0, 24)
    one, two = told["bots"]
    assert one["score"] == -two["score"]
    assert one["score"] >= two["score"]
    assert one["scoreInterval"][0] < one["score"] < one["scoreInterval"][1]
    asked = run(*given, "--sprt", "score:-1:1").stdout
    assert "the mean score of the first bot is more like" in asked
    won = run("tournament", "nim", "--bots", "greedy,random", "-n", "4", "--workers", "1", "--json")
    told = json.loads(won.stdout)
    assert told["rankedBy"] == "share"
    assert [each["score"] for each in told["bots"]] == [None, None]


@pytest.mark.parametrize("words", ["0.5", "score:1:0", "points:0:1", "0.6:0.5", "a:b", ":", "1:2"])
def test_a_question_that_makes_no_sense_is_refused(words: str) -> None:
    result = run("tournament", "nim", "--bots", "greedy,random", "--sprt", words)
    assert getattr(result.exception, "code", None) == 2


def test_makers_that_make_no_bots_are_refused() -> None:
    game = ludwright.load("nim")

    def nothing(seed: int) -> Any:
        return seed

    def without_seed() -> RandomAgent:
        return RandomAgent(1)

    with pytest.raises(UnknownBot, match="has no `choose"):
        tournament(game, [nothing, "random"], 2)
    with pytest.raises(UnknownBot, match="makes no bot from a seed"):
        tournament(game, [without_seed, "random"], 2)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="at least two"):
        tournament(game, ["random"], 2)


def test_classes_go_by_their_names() -> None:
    table = tournament("nim", ["random", "greedy", RandomAgent], 6)
    assert {each.bot for each in table.standings} == {"random", "greedy", "RandomAgent"}
    assert "score" not in _text(table, None)


def test_a_series_has_mean_scores_whichever_engine_plays() -> None:
    found = [
        simulate(ludwright.load("leduc-poker", engine=engine), 60, [RandomAgent], 3)
        for engine in ("native", "python")
    ]
    assert found[0] == found[1]
    games = ludwright.load("leduc-poker").playouts(60, seed=3)
    means = games.scores.mean(axis=0).tolist()
    assert list(found[0].scores.values()) == pytest.approx(means)
    half = 2.001 * games.scores[:, 0].std(ddof=1) / 60**0.5
    low, high = found[0].score_intervals["p1"]
    assert (low, high) == pytest.approx((means[0] - half, means[0] + half), abs=1e-3)


def test_games_without_an_end_have_no_score() -> None:
    for engine in ("native", "python"):
        game = ludwright.load("leduc-poker", engine=engine)
        found = simulate(game, 40, [RandomAgent], 3, limit=3)
        assert 0 < found.unfinished < 40
        ended = game.playouts(40, seed=3, limit=3)
        kept = ended.scores[ended.ends >= 0]
        assert list(found.scores.values()) == pytest.approx(kept.mean(axis=0).tolist())
        assert simulate(game, 4, [RandomAgent], 3, limit=1).scores == {}


def test_squares_too_large_for_numpy_are_added_up_all_the_same() -> None:
    large = 2**31 - 1
    assert _squares(np.array([large, -large, large], np.int64)) == 3 * large * large
    assert _squares(np.array([], np.int64)) == 0


def test_simulate_shows_scores_of_games_played_for_them() -> None:
    assert "mean score" in run("simulate", "kuhn-poker", "-n", "10").stdout
    assert "mean score" not in run("simulate", "pig", "-n", "4").stdout
    told = json.loads(run("simulate", "kuhn-poker", "-n", "10", "--json").stdout)
    assert told["scores"]["p1"] == -told["scores"]["p2"]
    assert told["score_intervals"]["p1"][0] < told["scores"]["p1"]
