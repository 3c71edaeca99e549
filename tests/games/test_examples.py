"""Every shipped game has worked examples, and all of them hold."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.native import missing
from ludwright.testing import run_examples

NATIVE = ("chess", "texas-holdem", "liars-dice")


@pytest.mark.parametrize("name", sorted(lw.shipped_games()))
def test_examples_of_shipped_games_hold(name: str) -> None:
    outcomes = list(run_examples(lw.shipped_games()[name]))
    assert len(outcomes) >= 5
    assert [str(item.failure) for item in outcomes if item.failure is not None] == []


@pytest.mark.skipif(missing() is not None, reason="needs the native engine")
@pytest.mark.parametrize("name", NATIVE)
def test_they_hold_on_the_native_engine(name: str) -> None:
    outcomes = list(run_examples(lw.shipped_games()[name], "native"))
    assert [str(item.failure) for item in outcomes if item.failure is not None] == []
