"""A game whose decisions run as machine code, with everything a `Game` can do."""

from __future__ import annotations

from typing import Any

from ludwright.kernel import program as ir
from ludwright.kernel.game import Game
from ludwright.kernel.machine import SEARCH_BUDGET, ChanceMode
from ludwright.native.batches import Batch
from ludwright.native.engine import Engine
from ludwright.native.machine import NativeMachine
from ludwright.native.playouts import GAME_LIMIT, Playouts, playouts
from ludwright.native.stepping import Stepper


class NativeGame(Game):
    """The same behaviour to the byte; besides, playouts, batches and steps without Python."""

    def __init__(
        self,
        program: ir.Program,
        gamedef_json: bytes = b"",
        chance: ChanceMode = "generator",
        *,
        gamedef: Any = None,
        gamedef_hash: str | None = None,
        search_budget: int = SEARCH_BUDGET,
    ) -> None:
        super().__init__(
            program, gamedef_json, chance, gamedef=gamedef, gamedef_hash=gamedef_hash,
            search_budget=search_budget, machine=NativeMachine(program, chance, search_budget),
        )  # fmt: skip
        self._budget = search_budget
        self._fast: Engine | None = None

    @property
    def fast(self) -> Engine:
        """Code that tells no events, at full speed; made when first needed."""
        if self._fast is None:
            self._fast = Engine(self.program)
        return self._fast

    def playouts(
        self, n: int, seed: int = 0, threads: int = 1, *, players: int | None = None,
        scenario: str | None = None, limit: int = GAME_LIMIT,
    ) -> Playouts:  # fmt: skip
        """`n` uniformly random games; the results depend on `seed` alone."""
        return playouts(
            self.fast, n, seed, threads, players=players, scenario=self._scenario(scenario),
            limit=limit, budget=self._budget,
        )  # fmt: skip

    def batch(self, n: int, seed: int = 0, players: int | None = None) -> Batch:
        """`n` games at their first decision, to be stepped together."""
        return Batch.fresh(self.fast, n, seed, players)

    def stepper(self) -> Stepper:
        """Single steps on states as bytes."""
        return Stepper(self.fast, self._budget)
