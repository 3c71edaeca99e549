"""What the compiler says to an author: spans, diagnostics and the collector.

A diagnostic speaks about the *rulebook* (the author's mistake). A player's mistake is an
`IllegalMove` (see `ludwright.errors`); the two are never mixed.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from ludwright.quick_records import dataclass

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source text. Lines and columns count from 1; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    code: str
    severity: Severity
    message: str
    span: Span | None = None
    suggestion: str | None = None


@dataclass(slots=True)
class Diagnostics:
    """Collects everything found in one run; nothing stops at the first mistake."""

    items: list[Diagnostic] = field(default_factory=list)
    spoilt: set[str] = field(default_factory=set)  # local names whose statement could not be read

    def error(
        self, code: str, span: Span | None, message: str, suggestion: str | None = None
    ) -> None:
        self._add(Diagnostic(code, "error", message, span, suggestion))

    def warning(
        self, code: str, span: Span | None, message: str, suggestion: str | None = None
    ) -> None:
        self._add(Diagnostic(code, "warning", message, span, suggestion))

    def _add(self, item: Diagnostic) -> None:
        # One procedure may be compiled for several callers; say each thing once.
        if item not in self.items and not self._unreadable(item.span):
            self.items.append(item)

    def _unreadable(self, span: Span | None) -> bool:
        """Whether YAML stumbled over this very place: its rules cannot be right either."""
        return span is not None and any(
            known.code.startswith("yaml-") and known.span is not None
            and (known.span.file, known.span.line, known.span.column)
            == (span.file, span.line, span.column)
            for known in self.items
            if known.severity == "error"
        )  # fmt: skip

    @property
    def errors(self) -> list[Diagnostic]:
        return [item for item in self.items if item.severity == "error"]

    @property
    def ok(self) -> bool:
        return not self.errors
