"""Random games played to the end inside native code, and batches of states."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Operand, Var
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.options.listing import answer_widths
from ludwright.native.codegen.state.facts import give_first_facts, make_first_facts
from ludwright.native.codegen.state.ticks import halt_wanted, leave_if_halted

PLAYOUT_PARAMS = (
    "ptr noalias ctx", "ptr noalias state", "ptr initial", "i64 first", "i64 end", "i64 base",
    "i64 seed", "i64 where", "ptr scores", "ptr ranks", "ptr winners", "ptr decisions",
    "ptr moves", "ptr turns", "ptr ends", "ptr finals",
)  # fmt: skip
_BATCH_PARAMS = (
    "ptr noalias ctx", "ptr states", "i64 n", "ptr wanted", "ptr options", "ptr counts",
    "ptr seats", "ptr extra", "i64 width",
)  # fmt: skip
_DECISION = layout.STOPS.index("decision")


def add_playouts(module: Module) -> None:
    """`playouts`: games first .. end-1; gives the number of the game that failed, or -1.

    They begin in the state `initial` at the entry `where`, once set-up has been done. Game i
    depends on the seed and i alone, and writes to place i - base of the results; its last state
    too, unless `finals` is null.
    """
    with module.function("playouts", "i64", *PLAYOUT_PARAMS, exported=True) as f:
        make_first_facts(module, f, f.param("initial"))
        with f.for_range(f.param("first"), f.param("end")) as game:
            _begin_game(module, f, game)
            result = f.call("i64", "run", f.state, f.context, f.param("where"))
            with f.if_(result.ne(layout.STOPPED) | halt_wanted(f), likely=False):
                f.ret(game)
            _write_results(module, f, game - f.param("base"))
        f.ret(-1)


def _begin_game(module: Module, f: Function, game: Operand) -> None:
    twice = game * 2
    f.copy(f.state, f.param("initial"), 4 * module.program.cells)
    own = f.call("i64", "mix", f.param("seed") ^ (twice + 1))
    f.do(f"store i64 {own.text}, ptr %state, align 4")
    f.ctx[layout.POLICY] = f.call("i64", "mix", f.param("seed") ^ twice)
    for slot, value in (
        (layout.DECISIONS, 0), (layout.MOVES, 0), (layout.MARKED, 0),
        (layout.LEVEL, 0), (layout.ENDED, 0), (layout.SEAT, -1),
    ):  # fmt: skip
        f.ctx[slot] = value
    give_first_facts(module, f)


def _write_results(module: Module, f: Function, place: Operand) -> None:
    program = module.program
    seats = len(program.world.seats)
    for seat in range(seats):
        for name, addr in (("scores", program.scores), ("ranks", program.ranks)):
            f.store(f.param(name), place * seats + seat, f.cell(addr + seat), "i32")
    for name, value in (
        ("decisions", f.ctx[layout.DECISIONS]), ("moves", f.ctx[layout.MOVES]),
        ("turns", f.cell(ir.TURN)), ("ends", f.cell(ir.OVER) - 1),
    ):  # fmt: skip
        f.store(f.param(name), place, value, "i32")
    _write_winners(module, f, place)
    with f.if_(~f.param("finals").is_null()):
        to = f.gep(f.param("finals"), place * program.cells, "i32")
        f.copy(to, f.state, 4 * program.cells)


def _write_winners(module: Module, f: Function, place: Operand) -> None:
    """As `kernel.play.playouts.find_winners`: numpy would take as long as a short game."""
    program = module.program
    ranks = [f.cell(program.ranks + seat) for seat in range(len(program.world.seats))]
    end, players = f.cell(ir.OVER) - 1, f.cell(ir.PLAYERS)
    plays = [players > seat for seat in range(len(ranks))]
    best, drawn, level = ranks[0], f.false, f.true
    for rank, there in zip(ranks[1:], plays[1:], strict=True):
        best = f.select(there, f.smin(best, rank), best)
        level = level & (rank.eq(ranks[0]) | ~there)
    for number, ending in enumerate(program.ends):
        if ending.outcome == "draw":
            drawn = drawn | end.eq(number)
    decided = (end >= 0) & ~(level & drawn)
    for seat, rank in enumerate(ranks):
        wins = decided & plays[seat] & rank.eq(best)
        f.store(f.param("winners"), place * len(ranks) + seat, wins, "i8")


def add_batch(module: Module) -> None:
    """`batch`: one answer to each of many states; gives the row that failed, or -1.

    Instead of an answer, a choice can be START, LIST_AGAIN or LEAVE. Everything a state offers lies
    in its row of the arrays, so that the answer is found without listing the options again. Where
    a row is too short (`width` words) for all options, only their number is written: the caller
    makes the rows longer and has these options listed again.
    """
    with module.function("batch", "i64", *_BATCH_PARAMS, exported=True) as f:
        with f.for_range(0, f.param("n")) as row:
            _Row(module, f, row).write()
        f.ret(-1)


class _Row:
    """One state of a batch, with what it offers."""

    def __init__(self, module: Module, f: Function, row: Operand) -> None:
        self.f, self.row, self.program = f, row, module.program
        self.state = f.gep(f.param("states"), row * self.program.cells, "i32")
        self.options = f.gep(f.param("options"), row * f.param("width"))
        widths = answer_widths(module)
        self._widths = module.table(f, widths) if max(widths, default=1) > 1 else None

    def _words(self) -> Operand:
        """Of one answer."""
        if self._widths is None:
            return self.f.value(1)
        pc = self.f.load(self.state, ir.PC, "i32")
        return self.f.load(self._widths, pc, "i32")

    def write(self) -> None:
        f, row = self.f, self.row
        chosen, where = f.load(f.param("wanted"), row), Var(f, init=self.program.entry)
        f.ctx[layout.SEAT] = -1
        f.ctx[layout.ENDED] = 0
        with f.block() as skip:
            with f.block() as failed:
                leave_if_halted(f, failed)  # between two states nothing is half done
                f.leave_if(chosen.eq(layout.LEAVE), skip)
                with f.if_(chosen >= 0):
                    seat = f.load(f.param("seats"), row)
                    f.leave_if(seat < 0, skip)
                    where.set(self._answer(chosen, seat))
                with f.if_(chosen.eq(layout.LIST_AGAIN)):
                    f.leave_if(f.load(self.state, ir.OVER, "i32").ne(0), skip)
                    pc = f.load(self.state, ir.PC, "i32")
                    where.set(pc + layout.Entries(len(self.program.code)).offer(0))
                ran = f.call("i64", "run", self.state, f.context, where.get())
                f.leave_unless(ran.eq(layout.STOPPED), failed)
                self._offer()
                f.br(skip)
            f.ret(row)

    def _answer(self, chosen: Operand, seat: Operand) -> Operand:
        """Give an answer; where the run goes on with it."""
        f, row = self.f, self.row
        f.ctx[layout.SEAT] = seat
        f.ctx[layout.STOP_SEAT] = seat
        listed = chosen < f.load(f.param("counts"), row)
        stops = f.load(f.param("extra"), row).eq(layout.STOPPABLE)
        kind = f.select(stops, layout.GIVEN_STOP, f.value(layout.GIVEN_DECLINE))
        f.ctx[layout.GIVEN] = f.select(listed, layout.GIVEN_VALUE, kind)
        first, to = f.select(listed, chosen, 0), f.ctx[layout.GIVEN_AT]
        if self._widths is None:
            f.store(to, 0, f.load(self.options, first))
        else:
            words = self._words()
            f.copy(to, f.gep(self.options, first * words), words * 8)
        pc = f.load(self.state, ir.PC, "i32")
        return pc + layout.Entries(len(self.program.code)).answer(0)

    def _offer(self) -> None:
        """Write what the state waits for to its row."""
        f, row = self.f, self.row
        over = f.ctx[layout.STOP_KIND].ne(_DECISION)
        count = f.select(over, 0, f.ctx[layout.COUNT])
        extra = f.ctx[layout.DECLINE] + f.ctx[layout.CAN_STOP] * layout.STOPPABLE
        f.store(f.param("counts"), row, count)
        f.store(f.param("seats"), row, f.select(over, -1, f.ctx[layout.STOP_SEAT]))
        f.store(f.param("extra"), row, f.select(over, 0, extra))
        words = count * self._words()
        with f.if_(words <= f.param("width")):
            with f.if_(f.ctx[layout.RANGE].ne(0) & ~over), f.for_range(0, count) as at:
                f.store(self.options, at, f.ctx[layout.FIRST] + at)
            with f.else_():
                f.copy(self.options, f.ctx[layout.ANSWERS], words * 8)
