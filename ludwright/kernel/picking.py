"""Choosing several in a move: as one list, or pick by pick (`$x#0`, `$x#1`, … and STOP).

A state is asked for the picks of a set in ascending order, so that every set has one path. A move
may name them in any order; so a request has to show every value that belongs to some set which
contains the picks so far and can be finished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludwright.errors import IllegalMove
from ludwright.kernel.choosing import Stop
from ludwright.kernel.context import Run
from ludwright.kernel.decisions import Decision, Legality
from ludwright.kernel.moves import ChoiceRequest
from ludwright.kernel.state import State

if TYPE_CHECKING:
    from ludwright.kernel.game import Game

STEPS = 500  # answers tried for one request before the rest is called unknown


class Picking:
    """One chooseN over a set. Picks that the state holds already stay; later ones come after."""

    def __init__(
        self, game: Game, state: State, stop: Stop, decision: Decision, seat: str | None
    ) -> None:
        assert stop.point is not None
        self._game = game
        self._state = state
        self._stop = stop
        self._decision = decision
        self._seat = seat
        self._choice = stop.point.choice
        S = game.machine.scratch(state._cells, Run(stop.seat))
        if self._choice.chooser >= 0:
            S[self._choice.chooser] = stop.seat
        self._domain, follows = stop.point.whole(S)
        self._follows = follows or [False] * len(self._domain)
        self._names = game.values.options(S, self._choice.type, self._domain)
        self._steps = STEPS
        self._made = {self._domain.index(pick) for pick in stop.picked if pick in self._domain}
        self._first = max(self._made, default=-1) + 1

    def request(self, picks: list[Any]) -> ChoiceRequest:
        """What may be chosen besides these picks; no options where nothing can be added."""
        decision = self._decision
        taken = set(self._positions(picks))
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
                options.append(self._names[position])
                legality.append("legal" if verdict else "unknown")
        number = f"#{len(picks)}" if picks else ""
        return ChoiceRequest(
            complete=False, decision_id=decision.decision_id + number, name=decision.name,
            type="chooseN", options=tuple(options), min=max(0, decision.min - made),
            max=max(high, 0), legality=tuple(legality), seat=decision.seat,
            picked=tuple(picks),
            can_stop=made + len(picks) >= decision.min and self._is_whole(picks),
        )  # fmt: skip

    def values(self, picks: list[Any]) -> list[tuple[Any, Any]]:
        """What was picked as (name given, kernel's value), in the order of the domain."""
        found = sorted(zip(self._positions(picks), picks, strict=True), key=lambda item: item[0])
        return [(name, self._domain[position]) for position, name in found]

    def _positions(self, picks: list[Any]) -> list[int]:
        """Where in the domain the picks stand; of several alike the first ones."""
        free: dict[Any, list[int]] = {}
        for position in range(len(self._domain) - 1, self._first - 1, -1):
            free.setdefault(_hashable(self._names[position]), []).append(position)
        found: list[int] = []
        for pick in picks:
            places = free.get(_hashable(pick)) or free.get(self._same_as(pick) or ())
            if not places:
                raise self._refusal(pick)
            found.append(places.pop())
        return found

    def _same_as(self, pick: Any) -> Any:
        """The name in the whole domain of a piece that was called otherwise: by its own name, or
        as the open decision calls it."""
        if self._choice.type.kind != "piece" or not isinstance(pick, str):
            return None
        cells, answering = self._state._cells, self._game._answering
        at = answering.position(cells, self._stop, self._decision, pick)
        if at is None:
            at = answering.named(cells, self._choice.type, pick, self._domain)
            return None if at is None else _hashable(self._names[at])
        key = self._game.machine.classes.key
        called = key(cells, self._stop.answers[at])
        for name, piece in zip(self._names, self._domain, strict=True):
            if key(cells, piece) == called:
                return _hashable(name)
        return None

    def _refusal(self, pick: Any) -> IllegalMove:
        decision = self._decision
        try:
            self._game._answering.inside(self._state._cells, self._stop, decision, pick)
        except IllegalMove as error:
            return error
        reason = f"`{decision.decision_id}` cannot take `{pick}` once more"
        return IllegalMove("not-an-option", "", reason)

    def _beyond(self, position: int, taken: set[int], most: int) -> bool:
        """One of several alike that come before it and are still to be had."""
        before = 0
        while self._follows[position] and position > self._first and position - 1 not in taken:
            before += 1
            position -= 1
        return before >= max(most, 1)

    def _verdict(self, position: int, taken: set[int]) -> bool | None:
        """Whether some set with the picks and this value can be finished."""
        if self._choice.safe or self._choice.together:
            return True
        if not taken and self._domain[position] in self._stop.answers:
            at = list(self._stop.answers).index(self._domain[position])
            return None if at in self._stop.unknown else True
        wanted = {*taken, position}
        while self._follows[position] and position - 1 not in self._made:
            position -= 1
            wanted.add(position)
        return self._contains(self._state, self._stop, sorted(wanted), self._first - 1)

    def _contains(self, state: State, stop: Stop, wanted: list[int], last: int) -> bool | None:
        """Depth first: the next wanted value, or else another one before it."""
        verdict: bool | None = False
        goal = wanted[0]
        for position in [goal, *range(last + 1, goal)]:
            value = self._domain[position]
            if value not in stop.answers:
                continue
            if self._steps == 0:
                return None
            self._steps -= 1
            try:
                step = self._game.advance(state, stop, value)
            except IllegalMove:
                continue
            left = wanted[1:] if position == goal else wanted
            if not left:
                return True
            following = self._game._still_open(step.state, stop, len(stop.picked) + 1)
            if following is None:
                continue
            found = self._contains(step.state, following, left, position)
            if found:
                return True
            verdict = None if found is None else verdict
        return verdict

    def _is_whole(self, picks: list[Any]) -> bool:
        if self._choice.safe or self._choice.together:
            return True
        try:
            self._game.choose_all(self._state, picks, self._seat)
        except IllegalMove:
            return False
        return True


def _hashable(value: Any) -> Any:
    """A name as a key; true is not 1."""
    if isinstance(value, list | tuple):
        return tuple(_hashable(item) for item in value)
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return (type(value).__name__, value)
