"""The rulebook as a player reads it: its prose, without the blocks for the machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ludwright.characters import UNSEEN, code_point
from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.reading.source import Block, Source

FENCE = "```"


def rules_text(sources: Mapping[str, str]) -> str:
    prose = [without_blocks(text) for name, text in sources.items() if name.endswith(".md")]
    return "\n\n".join(text for text in prose if text) or "this rulebook has no prose"


def without_blocks(text: str) -> str:
    """Leaves out fenced YAML; other fenced blocks (a board drawn in text) stay."""
    kept: list[str] = []
    fence = ""
    rules = False
    for line in text.splitlines():
        stripped = line.strip()
        if not fence and stripped.startswith(FENCE):
            marks = len(stripped) - len(stripped.lstrip("`"))
            fence = "`" * marks
            rules = stripped[marks:].strip().lower() in ("yaml", "yml")
        elif fence and stripped.startswith(fence) and not stripped.strip("`"):
            fence = ""
            if rules:
                rules = False
                continue
        if not rules and not (kept and not kept[-1] and not stripped):
            kept.append(line.rstrip())
    return "\n".join(kept).strip()


def sections(prose: str) -> list[tuple[str, str]]:
    """The parts of a text by their headings; the first has all that stands before the second."""
    found: list[tuple[str, list[str]]] = []
    fenced = False
    for line in prose.split("\n"):
        fenced ^= line.strip().startswith(FENCE)
        if not found or (line.startswith("#") and not fenced):
            found.append((line.lstrip("#").strip(), []))
        found[-1][1].append(line)
    return [(name, "\n".join(lines).strip()) for name, lines in found]


def check_prose(source: Source, blocks: Iterable[Block], diagnostics: Diagnostics) -> None:
    """Prose is shown in terminals and pages: no unseen character may stand in it. Those in the
    blocks are told when these are read."""
    if UNSEEN.search(source.text) is None:
        return
    rules: set[int] = set()
    for block in blocks:
        rules.update(range(block.first_line, block.first_line + block.text.count("\n") + 1))
    found = [
        (number, match)
        for number, line in enumerate(source.text.split("\n"), start=1)
        if number not in rules
        for match in UNSEEN.finditer(line)
    ]
    if found:
        number, match = found[0]
        others = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        diagnostics.error(
            "yaml-control-character",
            Span(source.file, number, match.start() + 1, number, match.end() + 1),
            f"the invisible character {code_point(match.group())}{others} may not stand in the "
            "text of a rulebook",
            "delete it",
        )
