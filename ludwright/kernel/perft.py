"""Counting move sequences, the classic test of a move generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludwright.errors import IllegalMove
from ludwright.kernel.context import Run
from ludwright.kernel.state import State

if TYPE_CHECKING:
    from ludwright.kernel.game import Game


def perft(game: Game, state: State, depth: int) -> int:
    """Sequences of `depth` parts; each explicit chance outcome is a part of its own."""
    if depth <= 0:
        return 1
    count = 0
    stack = [(state, depth)]
    while stack:
        here, left = stack.pop()
        stop = game._stop(here)
        if stop.kind == "over":
            continue
        if left == 1 and stop.kind == "decision" and not stop.pending:
            # The last part need not be played on to the next decision, only to its end.
            machine = game.machine
            count += machine.search.count(machine.scratch(here._cells, Run(stop.seat)), stop)
            continue
        for answer in stop.alternatives():
            try:
                step = game.advance(here, stop, answer, [])
            except IllegalMove:
                continue  # an unknown option that proved to be a dead end
            following = left - 1 if step.part_ended else left
            if following == 0:
                count += 1
            else:
                stack.append((step.state, following))
    return count
