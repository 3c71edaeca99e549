"""`ludwright check FILE…`: everything that is wrong with rulebooks, at once."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludwright.cli.shared.output import REFUSED, plural, print_json, problem_count
from ludwright.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Checked:
    file: str
    diagnostics: Sequence[Diagnostic]
    sources: Mapping[str, str]
    gamedef_hash: str | None = None
    state_bytes: int | None = None
    decisions: int | None = None

    @property
    def ok(self) -> bool:
        return self.gamedef_hash is not None


def run(files: Sequence[str], as_json: bool) -> None:
    checked = [check(file) for file in files]
    if as_json:
        print_json(reports(checked))
    else:
        for item in checked:
            print(describe(item, color=sys.stdout.isatty()))
    if not all(item.ok for item in checked):
        sys.exit(REFUSED)


def check(file: str) -> Checked:
    from ludwright.loading import compile_files, game_from, large_games, shipped_games

    # If it is neither a file nor a shipped game, the reader reports that.
    known = {} if Path(file).exists() else shipped_games() | large_games()
    compilation = compile_files(known.get(file, file))
    items, sources = compilation.diagnostics.items, compilation.sources
    if not compilation.ok:
        return Checked(file, items, sources)
    game = game_from(compilation)
    program = game.program
    return Checked(file, items, sources, game.gamedef_hash, 4 * program.cells, len(program.choices))


def report(item: Checked) -> dict[str, Any]:
    from ludwright.diagnostic_text import to_json

    return {
        "ok": item.ok,
        "diagnostics": to_json(item.diagnostics, item.sources),
        "hash": item.gamedef_hash,
        "state_bytes": item.state_bytes,
        "decisions": item.decisions,
    }


def reports(checked: Sequence[Checked]) -> dict[str, Any]:
    """One object: of the one file, or of all of them with each file's own under `files`."""
    if len(checked) == 1:
        return report(checked[0])
    single = [report(item) for item in checked]
    return {
        "ok": all(item.ok for item in checked),
        "diagnostics": [problem for one in single for problem in one["diagnostics"]],
        "hash": None,
        "state_bytes": None,
        "decisions": None,
        "files": {item.file: one for item, one in zip(checked, single, strict=True)},
    }


def describe(item: Checked, color: bool = False) -> str:
    from ludwright.diagnostic_text import render_text

    text = render_text(item.diagnostics, item.sources, color)
    last = f"{item.file}: {problem_count(item.diagnostics)}"
    if item.ok and item.state_bytes is not None and item.decisions is not None:
        last += f"; {plural(item.state_bytes, 'state byte')}, {plural(item.decisions, 'decision')}"
    return f"{text}\n{last}" if text else last
