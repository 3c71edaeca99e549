"""`bot:` in a rulebook: searches use it alike on both engines, and no rule knows of it."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludwright as lw
from ludwright.bots.naming import bot_maker
from ludwright.kernel.play.game import Game
from ludwright.simulate.driver import play_out
from tests.native.rulebooks.writing import rulebook

BOOK = """\
```yaml
game: { id: race, title: Race, players: 2 }
seats: [red, blue]
vars: { Seat.points: 0..999, Seat.luck: 0..999 }
fns: { promise(p): 5 * p.luck - p.points }
actions:
  - id: go
    params: { way: 1..3, look: 1..9 }
    effects:
      - actor.points += 4 - way
      - actor.luck += way
end: [{ when: red.points + blue.points > 80, win: "p for p in seats if p.points == max(q.points for q in seats)", reason: done }]
```
"""
HINTS = "\n```yaml\nbot: {{ {} }}\n```\n"


def hinted(words: str, engine: str = "auto") -> Game:
    return lw.load_text(BOOK + HINTS.format(words), engine=engine)


def told(game: Game, simulations: int, **given: Any) -> tuple[Any, ...]:
    found = game.search(game.initial_state(1), simulations=simulations, seed=3, **given)
    return found.candidates, found.values, found.line, found.nodes


def test_hints_are_no_rules() -> None:
    plain, other = lw.load_text(BOOK), hinted("value: promise(it), cutoff: 4, skip: [look]")
    assert other.gamedef_hash == plain.gamedef_hash
    assert other.program.fingerprint == plain.program.fingerprint
    state = plain.initial_state(1)
    assert other.state_from_bytes(state.to_bytes()) == state


def test_both_engines_search_alike_with_hints_and_a_value_changes_what_they_find() -> None:
    words = "value: promise(it), cutoff: 2"
    one, two = (hinted(words, engine) for engine in ("python", "native"))
    assert told(one, 150) == told(two, 150)
    assert told(two, 150) != told(two, 150, hints=False)
    assert told(two, 150, hints=False) == told(lw.load_text(BOOK), 150)
    # What the rulebook praises is what bots do, though it loses.
    state = two.initial_state(1)
    assert two.search(state, simulations=2_000, seed=1).best == 3
    assert two.search(state, simulations=2_000, seed=1, hints=False).best == 1


def test_what_is_skipped_gets_its_first_answer_without_a_thought() -> None:
    one, two = (hinted("skip: [look]", engine) for engine in ("python", "native"))
    assert told(one, 120) == told(two, 120)
    deep, broad = (told(two, 3_000, hints=hints)[2] for hints in (True, False))
    assert len(deep) > len(broad)  # nothing is lost on what does not matter
    state = two.choose(two.initial_state(1), 2).state
    decision = two.decision(state)
    assert decision is not None
    assert decision.name == "look"
    found = two.search(state, simulations=500)
    assert (found.best, found.simulations) == (1, 0)
    seen: list[Any] = []

    class Noting:
        def __init__(self, seed: int) -> None:
            self._bot = bot_maker("search:20")(seed)

        def choose(self, view: Any) -> Any:
            option = self._bot.choose(view)
            if view.decision.name == "look":
                seen.append(option)
            return option

    play_out(two, two.initial_state(1), {"red": Noting(1), "blue": Noting(2)})
    assert seen
    assert set(seen) == {1}


@pytest.mark.parametrize("seed", [2, 4])
def test_generated_rulebooks_are_searched_alike_with_hints(seed: int) -> None:
    text, found = rulebook(random.Random(seed)), list[Any]()
    for engine in ("python", "native"):
        game = lw.load_text(text, engine=engine)
        state = game.initial_state(seed)
        assert game.decision(state) is not None
        result = game.search(state, simulations=25, seed=seed)
        found.append((result.candidates, result.values, result.nodes))
    assert found[0] == found[1]
