"""The past that a caller tells: whether it leads, answer by answer, to the state it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ludwright.errors import LudwrightError
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.trees.worlds import Past
from ludwright.kernel.protocol.arguments import plain_answer, same_answer
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Step, parts_of


class Recalling:
    """Checks pasts of one game.

    Every answer is played once more. Those who play a game ask for one search after another with a
    past that grows, so what was checked for the last search is not checked again.
    """

    def __init__(self, core: Core) -> None:
        self._core = core
        self._known: list[tuple[State, Any, State, Past]] = []

    def checked(self, past: Past | None, state: State) -> Past:
        """The past of a state, pick by pick. `ValueError` where an entry does not lead on."""
        if past is None:
            return ()
        entries = _pairs(past)
        known, found = self._known, list[tuple[State, Any, State, Past]]()
        for at, (before, answer) in enumerate(entries):
            after = entries[at + 1][0] if at + 1 < len(entries) else state
            same = known[at] if at < len(known) else None
            if not (
                same is not None
                and same[0] is before
                and same[2] is after
                and same_answer(same[1], answer)
            ):
                where = f"that of entry {at + 1}" if after is not state else "the state given"
                same = (before, answer, after, self._followed(at, before, answer, after, where))
            found.append(same)
        self._known = found
        return [single for *_, singles in found for single in singles]

    def _followed(self, at: int, before: State, answer: Any, after: State, where: str) -> Past:
        """What was answered at one state, pick by pick, once it is known to lead to the next."""
        core = self._core
        try:
            decision = core.decision(before)
        except ValueError as error:
            raise ValueError(f"entry {at} of `past`: {error}") from None
        if decision is None:
            raise ValueError(f"entry {at} of `past`: the game is over in this state")
        refused: LudwrightError | None = None
        for seat in decision.together or (None,):
            try:
                step = core.choose(before, answer, seat)
            except LudwrightError as error:
                refused = error
                continue
            if step.state == after:
                return list(self._picks(before, answer, step, seat))
            refused = None
        if refused is not None:
            raise ValueError(f"entry {at} of `past`: {refused}")
        raise ValueError(f"entry {at} of `past`: {answer!r} leads to another state than {where}")

    def _picks(
        self, state: State, answer: Any, step: Step, seat: str | None
    ) -> Iterator[tuple[State, Any]]:
        """The answers of one step; several where a set was answered as a whole."""
        parts = parts_of(step)
        if len(parts) == 1:
            yield state, answer
            return
        for part in parts:
            decision = self._core.decision(state, seat)
            assert decision is not None, "it was answered"
            yield (
                state,
                next(
                    option
                    for option in decision.answers
                    if self._core.choose(state, option, seat).state == part.state
                ),
            )
            state = part.state


def _pairs(past: Any) -> list[tuple[State, Any]]:
    if isinstance(past, str | bytes) or not isinstance(past, Sequence):
        raise TypeError(f"`past` is a list of pairs of a State and an answer, not {past!r}")
    return [_pair(at, entry) for at, entry in enumerate(past)]


def _pair(at: int, entry: Any) -> tuple[State, Any]:
    if not isinstance(entry, tuple | list) or len(entry) != 2 or not isinstance(entry[0], State):
        raise TypeError(f"entry {at} of `past` is no pair of a State and an answer: {entry!r}")
    return entry[0], plain_answer(entry[1])
