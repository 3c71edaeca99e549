"""Every diagnostic code, with what it means in general.

A diagnostic itself speaks about one place in one rulebook; this registry is what
`ludwright explain CODE` and the reference pages print. Codes are stable: tests and tools
assert codes, never prose. One module for each pass, alphabetical inside each section.
"""

from __future__ import annotations

from ludwright.diagnostics import Diagnostics
from ludwright.language.codes.compiling import COMPILING
from ludwright.language.codes.info import CodeInfo
from ludwright.language.codes.parsing import PARSING
from ludwright.language.codes.reading import READING
from ludwright.language.codes.world import WORLD

CODES: dict[str, CodeInfo] = {**READING, **PARSING, **WORLD, **COMPILING}
# After these, what a block holds is not known.
UNREAD = ("yaml-syntax", "yaml-tab", "markdown-unclosed-fence")
# What is said of things that are not there. Where a block could not be read, its things are
# missing, and the only mistake is the one in the block.
MISSING = frozenset(
    code
    for code in CODES
    if code.startswith(("unknown-", "unused-"))
    and code not in ("unknown-key", "unknown-effect", "unknown-operator")
) | {"nothing-to-do", "missing-key", "no-effect", "rulebook-empty", "missing-game"}  # fmt: skip


def without_consequences(diagnostics: Diagnostics) -> Diagnostics:
    """Only mistakes that are no consequences of a block that could not be read."""
    if any(item.code in UNREAD for item in diagnostics.items):
        diagnostics.items[:] = [item for item in diagnostics.items if item.code not in MISSING]
    elif any(item.code in READING or item.code in PARSING for item in diagnostics.errors):
        diagnostics.items[:] = [item for item in diagnostics.items if item.code != "nothing-to-do"]
    return diagnostics


__all__ = ["CODES", "MISSING", "CodeInfo", "without_consequences"]
