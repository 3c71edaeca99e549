"""The random numbers of agents: the kernel's generator, apart from the one in the state.

Policy draws never touch the generator in the state, so that the same choices give the same bytes
whoever made them.
"""

from __future__ import annotations

from ludwright.program.rng import Generator, mix


def policy_seed(seed: int, game: int) -> int:
    """Seed of the agents in the game with this number of a series."""
    return mix(mix(seed) ^ (2 * game))


def game_seed(seed: int, game: int) -> int:
    """Seed of the state's generator in the game with this number of a series."""
    return mix(mix(seed) ^ (2 * game + 1))


class Dice(Generator):
    __slots__ = ()

    def pick(self, n: int) -> int:
        """Uniform in 0 .. n-1; a single outcome draws nothing, so that forced answers are free."""
        return self.below(n) if n > 1 else 0

    def sample(self, size: int, count: int) -> list[int]:
        """`count` different indices below `size`, ascending; all of them if there are fewer."""
        if count >= size:
            return list(range(size))
        chosen: set[int] = set()
        while len(chosen) < count:
            chosen.add(self.below(size))
        return sorted(chosen)
