"""Traces: a played game as data, enough to play it again and to notice any difference.

A trace holds the hash of the game it belongs to, the seed, what every seat answered, and the hash
of the state after every part (one seat's decisions between two barriers).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ludwright.agents.protocol import Option

T = TypeVar("T")

FORMAT = "ludwright-trace/1"


class TraceError(Exception):
    """A trace that can't be read or does not belong to this game; the message says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One part of a move: who answered what, the chance outcomes that followed, the state then."""

    seat: str
    action: str
    params: tuple[tuple[str, Option], ...]  # decision id, answer; in the order asked
    chance: tuple[Option, ...] = ()
    state_hash: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    game: str  # what `load` was given: a shipped game's name or a path
    gamedef_hash: str
    parameters: Mapping[str, int | bool]
    players: int
    seed: int
    start_hash: str
    entries: tuple[Entry, ...] = field(default=())
    scenario: str | None = None

    def to_json(self) -> str:
        return json.dumps(
            {
                "format": FORMAT,
                "game": self.game,
                "gamedef_hash": self.gamedef_hash,
                "parameters": dict(self.parameters),
                "players": self.players,
                "seed": self.seed,
                "scenario": self.scenario,
                "start_hash": self.start_hash,
                "entries": [
                    {
                        "seat": entry.seat,
                        "action": entry.action,
                        "params": [list(param) for param in entry.params],
                        "chance": list(entry.chance),
                        "state_hash": entry.state_hash,
                    }
                    for entry in self.entries
                ],
            },
            indent=1,
            ensure_ascii=False,
        )

    def write(self, path: Path) -> None:
        path.write_text(self.to_json() + "\n", encoding="utf-8")


def read_trace(path: Path) -> Trace:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TraceError(f"{path} can't be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise TraceError(f"{path} is not a saved game: it is not JSON text") from None
    return trace_from_json(data, str(path))


def trace_from_json(data: Any, source: str = "the trace") -> Trace:
    """Checks every field, since a trace comes from outside."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise TraceError(f"{source} is not a saved game: `format` is not `{FORMAT}`")
    reader = _Fields(data, source)
    entries = reader.get("entries", list)
    scenario = data.get("scenario")
    if scenario is not None and not isinstance(scenario, str):
        raise TraceError(f"{source}: `scenario` is not a text")
    return Trace(
        game=reader.get("game", str),
        gamedef_hash=reader.get("gamedef_hash", str),
        parameters=_parameters(reader.get("parameters", dict), source),
        players=reader.get("players", int),
        seed=reader.get("seed", int),
        start_hash=reader.get("start_hash", str),
        entries=tuple(_entry(item, f"{source}, entry {i}") for i, item in enumerate(entries, 1)),
        scenario=scenario,
    )


def plain(value: Any) -> Option:
    """A value as JSON gives it back: lists where there are tuples."""
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def _entry(data: Any, source: str) -> Entry:
    if not isinstance(data, dict):
        raise TraceError(f"{source} is not an object")
    reader = _Fields(data, source)
    return Entry(
        seat=reader.get("seat", str),
        action=reader.get("action", str),
        params=tuple(_param(item, source) for item in reader.get("params", list)),
        chance=tuple(reader.get("chance", list)),
        state_hash=reader.get("state_hash", str),
    )


def _param(data: Any, source: str) -> tuple[str, Option]:
    if not (isinstance(data, list) and len(data) == 2 and isinstance(data[0], str)):
        raise TraceError(f"{source}: `params` are pairs of a decision and its answer")
    return data[0], data[1]


def _parameters(data: Mapping[str, Any], source: str) -> dict[str, int | bool]:
    for name, value in data.items():
        if not isinstance(value, int):
            raise TraceError(f"{source}: parameter `{name}` is neither a number nor true or false")
    return dict(data)


class _Fields:
    def __init__(self, data: Mapping[str, Any], source: str) -> None:
        self._data = data
        self._source = source

    def get(self, name: str, kind: type[T]) -> T:
        value = self._data.get(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            found = "is missing" if name not in self._data else "has the wrong type"
            raise TraceError(f"{self._source}: `{name}` {found} (expected {_WORDS[kind]})")
        return value


_WORDS: Mapping[type, str] = {
    str: "text",
    int: "a number",
    list: "a list",
    dict: "an object",
}
