"""Each optimisation can be switched off, and code without it plays the same games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludwright as lw
from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import core_of
from ludwright.native.passes.pass_list import NAMES, PASSES, VARIABLE
from tests.native.support import engine, needs_native

pytestmark = needs_native

# By pass: a small game whose code it changes.
SHOWN = {
    "constant_tables": "kalah",
    "memoize": "nine-mens-morris",
    "loop_invariants": "hearts",
    "list_once": "hearts",
    "flat_streams": "chess",
    "branchless": "nim",
    "branchless_lists": "nim",
    "index_lookup": "kalah",
    "check_elimination": "nim",
    "space_sets": "reversi",
    "all_at_once": "draughts",
    "line_masks": "tic-tac-toe",
    "draw_bits": "hex",
    "bit_deposit": "nine-mens-morris",
    "bulk_move": "hearts",
    "bitset_places": "hearts",
    "drawn_link": "kuhn-poker",
    "flood_shifts": "go",
    "set_steps": "go",
    "known_ways": "hedgerow",
    "group_counters": "texas-holdem",
    "late_memo": "draughts",
    "inexact_nodes": "backgammon",
    "best_memo": "backgammon",
    "best_bound": "backgammon",
    "draw_first": "nine-mens-morris",
    "open_answers": "amazons",
    "near_retreat": "draughts",
    "shared_setup": "hearts",
    "cold_set_up": "reversi",
    "effects_only": "tic-tac-toe",
    "count_memo": "tic-tac-toe",
}
SAME_CODE = {"shared_setup"}  # playouts use the same code in another way


def test_every_pass_is_shown() -> None:
    assert set(SHOWN) == set(NAMES)


def test_the_page_says_of_every_pass_what_it_relies_on_and_gives() -> None:
    page = Path(__file__).parents[3] / "docs" / "native.md"
    rows = re.findall(
        r"^\| `(\w+)` \| .{10,} \| \d\.\d\d [\w-]+ \|$", page.read_text("utf-8"), re.M
    )
    assert rows == list(NAMES)


@pytest.mark.parametrize("name", [each.name for each in PASSES if each.measured != "counts"])
def test_code_without_a_pass_plays_the_same(name: str) -> None:
    _plays_the_same(SHOWN[name], {name}, name not in SAME_CODE)


@pytest.mark.parametrize("name", ["nine-mens-morris", "hearts", "leduc-poker"])
def test_code_without_any_pass_plays_the_same(name: str) -> None:
    _plays_the_same(name, set(NAMES), True)


def _plays_the_same(name: str, without: set[str], changes: bool) -> None:
    """Steps beside the interpreter, playouts beside those of the full code."""
    import numpy as np

    from ludwright.kernel.interpreter.machine import Machine
    from ludwright.native.build.llvm import deposits_fast
    from ludwright.native.machine import NativeMachine
    from ludwright.native.playouts import playouts
    from ludwright.native.translate import translate
    from ludwright.testing.lockstep import lockstep

    if without == {"bit_deposit"}:
        changes = deposits_fast()  # only some processors have the instruction
    left_out = frozenset(without)
    told = engine(name, events=True, without=left_out)
    program = told.program
    texts = [translate(program, without=given).text for given in ((), without)]
    assert (texts[0] != texts[1]) == changes
    native = NativeMachine(program, engine=told)
    players = program.world.min_players
    steps, difference = lockstep(Machine(program), native, 1, players, limit=40)
    assert difference is None, difference
    assert steps
    full, plain = (
        playouts(engine(name, without=given), 30, 7, finals=True, limit=300)
        for given in (frozenset[str](), left_out)
    )
    assert full.finals is not None
    assert plain.finals is not None
    assert np.array_equal(full.finals, plain.finals)


@pytest.mark.parametrize("without", [{"effects_only"}, {"count_memo"}, set(NAMES)])
def test_counts_without_a_pass_are_the_same(without: set[str]) -> None:
    from ludwright.native.engine import Engine
    from ludwright.native.perft import Counter

    for name, depth in (("tic-tac-toe", 4), ("nine-mens-morris", 2)):
        game = lw.load(name, engine="python")
        state = game.initial_state()
        counter = Counter(Engine(game.program, 0, counting=True, without=without), game.chance)
        assert counter.count(
            core_of(game).cells(state), core_of(game).stop(state), depth
        ) == game.perft(state, depth)


def test_an_unknown_pass_is_an_error_that_lists_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludwright.native.engine import Engine

    program = lw.load("nim", engine="python").program
    with pytest.raises(
        LudwrightError, match=r"no pass 'memoise'; the passes are .*memoize.*late_memo"
    ):
        Engine(program, 0, without={"memoise"})
    monkeypatch.setenv(VARIABLE, "memoize, memoise")
    with pytest.raises(LudwrightError, match=f"{VARIABLE}: there is no pass 'memoise'"):
        Engine(program, 0)


def test_the_environment_switches_passes_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And code with and without a pass is cached apart."""
    from ludwright.native.engine import Engine

    monkeypatch.setenv("LUDWRIGHT_CACHE", str(tmp_path))
    program = lw.load("nim", engine="python").program
    kept = []
    for given in ("", "branchless", " branchless ,", "branchless,late_memo"):
        monkeypatch.setenv(VARIABLE, given)
        assert Engine(program, 0).without == {name.strip() for name in given.split(",")} - {""}
        kept.append(len(list((tmp_path / "native").iterdir())))
    assert kept == [1, 2, 2, 3]
