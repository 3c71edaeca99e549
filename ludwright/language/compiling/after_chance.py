"""Once dice have fallen nothing may refuse, or they could be taken back.

From every roll inside a move all paths are followed to the next decision, which starts anew. On the
way there may be no `require` or `ensure` that could fail, and the decision itself must have an
option. A procedure that was called after the roll returns to that call; the procedure in which the
roll was made returns to all its callers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludwright.kernel import program as ir
from ludwright.language.compiling.answerable import proof_at
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.facts import Facts
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.safety import always_possible

Point = tuple[int, int, bool]  # entry of a procedure, instruction, "returns to its caller's caller"


def check(game: Lowering, facts: Facts) -> None:
    walk = _Walk(game)
    for entry, index in sorted(walk.reached(), key=lambda point: (point[0], point[1])):
        code = walk.codes[entry]
        instr = code.instrs[index]
        if isinstance(instr, ir.Choose):
            choice = game.choices[instr.choice]
            if not always_possible(choice) and instr.choice not in game.proven:
                _report_choice(game, choice)
        elif isinstance(instr, ir.Require) and index in code.demands:
            proof = proof_at(facts, code, index)
            if not proof.holds(proof.normal.expr(instr.when)):
                _report_demand(game, instr)


def _report_choice(game: Lowering, choice: ir.Choice) -> None:
    game.unit.error(
        "refusal-after-chance",
        game.unit.sites[choice.site].span,
        f"`{choice.name}` must be chosen after a roll, but there may be nothing to choose",
        "make it `optional: true`, or ask first whether there is anything, in the same words: "
        "`if: any(…)` with the options between the brackets",
    )


def _report_demand(game: Lowering, instr: ir.Require) -> None:
    game.unit.error(
        "refusal-after-chance",
        game.unit.sites[instr.site].span,
        "this could refuse the move after a roll, and dice cannot be taken back",
        "test it before the roll, or use an `if` with an `else`",
    )


class _Walk:
    def __init__(self, game: Lowering) -> None:
        self.game = game
        self.codes = {code.entry: code for code in game.codes}
        self.callers: dict[int, list[tuple[int, int]]] = {}
        for code in game.codes:
            for index, instr in enumerate(code.instrs):
                if isinstance(instr, ir.CallProc):
                    self.callers.setdefault(instr.entry, []).append((code.entry, index))
        self.passing = self._passing()

    def reached(self) -> set[tuple[int, int]]:
        """The instructions that can follow a roll before the next decision, and that decision."""
        starts = [(code.entry, at + 1, False) for code in self.game.codes for at in code.chances]
        return {(entry, index) for entry, index, _ in self._follow(starts)}

    def _passing(self) -> set[int]:
        """The procedures that can return without asking anything."""
        found: set[int] = set()
        grown = True
        while grown:
            self.passing = found
            new = {entry for entry in self.codes if entry not in found and self._returns(entry)}
            grown = bool(new)
            found = found | new
        return found

    def _returns(self, entry: int) -> bool:
        code = self.codes[entry]
        return any(
            isinstance(code.instrs[index], ir.Return)
            for at, index, _ in self._follow([(entry, 0, True)], down=False)
            if at == entry
        )

    def _follow(self, starts: list[Point], down: bool = True) -> set[Point]:
        seen = {point for point in starts if point[1] < len(self.codes[point[0]].instrs)}
        stack = list(seen)
        while stack:
            for point in self._next(*stack.pop(), down):
                if point not in seen and point[1] < len(self.codes[point[0]].instrs):
                    seen.add(point)
                    stack.append(point)
        return seen

    def _next(self, entry: int, index: int, called: bool, down: bool) -> Iterator[Point]:
        code: Code = self.codes[entry]
        match code.instrs[index]:
            case ir.Choose() | ir.HeadExit() | ir.Finish() | ir.FaultHere():
                return
            case ir.Jump(target=target):
                yield entry, code.target(target), called
            case ir.Branch(target=target):
                yield entry, index + 1, called
                yield entry, code.target(target), called
            case ir.Switch(targets=targets, default=default):
                for label in (*targets, default):
                    yield entry, code.target(label), called
            case ir.CallProc(entry=callee):
                if down:
                    yield callee, 0, True
                if callee in self.passing:
                    yield entry, index + 1, called
            case ir.Return():
                if not called:
                    for caller, at in self.callers.get(entry, ()):
                        yield caller, at + 1, False
            case _:
                yield entry, index + 1, called
