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
