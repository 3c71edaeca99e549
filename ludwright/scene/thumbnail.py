"""A scene as a small picture: shapes and signs without words, for a list of games."""

from __future__ import annotations

from dataclasses import replace

from ludwright.scene.model import Item, Scene, Text
from ludwright.scene.svg import svg

SIGNS = ("card", "pip", "glyph")  # texts that are drawn, not read
LARGE = 1.6  # how much thicker lines are, of what is drawn so small
MARGIN = 10.0


def thumbnail(scene: Scene) -> str:
    """The boards alone, where zones lie below them."""
    height = scene.board or scene.height
    items = tuple(
        found
        for item in scene.items
        if item.y <= height and (found := _plainer(item)).marks and not _is_words(item)
    )
    return svg(replace(scene, items=items, height=height), panel=False)


def _is_words(item: Item) -> bool:
    return item.kind == "tag" and item.id.startswith(("value:", "count:", "owner:"))


def _plainer(item: Item) -> Item:
    """Without what could not be read, and without a name: the list has the game's."""
    marks = tuple(
        mark if isinstance(mark, Text) else replace(mark, width=mark.width * LARGE)
        for mark in item.marks
        if not isinstance(mark, Text) or mark.style in SIGNS
    )
    return replace(item, marks=marks, name="")
