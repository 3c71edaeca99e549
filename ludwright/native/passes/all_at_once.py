"""A condition on each space, tested for all spaces at once: `c for c in board if any(jumps(c))`.

Such a condition looks at the space itself, at neighbours of it, or along rays. `following` follows
it once for all spaces together, and what comes out is a set as an expression over facts.

This relies on the condition being unable to fail, on sets of at most two words, and on the set
taking no longer than looking at each space: its operations are counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.passes.following import Clause, Following, Unknown
from ludwright.native.passes.index_lookup import conjuncts
from ludwright.native.passes.list_once import alike, renamed
from ludwright.native.passes.masks import (
    Both,
    Either,
    Fact,
    Families,
    Family,
    Fixed,
    Mask,
    Moved,
    Others,
    families,
    parts,
)
from ludwright.program.nodes import walk

_MOST_SPACES = 128  # two words
_MOST_OPERATIONS = 16  # for each space that would be looked at otherwise
_LOOPS = (ir.Aggregate, ir.CallFn)


@dataclass(frozen=True, slots=True)
class Subject:
    """`c for c in spaces if …`: the spaces, the registers that hold one, names that are bound
    around it, and its conditions."""

    spaces: ir.ConstSource
    registers: tuple[int, ...]
    binds: tuple[tuple[int, ir.Expr], ...]
    tests: tuple[ir.Expr, ...]


@dataclass(frozen=True, slots=True)
class Spaces:
    """Some spaces of a source, as a set. It depends on numbers that are evaluated once."""

    source: ir.ConstSource
    mask: Mask
    families: tuple[Family, ...]
    numbers: tuple[ir.Expr, ...]


def subject_of(source: ir.Source) -> Subject | None:
    """What a comprehension is about, if it lists nothing but some spaces of a source."""
    if isinstance(source, ir.ConstSource):
        return Subject(source, (), (), ())
    if isinstance(source, ir.BindSource):
        found = subject_of(source.body)
        if found is None:
            return None
        binds = ((source.reg, source.value), *found.binds)
        return Subject(found.spaces, found.registers, binds, found.tests)
    match source:
        case ir.Stream(clauses=(ir.Loop(regs=(register,), source=inner), *rest), head=head):
            tests = [clause.when for clause in rest if isinstance(clause, ir.Filter)]
            found = subject_of(inner)
            if found is None or head != ir.Load(register) or len(tests) != len(rest):
                return None
            split = (part for test in tests for part in conjuncts(test))
            registers = (*found.registers, register)
            return Subject(found.spaces, registers, found.binds, (*found.tests, *split))
        case _:
            return None


class AllAtOnce:
    """The comprehensions of a Program that are sets because of it."""

    def __init__(
        self, program: ir.Program, shapes: Inference, kept: Families, on: bool = True
    ) -> None:
        self._program, self._shapes, self._kept = program, shapes, kept
        self._on = on and 1 < kept.spaces <= _MOST_SPACES
        self._known: dict[tuple[int, bool], tuple[ir.Stream, Spaces | None]] = {}
        self._followed: list[tuple[ir.Stream, bool, Spaces | None]] = []

    def set_of(self, stream: ir.Stream) -> Spaces | None:
        """A comprehension that lists spaces."""
        return self._answer(stream, givers=False)

    def givers(self, stream: ir.Stream) -> Spaces | None:
        """The spaces for which a comprehension has elements, if its first loop is over spaces and
        has others in it."""
        return self._answer(stream, givers=True)

    def _answer(self, stream: ir.Stream, *, givers: bool) -> Spaces | None:
        if not self._on:
            return None
        key = id(stream), givers
        if key not in self._known:
            subject, deeper = _giver(stream) if givers else (subject_of(stream), ())
            found = None if subject is None else self._asked(stream, givers, subject, deeper)
            self._known[key] = stream, found
        return self._known[key][1]

    def _asked(
        self, stream: ir.Stream, givers: bool, subject: Subject, deeper: tuple[Clause, ...]
    ) -> Spaces | None:
        if not any(isinstance(node, _LOOPS) for node in walk((subject.tests, deeper))):
            return None  # what looks at one space only is a set already, or none
        for before, same, answer in self._followed:
            names = alike(self._program, before, stream) if same == givers else None
            if names is not None and self._have_same_bounds(names):
                return None if answer is None else _renamed(answer, names)
        answer = self._follow(subject, deeper)
        self._followed.append((stream, givers, answer))
        return answer

    def _have_same_bounds(self, names: Mapping[int, int]) -> bool:
        bounds = self._shapes.registers
        return all(bounds.get(one) == bounds.get(two) for one, two in names.items())

    def _follow(self, subject: Subject, deeper: tuple[Clause, ...]) -> Spaces | None:
        values, spaces = subject.spaces.values, self._kept.spaces
        if not all(isinstance(value, int) and 0 <= value < spaces for value in values):
            return None
        room = _MOST_OPERATIONS * len(values)
        following = Following(self._program, self._shapes, self._kept, 8 * room)
        try:
            masks = following.conditions(subject.registers, subject.binds, subject.tests, deeper)
        except Unknown:
            return None
        if masks and isinstance(masks[0], Fact) and masks[0].family.kind != "free":
            room = min(room, _MOST_OPERATIONS * self._kept.pieces)
        found = following.sets.intersection(masks)
        if not any(isinstance(part, Moved) for part in parts([found])):
            return None  # it looks at nothing but the space itself
        if operations(found) * ((spaces + 63) // 64) > room:
            return None
        facts = tuple(families([found]))
        return Spaces(subject.spaces, found, facts, tuple(following.alike))


def _giver(stream: ir.Stream) -> tuple[Subject | None, tuple[Clause, ...]]:
    """The first loop of a comprehension, and the clauses behind it."""
    at = 1
    while at < len(stream.clauses) and isinstance(stream.clauses[at], ir.Filter):
        at += 1
    first, deeper = stream.clauses[:at], stream.clauses[at:]
    plain = isinstance(stream.head, ir.Load | ir.Const)  # so that it cannot fail
    match first:
        case (ir.Loop(regs=(register,)), *_) if deeper and plain:
            return subject_of(ir.Stream(first, ir.Load(register))), deeper
        case _:
            return None, ()


def _renamed(spaces: Spaces, names: Mapping[int, int]) -> Spaces:
    """What was found for a function that is written once, in another copy of it."""
    done: dict[int, Mask] = {}

    def other(mask: Mask) -> Mask:
        if id(mask) not in done:
            done[id(mask)] = made(mask)
        return done[id(mask)]

    def made(mask: Mask) -> Mask:
        match mask:
            case Both(left=left, right=right) | Either(left=left, right=right):
                return type(mask)(other(left), other(right))
            case Others(of=of):
                return Others(other(of))
            case _:
                return renamed(mask, names)

    numbers = tuple(renamed(number, names) for number in spaces.numbers)
    return replace(spaces, mask=other(spaces.mask), numbers=numbers)


def operations(mask: Mask) -> int:
    """On words of one set. What is left out of another set takes none of its own."""
    return sum(
        0 if isinstance(part, Fixed | Others)
        else 3 * len(part.steps) - 1 if isinstance(part, Moved)
        else 1
        for part in parts([mask])
    )  # fmt: skip
