"""What a seat is offered when the game itself comes to a choice.

Where a later rule could refuse an answer, a search looks first whether the part can be finished
with it. What cannot be finished is not offered.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.kernel.interpreter.choice_point import ChoicePoint
from ludwright.kernel.interpreter.legality import Search
from ludwright.kernel.interpreter.run import RUN, Memory, Refused, Run
from ludwright.kernel.interpreter.stop import Stop
from ludwright.program import faults


class Offer:
    """One `Choose` instruction as the game itself meets it."""

    def __init__(self, point: ChoicePoint, search: Search) -> None:
        self._point = point
        self._search = search

    def arrive(self, memory: Memory) -> int:
        """The instruction: a fresh decision."""
        self._point.clear(memory)
        run: Run = memory[RUN]
        return self._point.meet(memory) if run.searching else self.offer(memory)

    def offer(self, memory: Memory) -> int:
        """Publish what can be answered now, or go on where nothing is to be asked."""
        if self._point.choice.together:
            return self._offer_sealed(memory)
        point, choice, search = self._point, self._point.choice, self._search
        run: Run = memory[RUN]
        seat = point.chooser(memory)
        if seat != run.seat:
            # Another seat's decision is a barrier even where it has nothing to choose from:
            # whether it is asked may depend on what only that seat sees.
            run.end("decision")
        stop = point.view(memory, seat)
        if not stop.answers:
            return point.without_answers(memory, stop)
        tested = run.filters and not choice.safe
        if choice.silent:
            if not tested or search.can_finish(memory, stop, stop.answers[0]):
                return point.apply(memory, stop.answers[0], seat, silent=True)
            return point.without_answers(memory, stop)
        if tested:
            search.keep_finishable(memory, stop)
            if not stop.answers:
                if stop.can_decline or stop.can_stop or choice.empty is not None:
                    return point.without_answers(memory, stop)
                if run.ended or run.seat < 0:
                    raise Refused(faults.NO_OPTION_POSSIBLE, choice.site)
                stop.dead_end = True
        return point.wait(memory, stop)

    def _offer_sealed(self, memory: Memory) -> int:
        """Several seats decide at the same time, each without seeing the answers of the others."""
        point, choice = self._point, self._point.choice
        run: Run = memory[RUN]
        run.end("decision")
        pending: list[int] = []
        first: Stop | None = None
        for seat in point.choosers(memory):
            if memory[choice.answered] >> seat & 1:
                continue
            stop = point.view(memory, seat)
            if stop.answers:
                pending.append(seat)
                first = first or stop
            else:
                point.without_sealed_answers(memory, stop)
        if first is None:
            point.open(memory)
            memory[choice.answered] = 0
            memory[ir.ANSWERED] = 1 if memory[ir.HEAD] else 0
            return point.pc + 1
        first.pending = tuple(pending)
        return point.wait(memory, first)
