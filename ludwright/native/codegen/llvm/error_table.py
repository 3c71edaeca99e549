"""The errors that generated code can note, by number.

Refusals have even numbers and all other errors odd ones, so that a search can tell them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludwright.native.build.manifest import NativeError
from ludwright.program.faults import Trouble


@dataclass(slots=True)
class ErrorTable:
    items: list[NativeError] = field(default_factory=list)
    _known: dict[NativeError, int] = field(default_factory=dict)

    def _add(self, error: NativeError) -> int:
        if error not in self._known:
            self._known[error] = len(self.items)
            self.items.append(error)
        return 2 * self._known[error] + (error.kind != "refusal")

    def refusal(self, trouble: Trouble, site: int) -> int:
        return self._add(NativeError("refusal", trouble.code, site, trouble.reason))

    def fault(self, trouble: Trouble, site: int) -> int:
        return self._add(NativeError("fault", trouble.code, site, trouble.reason))

    def engine(self, code: str, reason: str) -> int:
        return self._add(NativeError("engine", code, -1, reason))
