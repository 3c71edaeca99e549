"""What a search tells: how good each answer is, how sure that is, and how the game may go on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludwright.kernel.play.trees.explored import Explored
from ludwright.kernel.play.trees.settings import WORTH

_SURE = 1.96  # standard deviations of a 95 % interval


@dataclass(frozen=True, slots=True)
class Candidate:
    """One answer. Values are between 0 (lost) and 1 (won)."""

    option: Any
    visits: int
    values: Mapping[str, float]  # by seat; empty if it was never tried
    interval: tuple[float, float]  # 95 %, of the value for the seat that decides
    proven: bool  # the values are exact


@dataclass(frozen=True, slots=True)
class WorldCount:
    """The worlds of a search where something is hidden: those used, those thrown away because they
    contradicted what the seat has seen, and how many of the former differ."""

    used: int = 0
    rejected: int = 0
    none_found: bool = False


@dataclass(frozen=True, slots=True)
class Analysis:
    """The outcome of a search, the best answer first."""

    seat: str
    candidates: tuple[Candidate, ...]
    values: Mapping[str, float]  # of the position, by seat
    solved: bool  # the values are exact
    line: tuple[str, ...]  # the moves that the search expects, in notation
    simulations: int
    seconds: float = field(compare=False)  # equal searches take different times
    nodes: int
    full: bool
    interrupted: bool
    engine: str
    worlds: WorldCount | None = None  # None where nothing is hidden

    @property
    def best(self) -> Any:
        """The answer to give."""
        return self.candidates[0].option

    @property
    def per_second(self) -> float:
        return self.simulations / self.seconds if self.seconds > 0 else 0.0


def candidates_of(
    explored: Explored, options: Sequence[Any], seats: Sequence[str], seat: int
) -> tuple[Candidate, ...]:
    """All answers, best first: by visits, but what is proven where its value puts it."""
    found = [_candidate(explored, at, options[at], seats, seat) for at in range(len(options))]
    name = seats[seat]
    proven = sorted((c for c in found if c.proven), key=lambda c: (-c.values[name], -c.visits))
    totals = {id(c): explored.sums[at][seat] for at, c in enumerate(found)}
    others = sorted((c for c in found if not c.proven), key=lambda c: (-c.visits, -totals[id(c)]))
    merged: list[Candidate] = []
    for candidate in others:
        mean = candidate.values.get(name, 0.0)
        while proven and proven[0].values[name] >= mean:
            merged.append(proven.pop(0))
        merged.append(candidate)
    return (*merged, *proven)


def _candidate(
    explored: Explored, at: int, option: Any, seats: Sequence[str], seat: int
) -> Candidate:
    exact, visits = explored.proven[at], explored.visits[at]
    if exact is not None:
        values = {name: exact[who] / WORTH for who, name in enumerate(seats)}
        own = exact[seat] / WORTH
        return Candidate(option, visits, values, (own, own), True)
    if not visits:
        return Candidate(option, 0, {}, (0.0, 1.0), False)
    sums = explored.sums[at]
    values = {name: sums[who] / (visits * WORTH) for who, name in enumerate(seats)}
    return Candidate(option, visits, values, interval(values[seats[seat]], visits), False)


def interval(mean: float, count: int) -> tuple[float, float]:
    """Wilson's interval for a mean of values between 0 and 1."""
    if not count:
        return (0.0, 1.0)
    square = _SURE * _SURE / count
    middle = (mean + square / 2) / (1 + square)
    spread = mean * (1 - mean) / count + square / (4 * count)
    half = _SURE * math.sqrt(max(spread, 0.0)) / (1 + square)
    return (max(0.0, middle - half), min(1.0, middle + half))


def position_values(explored: Explored, seats: Sequence[str]) -> dict[str, float]:
    """What the position is worth to each seat, over all simulations."""
    if explored.solved is not None:
        return {name: explored.solved[who] / WORTH for who, name in enumerate(seats)}
    total = sum(explored.visits)
    if not total:
        return dict.fromkeys(seats, 0.5)
    sums = [sum(of[who] for of in explored.sums) for who in range(len(seats))]
    return {name: sums[who] / (total * WORTH) for who, name in enumerate(seats)}
