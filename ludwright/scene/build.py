"""From a seat's observation to the scene: boards above, zones around them, values at the side.

Reads the declarations and the observation only, so that nothing hidden can reach the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ludwright.kernel.play.game import Game
from ludwright.language.gamedef import GameDef
from ludwright.program import Program, Variable
from ludwright.program.program import Words
from ludwright.scene import shapes
from ludwright.scene.boards import board
from ludwright.scene.colours import seat_colours
from ludwright.scene.figures import Figures
from ludwright.scene.model import Item, Part, Scene, SeatPanel, Shape, Value, below, bow, folded
from ludwright.scene.spaces import groups_of
from ludwright.scene.words import told, worded
from ludwright.scene.zones import ZoneView, zone_part, zones_of

GAP = 18.0
WIDE = 860.0  # a row of zones is folded beyond this
ROUND = 5  # seats that sit in a bow around the table; more sit in rows


def scene_of(game: Game, observation: Mapping[str, Any]) -> Scene:
    """What the seat of an observation sees of the table."""
    program, gamedef = game.program, game.gamedef
    if not isinstance(gamedef, GameDef):
        raise TypeError("a game without a GameDef cannot be drawn")
    world = program.world
    cards = {
        piece.name
        for piece in gamedef.pieces
        if piece.owner is None and (piece.each or piece.rows is not None)
    }
    figures = Figures(world, cards)
    groups = groups_of(program, gamedef, observation)
    boards = [board(world, group, figures, len(groups) > 1) for group in groups]
    names = [_called(program, "seat", seat) for seat in world.seats]
    zones = zones_of(world, observation, figures, cards)
    parts = {zone.name: zone_part(zone, figures, names) for zone in zones}
    table = below(_arranged(boards, zones, parts), GAP)
    margin = 24.0
    return Scene(
        title=gamedef.title or worded(gamedef.id),
        width=table.width + 2 * margin,
        height=table.height + 2 * margin,
        items=table.at(margin, margin),
        seats=tuple(_seats(program, observation)),
        values=tuple(_values(program, observation)),
        status=_status(observation),
    )


def _arranged(
    boards: list[Part], zones: list[ZoneView], parts: Mapping[str, Part]
) -> Iterable[Part]:
    """Others' zones first, then the table, then those of the seat that looks; with a board, all
    zones below it."""
    common = [zone for zone in zones if zone.owner is None]
    mine = [zone for zone in zones if zone.mine]
    others = [zone for zone in zones if zone.owner is not None and not zone.mine]
    if boards:
        yield folded(boards, WIDE * 1.5, 2 * GAP)
        yield folded((parts[zone.name] for zone in (*common, *others, *mine)), WIDE, GAP)
        return
    owners = dict.fromkeys(zone.owner for zone in others)
    around = [
        folded((parts[zone.name] for zone in others if zone.owner == owner), WIDE / 3, 8)
        for owner in owners
    ]
    table = folded((parts[zone.name] for zone in common), WIDE, GAP)
    own = folded((parts[zone.name] for zone in mine), WIDE, GAP)
    yield below([bow(around, GAP) if len(around) <= ROUND else folded(around, WIDE, GAP)], 0)
    yield _felt(table, max(WIDE * 0.7, table.width)) if any(z.cards for z in zones) else table
    yield own


def _felt(table: Part, width: float) -> Part:
    """The middle of a card table, with what lies on it."""
    width, height = width + 4 * GAP, max(120.0, table.height + 2 * GAP)
    shape = Shape(shapes.box(width, height, height / 2), "felt", "line", 1)
    felt = Item("felt", "tag", width / 2, height / 2, (shape,))
    inside = table.at((width - table.width) / 2, (height - table.height) / 2)
    return Part(width, height, (felt, *inside))


def _shown(program: Program, observation: Mapping[str, Any], scope: str) -> list[Variable]:
    """Variables that the seat may see, without those that are only bookkeeping."""
    known = observation["variables"]
    return [
        v for v in program.variables
        if v.scope == scope and v.name in known
        and not program.words.get(("variable", v.name), Words()).hidden
    ]  # fmt: skip


def _called(program: Program, subject: str, name: str) -> str:
    """The title of something, else its name in words."""
    return program.words.get((subject, name), Words()).title or worded(name)


def _value(program: Program, variable: Variable, value: Any) -> Value:
    most = variable.type.hi if variable.type.kind == "int" else None
    return Value(_called(program, "variable", variable.name), told(value), most)


def _values(program: Program, observation: Mapping[str, Any]) -> Iterable[Value]:
    for variable in _shown(program, observation, "global"):
        yield _value(program, variable, observation["variables"][variable.name])
    for name, value in observation.get("shown", {}).items():
        if not isinstance(value, Mapping):
            yield Value(_called(program, "variable", name), told(value))


def _seats(program: Program, observation: Mapping[str, Any]) -> Iterable[SeatPanel]:
    decision = observation["decision"]
    acting = {decision["seat"], *decision["together"]} if decision else set()
    ranking = observation["result"]["ranking"] if observation["result"] else []
    ranks = {seat: at for at, seats in enumerate(ranking, 1) for seat in seats}
    declared = _shown(program, observation, "seat")
    colours = seat_colours(program.world.seats)
    for number, seat in enumerate(observation["seats"]):
        own = [(v, observation["variables"][v.name]) for v in declared]
        values = [_value(program, v, of[seat]) for v, of in own if seat in of]
        values += [
            Value(_called(program, "variable", name), told(of[seat]))
            for name, of in observation.get("shown", {}).items()
            if isinstance(of, Mapping) and seat in of
        ]
        yield SeatPanel(
            _called(program, "seat", seat),
            number,
            colours[number],
            tuple(values),
            seat in acting,
            seat == observation["seat"],
            ranks.get(seat),
        )


def _status(observation: Mapping[str, Any]) -> str:
    result = observation["result"]
    if result:
        winners = " and ".join(map(worded, result["winners"]))
        head = f"{winners} won" if winners else "A draw"
        return f"{head}: {result['reason']}" if result["reason"] else head
    decision = observation["decision"]
    if decision is None:
        return ""
    who = " and ".join(map(worded, decision["together"] or [decision["seat"]]))
    what = worded(decision["action"] or decision["name"])
    return f"{who} to decide: {what}"
