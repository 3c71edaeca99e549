"""Shipped games on either engine, loaded once for all tests of this folder."""

from __future__ import annotations

from functools import cache

import ludwright as lw
from ludwright.kernel.interpreter.machine import ChanceMode


@cache
def loaded(name: str, engine: str, chance: ChanceMode = "generator") -> lw.Game:
    return lw.load(name, engine=engine, chance=chance)
