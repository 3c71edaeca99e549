"""What could refuse at one instruction, and what to write so that it cannot.

Behind a roll, and where something hidden has come to light, there may be no `require` or `ensure`
that could fail, no place that could be overfull, no variable that could leave its range and refuses
then, no piece that could be missing, and no choice that could have nothing to choose from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludwright import program as ir
from ludwright.language.compiling.code import Code, Passage
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.answerable import Proof
from ludwright.language.compiling.proofs.fact_kinds import Fact
from ludwright.language.compiling.proofs.facts import Facts
from ludwright.language.compiling.proofs.refusals import always_possible

Answers = tuple[Fact, ...]  # what is known of the answers on the way


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that could refuse."""

    site: int
    message: str
    help: str


@dataclass(frozen=True, slots=True)
class Since:
    """What cannot be taken back when something refuses, in words."""

    after: str
    because: str
    before: str


AFTER_ROLL = Since("after a roll", "dice cannot be taken back", "before the roll")
AFTER_SECRET = Since(
    "after something hidden has come to light",
    "what was seen cannot be taken back",
    "before the line that shows it",
)


class Demands:
    def __init__(self, lowering: Lowering, facts: Facts, since: Since = AFTER_ROLL) -> None:
        self._lowering, self._facts, self._since = lowering, facts, since
        self._asked: dict[tuple[int, int, Answers], bool] = {}

    def proof(self, code: Code, index: int, answers: Answers = ()) -> Proof:
        known = self._facts.at(code, index) | set(answers)
        return Proof(self._lowering, self._facts.contents, known)

    def can_be_skipped(self, code: Code, index: int, number: int, answers: Answers = ()) -> bool:
        """Whether what follows a choice can come without a decision."""
        choice = self._lowering.choices[number]
        if choice.silent:  # a single action that is not asked for
            return True
        if not (choice.optional or choice.kind == "many" or choice.empty is not None):
            return False
        key = (code.entry, index, answers)
        if key not in self._asked:
            self._asked[key] = self._certainly_asked(code, index, number, answers)
        return not self._asked[key]

    def _certainly_asked(self, code: Code, index: int, number: int, answers: Answers) -> bool:
        choice = self._lowering.choices[number]
        if choice.together or number in self._lowering.proven:
            return True
        if choice.kind == "labels" and any(label.guard is None for label in choice.labels):
            return True
        proof = self.proof(code, index, answers)
        if choice.options is None:
            return proof.answerable(replace(choice, empty=None))
        return proof.something(choice.options)

    def finding(self, code: Code, index: int, answers: Answers = ()) -> Finding | None:
        """What could refuse here, if the answers before were these."""
        instr = code.instrs[index]
        match instr:
            case ir.Choose(choice=number):
                return self._of_choice(code, index, number, answers)
            case ir.Require(fault=False) if index in code.rooms:
                room = code.rooms[index]
                proof = self.proof(code, room.passage.start, answers)
                if not self._moves_alone(code, room.passage, index) or not proof.has_room(room):
                    return _full(instr, room.name, self._since)
            case ir.Require(fault=False) if index in code.stocks:
                stock = code.stocks[index]
                proof = self.proof(code, stock.passage.start, answers)
                if not self._moves_alone(code, stock.passage, index) or not proof.in_stock(stock):
                    return _missing(instr, stock.what, self._since)
            case ir.Require(when=when, fault=False) if not is_refusal(code, index):
                proof = self.proof(code, index, answers)
                if not proof.holds(proof.normal.expr(when)):
                    return _refusing(instr, self._since)
            case ir.Store(overflow="refuse", variable=variable) if variable >= 0:
                if not self.proof(code, index, answers).in_range(instr):
                    return _leaving(
                        instr, self._lowering.unit.layout.variables[variable].name, self._since
                    )
            case _:
                pass
        return None

    def _of_choice(self, code: Code, index: int, number: int, answers: Answers) -> Finding | None:
        choice = self._lowering.choices[number]
        if choice.empty is not None:
            nothing = is_refusal(code, code.target(choice.empty))
            skipped = nothing and self.can_be_skipped(code, index, number, answers)
            return _no_action(choice, self._since) if skipped else None
        if always_possible(choice) or number in self._lowering.proven:
            return None
        if answers and self.proof(code, index, answers).answerable(choice):
            return None
        return _no_option(choice, self._since)

    def _moves_alone(self, code: Code, passage: Passage, index: int) -> bool:
        """Whether nothing else moves pieces while those of a statement do."""
        between = code.instrs[passage.start : index]
        return not any(isinstance(instr, ir.CallProc) for instr in between)


def is_refusal(code: Code, index: int) -> bool:
    """Whether an instruction is the refusal of an offer that says nothing for the case of no
    action. It is reported where the offer stands."""
    instr = code.instrs[index]
    return isinstance(instr, ir.Require) and index not in code.demands and instr.when == ir.Const(0)


# ---------------------------------------------------------------------------- words


def _no_option(choice: ir.Choice, since: Since) -> Finding:
    return Finding(
        choice.site,
        f"`{choice.name}` must be chosen {since.after}, but there may be nothing to choose",
        "make it `optional: true`, say what happens then with `ifNone`, or ask first whether "
        "there is anything, in the same words: `if: any(…)` with the options between the "
        "brackets",
    )


def _no_action(choice: ir.Choice, since: Since) -> Finding:
    return Finding(
        choice.site,
        f"this offer comes {since.after}, but there may be no action to take",
        "say what happens then: `none: […]`",
    )


def _refusing(instr: ir.Require, since: Since) -> Finding:
    return Finding(
        instr.site,
        f"this could refuse the move {since.after}, and {since.because}",
        f"test it {since.before}, use an `if` with an `else`, or leave out what would be refused "
        "where it is chosen: `options: x for x in … if …`",
    )


def _full(instr: ir.Require, name: str, since: Since) -> Finding:
    return Finding(
        instr.site,
        f"`{name}` may be full {since.after}, and {since.because}",
        "ask first whether there is room, as in `if count(PLACE) < 5 then …` with the limit; "
        "for several pieces at once `count(PLACE) + 2 <= 5`, or as many as fit: "
        "`draw up to 5 - count(PLACE) from …`",
    )


def _missing(instr: ir.Require, what: str, since: Since) -> Finding:
    return Finding(
        instr.site,
        f"there may be no {what} {since.after}, and {since.because}",
        "ask first whether there is one, as in `if any(x for x in KIND if x.place == none) "
        "then …`, or `count(…) >= 2` for several",
    )


def _leaving(instr: ir.Store, name: str, since: Since) -> Finding:
    return Finding(
        instr.site,
        f"`{name}` may leave {instr.type.lo}..{instr.type.hi} {since.after} and refuses that, but "
        f"{since.because}",
        "ask first, in the same words, as in `if money >= cost then money -= cost`; "
        "or write `clamp` in the place of `refuse`",
    )
