"""Promises that every shipped game keeps, on random games.

`LUDWRIGHT_WALKS=20` plays twenty times as many games as the usual run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.loading import VARIABLE
from ludwright.testing import CHECKS, ConformanceError, conformance, fingerprint, random_walk

GAMES = sorted(lw.shipped_games())
MORE = int(os.environ.get("LUDWRIGHT_WALKS", "1"))
SEEDS = st.integers(min_value=0, max_value=2**64 - 1)
ROOT = Path(__file__).parents[2]
# Games whose random play wanders about; they end by a rule that takes long to apply.
DECISIONS = 4_000


@cache
def loaded(name: str) -> Game:
    return lw.load(name)


def most_players(game: Game) -> int:
    return len(game.seats)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_conforms(name: str) -> None:
    conformance(loaded(name), games=2 * MORE, seed=100, limit=60, sample=5)


@pytest.mark.parametrize("name", [n for n in GAMES if loaded(n).program.world.min_players < most_players(loaded(n))])  # fmt: skip
def test_every_game_conforms_with_all_seats_taken(name: str) -> None:
    game = loaded(name)
    conformance(game, games=MORE, seed=7, limit=60, sample=4, players=most_players(game))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_conforms_with_explicit_chance(name: str) -> None:
    game = lw.load(name, chance="explicit")
    cheap = {check: CHECKS[check] for check in ("round trips", "in range", "pieces conserved", "options complete", "secrets kept", "nothing changes")}  # fmt: skip
    conformance(game, games=MORE, seed=5, limit=50, sample=4, checks=cheap)


@settings(
    max_examples=4 * MORE, deadline=None, derandomize=MORE == 1,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
@given(seed=SEEDS, data=st.data())
@pytest.mark.parametrize("name", GAMES)
def test_any_answers_keep_the_state_sound(name: str, seed: int, data: st.DataObject) -> None:
    """Hypothesis chooses the answers, so that a failing game shrinks to a short one."""
    game = loaded(name)
    state = game.initial_state(seed=seed)
    states, answers = [state], []
    for _ in range(data.draw(st.integers(0, 15), label="decisions")):
        decision = game.decision(state)
        if decision is None or not decision.answers or "unknown" in decision.legality:
            break
        answers.append(data.draw(st.sampled_from(decision.answers), label=decision.decision_id))
        state = game.choose(state, answers[-1], decision.seat).state
        states.append(state)
    again = game.initial_state(seed=seed)
    for answer, expected in zip(answers, states[1:], strict=True):
        again = game.choose(again, answer).state
        assert again == expected
        assert game.state_from_bytes(expected.to_bytes()) == expected
        assert game.decision(game.state_from_bytes(expected.to_bytes())) == game.decision(expected)


@pytest.mark.parametrize("name", GAMES)
def test_random_games_end(name: str) -> None:
    game = loaded(name)
    walk = random_walk(game, seed=1, limit=DECISIONS)
    assert walk.finished, f"no end after {DECISIONS} decisions"
    result = game.result(walk.states[-1])
    assert result is not None
    seats = set(walk.seats())
    assert {seat for rank in result.ranking for seat in rank} == seats
    assert set(result.winners) <= seats
    assert result.reason or result.outcome
    with pytest.raises(lw.IllegalMove) as caught:
        game.choose(walk.states[-1], "anything")
    assert caught.value.code == "game-over"


PRINTER = """
import ludwright as lw
from ludwright.testing import fingerprint
for name in sorted(lw.shipped_games()):
    print(name, fingerprint(lw.load(name), 11, 25), flush=True)
"""


def printed(hash_seed: str) -> str:
    environment = {
        **os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), VARIABLE: "python",
    }  # fmt: skip
    run = subprocess.run(
        [sys.executable, "-c", PRINTER], cwd=ROOT, env=environment, capture_output=True, text=True,
        timeout=240, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_processes_hash_seeds_and_engines_agree() -> None:
    first, second = printed("0"), printed("4242")
    assert first == second
    here = "".join(f"{name} {fingerprint(lw.load(name), 11, 25)}\n" for name in GAMES)
    assert here == first


# ------------------------------------------------------------------ the checks themselves


def test_a_changed_state_is_noticed() -> None:
    walk = random_walk(loaded("tic-tac-toe"), 1)
    tampered = replace(walk, recorded=(*walk.recorded[:2], b"other", *walk.recorded[3:]))
    with pytest.raises(ConformanceError, match="seed=1"):
        CHECKS["nothing changes"](tampered, 5)
    with pytest.raises(ConformanceError):
        CHECKS["deterministic"](tampered, 5)


def test_a_value_out_of_range_and_a_lost_piece_are_noticed() -> None:
    game = loaded("harvest-fair")
    walk = random_walk(game, 1, limit=4)
    cells = list(walk.states[2].cells)
    variable = next(v for v in game.program.variables if v.name == "coins")
    cells[variable.addr] = 9999
    broken = replace(walk, states=(*walk.states[:2], _state(game, cells), *walk.states[3:]))
    with pytest.raises(ConformanceError, match="coins"):
        CHECKS["in range"](broken, 5)
    cells = list(walk.states[2].cells)
    cells[game.program.place_count] += 1
    broken = replace(walk, states=(*walk.states[:2], _state(game, cells), *walk.states[3:]))
    with pytest.raises(ConformanceError, match="lost count"):
        CHECKS["pieces conserved"](broken, 5)


def _state(game: Game, cells: list[int]) -> lw.State:
    """Past the check of what comes from outside."""
    return lw.State(game.initial_state().game_id, cells)


LEAKY = """# Leaky
```yaml
game: { id: leaky, title: Leaky, players: 2 }
seats: [red, blue]
pieces: { card: { each: { rank: 1..6 } } }
zones: { hand: { each: seat, see: owner, of: card }, deck: { order: deck, see: count, init: all, of: card } }
setup: [draw 2 from deck to hand(red), draw 2 from deck to hand(blue)]
vars: { n: 0..9 }
actions:
  - id: guess
    params: { r: "r for r in 1..6 if declassify(any(c for c in hand(opponent(actor)) if c.rank == r))" }
    effects: [n += 1]
end: [{ when: n == 8, draw: all, reason: done }]
```
"""  # fmt: skip


def test_a_leak_is_noticed() -> None:
    with pytest.raises(ConformanceError, match="can tell what it does not see"):
        conformance(lw.load_text(LEAKY), games=1)
