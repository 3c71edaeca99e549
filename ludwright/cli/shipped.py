"""The games that come with the package: every folder of `ludwright/games` with a rulebook."""

from __future__ import annotations

from importlib.resources import files


def shipped_games() -> list[str]:
    folder = files("ludwright") / "games"
    if not folder.is_dir():
        return []
    return sorted(
        entry.name
        for entry in folder.iterdir()
        if entry.is_dir() and (entry / "rulebook.md").is_file()
    )
