"""How decisions are called: every decision of a move has an id of its own.

An id is the way from the start of the move to the choice, `train.pick@2.$space[0]`: the calls, the
bind, and one index for each loop around them. A call is left out where the move cannot meet the
same bind elsewhere on a way through it, so most ids are just the bind. The second call of one name
in a procedure is `pick@2`, the second statement with one bind `$space@2`.

Why two decisions of one move never share an id: let two of them have the same bind, and look at
the innermost procedure that holds both. If they are statements of it they have different numbers.
If one is a statement and one is behind a call, or both are behind different calls, each of these
calls has the bind elsewhere on a way through it, so it is named; and named calls of one procedure
have different names or numbers. If both are the same statement on different passes of a loop, an
index differs. What excludes each other (the branches of an `if`, the actions of one offer, the
sides of a card, the special activities of one operation) may share an id: a move meets only one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ludwright.kernel import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import SPECIAL, Lowering


def name_choices(game: Lowering) -> None:
    """Number the statements and name the calls that an id needs."""
    naming = _Naming(game)
    for code in game.codes:
        for start, end in _moves_in(code):
            naming.name(code, start, end)


def _moves_in(code: Code) -> Iterator[tuple[int, int]]:
    """The stretches of a procedure that lie inside one move: all of it, or each of the moves that
    it opens."""
    opened: dict[int, int] = {}
    for at, instr in enumerate(code.instrs):
        if isinstance(instr, ir.HeadEnter):
            opened[instr.head] = at
        elif isinstance(instr, ir.HeadExit) and instr.head in opened:
            yield opened[instr.head], at
    if not opened:
        yield 0, len(code.instrs)


@dataclass(frozen=True)
class _Met:
    """A bind that an instruction can meet: itself (`own`), or behind a call. What belongs to
    different special activities (`special` > 0) of one operation excludes each other."""

    bind: str
    own: bool
    special: int

    def excludes(self, other: _Met) -> bool:
        return 0 < self.special != other.special > 0


class _Naming:
    def __init__(self, game: Lowering) -> None:
        self._game = game
        self._by_entry = {code.entry: code for code in game.codes}
        self._names: dict[int, frozenset[str]] = {}

    def name(self, code: Code, start: int, end: int) -> None:
        met = [self._met(code, at) for at in range(start, end)]
        around = _around(self._game, code, start, met)
        statements: dict[str, list[int]] = {}  # name -> where its statements keep their answers
        calls: Counter[str] = Counter()
        calls[SPECIAL] = 1  # what this word may stand for already
        for at, here, others in zip(range(start, end), met, around, strict=True):
            instr = code.instrs[at]
            if isinstance(instr, ir.Choose):
                binds = {mine.bind for mine in here}
                if any(other.own and other.bind in binds for other in others):
                    self._number(instr.choice, statements)
            elif isinstance(instr, ir.CallProc):
                callee = self._by_entry[instr.entry]
                binds = {other.bind for other in others}
                names = tuple(n for n in sorted(self._behind(callee)) if _bind(n) in binds)
                if names:
                    word = re.sub(r"[^\w-]", "_", callee.name)
                    calls[word] += 1
                    segment = word if calls[word] == 1 else f"{word}@{calls[word]}"
                    code.calls[at] = replace(code.calls[at], segment=segment, names=names)

    def _number(self, number: int, statements: dict[str, list[int]]) -> None:
        choice = self._game.choices[number]
        known = statements.setdefault(choice.name, [])
        if choice.result not in known:  # `each` has several instructions for one statement
            known.append(choice.result)
        count = known.index(choice.result) + 1
        if count > 1:
            self._game.choices[number] = replace(choice, path=f"{choice.name}@{count}")

    def _met(self, code: Code, at: int) -> frozenset[_Met]:
        instr = code.instrs[at]
        special = next((n for n, body in enumerate(code.specials, 1) if at in body), 0)
        if isinstance(instr, ir.Choose):
            choice = self._game.choices[instr.choice]
            if choice.silent:  # never asked, so it needs no id
                return frozenset()
            return frozenset((_Met(_bind(choice.name), True, special),))
        if isinstance(instr, ir.CallProc):
            names = self._behind(self._by_entry[instr.entry])
            return frozenset(_Met(_bind(name), False, special) for name in names)
        return frozenset()

    def _behind(self, code: Code) -> frozenset[str]:
        """The names of all decisions that a procedure can meet."""
        if code.entry not in self._names:
            found: set[str] = set()
            for instr in code.instrs:
                if isinstance(instr, ir.Choose):
                    choice = self._game.choices[instr.choice]
                    found |= set() if choice.silent else {choice.name}
                elif isinstance(instr, ir.CallProc):
                    found |= self._behind(self._by_entry[instr.entry])
            self._names[code.entry] = frozenset(found)
        return self._names[code.entry]


def _bind(name: str) -> str:
    """What must not be met twice: `special.$at` counts as `$at`, which it might be confused with
    where a procedure is called `special`."""
    return name.removeprefix(f"{SPECIAL}.")


def _around(
    game: Lowering, code: Code, start: int, met: list[frozenset[_Met]]
) -> list[frozenset[_Met]]:
    """What else each instruction can meet on one way through it, earlier or later. Going round a
    loop is not counted: the index tells its passes apart."""
    size = len(met)
    forward: list[list[int]] = []
    for at in range(size):
        targets = (to - start for to in _following(game, code, start + at))
        forward.append([to for to in targets if at < to < size])
    nothing: frozenset[_Met] = frozenset()
    ahead, before = [nothing] * size, [nothing] * size
    for at in range(size - 1, -1, -1):
        for to in forward[at]:
            ahead[at] |= ahead[to] | met[to]
    for at in range(size):
        for to in forward[at]:
            before[to] |= before[at] | met[at]
    return [
        frozenset(
            other
            for other in ahead[at] | before[at]
            if not any(mine.excludes(other) for mine in met[at])
        )
        if met[at]
        else nothing
        for at in range(size)
    ]


def _following(game: Lowering, code: Code, at: int) -> list[int]:
    instr = code.instrs[at]
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
        case ir.Return() | ir.Finish() | ir.FaultHere():
            labels = []
        case _:
            return [at + 1]
    return [code.marks[label] for label in labels]
