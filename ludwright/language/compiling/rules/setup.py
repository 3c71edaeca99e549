"""Set-up: where pieces start, and who and what comes first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.dispatch import block
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.tree_walk import effects_in, nodes_in
from ludwright.language.compiling.unit import Scope
from ludwright.language.gamedef import GameDef, ZoneDecl
from ludwright.program.world import PieceKind

_STARTS: dict[str, ir.Where] = {"deck": "middle", "stack": "bottom"}


def set_up(lowering: Lowering, code: Code, scope: Scope) -> None:
    """What every game does first, then what its scenario does."""
    unit, gamedef = lowering.unit, lowering.unit.gamedef
    unit.rule = "setup"
    _deal_initial_zones(lowering, code)
    block(lowering, code, _drawn(lowering), scope)
    block(lowering, code, gamedef.setup, scope)
    if gamedef.scenarios:
        labels = [code.label() for _ in gamedef.scenarios]
        done = code.label()
        code.emit(ir.Switch(ir.Load(ir.SCENARIO), tuple(labels), done))
        for scenario, label in zip(gamedef.scenarios, labels, strict=True):
            code.mark(label)
            unit.rule = f"scenario {scenario.id}"
            block(lowering, code, scenario.setup, scope)
            code.jump(done)
        code.mark(done)
    _check_requests(lowering)


def _drawn(lowering: Lowering) -> tuple[tree.Effect, ...]:
    """What the signs in the drawings of boards set up, on every space that has them."""
    unit = lowering.unit
    return tuple(
        tree.ForEach(
            ("it",),
            tree.ListLit(tuple(tree.Name(unit.world.places[at].name) for at in spaces)),
            mark.setup,
            span=mark.span,
        )
        for group in unit.gamedef.spaces
        for mark in group.legend
        if mark.setup and (spaces := unit.world.marked.get(group.name, {}).get(mark.sign))
    )


# ------------------------------------------------------------------------ pieces


def _deal_initial_zones(lowering: Lowering, code: Code) -> None:
    """`init: all`: every piece of the zone's kinds starts there."""
    world = lowering.unit.world
    for zone in lowering.unit.gamedef.zones:
        if zone.init != "all" or zone.name not in world.zones:
            continue
        for kind in world.kinds:
            if not zone.of or kind.name in zone.of:
                _deal(lowering, code, zone, kind)


def _deal(lowering: Lowering, code: Code, zone: ZoneDecl, kind: PieceKind) -> None:
    """The pieces of a kind, in the order of their numbers: the first on top."""
    unit = lowering.unit
    places = unit.world.zones[zone.name]
    owners = next((prop.initial for prop in kind.properties if prop.name == "owner"), None)
    if len(places) > 1 and (owners is None or zone.index is not None):
        unit.error(
            "zone-needs-seat",
            zone.span,
            f"there are several `{zone.name}`, and nothing says in which of them `{kind.name}` "
            "starts",
            "deal the pieces in `setup:`"
            if zone.index is not None
            else f"write `owner: seat` for `{kind.name}`, or deal the pieces in `setup:`",
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
    drawn = (mark.setup for group in gamedef.spaces for mark in group.legend)
    blocks = (gamedef.setup, *drawn, *(scenario.setup for scenario in gamedef.scenarios))
    return (node for node in nodes_in(blocks) if isinstance(node, tree.Effect))


def during_setup(gamedef: GameDef) -> Iterator[tree.Effect]:
    """All effects that set-up may carry out, those of its procedures included."""
    yield from _reached(gamedef, in_setup(gamedef))


def during_play(gamedef: GameDef) -> Iterator[tree.Effect]:
    """All effects that play may carry out once set-up is done."""
    rest = replace(gamedef, setup=(), scenarios=(), procs=(), spaces=())
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


def _check_requests(lowering: Lowering) -> None:
    """No turn has begun, and only phases that follow each other have a first one to choose."""
    unit, gamedef = lowering.unit, lowering.unit.gamedef
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
