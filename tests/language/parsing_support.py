"""Short ways from YAML text to trees and problems, for the parsing tests."""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.diagnostics import Diagnostic, Diagnostics
from ludwright.language.gamedef import GameDef
from ludwright.language.parsing import parse_rulebook
from ludwright.language.parsing.effects import read_block
from ludwright.language.parsing.longform import value
from ludwright.language.reading import YNode, read_texts
from ludwright.language.tree import Block, Expr

GAME = "game: { id: test, title: Test, players: 2 }\n"


def yaml_node(text: str) -> YNode:
    """The value of the key `it` in a YAML text."""
    diagnostics = Diagnostics()
    blocks = read_texts({"rules.yaml": text}, diagnostics).blocks
    assert diagnostics.items == []
    node = blocks[0].get("it")
    assert node is not None
    return node


def expression(text: str) -> Expr:
    """A short expression, as it would stand in quotes."""
    return field("'" + text.replace("'", "''") + "'")


def field(yaml: str) -> Expr:
    """Any YAML that stands for a value."""
    diagnostics = Diagnostics()
    found = value(yaml_node(f"it: {yaml}"), diagnostics)
    assert diagnostics.items == []
    return found


def effects(yaml: str) -> Block:
    diagnostics = Diagnostics()
    found = read_block(yaml_node(f"it: {yaml}"), diagnostics)
    assert diagnostics.items == []
    return found


def statement(text: str) -> Block:
    return effects("['" + text.replace("'", "''") + "']")


@dataclass(frozen=True)
class Parsed:
    game: GameDef | None
    problems: list[Diagnostic]


def parse(*texts: str, game: bool = True) -> Parsed:
    """A rulebook of several files; `game` adds the block every rulebook needs."""
    diagnostics = Diagnostics()
    files = {f"rules{number}.yaml": text for number, text in enumerate(texts)}
    if game:
        files["game.yaml"] = GAME
    blocks = read_texts(files, diagnostics).blocks
    return Parsed(parse_rulebook(blocks, diagnostics), diagnostics.items)


def gamedef(*texts: str) -> GameDef:
    parsed = parse(*texts)
    assert parsed.problems == []
    assert parsed.game is not None
    return parsed.game
