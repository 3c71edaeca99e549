"""Colour in the terminal: whose piece it is, what has just moved, what is asked.

Colour only repeats what the letters say already, so that nothing is lost without it. `NO_COLOR` and
terminals that know no colours are respected.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TextIO

from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style

from ludwright.kernel.views.board import Role

SYSTEMS = {
    "standard": ColorSystem.STANDARD,
    "256": ColorSystem.EIGHT_BIT,
    "truecolor": ColorSystem.TRUECOLOR,
}
# By number of the seat; named seats (white, red, …) have the colour of their name.
SEATS = ("yellow", "cyan", "green", "magenta", "red", "blue")
NAMED = {
    "white": "bright_white",
    "black": "bright_blue",
    "red": "bright_red",
    "blue": "bright_blue",
    "green": "bright_green",
    "yellow": "bright_yellow",
    "dark": "yellow",
    "light": "bright_white",
}
STYLES = {
    "label": "dim",
    "empty": "dim",
    "title": "bold",
    "seat": "bold",
    "news": "italic",
    "number": "dim",
}


class Colours:
    def __init__(self, system: ColorSystem) -> None:
        self._system = system
        self._render = lru_cache(maxsize=None)(self._made)

    def paint(self, text: str, role: Role) -> str:
        """The text in the colours of its role: the letters stay the same."""
        return self._render(role).render(text, color_system=self._system) if text else text

    def _made(self, role: Role) -> Style:
        style = Style.parse(STYLES.get(role.what, "none"))
        if role.owner:
            colour = NAMED.get(role.owner.lower(), f"bright_{SEATS[role.seat % len(SEATS)]}")
            style += Style(color=colour, bold=True)
        if role.moved:
            style += Style(reverse=True, dim=False)
        return style


def colours_of(stream: TextIO) -> Colours | None:
    """None where there are none."""
    system = SYSTEMS.get(Console(file=stream).color_system or "")
    return None if system is None else Colours(system)
