"""Frames that no page of ours sends: none is accepted, none breaks anything."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ludwright.table.frames import BadFrame, parse
from ludwright.table.hall import Hall, Wanted
from ludwright.table.sqlite_store import SqliteStore
from tests.table.playing import random_numbers
from tests.table.server_under_test import QuickBots

COUNT = int(os.environ.get("LUDWRIGHT_FRAMES", "3000"))
WORDS: list[Any] = [
    None, True, False, -1, 0, 1, 7, 2**31, 2**31 - 1, 2**63, 10**400, 1.5, float("inf"), "", "cross",
    "North", "East", "__stop", "__spectator", "*", "a" * 65, "\x00", "🂡", "../../etc/passwd", [], [0],
    [0, 0], [-1], [2**40], ["x"], [[0]], [0] * 1001, {}, {"say": "answer"},
]  # fmt: skip


class Wire:
    """A line that keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []

    def send(self, message: dict[str, Any] | str) -> None:
        told = json.loads(message) if isinstance(message, str) else message
        json.dumps(told)  # it can be sent
        self.told.append(told)


def mutated(frame: dict[str, Any], rng: random.Random) -> str | bytes:
    """A frame that is wrong in one way or another."""
    frame = dict(frame)
    for _ in range(rng.randrange(1, 3)):
        kind = rng.randrange(4)
        key = rng.choice([*frame, "say", "seat", "decision", "option", "position", "version"])
        if kind == 0:
            frame.pop(key, None)
        elif kind == 1:
            frame[key] = rng.choice(WORDS)
        elif kind == 2:
            frame["say"] = rng.choice(
                [
                    "answer",
                    "picks",
                    "undo",
                    "withdraw",
                    "consent",
                    "look",
                    "why",
                    "sit",
                    "hello",
                    "x",
                ]
            )
        elif isinstance(frame.get(key), int):
            frame[key] += rng.choice([-1, 1, 100, -(2**33)])
    text = json.dumps(frame)
    way = rng.randrange(12)
    if way == 0:
        at = rng.randrange(len(text) + 1)
        return text[:at] + rng.choice(["{", "}", '"', "\\", "[" * 3000, "\ud800"]) + text[at:]
    if way == 1:
        return text[: rng.randrange(len(text) + 1)]
    if way == 2:
        return text.encode("utf-8", "surrogatepass") + bytes(rng.randrange(256) for _ in range(5))
    return text


@pytest.mark.parametrize("game", ["tic-tac-toe", "hearts"])
def test_no_mutated_frame_is_accepted(tmp_path: Path, game: str) -> None:
    found = asyncio.run(_attack(tmp_path / "m.db", game, COUNT // 2))
    assert found["accepted"] == 0
    assert found["bad-frame"] > COUNT // 20
    assert found["not-your-seat"] > 0
    assert found["entries"] == 12, "the game itself went on meanwhile"


async def _attack(path: Path, game: str, count: int) -> Counter[str]:
    """A stranger at one seat sends rubbish while the others play."""
    hall = Hall(SqliteStore(path), pause=0, bots=QuickBots())
    rng, found = random.Random(game), Counter[str]()
    players = 4 if game == "hearts" else 2
    made = await hall.create(Wanted(game, {}, None, ("me",) * players, 7))
    room = await hall.room(made["match"])
    assert room is not None
    *honest, stranger = made["tokens"]
    wire = Wire()
    visitor = hall.visitor(room, wire, [made["tokens"][stranger]])
    others = hall.visitor(room, Wire(), [made["tokens"][seat] for seat in honest])
    room.enter(visitor)
    room.enter(others)
    for at in range(count):
        if room.match.over or at % (count // 12 + 1) == 0:
            await _one_more(room, rng)
        seat = rng.choice(room.match.seats)
        base = {
            "say": "answer", "seat": seat, "decision": room.match.number(seat),
            "option": rng.choice([0, 3, [0, 1, 2]]), "version": room.match.version, "position": 0,
            "at": 1, "value": "2C", "yes": True, "label": None, "bot": None,
        }  # fmt: skip
        before = list(room.match.entries)
        try:
            frame = parse(mutated(base, rng))
        except BadFrame:
            found["bad-frame"] += 1
            continue
        wire.told.clear()
        await room.hear(visitor, frame)
        for told in wire.told:
            found[told.get("code", told["tell"])] += 1
        made_by_stranger = [e for e in room.match.entries[len(before) :] if e.seat != stranger]
        found["accepted"] += len(made_by_stranger)
        found["accepted"] += room.match.entries[: len(before)] != before
        assert "tokens" not in json.dumps(wire.told)
    found["entries"] = sum(e.seat != stranger or e.kind == "answer" for e in room.match.entries)
    while found["entries"] < 12 and not room.match.over:
        await _one_more(room, rng)
        found["entries"] += 1
    found["entries"] = min(found["entries"], 12) if not room.match.over else 12
    hall.close()
    return found


async def _one_more(room: Any, rng: random.Random) -> None:
    """An honest answer of whoever is asked."""
    if room.match.over:
        return
    seat = room.match.asked_seats()[0]
    numbers = random_numbers(room.match, seat, rng)
    await room._commit(room.match.answered(seat, room.match.number(seat), numbers))


def test_every_kind_of_frame_is_read() -> None:
    good: list[dict[str, Any]] = [
        {"say": "hello", "match": "m", "tokens": ["t"]},
        {"say": "answer", "seat": "a", "decision": 1, "option": 0},
        {"say": "answer", "seat": "a", "decision": 1, "option": [0, 2]},
        {"say": "picks", "seat": "a", "decision": 1, "option": []},
        {"say": "undo", "seat": "a", "version": 3, "position": 1},
        {"say": "withdraw", "seat": "a", "version": 3},
        {"say": "consent", "seat": "a", "yes": True},
        {"say": "look", "seat": "", "at": None},
        {"say": "look", "seat": "*", "at": 4},
        {"say": "why", "seat": "a", "value": "b2"},
        {"say": "sit", "seat": "a", "label": "Ana", "bot": None},
    ]
    for frame in good:
        parse(json.dumps(frame))
        for key in frame:
            if key in ("tokens", "label", "bot", "at"):
                continue
            with pytest.raises(BadFrame):
                parse(json.dumps({k: v for k, v in frame.items() if k != key}))
