"""The computed values of `show`, which people look at."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import Shape
from ludwright.native.codegen.expressions.dispatch import new_body
from ludwright.native.codegen.llvm.builder import PAIR, Function, Operand
from ludwright.native.codegen.llvm.module import RUN_PARAMS, Module
from ludwright.native.codegen.state.epochs import next_epoch, results_belong_to
from ludwright.native.codegen.state.values import write


def add_shown(module: Module) -> tuple[Shape, ...]:
    """`shown`: all of them at once, one after another. Each is a word, which is 0 where it cannot
    be computed, and its own words; one for each seat comes as often as there are seats.

    Gives the shapes of the values.
    """
    program = module.program
    shapes = tuple(module.shapes.of(shown.value) for shown in program.shown)
    for number, (shown, shape) in enumerate(zip(program.shown, shapes, strict=True)):
        _one(module, number, shown, shape)
    with module.function("shown", "i64", *RUN_PARAMS, "ptr to", exported=True) as f:
        next_epoch(module, f)
        f.ctx[layout.TICKS_LEFT] = f.ctx[layout.TICKS]
        at = 0
        for number, (shown, shape) in enumerate(zip(program.shown, shapes, strict=True)):
            for seat in range(1 if shown.seat is None else len(program.world.seats)):
                to = f.gep(f.param("to"), at)
                plays = f.true if shown.seat is None else f.cell(ir.PLAYERS) > seat
                with f.if_(plays):
                    f.store(to, 0, _computed(f, number, seat, f.gep(to, 1)))
                at += 1 + shape.words
        results_belong_to(module, f.ctx, f.null)
        f.ret(at)
    return shapes


def _computed(f: Function, number: int, seat: int, to: Operand) -> Operand:
    """1 if a value can be computed, which is then written."""
    _, failed = f.halves(f.call(PAIR, f"show{number}", f.state, f.context, seat, to))
    return f.select(failed, 0, f.value(1))


def _one(module: Module, number: int, shown: ir.Shown, shape: Shape) -> None:
    with module.fallible(f"show{number}", "i64 seat", "ptr to") as f:
        body = new_body(module, f)
        if shown.seat is not None:
            body.put_register(shown.seat, f.param("seat"))
        write(f.param("to"), shape, body.expr(shown.value))
        f.ret_checked(1)
