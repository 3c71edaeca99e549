"""Monte Carlo tree search over information sets, where something is hidden: the specification.

Every simulation begins in a *world*: a state that the searching seat could be in. On its way down
it meets nodes, each of which stands for all states that look the same to that seat and have been
reached in ways that look the same. The answers that are possible depend on the world, so an edge
counts how often it was available, and UCB compares only those that are. Other seats are treated as
if they knew no more than the node tells: they give the answers that did best over all worlds.

A node is identified by the node before it, by what the seat sees now, by the answers it gave
itself, and by who is asked. An answer under seal counts only once the seal is opened, so that
nobody reacts to another seat's sealed answer before that. Nothing is ever proven here.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial

from ludwright import program as ir
from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.play.agent_dice import Dice, game_seed, policy_seed
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.driver import Driver
from ludwright.kernel.play.trees.explored import Answer, Explored, all_answers
from ludwright.kernel.play.trees.plain import EDGE_BYTES, NODE_BYTES, TREE, drawn, root_of_logarithm
from ludwright.kernel.play.trees.settings import WORTH, Settings
from ludwright.kernel.play.trees.valuing import Valuing
from ludwright.kernel.play.trees.visibility import Views
from ludwright.kernel.protocol.state import State
from ludwright.program.rng import mix, seed_cells


@dataclass(slots=True)
class Edge:
    """One answer of a node, in all worlds."""

    available: int = 0
    visits: int = 0
    total: int = 0
    mean: float = 0.0
    rarity: float = 0.0  # 1 / sqrt(visits)
    dead: bool = False

    def count(self, value: int) -> None:
        """Note a simulation that went through it."""
        self.visits += 1
        self.total += value
        self.mean = float(self.total) / float(self.visits * WORTH)
        self.rarity = 1.0 / math.sqrt(self.visits)


@dataclass(slots=True)
class Node:
    """A decision as the searching seat knows it."""

    number: int
    edges: dict[Answer, Edge] = field(default_factory=dict)


@dataclass(slots=True)
class Passed:
    """An edge that a simulation went through."""

    edge: Edge
    seat: int


class SetTree:
    """One search by one seat."""

    def __init__(self, core: Core, seat: int, settings: Settings, valuing: Valuing) -> None:
        self.core, self.seat, self.settings, self.valuing = core, seat, settings, valuing
        self.views = Views(core.program, core.machine.pieces)
        self.dice = Dice(mix(mix(settings.seed) ^ TREE))
        self.root = Node(0)
        self.known: dict[Hashable, Node] = {}
        self.decisions = 0
        self.bytes = NODE_BYTES
        self.full = False

    def simulate(self, world: Cells, number: int) -> tuple[Answer, list[int]] | None:
        """The root's answer that was tried and the values it led to, by seat; None where an answer
        proved to be refused."""
        cells = list(world)
        seed_cells(cells, game_seed(self.settings.seed, number))
        state = self.core.new_state(cells)
        node, path, first = self.root, list[Passed](), None
        sealed: tuple[Answer, ...] = ()
        while True:
            stop = self.core.stop(state)
            answers = all_answers(stop, self.valuing.skip)
            answer, new = self.selected(node, answers)
            if answer is _NOTHING:
                if path:
                    path[-1].edge.dead = True
                return None
            first = answer if not path else first
            edge = node.edges[answer]
            for each in answers:
                if each in node.edges:
                    node.edges[each].available += 1
            path.append(Passed(edge, stop.seat))
            try:
                state = self.core.advance(state, stop, answer).state
            except IllegalMove:
                edge.dead = True
                return None
            assert stop.choice is not None
            mine = (*sealed, answer if stop.seat == self.seat else None)
            sealed = mine if stop.choice.together else ()
            cells = state.shared_cells
            over, same = cells[ir.OVER], stop.choice.together and cells[ir.PC] == stop.pc
            if over:
                values = self.valuing(cells)
                break
            following = None
            if not new:
                view = self.views.key(cells, self.seat)
                asked = self.core.stop(state).seat
                key = (node.number, view, asked, () if same else mine)
                following = self.node(key)
            if following is None:
                values = self.playout(state, number)
                break
            node = following
        self.back_up(path, values)
        return first, values

    def node(self, key: Hashable) -> Node | None:
        found = self.known.get(key)
        if found is None:
            if self.bytes + NODE_BYTES > self.settings.memory:
                self.full = True
                return None
            self.bytes += NODE_BYTES
            found = self.known[key] = Node(len(self.known) + 1)
        return found

    def selected(self, node: Node, answers: list[Answer]) -> tuple[Answer, bool]:
        """The answer to try next, and whether it is tried for the first time."""
        best, best_score = _NOTHING, -1.0
        new: list[Answer] = []
        for answer in answers:
            edge = node.edges.get(answer)
            if edge is None:
                new.append(answer)
            elif not edge.dead:
                weight = self.settings.exploration * root_of_logarithm(edge.available)
                score = edge.mean + weight * edge.rarity
                if score > best_score:
                    best, best_score = answer, score
        if new and (best is _NOTHING or best_score <= self.settings.urgency):
            answer = new[self.dice.pick(len(new))]
            if self.bytes + EDGE_BYTES <= self.settings.memory or best is _NOTHING:
                self.bytes += EDGE_BYTES
                node.edges[answer] = Edge()
                return answer, True
            self.full = True
        return best, False

    def playout(self, state: State, number: int) -> list[int]:
        settings = self.settings
        answer = partial(drawn, self.core, Dice(policy_seed(settings.seed, number)))
        played = Driver(self.core, answer, settings.cutoff, move_limit=None).play(state)
        self.decisions += played.decisions
        return self.valuing(played.state.shared_cells)

    def back_up(self, path: list[Passed], values: list[int]) -> None:
        for passed in path:
            passed.edge.count(values[passed.seat])


_NOTHING = object()


def explore_sets(
    core: Core, seat: int, worlds: Sequence[Cells], settings: Settings, valuing: Valuing,
    clock: Callable[[], float] = time.monotonic,
) -> Explored:  # fmt: skip
    """Search from a decision of a seat, in one world after another, until the budget is used up."""
    tree = SetTree(core, seat, settings, valuing)
    answers = all_answers(core.stop(core.new_state(list(worlds[0]))), valuing.skip)
    seats = worlds[0][ir.PLAYERS]
    found = Explored(answers, [0] * len(answers), [], [None] * len(answers))
    found.sums = [[0] * seats for _ in answers]
    places = {answer: at for at, answer in enumerate(answers)}
    end = math.inf if settings.seconds is None else clock() + settings.seconds
    limit = math.inf if settings.simulations is None else settings.simulations
    number = 0
    try:
        while number < limit and (not number or clock() < end):
            made = tree.simulate(worlds[number % len(worlds)], number)
            number += 1
            if made is not None:
                at = places[made[0]]
                found.visits[at] += 1
                sums = found.sums[at]
                for who, value in enumerate(made[1]):
                    sums[who] += value
    except KeyboardInterrupt:
        found.interrupted = True
    found.simulations, found.decisions = number, tree.decisions
    found.nodes, found.full = 1 + len(tree.known), tree.full
    best = max(range(len(answers)), key=lambda at: (found.visits[at], sum(found.sums[at])))
    found.line = [answers[best]] if answers else []
    return found
