"""What the tests of the native engine share."""

from __future__ import annotations

from functools import cache

import pytest

from ludwright.native import available

missing = available()
needs_native = pytest.mark.skipif(missing is not None, reason=missing or "")


@cache
def engine(name: str, events: bool = False, level: int = 0):  # type: ignore[no-untyped-def]
    """The engine of a shipped game; compiled once, without optimisation, because tests are short."""
    import ludwright as lw
    from ludwright.native.engine import Engine

    return Engine(lw.load(name).program, level, events)
