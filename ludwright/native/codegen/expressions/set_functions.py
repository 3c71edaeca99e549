"""A set that is made of many parts, as a function of the facts in it.

Rules ask for such a set at several places: who can move, may he pass, what is offered. Its equal
parts are computed once, and one function serves all places and all sides: it is given the facts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from ludwright.native.codegen.llvm.builder import Function, Operand
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.passes.masks import Both, Either, Fixed, Mask, Moved, Others, made_of

_FEW = 40  # operations that are written where they are needed

Step = tuple[object, ...]  # what is done, and with which steps before it


class _Steps:
    """The parts of a set, each once and behind those that it is made of."""

    def __init__(self, mask: Mask) -> None:
        self.facts: dict[Mask, int] = {}  # and whatever else is not made of sets
        self.all: dict[Step, int] = {}
        known: dict[int, int] = {}
        waiting = [mask]
        while waiting:
            part = waiting[-1]
            missing = [inner for inner in made_of(part) if id(inner) not in known]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            inner = [known[id(one)] for one in made_of(part)]
            step = self._step(part, inner)
            known[id(part)] = self.all.setdefault(step, len(self.all))

    def _step(self, part: Mask, inner: list[int]) -> Step:
        match part:
            case Both() | Either():
                return (type(part).__name__, *sorted(inner))
            case Others():
                return ("Others", *inner)
            case Moved(steps=steps):
                return ("Moved", *inner, steps)
            case Fixed(bits=bits):
                return ("Fixed", bits)
            case _:
                return ("Fact", self.facts.setdefault(part, len(self.facts)))


def called_set(module: Module, kind: str, mask: Mask) -> tuple[str, Iterable[Mask]] | None:
    """The function of a set, and what it is given; None for a set of few parts."""
    known = module.set_functions
    if id(mask) not in known:
        known[id(mask)] = mask, _called_set(module, kind, mask)
    return known[id(mask)][1]


def _called_set(module: Module, kind: str, mask: Mask) -> tuple[str, Iterable[Mask]] | None:
    steps = _Steps(mask)
    if sum(map(_operations, steps.all)) <= _FEW:
        return None
    name = module.name_of("set", (kind, *steps.all))
    return module.once(name, lambda: _write(module, name, kind, steps)), steps.facts


def _operations(step: Step) -> int:
    match step:
        case ("Moved", _, tuple() as moves):
            return 3 * len(moves) - 1
        case _:
            return 1


def _write(module: Module, name: str, kind: str, steps: _Steps) -> None:
    params = [f"{kind} p{number}" for number in range(len(steps.facts))]
    with module.function(name, kind, *params) as f:
        f.attributes = "nounwind willreturn memory(none)"
        done: list[Operand] = []
        for step in steps.all:
            done.append(_written(f, kind, step, done))
        f.ret(done[-1])


def _written(f: Function, kind: str, step: Step, done: list[Operand]) -> Operand:
    match step:
        case ("Both", int() as left, int() as right):
            return done[left] & done[right]
        case ("Either", int() as left, int() as right):
            return done[left] | done[right]
        case ("Others", int() as of):
            return done[of] ^ -1
        case ("Moved", int() as of, tuple() as moves):
            return moved(done[of], moves)
        case ("Fixed", int() as bits):
            return f.value(bits, kind)
        case (_, int() as number):
            return f.param(f"p{number}")
        case _:
            raise AssertionError(step)


def moved(members: Operand, steps: Iterable[tuple[int, int]]) -> Operand:
    """The elements from which a step leads to a member."""
    return reduce(
        Operand.__or__,
        (
            (members >> step if step > 0 else members << -step) & elements
            for step, elements in steps
        ),
    )
