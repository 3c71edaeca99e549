"""Linking: from procedures with symbolic labels and slots to one flat Program.

A local becomes a cell of the state only if it must survive a decision; all others are registers.
Cells that are dead at a decision are cleared before it, so that equal positions are equal bytes.
Frames overlay along the call tree: a game pays for its deepest chain of calls, not for their sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ludwright.kernel import program as ir
from ludwright.kernel.expression_nodes import parts_of
from ludwright.kernel.types import Type
from ludwright.language.compiling.code import LABEL, Code, Frame
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import FRAME, REGISTER


@dataclass
class Linked:
    code: tuple[ir.Instr, ...]
    choices: tuple[ir.Choice, ...]
    procedures: tuple[ir.Procedure, ...]
    relocate: Callable[[Any], Any]  # for functions, endings and histories, after linking
    cells: int
    register_numbers: dict[int, int]  # grows while more is relocated


@dataclass
class _Flow:
    """What is known of one procedure's slots at each of its instructions."""

    code: Code
    successors: list[list[int]]
    uses: list[set[int]]
    defines: list[set[int]]
    live_in: list[set[int]] = field(default_factory=list)
    live_out: list[set[int]] = field(default_factory=list)
    dirty: list[set[int]] = field(default_factory=list)  # may hold something before it
    stored: list[int] = field(default_factory=list)  # slots that are cells of the state


def link(game: Lowering, main: Code) -> Linked:
    codes = [main, *(code for code in game.codes if code is not main)]
    by_entry = {code.entry: code for code in codes}
    suspending = _suspending(codes, by_entry)
    given = _given(codes)
    flows = [_analyse(game, code, given) for code in codes]
    for flow in flows:
        _decide_storage(game, flow, by_entry, suspending)
    addresses, cells = _place_frames(game, flows, by_entry)
    registers: dict[int, int] = {}

    def address(value: int) -> int:
        if value in addresses:
            return addresses[value]
        if value not in registers:
            registers[value] = cells + len(registers)
        return registers[value]

    blocks = [_with_clearing(game, flow, by_entry, suspending) for flow in flows]
    targets: dict[int, int] = {}
    base = 0
    starts: list[int] = []
    for flow, (instrs, moved) in zip(flows, blocks, strict=True):
        starts.append(base)
        for label, index in flow.code.marks.items():
            targets[label] = base + moved[index]
        base += len(instrs)
    relocation = _Relocation(address, targets, cells)
    code_out: list[ir.Instr] = []
    procedures: list[ir.Procedure] = []
    for flow, (instrs, moved), start in zip(flows, blocks, starts, strict=True):
        for instr in instrs:
            code_out.append(relocation.instr(instr))
        code = flow.code
        calls = {
            start + moved[index + 1] - 1: replace(call, loops=tuple(address(a) for a in call.loops))
            for index, call in code.calls.items()
        }
        references = {
            start + moved[index + 1] - 1: tuple(_local(code.frames[s], addresses[s]) for s in held)
            for index, held in _references(game, flow, suspending).items()
        }
        procedures.append(
            ir.Procedure(
                code.name,
                targets[code.entry],
                start + len(instrs),
                address(code.ret),
                calls,
                code.action,
                tuple(_local(code.frames[slot], addresses[slot]) for slot in flow.stored),
                references,
            )
        )
    choices = tuple(relocation.choice(choice) for choice in game.choices)
    return Linked(tuple(code_out), choices, tuple(procedures), relocation.node, cells, registers)


def _local(frame: Frame, addr: int) -> ir.Local:
    return ir.Local(frame.name, addr, frame.type, frame.count)


# ------------------------------------------------------------------------ analysis


def _suspending(codes: list[Code], by_entry: dict[int, Code]) -> set[int]:
    """Entries of the procedures in which a decision or chance can be met."""
    found = {
        code.entry
        for code in codes
        if any(isinstance(i, ir.Choose | ir.Chance) for i in code.instrs)
    }
    changed = True
    while changed:
        changed = False
        for code in codes:
            if code.entry not in found and any(
                isinstance(i, ir.CallProc) and i.entry in found for i in code.instrs
            ):
                found.add(code.entry)
                changed = True
    return found


_WITHOUT_ADDRESSES = (ir.Const, ir.ConstSource, Type)  # however large their numbers are


def slots_in(node: object, own: dict[int, object] | set[int]) -> set[int]:
    """Frame slots named anywhere in an instruction or expression."""
    found: set[int] = set()
    stack: list[Any] = [node]
    while stack:
        item = stack.pop()
        kind = item.__class__
        if kind is int:
            if item >= FRAME and item in own:
                found.add(item)
        elif isinstance(item, tuple):
            stack.extend(item)
        elif kind not in _WITHOUT_ADDRESSES:
            stack.extend([getattr(item, name) for name in parts_of(kind) or ()])
    return found


def _given(codes: list[Code]) -> set[int]:
    """Slots that somebody else fills before a call: parameters, whether they are read or not."""
    return {
        instr.addr
        for code in codes
        for instr in code.instrs
        if isinstance(instr, ir.Store) and instr.addr >= FRAME and instr.addr not in code.frames
    }


def _analyse(game: Lowering, code: Code, given: set[int]) -> _Flow:
    own: dict[int, object] = dict(code.frames)
    count = len(code.instrs)
    uses: list[set[int]] = []
    defines: list[set[int]] = []
    successors: list[list[int]] = []
    for index, instr in enumerate(code.instrs):
        used, defined = _uses(game, code, index, instr, own)
        uses.append(used)
        defines.append(defined)
        successors.append(_successors(game, code, index, instr, count))
    flow = _Flow(code, successors, uses, defines)
    flow.live_in = [set() for _ in range(count)]
    flow.live_out = [set() for _ in range(count)]
    changed = True
    while changed:
        changed = False
        for index in range(count - 1, -1, -1):
            out: set[int] = set()
            for following in successors[index]:
                out |= flow.live_in[following]
            new = uses[index] | (out - defines[index])
            if out != flow.live_out[index] or new != flow.live_in[index]:
                flow.live_out[index], flow.live_in[index] = out, new
                changed = True
    flow.dirty = [set() for _ in range(count)]
    if count:
        flow.dirty[0] = flow.live_in[0] | {code.ret} | (given & code.frames.keys())
    changed = True
    while changed:
        changed = False
        for index in range(count):
            after = flow.dirty[index] | defines[index]
            for following in successors[index]:
                if not after <= flow.dirty[following]:
                    flow.dirty[following] |= after
                    changed = True
    return flow


def _uses(
    game: Lowering, code: Code, index: int, instr: ir.Instr, own: dict[int, object]
) -> tuple[set[int], set[int]]:
    if isinstance(instr, ir.Choose):
        choice = game.choices[instr.choice]
        used = slots_in(
            (choice.by, choice.options, choice.labels, choice.minimum, choice.maximum), own
        )
        used |= slots_in(choice.loops, own)
        results = slots_in((choice.result, choice.answered), own)
        if choice.kind == "many" or choice.together:
            return used | results, set()
        return used, results
    if isinstance(instr, ir.Chance):
        used = slots_in((instr.outcomes, instr.loops), own)
        return used, slots_in(instr.addr, own)
    if isinstance(instr, ir.Store):
        used = slots_in((instr.value, instr.index), own)
        target = slots_in(instr.addr, own)
        if instr.index is not None:
            return used | target, set()
        return used, target
    if isinstance(instr, ir.BestBegin):
        return set(), slots_in(instr.addr, own)
    if isinstance(instr, ir.CallProc):
        return slots_in(code.calls[index].loops if index in code.calls else (), own), set()
    if isinstance(instr, ir.Return):
        return slots_in(instr.ret, own), set()
    return slots_in(instr, own), set()


def _successors(game: Lowering, code: Code, index: int, instr: ir.Instr, count: int) -> list[int]:
    match instr:
        case ir.Jump(target=target):
            return [code.marks[target]]
        case ir.Branch(target=target):
            return [index + 1, code.marks[target]]
        case ir.Switch(targets=targets, default=default):
            return [code.marks[t] for t in (*targets, default)]
        case ir.Return() | ir.Finish() | ir.FaultHere():
            return []
        case ir.Choose(choice=number) if game.choices[number].empty is not None:
            empty = game.choices[number].empty
            assert empty is not None
            return [index + 1, code.marks[empty]]
        case _:
            return [index + 1] if index + 1 < count else []


def _is_stop(instr: ir.Instr, suspending: set[int]) -> bool:
    return isinstance(instr, ir.Choose | ir.Chance) or (
        isinstance(instr, ir.CallProc) and instr.entry in suspending
    )


def _live_across(game: Lowering, flow: _Flow, index: int) -> set[int]:
    """What must be kept while the program is stopped at (or inside the call at) `index`."""
    instr = flow.code.instrs[index]
    if isinstance(instr, ir.CallProc):
        return flow.live_out[index] | flow.uses[index]
    # The options are computed again from the stopped state, so what they read is kept as well;
    # the answer itself is written only when the program goes on.
    return flow.uses[index] | (flow.live_out[index] - flow.defines[index])


def _decide_storage(
    game: Lowering, flow: _Flow, by_entry: dict[int, Code], suspending: set[int]
) -> None:
    code = flow.code
    if code.entry not in suspending:
        return
    kept: set[int] = {code.ret} | (game.pinned & code.frames.keys())
    for choice in game.choices:
        if choice.together:
            kept |= {a for a in (choice.result, choice.answered) if a in code.frames}
    for index, instr in enumerate(code.instrs):
        if _is_stop(instr, suspending):
            kept |= _live_across(game, flow, index)
    flow.stored = [addr for addr in code.frames if addr in kept]


def _references(game: Lowering, flow: _Flow, suspending: set[int]) -> dict[int, list[int]]:
    """At each instruction where the program can wait: the stored slots that hold pieces."""
    frames = flow.code.frames
    stored = [addr for addr in flow.stored if frames[addr].type.holds_pieces]
    found: dict[int, list[int]] = {}
    for index, instr in enumerate(flow.code.instrs):
        if stored and _is_stop(instr, suspending):
            live = _live_across(game, flow, index)
            found[index] = [addr for addr in stored if addr in live]
    return found


# ---------------------------------------------------------------------- placement


def _place_frames(
    game: Lowering, flows: list[_Flow], by_entry: dict[int, Code]
) -> tuple[dict[int, int], int]:
    """Cells for stored slots: behind the frames of everyone who may call this procedure."""
    flow_of = {flow.code.entry: flow for flow in flows}
    size = {
        entry: sum(flow.code.frames[a].cells for a in flow.stored)
        for entry, flow in flow_of.items()
    }
    callees = {
        entry: {i.entry for i in flow.code.instrs if isinstance(i, ir.CallProc)}
        for entry, flow in flow_of.items()
    }
    base = dict.fromkeys(flow_of, game.unit.layout.cells)
    order = _topological(callees)
    for entry in order:
        for callee in callees[entry]:
            base[callee] = max(base[callee], base[entry] + size[entry])
    addresses: dict[int, int] = {}
    cells = game.unit.layout.cells
    for entry, flow in flow_of.items():
        at = base[entry]
        for addr in flow.stored:
            addresses[addr] = at
            at += flow.code.frames[addr].cells
        cells = max(cells, at)
    return addresses, cells


def _topological(callees: dict[int, set[int]]) -> list[int]:
    """Callers before callees; the compiler has refused recursion, so there is no cycle."""
    order: list[int] = []
    state: dict[int, int] = {}
    for root in callees:
        stack = [(root, False)]
        while stack:
            entry, done = stack.pop()
            if done:
                order.append(entry)
                continue
            if state.get(entry):
                continue
            state[entry] = 1
            stack.append((entry, True))
            stack.extend((callee, False) for callee in callees[entry] if not state.get(callee))
    order.reverse()
    return order


def _with_clearing(
    game: Lowering, flow: _Flow, by_entry: dict[int, Code], suspending: set[int]
) -> tuple[list[ir.Instr], list[int]]:
    """The instructions with `Zero` before each stop and return, and where each one went."""
    code = flow.code
    stored = set(flow.stored)
    instrs: list[ir.Instr] = []
    moved: list[int] = []
    for index, instr in enumerate(code.instrs):
        moved.append(len(instrs))
        dead: set[int] = set()
        if stored and _is_stop(instr, suspending):
            dead = (stored & flow.dirty[index]) - _live_across(game, flow, index)
            dead -= game.pinned | {code.ret}
            if isinstance(instr, ir.Choose):
                choice = game.choices[instr.choice]
                if choice.together:
                    dead -= {choice.result, choice.answered}
        elif stored and isinstance(instr, ir.Return):
            dead = (stored & (flow.dirty[index] | game.pinned)) - {code.ret}
        if dead:
            ranges = tuple((addr, code.frames[addr].cells) for addr in sorted(dead))
            instrs.append(ir.Zero(ranges))
        instrs.append(instr)
    moved.append(len(instrs))
    return instrs, moved


# --------------------------------------------------------------------- relocation


class _Relocation:
    """Rewrites symbolic addresses and labels in instructions and expressions."""

    def __init__(self, address: Callable[[int], int], targets: dict[int, int], cells: int) -> None:
        self.address, self.targets, self.cells = address, targets, cells
        self.cache: dict[int, tuple[object, object]] = {}

    def number(self, value: int) -> int:
        if value >= LABEL:
            return self.targets[value]
        if value >= REGISTER:
            return self.address(value)
        return value

    def node(self, node: object) -> object:
        kind = node.__class__
        if isinstance(node, int) and kind is not bool:
            return self.number(node)
        if isinstance(node, tuple):
            return tuple([self.node(item) for item in node])
        names = None if kind in _WITHOUT_ADDRESSES else parts_of(kind)
        if names is None:
            return node
        known = self.cache.get(id(node))
        if known is not None:
            return known[1]
        parts = {name: self.node(getattr(node, name)) for name in names}
        result: object = cast(Any, kind)(**parts)
        if isinstance(result, ir.LoadWide) and result.addr >= self.cells:
            result = ir.Load(result.addr)  # a register holds the whole value
        # Keep the node alive: its id is the key.
        self.cache[id(node)] = (node, result)
        return result

    def instr(self, instr: ir.Instr) -> ir.Instr:
        result = self.node(instr)
        assert isinstance(result, ir.Instr)
        if isinstance(result, ir.Zero):
            return ir.Zero(_merged(result.ranges))
        return result

    def choice(self, choice: ir.Choice) -> ir.Choice:
        result = self.node(choice)
        assert isinstance(result, ir.Choice)
        return result


def _merged(ranges: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for addr, count in sorted(ranges):
        if merged and merged[-1][0] + merged[-1][1] == addr:
            merged[-1] = (merged[-1][0], merged[-1][1] + count)
        else:
            merged.append((addr, count))
    return tuple(merged)
