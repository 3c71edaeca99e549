"""What the tests of the native engine share."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

import ludwright as lw
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
