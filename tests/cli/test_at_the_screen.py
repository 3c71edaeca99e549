"""Sitting at the terminal: picks in any order, hot seat, info, forced answers, chance by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludwright as lw
from ludwright.agents import RandomAgent
from ludwright.cli.commands.play import chosen_game
from ludwright.cli.screen.menu import Item, Menu, ranges, show
from ludwright.cli.screen.record import Setting
from ludwright.cli.screen.table import Table
from ludwright.kernel.play.numbered_options import answers_in_order, offer_to
from ludwright.simulate import read_trace
from tests.cli.conversation import Script, sit


@pytest.fixture(scope="module")
def hearts() -> lw.Game:
    return lw.load("hearts", engine="python")


@pytest.fixture(scope="module")
def tic_tac_toe() -> lw.Game:
    return lw.load("tic-tac-toe", engine="python")


def test_all_thirteen_cards_are_offered_and_taken_in_any_order(hearts: lw.Game) -> None:
    state = hearts.initial_state(seed=1, players=4)
    offer = offer_to(hearts, state, "North")
    assert offer is not None
    assert len(offer.options) == 13
    decision = hearts.decision(state, "North")
    assert decision is not None
    assert len(decision.options) == 11, "the state asks in ascending order"
    last, first, middle = offer.options[12], offer.options[0], offer.options[6]
    answers = answers_in_order(hearts, state, offer, [last, first, middle])
    assert answers == [first, middle, last]
    for line in (f"{last} {first} {middle}", f"{last},{first} , {middle}"):
        table, _ = sit(hearts, [line], ["North"])
        table.play()
        given = [o for e in table.trace.entries if e.seat == "North" for _, o in e.params]
        assert given[:3] == [first, middle, last]


def test_a_pick_can_be_taken_back_before_the_set_is_complete(hearts: lw.Game) -> None:
    offer = offer_to(hearts, hearts.initial_state(seed=1, players=4), "North")
    assert offer is not None
    card = offer.options[12]
    table, script = sit(hearts, [card, "undo", card, card], ["North"])
    table.play()
    assert f"so far {card}:" in script.text
    assert "it is picked already" in script.text
    assert not [entry for entry in table.trace.entries if entry.seat == "North"]


def test_numbers_in_a_row_are_shown_as_a_range() -> None:
    assert ranges(["1", "2", "3", "4", "9", "none"]) == ["1 to 4", "9", "none"]
    numbers = Menu("how many?", tuple(Item(str(n), n) for n in range(3, 40)))
    assert show(numbers).splitlines() == ["how many?", "  3 to 39"]
    table, script = sit(lw.load("texas-holdem", engine="python"), ["ra", "100"], ["p1"], seed=3)
    table.play()
    assert re.search(r"raise \d+ to \d+", script.text)
    assert "Raise to how much?" in script.text


def test_what_leaves_no_choice_is_answered_and_told(tic_tac_toe: lw.Game) -> None:
    lines = ["a3", "b3", "c3", "b2", "a2", "c2", "b1", "a1"]
    table, script = sit(tic_tac_toe, lines, tic_tac_toe.seats)
    table.play()
    assert script.said[-1].startswith("a draw")
    assert "cross: c1 (the only move)" in script.text


def test_the_screen_is_handed_over_where_something_is_hidden(
    hearts: lw.Game, tic_tac_toe: lw.Game
) -> None:
    table, script = sit(hearts, ["", "1", "1", "1", "", "quit"], ["North", "East"])
    table.play()
    first, second = (i for i, said in enumerate(script.said) if said.startswith("Hand over to"))
    assert script.said[first].startswith("Hand over to North.")
    assert script.said[second].startswith("Hand over to East.")
    # what North has seen is cleared before and after East is called, and East sees its own hand
    assert script.said[second - 1] == script.said[second + 1] == "(cleared)"
    after = "\n".join(script.said[second:])
    assert "hand of North: 13 face down" in after
    assert "hand of East: 13 face down" not in after
    _, script = sit(tic_tac_toe, ["a1", "b2"], tic_tac_toe.seats)
    assert "Hand over" not in script.text


def test_info_tells_what_something_is_and_no_more_than_the_seat_may_know(hearts: lw.Game) -> None:
    table, script = sit(hearts, [], ["North"])
    mine = hearts.observe(table.state, "North")["places"]["hand:North"]["pieces"][0]["name"]
    other = hearts.observe(table.state, None)["places"]["hand:East"]["pieces"][0]["name"]
    lines = [f"info {mine}", f"info {other}", "info", "info North", "info 99"]
    table, script = sit(hearts, lines, ["North"])
    table.play()
    assert f"{mine} (card), at hand of North · rank" in script.text
    assert f"{other} (card), not in sight" in script.said
    assert "there is nothing called `99` here" in script.text
    assert "North (a seat" in script.text


def test_the_board_is_turned_to_whoever_sits_on_its_far_side() -> None:
    chess = lw.load("chess", engine="python")
    for seat, top in (("white", "8 ♜"), ("black", "1 ♖")):
        table, script = sit(chess, ["quit"], [seat])
        table.play()
        board = next(text for text in script.said if "♜" in text)
        assert board.strip().startswith(top)


def test_a_save_says_who_sat_where(tic_tac_toe: lw.Game, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    sitting = {"cross": "greedy", "nought": "person"}
    script = Script([f"save {path}", "quit"])
    bots = {"cross": RandomAgent(1)}
    setting = Setting("tic-tac-toe", {}, 1, 2, None, sitting)
    Table(tic_tac_toe, setting, frozenset(["nought"]), bots, script).play()
    assert read_trace(path).sitting == sitting


def test_chance_can_be_answered_by_hand() -> None:
    game = lw.load("pig", chance="explicit", engine="python")
    table, script = sit(game, ["roll", "6", "hold"], ["p1"])
    table.play()
    assert "Chance: die?" in script.text
    assert "p1 keeps 6 and has 6" in script.text


def test_a_game_is_chosen_by_number_or_beginning() -> None:
    assert chosen_game(Script(["what", "tic"])) == "tic-tac-toe"
    assert chosen_game(Script(["1"])) == "amazons"


def test_done_ends_picks_that_are_carried_out_one_by_one() -> None:
    game = lw.load_text("""# Each
```yaml
game: { id: each, title: Each, players: 2 }
seats: [red, blue]
spaces: { land: { spaces: [ford, mill, wood] } }
vars: { Space.gold: 0..9, Seat.points: 0..99 }
turn: { order: roundRobin }
actions:
  - id: dig
    effects:
      - chooseN: { bind: $s, options: x for x in land if x.gold == 0, max: 3, each: [$s.gold = 2] }
      - actor.points += 1
end: [{ when: red.points == 1, score: p.points for p in seats }]
```
""")
    table, script = sit(game, ["dig", "mill", "done"])
    table.play()
    assert game.observe(table.state, None)["variables"]["gold"]["mill"] == 2
    assert game.result(table.state) is not None, script.text


ALIKE = """# Alike
```yaml
game: { id: alike, title: Alike, players: 2 }
seats: [red, blue]
tables: { Cards: [{ id: levy, title: Levy, copies: 2 }, { id: ferry, title: Ferry, copies: 2 }] }
pieces: { card: { each: Cards, count: copies } }
zones: { hand: { of: card, each: seat, see: owner }, discard: { of: card } }
vars: { n: 0..9 }
setup: [for c in card if c.place == none and count(hand(red)) < 4 do move c to hand(red)]
actions:
  - id: event
    params: { c: CARDS }
    effects: [move c to discard, n += 1]
  - { id: pass, effects: [n += 1] }
end: [{ when: n == 4, draw: all }]
```
"""


@pytest.mark.parametrize("cards", ["x for x in hand(actor) if x.row == levy", "hand(actor)"])
@pytest.mark.parametrize("entry", ["event: Levy", "1", "event levy"])
def test_a_menu_says_which_card_is_played(cards: str, entry: str) -> None:
    table, script = sit(lw.load_text(ALIKE.replace("CARDS", cards)), [entry])
    table.play()
    assert "1 event: Levy" in script.text
    assert "@" not in script.text
    discarded = table._game.observe(table.state, "red")["places"]["discard"]["pieces"]
    assert [card["row"] for card in discarded] == ["levy"]
