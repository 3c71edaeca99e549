"""Dataclasses for the nodes of trees and Programs, of which there are hundreds of thousands.

A frozen dataclass sets each field past its own guard, so that making one takes three times as long
as making one without a guard; of compiling a large rulebook that was a tenth. Type checkers see the
`dataclass` of the standard library here, and let nobody assign to a field of a frozen one. At run
time its hash and its equality are the same, and only the guard is missing. What callers get into
their hands (states, decisions, moves) keeps its guard.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        kind: type | None = None, /, *, frozen: bool = False, eq: bool = True, **options: Any
    ) -> Any:
        def made(kind: type) -> type:
            hashed = frozen and eq and "__hash__" not in vars(kind)
            return dataclasses.dataclass(eq=eq, unsafe_hash=hashed, **options)(kind)

        return made if kind is None else made(kind)
