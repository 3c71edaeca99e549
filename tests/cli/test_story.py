"""What the log tells of moves that are hidden, what is said before the first decision, and words
for everything that is declared."""

from __future__ import annotations

import re

import pytest

import ludwright as lw
from ludwright.cli.commands.play import greeting
from ludwright.cli.screen.info import Info
from ludwright.cli.screen.menu import Item, Menu, find, show
from ludwright.cli.screen.record import Setting
from ludwright.cli.screen.table import Table
from tests.cli.conversation import Script, sit
from tests.cli.test_table import talk
from tests.cli.test_words_for_people import seated
from tests.docs.pages import PAGES

MARKET = """```yaml
game: { id: market, title: Market, players: 2, summary: Buy cards. }
seats: [ann, bob]
enums: { Beast: [ape, bee, cat, dog, elk, fox] }
pieces: { card: { each: { beast: Beast } } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  stall: { of: card }
  hand: { of: card, each: seat, see: owner }
  heap: { of: card }
setup:
  - draw 3 from deck to stall
  - say "{count(stall)} cards lie on the stall"
turn: { order: roundRobin }
actions:
  - { id: buy, params: { c: stall }, effects: [move c to hand(actor), draw up to 1 from deck to stall], notation: "buy {c}" }
  - { id: drop, params: { c: hand(actor) }, effects: [move c to heap, move all of heap to deck], notation: "drop {c}" }
  - { id: keep, params: { c: hand(actor) } }
end: [{ when: turn > 6, draw: all }]
```
"""


def told(*answers: str) -> list[str]:
    """The last line of ann's answers as bob reads it."""
    table, script = talk(
        lw.load_text(MARKET, engine="python"), [*answers, "quit"], people=["ann", "bob"]
    )
    assert "goodbye" in script.text
    return table.record.lines[-1].text("bob").split("\n")


def test_an_open_card_is_named_although_it_goes_into_a_hidden_hand() -> None:
    line, *effects = told("", "1")
    assert re.fullmatch(r"ann: buy \w+", line)
    card = line.rpartition(" ")[2]
    assert effects[0] == f"  {card} from stall to hand of ann"
    assert re.fullmatch(r"  \w+ from deck to stall", effects[1])


def test_the_last_card_of_a_deal_is_told_without_the_clearing_of_the_table() -> None:
    table, script = sit(lw.load("hearts", deals=2), ["1"] * 40, ["North"], seed=2)
    table.play()
    cards = [line for line in script.text.splitlines() if re.match(r"(East|South|West): ", line)]
    assert len(cards) > 20
    assert all(re.fullmatch(r"\w+: \w\w to the trick", line) for line in cards)


def test_a_hidden_card_is_told_by_where_it_went_first_and_else_not_at_all() -> None:
    line, effect = told("", "1", "", "1", "", "4")
    assert re.fullmatch(r"ann: drop; \w+ to heap", line)
    assert re.fullmatch(r"  \w+ from heap to deck", effect)
    (line,) = told("", "1", "", "1", "", "5")
    assert line == "ann: keep", "the action is public, the card is not"


RAID = """# Raid
```yaml
game: { id: raid, title: Raid, players: 2 }
seats: { red: { title: The Reds }, blue: { title: The Blues } }
spaces: { land: { spaces: [ford, mill, wood] } }
pieces: { cube: { owner: seat, count: 9 }, card: { each: Cards, count: copies } }
tables:
  Cards:
    - { id: levy, title: Levy, copies: 2 }
    - { id: riot, title: Riot, copies: 2 }
zones:
  hand: { of: card, each: seat, see: owner }
  discard: { of: card }
vars: { Seat.silver: 0..20 = 9 }
setup:
  - for p in seats do move first(c for c in card if c.place == none) to hand(p)
  - for p in seats do move first(c for c in card if c.place == none) to hand(p)
  - place 2 cube of blue at ford
turn: { order: roundRobin }
actions:
  - id: raid
    params: { c: hand(actor) }
    effects:
      - chooseN: { bind: $spaces, options: land, min: 2, max: 2 }
      - for s in $spaces do place cube of actor at s
      - for s in $spaces do actor.silver -= 2
      - remove all of [x for x in ford if x.owner == blue]
      - move c to discard
      - SAY
  - { id: pass }
end: [{ when: turn > 6, draw: all }]
```
"""


@pytest.mark.parametrize("say", ['say "{actor} raids"', "let n = 1"])
def test_what_an_opponent_did_in_public_is_told(say: str) -> None:
    """Which spaces, which cubes came and went, what it cost; also where the rulebook speaks."""
    table, _ = sit(lw.load_text(RAID.replace("SAY", say)), ["", "1", "1 2"], ["red", "blue"])
    table.play()
    lines = table.record.lines[0].text("blue").split("\n")
    assert re.fullmatch(r"The Reds: raid ford, mill; (Levy|Riot) to discard", lines[0])
    assert ("  The Reds raids" in lines) == say.startswith("say")
    assert "  2 cubes of The Reds to ford, mill" in lines
    assert "  2 cubes of The Blues leave ford" in lines
    assert "  silver of The Reds: 9 → 5" in lines


def test_what_is_said_in_set_up_is_told_once_and_stays_in_the_log() -> None:
    game = lw.load_text(MARKET, engine="python")
    _, script = talk(game, ["log", "quit"], people=["ann"])
    assert script.text.startswith("  3 cards lie on the stall\n")
    assert "3 cards lie on the stall" in script.after("log")
    _, script = talk(game, ["", "1", "", "quit"], people=["ann", "bob"])  # each, when handed over
    assert script.text.count("3 cards lie on the stall") == 2


def test_a_long_log_keeps_the_board_on_the_screen() -> None:
    lines = [*["b1a3", "a3b1"] * 11, "log", "log all", "quit"]
    table, script = talk(lw.load("chess", engine="python"), lines)
    assert len(table.record.lines) == 44
    at = [number for number, said in enumerate(script.said) if said.startswith("white> log")]
    short, whole = (script.said[number + 1].count("\n") + 1 for number in at)
    assert script.said[at[0] + 1].startswith("(8 earlier lines; `log all` shows them)")
    assert (short, whole) == (37, 44)


def test_bids_are_shown_as_a_range_and_a_number_means_the_bid() -> None:
    items = (*tuple(Item(f"bid {n}", n) for n in range(2, 9)), Item("pass", 0))
    menu = Menu("How much?", items)
    assert show(menu).split("\n") == ["How much?", "  bid 2 to 8   pass"]
    assert [found.value if (found := find(menu, text)) else None for text in ("3", "bid 8", "pass", "1")] == [
        3, 8, 0, None,
    ]  # fmt: skip
    mixed = Menu("?", (*items, Item("raise 3", 9)))  # `3` could be both: the list is numbered
    assert mixed.numbered
    assert find(mixed, "3") == items[2]


def test_the_question_of_an_offer_stands_above_its_moves() -> None:
    _, script = talk(lw.load("masked-ball", engine="python"), ["quit"])
    assert "Ada: You have 2 coins. What do you do?\n  1 beg" in script.text


def test_the_rules_are_read_part_by_part() -> None:
    game = lw.load("masked-ball", engine="python")
    text = "# Ball\n\nOf masks.\n\n" + "\n".join(f"## Part {n}\n\nText {n}.\n\n" for n in range(12))
    script = Script(["rules", "rules part 4", "rules all", "quit"])
    Table(game, Setting("ball", {}, 3, 2), frozenset(["Ada"]), {}, script, text).play()
    first, part, whole = (
        script.said[at + 1] for at, said in enumerate(script.said) if "> rules" in said
    )
    assert "Of masks." in first
    assert "Part 4" in first
    assert "Text 4" not in first
    assert part == "## Part 4\n\nText 4."
    assert whole == text


def test_texts_are_told_of_everything_that_is_declared() -> None:
    """The example of the reference has a text at every kind of declaration."""
    page = (PAGES / "18-story.md").read_text(encoding="utf-8")
    rules = re.search(r"~~~yaml\n(game: \{ id: realm.*?)~~~", page, re.DOTALL)
    assert rules is not None
    game = lw.load_text(f"```yaml\n{rules[1]}```\n", engine="python")
    info = Info(game, game.initial_state(), "red")
    texts = {
        "The Blue Knight": "Moves second.", "The Old Marsh": "Slow to cross.", "watch tower": "Sees far.",
        "the box": "Towers to come.", "thick fog": "Nobody sees anything.", "renown": "What people say",
        "Evening": "Only towers", "raise a tower": "Costs nothing.", "hold a feast": "Two renown.",
    }  # fmt: skip
    for name, text in texts.items():
        assert text in info.about(name), name


# What a person could not follow: names and values as only rules write them.
RAW = re.compile(r"\w:\w|\b[a-z]+_[a-z]|\bNone\b|\bTrue\b|\bFalse\b|\(hidden\)|[\[\]{}]")


HIDING = (
    "goofspiel",
    "harvest-fair",
    "hearts",
    "masked-ball",
    "mill-valley",
    "nomination-whist",
    "rock-pools",
)


@pytest.mark.parametrize("name", HIDING)
def test_nothing_raw_is_read_in_whole_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than the other walk, without questions to the program, whose answers quote rules."""
    monkeypatch.setattr("tests.cli.test_words_for_people.LINES", 20)
    monkeypatch.setattr("tests.cli.test_words_for_people.ASKS", 10**9)
    table, typist = seated(name, 1, seed=8)
    table.play()
    found = [line for text in typist.said for line in text.split("\n") if RAW.search(line)]
    assert found == []
    lines = [line.text(seat) for line in table.record.story for seat in table.record.seats]
    assert [line for line in lines if RAW.search(line)] == []


def test_the_greeting_says_what_the_game_is_about() -> None:
    game = lw.load_text(MARKET, engine="python")
    assert greeting(game, "market", "you are ann").split("\n") == [
        "Market: you are ann.", "Buy cards.", "Type `help` for help, `rules` for the rules.",
    ]  # fmt: skip


BIDS = """# Bids
```yaml
game: { id: bids, title: Bids, players: 2 }
seats: [ann, bob]
vars: { Seat.coins: 0..9 = 9, round: 0..3 }
flow:
  - repeat:
      while: round < 2
      do:
        - chooseOne: { bind: $bid, by: seats, together: true, options: 0..3 }
        - for p in seats do p.coins -= $bid[p]
        - round += 1
        - SAY
score: it.coins
```
"""


def test_sealed_bids_are_opened_in_the_log_unless_the_game_says_them() -> None:
    game = lw.load_text(BIDS.replace("SAY", 'if round == 2 then say "{$bid[ann]} and {$bid[bob]}"'))
    table, script = sit(game, ["", "1", "", "2", "", "3", "", "0"], people=["ann", "bob"])
    table.play()
    lines = [line.text("ann") for line in table.record.lines]
    assert lines[0] == "ann: bid 1"
    assert lines[1] == "bob has chosen\n  bid: ann 1, bob 2"
    assert lines[3].endswith("  3 and 0"), "the game has told them itself"
    assert "bid: ann 1, bob 2" in script.text


CAST = """
game: { id: cast, title: Cast, players: 2 }
seats: [ann, bob]
pieces: { net: { each: { strength: 1..4 }, notation: "n{strength}" } }
zones:
  deck: { of: net, order: deck, see: none, init: all }
  hand: { of: net, each: seat, see: owner }
  thrown: { of: net, order: row }
vars: { Seat.won: 0..9 }
setup: [for p in seats do draw 2 from deck to hand(p)]
flow:
  - repeat:
      while: all(any(hand(p)) for p in seats)
      do:
        - chooseOne: { bind: $cast, by: seats, together: true, options: hand(chooser) }
        - for p in seats do move $cast[p] to thrown
        - let best = (ann if $cast[ann].strength > $cast[bob].strength else bob)
        - best.won += 1
        - say "{best} has won"
        - remove all of thrown
score: it.won
"""


def test_cards_that_are_laid_open_and_taken_away_at_once_are_told() -> None:
    game = lw.load_text(CAST, name="cast.yaml")
    table, script = sit(game, ["n3", "quit"])
    table.play()
    assert re.search(r"^  bob: n[1-4] to thrown$", script.text, re.MULTILINE)
    assert not re.search(r"^  ann: n. to thrown$", script.text, re.MULTILINE)
