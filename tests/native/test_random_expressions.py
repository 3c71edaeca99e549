"""Random expressions of every kind: both engines give the same cells or the same error."""

from __future__ import annotations

import pytest

from ludwright.kernel.interpreter.machine import Machine
from tests.native.random_programs import Writer
from tests.native.support import needs_native

STORES = 24
pytestmark = needs_native


def differences(seed: int, depth: int, level: int = 0) -> tuple[int, list[str]]:
    from ludwright.native.engine import Engine
    from ludwright.native.errors import NativeUnsupported
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import attempt, compare

    program = Writer(seed).program(STORES, depth)
    one = Machine(program)
    try:
        two = NativeMachine(program, engine=Engine(program, level, events=True))
    except NativeUnsupported:
        return 0, []
    cells = one.fresh(seed, 3, 0)
    start = attempt(one, cells, None, None)
    found: list[str] = []
    for number in range(STORES):
        outcomes = [attempt(machine, start[1], start[0], number) for machine in (one, two)]
        difference = compare(number, outcomes[0], outcomes[1])
        if difference is not None:
            found.append(f"seed {seed}, {difference}\n{program.code[-2 * (STORES - number)]}")
    return STORES, found


@pytest.mark.parametrize("seed", range(12))
def test_random_expressions_agree(seed: int) -> None:
    compared, found = differences(seed, 2 + seed % 3)
    assert not found, found[0]
    assert compared == STORES


@pytest.mark.long
def test_many_random_expressions_agree() -> None:
    total = 0
    for seed in range(1000, 1300):
        compared, found = differences(seed, 2 + seed % 3, level=seed % 3)
        assert not found, found[0]
        total += compared
    assert total > 250 * STORES
