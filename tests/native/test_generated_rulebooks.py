"""Both engines play games that nobody wrote by hand, and behave the same to the byte.

Forty rulebooks run with every test; `LUDWRIGHT_RULEBOOKS=2000` is the long run.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, assume, given, note, settings

import ludwright as lw
from ludwright.diagnostics import Diagnostics
from ludwright.language.canonical import from_json, gamedef_bytes
from ludwright.language.compiling import compile_game
from ludwright.loading import Compilation
from tests.native.rulebooks.constructs import known, used
from tests.native.rulebooks.reference import documented
from tests.native.rulebooks.reference import used as used_words
from tests.native.rulebooks.strategy import rulebooks
from tests.native.rulebooks.writing import rulebook, spellings
from tests.native.support import needs_native

FEW = 40
RULEBOOKS = int(os.environ.get("LUDWRIGHT_RULEBOOKS", FEW))
# Shrinking a rulebook takes minutes; the usual run tells the first that differs as it is.
PHASES = [Phase.generate] if RULEBOOKS <= FEW else [Phase.generate, Phase.shrink]
SAMPLE = 150  # rulebooks that are looked at, not played
RELOADED = 25  # rulebooks that are written to JSON and compiled again
# Constructs that no rulebook can have, with the reason.
IMPOSSIBLE: dict[str, str] = {"ir.Hints": "only a Program that is made for searches has them"}
# Words of the reference that are no rules of one rulebook.
ELSEWHERE: dict[str, str] = {
    "examples": "no part of the game; see test_examples",
    "extends": "names another rulebook; what is read is one rulebook again",
    **dict.fromkeys(
        ("badges", "inPlay"),
        "signs beside seats, for which a rulebook has a variable of seats; see test_looks",
    ),
    **dict.fromkeys(
        ("asked", "can", "cannot", "drawing", "holds", "moves", "play", "scenario", "seed"),
        "a field of an example, which is no part of the game",
    ),
}


@pytest.fixture(scope="module")
def sample() -> list[Compilation]:
    return [lw.compile_text(rulebook(random.Random(seed))) for seed in range(SAMPLE)]


def test_nearly_all_generated_rulebooks_are_valid(sample: list[Compilation]) -> None:
    codes = Counter(
        problem.code for found in sample for problem in found.diagnostics.errors if not found.ok
    )
    valid = sum(found.ok for found in sample)
    assert valid > 0.8 * SAMPLE, f"{valid} of {SAMPLE} are valid; {codes.most_common()}"


def test_generated_rulebooks_use_every_construct(sample: list[Compilation]) -> None:
    found: set[str] = set()
    for compilation in sample:
        if compilation.gamedef is not None and compilation.program is not None:
            found |= used(compilation.gamedef, compilation.program)
    missed = known() - found
    assert missed == set(IMPOSSIBLE), f"no rulebook has {sorted(missed - set(IMPOSSIBLE))}"


def test_generated_rulebooks_use_every_word_of_the_reference() -> None:
    texts = (rulebook(random.Random(seed)) for seed in range(2 * SAMPLE))
    missed = documented() - used_words(texts)
    assert missed == set(ELSEWHERE), f"no rulebook has {sorted(missed ^ set(ELSEWHERE))}"


def test_other_words_for_the_same_give_the_same_game() -> None:
    for seed in range(RELOADED):
        plain, respelled = map(lw.compile_text, spellings(random.Random(seed)))
        assert plain.ok == respelled.ok
        if plain.program is not None and respelled.program is not None:
            assert plain.program.fingerprint == respelled.program.fingerprint


def test_generated_rulebooks_reload_as_the_same_program() -> None:
    for seed in range(RELOADED):
        text, values = rulebook(random.Random(seed)), {"bonus": 1 + seed % 4}
        written = lw.compile_text(text, parameters=values)
        if written.gamedef is None or written.program is None:
            continue
        diagnostics = Diagnostics()
        gamedef = from_json(json.loads(gamedef_bytes(written.gamedef)), diagnostics)
        assert gamedef == written.gamedef
        assert gamedef is not None
        program = compile_game(gamedef, {}, diagnostics)
        assert program is not None
        assert program.fingerprint == written.program.fingerprint


@needs_native
def test_both_engines_play_generated_rulebooks_alike() -> None:
    from tests.native.rulebooks.playing import Player

    seen: set[str] = set()
    total: Counter[str] = Counter()

    @settings(
        max_examples=RULEBOOKS, phases=PHASES, deadline=None, derandomize=True, database=None,
        suppress_health_check=[
            HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much,
            HealthCheck.large_base_example,
        ],
    )  # fmt: skip
    @given(rulebooks())
    def play(text: str) -> None:
        total["written"] += 1
        assume(text not in seen)
        compilation = lw.compile_text(text)
        assume(compilation.ok)
        note(text)
        number = len(seen)
        player = Player(compilation, level=2 if number % 16 == 15 else 0)
        player.lockstep(range(3))
        player.playouts(number)
        if number % 8 == 3:
            player.games(number)
        seen.add(text)
        total.update(player.count)

    play()
    print(f"\n{len(seen)} rulebooks: {dict(total)}")
    assert len(seen) >= RULEBOOKS
    assert total["decisions"] > 20 * RULEBOOKS
