"""The random generator of the state: SplitMix64, specified to the bit.

It lives in two cells (low and high 32 bits, signed) so that a state is all there is to a game.
"""

from __future__ import annotations

from typing import Any

from ludwright.program.header import RNG_HI, RNG_LO

# The constants of SplitMix64: what a step adds, and the two factors of the output function.
GAMMA = 0x9E3779B97F4A7C15
FIRST_FACTOR = 0xBF58476D1CE4E5B9
SECOND_FACTOR = 0x94D049BB133111EB
_MASK = 0xFFFFFFFFFFFFFFFF
_LOW = 0xFFFFFFFF


def output(z: int) -> int:
    """SplitMix64's output function."""
    z = ((z ^ (z >> 30)) * FIRST_FACTOR) & _MASK
    z = ((z ^ (z >> 27)) * SECOND_FACTOR) & _MASK
    return z ^ (z >> 31)


def mix(value: int) -> int:
    """A well-spread 64-bit number from any other: the first draw of a generator seeded with it."""
    return output((value + GAMMA) & _MASK)


def signed(value: int) -> int:
    """32 bits as a cell holds them."""
    value &= _LOW
    return value - 0x100000000 if value & 0x80000000 else value


class Generator:
    """The same generator outside a state: for policies and determinizations, never for the game."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        self.state = (self.state + GAMMA) & _MASK
        return output(self.state)

    def below(self, n: int) -> int:
        """A uniform number in 0..n-1, for 1 <= n < 2**32."""
        product = (self.next() >> 32) * n
        if product & _LOW < n:
            threshold = (0x100000000 - n) % n
            while product & _LOW < threshold:
                product = (self.next() >> 32) * n
        return product >> 32


def seed_cells(cells: list[Any], seed: int) -> None:
    cells[RNG_LO] = signed(seed)
    cells[RNG_HI] = signed(seed >> 32)


def cell_seed(cells: list[Any]) -> int:
    low: int = cells[RNG_LO] & _LOW
    high: int = cells[RNG_HI] & _LOW
    return high << 32 | low


def draw(cells: list[Any], n: int) -> int:
    """A uniform number in 0..n-1 from the state's own generator."""
    generator = Generator(cell_seed(cells))
    result = generator.below(n)
    seed_cells(cells, generator.state)
    return result
