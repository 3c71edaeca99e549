"""What the tests of the native engine share."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.native import missing

if TYPE_CHECKING:
    from ludwright.native.engine import Engine

_missing = missing()
needs_native = pytest.mark.skipif(_missing is not None, reason=_missing or "")


@cache
def engine(
    name: str, events: bool = False, level: int = 0, without: frozenset[str] = frozenset()
) -> Engine:
    """The engine of a shipped game, compiled once and, because tests are short, not optimised."""
    from ludwright.native.engine import Engine

    return Engine(lw.load(name).program, level, events, without=without)


def plays_alike(
    program: ir.Program, *without: Iterable[str], seeds: Iterable[int], least: int, games: int = 60
) -> None:
    """Step by step beside the interpreter, whole games beside code without some passes.

    Each lockstep has more than `least` decisions, and no two of the games end alike.
    """
    import numpy as np

    from ludwright.kernel.interpreter.machine import Machine
    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine
    from ludwright.native.playouts import playouts
    from ludwright.testing.lockstep import lockstep

    told = NativeMachine(program, engine=Engine(program, 0, events=True))
    for seed in seeds:
        decisions, difference = lockstep(Machine(program), told, seed, 2)
        assert difference is None
        assert decisions > least
    full, *plain = (
        playouts(Engine(program, 0, without=left_out), games, 5, finals=True).finals
        for left_out in ((), *without)
    )
    assert full is not None
    for finals in plain:
        assert finals is not None
        assert np.array_equal(full, finals)
    assert len({tuple(final) for final in full}) == games
