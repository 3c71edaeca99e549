"""The control-flow graph: which instruction can follow which.

`exits` is the one place that knows how control leaves each instruction. All other graphs are made
from it: the one inside a procedure (a call is a single step), the one inside a part or a move (it
ends where the part or the move does), and the graph of calls. Analyses of linked code and of code
under construction use the same functions; before linking, targets are labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from ludwright import program as ir
from ludwright.quick_records import dataclass

Graph = Sequence[Sequence[int]]  # per instruction: those that can follow it
Node = TypeVar("Node")

# ------------------------------------------------------------------ one instruction


@dataclass(frozen=True, slots=True)
class Exits:
    """How control leaves an instruction within its procedure."""

    falls_through: bool  # it can go on with the next instruction
    targets: tuple[int, ...] = ()  # and jump to these

    def at(self, index: int) -> list[int]:
        """The successors of the instruction at an index of linked code."""
        return [index + 1, *self.targets] if self.falls_through else list(self.targets)


_NEXT = Exits(True)
_NOWHERE = Exits(False)

# The instructions that always go on with the next one. A call comes back to it.
SEQUENTIAL = frozenset((
    ir.Store, ir.Zero, ir.CallProc, ir.Tick, ir.Chance, ir.MovePiece, ir.MoveAll, ir.SwapInPlace,
    ir.MixDeck, ir.RevealPiece, ir.Require, ir.HeadEnter, ir.HeadExit, ir.BestBegin, ir.BestEnd,
    ir.RecordPosition, ir.ClearHistory, ir.Emit, ir.Say,
))  # fmt: skip


def exits(instr: ir.Instr, choices: Sequence[ir.Choice]) -> Exits:
    """Where an instruction can go on. A refusal or a fault ends the run, so neither is an exit."""
    if type(instr) in SEQUENTIAL:
        return _NEXT
    match instr:
        case ir.Jump(target=target):
            return Exits(False, (target,))
        case ir.Branch(target=target):
            return Exits(True, (target,))
        case ir.Switch(targets=targets, default=default):
            return Exits(False, (*targets, default))
        case ir.Choose(choice=number):
            empty = choices[number].empty
            return _NEXT if empty is None else Exits(True, (empty,))
        case ir.Return() | ir.Finish() | ir.FaultHere():
            return _NOWHERE
        case _:
            raise TypeError(f"{type(instr).__name__} has no place in the control-flow graph")


def ends_part(instr: ir.Instr, choices: Sequence[ir.Choice]) -> bool:
    """Whether a part always ends here, other than by the end of its move.

    A `RevealPiece` may show nothing new, and a `Chance` with one outcome is not drawn.
    """
    match instr:
        case ir.Choose(choice=number):
            return choices[number].together
        case ir.Store() | ir.Branch() | ir.Switch() | ir.MovePiece() | ir.MoveAll():
            return instr.barrier
        case _:
            return False


# --------------------------------------------------------------------------- graphs


def within_procedures(code: Sequence[ir.Instr], choices: Sequence[ir.Choice]) -> Graph:
    return [exits(instr, choices).at(index) for index, instr in enumerate(code)]


def within_parts(code: Sequence[ir.Instr], choices: Sequence[ir.Choice]) -> Graph:
    """As `within_procedures`, without what follows the end of a part or of a move.

    A `Chance` counts as an end even where it has a single outcome: the compiler makes sure that
    nothing behind it refuses.
    """
    return [
        []
        if isinstance(instr, ir.HeadExit | ir.Chance) or ends_part(instr, choices)
        else exits(instr, choices).at(index)
        for index, instr in enumerate(code)
    ]


def within_move(code: Sequence[ir.Instr], choices: Sequence[ir.Choice], head: int) -> Graph:
    """As `within_procedures`, without what surely lies behind the end of a part, or of the move
    that `head` opens. A move may hold another, which ends earlier."""
    return [
        []
        if (isinstance(instr, ir.HeadExit) and instr.head == head) or ends_part(instr, choices)
        else exits(instr, choices).at(index)
        for index, instr in enumerate(code)
    ]


def reachable(
    starts: Iterable[Node], following: Callable[[Node], Iterable[Node]], limit: int | None = None
) -> set[Node]:
    """Whatever can be reached from the starts, which are included; past a limit the search ends."""
    found = set(starts)
    stack = list(found)
    while stack and (limit is None or len(found) <= limit):
        new = [node for node in following(stack.pop()) if node not in found]
        found.update(new)
        stack += new
    return found


def leaders(code: Sequence[ir.Instr], choices: Sequence[ir.Choice]) -> set[int]:
    """The first instructions of basic blocks, as far as control comes to them from elsewhere than
    the instruction before: targets of jumps, entries of procedures, and where calls return to."""
    found: set[int] = set()
    for index, instr in enumerate(code):
        found.update(exits(instr, choices).targets)
        if isinstance(instr, ir.CallProc):
            found.update((instr.entry, index + 1))
    return found


# ---------------------------------------------------------------------------- calls


def callees(body: Iterable[ir.Instr]) -> set[int]:
    """The entries of the procedures that some code calls."""
    return {instr.entry for instr in body if isinstance(instr, ir.CallProc)}


def callers_first(roots: Iterable[int], bodies: Mapping[int, Sequence[ir.Instr]]) -> list[int]:
    """The procedures that are reached from some of them, by entry: each after all that call it,
    unless calls go round in circles."""
    found: list[int] = []
    begun: set[int] = set()
    stack = [(entry, False) for entry in roots]
    while stack:
        entry, done = stack.pop()
        if done:
            found.append(entry)
        elif entry not in begun:
            begun.add(entry)
            stack.append((entry, True))
            stack += [(callee, False) for callee in sorted(callees(bodies[entry]))]
    return found[::-1]


def suspends(instr: ir.Instr) -> bool:
    """Whether the program can stop at this instruction."""
    return isinstance(instr, ir.Choose | ir.Chance)


def suspending(bodies: Mapping[int, Sequence[ir.Instr]]) -> set[int]:
    """The procedures, by entry, in which the program can stop, also further down in a call."""
    return calling(
        bodies, (entry for entry, body in bodies.items() if any(suspends(instr) for instr in body))
    )


def calling(bodies: Mapping[int, Sequence[ir.Instr]], wanted: Iterable[int]) -> set[int]:
    """The wanted procedures, and all that call one of them, also through others."""
    callers: dict[int, list[int]] = {}
    for entry, body in bodies.items():
        for callee in callees(body):
            callers.setdefault(callee, []).append(entry)
    return reachable(wanted, lambda entry: callers.get(entry, ()))


# ------------------------------------------------------------ what a path still meets


def may_refuse(
    code: Sequence[ir.Instr], choices: Sequence[ir.Choice], refusing: Iterable[int]
) -> set[int]:
    """The instructions from which a refusal can be met before the part or the move ends."""
    return leading_to(refusing, code, within_parts(code, choices))


def commit_points(program: ir.Program) -> frozenset[int]:
    """Where paths first come to a point from which nothing can refuse before the part ends."""
    graph = within_parts(program.code, program.choices)
    refusable = leading_to(program.refusing, program.code, graph)
    return frozenset(
        target
        for index in refusable
        for target in graph[index]
        if target < len(program.code) and target not in refusable
    )


def effects_only(program: ir.Program) -> tuple[frozenset[int], ...]:
    """Per head: the instructions from which on its move only has its effects.

    Nothing is asked or refused any more before the part or the move ends.
    """
    code, choices = program.code, program.choices
    open_points = set(program.refusing)
    open_points.update(
        index
        for index, instr in enumerate(code)
        if isinstance(instr, ir.Choose) and not choices[instr.choice].together
    )
    every = frozenset(range(len(code)))
    return tuple(
        every - leading_to(open_points, code, within_move(code, choices, head))
        for head in range(len(program.heads))
    )


def leading_to(goals: Iterable[int], code: Sequence[ir.Instr], graph: Graph) -> set[int]:
    """The instructions from which one of the goals can be reached; calls and returns are followed,
    for all else the graph says where an instruction may go on.

    A call comes back to where it was made, not to every place that calls the same procedure:
    otherwise whatever follows any call of a procedure would seem to follow all of them.
    """
    before: dict[int, list[int]] = {}  # instruction -> those that lead to it
    calls: dict[int, list[int]] = {}  # entry of a procedure -> its calls
    entries: dict[int, int] = {}  # a call -> the entry of what it calls
    ends: dict[int, list[int]] = {}  # entry of a procedure -> its Returns
    starts = callees(code)
    procedure = 0  # each stands in one piece, from its entry on
    for index, instr in enumerate(code):
        procedure = index if index in starts else procedure
        if isinstance(instr, ir.CallProc):
            calls.setdefault(instr.entry, []).append(index)
            entries[index] = instr.entry
        elif isinstance(instr, ir.Return):
            ends.setdefault(procedure, []).append(index)
        else:
            for target in graph[index]:
                before.setdefault(target, []).append(index)

    def reached(
        sought: Iterable[int], returning: set[int] | None, down: bool, up: bool
    ) -> set[int]:
        """From where a goal is reached, a call being one step if what it calls comes back.

        down: goals inside called procedures count; up: goals after a Return count.
        """
        found = set(sought)
        known = found if returning is None else returning
        stack = list(found)
        while stack:
            index = stack.pop()
            previous = list(before.get(index, ()))
            entry = entries.get(index - 1)
            if entry in known:
                previous.append(index - 1)
            previous += [c for c in calls.get(index, ()) if down or (not up and c + 1 in found)]
            if up and entry is not None:
                previous += ends.get(entry, ())
            new = [item for item in previous if item not in found]
            found.update(new)
            stack += new
        return found

    returning = reached(chain.from_iterable(ends.values()), None, down=False, up=False)
    inside = reached(goals, returning, down=True, up=False)
    return reached(inside, returning, down=False, up=True)
