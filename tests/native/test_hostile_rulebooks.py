"""Rulebooks that once made native code play otherwise than the interpreter, or not come to an end."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.kernel.play.game import Game

ENGINES = ("python", "native")


def book(rules: str) -> list[Game]:
    text = (
        f"# T\n```yaml\ngame: {{ id: t, title: T, players: 2 }}\nseats: [red, blue]\n{rules}```\n"
    )
    return [lw.load_text(text, engine=engine) for engine in ENGINES]


def variables_after(game: Game, *answers: str) -> dict[str, object]:
    state = game.initial_state(1)
    for answer in answers:
        state = game.choose(state, answer).state
    found: dict[str, object] = game.observe(state, None)["variables"]
    return found


WRITTEN = """
spaces: { board: { grid: [4, 1] } }
pieces: { robber: { count: 1, up: bool, mood: [calm, angry], who: Seat } }
vars: { before: 0..9, after: 0..9 }
setup: [place robber at b1]
actions:
  - id: wake
    effects:
      - before = count(x for x in board if x.piece.TEST)
      - WRITE
      - after = count(x for x in board if x.piece.TEST)
"""


@pytest.mark.parametrize(
    ("write", "test"),
    [
        ("robber[0].up = true", "up == true"),
        ("first(robber).up = true", "up == true"),
        ("roll robber[0].mood in [angry, angry]", "mood == angry"),
        ("robber[0].who = blue", "who == blue"),
    ],
)
def test_a_property_of_a_piece_that_is_known_beforehand(write: str, test: str) -> None:
    for game in book(WRITTEN.replace("WRITE", write).replace("TEST", test)):
        assert variables_after(game, "wake") == {"before": 0, "after": 1}


@pytest.mark.parametrize("worth", ["it.column * 300000000", "it.column * 7", "it.index % 3"])
@pytest.mark.parametrize("source", ["board", "ray(b2, east)", "ray(b2, west)", "ray(b2, north)"])
def test_attributes_of_spaces_beside_facts(worth: str, source: str) -> None:
    python, native = book(f"""
spaces: {{ board: {{ grid: [4, 3], attributes: {{ worth: {worth} }} }} }}
pieces: {{ stone: {{ owner: seat }} }}
setup: [place stone of red at c2]
actions:
  - id: put
    params: {{ c: "x for x in {source} if x.piece == none and x.worth != b2.worth" }}
    effects: [place stone of actor at c]
  - id: pass
""")
    wanted = [str(move) for move in python.legal_moves(python.initial_state(1))]
    assert [str(move) for move in native.legal_moves(native.initial_state(1))] == wanted
    assert len(wanted) > 1 or "north" in source  # one column, one worth


def test_a_second_until_asks_only_what_the_filter_between_lets_through() -> None:
    for game in book("""
spaces: { board: { grid: [6, 1] } }
pieces: { stone: { owner: seat } }
vars: { a: 0..9, b: 0..9 }
setup: [place stone of red at b1, place stone of blue at d1]
actions:
  - id: look
    effects:
      - a = count(x for x in ray(a1, east) until x.piece.owner == blue if x.piece == none until x.piece.owner == red)
      - b = count(x for x in board until x.index == 5 if x.index > 2 until x.index < 2)
"""):  # fmt: skip
        assert variables_after(game, "look") == {"a": 1, "b": 3}


def test_a_test_that_divides_by_zero_ends_every_game() -> None:
    python, native = book("""
spaces: { board: { grid: [4, 3] } }
pieces: { stone: { owner: seat } }
setup: [place stone of red at b2]
fns:
  free(): count(x for x in board if x.piece == none)
actions:
  - id: put
    params: { c: "c for c in board if c.piece == none and 12 // (c.index + 1 - free()) != 3" }
    effects: [place stone of actor at c]
end: [{ when: turn > 9, draw: all, reason: x }]
""")
    faults = [game.playouts(20, seed=2, go_on=True).failures for game in (python, native)]
    assert list(map(str, faults[0].values())) == list(map(str, faults[1].values()))
    assert len(faults[0]) == 20


def test_a_position_that_the_rules_never_lead_to_is_the_interpreters() -> None:
    python, native = book("""
spaces: { board: { grid: [3, 1] } }
pieces: { robber: { count: 2, mood: [calm, angry, mad] } }
setup: [place robber at b1]
actions: [{ id: calm_down, effects: [b1.piece.mood = calm] }]
""")
    python.position("b1.piece.mood = mad")
    native.position("place robber at c1")
    with pytest.raises(ValueError, match="never lead to this position"):
        native.position("b1.piece.mood = mad")


def test_lines_through_a_space_that_nothing_leads_to() -> None:
    """No jump is that long, so nothing can be chosen, and there is no space to have masks for."""
    python, native = book("""
spaces: { board: { grid: [2, 1] } }
pieces: { stone: { owner: seat } }
vars: { n: 0..9 }
actions:
  - id: leap
    effects:
      - chooseOne: { bind: $to, options: "jump(a1, 4, 4)" }
      - if line($to, 2) then n += 1
  - { id: pass }
end: [{ when: turn > 3, draw: all, reason: x }]
""")
    for game in (python, native):
        assert game.legal_moves(game.initial_state(1)) == [lw.Move("pass", {})]
        assert game.playouts(2, seed=1).decisions.sum() == 6
