"""What the rulebook says about its cards, for people who look at one.

A row may carry its own words (`text:`). Otherwise the prose may tell of it: a paragraph, or an
entry of a list, that begins with its title in bold (`- **12 Gulf of Tonkin.** …`). All of this is
in the rulebook that everybody may read, so it is the same for every seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ludwright.scene.words import titled
from ludwright.table.rules import FENCE, Rules

LONGEST = 1200  # characters of one text
# "- **12 Gulf of Tonkin.** What it does", with or without the sign of a list and a number
_ENTRY = re.compile(r"(?:[-*+] |\d+\. )?\*\*(?:\d+[.:]? +)?([^*]{1,60}?)[.:]?\*\*[.:]? *(\S.*)")
_NEW = re.compile(r"([-*+] |\d+\. |\*\*|#|\|)")
_EMPHASIS = re.compile(r"(?<![*\w])\*([^*\s][^*]*)\*(?![*\w])")


def glossary(rules: Rules) -> dict[str, dict[str, str]]:
    """By the name of a row: its title, and what it does."""
    program = rules.game.program
    prose = dict(_prose(rules.record.sources))
    found: dict[str, dict[str, str]] = {}
    for table in program.world.tables.values():
        for row in filter(None, table.rows):
            words = program.words.get(("row", row))
            title = words.title if words is not None and words.title else titled(row)
            text = words.text if words is not None else ""
            text = text or prose.get(title.casefold(), "")
            if text:
                found[row] = {"title": title, "text": text[:LONGEST]}
    return found


def _prose(sources: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Titles in bold, in small letters, with the words that follow them."""
    for name, text in sources.items():
        if name.endswith(".md"):
            for line in _entries(text):
                if entry := _ENTRY.fullmatch(line):
                    yield entry[1].strip().casefold(), _EMPHASIS.sub(r"\1", entry[2])


def _entries(text: str) -> Iterator[str]:
    """Paragraphs and entries of lists, each on one line; code is left out."""
    lines: list[str] = []
    code = False
    for line in [*text.splitlines(), ""]:
        bare = line.strip()
        if bare.startswith(FENCE):
            code = not code
        if code or not bare or _NEW.match(bare) or bare.startswith(FENCE):
            if lines:
                yield " ".join(lines)
            lines = []
        if bare and not code and not bare.startswith(FENCE):
            lines.append(bare)


def in_play(observation: Mapping[str, Any], zones: Mapping[str, str]) -> list[str]:
    """Rows of the cards that lie alone and open on the table: what everybody acts on now.

    `zones`: the zones of the table, by name, with their order.
    """
    found: list[str] = []
    for zone, order in zones.items():
        shown = observation["places"].get(zone)
        if shown is None or order == "deck" or shown["count"] != 1:
            continue
        for piece in shown.get("pieces", ()):
            if piece is not None and piece.get("row"):
                found.append(str(piece["row"]))
    # the one that a variable names is the one in force
    named = {value for value in observation["variables"].values() if isinstance(value, str)}
    return sorted(found, key=lambda row: row not in named)
