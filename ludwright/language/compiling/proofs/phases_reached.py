"""Phases that no way of the game leads to.

A phase is over when something asks for another one (`goto`, `next phase`), or if it has no actions.
What stands in a phase, or in an action that names its phases, happens there only; all else
(triggers, procedures, cards) may happen in any phase.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludwright.language import tree
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.tree_walk import nodes_in
from ludwright.language.gamedef import GameDef, PhaseDecl
from ludwright.program.flow import reachable


def check(lowering: Lowering) -> None:
    gamedef = lowering.unit.gamedef
    reached = lowering.used_phases
    if not gamedef.flow and not all(phase.interrupt for phase in gamedef.phases):
        reached = reached & _Ways(gamedef).reached()
    for phase in gamedef.phases:
        used = lowering.used_phases if phase.interrupt else reached
        if phase.id not in used:
            lowering.unit.diagnostics.warning(
                "unreachable-phase",
                phase.span,
                f"nothing ever enters the phase `{phase.id}`",
                _help(gamedef, phase, reached),
            )


def _help(gamedef: GameDef, phase: PhaseDecl, reached: set[str]) -> str:
    if phase.interrupt:
        return f"write `push phase {phase.id}` somewhere, or remove it"
    ways = _Ways(gamedef)
    before = [p for p in gamedef.phases if p.id in reached and ways.following(p) == phase.id]
    if before and ways.offers_everything(before[0]):
        return (
            f"the actions name no phase, so `{before[0].id}` offers them too, and never ends: "
            f"write `phase: …` in every action, or `next phase` where `{before[0].id}` is over"
        )
    if before:
        return f"write `next phase` where `{before[0].id}` is over, or `goto {phase.id}`"
    return f"write `goto {phase.id}` or `next phase` somewhere, or remove it"


class _Ways:
    def __init__(self, gamedef: GameDef) -> None:
        self._gamedef = gamedef
        self._phases = {phase.id: phase for phase in gamedef.phases if not phase.interrupt}
        apart = {
            id(node) for part in (*gamedef.phases, *gamedef.actions) for node in nodes_in(part)
        }
        nodes = list(nodes_in(gamedef))
        self._anywhere = [node for node in nodes if id(node) not in apart]
        # what an `offer` names may be asked in any phase; interrupts come on top of any
        self._offered = {
            name for node in nodes if isinstance(node, tree.Offer) for name in node.actions or ()
        }
        interrupts = {phase.id for phase in gamedef.phases if phase.interrupt}
        pushed = [phase for phase in gamedef.phases if phase.interrupt]
        asked = [action for action in gamedef.actions if interrupts & {*action.phases}]
        self._interrupting = [node for part in (*pushed, *asked) for node in nodes_in(part)]

    def reached(self) -> set[str]:
        first = next(iter(self._phases))
        return reachable((first,), lambda name: self._next(self._phases[name]))

    def following(self, phase: PhaseDecl) -> str:
        """What `next phase` leads to."""
        names = list(self._phases)
        after = names[(names.index(phase.id) + 1) % len(names)] if phase.id in names else names[0]
        return phase.next if phase.next in self._phases else after

    def offers_everything(self, phase: PhaseDecl) -> bool:
        """Whether all that a phase offers are actions that name no phase."""
        actions = self._gamedef.actions
        return phase.actions is None and bool(actions) and not any(a.phases for a in actions)

    def _next(self, phase: PhaseDecl) -> Iterator[str]:
        actions = [
            action
            for action in self._gamedef.actions
            if (phase.actions is None or action.id in phase.actions)
            and (not action.phases or phase.id in action.phases)
        ]
        offered = bool(phase.actions) if phase.actions is not None else bool(actions)
        if not offered:
            yield self.following(phase)
        parts = [phase, *actions, *(a for a in self._gamedef.actions if a.id in self._offered)]
        for node in (*(node for part in parts for node in nodes_in(part)), *self._anywhere):
            if isinstance(node, tree.AdvancePhase):
                yield self.following(phase)
            elif isinstance(node, tree.GotoPhase) and node.phase in self._phases:
                yield node.phase
        for node in self._interrupting:
            if isinstance(node, tree.GotoPhase) and node.phase in self._phases:
                yield node.phase
