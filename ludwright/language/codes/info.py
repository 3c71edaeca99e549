"""What is known about a code."""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.diagnostics import Severity


@dataclass(frozen=True, slots=True)
class CodeInfo:
    severity: Severity
    summary: str
    help: str
