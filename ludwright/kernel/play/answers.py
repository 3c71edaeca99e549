"""From what a caller answers to what the kernel stores, with a reason where it does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludwright import program as ir
from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Cells, Memory, Refused, Run, illegal_move
from ludwright.kernel.interpreter.stop import DECLINE, STOP, Stop
from ludwright.kernel.protocol.arguments import plain_answer, same_answer
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.views.naming import NotOfType, Values
from ludwright.kernel.views.reasons import Reasons
from ludwright.kernel.views.wording import listed
from ludwright.program.types import Type

_FEW = 8  # options that a refusal lists
_KINDS = (str, int, bool, list)  # of options


class Answering:
    """Matches outside answers with the answers of a stop."""

    def __init__(self, machine: Machine, values: Values, reasons: Reasons) -> None:
        self._reasons = reasons
        self._machine = machine
        self._program = machine.program
        self._values = values

    def names(self, memory: Memory, type_: Type, values: Sequence[Any]) -> Sequence[Any]:
        """What some values are called as options."""
        return self._values.options(memory, type_, values)

    def inside(self, cells: Cells, stop: Stop, decision: Decision, option: Any) -> Any:
        """The kernel's answer, or an `IllegalMove` that says why there is none."""
        option = plain_answer(option)
        if option is None and decision.optional:
            return DECLINE
        if decision.can_stop and isinstance(option, str) and option == STOP:
            return STOP
        position = self.position(cells, stop, decision, option)
        if position is None:
            raise self._refusal(cells, stop, decision, option)
        return stop.answers[position]

    def position(self, cells: Cells, stop: Stop, decision: Decision, option: Any) -> int | None:
        """Where among the options a plain answer stands."""
        options = decision.options
        if option.__class__ in _KINDS and option in options:
            position = options.index(option)
            if same_answer(option, options[position]):
                return position
        if option.__class__ is str and (type_ := self._type(stop)).kind == "piece":
            return self._piece(cells, stop, type_, option)
        return None

    def _piece(self, cells: Cells, stop: Stop, type_: Type, option: str) -> int | None:
        """A piece called by its own name stands for its class."""
        if stop.choice is not None:
            return self.named(cells, type_, option, stop.answers)
        at = self._alike(cells, type_, option, stop.answers)
        return self._of_make(cells, type_, option, stop.answers) if at is None else at

    def named(self, cells: Cells, type_: Type, name: str, pieces: Sequence[int]) -> int | None:
        """Where among some pieces the one that a seat calls by this name stands, or one alike.

        Which of several alike lies where may be a secret. Then a name says only what the piece is:
        otherwise a seat could ask for one after another and be refused those that lie elsewhere.
        """
        piece = self._known(type_, name)
        if piece is not None and self._secretly_alike(piece):
            return self._of_make(cells, type_, name, pieces)
        return self._alike(cells, type_, name, pieces)

    def _secretly_alike(self, piece: int) -> bool:
        return self._machine.pieces.can_hide and self._machine.classes.alike[piece]

    def _known(self, type_: Type, name: str) -> int | None:
        try:
            piece: int = self._values.inside(type_, name)
        except NotOfType:
            return None
        return piece

    def _alike(self, cells: Cells, type_: Type, name: str, pieces: Sequence[int]) -> int | None:
        piece = self._known(type_, name)
        key = self._machine.classes.key
        wanted = key(cells, piece) if piece is not None else None
        same = (at for at, other in enumerate(pieces) if key(cells, other) == wanted)
        return next(same, None)

    def _of_make(self, cells: Cells, type_: Type, name: str, pieces: Sequence[int]) -> int | None:
        """The first piece of the same make, if all of them are alike here. The generator names
        the piece that it drew, and here an alike piece may lie in its place."""
        piece = self._known(type_, name)
        if piece is None:
            return None
        classes = self._machine.classes
        same = [at for at, other in enumerate(pieces) if classes.same_make(piece, other)]
        alike = {classes.key(cells, pieces[at]) for at in same}
        return same[0] if len(alike) == 1 else None

    def _type(self, stop: Stop) -> Type:
        if stop.choice is not None:
            return stop.choice.type
        instr = self._program.code[stop.pc]
        assert isinstance(instr, ir.Chance)
        return instr.type

    # ------------------------------------------------------------ reasons

    def _refusal(self, cells: Cells, stop: Stop, decision: Decision, option: Any) -> IllegalMove:
        name = decision.decision_id
        site = self._site(stop)
        rule, span = (site.rule, site.span) if site else ("", None)
        if option is None or (isinstance(option, str) and option == STOP):
            code = "too-few" if decision.kind == "chooseN" else "not-an-option"
            return IllegalMove(code, rule, f"`{name}` cannot be left at that", span)
        labels = stop.choice is not None and stop.choice.kind == "labels"
        if not labels:
            try:
                inside = self._values.inside(self._type(stop), option)
            except NotOfType as wrong:
                if decision.kind == "chooseN" and isinstance(option, list | tuple):
                    return IllegalMove("not-an-option", rule, f"`{option}`: {wrong}", span)
                known = self._type(stop).kind not in ("int", "bool") and isinstance(option, str)
                code = "not-an-option" if known else "wrong-type"
                return IllegalMove(code, rule, f"`{name}`: {wrong}", span)
            return self.refusal(cells, stop, decision, option, inside)
        return self._label_refusal(cells, stop, decision, option)

    def _label_refusal(
        self, cells: Cells, stop: Stop, decision: Decision, option: Any
    ) -> IllegalMove:
        """Why an alternative is not offered: there is none of that name, a test of it fails, or
        what lies behind it cannot be done."""
        assert stop.choice is not None
        names = [label.name for label in stop.choice.labels]
        site = self._site(stop)
        if isinstance(option, str) and option in names:
            label = names.index(option)
            memory = self._machine.scratch(cells, Run(stop.seat))
            failing = self._machine.choices[stop.pc].failing_test(memory, stop.seat, label)
            if failing is None:
                return self.refusal_of(cells, stop, label)
            if 0 <= failing < len(self._program.sites):
                site = self._program.sites[failing]
                reason = self.label_reason(option, failing, memory)
                return IllegalMove("not-an-option", site.rule, reason, site.span)
        reason = f"`{option}` is not an option of `{decision.decision_id}`"
        rule, span = (site.rule, site.span) if site else ("", None)
        return IllegalMove("not-an-option", rule, reason, span)

    def label_reason(self, name: str, failing: int, memory: Memory) -> str:
        """Why an alternative is not offered: a test of it fails."""
        told, site = self._reasons.of_site(failing, memory), self._program.sites[failing]
        if site.words:
            return site.words
        why = f": {told}" if told else f" ({site.rule})"
        return f"`{name}` is not possible now{why}"

    def dropped(self, named: Mapping[str, Any], failing: int, memory: Memory) -> str:
        """Why answers that a move names were dropped, so that none was left; "" if no filter did.
        `failing` is the test whether there are any."""
        for name, option in named.items():
            types = {choice.type for choice in self._program.choices if choice.name == name}
            for inside in (value for type_ in types for value in self._meant(type_, option)):
                if told := self._reasons.of_option(failing, memory, inside):
                    return f"`{option}` is not an option of `{name}`: {told}"
        return ""

    def _meant(self, type_: Type, option: Any) -> list[Any]:
        """The values that an answer could stand for; pieces also by what people call them."""
        try:
            return [self._values.inside(type_, option)]
        except NotOfType:
            return self._reasons.called(str(option)) if type_.kind == "piece" else []

    def refusal(
        self, cells: Cells, stop: Stop, decision: Decision, option: Any, inside: Any
    ) -> IllegalMove:
        """Why a value of the right type is not among the answers."""
        refused = self._later_refusal(cells, stop, inside)
        if refused is not None:
            return refused
        site = self._site(stop)
        reason = f"`{option}` is not an option of `{decision.decision_id}`"
        if stop.choice is not None:
            memory = self._machine.scratch(cells, Run(stop.seat))
            if stop.choice.chooser >= 0:
                memory[stop.choice.chooser] = stop.seat
            if told := self._reasons.of_option(stop.choice.site, memory, inside):
                reason = f"{reason}: {told}"
            elif 0 < len(decision.options) <= _FEW:
                texts = self._reasons.options(cells, stop)
                reason = f"{reason}: {_are(len(texts))} only {listed(texts)}"
        return IllegalMove(
            "not-an-option", site.rule if site else "", reason, site.span if site else None
        )

    def _later_refusal(self, cells: Cells, stop: Stop, inside: Any) -> IllegalMove | None:
        """The rule that takes away an answer which would otherwise be there."""
        choice = stop.choice
        if choice is None or choice.safe:
            return None
        if choice.type.kind == "piece" and self._secretly_alike(inside):
            return None
        memory = self._machine.scratch(cells, Run(stop.seat))
        raw = self._machine.choices[stop.pc].view(memory, stop.seat)
        if inside not in raw.answers:
            return None
        return self.refusal_of(cells, stop, inside)

    def refusal_of_all(self, cells: Cells, stop: Stop, picks: Sequence[Any]) -> IllegalMove | None:
        """The rule that forbids a choice of just these; None where no rule behind it does."""
        choice = stop.choice
        assert choice is not None
        if any(choice.type.kind == "piece" and self._secretly_alike(pick) for pick in picks):
            return None
        memory = self._machine.scratch(cells, Run(stop.seat))
        refused = self._machine.search.refusal_of_picks(memory, stop, picks)
        return None if refused is None else self._explained(refused, memory)

    def _explained(self, refused: Refused, memory: Memory) -> IllegalMove:
        """A refusal that the memory of its run can explain."""
        error = illegal_move(self._program, refused)
        told = "" if refused.reason else self._reasons.of_site(refused.site, memory)
        return IllegalMove(error.code, error.rule, told or error.reason, error.span)

    def refusal_of(self, cells: Cells, stop: Stop, inside: Any) -> IllegalMove:
        """What refuses an answer that is in the domain but cannot be finished."""
        memory = self._machine.scratch(cells, Run(stop.seat))
        refused = self._machine.search.refusal(memory, stop, inside)
        if refused is not None:
            return self._explained(refused, memory)
        site = self._site(stop)
        reason = "it begins a move that cannot be finished"
        return IllegalMove(
            "refused", site.rule if site else "", reason, site.span if site else None
        )

    def _site(self, stop: Stop) -> ir.Site | None:
        number = stop.choice.site if stop.choice is not None else -1
        return self._program.sites[number] if 0 <= number < len(self._program.sites) else None


def _are(count: int) -> str:
    return "there is" if count == 1 else "there are"
