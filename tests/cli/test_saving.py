"""Saving: a failure loses nothing that was there before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludwright.files import write_whole
from ludwright.simulate import read_trace

FULL_DISK = """
import resource, sys
from dataclasses import replace
from pathlib import Path
from ludwright.simulate import read_trace
path = Path(sys.argv[1])
trace = read_trace(path)
trace = replace(trace, entries=trace.entries * 100)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    trace.write(path)
except OSError as error:
    print("told:", error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are Unix's")
def test_a_full_disk_keeps_the_old_save(tmp_path: Path) -> None:
    from ludwright.cli.main import app

    folder = tmp_path / "saves"
    with pytest.raises(SystemExit):
        app(["simulate", "nim", "-n", "1", "--traces", str(folder)])
    path = folder / "000000.json"
    before = read_trace(path)
    found = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True
    )
    assert "told:" in found.stdout
    assert read_trace(path) == before
    assert [item.name for item in folder.iterdir()] == ["000000.json"], "nothing is left behind"


def test_text_that_cannot_be_encoded_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "half a pair: \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_and_links_stay_as_they_are(tmp_path: Path) -> None:
    path, link = tmp_path / "game.json", tmp_path / "latest.json"
    write_whole(path, "one")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, "two")
    assert link.is_symlink()
    assert path.read_text() == "two"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    write_whole(tmp_path / "one", "")
    (tmp_path / "two").write_text("")
    assert (tmp_path / "one").stat().st_mode == (tmp_path / "two").stat().st_mode


def test_what_is_no_plain_file_is_written_to() -> None:
    write_whole(Path(os.devnull), "nothing")
    assert not Path(os.devnull).is_file()
