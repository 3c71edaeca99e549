"""Which registers cannot stay inside one native function.

A register that several functions use, or that a search for the best takes over from the run that
started it, lies in memory that belongs to the run.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.analysis.shapes import Int
from ludwright.program.flow import within_procedures
from ludwright.program.nodes import walk


def shared_registers(
    program: ir.Program, shapes: Inference, spans: list[tuple[int, int]]
) -> tuple[dict[int, int], int]:
    """Registers that several functions use, each with its word in the memory of the run; and how
    many words that takes."""
    users: dict[int, set[int]] = {}
    for number, (first, end) in enumerate(spans):
        for instr in program.code[first:end]:
            for register in _registers_of(program, instr):
                users.setdefault(register, set()).add(number)
    words = 0
    shared: dict[int, int] = {}
    handed_over = _live_at_best(program)
    for register in sorted(users.keys() | handed_over):
        if len(users.get(register, ())) > 1 or register in handed_over:
            shared[register] = words
            words += max(1, shapes.registers.get(register, Int()).words)
    return shared, max(1, words)


def _registers_of(program: ir.Program, instr: ir.Instr) -> set[int]:
    """Registers named by an instruction, its choice included."""
    choice = (program.choices[instr.choice],) if isinstance(instr, ir.Choose) else ()
    return _registers_in((instr, *choice), program.cells)


def _registers_in(root: object, cells: int) -> set[int]:
    """Registers named by instructions (those inside expressions are bound where they are used)."""
    found: set[int] = set()
    for item in walk(root):
        if isinstance(item, ir.Load | ir.LoadWide | ir.Store | ir.Chance | ir.BestBegin):
            found.add(item.addr)
        elif isinstance(item, ir.Choice):
            found.add(item.result)
        elif isinstance(item, ir.CallProc | ir.Return):
            found.add(item.ret)
    return {register for register in found if register >= cells}


def _live_at_best(program: ir.Program) -> set[int]:
    """Registers that hold something when a search for the best begins."""
    found: set[int] = set()
    for procedure in program.procedures:
        span = range(procedure.entry, procedure.end)
        starts = [pc + 1 for pc in span if isinstance(program.code[pc], ir.BestBegin)]
        if starts:
            live = live_registers(program, span)
            for pc in starts:
                found |= live[pc]
    return found


def _bound_registers(program: ir.Program) -> set[int]:
    """Registers that expressions bind for themselves."""
    found = {register for function in program.functions for register in function.params}
    for item in walk((program.code, program.choices, program.functions)):
        if isinstance(item, ir.Bind | ir.BindSource):
            found.add(item.reg)
        elif isinstance(item, ir.Loop):
            found.update(item.regs)
    return found


def live_registers(program: ir.Program, span: range) -> dict[int, set[int]]:
    """Before each instruction of a procedure: the registers that are still read."""
    bound = _bound_registers(program)
    graph = within_procedures(program.code, program.choices)
    live: dict[int, set[int]] = {pc: set() for pc in range(span.start, span.stop + 1)}
    changed = True
    while changed:
        changed = False
        for pc in reversed(span):
            instr = program.code[pc]
            uses = _registers_of(program, instr) - bound
            defined: set[int] = set()
            if isinstance(instr, ir.Store) and instr.index is None:
                defined = {instr.addr}
                uses = _registers_in(instr.value, program.cells) - bound
            after: set[int] = set()
            for following in graph[pc]:
                after |= live.get(following, set())
            new = uses | (after - defined)
            if new != live[pc]:
                live[pc] = new
                changed = True
    return live
