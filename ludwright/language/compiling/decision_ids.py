"""Decisions that need more than their own name: the same bind met twice within one move."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ludwright.kernel import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering


def name_choices(game: Lowering) -> None:
    """A bind that occurs once in the move's call tree is its own id; else `procedure.$bind`."""
    by_entry = {code.entry: code for code in game.codes}
    counts: dict[int, Counter[str]] = {}
    ambiguous: dict[str, set[int]] = {}
    for root in _roots(game.codes, by_entry):
        occurrences = _count(game, root, by_entry, counts)
        for name, number in occurrences.items():
            if number > 1:
                ambiguous.setdefault(name, set()).update(_reached(root, by_entry))
    for code in game.codes:
        for instr in code.instrs:
            if isinstance(instr, ir.Choose):
                choice = game.choices[instr.choice]
                if code.entry in ambiguous.get(choice.name, ()):
                    word = code.name.replace(" ", "_")
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
    if code.entry in known:
        return known[code.entry]
    total: Counter[str] = Counter()
    seen: set[tuple[str, int]] = set()
    for instr in code.instrs:
        if isinstance(instr, ir.Choose):
            choice = game.choices[instr.choice]
            # `each` asks the same pick in two ways: it is one decision
            if (choice.name, choice.result) not in seen:
                seen.add((choice.name, choice.result))
                total[choice.name] += 1
        elif isinstance(instr, ir.CallProc):
            total.update(_count(game, by_entry[instr.entry], by_entry, known))
    known[code.entry] = total
    return total


def _reached(root: Code, by_entry: dict[int, Code]) -> set[int]:
    found = {root.entry}
    stack = [root]
    while stack:
        for instr in stack.pop().instrs:
            if isinstance(instr, ir.CallProc) and instr.entry not in found:
                found.add(instr.entry)
                stack.append(by_entry[instr.entry])
    return found
