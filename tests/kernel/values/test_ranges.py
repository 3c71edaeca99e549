"""What is put into cells fits them, or that is a fault: also inside of lists and tuples, and
whether it is assigned, chosen, drawn or the best that can be reached."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

import ludwright as lw
from ludwright.errors import RulebookFault
from tests.native.support import needs_native

BOOK = """
```yaml
game: {{ id: ranges, title: Ranges, players: 2 }}
seats: [red, blue]
spaces: {{ board: {{ track: 3 }}, coast: {{ track: 4 }} }}
pieces: {{ stone: {{ count: 3 }}, card: {{ count: 4 }} }}
zones: {{ pile: {{ of: card, init: all }}, bag: {{ of: stone, init: all }} }}
vars:
  spot: board = board1
  spots: list[board, 3]
  anywhere: Space = board1
  pet: stone?
  home: "(board, Seat) = (board1, red)"
  marks: list[0..99, 3]
  pair: "(0..9, Seat) = (1, red)"
  pairs: list[(0..9, Seat), 3]
  gaps: list[0..5?, 3]
  big: 0..2000000000 = 2000000000
  n: 0..9
setup: [{setup}]
procs:
  "show(where: board)": [{{ chooseOne: {{ bind: $k, options: 1..2 }} }}, anywhere = where]
actions:
  - id: act
    effects: [{effects}]
end: [{{ when: n > 3, draw: all, reason: done }}]
```
"""
LATER = '{ chooseOne: { bind: $later, options: 1..2 } }, "n += 1"'


def loaded(setup: str = '"n = 0"', effects: str = '"n += 1"') -> lw.Game:
    return lw.load_text(BOOK.format(setup=setup, effects=effects))


def code_of(game: lw.Game, answers: tuple[Any, ...] = ()) -> str:
    """The fault that play ends in; every state on the way comes back from its bytes."""
    try:
        state = game.initial_state()
        for answer in answers:
            assert game.state_from_bytes(state.to_bytes()) == state
            state = game.choose(state, answer).state
        assert game.state_from_bytes(state.to_bytes()) == state
    except RulebookFault as fault:
        return f"{fault}".split(";")[0]
    return ""


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ("marks = [3, 65537]", "[range] 65537 is outside 0..99"),
        ("marks = [x * 60 for x in 0..2]", "[range] 120 is outside 0..99"),
        ("marks = marks + [100]", "[range] 100 is outside 0..99"),
        ("marks = [big * big]", "[range] 4000000000000000000 is outside 0..99"),
        ("marks = [1, 2, 3, 100]", "[range] a list of 4 where 3 fit"),
        ("marks = [0, 99]", ""),
        ("pair = (big, red)", "[range] 2000000000 is outside 0..9"),
        ("pair = (-1, blue)", "[range] -1 is outside 0..9"),
        ("pair = (9, blue)", ""),
        ("pairs = [(3, red), (12, blue)]", "[range] 12 is outside 0..9"),
        ("pairs = [(k, red) for k in 7..9]", ""),
        ("gaps = [none, 6]", "[range] 6 is outside 0..5"),
        ("gaps = [none, 5]", ""),
    ],
)
def test_numbers_inside_lists_and_tuples_keep_their_range(effect: str, told: str) -> None:
    assert code_of(loaded(setup=f'"{effect}"')) == told


@pytest.mark.parametrize(
    ("effects", "answers"),
    [
        ('{ chooseOne: { bind: $x, options: "[big * big, 3]" } }', ("act", 4 * 10**18)),
        ('{ chooseOne: { bind: $x, options: "[(big * big, red), (3, red)]" } }',
         ("act", (4 * 10**18, "red"))),
        ('{ chooseN: { bind: $x, options: "[big * big, 3, 4]", max: 2 } }', ("act", [4 * 10**18])),
        ('{ chooseOne: { bind: $x, options: "[big * big, 3]", together: true } }',
         ("act", 4 * 10**18)),
        ('"let z = [big * big]"', ("act",)),
        ('"let z = (big * big, red)"', ("act",)),
        ('"roll x in [big * big, big * big]"', ("act",)),
    ],
)  # fmt: skip
def test_what_no_cell_holds_is_a_fault_wherever_it_is_kept(
    effects: str, answers: tuple[Any, ...]
) -> None:
    told = code_of(loaded(effects=f"{effects}, {LATER}"), answers)
    assert told.startswith("[range] 4000000000000000000 is outside ")


def test_the_other_options_can_be_taken() -> None:
    effects = '{ chooseOne: { bind: $x, options: "[big * big, 3]" } }, ' + LATER
    assert code_of(loaded(effects=effects), ("act", 3, 1)) == ""


def test_a_local_list_holds_any_numbers_that_are_assigned_to_it() -> None:
    effects = '"let q = [n, 5]", "q = [700, n]", "marks = [x - 690 for x in q if x > 9]", "n += 1"'
    game = loaded(effects=effects)
    state = game.choose(game.initial_state(), "act").state
    assert game.observe(state, None)["variables"]["marks"] == [10]


def test_the_best_value_fits_a_cell() -> None:
    effects = '{ chooseOne: { bind: $x, options: 1..3 } }, "n = $x"'
    book = BOOK.format(setup='"n = 0"', effects=effects)
    game = lw.load_text(book.replace("actions:", "turn: { best: big * n }\nactions:", 1))
    assert code_of(game).startswith("[range] 4000000000 is outside ")


NO_SPACE = "[range] this place is no space of `board`"


@pytest.mark.parametrize(
    ("effects", "told"),
    [
        ("spot = coast1", NO_SPACE),
        ("spot = pile", NO_SPACE),
        ("spots = [board2, coast1]", NO_SPACE),
        ("home = (coast2, blue)", NO_SPACE),
        ("anywhere = coast4; spot = anywhere", NO_SPACE),
        ("let x = board1; x = coast1; spot = x", NO_SPACE),
        ("let x = board1; x = pile; anywhere = x", "[range] this place is no space"),
        ("let y = first(bag); y = first(pile); pet = y", "[range] this piece is no `stone`"),
        ("pet = first(p for p in bag); spot = board3; spots = [board3]; pet = none", ""),
    ],
)
def test_a_variable_of_one_group_or_kind_holds_no_other(effects: str, told: str) -> None:
    setup = ", ".join(f'"{effect}"' for effect in effects.split("; "))
    assert code_of(loaded(setup=setup)) == told


def test_a_local_holds_any_place_or_piece_that_is_assigned_to_it() -> None:
    effects = '"let x = board1", "x = pile", "let y = first(bag)", "y = first(pile)", ' + LATER
    assert code_of(loaded(effects=effects), ("act", 1)) == ""


def test_a_procedure_can_be_given_any_place() -> None:
    for place in ("board2", "coast3", "anywhere"):
        assert code_of(loaded(effects=f'"show({place})", "n += 1"'), ("act", 1)) == ""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("spot: board = board1", "spot: board = coast1", "this place is no space of `board`"),
        ("spot: board = board1", "spot: board = pile", "this place is no space of `board`"),
        ("marks: list[0..99, 3]", "marks: list[0..99, 3] = [1, 100]", "100 is outside 0..99"),
        ("(1, red)", "(12, red)", "12 is outside 0..9"),
        ("n: 0..9", "n: 0..9 = 10", "10 is outside 0..9"),
    ],
)
def test_an_initial_value_is_checked_before_play(old: str, new: str, told: str) -> None:
    text = BOOK.format(setup='"n = 0"', effects='"n += 1"')
    assert old in text
    found = lw.compile_text(text.replace(old, new, 1)).diagnostics.errors
    assert [(error.code, error.message) for error in found] == [("out-of-range", told)]


LONG = """
# Long
```yaml
game: { id: long, title: Long, players: 2 }
vars: { Seat.purse: 0..2000000000 = 5 refuse }
end: [{ when: turn > 6, draw: all, reason: over }]
actions:
  - id: pay
    params: { times: 1..2, amount: 3..2000000000 }
    effects: [actor.purse -= amount * times]
  - { id: pass }
```
"""


@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=needs_native)])
def test_a_range_of_two_thousand_million_numbers_is_never_listed(engine: str) -> None:
    """Searches look at its first numbers, and answers are drawn from it."""
    game = lw.load_text(LONG, engine=engine)
    state = game.initial_state()
    tracemalloc.start()
    try:
        for answer in ("pay", 1):
            state = game.choose(state, answer).state
        decision = game.decision(state)
        assert decision is not None
        assert (len(decision.answers), decision.answers[-1]) == (1_999_999_998, 2_000_000_000)
        assert decision.answers[1:3] == [4, 5]
        assert None not in decision.answers
        assert game.random_answer(state, lambda count: count - 1) == 2_000_000_000
        assert game.search(state, simulations=3).candidates
        game.playouts(1, seed=1)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_what_may_be_answered_beside_a_long_range() -> None:
    given = lw.load_text(
        LONG.replace(
            "amount: 3..2000000000", "amount: { options: 3..5000, optional: true }"
        ).replace("[actor.purse -= amount * times]", '["actor.purse -= default(amount, 0)"]')
    )
    state = given.replay(given.initial_state(), ["pay", 1])
    decision = given.decision(state)
    assert decision is not None
    answers = decision.answers
    assert (len(answers), answers[0], answers[-2], answers[-1]) == (4999, 3, 5000, None)
    assert None in answers
    assert list(answers) == [*range(3, 5001), None]
    with pytest.raises(IndexError):
        answers[4999]
