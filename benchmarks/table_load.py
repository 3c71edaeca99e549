"""How much the table carries: many matches and sockets, decisions at a steady rate.

Starts a server of its own on loopback and plays tic-tac-toe in all matches, two sockets each.
Prints the time from sending an answer to its acknowledgement, which comes after the commit, the
memory used, and the processor time of the server for each decision: that says what it could carry
even where other programs keep the machine busy, while the times then mostly tell of those.
The program that asks shares the machine with the server: how late its own loop was is printed too,
since that is part of every time. It does not collect garbage while it measures.

    python benchmarks/table_load.py --matches 1000 --rate 200 --seconds 20
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

NAP = 0.002  # seconds between looks at the clock


class Seat:
    """One socket at one seat; it keeps the last view."""

    def __init__(self) -> None:
        self.view: dict[str, Any] = {}
        self.done: asyncio.Future[None] | None = None
        self.socket: ClientConnection | None = None
        self.changed = asyncio.Event()

    async def sit(self, host: str, match: str, token: str) -> None:
        self.socket = await connect(f"ws://{host}/socket", origin=f"http://{host}")  # type: ignore[arg-type]
        await self.socket.send(json.dumps({"say": "hello", "match": match, "tokens": [token]}))
        self.task = asyncio.create_task(self._listen(self.socket))
        while not self.view:
            await self.changed.wait()

    async def _listen(self, socket: ClientConnection) -> None:
        async for text in socket:
            told = json.loads(text)
            if told["tell"] == "view":
                self.view = told
                self.changed.set()
            elif told["tell"] == "done" and self.done is not None and not self.done.done():
                self.done.set_result(None)
            elif told["tell"] == "refused":
                print("refused:", told, file=sys.stderr)


async def answer(seats: dict[str, Seat], rng: random.Random) -> float | None:
    """One decision of a match; None if it is over."""
    view = max((seat.view for seat in seats.values()), key=lambda view: int(view["version"]))
    if view["result"] is not None or not view["asked"]:
        return None
    seat = seats[view["asked"][0]]
    while seat.view["version"] < view["version"]:
        seat.changed.clear()
        await seat.changed.wait()
    decision = seat.view["decision"]
    option = rng.randrange(len(decision["options"]))
    seat.done = asyncio.get_running_loop().create_future()
    frame = {
        "say": "answer", "seat": seat.view["viewer"], "decision": decision["number"],
        "option": option,
    }  # fmt: skip
    began = time.perf_counter()
    assert seat.socket is not None
    await seat.socket.send(json.dumps(frame))
    await asyncio.wait_for(seat.done, 30)
    took = time.perf_counter() - began
    while seat.view["version"] <= view["version"]:
        seat.changed.clear()
        await seat.changed.wait()
    return took


def create(host: str) -> dict[str, Any]:
    body = json.dumps({"game": "tic-tac-toe", "seats": ["me", "me"]}).encode()
    request = urllib.request.Request(f"http://{host}/api/matches", body)
    request.add_header("origin", f"http://{host}")
    with urllib.request.urlopen(request, timeout=30) as found:
        made: dict[str, Any] = json.loads(found.read())
        return made


@dataclass
class Found:
    """What a run has shown, in seconds."""

    times: list[float] = field(default_factory=list)  # from an answer to its acknowledgement
    late: list[float] = field(default_factory=list)  # by which this program woke up too late
    took: float = 0.0
    used: float = 0.0  # processor time of the server


async def load(host: str, count: int, rate: float, seconds: float, pid: int) -> Found:
    rng = random.Random(1)
    tables: list[dict[str, Seat]] = []
    for _ in range(count):
        made = await asyncio.to_thread(create, host)
        seats = {name: Seat() for name in made["tokens"]}
        await asyncio.gather(
            *(seats[n].sit(host, made["match"], token) for n, token in made["tokens"].items())
        )
        tables.append(seats)
    print(f"{count} matches and {2 * count} sockets are open", flush=True)
    gc.disable()  # half a second at a time with so many views, and it would count as the server's
    found = Found()
    busy: set[int] = set()
    tasks: set[asyncio.Task[None]] = set()

    async def play(at: int) -> None:
        try:
            took = await answer(tables[at], rng)
            if took is not None:
                found.times.append(took)
        finally:
            busy.discard(at)

    began, used = time.perf_counter(), processor(pid)
    sent = 0
    open_ = list(range(count))  # matches that are not over
    while (now := time.perf_counter() - began) < seconds and open_:
        while sent < now * rate and open_:
            place = rng.randrange(len(open_))
            at = open_[place]
            sent += 1
            if _over(tables[at]):
                open_[place] = open_[-1]
                open_.pop()
            elif at not in busy:
                busy.add(at)  # before the task runs: several may be begun at once
                task = asyncio.create_task(play(at))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
        slept = time.perf_counter()
        await asyncio.sleep(NAP)
        found.late.append(time.perf_counter() - slept - NAP)
    await asyncio.gather(*tasks, return_exceptions=True)
    found.took, found.used = time.perf_counter() - began, processor(pid) - used
    return found


def _over(seats: dict[str, Seat]) -> bool:
    return any(seat.view["result"] is not None for seat in seats.values())


def processor(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Megabytes that a process has used at most."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=200.0, help="decisions a second")
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "ludwright", "serve", "--port", str(port), "--store",
            str(Path(folder) / "m.db"),
        ]  # fmt: skip
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=dict(os.environ))
        try:
            while socket.socket().connect_ex(("127.0.0.1", port)):
                time.sleep(0.05)
            host = f"127.0.0.1:{port}"
            found = asyncio.run(load(host, given.matches, given.rate, given.seconds, server.pid))
            report(found, memory(server.pid))
        finally:
            server.terminate()
            server.wait()


def report(found: Found, megabytes: float) -> None:
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{len(found.times) / found.took:.0f} decisions a second")
    print(f"{found.used / len(found.times) * 1000:.2f} ms of processor time for each")
    for what, times in (("answer", found.times), ("this program late", found.late)):
        ordered = sorted(times)
        shares = (
            f"p{share * 100:g} {ordered[int(len(ordered) * share)] * 1000:.1f} ms"
            for share in (0.5, 0.9, 0.99, 0.999)
        )
        print(f"{what}: {', '.join(shares)}, at most {ordered[-1] * 1000:.1f} ms")
    print(f"the server used {megabytes:.0f} MB at most")


if __name__ == "__main__":
    main()
