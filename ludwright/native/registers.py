"""Which registers cannot stay inside one native function.

A register that several functions use, or that a search for the best takes over from the run that
started it, lies in memory that belongs to the run.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from ludwright.kernel import program as ir
from ludwright.kernel.types import Type
from ludwright.native.module import Module
from ludwright.native.shapes import Int


def shared_registers(module: Module, spans: list[tuple[int, int]]) -> dict[int, int]:
    """Registers that several functions use, with the word each has in the run's own memory."""
    cells = module.program.cells
    users: dict[int, set[int]] = {}
    for number, (first, end) in enumerate(spans):
        for instr in module.program.code[first:end]:
            nodes: list[object] = [instr]
            if isinstance(instr, ir.Choose):
                nodes.append(module.program.choices[instr.choice])
            for register in _registers_in(nodes, cells):
                users.setdefault(register, set()).add(number)
    words = 0
    shared: dict[int, int] = {}
    handed_over = _live_at_best(module.program)
    for register in sorted(users.keys() | handed_over):
        if len(users.get(register, ())) > 1 or register in handed_over:
            shared[register] = words
            words += module.words(module.shapes.registers.get(register, Int()))
    module.shared_words = max(1, words)
    return shared


def _registers_in(nodes: list[object], cells: int) -> set[int]:
    """Registers named by instructions (those inside expressions are bound where they are used)."""
    found: set[int] = set()
    stack: list[object] = list(nodes)
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, ir.Load | ir.LoadWide | ir.Store | ir.Chance | ir.BestBegin):
            if item.addr >= cells:
                found.add(item.addr)
        elif isinstance(item, ir.Choice):
            found.add(item.result)
        elif isinstance(item, ir.CallProc | ir.Return):
            found.add(item.ret)
        if is_dataclass(item) and not isinstance(item, type | Type):
            stack.extend(getattr(item, f.name) for f in fields(item))
    return {register for register in found if register >= cells}


def _live_at_best(program: ir.Program) -> set[int]:
    """Registers that hold something when a search for the best begins."""
    found: set[int] = set()
    bound = _bound_registers(program)
    for procedure in program.procedures:
        span = range(procedure.entry, procedure.end)
        starts = [pc + 1 for pc in span if isinstance(program.code[pc], ir.BestBegin)]
        if starts:
            live = _liveness(program, span, bound)
            for pc in starts:
                found |= live[pc]
    return found


def _bound_registers(program: ir.Program) -> set[int]:
    """Registers that expressions bind for themselves."""
    found: set[int] = set()
    for function in program.functions:
        found.update(function.params)
    stack: list[object] = [*program.code, *program.choices, *program.functions]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
            continue
        if isinstance(item, ir.Bind | ir.BindSource):
            found.add(item.reg)
        elif isinstance(item, ir.Loop):
            found.update(item.regs)
        if is_dataclass(item) and not isinstance(item, type | Type):
            stack.extend(getattr(item, f.name) for f in fields(item))
    return found


def _liveness(program: ir.Program, span: range, bound: set[int]) -> dict[int, set[int]]:
    live: dict[int, set[int]] = {pc: set() for pc in range(span.start, span.stop + 1)}
    changed = True
    while changed:
        changed = False
        for pc in reversed(span):
            instr = program.code[pc]
            nodes: list[object] = [instr]
            if isinstance(instr, ir.Choose):
                nodes.append(program.choices[instr.choice])
            uses = _registers_in(nodes, program.cells) - bound
            defined: set[int] = set()
            if isinstance(instr, ir.Store) and instr.index is None:
                defined = {instr.addr}
                uses = _registers_in([instr.value], program.cells) - bound
            after: set[int] = set()
            for following in _successors(program, pc, instr):
                after |= live.get(following, set())
            new = uses | (after - defined)
            if new != live[pc]:
                live[pc] = new
                changed = True
    return live


def _successors(program: ir.Program, pc: int, instr: ir.Instr) -> list[int]:
    match instr:
        case ir.Jump(target=target):
            return [target]
        case ir.Branch(target=target):
            return [pc + 1, target]
        case ir.Switch(targets=targets, default=default):
            return [*targets, default]
        case ir.Return() | ir.Finish() | ir.FaultHere():
            return []
        case ir.Choose(choice=number):
            empty = program.choices[number].empty
            return [pc + 1] if empty is None else [pc + 1, empty]
        case _:
            return [pc + 1]
