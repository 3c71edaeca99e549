"""Which sentence of the rulebook asks a decision."""

from __future__ import annotations

from collections.abc import Sequence

from ludwright import program as ir


class Questions:
    """A decision is asked in its own words. Where it has none and opens the only action of an
    offer, the words are those of the offer, which is no decision itself."""

    def __init__(self, program: ir.Program) -> None:
        self._code = program.code
        by_entry = {procedure.entry: procedure for procedure in program.procedures}
        # By the first decision of a procedure: its return cell, and the words by return address.
        self._of_offers: dict[int, tuple[int, dict[int, ir.Sentence]]] = {}
        for procedure in program.procedures:
            for pc, call in procedure.calls.items():
                if call.ask is not None:
                    instr = program.code[pc]
                    assert isinstance(instr, ir.CallProc)
                    action = by_entry[instr.entry]
                    first = self._first_decision(action)
                    words = self._of_offers.setdefault(first, (action.ret, {}))[1]
                    words[pc + 1] = call.ask

    def _first_decision(self, procedure: ir.Procedure) -> int:
        span = range(procedure.entry, procedure.end)
        return next(pc for pc in span if isinstance(self._code[pc], ir.Choose))

    def sentence(self, cells: Sequence[int], choice: ir.Choice, pc: int) -> ir.Sentence | None:
        """The words of the decision at an instruction; None where the rulebook has none."""
        if choice.ask is not None or pc not in self._of_offers:
            return choice.ask
        back, words = self._of_offers[pc]
        return words.get(cells[back])
