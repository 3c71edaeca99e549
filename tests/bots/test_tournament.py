"""Tournaments: the same results whoever plays the games, and whenever they are stopped."""

from __future__ import annotations

import json
import math
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludwright.bots import tournament
from ludwright.bots.naming import UnknownBot, bot_maker
from ludwright.bots.tournaments.evidence import Question
from ludwright.bots.tournaments.keeping import Journal
from ludwright.bots.tournaments.playing import Contest, Outcome, outcome_from, play
from ludwright.bots.tournaments.running import in_processes, in_this_process
from ludwright.bots.tournaments.schedule import Schedule
from ludwright.bots.tournaments.standings import standings
from ludwright.bots.tournaments.tournament import hold
from ludwright.cli.commands.tournament import _text
from ludwright.cli.main import app
from ludwright.errors import LudwrightError

CONTEST = Contest("tic-tac-toe", (), ("search:30", "random"), 2, 7, 1_000)


def timeless(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [replace(each, seconds=0.0) for each in outcomes]


def won(number: int, points: tuple[float, float]) -> Outcome:
    ranks = (1, 2) if points[0] > points[1] else (2, 1)
    return Outcome(number, number // 2, (0, 1), points, ranks, (0, 0), 1, 0.0, "")


def test_each_bot_sits_in_every_seat_with_the_same_deal() -> None:
    games = [Schedule(3, 2, 1).game(number) for number in range(12)]
    for one, two in zip(games[::2], games[1::2], strict=True):
        assert one.seed == two.seed
        assert one.seats == two.seats[::-1]
    assert {game.seats for game in games} == {(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)}
    four = [Schedule(2, 4, 1).game(number).seats for number in range(4)]
    assert all(sum(row[seat] == 0 for row in four) == 2 for seat in range(4))


def test_results_do_not_depend_on_who_plays() -> None:
    alone = hold(CONTEST, 6, in_this_process)
    pooled = hold(CONTEST, 6, in_processes(2))
    assert timeless(alone.outcomes) == timeless(pooled.outcomes)
    assert [each.bot for each in alone.standings] == ["search:30", "random"]


def test_a_process_that_dies_loses_no_finished_game(tmp_path: Path) -> None:
    """A worker ends itself in the middle; its games are given to others."""
    contest = Contest("tic-tac-toe", (), ("random", "greedy"), 2, 3, 1_000)
    found: list[Outcome] = []
    killed = False
    for outcome in in_processes(1)(contest, range(12)):
        found.append(outcome)
        if not killed:
            killed = True
            _kill_children()
    assert sorted(each.number for each in found) == list(range(12))
    by_number = sorted(timeless(found), key=lambda each: each.number)
    assert by_number == timeless([play(contest, number) for number in range(12)])


def _kill_children() -> None:
    import multiprocessing

    for child in multiprocessing.active_children():
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)


def test_a_tournament_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "games.journal"

    def stopping(contest: Contest, numbers: Sequence[int]) -> Iterator[Outcome]:
        for number in numbers[:3]:
            yield play(contest, number)
        raise KeyboardInterrupt

    first = hold(CONTEST, 6, stopping, Journal(path, CONTEST, "x"))
    assert (len(first.outcomes), first.interrupted) == (3, True)
    with path.open("a") as file:
        file.write('{"number": 3, "rou')  # cut off in the middle
    asked: list[int] = []

    def counting(contest: Contest, numbers: Sequence[int]) -> Iterator[Outcome]:
        asked.extend(numbers)
        yield from in_this_process(contest, numbers)

    rest = hold(CONTEST, 6, counting, Journal(path, CONTEST, "x"))
    assert asked == [3, 4, 5]
    assert timeless(rest.outcomes) == timeless(hold(CONTEST, 6, in_this_process).outcomes)
    with pytest.raises(LudwrightError, match="another tournament"):
        Journal(path, replace(CONTEST, seed=8), "x")


def test_an_outcome_survives_the_journal() -> None:
    outcome = play(CONTEST, 0)
    assert outcome_from(json.loads(json.dumps(outcome.plain())), CONTEST.schedule) == outcome


@pytest.mark.parametrize(
    "change",
    [
        {"points": None}, {"points": [1.0]}, {"points": [5.0, -4.0]}, {"points": [1.0, 1.0]},
        {"points": [math.nan, 0.0]}, {"scores": [1, "2"]}, {"ranks": {}}, {"seats": [0, 0]},
        {"seats": [10**40, 0]}, {"number": True}, {"number": -2}, {"number": 10**40},
        {"number": 1}, {"round": 3}, {"fault": 0}, {"finished": 1}, {"other": 1},
    ],
)  # fmt: skip
def test_a_journal_with_a_changed_game_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "games.journal"
    journal = Journal(path, CONTEST, "x")
    for number in range(2):
        journal.add(play(CONTEST, number))
    journal.close()
    head, first, second = path.read_text().splitlines()
    told = {
        name: value for name, value in (json.loads(first) | change).items() if value is not None
    }
    for line in (json.dumps(told), "[]", "{}", "{", "[" * 100_000, head):
        path.write_text(f"{head}\n{second}\n{line}\n")
        with pytest.raises(LudwrightError, match=r"games\.journal, line 3: "):
            Journal(path, CONTEST, "x")
    path.write_text(f"{head}\n{second}\n")
    assert list(Journal(path, CONTEST, "x").finished) == [1]


def test_numbers_are_those_of_any_type_that_counts_as_whole() -> None:
    np = pytest.importorskip("numpy")
    bots = {"one": "random", "other": "random"}
    plain = tournament("nim", bots, 4, seed=3, limit=50)
    same = tournament("nim", bots, np.int64(4), seed=np.int64(3), limit=np.int32(50))
    assert timeless(same.outcomes) == timeless(plain.outcomes)
    wrongs: list[dict[str, Any]] = [
        {"seed": True}, {"seed": 1.5}, {"limit": None}, {"workers": None},
    ]  # fmt: skip
    for wrong in wrongs:
        with pytest.raises(TypeError):
            tournament("nim", bots, 4, **wrong)


def test_a_journal_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.journal"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(LudwrightError, match="is not the journal"):
        Journal(path, CONTEST, "x")


def test_a_question_is_decided_early_and_by_whole_rounds() -> None:
    better = [won(at, (1.0, 0.0) if at % 4 else (0.0, 1.0)) for at in range(400)]
    even = [won(at, (1.0, 0.0) if at % 2 else (0.0, 1.0)) for at in range(2_000)]
    question = Question(0.5, 0.6)
    found = question.decided(better, 2)
    assert found.verdict == "yes"
    assert len(found.games) < 200
    assert len(found.games) % 2 == 0
    assert question.decided(even, 2).verdict == "no"


def test_ratings_put_the_winner_first() -> None:
    table = standings(("one", "two"), [won(at, (1.0, 0.0)) for at in range(20)])
    assert (table[0].bot, table[0].share) == ("one", 1.0)
    assert table[0].rating is not None
    assert table[1].rating is not None
    assert table[0].rating > table[1].rating
    assert table[0].interval[0] > 0.8


def test_parquet_holds_one_row_for_each_seat(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "out.parquet"
    given = ["tournament", "tic-tac-toe", "--bots", "greedy,random", "-n", "4", "--workers", "1"]
    result = CliRunner().invoke(app, [*given, "--output", str(path), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["games"] == 4
    rows = parquet.read_table(path).to_pylist()
    assert len(rows) == 8
    assert {row["bot"] for row in rows} == {"greedy", "random"}
    again = CliRunner().invoke(app, [*given, "--output", str(path), "--json"])
    assert json.loads(again.stdout) == json.loads(result.stdout)


@pytest.mark.parametrize(
    "name", ["serch", "search:x", "search:0", "search:-1s", "level:11", "level:", "policy:"]
)
def test_unknown_bots_are_refused(name: str) -> None:
    with pytest.raises(UnknownBot):
        bot_maker(name)


def test_a_table_without_ratings_has_no_column_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill", None)
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    table = tournament("nim", ["greedy", "random"], 4)
    assert "rating" not in _text(table, None)
