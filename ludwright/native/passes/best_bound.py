"""A value that no way through a `best` block can exceed, found without looking at pieces.

A search for the largest value of a block walks every way, often only to learn that none is better
than the first. So the block is written once more, *relaxed*: it does not know where pieces lie and
moves none. A condition that asks about pieces may hold or not, and both ways are followed; an
option that depends on them may always be taken; a choice that matters only to pieces is left out.
What remains (dice, counters) has few ways. Each real way is one of them, so the largest of their
values bounds the real one. Random play ends its search where a way reaches the bound, and gives its
answers without tests.

This relies on every way of the block being a way of the relaxed code, with the same values in the
cells that are known there. Faults of relaxed ways count as refusals, since no real way need meet
them. A block with anything that is not understood here has no bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ludwright import program as ir
from ludwright.native.analysis.registers import live_registers
from ludwright.program.nodes import walk
from ludwright.program.types import Overflow, Type

_FIRST_NUMBER = 1 << 30  # of relaxed blocks, beyond those that the compiler gives
_MOST_CALLS = 16  # written out in one block
_FAR = 32  # instructions that are followed to see where two ways meet
_UNKNOWN = (ir.PiecesSource, ir.DrawFrom, ir.Times, ir.Spend)
_DROPPED = (
    ir.MovePiece, ir.MoveAll, ir.SwapInPlace, ir.MixDeck, ir.RevealPiece, ir.Emit, ir.Say,
)  # fmt: skip
_EITHER = ir.ConstSource((0, 1))
_BOOL = Type("int", lo=0, hi=1)

Label = tuple[int, int]  # a call that is written out, and an instruction in it


@dataclass(frozen=True)
class Bound:
    """The relaxed code of a block: where it begins, and its number."""

    entry: int
    number: int


class _NotUnderstood(Exception):
    """The block has no bound."""


def with_bounds(program: ir.Program) -> tuple[ir.Program, dict[int, Bound]]:
    """The Program with relaxed code behind its own, and the bounds by the number of the block."""
    bounds: dict[int, Bound] = {}
    for pc, instr in enumerate(program.code):
        if isinstance(instr, ir.BestBegin):
            number = _FIRST_NUMBER + len(bounds)
            try:
                relaxed = _Relaxed(program, pc, number).program()
            except _NotUnderstood:
                continue
            bounds[instr.best] = Bound(len(program.code), number)
            program = relaxed
    return program, bounds


class _Relaxed:
    """One block, relaxed. `_lines` are its instructions, calls written out."""

    def __init__(self, program: ir.Program, begin: int, number: int) -> None:
        self._program, self._number = program, number
        instr = program.code[begin]
        assert isinstance(instr, ir.BestBegin)
        end = next(
            pc
            for pc, other in enumerate(program.code)
            if isinstance(other, ir.BestEnd) and other.best == instr.best
        )
        self._lines: list[tuple[int, int, ir.Instr]] = []
        self._calls: dict[Label, Label] = {}
        self._returns: dict[int, Label] = {}
        self._gather(0, range(begin + 1, end + 1))
        self._functions: dict[int, bool] = {}
        self._unknown = _piece_cells(program)
        self._find_unknown()
        self._needed = self._find_needed()
        self._choices = list(program.choices)
        self._register = program.cells + program.registers  # of a condition that may hold or not

    # ---------------------------------------------------------------- the block

    def _gather(self, call: int, span: range) -> None:
        """Collect the instructions of a block or procedure, then those of what it calls."""
        for pc in span:
            instr = self._program.code[pc]
            self._lines.append((call, pc, instr))
            if getattr(instr, "barrier", False):
                raise _NotUnderstood
            if isinstance(instr, ir.CallProc):
                new = len(self._returns) + 1
                callee = next(p for p in self._program.procedures if p.entry == instr.entry)
                if new > _MOST_CALLS:
                    raise _NotUnderstood
                self._calls[call, pc] = new, callee.entry
                self._returns[new] = call, pc + 1
                self._gather(new, range(callee.entry, callee.end))

    # ----------------------------------------------------------- what is known

    def _known(self, root: object) -> bool:
        """Whether a node can be computed without looking at pieces."""
        return all(self._node_known(node) for node in walk(root))

    def _node_known(self, node: object) -> bool:
        if isinstance(node, ir.CallFn):
            if node.fn not in self._functions:
                self._functions[node.fn] = False  # for one that calls itself
                self._functions[node.fn] = self._known(self._program.functions[node.fn].body)
            return self._functions[node.fn]
        return not isinstance(node, _UNKNOWN) and self._unknown.isdisjoint(_read(node))

    def _find_unknown(self) -> None:
        """Cells and registers that are computed from pieces are unknown, too."""
        before = -1
        while before < len(self._unknown):
            before = len(self._unknown)
            self._functions.clear()
            for _, _, instr in self._lines:
                if isinstance(instr, ir.Store) and not self._known((instr.value, instr.index)):
                    self._unknown.update(_written(instr))
                elif isinstance(instr, ir.Choose):
                    choice = self._plain(instr.choice)
                    assert choice.options is not None
                    if self._relaxed(choice.options) is None:
                        self._unknown.update(_answered(choice))

    def _plain(self, number: int) -> ir.Choice:
        choice = self._program.choices[number]
        plain = choice.kind == "one" and not (choice.optional or choice.silent or choice.together)
        if not plain or choice.empty is not None or not self._known(choice.by):
            raise _NotUnderstood
        return choice

    def _relaxed(self, source: ir.Source) -> ir.Source | None:
        """A source with at least the same elements; None if nothing is known of them."""
        if self._known(source):
            return source
        match source:
            case ir.Stream(clauses=clauses, head=head):
                kept: list[ir.Loop | ir.Filter | ir.Until] = []
                for clause in clauses:
                    if isinstance(clause, ir.Loop):
                        inner = self._relaxed(clause.source)
                        if inner is None:
                            return None
                        kept.append(replace(clause, source=inner))
                    elif self._known(clause):
                        kept.append(clause)
                    elif isinstance(clause, ir.Until):
                        return None
                return ir.Stream(tuple(kept), head) if self._known(head) else None
            case ir.BindSource(reg=reg, value=value, body=body):
                inner = self._relaxed(body)
                known = inner is not None and self._known(value)
                return ir.BindSource(reg, value, inner) if inner is not None and known else None
            case _:
                return None

    def _find_needed(self) -> set[int]:
        """The cells and registers that the way and its value depend on."""
        needed: set[int] = set()
        before = -1
        while before < len(needed):
            before = len(needed)
            for _, _, instr in self._lines:
                if isinstance(instr, _DROPPED):
                    continue
                match instr:
                    case ir.Store() if needed.isdisjoint(_written(instr)):
                        continue
                    case ir.Branch(when=when) | ir.Require(when=when) if not self._known(when):
                        continue
                    case ir.Choose(choice=number):
                        choice = self._program.choices[number]
                        needed |= self._reads(choice.by)
                        if not needed.isdisjoint(_answered(choice)):
                            assert choice.options is not None
                            needed |= self._reads(self._relaxed(choice.options) or ())
                    case _:
                        needed |= self._reads(instr)
        return needed

    def _reads(self, root: object) -> set[int]:
        found: set[int] = set()
        for node in walk(root):
            found.update(_read(node))
            if isinstance(node, ir.CallFn) and self._node_known(node):
                found |= self._reads(self._program.functions[node.fn].body)
        return found

    # ------------------------------------------------------------------ the code

    def program(self) -> ir.Program:
        program = self._program
        first = at = len(program.code)
        places: dict[Label, int] = {}
        for call, pc, instr in self._lines:
            places[call, pc] = at
            at += self._size(call, pc, instr)
        code: list[ir.Instr] = []
        for call, pc, instr in self._lines:
            if self._size(call, pc, instr):
                code += self._written_anew(call, pc, instr, places)
        end = first + len(code)
        relaxed = replace(
            program,
            code=(*program.code, *code),
            choices=tuple(self._choices),
            procedures=(*program.procedures, ir.Procedure("", first, end, self._register)),
            registers=program.registers + 1,
            refusing=(*program.refusing, *range(first, end)),
        )
        self._check_registers(relaxed, range(first, end))
        return relaxed

    def _check_registers(self, relaxed: ir.Program, span: range) -> None:
        """Give up if a question of the relaxed code would lose a register that is still needed."""
        live = live_registers(relaxed, span)
        for pc in span:
            instr = relaxed.code[pc]
            if isinstance(instr, ir.Choose):
                answer = relaxed.choices[instr.choice].result
                if live[pc + 1] - {answer, self._register}:
                    raise _NotUnderstood

    def _size(self, call: int, pc: int, instr: ir.Instr) -> int:
        """How many relaxed instructions an instruction becomes."""
        match instr:
            case ir.Store():
                return 0 if self._needed.isdisjoint(_written(instr)) else 1
            case ir.Require(when=when):
                return int(self._known(when))
            case ir.Branch(when=when):
                known = self._known(when)
                return 1 if known else 0 if self._landing((call, pc), _FAR) != (call, pc) else 2
            case ir.Choose(choice=number):
                return int(not self._needed.isdisjoint(_answered(self._program.choices[number])))
            case _:
                return 0 if isinstance(instr, _DROPPED) else 1

    def _landing(self, label: Label, far: int) -> Label:
        """The first place from a label on at which the relaxed code does anything. A condition that
        nobody knows is passed by if both ways from it lead to the same place."""
        call, pc = label
        instr = self._program.code[pc]
        match instr:
            case _ if far == 0:
                return label
            case ir.Jump(target=target):
                return self._landing((call, target), far - 1)
            case ir.CallProc():
                return self._landing(self._calls[label], far - 1)
            case ir.Return():
                return self._landing(self._returns[call], far - 1)
            case ir.Branch(when=when, target=target) if not self._known(when):
                ways = {self._landing((call, to), far - 1) for to in (pc + 1, target)}
                return ways.pop() if len(ways) == 1 else label
            case ir.Branch():
                return label
            case _ if self._size(call, pc, instr):
                return label
            case _:
                return self._landing((call, pc + 1), far - 1)

    def _written_anew(
        self, call: int, pc: int, instr: ir.Instr, places: dict[Label, int]
    ) -> list[ir.Instr]:
        def place(target: int) -> int:
            if (call, target) not in places:
                raise _NotUnderstood
            return places[call, target]

        match instr:
            case ir.Store(value=value, index=index):
                if not self._known((value, index)):
                    raise _NotUnderstood  # the value depends on where pieces lie
                return [replace(instr, overflow=_refusing(instr.overflow), variable=-1)]
            case ir.Require():
                return [replace(instr, fault=False)]
            case ir.Zero() | ir.Tick():
                return [instr]
            case ir.Jump(target=target):
                return [ir.Jump(place(target))]
            case ir.CallProc():
                return [ir.Jump(places[self._calls[call, pc]])]
            case ir.Return():
                return [ir.Jump(places[self._returns[call]])]
            case ir.Branch(when=when, target=target) if self._known(when):
                return [ir.Branch(when, place(target))]
            case ir.Branch(target=target):
                return [self._either(), ir.Branch(ir.Load(self._register), place(target))]
            case ir.Choose(choice=number):
                return [self._choose(number)]
            case ir.BestEnd(value=value) if self._known(value):
                return [replace(instr, best=self._number)]
            case _:
                raise _NotUnderstood

    def _choose(self, number: int) -> ir.Choose:
        choice = self._program.choices[number]
        assert choice.options is not None
        options = self._relaxed(choice.options)
        if options is None:
            raise _NotUnderstood
        return self._add(replace(choice, options=options, finish=None))

    def _either(self) -> ir.Choose:
        """Ask whether a condition holds; whoever decides in the block is asked."""
        asked = [i.choice for _, _, i in self._lines if isinstance(i, ir.Choose)]
        if not asked:
            raise _NotUnderstood
        by = self._program.choices[asked[0]].by
        return self._add(ir.Choice("", "choice", "one", _BOOL, self._register, _BOOL, by, _EITHER))

    def _add(self, choice: ir.Choice) -> ir.Choose:
        self._choices.append(choice)
        return ir.Choose(len(self._choices) - 1)


def _refusing(overflow: Overflow) -> Overflow:
    return "refuse" if overflow == "fault" else overflow


def _piece_cells(program: ir.Program) -> set[int]:
    """All that moving and revealing pieces changes."""
    pieces, places = program.world.piece_count, len(program.world.places)
    found = {*program.deck_top.values(), *program.deck_bottom.values()}
    for first, count in (
        (program.piece_place, pieces), (program.piece_next, pieces), (program.revealed, pieces),
        (program.place_head, places), (program.place_count, places),
    ):  # fmt: skip
        found.update(range(first, first + count) if first >= 0 else ())
    return found


def _written(store: ir.Store) -> Iterable[int]:
    size = 1 if store.index is None else store.size
    return range(store.addr, store.addr + size * max(store.stride, store.type.width))


def _answered(choice: ir.Choice) -> Iterable[int]:
    """The cells, or the register, of an answer."""
    return range(choice.result, choice.result + choice.result_type.width)


def _read(node: object) -> Iterable[int]:
    """The cells and registers that a node itself reads."""
    match node:
        case ir.Load(addr=addr):
            return (addr,)
        case ir.LoadAt(addr=addr, size=size, stride=stride):
            return range(addr, addr + size * stride)
        case ir.LoadWide(addr=addr, type=type_, size=size, stride=stride):
            return range(addr, addr + max(1, size) * max(stride, type_.width))
        case _:
            return ()
