"""Names of pieces that are alike: what is remembered of them is what would be said anew."""

from __future__ import annotations

import random

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game, core_of
from tests.native.support import needs_native

pytestmark = needs_native

RULEBOOK = """
```yaml
game: { id: sheep, title: Sheep, players: 2 }
pieces:
  sheep: { count: 5, props: { tired: bool, wool: 0..2 } }
  dog: { count: 2 }
  child: { count: 2, individual: true }
zones:
  pen: { of: [sheep, dog, child], init: all, see: none }
  field: { of: [sheep, dog, child] }
vars: { steps: 0..60 }
phases:
  - id: play
actions:
  - id: drive
    params: { which: "declassify(x for z in [pen, field] for x in z)" }
    effects:
      - move which to (field if which in pen else pen)
      - steps += 1
      - if steps % 3 == 0 then reveal which to p1
      - for s in sheep do s.tired = (s in field and steps % 2 == 0)
      - for s in sheep if s in pen do s.wool = steps % 3
      - if steps == 60 then end game
score: 0
```
"""


def told_anew(game: Game, seed: int, moves: int) -> int:
    """Plays at random; how many lists of pieces were compared."""
    dice = random.Random(seed)
    state = game.initial_state(seed)
    compared = 0
    for _ in range(moves):
        decision = game.decision(state)
        if decision is None:
            break
        core = core_of(game)
        stop = core.machine.stop_at(list(state.cells))
        if stop.choice is not None and stop.choice.type.kind == "piece" and decision.options:
            anew = core.values.describe_anew(state.cells, list(stop.answers))
            assert list(decision.options) == anew
            compared += 1
        some = sorted(dice.sample(range(game.program.world.piece_count), 5))
        assert list(core.values.describe(state.cells, some)) == core.values.describe_anew(
            state.cells, some
        )
        state = game.choose(state, dice.choice(decision.answers)).state
    return compared


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("name", ["harvest-fair", "delta", "hearts"])
def test_pieces_of_a_game_are_called_as_if_for_the_first_time(name: str, engine: str) -> None:
    game = lw.load(name, engine=engine)
    assert sum(told_anew(game, seed, 80) for seed in range(3)) > 10


@pytest.mark.parametrize("engine", ["python", "native"])
def test_properties_and_what_was_seen_change_names(engine: str) -> None:
    game = lw.load_text(RULEBOOK, engine=engine)
    assert sum(told_anew(game, seed, 60) for seed in range(4)) == 240
