"""Going from space to space: `reach`, the least cost, the path, the longest trail."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from heapq import heappop, heappush
from typing import Any, cast

from ludwright import program as ir
from ludwright.kernel.interpreter.run import Fn, Memory, fault
from ludwright.kernel.interpreter.streams import SourceFn
from ludwright.program import faults
from ludwright.program.types import INT_MAX, NO_INT


class _Found:
    """What a search has found so far: the spaces, what they cost, where one came from."""

    def __init__(self) -> None:
        self.costs: dict[int, int] = {}  # in the order in which the spaces were found
        self.came: dict[int, int] = {}  # -1: one started there
        self.settled: dict[int, None] = {}  # in the order of their costs
        self._heap: list[tuple[int, int, int]] = []
        self._numbers: dict[int, int] = {}

    def add(self, space: int, cost: int, came: int) -> None:
        known = self.costs.get(space)
        if known is not None and known <= cost:
            return
        self.costs[space], self.came[space] = cost, came
        number = self._numbers.setdefault(space, len(self._numbers))
        heappush(self._heap, (cost, number, space))

    def settle(self) -> int:
        """The next space: the cheapest, and of those the one found first; -1 if there is none."""
        while self._heap:
            _, _, space = heappop(self._heap)
            if space not in self.settled:
                self.settled[space] = None
                return space
        return -1

    def path(self, goal: int) -> tuple[int, ...]:
        way: list[int] = []
        space = goal if goal in self.settled else -1
        while space >= 0:
            way.append(space)
            space = self.came[space]
        return tuple(reversed(way))


class Travels:
    """Compiles these expressions; `expr` and `source` compile what is in them."""

    def __init__(
        self,
        program: ir.Program,
        expr: Callable[[ir.Expr], Fn],
        source: Callable[[ir.Source], SourceFn],
    ) -> None:
        self._program, self._expr, self._source = program, expr, source

    def _optional(self, node: ir.Expr | None) -> Fn:
        return (lambda memory: None) if node is None else self._expr(node)

    def reach(self, node: ir.Reach) -> Fn:
        starts = self._source(node.starts)
        over = self._expr(node.over) if node.over is not None else None
        steps = self._expr(node.steps) if node.steps is not None else None
        neighbours = cast(tuple[tuple[int, ...], ...], self._program.rows[node.table])

        def reach(memory: Memory) -> int:
            frontier = [at for at in starts(memory) if 0 <= at < len(neighbours)]
            allowed = over(memory) if over is not None else -1
            left = steps(memory) if steps is not None else -1
            seen = 0
            for space in frontier:
                seen |= 1 << space
            while frontier and left != 0:
                left -= 1
                found: list[int] = []
                for space in frontier:
                    for near in neighbours[space]:
                        bit = 1 << near
                        if allowed & bit and not seen & bit:
                            seen |= bit
                            found.append(near)
                frontier = found
            return seen

        return reach

    # ------------------------------------------------------------------- steps with costs

    def travel(self, node: ir.Travel) -> Fn:
        search = self._search(node)
        match node.gives:
            case "spaces":
                return lambda memory: sum(1 << space for space in search(memory)[0].settled)
            case "costs":

                def costs(memory: Memory) -> tuple[tuple[int, int], ...]:
                    found, _ = search(memory)
                    return tuple((space, found.costs[space]) for space in found.settled)

                return costs
            case "cost":

                def cost(memory: Memory) -> int:
                    found, goal = search(memory)
                    return found.costs[goal] if goal in found.settled else NO_INT

                return cost
            case "path":

                def path(memory: Memory) -> tuple[int, ...]:
                    found, goal = search(memory)
                    return found.path(goal)

                return path

    def _search(self, node: ir.Travel) -> Callable[[Memory], tuple[_Found, int]]:
        """Everything that can be reached; with a goal up to there. The goal comes back as well."""
        program, spaces, site = self._program, node.spaces, node.site
        starts = self._source(node.starts)
        within, goal_of = self._optional(node.within), self._optional(node.goal)
        here, steps, price_of = self._ways(node)
        halts = self._halts(node.halts)

        def search(memory: Memory) -> tuple[_Found, int]:
            found = _Found()
            for start in starts(memory):
                if 0 <= start < spaces:
                    found.add(start, 0, -1)
            limit, wanted = within(memory), goal_of(memory)
            goal = -1 if wanted is None else wanted
            while (space := found.settle()) >= 0 and space != goal:
                cost = found.costs[space]
                if not node.costed and cost == limit:
                    continue
                if found.came[space] >= 0 and halts(memory, space):
                    continue
                memory[here] = space
                for to in steps(memory):
                    if not 0 <= to < spaces or to in found.settled:
                        continue
                    price = price_of(memory)
                    if price == NO_INT:
                        continue
                    if not 0 <= price <= INT_MAX - cost:
                        raise fault(program, faults.bad_cost(price), site)
                    if limit is None or cost + price <= limit:
                        found.add(to, cost + price, space)
            return found, goal

        return search

    def _ways(self, node: ir.Travel) -> tuple[int, SourceFn, Fn]:
        """The register of the space one stands on, the spaces to go to, the cost of a step."""
        first, *clauses = node.ways.clauses
        assert isinstance(first, ir.Loop)
        assert isinstance(node.ways.head, ir.MakeTuple)
        to, cost = node.ways.head.items
        steps = self._source(ir.Stream(tuple(clauses), to))
        return first.regs[0], steps, self._expr(cost) if node.costed else lambda memory: 1

    def _halts(self, halts: ir.Stream | None) -> Callable[[Memory, int], Any]:
        """Whether a space is entered and not left."""
        if halts is None:
            return lambda memory, space: False
        first, *clauses = halts.clauses
        assert isinstance(first, ir.Loop)
        register = first.regs[0]
        tests = [clause.when for clause in clauses if isinstance(clause, ir.Filter)]
        test = self._expr(reduce(ir.And, tests))

        def halted(memory: Memory, space: int) -> Any:
            memory[register] = space
            return test(memory)

        return halted

    # ---------------------------------------------------------------------------- trails

    def trail(self, node: ir.Trail) -> Fn:
        links_of, joints_of = self._expr(node.links), self._expr(node.joints)
        through_of, spend = self._optional(node.through), self._expr(node.spend)
        neighbours = cast(tuple[tuple[int, ...], ...], self._program.rows[node.table])

        def longest(memory: Memory) -> int:
            links, joints = links_of(memory), joints_of(memory)
            through = through_of(memory)
            passed = joints if through is None else joints & through

            best = 0
            every = [space for space in range(len(neighbours)) if joints >> space & 1]
            trails = [(joint, 0, 0) for joint in every]  # where it has come, its links, how many
            while trails:
                joint, used, length = trails.pop()
                for link in neighbours[joint]:
                    bit = 1 << link
                    if not links & bit or used & bit:
                        continue
                    spend(memory)
                    best = max(best, length + 1)
                    for other in neighbours[link]:
                        if other != joint and passed >> other & 1:
                            trails.append((other, used | bit, length + 1))
            return best

        return longest
