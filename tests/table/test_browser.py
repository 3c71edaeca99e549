"""The page in a real Chromium: whole games, by mouse and by keyboard, alone and together."""

from __future__ import annotations

import json
import random
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.table.browsers import AXE, Person, chromium, findings
from tests.table.playing import random_numbers
from tests.table.server_under_test import Served, serving

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("browser") / "m.db") as found:
        yield found


def test_a_stranger_with_a_link_plays_a_whole_game(browser: Browser, served: Served) -> None:
    ana = Person(browser, served)
    ana.page.goto(f"{served.address}/#game=tic-tac-toe")
    ana.page.locator(".setseat", has_text="nought").locator("text=Friend").click()
    ana.page.click("text=Create match")
    ana.page.wait_for_selector("lw-prompt .question")
    ana.page.click("text=Share")
    link = ana.page.locator("input[aria-label='Play nought']").input_value()
    ana.page.keyboard.press("Escape")
    bao = Person(browser, served)
    bao.page.goto(link)
    bao.page.wait_for_selector(".prompt")
    assert "seat=" not in bao.page.url, "the token does not stay in the address"
    for at, cell in enumerate(["b2", "a1", "b1", "a2", "b3"]):
        person, other = (ana, bao) if at % 2 == 0 else (bao, ana)
        person.click(f"space:{cell}")
        other.at(at + 1)
    for person in (ana, bao):
        person.waits_for("cross won")
        assert "3 in a row" in person.page.content()
        person.leave()


def test_chess_with_a_promotion_on_one_device(browser: Browser, served: Served) -> None:
    match = served.create("chess", ["me", "me"])
    person = Person(browser, served).join(match["match"], *match["tokens"].values())
    moves = ["h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "a7a6", "h6h7", "a6a5", "h7g8"]
    for at, move in enumerate(moves):
        person.click(f"space:{move[:2]}")
        person.click(f"space:{move[2:4]}")
        person.at(2 * at + 2)
    person.waits_for("promote")
    assert person.page.locator(".choices .choice").count() == 4
    person.choose("queen")
    person.at(19)
    assert "h7g8q" in person.page.locator(".lines").inner_text()
    assert person.page.locator('g.item[data-id^="piece:g8"]').count() == 1
    person.leave()


def test_no_page_ever_holds_anothers_cards(browser: Browser, served: Served) -> None:
    match = served.create("texas-holdem", ["me", "link", "link"], seed=11)
    tokens = match["tokens"]
    people = {seat: Person(browser, served).join(match["match"], tokens[seat]) for seat in tokens}
    watcher = Person(browser, served).join(match["match"])
    room = served.hall._rooms[match["match"]]
    game, state = room.match.game, room.match.state
    hands = {
        seat: {
            card["name"] for card in game.observe(state, seat)["places"][f"hand:{seat}"]["pieces"]
        }
        for seat in tokens
    }
    for at, amount in enumerate(["call", "call", "check"]):
        (asked,) = room.match.asked_seats()
        people[asked].choose(amount)
        for person in people.values():
            person.at(at + 1)
    assert len(room.match.game.observe(room.match.state, "p1")["places"]["board"]["pieces"]) == 3
    for seat, person in (*people.items(), ("", watcher)):
        reached = "".join(person.frames) + person.page.content()
        for other, cards in hands.items():
            for card in cards:
                found = re.search(rf"[\">: ]{card}[\"<, ]", reached)
                assert bool(found) == (seat == other), f"{seat or 'a spectator'}: {card} of {other}"
        person.leave()


def test_a_whole_game_of_delta_by_keyboard(browser: Browser, served: Served) -> None:
    match = served.create("delta", ["me", "bot:random"], seed=5, parameters={"quick": True})
    person = Person(browser, served).join(match["match"], match["tokens"]["regime"])
    room = served.hall._rooms[match["match"]]
    keys = person.page.keyboard
    for _ in range(400):
        if room.match.over:
            break
        offer = room.match.offer("regime")
        if offer is None:
            person.page.wait_for_timeout(20)
            continue
        number = room.match.number("regime")
        person.page.wait_for_function(
            "n => document.querySelector('lw-prompt')?.decision?.number === n", arg=number
        )
        if offer.many:
            _pick_by_keyboard(person, room.match.draft("regime", number, []).can_stop)
        elif person.page.locator(".choices button[data-key]").count():
            keys.press(
                person.page.locator(".choices button[data-key]").last.get_attribute("data-key")
                or "1"
            )
        else:
            keys.press("l")
            person.page.wait_for_selector(".list")
            keys.press("Tab")
            keys.press("Enter")
        person.page.wait_for_function(
            "n => document.querySelector('lw-prompt')?.decision?.number !== n", arg=number
        )
    assert room.match.over
    person.waits_for("won")
    person.leave()


def _pick_by_keyboard(person: Person, stop: bool) -> None:
    keys = person.page.keyboard
    for _ in range(12):
        done = person.page.locator(".choices .primary")
        person.page.wait_for_function("() => !document.querySelector('lw-table').waiting")
        if done.is_enabled() and (stop or person.page.locator(".chip .n").count()):
            done.focus()
            keys.press("Enter")
            return
        before = person.page.locator(".chip .n").count()
        target = person.page.locator("g.item.legal:not(.chosen)")
        if target.count():
            target.first.focus()
        else:
            person.page.locator(".choices .choice[aria-pressed=false]:enabled").first.focus()
        keys.press("Enter")
        person.page.wait_for_function(
            "n => document.querySelectorAll('.chip .n').length !== n", arg=before
        )
        person.page.wait_for_timeout(60)


def test_a_restart_in_the_middle_of_a_move_is_a_pause(browser: Browser, tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with serving(tmp_path / "m.db", port=port) as served:
        match = served.create("chess", ["me", "me"])
        person = Person(browser, served).join(match["match"], *match["tokens"].values())
        person.click("space:e2")
        person.at(1)
    person.waits_for("connecting")
    with serving(tmp_path / "m.db", port=port):
        person.page.wait_for_selector("text=connecting", state="detached")
        person.click("space:e4")
        person.at(2)
        person.errors.clear()  # the browser notes that the line was down
        person.leave()


def test_hot_seat_hands_over_where_cards_are_hidden(browser: Browser, served: Served) -> None:
    match = served.create("kuhn-poker", ["me", "me"], seed=2)
    person = Person(browser, served).join(match["match"], *match["tokens"].values())
    first = person.page.locator(".seat.viewer b").inner_text()
    person.page.locator(".choices .choice").first.click()
    person.page.wait_for_selector(".handover")
    assert person.page.locator("g.item").count() == 0, "nothing is shown meanwhile"
    person.page.click(".handover button")
    person.page.wait_for_selector(".choices .choice")
    assert person.page.locator(".seat.viewer b").inner_text() != first
    person.leave()


def test_a_spectator_watches_and_cannot_act(browser: Browser, served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "me"])
    player = Person(browser, served).join(match["match"], *match["tokens"].values())
    watcher = Person(browser, served).join(match["match"])
    player.click("space:b2")
    watcher.at(1)
    assert watcher.page.locator("g.item.legal").count() == 0
    assert watcher.page.locator("g.item.piece").count() == 1
    assert "watching" in watcher.page.locator(".bar").inner_text()
    player.leave()
    watcher.leave()


def test_the_slider_has_an_address_for_every_decision(browser: Browser, served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "me"])
    person = Person(browser, served).join(match["match"], *match["tokens"].values())
    for at, cell in enumerate(["b2", "a1", "c3"]):
        person.click(f"space:{cell}")
        person.at(at + 1)
    person.page.click("button[aria-label='One back']")
    person.page.wait_for_selector("text=2 / 3")
    assert person.page.url.endswith("#at=2")
    assert person.page.locator("g.item.piece").count() == 2
    assert person.page.locator("g.item.legal").count() == 0
    other = Person(browser, served).join(match["match"], at="at=1")
    other.page.wait_for_selector("text=1 / 3")
    assert other.page.locator("g.item.piece").count() == 1
    other.leave()
    person.page.click("text=Undo to here")
    person.at(2)
    person.leave()


def test_undo_says_how_far_it_goes_and_why(browser: Browser, served: Served) -> None:
    match = served.create("chess", ["me", "link"])
    tokens = match["tokens"]
    white = Person(browser, served).join(match["match"], tokens["white"])
    black = Person(browser, served).join(match["match"], tokens["black"])
    white.click("space:e2")
    white.at(1)
    white.page.keyboard.press("Backspace")
    white.at(0)
    for at, square in enumerate(["d2", "d4"]):
        white.click(f"space:{square}")
        white.at(at + 1)
    for at, square in enumerate(["d7", "d5"]):
        black.click(f"space:{square}")
        black.at(at + 3)
    white.at(4)
    undo = white.page.locator("button.undo")
    assert undo.inner_text().split("\n") == ["Ask to undo", "black has decided since"]
    undo.click()
    black.page.click("text=Agree")
    white.at(1)
    assert "1 back, then the match begins here" in undo.inner_text()
    white.click("space:d4")
    white.at(2)
    black.click("space:d7")
    black.at(3)
    white.at(3)
    white.page.click("button[aria-label='To the start']")
    white.page.click("text=Undo to here")
    black.page.click("text=Agree")
    white.at(0)
    white.leave()
    black.leave()


@pytest.mark.parametrize(
    ("game", "item"), [("nine-mens-morris", "space:a1"), ("backgammon", ""), ("chess", "space:e2")]
)
def test_a_real_mouse_hits_what_glows(
    browser: Browser, served: Served, game: str, item: str
) -> None:
    """Not a click that is sent to something, but one at a spot of the screen."""
    match = served.create(game, ["me", "me"], seed=4)
    person = Person(browser, served).join(match["match"], *match["tokens"].values())
    if game != "chess":
        person.page.locator(".choices .choice").first.click()  # a die, or what to do
        person.at(1)
        legal = person.page.wait_for_selector("g.item.legal")
        item = item or (legal and legal.get_attribute("data-id")) or ""
    box = person.page.locator(f'g.item[data-id="{item}"] path').first.bounding_box()
    assert box is not None
    before = served.hall._rooms[match["match"]].match.version
    # beside the middle, where nothing is painted but the outline goes around
    person.page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.8)
    person.at(before + 1)
    person.leave()


def test_a_tick_says_that_an_answer_is_stored(browser: Browser, served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "link"])
    person = Person(browser, served).join(match["match"], match["tokens"]["cross"])
    assert person.page.locator(".saved").count() == 0
    person.click("space:b2")
    person.page.wait_for_selector(".saved:has-text('✓ saved')")
    assert served.hall._store.entries(match["match"], 0), "it says so only then"
    person.page.wait_for_selector(".saved", state="detached")
    person.leave()


def test_names_in_the_log_light_up_on_the_board(browser: Browser, served: Served) -> None:
    match = served.create("hearts", ["me"] * 4, seed=5)
    room = served.hall._rooms[match["match"]]
    rng = random.Random(1)
    for _ in range(14):
        seat = rng.choice(room.match.asked_seats())
        entry = room.match.answered(
            seat, room.match.number(seat), random_numbers(room.match, seat, rng)
        )
        room.match.take(entry, room.match.stepped(entry))
    person = Person(browser, served).join(match["match"], match["tokens"]["North"])
    card = person.page.locator(".lines .ref:has(.minicard)").last
    card.hover()
    person.page.wait_for_selector("g.item.lit")
    name = person.page.locator(
        ".lines .detail .ref", has_text=re.compile("^(North|East|South|West)$")
    )
    name.last.hover()
    person.page.wait_for_selector(".seat.lit")
    person.leave()


def test_why_not_answers_with_the_rule(browser: Browser, served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "me"])
    person = Person(browser, served).join(match["match"], *match["tokens"].values())
    person.click("space:b2")
    person.page.wait_for_selector(".seat.viewer:has-text('nought')")
    person.page.wait_for_selector("g.item.legal")
    person.page.locator('g.item[data-id="space:b2"]').dispatch_event("click")
    person.waits_for("Not b2")
    assert "Place one of your marks on an empty cell" in person.page.locator(".why").inner_text()
    person.leave()


def test_since_my_last_turn_is_played_back(browser: Browser, served: Served) -> None:
    match = served.create("chess", ["me", "link"])
    tokens = match["tokens"]
    white = Person(browser, served).join(match["match"], tokens["white"])
    for seat, first, cells in (("white", 0, ["e2", "e4"]), ("black", 2, ["e7", "e5"])):
        with served.page(match["match"], tokens[seat]) as page:
            page.until("view")
            for at, cell in enumerate(cells, first):
                page.answer(page.option(cell))
                page.until_view(at + 1)
    white.at(4)
    white.page.evaluate(
        """() => { window.shown = []; const table = document.querySelector('lw-table');
        const show = table.show; table.show = (view) => { window.shown.push(view.at); show.call(table, view); }; }"""
    )
    white.page.click("text=Since my last turn")
    white.page.wait_for_function("() => window.shown.at(-1) === 4")
    assert white.page.evaluate("() => window.shown") == [2, 3, 4]
    white.leave()


def test_the_matches_of_this_browser_are_listed(browser: Browser, served: Served) -> None:
    person = Person(browser, served)
    mine = served.create("tic-tac-toe", ["me", "link"])
    person.join(mine["match"], mine["tokens"]["cross"])
    other = served.create("chess", ["link", "me"])
    person.join(other["match"], other["tokens"]["black"])
    person.page.goto(served.address)
    person.page.wait_for_selector(".match")
    listed = dict(
        zip(
            person.page.locator(".match b").all_inner_texts(),
            person.page.locator(".match .tag").all_inner_texts(),
            strict=True,
        )
    )
    assert listed == {"Tic-tac-toe": "your turn", "Chess": "white decides"}
    person.page.click(".match:has-text('Tic-tac-toe')")
    person.click("space:b2")
    person.at(1)
    person.leave()


def test_the_title_and_a_notification_say_whose_turn_it_is(
    browser: Browser, served: Served
) -> None:
    match = served.create("tic-tac-toe", ["me", "link"])
    tokens = match["tokens"]
    nought = Person(browser, served)
    nought.page.add_init_script(
        """window.told = []; window.Notification = class { static permission = "granted";
        constructor(title, { body }) { window.told.push(`${title}: ${body}`); } };
        Object.defineProperty(document, "hidden", { get: () => true });"""
    )
    nought.join(match["match"], tokens["nought"])
    assert "your turn" not in nought.page.title()
    with served.page(match["match"], tokens["cross"]) as page:
        page.until("view")
        page.answer(4)
        page.until_view(1)
    nought.page.wait_for_function("() => document.title.includes('your turn')")
    assert nought.page.evaluate("() => window.told") == ["Tic-tac-toe: It is your turn."]
    nought.leave()


def test_names_are_never_markup(browser: Browser, served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "link"])
    person = Person(browser, served).join(match["match"], match["tokens"]["cross"])
    person.page.click("text=Share")
    name = "<img src=x onerror=alert(1)>"
    person.page.fill(".share label input", name)
    person.page.keyboard.press("Tab")
    person.page.wait_for_selector(".seats b:has-text('<img')")
    assert person.page.locator(".seats img").count() == 0
    person.leave()


def test_the_text_mode_lists_what_can_be_chosen(browser: Browser, served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "me"])
    person = Person(browser, served).join(match["match"], *match["tokens"].values())
    person.page.click("button[title='The board as text']")
    assert person.page.locator(".textboard .choice").count() == 9
    numbered = person.page.locator(".list li button").all_inner_texts()
    assert [text.split()[0] for text in numbered] == [str(number) for number in range(1, 10)]
    person.page.fill(".textboard input", "b2")
    assert person.page.locator(".textboard li").count() == 1
    person.page.click(".textboard .choice")
    person.at(1)
    person.leave()


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: run `make browser`")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Browser, served: Served, theme: str) -> None:
    person = Person(browser, served, color_scheme=theme)
    page = person.page
    page.goto(f"{served.address}/#game=delta")
    page.wait_for_selector(".setseat")
    assert findings(person) == []
    for game, seats in (("hearts", 4), ("delta", 2), ("chess", 2)):
        match = served.create(game, ["me"] * seats)
        person.join(match["match"], *match["tokens"].values())
        if game == "hearts":
            page.wait_for_selector("g.item.legal")
        page.keyboard.press("l")
        assert findings(person) == [], game
        page.click("button[title='The board as text']")
        assert findings(person) == [], f"{game} as text"
        page.click("button[title='The board as text']")
    page.click("text=Share")
    page.click("text=Rulebook")
    page.wait_for_selector(".rulebook")
    assert findings(person) == [], "links and rulebook"
    match = served.create("kuhn-poker", ["me", "me"], seed=2)
    person.join(match["match"], *match["tokens"].values())
    page.locator(".choices .choice").first.click()
    page.wait_for_selector(".handover")
    assert findings(person) == [], "handing over"
    person.leave()


@pytest.mark.parametrize("game", ["chess", "hearts", "delta", "backgammon", "texas-holdem", "pig"])
def test_a_phone_needs_no_sideways_scrolling(browser: Browser, served: Served, game: str) -> None:
    person = Person(browser, served, viewport={"width": 390, "height": 844})
    least = served.request(f"/api/games/{game}")[1]["players"][0]
    match = served.create(game, ["me"] * least)
    person.join(match["match"], *match["tokens"].values())
    wide = "() => document.documentElement.scrollWidth <= 390 && document.body.scrollWidth <= 390"
    assert person.page.evaluate(wide)
    for tab in ("Seats", "Log", "Rules", "Board"):
        person.page.locator(".tabs button", has_text=tab).click()
        assert person.page.evaluate(wide), tab
    person.page.click("text=Share")
    assert person.page.evaluate(wide), "links"
    person.page.keyboard.press("Escape")
    person.page.goto(served.address)
    person.page.wait_for_selector(".setseat")
    assert person.page.evaluate(wide)
    person.leave()


def test_the_page_is_small_and_quick(browser: Browser, served: Served) -> None:
    import gzip

    from ludwright.table.server import STATIC

    fetched: list[str] = []
    match = served.create("tic-tac-toe", ["me", "me"])
    person = Person(browser, served)
    person.page.on("request", lambda request: fetched.append(request.url))
    person.join(match["match"], *match["tokens"].values())
    names = {url.rpartition("/")[2] for url in fetched if "/static/" in url}
    assert "main.js" in names
    assert not any(name.startswith("write-") for name in names), "the editor is for the Write page"
    size = sum(len(gzip.compress((STATIC / name).read_bytes())) for name in names)
    assert size < 150_000
    editor = next(STATIC.glob("write-*.js"))
    assert size + len(gzip.compress(editor.read_bytes())) < 150_000, "nor is the Write page large"
    took = person.page.evaluate(
        "() => performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
    )
    assert took < 1000
    assert json.loads(person.frames[0])["tell"] == "welcome"
    person.leave()
