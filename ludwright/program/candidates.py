"""Choices from which random play draws before it knows what is offered.

Where it takes long to tell whether something is an answer, random play does not list all answers.
It draws one of the *candidates*, tests that alone, and draws again if it is none. Every answer is
as likely as with a full list. After some misses it lists them after all. Both engines draw alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.program.choices import Choice
from ludwright.program.expressions import (
    Aggregate,
    Arith,
    CallFn,
    Const,
    ConstSource,
    Expr,
    Filter,
    Group,
    ListItem,
    Load,
    Loop,
    MakeList,
    MakeSet,
    Present,
    Reach,
    Source,
    Spend,
    Stream,
    Trail,
    Travel,
)
from ludwright.program.nodes import walk
from ludwright.program.program import Program

_FEW = 3  # listing so few candidates is quicker
_LONG = (Aggregate, Group, MakeList, MakeSet, Reach, Trail, Travel)
_COUNTED = (Spend,)


@dataclass(frozen=True, slots=True)
class Draw:
    """What is drawn for one choice, and what holds if it is an answer."""

    candidates: tuple[int, ...]  # different numbers, none of them negative; labels by their index
    # Registers that hold a candidate, each with its tests; none for labels, which have guards.
    tests: tuple[tuple[int, tuple[Expr, ...]], ...] = ()

    @property
    def tries(self) -> int:
        """How often is drawn before the answers are listed."""
        return max(2, len(self.candidates) // 3)


def draws(program: Program) -> dict[int, Draw]:
    """The choices of a Program that are drawn from candidates, by number."""
    work = _Work(program)
    found = {}
    for number, choice in enumerate(program.choices):
        draw = _draw(choice)
        if draw is not None and work.is_long(choice, draw):
            found[number] = draw
    return found


def _draw(choice: Choice) -> Draw | None:
    if not choice.safe or choice.together:
        return None
    draw = None
    if choice.kind == "labels" and not choice.silent:
        draw = Draw(tuple(range(len(choice.labels))))
    elif choice.kind == "one" and choice.type.kind != "piece" and choice.options is not None:
        draw = _from_stream(choice.options)
    if draw is None or len(draw.candidates) <= _FEW or choice.type.none in draw.candidates:
        return None
    return draw


def _from_stream(source: Source) -> Draw | None:
    """`x for x in constants if …`, or the same with such a stream in the place of constants."""
    if isinstance(source, ConstSource):
        values = tuple(value for value in source.values if isinstance(value, int) and value >= 0)
        different = len(values) == len(source.values) == len(set(values))
        return Draw(values) if different else None
    match source:
        case Stream(clauses=(Loop(regs=(reg,), source=inner), *rest), head=Load(addr=head)):
            filters = tuple(clause.when for clause in rest if isinstance(clause, Filter))
            found = _from_stream(inner)
            if found is None or head != reg or len(filters) != len(rest):
                return None
            return Draw(found.candidates, (*found.tests, (reg, filters)))
        case _:
            return None


class _Work:
    """Which functions of a Program loop, and which count their work."""

    def __init__(self, program: Program) -> None:
        self._loops: set[int] = set()
        self._counted: set[int] = set()
        self._faulty: set[int] = set()
        for number, function in enumerate(program.functions):  # each after those that it calls
            if self._found(function.body, _LONG, self._loops):
                self._loops.add(number)
            if self._found(function.body, _COUNTED, self._counted):
                self._counted.add(number)
            if self._can_fault(function.body):
                self._faulty.add(number)

    def is_long(self, choice: Choice, draw: Draw) -> bool:
        """Whether several tests take long, and none can go wrong: a fault must show whatever is
        drawn. Work that is counted has to be done in full."""
        tests = [test for _, tests in draw.tests for test in tests]
        guards = [label.guard for label in choice.labels if label.guard is not None]
        if self._found((*tests, *guards), _COUNTED, self._counted):
            return False
        if self._can_fault((*tests, *guards)):
            return False
        if choice.kind == "labels":
            return sum(self._found(guard, _LONG, self._loops) for guard in guards) > 1
        return any(self._found(test, _LONG, self._loops) for test in tests)

    def _can_fault(self, node: object) -> bool:
        """Whether something is divided, a list is asked for an item that it may not have, or a
        seat may have no player."""
        return any(
            isinstance(item, ListItem | Present)
            or (isinstance(item, Arith) and item.op in ("//", "%") and not _is_divisor(item.right))
            or (isinstance(item, CallFn) and item.fn in self._faulty)
            for item in walk(node)
        )

    def _found(self, node: object, kinds: tuple[type, ...], functions: set[int]) -> bool:
        return any(
            isinstance(item, kinds) or (isinstance(item, CallFn) and item.fn in functions)
            for item in walk(node)
        )


def _is_divisor(node: Expr) -> bool:
    return isinstance(node, Const) and node.value != 0
