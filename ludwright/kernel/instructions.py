"""Instructions of the Program as closures: each does its work and gives the next one's index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludwright.kernel import program as ir
from ludwright.kernel.choosing import ChoicePoint, Stop
from ludwright.kernel.context import (
    BEST_END,
    COMPLETE,
    RUN,
    STOPPED,
    TICKS,
    Cells,
    Refused,
    Run,
    SearchRun,
    Step,
    fault,
    fault_words,
    too_much,
    uncounted,
)
from ludwright.kernel.expressions import Expressions
from ludwright.kernel.generator import draw
from ludwright.kernel.hashing import position_key
from ludwright.kernel.paths import sure
from ludwright.kernel.pieces import PieceClasses, Pieces
from ludwright.kernel.search import Search, lowest
from ludwright.kernel.storage import encoder
from ludwright.kernel.storing import store
from ludwright.kernel.types import INT_MAX


class ChancePoint:
    """One `Chance` instruction: its outcomes, and how one is stored."""

    def __init__(
        self, expressions: Expressions, classes: PieceClasses, instr: ir.Chance, pc: int
    ) -> None:
        self.instr = instr
        self.pc = pc
        self._program = expressions.program
        self._classes = classes
        self._outcomes = expressions.streams.source(instr.outcomes)
        self._write = encoder(instr.type)
        self._in_cells = instr.addr < self._program.cells
        self._pieces = instr.type.kind == "piece" and classes.any_alike

    def outcomes(self, S: Cells) -> list[Any]:
        return list(self._outcomes(S))

    def weighted(self, S: Cells) -> tuple[list[Any], tuple[int, ...]]:
        """The outcomes that differ, each with the number of equal ones behind it."""
        weights: dict[Any, int] = {}
        shown: dict[Any, Any] = {}
        for outcome in self.outcomes(S):
            key = self._classes.key(S, outcome) if self._pieces else outcome
            weights[key] = weights.get(key, 0) + 1
            if key not in shown or outcome < shown[key]:
                shown[key] = outcome
        return list(shown.values()), tuple(weights.values())

    def settle(self, S: Cells, outcome: Any, counted: bool = True) -> int:
        """Store an outcome; one of several is an event."""
        if self._in_cells:
            self._write(S, self.instr.addr, outcome)
        else:
            S[self.instr.addr] = outcome
        if counted:
            S[ir.LOG] += 1
            run: Run = S[RUN]
            run.end("chance")
            if run.events is not None:
                run.events.append(("rolled", self, outcome))
        return self.pc + 1


def _sure(step: Step) -> Step:
    """An instruction from which nothing can refuse: a search for any completion ends there."""

    def go_on(S: Cells) -> int:
        run: Run = S[RUN]
        if type(run) is SearchRun and run.best < 0 and not run.counting:
            return COMPLETE
        return step(S)

    return go_on


def _barrier(step: Step) -> Step:
    """The chooser is about to learn something: no search looks further, no undo comes back."""

    def barrier(S: Cells) -> int:
        run: Run = S[RUN]
        if type(run) is SearchRun:
            return COMPLETE
        run.end("reveal")
        return step(S)

    return barrier


class Instructions:
    """Compiles the code of one Program; `explicit` makes chance a decision."""

    def __init__(
        self, program: ir.Program, expressions: Expressions, search: Search, explicit: bool
    ) -> None:
        self.program = program
        self.expressions = expressions
        self.search = search
        self.explicit = explicit
        self.pieces = Pieces(program)
        self.classes = PieceClasses(program)
        self.choices: dict[int, ChoicePoint] = {}
        self.chances: dict[int, ChancePoint] = {}
        self._table: dict[type[ir.Instr], Callable[[Any, int], Step]] = {
            ir.Store: self._store,
            ir.Zero: self._zero,
            ir.Jump: self._jump,
            ir.Branch: self._branch,
            ir.Switch: self._switch,
            ir.CallProc: self._call,
            ir.Return: self._return,
            ir.Tick: self._tick,
            ir.Choose: self._choose,
            ir.Chance: self._chance,
            ir.MovePiece: self._move,
            ir.SwapInPlace: self._swap,
            ir.MixDeck: self._mix,
            ir.RevealPiece: self._reveal,
            ir.Require: self._require,
            ir.HeadEnter: self._head_enter,
            ir.HeadExit: self._head_exit,
            ir.BestBegin: self._best_begin,
            ir.BestEnd: self._best_end,
            ir.RecordPosition: self._record,
            ir.ClearHistory: self._clear_history,
            ir.Emit: self._emit,
            ir.Finish: self._finish,
            ir.FaultHere: self._fault_here,
        }

    def compile(self) -> list[Step]:
        steps = [self._table[type(instr)](instr, pc) for pc, instr in enumerate(self.program.code)]
        for pc, instr in enumerate(self.program.code):
            if getattr(instr, "barrier", False):
                steps[pc] = _barrier(steps[pc])
        for pc in sure(self.program):
            steps[pc] = _sure(steps[pc])
        return steps

    # ------------------------------------------------------------ control

    def _store(self, instr: ir.Store, pc: int) -> Step:
        return store(self.expressions, instr, pc + 1)

    def _zero(self, instr: ir.Zero, pc: int) -> Step:
        following = pc + 1
        blanks = [(addr, addr + count, [0] * count) for addr, count in instr.ranges]
        if all(len(blank) == 1 for _, _, blank in blanks):
            singles = [addr for addr, _, _ in blanks]

            def clear(S: Cells) -> int:
                for addr in singles:
                    S[addr] = 0
                return following

            return clear

        def zero(S: Cells) -> int:
            for start, end, blank in blanks:
                S[start:end] = blank
            return following

        return zero

    def _jump(self, instr: ir.Jump, pc: int) -> Step:
        target = instr.target
        return lambda S: target

    def _branch(self, instr: ir.Branch, pc: int) -> Step:
        when, target, following = self.expressions.expr(instr.when), instr.target, pc + 1
        return lambda S: following if when(S) else target

    def _switch(self, instr: ir.Switch, pc: int) -> Step:
        value, targets, default = self.expressions.expr(instr.value), instr.targets, instr.default
        size = len(targets)

        def switch(S: Cells) -> int:
            at = value(S)
            return targets[at] if 0 <= at < size else default

        return switch

    def _call(self, instr: ir.CallProc, pc: int) -> Step:
        entry, ret, following = instr.entry, instr.ret, pc + 1

        def call(S: Cells) -> int:
            S[ret] = following
            return entry

        if not instr.ticks:
            return call
        ticks, site, program = instr.ticks, instr.site, self.program

        def counted(S: Cells) -> int:
            S[TICKS] -= ticks
            if S[TICKS] < 0:
                raise too_much(program, site)
            S[ret] = following
            return entry

        return counted

    def _return(self, instr: ir.Return, pc: int) -> Step:
        ret = instr.ret

        def return_(S: Cells) -> int:
            target: int = S[ret]
            S[ret] = 0
            return target

        return return_

    def _tick(self, instr: ir.Tick, pc: int) -> Step:
        following, site, program, ticks = pc + 1, instr.site, self.program, instr.ticks

        def tick(S: Cells) -> int:
            S[TICKS] -= ticks
            if S[TICKS] < 0:
                raise too_much(program, site)
            return following

        return tick

    def _require(self, instr: ir.Require, pc: int) -> Step:
        when, site, following = self.expressions.expr(instr.when), instr.site, pc + 1
        program = self.program
        if instr.fault:

            def demand(S: Cells) -> int:
                if when(S):
                    return following
                raise fault(program, "required", site, "a condition that must hold does not")

            return demand

        def require(S: Cells) -> int:
            if when(S):
                return following
            raise Refused(site)

        return require

    def _fault_here(self, instr: ir.FaultHere, pc: int) -> Step:
        program, code, site = self.program, instr.code, instr.site

        def fault_here(S: Cells) -> int:
            raise fault(program, code, site, fault_words(code))

        return fault_here

    # ---------------------------------------------------- moves and stops

    def _head_enter(self, instr: ir.HeadEnter, pc: int) -> Step:
        number, following = instr.head + 1, pc + 1

        def head_enter(S: Cells) -> int:
            if not S[ir.HEAD]:
                S[ir.HEAD] = number
                S[ir.ANSWERED] = 0
                S[ir.ACTION] = 0
            return following

        return head_enter

    def _head_exit(self, instr: ir.HeadExit, pc: int) -> Step:
        number, following = instr.head + 1, pc + 1

        def head_exit(S: Cells) -> int:
            if S[ir.HEAD] == number:
                run: Run = S[RUN]
                if type(run) is SearchRun and run.best < 0:
                    return COMPLETE
                run.end("end")
                S[ir.HEAD] = S[ir.ANSWERED] = S[ir.ACTION] = S[ir.FREE] = 0
            return following

        return head_exit

    def _finish(self, instr: ir.Finish, pc: int) -> Step:
        number = instr.end + 1

        def finish(S: Cells) -> int:
            run: Run = S[RUN]
            if type(run) is SearchRun and run.best < 0:
                return COMPLETE
            S[ir.OVER] = number
            S[ir.PC] = pc
            S[ir.LOG] += 1
            run.end("over")
            run.stop = Stop("over", pc)
            if run.events is not None:
                run.events.append(("over", number - 1))
            return STOPPED

        return finish

    def _choose(self, instr: ir.Choose, pc: int) -> Step:
        choice = self.program.choices[instr.choice]
        point = ChoicePoint(self.expressions, self.classes, self.search, choice, pc)
        self.choices[pc] = point
        return point.arrive

    def _chance(self, instr: ir.Chance, pc: int) -> Step:
        point = ChancePoint(self.expressions, self.classes, instr, pc)
        self.chances[pc] = point
        program, site, explicit = self.program, instr.site, self.explicit

        def chance(S: Cells) -> int:
            outcomes = point.outcomes(S)
            if len(outcomes) < 2:
                if outcomes:
                    return point.settle(S, outcomes[0], counted=False)
                raise fault(program, "empty", site, f"nothing to draw for `{instr.name}`")
            run: Run = S[RUN]
            if type(run) is SearchRun:
                return COMPLETE
            if not explicit:
                return point.settle(S, outcomes[draw(S, len(outcomes))])
            S[ir.PC] = pc
            answers, weights = point.weighted(S)
            run.stop = Stop("chance", pc, None, -1, answers, weights=weights)
            run.end("chance")
            return STOPPED

        return chance

    def _best_begin(self, instr: ir.BestBegin, pc: int) -> Step:
        following, number, addr = pc + 1, instr.best, instr.addr
        write, search = encoder(instr.type), self.search
        unbound = lowest(instr.type.width)
        in_cells = addr < self.program.cells

        def best_begin(S: Cells) -> int:
            value = unbound
            run: Run = S[RUN]
            if run.counting or type(run) is not SearchRun:
                found = search.best(S, following, number)
                value = unbound if found is None else found
            if in_cells:
                write(S, addr, value)
            else:
                S[addr] = value
            return following

        return best_begin

    def _best_end(self, instr: ir.BestEnd, pc: int) -> Step:
        following, number = pc + 1, instr.best
        value, site = self.expressions.expr(instr.value), instr.site
        wanted = self.expressions.expr(ir.LoadWide(instr.addr, instr.type))
        addr, blank = instr.addr, [0] * instr.type.width
        in_cells = addr < self.program.cells

        def best_end(S: Cells) -> int:
            reached = value(S)
            run: Run = S[RUN]
            if run.best == number:
                run.value = reached
                return BEST_END
            if reached < wanted(S):
                raise Refused(site, "not-best", "a better way must be taken")
            if in_cells:
                S[addr : addr + len(blank)] = blank
            return following

        return best_end

    # ------------------------------------------------------------- pieces

    def _move(self, instr: ir.MovePiece, pc: int) -> Step:
        piece_of, place_of = self.expressions.expr(instr.piece), self.expressions.expr(instr.place)
        at_of = self.expressions.expr(instr.at) if instr.at is not None else None
        where, site, following = instr.where, instr.site, pc + 1
        pieces, revealed, home = self.pieces, self.program.revealed, self.program.piece_place
        program, uncovered = self.program, self._uncovered
        shows_top, head = pieces.shows_top, pieces.head

        def move(S: Cells) -> int:
            piece = piece_of(S)
            place = place_of(S)
            if piece < 0:
                raise fault(program, "none", site, "there is no piece to move")
            position = at_of(S) if at_of is not None else 0
            run: Run = S[RUN]
            origin = S[home + piece]
            before = pieces.viewers(S, piece) if run.events is not None else 0
            beneath = pieces.beneath(S, origin) if shows_top else -1
            pieces.take(S, piece)
            pieces.put(S, piece, place, where, position)
            if revealed >= 0:
                S[revealed + piece] = 0
            S[ir.LOG] += 1
            if run.events is not None:
                after = pieces.viewers(S, piece)
                if run.seat >= 0 and after & ~before & 1 << run.seat:
                    run.learned = True
                run.events.append(("moved", piece, origin, place, before | after))
            if beneath >= 0 and S[head + origin] == beneath:
                return uncovered(S, beneath, following)
            return following

        return move

    def _uncovered(self, S: Cells, beneath: int, following: int) -> int:
        """Another piece has come to light: the same as a `reveal`, for those who did not see it."""
        seen = S[self.program.revealed + beneath] if self.program.revealed >= 0 else 0
        if seen == self.pieces.everyone:
            return following
        run: Run = S[RUN]
        if type(run) is SearchRun:
            return COMPLETE
        run.end("reveal")
        if run.events is not None and run.seat >= 0 and not seen >> run.seat & 1:
            run.learned = True
        return following

    def _swap(self, instr: ir.SwapInPlace, pc: int) -> Step:
        place, following, pieces = self.expressions.expr(instr.place), pc + 1, self.pieces
        first, second = self.expressions.expr(instr.first), self.expressions.expr(instr.second)

        def swap(S: Cells) -> int:
            pieces.swap(S, place(S), first(S), second(S))
            return following

        return swap

    def _mix(self, instr: ir.MixDeck, pc: int) -> Step:
        place, following, pieces = self.expressions.expr(instr.place), pc + 1, self.pieces

        def mix(S: Cells) -> int:
            at = place(S)
            pieces.mix(S, at)
            S[ir.LOG] += 1
            run: Run = S[RUN]
            if run.events is not None:
                run.events.append(("shuffled", at))
            return following

        return mix

    def _reveal(self, instr: ir.RevealPiece, pc: int) -> Step:
        piece_of, seats_of = self.expressions.expr(instr.piece), self.expressions.expr(instr.seats)
        hide, revealed, following = instr.hide, self.program.revealed, pc + 1
        program, site = self.program, instr.site

        def reveal(S: Cells) -> int:
            piece = piece_of(S)
            seats = seats_of(S)
            if piece < 0:
                raise fault(program, "none", site, "there is no piece to reveal")
            if revealed < 0:
                return following
            before = S[revealed + piece]
            after = before & ~seats if hide else before | seats
            if after == before:
                return following
            run: Run = S[RUN]
            if type(run) is SearchRun:
                return COMPLETE
            S[revealed + piece] = after
            S[ir.LOG] += 1
            run.end("reveal")
            if run.events is not None:
                kind = "concealed" if hide else "revealed"
                run.events.append((kind, piece, before ^ after, before | after))
            return following

        return reveal

    # ------------------------------------------------- history and events

    def _record(self, instr: ir.RecordPosition, pc: int) -> Step:
        history = self.program.histories[instr.history]
        values = [self.expressions.expr(value) for value in history.values]
        addr, keep, last, site = history.addr, history.keep, history.last, instr.site
        following, program = pc + 1, self.program

        def record(S: Cells) -> int:
            count = S[addr]
            if count >= keep and not last:
                raise Refused(site, "history-full", f"`{history.name}` holds {keep} positions")
            if count >= INT_MAX:
                raise fault(program, "history-full", site, uncounted(history.name))
            at = addr + 1 + 2 * (count % keep)
            S[at], S[at + 1] = position_key([value(S) for value in values])
            S[addr] = count + 1
            return following

        return record

    def _clear_history(self, instr: ir.ClearHistory, pc: int) -> Step:
        history = self.program.histories[instr.history]
        addr, end, following = history.addr, history.addr + 1 + 2 * history.keep, pc + 1

        def clear(S: Cells) -> int:
            S[addr:end] = [0] * (end - addr)
            return following

        return clear

    def _emit(self, instr: ir.Emit, pc: int) -> Step:
        fields = [(name, self.expressions.expr(expr), type_) for name, expr, type_ in instr.fields]
        following, event = pc + 1, instr.event

        def emit(S: Cells) -> int:
            S[ir.LOG] += 1
            run: Run = S[RUN]
            if run.events is not None:
                told = [(name, value(S), type_) for name, value, type_ in fields]
                run.events.append(("emitted", event, told))
            return following

        return emit
