"""Compilations on disk: the same game as from the text, and nothing else is ever read from there."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

import ludwright as lw
from ludwright import compilations, loading
from ludwright.compilations import StoredCompilation
from ludwright.language.gamedef import GameDef
from ludwright.loading import compile_files
from ludwright.records import Unreadable, packed, unpacked

TABLE = """
# A table beside the rules

```yaml
game: { id: beside, title: Beside, players: 2 }
tables: { Card: cards.csv }
vars: { total: 0..99 }
actions:
  - id: take
    params: { card: Card }
    effects: [total += card.worth]
end: [{ when: total > 3, draw: true, reason: enough }]
examples:
  - title: nothing has been taken
    holds: total == 0
```
"""


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache that keeps everything."""
    monkeypatch.setenv("LUDWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compilations, "WORTH_KEEPING", -1.0)
    return tmp_path / "cache" / "compiled"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "cards.csv").write_text("id,worth\nace,1\nking,4\n")
    book = tmp_path / "rulebook.md"
    book.write_text(TABLE)
    return book


@pytest.mark.parametrize("name", ["delta", "chess", "texas-holdem", "tic-tac-toe"])
def test_a_stored_compilation_is_the_same_game(disk: Path, name: str) -> None:
    path = loading.shipped_games()[name]
    made, found = compile_files(path), compile_files(path)
    assert not isinstance(made, StoredCompilation)
    assert isinstance(found, StoredCompilation)
    assert found.program == made.program
    assert found.program is not None
    assert found.program.sites == made.program.sites  # type: ignore[union-attr]
    assert (found.gamedef, found.examples) == (made.gamedef, made.examples)
    assert (found.gamedef_json, found.gamedef_hash) == (made.gamedef_json, made.gamedef_hash)
    assert (found.diagnostics, found.sources) == (made.diagnostics, made.sources)
    one, two = loading.game_from(made, engine="python"), loading.game_from(found, engine="python")
    assert one.initial_state(5).to_bytes() == two.initial_state(5).to_bytes()
    again = pickle.loads(pickle.dumps(two))
    assert again.initial_state(5).to_bytes() == one.initial_state(5).to_bytes()


def test_what_the_game_depends_on_is_in_the_key(
    disk: Path, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kept() -> bool:
        return isinstance(compile_files(book), StoredCompilation)

    assert not kept()
    assert kept()
    book.write_text(TABLE.replace("> 3", "> 4"))
    assert not kept()
    (book.parent / "cards.csv").write_text("id,worth\nace,2\nking,4\n")
    assert not kept()
    assert kept()
    (book.parent / "cards.csv").unlink()
    assert not compile_files(book).ok
    parameters = [{"size": 4, "run": 4}, {"size": 4, "run": 3}, {"size": 5, "run": 4}]
    path = loading.shipped_games()["tic-tac-toe"]
    sizes = {compile_files(path, given).program.cells for given in parameters}  # type: ignore[union-attr]
    assert len(sizes) == 2
    monkeypatch.setattr(compilations, "sources", lambda *parts: "another compiler")
    assert not isinstance(compile_files(path, parameters[0]), StoredCompilation)


def test_mistakes_and_quick_work_are_not_kept(
    disk: Path, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book.write_text(TABLE.replace("total += card.worth", "totl += card.worth"))
    assert not compile_files(book).ok
    assert not disk.exists()
    monkeypatch.setattr(compilations, "WORTH_KEEPING", 60.0)
    book.write_text(TABLE)
    assert compile_files(book).ok
    assert not disk.exists()


def test_damaged_files_are_made_again(disk: Path, book: Path) -> None:
    expected = compile_files(book).program
    (file,) = disk.iterdir()
    whole = file.read_bytes()
    for content in (b"", whole[:50], whole[:-1], whole[:-1] + b"?", whole + b"more"):
        file.write_bytes(content)
        assert compile_files(book).program == expected
        assert file.read_bytes() == whole
    file.chmod(0o666)
    found = compile_files(book)
    assert os.name == "nt" or not isinstance(found, StoredCompilation)


class _Calls:
    def __reduce__(self) -> tuple[object, ...]:
        return print, ("this must not be printed",)


@pytest.mark.parametrize(
    "value", [_Calls(), [_Calls()], len, Path("x"), lw.Game, pickle.loads, loading.load]
)
def test_only_records_are_read(value: object, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Unreadable):
        unpacked(pickle.dumps(value))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("data", [b"", b"\x80", b"\x80\x05.", b"cos\nsystem\n.", b"\xff" * 40])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        unpacked(data)


def test_records_come_back_as_they_were() -> None:
    gamedef = compile_files(loading.shipped_games()["nim"]).gamedef
    assert gamedef is not None
    found = unpacked(packed(gamedef))
    assert isinstance(found, GameDef)
    assert found == gamedef
    assert found.span == gamedef.span


@pytest.mark.parametrize("name", sorted(lw.shipped_games()))
def test_whatever_a_rulebook_declares_can_be_kept(name: str) -> None:
    """Looks, hints to bots, examples: none of them may be missing from the records that are read."""
    made = compile_files(lw.shipped_games()[name])
    kept = (made.gamedef, made.examples, made.program)
    assert unpacked(packed(kept)) == kept
