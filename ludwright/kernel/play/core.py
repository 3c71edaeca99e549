"""States, decisions and answers of one game: all that a `Game` does one answer at a time.

It knows nothing of moves. Everything here takes a state and gives a new one; nothing is kept in
between. Each change runs on a copy, so an error of any kind leaves no trace.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.diagnostics import Span
from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.interpreter.machine import ChanceMode, Machine
from ludwright.kernel.interpreter.run import Cells, Memory, Run
from ludwright.kernel.interpreter.stop import DECLINE, STOP, Stop
from ludwright.kernel.play.answers import Answering
from ludwright.kernel.play.pick_names import PickNames
from ludwright.kernel.protocol.arguments import counted, needed, plain_answer, players_of, whole
from ludwright.kernel.protocol.decision import CHANCE, Asked, Decision
from ludwright.kernel.protocol.result import Result
from ludwright.kernel.protocol.state import Seal, State, sealed, unchecked
from ludwright.kernel.protocol.step import Event, Step, joined
from ludwright.kernel.views import outcome
from ludwright.kernel.views.board import Look, Scene, draw
from ludwright.kernel.views.call_frames import Frames
from ludwright.kernel.views.decisions import Decisions
from ludwright.kernel.views.naming import Values
from ludwright.kernel.views.observation import SPECTATOR, WATCHING, Projection
from ludwright.kernel.views.reasons import Reasons
from ludwright.kernel.views.state_check import problem
from ludwright.kernel.views.text_scene import Setting, scene_of
from ludwright.kernel.views.wording import Wording
from ludwright.program.candidates import Draw, draws
from ludwright.program.limits import SEARCH_BUDGET


class Arranger(Protocol):
    """Compiles set-ups: the kernel knows Programs, not statements."""

    def texts(self, program: ir.Program, setup: Sequence[str], drawing: str) -> list[str]: ...

    def set_up(self, texts: Sequence[str], scenario: str | None) -> Machine: ...


class Core:
    """Plays one Program, one answer at a time."""

    def __init__(
        self,
        program: ir.Program,
        chance: ChanceMode = "generator",
        gamedef_hash: str = "",
        search_budget: int = SEARCH_BUDGET,
        machine: Machine | None = None,
        shapes: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self.program = program
        self.chance: ChanceMode = chance
        self.machine = machine or Machine(program, chance, search_budget)
        self.values = Values(program, self.machine.classes)
        self.decisions = Decisions(program, self.values)
        self.wording = Wording(self.machine, self.values)
        self.projection = Projection(self.machine, self.values, self.decisions, self.wording)
        self.answering = Answering(self.machine, self.values, Reasons(self.machine, self.wording))
        self.seat_numbers = {name: index for index, name in enumerate(program.world.seats)}
        # What a state means, and what is kept beside it, depends on all of these and nothing else.
        identity = f"{gamedef_hash}/{program.fingerprint}/{chance}/{search_budget}"
        self.game_id = hashlib.sha256(identity.encode()).hexdigest()
        self.seal = Seal(self.draw)  # on every state that this game has made or checked
        self._setting = Setting(program, self.values, self.wording, shapes)
        self.frames = Frames(program)
        self._set_ups: dict[tuple[int, int | None, str | None], Cells] = {}

    def seat_number(self, name: str) -> int:
        if not isinstance(name, str) or name not in self.seat_numbers:
            known = ", ".join(self.seat_numbers)
            raise ValueError(f"there is no seat `{name}`; there are: {known}")
        return self.seat_numbers[name]

    def playing(self, state: State, name: str) -> int:
        """The number of a seat that somebody plays in this state."""
        count, number = self.trusted(state).cell(ir.PLAYERS), self.seat_number(name)
        if number >= count:
            known = ", ".join(self.program.world.seats[:count])
            raise ValueError(f"nobody plays `{name}` here; in play are: {known}")
        return number

    def _viewer(self, state: State, name: str) -> int:
        return WATCHING if name == SPECTATOR else self.playing(state, name)

    def is_asked(self, state: State, seat: str) -> bool:
        """Whether a seat, or chance, has a decision to make."""
        decision = self.decision(state)
        if seat not in (CHANCE, SPECTATOR):
            self.playing(state, seat)  # that somebody plays it
        return decision is not None and decision.asks(seat)

    def viewers(self, state: State) -> tuple[str | None, ...]:
        """Who may see a state: all that there is, a spectator, and the seats in play."""
        count = self.trusted(state).cell(ir.PLAYERS)
        return (None, SPECTATOR, *self.program.world.seats[:count])

    def rule(self, site: int) -> tuple[str, Span | None]:
        """The rule at a site, and where it stands in the rulebook."""
        if 0 <= site < len(self.program.sites):
            known = self.program.sites[site]
            return known.rule, known.span
        return "", None

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
        return Step(state, True, run.barrier, False, tuple(events), self.describe_events)

    def _fresh(self, seed: int, players: int | None, scenario: str | None) -> Cells:
        """The cells before set-up."""
        seed = whole("seed", seed)
        count, number = players_of(self.program.world, players), self.scenario_number(scenario)
        return self.machine.fresh(seed, count, number)

    def _begin(self, run: Run, cells: Cells) -> State:
        memory = self.machine.scratch(cells, run)
        stop = self.machine.start(memory)
        return self.new_state(self.machine.state_cells(memory), stop)

    def arranged(
        self, table: Machine, number: int, seed: int, players: int | None, scenario: str | None
    ) -> State:
        """The state at the first decision after a set-up that was changed by further statements.

        `table` has the same places, pieces and variables, and this set-up as scenario `number`.
        """
        fresh = self._fresh(seed, players, scenario)
        other = list(table.program.initial)
        other[: ir.HEADER] = fresh[: ir.HEADER]
        other[ir.SCENARIO] = number
        laid = _set_up(table, table.scratch(other, Run()), table.program)
        if _declared(self.program) != _declared(table.program):
            raise ValueError("this set-up needs what the game does not have, such as `reveal`")
        own = self.machine.scratch(self._after_set_up(seed, players, scenario), Run())
        first, end = ir.HEADER, declared_end(self.program)
        own[first:end] = laid[first:end]
        for cell in (ir.ACTIVE, ir.PHASE):
            own[cell] = laid[cell]
        stop = Machine.resume(self.machine, own, setup_done(self.program))
        return self.new_state(self.machine.state_cells(own), stop)

    def _after_set_up(self, seed: int, players: int | None, scenario: str | None) -> Cells:
        """The cells when the game's own set-up is done; worked out once for each way to begin."""
        key = (seed, players, scenario)
        if key not in self._set_ups:
            memory = self.machine.scratch(self._fresh(seed, players, scenario), Run())
            self._set_ups[key] = self.machine.state_cells(
                _set_up(self.machine, memory, self.program)
            )
        return self._set_ups[key]

    def new_state(self, cells: Cells, stop: Stop | None = None) -> State:
        """A state that this game has reached."""
        return sealed(self.seal, self.game_id, cells, stop)

    def scenario_number(self, name: str | None) -> int:
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
        return self.trusted(unchecked(self.game_id, bytes(data)))

    def trusted(self, state: State) -> State:
        """The same state, once it is known to be a state of this game.

        Every method that takes a state asks here first. States that the game has made have its
        seal. All others are checked once, and then have it too: those that were unpickled or made
        by hand, and those of another `Game` of the same rulebook.
        """
        if getattr(state, "seal", None) is not self.seal:
            self._admit(state)
        return state

    def _admit(self, state: State) -> None:
        """Check a state that this game has not made."""
        if needed(State, state).game_id != self.game_id:
            raise ValueError("this state belongs to another game")
        found = self._problem_of(state)
        if found is not None:
            raise ValueError(f"this is not a state of this game: {found}")
        state.forget()
        state.seal = self.seal
        try:
            # What cells hold must fit together at least as far as to make a decision.
            sound = not self._all_have_answered(state.shared_cells)
            if sound and self.decision(state) is None:
                self.result(state)
        except (IndexError, KeyError, TypeError, RulebookFault):
            sound = False
        if not sound:
            state.seal = None
            raise ValueError("this is not a state of this game: nothing can be asked")

    def _all_have_answered(self, cells: Cells) -> bool:
        """Whether a sealed decision has all its answers, or one of a seat that it does not ask."""
        instr = self.program.code[cells[ir.PC]]
        if cells[ir.OVER] or not isinstance(instr, ir.Choose):
            return False
        choice = self.program.choices[instr.choice]
        if not choice.together:
            return False
        asked = self.machine.expressions.expr(choice.by)(self.machine.scratch(cells, Run()))
        answered: int = cells[choice.answered]
        return answered == asked or bool(answered & ~asked)

    def _problem_of(self, state: State) -> str | None:
        """Why this cannot be a state of this game, in words."""
        return self.problem(state.shared_cells)

    def problem(self, cells: Sequence[Any]) -> str | None:
        """Why these cells cannot be a state, in words."""
        return problem(self.program, self.frames, cells)

    def cells(self, state: State) -> Cells:
        """The cells of a state of this game; not to be changed."""
        return self.trusted(state).shared_cells

    def stop(self, state: State) -> Stop:
        """What a state waits for, as the kernel has it."""
        stop = self.trusted(state).known_stop
        if stop is None:
            stop = state.known_stop = self.machine.stop_at(state.shared_cells)
        return stop

    def draw_at(self, pc: int) -> Draw | None:
        """The candidates that random play draws from at a decision, where it does."""
        instr = self.program.code[pc]
        assert isinstance(instr, ir.Choose)
        return self._candidates.get(instr.choice)

    @cached_property
    def _candidates(self) -> dict[int, Draw]:
        return draws(self.program)

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it runs."""
        return outcome.result(self.machine, self.values, self.cells(state))

    def observe(self, state: State, seat: str | None) -> dict[str, Any]:
        """All that a seat may know of a state, as plain JSON values."""
        cells = self.cells(state)
        index = None if seat is None else self._viewer(state, seat)
        return self.projection.observe(cells, index, self.stop(state), state.to_bytes())

    def draw(
        self, state: State, seat: str | None = None, width: int = 100, look: Look | None = None
    ) -> str:
        """The table as a seat sees it, in text; without a seat, all of it."""
        width = counted("width", width, 1)
        return draw(self.scene(state, seat), width, look)

    def scene(self, state: State, seat: str | None) -> Scene:
        """What `draw` draws."""
        return scene_of(self._setting, self.observe(state, seat))

    # ---------------------------------------------------------- decisions

    def decision(self, state: State, seat: str | None = None) -> Decision | None:
        """What is asked now, whoever is asked; None once the game is over. Where several decide
        under seal, the decision of `seat`."""
        found: Decision | None = self.trusted(state).known_decision
        if found is None:
            cells = state.shared_cells
            found = state.known_decision = self.decisions.publish(cells, self.stop(state))
        if seat is not None and found is not None and seat in found.together:
            return self.decisions.publish(state.shared_cells, self.sealed_stop(state, seat))
        return found

    def question(self, state: State, seat: str | None = None) -> str:
        """What is asked now, in words for the one who decides; "" if nobody is asked."""
        stop = self.stop(state)
        if seat is not None and self.playing(state, seat) in stop.pending:
            stop = self.sealed_stop(state, seat)
        return self.wording.question(
            state.shared_cells, stop, self.decisions.action(state.shared_cells)
        )

    def option_texts(self, state: State, seat: str | None = None) -> list[str]:
        """The options of the decision in words, in their order."""
        stop = self.stop(state)
        if seat is not None and self.playing(state, seat) in stop.pending:
            stop = self.sealed_stop(state, seat)
        return self.wording.answers(state.shared_cells, stop)

    def sealed_stop(self, state: State, seat: str) -> Stop:
        """The stop of a sealed decision as one of its seats meets it."""
        stop = self.stop(state)
        return self.machine.sealed(state.shared_cells, stop, self.seat_numbers[seat])

    def asked(self, state: State, seat: str | None = None) -> Asked:
        """As much of the decision as it takes to find its answer in a move."""
        decision = self.decision(state, seat)
        assert decision is not None, "a game that is over asks nothing"
        many = decision.kind == "chooseN"
        return Asked(decision.decision_id, decision.name, decision.role, many)

    def part_ended(self, step: Step) -> bool:
        return step.part_ended

    def check_turn(self, state: State, decision: Decision, seat: str | None) -> None:
        """Raise `IllegalMove` where it is not this seat that decides."""
        if seat is None or decision.asks(seat):
            return
        if seat != CHANCE:
            self.playing(state, seat)
        raise IllegalMove("not-your-turn", "", f"`{decision.seat}` decides now, not `{seat}`")

    def describe_events(self, step: Step, seat: str | None) -> list[Event]:
        """What happened in a step, as a seat sees it."""
        last = self.cells(step.state)[ir.LOG]
        index = None if seat is None else self._viewer(step.state, seat)
        return self.projection.events(step.raw_events, index, last)

    # ------------------------------------------------------------ answers

    def choose(self, state: State, option: Any, seat: str | None = None) -> Step:
        """Answer the decision: one option, None, STOP, or for a chooseN the whole list."""
        decision, stop = self._asked_of(state, seat)
        cells, option = state.shared_cells, plain_answer(option)
        if (
            decision.kind == "chooseN"
            and isinstance(option, list)
            and self.answering.position(cells, stop, decision, option) is None
        ):
            return self._choose_many(state, stop, decision, option)
        return self.advance(state, stop, self.answering.inside(cells, stop, decision, option))

    def choose_all(self, state: State, picks: list[Any], seat: str | None = None) -> Step:
        """Answer a chooseN with all its picks. Here a list is never a single option."""
        decision, stop = self._asked_of(state, seat)
        if decision.kind != "chooseN":
            raise IllegalMove("wrong-type", "", f"`{decision.decision_id}` takes one option")
        return self._choose_many(state, stop, decision, plain_answer(picks))

    def _asked_of(self, state: State, seat: str | None) -> tuple[Decision, Stop]:
        """What a seat is asked: the decision, and the stop behind it."""
        decision = self.decision(state, seat)
        if decision is None:
            raise IllegalMove("game-over", "", "the game is over")
        self.check_turn(state, decision, seat)
        if decision.together and seat is not None:
            return decision, self.sealed_stop(state, seat)
        return decision, self.stop(state)

    def advance(self, state: State, stop: Stop, answer: Any) -> Step:
        """Give the kernel's own answer to a stop of this state and run on."""
        events: list[tuple[Any, ...]] = []
        run = Run(stop.seat, events)
        memory = self.machine.scratch(self.cells(state), run)
        found = self.machine.answer(memory, stop, answer)
        new = self.new_state(self.machine.state_cells(memory), found)
        return Step(new, run.ended, run.barrier, run.learned, tuple(events), self.describe_events)

    def _choose_many(self, state: State, stop: Stop, decision: Decision, wanted: list[Any]) -> Step:
        """All picks of a chooseN at once; those of a set in any order."""
        assert stop.choice is not None
        rule, span = self.rule(stop.choice.site)
        made = len(decision.picked)  # picked one by one, before the rest came as a list
        total = made + len(wanted)
        if total < decision.min:
            reason = f"`{decision.decision_id}` takes at least {decision.min}, not {total}"
            raise IllegalMove("too-few", rule, reason, span)
        if total > decision.max:
            reason = f"`{decision.decision_id}` takes at most {decision.max}, not {total}"
            raise IllegalMove("too-many", rule, reason, span)
        # What pieces are called depends on the others that can be picked, so the names of a set
        # are understood before the first of them is taken.
        named = None
        if not stop.choice.sequence:
            cells = state.shared_cells
            named = PickNames(self.machine, self.answering, cells, stop, decision).values(wanted)
        try:
            return self._picked_all(state, stop, decision, wanted, named)
        except IllegalMove:
            if named is not None:
                picks = [value for _, value in named]
                found = self.answering.refusal_of_all(state.shared_cells, stop, picks)
                if found is not None:
                    raise found from None
            raise

    def _picked_all(
        self, state: State, stop: Stop, decision: Decision, wanted: list[Any],
        named: list[tuple[Any, Any]] | None,
    ) -> Step:  # fmt: skip
        """One pick after another; `named` are those of a set, in the order of its domain."""
        steps: list[Step] = []
        left = list(wanted if named is None else named)
        count = len(decision.picked)
        while True:
            cells = state.shared_cells
            if not left:
                answer: Any = STOP
                if not decision.can_stop:  # enough of them, but not these alone
                    raise self.answering.refusal_of(cells, stop, STOP)
            elif named is None:
                answer = self.answering.inside(cells, stop, decision, left.pop(0))
            else:
                name, answer = left.pop(0)
                if answer not in stop.answers:
                    raise self.answering.refusal(cells, stop, decision, name, answer)
            steps.append(self.advance(state, stop, answer))
            state, count = steps[-1].state, count + 1
            following = self.still_open(state, stop, count) if answer is not STOP else None
            if following is None:
                break
            stop = following
            published = self.decisions.publish(state.shared_cells, stop)
            assert published is not None
            decision = published
        if left:
            assert stop.choice is not None
            name = left[0] if named is None else left[0][0]
            reason = f"`{decision.decision_id}` cannot take `{name}` as well"
            rule, span = self.rule(stop.choice.site)
            raise IllegalMove("not-an-option", rule, reason, span)
        return joined(steps)

    def still_open(self, state: State, before: Stop, count: int) -> Stop | None:
        """The stop of the next pick, if the same chooseN still waits for one."""
        stop = self.stop(state)
        if stop.kind != "decision" or stop.pc != before.pc:
            return None
        if before.pending:
            if before.seat not in stop.pending:
                return None
            stop = self.machine.sealed(state.shared_cells, stop, before.seat)
        return stop if stop.seat == before.seat and len(stop.picked) == count else None

    def named_further(
        self, state: State, position: int, value: Any, roles: Sequence[str]
    ) -> Step | None:
        """The step to the next decision with one of these roles, if the answer leads to one.

        `position` is that of the answer among the options; None comes after them.
        """
        stop = self.stop(state)
        answer = stop.answers[position] if position < len(stop.answers) else DECLINE
        memory = self.machine.scratch(state.shared_cells, Run())
        if self.machine.search.asks_next(memory, stop, answer) is None:
            return None  # what follows the part is not run: it might fail
        step = self.advance(state, stop, answer)  # some choices are passed over
        if self.part_ended(step) or self.asked(step.state).role not in roles:
            return None
        return step

    def withdraw(self, state: State, seat: str) -> State:
        """Take back a sealed answer while other seats have yet to answer."""
        stop = self.stop(state)
        index = self.playing(state, seat)
        if stop.pending and index not in stop.pending:
            memory = self.machine.scratch(self.cells(state), Run(index))
            if self.machine.choices[stop.pc].withdraw(memory, index):
                return State(self.game_id, self.machine.state_cells(memory))
        raise IllegalMove("no-undo", "", f"`{seat}` has no sealed answer to take back")


def setup_done(program: ir.Program) -> int:
    """The instruction at which set-up is over."""
    return next(
        pc
        for pc, instr in enumerate(program.code)
        if isinstance(instr, ir.Emit) and instr.event == "setup done"
    )


def _declared(program: ir.Program) -> tuple[object, ...]:
    """Where everything lies that a rulebook declares."""
    return (
        program.variables, program.piece_place, program.piece_next, program.place_head,
        program.place_count, program.deck_top, program.deck_bottom, program.revealed,
        [(history.addr, history.keep) for history in program.histories],
    )  # fmt: skip


def declared_end(program: ir.Program) -> int:
    """Where the cells of what is declared end, and those of rules and procedures begin."""
    ends = [program.place_count + len(program.world.places)]
    ends += [addr + 1 for addr in program.deck_bottom.values()]
    ends += [one.addr + one.count * one.type.width for one in program.variables]
    ends += [history.addr + 1 + 2 * history.keep for history in program.histories]
    if program.revealed >= 0:
        ends.append(program.revealed + program.world.piece_count)
    return max(ends)


def _set_up(machine: Machine, memory: Memory, program: ir.Program) -> Memory:
    """Run set-up to its end."""
    pc, end = program.entry, setup_done(program)
    while pc >= 0 and pc != end:
        pc = machine.code[pc](memory)
    if pc < 0:
        raise ValueError("a decision, or chance that is answered by hand, comes in the set-up")
    return memory
