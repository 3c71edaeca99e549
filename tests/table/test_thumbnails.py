"""Small pictures of games for the lobby."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludwright.loading import known_games
from ludwright.table.apart import Apart, Stopped
from ludwright.table.thumbnails import Thumbnails, drawn
from tests.table.server_under_test import serving

DRAW = """
```yaml
game: { id: draw, title: Draw, players: 2 }
seats: [red, blue]
spaces: { board: { grid: [3, 3] } }
actions: [{ id: go }]
end: [{ when: turn == 3, win: red }]
```
"""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Thumbnails]:
    monkeypatch.setenv("LUDWRIGHT_CACHE", str(tmp_path / "cache"))
    found = Thumbnails()
    yield found
    found.close()


def test_a_picture_is_an_svg_without_words_to_read() -> None:
    picture = ElementTree.fromstring(drawn(known_games()["delta"]))
    texts = [found.text for found in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert not any(text and len(text) > 3 for text in texts)
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}path"))) > 20


def test_it_is_drawn_once_and_again_when_the_text_has_changed(
    made: Thumbnails, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "draw.md"
    path.write_text(DRAW)
    first = made.of(path)
    assert first.startswith("<svg")
    path.write_text(DRAW.replace("[3, 3]", "[5, 5]"))
    assert made.of(path) not in ("", first)
    path.write_text(DRAW)
    again = Thumbnails()
    monkeypatch.setattr(again._apart, "ask", lambda _: pytest.fail("it is on the disk"))
    assert again.of(path) == first


def test_a_rulebook_with_mistakes_has_none(made: Thumbnails, tmp_path: Path) -> None:
    path = tmp_path / "draw.md"
    path.write_text(DRAW.replace("turn == 3", "trun == 3"))
    assert made.of(path) == ""


def test_what_takes_too_long_is_ended_and_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = Apart(_sleep, 120.0)
    assert apart.ask(0) == "awake"  # so that it runs: to start may take a while
    monkeypatch.setattr(apart, "_seconds", 0.5)
    with pytest.raises(Stopped, match="too long"):
        apart.ask(60)
    monkeypatch.setattr(apart, "_seconds", 120.0)
    assert apart.ask(0) == "awake"
    apart.close()


def _sleep(seconds: float) -> str:
    import time

    time.sleep(seconds)
    return "awake"


def test_the_server_gives_pictures_of_its_games_only(tmp_path: Path) -> None:
    broken = tmp_path / "broken.md"
    broken.write_text("```yaml\ngame: { id: broken }\nrules: none\n```\n")
    with serving(tmp_path / "m.db", files={"broken": broken}) as served:
        status, body, headers = served.request("/api/games/tic-tac-toe/picture")
        assert status == 200
        assert headers["content-type"].startswith("image/svg+xml")
        assert "<svg" in str(body)
        assert served.request("/api/games/broken/picture")[0] == 204
        assert served.request("/api/games/nothing/picture")[0] == 404
