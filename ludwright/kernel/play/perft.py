"""Counting move sequences, the classic test of a move generator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.run import Run
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.play.core import Core
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views.position_hash import Positions

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


def perft(core: Core, state: State, depth: int) -> int:
    """Sequences of `depth` parts; each explicit chance outcome is a part of its own."""
    if depth <= 0:
        return 1
    # Ways that lead to the same position are counted once. Unlike a position's own hash this one
    # holds all that a rule can read: clocks, histories, and the generator.
    positions = Positions(core.machine, everything=True)
    known: dict[_Key, int] = {}
    root = _Node(state, Stop("over"), depth, None, iter(()))
    stack = [root]
    opened: State | None = state
    left = depth
    while stack:
        if opened is not None:
            found, node = _open(core, positions, known, opened, left)
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
            step = core.advance(top.state, top.stop, answer)
        except IllegalMove:
            continue  # an unknown option that proved to be a dead end
        left = top.left - 1 if step.part_ended else top.left
        if left == 0:
            top.count += 1
        else:
            opened = step.state
    return root.count


def _open(
    core: Core, positions: Positions, known: dict[_Key, int], state: State, left: int
) -> tuple[int, _Node | None]:
    """The count of a position, if it is known at once; otherwise a node to work it out."""
    stop = core.stop(state)
    if stop.kind == "over":
        return 0, None
    if left == 1 and stop.kind == "decision" and not stop.pending:
        # The last part is followed only to its end, not to the next decision.
        machine = core.machine
        return machine.search.count(machine.scratch(state.shared_cells, Run(stop.seat)), stop), None
    key = (positions.hash(state.shared_cells), left)
    if key in known:
        return known[key], None
    return 0, _Node(state, stop, left, key, stop.alternatives())
