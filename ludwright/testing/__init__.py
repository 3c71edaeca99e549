"""Checks that every game must pass, for authors of rulebooks as well as for this project.

    from ludwright.testing import conformance
    conformance(lw.load("my-game.md"))

plays a few random games and raises `ConformanceError` at the first promise that does not hold, with
the seed and the answers that lead there.
"""

from __future__ import annotations

from ludwright.testing.conformance import CHECKS, conformance
from ludwright.testing.examples import run_examples
from ludwright.testing.walks import ConformanceError, Walk, fingerprint, random_walk

__all__ = [
    "CHECKS",
    "ConformanceError",
    "Walk",
    "conformance",
    "fingerprint",
    "random_walk",
    "run_examples",
]
