"""What a solver refuses, how it keeps to its time, and that Ctrl-C is heard."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ludwright
from ludwright.bots import CannotSolve, Solution, TooLarge, Unsolved, solve, tournament
from ludwright.bots.solving import cfr, game_tree
from ludwright.bots.solving.cfr import Cfr, equilibrium
from ludwright.bots.solving.game_tree import whole_tree
from ludwright.cli.main import app

THREE_SEATS = """
# Three

```yaml
game: { id: three, title: Three, players: 3 }
vars: { total: 0..9 }
actions:
  - { id: one, effects: [total += 1] }
end:
  - { when: total == 5, win: actor, reason: five }
```
"""


@pytest.mark.parametrize(
    ("name", "players", "why"),
    [
        ("pig", None, "rolled or drawn"),
        ("backgammon", None, "rolled or drawn"),
        ("hearts", None, "two seats, not for 4"),
        ("goofspiel", 3, "two seats, not for 3"),
    ],
)
def test_what_cannot_be_solved_is_refused_at_once(
    name: str, players: int | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_tree._Builder, "build", None)  # nothing is laid out
    with pytest.raises(CannotSolve, match=why):
        solve(ludwright.load(name), players=players)
    given = [] if players is None else ["--players", str(players)]
    result = CliRunner().invoke(app, ["solve", name, *given])
    assert why in str(result.exception)
    assert getattr(result.exception, "code", None) == 2


def test_more_than_two_seats_are_refused_where_all_is_seen() -> None:
    with pytest.raises(CannotSolve, match="not for 3"):
        solve(ludwright.load_text(THREE_SEATS))


def test_a_game_with_secrets_is_solved_from_its_beginning() -> None:
    game = ludwright.load("kuhn-poker")
    with pytest.raises(CannotSolve, match="from its beginning"):
        solve(game, game.initial_state())


def test_a_tree_is_laid_out_in_time_or_not_at_all() -> None:
    game = ludwright.load("leduc-poker", chance="explicit")
    begun = time.process_time()
    with pytest.raises(TooLarge, match=r"0\.05 seconds were not enough"):
        whole_tree(game, seconds=0.05)
    assert time.process_time() - begun < 1
    assert gc.isenabled()


def test_a_tree_that_is_too_large_is_noticed_in_the_middle_of_a_level() -> None:
    """A level may be many times as large as all before it."""
    game = ludwright.load("liars-dice", chance="explicit")
    builder = game_tree._Builder(game, 50, 60.0)
    with pytest.raises(TooLarge, match="more than 50"):
        builder.build(game.initial_state(0, players=2))
    assert len(builder.tree.children) <= 50


def test_an_equilibrium_keeps_to_its_time_and_says_what_was_not_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tree = whole_tree(ludwright.load("kuhn-poker", chance="explicit"))
    late = equilibrium(tree, 0.0, seconds=0.0)
    assert (late.iterations, late.reached) == (1, False)
    assert equilibrium(tree, 0.01).reached
    # however the iterations are cut, the same are judged
    whole = equilibrium(tree, 1e-3)
    monkeypatch.setattr(cfr, "MOMENT", 0.0)
    assert equilibrium(tree, 1e-3).iterations == whole.iterations


def test_ctrl_c_gives_the_equilibrium_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = whole_tree(ludwright.load("kuhn-poker", chance="explicit"))
    improve, calls = Cfr.improve, list[int]()

    def interrupted(self: Any, iterations: int) -> None:
        calls.append(iterations)
        if len(calls) == 4:
            raise KeyboardInterrupt
        improve(self, iterations)

    monkeypatch.setattr(Cfr, "improve", interrupted)
    found = equilibrium(tree, 0.0)
    assert found.interrupted
    assert not found.reached
    assert 0 < found.exploitability < 1


def test_solutions_from_python(tmp_path: Path) -> None:
    exact = solve("nim", seconds=20)
    assert exact.exact
    assert sorted(exact.values.values()) == [0.0, 1.0]
    assert exact.line
    found: Solution = solve("kuhn-poker", exploitability=0.01)
    assert found.values["p1"] == pytest.approx(-1 / 18, abs=0.01) == -found.values["p2"]
    assert found.policy is not None
    found.policy.write(tmp_path / "kuhn.json")
    bots = [f"policy:{tmp_path / 'kuhn.json'}", "random"]
    assert not tournament("kuhn-poker", bots, 20).faults
    with pytest.raises(Unsolved, match="not solved"):
        solve("connect-four", seconds=0.05)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_is_heard_while_a_tree_is_laid_out() -> None:
    """The command says so, and does not go through all it made first."""
    code = (
        "import sys, ludwright.bots.solving.game_tree as t\n"
        "old = t._Builder._add\n"
        "def add(self, count):\n"
        "    old(self, count)\n"
        "    if len(self.tree.kinds) > 3000: print('now', flush=True)\n"
        "t._Builder._add = add\n"
        "sys.argv = ['ludwright', 'solve', 'delta', '--seconds', '500']\n"
        "from ludwright.cli.main import main\n"
        "main()\n"
    ).replace("\\\n", "\n")
    running = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert running.stdout is not None
    assert running.stdout.readline() == "now\n"
    running.send_signal(signal.SIGINT)
    begun = time.monotonic()
    _, told = running.communicate(timeout=60)
    assert "interrupted" in told
    assert running.returncode == 130
    assert time.monotonic() - begun < 20  # a second on a machine that has nothing else to do
