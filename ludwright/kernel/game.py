"""A game to play: the public face of the kernel.

Everything here takes a state and gives a new one; nothing is kept in between. Each change runs on
a copy, so an error of any kind leaves no trace.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from ludwright.diagnostics import Span
from ludwright.errors import IllegalMove, LudwrightError, RulebookFault
from ludwright.kernel import program as ir
from ludwright.kernel import results
from ludwright.kernel.answering import Answering
from ludwright.kernel.arguments import counted, players_of, whole
from ludwright.kernel.choosing import DECLINE, STOP, Stop
from ludwright.kernel.context import Cells, Run
from ludwright.kernel.decisions import CHANCE, Asked, Decision, Decisions
from ludwright.kernel.drawing import draw
from ludwright.kernel.machine import SEARCH_BUDGET, ChanceMode, Machine
from ludwright.kernel.moves import ChoiceRequest, Event, Move, Result, Step, Why, joined
from ludwright.kernel.notation import Notation
from ludwright.kernel.perft import perft
from ludwright.kernel.picking import Picking
from ludwright.kernel.positions import Positions
from ludwright.kernel.projection import Projection
from ludwright.kernel.resampling import Resampler
from ludwright.kernel.state import State, cells_from_bytes, sealed
from ludwright.kernel.values import Values
from ludwright.kernel.walking import Walker


class Game:
    """One rulebook, ready to play."""

    def __init__(
        self,
        program: ir.Program,
        gamedef_json: bytes = b"",
        chance: ChanceMode = "generator",
        *,
        gamedef: Any = None,
        gamedef_hash: str | None = None,
        search_budget: int = SEARCH_BUDGET,
        machine: Machine | None = None,
        engine_reason: str = "it was asked for",
    ) -> None:
        self._engine_reason = engine_reason
        self.program = program
        self.gamedef_json = gamedef_json
        self.gamedef = gamedef
        self.gamedef_hash = gamedef_hash or hashlib.sha256(gamedef_json).hexdigest()
        self.chance: ChanceMode = chance
        self.machine = machine or Machine(program, chance, search_budget)
        self.values = Values(program, self.machine.classes)
        self.decisions = Decisions(program, self.values)
        self.projection = Projection(self.machine, self.values, self.decisions)
        self._answering = Answering(self.machine, self.values)
        self._positions = Positions(self.machine)
        self._resampler = Resampler(self.machine, self.projection)
        self._walker = Walker(self)
        self._notation = Notation(self)
        self._seats = {name: index for index, name in enumerate(program.world.seats)}
        # What a state means, and what is kept beside it, depends on all of these and nothing else.
        told = f"{self.gamedef_hash}/{program.fingerprint}/{chance}/{search_budget}"
        self._id = hashlib.sha256(told.encode()).hexdigest()
        self._trust = object()  # on every state this game has made or checked

    @property
    def engine(self) -> str:
        """What runs the game: "native", or "python" for the interpreter."""
        return "python"

    @property
    def engine_reason(self) -> str:
        """Why the game is interpreted; empty if it is not."""
        return self._engine_reason

    @property
    def seats(self) -> tuple[str, ...]:
        return self.program.world.seats

    def seats_in_play(self, state: State) -> tuple[str, ...]:
        return self.seats[: self._cells(state)[ir.PLAYERS]]

    def _seat(self, name: str) -> int:
        if not isinstance(name, str) or name not in self._seats:
            raise ValueError(f"there is no seat `{name}`; there are: {', '.join(self.seats)}")
        return self._seats[name]

    # ------------------------------------------------------------- states

    def initial_state(
        self, seed: int = 0, players: int | None = None, scenario: str | None = None
    ) -> State:
        """The state at the first decision."""
        return self._begin(Run(), self._fresh(seed, players, scenario))

    def start(self, seed: int = 0, players: int | None = None, scenario: str | None = None) -> Step:
        """The first state together with what happened in set-up."""
        events: list[tuple[Any, ...]] = []
        run = Run(events=events)
        state = self._begin(run, self._fresh(seed, players, scenario))
        return Step(state, True, run.barrier, False, tuple(events), self._tell)

    def _fresh(self, seed: int, players: int | None, scenario: str | None) -> Cells:
        """The cells before set-up."""
        seed = whole("seed", seed)
        count, number = players_of(self.program.world, players), self._scenario(scenario)
        return self.machine.fresh(seed, count, number)

    def _begin(self, run: Run, cells: Cells) -> State:
        S = self.machine.scratch(cells, run)
        stop = self.machine.start(S)
        return self._new_state(self.machine.settled(S), stop)

    def _new_state(self, cells: Cells, stop: Stop | None = None) -> State:
        """A state that this game has come to."""
        return sealed(self._trust, self._id, cells, stop)

    def _scenario(self, name: str | None) -> int:
        if name is None:
            return 0
        if name not in self.program.scenarios:
            known = ", ".join(self.program.scenarios) or "none"
            raise ValueError(f"there is no scenario `{name}`; there are: {known}")
        return self.program.scenarios.index(name)

    def state_from_bytes(self, data: bytes) -> State:
        """A state saved with `State.to_bytes`."""
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(f"the bytes of a state are needed, not {type(data).__name__}")
        if len(data) != 4 * self.program.cells:
            raise ValueError(f"a state of this game has {4 * self.program.cells} bytes")
        return self.trusted(State(self._id, cells_from_bytes(bytes(data))))

    def trusted(self, state: State) -> State:
        """The same state, once it is known to be one of this game.

        Every method that takes a state asks here first. States that the game has made have its
        seal. All others are checked once, and then have it too: those that were unpickled or made
        by hand, and those of another `Game` of the same rulebook.
        """
        if getattr(state, "_seal", None) is not self._trust:
            self._admit(state)
        return state

    def _admit(self, state: State) -> None:
        """Check a state that comes from elsewhere."""
        if not isinstance(state, State):
            raise TypeError(f"a State is needed, not {type(state).__name__}")
        if state._game != self._id:
            raise ValueError("this state belongs to another game")
        found = self.machine.problem(state._cells)
        if found is not None:
            raise ValueError(f"this is not a state of this game: {found}")
        state._stop = state._decision = state._waits = None
        state._seal = self._trust
        try:
            if self.decision(state) is None:
                self.result(state)
        except (IndexError, KeyError, TypeError, RulebookFault):
            # What cells hold must fit together at least as far as to make a decision.
            state._seal = None
            raise ValueError("this is not a state of this game: nothing can be asked") from None

    def state_to_json(self, state: State) -> dict[str, Any]:
        """A readable form that `state_from_json` takes back."""
        return {
            "game": self.gamedef_hash,
            "chance": self.chance,
            "cells": list(self._cells(state)),
            "view": self.projection.observe(self._cells(state), None, self._stop(state)),
        }

    def state_from_json(self, data: dict[str, Any]) -> State:
        cells = data.get("cells")
        if data.get("game") != self.gamedef_hash or data.get("chance") != self.chance:
            raise ValueError("this state belongs to another game")
        if not isinstance(cells, list) or any(isinstance(cell, bool) for cell in cells):
            raise ValueError("`cells` is not a list of numbers")
        return self.trusted(State(self._id, cells))

    def _cells(self, state: State) -> list[Any]:
        return self.trusted(state)._cells

    def _stop(self, state: State) -> Stop:
        stop = self.trusted(state)._stop
        if stop is None:
            stop = state._stop = self.machine.stop_at(state._cells)
        return stop

    def state_hash(self, state: State) -> str:
        """Over all bytes."""
        return self.trusted(state).state_hash

    def position_hash(self, state: State) -> str:
        """Of the position alone: for repetitions and transpositions."""
        return self._positions.hash(self._cells(state))

    def tells_alike_pieces_apart(self, state: State) -> bool:
        """Whether the position hash does so, because a local may hold one of them."""
        return self._positions.holds_pieces(self._cells(state))

    # ---------------------------------------------------------- decisions

    def decision(self, state: State, seat: str | None = None) -> Decision | None:
        """What is asked now; None once the game is over. `seat` matters where several decide."""
        found: Decision | None = self.trusted(state)._decision
        if found is None:
            cells = state._cells
            found = state._decision = self.decisions.publish(cells, self._stop(state))
        if seat is not None and found is not None and seat in found.together:
            cells = self._cells(state)
            stop = self.machine.sealed(cells, self._stop(state), self._seats[seat])
            return self.decisions.publish(cells, stop)
        return found

    def asked(self, state: State, seat: str | None = None) -> Asked:
        """As much of the decision as it takes to find its answer in a move."""
        decision = self.decision(state, seat)
        assert decision is not None, "a game that is over asks nothing"
        many = decision.kind == "chooseN"
        return Asked(decision.decision_id, decision.name, decision.role, many)

    def part_ended(self, step: Step) -> bool:
        return step.part_ended

    def current_seat(self, state: State) -> str | None:
        """Who is asked: a seat, "chance", or None once the game is over."""
        decision = self.decision(state)
        return decision.seat if decision is not None else None

    def choose(self, state: State, option: Any, seat: str | None = None) -> Step:
        """Answer the decision: one option, None, STOP, or for a chooseN the whole list."""
        decision, stop = self._asked_of(state, seat)
        if (
            decision.kind == "chooseN"
            and isinstance(option, list | tuple)
            and self._answering.position(state._cells, stop, decision, option) is None
        ):
            return self._choose_many(state, stop, decision, list(option))
        answer = self._answering.inside(state._cells, stop, decision, option)
        return self.advance(state, stop, answer)

    def choose_all(self, state: State, picks: list[Any], seat: str | None = None) -> Step:
        """Answer a chooseN with all its picks: a list that is itself one option is not meant."""
        decision, stop = self._asked_of(state, seat)
        if decision.kind != "chooseN":
            raise IllegalMove("wrong-type", "", f"`{decision.decision_id}` takes one option")
        return self._choose_many(state, stop, decision, list(picks))

    def _asked_of(self, state: State, seat: str | None) -> tuple[Decision, Stop]:
        """What a seat is asked, as the outside and as the kernel has it."""
        decision = self.decision(state, seat)
        if decision is None:
            raise IllegalMove("game-over", "", "the game is over")
        self._check_turn(decision, seat)
        stop = self._stop(state)
        if decision.together and seat is not None:
            stop = self.machine.sealed(state._cells, stop, self._seats[seat])
        return decision, stop

    def draw(self, state: State, pick: Callable[[int], int]) -> Any:
        """An answer at random; `pick(n)` gives a number below n. See `kernel.drawing`."""
        return draw(self, state, pick)

    def _check_turn(self, decision: Decision, seat: str | None) -> None:
        if seat is None or seat == decision.seat or seat in decision.together:
            return
        if seat not in self._seats and seat != CHANCE:
            raise IllegalMove("not-your-turn", "", f"there is no seat `{seat}`")
        raise IllegalMove("not-your-turn", "", f"`{decision.seat}` decides now, not `{seat}`")

    def advance(self, state: State, stop: Stop, answer: Any) -> Step:
        """Give the kernel's own answer to a stop of this state and run on."""
        events: list[tuple[Any, ...]] = []
        run = Run(stop.seat, events)
        S = self.machine.scratch(self._cells(state), run)
        found = self.machine.answer(S, stop, answer)
        new = self._new_state(self.machine.settled(S), found)
        return Step(new, run.ended, run.barrier, run.learned, tuple(events), self._tell)

    def _choose_many(self, state: State, stop: Stop, decision: Decision, wanted: list[Any]) -> Step:
        """All picks of a chooseN at once, in whatever order a set was written down."""
        point = stop.point
        assert point is not None
        rule, span = self._rule(point.choice.site)
        made = len(decision.picked)  # one by one, before the rest came as a list
        total = made + len(wanted)
        if total < decision.min:
            reason = f"`{decision.decision_id}` takes at least {decision.min}, not {total}"
            raise IllegalMove("too-few", rule, reason, span)
        if total > decision.max:
            reason = f"`{decision.decision_id}` takes at most {decision.max}, not {total}"
            raise IllegalMove("too-many", rule, reason, span)
        steps: list[Step] = []
        # What pieces are called depends on the others that can be picked, so the names of a set
        # are understood before the first of them is taken.
        named = None
        if not point.choice.sequence:
            named = Picking(self, state, stop, decision, None).values(wanted)
        for count in range(made, total + 1):
            if not wanted:
                answer: Any = STOP
                if not decision.can_stop:  # enough of them, but not these alone
                    raise self._answering.refusal_of(state._cells, stop, STOP)
            elif named is None:
                answer = self._answering.inside(state._cells, stop, decision, wanted.pop(0))
            else:
                name, answer = named.pop(0)
                wanted.remove(name)
                if answer not in stop.answers:
                    raise self._answering.refusal(state._cells, stop, decision, name, answer)
            steps.append(self.advance(state, stop, answer))
            state = steps[-1].state
            following = self._still_open(state, stop, count + 1) if answer is not STOP else None
            if following is None:
                if wanted:
                    reason = f"{wanted} cannot be chosen as well"
                    raise IllegalMove("too-many", rule, reason, span)
                return joined(steps)
            stop = following
            published = self.decisions.publish(state._cells, stop)
            assert published is not None
            decision = published
        raise AssertionError("a chooseN ends after its last pick")

    def _still_open(self, state: State, before: Stop, count: int) -> Stop | None:
        """The stop of the next pick, if the same chooseN still waits for one."""
        stop = self._stop(state)
        if stop.kind != "decision" or stop.pc != before.pc:
            return None
        if before.pending:
            if before.seat not in stop.pending:
                return None
            stop = self.machine.sealed(state._cells, stop, before.seat)
        return stop if stop.seat == before.seat and len(stop.picked) == count else None

    def named_further(
        self, state: State, position: int, value: Any, roles: Sequence[str]
    ) -> Step | None:
        """The step to the next decision with one of these roles, if the answer leads to one.

        `position` is that of the answer among the options; None comes after them.
        """
        stop = self._stop(state)
        answer = stop.answers[position] if position < len(stop.answers) else DECLINE
        S = self.machine.scratch(state._cells, Run())
        found = self.machine.search.asks_next(S, stop, answer)  # what follows is not run
        if found is None or (found.point is not None and found.point.choice.role not in roles):
            return None
        return self.advance(state, stop, answer)

    def _rule(self, site: int) -> tuple[str, Span | None]:
        if 0 <= site < len(self.program.sites):
            known = self.program.sites[site]
            return known.rule, known.span
        return "", None

    def withdraw(self, state: State, seat: str) -> State:
        """Take back a sealed answer while others are still thinking."""
        stop = self._stop(state)
        index = self._seats.get(seat, -1)
        if not stop.pending or index < 0 or index in stop.pending or stop.point is None:
            raise IllegalMove("no-undo", "", f"`{seat}` has no sealed answer to take back")
        cells = self._cells(state).copy()
        if not stop.point.withdraw(cells, index):
            raise IllegalMove("no-undo", "", f"`{seat}` has no sealed answer to take back")
        return State(self._id, cells)

    # -------------------------------------------------------------- moves

    def legal_moves(self, state: State) -> list[Move]:
        """Complete moves of simple actions, templates of operations and events."""
        return self._walker.legal_moves(self.trusted(state))

    def legal_choices(self, state: State, move: Move) -> ChoiceRequest:
        """The next open decision of a partial move."""
        return self._walker.legal_choices(self.trusted(state), move)

    def apply_move(self, state: State, move: Move, seat: str | None = None) -> Step:
        """Play one part: the answers of a move up to its end or the next new information."""
        return self._walker.apply(self.trusted(state), move, seat)

    def validate_move(self, state: State, move: Move, seat: str | None = None) -> None:
        """Raises `IllegalMove` unless the move can be applied."""
        self._walker.apply(self.trusted(state), move, seat)

    def why(self, state: State, move: Move, seat: str | None = None) -> Why:
        """Whether a move is legal here, and if not, which rule says so."""
        try:
            self._walker.apply(self.trusted(state), move, seat)
        except IllegalMove as error:
            line = error.span.line if error.span is not None else None
            return Why(False, error.code, error.rule, error.reason, line)
        return Why(True)

    def notation(self, state: State, move: Move) -> str:
        """A move as its rulebook writes it."""
        return self._notation.write(self.trusted(state), move)

    def parse_move(self, state: State, text: str) -> Move:
        """The legal move a text stands for."""
        return self._notation.read(self.trusted(state), text)

    def perft(self, state: State, depth: int) -> int:
        """The number of different sequences of `depth` complete parts from here."""
        return perft(self, self.trusted(state), counted("depth", depth))

    def playouts(self, *args: Any, **options: Any) -> Any:
        """Many random games at once: `NativeGame.playouts`. Only machine code can do that."""
        raise self._needs_native("playouts")

    def batch(self, *args: Any, **options: Any) -> Any:
        """Many games to be stepped together: `NativeGame.batch`. Only machine code can do that."""
        raise self._needs_native("batch")

    def _needs_native(self, what: str) -> LudwrightError:
        return LudwrightError(
            f"`{what}` needs the native engine, and this game is interpreted: "
            f"{self.engine_reason}. Install `ludwright[native]` and load the game with "
            'engine="native", or use `ludwright.simulate.simulate`'
        )

    # ------------------------------------------------------------ outcome

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it runs."""
        return results.result(self.machine, self.values, self._cells(state))

    def score(self, state: State, seat: str) -> int | None:
        """The rulebook's measure of how well a seat stands, if it has one."""
        return results.score(self.machine, self._cells(state), self._seat(seat))

    def observe(self, state: State, seat: str | None) -> dict[str, Any]:
        """All that a seat may know of a state, as plain JSON values."""
        index = None if seat is None else self._seat(seat)
        return self.projection.observe(self._cells(state), index, self._stop(state))

    def events(self, step: Step, seat: str | None = None) -> list[Event]:
        """What happened in a step, as a seat sees it."""
        return self._tell(step, seat)

    def _tell(self, step: Step, seat: str | None) -> list[Event]:
        index = None if seat is None else self._seat(seat)
        last = self._cells(step.state)[ir.LOG]
        return self.projection.tell(step.raw_events, index, last)

    def resample(self, state: State, seat: str, seed: int) -> State:
        """Another state that the seat could be in: what it does not see is drawn anew.

        The seat observes the same in both. What it remembers or has deduced from earlier play is
        not in a state, so the result need not agree with that.
        """
        number = whole("seed", seed)
        cells = self._resampler.resample(self._cells(state), self._seat(seat), number)
        return State(self._id, cells)

    def replay(self, state: State, answers: Sequence[Any]) -> State:
        """The state after a list of atomic answers."""
        for answer in answers:
            state = self.choose(state, answer).state
        return state


__all__ = ["Game", "RulebookFault", "State"]
