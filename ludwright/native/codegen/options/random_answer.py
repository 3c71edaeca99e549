"""Random play draws from candidates, and tests only what it has drawn: see `program.candidates`."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import Int
from ludwright.native.codegen.expressions.conditions import condition, leave_unless_all
from ludwright.native.codegen.expressions.dispatch import new_body
from ludwright.native.codegen.expressions.loads import ConstantList
from ludwright.native.codegen.expressions.set_loops import is_whole_set, whole_set
from ludwright.native.codegen.llvm.builder import Function, Operand
from ludwright.native.codegen.llvm.cases import match
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.state.values import number
from ludwright.program.candidates import Draw

# What `draw` gives, where it is no answer.
DECLINED = -1
MISSED = -2  # nothing that was drawn is an answer


def draw_name(number: int) -> str:
    return f"draw{number}"


def _fits_name(number: int) -> str:
    return f"fits{number}"


def in_random_play(f: Function) -> Operand:
    return f.ctx[layout.MODE].eq(layout.RANDOM)


def write_draws(module: Module) -> None:
    for number_, draw in module.draws.items():
        _draw(module, number_, module.program.choices[number_], draw)


def _fits(module: Module, number_: int, choice: ir.Choice, draw: Draw) -> None:
    """Whether a candidate is an answer."""
    with module.fallible(_fits_name(number_), "i64 value") as f:
        b, value = new_body(module, f), f.param("value")
        if choice.kind == "labels":
            with match(f, value) as cases:
                for at, label in enumerate(choice.labels):
                    if label.guard is not None:
                        with cases.case(at):
                            f.ret_checked(condition(b, label.guard).i64())
            f.ret_checked(1)
            return
        with f.block() as out:
            for register, tests in draw.tests:
                b.put_register(register, value)
                leave_unless_all(b, tests, out)
            f.ret_checked(1)
        f.ret_checked(0)


def _draw(module: Module, number_: int, choice: ir.Choice, draw: Draw) -> None:
    """An answer at random, or DECLINED, or MISSED. To decline is an answer only where there is
    another one. Answers that are a set are not tested one by one."""
    with module.fallible(draw_name(number_)) as f:
        b, count = new_body(module, f), len(draw.candidates)
        values = ConstantList(b, draw.candidates, Int(0, max(draw.candidates)))
        bits = None
        if choice.options is not None and is_whole_set(b, choice.options):
            bits = whole_set(b, b.opened(choice.options))
        if bits is None:
            _fits(module, number_, choice, draw)

        def fits(at: Operand) -> tuple[Operand, Operand]:
            value = number(values[at])
            if bits is not None:
                return value, bits.has(value)
            return value, f.call_checked(_fits_name(number_), f.state, f.context, value).ne(0)

        with f.block() as declined:
            with f.for_range(0, draw.tries):
                at = f.call("i64", "policy", f.context, count + int(choice.optional))
                if choice.optional:
                    f.leave_if(at.eq(count), declined)
                value, good = fits(at)
                with f.if_(good):
                    f.ret_checked(value)
            f.ret_checked(MISSED)
        with f.for_range(0, count) as at, f.if_(fits(at)[1]):
            f.ret_checked(DECLINED)
        f.ret_checked(MISSED)
