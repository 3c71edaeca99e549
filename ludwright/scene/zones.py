"""Zones: fanned hands, decks with counts, rows of cards, boxes of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

from ludwright.language.look import ZoneLook
from ludwright.program.world import Place, World
from ludwright.scene import shapes
from ludwright.scene.figures import CARD_RATIO, Figures, Piece, card_back
from ludwright.scene.letters import width as text_width
from ludwright.scene.model import Item, Mark, Part, Shape, Text
from ludwright.scene.words import worded

CARD = 72.0
SMALL_CARD = 38.0
IN_A_ROW = 8  # cards that lie side by side where order or text matters
FAN = 15  # more cards than this are drawn in straight rows
_PAD = 12.0
_HEAD = 26.0


@dataclass(frozen=True)
class ZoneView:
    name: str
    zone: str
    owner: int | None
    order: str
    count: int
    pieces: tuple[Piece | None, ...]  # in order where there is one; None: not seen
    hidden: int
    cards: bool
    mine: bool  # belongs to the seat that looks
    look: ZoneLook
    scale: float = 1.0

    @property
    def title(self) -> str:
        return worded(self.zone) if self.look.label is None else self.look.label


def zones_of(
    world: World, observation: Mapping[str, Any], figures: Figures, cards: set[str], near: float
) -> list[ZoneView]:
    """Zones of the table and of the seats in play; `near`: how large own cards are."""
    seats, viewer = observation["seats"], observation["seat"]
    found: list[ZoneView] = []
    for place in world.places[world.space_count :]:
        owner = place.owner if place.owner >= 0 else None
        if owner is not None and world.seats[owner] not in seats:
            continue
        look = figures.looks.zone(str(place.zone))
        if look.drawn == "hidden":
            continue
        shown = observation["places"].get(place.name, {"count": 0})
        if place.order == "deck" and not shown["count"] and ":" in place.name and owner is None:
            continue  # one of several piles, used up or not used
        pieces = list(shown.get("pieces", ()))
        if place.order in ("bag", "deck"):
            pieces.sort(key=lambda piece: figures.order(piece) if piece else (-1, ""))
        seen = sum(piece is not None for piece in pieces)
        mine = owner is not None and world.seats[owner] == viewer
        found.append(
            ZoneView(
                place.name,
                str(place.zone),
                owner,
                place.order,
                shown["count"],
                tuple(pieces),
                shown["count"] - seen,
                _of_cards(world, place, cards, pieces),
                mine,
                look,
                near if mine else 1.0,
            )
        )
    return found


def _of_cards(world: World, place: Place, cards: set[str], pieces: Sequence[Piece | None]) -> bool:
    kinds = set(place.kinds) or {piece["kind"] for piece in pieces if piece}
    return (kinds or {kind.name for kind in world.kinds}) <= cards and bool(cards)


def zone_part(zone: ZoneView, figures: Figures, seat_name: str = "") -> Part:
    """A zone with its name and what lies in it; `seat_name`: whose it is."""
    inner = contents(zone, figures)
    head = f"{zone.title} of {seat_name}" if seat_name else zone.title
    if head and zone.count != 1:
        head += f" · {zone.count or 'empty'}"
    room = _HEAD if head else _PAD
    width = max(inner.width, text_width(head) + (18 if seat_name else 0)) + 2 * _PAD
    height = inner.height + room + (_PAD if inner.items else 2)
    # cards show themselves where they lie; other zones are boxes
    edge = "none" if zone.cards and inner.items else "line2"
    marks: list[Mark] = [Shape(shapes.box(width, height, 8), "none", edge, 1, dash=True)]
    left = -width / 2 + _PAD
    tag: Item | None = None
    if zone.owner is not None and seat_name:
        sign = Shape(shapes.seat_mark(zone.owner, 5.5), figures.colour(zone.owner), "outline", 0.8)
        tag = Item(f"owner:{zone.name}", "tag", _PAD + 5, 14, (sign,))
        left += 18
    if head:
        marks.append(Text(head, left, -height / 2 + 14, "label", "ink2", "start"))
    frame = Item(
        f"zone:{zone.name}", "zone", width / 2, height / 2, tuple(marks), head or worded(zone.zone),
        answers=(zone.name,), holds=_beneath(zone, inner),
    )  # fmt: skip
    tags = (tag,) if tag is not None else ()
    return Part(width, height, (frame, *tags, *inner.at((width - inner.width) / 2, room)))


def slot(zone: ZoneView, figures: Figures) -> Part:
    """A zone without a name: what lies in it, or a place for one card."""
    inner = contents(zone, figures)
    width, height = inner.width, inner.height
    edge = "none"
    if not zone.count:
        width = CARD * zone.look.size / 100 if zone.cards else 40.0
        height, edge = width * CARD_RATIO if zone.cards else 40.0, "line2"
    outline = Shape(shapes.box(width, height, 6), "none", edge, 1, dash=True)
    name = f"{zone.title or worded(zone.zone)}, {zone.count or 'empty'}"
    frame = Item(f"zone:{zone.name}", "zone", width / 2, height / 2, (outline,), name,
                 answers=(zone.name,), holds=_beneath(zone, inner))  # fmt: skip
    return Part(width, height, (frame, *inner.at(0, 0)))


def _beneath(zone: ZoneView, inner: Part) -> tuple[str, ...]:
    """Pieces in a pile, or among others that look the same."""
    drawn = {answer for item in inner.items for answer in item.answers}
    names = (str(piece.get("name") or "") for piece in zone.pieces if piece is not None)
    return tuple(name for name in names if name and name not in drawn)


def contents(zone: ZoneView, figures: Figures) -> Part:
    if zone.look.slots > zone.count and zone.cards:
        return _with_slots(zone, figures)
    if not zone.count:
        return Part(0, 0)
    if zone.look.drawn == "count":
        text = Text(str(zone.count), 18, 12, "big", "ink")
        return Part(36, 26, (Item(f"count:{zone.name}", "tag", 0, 0, (text,)),))
    return _cards(zone, figures) if zone.cards else _tokens(zone, figures)


def _tokens(zone: ZoneView, figures: Figures) -> Part:
    """One token for all that look the same, with their number; what is not seen as one hollow."""
    groups = figures.grouped(piece for piece in zone.pieces if piece is not None)
    radius, gap = 12.0, 32.0
    items: list[Item] = []
    for at, (piece, count) in enumerate(groups):
        own = str(piece.get("name") or "")
        name = figures.called(piece) + (f" × {count}" if count > 1 else "")
        ident = f"piece:{own}" if own and count == 1 else f"piece:{zone.name}:{at}"
        x = gap * at + gap / 2
        token = figures.token(piece, radius, count)
        items.append(Item(ident, "piece", x, 16, token, name, answers=(own,) if own else ()))
    if zone.hidden:
        marks = (
            Shape(shapes.disc(radius), "panel", "line2", 2, dash=True),
            Text(str(zone.hidden), 0, 0, "number", "ink2"),
        )
        x = gap * len(groups) + gap / 2
        name = f"{zone.hidden} face down"
        items.append(Item(f"hidden:{zone.name}", "tag", x, 16, marks, name))
    return Part(gap * len(items), 32, tuple(items))


# -------------------------------------------------------------------------- cards


def _with_slots(zone: ZoneView, figures: Figures) -> Part:
    """A row of cards with places for those that are still to come."""
    width = CARD * zone.look.size / 100
    step, height = width + 8, width * CARD_RATIO
    own = _row(zone, list(zone.pieces) or [None] * zone.count, width, figures)
    outline = Shape(shapes.box(width, height, width * 0.09), "none", "line2", 1, dash=True)
    empty = tuple(
        Item(f"slot:{zone.name}:{at}", "tag", at * step + width / 2, height / 2, (outline,))
        for at in range(zone.count, zone.look.slots)
    )
    return Part(zone.look.slots * step - 8, height, (*own.items, *empty))


def _cards(zone: ZoneView, figures: Figures) -> Part:
    drawn = zone.look.drawn
    piled = zone.order == "deck" or (zone.owner is None and zone.hidden == zone.count)
    if drawn == "pile" or (piled and not drawn):
        return _deck(zone, figures)
    if drawn == "tokens":
        return _tokens(zone, figures)
    shown: list[Piece | None] = list(zone.pieces) or [None] * zone.count
    width = CARD if zone.mine or zone.owner is None else CARD * 0.75
    if all(piece is None for piece in shown):
        width = SMALL_CARD
    width *= zone.look.size / 100 * zone.scale
    few = len(shown) <= IN_A_ROW
    covered = not all(map(figures.suited, shown))
    if (
        len(shown) == 1
        or drawn == "row"
        or (few and not drawn and (zone.order == "row" or covered))
    ):
        return _row(zone, shown, width, figures)
    return _fan(zone, shown, width, figures)


def _card_item(
    zone: ZoneView, at: int, piece: Piece | None, width: float, figures: Figures,
    x: float, y: float, turn: float = 0.0,
) -> Item:  # fmt: skip
    own = str(piece.get("name") or "") if piece else ""
    name = figures.called(piece) if piece else "a card face down"
    return Item(
        f"piece:{own}" if own else f"piece:{zone.name}:{at}", "piece", x, y,
        figures.card(piece, width), name, turn, (own,) if own else (), _row_of(piece),
    )  # fmt: skip


def _row_of(piece: Piece | None) -> str:
    """The row that tells of a card; nothing of one that is not seen."""
    return str(piece.get("row") or "") if piece else ""


def _row(zone: ZoneView, shown: Sequence[Piece | None], width: float, figures: Figures) -> Part:
    step = width + 8
    items = tuple(
        _card_item(zone, at, piece, width, figures, at * step + width / 2, width * CARD_RATIO / 2)
        for at, piece in enumerate(shown)
    )
    return Part(len(shown) * step - 8, width * CARD_RATIO, items)


def _fan(zone: ZoneView, shown: Sequence[Piece | None], width: float, figures: Figures) -> Part:
    """Cards held in a hand, the first at the left; many of them in several rows."""
    if len(shown) > FAN:
        return _rows(zone, shown, width, figures)
    count = len(shown)
    angle = min(6.0, 44.0 / max(1, count - 1))
    reach = width * (6.2 if any(shown) else 4.2)  # backs may lie closer
    places: list[tuple[float, float, float]] = []
    for at in range(count):
        turn = (at - (count - 1) / 2) * angle
        radians = turn * pi / 180
        places.append((reach * sin(radians), reach * (1 - cos(radians)), turn))
    lift = width * CARD_RATIO / 2 + 6
    half = max(x for x, _, _ in places) + width * 0.75
    low = max(y for _, y, _ in places)
    items = tuple(
        _card_item(zone, at, piece, width, figures, half + x, lift + y, turn)
        for at, (piece, (x, y, turn)) in enumerate(zip(shown, places, strict=True))
    )
    return Part(2 * half, lift * 2 + low, items)


def _rows(zone: ZoneView, shown: Sequence[Piece | None], width: float, figures: Figures) -> Part:
    step = width * 0.45
    across = 18
    items = tuple(
        _card_item(
            zone, at, piece, width, figures,
            at % across * step + width / 2,
            at // across * width * 0.6 + width * CARD_RATIO / 2,
        )
        for at, piece in enumerate(shown)
    )  # fmt: skip
    rows = -(-len(shown) // across)
    most = min(across, len(shown))
    return Part((most - 1) * step + width, (rows - 1) * width * 0.6 + width * CARD_RATIO, items)


def _deck(zone: ZoneView, figures: Figures) -> Part:
    """A pile: its edges, what lies on top as far as it is seen, and how many there are."""
    width = CARD * 0.8 * zone.look.size / 100
    height = width * CARD_RATIO
    top = zone.pieces[0] if zone.pieces else None
    items = list(_edges(zone, width, height))
    middle = (width / 2 + 6, height / 2 + 6)
    face = figures.card(top, width) if top is not None else card_back(width)
    marks: list[Mark] = list(face)
    # where a card lies on top, the number stands at its corner
    x, y = (0.0, 0.0) if top is None else (width / 2 - 4, height / 2 - 4)
    if top is None or zone.look.drawn == "pile":
        marks += [
            Shape(shapes.moved(shapes.disc(15 if top is None else 11), x, y), "panel", "line2", 1),
            Text(str(zone.count), x, y, "number", "ink"),
        ]
    own = str(top.get("name") or "") if top else ""
    name = f"{zone.count} {'card' if zone.count == 1 else 'cards'}" + (
        f", {figures.called(top)} on top" if top else ""
    )
    answers = (own,) if own else ()
    items.append(
        Item(f"top:{zone.name}", "piece", *middle, tuple(marks), name, 0.0, answers, _row_of(top))
    )
    return Part(width + 12, height + 12, tuple(items))


def _edges(zone: ZoneView, width: float, height: float) -> Iterator[Item]:
    for at in range(min(2, zone.count - 1), 0, -1):
        mark = Shape(shapes.box(width, height, width * 0.09), "paper", "line2", 1)
        x, y = width / 2 + 6 - 3 * at, height / 2 + 6 - 3 * at
        yield Item(f"edge:{zone.name}:{at}", "tag", x, y, (mark,))
