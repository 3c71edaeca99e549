"""Phases, turns and the main program: who acts when."""

from __future__ import annotations

from itertools import pairwise

from ludwright.diagnostics import did_you_mean
from ludwright.kernel import program as ir
from ludwright.language import tree
from ludwright.language.compiling import actions, effects, endings, interrupts, setup, triggers
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import BOOL, INT, int_type, seat_type
from ludwright.language.compiling.walking import nodes_in, uses_effect
from ludwright.language.gamedef import PhaseDecl, TurnDecl
from ludwright.language.world.encoding import choices as one_of


def turn_of(game: Lowering) -> TurnDecl:
    """The declared turn order; else programmed if the rules set `active`, else round robin.

    Set-up that sets `active` only says who begins.
    """
    declared = game.unit.gamedef.turn
    if declared is not None:
        return declared
    sets_active = any(
        isinstance(effect, tree.SetVar)
        and isinstance(effect.target, tree.Name)
        and effect.target.id == "active"
        for effect in setup.during_play(game.unit.gamedef)
    )
    return TurnDecl("programmed" if sets_active else "roundRobin")


def main(game: Lowering) -> Code:
    """Set-up, then the flow or the phases."""
    unit, gamedef = game.unit, game.unit.gamedef
    code = game.new_code("main", False, ir.Load(ir.ACTIVE), decider_is_actor=False)
    scope = code.scope()
    turn = turn_of(game)
    if turn.order == "fixed" and turn.seats:
        first = _seat_table(game, turn)
        if first:
            code.store(ir.ACTIVE, ir.Const(first[0]), seat_type(unit.world))
    game.setting_up = True
    setup.set_up(game, code, scope)
    game.setting_up = False
    code.emit(ir.Emit("setup done"))
    code.store(ir.TURN, ir.Const(1), INT)
    game.end_check(code, code.scope(), with_actor=False)
    if gamedef.flow:
        unit.rule = "flow"
        game.flow_code = code
        effects.block(game, code, gamedef.flow, scope)
        _flow_ended(game, code)
    elif gamedef.phases:
        _phases(game, code)
    elif gamedef.actions:
        unit.rule = "turn"
        _turns(game, code, None)
    else:
        unit.error(
            "nothing-to-do",
            gamedef.span,
            "this game has no actions, no phases and no flow",
            "add `actions:` (what a seat can do), or a `flow:`",
        )
    code.finish()
    return code


def _flow_ended(game: Lowering, code: Code) -> None:
    """Past the last line of the flow: the `end` block or the `score` decides."""
    game.settle(code)
    node = tree.EndGame(span=game.unit.gamedef.flow[-1].span)
    ends = any(decl.when is None for decl in game.unit.gamedef.end)
    if game.unit.gamedef.score is not None or ends:
        endings.end_game(game, code, node, code.scope())
    else:
        site = game.unit.site(node.span, "flow")
        code.emit(ir.FaultHere("flow-ended", site))


# ---------------------------------------------------------------------------- turns


def _seat_table(game: Lowering, turn: TurnDecl) -> list[int]:
    found: list[int] = []
    for name in turn.seats:
        if name in game.unit.world.seats:
            found.append(game.unit.world.seats.index(name))
        else:
            game.unit.error(
                "unknown-name",
                turn.span,
                f"there is no seat `{name}`",
                did_you_mean(name, game.unit.world.seats) or one_of(game.unit.world.seats),
            )
    return found


def _turns(game: Lowering, code: Code, phase: PhaseDecl | None) -> None:
    """Offer after offer, until the phase is left or the game ends."""
    unit = game.unit
    turn = turn_of(game)
    top, leave = code.label(), code.label()
    level = interrupts.NOWHERE
    if phase is not None and phase.interrupt:
        level = unit.gamedef.phases.index(phase)
    code.mark(top)
    if phase is not None:  # what was asked for on entering the phase or the turn
        interrupts.serve(game, code, level)
    code.branch(ir.Compare("==", ir.Load(ir.PENDING_PHASE), ir.Const(0)), leave)
    node = tree.Offer(
        actions=turn.offer,
        ensure=turn.ensure,
        best=turn.best,
        span=phase.span if phase is not None else turn.span or unit.gamedef.span,
    )
    if phase is not None and turn.offer is not None and phase.actions is not None:
        node = tree.Offer(ensure=turn.ensure, best=turn.best, span=node.span)
    actions.offer(game, code, node, code.scope(), phase)
    if phase is not None:
        interrupts.serve(game, code, level)
    said = uses_effect(unit.gamedef, tree.EndTurn)
    if said:
        stay = code.label()
        code.branch(ir.Load(ir.PENDING_TURN), stay)
        code.call(next_turn(game))
        code.mark(stay)
    elif turn.order != "programmed":
        code.call(next_turn(game))
    code.emit(ir.Tick(unit.site(node.span, "turns")))
    code.jump(top)
    code.mark(leave)


def next_turn(game: Lowering) -> Code:
    known = game.shared.get("next turn")
    if known is not None:
        return known
    unit = game.unit
    rule, unit.rule = unit.rule, "turn"
    code = game.new_code("next turn", True, ir.Load(ir.ACTIVE), decider_is_actor=False)
    game.shared["next turn"] = code
    turn = turn_of(game)
    seat = seat_type(unit.world)
    if turn.order == "roundRobin":
        following = ir.Arith("+", ir.Load(ir.ACTIVE), ir.Const(1))
        code.store(ir.ACTIVE, ir.Arith("%", following, ir.Load(ir.PLAYERS)), seat)
        code.store(ir.TURN, ir.Arith("+", ir.Load(ir.TURN), ir.Const(1)), INT)
    elif turn.order == "fixed" and (order := _seat_table(game, turn)):
        # TURN counts from 1, so it is already the position of the next turn.
        again, done = code.label(), code.label()
        code.mark(again)
        position = ir.Arith("%", ir.Load(ir.TURN), ir.Const(len(order)))
        code.store(ir.ACTIVE, ir.Lookup(unit.table(order), position, 0), seat)
        code.store(ir.TURN, ir.Arith("+", ir.Load(ir.TURN), ir.Const(1)), INT)
        code.branch(ir.Compare(">=", ir.Load(ir.ACTIVE), ir.Load(ir.PLAYERS)), done)
        code.emit(ir.Tick(unit.site(turn.span, "turn order")))
        code.jump(again)
        code.mark(done)
    else:
        code.store(ir.TURN, ir.Arith("+", ir.Load(ir.TURN), ir.Const(1)), INT)
    code.store(ir.PENDING_TURN, ir.Const(0), BOOL)
    actions.reset_usage(game, code, "turn")
    code.emit(ir.Emit("turn", (("active", ir.Load(ir.ACTIVE), seat),)))
    triggers.run_now(game, code, "turn", "")
    game.end_check(code, code.scope(), with_actor=False)
    code.finish()
    unit.rule = rule
    return code


# --------------------------------------------------------------------------- phases


def _phases(game: Lowering, code: Code) -> None:
    phases = game.unit.gamedef.phases
    phase_type = int_type(-1, len(phases) - 1)
    following = [index for index, phase in enumerate(phases) if not phase.interrupt]
    if not following:
        interrupts.allowed(game, phases[0], phases[0])
        game.used_phases.update(phase.id for phase in phases)
        return
    game.used_phases.add(phases[following[0]].id)
    code.store(ir.PHASE, ir.Const(following[0]), phase_type)
    requests = (tree.GotoPhase, tree.AdvancePhase)
    if any(isinstance(effect, requests) for effect in setup.during_setup(game.unit.gamedef)):
        usual = code.label()
        code.branch(ir.Compare(">", ir.Load(ir.PENDING_PHASE), ir.Const(0)), usual)
        asked = ir.Arith("-", ir.Load(ir.PENDING_PHASE), ir.Const(1))
        code.store(ir.PHASE, asked, phase_type)
        code.mark(usual)
    top = code.label()
    code.mark(top)
    labels = [code.label() for _ in phases]
    after = code.label()
    code.emit(ir.Switch(ir.Load(ir.PHASE), tuple(labels), after))
    for index, label in enumerate(labels):
        code.mark(label)
        if index in following:
            code.call(phase_code(game, index))
        code.jump(after)
    code.mark(after)
    code.store(ir.PHASE, ir.Arith("-", ir.Load(ir.PENDING_PHASE), ir.Const(1)), phase_type)
    code.emit(ir.Tick(game.unit.site(phases[0].span, "phases")))
    code.jump(top)
    for before, index in pairwise(following):
        previous = phases[before]
        if previous.id in game.used_phases and _falls_through(game, previous):
            game.used_phases.add(phases[index].id)


def _falls_through(game: Lowering, phase: PhaseDecl) -> bool:
    return not _has_actions(game, phase)


def _has_actions(game: Lowering, phase: PhaseDecl) -> bool:
    if phase.actions is not None:
        return bool(phase.actions)
    return any(not a.phases or phase.id in a.phases for a in game.unit.gamedef.actions)


def phase_code(game: Lowering, index: int) -> Code:
    """onEnter; offers until something asks for another phase; onExit."""
    known = game.phase_codes.get(index)
    if known is not None:
        return known
    unit = game.unit
    phase = unit.gamedef.phases[index]
    rule, unit.rule = unit.rule, f"phase {phase.id}"
    code = game.new_code(f"phase {phase.id}", False, ir.Load(ir.ACTIVE), decider_is_actor=False)
    game.phase_codes[index] = code
    phase_type = int_type(-1, len(unit.gamedef.phases) - 1)
    code.store(ir.PHASE, ir.Const(index), phase_type)
    code.store(ir.PENDING_PHASE, ir.Const(0), phase_type)
    actions.reset_usage(game, code, "phase")
    game.emit_named(code, "phase", phase.id)
    unit.rule = f"phase {phase.id}: onEnter"
    effects.block(game, code, phase.on_enter, code.scope())
    triggers.run_now(game, code, "phase", phase.id)
    unit.rule = f"phase {phase.id}"
    if _asks(phase.on_enter):
        game.settle(code, at=(phase.id,))
    else:
        game.end_check(code, code.scope(), with_actor=False, at=(phase.id,))
    if _has_actions(game, phase):
        _turns(game, code, phase)
    elif not unit.gamedef.flow and not phase.interrupt:
        asked = code.label()
        code.branch(ir.Compare("==", ir.Load(ir.PENDING_PHASE), ir.Const(0)), asked)
        following = _following(game, index)
        game.used_phases.add(unit.gamedef.phases[following].id)
        code.store(ir.PENDING_PHASE, ir.Const(following + 1), int_type(0, 2**20))
        code.mark(asked)
    unit.rule = f"phase {phase.id}: onExit"
    effects.block(game, code, phase.on_exit, code.scope())
    if _asks(phase.on_exit):
        game.settle(code, at=(phase.id,))
    code.finish()
    unit.rule = rule
    return code


def _asks(block: tree.Block) -> bool:
    """Whether somebody may decide in it: a move of its own, in the middle of a change of phase."""
    asking = (tree.ChooseOne, tree.ChooseN, tree.Menu, tree.Offer, tree.CallProc)
    return any(isinstance(node, asking) for node in nodes_in(block))


def _following(game: Lowering, index: int) -> int:
    phases = game.unit.gamedef.phases
    wanted = phases[index].next
    if wanted is not None:
        found = _phase_index(game, wanted, phases[index])
        return found if found is not None and _may_follow(game, found, phases[index]) else 0
    others = (*range(index + 1, len(phases)), *range(index + 1))
    return next((other for other in others if not phases[other].interrupt), 0)


def _may_follow(game: Lowering, index: int, node: tree.Node) -> bool:
    return interrupts.allowed(game, game.unit.gamedef.phases[index], node)


def _phase_index(game: Lowering, name: str, node: tree.Node) -> int | None:
    names = [phase.id for phase in game.unit.gamedef.phases]
    if name in names:
        game.used_phases.add(name)
        return names.index(name)
    game.unit.error(
        "unknown-phase",
        node.span,
        f"there is no phase `{name}`",
        did_you_mean(name, names) or one_of(names) or "declare it under `phases:`",
    )
    return None


def phase_effect(game: Lowering, code: Code, node: tree.Effect, scope: Scope) -> None:
    """Requests: they take effect when the action or `onEnter` has finished."""
    unit = game.unit
    phases = unit.gamedef.phases
    pending = interrupts.pending_type(game)
    match node:
        case tree.EndTurn():
            code.store(ir.PENDING_TURN, ir.Const(1), BOOL)
        case tree.GotoPhase(phase=name):
            index = _phase_index(game, name, node)
            if index is not None and _may_follow(game, index, node):
                code.store(ir.PENDING_PHASE, ir.Const(index + 1), pending)
        case tree.PushPhase(phase=name):
            index = _phase_index(game, name, node)
            if index is not None:
                interrupts.push(game, code, node, index)
        case tree.AdvancePhase():
            if not phases:
                unit.error(
                    "unknown-phase",
                    node.span,
                    "this game has no phases",
                    "declare `phases:`, or write `end turn`",
                )
                return
            following = [
                interrupts.back(game) if phase.interrupt else _following(game, index) + 1
                for index, phase in enumerate(phases)
            ]
            for index, phase in enumerate(phases):
                if not phase.interrupt:
                    game.used_phases.add(phases[following[index] - 1].id)
            table = unit.table(following)
            code.store(ir.PENDING_PHASE, ir.Lookup(table, ir.Load(ir.PHASE), 1), pending)
        case tree.RunPhase(phase=name):
            index = _phase_index(game, name, node)
            if index is None:
                return
            if not unit.gamedef.flow:
                unit.error(
                    "run-phase-without-flow",
                    node.span,
                    "`run phase` belongs to a `flow`; phases already follow each other here",
                    f"write `goto {name}`",
                )
                return
            game.settle(code)
            code.call(phase_code(game, index))
            code.emit(ir.Zero(((ir.PENDING_PHASE, 1),)))
            code.store(ir.PHASE, ir.Const(-1), int_type(-1, len(phases)))
        case _:
            raise AssertionError(f"no phase effect: {node!r}")
