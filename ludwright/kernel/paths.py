"""Which instructions can follow which: what a path through the code may still meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from ludwright.kernel import program as ir


def settled(program: ir.Program) -> tuple[frozenset[int], ...]:
    """Per head: the instructions from which on its move only has its effects.

    Nothing is asked or refused any more before the part or the move ends.
    """
    code, choices = program.code, program.choices
    asking = {
        index
        for index, instr in enumerate(code)
        if isinstance(instr, ir.Choose) and not choices[instr.choice].together
    }
    every = frozenset(range(len(code)))
    return tuple(
        every - leading_to(asking.union(program.refusing), code, following)
        for head in range(len(program.heads))
        for following in [[_within(i, instr, choices, head) for i, instr in enumerate(code)]]
    )


def sure(program: ir.Program) -> frozenset[int]:
    """Where paths come to a point from which nothing can refuse before the part ends."""
    following = [
        successors(index, instr, program.choices) for index, instr in enumerate(program.code)
    ]
    unsure = leading_to(program.refusing, program.code, following)
    return frozenset(
        target
        for index in unsure
        for target in following[index]
        if target < len(program.code) and target not in unsure
    )


def leading_to(
    goals: Iterable[int], code: tuple[ir.Instr, ...], following: Sequence[list[int]]
) -> set[int]:
    """The instructions from which one of the goals can be reached; calls and returns are followed,
    for all else `following` says where an instruction may go on.

    A call comes back to where it was made, not to every place that calls the same procedure:
    otherwise whatever follows any call of a procedure would seem to follow all of them.
    """
    before: dict[int, list[int]] = {}  # instruction -> those that lead to it
    calls: dict[int, list[int]] = {}  # entry of a procedure -> its calls
    entries: dict[int, int] = {}  # a call -> the entry of what it calls
    ends: dict[int, list[int]] = {}  # entry of a procedure -> its Returns
    starts = {instr.entry for instr in code if isinstance(instr, ir.CallProc)}
    procedure = 0  # each stands in one piece, from its entry on
    for index, instr in enumerate(code):
        procedure = index if index in starts else procedure
        if isinstance(instr, ir.CallProc):
            calls.setdefault(instr.entry, []).append(index)
            entries[index] = instr.entry
        elif isinstance(instr, ir.Return):
            ends.setdefault(procedure, []).append(index)
        else:
            for target in following[index]:
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


def successors(index: int, instr: ir.Instr, choices: tuple[ir.Choice, ...]) -> list[int]:
    """Where an instruction may go on; nowhere where the move, or the part, ends.

    What is seen already is not revealed, so the part may go on behind a `RevealPiece`. A single
    outcome is no chance, but nothing behind a `Chance` refuses: the compiler sees to that.
    """
    if getattr(instr, "barrier", False):
        return []
    match instr:
        case ir.HeadExit() | ir.Chance() | ir.Finish() | ir.FaultHere():
            return []
        case ir.Jump(target=target):
            return [target]
        case ir.Branch(target=target):
            return [index + 1, target]
        case ir.Switch(targets=targets, default=default):
            return [*targets, default]
        case ir.Choose(choice=number) if choices[number].together:
            return []  # a sealed decision is a barrier
        case ir.Choose(choice=number) if (empty := choices[number].empty) is not None:
            return [index + 1, empty]
        case _:
            return [index + 1]


def _within(index: int, instr: ir.Instr, choices: tuple[ir.Choice, ...], head: int) -> list[int]:
    """As `successors`, but only what surely ends the part or the move of `head` is an end: a
    single outcome is no chance, and a move may hold another."""
    if getattr(instr, "barrier", False):
        return []
    match instr:
        case ir.HeadExit(head=other) if other != head:
            return [index + 1]
        case ir.Chance():
            return [index + 1]
        case _:
            return successors(index, instr, choices)
