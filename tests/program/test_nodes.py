"""The walk over nodes finds everything, and a map changes only what it is told to."""

from __future__ import annotations

import random
from dataclasses import fields, is_dataclass
from typing import Any

import ludwright as lw
from ludwright import program as ir
from ludwright.program.nodes import children, mapped, parts_of, size, values_in, walk
from ludwright.program.types import Type
from tests.kernel.assembler import integer
from tests.native.rulebooks.writing import rulebook

ROOTS = ("code", "choices", "functions", "histories", "ends", "score")


def _slowly(root: Any) -> set[int]:
    """Every record below a root, found by looking at every field of every record."""
    found: dict[int, Any] = {}
    stack = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif is_dataclass(item) and not isinstance(item, type | Type) and id(item) not in found:
            found[id(item)] = item
            stack.extend(getattr(item, field.name) for field in fields(item))
    return set(found)


def _programs() -> list[ir.Program]:
    texts = [rulebook(random.Random(seed)) for seed in range(3)]
    made = [lw.compile_text(text).program for text in texts]
    made.append(lw.load("backgammon", engine="python").program)
    return [program for program in made if program is not None]


def test_a_walk_finds_every_node_of_a_program() -> None:
    programs = _programs()
    assert len(programs) > 2
    for program in programs:
        for name in ROOTS:
            root = getattr(program, name)
            assert {id(item) for item in walk(root)} == _slowly(root), name


def test_children_and_their_children_are_the_walk() -> None:
    def below(node: Any) -> list[Any]:
        return [node, *(item for child in children(node) for item in below(child))]

    for program in _programs():
        for instr in program.code:
            assert {id(item) for item in below(instr)} == {id(item) for item in walk(instr)}


def test_a_map_that_changes_nothing_gives_the_same_object() -> None:
    for program in _programs():
        for choice in program.choices:
            assert mapped(choice, lambda part: part) is choice


def test_a_map_reaches_nodes_in_tuples_of_tuples() -> None:
    emit = ir.Emit("turn", (("active", ir.Load(8), integer()), ("n", ir.Const(1), integer())))
    changed = mapped(emit, lambda part: ir.Load(9) if part == ir.Load(8) else part)
    assert [value for _, value, _ in changed.fields] == [ir.Load(9), ir.Const(1)]
    assert emit.fields[0][1] == ir.Load(8), "records are never changed in place"


def test_types_are_not_nodes() -> None:
    load = ir.LoadWide(30, Type("set", items=(integer(0, 9),)), ir.Load(4))
    assert children(load) == [ir.Load(4)]
    assert size(load) == 2
    assert parts_of(Type) is None


def test_the_numbers_of_a_node_are_not_those_of_constants() -> None:
    store = ir.Store(30, ir.Bind(41, ir.Const(99), ir.Load(41)), integer(0, 77))
    assert set(values_in(store, int)) >= {30, 41}
    assert {99, 77}.isdisjoint(values_in(store, int))
    assert set(values_in(ir.Zero(((30, 2), (40, 1))), int)) == {30, 2, 40, 1}
