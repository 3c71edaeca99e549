"""`ludwright page GAME`: a page about a game, made from its rulebook, so that it cannot drift."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from ludwright.diagnostics import Diagnostics
from ludwright.kernel.play.game import Game
from ludwright.language.parsing.examples import ExampleDecl, read_examples
from ludwright.language.reading import read_rulebook
from ludwright.loading import large_games, load, shipped_games
from ludwright.program import slot

KINDS = {"one": "one of", "many": "some of", "labels": "one of"}


def run(name: str) -> None:
    print(page(name), end="")


def page(name: str, game: Game | None = None) -> str:
    """`game` is the one of this name, if it has been loaded already."""
    game = load(name) if game is None else game
    large = large_games().get(name)
    folder = shipped_games()[name].parent if name in shipped_games() else large
    sections = [
        f"# {game.gamedef.title}\n\n{game.gamedef.summary}",
        _facts(game),
        _start(game),
        _actions(game),
        "" if large else _decisions(game),  # hundreds, which nobody reads
    ]
    if folder is not None:
        sections += [_examples(folder), _counts(folder), _notes(folder)]
        sections.append(_chapters(folder) if large else _links(name))
    return "\n\n".join(section for section in sections if section) + "\n"


def _links(name: str) -> str:
    return (
        f"The rules: [rulebook](../../ludwright/games/{name}/rulebook.md). "
        f"A whole game: [playthrough](../../tests/games/golden/{name}.txt)."
    )


def _chapters(folder: Path) -> str:
    """Links to the chapters of a rulebook, by their headings; examples are told of elsewhere."""
    lines = ["## The rules\n"]
    for path in sorted(folder.glob("[0-9]*-*.md")):
        heading = path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
        lines.append(f"- [{heading}](../../ludwright/games/{folder.name}/{path.name})")
    return "\n".join(lines)


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _facts(game: Game) -> str:
    low, high = game.gamedef.min_players, game.gamedef.max_players
    players = str(low) if low == high else f"{low} to {high}"
    text = (
        f"Players: {players}. Seats: {', '.join(game.seats)}. "
        f"A state takes {game.program.cells * 4} bytes."
    )
    if game.gamedef.parameters:
        rows = [
            (f"`{p.name}`", str(p.default).lower(), _range(p.min, p.max), p.doc)
            for p in game.gamedef.parameters
        ]
        text += "\n\n" + _table(("parameter", "default", "range", "meaning"), rows)
    return text


def _range(low: int | None, high: int | None) -> str:
    return f"{low} to {high}" if low is not None and high is not None else ""


def _start(game: Game) -> str:
    state = game.initial_state(seed=1)
    return f"## The first position\n\n```text\n{game.draw(state, game.seats[0]).rstrip()}\n```"


def _actions(game: Game) -> str:
    rows = []
    for info in game.program.actions:
        shown = "".join(
            part if isinstance(part, str) else _slot(part) for part in info.notation or ()
        )
        kind = "operation" if info.template else "action"
        params = ", ".join(f"`{name}`" for name in info.params)
        rows.append((f"`{info.name}`", kind, params, f"`{shown}`" if shown else ""))
    return "## Actions\n\n" + _table(("id", "kind", "parameters", "notation"), rows) if rows else ""


def _slot(part: tuple[str, ...]) -> str:
    before, path = slot(part)
    return "{" + (f"'{before}' " if before else "") + ".".join(path) + "}"


def _decisions(game: Game) -> str:
    rows: dict[tuple[str, ...], None] = {}
    for choice in game.program.choices:
        if choice.silent:
            continue
        what = (
            ", ".join(label.name for label in choice.labels)
            or choice.type.name
            or (choice.type.kind)
        )
        how = KINDS[choice.kind] + (" (optional)" if choice.optional else "")
        rule = game.program.sites[choice.site].rule.split(":")[0]
        rows[(f"`{choice.path or choice.name}`", f"{how} {what}", rule)] = None
    return "## Decisions\n\n" + _table(("decision", "choose", "rule"), list(rows)) if rows else ""


def _examples(folder: Path) -> str:
    """The worked examples beside the rulebook; `ludwright test` has run them."""
    path = folder / "examples.md"
    if not path.is_file():
        return ""
    rulebook = read_rulebook(path, diagnostics := Diagnostics())
    found = read_examples(rulebook.blocks, rulebook.plays, diagnostics)
    parts = [f"### {example.title}\n\n```text\n{_written(example)}\n```" for example in found]
    return "## Worked examples\n\n" + "\n\n".join(parts)


def _written(example: ExampleDecl) -> str:
    """An example as a reader follows it."""
    lines = [line.text.removeprefix("? ") for line in example.lines if line.text.strip()]
    given = [f"{key} {value}" for key, value in example.parameters.items()]
    drawn = [example.drawing.strip()] if example.drawing else []
    return "\n".join([*given, *drawn, *lines])


def _counts(folder: Path) -> str:
    path = folder / "counts.yaml"
    if not path.is_file():
        return ""
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    rows = [(str(depth), f"{nodes:,}") for depth, nodes in enumerate(data["perft"], 1)]
    return f"## Counts\n\n{data['note']}\n\n" + _table(("depth", "sequences of moves"), rows)


def _notes(folder: Path) -> str:
    path = folder / "notes.md"
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""
