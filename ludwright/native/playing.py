"""Random games played to the end inside native code."""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.module import Module
from ludwright.native.options import answer_widths
from ludwright.native.ticking import leave_if_halted

PLAYOUT_PARAMS = (
    ("ptr noalias", "ctx"), ("ptr noalias", "state"), ("ptr", "initial"), ("i64", "first"),
    ("i64", "end"), ("i64", "base"), ("i64", "seed"), ("i32", "where"),
    ("ptr", "scores"), ("ptr", "ranks"), ("ptr", "decisions"), ("ptr", "moves"), ("ptr", "turns"),
    ("ptr", "ends"), ("ptr", "finals"),
)  # fmt: skip


def add_playouts(module: Module) -> None:
    """`playouts`: games first .. end-1; gives the number of the game that failed, or -1.

    They begin in the state `initial` at `where`, once set-up has been done. Game i depends on the
    seed and i alone, and writes to place i - base of the results; its last state too, unless
    `finals` is null.
    """
    program = module.program
    seats = len(program.world.seats)
    f = F(
        "playouts", "i64", PLAYOUT_PARAMS, module.errors, on_fail="unreachable",
        linkage="dso_local",
    )  # fmt: skip
    with f.count(f.param("first"), f.param("end")) as game:
        twice = game * 2
        f.copy(f.state, f.param("initial"), 4 * program.cells)
        own = f.call("i64", "mix", f.param("seed") ^ (twice + 1))
        f.do(f"store i64 {own.text}, ptr %state, align 4")
        f.set_ctx(layout.POLICY, f.call("i64", "mix", f.param("seed") ^ twice))
        for slot, value in (
            (layout.DECISIONS, 0), (layout.MOVES, 0), (layout.MARKED, 0),
            (layout.TRUST, layout.UNSURE), (layout.ENDED, 0), (layout.SEAT, -1),
        ):  # fmt: skip
            f.set_ctx(slot, value)
        result = f.emit("call i32 @run(ptr %state, ptr %ctx, i32 %where)", "i32")
        failed, fine = f.label(), f.label()
        stop = f.emit(f"load volatile i64, ptr {f.ctx_ptr(layout.HALT).text}")
        good = f.icmp("eq", result, f.value(layout.STOPPED, "i32")) & stop.eq(0)
        f.branch(good, fine, failed, likely=True)
        f.place(failed)
        f.ret(game)
        f.place(fine)
        place = game - f.param("base")
        for seat in range(seats):
            f.store(f.param("scores"), place * seats + seat, f.cell(program.scores + seat), "i32")
            f.store(f.param("ranks"), place * seats + seat, f.cell(program.ranks + seat), "i32")
        f.store(f.param("decisions"), place, f.ctx(layout.DECISIONS), "i32")
        f.store(f.param("moves"), place, f.ctx(layout.MOVES), "i32")
        f.store(f.param("turns"), place, f.cell(ir.TURN), "i32")
        f.store(f.param("ends"), place, f.cell(ir.OVER) - 1, "i32")
        with f.if_(f.icmp("ne", f.param("finals"), V(f, "null", "ptr"))):
            to = f.gep(f.param("finals"), place * program.cells, "i32")
            f.copy(to, f.state, 4 * program.cells)
    f.ret(-1)
    module.add(f)


def add_batch(module: Module, room: int) -> None:
    """`batch`: one answer to each of many states; gives the row that failed, or -1.

    A choice of -1 starts a game. Everything a state offers lies in its row of the arrays, so that
    the answer is found without listing the options again.
    """
    program = module.program
    size = len(program.code)
    f = F(
        "batch", "i64",
        (("ptr noalias", "ctx"), ("ptr", "states"), ("i64", "n"), ("ptr", "wanted"),
         ("ptr", "options"), ("ptr", "counts"), ("ptr", "seats"), ("ptr", "extra")),
        module.errors, on_fail="unreachable", linkage="dso_local",
    )  # fmt: skip
    widths = answer_widths(module)
    wide = V(f, module.table(widths), "ptr") if max(widths, default=1) > 1 else None
    with f.count(0, f.param("n")) as row:
        state = f.gep(f.param("states"), row * program.cells, "i32")
        options = f.gep(f.param("options"), row * room)
        chosen = f.load(f.param("wanted"), row)
        where = Var(f, "i32", V(f, str(program.entry), "i32"))
        f.set_ctx(layout.SEAT, -1)
        f.set_ctx(layout.ENDED, 0)
        again, go, skip, failed = f.label(), f.label(), f.label(), f.label()
        leave_if_halted(f, failed)  # between two states nothing is half done
        f.branch(chosen < 0, go, again)
        f.place(again)
        seat = f.load(f.param("seats"), row)
        f.leave_if(seat < 0, skip)
        pc = f.load(state, ir.PC, "i32")
        where.set(f.emit(f"trunc i64 {(pc + size).text} to i32", "i32"))
        f.set_ctx(layout.SEAT, seat)
        f.set_ctx(layout.STOP_SEAT, seat)
        listed = chosen < f.load(f.param("counts"), row)
        kind = f.select(
            f.load(f.param("extra"), row).eq(2), layout.GIVEN_STOP, layout.GIVEN_DECLINE
        )
        f.set_ctx(layout.GIVEN, f.select(listed, layout.GIVEN_VALUE, kind))
        first = f.select(listed, chosen, 0)
        if wide is None:
            f.store(f.ctx_ptr(layout.GIVEN_AT), 0, f.load(options, first))
        else:
            words = f.load(wide, pc, "i32")
            f.copy(f.ctx_ptr(layout.GIVEN_AT), f.gep(options, first * words), words * 8)
        f.place(go)
        ran = f.emit(f"call i32 @run(ptr {state.text}, ptr %ctx, i32 {where.get().text})", "i32")
        fine = f.label()
        f.branch(f.icmp("eq", ran, f.value(layout.STOPPED, "i32")), fine, failed, likely=True)
        f.place(failed)
        f.ret(row)
        f.place(fine)
        over = f.ctx(layout.STOP_KIND).ne(layout.STOPS.index("decision"))
        count = f.select(over, 0, f.smin(f.ctx(layout.COUNT), room))
        f.store(f.param("counts"), row, count)
        f.store(f.param("seats"), row, f.select(over, -1, f.ctx(layout.STOP_SEAT)))
        more = f.ctx(layout.DECLINE) + f.ctx(layout.CAN_STOP) * 2
        f.store(f.param("extra"), row, f.select(over, 0, more))
        ranged, plain = f.label(), f.label()
        f.branch(f.ctx(layout.RANGE).ne(0) & over.not_(), ranged, plain)
        f.place(ranged)
        with f.count(0, count) as at:
            f.store(options, at, f.ctx(layout.FIRST) + at)
        f.br(skip)
        f.place(plain)
        words = f.load(wide, f.load(state, ir.PC, "i32"), "i32") if wide is not None else f.value(1)
        f.copy(options, f.ctx_ptr(layout.ANSWERS), count * words * 8)
        f.place(skip)
    f.ret(-1)
    module.add(f)
