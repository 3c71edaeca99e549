"""Tic-tac-toe, assembled by hand the way a compiler would lower it."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.program.types import Type
from tests.kernel.assembler import Assembler, const, load

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def tic_tac_toe() -> Assembler:
    asm = Assembler(spaces=tuple(f"{column}{row}" for row in (1, 2, 3) for column in "abc"))
    seat = Type("seat", hi=1)
    place = Type("place", "space", 0, 8)
    mark = asm.variable("mark", Type("seat", hi=1, optional=True), -1, scope="space", count=9)
    label, cell = asm.cells(), asm.cells()
    asm.actions.append(ir.ActionInfo("place", ("cell",), (("cell",),)))
    asm.labels["offer"] = ("place",)
    head = asm.head("turn")
    won, full = asm.end("win", "three in a row"), asm.end("draw", "board full")
    x, line, y = asm.reg(0), asm.reg(1), asm.reg(2)
    asm.rows.append(LINES)
    actor = load(ir.ACTOR)
    at = ir.LoadAt(mark, load(x), 9, -1)
    free = ir.Stream((ir.Loop((x,), ir.RangeSource(const(0), const(8))),
                      ir.Filter(ir.Compare("==", at, const(-1)))), load(x))  # fmt: skip
    offer = Type("label", "offer")

    asm.mark("start")
    asm.emit(ir.Store(ir.ACTIVE, const(0), seat))
    asm.mark("turn")
    asm.emit(ir.Tick(), ir.HeadEnter(head), ir.Store(ir.ACTOR, load(ir.ACTIVE), seat))
    asm.choose("offer", actor, label, offer, kind="labels", role="action", silent=True,
               labels=(ir.Label("place", None, 0),), safe=False, empty=asm.at("stuck"))  # fmt: skip
    asm.choose("cell", actor, cell, place, role="param", options=free)
    asm.emit(ir.Store(mark, actor, seat, index=load(cell), size=9, variable=0))
    owned = ir.Aggregate("all", ir.Stream(
        (ir.Loop((y,), ir.RowSource(0, load(line))),),
        ir.Compare("==", ir.LoadAt(mark, load(y), 9, -1), actor)))  # fmt: skip
    lines = ir.Loop((line,), ir.RangeSource(const(0), const(7)))
    row = ir.Aggregate("exists", ir.Stream((lines, ir.Filter(owned)), load(line)))
    asm.emit(ir.Branch(row, asm.at("no-line")))
    for index in (0, 1):
        is_actor = ir.Compare("==", actor, const(index))
        asm.emit(
            ir.Store(asm.ranks + index, ir.Select(is_actor, const(1), const(2)), Type("int", hi=9))
        )
        asm.emit(
            ir.Store(
                asm.scores + index,
                ir.Select(is_actor, const(1), const(-1)),
                Type("int", lo=-9, hi=9),
            )
        )
    asm.emit(ir.Finish(won))
    asm.mark("no-line")
    asm.emit(ir.Branch(ir.Not(ir.Aggregate("exists", free)), asm.at("go-on")))
    asm.emit(ir.Store(asm.ranks, const(1), Type("int", hi=9)),
             ir.Store(asm.ranks + 1, const(1), Type("int", hi=9)), ir.Finish(full))  # fmt: skip
    asm.mark("go-on")
    asm.emit(ir.Zero(((label, 1), (cell, 1))), ir.HeadExit(head))
    asm.emit(
        ir.Store(ir.ACTIVE, ir.Arith("-", const(1), load(ir.ACTIVE)), seat), ir.Jump(asm.at("turn"))
    )
    asm.mark("stuck")
    asm.emit(ir.FaultHere("no-moves", 0))
    asm.procedure("main", "start", "end-of-code", -1)
    return asm
