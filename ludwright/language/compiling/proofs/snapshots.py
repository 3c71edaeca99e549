"""The proof behind `decisions: snapshot`.

There is one semantics: options read the state as executed so far. A snapshot operation is one for
which the compiler can show that this makes no difference: no effect before a choice writes what
the choice (its options, bounds, guards, or a refusal it leads to) reads. Then all its options are
those of the state before the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language.compiling.lowering import Lowering
from ludwright.program.flow import callees, exits, reachable, suspends
from ludwright.program.nodes import walk

PIECES = "where the pieces are"


def check(lowering: Lowering, program: ir.Program) -> None:
    regions = _Regions(program)
    for operation in lowering.unit.gamedef.operations:
        for procedure in program.procedures:
            if procedure.action < 0 or program.actions[procedure.action].name != operation.action:
                continue
            if operation.decisions == "snapshot":
                _Proof(lowering, program, regions, procedure, operation.id).check()


# ------------------------------------------------------------------------- regions


class _Regions:
    """Which declared thing a cell belongs to, by name; keys do not matter."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.names: dict[int, str] = {}
        for variable in program.variables:
            for cell in range(variable.addr, variable.addr + variable.count * variable.type.width):
                self.names[cell] = f"`{variable.name}`"
        self.functions: dict[int, set[str]] = {}

    def reads(self, node: object) -> set[str]:
        return {region for region, _ in self._walk(node)}

    def locals_read(self, node: object) -> set[int]:
        return {cell for _, cell in self._walk(node) if cell >= 0}

    def _walk(self, node: object) -> Iterator[tuple[str, int]]:
        for item in walk(node):
            if isinstance(item, ir.Load | ir.LoadAt | ir.LoadWide):
                name = self.region(item.addr)
                if name is not None:
                    yield name, -1
                elif self.is_local(item.addr):
                    yield "", item.addr
            elif isinstance(item, ir.PiecesSource | ir.DrawFrom):
                yield PIECES, -1
            elif isinstance(item, ir.CallFn):
                yield from self._walk(self.program.functions[item.fn].body)

    def region(self, addr: int) -> str | None:
        program = self.program
        pieces, places = program.world.piece_count, len(program.world.places)
        if program.piece_place <= addr < program.piece_place + 2 * pieces:
            return PIECES
        if program.place_head <= addr < program.place_head + 2 * places:
            return PIECES
        return self.names.get(addr)

    def is_local(self, addr: int) -> bool:
        """Frames and registers; the header is set anew for every move."""
        return addr >= ir.HEADER and addr not in self.names and self.region(addr) is None


# --------------------------------------------------------------------------- proof


@dataclass
class _Proof:
    lowering: Lowering
    program: ir.Program
    regions: _Regions
    action: ir.Procedure
    name: str
    nodes: list[int] = field(default_factory=list)
    written: dict[int, set[str]] = field(default_factory=dict)  # possibly, before the instruction
    tainted: dict[int, set[int]] = field(default_factory=dict)  # locals that saw an effect

    def check(self) -> None:
        self._collect()
        self._flow()
        for index in self.nodes:
            instr = self.program.code[index]
            if isinstance(instr, ir.Choose):
                self._check_choice(index, self.program.choices[instr.choice])

    def _collect(self) -> None:
        """The instructions of the action and of everything it calls."""
        code = self.program.code
        spans = {p.entry: range(p.entry, p.end) for p in self.program.procedures}
        entries = reachable(
            (self.action.entry,), lambda entry: callees(code[index] for index in spans[entry])
        )
        self.nodes = sorted(index for entry in entries for index in spans[entry])

    def successors(self, index: int) -> list[int]:
        """What can follow an instruction; a procedure returns to all its callers in the action."""
        instr = self.program.code[index]
        match instr:
            case ir.CallProc(entry=entry):
                return [entry]
            case ir.Return(ret=ret) if ret != self.action.ret:
                return [
                    site + 1
                    for site in self.nodes
                    if isinstance(call := self.program.code[site], ir.CallProc) and call.ret == ret
                ]
            case _:
                return exits(instr, self.program.choices).at(index)

    def writes(self, instr: ir.Instr) -> set[str]:
        match instr:
            case ir.Store(addr=addr):
                name = self.regions.region(addr)
                return {name} if name is not None else set()
            case ir.MovePiece() | ir.MoveAll() | ir.SwapInPlace() | ir.MixDeck():
                return {PIECES}
            case ir.Chance(addr=addr):
                name = self.regions.region(addr)
                return {name} if name is not None else set()
            case _:
                return set()

    def _flow(self) -> None:
        self.written = {index: set() for index in self.nodes}
        self.tainted = {index: set() for index in self.nodes}
        work = [self.action.entry]
        seen: set[int] = set()
        while work:
            index = work.pop()
            instr = self.program.code[index]
            written = self.written[index] | self.writes(instr)
            tainted = set(self.tainted[index])
            if isinstance(instr, ir.Store) and self.regions.is_local(instr.addr):
                if self.depends(index, (instr.value, instr.index)):
                    tainted.add(instr.addr)
                elif instr.index is None:
                    tainted.discard(instr.addr)
            for following in self.successors(index):
                grown = not (
                    written <= self.written[following] and tainted <= self.tainted[following]
                )
                if grown or following not in seen:
                    self.written[following] |= written
                    self.tainted[following] |= tainted
                    seen.add(following)
                    work.append(following)

    def depends(self, index: int, node: object) -> set[str]:
        """What an expression at this point reads that an earlier effect may have changed."""
        changed = self.regions.reads(node) & self.written[index]
        changed.discard("")
        if self.regions.locals_read(node) & self.tainted[index]:
            changed.add("a value computed after an earlier effect")
        return changed

    # ------------------------------------------------------------------- verdicts

    def _check_choice(self, index: int, choice: ir.Choice) -> None:
        parts = (choice.options, choice.minimum, choice.maximum, choice.by, choice.labels)
        changed = self.depends(index, parts)
        if not changed:
            changed = self._guard(index) or self._refusal(index)
        site = self.program.sites[choice.site]
        if changed:
            self._error(site.span, choice.name, sorted(changed)[0])
        elif self._after_chance(index):
            self.lowering.unit.error(
                "choice-after-roll",
                site.span,
                f"`{choice.name}` is chosen after a roll, so its options are not known before the "
                f"move",
                f"write `decisions: live` in the operation `{self.name}`",
            )

    def _guard(self, index: int) -> set[str]:
        """A condition that an earlier effect may have changed decides whether this is asked."""
        for branch in self.nodes:
            instr = self.program.code[branch]
            if isinstance(instr, ir.Branch):
                changed = self.depends(branch, instr.when)
            elif isinstance(instr, ir.Switch):
                changed = self.depends(branch, instr.value)
            else:
                continue
            if changed and self._reaches(branch, index) and self._avoids(branch, index):
                return changed
        return set()

    def _refusal(self, index: int) -> set[str]:
        """A refusal between this choice and the next that reads what changed before the choice."""
        before = self.written[index]
        if not before:
            return set()

        def following(at: int) -> list[int]:
            return [] if suspends(self.program.code[at]) else self.successors(at)

        for at in sorted(reachable(self.successors(index), following)):
            instr = self.program.code[at]
            if isinstance(instr, ir.Require) and not instr.fault:
                changed = self.regions.reads(instr.when) & before
                if changed:
                    return changed
        return set()

    def _reaches(self, start: int, goal: int) -> bool:
        return goal in reachable(self.successors(start), self.successors)

    def _avoids(self, start: int, goal: int) -> bool:
        """Whether the action can end from here without passing `goal`."""

        def following(index: int) -> list[int]:
            return [other for other in self.successors(index) if other != goal]

        return any(not self.successors(index) for index in reachable(following(start), following))

    def _after_chance(self, index: int) -> bool:
        return any(
            isinstance(self.program.code[node], ir.Chance) and self._reaches(node, index)
            for node in self.nodes
        )

    def _error(self, span: Span | None, name: str, changed: str) -> None:
        self.lowering.unit.error(
            "snapshot-dependence",
            span,
            f"what can be chosen for `{name}` depends on {changed}, which an earlier effect of "
            f"`{self.name}` changes",
            f"write `decisions: live` in the operation `{self.name}`: what is chosen later then "
            "sees what has changed; or choose all of it first, and test the whole: `require "
            "sum(price(s) for s in $spaces) <= silver`",
        )
