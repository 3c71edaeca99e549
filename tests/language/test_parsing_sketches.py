"""The games written on paper to find out what the language needs: all of it parses."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludwright.diagnostics import Diagnostics
from ludwright.language.canonical import from_json, to_json
from ludwright.language.tree import ChooseN, Comp, ForEach, With
from tests.language.parsing_support import gamedef, parse

SKETCHES = Path(__file__).parent / "sketches"
STREET = "phaseTemplates: { street: { params: { cards: 0..5 }, phase: { onEnter: [deal()] } } }"


@pytest.mark.parametrize("path", sorted(SKETCHES.glob("*.yaml")), ids=lambda path: path.stem)
def test_sketch_parses_and_survives_json(path: Path) -> None:
    parsed = parse(path.read_text("utf-8"), STREET)
    assert parsed.problems == []
    assert parsed.game is not None
    diagnostics = Diagnostics()
    assert from_json(to_json(parsed.game), diagnostics) == parsed.game
    assert diagnostics.items == []


def test_chess_has_its_parts() -> None:
    game = gamedef((SKETCHES / "chess.yaml").read_text("utf-8"))
    assert [fn.name for fn in game.functions][:3] == ["fwd", "enemy", "free"]
    slide = next(fn for fn in game.functions if fn.name == "slide")
    assert isinstance(slide.body, Comp)
    (move,) = game.actions
    assert [param.name for param in move.params] == ["origin", "target", "promote"]
    assert move.params[2].when is not None
    assert move.ensure is not None
    assert [(var.name, var.scope) for var in game.vars] == [
        ("ep", "global"),
        ("quiet", "global"),
        ("castleK", "seat"),
        ("castleQ", "seat"),
    ]


def test_event_cards_keep_their_sides() -> None:
    game = gamedef((SKETCHES / "fire-in-the-lake-parts.yaml").read_text("utf-8"))
    card = next(event for event in game.events if event.id == "card_099")
    assert card.title == "card-099"
    assert [side.name for side in card.sides] == ["unshaded", "shaded"]
    assert isinstance(card.sides[0].effects[2], With)
    (coup,) = [proc for proc in game.procs if proc.name == "pacifyPhase"]
    assert [param.name for param in coup.params] == ["cost", "spacesMax", "levels"]
    loop = coup.body[1]
    assert isinstance(loop, ForEach)
    choice = loop.body[0]
    assert isinstance(choice, ChooseN)
    assert choice.each is not None
