"""The rulebooks that come with the program, by name: `extends: chess`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ludwright.diagnostics import Diagnostics
from ludwright.language.reading.csv_tables import Beside
from ludwright.language.reading.files import read_beside
from ludwright.language.reading.source import Source

GAMES = Path(__file__).parents[2] / "games"
RULEBOOK = "rulebook.md"


@cache
def shipped_rulebooks() -> dict[str, Path]:
    """The folders under `games/` that hold a rulebook in one file, by name."""
    return {
        folder.name: folder / RULEBOOK
        for folder in sorted(GAMES.iterdir())
        if (folder / RULEBOOK).is_file()
    }


def read_shipped(name: str, diagnostics: Diagnostics) -> Source | None:
    """The rulebook of a shipped game; None if there is no such game."""
    path = shipped_rulebooks().get(name)
    return None if path is None else read_beside(diagnostics)(path.as_posix(), path.name)


def with_shipped(beside: Beside, diagnostics: Diagnostics) -> Beside:
    """What reads files beside a shipped rulebook from its own folder, all others as before."""
    read = read_beside(diagnostics)
    folders = {path.parent for path in shipped_rulebooks().values()}

    def found(file: str, name: str) -> Source | None:
        return read(file, name) if Path(file).parent in folders else beside(file, name)

    return found
