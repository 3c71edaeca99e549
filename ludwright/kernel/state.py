"""A state: one immutable block of integers.

Equality and hashing are over its bytes. What a state waits for is found from its cells alone and
kept beside them only to save time.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from typing import Any

from ludwright.kernel.choosing import Stop
from ludwright.kernel.context import Cells


class State:
    """A position of a game, with where its program stopped. Never changes."""

    __slots__ = ("_bytes", "_cells", "_decision", "_game", "_stop")

    def __init__(self, game: str, cells: Cells, stop: Stop | None = None) -> None:
        self._game = game  # the hash of the Program this block belongs to
        self._cells = cells
        self._stop = stop
        self._decision: Any = None
        self._bytes: bytes | None = None

    @property
    def game_id(self) -> str:
        return self._game

    def to_bytes(self) -> bytes:
        """32-bit little-endian cells."""
        if self._bytes is None:
            block = array("i", self._cells)
            if sys.byteorder == "big":
                block.byteswap()
            self._bytes = block.tobytes()
        return self._bytes

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(self._cells)

    @property
    def state_hash(self) -> str:
        """Over all bytes: for determinism, lockstep and replay."""
        return hashlib.blake2b(self.to_bytes(), digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._game == other._game and self._cells == other._cells

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        return f"State({self.state_hash[:12]})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._game, self.to_bytes()))


def _restored(game: str, data: bytes) -> State:
    return State(game, cells_from_bytes(data))


def cells_from_bytes(data: bytes) -> Cells:
    block = array("i")
    block.frombytes(data)
    if sys.byteorder == "big":
        block.byteswap()
    return block.tolist()
