"""The whole Program as native functions, and `run`, which enters them where the game stopped.

`run(state, ctx, where)` goes on at an *entry*: an instruction, an answer to one, or its offer (see
`layout.Entries`). Small Programs become one function. Larger ones become a function per procedure,
because the time LLVM takes grows faster than a function does; a call is then a native call, and
when a procedure that was entered in the middle returns, `run` goes on at the instruction it returns
to.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.registers import shared_registers
from ludwright.native.codegen.instructions.dispatch import write_instructions
from ludwright.native.codegen.instructions.segment import Segment
from ludwright.native.codegen.llvm.builder import Function, Operand, Var
from ludwright.native.codegen.llvm.cases import match
from ludwright.native.codegen.llvm.module import RUN_PARAMS, Module
from ludwright.native.codegen.options.listing import Options
from ludwright.native.codegen.state.epochs import expect_results_of
from ludwright.native.codegen.state.facts import begin_with_facts
from ludwright.native.errors import NativeUnsupported
from ludwright.program import faults
from ludwright.program.types import INT_MAX

_SMALL = 100  # a Program of fewer instructions becomes one function, a larger one many
_FAILED = f"ret i64 {layout.FAILED}"


def write_program(module: Module, options: Options) -> None:
    """The code of the Program and `run`, its way in."""
    program = module.program
    size = len(program.code)
    spans = [(0, size)]
    if size > _SMALL:
        spans = [(p.entry, p.end) for p in program.procedures]
        spans = sorted((min(span), max(span)) for span in spans)
        if any(one[1] != two[0] for one, two in pairwise(spans)):
            raise NativeUnsupported("procedures that are not one after another")
    shared, module.shared_words = shared_registers(program, module.shapes, spans)
    for span in spans:
        _write_segment(module, options, span, shared)
    _write_run(module, spans)


def _write_segment(
    module: Module, options: Options, span: tuple[int, int], shared: Mapping[int, int]
) -> None:
    name = f"segment{span[0]}"
    with module.function(name, "i64", *RUN_PARAMS, "i64 where", on_fail=_FAILED) as f:
        s = Segment(module, options, *span, shared, f)
        _enter(s)
        write_instructions(s)
        s.place_ends()


def _enter(s: Segment) -> None:
    """Jump to where the run goes on."""
    f, program = s.f, s.program
    entries = layout.Entries(len(program.code))
    plain = {program.entry, *(p.entry for p in program.procedures)}.intersection(
        range(s.first, s.end)
    )
    offers = [pc for pc, instr in s.code() if isinstance(instr, ir.Choose)]
    chances = [pc for pc, instr in s.code() if isinstance(instr, ir.Chance)]
    plain.update(chances)
    for pc, instr in s.code():
        if isinstance(instr, ir.Choose):
            empty = program.choices[instr.choice].empty
            plain |= set() if empty is None else {empty}
        elif isinstance(instr, ir.BestBegin) or (isinstance(instr, ir.CallProc) and not s.whole):
            plain.add(pc + 1)
    bad = f.fail(f.errors.fault(faults.STATE, -1))
    where = f.param("where")
    with f.if_((where >= entries.answer(0)) & (where < entries.offer(0))):
        s.seat.set(f.ctx[layout.STOP_SEAT])
        s.given.set(f.ctx[layout.GIVEN] & layout.GIVEN_KIND)
        s.silent.set(f.ctx[layout.GIVEN] >> layout.GIVEN_SILENT_BIT)
        at = f.ctx[layout.GIVEN_AT]
        s.answer_at.set(at)
        s.answer.set(f.load(at))
        f.switch(
            where, [(entries.answer(pc), s.answered(pc)) for pc in sorted(offers + chances)], bad
        )
    cases = [(entries.offer(pc), s.offer(pc)) for pc in offers]
    f.switch(where, [*cases, *((pc, s.at(pc)) for pc in sorted(plain))], bad)


def _write_run(module: Module, spans: list[tuple[int, int]]) -> None:
    """`run`: call the function an entry belongs to, and go on where it returns to."""
    entries = layout.Entries(len(module.program.code))
    params = (*RUN_PARAMS, "i64 where")
    with module.function("run", "i64", *params, on_fail=_FAILED, exported=True) as f:
        f.ctx[layout.ERROR] = 0
        f.ctx[layout.TICKS_LEFT] = f.ctx[layout.TICKS]
        where = Var(f, init=f.param("where"))
        expect_results_of(module, f.ctx, f.state)
        begin_with_facts(module, f)
        with f.loop(), f.block() as again:
            result = _call_segment(module, f, where.get(), spans)
            with f.if_(result >= 0):
                where.set(result)
                f.br(again)
            if module.searches:
                unfinished = f.ctx[layout.MODE].eq(layout.RANDOM) & result.ne(layout.STOPPED)
                with f.if_(unfinished, likely=False):
                    back = f.call("i1", "goes_back", f.state, f.context, result)
                    with f.if_(back):
                        where.set(f.cell(ir.PC) + entries.offer(0))
                        f.br(again)
                result = f.smax(result, layout.FAILED)
            _leave_run(f, result)


def _call_segment(
    module: Module, f: Function, where: Operand, spans: list[tuple[int, int]]
) -> Operand:
    if len(spans) == 1:
        return f.call("i64", f"segment{spans[0][0]}", f.state, f.context, where)
    pc = f.divide("srem", where, len(module.program.code))
    owners: list[int] = []
    for number, (first, end) in enumerate(spans):
        owners += [number] * (end - first)
    f.check(pc >= 0, f.errors.fault(faults.STATE, -1))
    result = Var(f)
    with match(f, f.load(module.table(f, owners), pc, "i32")) as cases:
        for number, (first, _) in enumerate(spans):
            with cases.case(number) if number else cases.default():
                result.set(f.call("i64", f"segment{first}", f.state, f.context, where))
    return result.get()


def _leave_run(f: Function, result: Operand) -> None:
    stopped = result.eq(layout.STOPPED)
    played = (f.ctx[layout.MODE] & (layout.STEP | layout.RANDOM)).ne(0)
    full = f.cell(ir.LOG).eq(INT_MAX) & played
    f.check(~(stopped & full), f.errors.fault(faults.LOG_FULL, -1))
    f.ret(result)
