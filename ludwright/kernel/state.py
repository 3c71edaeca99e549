"""A state: one immutable block of integers.

Equality and hashing are over its bytes. What a state waits for is found from its cells alone and
kept beside them only to save time.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterable
from struct import Struct
from typing import Any

from ludwright.kernel.choosing import Stop
from ludwright.kernel.context import Cells

_CELL = Struct("<i")


class State:
    """A position of a game, with where its program stopped. Never changes.

    The cells are held as bytes, as a list, or both: each is made from the other when it is wanted.

    Whoever makes a state with `State(game_id, cells)`, or unpickles one, gives cells that nobody
    has looked at. A game checks them when it is first handed the state (`Game.trusted`) and leaves
    its seal; only `sealed` makes states that have it from the start.
    """

    __slots__ = ("_bytes", "_decision", "_game", "_list", "_seal", "_stop", "_waits")

    def __init__(self, game: str, cells: Iterable[int]) -> None:
        self._game = game  # the identity of the game this block belongs to
        self._list: Cells | None = None
        try:
            self._bytes: bytes | None = cells_to_bytes(list(cells))
        except (TypeError, OverflowError):
            raise ValueError("a cell is not a whole number of 32 bits") from None
        self._seal: object = None  # of the game that made or has checked it
        self._stop: Stop | None = None
        self._decision: Any = None
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


def sealed(seal: object, game: str, cells: Cells, stop: Stop | None = None) -> State:
    """A state that the game with this seal has come to itself; it takes over the list."""
    state = _blank(State)
    state._game, state._seal, state._list, state._stop = game, seal, cells, stop
    state._bytes = state._decision = state._waits = None
    return state


_blank = object.__new__


def _restored(game: str, data: bytes) -> State:
    return State(game, cells_from_bytes(data))


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
