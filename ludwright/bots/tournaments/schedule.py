"""Which bots sit where in which game.

Games come in rounds. All games of a round begin with the same seed, and each of its bots sits in
every seat once, so that neither the deal nor the seat favours anybody. Where there are more bots
than seats, rounds take turns with all ways to pick who plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from ludwright.kernel.play.agent_dice import game_seed, policy_seed
from ludwright.program.rng import mix


@dataclass(frozen=True)
class Pairing:
    """One game: the bots by seat, as positions in the list of bots."""

    number: int
    round: int
    seats: tuple[int, ...]
    seed: int
    bot_seeds: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    bots: int
    players: int
    seed: int

    @cached_property
    def _tables(self) -> list[tuple[int, ...]]:
        """Who plays together; fewer bots than seats sit in several."""
        if self.bots < self.players:
            return [tuple(at % self.bots for at in range(self.players))]
        return list(combinations(range(self.bots), self.players))

    @property
    def round_length(self) -> int:
        return self.players

    def game(self, number: int) -> Pairing:
        """A game by its number: it depends on nothing else."""
        round_, turn = divmod(number, self.players)
        table = self._tables[round_ % len(self._tables)]
        seats = tuple(table[(at + turn) % self.players] for at in range(self.players))
        seed, policy = game_seed(self.seed, round_), policy_seed(self.seed, number)
        bot_seeds = tuple(mix(policy ^ at) for at in range(self.players))
        return Pairing(number, round_, seats, seed, bot_seeds)
