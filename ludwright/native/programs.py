"""The whole Program as native functions, and `run`, which enters them where the game stopped.

`run(state, ctx, where)`: a number below the number of instructions goes on at that instruction;
behind them come the numbers that give an answer, and those that offer a choice once more. Small
Programs become one function. Larger ones become a function per procedure, because the time LLVM
takes grows faster than a function does; a call is then a native call, and when a procedure that
was entered in the middle returns, `run` goes on at the instruction it returns to.
"""

from __future__ import annotations

from itertools import pairwise

from ludwright.kernel import program as ir
from ludwright.kernel.context import LOG_FULL
from ludwright.kernel.types import INT_MAX
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.errors import NativeUnsupported
from ludwright.native.module import BODY_PARAMS, Module
from ludwright.native.options import Options
from ludwright.native.pieces import PieceCode
from ludwright.native.publishing import BACK, RETRIES, Publishing
from ludwright.native.registers import shared_registers
from ludwright.native.running import Running

SMALL = 100  # a Program of fewer instructions becomes one function, a larger one many


def write_program(module: Module, pieces: PieceCode, options: Options) -> bool:
    """The code of the Program and `run`, its way in; whether anything in it is searched."""
    program = module.program
    size = len(program.code)
    spans = [(0, size)]
    if size > SMALL:
        spans = [(p.entry, p.end) for p in program.procedures]
        spans = sorted((min(span), max(span)) for span in spans)
        if any(one[1] != two[0] for one, two in pairwise(spans)):
            raise NativeUnsupported("procedures that are not one after another")
    shared = shared_registers(module, spans)
    parts = [Running(module, pieces, options, span, shared) for span in spans]
    for part in parts:
        part.write()
    searches = parts[0].deciding.searches
    Publishing(module, searches).write()
    _write_run(module, parts, searches)
    return searches


def _write_run(module: Module, parts: list[Running], searches: bool) -> None:
    """`run`: jump into the function an entry belongs to, and go on where it returns to."""
    program = module.program
    size = len(program.code)
    f = F(
        "run", "i32", (*BODY_PARAMS, ("i32", "where")), module.errors, on_fail="ret i32 -4",
        linkage="dso_local",
    )  # fmt: skip
    f.set_ctx(layout.ERROR, 0)
    f.set_ctx(layout.TICKS_LEFT, f.ctx(layout.TICKS))
    where = Var(f, "i32", f.param("where"))
    again, back = f.label(), f.label()
    module.kept.look_at(f, f.context, f.state)
    f.place(again)
    now = where.get()
    if len(parts) == 1:
        result = f.emit(f"call i32 @{parts[0].f.name}(ptr %state, ptr %ctx, i32 {now.text})", "i32")
    else:
        wide = f.emit(f"sext i32 {now.text} to i64")
        pc = f.emit(f"srem i64 {wide.text}, {size}")
        owner: list[int] = []
        for number, part in enumerate(parts):
            owner += [number] * (part.end - part.first)
        bad = f.fail(f.errors.fault("state", -1, "this state does not stand at a decision"))
        sane = f.label()
        f.branch(pc >= 0, sane, bad)
        f.place(sane)
        part_number = f.load(V(f, module.table(owner), "ptr"), pc, "i32")
        labels = [f.label() for _ in parts]
        f.switch(part_number, list(enumerate(labels))[1:], labels[0])
        got, slot = f.label(), Var(f, "i32")
        for part, label in zip(parts, labels, strict=True):
            f.place(label)
            slot.set(f.emit(
                f"call i32 @{part.f.name}(ptr %state, ptr %ctx, i32 {now.text})", "i32"
            ))  # fmt: skip
            f.br(got)
        f.place(got)
        result = slot.get()
    negative, more = f.label(), f.label()
    f.branch(f.icmp("slt", result, V(f, "0", "i32")), negative, more)
    f.place(more)
    where.set(result)
    f.br(again)
    f.place(negative)
    if searches:
        plain, refused = f.label(), f.label()
        f.branch(f.icmp("eq", result, V(f, str(BACK), "i32")), back, plain, likely=False)
        f.place(plain)
        # Refusals have odd numbers in this slot; what was only tried has led nowhere.
        tried = f.ctx(layout.TRUST).eq(layout.TRYING) & (f.ctx(layout.ERROR) & 1).ne(0)
        failed = f.icmp("eq", result, V(f, str(layout.FAILED), "i32")) & tried
        over = f.label()
        f.branch(failed, refused, over, likely=False)
        f.place(refused)
        f.set_ctx(layout.ERROR, 0)
        f.set_ctx(layout.TRUST, layout.IN_VAIN)
        f.br(back)
        f.place(over)
    stopped = f.icmp("eq", result, V(f, str(layout.STOPPED), "i32"))
    full = f.cell(ir.LOG).eq(INT_MAX) & f.ctx(layout.MODE).ne(layout.SEARCHING)
    f.check((stopped & full).not_(), f.errors.fault(*LOG_FULL))
    f.end(f"ret i32 {result.text}")
    if searches:
        f.place(back)
        _back_to_part(module, f)
        pc32 = f.emit(f"trunc i64 {(f.cell(ir.PC) + 2 * size).text} to i32", "i32")
        where.set(pc32)
        f.br(again)
    module.add(f)


def _back_to_part(module: Module, f: F) -> None:
    """Random play met a dead end: once more from the start of the part."""
    vain, dead, restore = f.label(), f.label(), f.label()
    f.branch(f.ctx(layout.TRUST).eq(layout.IN_VAIN), vain, dead)
    f.place(dead)
    tries = f.ctx(layout.TRIES) + 1
    reason = "no way was found to finish what was offered, in {a} attempts"
    f.check(tries <= RETRIES, f.errors.engine("dead-end", reason), f.value(RETRIES))
    f.set_ctx(layout.TRIES, tries)
    f.br(restore)
    f.place(vain)
    f.set_ctx(layout.ENDED, f.ctx(layout.PART_ENDED))
    f.set_ctx(layout.SEAT, f.ctx(layout.PART_SEAT))
    f.place(restore)
    f.copy(f.state, f.ctx_ptr(layout.PART), 4 * module.program.cells)
    # What was tried in vain was no decision: a game without any comes to its end.
    f.set_ctx(layout.TICKS_LEFT, f.ctx(layout.PART_TICKS))
    module.kept.next_epoch(f)
    f.set_ctx(layout.DECISIONS, f.ctx(layout.PART_DECISIONS))
    f.set_ctx(layout.MOVES, f.ctx(layout.PART_MOVES))
