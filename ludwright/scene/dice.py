"""Faces of dice."""

from __future__ import annotations

from collections.abc import Iterator

from ludwright.program import Variable
from ludwright.program.types import Type
from ludwright.scene import shapes
from ludwright.scene.model import Mark, Shape

PIPS = 6
_NAMES = ("die", "dice")
_PLACES = {
    1: ((0, 0),), 2: ((-1, 1), (1, -1)), 3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}  # fmt: skip


def is_die(name: str) -> bool:
    return name.lower() in _NAMES


def rolled(variable: Variable, value: object) -> tuple[int, ...]:
    """The faces that a variable shows, if it is called after dice; otherwise none."""
    type_: Type = variable.type.items[0] if variable.type.kind == "list" else variable.type
    if not is_die(variable.name) or type_.kind != "int":
        return ()
    faces = value if isinstance(value, list | tuple) else (value,)
    found = tuple(face for face in faces if isinstance(face, int) and 1 <= face <= PIPS)
    return found if len(found) == len(faces) else ()


def die(face: int, size: float, x: float, fill: str, ink: str) -> Iterator[Mark]:
    """One die, with its middle at (x, 0)."""
    yield Shape(shapes.moved(shapes.box(size, size, size * 0.2), x, 0), fill, "outline", 1)
    gap = size * 0.27
    for dx, dy in _PLACES.get(face, ()):
        yield Shape(shapes.moved(shapes.disc(size * 0.09), x + dx * gap, dy * gap), ink)
