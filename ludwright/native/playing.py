"""Random games played to the end inside native code."""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import F
from ludwright.native.module import Module

PLAYOUT_PARAMS = (
    ("ptr noalias", "ctx"), ("ptr noalias", "state"), ("ptr", "initial"), ("i64", "first"),
    ("i64", "end"), ("i64", "seed"), ("i64", "players"), ("i64", "scenario"),
    ("ptr", "scores"), ("ptr", "decisions"), ("ptr", "turns"), ("ptr", "ends"),
)  # fmt: skip


def add_playouts(module: Module) -> None:
    """`playouts`: games first .. end-1; gives the number of the game that failed, or -1.

    Game i depends on the seed and i alone, and writes to place i of the results.
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
        f.set_cell(ir.PLAYERS, f.param("players"))
        f.set_cell(ir.SCENARIO, f.param("scenario"))
        f.set_ctx(layout.POLICY, f.call("i64", "mix", f.param("seed") ^ twice))
        for slot, value in (
            (layout.DECISIONS, 0), (layout.MARKED, 0), (layout.ENDED, 0), (layout.SEAT, -1),
        ):  # fmt: skip
            f.set_ctx(slot, value)
        result = f.emit(f"call i32 @run(ptr %state, ptr %ctx, i32 {program.entry})", "i32")
        failed, fine = f.label(), f.label()
        stop = f.emit(f"load volatile i64, ptr {f.ctx_ptr(layout.HALT).text}")
        good = f.icmp("eq", result, f.value(layout.STOPPED, "i32")) & stop.eq(0)
        f.branch(good, fine, failed, likely=True)
        f.place(failed)
        f.ret(game)
        f.place(fine)
        for seat in range(seats):
            f.store(f.param("scores"), game * seats + seat, f.cell(program.scores + seat), "i32")
        f.store(f.param("decisions"), game, f.ctx(layout.DECISIONS), "i32")
        f.store(f.param("turns"), game, f.cell(ir.TURN), "i32")
        f.store(f.param("ends"), game, f.cell(ir.OVER) - 1, "i32")
    f.ret(-1)
    module.add(f)
