"""The whole text: Markdown with YAML blocks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import yaml

from ludwright.language.look import COLOURS, PIECE_SHAPES, SPACE_SHAPES
from tests.native.rulebooks.decisions import Decisions
from tests.native.rulebooks.expressions import Expressions
from tests.native.rulebooks.reactions import LOUD, Reactions
from tests.native.rulebooks.scope import Scope
from tests.native.rulebooks.setting import Block, Setting, setting
from tests.native.rulebooks.spelling import Spelling
from tests.native.rulebooks.statements import Statements
from tests.native.rulebooks.turns import Turns


class _Plain(yaml.CSafeDumper):
    """YAML without anchors, which rulebooks may not have."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def rulebook(dice: random.Random) -> str:
    """A rulebook; nearly always one that the checker accepts."""
    plain, respelled = spellings(dice)
    return respelled if dice.random() < 0.4 else plain


def spellings(dice: random.Random) -> tuple[str, str]:
    """The same rulebook twice: in the usual words, and in others that mean the same."""
    table = setting(dice)
    expressions = Expressions(dice, table)
    lists = Statements(dice, table, expressions)
    decisions = Decisions(dice, table, expressions, lists)
    lists.loud = set(LOUD)
    reactions = Reactions(lists)
    blocks: Block = {**table.blocks}
    blocks["fns"] = reactions.functions()
    blocks["values"], blocks["modifiers"] = reactions.values()
    blocks["procs"] = reactions.procedures()
    events = dice.random() < 0.5
    if events:
        blocks["events"] = reactions.events()
    begin = Scope(actor=False, refusing=False, choices=False, turning=False, procs=0)
    blocks["setup"] = [*_laid(dice, table), *lists.several(begin, 1, 3)]
    if table.cards:
        blocks["setup"] += [f"shuffle {zone}" for zone in ("deck", "under") if dice.random() < 0.5]
        blocks["setup"] += [
            "draw 2 from deck to pile",
            "for p in seats do draw 1 from deck to hand(p)",
        ]
    if dice.random() < 0.3:
        blocks["scenarios"] = {"short": ["noise = 30"], "long": {"title": "Long", "setup": ["round = 1"]}}  # fmt: skip
    if dice.random() < 0.4:
        blocks["show"] = {"total": expressions.number(Scope(public=True, actor=False), 2), "own": "it.points + 1"}  # fmt: skip
    turns = Turns(decisions)
    course = turns.course(events)
    if events:
        turns.offers_in(blocks["events"], course)
    blocks |= course.blocks
    blocks["triggers"] = reactions.triggers(course.stages, course.actions, course.phases)
    if dice.random() < 0.6:  # drawn last: what no rule reads changes nothing before it
        blocks["look"] = _look(dice, blocks)
    if table.supply and not table.gentle and dice.random() < 0.5:
        blocks["actions"] = [*blocks["actions"], *_traded(dice, table)]
    written = {key: block for key, block in blocks.items() if block}
    plain, respelled = Spelling(dice, table).both(written, course.phases)
    return text(plain), text(respelled)


def _look(dice: random.Random, blocks: Block) -> Block:
    """Looks of all that is declared."""

    def symbol() -> str:
        return dice.choice(["♞", "K", "M0 0L24 0L12 20Z", "m5 5a3 3 0 01 6 0z"])

    def style(shapes: Sequence[str]) -> Block:
        found: Block = {"size": dice.choice([50, 100, 130])}
        if dice.random() < 0.5:
            found["shape"] = dice.choice(shapes)
        if dice.random() < 0.5:
            found["colour"] = dice.choice([*COLOURS, "#3f7d5a"])
        if dice.random() < 0.3:
            found["symbol"] = symbol()
        if dice.random() < 0.3:
            found["label"] = dice.choice(["none", "{name}"])
        return found

    drawings = ["pile", "row", "fan", "tokens", "count", "hidden"]
    return {
        "background": dice.choice(COLOURS),
        "ring": dice.random() < 0.5,
        "values": ["round"],
        "seatValues": ["points"],
        "centre": ["noise"],
        "amounts": {"n": {"least": "lowest", "most": "highest", "round": "round"}},
        "seats": {"red": {"colour": dice.choice(COLOURS), "symbol": symbol()}},
        "spaces": {name: style(SPACE_SHAPES) for name in blocks.get("spaces", {})},
        "pieces": {name: style(PIECE_SHAPES) for name in blocks.get("pieces", {})},
        "zones": {
            name: {"as": dice.choice(drawings), "at": dice.choice(["centre", "seat", "below"])}
            for name in blocks.get("zones", {})
        },
    }


def _traded(dice: random.Random, table: Setting) -> list[Block]:
    """A piece makes way for another, which may be missing; and several go elsewhere together. What
    the second action moves decides whether the whereabouts of the piece in the first are open."""
    met = ("x for s in board for x in s", "x for x in stone if x.place in board")
    take = [
        {"chooseOne": {"bind": "$c", "options": f"{dice.choice(met)} if x.owner != actor"}},
        "let where = $c.place",
        "remove $c",
        "if where != none then place stone of actor at where",
    ]
    chosen = {"bind": "$c2", "options": "x for s in board for x in s if x.owner == actor", "max": 3}
    go = dice.choice(("move all of $c2 to $c1", "for x in $c2 do move x to $c1"))
    haul = [{"chooseOne": {"bind": "$c1", "options": "board"}}, {"chooseN": chosen}, go]
    if table.cards:
        haul.append(f"move all of pile to under at {dice.choice(('top', 'bottom'))}")
    return [{"id": "trade", "effects": take}, {"id": "haul", "effects": haul}]


def _laid(dice: random.Random, table: Setting) -> list[str]:
    """What lies there at the beginning, so that there is something to choose from."""
    spots = table.cells if len(table.cells) < 5 else dice.sample(table.cells, 4)
    found = [
        f"place stone of {('red', 'blue')[at % 2]} at {cell}" for at, cell in enumerate(spots[:4])
    ]
    first = {"pairs": "[(2, red), (1, blue)]", "marks": "[3, 1]", "queue": "[red, blue]"}
    return found + [f"{name} = {value}" for name, value in first.items() if table.has(name)]


def text(blocks: Block) -> str:
    parts = ["# Generated\n"]
    for key, block in blocks.items():
        written = yaml.dump({key: block}, Dumper=_Plain, sort_keys=False, width=1000)
        parts.append(f"## {key.capitalize()}\n\n```yaml\n{written}```\n")
    return "\n".join(parts)
