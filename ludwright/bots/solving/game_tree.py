"""A whole game with two seats as flat arrays, for solvers.

Nodes stand in the order of their depth, parents before children. Chance is a node with all its
outcomes. Decisions that look the same to a seat, after decisions and answers of its own that were
the same, belong to one information set.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ludwright.bots.policy import SEATS, after, key_of
from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.play.trees.visibility import Views
from ludwright.kernel.protocol.decision import CHANCE
from ludwright.kernel.protocol.state import State

END, CHANCE_NODE, FIRST, SECOND = range(4)  # kinds of nodes; the last two: whose decision
LARGEST = 5_000_000  # nodes


class TooLarge(LudwrightError):
    """The game has more positions than a solver can hold, or than it could lay out in time."""


@dataclass
class GameTree:
    """One entry per node, per edge, or per information set."""

    kinds: list[int] = field(default_factory=list)
    sets: list[int] = field(default_factory=list)  # by node: the information set, or -1
    first_edges: list[int] = field(default_factory=list)
    edge_counts: list[int] = field(default_factory=list)
    worths: list[float] = field(default_factory=list)  # by node: at its end, to the first seat
    children: list[int] = field(default_factory=list)  # by edge
    chances: list[float] = field(default_factory=list)  # by edge: of an outcome
    levels: list[int] = field(default_factory=list)  # the first node of each depth, then their end
    set_seats: list[int] = field(default_factory=list)
    set_sizes: list[int] = field(default_factory=list)  # answers
    # by information set: the one before of the same seat with the answer there, or (-1, 0); and one
    # of its states
    set_before: list[tuple[int, int]] = field(default_factory=list)
    set_states: list[State] = field(default_factory=list)

    def set_keys(self, game: Game) -> list[str]:
        """The names of the information sets: see `policy`."""
        found: list[str] = []
        for number, (last, position) in enumerate(self.set_before):
            seen: Any = game.observe(self.set_states[number], game.seats[self.set_seats[number]])
            found.append(key_of(after(found[last], position) if last >= 0 else "", seen))
        return found


Answered = tuple[int, int]  # an information set, and the position of the answer given there
_NOTHING: Answered = (-1, 0)


@dataclass(slots=True)
class _Open:
    """A node whose children are yet to be found."""

    state: State
    before: tuple[Answered, Answered]  # by seat: its information set and answer before this


def whole_tree(game: Game, largest: int = LARGEST, seconds: float = math.inf) -> GameTree:
    """The tree of a game with two seats that draws chance explicitly, if so much time is enough."""
    assert game.chance == "explicit", "chance must be a decision"
    return _Builder(game, largest, seconds).build(game.initial_state(0, players=SEATS))


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Nothing becomes garbage while a tree grows; looking for it again and again takes long.

    Nor is it looked for at the end: what there is by then counts as old. Else a tree that was given
    up (by Ctrl-C, say) would be gone through before anybody hears of it.
    """
    collects, frozen = gc.isenabled(), gc.get_freeze_count()
    gc.disable()
    try:
        yield
    finally:
        if not frozen:  # else somebody wants to keep what is frozen
            gc.freeze()
            gc.unfreeze()
        if collects:
            gc.enable()


class _Builder:
    def __init__(self, game: Game, largest: int, seconds: float) -> None:
        self._game, self._largest, self._seconds = game, largest, seconds
        self._until = time.monotonic() + seconds
        core = core_of(game)
        self._views, self._scores = Views(core.program, core.machine.pieces), core.program.scores
        self._seats = {name: at for at, name in enumerate(game.seats)}
        self._known: dict[Hashable, int] = {}
        self.tree = GameTree()

    def build(self, state: State) -> GameTree:
        tree = self.tree
        level = [_Open(state, (_NOTHING, _NOTHING))]
        self._add(1)
        with _without_collecting():
            while level:
                tree.levels.append(len(tree.kinds) - len(level))
                level = self._expanded(level, len(tree.kinds) - len(level))
        tree.levels.append(len(tree.kinds))
        return tree

    def _add(self, count: int) -> None:
        """Room for so many nodes."""
        tree = self.tree
        self._check(len(tree.kinds) + count)
        for column, value in (
            (tree.kinds, END), (tree.sets, -1), (tree.first_edges, 0), (tree.edge_counts, 0),
        ):  # fmt: skip
            column.extend([value] * count)
        tree.worths.extend([0.0] * count)

    def _check(self, positions: int) -> None:
        """Whether there is room, and time, for so many positions."""
        if positions > self._largest:
            raise TooLarge(f"the game has more than {self._largest:,} positions")
        if time.monotonic() > self._until:
            raise TooLarge(
                f"{self._seconds:g} seconds were not enough to lay out the game: it has more than "
                f"{positions:,} positions"
            )

    def _expanded(self, level: list[_Open], at: int) -> list[_Open]:
        """The nodes one step further, after the nodes of a level that begins at a number."""
        tree, game, found = self.tree, self._game, list[_Open]()
        for number, node in enumerate(level, at):
            decision = game.decision(node.state)
            tree.first_edges[number] = len(tree.children)
            if decision is None:
                self._end(number, node.state)
                continue
            answers = decision.answers
            tree.edge_counts[number] = len(answers)
            shares = [1.0] * len(answers)
            before, seat = node.before, -1
            if decision.seat == CHANCE:
                tree.kinds[number] = CHANCE_NODE
                weights = decision.weights or (1,) * len(answers)
                shares = [weight / sum(weights) for weight in weights]
            else:
                seat = self._seats[decision.seat]
                tree.kinds[number] = FIRST + seat
                tree.sets[number] = self._set(node, seat, len(answers))
            for position, (answer, share) in enumerate(zip(answers, shares, strict=True)):
                self._check(len(tree.kinds) + len(found) + 1)
                tree.children.append(len(tree.kinds) + len(found))
                tree.chances.append(share)
                if seat >= 0:
                    own = (tree.sets[number], position)
                    before = (node.before[0], own) if seat else (own, node.before[1])
                found.append(_Open(game.choose(node.state, answer).state, before))
        self._add(len(found))
        return found

    def _end(self, number: int, state: State) -> None:
        one, two = state.shared_cells[self._scores : self._scores + 2]
        self.tree.worths[number] = (one - two) / 2

    def _set(self, node: _Open, seat: int, size: int) -> int:
        tree = self.tree
        key = (seat, node.before[seat], self._views.key(node.state.shared_cells, seat))
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(tree.set_seats)
            tree.set_before.append(node.before[seat])
            tree.set_states.append(node.state)
            tree.set_seats.append(seat)
            tree.set_sizes.append(size)
        assert tree.set_sizes[number] == size, "what looks the same offers the same"
        return number
