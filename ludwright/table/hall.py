"""The hall: which games can be played, and all rooms of this server."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ludwright.diagnostics import Diagnostics
from ludwright.errors import LudwrightError, RulebookError
from ludwright.kernel.views.observation import SPECTATOR
from ludwright.language.parsing import parse_rulebook
from ludwright.language.reading import read_rulebook
from ludwright.loading import known_games, large_games
from ludwright.scene.colours import seat_colours
from ludwright.scene.words import titled, worded
from ludwright.table.bots import NAMES, Bots
from ludwright.table.match import Match
from ludwright.table.messages import Messenger, Settings
from ludwright.table.records import MatchRecord, SeatRecord, new_token, token_hash
from ludwright.table.reloading import Watcher, carried_over, compiled
from ludwright.table.room import BOT_PAUSE, PRESENT, Room, Visitor, seats_of
from ludwright.table.rules import Rules, mistakes, rules_of_file, shipped_rules, stored_rules
from ludwright.table.store import Append, Store
from ludwright.table.thumbnails import Thumbnails
from ludwright.table.view import scene_json
from ludwright.table.writer import Writer

log = logging.getLogger("ludwright.table")
OPEN_ROOMS = 2000  # beyond this, rooms that nobody is in are closed


class NotPossible(LudwrightError):
    """A match that cannot be made as it was asked for."""


@dataclass(frozen=True)
class Wanted:
    """A match as somebody asks for it."""

    game: str
    parameters: Mapping[str, int | bool]
    scenario: str | None
    seats: tuple[str, ...]  # for each seat in play: "me", "link", or "bot:NAME"
    seed: int | None = None


class Hall:
    def __init__(
        self, store: Store, files: Mapping[str, Path] | None = None, pause: float = BOT_PAUSE,
        bots: Bots | None = None, settings: Settings | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._writer = Writer(store)
        self._bots = bots or Bots()
        self._messenger = Messenger(store, settings or Settings())
        self._files = dict(files or {})  # rulebooks besides the shipped ones, by name
        self._pause = pause
        self._rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Task[Room | None]] = {}
        self._rules: dict[str, Rules] = {}
        self._about: dict[str, dict[str, Any]] = {}
        self._thumbnails, self._drawing = Thumbnails(), asyncio.Lock()
        self._watcher = Watcher(self._files, self._file_changed)
        self._mistakes: dict[str, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._server = secrets.token_hex(4)

    def start(self) -> None:
        """Begins to look after the files that were named, and to hear what other servers that share
        the store do; needs a running loop."""
        self._watcher.start()
        loop = asyncio.get_running_loop()
        if self._store.shared:
            self._begin(self._tell_presence())
        self._store.listen(lambda id_: self._heard(loop, id_))

    def _heard(self, loop: asyncio.AbstractEventLoop, id_: str) -> None:
        """Called by the store, from a thread of its own; an empty id may be any match."""

        def refresh() -> None:
            for room in [self._rooms.get(id_)] if id_ else list(self._rooms.values()):
                if room is not None:
                    self._begin(self._refresh(room))

        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(refresh)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell_presence(self) -> None:
        while True:
            await asyncio.sleep(PRESENT / 2)
            for room in [room for room in self._rooms.values() if room.visitors]:
                await room.tell_presence()

    def entered_or_left(self, room: Room) -> None:
        if self._store.shared:
            self._begin(room.tell_presence())

    @staticmethod
    async def _refresh(room: Room) -> None:
        try:
            await room.refresh()
        except LudwrightError as problem:
            log.error("match %s: %s", room.id[:6], problem)

    def close(self) -> None:
        self._watcher.close()
        for task in self._tasks:
            task.cancel()
        for room in self._rooms.values():
            room.close()
        self._messenger.close()
        self._thumbnails.close()
        self._bots.close()
        self._writer.close()
        self._store.close()

    # ----------------------------------------------------------------- games

    def games(self) -> list[str]:
        """Own files first, then those that are shipped."""
        return [*self._files, *(name for name in known_games() if name not in self._files)]

    async def rules(self, game: str, parameters: Mapping[str, int | bool]) -> Rules:
        if game in self._files:
            return await asyncio.to_thread(rules_of_file, self._files[game], parameters)
        if game not in known_games():
            raise NotPossible(f"there is no game `{game}`")
        return await asyncio.to_thread(shipped_rules, game, parameters)

    async def listing(self) -> list[dict[str, Any]]:
        """All games in a few words: their rulebooks are read, not compiled."""
        found = await asyncio.to_thread(lambda: [_shipped_words(n) for n in known_games()])
        own = await asyncio.to_thread(
            lambda: [
                {**_words(path), "id": name, "own": True} for name, path in self._files.items()
            ]
        )
        return [*own, *(game for game in found if game["id"] not in self._files)]

    async def about(self, game: str) -> dict[str, Any]:
        """What the page for a new match shows of a game."""
        if game in self._about:
            return self._about[game]
        told = await self._told_of(game)
        if game in self._files:
            return {**told, "own": True}
        if "error" not in told:
            self._about[game] = told
        return told

    async def _told_of(self, game: str) -> dict[str, Any]:
        try:
            rules = await self.rules(game, {})
        except RulebookError as error:
            return {"id": game, "title": game, "error": self._mistakes_in(game, error)}
        try:
            return await asyncio.to_thread(_about, game, rules)
        except LudwrightError as fault:  # a mistake of the rulebook in its set-up
            title = rules.gamedef.title or titled(rules.gamedef.id)
            return {"id": game, "title": title, "error": rules.told(fault)}

    async def thumbnail(self, game: str) -> str:
        """A small picture of a game as an SVG; "" where there is none. One is drawn at a time, so
        that threads are left for players."""
        path = self._files.get(game) or known_games()[game]
        async with self._drawing:
            return await asyncio.to_thread(self._thumbnails.of, path)

    def _mistakes_in(self, game: str, error: RulebookError) -> str:
        return mistakes(error, self._files.get(game) or known_games()[game])

    async def _file_changed(self, name: str) -> None:
        """The rulebook of a designer was saved: its matches go on under the new rules."""
        path = self._files[name]
        rooms = [room for room in self._rooms.values() if plays_file(room, path)]
        parameters = rooms[0].match.rules.record.parameters if rooms else {}
        found = await asyncio.to_thread(compiled, path, parameters)
        if isinstance(found, str):
            self._mistakes[name] = found
            for room in rooms:
                room.tell_mistakes(found)
            return
        self._mistakes.pop(name, None)
        for room in rooms:
            room.tell_mistakes("")
            if room.match.rules.hash != found.hash:
                await self._carry_over(room, found)
            elif room.match.rules.record != found.record:
                await asyncio.to_thread(self._store.keep_rules, found.record)
                self._rules[found.hash] = found
                await room.dress(found)

    async def _carry_over(self, room: Room, rules: Rules) -> None:
        try:
            carried = await asyncio.to_thread(carried_over, room.match, rules)
        except (LudwrightError, ValueError) as problem:
            room.tell_mistakes(f"the new rules cannot begin a match: {rules.told(problem)}")
            return
        record = carried.match.record
        await asyncio.to_thread(self._keep, rules, record)
        wanted = [Append(record.id, at, entry) for at, entry in enumerate(carried.entries)]
        if wanted:
            await asyncio.to_thread(self._store.append, wanted)
        self._rules[rules.hash] = rules
        self._rooms[record.id] = self._room(carried.match)
        room.go_over(record.id, carried.differs)

    # --------------------------------------------------------------- matches

    async def create(self, wanted: Wanted) -> dict[str, Any]:
        """A new match. The tokens of its seats are given once, here."""
        try:
            rules = await self.rules(wanted.game, wanted.parameters)
        except RulebookError as error:
            raise NotPossible(self._mistakes_in(wanted.game, error)) from None
        gamedef, players = rules.gamedef, len(wanted.seats)
        if not gamedef.min_players <= players <= gamedef.max_players:
            raise NotPossible(
                f"{gamedef.title} is for {rules.game.program.world.allowed_players} players, "
                f"not {players}"
            )
        scenarios = rules.game.program.scenarios
        if wanted.scenario is not None and wanted.scenario not in scenarios:
            raise NotPossible(f"there is no scenario `{wanted.scenario}`")
        tokens: dict[str, str] = {}
        seats: list[SeatRecord] = []
        for name, holder in zip(rules.game.seats, wanted.seats, strict=False):
            tokens[name] = new_token()
            seats.append(_seat(name, holder, tokens[name]))
        seed = secrets.randbelow(2**32) if wanted.seed is None else wanted.seed
        record = MatchRecord(
            new_token(), rules.hash, gamedef.title, seed, players, wanted.scenario, time.time(),
            tuple(seats),
        )  # fmt: skip
        try:
            match = await asyncio.to_thread(Match, record, rules)
        except LudwrightError as fault:  # a mistake of the rulebook in its set-up
            raise NotPossible(rules.told(fault)) from None
        await asyncio.to_thread(self._keep, rules, record)
        self._rules[rules.hash] = rules
        self._rooms[record.id] = self._room(match)
        return {
            "match": record.id,
            "mine": [n for n, holder in zip(tokens, wanted.seats, strict=True) if holder == "me"],
            "tokens": tokens,
        }

    def _keep(self, rules: Rules, record: MatchRecord) -> None:
        self._store.keep_rules(rules.record)
        self._store.create(record)

    def _room(self, match: Match) -> Room:
        self._close_idle()
        return Room(
            match, self._store, self._writer, self._bots, self._pause, self._server,
            self._messenger,
        )  # fmt: skip

    def _close_idle(self) -> None:
        if len(self._rooms) < OPEN_ROOMS:
            return
        for id_ in [id_ for id_, room in self._rooms.items() if room.idle]:
            del self._rooms[id_]

    async def room(self, id_: str) -> Room | None:
        """The room of a match; it is opened from the store if it is not open."""
        if id_ in self._rooms:
            return self._rooms[id_]
        if id_ not in self._opening:
            self._opening[id_] = asyncio.create_task(self._open(id_))
        try:
            return await self._opening[id_]
        finally:
            self._opening.pop(id_, None)

    async def _open(self, id_: str) -> Room | None:
        match = await asyncio.to_thread(self._restored, id_)
        if match is None:
            return None
        room = self._rooms[id_] = self._room(match)
        room.wake_bots()
        return room

    def _restored(self, id_: str) -> Match | None:
        record = self._store.match(id_)
        if record is None:
            return None
        rules = self._rules.get(record.rules)
        if rules is None:
            kept = self._store.rules(record.rules)
            if kept is None:
                raise LudwrightError("the rules of this match are missing in the store")
            rules = self._rules[record.rules] = stored_rules(kept)
        return Match(record, rules, self._store.entries(id_))

    def visitor(self, room: Room, line: Any, tokens: Sequence[str]) -> Visitor:
        hashes = frozenset(map(token_hash, tokens))
        seats = seats_of(room.match.record.seats, hashes)
        for name, path in self._files.items():
            if name in self._mistakes and plays_file(room, path):
                line.send({"tell": "mistakes", "text": self._mistakes[name]})
        asked = [seat for seat in room.match.asked_seats() if seat in seats]
        looking = next(iter([*asked, *(s for s in room.match.seats if s in seats)]), "")
        return Visitor(line, seats, looking)

    async def confirm(self, match: str, seat: str, code: str) -> bool:
        """Somebody has opened the link that was sent to an e-mail address."""
        return await self._messenger.confirm(match, seat, code)

    def offer(self, name: str, path: Path) -> None:
        """One more rulebook that can be played; it is looked after like the others."""
        self._files[name] = path
        self._watcher.add(name, path)

    async def mine(self, wanted: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
        """What somebody's matches are at, by id with the tokens they have."""
        found: list[dict[str, Any]] = []
        for id_, tokens in wanted.items():
            room = await self.room(id_)
            if room is None:
                continue
            record, asked = room.match.record, room.match.asked_seats()
            own = seats_of(record.seats, frozenset(map(token_hash, tokens)))
            found.append(
                {
                    "match": id_, "title": record.title, "seats": sorted(own),
                    "yourTurn": any(seat in own for seat in asked), "over": room.match.over,
                    "asked": [worded(seat) for seat in asked], "created": record.created,
                    "decisions": len(room.match.positions) - 1,
                }
            )  # fmt: skip
        return sorted(found, key=lambda match: -match["created"])


@cache
def _shipped_words(name: str) -> dict[str, Any]:
    """Of a game with many chapters the first is enough."""
    path = known_games()[name]
    first = sorted(path.glob("*.md"))[0] if name in large_games() else path
    return {**_words(first), "id": name}


def _words(path: Path) -> dict[str, Any]:
    diagnostics = Diagnostics()
    gamedef = parse_rulebook(read_rulebook(path, diagnostics).blocks, diagnostics)
    if gamedef is None:
        return {"title": path.stem, "summary": "", "players": [1, 1]}
    return {
        "title": gamedef.title or titled(gamedef.id),
        "summary": gamedef.summary,
        "players": [gamedef.min_players, gamedef.max_players],
    }


def plays_file(room: Room, path: Path) -> bool:
    """Whether a match is played by the rulebook in this file or folder."""
    sources = map(Path, room.match.rules.record.sources)
    return any(path in (source, source.parent) for source in sources)


def _seat(name: str, holder: str, token: str) -> SeatRecord:
    kind, _, bot = holder.partition(":")
    if kind == "bot":
        bot = bot or "greedy"
        if bot not in NAMES:
            raise NotPossible(f"there is no bot `{bot}`; there are {', '.join(NAMES)}")
        return SeatRecord(name, "bot", token_hash(token), bot)
    if kind not in ("me", "link"):
        raise NotPossible(f"a seat is for `me`, `link` or a `bot`, not `{holder}`")
    return SeatRecord(name, "person", token_hash(token))


def _about(game: str, rules: Rules) -> dict[str, Any]:
    from ludwright.scene import scene_of

    gamedef = rules.gamedef
    state = rules.game.initial_state()
    scene = scene_of(rules.game, rules.game.observe(state, SPECTATOR))
    look = {seat.name: seat.colour for seat in gamedef.look.seats} if gamedef.look else {}
    colours = seat_colours(rules.game.seats, look)
    return {
        "id": game,
        "title": gamedef.title or titled(gamedef.id),
        "summary": gamedef.summary,
        "intro": _intro(rules),
        "players": [gamedef.min_players, gamedef.max_players],
        "seats": [
            {"id": name, "name": worded(name), "colour": colour}
            for name, colour in zip(rules.game.seats, colours, strict=True)
        ],
        "scenarios": list(rules.game.program.scenarios),
        "parameters": [
            {"name": p.name, "default": p.default, "min": p.min, "max": p.max, "doc": p.doc}
            for p in gamedef.parameters
        ],
        "bots": list(NAMES),
        "scene": scene_json(scene),
    }


def _intro(rules: Rules) -> str:
    """The first paragraph of the rulebook."""
    for name, text in rules.record.sources.items():
        if name.endswith(".md"):
            for block in text.split("\n\n"):
                if block.strip() and not block.lstrip().startswith(("#", "```")):
                    return " ".join(block.replace("**", "").split())
    return ""
