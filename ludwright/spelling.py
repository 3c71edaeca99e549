"""The name that an author most likely meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate an author most likely meant, or None."""
    pool = sorted(set(candidates))
    lowered = {candidate.lower(): candidate for candidate in reversed(pool)}
    if name.lower() in lowered:
        return lowered[name.lower()]
    if len(pool) > 1_000:  # a large board; comparing with all of them would take too long
        pool = [other for other in pool if abs(len(other) - len(name)) <= 1][:1_000]
    close = difflib.get_close_matches(name, pool, n=1, cutoff=0.6)
    return close[0] if close else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    match = nearest(name, candidates)
    return f"did you mean `{match}`?" if match is not None else None
