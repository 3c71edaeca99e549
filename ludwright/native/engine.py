"""A Program's native code, ready to call: contexts, buffers, errors."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ludwright import program as ir
from ludwright.errors import LudwrightError
from ludwright.forking import importing, making
from ludwright.gc_pauses import without_collecting
from ludwright.kernel.interpreter.run import Refused, fault
from ludwright.native import layout
from ludwright.native.build import cache
from ludwright.native.build.background import Build
from ludwright.native.build.llvm import Library, circumstances, optimised
from ludwright.native.build.manifest import Interface, from_json, to_json
from ludwright.native.passes.list_once import alike_sites
from ludwright.native.passes.pass_list import without as passes_without
from ludwright.native.python.cfunction import PYTHON_EXPORTS, python_function
from ludwright.program.faults import Trouble
from ludwright.program.limits import GAME_LIMIT
from ludwright.program.ranges import Owner

T = TypeVar("T", ctypes.c_int64, ctypes.c_int32)

TREE_EXPORTS = ["grow", "grow_sets", "tree_root"]
PLAY_EXPORTS = ["playouts", "batch"]
EVENT_ROOM = 1 << 16  # words of events in one run
_POINTER = ctypes.c_void_p
_WORD = ctypes.c_int64
_LINE = 64  # bytes that a cache holds together
_NEVER_ASK = 1 << 62  # questions before the clock is looked at: more than a run ever asks


class NativeFailure(LudwrightError):
    """The native engine met something that should not happen, or a limit of its own."""


class Halted(Exception):
    """The caller asked native code to stop."""


class EventsFull(Exception):
    """A run noted more events than its context has room for."""


def _release(engine: Engine, slots: ctypes.Array[ctypes.c_int64]) -> None:
    """Give back the memory that searches of a context have taken."""
    engine.release(ctypes.addressof(slots))


def aligned(type_: type[T], count: int) -> ctypes.Array[T]:
    """An array at the start of a line of the cache: otherwise a game would take up to a fifth
    longer in one process than in another, by where the buffers of a run happen to lie."""
    kind = type_ * count
    room = (ctypes.c_char * (ctypes.sizeof(kind) + _LINE - 1))()
    return kind.from_buffer(room, -ctypes.addressof(room) % _LINE)


class Context:
    """The slots and buffers of one run. Two threads may not use it at once.

    `asks`: the thread that waits for a run has released the interpreter's lock, so the run asks
    Python for signals (see `codegen.state.ticks`).
    """

    def __init__(
        self, engine: Engine, mode: int, budget: int, ticks: int, *, asks: bool = False
    ) -> None:
        room = engine.room
        self.slots = aligned(_WORD, layout.SLOTS + engine.interface.result_words)
        self._answers = aligned(_WORD, 3 * room)
        self._marks = (ctypes.c_int8 * room)()
        self._given = (_WORD * room)()
        self.halt = (_WORD * layout.HALT_WORDS)()
        self.halt[layout.HALT_LEFT] = 0 if asks else _NEVER_ASK
        self.halt[layout.HALT_ASK] = int(asks)
        self._events = (_WORD * (EVENT_ROOM if engine.interface.events else 1))()
        self._value = (_WORD * engine.interface.memo_words)()
        self._registers = (_WORD * engine.interface.shared_words)()
        self._part = aligned(ctypes.c_int32, engine.cells)
        slots = self.slots
        slots[layout.MODE] = mode
        slots[layout.TICKS] = ticks
        slots[layout.BUDGET] = budget
        slots[layout.ANSWER_ROOM] = room
        slots[layout.LIMIT] = GAME_LIMIT
        for slot, buffer in (
            (layout.ANSWERS, self._answers), (layout.MARKS, self._marks),
            (layout.GIVEN_AT, self._given), (layout.HALT, self.halt), (layout.PART, self._part),
            (layout.REGISTERS, self._registers), (layout.VALUE, self._value),
        ):  # fmt: skip
            slots[slot] = ctypes.addressof(buffer)
        self.inner: Context | None = None
        if engine.searches and mode in (layout.STEP, layout.RANDOM):
            bits = max(8, min(22, (2 * budget).bit_length()))
            self._memo = (_WORD * (engine.interface.memo_words << bits))()
            self.inner = Context(engine, layout.COMPLETION, budget, ticks)
            self.inner.slots[layout.HALT] = ctypes.addressof(self.halt)
            slots[layout.MEMO] = ctypes.addressof(self._memo)
            slots[layout.MEMO_BITS] = bits
            slots[layout.SEARCH] = ctypes.addressof(self.inner.slots)
            self._released = weakref.finalize(self, _release, engine, self.slots)

    def abandon(self) -> None:
        """Never free the memory of searches: a run may have been in the middle of using it."""
        if self.inner is not None:
            self._released.detach()

    def raise_signal(self) -> None:
        """Raise the exception of a signal handler, if that is what ended the run."""
        words = self.halt[layout.HALT_RAISED : layout.HALT_WORDS]
        if any(words):
            self.halt[layout.HALT_RAISED : layout.HALT_WORDS] = [0, 0, 0]
            ctypes.pythonapi.PyErr_Restore(*(_POINTER(word) for word in words))

    @property
    def address(self) -> int:
        return ctypes.addressof(self.slots)

    @property
    def size(self) -> int:
        """Bytes of its buffers."""
        buffers: list[Any] = [
            self.slots, self._answers, self._marks, self._given, self.halt, self._events,
            self._value, self._registers, self._part,
        ]  # fmt: skip
        if self.inner is None:
            return sum(map(ctypes.sizeof, buffers))
        return self.inner.size + sum(map(ctypes.sizeof, [*buffers, self._memo]))

    def answers(self, count: int, step: int) -> list[int]:
        return list(self._answers[: count * step])

    def offer(self, words: list[int]) -> None:
        for at, word in enumerate(words):
            self._answers[at] = word

    def unknown(self, count: int) -> list[int]:
        return [at for at in range(count) if self._marks[at]]

    def want_events(self, wanted: bool) -> None:
        """Say whether the next run notes events."""
        self.slots[layout.EVENTS] = ctypes.addressof(self._events) if wanted else 0
        self.slots[layout.EVENTS_AT] = 0
        self.slots[layout.EVENTS_ROOM] = len(self._events)
        self.slots[layout.LEARNED] = 0

    def more_events(self) -> None:
        """Make four times the room for events."""
        self._events = (_WORD * (4 * len(self._events)))()

    def event_words(self) -> list[int]:
        return list(self._events[: self.slots[layout.EVENTS_AT]])

    def give(self, kind: int, words: list[int]) -> None:
        self.slots[layout.GIVEN] = kind
        for at, word in enumerate(words):
            self._given[at] = word


class Engine:
    """The compiled Program.

    `at_once`: where no code is cached yet, unoptimised code serves until the optimised code is
    ready. States do not depend on which of them ran. Code with `events` is driven from Python; code
    without them plays whole games and batches. Code for `counting` plays no games: it follows moves
    only as far as a count needs. Code for `trees` grows search trees and does nothing else.
    `without` names optimisations to leave out; None means those in LUDWRIGHT_WITHOUT (see
    `passes.pass_list`).
    """

    def __init__(
        self, program: ir.Program, level: int = 2, events: bool = False, *,
        at_once: bool = False, counting: bool = False, without: Iterable[str] | None = None,
        trees: bool = False,
    ) -> None:  # fmt: skip
        self.program = program
        self.without = passes_without(without)
        self.cells = program.cells
        self._counting, self._trees = counting, trees
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
        """Load the code from the cache, or begin to build it."""
        name = cache.key(
            self.program.fingerprint,
            alike_sites(self.program),
            str(events),
            str(self._counting),
            str(self._trees),
            ",".join(sorted(self.without)),
            cache.sources(),
            *circumstances(level),
        )
        cached = _cached(name)
        if cached is not None:
            self.interface, code = cached
            self._use(code)
            return None
        # Imported late: cached code needs no translator.
        with importing:
            from ludwright.native.translate import translate

        with without_collecting():
            translation = translate(self.program, events, self._counting, self.without, self._trees)
        self.interface = translation.interface

        # where the code was looked for, even if the settings change before it is ready
        folder = cache.folder()

        def finish(code: bytes) -> None:
            self._use(code)
            cache.save(name, to_json(translation.interface), code, folder)

        if at_once and level:
            self._use(optimised(translation.text, 0))
        return Build(translation.text, level, finish)

    @property
    def entries(self) -> layout.Entries:
        return layout.Entries(self.interface.instructions)

    @property
    def room(self) -> int:
        return self.interface.room

    @property
    def searches(self) -> bool:
        return self.interface.searches

    def await_optimised(self) -> None:
        """Wait until the optimised code is in use."""
        if self._build is not None:
            self._build.wait()
            self._build = None

    def _use(self, code: bytes) -> None:
        """Use this code from the next call on."""
        library = Library(code, self._exports())
        self._libraries.append(library)  # code that may still be running stays loaded
        self._run: Any = ctypes.CFUNCTYPE(_WORD, _POINTER, _POINTER, _WORD)(library.address("run"))
        self.playouts: Any = None
        self.count: Any = None
        if self._trees:
            pointers, words = [_POINTER] * 2, [_WORD] * 2
            self.grow, self.grow_sets = (
                ctypes.CFUNCTYPE(_WORD, *pointers, *words)(library.address(name))
                for name in ("grow", "grow_sets")
            )
            self.tree_root = ctypes.CFUNCTYPE(_WORD, *[_POINTER] * 3)(library.address("tree_root"))
            if self.program.score is not None:
                self.measured = ctypes.CFUNCTYPE(_WORD, *[_POINTER] * 3)(
                    library.address("measured")
                )
        elif self._counting:
            self.count = ctypes.CFUNCTYPE(_WORD, _POINTER, _POINTER, _WORD)(
                library.address("count")
            )
        elif not self.interface.events:
            self.playouts = ctypes.CFUNCTYPE(_WORD, *[_POINTER] * 3, *[_WORD] * 5, *[_POINTER] * 8)(
                library.address("playouts")
            )
            self.batch = ctypes.CFUNCTYPE(_WORD, _POINTER, _POINTER, _WORD, *[_POINTER] * 5, _WORD)(
                library.address("batch")
            )
        self.shown: Any = None
        if self.interface.shown:
            self.shown = ctypes.CFUNCTYPE(_WORD, *[_POINTER] * 3)(library.address("shown"))
        self.release: Any = None
        if self.searches:
            self.release = ctypes.CFUNCTYPE(None, _POINTER)(library.address("release"))
        for reference in self._listeners:
            listener = reference()
            if listener is not None:
                listener()

    def _exports(self) -> list[str]:
        """The functions that are called from Python."""
        interface = self.interface
        own = PYTHON_EXPORTS if interface.events else PLAY_EXPORTS
        if self._trees:
            own = TREE_EXPORTS if self.program.score is None else [*TREE_EXPORTS, "measured"]
        elif self._counting:
            own = ["count"]
        searching = ["release"] if interface.searches else []
        return ["run", *own, *searching, *(["shown"] if interface.shown else [])]

    def listen(self, listener: Callable[[], None]) -> None:
        """Have a method called, in any thread, whenever other code comes into use."""
        self._listeners.append(weakref.WeakMethod(listener))

    def python_function(self, name: str, context: Context) -> Callable[..., Any]:
        """One of the functions of `native.python`, as it is now, bound to a context."""
        address = self._libraries[-1].address(f"python_{name}")
        return python_function(address, context.address, (self, context))

    def run(self, state: int, context: Context, entry: int) -> int:
        result: int = self._run(state, context.address, entry)
        return result

    def error(self, context: Context) -> Exception:
        """The exception for a run that failed."""
        slots = context.slots
        known = self.interface.error(slots[layout.ERROR] - 1)
        owner = Owner(self.program, slots[layout.ERROR_B])
        reason = known.reason.format(a=slots[layout.ERROR_A], b=owner)
        if known.kind == "refusal":
            return Refused(Trouble(known.code, reason), known.site)
        if known.kind == "fault":
            return fault(self.program, Trouble(known.code, reason), known.site)
        if known.code == "halted":
            context.raise_signal()
            return Halted()
        if known.code == "too-many-events":
            return EventsFull()
        if known.code == layout.NO_MEMORY:
            return MemoryError(reason)
        return NativeFailure(f"[{known.code}] {reason}")


def _cached(name: str) -> tuple[Interface, bytes] | None:
    """What the cache holds, if it can be read."""
    found = cache.load(name)
    if found is None:
        return None
    try:
        return from_json(found[0]), found[1]
    except ValueError:
        return None
