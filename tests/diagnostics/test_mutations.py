"""Spoilt rulebooks compile or are refused with diagnostics: no crash, no hang, no full memory.

Six hundred mutants run with every test; `LUDWRIGHT_MUTANTS=10000` runs more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.diagnostics import mutants

COUNT = int(os.environ.get("LUDWRIGHT_MUTANTS", "600"))
PARTS = 2  # one for each worker
ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(60 + COUNT)
@pytest.mark.parametrize("part", range(PARTS))
def test_mutants(part: int) -> None:
    first, last = part * COUNT // PARTS, (part + 1) * COUNT // PARTS
    done = subprocess.run(
        [sys.executable, mutants.__file__, str(first), str(last)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout)
    print(f"slowest (seconds, mutant): {report['slowest']}; peak {report['peak_kb']} KB")
    assert report["failures"] == []
    assert report["clean"] == last - first
    assert report["slowest"][0][0] <= mutants.LONGEST_SECONDS


def test_a_number_is_always_the_same_mutant() -> None:
    assert mutants.mutant(7) == mutants.mutant(7)
    assert len({mutants.mutant(number)[2] for number in range(40)}) == 40


def test_each_mutation_is_used() -> None:
    used = {name for number in range(400) for name in mutants.mutant(number)[0].split(" + ")}
    assert used == set(mutants.MUTATIONS)


def test_a_failing_mutant_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mutants.compile_limited("rules.md", "no rules here")[1] is None

    def crash(text: str, name: str) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(mutants, "compile_text", crash)
    problem = mutants.compile_limited("rules.md", "no rules here")[1]
    assert problem is not None
    assert "lost" in problem
    monkeypatch.undo()
    monkeypatch.setattr(mutants, "LONGEST_SECONDS", -1.0)
    problem = mutants.compile_limited("rules.md", "no rules here")[1]
    assert problem is not None
    assert problem.startswith("took")
