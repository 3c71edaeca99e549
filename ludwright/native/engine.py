"""A Program's native code, ready to call: contexts, buffers, errors."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from typing import Any

from ludwright.errors import LudwrightError
from ludwright.kernel import program as ir
from ludwright.kernel.context import Refused, fault
from ludwright.native import caching, layout
from ludwright.native.assembling import Library, circumstances, optimised
from ludwright.native.building import Build
from ludwright.native.calling import PYTHON_EXPORTS, python_function
from ludwright.native.forking import making
from ludwright.native.interface import Interface, from_json, to_json
from ludwright.native.sameness import alike_sites

PLAY_EXPORTS = ["playouts", "batch", *PYTHON_EXPORTS]
EVENT_ROOM = 1 << 16  # words of events in one run
_POINTER = ctypes.c_void_p
_WORD = ctypes.c_int64
_ALWAYS = 1 << 62  # questions: more than a run ever asks


class NativeFailure(LudwrightError):
    """The native engine met something that should not happen, or a limit of its own."""


class Halted(Exception):
    """The caller asked native code to stop."""


class EventsFull(Exception):
    """More happened in one run than its context has room to tell."""


def _release(engine: Engine, slots: ctypes.Array[ctypes.c_int64]) -> None:
    """Give back the memory that searches of a context have taken."""
    engine.release(ctypes.addressof(slots))


class Context:
    """One run's slots and buffers. Not to be used by two threads at once.

    `asks`: runs are called without the interpreter's lock from the thread that waits for them, and
    ask Python for signals (see `ticking`).
    """

    def __init__(
        self, engine: Engine, mode: int, budget: int, ticks: int, *, asks: bool = False
    ) -> None:
        room = engine.room
        self.slots = (_WORD * (layout.SLOTS + engine.interface.kept_words))()
        self._answers = (_WORD * (3 * room))()
        self._marks = (ctypes.c_int8 * room)()
        self._given = (_WORD * room)()
        self.halt = (_WORD * layout.HALT_WORDS)()
        self.halt[layout.HALT_LEFT] = 0 if asks else _ALWAYS
        self.halt[layout.HALT_ASK] = int(asks)
        self._events = (_WORD * (EVENT_ROOM if engine.interface.events else 1))()
        self._value = (_WORD * engine.interface.memo_words)()
        self._registers = (_WORD * engine.interface.shared_words)()
        self._part = (ctypes.c_int32 * engine.cells)()
        slots = self.slots
        slots[layout.MODE] = mode
        slots[layout.TICKS] = ticks
        slots[layout.BUDGET] = budget
        slots[layout.ANSWER_ROOM] = room
        slots[layout.LIMIT] = layout.GAME_LIMIT
        for slot, buffer in (
            (layout.ANSWERS, self._answers), (layout.MARKS, self._marks),
            (layout.GIVEN_AT, self._given), (layout.HALT, self.halt), (layout.PART, self._part),
            (layout.REGISTERS, self._registers), (layout.VALUE, self._value),
        ):  # fmt: skip
            slots[slot] = ctypes.addressof(buffer)
        self.inner: Context | None = None
        if engine.searches and mode != layout.SEARCHING:
            bits = max(8, min(22, (2 * budget).bit_length()))
            self._memo = (_WORD * (engine.interface.memo_words << bits))()
            self.inner = Context(engine, layout.SEARCHING, budget, ticks)
            self.inner.slots[layout.HALT] = ctypes.addressof(self.halt)
            slots[layout.MEMO] = ctypes.addressof(self._memo)
            slots[layout.MEMO_BITS] = bits
            slots[layout.SEARCH] = ctypes.addressof(self.inner.slots)
            self._released = weakref.finalize(self, _release, engine, self.slots)

    def abandon(self) -> None:
        """Leave the memory of its searches as it is: a run may have been in the middle of it."""
        if self.inner is not None:
            self._released.detach()

    def raise_signal(self) -> None:
        """Raise what a signal handler raised while a run asked for it, if that ended the run."""
        words = self.halt[layout.HALT_RAISED : layout.HALT_WORDS]
        if any(words):
            self.halt[layout.HALT_RAISED : layout.HALT_WORDS] = [0, 0, 0]
            ctypes.pythonapi.PyErr_Restore(*(_POINTER(word) for word in words))

    @property
    def address(self) -> int:
        return ctypes.addressof(self.slots)

    def answers(self, count: int, step: int) -> list[int]:
        return list(self._answers[: count * step])

    def offer(self, words: list[int]) -> None:
        for at, word in enumerate(words):
            self._answers[at] = word

    def unknown(self, count: int) -> list[int]:
        return [at for at in range(count) if self._marks[at]]

    def want_events(self, wanted: bool) -> None:
        """Whether the next run notes what happens."""
        self.slots[layout.EVENTS] = ctypes.addressof(self._events) if wanted else 0
        self.slots[layout.EVENTS_AT] = 0
        self.slots[layout.EVENTS_ROOM] = len(self._events)
        self.slots[layout.LEARNED] = 0

    def more_events(self) -> None:
        """Four times the room for events."""
        self._events = (_WORD * (4 * len(self._events)))()

    def event_words(self) -> list[int]:
        return list(self._events[: self.slots[layout.EVENTS_AT]])

    def give(self, kind: int, words: list[int]) -> None:
        self.slots[layout.GIVEN] = kind
        for at, word in enumerate(words):
            self._given[at] = word


class Engine:
    """The compiled Program.

    `at_once` gives plain code that can be used immediately where no code is on disk yet; the
    optimised code takes its place when it is finished. States do not depend on which of them ran.
    Code for `counting` plays no games: it follows moves only as far as a count needs.
    """

    def __init__(
        self, program: ir.Program, level: int = 2, events: bool = False, *,
        at_once: bool = False, counting: bool = False,
    ) -> None:  # fmt: skip
        self.program = program
        self.cells = program.cells
        self.size = len(program.code)
        self._counting = counting
        self._libraries: list[Library] = []
        self._listeners: list[weakref.WeakMethod[Callable[[], None]]] = []
        self._build: Build | None = None
        with making:
            build = self._make(level, events, at_once)
        if build is not None and at_once and level:
            self._build = build
        elif build is not None:
            build.wait()

    def _make(self, level: int, events: bool, at_once: bool) -> Build | None:
        """Take the code from the disk, or begin to make it."""
        name = caching.key(
            self.program.fingerprint,
            alike_sites(self.program),
            str(events),
            str(self._counting),
            caching.sources(),
            *circumstances(level),
        )
        kept = _kept(name)
        if kept is not None:
            self.interface, code = kept
            self._use(code)
            return None
        # Imported late: what is on disk needs no translator.
        from ludwright.native.translating import translate

        translation = translate(self.program, events, self._counting)
        self.interface = translation.interface

        # where code was looked for, whatever the settings are once it is finished
        folder = caching.folder()

        def finish(code: bytes) -> None:
            self._use(code)
            caching.save(name, to_json(translation.interface), code, folder)

        if at_once and level:
            self._use(optimised(translation.text, 0))
        return Build(translation.text, level, finish)

    @property
    def room(self) -> int:
        return self.interface.room

    @property
    def searches(self) -> bool:
        return self.interface.searches

    def settle(self) -> None:
        """Wait until no better code is on its way."""
        if self._build is not None:
            self._build.wait()
            self._build = None

    def _use(self, code: bytes) -> None:
        """Take other code of the same text into use: between two calls, at any time."""
        library = Library(code, _exports(self.interface, self._counting))
        self._libraries.append(library)  # code that may still be running stays
        self._run: Any = ctypes.CFUNCTYPE(ctypes.c_int32, _POINTER, _POINTER, ctypes.c_int32)(
            library.address("run")
        )
        self.playouts: Any = None
        self.count: Any = None
        if self._counting:
            self.count = ctypes.CFUNCTYPE(_WORD, _POINTER, _POINTER, _WORD)(
                library.address("count")
            )
        else:
            self.playouts = ctypes.CFUNCTYPE(
                _WORD, _POINTER, _POINTER, _POINTER, _WORD, _WORD, _WORD, _WORD, ctypes.c_int32,
                *[_POINTER] * 7,
            )(library.address("playouts"))  # fmt: skip
            self.batch = ctypes.CFUNCTYPE(_WORD, _POINTER, _POINTER, _WORD, *[_POINTER] * 5)(
                library.address("batch")
            )
        self.release: Any = None
        if self.searches:
            self.release = ctypes.CFUNCTYPE(None, _POINTER)(library.address("release"))
        for listener in self._listeners:
            told = listener()
            if told is not None:
                told()

    def listen(self, listener: Callable[[], None]) -> None:
        """Have a method called, in any thread, when other code has come into use."""
        self._listeners.append(weakref.WeakMethod(listener))

    def python_function(self, name: str, context: Context) -> Callable[..., Any]:
        """One of the functions of `fastcall` as it is now, bound to a context."""
        address = self._libraries[-1].address(f"python_{name}")
        return python_function(address, context.address, (self, context))

    def run(self, state: int, context: Context, entry: int) -> int:
        result: int = self._run(state, context.address, entry)
        return result

    def error(self, context: Context) -> Exception:
        """What a run that failed came to."""
        slots = context.slots
        known = self.interface.error(slots[layout.ERROR] - 1)
        reason = known.reason.format(a=slots[layout.ERROR_A], b=slots[layout.ERROR_B])
        if known.kind == "refusal":
            return Refused(known.site, known.code, reason)
        if known.kind == "fault":
            return fault(self.program, known.code, known.site, reason)
        if known.code == "halted":
            context.raise_signal()
            return Halted()
        if known.code == "too-many-events":
            return EventsFull()
        if known.code == layout.NO_MEMORY:
            return MemoryError(reason)
        return NativeFailure(f"[{known.code}] {reason}")


def _exports(interface: Interface, counting: bool) -> list[str]:
    searching = ["release"] if interface.searches else []
    return ["run", *(["count"] if counting else PLAY_EXPORTS), *searching]


def _kept(name: str) -> tuple[Interface, bytes] | None:
    """What is on disk, if it can be understood."""
    found = caching.load(name)
    if found is None:
        return None
    try:
        return from_json(found[0]), found[1]
    except ValueError:
        return None
