"""How much is read at most. Hostile input ends in one diagnostic, not in a full memory."""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.diagnostics import Diagnostic, Diagnostics

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_RULEBOOK_BYTES = 16 * 1024 * 1024
MAX_RULEBOOK_FILES = 500
MAX_RULEBOOK_LINES = 200_000  # Markdown costs time per line, YAML per node
MAX_NESTING = 64
MAX_NODES = 100_000
MAX_PROBLEMS = 200


class ReadingStopped(Exception):
    """A limit of the whole rulebook was reached and reported; nothing more is read."""


@dataclass(slots=True)
class LimitedDiagnostics(Diagnostics):
    """Writes to another collector's items, up to a limit, and then stops the reading."""

    limit: int = MAX_PROBLEMS

    def _add(self, item: Diagnostic) -> None:
        super(LimitedDiagnostics, self)._add(item)
        if len(self.items) >= self.limit:
            self.items.append(
                Diagnostic(
                    "too-many-problems",
                    "error",
                    "there are too many problems to show; reading stopped here",
                    item.span,
                    "mend the problems above first",
                )
            )
            raise ReadingStopped


def limited(diagnostics: Diagnostics) -> LimitedDiagnostics:
    limit = len(diagnostics.items) + MAX_PROBLEMS
    return LimitedDiagnostics(diagnostics.items, diagnostics.spoilt, limit)


@dataclass(slots=True)
class NodeBudget:
    """How many more nodes one rulebook may hold; shared by all its blocks."""

    left: int = MAX_NODES
