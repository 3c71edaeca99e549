"""Moves: whole answers to a part, listed, completed step by step, and applied.

Looking and doing are the same walk: the answers are given one after another on scratch states, and
`apply` simply keeps the last of them. A part ends with the move, with new information, or where
another seat has to decide.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ludwright.errors import EndlessChoices, IllegalMove
from ludwright.kernel import program as ir
from ludwright.kernel.action_choices import ActionChoices
from ludwright.kernel.choosing import STOP, Stop
from ludwright.kernel.context import Run
from ludwright.kernel.decisions import CHANCE, Asked, Decision, Range
from ludwright.kernel.lazily import lazily
from ludwright.kernel.moves import (
    MOVE_LIMIT,
    ChoiceRequest,
    Move,
    Step,
    as_decided,
    completed,
    joined,
    request_of,
)
from ludwright.kernel.picking import Picking
from ludwright.kernel.probing import Probe
from ludwright.kernel.state import State

if TYPE_CHECKING:
    from ludwright.kernel.game import Game

LISTED = 256  # more moves of one action than this are offered as a template
DECLARED = ("param", "side", "branch")  # roles of decisions that name a move
MENUS = ("action", "menu")  # roles of decisions whose options are the names of moves
_EXACT = (int, str, bool, type(None))  # equal values of one of these types are the same in all


@dataclass
class _Walk:
    """A move on its way through its decisions."""

    state: State
    move: Move
    used: set[str] = field(default_factory=set)  # params that have been an answer
    met: set[str] = field(default_factory=set)  # ids of decisions that have been answered
    steps: list[Step] = field(default_factory=list)

    @property
    def last(self) -> Step | None:
        return self.steps[-1] if self.steps else None

    def took(self, step: Step) -> None:
        self.steps.append(step)
        self.state = step.state


class Walker:
    """The move protocol of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._program = game.program
        self._choices = ActionChoices(game.program)
        self._operations = {action.name for action in self._program.actions if action.operation}
        self._left: tuple[State, _Walk] | None = None  # the last question that stayed open

    # ------------------------------------------------------------ listing

    def legal_moves(self, state: State) -> list[Move]:
        game = self._game
        decision = game.decision(state)
        if decision is None or decision.dead_end:
            return []
        if decision.seat == CHANCE:
            return [Move(CHANCE, {decision.decision_id: value}) for value in decision.options]
        name = self.action_id(state)
        if not decision.head:
            return [Move(name, {})]
        free = bool(state.cell(ir.GRANT))
        if decision.role in MENUS:
            found: list[Move] = []
            for option in decision.options:
                if decision.role == "action" and option in self._operations:
                    found.append(Move(option, {}, free))
                    continue
                try:
                    step = game.choose(state, option)
                except IllegalMove:  # it was of unknown legality
                    continue
                found += self._enumerate(step.state, step.part_ended, option, free)
            return found
        if state.cell(ir.ACTION):
            if name in self._operations:
                return [Move(name, {}, free)]
            return self._enumerate(state, False, name, free)
        return self._choice_moves(decision, name)

    def _choice_moves(self, decision: Decision, name: str) -> list[Move]:
        """A choice at the level of the flow: each option is a move of its own."""
        options = decision.options
        if decision.kind == "chooseN" or isinstance(options, Range) or len(options) > LISTED:
            return [Move(name, {})]
        answers = [*options, *([None] if decision.optional else [])]
        return [Move(name, {decision.decision_id: answer}) for answer in answers]

    def _enumerate(self, state: State, ended: bool, name: str, free: bool) -> list[Move]:
        """All answers to the declared parameters of a simple action, or its template."""
        found: list[dict[str, Any]] = []
        if ended or self._list(state, {}, found):
            return [Move(name, params, free) for params in found or [{}]]
        return [Move(name, {}, free)]

    def _list(self, state: State, params: dict[str, Any], found: list[dict[str, Any]]) -> bool:
        """Add the ways to answer from here on; False where there are too many."""
        game = self._game
        decision = game.decision(state)
        asked = game.asked(state) if decision is not None else None
        if decision is None or asked is None or asked.role not in DECLARED or asked.many:
            found.append(params)
            return True
        if len(found) + len(decision.options) > LISTED:
            return False
        key, last = asked.decision_id, self._is_last(state, asked)
        for position, value in enumerate(self._values(decision)):
            known = {**params, key: value}
            step = None if last else game.named_further(state, position, value, DECLARED)
            if step is None:
                found.append(known)
            elif not self._list(step.state, known, found):
                return False
        return len(found) <= LISTED

    def _values(self, decision: Decision) -> list[Any]:
        return [*decision.options, *([None] if decision.optional else [])]

    def _is_last(self, state: State, asked: Asked) -> bool:
        """The action's last declared parameter: no need to run on to see that none follows."""
        number = state.cell(ir.ACTION)
        if not number or asked.role != "param":
            return False
        action = self._program.actions[number - 1]
        if not action.params or action.params[-1] != asked.name:
            return False
        return not self._choices.takes_sides(action.name)

    def action_id(self, state: State) -> str:
        """What the move under way is called."""
        if number := state.cell(ir.ACTION):
            return self._program.actions[number - 1].name
        if head := state.cell(ir.HEAD):
            return self._program.heads[head - 1].name.lstrip("$")
        decision = self._game.decision(state)
        return decision.name.lstrip("$") if decision is not None else ""

    # ----------------------------------------------------------- applying

    def apply(self, state: State, move: Move, seat: str | None) -> Step:
        decision = self._game.decision(state, seat)
        if decision is not None:
            self._game._check_turn(decision, seat)
        walk = self._open(state, move, seat)
        request = self._go_on(walk, seat)
        if not request.complete:
            reason = f"`{request.decision_id}` has not been answered"
            raise IllegalMove("missing-choice", "", reason)
        return joined(walk.steps)

    def legal_choices(self, state: State, move: Move) -> ChoiceRequest:
        walk = self._resumed(state, move)
        if walk is None:
            try:
                walk = self._open(state, move, None)
            except _NotOffered as refused:
                if refused.guarded:
                    return ChoiceRequest(complete=True, legal=False, reason=refused.reason)
                probe = Probe(self._game, state, self._game._stop(state))
                return probe.request(refused.label, move.params, refused.reason)
        request = self._go_on(walk, None)
        if not request.complete:
            self._left = (state, walk)
        return request

    def _resumed(self, state: State, move: Move) -> _Walk | None:
        """Where the last question about this move stopped, if only answers to later decisions were
        added since: a move of many decisions is completed in as many steps, not in their square.

        Nobody can tell: the state has the same bytes, the move the same answers of the same types,
        neither can have changed in between, and nothing that is new would have been used before.
        """
        left = self._left
        if left is None or (left[0] is not state and left[0] != state):
            return None
        walk = left[1]
        known = walk.move
        if known.action_id != move.action_id or known.free_operation is not move.free_operation:
            return None
        params = move.params
        if not all(name in params and _same(params[name], value)
                   for name, value in known.params.items()):  # fmt: skip
            return None
        if any(name not in known.params and name.partition("#")[0] in walk.met for name in params):
            return None
        return _Walk(walk.state, move, set(walk.used), set(walk.met), list(walk.steps))

    def _open(self, state: State, move: Move, seat: str | None) -> _Walk:
        """Find the action a move names and begin it."""
        game = self._game
        decision = game.decision(state, seat)
        if decision is None:
            raise IllegalMove("game-over", "", "the game is over")
        freed = self._freed(state, move)
        if freed is not state:
            state, decision = freed, game.decision(freed, seat)
            assert decision is not None
        walk = _Walk(state, move)
        if decision.seat == CHANCE:
            if move.action_id not in (CHANCE, decision.name):
                raise IllegalMove("unknown-action", "", f"chance decides `{decision.name}` now")
            return walk
        asked = game.asked(state, seat)
        if asked.role in MENUS and state.cell(ir.HEAD) and not state.cell(ir.ANSWERED):
            if move.action_id not in decision.options:
                raise self._closed(state, move)
            key = asked.decision_id
            if key in move.params:
                if move.params[key] != move.action_id:
                    reason = f"the move is `{move.action_id}`, but its `{key}` says otherwise"
                    raise IllegalMove("contradiction", "", reason)
                walk.used.add(key)
            walk.met.add(key)
            walk.took(game.choose(state, move.action_id))
            return walk
        if move.action_id != self.action_id(state):
            if move.action_id not in {action.name for action in self._program.actions}:
                raise IllegalMove("unknown-action", "", f"there is no action `{move.action_id}`")
            raise IllegalMove(
                "unknown-action", "", f"`{move.action_id}` is not open now; "
                f"`{self.action_id(state)}` is",
            )  # fmt: skip
        return walk

    def _freed(self, state: State, move: Move) -> State:
        """A grant is taken by asking for it, and declined by not asking."""
        granted = state.cell(ir.GRANT)
        if move.free_operation and not granted:
            raise IllegalMove("not-granted", "", "no free operation is granted here")
        if not granted or move.free_operation or state.cell(ir.ANSWERED):
            return state
        cells = state._cells.copy()
        cells[ir.GRANT] = cells[ir.FREE] = 0
        return self._game._new_state(cells)

    def _closed(self, state: State, move: Move) -> IllegalMove:
        """Why a move cannot be begun here."""
        stop = self._game._stop(state)
        assert stop.point is not None
        names = [label.name for label in stop.point.choice.labels]
        if move.action_id in names:
            return self._not_offered(state, stop, names.index(move.action_id))
        listed = ", ".join(f"`{name}`" for name in names)
        return IllegalMove(
            "unknown-action", "", f"there is no `{move.action_id}` here; there are {listed}"
        )

    def _not_offered(self, state: State, stop: Stop, label: int) -> _NotOffered:
        point = stop.point
        assert point is not None
        chosen = point.choice.labels[label]
        S = self._game.machine.scratch(state._cells, Run(stop.seat))
        failing = point.failing_test(S, stop.seat, label)
        if failing is not None:
            rule, span = self._game._rule(failing)
            reason = f"`{chosen.name}` is not possible now ({rule})"
            return _NotOffered("refused", rule, reason, span, label, guarded=True)
        site = self._program.actions[chosen.action].site if chosen.action >= 0 else -1
        rule, span = self._game._rule(site if site >= 0 else point.choice.site)
        deeper = self._game._answering.refusal_of(state._cells, stop, label)
        return _NotOffered(
            deeper.code, deeper.rule or rule, deeper.reason, deeper.span or span, label
        )

    def _go_on(self, walk: _Walk, seat: str | None) -> ChoiceRequest:
        """Give the answers the move holds; stops at the first one it lacks."""
        game, params, used = self._game, walk.move.params, walk.used
        while not walk.steps or not game.part_ended(walk.steps[-1]):
            own = None if walk.steps else seat
            asked = game.asked(walk.state, own)
            key = self._key(walk, asked)
            if key is None:
                return self._request(walk, asked, own)
            if len(walk.steps) > MOVE_LIMIT:
                raise EndlessChoices(walk.move.action_id, asked.decision_id, MOVE_LIMIT)
            used.add(key)
            value = params.get(key)
            if not asked.many:
                walk.met.add(asked.decision_id)
                self._answer(walk, _listed(value) if value.__class__ is tuple else value, own)
                continue
            if key is not asked.decision_id and key.endswith("#0"):
                picks, stopped = self._single_picks(walk, key[:-2])
                request = None if stopped else self._request(walk, asked, own, picks)
                if request is not None and request.options:
                    used -= {f"{key[:-2]}#{number}" for number in range(len(picks))}
                    return request
            elif value.__class__ is tuple:
                picks = _listed(value)
            else:
                raise IllegalMove("wrong-type", "", f"`{key}` takes a list, not `{value}`")
            walk.met.add(asked.decision_id)
            walk.took(game.choose_all(walk.state, picks, own))
        for name, value in params.items():
            if name not in walk.used and not (
                value == () and self._choices.may_be_empty(walk.move.action_id, name)
            ):
                raise IllegalMove("unknown-param", "", f"nothing here asks for `{name}`")
        return completed(walk.steps[-1])

    def _answer(self, walk: _Walk, value: Any, seat: str | None) -> None:
        walk.took(self._game.choose(walk.state, value, seat))

    def _key(self, walk: _Walk, asked: Asked) -> str | None:
        """The param that answers a decision: its id, or its first pick."""
        params, name = walk.move.params, asked.decision_id
        assert name not in walk.met, "no two decisions of a move share an id"
        if name in params:
            return name
        return f"{name}#0" if asked.many and f"{name}#0" in params else None

    def _single_picks(self, walk: _Walk, base: str) -> tuple[list[Any], bool]:
        """The picks given one by one, and whether the last word was to stop."""
        picks: list[Any] = []
        while (key := f"{base}#{len(picks)}") in walk.move.params:
            walk.used.add(key)
            value = walk.move.params[key]
            if isinstance(value, str) and value == STOP:
                return picks, True
            picks.append(value)
        return picks, False

    def _request(
        self, walk: _Walk, asked: Asked, seat: str | None, picks: list[Any] | None = None
    ) -> ChoiceRequest:
        decision = self._game.decision(walk.state, seat)
        assert decision is not None, "a game that is over has ended the part"
        if picks and len(decision.picked) + len(picks) >= decision.max:
            return ChoiceRequest(complete=False)  # nothing can be added
        if not asked.many or decision.dead_end:
            return lazily(
                ChoiceRequest, (as_decided, decision), complete=False,
                decision_id=asked.decision_id, options=decision.options,
            )  # fmt: skip
        choice = self._choice(walk.state)
        if not picks and self._shows_all(choice, decision):
            return request_of(decision)
        stop = self._game._stop(walk.state)
        in_order = choice.sequence
        if seat is not None and decision.together:
            stop = self._game.machine.sealed(walk.state._cells, stop, self._game._seats[seat])
        if not in_order:
            return Picking(self._game, walk.state, stop, decision, seat).request(picks or [])
        state, number = walk.state, ""
        for count, pick in enumerate(picks or [], start=1):
            state = self._game.choose(state, pick, seat).state
            following = self._game._still_open(state, stop, count)
            if following is None:
                return replace(request_of(decision), options=())
            published = self._game.decisions.publish(state._cells, following)
            assert published is not None
            stop, decision, number = following, published, f"#{count}"
        request = request_of(decision)
        return replace(request, decision_id=f"{request.decision_id}{number}")

    def _choice(self, state: State) -> ir.Choice:
        """What a state waits for, as the rulebook has it."""
        instr = self._program.code[state.cell(ir.PC)]
        assert isinstance(instr, ir.Choose)
        return self._program.choices[instr.choice]

    def _shows_all(self, choice: ir.Choice, decision: Decision) -> bool:
        """Whether the first pick of a set offers all that may be in it. It does not where later
        ones need to come after it, or where it was left out because no set begins with it."""
        if choice.sequence or not choice.safe or choice.together or decision.picked:
            return False
        return decision.min <= 1 and choice.type.kind != "piece"


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same in every respect: 1 is not true."""
    kind = one.__class__
    if kind is not other.__class__:
        return False
    if kind is tuple:
        return len(one) == len(other) and all(map(_same, one, other))
    return kind in _EXACT and bool(one == other)


def _listed(value: Any) -> Any:
    """As decisions write values of several parts."""
    return [_listed(item) for item in value] if value.__class__ is tuple else value


class _NotOffered(IllegalMove):
    """An action that exists but is not offered; `guarded` where a condition of its own fails."""

    def __init__(
        self, code: str, rule: str, reason: str, span: Any, label: int, guarded: bool = False
    ) -> None:
        super().__init__(code, rule, reason, span)
        self.label = label
        self.guarded = guarded
