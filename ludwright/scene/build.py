"""From a seat's observation to the scene: boards above, zones around them, values at the side.

Reads the declarations and the observation only, so that nothing hidden can reach the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from ludwright.kernel.play.game import Game
from ludwright.language.gamedef import GameDef
from ludwright.scene.boards import board
from ludwright.scene.figures import Figures
from ludwright.scene.looks import Looks
from ludwright.scene.model import Part, Scene, SeatPanel, below, folded
from ludwright.scene.portrait import NARROW, portrait
from ludwright.scene.ring import Place, ring
from ludwright.scene.spaces import groups_of
from ludwright.scene.values import Values, held
from ludwright.scene.words import worded
from ludwright.scene.zones import ZoneView, slot, zone_part, zones_of

GAP = 18.0
WIDE = 860.0  # a row of zones is folded beyond this
MIDDLE = 560.0  # the same in the middle of a ring of seats, which grows with it
NEAR = 1.4  # how much larger own cards are, where seats sit around the table


def scene_of(game: Game, observation: Mapping[str, Any], narrow: bool = False) -> Scene:
    """What the seat of an observation sees of the table; `narrow`: for a narrow screen."""
    program, gamedef = game.program, game.gamedef
    if not isinstance(gamedef, GameDef):
        raise TypeError("a game without a GameDef cannot be drawn")
    world = program.world
    figures = _figures(game, gamedef)
    looks = figures.looks
    groups = groups_of(program, gamedef, observation)
    boards = [board(world, group, figures, len(groups) > 1) for group in groups]
    ringed = looks.decl.ring and not boards
    zones = zones_of(
        world, observation, figures, figures.cards, NEAR if ringed and not narrow else 1.0
    )
    values = Values(program, observation, looks)
    seats = tuple(_seats(observation, figures, values))
    if not ringed:
        names = [looks.called("seat", seat) for seat in world.seats]
        parts = list(_arranged(boards, zones, names, figures, NARROW if narrow else WIDE))
        table, reach = below(parts, GAP), parts[0].height if boards and parts[1].items else 0.0
    else:
        table, reach = _around(observation, zones, seats, figures, values, narrow), 0.0
    margin = 10.0 if narrow else 24.0
    return Scene(
        title=gamedef.title or worded(gamedef.id),
        width=table.width + 2 * margin,
        height=table.height + 2 * margin,
        items=table.at(margin, margin),
        seats=seats,
        values=tuple(values.of_game()),
        status=_status(observation),
        background=looks.background,
        board=reach + 2 * margin if reach else 0.0,
    )


_made: WeakKeyDictionary[Game, Figures] = WeakKeyDictionary()


def _figures(game: Game, gamedef: GameDef) -> Figures:
    """The looks of a game's pieces, which no position changes."""
    figures = _made.get(game)
    if figures is None:
        world = game.program.world
        cards = {
            piece.name
            for piece in gamedef.pieces
            if piece.owner is None and (piece.each or piece.rows is not None)
        }
        figures = Figures(world, cards, Looks(gamedef.look, world, game.program.words))
        _made[game] = figures
    return figures


def _arranged(
    boards: list[Part], zones: list[ZoneView], names: Sequence[str], figures: Figures, wide: float
) -> Iterable[Part]:
    """The board, and below it all zones: the table's, the others', and those of who looks."""
    common = [zone for zone in zones if zone.owner is None]
    mine = [zone for zone in zones if zone.mine]
    others = [zone for zone in zones if zone.owner is not None and not zone.mine]
    parts = (
        zone_part(zone, figures, names[zone.owner] if zone.owner is not None else "")
        for zone in (*common, *others, *mine)
    )
    table = folded(boards, wide * 1.5, 2 * GAP)
    yield table
    yield folded(parts, max(wide, table.width), GAP)


def _around(
    observation: Mapping[str, Any],
    zones: list[ZoneView],
    panels: Sequence[SeatPanel],
    figures: Figures,
    values: Values,
    narrow: bool,
) -> Part:
    """Seats in a ring, who looks at the bottom."""
    seats: list[str] = list(observation["seats"])
    first = seats.index(observation["seat"]) if observation["seat"] in seats else 0
    order = [(first + at) % len(seats) for at in range(len(seats))]
    below_table = {zone.name for zone in zones if zone.look.place == "below"}
    places = [
        _place(seats[at], panels[at], figures, values, [
            zone for zone in zones
            if zone.owner is not None and zone.name not in below_table
            and figures.seat_name(zone.owner) == seats[at]
        ])
        for at in order
    ]  # fmt: skip
    common = [zone for zone in zones if zone.owner is None and zone.name not in below_table]
    middle = below(
        [
            values.in_the_middle(),
            folded((zone_part(z, figures) for z in common), NARROW if narrow else MIDDLE, GAP),
        ],
        GAP,
    )
    acting = observation["seat"] in seats and panels[first].to_act
    table = (portrait if narrow else ring)(places, middle, figures, acting)
    wide = NARROW if narrow else WIDE
    rest = folded((zone_part(z, figures) for z in zones if z.name in below_table), wide, GAP)
    return below([table, rest], GAP)


def _place(
    seat: str, panel: SeatPanel, figures: Figures, values: Values, zones: list[ZoneView]
) -> Place:
    offered = [slot(zone, figures) for zone in zones if zone.look.place == "centre"]
    own = [zone for zone in zones if zone.look.place != "centre" and zone.count]
    named = len(own) > 1
    parts = [zone_part(zone, figures) if named else slot(zone, figures) for zone in own]
    shown = replace(panel, values=values.on_plate(panel))
    return Place(seat, shown, folded(parts, WIDE / 2, 8), folded(offered, WIDE, 8))


def _seats(observation: Mapping[str, Any], figures: Figures, values: Values) -> Iterable[SeatPanel]:
    decision = observation["decision"]
    acting = {decision["seat"], *decision["together"]} if decision else set()
    ranking = observation["result"]["ranking"] if observation["result"] else []
    ranks = {seat: at for at, seats in enumerate(ranking, 1) for seat in seats}
    look, variables = figures.looks.decl, observation["variables"]
    playing = held(variables.get(look.in_play)) if look.in_play in variables else None
    for number, seat in enumerate(observation["seats"]):
        badges = (b.sign for b in look.badges if seat in held(variables.get(b.of)))
        yield SeatPanel(
            figures.looks.called("seat", seat),
            number,
            figures.colour(number),
            tuple(values.of_seat(seat)),
            seat in acting,
            seat == observation["seat"],
            ranks.get(seat),
            tuple(badges),
            playing is not None and seat not in playing and not ranks,
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
