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


def test_numbers_have_names_and_buttons_tell_values(browser: Browser, served: Served) -> None:
    match = served.create("texas-holdem", ["me", "link", "link"], seed=11)
    tokens = match["tokens"]
    (asked,) = served.hall._rooms[match["match"]].match.asked_seats()
    person = Person(browser, served).join(match["match"], tokens[asked])
    assert person.page.locator(".choices button", has_text="Call 20").count() == 1
    assert person.page.locator(".who > .badge", has_text="D").count() == 1
    person.choose("Raise")
    presets = person.page.locator(".presets button")
    presets.first.wait_for()
    assert presets.all_inner_texts() == ["min 40", "½ pot 45", "pot 70", "all-in 1000"]
    presets.nth(2).click()
    assert person.page.locator(".amount").input_value() == "70"
    person.page.keyboard.press("Enter")  # what was named is taken by the same key
    person.at(2)
    assert person.page.locator(".stepper").count() == 0
    assert "raise 70" in person.page.locator(".lines").inner_text()
    person.leave()


def test_a_link_to_a_card_in_a_pile_lights_the_pile(browser: Browser, served: Served) -> None:
    match = served.create("hearts", ["me", "link", "link", "link"], seed=3)
    room = served.hall._rooms[match["match"]]
    held = match["tokens"]
    with served.page(match["match"], *held.values()) as page:
        page.until("view")
        while not any(item.get("holds") for item in page.view["scene"]["items"]):
            (seat, *_) = room.match.asked_seats()
            page.say(say="look", seat=seat, at=None)
            while page.view["viewer"] != seat or "decision" not in page.view:
                page.until("view")
            decision = page.view["decision"]
            page.answer([0, 1, 2] if decision["many"] else 0)
            page.until("done", "refused")
            page.until("view")
    seat = next(iter(held))
    person = Person(browser, served).join(match["match"], held[seat])
    pile = person.page.evaluate(
        "() => document.querySelector('lw-table').view.scene.items.find((i) => i.holds)"
    )
    name = pile["holds"][0]
    person.page.evaluate("(refs) => document.querySelector('lw-table').refer(refs)", [name])
    person.page.wait_for_selector(f'g.item.lit[data-id="{pile["id"]}"]')
    person.leave()


def test_the_lobby_shows_pictures_of_games(browser: Browser, served: Served) -> None:
    person = Person(browser, served)
    person.page.goto(served.address)
    person.page.wait_for_selector("img.thumb")
    person.page.wait_for_function(
        "() => [...document.querySelectorAll('img.thumb')].filter((i) => i.naturalWidth).length >= 3",
        timeout=120_000,
    )
    person.leave()


def test_the_only_action_is_taken_by_a_click_on_the_board(browser: Browser, served: Served) -> None:
    match = served.create("nine-mens-morris", ["me", "link"])
    person = Person(browser, served).join(match["match"], match["tokens"]["white"])
    assert person.page.locator(".choices .sole").inner_text().startswith("Place")
    person.page.locator('g.item[data-id="space:d6"]').click()
    person.at(2)
    room = served.hall._rooms[match["match"]]
    assert [entry.value for entry in room.match.entries] == ["place", "d6"]
    person.leave()


def test_the_only_action_that_ends_a_move_is_never_taken_by_a_click(tmp_path: Path) -> None:
    book = tmp_path / "rest.md"
    book.write_text(
        "```yaml\ngame: { id: rest, title: Rest, players: 2 }\nspaces: { board: { grid: [2, 2] } }\n"
        "vars: { n: 0..9 }\nactions:\n  - { id: rest, effects: [n += 1] }\n"
        "  - { id: go, pre: n > 8, params: { where: board } }\nend: [{ when: n == 9, win: p1 }]\n```\n"
    )
    with serving(tmp_path / "m.db", files={"rest": book}) as served:
        match = served.create("rest", ["me", "me"])
        with served.page(match["match"], *match["tokens"].values()) as page:
            page.until("view")
            assert len(page.view["decision"]["options"]) == 1
            assert "opens" not in page.view["decision"]


def test_arrows_and_shift_b_lead_to_the_board(browser: Browser, served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "link"])
    person = Person(browser, served).join(match["match"], match["tokens"]["cross"])
    first = 'g.item.legal[data-id="space:a1"]'
    person.page.wait_for_selector(f"{first} .dot")
    for key in ("ArrowDown", "Shift+B"):
        person.page.evaluate("() => document.activeElement?.blur()")
        person.page.keyboard.press(key)
        assert person.page.locator(f"{first}:focus").count() == 1
    person.page.keyboard.press("ArrowRight")
    person.page.keyboard.press("Enter")
    person.at(1)
    person.leave()


def test_a_number_in_a_cell_is_not_covered(browser: Browser, tmp_path: Path) -> None:
    book = tmp_path / "reef.md"
    book.write_text(
        "```yaml\ngame: { id: reef, title: Reef, players: 2 }\nspaces: { reef: { grid: [2, 2] } }\n"
        "vars: { Space.gold: 0..3 }\nsetup: [a1.gold = 2]\n"
        "actions: [{ id: dive, params: { where: reef } }]\nend: [{ when: turn == 9, win: p1 }]\n```\n"
    )
    with serving(tmp_path / "m.db", files={"reef": book}) as served:
        match = served.create("reef", ["me", "me"])
        person = Person(browser, served).join(match["match"], *match["tokens"].values())
        assert person.page.locator('g.item[data-id="space:a1"] .dot').count() == 0
        assert person.page.locator('g.item[data-id="space:a1"] .ring').count() == 1
        person.leave()
