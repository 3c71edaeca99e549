"""What could refuse at one instruction, and what to write so that it cannot.

Behind a roll there may be no `require` or `ensure` that could fail, no place that could be
overfull, no variable that could leave its range and refuses then, no piece that could be missing,
and no choice that could have nothing to choose from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludwright import program as ir
from ludwright.language.compiling.code import Code, Passage
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.answerable import Proof
from ludwright.language.compiling.proofs.facts import Fact, Facts
from ludwright.language.compiling.proofs.refusals import always_possible

Answers = tuple[Fact, ...]  # what is known of the answers on the way


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that could refuse."""

    site: int
    message: str
    help: str


class Demands:
    def __init__(self, lowering: Lowering, facts: Facts) -> None:
        self._lowering, self._facts = lowering, facts
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
                    return _full(instr, room.name)
            case ir.Require(fault=False) if index in code.stocks:
                stock = code.stocks[index]
                proof = self.proof(code, stock.passage.start, answers)
                if not self._moves_alone(code, stock.passage, index) or not proof.in_stock(stock):
                    return _missing(instr, stock.what)
            case ir.Require(when=when, fault=False) if not is_refusal(code, index):
                proof = self.proof(code, index, answers)
                if not proof.holds(proof.normal.expr(when)):
                    return _refusing(instr)
            case ir.Store(overflow="refuse", variable=variable) if variable >= 0:
                if not self.proof(code, index, answers).in_range(instr):
                    return _leaving(instr, self._lowering.unit.layout.variables[variable].name)
            case _:
                pass
        return None

    def _of_choice(self, code: Code, index: int, number: int, answers: Answers) -> Finding | None:
        choice = self._lowering.choices[number]
        if choice.empty is not None:
            nothing = is_refusal(code, code.target(choice.empty))
            skipped = nothing and self.can_be_skipped(code, index, number, answers)
            return _no_action(choice) if skipped else None
        if always_possible(choice) or number in self._lowering.proven:
            return None
        if answers and self.proof(code, index, answers).answerable(choice):
            return None
        return _no_option(choice)

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


def _no_option(choice: ir.Choice) -> Finding:
    return Finding(
        choice.site,
        f"`{choice.name}` must be chosen after a roll, but there may be nothing to choose",
        "make it `optional: true`, say what happens then with `ifNone`, or ask first whether "
        "there is anything, in the same words: `if: any(…)` with the options between the "
        "brackets",
    )


def _no_action(choice: ir.Choice) -> Finding:
    return Finding(
        choice.site,
        "this offer comes after a roll, but there may be no action to take",
        "say what happens then: `none: […]`",
    )


def _refusing(instr: ir.Require) -> Finding:
    return Finding(
        instr.site,
        "this could refuse the move after a roll, and dice cannot be taken back",
        "test it before the roll, use an `if` with an `else`, or leave out what would be refused "
        "where it is chosen: `options: x for x in … if …`",
    )


def _full(instr: ir.Require, name: str) -> Finding:
    return Finding(
        instr.site,
        f"`{name}` may be full after a roll or draw, which cannot be taken back",
        "ask first whether there is room, as in `if count(PLACE) < 5 then …` with the limit; "
        "for several pieces at once `count(PLACE) + 2 <= 5`",
    )


def _missing(instr: ir.Require, what: str) -> Finding:
    return Finding(
        instr.site,
        f"there may be no {what} after a roll or draw, which cannot be taken back",
        "ask first whether there is one, as in `if any(x for x in KIND if x.place == none) "
        "then …`, or `count(…) >= 2` for several",
    )


def _leaving(instr: ir.Store, name: str) -> Finding:
    return Finding(
        instr.site,
        f"`{name}` may leave {instr.type.lo}..{instr.type.hi} after a roll and refuses that, but "
        "dice cannot be taken back",
        "ask first, in the same words, as in `if money >= cost then money -= cost`; "
        "or write `clamp` in the place of `refuse`",
    )
