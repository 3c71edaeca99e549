"""The strategy for Hypothesis: every throw of the dice is its to choose, so failures shrink."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.native.rulebooks.writing import rulebook


def rulebooks() -> st.SearchStrategy[str]:
    return st.randoms(use_true_random=False).map(rulebook)
