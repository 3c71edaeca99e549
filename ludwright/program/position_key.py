"""The 64-bit key of a position in a `history`.

Specified to the bit, because the keys are part of the state and every engine must agree on them:
start from START, then for each number h = (h ^ number) * FACTOR, h ^= h >> 32, and in the end
mix(h); a set counts as its 64-bit words up to the last that is not 0, lowest first, of which all
but the last take ONWARD for FACTOR, so that it shows where a set ends; a tuple or list as its
length and then its items. START is not 0, since 0 would stay 0 for as long as the numbers are 0,
and words without members before the first one that has some would not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ludwright.program.rng import GAMMA, mix, signed

START = 0x2545F4914F6CDD1D
FACTOR = GAMMA  # odd, and its bits are well spread
ONWARD = 0xD6E8FEB86659FD93  # likewise
_MASK = 0xFFFFFFFFFFFFFFFF


def position_key(values: Iterable[Any]) -> tuple[int, int]:
    """(low, high) 32 bits of the key, as cells hold them."""
    key = START
    for value in values:
        key = _absorb(key, value)
    key = mix(key)
    return signed(key), signed(key >> 32)


def _step(key: int, number: int, factor: int = FACTOR) -> int:
    key = (key ^ number) * factor & _MASK
    return key ^ key >> 32


def _absorb(key: int, value: Any) -> int:
    if isinstance(value, tuple):
        key = _step(key, len(value))
        for item in value:
            key = _absorb(key, item)
        return key
    if value < 0:
        return _step(key, value & _MASK)
    while value > _MASK:
        key = _step(key, value & _MASK, ONWARD)
        value >>= 64
    return _step(key, value)
