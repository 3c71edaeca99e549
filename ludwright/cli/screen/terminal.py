"""The terminal that a game is played at; handed in, so that conversations can be tested."""

from __future__ import annotations

import shutil
import sys
from typing import Protocol

from ludwright.cli.screen.colours import Colours, colours_of
from ludwright.kernel.views.board import Paint, unpainted

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what was scrolled away, and the cursor to the top


class Terminal(Protocol):
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def paint(self) -> Paint: ...

    def ask(self, prompt: str) -> str:
        """A line; EOFError or KeyboardInterrupt when the player leaves."""
        ...

    def say(self, text: str) -> None: ...

    def clear(self) -> None:
        """Take everything off the screen, so that the next player does not see it."""
        ...


class Screen:
    """The real terminal."""

    def __init__(self) -> None:
        self._colours: Colours | None = colours_of(sys.stdout)

    @property
    def width(self) -> int:
        return shutil.get_terminal_size((100, 24)).columns

    @property
    def height(self) -> int:
        return shutil.get_terminal_size((100, 24)).lines

    @property
    def paint(self) -> Paint:
        return unpainted if self._colours is None else self._colours.paint

    def ask(self, prompt: str) -> str:
        return input(prompt)

    def say(self, text: str) -> None:
        print(text, flush=True)

    def clear(self) -> None:
        if sys.stdout.isatty():
            print(CLEAR, end="", flush=True)
