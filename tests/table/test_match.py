"""Matches: decision numbers, answers sent twice, undo and its limits, the log."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludwright as lw
from ludwright.table.log import lines
from ludwright.table.match import Match, Stale
from ludwright.table.records import Entry
from ludwright.table.rules import Rules
from ludwright.table.view import view_of, why_not
from tests.table.playing import new_match, play


def give(match: Match, value: Any, seat: str | None = None) -> Entry:
    entry = match.entry(seat or match.asked_seats()[0], value)
    match.take(entry, match.stepped(entry))
    return entry


def undo(match: Match, seat: str, position: int, agreed: bool = False) -> None:
    entry = match.undone(seat, match.version, position, agreed)
    match.take(entry, match.stepped(entry))


def test_an_answer_is_a_number_of_what_was_offered() -> None:
    match = new_match("tic-tac-toe")
    offer = match.offer("cross")
    assert offer is not None
    entry = match.answered("cross", 0, 4)
    assert entry.value == offer.options[4]
    assert match.version == 0, "nothing has changed before it is stored"
    for wrong in (-1, offer.size, 10**9):
        with pytest.raises(lw.IllegalMove, match="no option"):
            match.answered("cross", 0, wrong)
    with pytest.raises(lw.IllegalMove, match="one option"):
        match.answered("cross", 0, [4])
    with pytest.raises(lw.IllegalMove, match="cross decides"):
        match.answered("nought", 0, 4)
    with pytest.raises(Stale):
        match.answered("cross", 1, 4)
    with pytest.raises(lw.IllegalMove, match="no seat"):
        match.answered("nobody", 0, 4)


def test_an_answer_that_was_sent_twice_is_recognised() -> None:
    match = new_match("tic-tac-toe")
    entry = match.answered("cross", 0, 4)
    match.take(entry, match.stepped(entry))
    assert match.is_repeated("cross", 0, 4)
    assert not match.is_repeated("cross", 0, 5), "another answer to the same decision"
    assert not match.is_repeated("nought", 0, 4)
    assert not match.is_repeated("cross", 2, 4)


def test_under_seal_a_decision_keeps_its_number_until_it_is_answered() -> None:
    match = new_match("hearts", seed=4)
    rng = random.Random(1)
    assert match.asked_seats() == ("North", "East", "South", "West")
    for seat in ("South", "North", "West"):
        assert match.number(seat) == 0
        picks = rng.sample(range(13), 3)
        entry = match.answered(seat, 0, picks)
        match.take(entry, match.stepped(entry))
        assert match.number(seat) == match.version
    assert match.number("East") == 0
    entry = match.answered("East", 0, [0, 12, 5])
    match.take(entry, match.stepped(entry))
    assert {match.number(seat) for seat in match.seats} == {4}


def test_the_whole_set_is_offered_and_picked_in_any_order() -> None:
    match = new_match("hearts", seed=4)
    offer = match.offer("North")
    assert offer is not None
    assert len(offer.options) == 13
    draft = match.draft("North", 0, [12, 3])
    assert len(draft.add) == 11
    assert not draft.can_stop
    assert match.draft("North", 0, [12, 3, 0]).can_stop
    with pytest.raises(lw.IllegalMove, match="only once"):
        match.answered("North", 0, [1, 1, 2])
    with pytest.raises(lw.IllegalMove):
        match.answered("North", 0, [1, 2])


def test_a_sealed_answer_can_be_taken_back_while_others_think() -> None:
    match = new_match("hearts", seed=4)
    entry = match.answered("South", 0, [0, 1, 2])
    match.take(entry, match.stepped(entry))
    assert match.can_withdraw("South")
    assert not match.can_withdraw("North")
    entry = match.withdrawn("South", match.version)
    match.take(entry, match.stepped(entry))
    assert "South" in match.asked_seats()
    again = Match(match.record, match.rules, match.entries)
    assert again.state == match.state


# ------------------------------------------------------------------------------- undo


def test_undo_goes_back_over_whole_moves_where_nothing_is_hidden() -> None:
    match = new_match("chess", bots=("black",))
    first = match.state
    for square in ("e2", "e4"):
        give(match, square, "white")
    give(match, "e7", "black")
    give(match, "e5", "black")
    give(match, "g1", "white")
    assert match.reach("white").position == 0
    undo(match, "white", 4)
    undo(match, "white", 0)
    assert match.state == first
    assert match.version == 7
    assert Match(match.record, match.rules, match.entries).state == first


def test_undo_stops_where_another_person_has_decided() -> None:
    match = new_match("chess")
    for square in ("e2", "e4", "e7", "e5", "g1"):
        give(match, square)
    reach = match.reach("white")
    assert (reach.position, reach.reason) == (4, "black has decided since")
    assert match.reach("black").position == len(match.positions) - 1
    with pytest.raises(lw.IllegalMove, match="black has decided"):
        match.undone("white", match.version, 2)
    undo(match, "white", 2, agreed=True)
    assert match.asked_seats() == ("black",)


def test_undo_stops_at_chance_and_at_what_was_revealed() -> None:
    match = new_match("backgammon", seed=3)
    play(match, 9, random.Random(5))
    seat = match.positions[-1].seat
    rolled = max(
        at for at, position in enumerate(match.positions)
        if any(event.kind == "rolled" for event in position.step.events())
    )  # fmt: skip
    reach = match.reach(seat)
    assert reach.position >= rolled
    assert reach.position in (rolled, len(match.positions) - 1)


def test_an_undo_is_meant_for_one_moment() -> None:
    match = new_match("chess")
    give(match, "e2")
    entry = match.undone("white", 1, 0)
    give(match, "e4")
    with pytest.raises(Stale):
        match.undone("white", 1, 0)
    assert entry.value == 0
    for nowhere in (-1, 2, 99):
        with pytest.raises(lw.IllegalMove):
            match.undone("white", 2, nowhere)


def test_a_match_of_one_engine_goes_on_with_the_other() -> None:
    match = new_match("tic-tac-toe")
    play(match, 5, random.Random(2))
    native = lw.load("tic-tac-toe", engine="native")
    again = Match(match.record, Rules(native, match.rules.record), match.entries)
    assert again.state.to_bytes() == match.state.to_bytes()
    assert view_of(again, "cross") == view_of(match, "cross")


# ------------------------------------------------------------------------ log and view


def test_the_log_has_a_line_for_each_move() -> None:
    match = new_match("chess")
    for square in ("e2", "e4", "e7", "e5", "g1"):
        give(match, square)
    told = lines(match, "white", 0, len(match.positions) - 1)
    assert [(line["seat"], line["at"]) for line in told] == [
        ("white", 1),
        ("black", 3),
        ("white", 5),
    ]
    assert told[0]["words"] == [{"text": "e2e4", "ref": "e2 e4"}]
    assert told[2]["words"] == ["from", {"text": "g1", "ref": "g1"}]
    assert [line["at"] for line in lines(match, "white", 4, 5)] == [3, 5]


def test_a_view_offers_options_on_the_board_to_whoever_is_asked() -> None:
    match = new_match("tic-tac-toe")
    view = view_of(match, "cross")
    decision = view["decision"]
    assert decision["number"] == 0
    items = {item["id"] for item in view["scene"]["items"]}
    assert all(set(option["items"]) <= items and option["items"] for option in decision["options"])
    assert "decision" not in view_of(match, "nought")
    assert "decision" not in view_of(match, lw.SPECTATOR)


def test_an_earlier_position_is_shown_as_it_was() -> None:
    match = new_match("tic-tac-toe")
    before = view_of(match, "cross")["scene"]
    give(match, "b2")
    past = view_of(match, "nought", at=0)
    assert past["scene"] == before
    assert "decision" not in past
    assert (past["at"], past["last"]) == (0, 1)


def test_why_not_names_the_rule() -> None:
    match = new_match("tic-tac-toe")
    give(match, "b2")
    told = why_not(match, "nought", "b2")
    assert not told["legal"]
    assert told["title"] == "Not b2"
    assert told["rule"]["text"] == "Place one of your marks on an empty cell."
    assert why_not(match, "nought", "a1")["legal"]
    assert why_not(match, "cross", "a1")["title"] == "Not your turn"


def test_a_spectator_sees_what_every_seat_sees() -> None:
    match = new_match("texas-holdem", players=3)
    seen = match.game.observe(match.state, lw.SPECTATOR)
    assert all("pieces" not in seen["places"][f"hand:{seat}"] for seat in match.seats)
    own = match.game.observe(match.state, "p1")
    assert len(own["places"]["hand:p1"]["pieces"]) == 2
    assert seen["places"]["hand:p1"]["count"] == 2
    assert "options" not in seen["decision"]


def test_a_column_that_is_chosen_by_number_glows_on_the_board() -> None:
    options = view_of(new_match("connect-four"), "red")["decision"]["options"]
    assert options[2]["items"] == [f"space:c{row}" for row in range(1, 7)]
