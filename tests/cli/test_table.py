"""Whole conversations at the terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import ludwright as lw
from ludwright.cli.screen.table import Table
from ludwright.language.reading.prose import rules_text
from tests.cli.conversation import CARDS, Script, sit


@pytest.fixture(scope="module")
def tic_tac_toe() -> lw.Game:
    return lw.load("tic-tac-toe")


@pytest.fixture(scope="module")
def cards() -> lw.Game:
    return lw.load_text(CARDS)


def talk(
    game: lw.Game, lines: Sequence[str], people: Sequence[str] | None = None
) -> tuple[Table, Script]:
    table, script = sit(game, lines, people)
    table.play()
    return table, script


def test_a_game_by_number_and_by_notation_to_its_end(tic_tac_toe: lw.Game) -> None:
    first, second = tic_tac_toe.seats
    _, script = talk(tic_tac_toe, ["1", "a2", "B1", "b2", "c1"], people=[first, second])
    assert script.said[-1] == f"{first} won: 3 in a row"
    assert script.said[-2].startswith("\n3 . . .")


def test_an_illegal_entry_is_explained_and_asked_again(tic_tac_toe: lw.Game) -> None:
    _, script = talk(tic_tac_toe, ["b2", "b2", "nonsense", "quit"])
    assert "`b2` is not possible: `b2` is not an option of `cell`" in script.text
    assert "no move is written like that" in script.after("nonsense")
    assert script.said[-1] == "goodbye"


def test_why_answers_before_acting(tic_tac_toe: lw.Game) -> None:
    table, script = talk(tic_tac_toe, ["why a1", "why", "why 3"])
    assert script.text.count("is allowed") == 2
    assert not table.trace.entries


def test_commands_are_listed_and_leave_the_game_alone(tic_tac_toe: lw.Game) -> None:
    table, script = talk(tic_tac_toe, ["help", "rules", "log", "", "board", "undo"])
    assert "save FILE" in script.text
    assert "the rules" in script.text
    assert "nothing has happened yet" in script.text
    assert "nothing to take back" in script.after("undo")
    assert not table.trace.entries


def test_a_move_of_several_decisions_is_asked_step_by_step(cards: lw.Game) -> None:
    table, script = talk(cards, ["march", "hue", "danang", "2"])
    entry = table.trace.entries[0]
    assert (entry.seat, entry.action) == ("ann", "march")
    answers = [option for _, option in entry.params]
    assert answers[-1] == 2
    assert {"hue", "danang"} < set(answers)
    assert "ann: March: town (1 to 2), so far hue:" in script.text
    assert "a number from 1 to 3" in script.text


def test_picking_ends_with_done(cards: lw.Game) -> None:
    table, _ = talk(cards, ["march", "saigon", "done", "3"])
    assert [option for _, option in table.trace.entries[0].params][-2:] == ["__stop", 3]


def test_undo_takes_back_one_entry_up_to_the_start_of_the_move(cards: lw.Game) -> None:
    table, script = talk(cards, ["march", "hue", "undo", "undo", "undo"])
    assert table.state == cards.initial_state(seed=1, players=2)
    assert "nothing to take back" in script.after("undo")
    assert not table.trace.entries


def test_an_entry_after_undo_is_played_as_if_nothing_had_been(cards: lw.Game) -> None:
    detour, _ = talk(cards, ["march", "hue", "undo", "danang", "done", "1"])
    straight, _ = talk(cards, ["march", "danang", "done", "1"])
    assert detour.trace == straight.trace


def test_hands_of_others_are_never_shown(cards: lw.Game) -> None:
    table, script = talk(cards, ["march", "hue", "done", "1", "log"])
    assert "hand of bob: 3 face down" in script.text
    observed = cards.observe(table.state, "ann")
    seen = [p["rank"] for p in observed["places"]["hand:ann"]["pieces"]]
    assert len(seen) == 3
    shown = script.text.split("hand of ann: ")[1].split("\n")[0]
    assert shown.split(", ") == [str(rank) for rank in sorted(seen)]


def test_saving_and_loading_goes_on_where_it_stopped(cards: lw.Game, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    saved, script = talk(cards, ["march", "hue", "done", "1", f"save {path}", "march", "danang"])
    assert f"saved to {path}" in script.text
    loaded, script = talk(cards, [f"load {path}", "log"])
    # the last entry was begun after saving
    assert loaded.trace.entries == saved.trace.entries[:-1]
    assert "ann: march" in script.after("log")


def test_a_save_in_the_middle_of_a_move_is_resumed_there(cards: lw.Game, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    talk(cards, ["march", "hue", "done", f"save {path}"])
    table, script = talk(cards, [f"load {path}", "undo", "danang", "done", "1"])
    assert "March: more" in script.after(f"load {path}")
    options = [option for _, option in table.trace.entries[0].params]
    assert "danang" in options
    assert "hue" not in options


def test_picks_that_are_not_complete_are_not_saved_and_that_is_told(
    cards: lw.Game, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    _, script = talk(cards, ["march", "hue", f"save {path}", "done", "3"])
    assert f"saved to {path}, without the picks that are not complete yet" in script.text
    _, script = talk(cards, [f"load {path}"])
    assert "March: town (1 to 2):\n" in script.after(f"load {path}")


def test_what_can_not_be_loaded_changes_nothing(
    cards: lw.Game, tic_tac_toe: lw.Game, tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    talk(tic_tac_toe, ["b2", f"save {other}"])
    tampered = tmp_path / "tampered.json"
    talk(cards, ["march", "hue", "done", "1", f"save {tampered}"])
    data = json.loads(tampered.read_text())
    data["entries"][0]["state_hash"] = "0" * 32
    tampered.write_text(json.dumps(data))
    before = ["march", "hue", "done", "2"]
    lines = [*before, f"load {other}", f"load {tampered}", "load nowhere.json", "load", "save"]
    table, script = talk(cards, lines)
    assert "another version of the rules" in script.text
    assert "entry 1 is not as it was saved" in script.text
    assert "nowhere.json can't be read" in script.text
    assert [option for _, option in table.trace.entries[0].params][-1] == 2


def test_saving_where_nothing_can_be_written_is_told(cards: lw.Game, tmp_path: Path) -> None:
    _, script = talk(cards, [f"save {tmp_path}/no/such/folder.json"])
    assert "can't be written" in script.text


SEALED = """\
```yaml
game: { id: bids, title: Bids, players: 2 }
seats: [ann, bob]
vars: { Seat.held: "set[1..3] = all", Seat.points: 0..9 }
flow:
  - repeat:
      while: any(ann.held)
      max: 3
      do:
        - chooseOne: { bind: $bid, by: seats, together: true, options: chooser.held, ifNone: fault }
        - for p in seats do p.held = p.held - [$bid[p]]
        - if $bid[ann] > $bid[bob] then ann.points += 1
end:
  - { when: not any(ann.held), score: p.points for p in seats, reason: no bids left }
```
"""


def test_a_sealed_answer_is_not_told_to_the_others() -> None:
    game = lw.load_text(SEALED)
    _, script = talk(game, ["2", "quit"], people=["bob"])
    first = script.text.split("bob> ")[0]
    assert "ann: " not in first
    _, script = talk(game, ["3", "log"], people=["ann"])
    log = script.after("log")
    assert "ann: bid 3" in log
    assert "bob has chosen" in log


def test_a_card_played_from_a_hidden_hand_is_told_by_where_it_went() -> None:
    game = lw.load("hearts")
    _, script = talk(game, ["1", "1", "1", "1", "1", "quit"])
    card = "[2-9TJQKA][CDHS]"
    # Of the passes under seal North reads that they were made, and at last its own new cards.
    passed = rf"East has chosen\nSouth has chosen\nWest has chosen\n  {card}, {card}, {card} to hand of North"
    assert re.search(passed, script.text)
    told = [line for line in script.text.splitlines() if re.match(r"(East|South|West): ", line)]
    assert len(told) > 3
    # The card that is played, and nothing of what becomes of the trick.
    assert [line for line in told if not re.fullmatch(rf"\w+: {card} to the trick", line)] == []


def test_a_choice_outside_of_actions_is_told_name_by_name() -> None:
    _, script = talk(lw.load("backgammon"), ["1", "1", "1", "1", "log"])
    assert re.search(r"(dark|light): die \d, from \w+", script.after("log"))


def test_the_first_answer_of_a_move_can_be_typed_alone() -> None:
    chess = lw.load("chess")
    table, script = talk(chess, ["e2", "undo", "e2", "e4"])
    assert "white: Where does the pawn go?\n  1 e3   2 e4" in script.text
    assert [option for _, option in table.trace.entries[0].params] == ["e2", "e4"]


def test_an_entry_that_is_only_a_beginning_is_completed_in_the_answer() -> None:
    _, script = talk(lw.load("draughts"), ["c", "zz9", "moves"])
    assert "`c` is not possible: it is only the beginning of c3-" in script.text
    assert "no move is written like that here; `a3-b4` would be one" in script.after("zz9")
    assert "g3-h4" in script.after("moves")


def test_a_command_by_another_name_is_told(tic_tac_toe: lw.Game) -> None:
    _, script = talk(tic_tac_toe, ["exit", "hlep", "?", "sav x.json", "b9"])
    said = " ".join(script.text.split())  # as the screen breaks no line
    told = re.findall(r"`([^`]+)` is not possible: [^>]*?; the command is `(\w+)`", said)
    assert told == [("exit", "quit"), ("hlep", "help"), ("?", "help"), ("sav x.json", "save")]
    assert "command" not in script.after("b9")


def test_info_names_each_thing_once_and_tells_what_a_value_is_now() -> None:
    hearts = lw.load("hearts")
    _, script = talk(hearts, ["info hand", "info hearts"])
    said = " ".join(script.text.split())
    assert "ask for hand of East, hand of North, hand of South and hand of West" in said
    assert "hearts may be led (a value, now no)" in said


def test_undo_takes_back_whole_moves_where_everything_is_open(tic_tac_toe: lw.Game) -> None:
    """With what the bot answered; and the game goes on as if nothing had been."""
    detour, script = talk(tic_tac_toe, ["a1", "undo", "undo", "b2", "log"])
    straight, _ = talk(tic_tac_toe, ["b2"])
    assert detour.trace.entries[0] == straight.trace.entries[0]
    assert script.text.count("nothing to take back") == 1
    assert script.after("log").count("b2") == 1
    assert "a1" not in script.after("log")


@pytest.mark.parametrize("name", ["backgammon", "hearts", "goofspiel"])
def test_undo_stops_at_what_nobody_could_foresee(name: str) -> None:
    """Dice, hidden hands, sealed bids: whoever went back would know more than before."""
    game = lw.load(name)
    answers = ["1"] * {"backgammon": 4, "hearts": 3, "goofspiel": 1}[name]
    table, script = talk(game, [*answers, "undo"])
    assert "nothing to take back" in script.after("undo")
    assert table.trace.entries


def test_bots_alone_play_to_the_end(cards: lw.Game) -> None:
    table, script = talk(cards, [], people=[])
    assert cards.result(table.state) is not None
    assert script.said[-1].endswith("four cards")


def test_the_rules_are_the_prose_without_blocks_for_the_machine() -> None:
    text = rules_text({"rulebook.md": CARDS})
    assert "Prose for people." in text
    assert "a drawing" in text
    assert "yaml" not in text
    assert "actions" not in text


def test_a_beginning_that_only_one_move_has_is_that_move() -> None:
    table, _ = talk(lw.load("draughts"), ["a"])
    assert [option for _, option in table.trace.entries[0].params][-1] == "b4"


def test_several_cards_are_picked_at_once_in_any_order_and_the_game_tells_its_story() -> None:
    game = lw.load("hearts")
    table, _ = sit(game, [], ["North"], seed=1)
    offered = game.decision(table.state, "North").options  # type: ignore[union-attr]
    first, second, third = offered[0], offered[4], offered[2]
    table, script = sit(game, [f"{second} {first} {third}"], ["North"], seed=1)
    table.play()
    own = [entry for entry in table.trace.entries if entry.seat == "North"]
    picked = {option for entry in own for _, option in entry.params}
    assert picked >= {first, second, third}
    assert "Which three cards do you pass? (3)" in script.text
    assert "takes the trick with" in script.text or "Your card to the trick?" in script.text


def test_answers_in_the_middle_of_another_seats_move_are_told_by_what_was_asked() -> None:
    game = lw.load_text("""
```yaml
game: { id: t, title: T, players: 2 }
vars: { n: 0..99 }
actions:
  - id: steal
    params: { k: 1..3 }
    effects:
      - chooseOne: { bind: $reply, by: opponent(actor), options: "[allow, block]" }
      - if $reply == allow then n += k
    notation: "steal {k}"
```
""")
    _, script = talk(game, ["2", "allow", "log"], people=game.seats)
    assert "p1: steal 2" in script.text
    assert "p2: reply allow" in script.text
