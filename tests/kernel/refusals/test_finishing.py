"""Conditions for answers that can be finished say the same as a search."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ludwright as lw
from ludwright.kernel.play.agent_dice import Dice
from ludwright.kernel.play.game import Game

RULEBOOK = """\
# Steps

```yaml
game: { id: steps, title: Steps, players: 1 }
seats: [solo]
spaces: { board: { grid: [3, 3] } }
pieces: { stone: { owner: seat } }
vars: { limit: 0..9 = 2 }
fns:
  open(c): x for x in c.adjacent if x.piece == none
actions:
  - id: hop
    params:
      from_: c for c in board if c.piece == none
      over: x for x in open(from_) if x.row >= from_.row
      to_:
        if: over.column > 1
        options: y for y in open(over) if y.column < over.column
    effects: [place stone of actor at over]
  - id: rest
    pre: limit > 0
    params: { n: 1..3 }
    effects:
      - let twice = n * 2
      - require twice <= limit
      - limit -= n
noMoves: [{ draw: all }]
```
"""


def searching(game: Game) -> Game:
    """The same game without the conditions."""
    choices = tuple(replace(choice, finish=None) for choice in game.program.choices)
    return Game(replace(game.program, choices=choices), b"", game.chance)


def agree(game: Game, games: int, decisions: int) -> int:
    """Play by the conditions and compare every list of answers with what a search leaves."""
    other = searching(game)
    made = 0
    for seed in range(games):
        dice = Dice(seed)
        state = game.initial_state(seed=seed)
        while (decision := game.decision(state)) is not None and made < decisions * (seed + 1):
            again = other.state_from_bytes(state.to_bytes())
            found = other.decision(again)
            assert found is not None
            assert list(found.options) == list(decision.options), decision.decision_id
            assert found.answers == decision.answers
            state = game.choose(state, decision.answers[dice.pick(len(decision.answers))]).state
            made += 1
    return made


def test_a_small_rulebook() -> None:
    game = lw.load_text(RULEBOOK, engine="python")
    told = {choice.name: choice.finish is not None for choice in game.program.choices}
    assert told["from_"], "nothing but choices and locals lies between it and the last refusal"
    assert told["n"], "a condition on a local is an expression"
    assert agree(game, 5, 40) > 30


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("chess", {"action", "origin"}),
        ("breakthrough", {"action", "origin"}),
        ("draughts", {"action", "origin"}),
        ("nim", set()),  # a pile that may be chosen is not empty, so something can be taken
        ("liars-dice", {"many"}),
        ("delta", {"side"}),
    ],
)
def test_games(name: str, choices: set[str]) -> None:
    game = lw.load(name, engine="python")
    assert {c.name for c in game.program.choices if c.finish is not None} == choices
    assert agree(game, 2, 40)


def test_what_moves_pieces_first_is_left_to_the_search() -> None:
    """Whether an arrow can be shot shows only once the queen has moved."""
    program = lw.load("amazons", engine="python").program
    assert all(choice.finish is None for choice in program.choices)
