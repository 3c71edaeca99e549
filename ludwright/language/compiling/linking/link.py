"""Linking: from procedures with symbolic labels and slots to one flat Program.

A local becomes a cell of the state only if it must survive a decision; all others are registers.
Cells that are dead at a decision are cleared before it, so that equal positions are equal bytes.
Frames overlay along the call tree: a game pays for its deepest chain of calls, not for their sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import is_
from typing import Any, cast

from ludwright import program as ir
from ludwright.language.compiling.addresses import Label, Symbol
from ludwright.language.compiling.code import Code, Frame
from ludwright.language.compiling.linking.liveness import (
    Liveness,
    given,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.program.flow import callees, suspending, suspends
from ludwright.program.nodes import fields_of, parts_of


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
    """One procedure; `live` only if the program can wait in it."""

    code: Code
    live: Liveness | None
    stored: list[int] = field(default_factory=list)  # slots that are cells of the state


def link(lowering: Lowering, main: Code) -> Linked:
    codes = [main, *(code for code in lowering.codes if code is not main)]
    stopping = suspending({code.entry: code.instrs for code in codes})
    filled = given(codes)
    flows = [
        _Flow(code, Liveness(lowering, code, filled) if code.entry in stopping else None)
        for code in codes
    ]
    sealed = {a for c in lowering.choices if c.together for a in (c.result, c.answered)}
    for flow in flows:
        _decide_storage(lowering, flow, stopping, sealed)
    addresses, cells = _place_frames(lowering, flows)
    registers: dict[int, int] = {}

    def address(value: int) -> int:
        if value in addresses:
            return addresses[value]
        if value not in registers:
            registers[value] = cells + len(registers)
        return registers[value]

    blocks = [_with_clearing(lowering, flow, stopping) for flow in flows]
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
            start + moved[index + 1] - 1: relocation.call(call)
            for index, call in code.calls.items()
        }
        references = {
            start + moved[index + 1] - 1: tuple(_local(code.frames[s], addresses[s]) for s in held)
            for index, held in _references(flow, stopping).items()
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
    choices = tuple(relocation.choice(choice) for choice in lowering.choices)
    return Linked(tuple(code_out), choices, tuple(procedures), relocation.node, cells, registers)


def _local(frame: Frame, addr: int) -> ir.Local:
    return ir.Local(frame.name, addr, frame.type, frame.count)


# ------------------------------------------------------------------------ analysis


def _is_stop(instr: ir.Instr, stopping: set[int]) -> bool:
    return suspends(instr) or (isinstance(instr, ir.CallProc) and instr.entry in stopping)


def _decide_storage(lowering: Lowering, flow: _Flow, stopping: set[int], sealed: set[int]) -> None:
    """`sealed`: where all sealed answers, and who has given them, are kept."""
    code, live = flow.code, flow.live
    if live is None:
        return
    kept = live.mask({code.ret} | (lowering.pinned | sealed) & code.frames.keys())
    for index, instr in enumerate(code.instrs):
        if _is_stop(instr, stopping):
            kept |= live.live_across(index)
    flow.stored = live.slots(kept)


def _references(flow: _Flow, stopping: set[int]) -> dict[int, list[int]]:
    """At each instruction where the program can wait: the stored slots that hold pieces."""
    frames, live = flow.code.frames, flow.live
    holding = [addr for addr in flow.stored if frames[addr].type.holds_pieces]
    if live is None or not holding:
        return {}
    stored = live.mask(holding)
    return {
        index: live.slots(stored & live.live_across(index))
        for index, instr in enumerate(flow.code.instrs)
        if _is_stop(instr, stopping)
    }


# ---------------------------------------------------------------------- placement


def _place_frames(lowering: Lowering, flows: list[_Flow]) -> tuple[dict[int, int], int]:
    """Cells for stored slots: behind the frames of everyone who may call this procedure."""
    flow_of = {flow.code.entry: flow for flow in flows}
    size = {
        entry: sum(flow.code.frames[a].cells for a in flow.stored)
        for entry, flow in flow_of.items()
    }
    called = {entry: callees(flow.code.instrs) for entry, flow in flow_of.items()}
    base = dict.fromkeys(flow_of, lowering.unit.layout.cells)
    order = _topological(called)
    for entry in order:
        for callee in called[entry]:
            base[callee] = max(base[callee], base[entry] + size[entry])
    addresses: dict[int, int] = {}
    cells = lowering.unit.layout.cells
    for entry, flow in flow_of.items():
        at = base[entry]
        for addr in flow.stored:
            addresses[addr] = at
            at += flow.code.frames[addr].cells
        cells = max(cells, at)
    return addresses, cells


def _topological(called: dict[int, set[int]]) -> list[int]:
    """Callers before callees; the compiler has refused recursion, so there is no cycle."""
    order: list[int] = []
    state: dict[int, int] = {}
    for root in called:
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
            stack.extend((callee, False) for callee in called[entry] if not state.get(callee))
    order.reverse()
    return order


def _with_clearing(
    lowering: Lowering, flow: _Flow, stopping: set[int]
) -> tuple[list[ir.Instr], list[int]]:
    """The instructions with `Zero` before each stop and return, and where each one went."""
    code, live = flow.code, flow.live
    if live is None or not flow.stored:
        return code.instrs, list(range(len(code.instrs) + 1))
    stored, ret = live.mask(flow.stored), live.mask((code.ret,))
    pinned = live.mask(lowering.pinned & code.frames.keys())
    instrs: list[ir.Instr] = []
    moved: list[int] = []
    for index, instr in enumerate(code.instrs):
        moved.append(len(instrs))
        dead = 0
        if _is_stop(instr, stopping):
            dead = stored & live.dirty(index) & ~(live.live_across(index) | pinned | ret)
            if isinstance(instr, ir.Choose):
                choice = lowering.choices[instr.choice]
                if choice.together:
                    dead &= ~live.mask((choice.result, choice.answered))
        elif isinstance(instr, ir.Return):
            dead = stored & (live.dirty(index) | pinned) & ~ret
        if dead:
            ranges = tuple((addr, code.frames[addr].cells) for addr in live.slots(dead))
            instrs.append(ir.Zero(ranges))
        instrs.append(instr)
    moved.append(len(instrs))
    return instrs, moved


# --------------------------------------------------------------------- relocation


_ATOMS = (int, str, bool, type(None))


class _Relocation:
    """Rewrites symbolic addresses and labels in instructions and expressions."""

    def __init__(self, address: Callable[[int], int], targets: dict[int, int], cells: int) -> None:
        self.address, self.targets, self.cells = address, targets, cells
        self.cache: dict[int, tuple[object, object]] = {}

    def number(self, value: Symbol) -> int:
        return self.targets[value] if isinstance(value, Label) else self.address(value)

    def node(self, node: object) -> object:
        kind = node.__class__
        if kind in _ATOMS:
            return node
        if isinstance(node, Symbol):
            return self.number(node)
        if isinstance(node, tuple):
            items = [self.node(item) for item in node]
            return node if all(map(is_, items, node)) else tuple(items)
        if parts_of(kind) is None or isinstance(node, ir.Const | ir.ConstSource):
            return node  # numbers of constants are values, not addresses
        known = self.cache.get(id(node))
        if known is not None:
            return known[1]
        result: object = node
        changed = False
        parts: list[object] = []
        for name in fields_of(kind):
            before = getattr(node, name)
            after = self.node(before)
            changed = changed or after is not before
            parts.append(after)
        if changed:
            result = cast(Any, kind)(*parts)
        if isinstance(result, ir.LoadWide) and result.addr >= self.cells:
            result = ir.Load(result.addr)  # a register holds the whole value
        # Keep the node alive: its id is the key.
        self.cache[id(node)] = (node, result)
        return result

    def call(self, call: ir.CallSite) -> ir.CallSite:
        result = self.node(call)
        assert isinstance(result, ir.CallSite)
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
