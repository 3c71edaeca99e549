"""Decisions that need more than their own name: the same bind met twice within one move."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ludwright.kernel import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering


def name_choices(game: Lowering) -> None:
    """A bind that a move meets at most once is its own id; else `procedure.$bind`."""
    by_entry = {code.entry: code for code in game.codes}
    counts: dict[int, Counter[str]] = {}
    ambiguous: dict[str, set[int]] = {}
    for root in _roots(game.codes, by_entry):
        occurrences = _count(game, root, by_entry, counts)
        for name, number in occurrences.items():
            if number > 1:
                ambiguous.setdefault(name, set()).update(_reached(root, by_entry))
    for code in game.codes:
        statements: dict[str, list[int]] = {}  # bind -> where each statement keeps its answer
        for instr in code.instrs:
            if isinstance(instr, ir.Choose):
                choice = game.choices[instr.choice]
                if code.entry not in ambiguous.get(choice.name, ()):
                    continue
                known = statements.setdefault(choice.name, [])
                if choice.result not in known:
                    known.append(choice.result)
                number = known.index(choice.result) + 1
                word = code.name.replace(" ", "_") + (f".{number}" if number > 1 else "")
                path = f"{word}.{choice.name}"
                game.choices[instr.choice] = replace(choice, path=path)


def _roots(codes: list[Code], by_entry: dict[int, Code]) -> list[Code]:
    """Where moves begin: actions, and what a decision of the flow calls."""
    roots = [code for code in codes if code.action >= 0]
    called = {
        i.entry
        for code in codes
        if not code.in_move
        for i in code.instrs
        if isinstance(i, ir.CallProc)
    }
    return roots + [by_entry[e] for e in called if by_entry[e].in_move and by_entry[e].action < 0]


def _count(
    game: Lowering, code: Code, by_entry: dict[int, Code], known: dict[int, Counter[str]]
) -> Counter[str]:
    """How often each bind can be met on one way through: the sides of a card, the actions of an
    offer and both branches of an `if` exclude each other. Loops do not count, they have indices."""
    if code.entry in known:
        return known[code.entry]
    size = len(code.instrs)
    ahead: list[Counter[str]] = [Counter() for _ in range(size + 1)]
    for at in range(size - 1, -1, -1):
        instr = code.instrs[at]
        following = [target for target in _following(game, code, at, instr) if at < target <= size]
        most: Counter[str] = ahead[following[0]] if following else Counter()
        for target in following[1:]:
            if ahead[target] is not most:
                most = most | ahead[target]
        if isinstance(instr, ir.Choose):
            name = game.choices[instr.choice].name
            # An operation has several windows, but only one special activity.
            once = name.startswith("special.")
            most = most | Counter((name,)) if once else most + Counter((name,))
        elif isinstance(instr, ir.CallProc):
            most = most + _count(game, by_entry[instr.entry], by_entry, known)
        ahead[at] = most
    known[code.entry] = ahead[0]
    return ahead[0]


def _following(game: Lowering, code: Code, at: int, instr: ir.Instr) -> list[int]:
    match instr:
        case ir.Jump(target=target) if code.marks[target] <= at:
            return [at + 1]  # a loop goes round; once it is done, what follows it comes next
        case ir.Jump(target=target):
            labels: list[int] = [target]
        case ir.Branch(target=target):
            return [at + 1, code.marks[target]]
        case ir.Switch(targets=targets, default=default):
            labels = [*targets, default]
        case ir.Choose(choice=number) if (empty := game.choices[number].empty) is not None:
            return [at + 1, code.marks[empty]]
        case ir.Return() | ir.Finish():
            labels = []
        case _:
            return [at + 1]
    return [code.marks[label] for label in labels]


def _reached(root: Code, by_entry: dict[int, Code]) -> set[int]:
    found = {root.entry}
    stack = [root]
    while stack:
        for instr in stack.pop().instrs:
            if isinstance(instr, ir.CallProc) and instr.entry not in found:
                found.add(instr.entry)
                stack.append(by_entry[instr.entry])
    return found
