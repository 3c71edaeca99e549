"""Monte Carlo tree search where nothing is hidden: the specification.

Each simulation walks down the tree, tries one new answer, plays on at random to the end and writes
the result into every node on its way. The native engine does the same (`native.runtime.tree`): with
one seed and one number of simulations both visit the same answers equally often.

A node is one decision: a state, who decides, and an edge for every answer. An answer that was tried
once has no node behind it yet; when it is tried again its state is made. If no chance lies between
the two decisions that state is kept, and found again if other answers lead to it (a transposition).
Otherwise the answer is carried out anew each time, and each outcome has a node of its own.

Proven results are part of the tree. The end of the game is proven. A decision is proven if one
answer certainly gives its seat all there is to win, or, with two seats, if all answers are proven.
An answer that is proven is not tried again while others are not: there is nothing left to learn. It
is a floor instead: where another answer turns out worse, the seat would have given the proven one,
so its value goes up the tree.

A new node looks for a win at once: an answer that ends the game won, or a row of answers of the
same seat that does. What that may cost is bounded by what playouts cost (`LOOK_SHARE`). So do the
first decisions of a playout: random play overlooks wins, which does most harm at its beginning.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ludwright import program as ir
from ludwright.errors import IllegalMove, LudwrightError
from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.play.agent_dice import Dice, game_seed, policy_seed
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.driver import Driver
from ludwright.kernel.play.random_answer import random_answer
from ludwright.kernel.play.trees.explored import Answer, Explored, all_answers
from ludwright.kernel.play.trees.settings import (
    AHEAD_DEEP,
    AHEAD_FIRST,
    AHEAD_MOST,
    AHEAD_REWARD,
    AHEAD_SHARE,
    LOOK_DEPTH,
    LOOK_MOST,
    LOOK_SHARE,
    ROOTS,
    WORTH,
    Settings,
)
from ludwright.kernel.play.trees.valuing import Valuing
from ludwright.kernel.protocol.state import State
from ludwright.program.rng import cell_seed, mix, seed_cells

TREE = 0x5851F42D4C957F2D  # sets the tree's own generator apart from those of playouts
_NEVER = -100.0  # the score of a dead end
_CERTAIN = 10.0  # taken from what is proven
_LOOKING = 1  # the generator while a node looks for a win; what changes it is chance
NODE_BYTES, EDGE_BYTES = 1_000, 300  # about what Python takes; a cell takes 8


@dataclass(slots=True)
class Edge:
    """One answer of a node."""

    answer: int  # its position among the answers
    visits: int = 0
    total: int = 0  # of what it was worth to the seat that decides
    mean: float = 0.0  # the same on average; of a proven answer, its rank
    rarity: float = 0.0  # 1 / sqrt(visits); 0 of a proven answer
    child: Node | None = None
    chance: bool = False  # what follows is drawn anew each time
    dead: bool = False  # its legality was unknown, and it proved to be refused

    def count(self, value: int) -> None:
        """Note a simulation that went through it."""
        self.visits += 1
        self.total += value
        self.mean = float(self.total) / float(self.visits * WORTH)
        self.rarity = 1.0 / math.sqrt(self.visits)

    def mark_proven(self, value: int) -> None:
        """What is proven is tried only if there is nothing else."""
        self.mean, self.rarity = float(value) / float(WORTH) - _CERTAIN, 0.0

    def give_up(self) -> None:
        """A dead end is never tried again."""
        self.dead, self.mean, self.rarity = True, _NEVER, 0.0


@dataclass(slots=True)
class Node:
    """One decision, or, without a state, the end of the game."""

    seat: int
    state: State | None
    stop: Stop | None
    answers: list[Answer]
    edges: list[Edge] = field(default_factory=list)  # those tried come first, in that order
    tried: int = 0
    visits: int = 0
    proven: list[int] | None = None  # what it is certainly worth, by seat
    floor: list[int] | None = None  # the best that the seat can certainly have


class Tree:
    """One search."""

    def __init__(self, core: Core, settings: Settings, valuing: Valuing) -> None:
        self.core, self.settings, self.valuing = core, settings, valuing
        self.skip = valuing.skip
        self.dice = Dice(mix(mix(settings.seed) ^ TREE))
        self.known: dict[tuple[int, ...], Node] = {}
        self.decisions = 0
        self.looks = settings.solve and valuing.wins_are_exact
        self.looked = self.looks_left = 0
        self.looked_ahead = self.won_ahead = 0
        self.bytes = 0

    # ------------------------------------------------------------- the tree

    def node(self, cells: Cells, stop: Stop | None) -> Node | None:
        """The node of a state; None if there is no memory for another one."""
        key = position(cells)
        found = self.known.get(key)
        if found is None:
            state = self.core.new_state(list(key), stop)
            stop = self.core.stop(state)
            answers = all_answers(stop, self.skip)
            size = NODE_BYTES + 16 * len(cells) + EDGE_BYTES * len(answers)
            if self.known and self.bytes + size > self.settings.memory:
                return None
            self.bytes += size
            edges = [Edge(at) for at in range(len(answers))]
            found = Node(stop.seat, state, stop, answers, edges)
            if self.looks and self.known:
                self.look(found)
            self.known[key] = found
        return found

    def look(self, node: Node) -> None:
        """Prove a new node in which its seat can win at once."""
        given = min(LOOK_MOST, self.decisions // LOOK_SHARE - self.looked)
        if given <= 0:
            return
        assert node.state is not None
        assert node.stop is not None
        self.looks_left = given
        won = self.winning(node.state, node.stop, node.answers, LOOK_DEPTH)
        self.looked += given - self.looks_left
        if won is not None:
            at, node.proven = won
            one, other = node.edges[0], node.edges[at]
            one.answer, other.answer = other.answer, one.answer
            one.child = Node(-1, None, None, [], proven=node.proven)
            node.tried, node.floor = 1, node.proven

    def winning(
        self, state: State, stop: Stop, answers: list[Answer], depth: int
    ) -> tuple[int, list[int]] | None:
        """The position of the first answer that wins, alone or with further ones of the same seat,
        and the values then."""
        for at, answer in enumerate(answers):
            if not self.looks_left:
                return None
            self.looks_left -= 1
            cells = list(state.shared_cells)
            seed_cells(cells, _LOOKING)
            try:
                found = self.core.advance(self.core.new_state(cells, stop), stop, answer).state
            except LudwrightError:
                continue  # refused, or a fault, which shows when the answer is tried
            after = found.shared_cells
            if cell_seed(after) != _LOOKING:
                continue
            if after[ir.OVER]:
                values = self.valuing(after)
                if values[stop.seat] == WORTH:
                    return at, values
            elif depth > 1:
                following = self.core.stop(found)
                if following.seat == stop.seat:
                    answers_then = all_answers(following, self.skip)
                    won = self.winning(found, following, answers_then, depth - 1)
                    if won is not None:
                        return at, won[1]
        return None

    def answered(self, node: Node, edge: Edge, seed: int) -> tuple[State, bool]:
        """The state after an answer, and whether chance had a part in it."""
        assert node.state is not None
        assert node.stop is not None
        cells = list(node.state.shared_cells)
        seed_cells(cells, seed)
        state = self.core.new_state(cells, node.stop)
        found = self.core.advance(state, node.stop, node.answers[edge.answer]).state
        return found, cell_seed(found.shared_cells) != seed

    # -------------------------------------------------------- one simulation

    def simulate(self, root: Node, number: int) -> list[int] | None:
        """The values it found, by seat; None where an answer proved to be refused."""
        node, path = root, list[tuple[Node, Edge]]()
        while True:
            edge = self.selected(node)
            if edge is None:
                if path:
                    path[-1][1].give_up()
                return None
            path.append((node, edge))
            try:
                following = self.follow(node, edge)
                if isinstance(following, Node) and following.proven is None:
                    node = following
                    continue
                values = following.proven if isinstance(following, Node) else following
                if values is None:
                    values = self.playout(node, edge, number)
            except IllegalMove:
                edge.give_up()
                return None
            return self.back_up(path, values)

    def selected(self, node: Node) -> Edge | None:
        """The edge to try next, by UCB."""
        best, best_score = None, _NEVER
        weight = self.settings.exploration * root_of_logarithm(node.visits)
        for edge in node.edges[: node.tried]:
            score = edge.mean + weight * edge.rarity
            if score > best_score:
                best, best_score = edge, score
        left = len(node.edges) - node.tried
        if left and (best is None or best_score <= self.settings.urgency):
            at = node.tried + self.dice.pick(left)
            one, other = node.edges[node.tried], node.edges[at]
            one.answer, other.answer = other.answer, one.answer
            node.tried += 1
            return one
        return best

    def follow(self, node: Node, edge: Edge) -> Node | list[int] | None:
        """What lies behind an edge: a node, values at the end of the game, or None for a playout
        because it is tried for the first time, or memory is used up."""
        if edge.child is not None:
            return edge.child
        if not edge.visits:
            return None
        state, edge.chance = self.answered(node, edge, self.dice.next())
        if state.shared_cells[ir.OVER]:
            return self.valuing(state.shared_cells)
        found = self.node(state.shared_cells, state.known_stop)
        if not edge.chance:
            edge.child = found
        return found

    def playout(self, node: Node, edge: Edge, number: int) -> list[int]:
        """Play on at random after an answer."""
        settings, seed = self.settings, self.settings.seed
        state, chance = self.answered(node, edge, game_seed(seed, number))
        if state.shared_cells[ir.OVER]:
            values = self.valuing(state.shared_cells)
            if not chance:
                edge.child = Node(-1, None, None, [], proven=values)
            return values
        then, won = self.opened(state)
        if won is not None:
            if then is state and not chance:  # whoever is asked now wins: that is proven
                edge.child = Node(-1, None, None, [], proven=won)
            return won
        answer = partial(drawn, self.core, Dice(policy_seed(seed, number)))
        played = Driver(self.core, answer, settings.cutoff, move_limit=None).play(then)
        self.decisions += played.decisions
        return self.valuing(played.state.shared_cells)

    def opened(self, state: State) -> tuple[State, list[int] | None]:
        """The first decisions of a playout: a seat that can win at once does so. Gives where random
        play goes on, or the values."""
        begun, made = self.looked_ahead, 0
        while self.looks and self.settings.ahead and not state.shared_cells[ir.OVER]:
            looked, paid = self.looked_ahead, AHEAD_REWARD * self.won_ahead
            deep = looked < max(AHEAD_FIRST, min(paid, AHEAD_DEEP)) and looked - begun < AHEAD_MOST
            if not deep and made >= self.settings.ahead:
                break
            stop = self.core.stop(state)
            answers = all_answers(stop, self.skip)
            earned = AHEAD_FIRST + paid + self.decisions // AHEAD_SHARE
            given = min(LOOK_MOST, earned - looked)
            if stop.unknown or not answers or given < len(answers):
                break
            made += 1
            self.decisions += 1
            self.looks_left = given
            won = self.winning(state, stop, answers, LOOK_DEPTH)
            self.looked_ahead += given - self.looks_left
            if won is not None:
                self.won_ahead += 1
                return state, won[1]
            answer = answers[self.dice.pick(len(answers))]
            state = self.core.advance(state, stop, answer).state
        return state, None

    def back_up(self, path: list[tuple[Node, Edge]], values: list[int]) -> list[int]:
        """Gives the values that came to the root's answer."""
        proves, arrived = self.settings.solve, values
        for node, edge in reversed(path):
            node.visits += 1
            edge.count(values[node.seat])
            known = edge.child.proven if proves and edge.child is not None else None
            proves = known is not None
            if known is not None:
                edge.mark_proven(known[node.seat])
                prove(node)
            arrived = values
            if node.floor is not None and node.floor[node.seat] > values[node.seat]:
                values = node.floor
        return arrived


def root_of_logarithm(visits: int) -> float:
    return ROOTS[visits] if visits < len(ROOTS) else math.sqrt(math.log(visits))


def position(cells: Cells) -> tuple[int, ...]:
    """A state without what no rule reads: the generator and the number of events."""
    return (0, 0, 0, *cells[ir.LOG + 1 :])


def drawn(core: Core, dice: Dice, state: State, decision: Any) -> Any:
    return random_answer(core, state, dice.pick)


def prove(node: Node) -> None:
    """Note what a node is certainly worth, if its edges tell."""
    complete = node.tried == len(node.edges)
    for edge in node.edges[: node.tried]:
        if edge.dead:
            continue
        known = edge.child.proven if edge.child is not None else None
        if known is None:
            complete = False
            continue
        complete = complete and len(known) <= 2
        if node.floor is None or known[node.seat] > node.floor[node.seat]:
            node.floor = known
    if node.floor is not None and (complete or node.floor[node.seat] == WORTH):
        node.proven = node.floor


def explore(
    core: Core, cells: Cells, settings: Settings, valuing: Valuing,
    clock: Callable[[], float] = time.monotonic,
) -> Explored:  # fmt: skip
    """Search from the decision that a state stands at, until the budget is used up."""
    tree = Tree(core, settings, valuing)
    root = tree.node(cells, None)
    assert root is not None, "the first node always has memory"
    seats = cells[ir.PLAYERS]
    found = Explored(root.answers, [0] * len(root.answers), [], [None] * len(root.answers))
    found.sums = [[0] * seats for _ in root.answers]
    end = math.inf if settings.seconds is None else clock() + settings.seconds
    limit = math.inf if settings.simulations is None else settings.simulations
    number = 0
    try:
        while number < limit and root.proven is None and (not number or clock() < end):
            values = tree.simulate(root, number)
            number += 1
            if values is None and all(edge.dead for edge in root.edges):
                break
            if values is not None:
                tally(found, root, values)
    except KeyboardInterrupt:
        found.interrupted = True
    for edge in root.edges:
        found.visits[edge.answer] = edge.visits
        found.proven[edge.answer] = edge.child.proven if edge.child is not None else None
    found.solved, found.simulations = root.proven, number
    found.decisions, found.nodes = tree.decisions, len(tree.known)
    found.line = line(root)
    return found


def tally(found: Explored, root: Node, values: list[int]) -> None:
    """Note the values of a simulation with the root's answer that it went through."""
    for edge in root.edges[: root.tried]:
        if edge.visits != found.visits[edge.answer]:
            found.visits[edge.answer] = edge.visits
            sums = found.sums[edge.answer]
            for seat, value in enumerate(values):
                sums[seat] += value
            return


def best_edge(node: Node) -> Edge | None:
    """The answer to give: the one tried most often of those that are not proven, or one that is
    proven to be as good."""
    tried = [edge for edge in node.edges[: node.tried] if not edge.dead]
    tried = [edge for edge in tried if edge.visits or edge.child is not None]
    proven = [edge for edge in tried if edge.child is not None and edge.child.proven is not None]
    others = [edge for edge in tried if edge not in proven]
    sure = max(proven, key=lambda edge: _certain(node, edge), default=None)
    open_ = max(others, key=lambda edge: (edge.visits, edge.total), default=None)
    if sure is None or open_ is None:
        return sure or open_
    return sure if _certain(node, sure) * open_.visits >= open_.total else open_


def _certain(node: Node, edge: Edge) -> int:
    assert edge.child is not None
    assert edge.child.proven is not None
    return edge.child.proven[node.seat]


def line(root: Node) -> list[Answer]:
    """The best answers of all seats one after another, up to chance or where the tree ends."""
    found: list[Answer] = []
    node: Node | None = root
    seen: set[int] = set()
    while node is not None and node.edges and id(node) not in seen:
        seen.add(id(node))
        edge = best_edge(node)
        if edge is None:
            break
        found.append(node.answers[edge.answer])
        node = edge.child
    return found
