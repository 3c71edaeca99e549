"""Three fords against plain searches in Python: how far a unit marches, who is supplied, what a
battle costs."""

from __future__ import annotations

import heapq
import random
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from tests.games.lockstep import games

pytestmark = pytest.mark.usefixtures("engine")

COLUMNS, ROWS = "abcdefghi", range(1, 8)
FORDS = {"b4", "e4", "h4"}
ROUGH = FORDS | {"c2", "g2", "d3", "g3", "c5", "f5", "c6", "g6"}
LAND = {f"{c}{r}" for c in COLUMNS for r in ROWS if r != 4} | FORDS
HOME = {"blue": "e1", "grey": "e7"}
SHARE = 0.3  # of the decisions at which a march is looked at
FIRST = 1  # the seed of a game in which units are cut off
Units = dict[str, dict[str, Any]]


def beside(cell: str) -> set[str]:
    column, row = COLUMNS.index(cell[0]), int(cell[1:])
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
    near = ((column + a, row + b) for a, b in steps)
    return {f"{COLUMNS[c]}{r}" for c, r in near if 0 <= c < len(COLUMNS)} & LAND


def units(game: Game, state: State) -> Units:
    places = game.observe(state, None)["places"]
    return {
        cell: piece
        for cell in LAND
        for piece in places.get(cell, {}).get("pieces", ())
        if piece["kind"] == "unit"
    }


def watched(cell: str, side: str, field: Units) -> bool:
    return any(field[n]["owner"] != side for n in beside(cell) if n in field)


def marches(start: str, field: Units) -> set[str]:
    """Dijkstra: woods and fords cost two, and the march is over beside an enemy."""
    unit = field[start]
    points = 5 if unit["arm"] == "horse" else 3
    points = points // 2 if unit["starving"] else points
    best, queue = {start: 0}, [(0, start)]
    while queue:
        spent, cell = heapq.heappop(queue)
        if spent > best[cell] or (cell != start and watched(cell, unit["owner"], field)):
            continue
        for after in beside(cell) - field.keys():
            cost = spent + (2 if after in ROUGH else 1)
            if cost <= points and cost < best.get(after, 99):
                best[after] = cost
                heapq.heappush(queue, (cost, after))
    return best.keys() - {start}


def supplied(side: str, field: Units) -> set[str]:
    found, waiting = {HOME[side]}, [HOME[side]]
    while waiting:
        for cell in beside(waiting.pop()) - found:
            own = cell in field and field[cell]["owner"] == side
            if own or (cell not in field and not watched(cell, side, field)):
                found.add(cell)
                waiting.append(cell)
    return found


def check_march(game: Game, state: State, rng: random.Random) -> None:
    """A unit that may march is offered exactly the hexagons that it reaches."""
    field = units(game, state)
    which = game.decision(game.choose(state, "march").state)
    assert which is not None
    cell = rng.choice(which.options)
    where = game.decision(game.replay(state, ["march", cell]))
    assert where is not None
    assert set(where.options) == marches(cell, field), f"{cell}\n{state}"


def starving(game: Game, state: State, side: str) -> set[str]:
    """Who starves, by the counters on the table; it must be who is cut off."""
    field = units(game, state)
    own = {cell for cell, unit in field.items() if unit["owner"] == side}
    marked = {cell for cell in own if field[cell]["starving"]}
    assert marked == own - supplied(side, field), f"{state}"
    return marked


def test_marches_and_supply_follow_the_model() -> None:
    game = lw.load("three-fords")
    cut_off: set[str] = set()
    for seed in games(1):
        rng, picks = random.Random(seed + FIRST), random.Random(seed)
        state = game.initial_state(seed=seed + FIRST)
        side, gone = "grey", False
        while (decision := game.decision(state)) is not None:
            options = decision.answers
            if decision.role == "action":
                if decision.seat != side and not gone:  # a turn begins, and nobody starved to death
                    cut_off |= starving(game, state, decision.seat)
                side = decision.seat
                if "march" in options and picks.random() < SHARE:
                    check_march(game, state, picks)
                options = [option for option in options if option != "done"] or options
            step = game.choose(state, rng.choice(options), decision.seat)
            gone = any("is gone" in str(event.fields.get("text")) for event in step.events())
            state = step.state
        assert game.result(state) is not None
    assert cut_off


@pytest.mark.parametrize(
    ("die", "defender", "attacker"), [(6, 3, 4), (4, 3, 4), (3, 3, 3), (2, 3, 3), (1, 4, 3)]
)
def test_what_an_even_battle_costs(die: int, defender: int, attacker: int) -> None:
    """Foot against foot over the ford: four against four, and the die decides."""
    game = lw.load("three-fords", chance="explicit")
    state = game.replay(game.initial_state(), ["march", "e3", "e4", "attack", "e5", die])
    decision = game.decision(state)
    assert decision is not None
    if decision.name == "$bears":
        state = game.choose(state, "e4").state
    field = units(game, state)
    assert (field["e5"]["strength"], field["e4"]["strength"]) == (defender, attacker)
