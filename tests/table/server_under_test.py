"""A server to test with, in a thread of this process, and a page that is a program."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from typing import Any

import uvicorn
from websockets import Origin
from websockets.sync.client import ClientConnection, connect

from ludwright.table.bots import Bots
from ludwright.table.editor import Writing
from ludwright.table.frames import LARGEST
from ludwright.table.hall import Hall
from ludwright.table.messages import Settings
from ludwright.table.server import app_of
from ludwright.table.sqlite_store import SqliteStore
from ludwright.table.store import Store
from ludwright.table.uploads import Uploads


class QuickBots(Bots):
    """Bots that think here: the tests of rooms need no processes."""

    async def answer(self, task: Any) -> Any:
        from ludwright.table.bots import think

        return think(task)


class Served:
    def __init__(self, port: int, hall: Hall) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.host = f"127.0.0.1:{port}"
        self.hall = hall

    def request(
        self, path: str, body: Any = None, origin: str | None = "own", owner: str | None = None
    ) -> tuple[int, Any, Message]:
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data)
        if owner is not None:
            request.add_header("x-ludwright-owner", owner)
        if origin is not None:
            request.add_header("origin", self.address if origin == "own" else origin)
        try:
            with urllib.request.urlopen(request, timeout=120) as found:
                return found.status, _read(found.read()), found.headers
        except urllib.error.HTTPError as refused:
            return refused.code, _read(refused.read()), refused.headers

    def create(self, game: str, seats: list[str], **more: Any) -> dict[str, Any]:
        status, told, _ = self.request("/api/matches", {"game": game, "seats": seats, **more})
        assert status == 200, told
        found: dict[str, Any] = told
        return found

    @contextmanager
    def page(self, match: str, *tokens: str) -> Iterator[Page]:
        with connect(f"ws://{self.host}/socket", origin=Origin(self.address)) as socket:
            page = Page(socket)
            page.say(say="hello", match=match, tokens=list(tokens))
            yield page


def _read(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode()


class Page:
    """What a browser would do, one message after the other."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}

    def say(self, **frame: Any) -> None:
        self.socket.send(json.dumps(frame))

    def hear(self, timeout: float = 10) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout))
        self.heard.append(told)
        if told["tell"] == "view":
            self.view = told
        return told

    def until(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while True:
            told = self.hear()
            if told["tell"] in kinds:
                return told

    def until_view(self, version: int) -> dict[str, Any]:
        while self.view.get("version", -1) < version:
            self.until("view")
        return self.view

    def answer(self, option: int | list[int], seat: str = "", decision: int | None = None) -> None:
        number = self.view["decision"]["number"] if decision is None else decision
        self.say(say="answer", seat=seat or self.view["viewer"], decision=number, option=option)

    def option(self, text: str) -> int:
        return [option["text"] for option in self.view["decision"]["options"]].index(text)


@contextmanager
def serving(
    store: Store | Path,
    bots: Bots | None = None,
    pause: float = 0.0,
    port: int = 0,
    files: dict[str, Path] | None = None,
    develop: bool = False,
    writing: Writing | None = None,
    settings: Settings | None = None,
    uploads: Uploads | None = None,
) -> Iterator[Served]:
    kept = SqliteStore(store) if isinstance(store, Path) else store
    hall = Hall(kept, files, pause, bots or QuickBots(), settings)
    config = uvicorn.Config(
        app_of(hall, develop=develop, writing=writing, uploads=uploads),
        port=port,
        log_level="error",
        ws_max_size=LARGEST,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Served(port, hall)
    finally:
        server.should_exit = True
        thread.join(10)
