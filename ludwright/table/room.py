"""A room: one open match, the sockets around it and its bots. One thing happens at a time.

An answer is validated, committed, taken and told, in this order. After each change everybody who
looks gets the view of their seat.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from ludwright.errors import IllegalMove, LudwrightError, RulebookFault
from ludwright.kernel.views.observation import SPECTATOR
from ludwright.scene.words import worded
from ludwright.table import frames
from ludwright.table.bots import NAMES, Bots, Task
from ludwright.table.match import Match, Stale
from ludwright.table.messages import BadContact, Messenger
from ludwright.table.records import Contact, Entry, SeatRecord
from ludwright.table.rules import Rules
from ludwright.table.store import Append, Store, StoreFailed, Taken
from ludwright.table.view import encoded, preview, view_of, why_not
from ludwright.table.writer import Writer

log = logging.getLogger("ludwright.table")
BOTS_OF_OTHERS = 10.0  # seconds that another server has for its bots
PRESENT = 60.0  # seconds that a word about who is here is good for
AWAY = 60.0  # seconds before others may let a bot play for somebody
BOT_PAUSE = 0.35  # seconds before a bot answers, so that people can follow


class Line(Protocol):
    """The way to one page."""

    def send(self, message: dict[str, Any] | str) -> None:
        """A message, or one that is a text of JSON already."""
        ...


@dataclass(eq=False)
class Visitor:
    """A page that is open: what it may act for, and what it looks at."""

    line: Line
    seats: frozenset[str]
    looking: str = ""  # a seat, "" as a spectator, "*" at everything
    at: int | None = None
    logged: int = 0  # positions whose log lines it has
    sees_all: bool = False  # a designer who plays all seats
    narrow: bool = False  # on a phone


@dataclass
class Wish:
    """An undo that needs everybody's consent."""

    seat: str
    position: int
    version: int
    agreed: set[str] = field(default_factory=set)


class Room:
    def __init__(
        self, match: Match, store: Store, writer: Writer, bots: Bots, pause: float = BOT_PAUSE,
        server: str = "", messenger: Messenger | None = None,
    ) -> None:  # fmt: skip
        self.match = match
        self.visitors: list[Visitor] = []
        self._store = store
        self._writer = writer
        self._bots = bots
        self._faults_told: set[str] = set()
        self._pause = pause
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._wish: Wish | None = None
        self._due = False  # whether views are about to be sent
        self._server = server  # what this server is called among those that share a store
        self._messenger = messenger
        self._elsewhere: set[str] = set()  # seats with a page open at another server
        self._opened = time.monotonic()
        self._left: dict[str, float] = {}  # when the last page of a seat was closed

    @property
    def id(self) -> str:
        return self.match.record.id

    # -------------------------------------------------------------- visitors

    def enter(self, visitor: Visitor) -> None:
        self.visitors.append(visitor)
        self._tell_company()
        self._show(visitor)
        self.wake_bots()

    def welcome(self, visitor: Visitor, develop: bool) -> dict[str, Any]:
        return {
            "seats": [seat for seat in self.match.seats if seat in visitor.seats],
            "hides": not self.match.open,
            "title": self.match.record.title,
            "bots": list(NAMES),
            "develop": develop,
            "messages": self._messenger.kinds() if self._messenger is not None else [],
        }

    def leave(self, visitor: Visitor) -> None:
        if visitor in self.visitors:
            self.visitors.remove(visitor)
            self._left |= dict.fromkeys(visitor.seats - self.present(), time.monotonic())
            self._tell_company()
            self._tell_absent()

    @property
    def idle(self) -> bool:
        return not self.visitors and (self._thinking is None or self._thinking.done())

    def _tell_company(self) -> None:
        for visitor in self.visitors:
            visitor.line.send({"tell": "company", "seats": self.company()})

    def present(self) -> set[str]:
        """Seats with a page open, here or at another server."""
        return {seat for visitor in self.visitors for seat in visitor.seats} | self._elsewhere

    async def tell_presence(self) -> None:
        """Let the other servers know which seats have a page open at this one."""
        here = {seat for visitor in self.visitors for seat in visitor.seats}
        until = time.time() + PRESENT
        with suppress(StoreFailed):
            await asyncio.to_thread(self._store.be_present, self.id, here, self._server, until)

    def company(self) -> list[dict[str, Any]]:
        """Who sits where, and who is here."""
        here = self.present()
        return [
            {
                "id": seat.name, "holder": seat.holder, "label": seat.label, "bot": seat.bot,
                "here": seat.name in here,
            }
            for seat in self.match.record.seats
        ]  # fmt: skip

    def _show(self, visitor: Visitor) -> None:
        seat: str | None = visitor.looking or SPECTATOR
        if seat == "*":
            seat = None if self.match.over or visitor.sees_all else SPECTATOR
        told = visitor.logged
        view = view_of(self.match, seat, visitor.at, told, visitor.narrow)
        if visitor.at is None:
            visitor.logged = view["last"]
        visitor.line.send(encoded(self.match, view, told))

    def _show_all(self) -> None:
        """Everybody gets a new view, after what is being sent now: a tick need not wait for it."""
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._show_due)

    def _show_due(self) -> None:
        self._due = False
        last = len(self.match.positions) - 1
        for visitor in list(self.visitors):
            visitor.logged = min(visitor.logged, last)
            if visitor.at is None:
                try:
                    self._show(visitor)
                except LudwrightError as fault:  # a mistake of the rulebook in what is asked next
                    visitor.line.send({"tell": "note", "text": self.match.rules.told(fault)})
            else:
                visitor.line.send({"tell": "behind", "last": last})
        self.match.now.shown.clear()  # everybody has it; whoever comes later gets a new one

    # ---------------------------------------------------------------- frames

    async def hear(self, visitor: Visitor, frame: frames.Frame) -> None:
        """What a page has said; a refusal is told to this page alone."""
        try:
            async with self._lock:
                await self._do(visitor, frame)
        except IllegalMove as refused:
            visitor.line.send({"tell": "refused", "code": refused.code, "reason": refused.reason})
        except Stale as stale:
            visitor.line.send({"tell": "refused", "code": "stale", "reason": str(stale)})
        except StoreFailed as failed:
            log.error("match %s: %s", self.id[:6], failed)
            reason = "it could not be stored; nothing has changed, please try again"
            visitor.line.send({"tell": "refused", "code": "not-stored", "reason": reason})
        except BadContact as bad:
            visitor.line.send({"tell": "refused", "code": "bad-contact", "reason": str(bad)})
        except LudwrightError as fault:  # a mistake of the rulebook; nothing has changed
            reason = self.match.rules.told(fault)
            visitor.line.send({"tell": "refused", "code": "fault", "reason": reason})

    async def _do(self, visitor: Visitor, frame: frames.Frame) -> None:
        match frame:
            case frames.Answer():
                self._own(visitor, frame.seat)
                await self._answer(visitor, frame)
            case frames.Picks():
                self._own(visitor, frame.seat)
                draft = self.match.draft(frame.seat, frame.decision, frame.options)
                visitor.line.send(
                    {"tell": "picks", "decision": frame.decision, "option": list(frame.options),
                     "add": list(draft.add), "canStop": draft.can_stop}
                )  # fmt: skip
            case frames.Preview():
                self._own(visitor, frame.seat)
                told = preview(self.match, frame.seat, frame.decision, frame.option)
                asked = {"decision": frame.decision, "option": frame.option}
                visitor.line.send({"tell": "preview", **asked, **told})
            case frames.Undo():
                self._own(visitor, frame.seat)
                await self._undo(visitor, frame)
            case frames.Withdraw():
                self._own(visitor, frame.seat)
                await self._commit(self.match.withdrawn(frame.seat, frame.version))
            case frames.Consent():
                self._own(visitor, frame.seat)
                await self._consent(frame)
            case frames.Look():
                if frame.seat not in ("", "*"):
                    self._own(visitor, frame.seat)
                if frame.seat != visitor.looking:
                    visitor.logged = 0
                visitor.looking, visitor.at = frame.seat, frame.at
                self._show(visitor)
            case frames.Why():
                self._own(visitor, frame.seat)
                told = why_not(self.match, frame.seat, frame.value)
                visitor.line.send({"tell": "why", "value": frame.value, **told})
            case frames.Sit():
                if frame.seat not in visitor.seats:
                    self._may_stand_in(visitor, frame)
                await self._sit(frame)
            case frames.Tell():
                self._own(visitor, frame.seat)
                await self._set_contact(visitor, frame)
            case frames.Hello():
                raise IllegalMove("twice", "", "this page has said hello already")

    @staticmethod
    def _own(visitor: Visitor, seat: str) -> None:
        if seat not in visitor.seats:
            raise IllegalMove("not-your-seat", "", "this page does not hold that seat")

    # --------------------------------------------------------------- answers

    async def _answer(self, visitor: Visitor, frame: frames.Answer) -> None:
        numbers = frame.options if isinstance(frame.options, int) else list(frame.options)
        done = {"tell": "done", "seat": frame.seat, "decision": frame.decision}
        try:
            entry = self.match.answered(frame.seat, frame.decision, numbers)
        except (Stale, IllegalMove):
            if not self.match.is_repeated(frame.seat, frame.decision, numbers):
                raise
            visitor.line.send(done)
            return
        await self._commit(entry, lambda: visitor.line.send(done))

    async def _commit(self, entry: Entry, acknowledge: Callable[[], None] | None = None) -> None:
        """Store an entry; only then does anything change, and is anybody told."""
        position = self.match.stepped(entry)
        try:
            await self._writer.append(Append(self.id, self.match.version, entry))
        except (Taken, StoreFailed) as problem:
            await self._catch_up()
            if isinstance(problem, Taken):
                raise Stale("something else happened first") from None
            raise
        self.match.take(entry, position)
        self._wish = None
        if acknowledge is not None:
            acknowledge()
        self._show_all()
        self.wake_bots()
        self._tell_absent()

    async def _catch_up(self) -> None:
        """Take what is stored and not known here: another process was first, or a commit whose
        end was reported as a failure was none."""
        try:
            found = await asyncio.to_thread(self._store.entries, self.id, self.match.version)
        except StoreFailed:
            return
        for entry in found:
            self.match.take(entry, self.match.stepped(entry))
        if found:
            self._wish = None
            self._show_all()

    async def refresh(self) -> None:
        """Another server has changed this match: take over what it stored."""
        async with self._lock:
            await self._catch_up()
            record = await asyncio.to_thread(self._store.match, self.id)
            elsewhere = await asyncio.to_thread(self._store.present, self.id, self._server)
        if record is not None and (record.seats, elsewhere) != (
            self.match.record.seats,
            self._elsewhere,
        ):
            self.match.record = replace(self.match.record, seats=record.seats)
            self._elsewhere = elsewhere
            self._tell_company()
        # the other server lets its bots think; should it have ended meanwhile, this one does
        asyncio.get_running_loop().call_later(BOTS_OF_OTHERS, self.wake_bots)

    # ------------------------------------------------------------------ undo

    async def _undo(self, visitor: Visitor, frame: frames.Undo) -> None:
        if frame.position >= self.match.reach(frame.seat).position:
            await self._commit(self.match.undone(frame.seat, frame.version, frame.position))
            return
        self.match.undone(frame.seat, frame.version, frame.position, agreed=True)
        self._wish = Wish(frame.seat, frame.position, frame.version, set(visitor.seats))
        await self._consider()

    async def _consent(self, frame: frames.Consent) -> None:
        wish = self._wish
        if wish is None or wish.version != self.match.version:
            raise Stale("nobody asks for an undo now")
        if not frame.yes:
            self._wish = None
            self._tell_wish(refused_by=frame.seat)
            return
        wish.agreed.add(frame.seat)
        await self._consider()

    async def _consider(self) -> None:
        wish = self._wish
        assert wish is not None
        people = {seat.name for seat in self.match.record.seats if seat.holder == "person"}
        if people <= wish.agreed:
            await self._commit(self.match.undone(wish.seat, wish.version, wish.position, True))
            self._tell_wish()
        else:
            self._tell_wish()

    def _tell_wish(self, refused_by: str = "") -> None:
        wish = self._wish
        told: dict[str, Any] = {"tell": "wish", "seat": "", "refusedBy": refused_by}
        if wish is not None:
            told |= {"seat": wish.seat, "position": wish.position, "agreed": sorted(wish.agreed)}
        for visitor in self.visitors:
            visitor.line.send(told)

    # ----------------------------------------------------------------- seats

    def _may_stand_in(self, visitor: Visitor, frame: frames.Sit) -> None:
        """Whoever plays may let a bot play for somebody who is away; nothing else."""
        people = [s.name for s in self.match.record.seats if s.holder == "person"]
        if not visitor.seats or frame.seat not in people or frame.label is not None:
            self._own(visitor, frame.seat)
        left = AWAY - (time.monotonic() - self._left.get(frame.seat, self._opened))
        if not frame.bot or frame.seat in self.present() or left > 0:
            reason = f"a bot can play for {worded(frame.seat)} after a minute without them"
            raise IllegalMove("not-away", "", reason)

    async def _sit(self, frame: frames.Sit) -> None:
        seat = self._seat(frame.seat)
        if frame.label is not None:
            seat = replace(seat, label=" ".join(frame.label.split())[:32])
        if frame.bot is not None:
            if frame.bot and frame.bot not in NAMES:
                raise IllegalMove("no-bot", "", f"there are {', '.join(NAMES)}")
            seat = replace(seat, holder="bot" if frame.bot else "person", bot=frame.bot)
        await self.change_seat(seat)

    async def _set_contact(self, visitor: Visitor, frame: frames.Tell) -> None:
        """Known to the holder of the seat alone."""
        if self._messenger is None:
            raise BadContact("this server sends no messages")
        contact = Contact(frame.webhook.strip(), frame.mail.strip())
        kept = await self._messenger.set_contact(self.id, frame.seat, contact)
        told = {"seat": frame.seat, "webhook": kept.webhook, "mail": kept.address}
        visitor.line.send({"tell": "contact", **told, "confirmed": kept.confirmed})

    def _tell_absent(self) -> None:
        if self._messenger is not None:
            self._messenger.consider(self.match, lambda seat: seat in self.present())

    def _seat(self, name: str) -> SeatRecord:
        return next(seat for seat in self.match.record.seats if seat.name == name)

    async def change_seat(self, seat: SeatRecord) -> None:
        await asyncio.to_thread(self._store.set_seat, self.id, seat)
        seats = tuple(seat if s.name == seat.name else s for s in self.match.record.seats)
        self.match.record = replace(self.match.record, seats=seats)
        self._tell_company()
        self.wake_bots()

    # ------------------------------------------------------------------ bots

    def _bot_to_act(self) -> SeatRecord | None:
        asked = self.match.asked_seats()
        bots = (s for s in self.match.record.seats if s.holder == "bot" and s.name in asked)
        return next(bots, None)

    def wake_bots(self) -> None:
        if self._bot_to_act() is None or (self._thinking and not self._thinking.done()):
            return
        self._thinking = asyncio.create_task(self._think())

    async def _think(self) -> None:
        """Bots answer as long as it is their turn."""
        while (seat := self._bot_to_act()) is not None:
            version = self.match.version
            task = Task(
                self.match.rules.record.gamedef, self.match.state.to_bytes(), seat.name, seat.bot,
                secrets.randbelow(2**32),
            )  # fmt: skip
            try:
                thought, _ = await asyncio.gather(
                    self._bots.answer(task), asyncio.sleep(self._pause)
                )
                async with self._lock:
                    if version == self.match.version:
                        await self._commit(self.match.entry(seat.name, thought.answer))
                        self._tell_faults(seat.name, thought.faults)
            except (Stale, IllegalMove):
                continue
            except (LudwrightError, OSError) as problem:
                log.error("match %s: the bot of %s gave up: %s", self.id[:6], seat.name, problem)
                why = self.match.rules.told(problem)
                self._say_all(f"the bot of {worded(seat.name)} gave up: {why}")
                return

    def _tell_faults(self, seat: str, faults: Sequence[RulebookFault]) -> None:
        """Tell once of a mistake in the rulebook that a bot met while it thought ahead."""
        for fault in faults:
            why = self.match.rules.told(fault)
            if why not in self._faults_told:
                self._faults_told.add(why)
                self._say_all(
                    f"the bot of {worded(seat)} thought of an answer after which the rulebook is "
                    f"at fault, and plays on: {why}"
                )

    def _say_all(self, text: str) -> None:
        for visitor in self.visitors:
            visitor.line.send({"tell": "note", "text": text})

    # -------------------------------------------------------------- designers

    def tell_mistakes(self, text: str) -> None:
        """What is wrong with the file of these rules; empty once it is mended."""
        for visitor in self.visitors:
            visitor.line.send({"tell": "mistakes", "text": text})

    async def dress(self, rules: Rules) -> None:
        """Go on with the same rules in other words, or with another look."""
        async with self._lock:
            old = self.match
            self.match = await asyncio.to_thread(Match, old.record, rules, old.entries)
        self._show_all()

    def go_over(self, match: str, differs: str) -> None:
        """Send everybody to the match that goes on under new rules."""
        for visitor in self.visitors:
            visitor.line.send({"tell": "moved", "match": match, "differs": differs})

    def close(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()


def seats_of(seats: Iterable[SeatRecord], hashes: frozenset[str]) -> frozenset[str]:
    """The seats whose tokens somebody has."""
    return frozenset(s.name for s in seats if s.token_hash and s.token_hash in hashes)
