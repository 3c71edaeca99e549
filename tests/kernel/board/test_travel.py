"""Ways with steps, costs and places to halt, compared with a plain search in Python."""

from __future__ import annotations

import random
from itertools import pairwise, permutations

import pytest

import ludwright as lw
from tests.semantics.books import book, markdown

SIDE = 4
SPACES = [f"{column}{row}" for row in range(1, SIDE + 1) for column in "abcd"]

RULES = """
spaces:
  board: { grid: [4, 4], attributes: { entry: "it.index * 7 % 4" } }
pieces: { wall: { count: 4 } }
vars: { far: -1..99, many: 0..16, worth: 0..9999, way: 0..9999, rough: 0..9999 }
actions:
  - id: go
    params: { a: board, b: board, n: 0..7 }
    effects:
      - far = default(reachCost(a, b, cost=price(it), halt=it.count > 0), -1)
      - many = count(reach(a, cost=price(it), within=n, halt=it.count > 0))
      - worth = sum(s.index * c for s, c in reachCosts(a, cost=price(it), within=n))
      - way = sum((1 + s.index) * (1 + t.index) for s in w for t in w if adjacent(s, t) where w = path(a, b, cost=price(it)))
      - rough = count(reach(a, step=[s for s in near(it) if s.index != it.index + 1], within=n, halt=it.count > 0))
  - { id: wall, params: { a: "c for c in board if c.count == 0" }, effects: [place wall at a] }
fns: { price(s): none if s.entry == 3 else s.entry }
end: [{ when: turn > 999, draw: all }]
"""


def price(space: str) -> int | None:
    entry = SPACES.index(space) * 7 % 4
    return None if entry == 3 else entry


def neighbours(space: str, diagonal: bool = False) -> list[str]:
    column, row = "abcd".index(space[0]), int(space[1])
    found = []
    for other in SPACES:
        across, along = abs("abcd".index(other[0]) - column), abs(int(other[1]) - row)
        if (max(across, along) == 1) if diagonal else (across + along == 1):
            found.append(other)
    return found


def least_costs(start: str, walls: set[str]) -> dict[str, int]:
    """By going round again and again until nothing gets cheaper."""
    costs = {start: 0}
    for _ in SPACES:
        for space, cost in list(costs.items()):
            if space != start and space in walls:
                continue
            for to in neighbours(space):
                step = price(to)
                if step is not None and cost + step < costs.get(to, 10**9):
                    costs[to] = cost + step
    return costs


def rough_reach(start: str, walls: set[str], within: int) -> set[str]:
    reached, edge = {start}, {start}
    for _ in range(within):
        edge = {
            to
            for space in edge
            if space == start or space not in walls
            for to in neighbours(space, diagonal=True)
            if SPACES.index(to) != SPACES.index(space) + 1
        } - reached
        reached |= edge
    return reached


def test_costs_reach_and_paths_agree_with_a_plain_search() -> None:
    game = book(RULES)
    dice = random.Random(5)
    state = game.initial_state()
    walls: set[str] = set()
    for turn in range(60):
        if turn % 15 == 14:
            walls.add(wall := dice.choice(sorted(set(SPACES) - walls)))
            state = game.apply_move(state, lw.Move("wall", {"a": wall})).state
        a, b, n = dice.choice(SPACES), dice.choice(SPACES), dice.randrange(8)
        state = game.apply_move(state, lw.Move("go", {"a": a, "b": b, "n": n})).state
        seen = game.observe(state, None)["variables"]
        costs, free = least_costs(a, walls), least_costs(a, set())
        assert seen["far"] == costs.get(b, -1)
        assert seen["many"] == sum(cost <= n for cost in costs.values())
        assert seen["worth"] == sum(SPACES.index(s) * c for s, c in free.items() if c <= n)
        assert (seen["way"] == 0) == (b not in free or a == b)
        assert seen["rough"] == len(rough_reach(a, walls, n))


def test_a_path_goes_by_steps_and_costs_what_it_says() -> None:
    rules = (
        RULES.split("actions:", maxsplit=1)[0]
        + """
actions:
  - id: go
    params: { a: board, b: board }
    effects:
      - "trail = path(a, b, cost=price(it))"
      - far = default(reachCost(a, b, cost=price(it)), -1)
fns: { price(s): none if s.entry == 3 else s.entry }
end: [{ when: turn > 999, draw: all }]
"""
    )
    game = book(rules.replace("vars: {", "vars: { trail: 'list[Space, 16]',"))
    state = game.initial_state()
    for a, b in permutations(SPACES, 2):
        state = game.apply_move(state, lw.Move("go", {"a": a, "b": b})).state
        seen = game.observe(state, None)["variables"]
        way, costs = list(seen["trail"]), least_costs(a, set())
        if b not in costs:
            assert (way, seen["far"]) == ([], -1)
            continue
        assert (way[0], way[-1]) == (a, b)
        assert all(to in neighbours(one) for one, to in pairwise(way))
        assert sum(price(space) or 0 for space in way[1:]) == costs[b] == seen["far"]


TRAILS = """
spaces:
  net:
    spaces: { %s }
pieces: { road: { count: 30 }, wall: { count: 9 } }
vars: { longest: 0..99 }
setup: [%s]
actions:
  - id: look
    effects:
      - "longest = longestTrail([s for s in net if s.link == true and s.count == 1], ends=[s for s in net if s.link == none], through=[s for s in net if s.count == 0])"
end: [{ when: turn > 9, draw: all }]
"""


def longest(edges: list[tuple[int, int]], blocked: set[int]) -> int:
    """By extending every trail in every way."""
    best, trails = 0, [(joint, frozenset[int]()) for joint in range(5)]
    while trails:
        joint, used = trails.pop()
        best = max(best, len(used))
        if used and joint in blocked:
            continue
        for number, ends in enumerate(edges):
            if joint in ends and number not in used:
                trails.append((ends[1 - ends.index(joint)], used | {number}))
    return best


@pytest.mark.parametrize("seed", range(6))
def test_the_longest_trail_is_the_longest_of_all(seed: int) -> None:
    dice = random.Random(seed)
    pairs = [(one, two) for one in range(5) for two in range(one)]
    edges = dice.sample(pairs, 7)
    blocked = set(dice.sample(range(5), seed % 3))
    spaces = [f"j{joint}: {{}}" for joint in range(5)]
    spaces += [
        f"e{n}: {{ adjacent: [j{one}, j{two}], link: true }}" for n, (one, two) in enumerate(edges)
    ]
    setup = [f"place road at e{n}" for n in range(7)] + [f"place wall at j{j}" for j in blocked]
    game = book(TRAILS % (", ".join(spaces), ", ".join(setup)))
    state = game.apply_move(game.initial_state(), lw.Move("look")).state
    assert game.observe(state, None)["variables"]["longest"] == longest(edges, blocked)


def test_a_cost_below_nothing_is_a_fault() -> None:
    game = book("""
spaces: { board: { grid: [3, 1] } }
vars: { n: { type: -5..5, init: -1 }, m: 0..9 }
actions:
  - { id: go, effects: ["m = count(reach(a1, cost=n))"] }
end: [{ when: turn > 9, draw: all }]
""")
    with pytest.raises(lw.RulebookFault, match="a step costs -1"):
        game.apply_move(game.initial_state(), lw.Move("go"))


def test_trails_beyond_counting_are_a_fault() -> None:
    names = [f"j{n}" for n in range(12)]
    links = [
        f"e{a}x{b}: {{ adjacent: [j{a}, j{b}], link: true }}" for a in range(12) for b in range(a)
    ]
    spaces = ", ".join([*(f"{name}: {{}}" for name in names), *links])
    game = book(
        """
spaces: { net: { spaces: { SPACES } } }
vars: { n: 0..99 }
actions:
  - { id: go, effects: ["n = longestTrail([s for s in net if s.link == true], ends=[s for s in net if s.link == none])"] }
end: [{ when: turn > 9, draw: all }]
""".replace("SPACES", spaces)
    )
    with pytest.raises(lw.RulebookFault, match="on and on"):
        game.apply_move(game.initial_state(), lw.Move("go"))


def test_what_does_not_fit_together_is_told() -> None:
    def told(expression: str) -> str:
        rules = f'spaces: {{ board: {{ grid: [3, 1] }} }}\nfns: {{ f(): "{expression}" }}\nvars: {{ n: 0..9 }}\n'
        rules += (
            "actions: [{ id: go, effects: [n = count(f())] }]\nend: [{ when: turn > 9, draw: all }]"
        )
        errors = lw.compile_text(markdown(rules)).diagnostics.errors
        return " ".join(f"{item.message} {item.suggestion}" for item in errors)

    assert "within=n" in told("reach(a1, cost=2, steps=3)")
    assert "did you mean `step`?" in told("reach(a1, stop=3)")
    assert "a number" in told("reach(a1, cost=it)")
    assert "condition" in told("reach(a1, halt=it)")
    assert "needs spaces" in told("reach(a1, step=[1, 2])")


@pytest.mark.parametrize("spaces", [1, 2, 31, 32, 61, 62, 63, 64, 65, 93, 94, 127, 128, 129])
def test_sets_of_spaces_of_every_width_are_read_alike(spaces: int) -> None:
    """Native sets are one word up to 62 spaces, and a number of cells beyond that."""
    game = book(f"""
spaces: {{ road: {{ track: {spaces} }} }}
vars: {{ kept: "set[road]", n: 0..9 }}
fns:
  close(a): "reach(a, cost=1 if it.index > 0 else 2, within=3)"
  wide(a): "reach(a, cost=1, halt=it.index == {spaces - 1})"
actions:
  - id: go
    params: {{ s: "s for s in road if s in close(s)" }}
    effects:
      - kept = close(s)
      - chooseOne: {{ bind: $to, options: c for c in close(s), ifNone: fault }}
      - kept = wide($to)
      - n += 1
end: [{{ when: n == 9, draw: all }}]
""")
    names = [f"road{number + 1}" for number in range(spaces)]
    for at in sorted({0, spaces // 2, spaces - 1}):
        state = game.choose(game.initial_state(), names[at]).state
        decision = game.decision(state)
        assert decision is not None
        cost = {at: 0}
        for way in (range(at + 1, spaces), range(at - 1, -1, -1)):
            total = 0
            for space in way:
                total += 1 if space > 0 else 2
                cost[space] = total
        near = [names[space] for space in sorted(cost) if cost[space] <= 3]
        assert list(decision.options) == near
        state = game.choose(state, near[-1]).state
        assert sorted(game.observe(state, None)["variables"]["kept"]) == sorted(names)
