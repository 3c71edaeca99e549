"""Start-up: code kept on disk, code that serves before it is optimised, waits that are told."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ludwright as lw
from ludwright.program import Program
from ludwright.program.fingerprint import fingerprint
from tests.native import support
from tests.native.support import needs_native

if TYPE_CHECKING:
    from ludwright.native.engine import Engine

pytestmark = needs_native


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where code is kept during a test."""
    monkeypatch.setenv("LUDWRIGHT_CACHE", str(tmp_path))
    return tmp_path / "native"


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The text of every translation that is made."""
    from ludwright.native import translate

    made: list[str] = []
    real = translate.translate

    def noted(
        program: Program, events: bool, counting: bool, without: frozenset[str], trees: bool
    ) -> translate.Translation:
        translation = real(program, events, counting, without, trees)
        made.append(translation.text)
        return translation

    monkeypatch.setattr(translate, "translate", noted)
    return made


def _engine(name: str = "nim", level: int = 0, *, at_once: bool = False) -> Engine:
    from ludwright.native.engine import Engine

    return Engine(lw.load(name).program, level, at_once=at_once)


def _scores(engine: Engine) -> list[list[int]]:
    from ludwright.native.playouts import playouts

    found: list[list[int]] = playouts(engine, 50, seed=3).scores.tolist()
    return found


# ------------------------------------------------------------------- the disk


def test_code_on_disk_needs_no_translation(disk: Path, translated: list[str]) -> None:
    first = _engine()
    again = _engine()
    assert len(translated) == len(list(disk.iterdir())) == 1
    assert again.interface == first.interface
    assert _scores(again) == _scores(first)


def test_damaged_code_is_built_again(disk: Path, translated: list[str]) -> None:
    expected = _scores(_engine())
    (file,) = disk.iterdir()
    whole = file.read_bytes()
    damaged = (b"", b"not code", whole[:40], whole[:-1], whole[:-1] + b"?", whole + b"more")
    for number, content in enumerate(damaged, 2):
        file.write_bytes(content)
        assert _scores(_engine()) == expected
        assert len(translated) == number
        assert file.read_bytes() == whole


def test_code_under_another_key_or_of_another_user_is_not_run(
    disk: Path, translated: list[str]
) -> None:
    from ludwright.native.build import cache

    _engine()
    (file,) = disk.iterdir()
    other = cache.key("another machine")
    (disk / other).write_bytes(file.read_bytes())
    assert cache.load(other) is None
    if sys.platform != "win32":
        file.chmod(0o666)  # anybody could have written it
        _engine()
        assert len(translated) == 2


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))  # addresses are short


@pytest.mark.skipif(sys.platform == "win32", reason="needs such files")
@pytest.mark.parametrize(
    "make", [os.mkfifo, os.mkdir, _socket, lambda path: path.symlink_to("/dev/zero")]
)
def test_only_plain_files_are_read(
    disk: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
) -> None:  # fmt: skip
    from ludwright.native.build import cache

    monkeypatch.chdir(disk.parent)
    disk.mkdir(mode=0o700)
    name = cache.key("something else")
    make(disk / name)
    found: list[object] = []
    reader = threading.Thread(target=lambda: found.append(cache.load(name)), daemon=True)
    reader.start()
    reader.join(10)
    assert found == [None]
    cache.save(name, b"interface", b"code", disk)
    if make is not os.mkdir:
        assert cache.load(name) == (b"interface", b"code")


_HOMELESS = """
import os, pwd
for name in ("HOME", "XDG_CACHE_HOME", "LUDWRIGHT_CACHE"):
    os.environ.pop(name, None)
def unknown(user):
    raise KeyError(user)
pwd.getpwuid = unknown
import ludwright as lw
from ludwright.native.build import cache
print(cache.folder(), lw.load("nim", engine="native").playouts(3).ends.tolist())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs users as of Unix")
def test_a_user_without_a_home_has_no_cache() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _HOMELESS], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("None [0, 0, 0]\n", "")


def test_a_change_of_the_translator_makes_old_code_useless(
    disk: Path, translated: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ludwright.native.build import cache

    _engine()
    monkeypatch.setattr(cache, "sources", lambda: "the sources after a change")
    _engine()
    assert len(translated) == len(list(disk.iterdir())) == 2


def test_several_writers_and_readers_do_no_harm(disk: Path) -> None:
    from ludwright.native.build import cache

    contents = [(b"%d" % i, bytes([i]) * (1 << 16)) for i in range(4)]
    seen: list[tuple[bytes, bytes] | None] = []

    def write(content: tuple[bytes, bytes]) -> None:
        for _ in range(30):
            cache.save("name", *content, cache.folder())
            seen.append(cache.load("name"))

    writers = [threading.Thread(target=write, args=(content,)) for content in contents]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(seen) == 120
    assert set(seen) <= set(contents)
    assert [file.name for file in disk.iterdir()] == ["name"]


def test_files_that_are_not_used_go_first(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    from ludwright.native.build import cache

    monkeypatch.setattr(cache, "SHELF", replace(cache.SHELF, most=4, left=2))
    for age, name in enumerate(["a", "b", "c", "d"]):
        cache.save(name, b"", b"code", cache.folder())
        os.utime(disk / name, (1000 + age, 1000 + age))
    assert cache.load("b") is not None  # used: no longer old
    cache.save("e", b"", b"code", cache.folder())
    assert {file.name for file in disk.iterdir()} == {"b", "e"}


def test_a_disk_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ludwright.native.build import cache

    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("LUDWRIGHT_CACHE", str(blocked))
    cache.save("name", b"interface", b"code", cache.folder())
    assert cache.load("name") is None
    monkeypatch.setenv("LUDWRIGHT_CACHE", "")
    assert cache.folder() is None


_AT_A_TABLE = """
import sys
import ludwright as lw

game = lw.load("nim", engine="native")
game.choose(game.initial_state(), game.decision(game.initial_state()).options[0])
print(*(name for name in ("numpy", "ludwright.native.translate") if name in sys.modules))
"""


def test_a_second_start_loads_no_translator_and_no_arrays(disk: Path) -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", _AT_A_TABLE], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert told == ["ludwright.native.translate\n", "\n"]
    assert list(disk.iterdir())


# ---------------------------------------------------------- what is beside it


@pytest.mark.parametrize("name", ["delta", "hearts", "backgammon"])
def test_what_python_knows_of_the_code_survives_the_disk(name: str) -> None:
    from ludwright.native.build.manifest import from_json, to_json
    from ludwright.native.translate import translate

    interface = translate(lw.load(name).program, True).interface
    assert from_json(to_json(interface)) == interface


@pytest.mark.parametrize(
    "change",
    [
        ('"room":', '"rooms":'),
        ('"searches":false', '"searches":0'),
        ('["refusal"', '["mistake"'),
        ('"answers":[[', '"answers":[[[],'),
        ("}", ""),
    ],
)
def test_what_is_not_understood_is_not_used(change: tuple[str, str]) -> None:
    from ludwright.native.build.manifest import from_json, to_json
    from ludwright.native.translate import translate

    text = to_json(translate(lw.load("nim").program, True).interface).decode()
    assert change[0] in text
    with pytest.raises(ValueError):
        from_json(text.replace(*change).encode())


def test_the_fingerprint_tells_what_is_played_not_how_it_is_told() -> None:
    text = lw.shipped_games()["nim"].read_text(encoding="utf-8")
    one = fingerprint(lw.load_text(text).program)
    assert fingerprint(lw.load_text("A word before.\n\n" + text).program) == one
    assert fingerprint(lw.load("tic-tac-toe", size=4, run=4).program) != fingerprint(
        lw.load("tic-tac-toe", size=4, run=3).program
    )


# ------------------------------------------------------------------ two levels


def test_plain_code_serves_until_the_optimised_is_there(disk: Path) -> None:
    engine = _engine(level=2, at_once=True)
    early = _scores(engine)
    engine.await_optimised()
    assert len(list(disk.iterdir())) == 1
    assert _scores(engine) == early
    assert _scores(_engine(level=2)) == early


_LEAVING = """
import os, sys
import ludwright as lw
from ludwright.native.engine import Engine
from ludwright.native.playouts import playouts

Engine(lw.load("kalah").program, at_once=True)
if sys.argv[1] == "fork":
    child = os.fork()
    if child:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    playouts(Engine(lw.load("nim").program, 0), 10, 1)
    print("played")
"""


@pytest.mark.parametrize(
    ("way", "said"),
    [("exit", ""), pytest.param("fork", "played\n", marks=pytest.mark.skipif("not hasattr(os, 'fork')"))],
)  # fmt: skip
def test_a_process_may_end_or_be_copied_while_code_is_made(disk: Path, way: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LEAVING, way],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    assert list(disk.iterdir())  # what was begun is there the next time


# ----------------------------------------------------------------------- waits


def test_a_long_wait_is_told(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludwright.native import watch
    from ludwright.native.build import background

    told: list[tuple[float, bool]] = []
    monkeypatch.setattr(background, "REPORTED_AFTER", 0.0)
    watch(lambda seconds, done: told.append((seconds, done)))
    try:
        _engine(level=1)
        assert [done for _, done in told if done] == [told[-1][1]]
        told.clear()
        _engine(level=1)
        assert told == []  # nothing to wait for
    finally:
        watch(None)


class _Terminal(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_shows_the_wait_on_a_line_that_goes_away(
    terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ludwright.cli.shared.progress import show_waits
    from ludwright.native import watch
    from ludwright.native.build.progress import tell

    screen = _Terminal(terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    show_waits()
    try:
        tell(1.4, False)
        tell(1.8, True)
    finally:
        watch(None)
    shown = screen.getvalue()
    assert ("making machine code" in shown) == terminal
    assert shown.endswith("\r\x1b[K") == terminal


# ---------------------------------------------------------------------- memory


def _resident() -> int:
    """Bytes of memory this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize(("name", "games"), [("tic-tac-toe", 100_000), ("draughts", 100)])
def test_playing_on_and_on_takes_no_more_memory(name: str, games: int) -> None:
    from ludwright.native.playouts import playouts

    engine = support.engine(name)
    sizes = []
    for seed in range(11):
        playouts(engine, games, seed)
        sizes.append(_resident())
    assert sizes[-1] - sizes[2] < 4 << 20
