"""A designer saves a rulebook: the match goes on under the new rules, or the mistakes are shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from ludwright.loading import shipped_games
from ludwright.table.reloading import carried_over
from ludwright.table.rules import rules_of_file
from tests.table.browsers import Person, chromium
from tests.table.playing import new_match, play
from tests.table.server_under_test import serving

BOOK = """# Race
Move your pawn one or two steps.
```yaml
game: { id: race, title: Race, players: 2 }
seats: [red, blue]
vars: { Seat.at: 0..9 clamp }
actions:
  - { id: walk, params: { steps: 1..2 }, effects: [actor.at += steps] }
end: [{ when: any(p for p in seats if p.at >= 9), win: actor, reason: home }]
```
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def test_the_same_answers_lead_to_the_same_position_under_new_rules(tmp_path: Path) -> None:
    path = tmp_path / "rulebook.md"
    text = shipped_games()["tic-tac-toe"].read_text()
    match = new_match("tic-tac-toe")
    import random

    play(match, 4, random.Random(1))
    path.write_text(text.replace("Three in a row", "Four in a row"))
    carried = carried_over(match, rules_of_file(path, {}))
    assert carried.differs == ""
    assert carried.match.record.id != match.record.id
    assert carried.match.record.seats == match.record.seats
    assert [p.answer for p in carried.match.positions] == [p.answer for p in match.positions]


def test_the_first_answer_that_is_no_longer_possible_is_named(tmp_path: Path) -> None:
    path = tmp_path / "race.md"
    path.write_text(BOOK)
    with serving(tmp_path / "m.db", files={"race": path}) as served:
        match = served.create("race", ["me", "me"])
        with served.page(match["match"], *match["tokens"].values()) as page:
            page.until("view")
            for at, (seat, option) in enumerate([("red", 1), ("blue", 0), ("red", 1)]):
                page.answer(option, seat, at)
                page.until_view(at + 1)
            path.write_text(BOOK.replace("steps: 1..2", "steps: 1..1"))
            told = page.until("moved")
            assert "decision 1 of red is no longer possible" in told["differs"]
        with served.page(told["match"], *match["tokens"].values()) as page:
            page.until("view")
            assert page.view["last"] == 0
        with served.page(match["match"], *match["tokens"].values()) as page:
            page.until("view")
            assert page.view["last"] == 3, "the old match goes on under its own rules"
            page.answer(1, "blue", 3)
            assert page.until("done", "refused")["tell"] == "done"


def test_a_fault_of_the_rulebook_is_told_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "race.md"
    path.write_text(BOOK.replace("0..9 clamp", "0..3"))
    with serving(tmp_path / "m.db", files={"race": path}) as served:
        match = served.create("race", ["me", "me"])
        with served.page(match["match"], *match["tokens"].values()) as page:
            page.until("view")
            for at, seat in enumerate(["red", "blue"]):
                page.answer(1, seat, at)
                page.until_view(at + 1)
            page.answer(1, "red", 2)
            told = page.until("done", "refused")
            assert told["code"] == "fault"
            assert "race.md:8" in told["reason"]
            page.answer(0, "red", 2)
            assert page.until("done", "refused")["tell"] == "done"
            assert str(tmp_path) not in str(page.heard), "where the file lies is nobody's business"
        broken = BOOK.replace("actions:", "setup: [for p in seats do p.at -= 5]\nactions:")
        path.write_text(broken.replace("0..9 clamp", "0..9"))
        status, refused, _ = served.request("/api/matches", {"game": "race", "seats": ["me", "me"]})
        assert status == 422
        assert str(tmp_path) not in refused["reason"]
        status, about, _ = served.request("/api/games/race")
        assert status == 200, "the lobby tells what is wrong"
        assert "race.md" in about["error"]
        assert str(tmp_path) not in about["error"]


def test_the_page_follows_the_file(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "race.md"
    path.write_text(BOOK)
    with serving(tmp_path / "m.db", files={"race": path}) as served:
        match = served.create("race", ["me", "me"])
        person = Person(browser, served).join(match["match"], *match["tokens"].values())
        person.choose("2")
        person.at(1)
        path.write_text(BOOK.replace("actor.at += steps", "actor.att += steps"))
        person.page.wait_for_selector(".mistakes")
        told = person.page.locator(".mistakes").inner_text()
        assert "race.md:8" in told
        assert "^" in told
        person.choose("1")
        person.at(2)  # the last good version stays playable
        path.write_text(BOOK.replace("steps: 1..2", "steps: 1..3"))
        person.page.wait_for_selector(".mistakes", state="detached")
        person.waits_for("The new rules are in force")
        person.at(2)
        assert person.page.locator(".choices .choice").count() == 3
        assert match["match"] not in person.page.url
        person.leave()
