"""How wide words are, so that they stay inside what they stand on.

Pictures use the fonts of the reader's system, so nobody knows their letters exactly. These are the
widths of DejaVu, which is wider than the fonts of most systems: what fits here fits elsewhere.
"""

from __future__ import annotations

from functools import lru_cache

from ludwright.scene.model import Style, Text

SIZES: dict[Style, float] = {
    "title": 20, "name": 14, "label": 12, "detail": 11, "number": 12, "big": 19, "card": 19,
    "pip": 10, "glyph": 20,
}  # fmt: skip
BOLD: frozenset[Style] = frozenset({"title", "name", "number", "big", "card", "pip"})
SMALLEST = 0.72  # of the usual letters: smaller ones cannot be read
OTHERS = 0.9  # of the size: letters that are not listed
# hundredths of the size, for the characters from the space to the tilde
_PLAIN = (
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
)  # fmt: skip
_BOLD = (
    35, 46, 52, 84, 70, 100, 90, 31, 47, 47, 52, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70,
    70, 70, 40, 40, 84, 84, 84, 59, 100, 78, 85, 80, 87, 76, 71, 85, 94, 47, 47, 87, 70, 111, 91,
    87, 75, 87, 83, 72, 74, 87, 78, 112, 78, 72, 73, 47, 37, 47, 84, 50, 50, 67, 72, 61, 72, 68, 44,
    72, 73, 38, 36, 69, 38, 106, 73, 69, 72, 72, 53, 60, 48, 73, 65, 92, 65, 65, 58, 71, 37, 71, 84,
)  # fmt: skip
_NARROW = {"·": 0.4, "…": 1.0, "–": 0.5, "’": 0.32}


@lru_cache(8192)
def width(text: str, style: Style = "label") -> float:
    """How wide a text is in a style, at its usual size."""
    table = _BOLD if style in BOLD else _PLAIN
    size = SIZES[style]
    return sum(
        table[ord(one) - 32] * size / 100 if " " <= one <= "~" else _NARROW.get(one, OTHERS) * size
        for one in text
    )


def cut(text: str, room: float, style: Style = "label") -> str:
    """As much of a text as there is room for."""
    if width(text, style) <= room:
        return text
    end = len(text)
    while end > 1 and width(text[:end].rstrip() + "…", style) > room:
        end -= 1
    return text[:end].rstrip() + "…"


def wrapped(text: str, room: float, style: Style = "label") -> list[str]:
    """Lines of words; a word that is too long is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", style) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [cut(line, room, style) for line in lines]


def shortened(lines: list[str], most: int) -> list[str]:
    """The first lines; the last of them says that there are more."""
    if len(lines) <= most or not most:
        return lines[:most]
    last = lines[most - 1]
    return [*lines[: most - 1], last if last.endswith("…") else f"{last[: max(1, len(last) - 2)]}…"]


def fitted(
    text: str, room: float, x: float = 0.0, y: float = 0.0, style: Style = "label",
    fill: str = "ink",
) -> Text:  # fmt: skip
    """A text around a point: in smaller letters where it is long, and cut where that is not
    enough."""
    scale = max(SMALLEST, min(1.0, room / max(1.0, width(text, style))))
    return Text(cut(text, room / scale, style), x, y, style, fill, scale=round(scale, 2))
