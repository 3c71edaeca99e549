"""Pictures of a game, made from its declarations and what a seat sees, without code per game.

`scene_of` turns an observation into a `Scene`: boards, zones, pieces and values with their places
on a plane, in terms of a few shapes and texts. `svg` draws a scene.
"""

from __future__ import annotations

from ludwright.scene.build import scene_of
from ludwright.scene.model import Item, Scene, Shape, Text
from ludwright.scene.svg import svg

__all__ = ["Item", "Scene", "Shape", "Text", "scene_of", "svg"]
