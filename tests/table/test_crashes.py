"""The server is killed again and again while people play: what was acknowledged is there."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from ludwright.table.match import Match
from ludwright.table.rules import Rules, stored_rules
from ludwright.table.sqlite_store import SqliteStore
from tests.table.server_under_test import Page, Served

KILLS = int(os.environ.get("LUDWRIGHT_KILLS", "20"))
PLAYERS = 3


def start(path: Path, port: int) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-m", "ludwright", "serve", "--port", str(port), "--store", str(path),
        "--pause", "0",
    ]  # fmt: skip
    environment = {**os.environ, "LUDWRIGHT_ENGINE": "python"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    for _ in range(2400):  # a minute: the machine may be busy
        assert process.poll() is None, "the server ended by itself"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
        time.sleep(0.025)
    process.kill()
    raise AssertionError("the server did not start")


class Player(threading.Thread):
    """Plays one match alone, over and over again through crashes; notes what was acknowledged."""

    def __init__(self, served: Served, number: int) -> None:
        super().__init__(daemon=True)
        self.served, self.rng = served, random.Random(number)
        self.acknowledged: dict[str, dict[int, Any]] = {}
        self.told: dict[str, int] = {}
        self.stop = threading.Event()
        self.problem: BaseException | None = None

    def run(self) -> None:
        match: dict[str, Any] | None = None
        while not self.stop.is_set():
            try:
                if match is None:
                    match = self.served.create("tic-tac-toe", ["me", "me"])
                if self._play(match):
                    match = None
            except (OSError, HTTPException, WebSocketException, TimeoutError, EOFError):
                time.sleep(0.05)
            except BaseException as problem:
                self.problem = problem
                return

    def _play(self, match: dict[str, Any]) -> bool:
        id_ = match["match"]
        with self.served.page(id_, *match["tokens"].values()) as page:
            page.until("view")
            self._check(id_, page)
            while page.view["result"] is None and not self.stop.is_set():
                seat = page.view["asked"][0]
                if page.view["viewer"] != seat:
                    page.say(say="look", seat=seat, at=None)
                    page.until("view")
                    continue
                number = page.view["decision"]["number"]
                option = self.rng.randrange(len(page.view["decision"]["options"]))
                page.answer(option)
                told = page.until("done", "refused")
                assert told["tell"] == "done", told
                self.acknowledged.setdefault(id_, {})[number] = option
                page.until_view(number + 1)
                self._check(id_, page)
            return page.view["result"] is not None

    def _check(self, id_: str, page: Page) -> None:
        """What was told never goes back, and holds all that was acknowledged."""
        version = page.view["version"]
        assert version >= self.told.get(id_, 0), "a page was told what was not stored"
        assert version >= len(self.acknowledged.get(id_, {})), "an acknowledged answer is lost"
        self.told[id_] = version


@pytest.mark.timeout(1200 + 30 * KILLS)  # the machine may be busy
def test_no_acknowledged_answer_is_lost_and_none_told_that_was_not_stored(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = tmp_path / "m.db"
    served = Served(port, None)  # type: ignore[arg-type]
    rng = random.Random(1)
    process = start(path, port)
    try:
        players = [Player(served, number) for number in range(PLAYERS)]
        for player in players:
            player.start()
        for _ in range(KILLS):
            time.sleep(rng.uniform(0.3, 1.2))
            process.send_signal(signal.SIGKILL)
            process.wait()
            process = start(path, port)
        time.sleep(0.5)
        for player in players:
            player.stop.set()
            player.join(20)
    finally:
        process.terminate()
        process.wait(20)
    for player in players:
        assert player.problem is None, player.problem
    _check_store(path, players)


def _check_store(path: Path, players: list[Player]) -> None:
    store = SqliteStore(path)
    known: dict[str, Rules] = {}  # all matches have the same
    count = 0
    for player in players:
        for id_, answers in player.acknowledged.items():
            record = store.match(id_)
            assert record is not None
            if record.rules not in known:
                kept = store.rules(record.rules)
                assert kept is not None
                known[record.rules] = stored_rules(kept)
            entries = store.entries(id_)
            match = Match(record, known[record.rules])
            for number, entry in enumerate(entries):
                if number in answers:
                    seat = match.asked_seats()[0]
                    assert match.answered(seat, match.number(seat), answers[number]) == entry
                    count += 1
                match.take(entry, match.stepped(entry))
            assert set(answers) <= set(range(len(entries)))
            assert player.told.get(id_, 0) <= len(entries)
    assert count > KILLS, "people could play between the crashes"
