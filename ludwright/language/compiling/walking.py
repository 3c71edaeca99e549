"""Walks over the syntax tree of a whole game."""

from __future__ import annotations

from collections.abc import Iterator

from ludwright.language import tree
from ludwright.language.gamedef import GameDef


def nodes_in(node: object) -> Iterator[tree.Node]:
    """Every node below (and including) this one, in the order of the text."""
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tree.Node):
            yield item
            fields = [getattr(item, name) for name in item.__dataclass_fields__ if name != "span"]
            stack.extend(reversed(fields))
        elif isinstance(item, tuple):
            stack.extend(reversed(item))


def effects_in(gamedef: GameDef) -> Iterator[tree.Effect]:
    return (node for node in nodes_in(gamedef) if isinstance(node, tree.Effect))


def uses_effect(gamedef: GameDef, kind: type[tree.Effect]) -> bool:
    return any(isinstance(effect, kind) for effect in effects_in(gamedef))
