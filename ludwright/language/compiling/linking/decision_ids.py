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

from ludwright import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import SPECIAL, Lowering


def name_choices(lowering: Lowering) -> None:
    """Number the statements and name the calls that an id needs."""
    naming = _Naming(lowering)
    for code in lowering.codes:
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
    def __init__(self, lowering: Lowering) -> None:
        self._lowering = lowering
        self._by_entry = {code.entry: code for code in lowering.codes}
        self._names: dict[int, frozenset[str]] = {}

    def name(self, code: Code, start: int, end: int) -> None:
        met = [self._met(code, at) for at in range(start, end)]
        around = _Around(code, start, met)
        statements: dict[str, list[int]] = {}  # name -> where its statements keep their answers
        calls: Counter[str] = Counter()
        calls[SPECIAL] = 1  # what this word may stand for already
        for at in range(start, end):
            instr = code.instrs[at]
            if isinstance(instr, ir.Choose):
                if any(around.meets(at, mine.bind, own=True) for mine in met[at - start]):
                    self._number(instr.choice, statements)
            elif isinstance(instr, ir.CallProc):
                callee = self._by_entry[instr.entry]
                behind = sorted(self._behind(callee))
                names = tuple(n for n in behind if around.meets(at, _bind(n), own=False))
                if names:
                    word = re.sub(r"[^\w-]", "_", callee.name)
                    calls[word] += 1
                    segment = word if calls[word] == 1 else f"{word}@{calls[word]}"
                    code.calls[at] = replace(code.calls[at], segment=segment, names=names)

    def _number(self, number: int, statements: dict[str, list[int]]) -> None:
        choice = self._lowering.choices[number]
        known = statements.setdefault(choice.name, [])
        if choice.result not in known:  # `each` has several instructions for one statement
            known.append(choice.result)
        count = known.index(choice.result) + 1
        if count > 1:
            self._lowering.choices[number] = replace(choice, path=f"{choice.name}@{count}")

    def _met(self, code: Code, at: int) -> frozenset[_Met]:
        instr = code.instrs[at]
        special = next((n for n, body in enumerate(code.specials, 1) if at in body), 0)
        if isinstance(instr, ir.Choose):
            choice = self._lowering.choices[instr.choice]
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
                    choice = self._lowering.choices[instr.choice]
                    found |= set() if choice.silent else {choice.name}
                elif isinstance(instr, ir.CallProc):
                    found |= self._behind(self._by_entry[instr.entry])
            self._names[code.entry] = frozenset(found)
        return self._names[code.entry]


def _bind(name: str) -> str:
    """What must not be met twice: `special.$at` counts as `$at`, which it might be confused with
    where a procedure is called `special`."""
    return name.removeprefix(f"{SPECIAL}.")


class _Around:
    """What else each instruction can meet on one way through it, earlier or later. Going round a
    loop is not counted: the index tells its passes apart.

    Sets are bits of a number, since a long procedure can meet something else everywhere.
    """

    def __init__(self, code: Code, start: int, met: list[frozenset[_Met]]) -> None:
        self._start, self._met = start, met
        self._all = list(dict.fromkeys(one for here in met for one in here))
        number = {one: 1 << bit for bit, one in enumerate(self._all)}
        self._called: dict[str, int] = {}  # by bind: all that are called so
        for one, bit in number.items():
            self._called[one.bind] = self._called.get(one.bind, 0) | bit
        masks = [sum(number[one] for one in here) for here in met]
        size = len(met)
        forward: list[list[int]] = []
        for at in range(size):
            targets = (to - start for to in _ahead(code, start + at))
            forward.append([to for to in targets if at < to < size])
        ahead, before = [0] * size, [0] * size
        for at in range(size - 1, -1, -1):
            for to in forward[at]:
                ahead[at] |= ahead[to] | masks[to]
        for at in range(size):
            for to in forward[at]:
                before[to] |= before[at] | masks[at]
        self._around = [one | two for one, two in zip(ahead, before, strict=True)]

    def meets(self, at: int, bind: str, own: bool) -> bool:
        """Whether an instruction can meet a bind elsewhere; `own`: not behind a call."""
        here = self._met[at - self._start]
        mask = self._around[at - self._start] & self._called.get(bind, 0)
        while mask:
            lowest = mask & -mask
            mask ^= lowest
            other = self._all[lowest.bit_length() - 1]
            if (other.own or not own) and not any(mine.excludes(other) for mine in here):
                return True
        return False


def _ahead(code: Code, at: int) -> list[int]:
    """What can follow an instruction, seen from outside its loops: the jump that closes a loop
    leads to what stands behind it."""
    following = code.successors(at)
    closes = isinstance(code.instrs[at], ir.Jump) and any(to <= at for to in following)
    return [at + 1] if closes else following
