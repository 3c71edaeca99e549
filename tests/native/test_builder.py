"""What the builder works out itself is what the machine would have worked out."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from tests.native.support import needs_native

pytestmark = needs_native

NUMBERS = (0, 1, -1, 2, 5, 6, -7, 63, 2**31, -(2**40), 2**62, 2**63 - 1, -(2**63))
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "==": lambda a, b: a.eq(b), "!=": lambda a, b: a.ne(b),
    "below": lambda a, b: a.below(b), "select": lambda a, b: a.f.select(a < b, a, b),
    "least": lambda a, b: a.f.smin(a, b), "largest": lambda a, b: a.f.smax(a, b),
}  # fmt: skip
SHIFTS: dict[str, Callable[[Any, Any], Any]] = {"<<": operator.lshift, ">>": operator.rshift}
CONDITIONS: dict[str, Callable[[Any, Any], Any]] = {
    "and": operator.and_, "or": operator.or_, "xor": operator.xor, "not": lambda a, b: ~a,
    "choice": lambda a, b: a.f.select(a, b.i64() + 3, 7),
}  # fmt: skip


def machine_results(
    cases: list[tuple[Callable[[Any, Any], Any], int, int]], type_: str
) -> list[list[int]]:
    """Each case four times: with constants for both sides, for one of them, for none."""
    from ludwright.native.build.llvm import Library, optimised
    from ludwright.native.codegen.llvm.builder import Function, Operand
    from ludwright.native.codegen.llvm.error_table import ErrorTable

    f = Function(
        "test", "void", ("ptr given", "ptr found"), ErrorTable(), on_fail="unreachable", linkage=""
    )
    for number, (work, a, b) in enumerate(cases):
        for way, (left_known, right_known) in enumerate(product((True, False), repeat=2)):
            sides = []
            for at, (value, known) in enumerate(((a, left_known), (b, right_known))):
                side = f.value(value, type_)
                if not known:
                    loaded = f.load(f.param("given"), 2 * number + at)
                    side = loaded if type_ == "i64" else loaded.ne(0)
                sides.append(side)
            found: Operand = work(*sides)
            f.store(f.param("found"), 4 * number + way, found.i64())
    f.end("ret void")
    declared = "".join(f"declare i64 @llvm.{name}.i64(i64, i64)\n" for name in ("smin", "smax"))
    library = Library(optimised(declared + f.text(), 0), ["test"])
    given = (ctypes.c_int64 * (2 * len(cases)))(*(x for _, a, b in cases for x in (a, b)))
    results = (ctypes.c_int64 * (4 * len(cases)))()
    run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(library.address("test"))
    run(ctypes.addressof(given), ctypes.addressof(results))
    return [list(results[at : at + 4]) for at in range(0, len(results), 4)]


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_of_numbers(name: str) -> None:
    cases = [(OPERATORS[name], a, b) for a, b in product(NUMBERS, repeat=2)]
    for (_, a, b), results in zip(cases, machine_results(cases, "i64"), strict=True):
        assert len(set(results)) == 1, (a, b)


@pytest.mark.parametrize("name", SHIFTS)
def test_shifts(name: str) -> None:
    cases = [(SHIFTS[name], a, b) for a, b in product(NUMBERS, (0, 1, 7, 63))]
    for (_, a, b), results in zip(cases, machine_results(cases, "i64"), strict=True):
        assert len(set(results)) == 1, (a, b)


@pytest.mark.parametrize("name", CONDITIONS)
def test_operators_of_conditions(name: str) -> None:
    cases = [(CONDITIONS[name], a, b) for a, b in product((0, 1), repeat=2)]
    for (_, a, b), results in zip(cases, machine_results(cases, "i1"), strict=True):
        assert len(set(results)) == 1, (a, b)
