"""Series of random games: the same report whichever engine plays them, on any number of threads."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

import ludwright as lw
from ludwright.agents import EndlessChoices, GreedyAgent, RandomAgent
from ludwright.errors import RulebookFault
from ludwright.kernel.play.game import Game
from ludwright.loading import known_games, large_games
from ludwright.native.game import NativeGame
from ludwright.simulate import Summary, replay, simulate
from ludwright.simulate.recorder import Recorder
from ludwright.simulate.series import Series
from ludwright.simulate.trace import trace_from_json
from tests.native.support import needs_native

pytestmark = needs_native


def games(name: str) -> tuple[Game, Game]:
    return lw.load(name, engine="python"), lw.load(name, engine="native")


@pytest.mark.parametrize(
    ("name", "n", "limit"),
    [
        ("tic-tac-toe", 90, 100_000), ("pig", 4, 100_000), ("nim", 70, 100_000),
        ("goofspiel", 5, 100_000), ("kuhn-poker", 70, 100_000), ("leduc-poker", 20, 3),
        ("delta", 3, 60), ("hearts", 2, 60), ("draughts", 2, 80), ("chess", 1, 40),
    ],
)  # fmt: skip
def test_both_engines_give_the_same_report(name: str, n: int, limit: int) -> None:
    plain, native = games(name)
    wanted = simulate(plain, n, [RandomAgent], 7, limit=limit)
    assert wanted.games == n
    for threads in (1, 3):
        assert simulate(native, n, [RandomAgent], 7, limit=limit, threads=threads) == wanted


@pytest.mark.parametrize(("name", "limit"), [("chess", 150), ("delta", 100_000)])
def test_threads_do_not_matter(name: str, limit: int) -> None:
    """Also where choices may be refused later."""
    native = games(name)[1]
    one, two = (
        simulate(native, 130, [RandomAgent], 7, limit=limit, threads=threads) for threads in (1, 3)
    )
    assert one == two
    assert one.games == 130
    assert sum(one.reasons.values()) == 130
    assert 130 <= one.moves <= one.decisions


def test_other_agents_play_one_answer_at_a_time() -> None:
    plain, native = games("nim")
    one, two = (simulate(game, 3, [GreedyAgent, RandomAgent], 2) for game in (plain, native))
    assert one == two


def test_an_interrupt_keeps_the_games_before_it() -> None:
    def stop(summary: Summary) -> None:
        raise KeyboardInterrupt

    summary = simulate(games("tic-tac-toe")[1], 10**9, [RandomAgent], 1, on_game=stop)
    assert summary.interrupted
    assert 0 < summary.games < 10**9
    assert sum(summary.reasons.values()) == summary.games


BOOK = """
# A mistake

```yaml
game: { id: mistake, title: A mistake, players: 2 }
vars: { total: 0..9, die: 0..6 }
actions:
  - id: act
    params: { n: 1..3 }
    effects: [RULE]
end: [{ when: total == 99, win: actor }]
```
"""


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("total += n", "range"),
        ("total = n // total", "division"),
        ("total = 9 // (3 - n)", "division"),
    ],
)
def test_a_mistake_of_the_rulebook_is_told_with_its_rule(rule: str, code: str) -> None:
    told = []
    for engine in ("python", "native"):
        game = lw.load_text(BOOK.replace("RULE", rule), engine=engine)
        summary = simulate(game, 5, [RandomAgent], 3)
        assert (summary.games, summary.faulted) == (0, 5)
        error = summary.faults[0].error
        assert isinstance(error, RulebookFault)
        assert error.code == code
        assert error.span is not None
        told.append(str(error))
    assert told[0] == told[1]
    assert isinstance(game, NativeGame)
    with pytest.raises(RulebookFault, match="act"):
        game.playouts(5, 3)


SOMETIMES = """
# Sometimes

```yaml
game: { id: sometimes, title: Sometimes, players: 2 }
vars: { total: 0..TOP, turns: 0..6 clamp, die: 0..6 }
SETUP
actions:
  - id: act
    effects:
      - chooseOne: { bind: $n, options: 0..4 }
      - chooseOne: { bind: $m, options: "[m for m in 0..4 if m != $n]" }
      - require $n + $m < 7
      - roll die in 1..3
      - total += $n * die
      - turns += 1
end: [{ when: turns == 6, win: actor, reason: "{total} in all" }]
```
"""


@pytest.mark.parametrize(
    ("top", "setup"),
    [(20, ""), (45, ""), (60, "setup: [roll die in 1..6, total = 70 // (die - 2)]")],
)
def test_faults_end_one_game_each_and_are_the_same_everywhere(top: int, setup: str) -> None:
    """Some games fault, in play or in set-up; the others are finished and counted."""
    text = SOMETIMES.replace("TOP", str(top)).replace("SETUP", setup)
    plain, native = (lw.load_text(text, engine=engine) for engine in ("python", "native"))
    wanted = simulate(plain, 90, [RandomAgent], 11)
    assert wanted.faulted > 0
    assert wanted.games > 0
    assert wanted.played == 90
    assert sum(wanted.reasons.values()) == wanted.games
    for threads in (1, 3):
        assert simulate(native, 90, [RandomAgent], 11, threads=threads) == wanted
    recorded = simulate(native, 90, [RandomAgent], 11, on_record=lambda *game: None)
    assert recorded == wanted
    for fault in wanted.faults:
        alone = simulate(native, 1, [RandomAgent], 11, first=fault.number)
        assert alone.faults == [fault]
        assert fault.recorder is not None
        trace = fault.recorder.trace("fixture", plain.gamedef_hash, {}, 2, fault.seed)
        read = trace_from_json(json.loads(trace.to_json()))
        assert read == trace
        for game in (plain, native):
            assert replay(game, game.gamedef_hash, read).ok
            finished = replace(read, stopped=replace(read.stopped, code="other"))  # type: ignore[type-var]
            assert not replay(game, game.gamedef_hash, finished).ok


def test_a_move_that_never_ends_is_told_with_its_name() -> None:
    text = BOOK.replace("RULE", "{ repeat: { while: total < 9, max: 50000, do: [{ chooseOne: { bind: $m, options: 1..2 } }] } }")  # fmt: skip
    found = []
    for engine in ("python", "native"):
        game = lw.load_text(text, engine=engine)
        summary = simulate(game, 2, [RandomAgent], 3, limit=20_000)
        assert isinstance(summary.faults[0].error, EndlessChoices)
        assert "`act`" in summary.faults[0].message
        found.append(summary)
    assert found[0] == found[1]


# Placing a cube refuses where none is left: then the choice has nothing but its end, and nobody is
# asked. What random play drew on the way to find that out must not count.
UNASKED = """# Unasked
```yaml
game: { id: unasked, title: Unasked, players: 2 }
seats: [red, blue]
spaces: { land: { track: 6 } }
pieces: { cube: { owner: seat, count: 4 } }
vars: { Seat.points: 0..999, round: 0..40 }
turn: { order: roundRobin }
actions:
  - id: spread
    effects:
      - chooseN: { bind: $where, options: land, max: 3 }
      - for s in $where do place cube of actor at s
      - actor.points += count($where)
      - round += 1
  - id: offer
    effects:
      - chooseOne: { bind: $one, options: land, optional: true }
      - if $one != none then place cube of actor at $one
      - chooseOne: { bind: $n, options: 1..5 }
      - actor.points += $n
      - round += 1
end: [{ when: round == 40, score: p.points for p in seats }]
```
"""


def driven_and_native(game: NativeGame, n: int, limit: int) -> int:
    """Plays the games of a series in both ways; gives the number of those that came to their end."""
    found = game.playouts(n, 7, limit=limit, finals=True, go_on=True)
    assert found.finals is not None
    seats = game.seats_in_play(game.initial_state(seed=1))
    series = Series(game, [RandomAgent], 7, None, limit, None, seats)
    for number in range(n):
        recorder = Recorder(game, series.start(number))
        if number in found.failures:
            with pytest.raises(lw.LudwrightError, match=re.escape(str(found.failures[number]))):
                series.play(number, recorder)
            continue
        played = series.play(number, recorder)
        assert played.decisions == found.decisions[number]
        assert played.moves == found.moves[number]
        if played.result is not None:
            assert list(played.state.cells) == found.finals[number].tolist()
    return int((found.ends >= 0).sum())


@pytest.mark.parametrize("name", sorted(set(known_games()) - set(large_games())))
def test_a_recorded_game_is_the_same_as_one_inside_the_engine(name: str) -> None:
    game = lw.load(name, engine="native")
    assert isinstance(game, NativeGame)
    driven_and_native(game, 2, 150)


def test_what_is_drawn_for_a_decision_that_is_not_asked_does_not_count() -> None:
    game = lw.load_text(UNASKED, engine="native")
    assert isinstance(game, NativeGame)
    assert driven_and_native(game, 20, 1000) == 20


def test_a_series_with_traces_is_the_same_series() -> None:
    game = lw.load_text(UNASKED, engine="native")
    kept: list[int] = []
    plain = simulate(game, 12, [RandomAgent], 3)
    traced = simulate(
        game, 12, [RandomAgent], 3, on_record=lambda number, seed, recorder: kept.append(number)
    )
    assert plain == traced
    assert kept == list(range(12))
