"""A state: one immutable block of integers.

Equality and hashing are over its bytes. What a state waits for is found from its cells alone and
kept beside them only to save time.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from struct import Struct
from typing import Any

from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.interpreter.stop import Stop

_CELL = Struct("<i")


def reader(cells: Sequence[int]) -> Struct:
    """Reads some cells, in ascending order, and passes over those before and between them."""
    gaps = (later - earlier - 1 for earlier, later in pairwise((-1, *cells)))
    return Struct("<" + "".join(f"{4 * gap}xi" for gap in gaps))


class Seal:
    """Marks the states that one game has made or checked, and draws them."""

    def __init__(self, draw: Callable[[State], str]) -> None:
        self.draw = draw
        self.picture: Callable[[State], str] | None = None  # the same as SVG; given by `loading`


class State:
    """A position of a game, and the place where its program stopped. It never changes.

    The cells are held as bytes, as a list, or both: each is made from the other when it is wanted.

    Whoever makes a state with `State(game_id, cells)`, or unpickles one, gives cells that nobody
    has looked at. A game checks them when it is first handed the state and leaves its seal; only
    `sealed` makes states that have it from the start.

    The seal, and what is known of the stop, are for the game alone. They are not part of the value.
    """

    __slots__ = (
        "_bytes", "_game", "_list", "known_decision", "known_record", "known_stop", "seal",
    )  # fmt: skip

    def __init__(self, game: str, cells: Iterable[int]) -> None:
        self._game = game  # the identity of the game this block belongs to
        self._list: Cells | None = None
        try:
            self._bytes: bytes | None = cells_to_bytes(list(cells))
        except (TypeError, OverflowError):
            raise ValueError("a cell is not a whole number of 32 bits") from None
        self.seal: Seal | None = None  # of the game that made or has checked it
        self.forget()

    def forget(self) -> None:
        """Drop what is known of the stop: it was not this game that found it."""
        self.known_stop: Stop | None = None
        self.known_decision: Any = None
        self.known_record: Any = None  # what an engine knows of the stop, in a form of its own

    @property
    def shared_cells(self) -> Cells:
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

    def read(self, cells: Struct) -> tuple[int, ...]:
        """Several cells at once; see `reader`."""
        return cells.unpack_from(self._bytes or self.to_bytes())

    @property
    def game_id(self) -> str:
        return self._game

    def to_bytes(self) -> bytes:
        """32-bit little-endian cells."""
        if self._bytes is None:
            self._bytes = cells_to_bytes(self.shared_cells)
        return self._bytes

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(self.shared_cells)

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

    def __str__(self) -> str:
        """The whole position as its game draws it, hidden things included."""
        return repr(self) if self.seal is None else self.seal.draw(self)

    def _repr_svg_(self) -> str | None:
        """The same as a picture, for notebooks."""
        seal = self.seal
        return None if seal is None or seal.picture is None else seal.picture(self)

    def __copy__(self) -> State:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._game, self.to_bytes()))


def sealed(seal: Seal, game: str, cells: Cells, stop: Stop | None = None) -> State:
    """A state that the game with this seal has reached itself; it takes over the list."""
    state = _blank(State)
    state._game, state.seal, state._list, state.known_stop = game, seal, cells, stop
    state._bytes = state.known_decision = state.known_record = None
    return state


def sealed_bytes(seal: Seal, game: str, data: bytes, record: Any) -> State:
    """The same, from bytes and an engine's record of the stop."""
    state = _blank(State)
    state._game, state.seal, state._bytes, state.known_record = game, seal, data, record
    state._list = state.known_stop = state.known_decision = None
    return state


def unchecked(game: str, data: bytes) -> State:
    """A state from elsewhere, which no game has looked at."""
    state = _blank(State)
    state._game, state._bytes, state._list, state.seal = game, data, None, None
    state.forget()
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
