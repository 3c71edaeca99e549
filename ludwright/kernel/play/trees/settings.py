"""What a tree search is told: how much it may do, and how it weighs what it finds."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from ludwright.kernel.protocol.arguments import THREADS, needed, real, whole
from ludwright.program.limits import GAME_LIMIT
from ludwright.program.types import INT_MAX

WORTH = 1 << 20  # a won game; values are whole numbers, so that both engines add up the same
# answers of one decision that a node looks at; of more, evenly spread ones from first to last
WIDEST = 256
SIXTEENTHS = 16  # the unit of `Settings.margin`
MEMORY = 256 << 20  # bytes, unless the caller says otherwise
FEWEST_BYTES, MOST_BYTES = 1 << 20, 1 << 40
SAMPLES = 32  # random games that say how large margins are
LOOK_MOST = 128  # answers that are tried out when a new node looks for a win at once
LOOK_DEPTH = 3  # decisions of one seat in a row that such a look goes through
LOOK_SHARE = 8  # decisions in playouts for each answer that a look may try out
# Playouts try answers out as well, with a budget of their own: AHEAD_FIRST answers, AHEAD_REWARD
# for each win, and one for every AHEAD_SHARE decisions that playouts have made. Only their first
# decisions do; but for the first AHEAD_FIRST answers of a search, and up to AHEAD_DEEP as long as
# wins pay for them, a playout goes on until it has tried AHEAD_MOST.
AHEAD_FIRST, AHEAD_DEEP, AHEAD_MOST = 8_192, 65_536, 256
AHEAD_SHARE, AHEAD_REWARD = 32, 128
MOST_AHEAD = 64
# The roots of the logarithms of the first whole numbers: most nodes were not visited more often.
ROOTS = (0.0, *(math.sqrt(math.log(visits)) for visits in range(1, 2048)))

# Settings that are whole numbers, with their bounds; and those that are any numbers.
_WHOLE: dict[str, tuple[int | None, int | None]] = {
    "simulations": (1, INT_MAX), "memory": (FEWEST_BYTES, MOST_BYTES), "seed": (None, None),
    "threads": (1, THREADS), "margin": (0, SIXTEENTHS), "cutoff": (1, INT_MAX),
    "worlds": (1, INT_MAX), "ahead": (0, MOST_AHEAD),
}  # fmt: skip
_REAL = ("seconds", "exploration", "urgency")
_BUDGET = ("simulations", "seconds")


@dataclass(frozen=True, slots=True)
class Settings:
    """The budget and the constants of one search.

    At least one of `simulations` and `seconds` is set. `exploration` is UCB's constant for values
    between 0 and 1; `urgency` the value of an answer that was never tried (infinite: each is tried
    once before any is tried again). A playout ends after `cutoff` decisions. `margin` says how many
    sixteenths of a result are the margin of the score; the rest is the rank. `solve` spreads proven
    results through the tree, and a seat that can win at once in the first `ahead` decisions of a
    playout does so (0: nobody looks). `worlds` are drawn at most where something is hidden.
    `hints`: what the rulebook tells bots is used. `sees_all`: nothing counts as hidden, for a look
    back at a game that is over; no bot may use it.
    """

    simulations: int | None = None
    seconds: float | None = None
    memory: int = MEMORY
    seed: int = 0
    threads: int = 1
    exploration: float = 1.0
    urgency: float = math.inf
    cutoff: int = GAME_LIMIT
    margin: int = 8
    solve: bool = True
    ahead: int = 2
    worlds: int = 256
    hints: bool = True
    sees_all: bool = False

    def checked(self) -> Settings:
        """The same, once every number is known to make sense."""
        if self.simulations is None and self.seconds is None:
            raise ValueError("a search needs a budget: give `simulations`, `seconds` or both")
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        given = {n: value for n, value in given.items() if n not in _BUDGET or value is not None}
        for name, (low, high) in _WHOLE.items():
            if name in given:
                given[name] = whole(name, given[name], low, high)
        for name in _REAL:
            if name in given:
                given[name] = _positive(name, given[name])
        for name in ("solve", "hints", "sees_all"):
            needed(bool, given[name])
        return Settings(**given)

    def with_share(self, share: int, of: int) -> Settings:
        """The part of the work that one of several threads does."""
        if self.simulations is None:
            return self
        return replace(self, simulations=max(1, (self.simulations + of - 1 - share) // of))


def settings_of(**given: Any) -> Settings:
    """The settings of a search, checked."""
    known = [field.name for field in fields(Settings)]
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        raise TypeError(f"a search has no setting `{unknown}`; there are: {', '.join(known)}")
    return Settings(**given).checked()


def _positive(name: str, value: Any) -> float:
    """A number of at least 0. Only `urgency` may be infinite, and `seconds` may not be 0."""
    number = real(name, value)
    if not number >= 0 or (number == math.inf and name != "urgency"):
        raise ValueError(f"`{name}` must be a number of at least 0, not {value!r}")
    if name == "seconds" and not number:
        raise ValueError("`seconds` must be more than 0")
    return number
