"""The move protocol as a check: what is asked can be answered, what is complete applies, and every
way to ask gives the same answer.

Each question is put to the state itself, to a copy made from its bytes, after other questions, and
to the interpreter, which is asked nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from typing import Any, NoReturn

from ludwright import program as ir
from ludwright.agents.answers import unproven
from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.interpreter.stop import STOP
from ludwright.kernel.play.agent_dice import Dice
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.move import ChoiceRequest, Move
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Step
from ludwright.program.limits import SEARCH_BUDGET

QUESTIONS = 300  # of one move
NONSENSE = "$nobody_asks_for_this"


def _for_ever() -> bool:
    """The caller wants every move looked at."""
    return False


class MoveProtocol:
    """Completes moves of a game at random and compares everything that can be asked on the way.

    `limited` surrounds every single question to a game, so that a caller can watch its time.
    `enough` is asked before each of them: a caller whose time is up lets no other one be asked.
    """

    def __init__(
        self, game: Game, dice: Dice, fail: Callable[[str], NoReturn], budget: int = SEARCH_BUDGET,
        limited: Callable[[Game], AbstractContextManager[object]] = nullcontext,
        enough: Callable[[], bool] = _for_ever,
    ) -> None:  # fmt: skip
        self._game = game
        self._dice = dice
        self._fail = fail
        self._limited = limited
        self._enough = enough
        self._twin = Game(
            game.program, game.gamedef_json, game.chance, gamedef=game.gamedef,
            gamedef_hash=game.gamedef_hash, search_budget=budget,
        )  # fmt: skip
        self.count: Counter[str] = Counter()

    def check(self, state: State, sample: int) -> None:
        """Some of the moves of a state, each completed at random; under seal, of every seat."""
        decision = self._game.decision(state)
        if decision is None or decision.dead_end:
            return
        for seat in decision.together or (None,):
            self._check(state, sample, seat)

    def _check(self, state: State, sample: int, seat: str | None) -> None:
        decision = self._game.decision(state, seat)
        assert decision is not None
        moves = self._listed(state, seat)
        if moves is None:
            return
        proven = not unproven(decision)
        if proven and not moves:
            self._fail("a decision without moves")
        if len(set(moves)) != len(moves):
            self._fail("a move is listed twice")
        # The listed moves, and the same with nothing answered yet.
        asked = [moves[at] for at in self._dice.sample(len(moves), sample)]
        asked += [Move(move.action_id, {}) for move in asked if move.params]
        for move in asked:
            self._complete(state, move, seat, proven)

    def _listed(self, state: State, seat: str | None) -> list[Move] | None:
        results = [
            self._outcome(game, game.legal_moves, copy, seat) for game, copy in self._copies(state)
        ]
        self._alike(results, "`legal_moves`")
        return self._game.legal_moves(state, seat) if results[0][0] == "list" else None

    def _copies(self, state: State) -> list[tuple[Game, State]]:
        game, twin = self._game, self._twin
        data = state.to_bytes()
        return [
            (game, state), (game, game.state_from_bytes(data)), (twin, twin.state_from_bytes(data)),
        ]  # fmt: skip

    def _alike(self, results: list[Any], what: str) -> None:
        if any(other != results[0] for other in results):
            self._fail(f"{what} depends on who is asked: {results}")

    # ---------------------------------------------------------- questions

    def _ask(
        self, state: State, move: Move, other: Move, seat: str | None
    ) -> ChoiceRequest | str:  # fmt: skip
        """What comes next, or what is wrong."""
        self.count["questions"] += 1
        results: dict[str, list[Any]] = {}
        for game, copy in self._copies(state):
            # Each of two questions must leave no trace in the other.
            order = (other, move) if game is self._twin else (move, other, move)
            for asked in order:
                answer = self._outcome(game, game.legal_choices, copy, asked, seat)
                results.setdefault(repr(asked), []).append(answer)
        for question, answers in results.items():
            self._alike(answers, f"the question about {question}")
        first = results[repr(move)][0]
        if first[0] != "ChoiceRequest":
            return f"{first}"
        return self._game.legal_choices(state, move, seat)

    def _complete(self, state: State, move: Move, seat: str | None, proven: bool) -> None:
        other = move
        picks = 0
        for _ in range(QUESTIONS):
            if self._enough():
                self.count["left out"] += 1
                return
            request = self._ask(state, move, other, seat)
            if isinstance(request, str):
                if "RulebookFault" in request:
                    self.count["faults"] += 1
                elif proven:
                    self._fail(f"{move} was offered, but: {request}")
                self._agree(state, move, seat, request)
                return
            if request.complete:
                self._apply(state, move, seat, request)
                return
            self._incomplete(state, move, seat, request)
            assert request.decision_id is not None
            if seat is not None and request.seat != seat:
                self._fail(f"{seat} asked about {move} and is told what {request.seat} is asked")
            if request.decision_id in move.params:
                self._fail(f"`{request.decision_id}` is asked again by {move}")
            if not request.options and not request.optional and not request.can_stop:
                if proven:
                    self._fail(f"nothing can be answered to `{request.decision_id}` of {move}")
                return
            picks = picks if request.decision_id.endswith(f"#{picks}") else 0
            if len(request.picked) != picks:
                self._fail(f"{move} has made {picks} picks, but is told {request.picked}")
            proven = proven and "unknown" not in request.legality
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
        if request.kind != "chooseN":
            return move.with_param(name, options[at] if at < len(options) else None), 0
        base = name.removesuffix(f"#{picks}")
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
        return Move(move.action_id, {**move.params, last: answer})

    # ------------------------------------------------------------ answers

    def _agree(self, state: State, move: Move, seat: str | None, request: str) -> None:
        """What cannot be asked about cannot be played, for the same reason."""
        for game, copy in self._copies(state):
            results = f"{self._outcome(game, game.apply_move, copy, move, seat)}"
            if results != request:
                self._fail(f"{move}: asked {request}, played {results}")

    def _incomplete(
        self, state: State, move: Move, seat: str | None, request: ChoiceRequest
    ) -> None:  # fmt: skip
        results = [self._why(game, copy, move, seat) for game, copy in self._copies(state)]
        self._alike(results, f"`why` of {move}")
        if "missing-choice" not in results[0]:
            self._fail(f"{move} lacks `{request.decision_id}`, but `why` says {results[0]}")

    def _apply(self, state: State, move: Move, seat: str | None, request: ChoiceRequest) -> None:
        results: list[Any] = []
        for game, copy in self._copies(state):
            found = self._outcome(game, game.apply_move, copy, move, seat)
            results.append(found)
            agreed = (
                self._why(game, copy, move, seat),
                self._outcome(game, game.validate_move, copy, move, seat)[0],
            )
            wanted = "True" if found[0] == "Step" else "False"
            if not agreed[0].startswith(wanted) or (agreed[1] == "NoneType") != (wanted == "True"):
                self._fail(f"{move}: played {found}, but `why` and `validate_move` say {agreed}")
        self._alike(results, f"playing {move}")
        if request.legal != (results[0][0] == "Step"):
            self._fail(f"{move} is complete, legal={request.legal}, but playing it: {results[0]}")
        if not request.legal:
            self.count["refused"] += 1
            return
        self.count["moves"] += 1
        self.count.update(f"moves with {what}" for what in self._features(state, move, request))
        if results[0][2] != request.stops_at:
            self._fail(f"{move} stops at {results[0][2]}, not at {request.stops_at}")
        self._nothing_more(state, move, seat)
        self._one_by_one(state, move, seat, results[0][1])

    def _nothing_more(self, state: State, move: Move, seat: str | None) -> None:
        """An answer that nothing asks for is refused by everyone."""
        more = move.with_param(NONSENSE, 1)
        for game, copy in self._copies(state):
            for question in (game.legal_choices, game.apply_move):
                results = self._outcome(game, question, copy, more, seat)
                if "unknown-param" not in f"{results}":
                    self._fail(f"{move} takes `{NONSENSE}`: {results}")

    def _one_by_one(self, state: State, move: Move, seat: str | None, final: str) -> None:
        """The same answers, given to one decision after another, lead to the same bytes."""
        game, left = self._game, dict(move.params)
        decision = game.decision(state, seat)
        assert decision is not None
        step: Step | None = None
        if decision.head and decision.role in ("action", "menu"):
            left.pop(decision.decision_id, None)
            step = game.choose(state, move.action_id)
            state = step.state
        while step is None or not step.part_ended:
            who = seat if step is None else None
            decision = game.decision(state, who)
            assert decision is not None
            if self._picks_singly(state, decision, left):
                step = self._pick_by_pick(state, decision, left)
            else:
                answer = _taken(left, decision.decision_id, decision.kind == "chooseN")
                step = game.choose(state, answer, who)
            state = step.state
        if left or _hash(state) != final:
            self._fail(f"{move} differs from its answers one by one; left over: {left}")

    def _picks_singly(self, state: State, decision: Decision, left: dict[str, Any]) -> bool:
        """Whether a move answers with single picks whose order is that of `choose` too."""
        if decision.together or decision.kind != "chooseN" or decision.decision_id in left:
            return False
        return self._game.program.choice_at(state.cell(ir.PC)).sequence

    def _pick_by_pick(self, state: State, decision: Decision, left: dict[str, Any]) -> Step:
        """The picks of a sequence as a move holds them, until no more can follow."""
        name, number = decision.decision_id, 0
        while True:
            if f"{name}#{number}" not in left:
                self._fail(f"`{name}` is complete with {number} picks, but more could follow")
            step = self._game.choose(state, left.pop(f"{name}#{number}"))
            state, number = step.state, number + 1
            following = None if step.part_ended else self._game.decision(state)
            if following is None or following.decision_id != name:
                return step

    def _why(self, game: Game, state: State, move: Move, seat: str | None) -> str:
        try:
            with self._limited(game):
                found = game.why(state, move, seat)
        except RulebookFault as fault:
            return f"False {fault}"
        return f"{found.legal} {found.code} {found.reason}"

    def _outcome(self, game: Game, question: Callable[..., Any], *given: Any) -> tuple[Any, ...]:
        """What a question is answered with, in a form that can be compared."""
        try:
            with self._limited(game):
                found = question(*given)
        except (IllegalMove, RulebookFault) as error:
            return (type(error).__name__, str(error))
        if isinstance(found, Step):
            return ("Step", _hash(found.state), found.barrier)
        return (type(found).__name__, str(found))

    def _features(self, state: State, move: Move, request: ChoiceRequest) -> set[str]:
        """What kinds of decisions a move has answered, and how they are nested."""
        decision = self._game.decision(state)
        assert decision is not None
        found = {f"a part that ends at {request.stops_at}"}
        order: list[str] = []  # offers and events, as they came
        for name, value in move.params.items():
            bind = name.partition("[")[0].partition("#")[0].rpartition(".")[2].partition("@")[0]
            if bind == "action" and name != decision.decision_id:
                order.append("offer")
            elif bind in ("side", "branch"):
                order.append("event")
            elif bind.startswith("__special") and value != "none":
                found.add("a special activity")
            found |= {"a loop"} if "[" in name else set()
            found |= {"several picks"} if "#" in name or isinstance(value, tuple) else set()
            found |= {"several picks in a loop"} if "#" in name and "[" in name else set()
        found |= {f"an {one}" for one in order}
        found |= {f"an {two} behind an {one}" for one, two in pairwise(order)}
        found |= {"a sealed answer"} if decision.together else set()
        found |= {"a zone that hides"} if core_of(self._game).machine.pieces.can_hide else set()
        return found


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


def _hash(state: State) -> str:
    return state.state_hash
