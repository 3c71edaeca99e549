"""From what a caller answers to what the kernel stores, with a reason where it does not fit."""

from __future__ import annotations

from typing import Any

from ludwright.errors import IllegalMove
from ludwright.kernel import program as ir
from ludwright.kernel.choosing import DECLINE, STOP, Stop
from ludwright.kernel.context import Cells, Refused, Run, SearchRun, illegal
from ludwright.kernel.decisions import Decision
from ludwright.kernel.machine import Machine
from ludwright.kernel.types import Type
from ludwright.kernel.values import NotOfType, Values


class Answering:
    """Matches outside answers with the answers of a stop."""

    def __init__(self, machine: Machine, values: Values) -> None:
        self._machine = machine
        self._program = machine.program
        self._values = values

    def inside(self, cells: Cells, stop: Stop, decision: Decision, option: Any) -> Any:
        """The kernel's answer, or an `IllegalMove` that says why there is none."""
        if option is None and decision.optional:
            return DECLINE
        if decision.can_stop and isinstance(option, str) and option == STOP:
            return STOP
        position = self.position(cells, stop, decision, option)
        if position is None:
            raise self._refusal(cells, stop, decision, option)
        return stop.answers[position]

    def position(self, cells: Cells, stop: Stop, decision: Decision, option: Any) -> int | None:
        """Where among the options an answer stands."""
        options = decision.options
        if isinstance(option, str):
            if option in options:
                return options.index(option)
        elif isinstance(option, tuple):
            option = _listed(option)
        type_ = self._type(stop)
        if not isinstance(option, str):
            if option in options:
                position = options.index(option)
                if isinstance(option, bool) == isinstance(options[position], bool):
                    return position
            return None
        if type_.kind == "piece":
            return self._piece(cells, stop, type_, option)
        return None

    def _piece(self, cells: Cells, stop: Stop, type_: Type, option: str) -> int | None:
        """A piece called by its own name stands for its class."""
        key = self.piece_class(cells, type_, option)
        for at, answer in enumerate(stop.answers):
            if self._machine.classes.key(cells, answer) == key:
                return at
        return self._drawn(stop, type_, option) if stop.point is None else None

    def _drawn(self, stop: Stop, type_: Type, name: str) -> int | None:
        """What a generator drew, told by name: here its twin may lie where it lay there."""
        try:
            piece = self._values.inside(type_, name)
        except NotOfType:
            return None
        classes = self._machine.classes
        same = [at for at, other in enumerate(stop.answers) if classes.same_make(piece, other)]
        return same[0] if len(same) == 1 else None

    def piece_class(self, cells: Cells, type_: Type, name: str) -> tuple[Any, ...] | None:
        """What the piece of this name is alike to."""
        try:
            return self._machine.classes.key(cells, self._values.inside(type_, name))
        except NotOfType:
            return None

    def _type(self, stop: Stop) -> Type:
        if stop.point is not None:
            return stop.point.choice.type
        instr = self._program.code[stop.pc]
        assert isinstance(instr, ir.Chance)
        return instr.type

    # ------------------------------------------------------------ reasons

    def _refusal(self, cells: Cells, stop: Stop, decision: Decision, option: Any) -> IllegalMove:
        name = decision.decision_id
        site = self._site(stop)
        rule, span = (site.rule, site.span) if site else ("", None)
        shown = "nothing" if option is None else f"`{option}`"
        if option is None or (isinstance(option, str) and option == STOP):
            code = "too-few" if decision.kind == "chooseN" else "not-an-option"
            return IllegalMove(code, rule, f"`{name}` cannot be left at that", span)
        labels = stop.point is not None and stop.point.choice.kind == "labels"
        if not labels:
            try:
                inside = self._values.inside(self._type(stop), option)
            except NotOfType as wrong:
                if decision.kind == "chooseN" and isinstance(option, list | tuple):
                    return IllegalMove("not-an-option", rule, f"{shown}: {wrong}", span)
                known = self._type(stop).kind not in ("int", "bool") and isinstance(option, str)
                code = "not-an-option" if known else "wrong-type"
                return IllegalMove(code, rule, f"`{name}`: {wrong}", span)
            return self.refusal(cells, stop, decision, option, inside)
        return IllegalMove("not-an-option", rule, f"{shown} is not an option of `{name}`", span)

    def refusal(
        self, cells: Cells, stop: Stop, decision: Decision, option: Any, inside: Any
    ) -> IllegalMove:
        """Why a value of the right type is not among the answers."""
        refused = self._later_refusal(cells, stop, inside)
        if refused is not None:
            return refused
        site = self._site(stop)
        reason = f"`{option}` is not an option of `{decision.decision_id}`"
        return IllegalMove(
            "not-an-option", site.rule if site else "", reason, site.span if site else None
        )

    def _later_refusal(self, cells: Cells, stop: Stop, inside: Any) -> IllegalMove | None:
        """The rule that takes away an answer which would otherwise be there."""
        point = stop.point
        if point is None or point.choice.safe:
            return None
        S = self._machine.scratch(cells, Run(stop.seat))
        raw = point.view(S, stop.seat)
        if inside not in raw.answers:
            return None
        return self.refusal_of(cells, stop, inside)

    def refusal_of(self, cells: Cells, stop: Stop, inside: Any) -> IllegalMove:
        """What refuses an answer that is in the domain but cannot be finished."""
        point = stop.point
        assert point is not None
        S = self._machine.scratch(cells, SearchRun(stop.seat))
        try:
            following = point.apply(S, inside, stop.seat)
            if following == point.pc:
                following = point.offer(S)
            self._machine.search.resume(S, following)
        except Refused as refused:
            return illegal(self._program, refused)
        site = self._site(stop)
        reason = "it begins a move that cannot be finished"
        return IllegalMove(
            "refused", site.rule if site else "", reason, site.span if site else None
        )

    def _site(self, stop: Stop) -> ir.Site | None:
        number = stop.point.choice.site if stop.point is not None else -1
        return self._program.sites[number] if 0 <= number < len(self._program.sites) else None


def _listed(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_listed(item) for item in value]
    return value
