"""Phases, turns and the main program: who acts when."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.dispatch import block
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.rules import actions, endings, interrupts, setup, triggers
from ludwright.language.compiling.rules.between_moves import end_of_move, start_of_move
from ludwright.language.compiling.tree_walk import nodes_in
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import BOOL, INT, int_type, seat_type
from ludwright.language.gamedef import PhaseDecl, TurnDecl
from ludwright.language.world.encoding import choices as one_of
from ludwright.program.types import Type
from ludwright.spelling import did_you_mean


def turn_of(lowering: Lowering) -> TurnDecl:
    """The declared turn order; else programmed if the rules set `active`, else round robin.

    Set-up that sets `active` only says who begins.
    """
    declared = lowering.turn or lowering.unit.gamedef.turn
    if declared is not None:
        return declared
    sets_active = any(
        isinstance(effect, tree.SetVar)
        and isinstance(effect.target, tree.Name)
        and effect.target.id == "active"
        for effect in setup.during_play(lowering.unit.gamedef)
    )
    lowering.turn = TurnDecl("programmed" if sets_active else "roundRobin")
    return lowering.turn


def main(lowering: Lowering) -> Code:
    """Set-up, then the flow or the phases."""
    unit, gamedef = lowering.unit, lowering.unit.gamedef
    code = lowering.new_code("main", False, ir.Load(ir.ACTIVE), decider_is_actor=False)
    scope = code.scope()
    turn = turn_of(lowering)
    if turn.order == "fixed" and turn.seats:
        first = _seat_table(lowering, turn)
        if first:
            code.store(ir.ACTIVE, ir.Const(first[0]), seat_type(unit.world))
    lowering.setting_up = True
    setup.set_up(lowering, code, scope)
    lowering.setting_up = False
    code.emit(ir.Emit("setup done"))
    code.store(ir.TURN, ir.Const(1), INT)
    end_of_move(lowering, code, code.scope(), with_actor=False)
    if gamedef.flow:
        unit.rule = "flow"
        lowering.flow_code = code
        block(lowering, code, gamedef.flow, scope)
        _flow_ended(lowering, code)
    elif gamedef.phases:
        _phases(lowering, code)
    elif gamedef.actions:
        unit.rule = "turn"
        _turns(lowering, code, None)
    else:
        unit.error(
            "nothing-to-do",
            gamedef.span,
            "this game has no actions, no phases and no flow",
            "add `actions:` (what a seat can do), or a `flow:`",
        )
    code.finish()
    return code


def _flow_ended(lowering: Lowering, code: Code) -> None:
    """Past the last line of the flow: the `end` block or the `score` decides."""
    start_of_move(lowering, code)
    node = tree.EndGame(span=lowering.unit.gamedef.flow[-1].span)
    ends = any(decl.when is None for decl in lowering.unit.gamedef.end)
    if lowering.unit.gamedef.score is not None or ends:
        endings.end_game(lowering, code, node, code.scope())
    else:
        site = lowering.unit.site(node.span, "flow")
        code.emit(ir.FaultHere("flow-ended", site))


# ---------------------------------------------------------------------------- turns


def _seat_table(lowering: Lowering, turn: TurnDecl) -> list[int]:
    found: list[int] = []
    for name in turn.seats:
        if name in lowering.unit.world.seats:
            found.append(lowering.unit.world.seats.index(name))
        else:
            lowering.unit.error(
                "unknown-name",
                turn.span,
                f"there is no seat `{name}`",
                did_you_mean(name, lowering.unit.world.seats) or one_of(lowering.unit.world.seats),
            )
    return found


def _turns(lowering: Lowering, code: Code, phase: PhaseDecl | None) -> None:
    """Offer after offer, until the phase is left or the game ends."""
    unit = lowering.unit
    turn = turn_of(lowering)
    top, leave = code.label(), code.label()
    level = interrupts.NOWHERE
    if phase is not None and phase.interrupt:
        level = unit.gamedef.phases.index(phase)
    code.mark(top)
    if phase is not None:  # what was asked for on entering the phase or the turn
        serve(lowering, code, level)
    code.branch(ir.Compare("==", ir.Load(ir.PENDING_PHASE), ir.Const(0)), leave)
    node = tree.Offer(
        actions=turn.offer,
        ensure=turn.ensure,
        best=turn.best,
        actions_span=turn.offer_span,
        span=phase.span if phase is not None else turn.span or unit.gamedef.span,
    )
    if phase is not None and turn.offer is not None and phase.actions is not None:
        node = tree.Offer(ensure=turn.ensure, best=turn.best, span=node.span)
    actions.offer(lowering, code, node, code.scope(), phase)
    if phase is not None:
        serve(lowering, code, level)
    if tree.EndTurn in lowering.kinds_of_effects:
        stay = code.label()
        code.branch(ir.Load(ir.PENDING_TURN), stay)
        code.call(next_turn(lowering))
        code.mark(stay)
    elif turn.order != "programmed":
        code.call(next_turn(lowering))
    code.emit(ir.Tick(unit.site(node.span, "turns")))
    code.jump(top)
    code.mark(leave)


def next_turn(lowering: Lowering) -> Code:
    known = lowering.shared.get("next turn")
    if known is not None:
        return known
    unit = lowering.unit
    rule, unit.rule = unit.rule, "turn"
    code = lowering.new_code("next turn", True, ir.Load(ir.ACTIVE), decider_is_actor=False)
    lowering.shared["next turn"] = code
    turn = turn_of(lowering)
    seat = seat_type(unit.world)
    if turn.order == "roundRobin":
        following = ir.Arith("+", ir.Load(ir.ACTIVE), ir.Const(1))
        code.store(ir.ACTIVE, ir.Arith("%", following, ir.Load(ir.PLAYERS)), seat)
        code.store(ir.TURN, ir.Arith("+", ir.Load(ir.TURN), ir.Const(1)), INT)
    elif turn.order == "fixed" and (order := _seat_table(lowering, turn)):
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
    actions.reset_usage(lowering, code, "turn")
    code.emit(ir.Emit("turn", (("active", ir.Load(ir.ACTIVE), seat),)))
    triggers.run_now(lowering, code, "turn", "")
    end_of_move(lowering, code, code.scope(), with_actor=False)
    code.finish()
    unit.rule = rule
    return code


# --------------------------------------------------------------------------- phases


def _phases(lowering: Lowering, code: Code) -> None:
    phases = lowering.unit.gamedef.phases
    phase_type = int_type(-1, len(phases) - 1)
    following = [index for index, phase in enumerate(phases) if not phase.interrupt]
    if not following:
        interrupts.allowed(lowering, phases[0], phases[0])
        lowering.used_phases.update(phase.id for phase in phases)
        return
    lowering.used_phases.add(phases[following[0]].id)
    code.store(ir.PHASE, ir.Const(following[0]), phase_type)
    requests = (tree.GotoPhase, tree.AdvancePhase)
    if any(isinstance(effect, requests) for effect in setup.during_setup(lowering.unit.gamedef)):
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
        if not phases[index].interrupt:
            code.call(phase_code(lowering, index))
        code.jump(after)
    code.mark(after)
    code.store(ir.PHASE, ir.Arith("-", ir.Load(ir.PENDING_PHASE), ir.Const(1)), phase_type)
    code.emit(ir.Tick(lowering.unit.site(phases[0].span, "phases")))
    code.jump(top)
    for before, index in pairwise(following):
        previous = phases[before]
        if previous.id in lowering.used_phases and _falls_through(lowering, previous):
            lowering.used_phases.add(phases[index].id)


def _falls_through(lowering: Lowering, phase: PhaseDecl) -> bool:
    return not _has_actions(lowering, phase)


def _has_actions(lowering: Lowering, phase: PhaseDecl) -> bool:
    if phase.actions is not None:
        return bool(phase.actions)
    return any(not a.phases or phase.id in a.phases for a in lowering.unit.gamedef.actions)


def phase_code(lowering: Lowering, index: int) -> Code:
    """onEnter; offers until something asks for another phase; onExit."""
    known = lowering.phase_codes.get(index)
    if known is not None:
        return known
    unit = lowering.unit
    phase = unit.gamedef.phases[index]
    rule, unit.rule = unit.rule, f"phase {phase.id}"
    code = lowering.new_code(f"phase {phase.id}", False, ir.Load(ir.ACTIVE), decider_is_actor=False)
    lowering.phase_codes[index] = code
    phase_type = int_type(-1, len(unit.gamedef.phases) - 1)
    code.store(ir.PHASE, ir.Const(index), phase_type)
    code.store(ir.PENDING_PHASE, ir.Const(0), phase_type)
    actions.reset_usage(lowering, code, "phase")
    lowering.emit_named(code, "phase", phase.id)
    unit.rule = f"phase {phase.id}: onEnter"
    block(lowering, code, phase.on_enter, code.scope())
    triggers.run_now(lowering, code, "phase", phase.id)
    unit.rule = f"phase {phase.id}"
    if _asks(phase.on_enter):
        start_of_move(lowering, code, at=(phase.id,))
    else:
        end_of_move(lowering, code, code.scope(), with_actor=False, at=(phase.id,))
    if _has_actions(lowering, phase):
        _turns(lowering, code, phase)
    elif not unit.gamedef.flow and not phase.interrupt:
        asked = code.label()
        code.branch(ir.Compare("==", ir.Load(ir.PENDING_PHASE), ir.Const(0)), asked)
        following = _following(lowering, index)
        lowering.used_phases.add(unit.gamedef.phases[following].id)
        code.store(ir.PENDING_PHASE, ir.Const(following + 1), interrupts.pending_type(lowering))
        code.mark(asked)
    unit.rule = f"phase {phase.id}: onExit"
    block(lowering, code, phase.on_exit, code.scope())
    if _asks(phase.on_exit):
        start_of_move(lowering, code, at=(phase.id,))
    code.finish()
    unit.rule = rule
    return code


def _asks(block: tree.Block) -> bool:
    """Whether somebody may decide in it: a move of its own, in the middle of a change of phase."""
    asking = (tree.ChooseOne, tree.ChooseN, tree.Menu, tree.Offer, tree.CallProc)
    return any(isinstance(node, asking) for node in nodes_in(block))


def _following(lowering: Lowering, index: int) -> int:
    phases = lowering.unit.gamedef.phases
    wanted = phases[index].next
    if wanted is not None:
        found = _phase_index(lowering, wanted, phases[index])
        return found if found is not None and _may_follow(lowering, found, phases[index]) else 0
    others = chain(range(index + 1, len(phases)), range(index + 1))
    return next((other for other in others if not phases[other].interrupt), 0)


def _next_phases(lowering: Lowering) -> tuple[int, ...]:
    """By phase: what `next phase` asks for there."""
    if lowering.next_phases is None:
        phases = lowering.unit.gamedef.phases
        lowering.next_phases = tuple(
            interrupts.back(lowering) if phase.interrupt else _following(lowering, index) + 1
            for index, phase in enumerate(phases)
        )
        for phase, following in zip(phases, lowering.next_phases, strict=True):
            if not phase.interrupt:
                lowering.used_phases.add(phases[following - 1].id)
    return lowering.next_phases


def _may_follow(lowering: Lowering, index: int, node: tree.Node) -> bool:
    return interrupts.allowed(lowering, lowering.unit.gamedef.phases[index], node)


def _phase_index(lowering: Lowering, name: str, node: tree.Node) -> int | None:
    names = [phase.id for phase in lowering.unit.gamedef.phases]
    if name in names:
        lowering.used_phases.add(name)
        return names.index(name)
    lowering.unit.error(
        "unknown-phase",
        node.span,
        f"there is no phase `{name}`",
        did_you_mean(name, names) or one_of(names) or "declare it under `phases:`",
    )
    return None


def phase_effect(lowering: Lowering, code: Code, node: tree.Effect, scope: Scope) -> None:
    """Requests: they take effect when the action or `onEnter` has finished."""
    unit = lowering.unit
    phases = unit.gamedef.phases
    pending = interrupts.pending_type(lowering)
    match node:
        case tree.EndTurn():
            code.store(ir.PENDING_TURN, ir.Const(1), BOOL)
        case tree.GotoPhase(phase=name):
            index = _phase_index(lowering, name, node)
            if index is not None and _may_follow(lowering, index, node):
                code.store(ir.PENDING_PHASE, ir.Const(index + 1), pending)
        case tree.PushPhase(phase=name):
            index = _phase_index(lowering, name, node)
            if index is not None:
                interrupts.push(lowering, code, node, index)
        case tree.AdvancePhase():
            if not phases:
                unit.error(
                    "unknown-phase",
                    node.span,
                    "this game has no phases",
                    "declare `phases:`, or write `end turn`",
                )
                return
            table = unit.table(_next_phases(lowering))
            code.store(ir.PENDING_PHASE, ir.Lookup(table, ir.Load(ir.PHASE), 1), pending)
        case tree.RunPhase(phase=name):
            index = _phase_index(lowering, name, node)
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
            start_of_move(lowering, code)
            code.call(phase_code(lowering, index))
            code.emit(ir.Zero(((ir.PENDING_PHASE, 1),)))
            code.store(ir.PHASE, ir.Const(-1), int_type(-1, len(phases)))
        case _:
            raise AssertionError(f"no phase effect: {node!r}")


# ------------------------------------------------------------------------- interrupts


def serve_in_flow(lowering: Lowering, code: Code) -> None:
    """In a flow, interrupts follow the statement that asked for them."""
    if code is lowering.flow_code and not code.in_move:
        serve(lowering, code, interrupts.NOWHERE)


def serve(lowering: Lowering, code: Code, level: int) -> None:
    """Run the interrupts that have been asked for and may interrupt a phase of this level."""
    if any(index > level for index in lowering.interrupts):
        code.call(_serving(lowering, level))


def _serving(lowering: Lowering, level: int) -> Code:
    name = f"interrupts above {level}" if level != interrupts.NOWHERE else "interrupts"
    if name in lowering.shared:
        return lowering.shared[name]
    unit = lowering.unit
    code = lowering.new_code(name, False, ir.Load(ir.ACTIVE), decider_is_actor=False)
    lowering.shared[name] = code
    top = code.label()
    code.mark(top)
    for index, cell in lowering.interrupts.items():
        if index <= level:
            continue
        skip, left = code.label(), code.label()
        code.branch(ir.Load(cell), skip)
        code.emit(ir.Zero(((cell, 1),)))
        kept = [(addr, code.slot(type_, "kept"), type_) for addr, type_ in _kept(lowering)]
        asked = code.slot(interrupts.pending_type(lowering), "asked")
        for addr, slot, type_ in kept:
            code.store(slot, ir.Load(addr), type_)
        code.store(asked, ir.Load(ir.PENDING_PHASE), interrupts.pending_type(lowering))
        code.emit(ir.Zero(((ir.PENDING_TURN, 1),)))
        code.call(phase_code(lowering, index))
        for addr, slot, type_ in kept:
            code.store(addr, ir.Load(slot), type_)
        # `goto` leaves the phases below as well; anything else comes back to them
        wanted = ir.Load(ir.PENDING_PHASE)
        nowhere = ir.Compare("==", wanted, ir.Const(0))
        code.branch(
            ir.Or(nowhere, ir.Compare("==", wanted, ir.Const(interrupts.back(lowering)))), left
        )
        code.store(ir.PENDING_PHASE, ir.Load(asked), interrupts.pending_type(lowering))
        code.mark(left)
        end_of_move(lowering, code, Scope(), with_actor=False)
        code.emit(ir.Tick(unit.site(unit.gamedef.phases[index].span, "interrupts")))
        code.jump(top)
        code.mark(skip)
    code.finish()
    return code


def _kept(lowering: Lowering) -> Sequence[tuple[int, Type]]:
    """What an interrupt leaves as it was: phase and turn, and how often actions were used."""
    phases, seats = lowering.unit.gamedef.phases, len(lowering.unit.world.seats)
    kept = [
        (ir.ACTIVE, seat_type(lowering.unit.world)),
        (ir.TURN, INT),
        (ir.PHASE, int_type(-1, len(phases) - 1)),
        (ir.PENDING_TURN, BOOL),
    ]
    for (_, scope), cells in lowering.usage.items():
        if scope != "game":
            kept += [(cells + seat, INT) for seat in range(seats)]
    return kept
