"""The rulebook as a player reads it: its prose, without the blocks for the machine."""

from __future__ import annotations

from collections.abc import Mapping

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
