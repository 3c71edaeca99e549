"""Agents, series of games, traces and replay, on games written by hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ludwright as lw
from ludwright.agents import EndlessChoices, GreedyAgent, RandomAgent
from ludwright.cli.commands.simulate import MANY_REASONS, describe
from ludwright.cli.main import app
from ludwright.simulate import (
    DeadEnd,
    Recorder,
    Summary,
    Trace,
    TraceError,
    play_out,
    read_trace,
    replay,
    simulate,
)
from tests.cli.fakes import Blind, Endless, Hopeless, Nim


def record(game: Nim, seed: int = 3) -> Trace:
    state = game.initial_state(seed=seed)
    recorder = Recorder(game, state)
    play_out(game, state, {s: RandomAgent(seed) for s in game.seats}, recorder=recorder)
    return recorder.trace("nim", "abc", {"stones": game.stones}, 2, seed)


def test_a_series_depends_on_its_seed_only() -> None:
    one, again, other = (simulate(Nim(), 50, [RandomAgent], seed) for seed in (1, 1, 2))
    assert one == again
    assert one.games == 50
    assert sum(one.wins.values()) == 50
    assert one.reasons == {"last stone": 50}
    assert one.decisions != other.decisions


def test_greedy_takes_the_win_in_front_of_it() -> None:
    summary = simulate(Nim(3), 20, [GreedyAgent, RandomAgent], 1)
    assert summary.wins["first"] == 20
    assert summary.average_decisions == 1


def test_an_interrupt_keeps_what_was_finished() -> None:
    def stop(summary: Summary) -> None:
        if summary.games == 5:
            raise KeyboardInterrupt

    summary = simulate(Nim(), 100, [RandomAgent], 1, on_game=stop)
    assert summary.interrupted
    assert summary.games == 5


def test_games_beyond_the_limit_count_as_unfinished() -> None:
    summary = simulate(Nim(100), 2, [RandomAgent], 1, limit=3)
    assert summary.unfinished == 2
    assert summary.decisions == 6
    assert not summary.wins


def test_a_move_that_never_ends_names_its_action() -> None:
    summary = simulate(Endless(), 2, [RandomAgent], 1)
    assert (summary.games, summary.faulted) == (0, 2)
    for fault in summary.faults:
        assert isinstance(fault.error, EndlessChoices)
        assert "`dither`" in fault.message
        assert fault.recorder is not None
        assert fault.recorder.stopped is not None
        assert fault.recorder.stopped.where == "driver"


def test_a_dead_end_returns_to_the_start_of_the_part() -> None:
    game = Blind()
    recorder = Recorder(game, ())
    playout = play_out(game, (), {"first": RandomAgent(1)}, recorder=recorder)
    assert playout.state == (9, 9)
    assert (playout.moves, playout.decisions) == (1, 2)
    assert [answer.option for answer in recorder.answers] == [9, 9]


def test_a_hopeless_offer_is_given_up_with_its_name() -> None:
    with pytest.raises(DeadEnd, match="`sum`"):
        play_out(Hopeless(), (), {"first": RandomAgent(1)})


def test_a_trace_survives_writing_and_replays(tmp_path: Path) -> None:
    game = Nim(9, dice=True)
    trace = record(game)
    assert any(entry.chance for entry in trace.entries)
    trace.write(tmp_path / "game.json")
    assert read_trace(tmp_path / "game.json") == trace
    outcome = replay(game, "abc", trace)
    assert outcome.ok
    assert len(outcome.states) == len(trace.entries) + 1


def test_replay_names_the_first_difference() -> None:
    game = Nim(9, dice=True)
    trace = record(game)
    entries = list(trace.entries)
    entries[1] = replace(entries[1], state_hash="0")
    entries[2] = replace(entries[2], state_hash="0")
    outcome = replay(game, "abc", replace(trace, entries=tuple(entries)))
    assert outcome.difference is not None
    assert outcome.difference.step == 2
    assert len(outcome.states) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"params": (("$n", 99),)}, "not an option"),
        ({"params": (("$other", 1),)}, "is asked `\\$n`"),
        ({"seat": "second"}, "first is asked"),
        ({"chance": (5,)}, "chance gave"),
    ],
)
def test_every_kind_of_difference_is_told(change: dict[str, object], words: str) -> None:
    game = Nim(9, dice=True)
    trace = record(game)
    first = replace(trace.entries[0], **change)  # type: ignore[arg-type]
    outcome = replay(game, "abc", replace(trace, entries=(first, *trace.entries[1:])))
    assert outcome.difference is not None
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(outcome.difference.what)


def test_answers_after_the_end_are_a_difference() -> None:
    game = Nim(3)
    trace = record(game)
    outcome = replay(game, "abc", replace(trace, entries=trace.entries * 2))
    assert outcome.difference is not None
    assert "the game is over" in outcome.difference.what


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"action": "give"}, "the action is `take`"),
        ({"params": ()}, "answers nothing"),
        ({"state_hash": ""}, "not the saved one"),
    ],
)
def test_an_entry_must_say_what_was_done(change: dict[str, object], words: str) -> None:
    game = Nim(9)
    trace = record(game)
    first = replace(trace.entries[0], **change)  # type: ignore[arg-type]
    outcome = replay(game, "abc", replace(trace, entries=(first, *trace.entries[1:])))
    assert outcome.difference is not None
    assert outcome.difference.step == 1
    assert words in outcome.difference.what


def test_an_entry_is_one_part() -> None:
    game = Nim(9)
    trace = record(game)
    one, two, *rest = trace.entries
    joined = replace(two, seat=one.seat, params=one.params + two.params)
    outcome = replay(game, "abc", replace(trace, entries=(joined, *rest)))
    assert outcome.difference is not None
    assert "the part ends before" in outcome.difference.what


def test_another_seed_differs_from_the_start() -> None:
    game = Nim(9, dice=True)
    outcome = replay(game, "abc", replace(record(game), seed=4))
    assert outcome.difference is not None
    assert outcome.difference.step == 0


def test_another_version_of_the_rules_is_refused() -> None:
    with pytest.raises(TraceError, match="another version"):
        replay(Nim(), "def", record(Nim()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[]",
        "{}",
        '{"format": "ludwright-trace/3"}',
        '{"format": "ludwright-trace/1"}',
        "[" * 100_000,
    ],
)
def test_what_is_no_trace_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(TraceError):
        read_trace(path)


@pytest.mark.parametrize("field", ["game", "players", "seed", "entries", "parameters"])
@pytest.mark.parametrize("value", [None, True, [1], {"a": "b"}])
def test_fields_of_the_wrong_type_are_named(field: str, value: object, tmp_path: Path) -> None:
    data = json.loads(record(Nim()).to_json())
    data[field] = value
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data))
    with pytest.raises(TraceError, match=f"entry 1|`{field}`|parameter"):
        read_trace(path)


def test_many_reasons_are_counted_together() -> None:
    game = lw.load_text("""```yaml
game: { id: many, title: Many, players: 2 }
vars: { n: 0..99 }
actions: [{ id: act, effects: [roll n in 1..40] }]
end: [{ when: n > 0, win: actor, reason: "{n} came up" }]
```
""")
    lines = describe(simulate(game, 60, [RandomAgent, RandomAgent], seed=1), 60, ["random"])
    reasons = [line for line in lines.splitlines() if line.startswith("  ")]
    assert len(reasons) == MANY_REASONS + 1
    assert " other reasons: " in reasons[-1]


def test_an_ending_without_a_reason_is_told_in_words() -> None:
    summary = Summary(("red", "blue"), games=2, wins=Counter(red=2), reasons=Counter({"": 2}))
    assert describe(summary, 2, ["random"]).splitlines()[-1] == "  no reason given: 2 (100.0 %)"


def test_faults_are_told_apart_by_rule_and_line_not_by_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One mistake must not fill the screen, nor crowd out another."""
    book = tmp_path / "purse.md"
    book.write_text("""# Purse
```yaml
game: { id: purse, title: Purse, players: 2 }
seats: [red, blue]
vars: { Seat.silver: 0..20, die: 0..6, rounds: 0..99 }
turn: { order: roundRobin }
actions:
  - id: earn
    effects: [roll die in 1..6, "actor.silver += 3 * die", rounds += 1]
  - id: lose
    effects: [roll die in 1..6, "actor.silver -= die", rounds += 1]
end: [{ when: rounds > 30, draw: all }]
```
""")
    summary = simulate(lw.load(str(book)), 60, [RandomAgent], 1)
    assert summary.faulted > 30
    assert len({fault.message for fault in summary.faults}) > 2
    assert len(summary.mistakes) == 2
    assert sum(summary.mistakes.values()) == summary.faulted
    monkeypatch.chdir(tmp_path)
    told = str(
        CliRunner().invoke(app, ["simulate", str(book), "-n", "60", "--seed", "1"]).exception
    )
    assert told.count("is outside 0..20") == 2
    assert told.count("to see it again") == 2
    assert "nothing was kept" not in told


def test_a_series_says_what_was_played_how_often() -> None:
    told = CliRunner().invoke(app, ["simulate", "pig", "-n", "30", "--seed", "1"]).output
    actions = next(line for line in told.splitlines() if line.startswith("actions per game"))
    assert re.search(r"\(of 30 games\): .*roll [\d.]+", actions)
    assert "hold " in actions
    assert re.search(r"played with 2 players; the game is for 2 to \d", told)
    report = json.loads(
        CliRunner().invoke(app, ["simulate", "hearts", "-n", "2", "--json", "--limit", "60"]).output
    )
    assert report["players"] == 4
    assert report["usage"]["games"] == 2
    assert sum(report["usage"]["cards"].values()) > 50
    assert all(re.fullmatch("[2-9TJQKA][CDHS]", card) for card in report["usage"]["cards"])


def test_shared_wins_are_explained() -> None:
    summary = Summary(seats=("a", "b", "c"), games=2, wins=Counter({"a": 2, "b": 1}))
    assert "counts for each of them" in describe(summary, 2, ["random"])
    alone = Summary(seats=("a", "b", "c"), games=2, wins=Counter({"a": 1, "b": 1}))
    assert "counts for each of them" not in describe(alone, 2, ["random"])
