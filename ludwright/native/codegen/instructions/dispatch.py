"""The instructions of a Program, each by the code that carries it out."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.expressions.conditions import condition, goto
from ludwright.native.codegen.expressions.position_key import position_key
from ludwright.native.codegen.instructions import best_blocks, piece_moves, stores
from ludwright.native.codegen.instructions.chance import chance
from ludwright.native.codegen.instructions.choice import ChoiceCode
from ludwright.native.codegen.instructions.effects_left import only_effects_left
from ludwright.native.codegen.instructions.search_modes import Point
from ludwright.native.codegen.instructions.segment import Segment
from ludwright.native.codegen.llvm.builder import Operand, Var
from ludwright.native.codegen.state.epochs import next_epoch
from ludwright.native.codegen.state.ticks import HALTED, tick
from ludwright.native.codegen.state.values import number
from ludwright.native.errors import NativeUnsupported
from ludwright.program import faults
from ludwright.program.events import EventKind
from ludwright.program.types import INT_MAX

_REVEAL, _END, _OVER = (layout.BARRIERS.index(name) for name in ("reveal", "end", "over"))
_STOP_OVER = layout.STOPS.index("over")


def write_instructions(s: Segment) -> None:
    """All instructions of a segment, one after another."""
    f = s.f
    for pc, instr in s.code():
        f.place(s.at(pc), loops=True)
        if pc in s.module.memo.changed:
            next_epoch(s.module, f)
        if pc in s.module.commit_points:
            s.leave_if_search_ends(Point.SURE)
        _leave_if_only_effects(s, pc)
        if getattr(instr, "barrier", False):
            s.leave_if_search_ends(Point.BARRIER)
            s.end_part(_REVEAL)
        f.is_cold = pc in s.module.set_up
        _instruction(s, pc, instr)
    f.is_cold = False
    f.place(s.at(s.end))
    f.br(f.fail(f.errors.engine("end", "the program ran past its end")))


def _leave_if_only_effects(s: Segment, pc: int) -> None:
    """A count stops once a move has only its effects left, and does not carry them out."""
    counting = s.module.counting
    if counting is not None and counting.may_begin(pc):
        decided = only_effects_left(s.module, s.f.state, s.f.value(pc))
        s.f.leave_if(s.search_ends(Point.EFFECTS_ONLY) & decided, s.complete)


def _instruction(s: Segment, pc: int, instr: ir.Instr) -> None:
    f, body = s.f, s.body
    match instr:
        case ir.Store():
            stores.store(s, instr)
        case ir.Zero(ranges=ranges):
            for addr, count in ranges:
                stores.zero(s, addr, count)
        case ir.Jump(target=target):
            s.goto(target)
        case ir.Branch(when=when, target=target):
            goto(body, when, s.at(pc + 1), s.at(target))
        case ir.Switch(value=value, targets=targets, default=default):
            cases = [(number, s.at(target)) for number, target in enumerate(targets)]
            f.switch(body.num(value), cases, s.at(default))
        case ir.CallProc():
            _call(s, pc, instr)
        case ir.Return(ret=ret):
            _return(s, ret)
        case ir.Tick(site=site, ticks=ticks):
            tick(f, site, ticks)
        case ir.Choose(choice=choice):
            ChoiceCode(s, pc, choice).write()
        case ir.Chance():
            chance(s, pc, instr)
        case ir.MovePiece():
            piece_moves.move(s, instr)
        case ir.MoveAll():
            piece_moves.move_all(s, instr)
        case ir.SwapInPlace():
            piece_moves.swap(s, instr)
        case ir.MixDeck():
            piece_moves.mix(s, instr)
        case ir.RevealPiece():
            piece_moves.reveal(s, instr)
        case ir.Require(when=when, site=site, fault=fault):
            if fault:
                error = f.errors.fault(faults.REQUIRED, site)
            else:
                error = f.errors.refusal(faults.REFUSED, site)
            goto(body, when, s.at(pc + 1), f.fail(error))
        case ir.HeadEnter(head=head):
            with f.if_(f.cell(ir.HEAD).eq(0)):
                f.set_cell(ir.HEAD, head + 1)
                f.set_cell(ir.ANSWERED, 0)
                f.set_cell(ir.ACTION, 0)
        case ir.HeadExit(head=head):
            _head_exit(s, head)
        case ir.BestBegin():
            best_blocks.begin(s, pc, instr)
        case ir.BestEnd():
            best_blocks.end(s, instr)
        case ir.RecordPosition():
            _record(s, instr)
        case ir.ClearHistory(history=number):
            history = s.program.histories[number]
            s.clear(history.addr, 1 + 2 * history.keep)
        case ir.Emit():
            _emit(s, pc, instr)
        case ir.Say():
            _say(s, pc, instr)
        case ir.Finish(end=end):
            _finish(s, pc, end)
        case ir.FaultHere(code=code, site=site):
            f.br(f.fail(f.errors.fault(faults.LEFT_OPEN[code], site)))
        case _:
            raise NativeUnsupported(f"the instruction {type(instr).__name__}")


# ---------------------------------------------------------------- procedures


def _call(s: Segment, pc: int, instr: ir.CallProc) -> None:
    f = s.f
    if instr.ticks:
        tick(f, instr.site, instr.ticks)
    _put_return(s, instr.ret, f.value(pc + 1))
    if s.first <= instr.entry < s.end:
        s.goto(instr.entry)
        return
    s.write_log()
    owner = max(p.entry for p in s.program.procedures if p.entry <= instr.entry)
    result = f.call("i64", f"segment{owner}", f.state, f.context, instr.entry)
    f.branch(result < 0, s.leave(result), s.at(pc + 1))


def _put_return(s: Segment, ret: int, value: Operand) -> None:
    if ret < s.program.cells:
        s.f.set_cell(ret, value)
    else:
        s.body.put_register(ret, value)


def _return(s: Segment, ret: int) -> None:
    f = s.f
    if not s.whole:
        s.write_log()
    target = f.cell(ret) if ret < s.program.cells else number(s.body.get_register(ret))
    _put_return(s, ret, f.value(0))
    if not s.whole:
        f.ret(target)
        return
    calls = [
        (pc + 1, s.at(pc + 1))
        for pc, instr in s.code()
        if isinstance(instr, ir.CallProc) and instr.ret == ret
    ]
    f.switch(target, calls, f.fail(f.errors.engine("return", "a return to nowhere")))


# -------------------------------------------------------------- moves, games


def _head_exit(s: Segment, head: int) -> None:
    f = s.f
    with f.if_(f.cell(ir.HEAD).eq(head + 1)):
        s.leave_if_search_ends(Point.MOVE_END)
        if s.module.has_best:
            f.ctx[layout.BEST_MEMO_VOID] = 1
        s.end_part(_END)
        for cell in (ir.HEAD, ir.ANSWERED, ir.ACTION):
            f.set_cell(cell, 0)


def _finish(s: Segment, pc: int, end: int) -> None:
    f = s.f
    s.leave_if_search_ends(Point.MOVE_END)
    f.set_cell(ir.OVER, end + 1)
    f.set_cell(ir.PC, pc)
    s.log()
    s.write_log()
    s.events.note(EventKind.OVER, end)
    s.end_part(_OVER)
    f.ctx[layout.STOP_KIND] = _STOP_OVER
    f.ret(layout.STOPPED)


def _emit(s: Segment, pc: int, instr: ir.Emit) -> None:
    """The fields are evaluated only where someone wants to hear of them."""
    s.log()
    if s.events.on:
        with s.f.if_(s.events.wanted()):
            fields = [(s.body.expr(value), s.body.shape(value)) for _, value, _ in instr.fields]
            s.events.note(EventKind.EMITTED, pc, *fields)


def _say(s: Segment, pc: int, instr: ir.Say) -> None:
    """Evaluated only where someone listens; an error in it spoils the sentence alone."""
    if not s.events.on:
        return
    f, sentence = s.f, instr.sentence
    everyone = f.value((1 << len(s.program.world.seats)) - 1)
    with f.if_(s.events.wanted()):
        ticks = Var(f, init=f.ctx[layout.TICKS_LEFT])
        spoilt, done = f.label("spoilt"), f.label("said")
        with f.catching(spoilt):
            if instr.when is not None:
                f.leave_unless(condition(s.body, instr.when), done)
            to = everyone if instr.to is None else s.body.num(instr.to)
            values = [(s.body.expr(value), s.body.shape(value)) for value in sentence.values]
            seen = [everyone if one is None else s.body.num(one) for one in sentence.seen]
        s.events.note(EventKind.SAID, pc, to, *values, *seen)
        f.br(done)
        f.place(spoilt)
        halted = f.errors.engine(*HALTED)
        f.leave_if(f.ctx[layout.ERROR].eq(halted + 1), f.passed_on(), likely=False)
        s.events.note(EventKind.UNSAID, pc, everyone)
        f.place(done)
        f.ctx[layout.ERROR] = 0
        f.ctx[layout.TICKS_LEFT] = ticks.get()


def _record(s: Segment, instr: ir.RecordPosition) -> None:
    f = s.f
    history = s.program.histories[instr.history]
    count = f.cell(history.addr)
    trouble = faults.history_uncounted(history.name)
    if not history.last:
        trouble = faults.history_full(history.name, history.keep)
    error = f.errors.fault(trouble, instr.site)
    f.check(count < (INT_MAX if history.last else history.keep), error)
    at = f.divide("urem", count, history.keep) * 2 + (history.addr + 1)
    key = position_key(s.body, instr.history)
    f.set_cell(at, key)
    f.set_cell(at + 1, key >> 32)
    f.set_cell(history.addr, count + 1)
