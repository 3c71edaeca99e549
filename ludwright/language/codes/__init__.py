"""Every diagnostic code, with what it means in general.

A diagnostic itself speaks about one place in one rulebook; this registry is what
`ludwright explain CODE` and the reference pages print. Codes are stable: tests and tools
assert codes, never prose. One module for each pass, alphabetical inside each section.
"""

from __future__ import annotations

from ludwright.language.codes.compiling import COMPILING
from ludwright.language.codes.info import CodeInfo
from ludwright.language.codes.parsing import PARSING
from ludwright.language.codes.reading import READING
from ludwright.language.codes.world import WORLD

CODES: dict[str, CodeInfo] = {**READING, **PARSING, **WORLD, **COMPILING}

__all__ = ["CODES", "CodeInfo"]
