"""A condition on each space, tested for all spaces at once: `c for c in board if any(jumps(c))`.

Such a condition looks at the space itself, at neighbours of it, or along rays. `following` follows
it once for all spaces together, and what comes out is a set as an expression over facts.

This relies on the condition being unable to fail, on sets of at most two words, and on the set
taking no longer than looking at each space: its operations are counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.passes.following import Clause, Following, Unknown
from ludwright.native.passes.index_lookup import conjuncts
from ludwright.native.passes.masks import (
    Fact,
    Families,
    Fixed,
    Mask,
    Moved,
    Others,
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
        self._found: dict[int, tuple[ir.Stream, Spaces | None]] = {}

    def set_of(self, stream: ir.Stream) -> Spaces | None:
        """A comprehension that lists spaces."""
        if not self._on:
            return None
        if id(stream) not in self._found:
            subject = subject_of(stream)
            found = None if subject is None else self._followed(subject, ())
            self._found[id(stream)] = stream, found
        return self._found[id(stream)][1]

    def givers(self, stream: ir.Stream) -> Spaces | None:
        """The spaces for which a comprehension has elements, if its first loop is over spaces and
        has others in it."""
        at = 1
        while at < len(stream.clauses) and isinstance(stream.clauses[at], ir.Filter):
            at += 1
        first, deeper = stream.clauses[:at], stream.clauses[at:]
        plain = isinstance(stream.head, ir.Load | ir.Const)  # so that it cannot fail
        match first:
            case (ir.Loop(regs=(register,)), *_) if self._on and deeper and plain:
                subject = subject_of(ir.Stream(first, ir.Load(register)))
                return None if subject is None else self._followed(subject, deeper)
            case _:
                return None

    def _followed(self, subject: Subject, deeper: tuple[Clause, ...]) -> Spaces | None:
        if not any(isinstance(node, _LOOPS) for node in walk((subject.tests, deeper))):
            return None  # what looks at one space only is a set already, or none
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
        return Spaces(subject.spaces, found, tuple(following.alike))


def operations(mask: Mask) -> int:
    """On words of one set. What is left out of another set takes none of its own."""
    return sum(
        0 if isinstance(part, Fixed | Others)
        else 3 * len(part.steps) - 1 if isinstance(part, Moved)
        else 1
        for part in parts([mask])
    )  # fmt: skip
