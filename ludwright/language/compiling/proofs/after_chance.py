"""Once dice have fallen nothing may refuse, or they could be taken back. The same holds where
something hidden has come to light.

What could refuse at an instruction is found by `demands`, the ways that lead there by `dead_ends`.

`best` compares all ways through its block, and what dice bring is not known beforehand: no roll may
stand in the block at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludwright import program as ir
from ludwright.language.codes import CODES
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.dead_ends import behind_chance, behind_secrets
from ludwright.language.compiling.proofs.demands import Finding
from ludwright.language.compiling.proofs.facts import Facts
from ludwright.program.flow import callers_first, reachable

Point = tuple[int, int, bool]  # entry of a procedure, instruction, "returns to its caller's caller"


def check(lowering: Lowering, facts: Facts) -> None:
    told: set[object] = set()  # places in the text
    _report(lowering, behind_chance(lowering, facts), "refusal-after-chance", told)
    _report(lowering, behind_secrets(lowering, facts), "refusal-after-reveal", told)
    if any(code.chances for code in lowering.codes) and any(
        isinstance(instr, ir.BestEnd) for code in lowering.codes for instr in code.instrs
    ):
        _report(lowering, _best_after_chance(_Walk(lowering)), "refusal-after-chance", told)


def _best_after_chance(walk: _Walk) -> Iterator[Finding]:
    for entry, index in sorted(walk.reached()):
        instr = walk.codes[entry].instrs[index]
        if isinstance(instr, ir.BestEnd) and (entry, index) in walk.reached(instr.best):
            yield Finding(
                instr.site,
                "`best` compares the ways through a move, but dice may fall on the way, and what "
                "they bring is not known then",
                "roll before the block that `best` is about, or behind it: in `afterEffects` of "
                "the phase, or in a trigger",
            )


def _report(lowering: Lowering, found: Iterable[Finding], code: str, told: set[object]) -> None:
    """One statement has several instructions, and is compiled for several callers. What comes after
    a roll and after a secret is told once."""
    for finding in found:
        span = lowering.unit.sites[finding.site].span
        if span not in told:
            told.add(span)
            tell = getattr(lowering.unit.diagnostics, CODES[code].severity)
            tell(code, span, finding.message, finding.help)


class _Walk:
    """Paths from rolls to the end of the move, through all decisions."""

    def __init__(self, lowering: Lowering) -> None:
        self._lowering = lowering
        self.codes = {code.entry: code for code in lowering.codes}
        self._callers: dict[int, list[tuple[int, int]]] = {}
        for code in lowering.codes:
            for index, instr in enumerate(code.instrs):
                if isinstance(instr, ir.CallProc):
                    self._callers.setdefault(instr.entry, []).append((code.entry, index))
        self._outside = -1  # the `best` whose beginning no path may pass
        self._find_passing()

    def reached(self, outside: int = -1) -> set[tuple[int, int]]:
        """The instructions that can follow a roll; `outside`: without beginning this `best`."""
        self._outside = outside
        starts = [
            (code.entry, at + 1, False) for code in self._lowering.codes for at in code.chances
        ]
        return {(entry, index) for entry, index, _ in self._follow(starts)}

    def _find_passing(self) -> None:
        """Find the procedures that can return."""
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
