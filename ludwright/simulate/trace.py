"""Traces: a played game as data, enough to play it again and to notice any difference.

A trace holds the hash of the game it belongs to, the seed, what every seat answered, and the hash
of the state after every part (one seat's decisions between two barriers).

In a file everything is sealed: the seal of an entry is a hash of the entry and of the seal before
it, the first one is that of the set-up, and the last one stands at the end. Whatever is changed,
removed, repeated, moved or cut off in the file breaks a seal, and reading it names that entry.
Seals detect accidents. A forger can compute them anew, but `replay` compares
every answer with the rules.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from ludwright.agents.protocol import Option
from ludwright.characters import code_point, unseen_in
from ludwright.errors import LudwrightError
from ludwright.files import write_whole
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.protocol.arguments import plain_answer

T = TypeVar("T")

FORMAT = "ludwright-trace/3"
MAX_OPTION_DEPTH = 16  # lists in lists; no rulebook offers more

Where = Literal["set-up", "decision", "answer", "agent", "driver"]


class TraceError(LudwrightError):
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
class Stopped:
    """Why a game could not go on after the last entry.

    `where`: in set-up, when the next decision was asked for, by an answer (the one given here), or
    outside of the game: while an agent thought, or because the driver gave up.
    """

    where: Where
    code: str  # of the fault
    message: str
    seat: str = ""
    decision_id: str = ""
    option: Option = None


@dataclass(frozen=True, slots=True)
class Trace:
    game: str  # what `load` was given: a shipped game's name or a path
    gamedef_hash: str
    parameters: Mapping[str, int | bool]
    players: int
    seed: int
    start_hash: str  # empty if there was a fault in set-up
    entries: tuple[Entry, ...] = field(default=())
    scenario: str | None = None
    chance: ChanceMode = "generator"
    stopped: Stopped | None = None
    sitting: Mapping[str, str] = field(default_factory=dict)  # by seat: `person`, or which bot

    def to_json(self) -> str:
        head, entries, stopped = _plain(self)
        first, *seals, last = _seals(head, entries, stopped)
        for entry, seal in zip(entries, seals, strict=True):
            entry["seal"] = seal
        data = {**head, "seal": first, "entries": entries, "stopped": stopped, "end": last}
        return json.dumps(data, indent=1, ensure_ascii=False)

    def write(self, path: Path) -> None:
        """Write the trace to a file; a failure leaves an earlier save as it was."""
        write_whole(path, self.to_json() + "\n")


def read_trace(path: Path) -> Trace:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TraceError(f"{path} can't be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise TraceError(f"{path} is not a saved game: it is not JSON text") from None
    return trace_from_json(data, str(path))


def trace_from_json(data: Any, source: str = "the trace") -> Trace:
    """Checks every field and every seal, since a trace comes from outside."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise TraceError(f"{source} is not a saved game: `format` is not `{FORMAT}`")
    unseen = unseen_in(data)
    if unseen is not None:
        character, where = unseen
        raise TraceError(
            f"{source}: `{where}` holds the invisible character {code_point(character)}"
        )
    reader = _Fields(data, source)
    entries = reader.get("entries", list)
    sealed = [
        reader.get("seal", str),
        *(_Fields(item, f"{source}, entry {i}").get("seal", str) for i, item in _numbered(entries)),
        reader.get("end", str),
    ]
    trace = Trace(
        game=reader.get("game", str),
        gamedef_hash=reader.get("gamedef_hash", str),
        parameters=_parameters(reader.get("parameters", dict), source),
        players=reader.get("players", int),
        seed=reader.get("seed", int),
        start_hash=reader.get("start_hash", str),
        entries=tuple(_entry(item, f"{source}, entry {i}") for i, item in _numbered(entries)),
        scenario=reader.get("scenario", str, or_none=True),
        chance=_one_of(get_args(ChanceMode), reader, "chance"),
        stopped=_stopped(reader.get("stopped", dict, or_none=True), f"{source}, `stopped`"),
        sitting=_sitting(reader.get("sitting", dict), source),
    )
    reader.close()
    _check_seals(trace, sealed, source)
    return trace


def plain(value: Any) -> Option:
    """An answer as JSON gives it back: lists where there are tuples, and no numbers of numpy."""
    found = plain_answer(value)
    if not _readable(found):
        raise TypeError(
            f"an answer is text, a whole number, True, False, None or a list of them, not {value!r}"
        )
    return found


def _readable(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_readable, value))
    return value is None or isinstance(value, str | int)


# ------------------------------------------------------------------------- seals


def _plain(trace: Trace) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any] | None]:
    """The parts of a trace as JSON, without seals."""
    head = {
        "format": FORMAT,
        "game": trace.game,
        "gamedef_hash": trace.gamedef_hash,
        "parameters": dict(trace.parameters),
        "players": trace.players,
        "seed": trace.seed,
        "scenario": trace.scenario,
        "chance": trace.chance,
        "start_hash": trace.start_hash,
        "sitting": dict(trace.sitting),
    }
    entries = [
        {
            "seat": entry.seat,
            "action": entry.action,
            "params": [list(param) for param in entry.params],
            "chance": list(entry.chance),
            "state_hash": entry.state_hash,
        }
        for entry in trace.entries
    ]
    stopped = trace.stopped
    if stopped is None:
        return head, entries, None
    ending = {
        "where": stopped.where,
        "code": stopped.code,
        "told": stopped.message,
        "seat": stopped.seat,
        "decision_id": stopped.decision_id,
        "option": stopped.option,
    }
    return head, entries, ending


def _seals(head: object, entries: Sequence[object], stopped: object) -> Iterator[str]:
    """Of the set-up, of every entry, and of the end: each covers all before it."""
    seal = ""
    for item in (head, *entries, {"end": len(entries), "stopped": stopped}):
        text = json.dumps([seal, item], sort_keys=True, separators=(",", ":"))
        seal = hashlib.blake2b(text.encode("ascii"), digest_size=8).hexdigest()
        yield seal


def _check_seals(trace: Trace, sealed: Sequence[str], source: str) -> None:
    for number, (found, wanted) in enumerate(zip(sealed, _seals(*_plain(trace)), strict=True)):
        if found == wanted:
            continue
        if number == 0:
            raise TraceError(f"{source}, entry 0 (the set-up) is not as it was saved")
        if number <= len(trace.entries):
            raise TraceError(
                f"{source}, entry {number} is not as it was saved: it was changed, or entries "
                "before it were removed, repeated or moved"
            )
        raise TraceError(
            f"{source}, entry {number} is missing, or what follows the last entry was changed: "
            "this is not the end that was saved"
        )


# ----------------------------------------------------------------------- reading


def _numbered(entries: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    return enumerate(entries, 1)


def _entry(data: Any, source: str) -> Entry:
    reader = _Fields(data, source)
    reader.get("seal", str)
    entry = Entry(
        seat=reader.get("seat", str),
        action=reader.get("action", str),
        params=tuple(_param(item, source) for item in reader.get("params", list)),
        chance=tuple(_option(item, source) for item in reader.get("chance", list)),
        state_hash=reader.get("state_hash", str),
    )
    reader.close()
    return entry


def _stopped(data: Any, source: str) -> Stopped | None:
    if data is None:
        return None
    reader = _Fields(data, source)
    stopped = Stopped(
        where=_one_of(get_args(Where), reader, "where"),
        code=reader.get("code", str),
        message=reader.get("told", str),
        seat=reader.get("seat", str),
        decision_id=reader.get("decision_id", str),
        option=_option(reader.raw("option"), source),
    )
    reader.close()
    return stopped


def _one_of(words: tuple[Any, ...], reader: _Fields, name: str) -> Any:
    found = reader.get(name, str)
    if found in words:
        return found
    raise TraceError(f"{reader.source}: `{name}` is none of {', '.join(words)}")


def _param(data: Any, source: str) -> tuple[str, Option]:
    if not (isinstance(data, list) and len(data) == 2 and isinstance(data[0], str)):
        raise TraceError(f"{source}: `params` are pairs of a decision and its answer")
    return data[0], _option(data[1], source)


def _option(data: Any, source: str, depth: int = 0) -> Option:
    if isinstance(data, list) and depth < MAX_OPTION_DEPTH:
        return [_option(item, source, depth + 1) for item in data]
    if data is None or isinstance(data, str | int):
        return data
    raise TraceError(f"{source}: an answer is text, a number, true, false, null or a list of those")


def _parameters(data: Mapping[str, Any], source: str) -> dict[str, int | bool]:
    for name, value in data.items():
        if not isinstance(value, int):
            raise TraceError(f"{source}: parameter `{name}` is neither a number nor true or false")
    return dict(data)


def _sitting(data: Mapping[str, Any], source: str) -> dict[str, str]:
    for seat, who in data.items():
        if not isinstance(who, str):
            raise TraceError(f"{source}: who sits at `{seat}` is neither `person` nor a bot")
    return dict(data)


class _Fields:
    """Reads the fields of an object by type; fields that were not read are an error."""

    def __init__(self, data: Any, source: str) -> None:
        if not isinstance(data, dict):
            raise TraceError(f"{source} is not an object")
        self._data: Mapping[str, Any] = data
        self.source = source
        self._asked = {"format"}

    def raw(self, name: str) -> Any:
        self._asked.add(name)
        return self._data.get(name)

    def get(self, name: str, kind: type[T], or_none: bool = False) -> T:
        value = self.raw(name)
        if or_none and value is None and name in self._data:
            return value  # type: ignore[return-value]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            found = "is missing" if name not in self._data else "has the wrong type"
            raise TraceError(f"{self.source}: `{name}` {found} (expected {_WORDS[kind]})")
        return value

    def close(self) -> None:
        unknown = [name for name in self._data if name not in self._asked]
        if unknown:
            raise TraceError(f"{self.source}: `{unknown[0][:40]}` is no field of a saved game")


_WORDS: Mapping[type, str] = {
    str: "text",
    int: "a number",
    list: "a list",
    dict: "an object",
}
