"""Instructions of the Program as closures: each does its work and returns the index of the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.chance_point import ChancePoint
from ludwright.kernel.interpreter.choice_point import ChoicePoint
from ludwright.kernel.interpreter.expressions import Expressions
from ludwright.kernel.interpreter.legality import Search, lowest
from ludwright.kernel.interpreter.offers import Offer
from ludwright.kernel.interpreter.piece_moves import PieceMoves
from ludwright.kernel.interpreter.pieces import PieceClasses, Pieces
from ludwright.kernel.interpreter.ranges import out_of_range
from ludwright.kernel.interpreter.run import (
    BEST_END,
    COMPLETE,
    RUN,
    STOPPED,
    TICKS,
    Memory,
    Refused,
    Run,
    Step,
    fault,
    spend,
)
from ludwright.kernel.interpreter.sentences import Sentence
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.interpreter.store import store
from ludwright.program import faults
from ludwright.program.cells import encoder
from ludwright.program.events import EventKind
from ludwright.program.flow import commit_points
from ludwright.program.position_key import position_key
from ludwright.program.ranges import misfit
from ludwright.program.types import INT_MAX


def _sure(step: Step) -> Step:
    """An instruction from which nothing can refuse: a search for any completion ends there."""

    def go_on(memory: Memory) -> int:
        run: Run = memory[RUN]
        if run.trusts_proofs:
            return COMPLETE
        return step(memory)

    return go_on


def _barrier(step: Step) -> Step:
    """The chooser is about to learn something: searches end here, and undo stops here."""

    def barrier(memory: Memory) -> int:
        run: Run = memory[RUN]
        if run.searching:
            return COMPLETE
        run.end("reveal")
        return step(memory)

    return barrier


_LOOKED_UP = (ir.Choose, ir.Chance)


class Instructions:
    """Compiles the code of one Program; `explicit` makes chance a decision."""

    def __init__(
        self,
        program: ir.Program,
        expressions: Expressions,
        search: Search,
        choices: dict[int, ChoicePoint],
        explicit: bool,
    ) -> None:
        self.program = program
        self.expressions = expressions
        self.search = search
        self.explicit = explicit
        self.classes = PieceClasses(program)
        self.choices = choices
        self.offers: dict[int, Offer] = {}
        self.chances: dict[int, ChancePoint] = {}
        self.pieces = Pieces(program)
        moves = PieceMoves(program, expressions, self.pieces)
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
            ir.MovePiece: moves.move,
            ir.MoveAll: moves.move_all,
            ir.SwapInPlace: moves.swap,
            ir.MixDeck: moves.mix,
            ir.RevealPiece: moves.reveal,
            ir.Require: self._require,
            ir.HeadEnter: self._head_enter,
            ir.HeadExit: self._head_exit,
            ir.BestBegin: self._best_begin,
            ir.BestEnd: self._best_end,
            ir.RecordPosition: self._record,
            ir.ClearHistory: self._clear_history,
            ir.Emit: self._emit,
            ir.Say: self._say,
            ir.Finish: self._finish,
            ir.FaultHere: self._fault_here,
        }

    def compile(self) -> list[Step]:
        """The steps of all instructions, each made when it is first run: a game that is played in
        machine code needs few of them, and those of a large game take a second. What others look up
        (choices and chance) is there from the start."""
        steps: list[Step] = []
        for pc, instr in enumerate(self.program.code):
            made = self._made(pc) if isinstance(instr, _LOOKED_UP) else None
            steps.append(self._at_first(steps, pc, made))
        return steps

    def _at_first(self, steps: list[Step], pc: int, made: Step | None) -> Step:
        def first(memory: Memory) -> int:
            step = steps[pc] = self._wrapped(pc, made or self._made(pc))
            return step(memory)

        return first

    def _made(self, pc: int) -> Step:
        instr = self.program.code[pc]
        return self._table[type(instr)](instr, pc)

    def _wrapped(self, pc: int, step: Step) -> Step:
        if getattr(self.program.code[pc], "barrier", False):
            step = _barrier(step)
        return _sure(step) if pc in self._sure_points else step

    @cached_property
    def _sure_points(self) -> frozenset[int]:
        return commit_points(self.program)

    # ------------------------------------------------------------ control

    def _store(self, instr: ir.Store, pc: int) -> Step:
        return store(self.expressions, instr, pc + 1)

    def _zero(self, instr: ir.Zero, pc: int) -> Step:
        ranges, following = instr.ranges, pc + 1

        def zero(memory: Memory) -> int:
            for addr, count in ranges:
                memory[addr : addr + count] = [0] * count
            return following

        return zero

    def _jump(self, instr: ir.Jump, pc: int) -> Step:
        target = instr.target
        return lambda memory: target

    def _branch(self, instr: ir.Branch, pc: int) -> Step:
        when, target, following = self.expressions.expr(instr.when), instr.target, pc + 1
        return lambda memory: following if when(memory) else target

    def _switch(self, instr: ir.Switch, pc: int) -> Step:
        value, targets, default = self.expressions.expr(instr.value), instr.targets, instr.default
        size = len(targets)

        def switch(memory: Memory) -> int:
            at = value(memory)
            return targets[at] if 0 <= at < size else default

        return switch

    def _call(self, instr: ir.CallProc, pc: int) -> Step:
        entry, ret, following = instr.entry, instr.ret, pc + 1
        ticks, site, program = instr.ticks, instr.site, self.program

        def call(memory: Memory) -> int:
            spend(program, memory, ticks, site)
            memory[ret] = following
            return entry

        return call

    def _return(self, instr: ir.Return, pc: int) -> Step:
        ret = instr.ret

        def return_(memory: Memory) -> int:
            target: int = memory[ret]
            memory[ret] = 0
            return target

        return return_

    def _tick(self, instr: ir.Tick, pc: int) -> Step:
        following, site, program, ticks = pc + 1, instr.site, self.program, instr.ticks

        def tick(memory: Memory) -> int:
            spend(program, memory, ticks, site)
            return following

        return tick

    def _require(self, instr: ir.Require, pc: int) -> Step:
        when, site, following = self.expressions.expr(instr.when), instr.site, pc + 1
        program = self.program

        def require(memory: Memory) -> int:
            if when(memory):
                return following
            if instr.fault:
                raise fault(program, faults.REQUIRED, site)
            raise Refused(faults.REFUSED, site)

        return require

    def _fault_here(self, instr: ir.FaultHere, pc: int) -> Step:
        program, code, site = self.program, instr.code, instr.site

        def fault_here(memory: Memory) -> int:
            raise fault(program, faults.LEFT_OPEN[code], site)

        return fault_here

    # ---------------------------------------------------- moves and stops

    def _head_enter(self, instr: ir.HeadEnter, pc: int) -> Step:
        number, following = instr.head + 1, pc + 1

        def head_enter(memory: Memory) -> int:
            if not memory[ir.HEAD]:
                memory[ir.HEAD] = number
                memory[ir.ANSWERED] = 0
                memory[ir.ACTION] = 0
            return following

        return head_enter

    def _head_exit(self, instr: ir.HeadExit, pc: int) -> Step:
        number, following = instr.head + 1, pc + 1

        def head_exit(memory: Memory) -> int:
            if memory[ir.HEAD] == number:
                run: Run = memory[RUN]
                if not run.leaves_part:
                    return COMPLETE
                run.end("end")
                memory[ir.HEAD] = memory[ir.ANSWERED] = memory[ir.ACTION] = 0
            return following

        return head_exit

    def _finish(self, instr: ir.Finish, pc: int) -> Step:
        number = instr.end + 1

        def finish(memory: Memory) -> int:
            run: Run = memory[RUN]
            if not run.leaves_part:
                return COMPLETE
            memory[ir.OVER] = number
            memory[ir.PC] = pc
            memory[ir.LOG] += 1
            run.end("over")
            run.stop = Stop("over", pc)
            if run.events is not None:
                run.events.append((EventKind.OVER, number - 1))
            return STOPPED

        return finish

    def _choose(self, instr: ir.Choose, pc: int) -> Step:
        choice = self.program.choices[instr.choice]
        point = self.choices[pc] = ChoicePoint(self.expressions, self.classes, choice, pc)
        offer = self.offers[pc] = Offer(point, self.search)
        return offer.arrive

    def _chance(self, instr: ir.Chance, pc: int) -> Step:
        point = ChancePoint(self.expressions, self.classes, instr, pc, self.explicit)
        self.chances[pc] = point
        return point.arrive

    def _best_begin(self, instr: ir.BestBegin, pc: int) -> Step:
        following, number, addr = pc + 1, instr.best, instr.addr
        write, search = encoder(instr.type), self.search
        unbound = lowest(instr.type.width)
        in_cells = addr < self.program.cells

        def best_begin(memory: Memory) -> int:
            value = unbound
            run: Run = memory[RUN]
            if run.binds_best:
                found = search.best(memory, following, number)
                value = unbound if found is None else found
            if in_cells:
                write(memory, addr, value)
            else:
                memory[addr] = value
            return following

        return best_begin

    def _best_end(self, instr: ir.BestEnd, pc: int) -> Step:
        following, number, program = pc + 1, instr.best, self.program
        value, site = self.expressions.expr(instr.value), instr.site
        wanted = self.expressions.expr(ir.LoadWide(instr.addr, instr.type))
        addr, blank, wrong_in = (
            instr.addr,
            [0] * instr.type.width,
            misfit(self.program.world, instr.type),
        )
        in_cells = addr < self.program.cells

        def best_end(memory: Memory) -> int:
            reached = value(memory)
            if wrong_in is not None and (wrong := wrong_in(reached)) is not None:
                raise out_of_range(program, site, wrong)
            run: Run = memory[RUN]
            if run.takes(number, reached):
                return BEST_END
            if reached < wanted(memory):
                raise Refused(faults.NOT_BEST, site)
            if in_cells:
                memory[addr : addr + len(blank)] = blank
            return following

        return best_end

    # ------------------------------------------------- history and events

    def _record(self, instr: ir.RecordPosition, pc: int) -> Step:
        history = self.program.histories[instr.history]
        values = [self.expressions.expr(value) for value in history.values]
        addr, keep, last, site = history.addr, history.keep, history.last, instr.site
        following, program = pc + 1, self.program

        def record(memory: Memory) -> int:
            count = memory[addr]
            if count >= keep and not last:
                raise fault(program, faults.history_full(history.name, keep), site)
            if count >= INT_MAX:
                raise fault(program, faults.history_uncounted(history.name), site)
            at = addr + 1 + 2 * (count % keep)
            memory[at], memory[at + 1] = position_key([value(memory) for value in values])
            memory[addr] = count + 1
            return following

        return record

    def _clear_history(self, instr: ir.ClearHistory, pc: int) -> Step:
        history = self.program.histories[instr.history]
        addr, end, following = history.addr, history.addr + 1 + 2 * history.keep, pc + 1

        def clear(memory: Memory) -> int:
            memory[addr:end] = [0] * (end - addr)
            return following

        return clear

    def _emit(self, instr: ir.Emit, pc: int) -> Step:
        fields = [(name, self.expressions.expr(expr), type_) for name, expr, type_ in instr.fields]
        following, event = pc + 1, instr.event

        def emit(memory: Memory) -> int:
            memory[ir.LOG] += 1
            run: Run = memory[RUN]
            if run.events is not None:
                noted = [(name, value(memory), type_) for name, value, type_ in fields]
                run.events.append((EventKind.EMITTED, event, noted))
            return following

        return emit

    def _say(self, instr: ir.Say, pc: int) -> Step:
        made = Sentence(self.expressions, instr.sentence)
        everyone: int = (1 << len(self.program.world.seats)) - 1
        hearers = (
            self.expressions.expr(instr.to) if instr.to is not None else lambda memory: everyone
        )
        when = self.expressions.expr(instr.when) if instr.when is not None else lambda _: 1
        following = pc + 1

        def say(memory: Memory) -> int:
            run: Run = memory[RUN]
            if run.events is None:
                return following
            ticks = memory[TICKS]
            try:
                if when(memory):
                    told = (hearers(memory), made.values(memory), made.seen(memory))
                    run.events.append((EventKind.SAID, pc, *told))
            except (Refused, RulebookFault):
                run.events.append((EventKind.SAID, pc, everyone, None, None))
            memory[TICKS] = ticks
            return following

        return say
