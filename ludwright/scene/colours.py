"""Colour tokens, for light and dark pages, and the marks of seats.

Seats differ in lightness and in shape as well as in hue, so that they can be told apart without
colour. `act` means "you can act here" and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LIGHT = {
    "bg": "#f6f4ef", "board": "#eceae3", "panel": "#fffefb", "raise": "#ffffff",
    "shade": "#ddd8cb", "ink": "#1b1a18", "ink2": "#55524b", "ink3": "#6f6b62",
    "line": "#d9d5ca", "line2": "#8a867b", "act": "#5a35e0", "on-act": "#ffffff",
    "red": "#c0341d", "black": "#1b1a18", "paper": "#ffffff", "back": "#f1efe8",
    "plus": "#dcece9", "plus2": "#b4d9d5", "minus": "#f8e3d3", "minus2": "#f2c6a6",
    "outline": "#1b1a18",
    "seat1": "#b5470a", "seat2": "#0b4a9e", "seat3": "#f0c51c", "seat4": "#5fa87c",
    "seat5": "#a5dcf5", "seat6": "#d77cc4", "seat7": "#54310f", "seat8": "#151a22",
    "on-seat1": "#ffffff", "on-seat2": "#ffffff", "on-seat3": "#1b1a18", "on-seat4": "#1b1a18",
    "on-seat5": "#1b1a18", "on-seat6": "#1b1a18", "on-seat7": "#ffffff", "on-seat8": "#ffffff",
    "piece": "#cfcabd", "on-piece": "#1b1a18",
    "felt": "#e3e7dd",
    "white": "#ffffff", "on-white": "#1b1a18", "jet": "#2b2924", "on-jet": "#ffffff",
    "jet-edge": "#2b2924",
    "crimson": "#c5402b", "on-crimson": "#ffffff", "blue": "#0b4a9e", "on-blue": "#ffffff",
    "green": "#4f9a6c", "on-green": "#1b1a18", "yellow": "#f0c51c", "on-yellow": "#1b1a18",
    "dark": "#5a3a1c", "on-dark": "#ffffff", "light": "#f3e2bf", "on-light": "#1b1a18",
    "orange": "#d9731a", "on-orange": "#1b1a18", "purple": "#6d4aa8", "on-purple": "#ffffff",
    "pink": "#d77cc4", "on-pink": "#1b1a18", "grey": "#9a968c", "on-grey": "#1b1a18",
    "sand": "#e3d3ae", "on-sand": "#1b1a18", "leaf": "#cfe0bd", "on-leaf": "#1b1a18",
    "sea": "#cfe2ea", "on-sea": "#1b1a18", "sky": "#a5dcf5", "on-sky": "#1b1a18",
    "on-felt": "#1b1a18", "on-paper": "#1b1a18",
}  # fmt: skip
DARK = {
    "bg": "#14161a", "board": "#0f1114", "panel": "#1c1f24", "raise": "#252930",
    "shade": "#2b3038", "ink": "#f0eee8", "ink2": "#b5b2a9", "ink3": "#918e86",
    "line": "#343941", "line2": "#6d737d", "act": "#b9acff", "on-act": "#14161a",
    "red": "#ff8a73", "black": "#f0eee8", "paper": "#252930", "back": "#1c1f24",
    "plus": "#1f3b3a", "plus2": "#22524f", "minus": "#43301f", "minus2": "#5e3c22",
    "outline": "#f0eee8",
    "seat1": "#f0702a", "seat2": "#4f8ae6", "seat3": "#f6dd3c", "seat4": "#62d6ae",
    "seat5": "#b2e2ff", "seat6": "#cf86b4", "seat7": "#8d7262", "seat8": "#f6f7fb",
    "on-seat1": "#14161a", "on-seat2": "#14161a", "on-seat3": "#14161a", "on-seat4": "#14161a",
    "on-seat5": "#14161a", "on-seat6": "#14161a", "on-seat7": "#14161a", "on-seat8": "#14161a",
    "piece": "#55595f", "on-piece": "#f0eee8",
    "felt": "#171d18",
    "white": "#f3f1ea", "on-white": "#14161a", "jet": "#0b0c0e", "on-jet": "#f0eee8",
    "jet-edge": "#d5d2c8",
    "crimson": "#ff7a63", "on-crimson": "#14161a", "blue": "#4f8ae6", "on-blue": "#14161a",
    "green": "#62d6ae", "on-green": "#14161a", "yellow": "#f6dd3c", "on-yellow": "#14161a",
    "dark": "#7a5230", "on-dark": "#f0eee8", "light": "#ecd9b0", "on-light": "#14161a",
    "orange": "#f0954a", "on-orange": "#14161a", "purple": "#a98be0", "on-purple": "#14161a",
    "pink": "#e59ad6", "on-pink": "#14161a", "grey": "#7b7f87", "on-grey": "#14161a",
    "sand": "#4a402c", "on-sand": "#f0eee8", "leaf": "#2c3b26", "on-leaf": "#f0eee8",
    "sea": "#1d3038", "on-sea": "#f0eee8", "sky": "#2b5f7d", "on-sky": "#f0eee8",
    "on-felt": "#f0eee8", "on-paper": "#f0eee8",
}  # fmt: skip

SEATS = 8  # colours and marks; more seats begin again
# colours that a rulebook can name, and seats that are called by a colour
PALETTE = {
    "white": "white", "black": "jet", "red": "crimson", "orange": "orange", "yellow": "yellow",
    "green": "green", "blue": "blue", "purple": "purple", "pink": "pink", "brown": "dark",
    "grey": "grey", "cream": "light", "sand": "sand", "leaf": "leaf", "sea": "sea", "sky": "sky",
    "felt": "felt", "paper": "paper",
}  # fmt: skip
_SEAT_NAMES = {**PALETTE, "dark": "dark", "light": "light"}


def seat_colours(seats: Sequence[str], given: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The colour of each seat: as given, else by its name if all are colours, else by number."""
    named = [_SEAT_NAMES.get(seat.lower()) for seat in seats]
    if not seats or not all(named):
        named = [f"seat{number % SEATS + 1}" for number in range(len(seats))]
    return tuple(
        token((given or {}).get(seat, "")) or str(name)
        for seat, name in zip(seats, named, strict=True)
    )


def token(colour: str) -> str:
    """What a rulebook calls a colour, as a token of the page; `#rrggbb` stays as it is."""
    return colour if colour.startswith("#") else PALETTE.get(colour, "")


def front(colour: str) -> str:
    """A colour that can be read on another."""
    if not colour.startswith("#"):
        return f"on-{colour}" if f"on-{colour}" in LIGHT else "ink"
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#1b1a18" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
