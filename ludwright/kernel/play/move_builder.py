"""Moves: whole answers to a part, completed step by step, and applied.

Looking and doing are the same walk: the answers are given one after another on scratch states, and
`apply` simply keeps the last of them. A part ends with the move, with new information, or where
another seat has to decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from ludwright import program as ir
from ludwright.errors import EndlessChoices, IllegalMove
from ludwright.kernel.interpreter.run import Run
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.listing import MENUS, Listing, move_name
from ludwright.kernel.play.pick_request import Picking, single_picks
from ludwright.kernel.play.probe import Probe
from ludwright.kernel.protocol.decision import CHANCE, Asked, Decision
from ludwright.kernel.protocol.move import (
    ChoiceRequest,
    Move,
    completed,
    listed,
    request_for,
    request_of,
)
from ludwright.kernel.protocol.state import State, reader
from ludwright.kernel.protocol.step import Step, joined
from ludwright.program.action_choices import ActionChoices
from ludwright.program.limits import MOVE_LIMIT

_FRONT = reader((ir.HEAD, ir.ANSWERED, ir.ACTION, ir.OVER))
NOTHING = ChoiceRequest(complete=False)  # no option is left that a pick could take


class _Walk:
    """A move on its way through its decisions."""

    __slots__ = ("asked", "met", "move", "seat", "state", "steps")

    def __init__(self, state: State, move: Move, seat: str | None) -> None:
        self.state = state
        self.move = move
        self.seat = seat  # who answers the first decision, where several are asked
        self.asked: Asked | None = None  # the decision of the state, where it is known
        self.steps: list[Step] = []
        self.met: set[str] = set()  # ids of decisions that have been answered; single picks too

    def took(self, step: Step) -> None:
        self.steps.append(step)
        self.state = step.state
        self.asked = None


class MoveBuilder:
    """The move protocol of one game."""

    def __init__(self, game: Core) -> None:
        self._game = game
        self._program = game.program
        self._choices = ActionChoices(game.program)
        self._listing = Listing(game, self._choices)

    def legal_moves(self, state: State, seat: str | None = None) -> list[Move]:
        return self._listing.moves(state, seat)

    def apply(self, state: State, move: Move, seat: str | None) -> Step:
        if seat is not None:
            seat = self._one_of_several(state, seat)
        walk = self._open(state, move, seat)
        request = self._go_on(walk)
        if not request.complete:
            rule, span = self._asking(walk.state)
            reason = f"`{request.decision_id}` has not been answered"
            raise IllegalMove("missing-choice", rule, reason, span)
        return joined(walk.steps)

    def legal_choices(self, state: State, move: Move, seat: str | None = None) -> ChoiceRequest:
        if seat is not None:
            seat = self._one_of_several(state, seat)
        try:
            walk = self._open(state, move, seat)
        except _NotOffered as refused:
            if refused.guarded:
                return ChoiceRequest(complete=True, legal=False, reason=refused.reason)
            probe = Probe(self._game, refused.state, self._game.stop(refused.state))
            return probe.request(refused.label, move.params, refused.reason)
        return self._go_on(walk)

    def meant(self, state: State, move: Move, name: str, value: str) -> int | None:
        """The piece that an answer of a move stands for among the options of its decision."""
        before = takewhile(lambda item: item[0] != name, move.params.items())
        begun = Move(move.action_id, dict(before))
        try:
            walk = self._open(state, begun, None)
            request = self._go_on(walk)
        except IllegalMove:
            return None
        options = list(request.options)
        if request.decision_id != name or value not in options:
            return None
        piece: int = self._game.stop(walk.state).answers[options.index(value)]
        return piece

    def _one_of_several(self, state: State, seat: str) -> str | None:
        """A seat that is asked, unless it is the one that is asked first anyway."""
        decision = self._game.decision(state)
        if decision is None or decision.seat == seat:
            return None
        self._game.check_turn(state, decision, seat)
        return seat

    # ---------------------------------------------------------- the head

    def check_action(self, state: State, move: Move) -> None:
        """Raise `IllegalMove` where a move names nothing that there is, here or elsewhere."""
        if any(move.action_id == action.name for action in self._program.actions):
            return
        try:
            self._open(state, Move(move.action_id), None)
        except IllegalMove as error:
            if error.code in ("unknown-action", "game-over"):
                raise

    def _open(self, state: State, move: Move, seat: str | None) -> _Walk:
        """Find the action a move names and begin it."""
        game, wanted = self._game, move.action_id
        head, answered, action, over = state.read(_FRONT)
        if over:
            raise IllegalMove("game-over", "", "the game is over")
        walk = _Walk(state, move, seat)
        walk.asked = asked = game.asked(state, seat)
        if asked.role in MENUS and head and not answered:
            try:
                walk.took(game.choose(state, wanted))
            except IllegalMove as refused:
                raise self._closed(state, move) or refused from None
            key = asked.decision_id
            walk.met.add(key)
            if key in move.params and move.params[key] != wanted:
                reason = f"the move is `{wanted}`, but its `{key}` says otherwise"
                raise IllegalMove("contradiction", "", reason)
        elif not action or self._program.actions[action - 1].name != wanted or asked.role == CHANCE:
            self._check_name(state, asked, wanted)
        return walk

    def _check_name(self, state: State, asked: Asked, wanted: str) -> None:
        """In the middle of a move, where chance decides, or where only one thing can be done."""
        if asked.role == CHANCE:
            if wanted not in (CHANCE, asked.name):
                raise IllegalMove("unknown-action", "", f"chance decides `{asked.name}` now")
        elif wanted != (name := move_name(self._game, state)):
            if all(wanted != action.name for action in self._program.actions):
                raise IllegalMove("unknown-action", "", f"there is no action `{wanted}`")
            raise IllegalMove("unknown-action", "", f"`{wanted}` is not open now; `{name}` is")

    def _closed(self, state: State, move: Move) -> IllegalMove | None:
        """Why a move cannot be begun here; None where it is offered."""
        decision = self._game.decision(state)
        assert decision is not None
        if move.action_id in decision.options:
            return None
        stop = self._game.stop(state)
        assert stop.choice is not None
        names = [label.name for label in stop.choice.labels]
        if move.action_id in names:
            return self._not_offered(state, stop, names.index(move.action_id), move)
        listed = ", ".join(f"`{name}`" for name in names)
        return IllegalMove(
            "unknown-action", "", f"there is no `{move.action_id}` here; there are {listed}"
        )

    def _not_offered(self, state: State, stop: Stop, label: int, move: Move) -> _NotOffered:
        choice = stop.choice
        assert choice is not None
        chosen = choice.labels[label]
        memory = self._game.machine.scratch(state.shared_cells, Run(stop.seat))
        failing = self._game.machine.choices[stop.pc].failing_test(memory, stop.seat, label)
        if failing is not None:
            rule, span = self._game.rule(failing)
            reason = self._game.answering.label_reason(chosen.name, failing, memory)
            if chosen.action >= 0:
                params = self._program.actions[chosen.action].params
                named = {name: move.params[name] for name in params[:1] if name in move.params}
                reason = self._game.answering.dropped(named, failing, memory) or reason
            return _NotOffered("refused", rule, reason, span, state, label, guarded=True)
        site = self._program.actions[chosen.action].site if chosen.action >= 0 else -1
        rule, span = self._game.rule(site if site >= 0 else choice.site)
        deeper = self._game.answering.refusal_of(state.shared_cells, stop, label)
        return _NotOffered(
            deeper.code, deeper.rule or rule, deeper.reason, deeper.span or span, state, label
        )

    # --------------------------------------------------------- the answers

    def _go_on(self, walk: _Walk) -> ChoiceRequest:
        """Give the answers the move holds; stops at the first one it lacks."""
        game, params, met = self._game, walk.move.params, walk.met
        steps = walk.steps
        while not steps or not game.part_ended(steps[-1]):
            seat = None if steps else walk.seat
            asked = walk.asked or game.asked(walk.state, seat)
            name = asked.decision_id
            assert name not in met, "no two decisions of a move share an id"
            if asked.many:
                request = self._give_several(walk, asked, seat)
                if request is not None:
                    return request
            elif name in params:
                value = params[name]
                if value.__class__ is tuple:
                    value = listed(value)
                walk.took(game.choose(walk.state, value, seat))
            else:
                walk.asked = asked
                return self._request(walk, asked, seat)
            met.add(name)
        for name in params:
            if name not in met:
                self._check_used(walk, name)
        return completed(steps[-1])

    def _check_used(self, walk: _Walk, name: str) -> None:
        """A param that answered no decision: an empty set over nothing, or a mistake."""
        if walk.move.params[name] == () and self._choices.may_be_empty(walk.move.action_id, name):
            return
        raise IllegalMove("unknown-param", "", f"nothing here asks for `{name}`")

    def _give_several(self, walk: _Walk, asked: Asked, seat: str | None) -> ChoiceRequest | None:
        """Answer a chooseN: with a list, or with picks that stand one by one. A request where
        neither is there, or where the picks may go on."""
        name, params = asked.decision_id, walk.move.params
        if name in params:
            picks = listed(params[name])
            if not isinstance(picks, list):
                rule, span = self._asking(walk.state)
                raise IllegalMove("wrong-type", rule, f"`{name}` takes a list, not `{picks}`", span)
        else:
            picks, stopped = single_picks(params, name)
            if not stopped:
                request = self._request(walk, asked, seat, picks)
                if request.options or not picks:
                    return request
            walk.met.update(f"{name}#{number}" for number in range(len(picks) + stopped))
        walk.took(self._game.choose_all(walk.state, picks, seat))
        return None

    def _asking(self, state: State) -> tuple[str, Any]:
        """The rule that asks for a decision, and where it stands."""
        instr = self._program.code[state.cell(ir.PC)]
        if isinstance(instr, ir.Choose):
            return self._game.rule(self._program.choices[instr.choice].site)
        assert isinstance(instr, ir.Chance)
        return self._game.rule(instr.site)

    def _request(
        self, walk: _Walk, asked: Asked, seat: str | None, picks: Sequence[Any] = ()
    ) -> ChoiceRequest:
        if len(walk.met) > MOVE_LIMIT:
            raise EndlessChoices(walk.move.action_id, asked.decision_id, MOVE_LIMIT)
        decision = self._game.decision(walk.state, seat)
        assert decision is not None, "a game that is over has ended the part"
        if not asked.many or decision.dead_end:
            return request_for(decision, asked.decision_id)
        if picks and len(decision.picked) + len(picks) >= decision.max:
            return NOTHING
        choice = self._choice(walk.state)
        if not picks and self._shows_all(choice, decision):
            return request_of(decision)
        stop = self._game.stop(walk.state)
        if seat is not None and decision.together:
            stop = self._game.sealed_stop(walk.state, seat)
        if choice.sequence:
            return self._in_order(walk.state, stop, decision, seat, picks)
        return Picking(self._game, walk.state, stop, decision, seat).request(list(picks))

    def _in_order(
        self, state: State, stop: Stop, decision: Decision, seat: str | None, picks: Sequence[Any]
    ) -> ChoiceRequest:
        """What may follow the picks of a sequence. Those that the state holds already are not the
        move's own: its numbers and bounds begin behind them."""
        made = len(decision.picked)
        for count, pick in enumerate(picks, start=1):
            state = self._game.choose(state, pick, seat).state
            following = self._game.still_open(state, stop, made + count)
            if following is None:
                return NOTHING
            published = self._game.decisions.publish(state.shared_cells, following)
            assert published is not None
            stop, decision = following, published
        request = request_of(decision)
        number = f"#{len(picks)}" if picks else ""
        return replace(
            request, decision_id=f"{request.decision_id}{number}", picked=decision.picked[made:],
            min=max(0, decision.min - made), max=decision.max - made,
        )  # fmt: skip

    def _choice(self, state: State) -> ir.Choice:
        """What a state waits for, as the rulebook has it."""
        return self._program.choice_at(state.cell(ir.PC))

    def _shows_all(self, choice: ir.Choice, decision: Decision) -> bool:
        """Whether the first pick of a set offers all that may be in it. It does not where later
        ones need to come after it, or where it was left out because no set begins with it."""
        if choice.sequence or not choice.safe or choice.together or decision.picked:
            return False
        return decision.min <= 1 and choice.type.kind != "piece"


class _NotOffered(IllegalMove):
    """An action that exists but is not offered; `guarded` where a condition of its own fails."""

    def __init__(
        self, code: str, rule: str, reason: str, span: Any, state: State, label: int,
        guarded: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(code, rule, reason, span)
        self.state = state
        self.label = label
        self.guarded = guarded
