"""The log in words that people use, with every name a link."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.views.observation import SPECTATOR
from ludwright.loading import known_games
from ludwright.table.log import lines
from ludwright.table.match import Match
from ludwright.table.naming import called, plainly
from ludwright.table.rules import rules_from
from ludwright.table.view import view_of
from tests.cli.test_story import BIDS, RAID
from tests.table.playing import new_match, play, record_of


def match_of(text: str, seed: int = 1) -> Match:
    rules = rules_from(lw.compile_text(text), {})
    return Match(record_of(rules, seed), rules)


def told(match: Match, viewer: str | None) -> list[dict[str, Any]]:
    return lines(match, viewer, 0, len(match.positions) - 1)


def played(game: str, answers: int, seed: int = 3, **more: Any) -> Match:
    match = new_match(game, seed=seed, **more)
    play(match, answers, random.Random(2))
    return match


@pytest.mark.parametrize("game", sorted(set(known_games()) - {"fire-in-the-lake"}))
def test_no_name_of_the_rules_is_left_in_the_log(game: str) -> None:
    match = played(game, 40)
    for viewer in (match.seats[0], SPECTATOR, None):
        for line in told(match, viewer):
            for words in (line["words"], *line["details"]):
                text = plainly(words)
                assert not re.search(r"[$_#@]|\bNone\b", text), text
                assert "  " not in text
                assert words, line


def test_a_card_that_is_seen_is_named_though_the_choice_was_hidden() -> None:
    match = played("hearts", 40)
    others = [line for line in told(match, "North") if line["seat"] != "North"]
    named = [line["words"] for line in others if line["words"] != ["has chosen"]]
    assert named
    for words in named:
        assert len(words) == 1, "a card is named once, also if it goes on to whoever takes it"
        assert re.fullmatch(r"(10|[2-9JQKA])[♣♦♥♠]", words[0]["text"])
        assert re.fullmatch(r"[2-9TJQKA][CDHS]", words[0]["ref"])


def test_names_in_the_sentences_of_a_rulebook_are_links() -> None:
    match = played("hearts", 40)
    sentences = [words for line in told(match, "North") for words in line["details"]]
    taken = next(words for words in sentences if "takes the trick" in plainly(words))
    refs = [word["ref"] for word in taken if not isinstance(word, str)]
    assert refs[0] in match.seats
    assert refs[1] in {card for kind in match.game.program.world.kinds for card in kind.names}


def test_many_changes_of_one_variable_are_one_line() -> None:
    match = new_match("kalah")
    match.take(entry := match.entry("south", "pit1"), match.stepped(entry))
    (line,) = told(match, "south")
    assert [plainly(words) for words in line["details"]] == [
        "seeds: Pit 1 0, Pit 2 5, Pit 3 5, Pit 4 5, Pit 5 5"
    ]


def test_sealed_answers_are_opened_when_the_last_is_in() -> None:
    match = match_of(BIDS.replace("- SAY", ""))
    for seat, bid in (("ann", 1), ("bob", 2)):
        match.take(entry := match.entry(seat, bid), match.stepped(entry))
        opened = [
            plainly(words)
            for line in told(match, "ann")
            for words in line["details"]
            if plainly(words).startswith("bid:")
        ]
        assert opened == ([] if seat == "ann" else ["bid: ann 1, bob 2"])


@pytest.mark.parametrize("say", ['say "{actor} raids"', "let n = 1"])
def test_what_an_opponent_did_in_public_is_told(say: str) -> None:
    match = match_of(RAID.replace("SAY", say))
    for _ in range(4):
        (seat,) = match.asked_seats()
        if seat != "red":
            break
        options = match.current(seat, match.number(seat))
        answer: Any = ["ford", "mill"] if options.many else options.options[0]
        match.take(entry := match.entry(seat, answer), match.stepped(entry))
    (line,) = told(match, "blue")
    assert re.fullmatch(r"(Raid|raid) (Levy|Riot) spaces Ford Mill", plainly(line["words"]))
    details = [plainly(words) for words in line["details"]]
    assert ("The Reds raids" in details) == say.startswith("say")
    assert "2 cubes of The Reds to Ford, Mill" in details
    assert "2 cubes of The Blues leave Ford" in details
    assert "silver 9 → 5" in details  # in a line of the Reds


def test_the_end_tells_the_scores() -> None:
    match = match_of(BIDS.replace("- SAY", ""))
    for _ in range(2):
        for seat, bid in (("ann", 1), ("bob", 2)):
            match.take(entry := match.entry(seat, bid), match.stepped(entry))
    last = told(match, "ann")[-1]
    assert plainly(last["details"][-1]) == "final scores: ann 7, bob 5"


def test_one_of_several_cards_is_called_by_its_name() -> None:
    match = match_of(RAID.replace("SAY", "let n = 1"))
    assert called(match, "card@hand:red:levy") == "Levy"
    assert called(match, "card@hand:red") == "card (hand of The Reds)"


def test_a_phase_is_a_heading() -> None:
    match = new_match("texas-holdem", players=3)
    while "board" not in str(told(match, "p1")[-1:]) and match.version < 9:
        seat = match.asked_seats()[0]
        value = "call" if "call" in match.current(seat, match.number(seat)).options else "check"
        match.take(entry := match.entry(seat, value), match.stepped(entry))
    seat = match.asked_seats()[0]
    match.take(entry := match.entry(seat, "check"), match.stepped(entry))
    heads = [line.get("head") for line in told(match, "p1")]
    assert heads[0] == "preflop"
    assert heads[-1] == "flop"


def test_options_are_called_as_people_call_them() -> None:
    options = view_of(new_match("kalah"), "south")["decision"]["options"]
    assert [option["text"] for option in options] == [f"Pit {number}" for number in range(1, 7)]
    hearts = played("hearts", 6)
    decision = view_of(hearts, hearts.asked_seats()[0])["decision"]
    assert all(re.search("[♣♦♥♠]", option["text"]) for option in decision["options"])


def test_the_rule_in_force_is_that_of_the_action_offered() -> None:
    decision = view_of(new_match("mill-valley"), "Ash")["decision"]
    assert decision["rule"]["heading"] != "The end"
    assert "gather" in decision["rule"]["text"].lower()
    kalah = view_of(new_match("kalah"), "south")["decision"]
    assert not kalah["rule"]["text"].startswith("-"), "a list comes with the sentence before it"


def test_what_was_placed_is_told_once() -> None:
    lines = told(played("hex", 6), "red")
    assert [line["details"] for line in lines] == [[]] * 6


def test_what_a_seat_has_is_one_line_without_its_name() -> None:
    match = played("texas-holdem", 0)
    seat = match.asked_seats()[0]
    offer = match.offer(seat)
    assert offer is not None
    call = match.answered(seat, match.number(seat), list(offer.options).index("call"))
    match.take(call, match.stepped(call))
    (line,) = told(match, seat)
    assert "stack 990 → 980 · bet 10 → 20" in map(plainly, line["details"])
