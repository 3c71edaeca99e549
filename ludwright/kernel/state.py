"""A state: one immutable block of integers.

Equality and hashing are over its bytes. What a state waits for is found from its cells alone and
kept beside them only to save time.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from struct import Struct
from typing import Any

from ludwright.kernel.choosing import Stop
from ludwright.kernel.context import Cells

_CELL = Struct("<i")


class State:
    """A position of a game, with where its program stopped. Never changes.

    The cells are held as bytes, as a list, or both: each is made from the other when it is wanted.
    """

    __slots__ = ("_bytes", "_checked", "_decision", "_game", "_list", "_stop", "_waits")

    def __init__(self, game: str, cells: Cells, stop: Stop | None = None) -> None:
        self._game = game  # the hash of the Program this block belongs to
        self._list: Cells | None = cells
        self._bytes: bytes | None = None
        self._stop = stop
        self._decision: Any = None
        self._checked = True  # False: it comes from a file or another process
        self._waits: Any = None  # what an engine knows of the stop, in a form of its own

    @property
    def _cells(self) -> Cells:
        """Not to be changed: everyone who asks shares the list."""
        cells = self._list
        if cells is None:
            assert self._bytes is not None
            cells = self._list = cells_from_bytes(self._bytes)
        return cells

    def cell(self, index: int) -> int:
        """One cell; cheaper than a list of all of them."""
        if self._list is not None:
            found: int = self._list[index]
            return found
        assert self._bytes is not None
        number: int = _CELL.unpack_from(self._bytes, 4 * index)[0]
        return number

    @property
    def game_id(self) -> str:
        return self._game

    def to_bytes(self) -> bytes:
        """32-bit little-endian cells."""
        if self._bytes is None:
            self._bytes = cells_to_bytes(self._cells)
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
        return self._game == other._game and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        return f"State({self.state_hash[:12]})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._game, self.to_bytes()))


def _restored(game: str, data: bytes) -> State:
    state = State(game, cells_from_bytes(data))
    state._checked = False
    return state


def cells_to_bytes(cells: Cells) -> bytes:
    block = array("i", cells)
    if sys.byteorder == "big":
        block.byteswap()
    return block.tobytes()


def cells_from_bytes(data: bytes) -> Cells:
    block = array("i")
    block.frombytes(data)
    if sys.byteorder == "big":
        block.byteswap()
    return block.tolist()
