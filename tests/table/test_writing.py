"""The Write page: only its owner reads and writes, only files that were named, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from ludwright.table.editor import Changed, Checker, NotWritable, Writing, checked, version
from tests.table.browsers import Person, chromium, findings
from tests.table.server_under_test import serving
from tests.table.test_reloading import BOOK


def test_a_file_is_saved_whole_and_only_over_what_was_read(tmp_path: Path) -> None:
    path = tmp_path / "race.md"
    path.write_text(BOOK)
    path.chmod(0o640)
    writing = Writing({"race": path})
    read = writing.read("race")["files"][0]
    assert (read["name"], read["text"]) == ("race.md", BOOK)
    saved = writing.save("race", "race.md", BOOK + "more\r\n", read["version"])
    assert path.read_bytes() == (BOOK + "more\r\n").encode(), "line ends stay as they are"
    assert path.stat().st_mode & 0o777 == 0o640
    assert saved["version"] == version(BOOK + "more\r\n")
    with pytest.raises(Changed):
        writing.save("race", "race.md", "lost", read["version"])
    assert path.read_text().endswith("more\n")
    assert [p.name for p in tmp_path.iterdir()] == ["race.md"]


@pytest.mark.parametrize(
    "name", ["../race.md", "/etc/passwd", "other.md", "", "race.md/../race.md"]
)
def test_other_files_are_out_of_reach(tmp_path: Path, name: str) -> None:
    (tmp_path / "race.md").write_text(BOOK)
    (tmp_path / "other.md").write_text("secret")
    writing = Writing({"race": tmp_path / "race.md"})
    with pytest.raises(NotWritable):
        writing.save("race", name, "x", version("secret"))
    with pytest.raises(NotWritable):
        writing.check("race", {name: "x"})
    with pytest.raises(NotWritable):
        writing.read(name)
    assert (tmp_path / "other.md").read_text() == "secret"


def test_only_the_owner_may(tmp_path: Path) -> None:
    path = tmp_path / "race.md"
    path.write_text(BOOK)
    writing = Writing({"race": path})
    save = {"name": "race.md", "text": "gone", "base": version(BOOK)}
    with serving(tmp_path / "m.db", files={"race": path}, writing=writing) as served:
        assert served.request("/api/write/race", owner=writing.owner)[0] == 200
        for owner in (None, "", "guess", writing.owner[:-1]):
            assert served.request("/api/write/race", owner=owner)[0] == 403
            assert served.request("/api/write/race/save", save, owner=owner)[0] == 403
        foreign = served.request(
            "/api/write/race/save", save, origin="http://evil.example", owner=writing.owner
        )
        assert foreign[0] == 403
        assert served.request("/api/write/race/save", {"name": 1}, owner=writing.owner)[0] == 422
        stale = served.request("/api/write/race/save", {**save, "base": "0"}, owner=writing.owner)
        assert stale[0] == 409
        assert path.read_text() == BOOK
    with serving(tmp_path / "n.db", files={"race": path}) as served:
        assert served.request("/write/race")[0] == 404, "without an owner there is no such page"


def test_the_check_tells_mistakes_and_names() -> None:
    found = checked({"race.md": BOOK.replace("actor.at +=", "actor.att +=")})
    assert not found["ok"]
    assert found["diagnostics"][0]["suggestion"] == "did you mean `at`?"
    fix = found["diagnostics"][0]["fix"]
    line = BOOK.replace("actor.at +=", "actor.att +=").splitlines()[7]
    assert line[fix["column"] - 1 : fix["end_column"] - 1] == "att", "only the word itself"
    assert fix["text"] == "at"
    names = {one["label"]: one["type"] for one in found["names"]}
    assert names["red"] == "constant"
    assert names["at"] == "variable"
    assert names["walk"] == "method"
    assert names["count"] == "function"
    assert checked({"empty.md": ""})["diagnostics"][0]["code"] == "rulebook-empty"


def test_a_check_that_takes_too_long_is_ended() -> None:
    checker = Checker(seconds=0.0)
    assert checker.check({"race.md": BOOK})["stopped"] == "the check took too long"
    patient = Checker()
    assert patient.check({"race.md": BOOK})["ok"]
    assert patient._apart._process is not None
    patient._apart._process.kill()
    patient._apart._process.join()
    assert patient.check({"race.md": BOOK})["ok"], "a new process takes over"
    patient.close()
    checker.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def test_from_an_empty_file_to_a_game_on_the_board(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "race.md"
    path.write_text("")
    writing = Writing({"race": path})
    with serving(tmp_path / "m.db", files={"race": path}, writing=writing, develop=True) as served:
        person = Person(browser, served)
        page = person.page
        page.goto(f"{served.address}/write/race#owner={writing.owner}")
        page.wait_for_selector(".problems:has-text('1 error')")
        assert writing.owner not in page.url
        page.locator(".cm-content").click()
        page.keyboard.insert_text(BOOK.replace("actor.at += steps", "actor.att += steps"))
        page.wait_for_selector(".cm-lintRange-error")
        assert path.read_text() == "", "nothing is written before it is saved"
        page.keyboard.press("F8")
        page.wait_for_selector(".cm-diagnosticAction:has-text('Replace')")
        page.locator(".cm-diagnosticAction").first.click()
        page.wait_for_selector(".problems:has-text('no mistakes')")
        page.keyboard.press("Control+s")
        page.wait_for_selector("lw-table lw-prompt .choices button")
        assert path.read_text() == BOOK
        page.locator("lw-table .choices button", has_text="2").first.click()
        page.wait_for_function("() => document.querySelector('lw-table').view?.last === 1")
        page.locator(".as button", has_text="blue").click()
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.insert_text("\n```yaml\nlook: { background: sea }\n```\n")
        page.wait_for_selector(".problems:has-text('no mistakes')")
        assert findings(person) == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        page.set_viewport_size({"width": 1280, "height": 800})
        page.keyboard.press("Control+s")
        page.wait_for_function(
            "() => document.querySelector('lw-table').view?.scene.background === 'sea'"
        )
        assert page.evaluate("() => document.querySelector('lw-table').view.last") == 1
        person.leave()


def test_what_another_editor_saves_is_shown(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "race.md"
    path.write_text(BOOK)
    writing = Writing({"race": path})
    with serving(tmp_path / "m.db", files={"race": path}, writing=writing, develop=True) as served:
        person = Person(browser, served)
        page = person.page
        page.goto(f"{served.address}/write/race#owner={writing.owner}")
        page.wait_for_selector("lw-table lw-prompt .choices button")
        path.write_text(f"{BOOK}\nElsewhere this sentence was added.\n")
        page.wait_for_selector(".cm-content:has-text('Elsewhere this sentence')")
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.insert_text("Written here.")
        path.write_text(f"{BOOK}\nOnce more.\n")
        page.wait_for_timeout(3000)
        assert "Written here." in page.inner_text(".cm-content"), "a draft stays"
        person.leave()


def test_a_rulebook_with_mistakes_offers_no_match(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "race.md"
    path.write_text(BOOK.replace("actor.at += steps", "actor.att += steps"))
    writing = Writing({"race": path})
    with serving(tmp_path / "m.db", files={"race": path}, writing=writing) as served:
        person = Person(browser, served)
        page = person.page
        page.goto(f"{served.address}/#owner={writing.owner}&game=race")
        page.wait_for_selector(".problem:has-text('att')")
        page.wait_for_selector(".setup .tag:has-text('your file')")
        page.wait_for_selector(".setup a:has-text('Write')")
        assert page.locator(".setup h2, .setup footer").count() == 0
        assert "0 players" not in page.inner_text(".setup")
        person.leave()
