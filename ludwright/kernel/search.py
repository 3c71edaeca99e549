"""The search behind "what is offered can be finished".

Depth first over the raw answers of one part, on scratch copies, with a memo of the states already
seen and a budget of nodes (one node is one answer and the run to the next stop). A search never
starts another one. The same walk finds the best value of a `best` block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ludwright.cached import cached_property
from ludwright.errors import RulebookFault
from ludwright.kernel import program as ir
from ludwright.kernel.choosing import ChoicePoint, Stop
from ludwright.kernel.context import BEST_END, COMPLETE, RUN, Cells, Refused, SearchRun
from ludwright.kernel.paths import settled
from ludwright.kernel.types import NO_INT

LONG_RANGE = 1_000  # a longer range is offered untested
# Before a search, a look at the first ways to finish: behind so many alternatives of the decision
# that an answer leads to, so many answers deep. It costs no nodes; a smaller budget has none.
GLANCES, DEPTH, GLANCE_BUDGET = 8, 32, 64

_ELSEWHERE = object()  # the alternative of going to the `empty` target
_NO_VALUE = object()  # found by a path that ends its part before the end of a `best` block

Resume = Callable[[Cells, int], int]
Glance = Callable[[Cells, int, frozenset[int]], int]


@dataclass(slots=True)
class _Frame:
    """A decision on the way, with the answers still to try."""

    cells: Cells
    stop: Stop
    left: Iterator[Any]
    key: tuple[Any, ...]
    best: Any = None


class Search:
    """Searches on behalf of one machine; `resume` runs scratch cells on from an instruction,
    `glance` only until one of a set of instructions comes."""

    def __init__(self, program: ir.Program, budget: int) -> None:
        self._program = program
        self._cells = program.cells
        self.budget = budget
        self.nodes = 0  # in the latest search, for tests and reports
        self.resume: Resume = _no_machine
        self.glance: Glance = _no_machine

    # -------------------------------------------------------- completions

    def keep_finishable(self, S: Cells, stop: Stop) -> None:
        """Drop the answers that lead nowhere; note those the budget leaves open."""
        self.nodes = 0
        if isinstance(stop.answers, range) and len(stop.answers) > LONG_RANGE:
            stop.unknown = frozenset((0,))  # too many to try: the range stays whole
            return
        memo: dict[tuple[Any, ...], Any] = {}
        kept: list[Any] = []
        unknown: set[int] = set()
        verdicts = [self._finishes(S, stop, answer, memo) for answer in stop.answers]
        for answer, verdict in zip(stop.answers, verdicts, strict=True):
            if verdict is None:
                unknown.add(len(kept))
            if verdict is not False:
                kept.append(answer)
        if len(kept) != len(stop.answers) or (unknown and isinstance(stop.answers, range)):
            stop.answers = kept
        stop.unknown = frozenset(unknown)
        if stop.can_decline:
            stop.can_decline = self._finishes(S, stop, None, memo) is not False
        if stop.can_stop:
            stop.can_stop = self._finishes(S, stop, "__stop", memo) is not False

    def can_finish(self, S: Cells, stop: Stop, answer: Any) -> bool:
        """Whether one answer can be finished, or the budget leaves it open."""
        self.nodes = 0
        return self._finishes(S, stop, answer, {}, silent=True) is not False

    def _finishes(
        self,
        S: Cells,
        stop: Stop,
        answer: Any,
        memo: dict[tuple[Any, ...], Any],
        silent: bool = False,
    ) -> bool | None:
        run = SearchRun(stop.seat)
        scratch = S.copy()
        scratch[RUN] = run
        if self.budget >= GLANCE_BUDGET and self._ends_well(scratch, stop, answer, silent):
            return True
        found, exhausted = self._explore(
            scratch, stop, [answer], memo, first_is_enough=True, silent=silent
        )
        if found is not None:
            return True
        return None if exhausted else False

    def _ends_well(self, S: Cells, stop: Stop, answer: Any, silent: bool) -> bool:
        """Whether one of the first ways to finish does; most answers need no search for that."""
        if self._way_ends_well(S.copy(), stop, answer, silent):
            return True
        scratch = S.copy()
        run: SearchRun = scratch[RUN]
        if self._tried(scratch, stop, answer, silent) in (None, COMPLETE) or run.stop is None:
            return False
        found = run.stop
        return found.kind == "decision" and any(
            self._way_ends_well(scratch.copy(), found, other, False)
            for other in found.alternatives()[1:GLANCES]
        )

    def _way_ends_well(self, S: Cells, stop: Stop, answer: Any, silent: bool) -> bool:
        """Whether an answer is finished by the first answer to every decision that follows."""
        run: SearchRun = S[RUN]
        for _ in range(DEPTH):
            result = self._tried(S, stop, answer, silent)
            if result in (None, COMPLETE):
                return result == COMPLETE
            if run.stop is None or run.stop.kind != "decision":
                return False
            stop, silent = run.stop, False
            answer = stop.alternatives()[0]
        return False

    def _tried(self, S: Cells, stop: Stop, answer: Any, silent: bool) -> int | None:
        """A fault on the way is none of ours: a search may never come there."""
        try:
            return self._answer(S, stop, answer, silent)
        except RulebookFault:
            return None

    # --------------------------------------------------------------- best

    def best(self, S: Cells, pc: int, number: int) -> Any:
        """The largest value at the end of `best` block `number`, or None if no path ends it."""
        self.nodes = 0
        run = SearchRun()
        run.best = number
        scratch = S.copy()
        scratch[RUN] = run
        start = self._run(scratch, pc)
        if start == BEST_END:
            return run.value
        stop = run.stop
        if start is None or start == COMPLETE or stop is None or stop.kind != "decision":
            return None  # refused, or the game is over on the way
        found, _ = self._explore(scratch, stop, self._alternatives(stop), {}, first_is_enough=False)
        return None if found is _NO_VALUE else found

    # ------------------------------------------------------------ counting

    def count(self, S: Cells, stop: Stop) -> int:
        """How many ways there are to finish the part that waits at a stop.

        A way is followed as long as something can be asked or refused, not to its effects.
        """
        run = SearchRun(stop.seat)
        run.counting = True
        S[RUN] = run
        root = _Frame(S, stop, iter(stop.alternatives()), (), 0)
        stack = [root]
        while stack:
            frame = stack[-1]
            answer = next(frame.left, stack)
            if answer is stack:
                stack.pop()
                if stack:
                    stack[-1].best += frame.best
                continue
            if answer is _ELSEWHERE and frame.best:
                continue
            if answer is not _ELSEWHERE and self._is_last(frame.cells, frame.stop):
                frame.best += 1
                continue
            scratch = frame.cells.copy()
            result = self._answer(scratch, frame.stop, answer, False)
            if result == COMPLETE:
                frame.best += 1
            elif result is not None and run.stop is not None:
                found = run.stop
                stack.append(_Frame(scratch, found, iter(self._alternatives(found)), (), 0))
        ways: int = root.best
        return ways

    def asks_next(self, S: Cells, stop: Stop, answer: Any) -> Stop | None:
        """The next decision of the same part after an answer, unfiltered; None if it asks no more.

        Cheaper than running on: what follows the part is not looked at.
        """
        run = SearchRun(stop.seat)
        run.counting = True
        S[RUN] = run
        result = self._answer(S, stop, answer, False)
        return stop if result is None else None if result == COMPLETE else run.stop

    @cached_property
    def _settled(self) -> tuple[frozenset[int], ...]:
        return (frozenset(), *settled(self._program))  # by the cell HEAD

    def _is_last(self, S: Cells, stop: Stop) -> bool:
        """Whether every answer to a stop ends the part, and nothing can refuse it."""
        assert stop.point is not None
        return stop.point.choice.kind != "many" and stop.pc + 1 in self._settled[S[ir.HEAD]]

    # ---------------------------------------------------------- the walk

    def _alternatives(self, stop: Stop) -> list[Any]:
        answers = stop.alternatives()
        assert stop.point is not None
        if stop.point.choice.empty is not None:
            answers.append(_ELSEWHERE)
        return answers

    def _explore(
        self,
        S: Cells,
        stop: Stop,
        answers: list[Any],
        memo: dict[tuple[Any, ...], Any],
        first_is_enough: bool,
        silent: bool = False,
    ) -> tuple[Any, bool]:
        """(best value found or None, whether the budget ended the search)."""
        root = _Frame(S, stop, iter(answers), ())
        stack = [root]
        while stack:
            frame = stack[-1]
            answer = next(frame.left, stack)
            if answer is stack:  # every answer tried
                stack.pop()
                if frame.key:
                    memo[frame.key] = frame.best
                if stack:
                    _improve(stack[-1], frame.best)
                continue
            if answer is _ELSEWHERE and frame.best is not None:
                continue  # only where nothing else can be finished
            if self.nodes >= self.budget:
                for open_frame in reversed(stack):
                    _improve(root, open_frame.best)
                return root.best, True
            self.nodes += 1
            scratch = frame.cells.copy()
            result = self._answer(scratch, frame.stop, answer, silent and frame is root)
            if result is None:
                continue
            run: SearchRun = scratch[RUN]
            if result in (COMPLETE, BEST_END):
                _improve(frame, run.value if result == BEST_END else _NO_VALUE)
                if first_is_enough:
                    for open_frame in stack:
                        if open_frame.key:
                            memo[open_frame.key] = True
                    return True, False
                continue
            found = run.stop
            if found is None or found.kind != "decision":
                # The game is over on this path: nothing is left that could refuse.
                if first_is_enough:
                    return True, False
                continue
            key = tuple(scratch[ir.PC : self._cells])
            if key in memo:
                if memo[key] is not None and first_is_enough:
                    return True, False
                _improve(frame, memo[key])
                continue
            stack.append(_Frame(scratch, found, iter(self._alternatives(found)), key))
        return root.best, False

    def _answer(self, S: Cells, stop: Stop, answer: Any, silent: bool) -> int | None:
        point = stop.point
        assert isinstance(point, ChoicePoint)
        try:
            if answer is _ELSEWHERE:
                following = point.choice.empty
                assert following is not None
            else:
                run: SearchRun = S[RUN]
                if run.best < 0 and not run.counting:
                    known = point.finishes(S, answer)
                    if known is not None:
                        return COMPLETE if known else None
                following = point.apply(S, answer, stop.seat, silent)
                if following == point.pc:
                    following = point.offer(S)
        except Refused:
            return None
        return self._run(S, following)

    def _run(self, S: Cells, pc: int) -> int | None:
        run: SearchRun = S[RUN]
        try:
            if run.counting:
                return self.glance(S, pc, self._settled[S[ir.HEAD]])
            return self.resume(S, pc)
        except Refused:
            return None


def _improve(frame: _Frame, value: Any) -> None:
    if value is None or (value is _NO_VALUE and frame.best is not None):
        return
    if frame.best is None or frame.best is _NO_VALUE or value > frame.best:
        frame.best = value


def _no_machine(S: Cells, pc: int, until: frozenset[int] = frozenset()) -> int:
    raise RuntimeError("the search is not attached to a machine")


def lowest(width: int) -> Any:
    """A value below every other: what `best` holds inside a search, where it does not bind."""
    return NO_INT if width == 1 else (NO_INT,) * width
