"""`ludwright test`: the examples of a rulebook are run, and fail where they go another way."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludwright as lw
from ludwright.testing import run_examples
from tests.engines import under_test

BOOK = """# Race

```yaml
game: { id: race, title: Race to twenty, players: 2 }
parameters: { goal: 20 }
vars: { total: 0..100 }
actions:
  - id: count
    params: { step: n for n in 1..3 if total + n <= goal }
    effects: [total += step, 'say "{actor} counts to {total}"']
    notation: "{step}"
end:
  - { when: total == goal, win: actor, reason: "said {goal}" }
examples:
EXAMPLES
```
"""


def outcomes(tmp_path: Path, examples: str, plays: str = "") -> list[str]:
    """ "ok", or where and why an example fails."""
    path = tmp_path / "rulebook.md"
    path.write_text(BOOK.replace("EXAMPLES", examples) + plays)
    return [
        "ok" if item.failure is None else f"{item.failure.line}: {item.failure.reason}"
        for item in run_examples(path, under_test())
    ]


def test_positions_moves_and_conditions(tmp_path: Path) -> None:
    found = outcomes(
        tmp_path,
        """
  - title: from the start
    moves: [3, 3]
    holds: [total == 6, active == p1]
  - { title: set up, setup: [total = 18], can: [1, 2], cannot: [3], play: p1 plays 2, over: win p1 (said 20) }
  - { title: other parameters, parameters: { goal: 4 }, moves: [3, 1], over: win p2 (said 4) }
  - title: told
    play: |
      p1 is asked "Count: step"
      p1: 2
      p2 hears "p1 counts to 2"
      p2 refused 4
""",
    )
    assert found == ["ok"] * 4


@pytest.mark.parametrize(
    ("example", "place"),
    [
        (
            "{ title: a, moves: [3], holds: [total == 4] }",
            "17: this does not hold: it needs `total == 4`",
        ),
        ("{ title: b, can: [4] }", "17: `4` is not possible"),
        ("{ title: c, cannot: [3] }", "17: `3` is possible"),
        ("{ title: d, over: draw }", "17: the game ended as: not yet"),
        ("{ title: f, play: p2 plays 1 }", "17: p1 decides now"),
    ],
)
def test_what_does_not_hold_is_told_with_its_place(
    tmp_path: Path, example: str, place: str
) -> None:
    (found,) = outcomes(tmp_path, f"\n  # here\n  - {example}")
    assert found.startswith(place), found


def test_play_blocks_are_run(tmp_path: Path) -> None:
    found = outcomes(tmp_path, "  []", "\n```play\np1: 1\ncheck total == 99\n```\n")
    assert found == ["20: this does not hold: it needs `total == 99` (total is 1)"]


def test_mistakes_in_conditions_are_diagnostics(tmp_path: Path) -> None:
    with pytest.raises(lw.RulebookError) as refused:
        outcomes(tmp_path, "\n  - { title: x, holds: [totl == 1] }")
    span = refused.value.diagnostics[0].span
    assert span is not None
    assert (span.line, span.column) == (16, 25)


BESIDE = """# More

```yaml
fns: { far: total > 15 }
procs:
  up(n): [total = n, total += 1]
examples:
  - { title: helped, setup: [up(17)], holds: [far, total == 18], can: [2] }
```
"""


def beside(tmp_path: Path, text: str) -> list[str]:
    """The outcomes of examples in a file beside a rulebook in chapters."""
    (tmp_path / "1-rules.md").write_text(BOOK.replace("EXAMPLES", "  - { title: own }"))
    (tmp_path / "examples-more.md").write_text(text)
    return [f"{item.example.title}: {item.failure}" for item in run_examples(tmp_path)]


def test_files_of_examples_have_helpers_that_are_no_part_of_the_game(tmp_path: Path) -> None:
    assert beside(tmp_path, BESIDE) == ["own: None", "helped: None"]
    alone = lw.load_text(BOOK.replace("EXAMPLES", "  - { title: own }"))
    assert lw.load(tmp_path).gamedef_hash == alone.gamedef_hash


def test_rules_in_a_file_of_examples_are_refused(tmp_path: Path) -> None:
    with pytest.raises(lw.RulebookError) as refused:
        beside(tmp_path, BESIDE.replace("fns: { far: total > 15 }", "vars: { more: 0..9 }"))
    first = refused.value.diagnostics[0]
    assert (first.code, first.message) == (
        "unknown-key",
        "`vars` cannot stand in a file of examples",
    )


def test_the_answer_of_a_line_that_fails_is_named(tmp_path: Path) -> None:
    found = outcomes(tmp_path, "\n  - { title: x, play: 'p1: 1; 2' }")
    assert found == ["16: at `2`: p2 decides now: step: 1, 2, 3"]


PURSE = """# Purse

```yaml
game: { id: purse, title: Purse, players: 1 }
pieces: { coin: { each: { metal: [tin, gold] }, count: 3, open: bool } }
zones: { purse: { of: coin, init: all }, bowl: { of: coin } }
actions:
  - id: pay
    effects:
      - chooseN: { bind: $paid, options: c for c in purse, n: 3 }
      - move all of $paid to bowl
examples:
  - title: pieces by what they are
    setup: ["for c in purse if c.metal == gold do c.open = true", "first(c for c in purse if c.metal == tin).open = true"]
    play: LINE
    holds: [count(bowl) == 3, "count(c for c in bowl if c.open) == 1"]
```
"""


@pytest.mark.parametrize(
    ("line", "failure"),
    [
        ("p1: pay; open tin@purse; 2 -open@purse", None),
        ("p1: pay; 2 tin -open@purse; open gold@purse", None),
        ("p1: pay; tin@purse", "may be any of"),
        ("p1: pay; silver@purse", "not the name of a piece"),
        ("p1: pay; tin@bowl", "not the name of a piece"),
    ],
)
def test_pieces_are_called_by_what_they_are(tmp_path: Path, line: str, failure: str | None) -> None:
    path = tmp_path / "rulebook.md"
    path.write_text(PURSE.replace("LINE", f'"{line}"'))
    (outcome,) = run_examples(path, under_test())
    assert (outcome.failure is None) == (failure is None), str(outcome.failure)
    assert failure is None or failure in str(outcome.failure)


def test_a_position_is_a_state_of_the_game_itself() -> None:
    game = lw.load_text(BOOK.replace("EXAMPLES", "  []"))
    state = game.position("total = 17", moves=["2"])
    assert game.current_seat(state) == "p2"
    assert [game.notation(state, move) for move in game.legal_moves(state)] == ["1"]
    assert game.state_from_bytes(state.to_bytes()) == state
    with pytest.raises(lw.RulebookError):
        game.position("total = later")


_LEADING_ON = {
    "an offer": "{ offer: { actions: [block] } }",
    "reactions": "{ react: { actions: [block], pass: go } }",
    "a procedure with an offer": "answer()",
    "a phase on top": "push phase duel",
    "the text of a card": "resolve storm",
}


@pytest.mark.parametrize("name", _LEADING_ON)
def test_positions_of_games_whose_triggers_name_actions_cards_and_phases(name: str) -> None:
    """A set-up is carried out apart from the course of the game, but a trigger may lead there."""
    at_once = name == "the text of a card"
    game = lw.load_text(f"""```yaml
game: {{ id: course, title: Course, players: 2 }}
tables: {{ Card: [{{ id: storm }}] }}
vars: {{ noise: 0..20, hits: 0..20 }}
events: {{ storm: {{ effects: [hits += 1] }} }}
phases: [{{ id: day, actions: [go, block] }}, {{ id: duel, interrupt: true, actions: [leave] }}]
procs: {{ answer(): [{{ offer: {{ actions: [block] }} }}] }}
actions:
  - {{ id: go, effects: [noise += 1] }}
  - {{ id: block, effects: [hits += 2] }}
  - {{ id: leave, effects: [next phase] }}
  - {{ id: home, effects: [goto day] }}
triggers:
  - on: {{ changed: noise }}
    immediate: {str(at_once).lower()}
    if: noise > 2
    effects: [{_LEADING_ON[name]}]
```""")
    quiet, loud = game.position("noise = 2"), game.position("noise = 3")
    held = [game.observe(state, None)["variables"] for state in (quiet, loud)]
    assert held == [{"noise": 2, "hits": 0}, {"noise": 3, "hits": 1 if at_once else 0}]


def test_a_drawing_is_read_as_the_table_is_drawn() -> None:
    game = lw.load("tic-tac-toe")
    state = game.position(drawing="X . O\n. X .\nO . .")
    assert game.draw(state).split("\n")[0] == "3 X . O"
    with pytest.raises(ValueError, match="means nothing"):
        game.position(drawing="Z../.../...")


def test_chess_reads_forsyth_edwards_notation() -> None:
    game = lw.load("chess")
    kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    assert game.perft(game.position(drawing=kiwipete), 2) == 2039
    passing = game.position(drawing="4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1")
    assert "e4d3" in [game.notation(passing, move) for move in game.legal_moves(passing)]


HAND = """# Hand

```yaml
game: { id: hand, title: Hand, players: 2 }
tables: { Fruit: [{ id: apple, copies: 3 }, { id: fig, copies: 2, title: ripe fig }] }
pieces: { card: { each: Fruit, count: copies } }
zones:
  hand: { of: card, each: seat, see: owner }
  pile: { of: card }
setup: [place 5 card at hand(p1)]
flow:
  - chooseOne: { bind: $one, by: p1, options: hand(p1) }
  - move $one to pile
  - chooseN: { bind: $two, by: p1, options: hand(p1), n: 2 }
  - move all of $two to pile
score: count(hand(it))
examples:
  - title: by the words that people read
    play: |
      p1: ripe fig
      check pile.piece.row == fig
      p1: apple
      p1: ripe fig
      check count(c for c in pile if c.row == fig) == 2 and count(pile) == 3
  - { title: no such card, play: "p1: pear" }
```
"""


def test_answers_may_be_given_in_the_words_that_people_read(tmp_path: Path) -> None:
    """Cards that are alike have no name of their own that anybody would type."""
    path = tmp_path / "rulebook.md"
    path.write_text(HAND)
    first, second = run_examples(path, under_test())
    assert first.failure is None, first.failure
    assert second.failure is not None
    assert "pear" in second.failure.reason


BUGS = """# T
```yaml
game: { id: t, title: T, players: 2 }
seats: [red, blue]
spaces: { board: { grid: [4, 2], max: 1 } }
tables: { Kind: [{ id: queen, copies: 1 }, { id: ant, copies: 2, title: Soldier ant }] }
pieces: { bug: { owner: seat, each: Kind, count: copies } }
zones: { hand: { each: seat, of: bug, init: all } }
actions: [{ id: put, params: { b: x for x in hand(actor), c: board }, effects: [move b to c] }]
```
"""


def test_men_that_carry_a_row_are_drawn_by_it() -> None:
    game = lw.load_text(BUGS)
    state = game.position(drawing=". Q . .\na . A q")
    shown = game.draw(state).split("\n")
    assert shown[:2] == ["2 . Q . .", "1 a . A q"]
    assert "a blue Soldier ant" in "\n".join(shown)
