"""A game whose decisions run as machine code, with everything a `Game` can do.

A step from Python does as little as it can: the state stays bytes, what it waits for stays the
record that the run left, and decisions and steps find most of what they could tell only when they
are asked (see `lazy_record`). Plain decisions and answers are native functions (`game_calls`).
Whatever is not plain, and every error, is left to `kernel.play.core`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.forking import importing
from ludwright.kernel.interpreter.machine import ChanceMode, Machine
from ludwright.kernel.interpreter.stop import DECLINE, STOP, Stop
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.game import Game, Reload
from ludwright.kernel.protocol.arguments import (
    counted,
    plain_answer,
    players_of,
    same_answer,
    whole,
)
from ludwright.kernel.protocol.decision import Asked, Decision
from ludwright.kernel.protocol.definition import Definition
from ludwright.kernel.protocol.lazy_record import lazily, source_of
from ludwright.kernel.protocol.move import ChoiceRequest, Move, listed
from ludwright.kernel.protocol.result import Result
from ludwright.kernel.protocol.state import State, cells_from_bytes, cells_to_bytes, sealed_bytes
from ludwright.kernel.protocol.step import Step
from ludwright.kernel.views import outcome
from ludwright.kernel.views.decisions import all_legal
from ludwright.native import layout
from ludwright.native.errors import OutOfReach
from ludwright.native.machine import NativeMachine
from ludwright.native.python.cfunction import Waits
from ludwright.native.python.decision_names import DecisionNames
from ludwright.native.python.object_table import Finders, Objects
from ludwright.native.python.option_names import Naming, naming, piece_names
from ludwright.program.limits import GAME_LIMIT, SEARCH_BUDGET

if TYPE_CHECKING:
    from ludwright.kernel.play.batch import Batch
    from ludwright.kernel.play.playouts import Playouts
    from ludwright.kernel.play.trees.search import Grower
    from ludwright.native.engine import Engine
    from ludwright.native.perft import Counter
    from ludwright.native.sound_states import SoundStates

# What a state waits for: what finds the rest of its decision, its bytes, their record.
Known = tuple[Callable[..., Mapping[str, Any]], bytes, bytes]

# Where in a record something stands. Of small numbers, the first byte says all.
_KIND, _SEAT, _COUNT, _RANGE, _DECLINE, _CAN_STOP, _DEAD_END, _UNKNOWN = (
    8 * (slot - layout.ENDED)
    for slot in (
        layout.STOP_KIND, layout.STOP_SEAT, layout.COUNT, layout.RANGE, layout.DECLINE,
        layout.CAN_STOP, layout.DEAD_END, layout.UNKNOWN,
    )
)  # fmt: skip
_DECISION, _OVER = layout.STOPS.index("decision"), layout.STOPS.index("over")
_PLAIN_FIELDS = ("decision_id", "name", "role", "kind", "head", "action", "dead_end")
_DECISION_FIELDS = tuple(field.name for field in fields(Decision))
_SEED, _CELL, _WORD, _MASK = Struct("<Q"), Struct("<i"), Struct("<q"), 0xFFFFFFFFFFFFFFFF
LEVEL = 2  # of optimisation, where nothing but the code takes time
_NO_NAMES = Naming()


class NativeCore(Core):
    """The same as `Core` to the byte, with native functions for what is plain."""

    machine: NativeMachine

    def __init__(
        self,
        program: ir.Program,
        chance: ChanceMode,
        gamedef_hash: str,
        search_budget: int,
        engine: Engine | None,
        optional: bool,
        shapes: Callable[[], Mapping[str, str]],
    ) -> None:
        machine = NativeMachine(program, chance, search_budget, engine=engine, optional=optional)
        super().__init__(program, chance, gamedef_hash, search_budget, machine, shapes)
        self.piece_names = piece_names(program, self.values)
        self.namings = [self._naming(instr) for instr in program.code]
        self._names: dict[int, DecisionNames] = {}  # how decisions are called, by instruction
        self._sealed = any(choice.together for choice in program.choices)
        self._blocks: dict[tuple[int | None, str | None], bytes] = {}
        self._draws = chance == "generator"
        self._decision_source, self._step_source = self._decided, self._stepped
        # Each of these makes the code when it is first called, and is replaced by it.
        self.plain_step: Callable[..., Waits | bool | None] = lambda *a: self._made().plain_step(*a)
        self.plain_offer: Callable[[bytes], Waits | None] = lambda *a: self._made().plain_offer(*a)
        self.plain_start: Callable[..., State | None] = lambda *a: self._made().plain_start(*a)
        self.plain_decision: Callable[..., Any] = lambda *a: self._made().plain_decision(*a)
        self.plain_choice: Callable[..., Any] = lambda *a: self._made().plain_choice(*a)
        self.plain_move: Callable[..., Any] = lambda *a: self._made().plain_move(*a)

    def _naming(self, instr: ir.Instr) -> Naming:
        if isinstance(instr, ir.Choose):
            choice = self.program.choices[instr.choice]
            return naming(choice, self.values, self.machine.classes, self.piece_names)
        return _NO_NAMES

    def _made(self) -> NativeCore:
        """With the native functions in place."""
        if self.machine.unsupported is not None:
            self.plain_start = self.plain_offer = lambda data: None  # the kernel knows what to do
            self.plain_step = self.plain_choice = self.plain_move = lambda *given: None
            self.plain_decision = lambda state: False
            return self
        # A context of its own: its runs hold the interpreter's lock from end to end.
        self.context = self.machine.new_context(asks=False)
        self._objects = Objects(
            self.game_id, self.seal, self.program, self.piece_names, self.namings,
            Finders(self._decision_source, self._step_source, self._find_id, self._choose_picks),
        )  # fmt: skip
        self.context.slots[layout.OBJECTS] = self._objects.address
        self.machine.engine.listen(self._bind)
        self._bind()
        return self

    def _bind(self) -> None:
        """Take the code that is now in use."""
        engine, context = self.machine.engine, self.context
        self.plain_start = engine.python_function("begin", context)
        self.plain_step = engine.python_function("step", context)
        self.plain_offer = engine.python_function("offer", context)
        self.plain_decision = engine.python_function("decision", context)
        self.plain_choice = engine.python_function("choose", context)
        self.plain_move = engine.python_function("follow", context)

    def problem(self, cells: Sequence[Any]) -> str | None:
        """Why these cells cannot be a state, in words."""
        return super().problem(cells) or self.machine.outside(cells)

    def arranged(
        self, table: Machine, number: int, seed: int, players: int | None, scenario: str | None
    ) -> State:
        """A position that somebody has laid out. Native code relies on what the rules can lead to,
        and they may never lead here."""
        state = super().arranged(table, number, seed, players, scenario)
        if self.machine.outside(state.shared_cells) is not None:
            raise OutOfReach
        return state

    def _problem_of(self, state: State) -> str | None:
        sound = self.machine.unsupported is None and self._sound_states.holds(
            state.to_bytes(), state.shared_cells
        )
        return None if sound else self.problem(state.shared_cells)

    @cached_property
    def _sound_states(self) -> SoundStates:
        with importing:
            from ludwright.native.sound_states import SoundStates

        interface = self.machine.engine.interface
        return SoundStates(self.program, self.frames, interface.lows, interface.highs)

    # --------------------------------------------------------------- states

    def initial_state(
        self, seed: int = 0, players: int | None = None, scenario: str | None = None
    ) -> State:
        """The state at the first decision."""
        if seed.__class__ is not int:
            seed = whole("seed", seed)
        if players is not None and players.__class__ is not int:
            players = whole("players", players)
        block = bytearray(self._blocks.get((players, scenario)) or self.block(players, scenario))
        if self._draws:
            _SEED.pack_into(block, 4 * ir.RNG_LO, seed & _MASK)
        found = self.plain_start(bytes(block))
        return super().initial_state(seed, players, scenario) if found is None else found

    def block(self, players: int | None, scenario: str | None) -> bytes:
        """The cells before set-up, but for the seed."""
        block = bytearray(cells_to_bytes(list(self.program.initial)))
        _CELL.pack_into(block, 4 * ir.PLAYERS, players_of(self.program.world, players))
        _CELL.pack_into(block, 4 * ir.SCENARIO, self.scenario_number(scenario))
        self._blocks[players, scenario] = bytes(block)
        return self._blocks[players, scenario]

    def _known(self, state: State) -> Known | None:
        """What a state waits for; None where only the kernel can tell."""
        if self.trusted(state).known_record is None:
            found = self.plain_offer(state.to_bytes())
            if found is not None:
                state.known_record = (self._decision_source, found[0], found[1])
        known: Known | None = state.known_record
        return known

    def stop(self, state: State) -> Stop:
        if self.trusted(state).known_stop is None and state.known_record is not None:
            state.known_stop = self.machine.stop_of(state.shared_cells, state.known_record[2])
        return super().stop(state)

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it runs."""
        known: Known | None = self.trusted(state).known_record
        if known is not None and known[2][_KIND] != _OVER:
            return None
        return super().result(state)

    # ------------------------------------------------------------ decisions

    def decision(self, state: State, seat: str | None = None) -> Decision | None:
        """What is asked now, whoever is asked; None once the game is over. Where several decide
        under seal, the decision of `seat`."""
        if seat is not None and self._sealed:
            return super().decision(state, seat)
        found: Any = self.plain_decision(state)
        return self.other_decision(state) if found is False else found

    def other_decision(self, state: State) -> Decision | None:
        """The decision of a state from elsewhere, of chance, or with names that are in no list."""
        fresh = self.trusted(state).known_record is None
        known = self._known(state)
        if known is None or known[2][_KIND] != _DECISION:
            return super().decision(state)
        found: Any = self.plain_decision(state) if fresh else False
        if found is False:
            _, data, record = known
            found = state.known_decision = lazily(
                Decision, known, seat=self.program.world.seats[record[_SEAT]],
                options=self._options(data, record), optional=bool(record[_DECLINE]),
                can_stop=bool(record[_CAN_STOP]),
            )  # fmt: skip
        decision: Decision = found
        return decision

    def _options(self, data: bytes, record: bytes) -> Sequence[Any]:
        """The names of answers for which there is no list of names."""
        view = memoryview(data).cast("i")  # cheaper than a list, as few cells are read
        if self.namings[view[ir.PC]].pieces is not None:
            return self.values.describe(view, _answers(record))
        cells = cells_from_bytes(data)
        return self.decisions.options(cells, self.machine.stop_of(cells, record))

    def _decided(self, name: str, data: bytes, record: bytes) -> Mapping[str, Any]:
        """Fields of a decision that were not found at once."""
        view = memoryview(data).cast("i")  # cheaper than a list, as few cells are read
        pc = view[ir.PC]
        choice = self.machine.choices[pc].choice
        if name in _PLAIN_FIELDS:
            return {
                "decision_id": self.decisions.ids.of_choice(view, choice, pc),
                "name": choice.name, "role": choice.role,
                "kind": "chooseN" if choice.kind == "many" else "chooseOne",
                "head": bool(view[ir.HEAD]) and not view[ir.ANSWERED],
                "action": self.decisions.action(view), "dead_end": bool(record[_DEAD_END]),
            }  # fmt: skip
        if name == "legality" and not record[_UNKNOWN]:  # players ask for this at every decision
            count: int = _WORD.unpack_from(record, _COUNT)[0]
            return {"legality": all_legal(count, bool(record[_RANGE]))}
        cells = cells_from_bytes(data)
        found = self.decisions.publish(cells, self.machine.stop_of(cells, record))
        return {field: getattr(found, field) for field in _DECISION_FIELDS}

    def asked(self, state: State, seat: str | None = None) -> Asked:
        """As much of the decision as it takes to find its answer in a move."""
        known: Known | None = None
        if getattr(state, "seal", None) is self.seal:
            known = state.known_record
        if known is None or seat is not None or known[2][_KIND] != _DECISION:
            return super().asked(state, seat)
        return self._asked_in(known[1])

    def _asked_in(self, data: bytes) -> Asked:
        pc = _pc(data)
        names = self._names.get(pc)
        if names is None:
            choice = self.machine.choices[pc].choice
            names = self._names[pc] = DecisionNames(choice, pc, self.decisions.ids)
        return names.fixed or names.asked(data)

    def _find_id(self, data: bytes) -> str:
        """The id of the decision of a state. One that is always the same is asked for only once."""
        name = self._asked_in(data).decision_id
        if self._names[_pc(data)].fixed is not None:
            self._objects.keep_id(_pc(data), name)
        return name

    def _choose_picks(self, state: State, picks: tuple[Any, ...]) -> Step:
        """Answer a chooseN with what a move has for it."""
        return self.choose_all(state, listed(picks))

    def part_ended(self, step: Step) -> bool:
        """Cheaper than asking the step, which looks for what it is asked."""
        source = source_of(step)
        if source is not None and source[0] is self._step_source:
            return bool(source[2][0])
        return step.part_ended

    def choose(self, state: State, option: Any, seat: str | None = None) -> Step:
        """Answer the decision: one option, None, STOP, or for a chooseN the whole list."""
        found: Any = self.plain_choice(state, option, seat)
        if found is None:
            return self.other_choice(state, option, seat)
        step: Step = found
        return step

    def other_choice(self, state: State, option: Any, seat: str | None) -> Step:
        """A choice that the native function has left: it may lack something that is found here.
        Whatever is wrong, the kernel explains."""
        found: Any = None
        missing = self.trusted(state).known_decision is None
        decision, given = self.decision(state), plain_answer(option)
        if given.__class__ is list and decision is not None:
            # Machine code takes the very list that is offered: others may only be equal to it.
            given = next((one for one in decision.options if same_answer(one, given)), given)
        if decision is not None and (missing or given is not option):
            found = self.plain_choice(state, given, seat)
        return super().choose(state, option, seat) if found is None else found

    def named_further(
        self, state: State, position: int, value: Any, roles: Sequence[str]
    ) -> Step | None:
        """The step to the next decision with one of these roles, if the answer leads to one."""
        step: Any = self.plain_choice(state, value, None)
        if step is None:  # it fails, perhaps only after the part, which the kernel does not run
            return super().named_further(state, position, value, roles)
        if self.part_ended(step):
            return None
        return step if self.asked(step.state).role in roles else None

    def advance(self, state: State, stop: Stop, answer: Any) -> Step:
        """Give the kernel's own answer to a stop of this state and run on."""
        known = self._known(state)
        if known is not None:
            _, data, before = known
            given, kind = (answer, layout.GIVEN_VALUE)
            if answer.__class__ is not int:
                given, kind = _special(answer)
            asked = before[_KIND] == _DECISION and before[_SEAT] == stop.seat
            found: Any = (
                asked and _pc(data) == stop.pc and self.plain_step(data, before, given, kind)
            )
            if found:
                source = (self._step_source, known, found[1], given, kind)
                record = (self._decision_source, found[0], found[1])
                new = sealed_bytes(self.seal, self.game_id, found[0], record)
                return lazily(Step, source, state=new)
        return super().advance(state, stop, answer)

    def _stepped(
        self, name: str, before: Known, record: bytes, answer: int, kind: int
    ) -> Mapping[str, Any]:
        """Fields of a step that were not found at once."""
        if name in ("part_ended", "barrier"):
            ended = record[0]
            return {"part_ended": ended != 0, "barrier": layout.BARRIERS[ended]}
        if name == "describe":
            return {name: self.describe_events}
        # Runs depend on nothing but the state and the answer: what happened happens again.
        cells = cells_from_bytes(before[1])
        stop = self.machine.stop_of(cells, before[2])
        given: Any = answer
        if kind == layout.GIVEN_POSITION:
            given = stop.answers[answer]
        elif kind != layout.GIVEN_VALUE:
            given = DECLINE if kind == layout.GIVEN_DECLINE else STOP
        found = super().advance(self.new_state(cells, stop), stop, given)
        return {"learned": found.learned, "raw_events": found.raw_events}


class NativeGame(Game):
    """The same behaviour to the byte; besides, playouts and batches without Python."""

    def __init__(
        self,
        program: ir.Program,
        gamedef_json: bytes | Callable[[], bytes] = b"",
        chance: ChanceMode = "generator",
        *,
        gamedef: Definition | Callable[[], Definition] | None = None,
        gamedef_hash: str | None = None,
        search_budget: int = SEARCH_BUDGET,
        engine: Engine | None = None,
        optional: bool = False,
        reload: Reload | None = None,
    ) -> None:
        self._given_engine, self._optional = engine, optional
        super().__init__(
            program, gamedef_json, chance, gamedef=gamedef, gamedef_hash=gamedef_hash,
            search_budget=search_budget, reload=reload,
        )  # fmt: skip
        self._fast: Engine | None = None
        self._trees: dict[str, Engine] = {}  # by the fingerprint of the Program
        self._counter: Counter | None = None

    def _new_core(self) -> NativeCore:
        self._native = NativeCore(
            self.program, self.chance, self.gamedef_hash, self._search_budget, self._given_engine,
            self._optional, self._shapes,
        )  # fmt: skip
        return self._native

    @property
    def engine(self) -> str:
        return "native" if self._native.machine.unsupported is None else "python"

    @property
    def engine_reason(self) -> str:
        return self._native.machine.unsupported or ""

    # The questions that are asked most go to the native functions without a detour.

    def decision(self, state: State, seat: str | None = None) -> Decision | None:
        """What is asked now; None once the game is over.

        With `seat`, what this seat is asked: None where it is not asked.
        """
        if seat is not None:
            return super().decision(state, seat)
        native = self._native
        found: Any = native.plain_decision(state)
        return native.other_decision(state) if found is False else found

    def choose(self, state: State, option: Any, seat: str | None = None) -> Step:
        """Answer the decision: one option, None, STOP, or for a chooseN the whole list."""
        native = self._native
        found: Any = native.plain_choice(state, option, seat)
        return native.other_choice(state, option, seat) if found is None else found

    def legal_choices(self, state: State, move: Move, seat: str | None = None) -> ChoiceRequest:
        """The next open decision of a partial move."""
        found: Any = self._native.plain_move(state, move, None) if seat is None else None
        return super().legal_choices(state, move, seat) if found is None else found

    def apply_move(self, state: State, move: Move, seat: str | None = None) -> Step:
        """Play one part: the answers of a move up to its end or the next new information."""
        found: Any = self._native.plain_move(state, move, True) if seat is None else None
        return super().apply_move(state, move, seat) if found is None else found

    # ------------------------------------------------------- without Python

    @property
    def fast(self) -> Engine:
        """Code that tells no events, at full speed; made when first needed."""
        if self._fast is None:
            with importing:
                from ludwright.native.engine import Engine

            self._fast = Engine(self.program, LEVEL)
        return self._fast

    def playouts(
        self, n: int, seed: int = 0, threads: int = 1, *, players: int | None = None,
        scenario: str | None = None, limit: int = GAME_LIMIT, finals: bool = False,
        first: int = 0, go_on: bool = False, state: State | None = None,
    ) -> Playouts:  # fmt: skip
        if self._native.machine.unsupported is not None:
            return super().playouts(
                n, seed, threads, players=players, scenario=scenario, limit=limit, finals=finals,
                first=first, go_on=go_on, state=state,
            )  # fmt: skip
        cells = self._first_cells(state, players, scenario)
        with importing:
            from ludwright.native.playouts import playouts

        return playouts(
            self.fast, n, seed, threads, players=players, limit=limit, finals=finals, first=first,
            scenario=self._native.scenario_number(scenario), budget=self._search_budget,
            go_on=go_on, cells=cells,
        )  # fmt: skip

    def trees(self, hints: bool) -> Engine:
        """Code that grows search trees, with what the rulebook tells bots or without; made when
        first needed."""
        program = self._hinted(hints).program
        if program.fingerprint not in self._trees:
            with importing:
                from ludwright.native.engine import Engine

            self._trees[program.fingerprint] = Engine(program, LEVEL, trees=True)
        return self._trees[program.fingerprint]

    def _grower(self) -> Grower:
        if self._native.machine.unsupported is not None:
            return super()._grower()
        with importing:
            from ludwright.native.playouts import playouts
            from ludwright.native.tree_search import NativeGrower

        def play(n: int, seed: int, **given: Any) -> Playouts:
            return playouts(self.fast, n, seed, budget=self._search_budget, **given)

        return NativeGrower(self.trees, play, self._search_budget)

    def reason_in(self, cells: list[int]) -> str:
        """Why a game whose last cells these are ended."""
        found = outcome.result(self._native.machine, self._native.values, cells)
        assert found is not None
        return found.reason

    def batch(
        self, n: int, seed: int = 0, players: int | None = None, scenario: str | None = None
    ) -> Batch:
        if self._native.machine.unsupported is not None:
            return super().batch(n, seed, players, scenario)
        origin = self._origin(n, seed, players, scenario)
        with importing:
            from ludwright.native.batch import NativeBatch

        number = self._core.scenario_number(scenario)
        made = NativeBatch.fresh(self.fast, n, seed, players, number, self._search_budget)
        return made.of(origin)

    def batch_of(self, states: Sequence[State]) -> Batch:
        if self._native.machine.unsupported is not None:
            return super().batch_of(states)
        origin, cells = self._origin(), [self._core.cells(state) for state in states]
        with importing:
            from ludwright.native.batch import NativeBatch

        return NativeBatch.placed(self.fast, cells, self._search_budget).of(origin)

    def perft(self, state: State, depth: int) -> int:
        """Sequences of `depth` parts, counted in machine code."""
        native = self._native
        if native.machine.unsupported is not None:
            return super().perft(state, depth)
        stop, depth = native.stop(state), counted("depth", depth)
        if depth == 0:
            return 1
        if stop.kind == "over":
            return 0
        if self._counter is None:
            with importing:
                from ludwright.native.engine import Engine
                from ludwright.native.perft import Counter

            engine = Engine(self.program, LEVEL, counting=True)
            self._counter = Counter(engine, self.chance, self._search_budget)
        found = self._counter.count(native.cells(state), stop, depth)
        # Numbers beyond a machine word are left to Python's integers.
        return super().perft(state, depth) if found is None else found


def _special(option: Any) -> tuple[int, int]:
    """An answer that is no option; where it is none at all, a number that no record holds."""
    if option is None:
        return 0, layout.GIVEN_DECLINE
    if option.__class__ is str and option == STOP:
        return 0, layout.GIVEN_STOP
    return -1, layout.GIVEN_POSITION


def _answers(record: bytes) -> tuple[int, ...]:
    """The answers of a record, each one word."""
    (count,) = _WORD.unpack_from(record, _COUNT)
    return _words(count).unpack_from(record, 8 * layout.RECORD_WORDS)


@cache
def _words(count: int) -> Struct:
    return Struct(f"<{count}q")


def _pc(data: bytes) -> int:
    found: int = _CELL.unpack_from(data, 4 * ir.PC)[0]
    return found
