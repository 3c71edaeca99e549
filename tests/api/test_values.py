"""Results are values: equal ones are equal, and what looks frozen can be a key."""

from __future__ import annotations

import pytest

import ludwright as lw
from tests.engines import ENGINES


@pytest.mark.parametrize("engine", ENGINES)
def test_results_are_compared_by_what_they_say(engine: str) -> None:
    game = lw.load("kuhn-poker", engine=engine)
    games = [game.playouts(20, seed=seed, finals=finals) for seed, finals in
             ((1, False), (1, False), (2, False), (1, True))]  # fmt: skip
    assert games[0] == games[1]
    assert games[0] != games[2]
    assert games[0] != games[3]
    assert games[0] != "games"
    with pytest.raises(TypeError, match="unhashable"):
        hash(games[0])
    state = game.initial_state(1)
    found = [game.search(state, simulations=count, seed=1) for count in (30, 30, 31)]
    assert found[0] == found[1]
    assert found[0] != found[2]
    over = game.choose(game.choose(state, "pass").state, "pass")
    results = [game.result(over.state) for _ in range(2)]
    assert len(set(results)) == 1
    assert len({*over.events(), *over.events()}) == len(over.events())
