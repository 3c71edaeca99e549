"""What the picks of a set are called, and which values they stand for."""

from __future__ import annotations

from typing import Any

from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Cells, Run
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.play.answers import Answering
from ludwright.kernel.protocol.decision import Decision


class PickNames:
    """The whole domain of one chooseN, by name."""

    def __init__(
        self, machine: Machine, answering: Answering, cells: Cells, stop: Stop, decision: Decision
    ) -> None:
        assert stop.choice is not None
        self._machine = machine
        self._answering = answering
        self._cells = cells
        self._stop = stop
        self._decision = decision
        self._choice = stop.choice
        memory = machine.scratch(cells, Run(stop.seat))
        if self._choice.chooser >= 0:
            memory[self._choice.chooser] = stop.seat
        self.domain, follows = machine.choices[stop.pc].whole(memory)
        self.follows = follows or [False] * len(self.domain)
        self.names = answering.names(memory, self._choice.type, self.domain)
        # The picks that the state holds already; the others come after them.
        self.made = {self.domain.index(pick) for pick in stop.picked if pick in self.domain}
        self.first = max(self.made, default=-1) + 1

    def values(self, picks: list[Any]) -> list[tuple[Any, Any]]:
        """What was picked as (name given, kernel's value), in the order of the domain."""
        found = sorted(zip(self.positions(picks), picks, strict=True), key=lambda item: item[0])
        return [(name, self.domain[position]) for position, name in found]

    def positions(self, picks: list[Any]) -> list[int]:
        """The positions of the picks in the domain; among alike pieces the first ones."""
        free: dict[Any, list[int]] = {}
        for position in range(len(self.domain) - 1, self.first - 1, -1):
            free.setdefault(_hashable(self.names[position]), []).append(position)
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
        cells, answering = self._cells, self._answering
        at = answering.position(cells, self._stop, self._decision, pick)
        if at is None:
            at = answering.named(cells, self._choice.type, pick, self.domain)
            return None if at is None else _hashable(self.names[at])
        key = self._machine.classes.key
        called = key(cells, self._stop.answers[at])
        for name, piece in zip(self.names, self.domain, strict=True):
            if key(cells, piece) == called:
                return _hashable(name)
        return None

    def _refusal(self, pick: Any) -> IllegalMove:
        """Why a pick has no place: it stands there already, or never could."""
        decision = self._decision
        if _hashable(pick) not in {_hashable(name) for name in self.names[self.first :]}:
            try:
                self._answering.inside(self._cells, self._stop, decision, pick)
            except IllegalMove as error:
                return error
        reason = f"`{decision.decision_id}` cannot take `{pick}` once more"
        site = self._machine.program.sites[self._choice.site] if self._choice.site >= 0 else None
        rule, span = (site.rule, site.span) if site is not None else ("", None)
        return IllegalMove("not-an-option", rule, reason, span)


def _hashable(value: Any) -> Any:
    """A name as a key; true is not 1."""
    if isinstance(value, list | tuple):
        return tuple(_hashable(item) for item in value)
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return (type(value).__name__, value)
