"""Block texts (`key: |`) whose first line stands further in than the others.

YAML takes the indentation of a text from its first line, and refuses lines that stand further out.
The drawing of a board of hexes often begins like that. The least indented line tells as much; what
YAML would read without an error stays as it is.
"""

from __future__ import annotations

import re

from ludwright.language.reading.source import Block

_TEXT = re.compile(r"^((?: |- )*)[\w\"'.-]+ *: *\|(?=[-+]? *$)")
_MOST = 9  # YAML's indicator is one digit


def with_measured_texts(block: Block) -> Block:
    """The block; where it is needed, `|` says how far a text is indented."""
    lines = block.text.split("\n")
    changed = False
    for number, line in enumerate(lines):
        opening = _TEXT.match(line)
        if opening is None:
            continue
        outer = len(opening.group(1))
        indents = _indents(lines[number + 1 :], outer)
        if indents and min(indents) < indents[0] and min(indents) - outer <= _MOST:
            end = opening.end()
            lines[number] = f"{line[:end]}{min(indents) - outer}{line[end:]}"
            changed = True
    if not changed:
        return block
    return Block(block.file, "\n".join(lines), block.first_line, block.columns_cut, block.opening)


def _indents(lines: list[str], outer: int) -> list[int]:
    """How far the lines of a text are indented, up to the first that belongs to it no more."""
    found: list[int] = []
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            continue
        if indent <= outer:
            break
        found.append(indent)
    return found
