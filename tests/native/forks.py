"""Processes that fork while other threads work: `python -m tests.native.forks NAME ...`.

Each ends well, or with the trace of what went wrong, or hangs; `watched` tells which.
"""

from __future__ import annotations

import ast
import faulthandler
import hashlib
import logging
import os
import re
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ludwright as lw

if TYPE_CHECKING:
    from types import FrameType

    from ludwright.kernel.play.batch import Batch
    from ludwright.native.game import NativeGame


def in_a_copy(use: Callable[[], None]) -> None:
    """Fork, have the copy use something, and wait for it."""
    child = os.fork()
    if not child:
        code = 1
        try:
            use()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    _, status, _ = os.wait4(child, 0)
    if status:
        print("a copy failed:", os.waitstatus_to_exitcode(status), file=sys.stderr, flush=True)
        os._exit(1)


def in_background(work: Callable[[], Any]) -> threading.Thread:
    """A thread that does not keep the process from ending."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def native(name: str) -> NativeGame:
    from ludwright.native import game, machine
    from ludwright.native.game import NativeGame

    game.LEVEL = machine.LEVEL = 0  # quick to make
    loaded = lw.load(name, engine="native")
    assert isinstance(loaded, NativeGame)
    return loaded


class Everything:
    """One game, and whatever of it takes a lock."""

    def __init__(self) -> None:
        from ludwright.native.build.background import Build
        from ludwright.native.translate import translate

        self.game = native("kalah")
        self.state = self.game.initial_state(seed=1)
        self.other = lw.load("nim").program
        self.build = Build(translate(self.other, False).text, 0, lambda code: None)
        self.batch: Batch = self.game.batch(64, seed=1)
        self.use()

    def use(self) -> None:
        from ludwright.kernel.play.game import core_of
        from ludwright.native.engine import Engine
        from ludwright.native.playouts import playouts

        lw.load("nim", engine="python")
        game, state = self.game, self.state
        core_of(game).machine.stop_at(list(state.cells))
        decision = game.decision(state)
        assert decision is not None
        game.choose(state, decision.options[0])
        assert game.perft(state, 3) == 185
        playouts(Engine(self.other, 0), 70, 1, threads=2)
        Engine(self.other, 1, at_once=True).await_optimised()
        self.build.wait()
        with suppress(lw.LudwrightError):  # another thread may have been in the middle of a step
            self.batch.copy().step(self.batch.seats * 0)


# --------------------------------------------------------------------- races


def hang() -> None:
    """What `watched` is there for: the copy waits for a thread that is not in it."""
    lock = threading.Lock()
    lock.acquire()

    def release() -> None:
        time.sleep(0.5)
        lock.release()

    in_background(release)
    in_a_copy(lambda: print(lock.acquire()))


def races(forks: str, kept: str) -> None:
    """Forks while threads make code, dispose of it and play, all as fast as they can.

    What is `kept` on disk is soon made, so that nearly all the time is spent in LLVM.
    """
    from ludwright.native.engine import Engine

    if not int(kept):
        os.environ["LUDWRIGHT_CACHE"] = ""
    everything = Everything()

    def make() -> None:
        while True:
            Engine(everything.other, 0)

    def play() -> None:
        while True:
            everything.use()

    def load() -> None:
        while True:
            lw.load("nim", engine="python")

    def step() -> None:
        while True:
            everything.batch.step(everything.batch.seats * 0)

    for work in (make, play, load, step):
        in_background(work)
    for number in range(int(forks)):
        time.sleep(0.004 * (number % 9))
        in_a_copy(everything.use)


# --------------------------------------------------------------------- lines


def lines(which: str) -> None:
    """A fork at all lines that a thread comes to, or at those under a lock.

    Where the thread is waited for there is nothing to see: the fork would be somewhere else.
    """
    everything = Everything()
    stops = Stops(which == "all")
    threading.settrace(stops.enter)
    worker = in_background(everything.use)
    while True:
        place = stops.next(worker)
        if place is None:
            break
        in_a_copy(everything.use)
        place.release()
    print(len(stops.seen), stops.made)


_LOCK = re.compile(r"^ *with .*(lock|cond)", re.MULTILINE | re.IGNORECASE)


@cache
def _under_locks(file: str) -> frozenset[int]:
    """The lines inside `with` statements that name a lock, in whatever library."""
    try:
        text = Path(file).read_text()
    except OSError:
        return frozenset()
    heads = {text.count("\n", 0, found.end()) + 1 for found in _LOCK.finditer(text)}
    found: set[int] = set()
    for node in ast.walk(ast.parse(text if heads else "")):
        if isinstance(node, ast.With) and node.lineno in heads:
            found.update(range(node.body[0].lineno, (node.end_lineno or 0) + 1))
    return frozenset(found)


class Stops:
    """Holds threads up where they come to a line for the first time."""

    def __init__(self, everywhere: bool) -> None:
        self._everywhere = everywhere
        self._process = os.getpid()
        self._one = threading.Lock()  # one thread is held up at a time
        self._reached: list[Any] = []
        self.seen: set[tuple[str, int]] = set()
        self.made = 0

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        file = frame.f_code.co_filename
        if file == __file__ or not (self._everywhere or _under_locks(file)):
            return None
        return self._line

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        place = frame.f_code.co_filename, frame.f_lineno
        wanted = self._everywhere or frame.f_lineno in _under_locks(place[0])
        if event == "line" and wanted and place not in self.seen and not _is_waited_for():
            self.seen.add(place)
            if os.getpid() == self._process:
                self._hold_up()
        return self._line

    def _hold_up(self) -> None:
        held = threading.Lock()
        held.acquire()
        with self._one:
            self._reached.append(held)
            held.acquire(timeout=5)  # not for ever: the fork may wait for something held here

    def next(self, worker: threading.Thread) -> Any:
        """What holds up the next thread; None if there is no other."""
        while not self._reached:
            if not worker.is_alive():
                return None
            time.sleep(0.001)
        self.made += 1
        return self._reached.pop()


def _is_waited_for() -> bool:
    from ludwright.forking import importing, making
    from ludwright.native.build.background import THREAD

    owned: list[Any] = [making, importing]
    return any(lock._is_owned() for lock in owned) or threading.current_thread().name == THREAD


# ------------------------------------------------------------- the first use


def first_use(*modules: str) -> None:
    """Forks while a thread imports what the library needs when it is first used."""
    reached: list[str] = []
    original = os.getpid()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "import" and arguments[0] in modules and os.getpid() == original:
            reached.append(arguments[0])
            time.sleep(0.3)

    def use() -> None:
        game: Any = lw.load("nim", engine="native")
        game.playouts(10)

    sys.addaudithook(hook)
    worker = in_background(use)
    for number in range(len(modules)):
        while len(reached) <= number and worker.is_alive():
            time.sleep(0.001)
        in_a_copy(use)
    worker.join()
    assert reached == [*modules]


def late_imports() -> None:
    """What is imported without the lock that forks wait for, while games are loaded and played."""
    from ludwright.forking import importing, making

    owned: list[Any] = [making, importing]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "import" and watching and not any(lock._is_owned() for lock in owned):
            print(arguments[0], flush=True)

    native("nim")
    watching = True
    sys.addaudithook(hook)
    for engine in ("python", "native", "auto"):
        game: Any = lw.load("nim", engine=engine)
        state = game.initial_state(seed=1)
        game.choose(state, game.decision(state).options[0])
        game.legal_moves(state)
        game.perft(state, 2)
        game.playouts(200, threads=2)
        game.batch(3).step([0, 0, 0])
    with suppress(lw.RulebookError):
        lw.load_text("nothing")
    watching = False


# ----------------------------------------------------------------- interrupts


def interrupted() -> None:
    """A signal raises an exception in the middle of a fork that has to wait."""
    from ludwright.forking import making

    everything = Everything()
    held = threading.Lock()
    held.acquire()

    def hold() -> None:
        with making:
            held.release()
            time.sleep(1)

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    sys.unraisablehook = lambda raised: print(raised.exc_type.__name__, flush=True)
    signal.signal(signal.SIGALRM, interrupt)
    in_background(hold)
    held.acquire()
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    in_a_copy(everything.use)
    worker = in_background(everything.use)  # the locks are free in the original too
    worker.join()


_SLOW = """
```yaml
game: { id: slow, title: Slow, players: 2 }
vars: { t: 0..9, u: 0..9 }
fns:
  slow(n): count(y for y in 1..3000000 if y * n % 7 == t)
actions:
  - { id: work, effects: [{ forEach: { bind: x, over: 1..20, do: [t = slow(x) % 7] } }, u = 1] }
end: [{ when: u > 0, draw: all }]
```
"""


def inside(what: str) -> None:
    """A signal handler forks in the middle of native work; original and copy go on with it."""
    from ludwright.kernel.play.core import Core
    from ludwright.kernel.play.game import core_of

    game = native("kalah")
    state = game.initial_state(seed=1)
    batch = game.batch(20_000, seed=1)
    slow: Any = lw.load_text(_SLOW, engine="native")
    begun = slow.initial_state(seed=1)
    core = core_of(slow)
    stop = core.stop(begun)

    def step() -> str:
        for _ in range(2):
            batch.step(batch.seats * 0)
        return hashlib.sha256(batch.states.tobytes()).hexdigest()

    def answer() -> str:
        # as the kernel does it, which comes to `machine.answer`
        found = Core.advance(core, begun, stop, stop.answers[0])
        return f"{slow.result(found.state)} {found.state.to_bytes().hex()}"

    # the function in the middle of which the handler finds the work
    function, work = {
        "step": ("_go", step),
        "answer": ("_locked", answer),
        "perft": ("wait_for", lambda: str(game.perft(state, 10))),
        "playouts": ("wait_for", lambda: str(game.playouts(100_000).ends.sum())),
    }[what]
    children: list[int] = []

    def fork(number: int, frame: FrameType | None) -> None:
        if not children and function in _names(frame):
            children.append(os.fork())
        elif not children:
            signal.setitimer(signal.ITIMER_REAL, 0.001)

    signal.signal(signal.SIGALRM, fork)
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    try:
        print(work(), flush=True)
    except lw.LudwrightError as problem:
        print(problem, flush=True)
    if children[0]:
        os.wait4(children[0], 0)


def _names(frame: FrameType | None) -> list[str]:
    """Of the functions under way."""
    return [frame.f_code.co_name, *_names(frame.f_back)] if frame is not None else []


def torn() -> None:
    """Forks in the middle of a step of another thread: the copy is told, and can go on."""
    game = native("kalah")
    batch: Any = game.batch(50_000, seed=1)
    found: list[bool] = []

    def step() -> None:
        while True:
            batch.step(batch.seats * 0)

    def use() -> None:
        game.batch(10).step([0] * 10)
        for work in (batch.copy, lambda: batch.step(batch.seats * 0)):
            try:
                work()
            except lw.LudwrightError as problem:
                print(problem, flush=True)

    in_background(step)
    while not found:
        time.sleep(0.01)
        if batch._running:
            found.append(True)
            in_a_copy(use)


# -------------------------------------------------------------------- logging


def logged(where: str) -> None:
    """A handler of logging forks: in the thread that made code, or in another one meanwhile."""
    from ludwright.native.engine import Engine

    everything = Everything()
    os.environ["LUDWRIGHT_CACHE"] = ""
    original = os.getpid()

    class Forking(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.name.startswith(where) and os.getpid() == original:
                print("forks", flush=True)
                in_a_copy(everything.use)

    logging.getLogger().addHandler(Forking())
    logging.getLogger().setLevel(logging.INFO)
    engine = Engine(lw.load("kalah").program, 2, at_once=True)
    logging.getLogger("mine").info("in the middle of it")
    engine.await_optimised()
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join()


if __name__ == "__main__":
    faulthandler.register(signal.SIGUSR1)
    globals()[sys.argv[1]](*sys.argv[2:])
    sys.stdout.flush()
    os._exit(0)  # some threads never end
