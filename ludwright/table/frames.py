"""What a page may say, and nothing else. A frame that is not one of these is refused.

The only input of a game is the number of an option with the number of the decision.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludwright.characters import is_line
from ludwright.errors import LudwrightError

LARGEST = 8 * 1024  # bytes of a frame
PICKS = 1000
NUMBERS = 2**31
SHORT = 64  # characters of a name
LONG = 500  # and of an address
TOKENS = 16


class BadFrame(LudwrightError):
    """A frame that no page of ours sends."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first frame: which match, and the tokens of the seats that this page holds."""

    match: str
    tokens: tuple[str, ...]
    narrow: bool = False  # whether the screen is that of a phone


@dataclass(frozen=True, slots=True)
class Answer:
    seat: str
    decision: int
    options: int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Picks:
    """A question: what can be added to these picks?"""

    seat: str
    decision: int
    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """A question: what would this option do?"""

    seat: str
    decision: int
    option: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Back to a position; `version` says what the page had seen."""

    seat: str
    version: int
    position: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    seat: str
    version: int


@dataclass(frozen=True, slots=True)
class Consent:
    """Yes or no to the undo that somebody has asked for."""

    seat: str
    yes: bool


@dataclass(frozen=True, slots=True)
class Look:
    """As which seat to look ("" for a spectator, "*" for all once it is over), and at what."""

    seat: str
    at: int | None


@dataclass(frozen=True, slots=True)
class Why:
    """Why something on the table cannot be chosen."""

    seat: str
    value: str


@dataclass(frozen=True, slots=True)
class Sit:
    """What the holder of a seat is called, or which bot takes it over ("" ends that)."""

    seat: str
    label: str | None
    bot: str | None


@dataclass(frozen=True, slots=True)
class Tell:
    """Where a seat wants to hear of its turns while it is away; empty texts end that."""

    seat: str
    webhook: str
    mail: str


Frame = Hello | Answer | Picks | Preview | Undo | Withdraw | Consent | Look | Why | Sit | Tell


def parse(text: str | bytes) -> Frame:
    """The frame that a message holds."""
    if len(text) > LARGEST:
        raise BadFrame("the message is too long")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadFrame("the message is not JSON") from None
    if not isinstance(data, dict) or not isinstance(data.get("say"), str):
        raise BadFrame("a message is an object with `say`")
    make = _MAKERS.get(data["say"])
    if make is None:
        raise BadFrame("no message is called that")
    return make(_Fields(data))


class _Fields:
    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    def text(self, name: str, most: int = SHORT) -> str:
        value = self._data.get(name)
        if not isinstance(value, str) or len(value) > most or not is_line(value):
            raise BadFrame(f"`{name}` must be a short text")
        return value

    def optional_text(self, name: str) -> str | None:
        return None if self._data.get(name) is None else self.text(name)

    def number(self, name: str) -> int:
        return _number(name, self._data.get(name))

    def optional_number(self, name: str) -> int | None:
        return None if self._data.get(name) is None else self.number(name)

    def numbers(self, name: str) -> tuple[int, ...]:
        value = self._data.get(name)
        if not isinstance(value, list) or len(value) > PICKS:
            raise BadFrame(f"`{name}` must be a list of numbers")
        return tuple(_number(name, one) for one in value)

    def options(self, name: str) -> int | tuple[int, ...]:
        value = self._data.get(name)
        return self.numbers(name) if isinstance(value, list) else self.number(name)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._data.get(name, [])
        if not isinstance(value, list) or len(value) > TOKENS:
            raise BadFrame(f"`{name}` must be a list of texts")
        for one in value:
            if not isinstance(one, str) or len(one) > SHORT or not is_line(one):
                raise BadFrame(f"`{name}` must be a list of texts")
        return tuple(value)

    def flag(self, name: str) -> bool:
        """False where it is not said."""
        return name in self._data and self.yes(name)

    def yes(self, name: str) -> bool:
        value = self._data.get(name)
        if not isinstance(value, bool):
            raise BadFrame(f"`{name}` must be true or false")
        return value


def _number(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < NUMBERS:
        raise BadFrame(f"`{name}` must be a number")
    return value


_MAKERS: dict[str, Callable[[_Fields], Frame]] = {
    "hello": lambda f: Hello(f.text("match"), f.texts("tokens"), f.flag("narrow")),
    "answer": lambda f: Answer(f.text("seat"), f.number("decision"), f.options("option")),
    "picks": lambda f: Picks(f.text("seat"), f.number("decision"), f.numbers("option")),
    "preview": lambda f: Preview(f.text("seat"), f.number("decision"), f.number("option")),
    "undo": lambda f: Undo(f.text("seat"), f.number("version"), f.number("position")),
    "withdraw": lambda f: Withdraw(f.text("seat"), f.number("version")),
    "consent": lambda f: Consent(f.text("seat"), f.yes("yes")),
    "look": lambda f: Look(f.text("seat"), f.optional_number("at")),
    "why": lambda f: Why(f.text("seat"), f.text("value")),
    "tell": lambda f: Tell(f.text("seat"), f.text("webhook", LONG), f.text("mail", LONG)),
    "sit": lambda f: Sit(f.text("seat"), f.optional_text("label"), f.optional_text("bot")),
}
