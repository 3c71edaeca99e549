"""Everything that may be answered at a decision, without listing a range of a million numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludwright.agents.protocol import NONE, STOP, Decision, Option


def unproven(decision: Decision) -> bool:
    """Whether the legality of some option is unknown. Choosing that option may be refused."""
    return "unknown" in decision.legality


class Answers:
    """The options, then None where the choice is optional, then STOP where picking may end."""

    __slots__ = ("_extra", "_options")

    def __init__(self, decision: Decision) -> None:
        self._options: Sequence[Option] = decision.options
        extra: list[Option] = []
        if decision.optional:
            extra.append(NONE)
        if decision.can_stop:
            extra.append(STOP)
        self._extra = extra

    def __len__(self) -> int:
        return len(self._options) + len(self._extra)

    def __getitem__(self, index: int) -> Option:
        size = len(self._options)
        return self._options[index] if index < size else self._extra[index - size]

    def __iter__(self) -> Iterator[Option]:
        yield from self._options
        yield from self._extra

    def __contains__(self, option: object) -> bool:
        return option in self._options or option in self._extra
