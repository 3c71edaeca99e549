"""The move protocol as a check: what is asked can be answered, what is complete applies, and every
way to ask gives the same answer.

Each question is put to the state itself, to a copy made from its bytes, after other questions, and
to the interpreter, which is asked nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

from ludwright.agents.answers import unproven
from ludwright.agents.dice import Dice
from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel import program as ir
from ludwright.kernel.choosing import STOP
from ludwright.kernel.game import Game
from ludwright.kernel.machine import SEARCH_BUDGET
from ludwright.kernel.moves import ChoiceRequest, Move, Step
from ludwright.kernel.state import State

QUESTIONS = 300  # of one move
NONSENSE = "$nobody_asks_for_this"


class MoveProtocol:
    """Completes moves of a game at random and compares everything that can be asked on the way."""

    def __init__(
        self, game: Game, dice: Dice, fail: Callable[[str], NoReturn], budget: int = SEARCH_BUDGET
    ) -> None:
        self._game = game
        self._dice = dice
        self._fail = fail
        self._twin = Game(
            game.program, game.gamedef_json, game.chance, gamedef=game.gamedef,
            gamedef_hash=game.gamedef_hash, search_budget=budget,
        )  # fmt: skip
        self.count: Counter[str] = Counter()

    def check(self, state: State, sample: int) -> None:
        """Some of the moves of a state, each completed at random."""
        game = self._game
        decision = game.decision(state)
        if decision is None or decision.dead_end:
            return
        moves = self._listed(state)
        if moves is None:
            return
        sure = not unproven(decision)
        if sure and not moves:
            self._fail("a decision without moves")
        if len(set(moves)) != len(moves):
            self._fail("a move is listed twice")
        # The listed moves, and the same with nothing answered yet.
        asked = [moves[at] for at in self._dice.sample(len(moves), sample)]
        asked += [Move(move.action_id, {}, move.free_operation) for move in asked if move.params]
        for move in asked:
            self._complete(state, move, sure)

    def _listed(self, state: State) -> list[Move] | None:
        told = [_told(game.legal_moves, copy) for game, copy in self._copies(state)]
        self._alike(told, "`legal_moves`")
        return self._game.legal_moves(state) if told[0][0] == "list" else None

    def _copies(self, state: State) -> list[tuple[Game, State]]:
        game, twin = self._game, self._twin
        data = state.to_bytes()
        return [
            (game, state), (game, game.state_from_bytes(data)), (twin, twin.state_from_bytes(data)),
        ]  # fmt: skip

    def _alike(self, told: list[Any], what: str) -> None:
        if any(other != told[0] for other in told):
            self._fail(f"{what} depends on who is asked: {told}")

    # ---------------------------------------------------------- questions

    def _ask(self, state: State, move: Move, other: Move) -> ChoiceRequest | str:
        """What comes next, or what is wrong."""
        self.count["questions"] += 1
        told: dict[str, list[Any]] = {}
        for game, copy in self._copies(state):
            # Each of two questions must leave no trace in the other.
            order = (other, move) if game is self._twin else (move, other, move)
            for asked in order:
                told.setdefault(repr(asked), []).append(_told(game.legal_choices, copy, asked))
        for question, answers in told.items():
            self._alike(answers, f"the question about {question}")
        first = told[repr(move)][0]
        return self._game.legal_choices(state, move) if first[0] == "ChoiceRequest" else f"{first}"

    def _complete(self, state: State, move: Move, sure: bool) -> None:
        other = move
        picks = 0
        for _ in range(QUESTIONS):
            request = self._ask(state, move, other)
            if isinstance(request, str):
                if "RulebookFault" in request:
                    self.count["faults"] += 1
                elif sure:
                    self._fail(f"{move} was offered, but: {request}")
                self._agree(state, move, request)
                return
            if request.complete:
                self._apply(state, move, request)
                return
            self._incomplete(state, move, request)
            assert request.decision_id is not None
            if request.decision_id in move.params:
                self._fail(f"`{request.decision_id}` is asked again by {move}")
            if not request.options and not request.optional and not request.can_stop:
                if sure:
                    self._fail(f"nothing can be answered to `{request.decision_id}` of {move}")
                return
            sure = sure and "unknown" not in request.legality
            following, picks = self._answered(move, request, picks)
            other = self._otherwise(following, request)
            move = following
        self.count["long"] += 1

    def _answered(self, move: Move, request: ChoiceRequest, picks: int) -> tuple[Move, int]:
        """With one more answer; of several things one is picked at a time."""
        name, options = request.decision_id, request.options
        assert name is not None
        extra = int(request.optional or request.can_stop)
        at = self._dice.pick(len(options) + extra)
        if request.type != "chooseN":
            return move.with_param(name, options[at] if at < len(options) else None), 0
        picks = picks if name.endswith(f"#{picks}") and picks else 0
        base = name.removesuffix(f"#{picks}") if picks else name
        if at < len(options):
            return move.with_param(f"{base}#{picks}", options[at]), picks + 1
        if picks:
            return move.with_param(f"{base}#{picks}", STOP), 0
        return move.with_param(base, []), 0

    def _otherwise(self, move: Move, request: ChoiceRequest) -> Move:
        """A question that begins alike and goes on otherwise."""
        assert request.decision_id is not None
        answers: list[Any] = [True, 1, "nothing of the kind", [1], None, *request.options[:2]]
        answer = answers[self._dice.pick(len(answers))]
        if not move.params or not self._dice.pick(3):
            return move.with_param(request.decision_id, answer)
        last = list(move.params)[-1]
        if self._dice.pick(2):
            answer = _lookalike(move.params[last])
        return Move(move.action_id, {**move.params, last: answer}, move.free_operation)

    # ------------------------------------------------------------ answers

    def _agree(self, state: State, move: Move, request: str) -> None:
        """What cannot be asked about cannot be played, for the same reason."""
        for game, copy in self._copies(state):
            told = f"{_told(game.apply_move, copy, move)}"
            if told != request:
                self._fail(f"{move}: asked {request}, played {told}")

    def _incomplete(self, state: State, move: Move, request: ChoiceRequest) -> None:
        told = [_why(game, copy, move) for game, copy in self._copies(state)]
        self._alike(told, f"`why` of {move}")
        if "missing-choice" not in told[0]:
            self._fail(f"{move} lacks `{request.decision_id}`, but `why` says {told[0]}")

    def _apply(self, state: State, move: Move, request: ChoiceRequest) -> None:
        told: list[Any] = []
        for game, copy in self._copies(state):
            found = _told(game.apply_move, copy, move)
            told.append(found)
            agreed = (_why(game, copy, move), _told(game.validate_move, copy, move)[0])
            wanted = "True" if found[0] == "Step" else "False"
            if not agreed[0].startswith(wanted) or (agreed[1] == "NoneType") != (wanted == "True"):
                self._fail(f"{move}: played {found}, but `why` and `validate_move` say {agreed}")
        self._alike(told, f"playing {move}")
        if request.legal != (told[0][0] == "Step"):
            self._fail(f"{move} is complete, legal={request.legal}, but playing it: {told[0]}")
        if not request.legal:
            self.count["refused"] += 1
            return
        self.count["moves"] += 1
        if told[0][2] != request.stops_at:
            self._fail(f"{move} stops at {told[0][2]}, not at {request.stops_at}")
        self._nothing_more(state, move)
        self._one_by_one(state, move, told[0][1])

    def _nothing_more(self, state: State, move: Move) -> None:
        """An answer that nothing asks for is refused by everyone."""
        more = move.with_param(NONSENSE, 1)
        for game, copy in self._copies(state):
            for question in (game.legal_choices, game.apply_move):
                told = _told(question, copy, more)
                if "unknown-param" not in f"{told}":
                    self._fail(f"{move} takes `{NONSENSE}`: {told}")

    def _one_by_one(self, state: State, move: Move, final: str) -> None:
        """The same answers, given to one decision after another, lead to the same bytes."""
        game, left = self._game, dict(move.params)
        if move.free_operation is not bool(state.cell(ir.GRANT)):
            return  # the grant was declined, which only a move can do
        decision = game.decision(state)
        assert decision is not None
        step: Step | None = None
        if decision.head and decision.role in ("action", "menu"):
            left.pop(decision.decision_id, None)
            step = game.choose(state, move.action_id)
            state = step.state
        while step is None or not step.part_ended:
            decision = game.decision(state)
            assert decision is not None
            answer = _taken(left, decision.decision_id, decision.kind == "chooseN")
            step = game.choose(state, answer)
            state = step.state
        if left or _hash(state) != final:
            self._fail(f"{move} differs from its answers one by one; left over: {left}")


def _taken(left: dict[str, Any], name: str, many: bool) -> Any:
    if not many:
        return left.pop(name)
    if name in left:
        return list(left.pop(name))
    picks: list[Any] = []
    while (pick := f"{name}#{len(picks)}") in left:
        value = left.pop(pick)
        if isinstance(value, str) and value == STOP:
            break
        picks.append(value)
    return picks


def _lookalike(value: Any) -> Any:
    """What equals an answer, but is none."""
    if isinstance(value, tuple):
        return [_lookalike(item) for item in value]
    if isinstance(value, int):
        return bool(value) if value in (0, 1) else float(value)
    return [value]


def _why(game: Game, state: State, move: Move) -> str:
    try:
        found = game.why(state, move)
    except RulebookFault as fault:
        return f"False {fault}"
    return f"{found.legal} {found.code} {found.reason}"


def _hash(state: State) -> str:
    return state.state_hash


def _told(question: Callable[..., Any], *given: Any) -> tuple[Any, ...]:
    """What a question is answered with, in a form that can be compared."""
    try:
        found = question(*given)
    except (IllegalMove, RulebookFault) as error:
        return (type(error).__name__, str(error))
    if isinstance(found, Step):
        return ("Step", _hash(found.state), found.barrier)
    return (type(found).__name__, str(found))
