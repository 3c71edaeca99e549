"""How pieces look, from what their kind declares: shape says what, colour and mark say whose.

A kind whose pieces have no owner and are all different is a kind of card; all others are tokens.
A token's shape, or its letter where there are many kinds of it, comes from the property that says
what the piece is; a hollow token has a hidden side up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludwright.kernel.views.board import letters
from ludwright.language.look import FaceLook, is_path
from ludwright.program.world import PieceKind, World
from ludwright.scene import shapes
from ludwright.scene.colours import front, seat_colours, token
from ludwright.scene.dice import PIPS, die, is_die
from ludwright.scene.letters import cut, shortened, wrapped
from ludwright.scene.looks import Looks, drawn
from ludwright.scene.model import Item, Mark, Shape, Style, Text
from ludwright.scene.outlines import fitted
from ludwright.scene.rows import RowsOf, rows_of
from ludwright.scene.symbols import CHESS
from ludwright.scene.words import in_words, worded

FEW_SHAPES = 3  # kinds of tokens that are told apart by shape; more have letters
# shapes in which a number can be read, for pieces that a table tells apart
ROW_SHAPES = ("cube", "bar", "hex", "drop", "disc", "ringed", "wedge", "pawn")
CARD_RATIO = 1.4
CORNER = 78.0  # how wide a card is whose corner is written at its usual size
SHORT_NAME = 4  # letters of a card's name that are written large
HIDDEN_SIDE = "hidden"  # a property of this name says which side is up
KEPT = 8192  # drawn cells that a game remembers: most are as they were in the last position
_NOT_TOLD = ("kind", "name", "owner", "row")

# heads of cards: calm, and none the colour of a seat
_BANDS = ("sand", "sea", "leaf", "minus", "felt", "plus", "shade", "minus2", "plus2")
_FACES = tuple(map(str, range(1, PIPS + 1)))

Piece = Mapping[str, Any]


@dataclass(frozen=True)
class _KindLook:
    card: bool
    what: str | None  # the property that says what a piece is
    shapes: Mapping[str, str]  # by value of that property
    letters: Mapping[str, str]
    symbols: bool  # whether its pieces are drawn as what they are called
    short: bool  # whether the names of its cards are written large


class Figures:
    """The looks of all kinds of a game."""

    def __init__(self, world: World, cards: Iterable[str], looks: Looks) -> None:
        self.looks = looks
        self._colours = seat_colours(world.seats, looks.seat_colours)
        self._seats = {seat: at for at, seat in enumerate(world.seats)}
        self._rows: dict[str, RowsOf] = {kind.name: rows_of(world, kind) for kind in world.kinds}
        self.cards = {name for name in cards if not self._rows[name].owners}
        self._looks = {kind.name: self._look(world, kind) for kind in world.kinds}
        self._names = {
            kind.name: {
                name: at for at, name in enumerate(dict.fromkeys(self._card_names(world, kind)))
            }
            for kind in world.kinds
        }
        names = (name for kind in world.kinds for name in kind.names)
        self._ranks = {name: at for at, name in enumerate(names)}
        plain = [kind.name for kind in world.kinds if self._looks[kind.name].what is None]
        self._kind_shapes = dict(zip(plain, shapes.TOKENS, strict=False))
        self._kept: dict[Hashable, tuple[Item, ...]] = {}

    def _look(self, world: World, kind: PieceKind) -> _KindLook:
        what = _kind_property(kind)
        values: Sequence[str] = ()
        if what is not None:
            of = next(prop.type.name for prop in kind.properties if prop.name == what)
            values = world.tables[of].rows if of in world.tables else world.enums.get(of, ())
        rows = self._rows[kind.name]
        values = rows.words or values
        by_shape = values if len(values) <= FEW_SHAPES or rows.words else ()
        return _KindLook(
            card=kind.name in self.cards,
            what=what,
            shapes=dict(zip(by_shape, ROW_SHAPES if rows.words else shapes.TOKENS, strict=False)),
            letters={} if by_shape else letters(values),
            symbols=bool(values) and all(value in CHESS for value in values),
            short=all(len(name) <= SHORT_NAME for name in self._card_names(world, kind)),
        )

    @staticmethod
    def _card_names(world: World, kind: PieceKind) -> Iterable[str]:
        row = next((prop for prop in kind.properties if prop.type.kind == "row"), None)
        return world.tables[row.type.name].rows if row is not None else kind.names

    def kept(self, of: Hashable, draw: Callable[[], Iterable[Item]]) -> tuple[Item, ...]:
        """Items that were drawn before for the same thing as it is now; `of` says all they show."""
        found = self._kept.get(of)
        if found is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            found = self._kept[of] = tuple(draw())
        return found

    def suited(self, piece: Piece | None) -> bool:
        """Whether a card shows what it is at its corner, so that it may be covered by the next."""
        return piece is None or bool(shapes.suit_letter(piece.get("suit")))

    def order(self, piece: Piece) -> tuple[int, str]:
        """Pieces in the order of the rulebook, alike ones side by side; suits stay together."""
        rank = self._ranks.get(str(piece.get("name", "")), -1)
        suit = "chsd".find(shapes.suit_letter(piece.get("suit")) or "-")  # black and red in turn
        rank += max(0, suit) * len(self._ranks)
        return rank, f"{self._seats.get(piece.get('owner') or '', -1):02} {self.word(piece)}"

    def seat_name(self, owner: int) -> str:
        return next(seat for seat, number in self._seats.items() if number == owner)

    def colour(self, owner: int | None) -> str:
        """The colour of a seat's pieces; of nobody's: None."""
        return "piece" if owner is None else self._colours[owner]

    def owner(self, piece: Piece) -> int | None:
        """Whose a piece is: its own word for it, or that of its row."""
        own = self._seats.get(piece.get("owner") or "")
        return self._rows[piece["kind"]].owners.get(piece.get("row", "")) if own is None else own

    def what(self, piece: Piece) -> str:
        """What a piece is, of all that its kind can be; "" where that is not said."""
        found = self._rows[piece["kind"]].whats.get(piece.get("row", ""))
        named = self._looks[piece["kind"]].what
        return found or (str(piece.get(named)) if named else "")

    def word(self, piece: Piece) -> str:
        """What a piece is, without whose it is."""
        suit = shapes.SUIT_WORDS.get(shapes.suit_letter(piece.get("suit")))
        if suit is not None:
            return f"{_rank(piece)} of {suit}"
        if name := piece.get("name") or piece.get("row"):
            return self.looks.called("row", str(piece.get("row") or name))
        look = self._looks[piece["kind"]]
        own = piece.get(look.what) if look.what else None
        flags = [worded(name) for name, value in piece.items() if value is True]
        return " ".join([*flags, worded(str(own if own is not None else piece["kind"]))])

    def called(self, piece: Piece) -> str:
        owner = piece.get("owner")
        return f"{worded(str(owner))} {self.word(piece)}" if owner else self.word(piece)

    def is_ground(self, piece: Piece) -> bool:
        """Whether a piece is what others stand on: a wood, a hedge."""
        own = self.looks.pieces(piece["kind"]).shape
        return own is not None and self.looks.of_piece(own, piece) == "ground"

    def ground(
        self, piece: Piece, cell: float, hexagon: bool, size: tuple[float, float] | None = None
    ) -> tuple[Mark, ...]:
        """What lies in the whole of a cell, under whatever stands there; `size`: of one that is no
        square."""
        own = self.looks.pieces(piece["kind"])
        colour = token(self.looks.of_piece(own.colour, piece)) or self.colour(self.owner(piece))
        side = cell * 0.96 * own.size / 100
        wide, high = (one * own.size / 100 for one in size) if size else (side, side)
        box = shapes.box(wide, high, min(wide, high) / 7)
        outline = shapes.regular(6, side / 3**0.5) if hexagon else box
        symbol = self.looks.symbol(piece)
        sign = (drawn(symbol, side * 0.42, front(colour)),) if symbol else ()
        return (Shape(outline, colour), *sign)

    # ------------------------------------------------------------------ tokens

    def token(self, piece: Piece, radius: float, count: int = 1) -> tuple[Mark, ...]:
        """A piece seen from above, or several alike with their number."""
        look, own = self._looks[piece["kind"]], self.looks.pieces(piece["kind"])
        owner = self.owner(piece)
        value = self.what(piece)
        colour = token(self.looks.of_piece(own.colour, piece)) or self.colour(owner)
        symbol = self.looks.symbol(piece)
        radius *= own.size / 100
        if not symbol and owner is not None:
            symbol = self.looks.seat_symbols.get(str(piece.get("owner")), "")
        if look.symbols and count == 1 and not symbol:
            return _chessman(value, colour, radius)
        if is_die(piece["kind"]) and count == 1 and _number(piece) in _FACES and not symbol:
            return tuple(die(int(_number(piece)), radius * 2, 0, colour, front(colour)))
        if is_path(symbol) and count == 1:  # the outline itself is the piece
            return (Shape(fitted(symbol, 2 * radius), colour, _edge(colour), radius / 14),)
        shape = self.looks.of_piece(own.shape, piece) or look.shapes.get(value)
        shape = shape or self._kind_shapes.get(piece["kind"], "disc")
        hollow = piece.get(HIDDEN_SIDE) is True
        marks = _body(shape, colour, radius, hollow)
        ink = "ink" if hollow else front(colour)
        if own.label is not None:
            text = self.looks.filled(own.label, piece)
        else:
            text = _number(piece) or look.letters.get(value, "").upper()
        text = str(count) if count > 1 else text
        if symbol and count == 1:
            marks.append(drawn(symbol, radius * 1.15, ink))
        elif text:
            style: Style = "number" if radius < 18 or len(text) > 2 else "big"
            marks.append(Text(text, 0, 0, style, ink))
        elif owner is not None and not hollow and shape != "ringed" and own.label is None:
            mark = shapes.seat_mark(owner, radius * 0.45)
            marks.append(Shape(mark, ink, opacity=0.85))
        return tuple(marks)

    def grouped(self, pieces: Iterable[Piece]) -> list[tuple[Piece, int]]:
        """Pieces that look the same, with their number."""
        ordered = sorted(pieces, key=self.order)
        counts = Counter(map(_key, ordered))
        first = {_key(piece): piece for piece in reversed(ordered)}
        return [(first[key], counts[key]) for key in counts]

    # ------------------------------------------------------------------- cards

    def card(self, piece: Piece | None, width: float) -> tuple[Mark, ...]:
        """The face of a card, or its back where it is not seen."""
        height = width * CARD_RATIO
        if piece is None:
            return card_back(width)
        edge = Shape(shapes.box(width, height, width * 0.09), "paper", "line2", 1)
        face = self.looks.pieces(piece["kind"]).face
        if face is not None:
            return (edge, *self._templated(piece, face, width))
        suit = shapes.SUITS.get(shapes.suit_letter(piece.get("suit")))
        if suit is not None:
            return (edge, *_suited(piece, suit, width))
        return (edge, *self._lines(piece, width))

    def _templated(self, piece: Piece, face: FaceLook, width: float) -> Iterable[Mark]:
        """A card as the rulebook wants it: corner, symbol, title and text."""
        looks = self.looks
        top, left = -width * CARD_RATIO / 2, -width / 2 + width * 0.1
        colour = token(looks.of_piece(face.colour, piece)) or "ink"
        corner, title = looks.filled(face.corner, piece), looks.filled(face.title, piece)
        symbol = looks.of_piece(face.symbol, piece)
        room = width * 0.84
        if corner:
            large = round(width / CORNER, 2)
            text = cut(corner, room / large, "card")
            yield Text(text, left, top + width * 0.22, "card", colour, "start", large)
        if symbol:
            x, y = (width * 0.12, width * 0.1) if corner else (0.0, -width * 0.08)
            yield drawn(symbol, width * 0.55, colour, x, y)
        y = top + width * (0.2 if not corner else 0.5)
        if symbol:
            y = -top - width * 0.18 - 14 * len(face.text)
        for line in shortened(wrapped(title, room), 3):
            centred = Text(line, 0.0, y, "label", "ink")
            yield centred if symbol else Text(line, left, y, "label", "ink", "start")
            y += 15
        lines = [
            line
            for text in face.text
            for line in wrapped(looks.filled(text, piece), room, "detail")
        ]
        for line in shortened(lines, max(0, int((-top - 6 - y) // 13) + 1)):
            yield Text(line, left, y, "detail", "ink2", "start")
            y += 13

    def _lines(self, piece: Piece, width: float) -> Iterable[Mark]:
        """A card that is not of a suit: its name on a band, and below it what is known of it."""
        top, left = -width * CARD_RATIO / 2, -width / 2 + width * 0.09
        name = self.word(piece)
        known = list(self._known(piece, name, width * 0.86))
        if self._looks[piece["kind"]].short:
            yield Text(name, left, top + width * 0.24, "card", "ink", "start",
                       round(width / CORNER, 2))  # fmt: skip
            y = top + width * 0.54
        else:
            most = 3 if known else 5  # a card of which nothing else is known has a long name
            lines = shortened(wrapped(name[:1].upper() + name[1:], width * 0.94), most)
            high = 15 * len(lines) + 9
            band = shapes.band(width, high, width * 0.09)
            yield Shape(shapes.moved(band, 0, top), self._band(piece))
            for at, line in enumerate(lines):
                yield Text(line, 0, top + 12 + 15 * at, "label", "ink")
            y = top + high + 13
        for line in shortened(known, max(0, int((-top - 6 - y) // 12.5) + 1)):
            yield Text(line, left, y, "detail", "ink2", "start")
            y += 12.5

    def _band(self, piece: Piece) -> str:
        """The colour of a card's head: alike for cards that are called alike."""
        rows = self._names.get(piece["kind"], {})
        at = rows.get(str(piece.get("row") or piece.get("name") or ""), 0)
        return _BANDS[at % len(_BANDS)]

    def _known(self, piece: Piece, name: str, room: float) -> Iterable[str]:
        """What the rulebook says of a card, and its properties; in lines."""
        yield from wrapped(str(self.looks.property(piece, "text") or ""), room, "detail")
        for key, value in piece.items():
            if key in _NOT_TOLD or value in (None, False, "") or str(value) == name:
                continue
            told = worded(key) if value is True else f"{worded(key)} {in_words(value)}"
            yield cut(told, room, "detail")


def _chessman(name: str, colour: str, radius: float) -> tuple[Mark, ...]:
    """A piece drawn as what it is called."""
    body, lines = CHESS[name]
    factor = radius / 17
    marks: list[Mark] = [Shape(shapes.scaled(body, factor), colour, _edge(colour), 1.5 * factor)]
    if lines:
        marks.append(Shape(shapes.scaled(lines, factor), "none", front(colour), 1.2 * factor))
    return tuple(marks)


def _edge(colour: str) -> str:
    return {"white": "on-white", "jet": "jet-edge"}.get(colour, "outline")


def _body(shape: str, colour: str, radius: float, hollow: bool) -> list[Mark]:
    fill, ink = ("panel", colour) if hollow else (colour, front(colour))
    edge, width = (colour, radius / 5) if hollow else ("outline", 1.0)
    marks: list[Mark] = [Shape(shapes.token(shape, radius), fill, edge, width)]
    if shape == "ringed":
        marks.append(Shape(shapes.disc(radius * 0.7), "none", ink, radius / 9))
    return marks


def card_back(width: float) -> tuple[Mark, ...]:
    height = width * CARD_RATIO
    inner = 0.86
    lines = [
        shapes.line((-width * 0.36, y), (width * 0.36, y + width * 0.3))
        + shapes.line((-width * 0.36, y + width * 0.3), (width * 0.36, y))
        for y in (-height * 0.36, -height * 0.2, -height * 0.04, height * 0.12)
    ]
    return (
        Shape(shapes.box(width, height, width * 0.09), "paper", "line2", 1),
        Shape(shapes.box(width * inner, height * 0.9, width * 0.05), "back", "line", 1),
        Shape("".join(lines), "none", "line2", 0.7, opacity=0.6),
    )


def _rank(piece: Piece) -> str:
    """What stands at the corner of a card beside its suit."""
    name, letter = str(piece.get("name", "")), shapes.suit_letter(piece["suit"])
    rank = name[:-1] if name[-1:].lower() == letter else str(piece.get("rank", name))
    return "10" if rank == "T" else rank.rstrip("-")


def _suited(piece: Piece, suit: tuple[str, str], width: float) -> Iterable[Mark]:
    path, colour = suit
    rank = _rank(piece)
    height = width * CARD_RATIO
    x = -width / 2 + width * 0.17
    large = round(width / CORNER, 2)
    yield Text(rank, x, -height / 2 + width * 0.23, "card", colour, scale=large)
    yield Shape(shapes.scaled(path, width / 96, x, -height / 2 + width * 0.5), colour)
    yield Shape(shapes.scaled(path, width / 48, width * 0.12, height * 0.2), colour)


def _kind_property(kind: PieceKind) -> str | None:
    """The property that says what a piece is: a word, or the row of a table."""
    for wanted in ("enum", "row"):
        for prop in kind.properties:
            if prop.type.kind == wanted and prop.name not in _NOT_TOLD:
                return prop.name
    return None


def _number(piece: Piece) -> str:
    numbers = [
        value
        for name, value in piece.items()
        if name not in _NOT_TOLD and isinstance(value, int) and not isinstance(value, bool)
    ]
    return str(numbers[0]) if len(numbers) == 1 and numbers[0] else ""


def _key(piece: Piece) -> str:
    return repr(sorted((name, str(value)) for name, value in piece.items()))
