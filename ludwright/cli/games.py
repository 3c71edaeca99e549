"""`ludwright games`: what is shipped, found by looking, never from a list kept by hand."""

from __future__ import annotations

from typing import Any

from ludwright.cli.board import table
from ludwright.cli.output import print_json
from ludwright.cli.shipped import shipped_games
from ludwright.errors import RulebookError


def run(as_json: bool) -> None:
    found = [describe(name) for name in shipped_games()]
    if as_json:
        print_json({"games": found})
        return
    rows = [
        [game["id"], game["title"], players_text(game), parameters_text(game)] for game in found
    ]
    print("\n".join(table(("game", "title", "players", "parameters"), rows)) or "no games")


def describe(name: str) -> dict[str, Any]:
    """A game that can't be loaded is listed too, and says so."""
    import ludwright as lw

    try:
        definition = lw.load(name).gamedef
    except RulebookError:
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
