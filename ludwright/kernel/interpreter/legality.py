"""The search behind "what is offered can be finished".

Depth first over the raw answers of one part, on scratch copies, with a memo of the states already
seen and a budget of nodes (one node is one answer and the run to the next stop). A search never
starts another one. What a search looks for is the mode of its runs: `Completion`, `Best` or
`Count` (see `run`). Which options there are says `choice_point`; whether a search is needed,
`offers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.choice_point import ChoicePoint
from ludwright.kernel.interpreter.dispatch import Dispatch
from ludwright.kernel.interpreter.run import (
    BEST_END,
    COMPLETE,
    RUN,
    STOPPED,
    Best,
    Completion,
    Count,
    Memory,
    Refused,
    Run,
)
from ludwright.kernel.interpreter.stop import DECLINE, STOP, Stop
from ludwright.program.flow import effects_only
from ludwright.program.limits import GLANCE_BUDGET, GLANCE_DEPTH, GLANCES, LONG_RANGE
from ludwright.program.types import NO_INT

_ELSEWHERE = object()  # the alternative of going to the `empty` target
_NO_VALUE = object()  # found by a path that ends its part before the end of a `best` block
_EXHAUSTED = object()  # every answer of a frame has been tried

Memo = dict[tuple[Any, ...], Any]  # what was found behind a state, by its cells


@dataclass(slots=True)
class _Frame:
    """A decision on the way, with the answers still to try and what they have led to so far."""

    cells: Memory
    stop: Stop
    left: Iterator[Any]
    key: tuple[Any, ...] = ()
    found: Any = None


class Search:
    """Searches on behalf of one machine, which fills `points` and the code of `dispatch`."""

    def __init__(
        self,
        program: ir.Program,
        dispatch: Dispatch,
        points: Mapping[int, ChoicePoint],
        budget: int,
    ) -> None:
        self._program = program
        self._dispatch = dispatch
        self._points = points
        self.budget = budget
        self.nodes = 0  # in the latest search, for tests and reports

    # -------------------------------------------------------- completions

    def keep_finishable(self, memory: Memory, stop: Stop) -> None:
        """Drop the answers that cannot be finished; note those the budget leaves open."""
        self.nodes = 0
        if isinstance(stop.answers, range) and len(stop.answers) > LONG_RANGE:
            stop.unknown = frozenset((0,))  # too many to try: the range stays whole
            return
        memo: Memo = {}
        kept: list[Any] = []
        unknown: set[int] = set()
        for answer in stop.answers:
            verdict = self._finishes(memory, stop, answer, memo)
            if verdict is None:
                unknown.add(len(kept))
            if verdict is not False:
                kept.append(answer)
        if len(kept) != len(stop.answers) or (unknown and isinstance(stop.answers, range)):
            stop.answers = kept
        stop.unknown = frozenset(unknown)
        if stop.can_decline:
            stop.can_decline = self._finishes(memory, stop, DECLINE, memo) is not False
        if stop.can_stop:
            stop.can_stop = self._finishes(memory, stop, STOP, memo) is not False

    def can_finish(self, memory: Memory, stop: Stop, answer: Any) -> bool:
        """Whether an answer that is not asked for can be finished, or the budget leaves it open."""
        self.nodes = 0
        return self._finishes(memory, stop, answer, {}, silent=True) is not False

    def refusal_of_picks(self, memory: Memory, stop: Stop, picks: Sequence[Any]) -> Refused | None:
        """The refusal that a chooseN of just these picks meets; None if there is no such pick."""
        memory[RUN] = Completion(stop.seat)
        point = self._points[stop.pc]
        try:
            for pick in picks:
                if pick not in point.view(memory, stop.seat).answers:
                    return None
                point.apply(memory, pick, stop.seat)
            self._dispatch.run(memory, point.apply(memory, STOP, stop.seat))
        except Refused as refused:
            return refused
        return None

    def refusal(self, memory: Memory, stop: Stop, answer: Any) -> Refused | None:
        """The refusal that an answer meets before anything else is asked, if any."""
        memory[RUN] = Completion(stop.seat)
        try:
            self._dispatch.run(memory, self._given(memory, stop, answer, silent=False))
        except Refused as refused:
            return refused
        return None

    def _finishes(
        self, memory: Memory, stop: Stop, answer: Any, memo: Memo, silent: bool = False
    ) -> bool | None:
        """Whether an answer can be finished; None where the budget leaves that open."""
        scratch = memory.copy()
        scratch[RUN] = Completion(stop.seat)
        if self.budget >= GLANCE_BUDGET and self._glance(scratch, stop, answer, silent):
            return True
        found, exhausted = self._explore(scratch, stop, [answer], memo, silent)
        if found is not None:
            return True
        return None if exhausted else False

    def _glance(self, memory: Memory, stop: Stop, answer: Any, silent: bool) -> bool:
        """Whether one of the first ways can be finished; most answers need no search for that."""
        if self._first_way_finishes(memory.copy(), stop, answer, silent):
            return True
        scratch = memory.copy()
        run: Run = scratch[RUN]
        if self._tried(scratch, stop, answer, silent) in (None, COMPLETE) or run.stop is None:
            return False
        found = run.stop
        return found.kind == "decision" and any(
            self._first_way_finishes(scratch.copy(), found, other, False)
            for other in islice(found.alternatives(), 1, GLANCES)
        )

    def _first_way_finishes(self, memory: Memory, stop: Stop, answer: Any, silent: bool) -> bool:
        """Whether an answer is finished by the first answer to every decision that follows."""
        run: Run = memory[RUN]
        for _ in range(GLANCE_DEPTH):
            result = self._tried(memory, stop, answer, silent)
            if result in (None, COMPLETE):
                return result == COMPLETE
            if run.stop is None or run.stop.kind != "decision":
                return False
            stop, silent = run.stop, False
            answer = next(stop.alternatives())
        return False

    def _tried(self, memory: Memory, stop: Stop, answer: Any, silent: bool) -> int | None:
        """As `_answer`, but faults are ignored: the search itself may never reach them."""
        try:
            return self._answer(memory, stop, answer, silent)
        except RulebookFault:
            return None

    # --------------------------------------------------------------- best

    def best(self, memory: Memory, pc: int, number: int) -> Any:
        """The largest value at the end of `best` block `number`, or None if no path ends it."""
        self.nodes = 0
        run = Best(number)
        scratch = memory.copy()
        scratch[RUN] = run
        start = self._run(scratch, pc)
        if start == BEST_END:
            return run.value
        stop = run.stop
        if start is None or start == COMPLETE or stop is None or stop.kind != "decision":
            return None  # refused, or the game is over on the way
        found, _ = self._explore(scratch, stop, _alternatives(stop), {})
        return None if found is _NO_VALUE else found

    # ------------------------------------------------------------ counting

    def count(self, memory: Memory, stop: Stop) -> int:
        """The number of ways to finish the part that waits at a stop.

        A way is followed only as long as something can still be asked or refused.
        """
        run = memory[RUN] = Count(stop.seat)
        root = _Frame(memory, stop, stop.alternatives(), found=0)
        stack = [root]
        while stack:
            frame = stack[-1]
            answer = next(frame.left, _EXHAUSTED)
            if answer is _EXHAUSTED:
                stack.pop()
                if stack:
                    stack[-1].found += frame.found
                continue
            if answer is _ELSEWHERE and frame.found:
                continue
            if answer is not _ELSEWHERE and self._is_last(frame.cells, frame.stop):
                frame.found += 1
                continue
            scratch = frame.cells.copy()
            result = self._answer(scratch, frame.stop, answer)
            if result == COMPLETE:
                frame.found += 1
            elif result is not None and run.stop is not None:
                following = run.stop
                stack.append(_Frame(scratch, following, _alternatives(following), found=0))
        ways: int = root.found
        return ways

    def asks_next(self, memory: Memory, stop: Stop, answer: Any) -> Stop | None:
        """The next decision of the same part after an answer, unfiltered; None if it asks no more.

        Cheaper than running on: what follows the part is not looked at.
        """
        run = memory[RUN] = Count(stop.seat)
        result = self._answer(memory, stop, answer)
        return stop if result is None else None if result == COMPLETE else run.stop

    @cached_property
    def _settled(self) -> tuple[frozenset[int], ...]:
        return (frozenset(), *effects_only(self._program))  # by the cell HEAD

    def _is_last(self, memory: Memory, stop: Stop) -> bool:
        """Whether every answer to a stop ends the part, and nothing can refuse it."""
        assert stop.choice is not None
        return stop.choice.kind != "many" and stop.pc + 1 in self._settled[memory[ir.HEAD]]

    # ---------------------------------------------------------- the walk

    def _explore(
        self, memory: Memory, stop: Stop, answers: Iterable[Any], memo: Memo, silent: bool = False
    ) -> tuple[Any, bool]:
        """(what was found or None, whether the budget ended the search).

        A search for a completion ends with the first one.
        """
        run: Run = memory[RUN]
        root = _Frame(memory, stop, iter(answers))
        stack = [root]
        while stack:
            frame = stack[-1]
            answer = next(frame.left, _EXHAUSTED)
            if answer is _EXHAUSTED:
                stack.pop()
                if frame.key:
                    memo[frame.key] = frame.found
                if stack:
                    _improve(stack[-1], frame.found)
                continue
            if answer is _ELSEWHERE and frame.found is not None:
                continue  # only where nothing else can be finished
            if self.nodes >= self.budget:
                for open_frame in reversed(stack):
                    _improve(root, open_frame.found)
                return root.found, True
            self.nodes += 1
            scratch = frame.cells.copy()
            result = self._answer(scratch, frame.stop, answer, silent and frame is root)
            if result is None:
                continue
            if result != STOPPED:
                if not isinstance(run, Best):
                    for open_frame in stack:
                        if open_frame.key:
                            memo[open_frame.key] = True
                    return True, False
                _improve(frame, run.value if result == BEST_END else _NO_VALUE)
                continue
            following = run.stop
            assert following is not None
            if following.kind != "decision":
                continue  # the game is over before the end of the block
            key = tuple(scratch[ir.PC : self._program.cells])
            if key not in memo:
                stack.append(_Frame(scratch, following, _alternatives(following), key))
            elif memo[key] is not None and not isinstance(run, Best):
                return True, False
            else:
                _improve(frame, memo[key])
        return root.found, False

    def _answer(self, memory: Memory, stop: Stop, answer: Any, silent: bool = False) -> int | None:
        """Run on after an answer; return how the run ended, None if something refused."""
        run: Run = memory[RUN]
        try:
            if run.trusts_proofs and answer is not _ELSEWHERE:
                known = self._points[stop.pc].known_to_finish(memory, answer)
                if known is not None:
                    return COMPLETE if known else None
            following = self._given(memory, stop, answer, silent)
        except Refused:
            return None
        return self._run(memory, following)

    def _given(self, memory: Memory, stop: Stop, answer: Any, silent: bool) -> int:
        """Store an answer; return the instruction to go on with."""
        point = self._points[stop.pc]
        if answer is _ELSEWHERE:
            assert point.choice.empty is not None
            return point.choice.empty
        following = point.apply(memory, answer, stop.seat, silent)
        return point.meet(memory) if following == point.pc else following

    def _run(self, memory: Memory, pc: int) -> int | None:
        try:
            if isinstance(memory[RUN], Count):
                return self._dispatch.run_until(memory, pc, self._settled[memory[ir.HEAD]])
            return self._dispatch.run(memory, pc)
        except Refused:
            return None


def _alternatives(stop: Stop) -> Iterator[Any]:
    """Everything that a search may try at a stop."""
    assert stop.choice is not None
    elsewhere = () if stop.choice.empty is None else (_ELSEWHERE,)
    return chain(stop.alternatives(), elsewhere)


def _improve(frame: _Frame, value: Any) -> None:
    if value is None or (value is _NO_VALUE and frame.found is not None):
        return
    if frame.found is None or frame.found is _NO_VALUE or value > frame.found:
        frame.found = value


def lowest(width: int) -> Any:
    """A value below all others: `best` holds it inside a search, where it refuses nothing."""
    return NO_INT if width == 1 else (NO_INT,) * width
