"""Counting move sequences, the classic test of a move generator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludwright.errors import IllegalMove
from ludwright.kernel.choosing import Stop
from ludwright.kernel.context import Run
from ludwright.kernel.positions import Positions
from ludwright.kernel.state import State

if TYPE_CHECKING:
    from ludwright.kernel.game import Game

REMEMBERED = 1_000_000  # positions; beyond that they are counted again

_Key = tuple[str, int]


@dataclass(slots=True)
class _Node:
    """A position on the way, with the answers still to try."""

    state: State
    stop: Stop
    left: int
    key: _Key | None
    answers: Iterator[Any]
    count: int = 0


def perft(game: Game, state: State, depth: int) -> int:
    """Sequences of `depth` parts; each explicit chance outcome is a part of its own."""
    if depth <= 0:
        return 1
    # Ways that lead to the same position are counted once. Unlike a position's own hash this one
    # holds all that a rule can read: clocks, histories, and the generator.
    positions = Positions(game.machine, everything=True)
    known: dict[_Key, int] = {}
    root = _Node(state, Stop("over"), depth, None, iter(()))
    stack = [root]
    opened: State | None = state
    left = depth
    while stack:
        if opened is not None:
            found, node = _open(game, positions, known, opened, left)
            stack[-1].count += found
            if node is not None:
                stack.append(node)
            opened = None
        top = stack[-1]
        answer = next(top.answers, stack)
        if answer is stack:
            stack.pop()
            if stack:
                stack[-1].count += top.count
            if top.key is not None and len(known) < REMEMBERED:
                known[top.key] = top.count
            continue
        try:
            step = game.advance(top.state, top.stop, answer)
        except IllegalMove:
            continue  # an unknown option that proved to be a dead end
        left = top.left - 1 if step.part_ended else top.left
        if left == 0:
            top.count += 1
        else:
            opened = step.state
    return root.count


def _open(
    game: Game, positions: Positions, known: dict[_Key, int], state: State, left: int
) -> tuple[int, _Node | None]:
    """What is known of a position at once, or the node that will find it out."""
    stop = game._stop(state)
    if stop.kind == "over":
        return 0, None
    if left == 1 and stop.kind == "decision" and not stop.pending:
        # The last part need not be played on to the next decision, only to its end.
        machine = game.machine
        return machine.search.count(machine.scratch(state._cells, Run(stop.seat)), stop), None
    key = (positions.hash(state._cells), left)
    if key in known:
        return known[key], None
    return 0, _Node(state, stop, left, key, iter(stop.alternatives()))
