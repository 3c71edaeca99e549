"""In a real Chromium: what a card says, what an option would do, and what an owner sends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from ludwright.loading import known_games
from ludwright.table.uploads import Uploads
from tests.table.browsers import Person, chromium, findings
from tests.table.server_under_test import Served, serving
from tests.table.test_uploads import GOOD

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("words")
    uploads = Uploads(folder / "books", "secret", frozenset(known_games()))
    with serving(folder / "m.db", uploads=uploads) as found:
        yield found


def test_the_card_in_play_is_told_beside_the_board(browser: Browser, served: Served) -> None:
    match = served.create("delta", ["me", "me"], seed=7)
    person = Person(browser, served).join(match["match"], *match["tokens"].values())
    person.page.wait_for_selector(".inplay h2")
    room = served.hall._rooms[match["match"]]
    current = room.match.game.observe(room.match.state, None)["variables"]["current"]
    assert person.page.inner_text(".inplay h2").lower() == current.replace("_", " ")
    card = person.page.locator('g.item.piece[data-id^="piece:"]', has=person.page.locator("title"))
    shown = card.filter(has_text=current.replace("_", " ").split()[0].capitalize()).first
    shown.dispatch_event("mouseenter")
    person.page.wait_for_selector(".about-tip")
    assert findings(person) == []
    person.leave()


def test_pointing_at_an_option_shows_what_it_would_do(browser: Browser, served: Served) -> None:
    match = served.create("chess", ["me", "link"])
    person = Person(browser, served).join(match["match"], match["tokens"]["white"])
    person.click("space:g1")
    person.waits_for("Where does the knight go?")
    person.page.locator('g.item[data-id="space:f3"]').dispatch_event("mouseenter")
    person.page.wait_for_selector(".ghost circle")
    person.page.locator('g.item[data-id="space:f3"]').dispatch_event("mouseleave")
    person.page.wait_for_selector(".ghost", state="detached")
    assert len(served.hall._rooms[match["match"]].match.positions) == 2, "nothing was decided"
    person.leave()


def test_the_owner_uploads_a_rulebook_whose_words_are_text(
    browser: Browser, served: Served, tmp_path: Path
) -> None:
    file = tmp_path / "three.md"
    file.write_text(GOOD)
    guest = Person(browser, served)
    guest.page.goto(served.address)
    guest.page.wait_for_selector(".game")
    assert guest.page.locator(".upload").count() == 0
    guest.leave()
    owner = Person(browser, served)
    owner.page.goto(f"{served.address}/#owner=secret")
    owner.page.wait_for_selector(".upload input")
    assert "secret" not in owner.page.url
    owner.page.set_input_files(".upload input", str(file))
    owner.page.wait_for_selector("h1:has-text('<b>Three</b>')")
    assert findings(owner) == []
    owner.leave()
