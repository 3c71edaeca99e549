"""What a message proposes: the words an author should write, in the case that led there."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.diagnostics import Diagnostic

HEADER = """
game: { id: help, title: Help, players: 2 }
seats: [red, blue]
"""


def told(rules: str) -> list[Diagnostic]:
    return list(lw.compile_text(f"# Help\n\n```yaml{HEADER}{rules}\n```\n").diagnostics.items)


def only(rules: str, code: str) -> Diagnostic:
    """The one message about a rulebook."""
    found = told(rules)
    assert [item.code for item in found] == [code], found
    return found[0]


AUCTION = """
pieces: { card: { each: { rank: 1..6 } } }
zones: { hand: { of: card, each: seat } }
vars: { Seat.coins: 0..9 }
flow: [{ chooseOne: { bind: $bid, by: seats, together: true, options: OPTIONS, ifNone: skip } }]
"""


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ("0..coins", "unknown-name", "`chooser.coins`"),
        ("hand", "zone-needs-seat", "`hand(chooser)`"),
        ("0..actor.coins", "sealed-actor", "`chooser`"),
    ],
)
def test_in_a_sealed_choice_the_chooser_is_meant(options: str, code: str, words: str) -> None:
    assert words in (only(AUCTION.replace("OPTIONS", options), code).suggestion or "")


def test_who_chooses_may_bid_for_the_actor() -> None:
    options = "'0..min(actor.coins, chooser.coins)'"
    assert told(AUCTION.replace("OPTIONS", options)) == []


BOARD = """
spaces: { map: { spaces: { a: {}, b: {} } } }
pieces: { cube: { owner: seat, count: 3 } }
vars: { coins: 0..9 }
end: [{ when: turn > 9, draw: all }]
"""


def action(statement: str) -> str:
    lines = statement.replace("\n", "\n      ")
    other = "  - { id: wait, effects: [coins += 1] }"
    return f"{BOARD}actions:\n  - id: act\n    effects:\n      - {lines}\n{other}"


FOR_EACH = "`forEach: { bind: x, over: A, do: […] }`"
IF_BLOCK = "`if: { when: c, then: […], else: […] }`"


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("for s in map do\n    - place cube of actor at s\n    - coins += 1", FOR_EACH),
        ("for s in map do\n    - offer: { actions: [wait] }", FOR_EACH),
        ("for s in map do:\n    - place cube of actor at s", FOR_EACH),
        ("for s in map:\n    - place cube of actor at s", FOR_EACH),
        ("for p in seats do offer: { by: p, actions: [wait] }", FOR_EACH),
        ("if coins > 1 then\n    - coins += 1\n    - coins += 2", IF_BLOCK),
        ("if coins > 1 then:\n    - coins += 1", IF_BLOCK),
        ("if coins > 1 then\n    - offer: { actions: [wait] }", IF_BLOCK),
        ('say "The weather: {coins}"', "'say \"The weather: {coins}\"'"),
        ("place up to 2 cube of actor at a", "place min(2, count("),
        ("for p in sort(seats by turn desc) do coins += 1", "sort((x.points, x) for x in seats)"),
        ("for p in sort(seats, by=turn) do coins += 1", "sort((x.points, x) for x in seats)"),
        ("menu: { gain: [coins += 1], lose: [] }", "`menu: { options: { gain: […] } }`"),
    ],
)
def test_one_message_says_what_to_write(statement: str, words: str) -> None:
    found = told(action(statement))
    errors = [item for item in found if item.severity == "error"]
    assert len(errors) == 1, found
    assert words in (errors[0].suggestion or ""), errors[0]


def test_what_the_help_proposes_is_accepted() -> None:
    for fine in (
        "forEach: { bind: s, over: map, do: [place cube of actor at s, coins += 1] }",
        "if: { when: coins > 1, then: [coins += 1], else: [coins += 2] }",
        "'say \"The weather: {coins}\"'\n- coins += 1",
        "place min(2, count(x for x in cube if x.place == none)) cube of actor at a",
        "for key, p in sort((turn, p) for p in seats) do coins += 1",
        "menu: { options: { gain: [coins += 1], lose: [] } }",
    ):
        assert told(action(fine)) == [], fine


PHASES = """
vars: { coins: 0..9 }
phases:
  - { id: deal, onEnter: [ENTER] }
  - { id: play }
  - { id: weather, onEnter: [coins += 1] }
actions:
  - { id: act, PHASE effects: [coins += 1] }
end: [{ when: turn > 9, draw: all }]
"""


@pytest.mark.parametrize(
    ("enter", "phase", "unreached", "words"),
    [
        ("coins += 1", "", ["play", "weather"], "so `deal` offers them too"),
        ("next phase", "", ["weather"], "so `play` offers them too"),
        ("coins += 1", "phase: play,", ["weather"], "`next phase` where `play` is over"),
        ("goto weather", "phase: play,", [], ""),
    ],
)
def test_a_phase_that_never_ends_is_named(
    enter: str, phase: str, unreached: list[str], words: str
) -> None:
    found = told(PHASES.replace("ENTER", enter).replace("PHASE", phase))
    assert [item.code for item in found] == ["unreachable-phase"] * len(unreached)
    assert [item.message.split("`")[1] for item in found] == unreached
    assert not found or words in (found[0].suggestion or "")


CARDS = """
vars: { coins: 0..9 }
tables: { Card: [{ id: levy }] }
events: { EVENT }
actions: [{ id: act, effects: [resolve levy, coins += 1] }]
end: [{ when: turn > 9, draw: all }]
"""


@pytest.mark.parametrize(
    ("event", "code", "words"),
    [
        ("levy: [coins += 1]", "wrong-shape", "`levy: { effects: […] }`"),
        (
            "levy: { branches: { one: [coins += 1], two: [] } }",
            "missing-key",
            "`levy: { effects: { branches: { … } } }`",
        ),
    ],
)
def test_the_text_of_a_card_has_a_side(event: str, code: str, words: str) -> None:
    assert words in (only(CARDS.replace("EVENT", event), code).suggestion or "")


@pytest.mark.parametrize("table", ["[0, 1, 3]", "{ 0: 0, 1: 1, 2: 3 }"])
def test_values_by_number_are_a_function(table: str) -> None:
    rules = f"""
vars: {{ coins: 0..2 }}
tables: {{ bonus: {table} }}
actions: [{{ id: act, effects: ["coins = bonus[coins]"] }}]
end: [{{ when: turn > 9, draw: all }}]
"""
    assert '`fns: { bonus(n): "[0, 1, 3][n]" }`' in (only(rules, "wrong-shape").suggestion or "")
    mended = rules.replace(f"tables: {{ bonus: {table} }}", 'fns: { bonus(n): "[0, 1, 2][n]" }')
    assert told(mended.replace("bonus[coins]", "bonus(coins)")) == []
