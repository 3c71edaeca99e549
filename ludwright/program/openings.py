"""Which sealed answers are opened once all have answered.

They are, unless the rulebook hides what they are: an answer that is kept in a hidden variable, or
in a property of a piece that can be out of sight, stays with the seat that gave it. So does one
that only decides what is kept there (`if $order[p] == attack then p.plan = attack`). A sealed piece
is told by where it goes, as every chosen piece is in a game that can hide some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ludwright import program as ir
from ludwright.program.flow import exits
from ludwright.program.nodes import walk

Cells = frozenset[int]  # cells and registers that hold something of the answer


def opened_choices(program: ir.Program) -> frozenset[int]:
    """The `Choose` instructions of sealed decisions whose answers everybody gets to know."""
    sealed = [
        (pc, program.choices[instr.choice])
        for pc, instr in enumerate(program.code)
        if isinstance(instr, ir.Choose) and program.choices[instr.choice].together
    ]
    can_hide = any(place.see != "all" for place in program.world.places)
    hidden = frozenset(
        number
        for number, variable in enumerate(program.variables)
        if not variable.name.startswith("__")  # the compiler's own
        and (can_hide if variable.scope == "piece" else variable.see != "all")
    )
    return frozenset(
        pc
        for pc, choice in sealed
        if choice.result < program.cells  # otherwise no rule asks what was answered
        and not (choice.type.holds_pieces and can_hide)
        and not (hidden and _Following(program, hidden, can_hide).is_kept(pc, choice))
    )


class _Following:
    """Follows an answer through the locals it gets into."""

    def __init__(self, program: ir.Program, hidden: frozenset[int], can_hide: bool) -> None:
        self._program, self._hidden, self._can_hide = program, hidden, can_hide
        self._returns = _return_points(program.code)

    def is_kept(self, pc: int, choice: ir.Choice) -> bool:
        """Whether an answer gets to where not everybody sees it."""
        width = choice.result_type.width * len(self._program.world.seats)
        begun = frozenset(range(choice.result, choice.result + width))
        known: dict[int, Cells] = {pc + 1: begun}
        implied: set[int] = set()  # instructions that are reached or not as the answer says
        open_ends = [pc + 1]
        while open_ends:
            at = open_ends.pop()
            instr, held = self._program.code[at], known[at]
            if self._keeps(instr, held, at in implied):
                return True
            new = self._decided(at, held) - implied
            implied |= new
            open_ends += [other for other in new if other in known]
            after = _after(instr, held, at in implied)
            for following in self._following(at):
                if following not in known or not after <= known[following]:
                    known[following] = known.get(following, frozenset()) | after
                    open_ends.append(following)
        return False

    def _keeps(self, instr: ir.Instr, held: Cells, implied: bool) -> bool:
        match instr:
            case ir.Store(variable=variable) if variable in self._hidden:
                return implied or _reads((instr.value, instr.index), held)
            case ir.MovePiece(piece=moved, place=place) | ir.MoveAll(pieces=moved, place=place):
                return self._can_hide and _reads((moved, place), held)
            case _:
                return False

    def _decided(self, at: int, held: Cells) -> set[int]:
        """The instructions that a jump passes over, if the answer decides about it. What rules
        write is nested, so they lie between the jump and where all ways meet again."""
        code = self._program.code
        match code[at]:
            case ir.Branch(when=test, target=target) if _reads(test, held):
                ends = [target]
            case ir.Switch(value=test, targets=targets, default=target) if _reads(test, held):
                ends = [*targets, target]
            case _:
                return set()
        last = max(ends)
        for end in ends:
            before = code[end - 1] if end > at else None
            if isinstance(before, ir.Jump):
                last = max(last, before.target)
        inside = set(range(at + 1, last))
        called = [instr.entry for pc in inside if isinstance(instr := code[pc], ir.CallProc)]
        return inside | self._whole(called)

    def _whole(self, entries: Iterable[int]) -> set[int]:
        """All of some procedures, and of what they call."""
        by_entry = {each.entry: each for each in self._program.procedures}
        found: set[int] = set()
        left = list(entries)
        while left:
            entry = left.pop()
            if entry in found:
                continue
            body = range(entry, by_entry[entry].end)
            found.update(body)
            instrs = (self._program.code[pc] for pc in body)
            left += [instr.entry for instr in instrs if isinstance(instr, ir.CallProc)]
        return found

    def _following(self, at: int) -> Sequence[int]:
        match self._program.code[at]:
            case ir.CallProc(entry=entry):
                return (entry, at + 1)
            case ir.Return(ret=ret):
                return self._returns.get(ret, ())
            case instr:
                return exits(instr, self._program.choices).at(at)


def _return_points(code: Sequence[ir.Instr]) -> Mapping[int, list[int]]:
    """Where a procedure comes back to, by its return cell."""
    found: dict[int, list[int]] = {}
    for at, instr in enumerate(code):
        if isinstance(instr, ir.CallProc):
            found.setdefault(instr.ret, []).append(at + 1)
    return found


def _after(instr: ir.Instr, held: Cells, implied: bool) -> Cells:
    """What holds something of the answer after an instruction. What a variable in sight of all
    holds is no secret, so nothing is followed through one."""
    match instr:
        case ir.Store(variable=-1, addr=addr, type=type_, index=index):
            written = range(addr, addr + type_.width)
            if index is not None:
                written = range(addr, addr + instr.size * instr.stride)
            if implied or _reads((instr.value, index), held):
                return held | frozenset(written)
            return held if index is not None else held.difference(written)
        case ir.Zero(ranges=ranges):
            return held.difference(at for addr, count in ranges for at in range(addr, addr + count))
        case _:
            return held


def _reads(root: object, held: Cells) -> bool:
    return any(not held.isdisjoint(read) for read in _read_cells(root))


def _read_cells(root: object) -> Iterator[range]:
    for node in walk(tuple(part for part in _parts(root) if part is not None)):
        match node:
            case ir.Load(addr=addr):
                yield range(addr, addr + 1)
            case ir.LoadAt(addr=addr, size=size, stride=stride):
                yield range(addr, addr + size * stride)
            case ir.LoadWide(addr=addr, type=type_, index=index, size=size, stride=stride):
                yield range(addr, addr + (type_.width if index is None else size * stride))
            case _:
                pass


def _parts(root: object) -> tuple[object, ...]:
    return root if isinstance(root, tuple) else (root,)
