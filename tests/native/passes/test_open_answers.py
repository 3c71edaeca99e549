"""Playouts give answers without a test: they draw the same numbers as with tests, and end alike."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.errors import LudwrightError, RulebookFault
from ludwright.kernel.protocol.state import State
from tests.native.support import needs_native
from tests.native.test_playouts import replay

pytestmark = needs_native

# By what is special: the effects of one action.
PARTS = {
    # every third answer is refused, only after the next one has been given
    "two levels": """
      - chooseOne: { bind: $a, options: 1..6 }
      - chooseOne: { bind: $b, options: "[n for n in 1..6 if n != $a]" }
      - require ($a + $b) % 3 != 0 and $a != 4
      - total += $a * $b
""",
    # the next choice has nothing to offer
    "nothing to choose": """
      - chooseOne: { bind: $a, options: 1..8 }
      - chooseOne: { bind: $b, options: "[n for n in 1..8 if n > $a + 4]" }
      - total += $a * $b
""",
    # and again behind it: whoever comes back may have to come back further
    "nothing twice": """
      - chooseOne: { bind: $a, options: 1..6 }
      - chooseOne: { bind: $b, options: "[n for n in 1..6 if n > $a]" }
      - chooseOne: { bind: $c, options: "[n for n in 1..6 if n > $b + 1]" }
      - require $a + $b + $c != 10
      - total += $a * $b * $c
""",
    # more dead ends than are tried, one choice before
    "one of many": """
      - chooseOne: { bind: $a, options: 1..60 }
      - chooseOne: { bind: $b, options: "[n for n in 1..3 if $a == 17 or $a == 40]" }
      - total += $a + $b
""",
    # effects that have to be taken back, with sets of spaces
    "effects": """
      - chooseOne: { bind: $a, options: s for s in board if s.piece == none }
      - place stone at $a
      - chooseOne: { bind: $b, options: s for s in board if s.piece == none and s != a1 }
      - move $a.piece to $b
      - require count(s for s in $b.adjacent if s.piece != none) < 2
      - if count(s for s in board if s.piece != none) > 5 then remove all of $b
      - total += 1
""",
    # an answer that is drawn in between belongs to nobody's level
    "a safe answer first": """
      - chooseOne: { bind: $z, options: 1..5 }
      - total += $z
      - chooseOne: { bind: $a, options: 1..6 }
      - chooseOne: { bind: $b, options: 1..6 }
      - require $a + $b == 7 or $z + $a == 6
""",
    # more levels than are kept, and more dead ends than are tried
    "many levels": "".join(
        f"\n      - chooseOne: {{ bind: ${name}, options: 1..4 }}" for name in "abcdefghij"
    )
    + "\n      - require $a + $b + $c + $d + $e + $f + $g + $h + $i + $j <= 14"
    + "\n      - total += $j\n",
    # what may be declined is tested
    "optional in between": """
      - chooseOne: { bind: $a, options: 1..5 }
      - chooseOne: { bind: $b, options: 1..5, optional: true }
      - chooseOne: { bind: $c, options: 1..5 }
      - require $b == none or $b + $c == $a
      - require $b != none or $c == 2
      - total += $a + $c
""",
    # soon nothing can be taken any more: then nobody is asked
    "nothing to take": """
      - chooseOne: { bind: $a, options: 1..4, optional: true }
      - if $a != none then purse -= $a
      - chooseOne: { bind: $b, options: 1..4, ifNone: skip }
      - if $b != none then purse -= $b
      - chooseN: { bind: $c, options: 1..3, max: 2 }
      - purse -= sum($c)
      - total += 1
""",
    # picks
    "picks": """
      - chooseOne: { bind: $a, options: 1..5 }
      - chooseN: { bind: $p, options: 1..5, min: 2, max: 3 }
      - require sum(n for n in $p) == 2 * $a + 1
      - total += $a
""",
}

SWITCHED: tuple[tuple[str, ...], ...] = ((), ("near_retreat",), ("open_answers",))

GAME = """# Levels

```yaml
game: {{ id: levels, title: Levels, players: 2 }}
seats: [red, blue]
spaces: {{ board: {{ grid: [4, 4] }} }}
pieces: {{ stone: {{ count: 16 }} }}
vars: {{ total: 0..9999 clamp, turns: 0..99 clamp, purse: 0..9 = 9 refuse }}
actions:
  - id: act
    effects:{effects}      - turns += 1
  - id: rest
    pre: turns % 3 == 1
    effects: [turns += 1]
end: [{{ when: turns >= 12, draw: all, reason: enough }}]
noMoves: [{{ draw: all, reason: nobody can move }}]
```
"""


def game_of(name: str) -> lw.Game:
    effects = PARTS[name]
    return lw.load_text(GAME.format(effects=effects), engine="native")


@pytest.mark.parametrize("name", PARTS)
def test_numbers_are_drawn_as_if_answers_were_tested(name: str) -> None:
    import numpy as np

    from ludwright.native.engine import Engine
    from ludwright.native.playouts import playouts

    game = game_of(name)
    engines = [Engine(game.program, 0, without=given) for given in SWITCHED]
    replay(game, engines[0], 6)
    for limit in (100, 7, 8):  # a game may end in the middle of a part
        one, *others = (playouts(each, 60, seed=5, limit=limit, finals=True) for each in engines)
        assert one.finals is not None
        for two in others:
            assert two.finals is not None
            assert np.array_equal(one.finals, two.finals)
            assert np.array_equal(one.decisions, two.decisions)
            assert np.array_equal(one.moves, two.moves)


@pytest.mark.parametrize("name", PARTS)
def test_a_game_that_the_limit_ends_waits_for_an_answer(name: str) -> None:
    """On both engines it ends at the same decision, and never at one that nobody is asked."""
    native = game_of(name)
    plain = lw.load_text(GAME.format(effects=PARTS[name]), engine="python")
    for limit in range(1, 9):
        one, two = (game.playouts(6, seed=3, limit=limit, finals=True) for game in (plain, native))
        assert one == two, f"at the limit of {limit}"
        assert one.finals is not None
        for cells in one.finals:
            state = State(native.initial_state().game_id, [int(cell) for cell in cells])
            decision = native.decision(state)
            assert decision is None or not decision.dead_end


LONG = {
    "behind another choice": """
      - chooseOne: { bind: $a, options: 1..5 }
      - chooseOne: { bind: $b, options: 1..5000 }
      - require $b % 2 == $a % 2
""",
    "before another choice": """
      - chooseOne: { bind: $b, options: 1..5000 }
      - chooseOne: { bind: $a, options: "[n for n in 1..5 if n % 3 == $b % 3]" }
      - chooseOne: { bind: $c, options: 1..2 }
      - require $b % 2 == $a % 2
""",
    "often refused": """
      - chooseOne: { bind: $b, options: 1..5000, optional: true }
      - require $b == none or $b % 3 == 0
""",
}


@pytest.mark.parametrize("name", LONG)
def test_an_answer_from_a_long_range_may_be_refused(name: str) -> None:
    """Neither engine tests it; if it is refused, the part is played again from its start."""
    from ludwright.native.engine import Engine
    from ludwright.native.playouts import playouts

    text = GAME.format(effects=LONG[name])
    wanted = lw.load_text(text, engine="python").playouts(30, seed=3)
    program = lw.load_text(text, engine="native").program
    for given in ((), ("open_answers",)):
        found = playouts(Engine(program, 1, without=given), 30, seed=3, go_on=True)
        assert not found.failures
        assert found.decisions.tolist() == wanted.decisions.tolist()
        assert found.moves.tolist() == wanted.moves.tolist()


def test_a_long_range_of_which_nothing_can_be_answered_is_a_dead_end() -> None:
    effects = """
      - chooseOne: { bind: $b, options: 1..50000 }
      - require $b > 50000
"""
    for engine in ("python", "native"):
        game = lw.load_text(GAME.format(effects=effects), engine=engine)
        state = game.initial_state()
        while not game.decision(state).decision_id.endswith("$b"):  # type: ignore[union-attr]
            state = game.choose(state, "act").state
        with pytest.raises(LudwrightError, match="in 100 attempts"):
            game.playouts(2, seed=1, state=state)


def test_a_fault_behind_an_open_answer_is_told() -> None:
    effects = """
      - chooseOne: { bind: $a, options: 1..5 }
      - total = 7 // ($a - 3)
      - require $a != 2
"""
    game = lw.load_text(GAME.format(effects=effects), engine="native")
    with pytest.raises(RulebookFault, match="division"):
        game.playouts(50, seed=1)


def test_play_comes_back_only_between_choices_that_follow_each_other() -> None:
    from ludwright.native.passes.near_retreat import follows_on

    found = {}
    for name in ("nothing to choose", "nothing twice", "effects", "optional in between", "picks"):
        program = game_of(name).program
        found[name] = sum(follows_on(program, pc) for pc in range(len(program.code)))
    assert found == {
        "nothing to choose": 1, "nothing twice": 2, "effects": 0, "optional in between": 0, "picks": 0,
    }  # fmt: skip
