"""A process may fork whatever its threads are doing; the rule that makes it so is in `forking`."""

from __future__ import annotations

import gc
import os
import sys
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludwright as lw
from ludwright.forking import making
from tests.native import watched
from tests.native.support import needs_native

pytestmark = [needs_native, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")]


def _run(*arguments: str, **limits: float) -> str:
    """What a process of `forks` prints; it must end well."""
    ended = watched.run("tests.native.forks", *arguments, **limits)
    assert not ended.hung, ended.hung
    assert (ended.code, ended.errors) == (0, "")
    return ended.output


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_copy_that_hangs_is_noticed() -> None:
    ended = watched.run("tests.native.forks", "hang", idle=2)
    assert "in_a_copy" in ended.hung
    assert ended.output == ""


# ------------------------------------------------------------------- any moment


@pytest.mark.parametrize(
    ("forks", "kept"),
    [
        (60, True),
        pytest.param(500, True, marks=pytest.mark.long),
        pytest.param(60, False, marks=pytest.mark.long),
    ],
)
def test_a_process_may_be_copied_while_other_threads_make_and_run_code(
    forks: int, kept: bool
) -> None:
    _run("races", str(forks), str(int(kept)), most=280 if forks <= 60 else 7000)


@pytest.mark.parametrize("lines", ["locked", pytest.param("all", marks=pytest.mark.long)])
def test_a_process_may_be_copied_at_any_line(lines: str) -> None:
    seen, forks = map(int, _run("lines", lines, most=280 if lines == "locked" else 7000).split())
    assert seen == forks > 10


def test_a_process_may_be_copied_while_another_thread_uses_the_library_first() -> None:
    modules = ("ludwright.errors", "ludwright.native.game", "llvmlite.binding.ffi", "numpy")
    _run("first_use", *modules)


def test_what_is_imported_late_is_imported_with_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDWRIGHT_CACHE", str(tmp_path))
    assert [_run("late_imports") for code in ("made", "kept")] == ["", ""]


@pytest.mark.parametrize("where", ["mine", "ludwright"])
def test_a_handler_of_logging_may_fork(where: str) -> None:
    assert set(_run("logged", where).split()) == {"forks"}


# --------------------------------------------------------------------- signals


def test_an_interrupt_does_not_end_the_wait_of_a_fork() -> None:
    assert _run("interrupted") == "KeyboardInterrupt\n"  # told as ignored, as Python does


@pytest.mark.parametrize("what", ["step", "answer"])
def test_a_signal_handler_may_fork_in_the_middle_of_native_work(what: str) -> None:
    original, copy = _run("inside", what).splitlines()
    assert original == copy
    assert "copied" not in copy


@pytest.mark.parametrize("what", ["perft", "playouts"])
def test_a_copy_does_not_wait_for_threads_of_the_original(what: str) -> None:
    told = _run("inside", what).splitlines()
    assert len(told) == 2
    assert sum("only the original goes on" in line for line in told) == 1


def test_a_copy_is_told_that_a_batch_was_in_the_middle_of_a_step() -> None:
    told = _run("torn").splitlines()
    assert len(told) == 2
    assert all("in the middle of a step" in line for line in told)


# ------------------------------------------------------------------------- LLVM


@pytest.fixture
def strays() -> Iterator[list[str]]:
    """Calls of LLVM by somebody whom no fork waits for."""
    from llvmlite.binding import ffi  # type: ignore[import-untyped]

    from ludwright.native.build.background import THREAD

    found: list[str] = []
    lock: Any = making

    def acquired() -> None:
        if not lock._is_owned() and threading.current_thread().name != THREAD:
            found.append("".join(traceback.format_stack(limit=9)))

    def released() -> None:
        pass

    ffi.register_lock_callback(acquired, released)
    yield found
    ffi.unregister_lock_callback(acquired, released)


def test_whoever_calls_llvm_is_waited_for(
    strays: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ludwright.native.build import llvm as assembling
    from ludwright.native.engine import Engine

    monkeypatch.setenv("LUDWRIGHT_CACHE", "")
    program = lw.load("nim").program
    engines = [Engine(program, 0), Engine(program, 1, at_once=True)]
    engines[1].await_optimised()
    assert _unloaded(engines) == 3

    cycle: list[Any] = [Engine(program, 0)]
    cycle.append(cycle)
    thread = threading.Thread(target=gc.collect)
    del cycle
    thread.start()
    thread.join()
    assert not assembling._unused

    with pytest.raises(RuntimeError) as raised, making:
        assembling.optimised("no code at all", 1)
    del raised
    gc.collect()
    assert strays == []


def _unloaded(engines: list[Any]) -> int:
    """How many libraries go when nobody needs these engines any more."""
    from llvmlite.binding.orcjit import ResourceTracker  # type: ignore[import-untyped]

    gone: list[Any] = []
    gc.collect()  # what other tests have left
    with pytest.MonkeyPatch.context() as patch:
        real = ResourceTracker._dispose
        patch.setattr(ResourceTracker, "_dispose", lambda self: gone.append(real(self)))
        engines.clear()
        gc.collect()
    return len(gone)


def test_code_that_cannot_be_unloaded_at_once_is_unloaded_later(strays: list[str]) -> None:
    from ludwright.native.build import llvm as assembling
    from ludwright.native.engine import Engine

    program = lw.load("nim").program
    engines = [Engine(program, 0)]
    with making:
        # Nobody waits here for the lock: the thread may hold others.
        thread = threading.Thread(target=engines.clear)
        thread.start()
        thread.join(60)
        assert not thread.is_alive()
        assert len(assembling._unused) == 1
    Engine(program, 0)
    assert not assembling._unused
    assert strays == []


def test_where_no_thread_can_be_made_forks_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludwright.native.build import background as building

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(RuntimeError, match="new thread"):
        building.Build("", 0, lambda code: None)
    monkeypatch.undo()
    building._wait_for_all()
    assert not building._under_way
    assert sys.platform == "win32" or os.waitstatus_to_exitcode(_forked()) == 0


def _forked() -> int:
    child = os.fork()
    if not child:
        os._exit(0)
    return os.waitpid(child, 0)[1]
