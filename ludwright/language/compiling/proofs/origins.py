"""Where the values of locals come from: from stores in the same procedure, from the arguments of
every call, and from what a called procedure returns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludwright import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.facts import Facts, Touched


@dataclass(frozen=True, eq=False)
class Origin:
    """A value that a local may hold, and the instruction before which it is read."""

    code: Code
    index: int
    value: ir.Expr


class Origins:
    def __init__(self, lowering: Lowering, facts: Facts) -> None:
        self.lowering = lowering
        self.facts = facts
        self._arguments: dict[tuple[int, int], dict[int, ir.Expr]] = {}
        self._of = self._find()
        self._unchanged: dict[tuple[int, int, int, Touched], bool] = {}

    def of(self, addr: int) -> list[Origin] | None:
        """What a local may hold; None if no instruction stores into it."""
        return self._of.get(addr)

    def all(self) -> Iterable[tuple[int, list[Origin]]]:
        """Every local, with what it may hold."""
        return self._of.items()

    def _find(self) -> dict[int, list[Origin]]:
        codes = self.lowering.codes
        owners = {addr: code for code in codes for addr in code.frames}
        owners |= {code.result: code for code in codes if code.result is not None}
        found: dict[int, list[Origin]] = {}
        for code in codes:
            for index, instr in enumerate(code.instrs):
                if isinstance(instr, ir.Chance) and isinstance(instr.outcomes, ir.DrawFrom):
                    drawn = ir.Aggregate("first", instr.outcomes, ir.Const(-1))
                    found.setdefault(instr.addr, []).append(Origin(code, index, drawn))
                if not isinstance(instr, ir.Store) or instr.addr not in owners:
                    continue
                at = index
                if owners[instr.addr] is not code:
                    at = _call(code, index, owners[instr.addr])
                    self._arguments.setdefault((code.entry, at), {})[instr.addr] = instr.value
                found.setdefault(instr.addr, []).append(Origin(code, at, instr.value))
        return found

    def before_call(self, expr: ir.Expr, code: Code, index: int) -> ir.Expr:
        """What an expression of a called procedure says in the words of its caller."""
        return self.facts.normal.expr(expr, self._arguments.get((code.entry, index)))

    def unchanged(self, expr: ir.Expr, code: Code, start: int, stop: int) -> bool:
        """Whether the cells that an expression names stay as they are on every way from one
        instruction of a procedure to another that does not pass the first one again (`start` is -1
        for the ways from its entry)."""
        read = Touched(self.facts.reads(expr).cells)
        key = (code.entry, start, stop, read)
        if key not in self._unchanged:
            self._unchanged[key] = not read.cells or self._lasts(read, code, start, stop)
        return self._unchanged[key]

    def _lasts(self, read: Touched, code: Code, start: int, stop: int) -> bool:
        stack = [(max(start, 0), False)]  # an instruction; whether something was written
        seen = set(stack)
        while stack:
            index, written = stack.pop()
            if index == stop and written:
                return False
            written = written or self.facts.writes(code.instrs[index]).meets(read)
            for following in code.successors(index):
                point = (following, written)
                if following != start and point not in seen:
                    seen.add(point)
                    stack.append(point)
        return True

    def kept_by(self, expr: ir.Expr, code: Code) -> bool:
        """Whether a procedure, with all that it calls, leaves the cells of an expression alone."""
        read = Touched(self.facts.reads(expr).cells)
        return not self.facts.writes(ir.CallProc(code.entry, code.ret)).meets(read)


def _call(code: Code, index: int, callee: Code) -> int:
    """The call for which an argument is stored: what is known there, the procedure starts with."""
    calls = (
        at
        for at, instr in enumerate(code.instrs[index:], index)
        if isinstance(instr, ir.CallProc) and instr.entry == callee.entry
    )
    return next(calls, index)
