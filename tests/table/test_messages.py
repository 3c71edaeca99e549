"""Absent players are told once for each turn, and no server asks anything of its own network."""

from __future__ import annotations

import json
import re
import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_string
from email.policy import default
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from ludwright.table.messages import (
    QUESTIONS,
    BadContact,
    Message,
    Messenger,
    Settings,
    checked_webhook,
    is_public,
    post,
)
from ludwright.table.records import Contact
from ludwright.table.sqlite_store import SqliteStore
from tests.table.server_under_test import serving


class Hook(BaseHTTPRequestHandler):
    """Keeps what it is sent; `/elsewhere` sends on to `/`."""

    heard: list[tuple[str, Any]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.heard.append((self.path, json.loads(body)))
        self.send_response(302 if self.path == "/elsewhere" else 200)
        self.send_header("location", "/followed")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def hook() -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    heard: list[tuple[str, Any]] = []
    server = HTTPServer(("127.0.0.1", 0), type("Own", (Hook,), {"heard": heard}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook", heard
    server.shutdown()
    server.server_close()


def until(condition: Any, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


SOON = Settings("https://table.example.org", private=True, patience=0.15)


def test_one_message_for_each_turn_and_none_while_connected(
    tmp_path: Path, hook: tuple[str, list[tuple[str, Any]]]
) -> None:
    url, heard = hook
    with serving(tmp_path / "m.db", settings=SOON) as served:
        match = served.create("chess", ["me", "link"])
        id_, tokens = match["match"], match["tokens"]
        with served.page(id_, tokens["black"]) as black:
            black.until("view")
            black.say(say="tell", seat="black", webhook=url, mail="")
            assert black.until("contact")["webhook"] == url
        with served.page(id_, tokens["white"]) as white:
            white.until("view")
            for at, cell in enumerate(["e2", "e4"]):
                white.answer(white.option(cell))
                white.until_view(at + 1)
            until(lambda: heard)
            (path, told), *more = heard
            assert more == []
            assert path == "/hook"
            assert told["seat"] == "black"
            assert told["link"] == f"https://table.example.org/m/{id_}"
            assert not any(token in json.dumps(told) for token in tokens.values())
            with served.page(id_, tokens["black"]) as black:  # comes, begins a move, and leaves
                black.until("view")
                black.answer(black.option("e7"))
                black.until_view(3)
            time.sleep(0.5)
            assert len(heard) == 1, "it is still the same turn"
            with served.page(id_, tokens["black"]) as black:
                black.until("view")
                black.answer(black.option("e5"))
                black.until_view(4)
                white.until_view(4)
                for at, cell in enumerate(["d2", "d4"]):
                    white.answer(white.option(cell))
                    white.until_view(at + 5)
                time.sleep(0.5)
                assert len(heard) == 1, "nobody is told who is here"
            until(lambda: len(heard) == 2)
            time.sleep(0.4)
            assert len(heard) == 2


def test_nobody_else_sets_or_sees_a_contact(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", settings=SOON) as served:
        match = served.create("tic-tac-toe", ["me", "link"])
        with served.page(match["match"], match["tokens"]["cross"]) as cross:
            cross.until("view")
            cross.say(say="tell", seat="nought", webhook="https://example.org", mail="")
            assert cross.until("refused")["code"] == "not-your-seat"
            cross.say(say="tell", seat="cross", webhook="", mail="ana@example.org")
            assert cross.until("refused")["reason"] == "this server sends no mail"
        assert served.hall._store.contacts(match["match"]) == {}


PRIVATE = [
    "http://127.0.0.1/", "http://localhost:8080/x", "http://10.1.2.3/", "http://192.168.0.1/",
    "http://172.16.5.5/", "http://169.254.169.254/latest/meta-data/", "http://[::1]/",
    "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/", "http://2130706433/", "http://0x7f.1/",
    "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://[fe80::1]/",
    "http://[fd00::1]/", "http://100.64.0.1/", "http://224.0.0.1/",
]  # fmt: skip
WRONG = [
    "file:///etc/passwd", "ftp://example.org/", "gopher://x", "https://", "https://a b/", "x",
    "https://user:secret@example.org/", "https://example.org:99999/", "http://[::1", "",
    "https://example.org/" + "x" * 600,
]  # fmt: skip


@pytest.mark.parametrize("url", [*PRIVATE, *WRONG])
def test_webhooks_go_to_public_addresses_only(url: str) -> None:
    with pytest.raises(BadContact):
        checked_webhook(url, private=False)


def test_public_addresses_are_public() -> None:
    assert is_public("93.184.216.34")
    assert is_public("2606:2800:220:1:248:1893:25c8:1946")


def test_the_connection_goes_to_the_address_that_was_checked(
    monkeypatch: pytest.MonkeyPatch, hook: tuple[str, list[tuple[str, Any]]]
) -> None:
    """A name that stands for something else the second time is asked once only."""
    url, heard = hook
    port = int(url.split(":")[2].split("/")[0])
    asked: list[str] = []

    def resolve(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        address = "127.0.0.1" if len(asked) == 1 else "127.0.0.9"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    connected: list[Any] = []
    monkeypatch.setattr(
        socket, "create_connection", lambda at, timeout: _connected(at, timeout, connected)
    )
    assert post(f"http://rebound.example:{port}/hook", b"{}", private=True) == 200
    assert asked == ["rebound.example"]
    assert connected == [("127.0.0.1", port)]
    assert [path for path, _ in heard] == ["/hook"]


def _connected(at: tuple[str, int], timeout: float, connected: list[Any]) -> socket.socket:
    connected.append(at)
    line = socket.socket()
    line.settimeout(timeout)
    line.connect(at)
    return line


def test_nobody_is_followed_elsewhere(hook: tuple[str, list[tuple[str, Any]]]) -> None:
    url, heard = hook
    assert post(url.replace("/hook", "/elsewhere"), b"{}", private=True) == 302
    assert [path for path, _ in heard] == ["/elsewhere"]


class Mailbox(socketserver.StreamRequestHandler):
    """As much of SMTP as a message needs."""

    got: list[str]

    def handle(self) -> None:
        self._say("220 here")
        for line in iter(self.rfile.readline, b""):
            word = line.decode().strip().upper()
            if word == "DATA":
                self._say("354 go on")
                text = b""
                while not text.endswith(b"\r\n.\r\n"):
                    text += self.rfile.readline()
                self.got.append(text.decode())
            self._say("221 bye" if word == "QUIT" else "250 fine")
            if word == "QUIT":
                return

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


def test_an_email_by_the_settings_of_the_server(tmp_path: Path) -> None:
    with mailbox() as (smtp, got):
        settings = Settings("https://table.example.org", smtp, sender="table@example.org")
        messenger = Messenger(SqliteStore(tmp_path / "m.db"), settings)
        message = Message("abc", "Chess\r\nBcc: all@example.org", "black", "https://x/m/abc")
        messenger._send(Contact(mail="ana@example.org"), message)
    (mail,) = got
    head, _, body = mail.partition("\r\n\r\n")
    assert "To: ana@example.org" in head
    assert "\nBcc:" not in head, "a title is never a header"
    assert "it is your turn as black. https://x/m/abc" in body


@contextmanager
def mailbox() -> Iterator[tuple[str, list[str]]]:
    got: list[str] = []
    kind = type("Own", (Mailbox,), {"got": got})
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), kind)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_address[1]}", got
    server.shutdown()
    server.server_close()


def body_of(mail: str) -> str:
    content: str = message_from_string(mail, policy=default).get_content()
    return content.replace("\n", "")


def test_an_address_is_told_of_turns_only_after_it_was_confirmed(tmp_path: Path) -> None:
    with mailbox() as (smtp, got):
        settings = Settings(
            "https://table.example.org", smtp, sender="table@example.org", patience=0.1
        )
        with serving(tmp_path / "m.db", settings=settings) as served:
            match = served.create("tic-tac-toe", ["me", "link"])
            id_, tokens = match["match"], match["tokens"]
            with served.page(id_, tokens["cross"]) as cross:
                cross.until("view")
                cross.say(say="tell", seat="cross", webhook="", mail="ana@example.org")
                told = cross.until("contact")
                assert (told["mail"], told["confirmed"]) == ("ana@example.org", False)
            time.sleep(0.5)  # away, and asked to decide
            (question,) = got
            assert "To: ana@example.org" in question
            link = re.search(r"https://table\S+#confirm=cross\.([\w-]+)", body_of(question))
            assert link is not None
            stored = served.hall._store.contacts(id_)["cross"]
            assert link[1] not in stored.mail, "the code itself is not kept"

            def confirm(code: str, seat: str = "cross") -> int:
                body = {"match": id_, "seat": seat, "code": code}
                return served.request("/api/confirm", body)[0]

            assert confirm("guessed") == 403
            assert confirm(link[1], "nought") == 403
            assert confirm(link[1]) == 200
            assert confirm(link[1]) == 403, "a code is good once"
            with served.page(id_, tokens["cross"]) as cross:
                cross.until("view")
            until(lambda: len(got) == 2)
            assert "it is your turn as cross" in body_of(got[1])
            with served.page(id_, tokens["cross"]) as cross:  # said again, it needs no new code
                cross.until("view")
                cross.say(say="tell", seat="cross", webhook="", mail="ana@example.org")
                assert cross.until("contact")["confirmed"] is True
            assert len(got) == 2


def test_nobody_is_asked_again_and_again_to_confirm_an_address(tmp_path: Path) -> None:
    with mailbox() as (smtp, got):
        settings = Settings("https://table.example.org", smtp, sender="table@example.org")
        with serving(tmp_path / "m.db", settings=settings) as served:
            match = served.create("tic-tac-toe", ["me", "link"])
            with served.page(match["match"], match["tokens"]["cross"]) as cross:
                cross.until("view")
                for _ in range(QUESTIONS):
                    cross.say(say="tell", seat="cross", webhook="", mail="ana@example.org")
                    cross.until("contact")
                cross.say(say="tell", seat="cross", webhook="", mail="ana@example.org")
                assert cross.until("refused")["code"] == "bad-contact"
        assert len(got) == QUESTIONS


def test_a_message_that_fails_harms_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    messenger = Messenger(SqliteStore(tmp_path / "m.db"), Settings(private=True))
    contact = Contact(webhook="http://127.0.0.1:1/secret-path")
    messenger._send(contact, Message("abc", "Chess", "black", ""))
    assert "a message failed" in caplog.text
    assert "secret-path" not in caplog.text
