"""The native engine under a debugging allocator, and where memory runs out: no report, no crash."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.protocol.state import State
from tests.native.support import needs_native

pytestmark = [
    needs_native,
    pytest.mark.skipif(
        importlib.util.find_spec("_testcapi") is None,
        reason="this Python has no `_testcapi`, which makes requests for memory fail",
    ),
]
ROOT = Path(__file__).parents[2]


def sanitised(states: int, *names: str) -> list[str]:
    """Play under the debugging allocator; the lines that tell what was done."""
    environment = {**os.environ, "PYTHONMALLOC": "debug", "PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        [sys.executable, "-X", "dev", "-m", "tests.native.sanitised", str(states), *names],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1200, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr or f"ended by signal {-found.returncode}"
    assert found.stderr == ""
    return found.stdout.splitlines()


def test_no_report_where_memory_runs_out() -> None:
    """Games with every kind of answer: names, numbers, ranges, pieces, sets, sealed ones."""
    names = ["tic-tac-toe", "nim", "pig", "hearts", "goofspiel", "backgammon"]
    lines = sanitised(3, *names)
    assert len(lines) == len(names)
    for line in lines:
        calls, failures = (int(word) for word in line.split() if word.isdigit())
        assert failures > calls, line


@pytest.mark.long
@pytest.mark.parametrize("name", lw.shipped_games())
def test_no_report_in_any_game(name: str) -> None:
    assert sanitised(40, name)


def test_a_search_for_which_there_is_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends as a MemoryError, not as an answer, and the next one finds what it should."""
    from ludwright.native.engine import Engine
    from ludwright.native.game import NativeGame

    allocate = ctypes.CDLL(None).malloc
    allocate.restype, allocate.argtypes = ctypes.c_void_p, (ctypes.c_size_t,)
    left = [0]

    def scarce(size: int) -> int | None:
        left[0] -= 1
        found: int | None = allocate(size) if left[0] >= 0 else None
        return found

    malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(scarce)

    llvm: Any = importlib.import_module("llvmlite.binding")
    as_usual = llvm.JITLibraryBuilder.add_current_process

    def with_malloc(builder: Any) -> Any:
        builder.import_symbol("malloc", ctypes.cast(malloc, ctypes.c_void_p).value)
        return as_usual(builder)

    monkeypatch.setattr(llvm.JITLibraryBuilder, "add_current_process", with_malloc)
    usual = lw.load("delta", engine="python")
    engine = Engine(usual.program, 0, events=True)
    state = usual.initial_state(1)
    starved = 0
    for _ in range(12):
        decision = usual.decision(state)
        assert decision is not None
        answer = decision.answers[0]
        game = NativeGame(
            usual.program, usual.gamedef_json, gamedef_hash=usual.gamedef_hash, engine=engine
        )
        for there in range(3):
            left[0] = there  # requests that succeed
            game = NativeGame(
                usual.program, usual.gamedef_json, gamedef_hash=usual.gamedef_hash, engine=engine
            )
            try:
                game.choose(State(state.game_id, state.cells), answer)
            except MemoryError:
                starved += 1
        left[0] = 1_000
        after = usual.choose(state, answer).state
        assert game.choose(state, answer).state.to_bytes() == after.to_bytes()
        state = after
    assert starved > 0
