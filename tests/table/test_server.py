"""The server over real sockets: who may say what, what is told when, and what survives."""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets import Origin
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from ludwright.table.records import token_hash
from ludwright.table.server import app_of
from ludwright.table.sqlite_store import SqliteStore
from ludwright.table.store import Append, StoreFailed, Taken
from tests.table.server_under_test import Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("table") / "m.db") as found:
        yield found


def test_every_answer_carries_the_policy(served: Served) -> None:
    for path in ("/", "/api/games", "/nowhere", "/api/games/nowhere"):
        _, _, headers = served.request(path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_files_of_the_page_are_sent_compressed(served: Served, tmp_path: Path) -> None:
    (tmp_path / "main.js").write_text("let a = 1;\n" * 1000)
    sent: list[Any] = []

    async def ask() -> None:
        async def receive() -> Any:
            await asyncio.sleep(60)  # nothing more is said

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http", "http_version": "1.1", "method": "GET", "path": "/static/main.js",
            "raw_path": b"/static/main.js", "root_path": "", "scheme": "http", "query_string": b"",
            "headers": [(b"accept-encoding", b"gzip")],
        }  # fmt: skip
        await app_of(served.hall, static=tmp_path)(scope, receive, send)

    asyncio.run(ask())
    headers = dict(sent[0]["headers"])
    assert headers[b"content-encoding"] == b"gzip"
    assert b"default-src 'none'" in headers[b"content-security-policy"]
    body = b"".join(message.get("body", b"") for message in sent[1:])
    assert gzip.decompress(body).startswith(b"let a")
    assert len(body) < 500


def test_games_are_listed_with_what_a_new_match_needs(served: Served) -> None:
    _, games, _ = served.request("/api/games")
    assert {"chess", "hearts", "delta"} <= {game["id"] for game in games}
    status, about, _ = served.request("/api/games/delta")
    assert status == 200
    assert about["players"] == [2, 4]
    assert about["parameters"][0]["name"] == "quick"
    assert about["intro"].startswith("An insurgency")
    assert served.request("/api/games/../../etc/passwd")[0] == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"game": "chess", "seats": ["me"]}, 422),
        ({"game": "nothing", "seats": ["me", "link"]}, 422),
        ({"game": "chess", "seats": ["me", "king"]}, 422),
        ({"game": "chess", "seats": ["me", "bot:nobody"]}, 422),
        ({"game": "chess", "seats": ["me", 3]}, 422),
        ({"game": "chess"}, 422),
        ({"game": "hearts", "seats": ["me"] * 4, "parameters": {"deals": 0}}, 422),
        ({"game": "hearts", "seats": ["me"] * 4, "parameters": {"deals": "x"}}, 422),
        ({"game": "hearts", "seats": ["me"] * 4, "scenario": "none such"}, 422),
        ({"game": "hearts", "seats": ["me"] * 4, "seed": -1}, 422),
        (b"{", 400),
        (b"[]", 400),
        (b"[" * 5000, 400),
        (b" " * 20_000, 413),
    ],
)
def test_a_match_that_cannot_be_is_refused_with_a_reason(
    served: Served, body: Any, status: int
) -> None:
    found, told, _ = served.request("/api/matches", body)
    assert found == status
    assert told["reason"]


def test_only_pages_of_this_server_may_change_anything(served: Served) -> None:
    body = {"game": "tic-tac-toe", "seats": ["me", "me"]}
    for origin in (None, "http://elsewhere.example", "null", "http://127.0.0.1"):
        assert served.request("/api/matches", body, origin)[0] == 403
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            connect(f"ws://{served.host}/socket", origin=Origin(origin) if origin else None).recv()


def test_a_whole_game_between_two_pages(served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "link"])
    tokens = match["tokens"]
    with (
        served.page(match["match"], tokens["cross"]) as cross,
        served.page(match["match"], tokens["nought"]) as nought,
        served.page(match["match"]) as watcher,
    ):
        for page in (cross, nought, watcher):
            page.until("view")
        assert nought.view.get("decision") is None
        assert watcher.view["viewer"] is None
        for at, cell in enumerate(["a1", "b1", "a2", "b2", "a3"]):
            page, other = (cross, nought) if at % 2 == 0 else (nought, cross)
            page.answer(page.option(cell))
            assert page.until("done", "refused")["tell"] == "done"
            for one in (page, other, watcher):
                one.until_view(at + 1)
        for page in (cross, nought, watcher):
            assert page.view["result"]["winners"] == ["cross"]
        cross.say(say="answer", seat="cross", decision=5, option=0)
        assert cross.until("refused")["code"] == "game-over"


def test_an_answer_sent_again_is_acknowledged_and_changes_nothing(served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "me"])
    tokens = match["tokens"].values()
    with served.page(match["match"], *tokens) as page:
        page.until("view")
        for _ in range(3):
            page.answer(4, "cross", 0)
            assert page.until("done", "refused") == {"tell": "done", "seat": "cross", "decision": 0}
        page.answer(5, "cross", 0)
        assert page.until("done", "refused")["code"] == "stale"
        page.say(say="look", seat="nought", at=None)
        assert page.until("view")["version"] == 1


def test_a_seat_answers_for_itself_only(served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "link"])
    tokens = match["tokens"]
    with served.page(match["match"], tokens["nought"]) as page:
        page.until("view")
        page.answer(0, "cross", 0)
        assert page.until("refused")["code"] == "not-your-seat"
        page.answer(0, "nought", 0)
        assert page.until("refused")["code"] == "not-your-turn"
        page.say(say="look", seat="cross", at=None)
        assert page.until("refused")["code"] == "not-your-seat"
    with served.page(match["match"], "wrong", tokens["cross"][:-1]) as page:
        assert page.until("welcome")["seats"] == []
    with served.page("no-such-match") as page:
        assert page.until("refused")["code"] == "no-match"


def test_links_and_tokens_are_not_in_the_store(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with serving(path) as served:
        match = served.create("tic-tac-toe", ["me", "link"])
    kept = (
        path.read_bytes() + (tmp_path / "m.db-wal").read_bytes()
        if (tmp_path / "m.db-wal").exists()
        else path.read_bytes()
    )
    for token in match["tokens"].values():
        assert token.encode() not in kept
        assert token_hash(token).encode() in kept


def test_a_restart_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as served:
        match = served.create("chess", ["me", "link"])
        with served.page(match["match"], match["tokens"]["white"]) as page:
            page.until("view")
            page.answer(page.option("e2"))
            page.until_view(1)
            before = page.view
    with (
        serving(tmp_path / "m.db") as served,
        served.page(match["match"], match["tokens"]["white"]) as page,
    ):
        page.until("view")
        assert page.view == before
        page.answer(page.option("e4"))
        assert page.until("done", "refused")["tell"] == "done"


def test_bots_answer_until_a_person_is_asked(served: Served) -> None:
    match = served.create("tic-tac-toe", ["bot:random", "me"])
    with served.page(match["match"], match["tokens"]["nought"]) as page:
        page.until_view(1)
        while page.view["result"] is None:
            if page.view.get("decision"):
                page.answer(0)
            page.until("view")
        assert page.view["version"] >= 5


def test_a_bot_takes_over_and_gives_back(served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "me"])
    with served.page(match["match"], *match["tokens"].values()) as page:
        page.until("view")
        page.say(say="sit", seat="nought", bot="random", label="Bao <b>")
        while (seats := page.until("company")["seats"])[1]["holder"] != "bot":
            pass
        assert seats[1]["label"] == "Bao <b>"
        page.answer(0, "cross", 0)
        page.until_view(2)
        page.say(say="sit", seat="nought", bot="", label=None)
        assert page.until("company")["seats"][1]["holder"] == "person"
        page.say(say="sit", seat="cross", bot="deep-thought", label=None)
        assert page.until("refused")["code"] == "no-bot"


def test_others_let_a_bot_play_for_somebody_who_is_away(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = served.create("tic-tac-toe", ["me", "link"])
    tokens = match["tokens"]
    with served.page(match["match"], tokens["cross"]) as page:
        page.until("view")
        page.say(say="sit", seat="nought", bot="random", label=None)
        assert page.until("refused")["code"] == "not-away", "nobody is replaced at once"
        monkeypatch.setattr("ludwright.table.room.AWAY", 0.0)
        with served.page(match["match"], tokens["nought"]) as other:
            other.until("view")
            page.say(say="sit", seat="nought", bot="random", label=None)
            assert page.until("refused")["code"] == "not-away", "whoever is here plays"
        with served.page(match["match"]) as watcher:
            watcher.until("view")
            watcher.say(say="sit", seat="nought", bot="random", label=None)
            assert watcher.until("refused")["code"] == "not-your-seat"
        while any(seat["here"] for seat in page.until("company")["seats"] if seat["id"] != "cross"):
            pass
        page.say(say="sit", seat="nought", bot=None, label="Nobody")
        assert page.until("refused")["code"] == "not-your-seat", "a name is one's own"
        page.say(say="sit", seat="nought", bot="random", label=None)
        while page.until("company")["seats"][1]["holder"] != "bot":
            pass
        page.answer(0)
        page.until_view(2)
    with served.page(match["match"], tokens["nought"]) as back:
        back.until("view")
        back.say(say="sit", seat="nought", bot="", label=None)
        while back.until("company")["seats"][1]["holder"] != "person":
            pass


def test_undo_and_consent(served: Served) -> None:
    match = served.create("chess", ["me", "link"])
    tokens = match["tokens"]
    with (
        served.page(match["match"], tokens["white"]) as white,
        served.page(match["match"], tokens["black"]) as black,
    ):
        white.until("view")
        black.until("view")
        for at, square in enumerate(("e2", "e4")):
            white.answer(white.option(square))
            white.until_view(at + 1)
        assert white.view["undo"]["to"] == 1
        white.say(say="undo", seat="white", version=2, position=1)
        white.until_view(3)
        assert white.view["decision"]["path"] == [{"text": "e2", "undo": 0, "items": ["space:e2"]}]
        white.answer(white.option("e3"))
        white.until_view(4)
        black.until_view(4)
        for at, square in enumerate(("e7", "e5")):
            black.answer(black.option(square))
            black.until_view(5 + at)
        white.until_view(6)
        assert white.view["undo"]["to"] is None
        assert "black has decided" in white.view["undo"]["reason"]
        white.say(say="undo", seat="white", version=6, position=0)
        assert black.until("wish")["seat"] == "white"
        assert white.view["version"] == 6
        black.say(say="consent", seat="black", yes=False)
        while not (told := white.until("wish"))["refusedBy"]:
            pass
        assert told["refusedBy"] == "black"
        white.say(say="undo", seat="white", version=6, position=0)
        black.until("wish")
        black.say(say="consent", seat="black", yes=True)
        white.until_view(7)
        assert white.view["last"] == 0


def test_the_past_and_the_end_can_be_looked_at(served: Served) -> None:
    match = served.create("kuhn-poker", ["me", "link"], seed=3)
    tokens = match["tokens"]
    first, second = tokens
    with served.page(match["match"], tokens[first]) as page:
        page.until("view")
        page.say(say="look", seat="*", at=None)
        page.until("view")
        hands = [
            i for i in page.view["scene"]["items"] if i["kind"] == "piece" and i.get("answers")
        ]
        assert not hands, "nothing is shown before the end"
        with served.page(match["match"], tokens[second]) as other:
            other.until("view")
            page.say(say="look", seat=first, at=None)
            page.until("view")
            while page.view["result"] is None:
                asked = page if page.view.get("decision") else other
                asked.answer(0)
                version = page.view["version"] + 1
                page.until_view(version)
                other.until_view(version)
        page.say(say="look", seat="*", at=0)
        page.until("view")
        assert page.view["all"]
        shown = [
            i for i in page.view["scene"]["items"] if i["kind"] == "piece" and i.get("answers")
        ]
        assert len(shown) >= 2


# ------------------------------------------------------------------- a store that fails


class Brittle(SqliteStore):
    """Fails on demand, before or after the entry is on the disk."""

    mode = ""

    def append(self, wanted: Any) -> list[Taken | None]:
        if self.mode == "before":
            raise StoreFailed("the store could not write: disk I/O error")
        done = super().append(wanted)
        if self.mode == "after":
            raise StoreFailed("the store could not write: disk I/O error")
        return done


def test_a_failed_commit_is_never_told_as_success(tmp_path: Path) -> None:
    store = Brittle(tmp_path / "m.db")
    with serving(store) as served:
        match = served.create("tic-tac-toe", ["me", "link"])
        tokens = match["tokens"]
        with (
            served.page(match["match"], tokens["cross"]) as cross,
            served.page(match["match"], tokens["nought"]) as nought,
        ):
            cross.until("view")
            nought.until("view")
            store.mode = "before"
            cross.answer(4)
            told = cross.until("done", "refused")
            assert (told["tell"], told["code"]) == ("refused", "not-stored")
            assert store.entries(match["match"]) == []
            store.mode = ""
            cross.answer(4)
            assert cross.until("done", "refused")["tell"] == "done"
            nought.until_view(1)
            assert [m for m in nought.heard if m["tell"] == "view"][1]["version"] == 1


def test_a_commit_reported_as_failed_that_was_none_is_found_again(tmp_path: Path) -> None:
    store = Brittle(tmp_path / "m.db")
    with serving(store) as served:
        match = served.create("tic-tac-toe", ["me", "link"])
        with served.page(match["match"], match["tokens"]["cross"]) as cross:
            cross.until("view")
            store.mode = "after"
            cross.answer(4, "cross", 0)
            told = cross.until("done", "refused")
            assert told["tell"] == "refused"
            store.mode = ""
            cross.answer(4, "cross", 0)
            assert cross.until("done", "refused")["tell"] == "done"
            assert len(store.entries(match["match"])) == 1


def test_another_process_was_first(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as served:
        match = served.create("tic-tac-toe", ["me", "link"])
        with served.page(match["match"], match["tokens"]["cross"]) as cross:
            cross.until("view")
            other = SqliteStore(tmp_path / "m.db")
            room = served.hall._rooms[match["match"]]
            entry = room.match.answered("cross", 0, 3)
            assert other.append([Append(match["match"], 0, entry)]) == [None]
            cross.answer(4, "cross", 0)
            assert cross.until("done", "refused")["code"] == "stale"
            assert cross.until_view(1)["version"] == 1


def test_my_matches_say_whose_turn_it_is(served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "link"])
    tokens = match["tokens"]
    for seat, turn in (("cross", True), ("nought", False)):
        _, found, _ = served.request("/api/mine", {match["match"]: [tokens[seat]], "gone": ["x"]})
        assert [(one["match"], one["yourTurn"]) for one in found] == [(match["match"], turn)]
    assert served.request("/api/mine", {"a": "b"})[0] == 422


def test_the_database_of_a_server_is_whole(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as served:
        served.create("tic-tac-toe", ["me", "link"])
    found = sqlite3.connect(tmp_path / "m.db").execute("pragma integrity_check").fetchone()
    assert found == ("ok",)


def test_frames_have_a_largest_size(served: Served) -> None:
    match = served.create("tic-tac-toe", ["me", "link"])
    with served.page(match["match"]) as page:
        page.until("view")
        page.socket.send(json.dumps({"say": "look", "seat": "x" * 9000, "at": None}))
        with pytest.raises(ConnectionClosed):
            while True:
                page.hear()
