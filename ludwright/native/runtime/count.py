"""Counting move sequences inside native code: the walk of `kernel.play.perft`.

Depth first over copies of the state. A context of its own holds the frames; it points to the
context in which a part is played on to the next decision (PLAY), and to the one in which the last
part is followed only as long as something is asked (SEARCH). Positions that come up again are
looked up by a 128-bit hash of all that a rule can read; a full table forgets.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.instructions.effects_left import only_effects_left
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var, Words
from ludwright.native.codegen.state.ticks import is_refusal, leave_if_halted, note_error
from ludwright.native.runtime.frame import (
    ABOVE,
    COUNT,
    DECLINE,
    HAS,
    KEY,
    KEY2,
    LEFT,
    PC,
    SEAT,
    TOTAL,
    Frames,
)
from ludwright.native.runtime.trial import Trials
from ludwright.native.runtime.walk import Walk

_OUTCOME = "{i64, ptr}"  # as in `trial`
_MIX = 0x9FB21C651E98DF25 - (1 << 64)
_DECISION, _OVER = (layout.STOPS.index(kind) for kind in ("decision", "over"))


class _Counting(Walk):
    """A walk that adds up what it finds in the frames."""

    def visit(self) -> None:
        leave_if_halted(self.f, self.broken)

    def add(self, frame: Operand, amount: Operand | int) -> None:
        f = self.f
        f.leave_if(f.call("i64", "add_count", f.context, frame, amount).ne(0), self.broken)

    def completed(self, frame: Operand, verdict: Operand) -> None:
        self.add(frame, 1)


class Ways(_Counting):
    """Counts the ways to finish the part that waits in the frame `root`."""

    def __init__(self, trials: Trials, f: Function, top: Var, broken: Label, root: Operand) -> None:
        super().__init__(trials, f, top, broken)
        self._root = root

    def exhausted(self, frame: Operand, again: Label) -> None:
        f, words = self.f, Words(frame)
        with f.if_(frame.eq(self._root)):
            f.ret(words[TOTAL])
        above, found = words[ABOVE], words[TOTAL]
        self.frames.pop(self.top)
        self.add(above, found)
        f.br(again)

    def entered(self, frame: Operand, found: Operand) -> None:
        f = self.f
        with f.if_(every_answer_completes(self.frames, found)):
            answers = plain_answers(found)
            self.frames.drop(found)
            self.add(frame, answers)
        with f.else_():
            self.top.set(found)


class Sequences(_Counting):
    """Counts sequences of parts."""

    def answer(self, frame: Operand, given: Operand, at: Operand) -> tuple[Operand, Operand]:
        f = self.f
        result = f.call(_OUTCOME, "play_on", f.context, frame, given, at)
        return f.extract(result, 0), f.extract(result, 1, "ptr")

    def exhausted(self, frame: Operand, again: Label) -> None:
        f = self.f
        remember_count(f, frame)
        above, total = Words(frame)[ABOVE], Words(frame)[TOTAL]
        self.frames.pop(self.top)
        with f.if_(above.is_null()):
            f.ret(total)
        self.add(above, total)
        f.br(again)

    def entered(self, frame: Operand, found: Operand) -> None:
        f = self.f
        self.top.set(found)
        with f.if_(self.is_counted(found)):
            total = Words(found)[TOTAL]
            self.frames.pop(self.top)
            self.add(frame, total)

    def is_counted(self, frame: Operand) -> Operand:
        """Whether the sequences from a position are known without giving its answers one by one.

        Then their number is put into the frame.
        """
        f, words, play = self.f, Words(frame), Words(self.f.ctx[layout.PLAY])
        decides = play[layout.STOP_KIND].eq(_DECISION)
        last = decides & words[LEFT].eq(1) & play[layout.PENDING].eq(0)
        known = Var(f, "i1", 1)
        with f.if_(last & every_answer_completes(self.frames, frame)):
            words[TOTAL] = plain_answers(frame)
        with f.else_():
            entry = f.call("ptr", "entry", f.context, frame)
            same = f.load(entry, 0).eq(words[KEY]) & f.load(entry, 1).eq(words[KEY2])
            with f.if_(same if self.frames.module.uses("count_memo") else f.false):
                words[TOTAL] = f.load(entry, 2)
            with f.else_():
                known.set(last)
                with f.if_(last):
                    ways = f.call("i64", "ways", f.context, frame)
                    f.leave_if(ways < 0, self.broken)
                    remember_count(f, frame)
        return known.get()


def plain_answers(frame: Operand) -> Operand:
    """How many answers a decision has that is no choice of many."""
    words = Words(frame)
    return words[COUNT] + words[DECLINE]


def every_answer_completes(frames: Frames, frame: Operand) -> Operand:
    """Whether every answer to a decision ends the part, and nothing can refuse it."""
    f, pc = frame.f, Words(frame)[PC]
    program = frames.program
    # a choice of many goes on after an answer
    single = [
        int(isinstance(i, ir.Choose) and program.choices[i.choice].kind != "many")
        for i in program.code
    ]
    ends = f.load(frames.module.table(f, single, "i8"), pc, "i8").ne(0)
    return ends & only_effects_left(frames.module, frames.cells(frame), pc + 1)


def remember_count(f: Function, frame: Operand) -> None:
    words = Words(frame)
    entry = _entry_at(f, words[KEY])
    f.store(entry, 0, words[KEY])
    f.store(entry, 1, words[KEY2])
    f.store(entry, 2, words[TOTAL])


def _entry_at(f: Function, key: Operand) -> Operand:
    """Where the table keeps a position; another one may be there."""
    mask = (f.value(1) << f.ctx[layout.COUNTS_BITS]) - 1
    return f.gep(f.ctx[layout.COUNTS], (key & mask) * layout.COUNTS_ENTRY)


class Count:
    """Writes `count` and what it needs."""

    def __init__(self, trials: Trials) -> None:
        self.trials, self.frames, self.module = trials, trials.frames, trials.module

    def write(self) -> None:
        self._add_count()
        self._ways()
        self._entry()
        self._play_on()
        self._count()

    def _add_count(self) -> None:
        """`add_count`: add to a frame's count; 0, or BROKEN where it becomes too large."""
        params = ("ptr ctx", "ptr frame", "i64 amount")
        with self.module.function("add_count", "i64", *params) as f:
            words, amount = Words(f.param("frame")), f.param("amount")
            total, overflowed = f.checked("add", words[TOTAL], amount)
            with f.if_(overflowed, likely=False):
                reason = "there are more sequences than a machine word can count"
                note_error(f, f.context, f.errors.engine(layout.TOO_LARGE, reason))
                f.ret(layout.BROKEN)
            words[TOTAL] = total
            words[HAS] = words[HAS] | amount
            f.ret(0)

    def _ways(self) -> None:
        """`ways`: how many ways there are to finish the part that waits in a frame, or BROKEN."""
        with self.module.function("ways", "i64", "ptr ctx", "ptr root") as f:
            root = f.param("root")
            Words(f.ctx[layout.SEARCH])[layout.SEAT] = Words(root)[SEAT]
            Words(root)[HAS] = 1  # what is offered is all there is
            top = Var(f, "ptr", root)
            with f.block() as broken:
                Ways(self.trials, f, top, broken, root).write()
            self.frames.drop_all(top, root)
            f.ret(layout.BROKEN)

    def _entry(self) -> None:
        """`entry`: where the table keeps the position of a frame, whose key is noted in it."""
        with self.module.function("entry", "ptr", "ptr ctx", "ptr frame") as f:
            frame = f.param("frame")
            words, cells = Words(frame), self.frames.cells(frame)
            f.call("void", "hash_cells", cells, f.gep(frame, KEY))
            generator = f.emit(f"load i64, ptr {cells.text}, align 4")
            more = (generator ^ (words[LEFT] * _MIX)) * _MIX
            words[KEY] = words[KEY] ^ more ^ (more >> 29)
            words[KEY2] = words[KEY2] + more
            f.ret(_entry_at(f, words[KEY]))

    def _play_on(self) -> None:
        """`play_on`: give an answer and play on. NO, YES (a sequence is complete), BROKEN, or WAITS
        with a new frame."""
        frames = self.frames
        params = ("ptr ctx", "ptr frame", "i64 given", "ptr answer")
        with self.module.function("play_on", _OUTCOME, *params) as f:
            words, play = Words(f.param("frame")), Words(f.ctx[layout.PLAY])

            def without() -> None:
                frames.note_no_memory(f, f.context)
                f.ret_both(layout.BROKEN, f.null)

            new = frames.new(f, without)

            def drop(verdict: int) -> None:
                frames.drop(new)
                f.ret_both(verdict, f.null)

            stopped = self._run(f, words, play, frames.cells(new))
            ended = play[layout.ENDED].ne(0)
            with f.if_(~stopped, likely=False):
                # the refusal of an option whose legality was unknown is no error
                unknown = is_refusal(play[layout.ERROR]) & ~ended & (words[SEAT] >= 0)
                with f.if_(unknown):
                    drop(layout.NO)
                for slot in (layout.ERROR, layout.ERROR_A, layout.ERROR_B):
                    f.ctx[slot] = play[slot]
                drop(layout.BROKEN)
            left = words[LEFT] - ended.i64()
            with f.if_(left.eq(0)):
                drop(layout.YES)
            with f.if_(play[layout.STOP_KIND].eq(_OVER)):
                drop(layout.NO)
            Words(new)[ABOVE] = f.param("frame")
            Words(new)[LEFT] = left
            frames.fill(new, play)
            Words(new)[HAS] = 1  # what is offered is all there is
            f.ret_both(layout.WAITS, new)

    def _run(self, f: Function, words: Words, play: Words, cells: Operand) -> Operand:
        """Whether the run from a frame came to a stop."""
        program = self.frames.program
        f.copy(cells, self.frames.cells(words.base), 4 * program.cells)
        play[layout.GIVEN] = f.param("given")
        play[layout.GIVEN_AT] = f.param("answer")
        for slot in (layout.STOP_SEAT, layout.SEAT):
            play[slot] = words[SEAT]
        for slot in (layout.ENDED, layout.PENDING):
            play[slot] = 0
        where = words[PC] + layout.Entries(len(program.code)).answer(0)
        return f.call("i64", "run", cells, play.base, where).eq(layout.STOPPED)

    def _count(self) -> None:
        """`count`: sequences from the stop that PLAY stands at with `state`; -1 where it failed."""
        frames, params = self.frames, ("ptr ctx", "ptr state", "i64 depth")
        with self.module.function("count", "i64", *params, exported=True) as f:

            def without() -> None:
                frames.note_no_memory(f, f.context)
                f.ret(layout.BROKEN)

            root = frames.new(f, without)
            f.copy(frames.cells(root), f.state, 4 * frames.program.cells)
            Words(root)[ABOVE] = f.null
            Words(root)[LEFT] = f.param("depth")
            frames.fill(root, Words(f.ctx[layout.PLAY]))
            Words(root)[HAS] = 1
            top = Var(f, "ptr", root)
            with f.block() as broken:
                walk = Sequences(self.trials, f, top, broken)
                with f.if_(walk.is_counted(root)):
                    frames.drop(root)
                    f.ret(Words(root)[TOTAL])
                walk.write()
            frames.drop_all(top, f.null)
            f.ret(layout.BROKEN)
