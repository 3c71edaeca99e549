"""Once dice have fallen nothing may refuse, or they could be taken back.

From every roll or draw inside a move all paths are followed to the next decision, which starts
anew. On the way there may be nothing that could refuse: no `require` or `ensure` that could fail,
no place that could be overfull, no variable that could leave its range and refuses then, no piece
that could be missing. The decision itself must have an option, or say what happens without one. A
choice that finds nothing to offer is no decision, so the paths go on behind it. A procedure that
was called after the roll returns to that call; the procedure in which the roll was made returns to
all its callers.

`best` compares all ways through its block, and what dice bring is not known beforehand: no roll may
stand in the block at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ludwright import program as ir
from ludwright.language.compiling.code import Code, Passage
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.answerable import proof_at
from ludwright.language.compiling.proofs.facts import Facts
from ludwright.language.compiling.proofs.refusals import always_possible
from ludwright.program.flow import callers_first, reachable

Point = tuple[int, int, bool]  # entry of a procedure, instruction, "returns to its caller's caller"


def check(lowering: Lowering, facts: Facts) -> None:
    if not any(code.chances for code in lowering.codes):
        return
    demands = _Demands(lowering, facts)
    walk = _Walk(lowering, demands.can_be_skipped)
    for entry, index in sorted(walk.reached()):
        demands.check(walk.codes[entry], index)
    if not any(isinstance(i, ir.BestEnd) for code in lowering.codes for i in code.instrs):
        return
    through = _Walk(lowering, _always)
    for entry, index in sorted(through.reached()):
        instr = through.codes[entry].instrs[index]
        if isinstance(instr, ir.BestEnd) and (entry, index) in through.reached(instr.best):
            demands.report_best(instr)


class _Demands:
    """What may not come behind a roll."""

    def __init__(self, lowering: Lowering, facts: Facts) -> None:
        self._lowering, self._facts = lowering, facts
        self._asked: dict[tuple[int, int], bool] = {}
        self._told: set[tuple[object, str]] = set()

    def can_be_skipped(self, code: Code, index: int, number: int) -> bool:
        """Whether what follows a choice can come without a decision."""
        choice = self._lowering.choices[number]
        if choice.silent:  # a single action that is not asked for
            return True
        if not (choice.optional or choice.kind == "many" or choice.empty is not None):
            return False
        key = (code.entry, index)
        if key not in self._asked:
            self._asked[key] = self._certainly_asked(code, index, number)
        return not self._asked[key]

    def _certainly_asked(self, code: Code, index: int, number: int) -> bool:
        choice = self._lowering.choices[number]
        if choice.together or number in self._lowering.proven:
            return True
        if choice.kind == "labels" and any(label.guard is None for label in choice.labels):
            return True
        proof = proof_at(self._facts, code, index)
        if choice.options is None:
            return proof.answerable(replace(choice, empty=None))
        return proof.something(choice.options)

    def check(self, code: Code, index: int) -> None:
        instr = code.instrs[index]
        match instr:
            case ir.Choose(choice=number):
                self._check_choice(code, index, number)
            case ir.Require(fault=False) if index in code.rooms:
                room = code.rooms[index]
                if not self._moves_alone(code, room.passage, index) or not (
                    proof_at(self._facts, code, room.passage.start).has_room(room)
                ):
                    self._report_room(instr, room.name)
            case ir.Require(fault=False) if index in code.stocks:
                stock = code.stocks[index]
                if not self._moves_alone(code, stock.passage, index) or not (
                    proof_at(self._facts, code, stock.passage.start).in_stock(stock)
                ):
                    self._report_stock(instr, stock.what)
            case ir.Require(when=when, fault=False) if not _is_refusal(code, index):
                proof = proof_at(self._facts, code, index)
                if not proof.holds(proof.normal.expr(when)):
                    self._report_demand(instr)
            case ir.Store(overflow="refuse", variable=variable) if variable >= 0:
                if not proof_at(self._facts, code, index).in_range(instr):
                    self._report_range(instr)
            case _:
                pass

    def _check_choice(self, code: Code, index: int, number: int) -> None:
        choice = self._lowering.choices[number]
        if choice.empty is not None:
            nothing = _is_refusal(code, code.target(choice.empty))
            if nothing and self.can_be_skipped(code, index, number):
                self._report_offer(choice)
        elif not always_possible(choice) and number not in self._lowering.proven:
            self._report_choice(choice)

    def _moves_alone(self, code: Code, passage: Passage, index: int) -> bool:
        """Whether nothing else moves pieces while those of a statement do."""
        between = code.instrs[passage.start : index]
        return not any(isinstance(instr, ir.CallProc) for instr in between)

    # -------------------------------------------------------------------- reports

    def _report(self, site: int, message: str, help_: str) -> None:
        """One statement has several instructions, and is compiled for several callers."""
        span = self._lowering.unit.sites[site].span
        if (span, message) not in self._told:
            self._told.add((span, message))
            self._lowering.unit.error("refusal-after-chance", span, message, help_)

    def _report_choice(self, choice: ir.Choice) -> None:
        self._report(
            choice.site,
            f"`{choice.name}` must be chosen after a roll, but there may be nothing to choose",
            "make it `optional: true`, say what happens then with `ifNone`, or ask first whether "
            "there is anything, in the same words: `if: any(…)` with the options between the "
            "brackets",
        )

    def _report_offer(self, choice: ir.Choice) -> None:
        self._report(
            choice.site,
            "this offer comes after a roll, but there may be no action to take",
            "say what happens then: `none: […]`",
        )

    def _report_demand(self, instr: ir.Require) -> None:
        self._report(
            instr.site,
            "this could refuse the move after a roll, and dice cannot be taken back",
            "test it before the roll, or use an `if` with an `else`",
        )

    def _report_room(self, instr: ir.Require, name: str) -> None:
        self._report(
            instr.site,
            f"`{name}` may be full after a roll or draw, which cannot be taken back",
            "ask first whether there is room, as in `if count(PLACE) < 5 then …` with the limit; "
            "for several pieces at once `count(PLACE) + 2 <= 5`",
        )

    def _report_stock(self, instr: ir.Require, what: str) -> None:
        self._report(
            instr.site,
            f"there may be no {what} after a roll or draw, which cannot be taken back",
            "ask first whether there is one, as in `if any(x for x in KIND if x.place == none) "
            "then …`, or `count(…) >= 2` for several",
        )

    def _report_range(self, instr: ir.Store) -> None:
        variable = self._lowering.unit.layout.variables[instr.variable]
        self._report(
            instr.site,
            f"`{variable.name}` may leave {instr.type.lo}..{instr.type.hi} after a roll and refuses"
            " that, but dice cannot be taken back",
            "ask first, in the same words, as in `if money >= cost then money -= cost`; "
            "or write `clamp` in the place of `refuse`",
        )

    def report_best(self, instr: ir.BestEnd) -> None:
        self._report(
            instr.site,
            "`best` compares the ways through a move, but dice may fall on the way, and what they "
            "bring is not known then",
            "roll before the block that `best` is about, or behind it: in `afterEffects` of the "
            "phase, or in a trigger",
        )


def _is_refusal(code: Code, index: int) -> bool:
    """Whether an instruction is the refusal of an offer that says nothing for the case of no
    action. It is reported where the offer stands."""
    instr = code.instrs[index]
    return isinstance(instr, ir.Require) and index not in code.demands and instr.when == ir.Const(0)


# Whether paths go on behind a choice: its procedure, the instruction, its number.
_GoesOn = Callable[[Code, int, int], bool]


def _always(code: Code, index: int, number: int) -> bool:
    return True


class _Walk:
    """Paths from rolls."""

    def __init__(self, lowering: Lowering, goes_on: _GoesOn) -> None:
        self._lowering, self._goes_on = lowering, goes_on
        self.codes = {code.entry: code for code in lowering.codes}
        self._callers: dict[int, list[tuple[int, int]]] = {}
        for code in lowering.codes:
            for index, instr in enumerate(code.instrs):
                if isinstance(instr, ir.CallProc):
                    self._callers.setdefault(instr.entry, []).append((code.entry, index))
        self._outside = -1  # the `best` whose beginning no path may pass
        self._find_passing()

    def reached(self, outside: int = -1) -> set[tuple[int, int]]:
        """The instructions that can follow a roll before the next decision, and that decision;
        `outside`: without beginning this `best`."""
        self._outside = outside
        starts = [
            (code.entry, at + 1, False) for code in self._lowering.codes for at in code.chances
        ]
        return {(entry, index) for entry, index, _ in self._follow(starts)}

    def _find_passing(self) -> None:
        """Find the procedures that can return without asking anything."""
        bodies = {entry: code.instrs for entry, code in self.codes.items()}
        order = callers_first(bodies, bodies)[::-1]  # what is called is known first
        self._passing: set[int] = set()
        before = -1
        while before < len(self._passing):
            before = len(self._passing)
            for entry in order:
                if entry not in self._passing and self._returns(entry):
                    self._passing.add(entry)

    def _returns(self, entry: int) -> bool:
        code = self.codes[entry]
        return any(
            isinstance(code.instrs[index], ir.Return)
            for at, index, _ in self._follow([(entry, 0, True)], down=False)
            if at == entry
        )

    def _follow(self, starts: list[Point], down: bool = True) -> set[Point]:
        return reachable(starts, lambda point: self._next(*point, down))

    def _next(self, entry: int, index: int, called: bool, down: bool) -> Iterator[Point]:
        code: Code = self.codes[entry]
        match code.instrs[index]:
            case ir.HeadExit():
                return
            case ir.BestBegin(best=best) if best == self._outside:
                return
            case ir.Choose(choice=number):
                if not self._goes_on(code, index, number):
                    return
                choice = self._lowering.choices[number]
                if choice.empty is not None:
                    yield entry, code.target(choice.empty), called
                # With a branch for the case of no options, only a decision leads straight on.
                if choice.empty is None or choice.silent or self._goes_on is _always:
                    yield entry, index + 1, called
            case ir.CallProc(entry=callee):
                if down:
                    yield callee, 0, True
                if callee in self._passing:
                    yield entry, index + 1, called
            case ir.Return():
                if not called:
                    for caller, at in self._callers.get(entry, ()):
                        yield caller, at + 1, False
            case _:
                for following in code.successors(index):
                    yield entry, following, called
