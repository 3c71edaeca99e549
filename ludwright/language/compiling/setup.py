"""Set-up: where pieces start, and who and what comes first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ludwright.kernel import program as ir
from ludwright.kernel.world import PieceKind
from ludwright.language import tree
from ludwright.language.compiling import effects
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.walking import effects_in, nodes_in
from ludwright.language.gamedef import GameDef, ZoneDecl

_STARTS: dict[str, ir.Where] = {"deck": "middle", "stack": "bottom"}


def set_up(game: Lowering, code: Code, scope: Scope) -> None:
    """What every game does first, then what its scenario does."""
    unit, gamedef = game.unit, game.unit.gamedef
    unit.rule = "setup"
    _deal_initial_zones(game, code)
    effects.block(game, code, gamedef.setup, scope)
    if gamedef.scenarios:
        labels = [code.label() for _ in gamedef.scenarios]
        done = code.label()
        code.emit(ir.Switch(ir.Load(ir.SCENARIO), tuple(labels), done))
        for scenario, label in zip(gamedef.scenarios, labels, strict=True):
            code.mark(label)
            unit.rule = f"scenario {scenario.id}"
            effects.block(game, code, scenario.setup, scope)
            code.jump(done)
        code.mark(done)
    _check_requests(game)


# ------------------------------------------------------------------------ pieces


def _deal_initial_zones(game: Lowering, code: Code) -> None:
    """`init: all`: every piece of the zone's kinds starts there."""
    world = game.unit.world
    for zone in game.unit.gamedef.zones:
        if zone.init != "all" or zone.name not in world.zones:
            continue
        for kind in world.kinds:
            if not zone.of or kind.name in zone.of:
                _deal(game, code, zone, kind)


def _deal(game: Lowering, code: Code, zone: ZoneDecl, kind: PieceKind) -> None:
    """The pieces of a kind, in the order of their numbers: the first on top."""
    unit = game.unit
    places = unit.world.zones[zone.name]
    owners = next((prop.initial for prop in kind.properties if prop.name == "owner"), None)
    if len(places) > 1 and owners is None:
        unit.error(
            "zone-needs-seat",
            zone.span,
            f"every seat has a `{zone.name}`, and nothing says in whose of them `{kind.name}` "
            "starts",
            f"write `owner: seat` for `{kind.name}`, or deal the pieces in `setup:`",
        )
        return
    for at, piece in enumerate(kind.pieces):
        owner = owners[at] if owners is not None and len(places) > 1 else 0
        site = unit.site(zone.span)
        where = _STARTS.get(zone.order, "default")  # a deck's order is unknown
        move = ir.MovePiece(ir.Const(piece), ir.Const(places[owner]), where, None, site)
        if owner < unit.world.min_players:
            code.emit(move)
            continue
        # who does not play has no pieces in the game
        absent = code.label()
        code.branch(ir.Compare(">", ir.Load(ir.PLAYERS), ir.Const(owner)), absent)
        code.emit(move)
        code.mark(absent)


# ---------------------------------------------------------------- what comes first


def in_setup(gamedef: GameDef) -> Iterator[tree.Effect]:
    """The effects written in set-up itself."""
    blocks = (gamedef.setup, *(scenario.setup for scenario in gamedef.scenarios))
    return (node for node in nodes_in(blocks) if isinstance(node, tree.Effect))


def during_setup(gamedef: GameDef) -> Iterator[tree.Effect]:
    """All effects that set-up may carry out, those of its procedures included."""
    yield from _reached(gamedef, in_setup(gamedef))


def during_play(gamedef: GameDef) -> Iterator[tree.Effect]:
    """All effects that play may carry out once set-up is done."""
    rest = replace(gamedef, setup=(), scenarios=(), procs=())
    yield from _reached(gamedef, effects_in(rest))


def _reached(gamedef: GameDef, found: Iterable[tree.Effect]) -> Iterator[tree.Effect]:
    procedures = {proc.name: proc for proc in gamedef.procs}
    waiting = [found]
    while waiting:
        for effect in waiting.pop():
            yield effect
            if isinstance(effect, tree.CallProc) and effect.proc in procedures:
                body = procedures.pop(effect.proc)
                waiting.append(node for node in nodes_in(body) if isinstance(node, tree.Effect))


def _check_requests(game: Lowering) -> None:
    """No turn has begun, and only phases that follow each other have a first one to choose."""
    unit, gamedef = game.unit, game.unit.gamedef
    follow = bool(gamedef.phases) and not gamedef.flow
    for effect in in_setup(gamedef):
        if isinstance(effect, tree.EndTurn):
            unit.error(
                "request-in-setup",
                effect.span,
                "no turn has begun yet that could end",
                "write `active = SEAT` to say who begins",
            )
        elif isinstance(effect, tree.PushPhase):
            unit.error(
                "request-in-setup",
                effect.span,
                "no phase has begun yet that could be interrupted",
                "write it into the `onEnter` of the first phase",
            )
        elif isinstance(effect, tree.GotoPhase | tree.AdvancePhase) and not follow:
            unit.error(
                "request-in-setup",
                effect.span,
                "no phase follows by itself in this game",
                "begin the `flow:` with `run phase NAME`",
            )
