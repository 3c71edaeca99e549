"""Symbolic addresses: told apart by their types, and all gone once a Program is linked."""

from __future__ import annotations

import pytest

import ludwright
from ludwright.language.compiling.addresses import (
    CELLS_END,
    Label,
    LocalCell,
    Register,
    first_of,
    is_local,
)
from ludwright.program.nodes import values_in


@pytest.mark.parametrize("name", ["delta", "hearts", "fire-in-the-lake"])
def test_a_linked_program_has_no_symbols(name: str) -> None:
    program = ludwright.load(name, engine="python").program
    parts = (program.code, program.choices, program.procedures, program.functions)
    for symbol in (Register, LocalCell, Label):
        assert list(values_in(parts, symbol)) == []
    assert max(values_in(program.code, int)) < CELLS_END


def test_addresses_of_different_types_are_different() -> None:
    numbers = range(1, 2_000)
    made = {kind.numbered(n) for kind in (Register, LocalCell, Label) for n in numbers}
    assert len(made) == 3 * len(numbers)
    assert min(made) >= CELLS_END


def test_cells_of_a_local_know_the_first_of_them() -> None:
    first = LocalCell.numbered(7)
    assert first_of(first) == first_of(LocalCell(first + 5)) == first
    assert first_of(LocalCell.numbered(8)) != first
    assert first_of(Register.numbered(3)) == Register.numbered(3)
    assert is_local(first)
    assert is_local(Register.numbered(3))
    assert not is_local(40)
    assert not is_local(Label.numbered(1))
