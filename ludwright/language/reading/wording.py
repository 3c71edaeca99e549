"""Small helpers for putting an author's own text into messages."""

from __future__ import annotations

_LONGEST = 100


def shorten(text: str) -> str:
    """One line of at most a hundred characters."""
    line = " ".join(text[: 2 * _LONGEST].split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def quoted(text: str) -> str:
    """The text as the author should write it: in quotes that need no escapes."""
    line = shorten(text)
    if '"' not in line and "\\" not in line:
        return f'"{line}"'
    return "'" + line.replace("'", "''") + "'"


# Where a statement takes one other, several go into a block of their own.
SEVERAL = {
    "if": "several statements go into a block: `if: { when: c, then: […], else: […] }`",
    "for": "several statements go into a block: `forEach: { bind: x, over: A, do: […] }`",
}
SORTED_BY = (
    "sort tuples, which are compared from the left: `x for key, x in sort((x.points, x) for x in "
    "seats)`; `-x.points` puts the most first"
)
