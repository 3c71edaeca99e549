"""What the `look` of a rulebook says, found by name. Without a word the defaults apply."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ludwright.language.look import (
    LookDecl,
    PieceLook,
    ShownName,
    SpaceLook,
    Style,
    ZoneLook,
    is_path,
)
from ludwright.program.program import Words
from ludwright.program.world import World
from ludwright.scene.colours import token
from ludwright.scene.model import Mark, Shape, Text
from ludwright.scene.outlines import fitted
from ludwright.scene.words import in_words, titled, worded

Piece = Mapping[str, Any]
Declared = Mapping[tuple[str, str], Words]


class Looks:
    def __init__(self, look: LookDecl | None, world: World, words: Declared) -> None:
        self.decl = look or LookDecl()
        self._world = world
        self._words = words
        self._spaces = {one.name: one for one in self.decl.spaces}
        self._pieces = {one.name: one for one in self.decl.pieces}
        self._zones = {one.name: one for one in self.decl.zones}
        self.seat_colours = {one.name: one.colour for one in self.decl.seats if one.colour}
        self.seat_symbols = {one.name: one.symbol for one in self.decl.seats if one.symbol}

    def spaces(self, group: str) -> SpaceLook:
        return self._spaces.get(group) or SpaceLook(group)

    def pieces(self, kind: str) -> PieceLook:
        return self._pieces.get(kind) or PieceLook(kind)

    def zone(self, name: str) -> ZoneLook:
        return self._zones.get(name) or ZoneLook(name)

    @property
    def background(self) -> str:
        return token(self.decl.background)

    def called(self, subject: str, name: str) -> str:
        """The title of something, else its name in words."""
        return self._words.get((subject, name), Words()).title or worded(name)

    def hidden(self, variable: str) -> bool:
        return self._words.get(("variable", variable), Words()).hidden

    # ---------------------------------------------------------------- pieces

    def property(self, piece: Piece, name: str) -> Any:
        """A property of a piece, a column of its row, or a word about it; None: not known."""
        if name in ("title", "text"):
            own = str(piece.get("row") or piece.get("name") or piece["kind"])
            words = self._words.get(("row", own), Words())
            return words.text if name == "text" else titled(words.title or own)
        if name in piece:
            return piece[name]
        for key, value in piece.items():
            for table in self._world.tables.values():
                if key not in ("kind", "owner") and name in table.columns and value in table.rows:
                    return self._cell(table.columns[name], table.rows.index(value))
        return None

    def _cell(self, column: Any, row: int) -> Any:
        value = column.values[row]
        match column.type.kind:
            case "enum":
                return self._world.enums[column.type.name][value]
            case "seat":
                return self._world.seats[value]
            case "bool":
                return bool(value)
            case _:
                return value

    def filled(self, template: str, piece: Piece) -> str:
        return _filled(template, lambda name: self.property(piece, name))

    def of_piece(self, style: Style | None, piece: Piece) -> str:
        return styled(style, lambda name: self.property(piece, name), 0)

    def symbol(self, piece: Piece) -> str:
        """The symbol of a piece: of its look, of its row, or of its kind."""
        look = self.pieces(piece["kind"])
        found = self.of_piece(look.symbol, piece)
        if found:
            return found
        own = str(piece.get("row") or piece.get("name") or "")
        words = self._words.get(("row", own)) or self._words.get(("kind", piece["kind"]))
        return words.symbol if words is not None else ""


def styled(style: Style | None, of: Callable[[str], Any], at: int) -> str:
    """What a style gives for something: by a property of it, or by its number."""
    if style is None:
        return ""
    if style.turn:
        return style.turn[at % len(style.turn)]
    if not style.by:
        return style.text
    value = of(style.by)
    word = {True: "true", False: "false"}.get(value) if isinstance(value, bool) else str(value)
    return next((case.text for case in style.cases if case.value == word), "")


def _filled(template: str, of: Callable[[str], Any]) -> str:
    def value(found: re.Match[str]) -> str:
        known = of(found[1])
        return "" if known is None else in_words(known)

    return re.sub(r"\{(\w+)\}", value, template)


def label(template: str, of: Callable[[str], Any]) -> str:
    return _filled(template, of).strip()


def drawn(symbol: str, size: float, colour: str, x: float = 0.0, y: float = 0.0) -> Mark:
    """A glyph or an outline, about as large as a square of this size."""
    if is_path(symbol):
        return Shape(fitted(symbol, size, x, y), colour)
    return Text(
        symbol, x, y, "glyph", colour, scale=round(size / (20 * max(1, len(symbol) / 2)), 2)
    )


def wanted(names: tuple[ShownName, ...] | None) -> list[str] | None:
    return None if names is None else [name.name for name in names]
