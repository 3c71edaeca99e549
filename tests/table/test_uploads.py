"""The owner of a server may send it rulebooks; nobody else, and nothing that does not compile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludwright.loading import known_games
from ludwright.table.uploads import NotTaken, Uploads, slug_of
from tests.table.server_under_test import Served, serving

TAKE = """# Take

```yaml
game: { id: take, title: "<b>Take</b>", players: 2 }
seats: [ana, ben]
vars: { left: 3..0 }
```
"""
GOOD = """# Three

Take the last of three.

```yaml
game: { id: three, title: "<b>Three</b>", players: 2 }
seats: [ana, ben]
vars: { left: { type: 0..3, default: 3 } }
actions: { take: { effects: [left -= 1] } }
end: [{ when: left == 0, win: actor }]
```
"""


@contextmanager
def uploading(folder: Path) -> Iterator[tuple[Served, Uploads]]:
    uploads = Uploads(folder / "books", "secret", frozenset(known_games()))
    with serving(folder / "m.db", uploads=uploads) as served:
        yield served, uploads


def test_what_the_owner_sends_is_played(tmp_path: Path) -> None:
    with uploading(tmp_path) as (served, uploads):
        body = {"name": "../../Three Taken!.md", "text": GOOD}
        assert served.request("/api/upload", body)[0] == 403
        assert served.request("/api/upload", body, owner="guess")[0] == 403
        assert served.request("/api/upload", body, owner="secret", origin=None)[0] == 403
        status, told, _ = served.request("/api/upload", body, owner="secret")
        assert (status, told) == (200, {"game": "three-taken"})
        assert [path.name for path in (tmp_path / "books").iterdir()] == ["three-taken.md"]
        games = served.request("/api/games")[1]
        (own,) = [game for game in games if game["id"] == "three-taken"]
        assert own["title"] == "<b>Three</b>", "as it is written; a page shows it as text"
        match = served.create("three-taken", ["me", "link"])
        with served.page(match["match"], match["tokens"]["ana"]) as ana:
            assert ana.until("view")["asked"] == ["ana"]
        assert set(uploads.files()) == {"three-taken"}, "it is there after a restart"


def test_a_rulebook_with_mistakes_is_refused_with_their_lines(tmp_path: Path) -> None:
    with uploading(tmp_path) as (served, _):
        body = {"name": "take.md", "text": TAKE}
        status, told, _ = served.request("/api/upload", body, owner="secret")
        assert status == 422
        assert "line " in told["reason"]
        assert not (tmp_path / "books").exists()
        assert served.request("/api/games/take")[0] == 404


def test_without_the_option_there_is_no_way_in(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as served:
        body = {"name": "three.md", "text": GOOD}
        assert served.request("/api/upload", body, owner="secret")[0] in (404, 405)


def test_a_check_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path / "books", "secret", seconds=0.01)
    try:
        with pytest.raises(NotTaken, match="took too long"):
            uploads.take("three.md", GOOD)
    finally:
        uploads.close()
    assert uploads.files() == {}


def test_names_lead_nowhere_else() -> None:
    assert slug_of("../../etc/passwd.md") == "passwd"
    assert slug_of("C:\\games\\My Game.md") == "my-game"
    with pytest.raises(NotTaken):
        slug_of("...")


def test_a_shipped_game_is_not_replaced(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, "secret", frozenset(["chess"]))
    with pytest.raises(NotTaken, match="another game"):
        uploads.take("chess.md", GOOD)
