"""Mistakes that no Markdown suite can show: in files, in GameDef JSON, in size, in a caller's call.

Each entry gives what was compiled; the code it must give is its key.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludwright.language.canonical import gamedef_bytes
from ludwright.language.reading import limits
from ludwright.loading import Compilation, compile_files, compile_text

GAME = """
game: { id: test, title: Test, players: 2 }
seats: [red, blue]
parameters: { size: { default: 3, min: 2, max: 9 } }
spaces: { board: { grid: [size, size] } }
tables: { Card: { copper: { cost: 1 }, silver: { cost: 2 } } }
pieces: { card: { each: Card } }
vars: { a: 0..9 }
actions: [{ id: wait }]
"""

Maker = Callable[[Path], Compilation]


def _text(extra: str, **parameters: int | bool) -> Maker:
    return lambda folder: compile_text(GAME + extra, "rules.yaml", parameters)


def _file(name: str, content: bytes) -> Maker:
    def make(folder: Path) -> Compilation:
        path = folder / name
        path.write_bytes(content)
        return compile_files(path)

    return make


def _folder(count: int) -> Maker:
    def make(folder: Path) -> Compilation:
        for number in range(count):
            (folder / f"part{number}.md").write_text("prose", "utf-8")
        return compile_files(folder)

    return make


def _table(file: str) -> Maker:
    text = f"```yaml\n{GAME}```\n```yaml\ntables: {{ T: {file} }}\n```\n"
    return _file("rulebook.md", text.encode())


def _beside(folder: Path) -> Compilation:
    (folder / "rulebook.md").write_text(f"```yaml\n{GAME}oops: 1\n```\n", "utf-8")
    (folder / "counts.yaml").write_text("depth: 3\n", "utf-8")
    (folder / "more.yaml").write_text("vars: { b: 0..9 }\n", "utf-8")
    return compile_files(folder)


def _unreadable(folder: Path) -> Compilation:
    (folder / "rules.md").symlink_to(folder / "rules.md")
    return compile_files(folder / "rules.md")


def _json(change: Callable[[dict[str, Any]], object]) -> Maker:
    """The GameDef of a sound game, spoilt."""

    def make(folder: Path) -> Compilation:
        compilation = compile_text(GAME, "rules.yaml")
        assert compilation.gamedef is not None
        data = json.loads(gamedef_bytes(compilation.gamedef))
        change(data)
        return _file("game.json", json.dumps(data).encode())(folder)

    return make


def _chain(count: int, line: str, last: str) -> str:
    calls = [line.format(this=number, next=number + 1) for number in range(count)]
    return "".join(calls) + last.format(this=count)


ELSEWHERE: dict[str, list[Maker]] = {
    "csv-table": [_table("nowhere.csv"), _table("../up.csv")],
    "extends": [
        _text("extends: nowhere.md"),
        _text("extends: ../up.md"),
        _text("remove: { a: b }"),
    ],
    "file-ignored": [_beside],
    "file-missing": [lambda folder: compile_files(folder / "nowhere.md")],
    "file-not-text": [_file("rules.md", b"\xff\xfe\x00")],
    "file-too-large": [_file("rules.md", b" " * (limits.MAX_FILE_BYTES + 1))],
    "file-type": [_file("rules.docx", b"rules")],
    "file-unreadable": [_unreadable],
    "folder-empty": [_folder(0)],
    "rulebook-too-large": [
        _folder(limits.MAX_RULEBOOK_FILES + 1),
        _file("rules.md", b"\n" * (limits.MAX_RULEBOOK_LINES + 1)),
    ],
    "too-many-problems": [
        _text("setup:\n" + "  - a = = 3\n" * 300),
        _text("setup:\n" + "".join(f"  - a = b{number}\n" for number in range(300))),
    ],
    "yaml-too-deep": [_text("vars: " + "[" * 70 + "]" * 70)],
    "yaml-too-many-nodes": [_text("vars: [" + "1," * 210_000 + "]")],
    "syntax-too-long": [_text("score: " + "1 + " * 1_200 + "1")],
    "calls-too-deep": [
        _text("fns:\n" + _chain(99, "  f{this}(): f{next}()\n", "  f{this}(): 1\nscore: f0()")),
        _text(
            "procs:\n"
            + _chain(99, "  p{this}(): [p{next}()]\n", "  p{this}(): [a = 1]\nsetup: [p0()]")
        ),
        # each function is short of the limit, but its expression is deep as well
        _text(
            "fns:\n"
            + _chain(
                60,
                "  f{this}(): " + "not " * 60 + "f{next}()\n",
                "  f{this}(): true\nend: [{{ when: f0(), draw: all }}]",
            )
        ),
    ],
    "rules-too-large": [
        _text(
            "fns:\n"
            + _chain(
                30, "  f{this}(): f{next}() + f{next}()\n", "  f{this}(): board\nscore: count(f0())"
            )
        )
    ],
    "unknown-parameter": [_text("", sise=4)],
    "parameter-out-of-range": [_text("", size=10)],
    "parameter-type": [_text("", size=True)],
    "gamedef-unreadable": [_file("game.json", b"{"), _file("game.json", b"\xff")],
    "json-shape": [
        _file("game.json", b"[]"),
        _json(lambda data: data.update(actions=3)),
        _json(lambda data: data["actions"][0].update(colour="red")),
    ],
    "json-too-deep": [_file("game.json", b"[" * 900 + b"]" * 900)],
    "language-version": [_json(lambda data: data.update(language=99))],
    "bad-pieces": [
        _json(
            lambda data: data["pieces"][0].update(each=[["up", {"kind": "name", "name": "bool"}]])
        )
    ],
    "bad-players": [_json(lambda data: data.update(minPlayers=3))],
}
