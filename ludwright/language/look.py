"""How a game looks: the `look` block as plain data. No rule knows it, and no hash counts it.

Every part is optional. What is not said is drawn as the declarations suggest.
"""

from __future__ import annotations

import re
from typing import Literal

from ludwright.language.tree import Node
from ludwright.quick_records import dataclass

# Colours by name; each has a light and a dark shade. Others are written `#rrggbb`.
COLOURS = (
    "white", "black", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "grey",
    "cream", "sand", "leaf", "sea", "sky", "felt", "paper",
)  # fmt: skip
PIECE_SHAPES = ("disc", "cube", "ringed", "hex", "pawn", "drop", "wedge", "bar", "ground")
SPACE_SHAPES = (
    "square", "plate", "oval", "dashed", "disc", "wedge", "crossing", "region", "way", "none",
)  # fmt: skip
SIZES = (20, 400)  # percent
BETWEEN = (10, 100)
MOST_SLOTS = 20
LONGEST_BADGE = 3  # characters
ENDS = ("lowest", "highest")  # of the range in which a number is chosen
LONGEST_GLYPH = 4  # characters; a flag is made of four
LONGEST_PATH = 4000
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_PATH = re.compile(r"[Mm][-+MmLlHhVvCcSsQqTtAaZz0-9eE., ]*")
_BRACES = re.compile(r"\{([^{}]*)\}")
ZoneDrawing = Literal["", "pile", "row", "fan", "tokens", "count", "hidden"]
ZonePlace = Literal["", "centre", "seat", "below"]


def is_colour(text: str) -> bool:
    return text in COLOURS or _HEX.fullmatch(text) is not None


def is_path(text: str) -> bool:
    """Whether a symbol is the outline of an SVG path."""
    return LONGEST_GLYPH < len(text) <= LONGEST_PATH and _PATH.fullmatch(text) is not None


def is_symbol(text: str) -> bool:
    return (0 < len(text) <= LONGEST_GLYPH and text.isprintable()) or is_path(text)


def template_names(text: str) -> list[str]:
    """The properties that a template names."""
    return _BRACES.findall(text)


def is_template(text: str) -> bool:
    rest = _BRACES.sub("", text)
    return not set("{}") & set(rest) and all(name.isidentifier() for name in template_names(text))


@dataclass(frozen=True, slots=True)
class StyleCase(Node):
    """What stands for one value of a property."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class Style(Node):
    """A colour, shape or symbol: one for all, by the value of a property, or in turn."""

    text: str = ""
    by: str = ""  # the property
    cases: tuple[StyleCase, ...] = ()
    turn: tuple[str, ...] = ()  # one after the other, as the spaces are declared


@dataclass(frozen=True, slots=True)
class SeatLook(Node):
    name: str
    colour: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class SpaceLook(Node):
    """A group of spaces."""

    name: str
    shape: Style | None = None
    colour: Style | None = None
    symbol: Style | None = None
    label: str | None = None  # a template; empty: none
    size: int = 100  # percent
    between: int = 100  # percent of the others: how wide every second column and row of a grid is


@dataclass(frozen=True, slots=True)
class FaceLook(Node):
    """The template of a card; `{…}` stands for a property of the piece."""

    corner: str = ""
    title: str = ""
    symbol: Style | None = None
    colour: Style | None = None
    text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PieceLook(Node):
    """A kind of piece."""

    name: str
    shape: Style | None = None
    colour: Style | None = None
    symbol: Style | None = None
    label: str | None = None
    size: int = 100  # percent
    face: FaceLook | None = None


@dataclass(frozen=True, slots=True)
class ZoneLook(Node):
    name: str
    drawn: ZoneDrawing = ""
    place: ZonePlace = ""
    label: str | None = None
    size: int = 100  # percent
    slots: int = 0  # places that are drawn though they are empty


@dataclass(frozen=True, slots=True)
class ShownName(Node):
    """A variable, or a value of `show`."""

    name: str


@dataclass(frozen=True, slots=True)
class BadgeLook(Node):
    """A sign at the seats that a variable holds: the dealer's button."""

    sign: str
    of: str


@dataclass(frozen=True, slots=True)
class ActionLook(Node):
    """What stands on the button of an action; `{…}` stands for a value."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Preset(Node):
    """A number with a name: a value, or the end of the range."""

    title: str
    value: str


@dataclass(frozen=True, slots=True)
class AmountLook(Node):
    """Numbers that are offered by name where a number is chosen."""

    name: str
    presets: tuple[Preset, ...] = ()


@dataclass(frozen=True, slots=True)
class LookDecl(Node):
    background: str = ""
    ring: bool = True  # without a board, seats sit around the table
    seats: tuple[SeatLook, ...] = ()
    spaces: tuple[SpaceLook, ...] = ()
    pieces: tuple[PieceLook, ...] = ()
    zones: tuple[ZoneLook, ...] = ()
    # what is shown, in this order; everything that is not `hidden` when None
    values: tuple[ShownName, ...] | None = None
    seat_values: tuple[ShownName, ...] | None = None
    centre: tuple[ShownName, ...] | None = None  # in the middle of the table
    badges: tuple[BadgeLook, ...] = ()
    in_play: str = ""  # a set of seats: the others are faint
    actions: tuple[ActionLook, ...] = ()
    amounts: tuple[AmountLook, ...] = ()
