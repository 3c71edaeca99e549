"""What all boards share: the item of a space, the tokens on it, and its tint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ludwright.scene.colours import token
from ludwright.scene.figures import Figures, Piece
from ludwright.scene.looks import label, styled
from ludwright.scene.model import Item, Mark, Text
from ludwright.scene.spaces import GroupView, SpaceView

_TINTS = {-2: "minus2", -1: "minus", 0: "panel", 1: "plus", 2: "plus2"}


def space_item(space: SpaceView, x: float, y: float, marks: Sequence[Mark]) -> Item:
    said = [name if not value else f"{name} {value}" for name, value in space.values]
    name = ", ".join(filter(None, [space.title, *space.notes, space.mood, *said]))
    return Item(f"space:{space.name}", "space", x, y, tuple(marks), name, answers=(space.name,))


def piece_items(
    figures: Figures, space: SpaceView, places: Iterable[tuple[float, float]], radius: float,
    groups: Sequence[tuple[Piece, int]], named: str = "",
) -> Iterator[Item]:  # fmt: skip
    """Tokens at the places given for them."""
    for at, ((piece, count), (x, y)) in enumerate(zip(groups, places, strict=False)):
        name = figures.called(piece) + (f" × {count}" if count > 1 else "")
        own = str(piece.get("name") or "")
        yield Item(
            f"piece:{own}" if own else f"piece:{named or space.name}:{at}", "piece", x, y,
            figures.token(piece, radius, count), f"{name} on {space.title}",
            answers=(own,) if own else (),
        )  # fmt: skip


def tint(figures: Figures, group: GroupView, space: SpaceView, at: int) -> str:
    """Its marker first: that changes in play. Then the colour that the rulebook gives it."""
    if space.level:
        return _TINTS[max(-2, min(2, space.level))]
    own = token(styled(figures.looks.spaces(group.name).colour, space.attributes.get, at))
    return own or ("shade" if space.shaded else "panel")


def label_of(figures: Figures, group: GroupView, space: SpaceView, usual: str) -> str:
    """What is written at a space."""
    look = figures.looks.spaces(group.name)
    if look.label is None:
        return usual
    return label(look.label, {**space.attributes, "title": space.title}.get)


def around(count: int, gap: float) -> list[tuple[float, float]]:
    """Places for a few tokens in one cell: one in the middle, otherwise in rows of two."""
    if count == 1:
        return [(0.0, 0.0)]
    rows = -(-count // 2)
    return [((at % 2 - 0.5) * gap, (at // 2 - (rows - 1) / 2) * gap) for at in range(count)]


def cell_tokens(
    space: SpaceView, x: float, y: float, cell: float, figures: Figures, hexagon: bool = False,
    size: tuple[float, float] | None = None,
) -> Iterator[Item]:  # fmt: skip
    grounds = [piece for piece in space.pieces if figures.is_ground(piece)]
    groups = figures.grouped(piece for piece in space.pieces if not figures.is_ground(piece))
    for piece in grounds[:1]:
        name = f"{figures.called(piece)} on {space.title}"
        marks = figures.ground(piece, cell, hexagon, size)
        yield Item(f"piece:{space.name}:ground", "piece", x, y, marks, name)
    if groups:
        radius = cell * (0.37 if len(groups) == 1 else 0.2)
        places = [(x + dx, y + dy) for dx, dy in around(len(groups), cell * 0.44)]
        yield from piece_items(figures, space, places, radius, groups)
    elif space.values:
        text = " ".join(value or name for name, value in space.values)
        yield Item(f"value:{space.name}", "tag", x, y, (Text(text, style="big"),))
