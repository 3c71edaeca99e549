"""Moves: whole answers to a part, listed, completed step by step, and applied.

Looking and doing are the same walk: the answers are given one after another on scratch states, and
`apply` simply keeps the last of them. A part ends with the move, with new information, or where
another seat has to decide.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ludwright.errors import IllegalMove
from ludwright.kernel import program as ir
from ludwright.kernel.choosing import DECLINE, STOP, Stop
from ludwright.kernel.context import Run
from ludwright.kernel.decisions import CHANCE, Decision, Range
from ludwright.kernel.moves import ChoiceRequest, Move, Step, joined
from ludwright.kernel.picking import Picking
from ludwright.kernel.state import State

if TYPE_CHECKING:
    from ludwright.kernel.game import Game

LISTED = 256  # more moves of one action than this are offered as a template
DECLARED = ("param", "side", "branch")  # roles of decisions that name a move


@dataclass
class _Walk:
    """A move on its way through its decisions."""

    state: State
    move: Move
    used: set[str] = field(default_factory=set)
    steps: list[Step] = field(default_factory=list)

    @property
    def last(self) -> Step | None:
        return self.steps[-1] if self.steps else None

    def took(self, step: Step) -> None:
        self.steps.append(step)
        self.state = step.state

    @property
    def ended(self) -> bool:
        return self.last is not None and self.last.part_ended


class Walker:
    """The move protocol of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._program = game.program
        self._left: tuple[State, _Walk] | None = None  # the last question that stayed open

    # ------------------------------------------------------------ listing

    def legal_moves(self, state: State) -> list[Move]:
        game = self._game
        decision = game.decision(state)
        if decision is None or decision.dead_end:
            return []
        if decision.seat == CHANCE:
            return [Move(CHANCE, {decision.decision_id: value}) for value in decision.options]
        if not decision.head:
            return [Move(self.action_id(state), {})]
        free = bool(state._cells[ir.GRANT])
        stop = game._stop(state)
        point = stop.point
        assert point is not None
        if point.choice.kind == "labels" and point.choice.role in ("action", "menu"):
            found: list[Move] = []
            for answer in stop.answers:
                label = point.choice.labels[answer]
                if label.action >= 0 and self._program.actions[label.action].operation:
                    found.append(Move(label.name, {}, free))
                    continue
                step = game.advance(state, stop, answer)
                found += self._enumerate(step.state, step.part_ended, label.name, free)
            return found
        if state._cells[ir.ACTION]:
            name = self.action_id(state)
            if self._program.actions[state._cells[ir.ACTION] - 1].operation:
                return [Move(name, {}, free)]
            return self._enumerate(state, False, name, free)
        return self._choice_moves(decision, self.action_id(state))

    def _choice_moves(self, decision: Decision, name: str) -> list[Move]:
        """A choice at the level of the flow: each option is a move of its own."""
        options = decision.options
        if decision.kind == "chooseN" or isinstance(options, Range) or len(options) > LISTED:
            return [Move(name, {})]
        answers = [*options, *([None] if decision.optional else [])]
        return [Move(name, {decision.decision_id: answer}) for answer in answers]

    def _enumerate(self, state: State, ended: bool, name: str, free: bool) -> list[Move]:
        """All answers to the declared parameters of a simple action, or its template."""
        game = self._game
        found: list[Move] = []
        open_walks: list[tuple[State, bool, dict[str, Any]]] = [(state, ended, {})]
        while open_walks:
            here, ended, params = open_walks.pop()
            decision = None if ended else game.decision(here)
            if decision is None or decision.role not in DECLARED or decision.kind == "chooseN":
                found.append(Move(name, params, free))
            elif isinstance(decision.options, Range) and len(decision.options) > LISTED:
                return [Move(name, {}, free)]
            elif self._is_last(here, decision):
                for value in self._values(decision):
                    found.append(Move(name, {**params, decision.decision_id: value}, free))
            else:
                stop = game._stop(here)
                inside = [*stop.answers, *([DECLINE] if decision.optional else [])]
                following: list[tuple[State, bool, dict[str, Any]]] = []
                for answer, value in zip(inside, self._values(decision), strict=True):
                    known = {**params, decision.decision_id: value}
                    if not self._is_named_further(here, stop, answer):
                        following.append((here, True, known))
                        continue
                    step = game.advance(here, stop, answer)
                    following.append((step.state, step.part_ended, known))
                open_walks += reversed(following)
            if len(found) + len(open_walks) > LISTED:
                return [Move(name, {}, free)]
        return found

    def _values(self, decision: Decision) -> list[Any]:
        return [*decision.options, *([None] if decision.optional else [])]

    def _is_named_further(self, state: State, stop: Stop, answer: Any) -> bool:
        """Whether another declared decision follows an answer."""
        machine = self._game.machine
        found = machine.search.asks_next(machine.scratch(state._cells, Run()), stop, answer)
        return found is not None and (found.point is None or found.point.choice.role in DECLARED)

    def _is_last(self, state: State, decision: Decision) -> bool:
        """The action's last declared parameter: no need to run on to see that none follows."""
        number = state._cells[ir.ACTION]
        if not number or decision.role != "param":
            return False
        params = self._program.actions[number - 1].params
        return bool(params) and params[-1] == decision.name

    def action_id(self, state: State) -> str:
        """What the move under way is called."""
        cells = state._cells
        if cells[ir.ACTION]:
            number: int = cells[ir.ACTION]
            return self._program.actions[number - 1].name
        if cells[ir.HEAD]:
            head: int = cells[ir.HEAD]
            return self._program.heads[head - 1].name.lstrip("$")
        decision = self._game.decision(state)
        return decision.name.lstrip("$") if decision is not None else ""

    # ----------------------------------------------------------- applying

    def apply(self, state: State, move: Move, seat: str | None) -> Step:
        decision = self._game.decision(state, seat)
        if decision is not None:
            self._game._check_turn(decision, seat)
        walk = self._open(state, move, seat)
        request = self._go_on(walk, seat, fill=True)
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
                return self._probe(state, move, refused)
        request = self._go_on(walk, None, fill=False)
        if not request.complete:
            self._left = (state, walk)
        return request

    def _resumed(self, state: State, move: Move) -> _Walk | None:
        """Where the last question about this move stopped, if only answers were added since: a
        move of many decisions is completed in as many steps, not in their square."""
        if self._left is None or self._left[0] is not state:
            return None
        walk = self._left[1]
        known = walk.move
        if (known.action_id, known.free_operation) != (move.action_id, move.free_operation):
            return None
        if any(name not in move.params or move.params[name] != value
               or type(move.params[name]) is not type(value)
               for name, value in known.params.items()):  # fmt: skip
            return None
        return _Walk(walk.state, move, set(walk.used), list(walk.steps))

    def _open(self, state: State, move: Move, seat: str | None) -> _Walk:
        """Find the action a move names and begin it."""
        game = self._game
        decision = game.decision(state, seat)
        if decision is None:
            raise IllegalMove("game-over", "", "the game is over")
        state = self._freed(state, move)
        walk = _Walk(state, move)
        if decision.seat == CHANCE:
            if move.action_id not in (CHANCE, decision.name):
                raise IllegalMove("unknown-action", "", f"chance decides `{decision.name}` now")
            return walk
        stop = game._stop(state)
        point = stop.point
        assert point is not None
        choice = point.choice
        if decision.head and choice.kind == "labels" and choice.role in ("action", "menu"):
            names = [label.name for label in choice.labels]
            if move.action_id not in names:
                raise IllegalMove(
                    "unknown-action", "", f"there is no `{move.action_id}` here; "
                    f"there are {', '.join(f'`{name}`' for name in names)}",
                )  # fmt: skip
            label = names.index(move.action_id)
            if label not in stop.answers:
                raise self._not_offered(state, stop, label)
            for key in {choice.name, decision.decision_id} & move.params.keys():
                if move.params[key] != move.action_id:
                    reason = f"the move is `{move.action_id}`, but its `{key}` says otherwise"
                    raise IllegalMove("contradiction", "", reason)
                walk.used.add(key)
            self._step(walk, stop, label)
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
        granted = state._cells[ir.GRANT]
        if move.free_operation and not granted:
            raise IllegalMove("not-granted", "", "no free operation is granted here")
        if not granted or move.free_operation or state._cells[ir.ANSWERED]:
            return state
        cells = state._cells.copy()
        cells[ir.GRANT] = cells[ir.FREE] = 0
        return State(state.game_id, cells)

    def _not_offered(self, state: State, stop: Stop, label: int) -> _NotOffered:
        point = stop.point
        assert point is not None
        name = point.choice.labels[label].name
        action = point.choice.labels[label].action
        site = self._program.actions[action].site if action >= 0 else point.choice.site
        known = self._program.sites[site] if 0 <= site < len(self._program.sites) else None
        rule, span = (known.rule, known.span) if known else ("", None)
        S = self._game.machine.scratch(state._cells, Run(stop.seat))
        if label in point.view(S, stop.seat).answers:
            deeper = self._game._answering.refusal_of(state._cells, stop, label)
            return _NotOffered(deeper.code, deeper.rule or rule, deeper.reason, deeper.span or span)
        return _NotOffered("refused", rule, f"`{name}` is not possible now", span, guarded=True)

    def _step(self, walk: _Walk, stop: Stop, answer: Any) -> None:
        walk.took(self._game.advance(walk.state, stop, answer))

    def _go_on(self, walk: _Walk, seat: str | None, fill: bool) -> ChoiceRequest:
        """Give the answers the move holds; stops at the first one it lacks."""
        game = self._game
        while not walk.ended:
            own = seat if walk.last is None else None
            decision = game.decision(walk.state, own)
            assert decision is not None, "a game that is over has ended the part"
            key = self._key(walk, decision)
            if key is None:
                if fill and decision.role == "special":
                    # A move that says nothing of special activities takes none.
                    self._answer(walk, None if decision.optional else "none", own)
                    continue
                return self._request(walk, decision, own)
            walk.used.add(key)
            if key.endswith("#0") and key != decision.decision_id:
                value, stopped = self._single_picks(walk, key[:-2])
                if not stopped and len(decision.picked) + len(value) < decision.max:
                    request = self._request(walk, decision, own, value)
                    if request.options:
                        base = key[:-2]
                        walk.used -= {f"{base}#{number}" for number in range(len(value))}
                        return request
            else:
                value = walk.move.params[key]
                if decision.kind == "chooseN" and not isinstance(value, list | tuple):
                    raise IllegalMove("wrong-type", "", f"`{key}` takes a list, not `{value}`")
            self._answer(walk, value, own)
        unused = [name for name in walk.move.params if name not in walk.used]
        if unused:
            raise IllegalMove("unknown-param", "", f"nothing here asks for `{unused[0]}`")
        assert walk.last is not None
        return ChoiceRequest(complete=True, stops_at=walk.last.barrier)

    def _answer(self, walk: _Walk, value: Any, seat: str | None) -> None:
        walk.took(self._game.choose(walk.state, value, seat))

    def _key(self, walk: _Walk, decision: Decision) -> str | None:
        """The param that answers a decision: its id, its first pick, or at a head its name."""
        params = walk.move.params
        for key in (decision.decision_id, f"{decision.decision_id}#0"):
            if key in params and key not in walk.used:
                return key
        if decision.head and decision.name in params and decision.name not in walk.used:
            return decision.name
        return None

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
        self, walk: _Walk, decision: Decision, seat: str | None, picks: list[Any] | None = None
    ) -> ChoiceRequest:
        stop = self._game._stop(walk.state)
        if decision.kind != "chooseN" or stop.point is None or decision.dead_end:
            return self._plain_request(decision)
        in_order = stop.point.choice.sequence
        if seat is not None and decision.together:
            stop = self._game.machine.sealed(walk.state._cells, stop, self._game._seats[seat])
        if not in_order:
            return Picking(self._game, walk.state, stop, decision, seat).request(picks or [])
        state, number = walk.state, ""
        for count, pick in enumerate(picks or [], start=1):
            state = self._game.choose(state, pick, seat).state
            following = self._game._still_open(state, stop, count)
            if following is None:
                return replace(self._plain_request(decision), options=())
            published = self._game.decisions.publish(state._cells, following)
            assert published is not None
            stop, decision, number = following, published, f"#{count}"
        request = self._plain_request(decision)
        return replace(request, decision_id=f"{request.decision_id}{number}")

    def _plain_request(self, decision: Decision) -> ChoiceRequest:
        return ChoiceRequest(
            complete=False,
            decision_id=decision.decision_id,
            name=decision.name,
            type=decision.kind,
            options=decision.options,
            min=decision.min,
            max=decision.max,
            legality=decision.legality,
            optional=decision.optional,
            seat=decision.seat,
            picked=decision.picked,
            can_stop=decision.can_stop,
        )

    # ------------------------------------------------------------ probing

    def _probe(self, state: State, move: Move, refused: _NotOffered) -> ChoiceRequest:
        """A look into a move that cannot be finished: where it runs dry, or why it is refused."""
        no = ChoiceRequest(complete=True, legal=False, reason=refused.reason)
        if refused.guarded:
            return no
        game = self._game
        stop = game._stop(state)
        point = stop.point
        assert point is not None
        answer: Any = [label.name for label in point.choice.labels].index(move.action_id)
        cells = state._cells
        try:
            while True:
                run = Run(stop.seat)
                run.probing = True
                S = game.machine.scratch(cells, run)
                stop = game.machine.answer(S, stop, answer)
                cells = game.machine.settled(S)
                decision = game.decisions.publish(cells, stop)
                if run.ended or decision is None:
                    return no
                if not decision.options or decision.decision_id not in move.params:
                    return self._plain_request(decision)
                value = move.params[decision.decision_id]
                answer = game._answering.inside(cells, stop, decision, value)
        except IllegalMove as error:
            return ChoiceRequest(complete=True, legal=False, reason=error.reason)


class _NotOffered(IllegalMove):
    """An action that exists but is not offered; `guarded` where its own condition fails."""

    def __init__(
        self, code: str, rule: str, reason: str, span: Any = None, guarded: bool = False
    ) -> None:
        super().__init__(code, rule, reason, span)
        self.guarded = guarded
