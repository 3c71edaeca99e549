"""What an option would do is shown, unless that tells what nobody may know before deciding."""

from __future__ import annotations

import json
import random

import pytest

from ludwright.errors import IllegalMove
from ludwright.scene import build
from ludwright.table import view as views
from ludwright.table.match import Match, Stale
from ludwright.table.view import encoded, preview, view_of
from tests.table.playing import new_match, play


def chosen(match: Match, seat: str, text: str) -> dict[str, object]:
    options = view_of(match, seat)["decision"]["options"]
    number = [option["text"] for option in options].index(text)
    return preview(match, seat, match.number(seat), number)


def answered(match: Match, seat: str, text: str) -> None:
    options = view_of(match, seat)["decision"]["options"]
    number = [option["text"] for option in options].index(text)
    entry = match.answered(seat, match.number(seat), number)
    match.take(entry, match.stepped(entry))


def test_a_move_of_chess_is_shown_before_it_is_made() -> None:
    match = new_match("chess", 1)
    answered(match, "white", "g1")
    told = chosen(match, "white", "f3")
    assert told["moved"] == [{"from": "g1", "to": "f3"}]
    assert len(match.positions) == 2, "nothing has changed"
    assert match.offer("white") is not None


def test_what_chance_would_give_is_not_told() -> None:
    match = new_match("pig", 1)
    seat = match.asked_seats()[0]
    options = [option["text"] for option in view_of(match, seat)["decision"]["options"]]
    assert preview(match, seat, match.number(seat), options.index("roll")) == {
        "moved": [], "says": [],
    }  # fmt: skip


def test_a_preview_needs_the_decision_that_is_open() -> None:
    match = new_match("tic-tac-toe", 1)
    with pytest.raises(Stale):
        preview(match, "cross", 5, 0)
    with pytest.raises(IllegalMove):
        preview(match, "nought", 0, 0)
    with pytest.raises(IllegalMove):
        preview(match, "cross", 0, 99)


ALIKE = ["tic-tac-toe", "chess", "go", "hex", "draughts", "reversi"]


@pytest.mark.parametrize("game", [*ALIKE, "backgammon", "delta", "hearts"])
def test_what_views_share_is_what_each_would_be_told_alone(game: str) -> None:
    """Views are made once for all who see the same, and drawn cells are kept; both must not show."""
    match, rng = new_match(game, 2), random.Random(2)
    assert match.looks_alike == (game in ALIKE)
    for _ in range(12):
        last = len(match.positions) - 1
        firsts = {seat: last if at else 0 for at, seat in enumerate(match.seats)}
        sent = {
            seat: encoded(match, view_of(match, seat, None, first), first)
            for seat, first in firsts.items()
        }
        build._made.clear()  # nothing kept from before
        for seat, first in firsts.items():
            alone = Match(match.record, match.rules, match.entries)
            observation = alone.game.observe(alone.state, seat)
            scene = build.scene_of(alone.game, observation)
            expected = view_of(alone, seat, None, first)
            told = json.loads(sent[seat])
            assert told.pop("tell") == "view"
            assert told == json.loads(json.dumps(expected))
            assert told["scene"] == json.loads(json.dumps(views.scene_json(scene)))
            assert told["viewer"] == seat
        if match.over:
            break
        play(match, 1, rng)
