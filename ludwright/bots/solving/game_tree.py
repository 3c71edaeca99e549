"""A whole game with two seats as flat arrays, for solvers.

Nodes stand in the order of their depth, parents before children. Chance is a node with all its
outcomes. Decisions that look the same to a seat, after decisions and answers of its own that were
the same, belong to one information set.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from ludwright.bots.policy import after, key_of
from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.play.trees.visibility import view_key
from ludwright.kernel.protocol.decision import CHANCE
from ludwright.kernel.protocol.state import State

END, CHANCE_NODE, FIRST, SECOND = range(4)  # kinds of nodes; the last two: whose decision
LARGEST = 5_000_000  # nodes


class TooLarge(LudwrightError):
    """The game has more positions than a solver can hold."""


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
    set_keys: list[str] = field(default_factory=list)  # by information set: see `policy`
    set_seats: list[int] = field(default_factory=list)
    set_sizes: list[int] = field(default_factory=list)  # answers


@dataclass(slots=True)
class _Open:
    """A node whose children are yet to be found."""

    state: State
    before: tuple[Hashable, Hashable]  # by seat: its information set and answer before this
    keys: tuple[str, str]


def whole_tree(game: Game, largest: int = LARGEST) -> GameTree:
    """The tree of a game that draws chance explicitly."""
    assert game.chance == "explicit", "chance must be a decision"
    state = game.initial_state(0)
    if len(game.seats_in_play(state)) != 2:
        raise LudwrightError("this solver is for two seats; give --players 2 if the game allows it")
    return _Builder(game, largest).build(state)


class _Builder:
    def __init__(self, game: Game, largest: int) -> None:
        self._game, self._largest = game, largest
        self._core = core_of(game)
        self._seats = {name: at for at, name in enumerate(game.seats)}
        self._known: dict[Hashable, int] = {}
        self.tree = GameTree()

    def build(self, state: State) -> GameTree:
        tree = self.tree
        level = [_Open(state, (None, None), ("", ""))]
        self._add(1)
        while level:
            tree.levels.append(len(tree.kinds) - len(level))
            level = self._expanded(level, len(tree.kinds) - len(level))
        tree.levels.append(len(tree.kinds))
        return tree

    def _add(self, count: int) -> None:
        """Room for so many nodes."""
        tree = self.tree
        if len(tree.kinds) + count > self._largest:
            raise TooLarge(f"the game has more than {self._largest:,} positions")
        for column, value in (
            (tree.kinds, END), (tree.sets, -1), (tree.first_edges, 0), (tree.edge_counts, 0),
        ):  # fmt: skip
            column.extend([value] * count)
        tree.worths.extend([0.0] * count)

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
            before, keys = node.before, node.keys
            seat = -1
            if decision.seat == CHANCE:
                tree.kinds[number] = CHANCE_NODE
                weights = decision.weights or (1,) * len(answers)
                shares = [weight / sum(weights) for weight in weights]
            else:
                seat = self._seats[decision.seat]
                tree.kinds[number] = FIRST + seat
                tree.sets[number] = self._set(node, seat, len(answers))
            for position, (answer, share) in enumerate(zip(answers, shares, strict=True)):
                tree.children.append(len(tree.kinds) + len(found))
                tree.chances.append(share)
                if seat >= 0:
                    before, keys = self._answered(node, tree.sets[number], seat, position)
                state = game.choose(node.state, answer).state
                found.append(_Open(state, before, keys))
        self._add(len(found))
        return found

    def _end(self, number: int, state: State) -> None:
        result = self._game.result(state)
        assert result is not None
        one, two = (result.scores[seat] for seat in self._game.seats[:2])
        self.tree.worths[number] = (one - two) / 2

    def _set(self, node: _Open, seat: int, size: int) -> int:
        core, tree = self._core, self.tree
        cells = core.cells(node.state)
        view = view_key(core.program, core.machine.pieces, cells, seat)
        key = (seat, node.before[seat], view)
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(tree.set_keys)
            seen: Any = self._game.observe(node.state, self._game.seats[seat])
            tree.set_keys.append(key_of(node.keys[seat], seen))
            tree.set_seats.append(seat)
            tree.set_sizes.append(size)
        assert tree.set_sizes[number] == size, "what looks the same offers the same"
        return number

    def _answered(
        self, node: _Open, number: int, seat: int, position: int
    ) -> tuple[tuple[Hashable, Hashable], tuple[str, str]]:
        """What the seats remember after an answer."""
        own, key = (number, position), after(self.tree.set_keys[number], position)
        if seat == 0:
            return (own, node.before[1]), (key, node.keys[1])
        return (node.before[0], own), (node.keys[0], key)
