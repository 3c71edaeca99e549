"""Choosing several in a move: as one list, or pick by pick (`$x#0`, `$x#1`, … and STOP).

A state is asked for the picks of a set in ascending order, so that every set has one path. A move
may name them in any order; so a request has to show every value that belongs to some set which
contains the picks so far and can be finished.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.stop import STOP, Stop
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.pick_names import PickNames
from ludwright.kernel.protocol.decision import Decision, Legality
from ludwright.kernel.protocol.move import ChoiceRequest
from ludwright.kernel.protocol.state import State

STEPS = 160  # answers tried for one request before the rest is called unknown


def single_picks(params: Mapping[str, Any], base: str) -> tuple[list[Any], bool]:
    """The picks that a move gives one by one, and whether the last word was to stop."""
    picks: list[Any] = []
    while (key := f"{base}#{len(picks)}") in params:
        value = params[key]
        if value.__class__ is str and value == STOP:
            return picks, True
        picks.append(value)
    return picks, False


@dataclass
class _Picked:
    """Where some picks lead, and where further ones do, as far as that has been tried."""

    state: State
    stop: Stop | None  # None where no more can be picked
    after: dict[int, _Picked | None] = field(default_factory=dict)  # by position; None if refused


class Picking:
    """One chooseN over a set. Picks that the state holds already stay; later ones come after.

    `hopeless`: nothing can be finished, so nothing is tested.
    """

    def __init__(
        self, core: Core, state: State, stop: Stop, decision: Decision, seat: str | None,
        hopeless: bool = False,
    ) -> None:  # fmt: skip
        assert stop.choice is not None
        self._core = core
        self._state = state
        self._stop = stop
        self._decision = decision
        self._seat = seat
        self._choice = stop.choice
        self._untested = hopeless or self._choice.safe or self._choice.together
        self._named = PickNames(core.machine, core.answering, state.shared_cells, stop, decision)
        self._domain, self._follows = self._named.domain, self._named.follows
        self._made, self._first = self._named.made, self._named.first
        self._start = _Picked(state, stop)
        self._steps = STEPS

    def values(self, picks: list[Any]) -> list[tuple[Any, Any]]:
        """What was picked as (name given, kernel's value), in the order of the domain."""
        return self._named.values(picks)

    def request(self, picks: list[Any]) -> ChoiceRequest:
        """What may be chosen besides these picks; no options where nothing can be added."""
        decision = self._decision
        taken = set(self._named.positions(picks))
        options: list[Any] = []
        legality: list[Legality] = []
        made = len(self._made)
        high = min(decision.max - made, len(self._domain) - self._first)
        most = high - len(picks)
        known = taken | self._made
        for position in range(self._first, len(self._domain)):
            if position in taken or self._beyond(position, known, 1 if picks else most):
                continue
            verdict = self._verdict(position, taken) if most > 0 else False
            if verdict is not False:
                options.append(self._named.names[position])
                legality.append("legal" if verdict else "unknown")
        number = f"#{len(picks)}" if picks else ""
        return ChoiceRequest(
            complete=False, decision_id=decision.decision_id + number, name=decision.name,
            kind="chooseN", options=tuple(options), min=max(0, decision.min - made),
            max=max(high, 0), legality=tuple(legality), seat=decision.seat,
            picked=tuple(picks),
            can_stop=made + len(picks) >= decision.min and self._is_whole(picks),
        )  # fmt: skip

    def _beyond(self, position: int, taken: set[int], most: int) -> bool:
        """Whether enough alike pieces that come before this one can still be picked."""
        before = 0
        while self._follows[position] and position > self._first and position - 1 not in taken:
            before += 1
            position -= 1
        return before >= max(most, 1)

    def _verdict(self, position: int, taken: set[int]) -> bool | None:
        """Whether some set with the picks and this value can be finished."""
        if self._untested:
            return True
        if not taken and self._domain[position] in self._stop.answers:
            at = list(self._stop.answers).index(self._domain[position])
            return None if at in self._stop.unknown else True
        wanted = {*taken, position}
        while self._follows[position] and position - 1 not in self._made:
            position -= 1
            wanted.add(position)
        return self._contains(self._start, sorted(wanted), self._first - 1)

    def _contains(self, picked: _Picked, wanted: list[int], last: int) -> bool | None:
        """Depth first: the next wanted value, or else another one before it."""
        verdict: bool | None = False
        if picked.stop is None:
            return False
        goal = wanted[0]
        for position in [goal, *range(last + 1, goal)]:
            if self._domain[position] not in picked.stop.answers:
                continue
            if position not in picked.after:
                if self._steps == 0:
                    return None
                picked.after[position] = self._tried(picked.state, picked.stop, position)
            following = picked.after[position]
            if following is None:
                continue
            left = wanted[1:] if position == goal else wanted
            if not left:
                return True
            found = self._contains(following, left, position)
            if found:
                return True
            verdict = None if found is None else verdict
        return verdict

    def _tried(self, state: State, stop: Stop, position: int) -> _Picked | None:
        """One more pick. Questions about several values begin alike, so each is tried once."""
        self._steps -= 1
        try:
            step = self._core.advance(state, stop, self._domain[position])
        except IllegalMove:
            return None
        return _Picked(step.state, self._core.still_open(step.state, stop, len(stop.picked) + 1))

    def _is_whole(self, picks: list[Any]) -> bool:
        if self._untested:
            return True
        try:
            self._core.choose_all(self._state, picks, self._seat)
        except IllegalMove:
            return False
        return True
