"""The fuzzer itself is tested, and a little of it runs with every test.

`LUDWRIGHT_FUZZ_MINUTES` is how long the long run takes, `LUDWRIGHT_FUZZ_SEED` makes it the same again.
"""

from __future__ import annotations

import os
import secrets

import pytest

from ludwright.kernel.play.game import Game
from ludwright.native.game import NativeGame
from tests.fuzz.calls import CALLS, NATIVE_CALLS, NO_QUESTIONS
from tests.fuzz.cases import KINDS
from tests.fuzz.supervisor import fuzz
from tests.native.support import needs_native

pytestmark = needs_native
MINUTES = float(os.environ.get("LUDWRIGHT_FUZZ_MINUTES", "10"))
SHORT = {"states": 60, "answers": 30, "rulebooks": 20, "gamedefs": 30, "books": 6}


def test_every_public_method_is_tried() -> None:
    names = {name for kind in (Game, NativeGame) for name in dir(kind) if not name.startswith("_")}
    assert names - NO_QUESTIONS - CALLS.keys() - NATIVE_CALLS.keys() == set()


def test_the_supervisor_notices_what_ends_a_worker_and_goes_on() -> None:
    report = fuzz("planted", 0, 100, cases=9)
    told = [finding.splitlines()[0] for finding in report.findings]
    assert [line.split(":")[0] for line in told] == [f"--- planted, case {n}" for n in (1, 3, 5, 7)]
    assert "SIGSEGV" in told[0]
    assert "one call took too long" in told[1]
    assert "MemoryError" in told[2]
    assert "two engines differ" in told[3]
    assert report.counts["cases"] == 9
    assert "--only planted --seed 0 --case 7" in report.findings[-1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_little_of_the_fuzzer(kind: str) -> None:
    report = fuzz(kind, 1, 250, cases=SHORT[kind], level=0)
    assert not report.findings, str(report)
    assert report.counts["cases"] == SHORT[kind]


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_the_fuzzer_finds_nothing(kind: str) -> None:
    seed = int(os.environ.get("LUDWRIGHT_FUZZ_SEED", secrets.randbelow(2**31)))
    report = fuzz(kind, seed, 60 * MINUTES / len(KINDS))
    print(report)
    assert not report.findings, str(report)
