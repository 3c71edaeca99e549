"""`ludwright games`: the shipped games, found in the folder of games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludwright.cli.shared.output import print_json
from ludwright.diagnostics import Diagnostics
from ludwright.kernel.views.board import table


def run(as_json: bool) -> None:
    from ludwright.loading import shipped_games

    found = [describe(name, path) for name, path in shipped_games().items()]
    if as_json:
        print_json({"games": found})
        return
    rows = [
        [game["id"], game["title"], players_text(game), parameters_text(game)] for game in found
    ]
    print("\n".join(table(("game", "title", "players", "parameters"), rows)) or "no games")


def describe(name: str, path: Path) -> dict[str, Any]:
    """A game whose rulebook has errors is listed too, with a note."""
    from ludwright.language.parsing import parse_rulebook
    from ludwright.language.reading import read_rulebook

    diagnostics = Diagnostics()
    definition = parse_rulebook(read_rulebook(path, diagnostics).blocks, diagnostics)
    if definition is None or not diagnostics.ok:
        return {
            "id": name,
            "title": f"(has errors: ludwright check {name})",
            "min_players": None,
            "max_players": None,
            "summary": "",
            "parameters": [],
        }
    return {
        "id": name,
        "title": definition.title,
        "min_players": definition.min_players,
        "max_players": definition.max_players,
        "summary": definition.summary,
        "parameters": [
            {
                "name": parameter.name,
                "default": parameter.default,
                "min": parameter.min,
                "max": parameter.max,
                "doc": parameter.doc,
            }
            for parameter in definition.parameters
        ],
    }


def players_text(game: dict[str, Any]) -> str:
    low, high = game["min_players"], game["max_players"]
    if low is None:
        return ""
    return str(low) if low == high else f"{low}–{high}"


def parameters_text(game: dict[str, Any]) -> str:
    return ", ".join(
        f"{parameter['name']}={str(parameter['default']).lower()}"
        for parameter in game["parameters"]
    )
