"""A game whose decisions run as machine code, with everything a `Game` can do.

A step from Python does as little as it can: the state stays bytes, what it waits for stays the
record that the run left, and decisions and steps find most of what they could tell only when they
are asked (see `kernel.lazily`). Plain decisions and answers are native functions (`talking`).
Whatever is not plain, and every error, goes the way of all games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any

from ludwright.kernel import program as ir
from ludwright.kernel.arguments import counted, players_of, whole
from ludwright.kernel.choosing import DECLINE, STOP, Stop
from ludwright.kernel.decisions import Asked, Decision
from ludwright.kernel.game import Game
from ludwright.kernel.lazily import lazily
from ludwright.kernel.machine import SEARCH_BUDGET, ChanceMode
from ludwright.kernel.moves import Result, Step
from ludwright.kernel.state import State, cells_from_bytes, cells_to_bytes
from ludwright.native import layout
from ludwright.native.calling import Waits
from ludwright.native.forking import in_copies_renewed, making
from ludwright.native.machine import NativeMachine
from ludwright.native.naming import Naming, naming, piece_names
from ludwright.native.objects import Objects

if TYPE_CHECKING:
    from ludwright.native.batches import Batch
    from ludwright.native.engine import Engine
    from ludwright.native.perft import Counter
    from ludwright.native.playouts import Playouts

# What a state waits for: what finds the rest of its decision, its bytes, their record.
Known = tuple[Callable[..., Mapping[str, Any]], bytes, bytes]

# Where in a record something stands. Of small numbers, the first byte says all.
_KIND, _SEAT, _COUNT, _DECLINE, _CAN_STOP, _DEAD_END = (
    8 * (slot - layout.ENDED)
    for slot in (
        layout.STOP_KIND, layout.STOP_SEAT, layout.COUNT, layout.DECLINE, layout.CAN_STOP,
        layout.DEAD_END,
    )
)  # fmt: skip
_DECISION, _OVER = layout.STOPS.index("decision"), layout.STOPS.index("over")
_PLAIN_FIELDS = ("decision_id", "name", "role", "kind", "head", "action", "dead_end")
_DECISION_FIELDS = tuple(field.name for field in fields(Decision))
_PC = 4 * ir.PC
_SEED, _CELL, _WORD, _MASK = Struct("<Q"), Struct("<i"), Struct("<q"), 0xFFFFFFFFFFFFFFFF
LEVEL = 2  # of optimisation, where nothing but the code takes time
_NO_NAMES = Naming()
_blank = object.__new__


class NativeGame(Game):
    """The same behaviour to the byte; besides, playouts and batches without Python."""

    machine: NativeMachine

    def __init__(
        self,
        program: ir.Program,
        gamedef_json: bytes = b"",
        chance: ChanceMode = "generator",
        *,
        gamedef: Any = None,
        gamedef_hash: str | None = None,
        search_budget: int = SEARCH_BUDGET,
        engine: Engine | None = None,
        optional: bool = False,
    ) -> None:
        machine = NativeMachine(program, chance, search_budget, engine=engine, optional=optional)
        super().__init__(
            program, gamedef_json, chance, gamedef=gamedef, gamedef_hash=gamedef_hash,
            search_budget=search_budget, machine=machine,
        )  # fmt: skip
        self._budget = search_budget
        self._fast: Engine | None = None
        self._counter: Counter | None = None
        in_copies_renewed(self)
        self._pieces = piece_names(program, self.values)
        self._namings = [self._naming(instr) for instr in program.code]
        self._asked: dict[int, Asked] = {}  # by instruction, where it is the same in all states
        self._sealed = any(choice.together for choice in program.choices)
        self._blocks: dict[tuple[int | None, str | None], bytes] = {}
        self._draws = chance == "generator"
        self._decision_source, self._step_source = self._decided, self._stepped
        # Each of these makes the code when it is first called, and is replaced by it.
        self._step: Callable[..., Waits | bool | None] = lambda *a: self._made()._step(*a)
        self._offer: Callable[[bytes], Waits | None] = lambda *a: self._made()._offer(*a)
        self._plain_start: Callable[..., State | None] = lambda *a: self._made()._plain_start(*a)
        self._plain_decision: Callable[..., Any] = lambda *a: self._made()._plain_decision(*a)
        self._plain_choice: Callable[..., Any] = lambda *a: self._made()._plain_choice(*a)

    def _naming(self, instr: ir.Instr) -> Naming:
        if isinstance(instr, ir.Choose):
            choice = self.program.choices[instr.choice]
            return naming(choice, self.values, self.machine.classes, self._pieces)
        return _NO_NAMES

    def renew(self) -> None:
        """In a copy of the process, where a thread that is gone may have been counting."""
        if self._counter is not None:
            self._counter.abandon()
            self._counter = None

    def _made(self) -> NativeGame:
        """With the native functions in place."""
        if self.machine.unsupported is not None:
            self._plain_start = self._offer = lambda data: None  # the kernel knows what to do
            self._step = self._plain_choice = lambda *given: None
            self._plain_decision = lambda state: False
            return self
        # A context of its own: its runs hold the interpreter's lock from end to end.
        self._context = self.machine.new_context(asks=False)
        self._objects = Objects(
            self._id, self._trust, self.program.world.seats, self._pieces, self._namings,
            self._decision_source, self._step_source,
        )  # fmt: skip
        self._context.slots[layout.OBJECTS] = self._objects.address
        self.machine.engine.listen(self._bind)
        self._bind()
        return self

    def _bind(self) -> None:
        """Take the code that is now in use."""
        engine, context = self.machine.engine, self._context
        self._plain_start = engine.python_function("begin", context)
        self._step = engine.python_function("step", context)
        self._offer = engine.python_function("offer", context)
        self._plain_decision = engine.python_function("decision", context)
        self._plain_choice = engine.python_function("choose", context)

    @property
    def engine(self) -> str:
        return "native" if self.machine.unsupported is None else "python"

    @property
    def engine_reason(self) -> str:
        return self.machine.unsupported or ""

    # --------------------------------------------------------------- states

    def initial_state(
        self, seed: int = 0, players: int | None = None, scenario: str | None = None
    ) -> State:
        """The state at the first decision."""
        if seed.__class__ is not int:
            seed = whole("seed", seed)
        if players is not None and players.__class__ is not int:
            players = whole("players", players)
        block = bytearray(self._blocks.get((players, scenario)) or self._block(players, scenario))
        if self._draws:
            _SEED.pack_into(block, 4 * ir.RNG_LO, seed & _MASK)
        found = self._plain_start(bytes(block))
        return super().initial_state(seed, players, scenario) if found is None else found

    def _block(self, players: int | None, scenario: str | None) -> bytes:
        """The cells before set-up, but for the seed."""
        block = bytearray(cells_to_bytes(list(self.program.initial)))
        _CELL.pack_into(block, 4 * ir.PLAYERS, players_of(self.program.world, players))
        _CELL.pack_into(block, 4 * ir.SCENARIO, self._scenario(scenario))
        self._blocks[players, scenario] = bytes(block)
        return self._blocks[players, scenario]

    def _at(self, found: Waits) -> State:
        """The state a run has come to."""
        state = _blank(State)
        state._game, state._seal = self._id, self._trust
        state._bytes = found[0]
        state._waits = (self._decision_source, found[0], found[1])
        state._list = state._stop = state._decision = None
        return state

    def _known(self, state: State) -> Known | None:
        """What a state waits for; None where only the kernel can tell."""
        if self.trusted(state)._waits is None:
            found = self._offer(state.to_bytes())
            if found is not None:
                state._waits = (self._decision_source, found[0], found[1])
        known: Known | None = state._waits
        return known

    def _stop(self, state: State) -> Stop:
        if self.trusted(state)._stop is None and state._waits is not None:
            state._stop = self.machine.stop_of(state._cells, state._waits[2])
        return super()._stop(state)

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it runs."""
        known: Known | None = self.trusted(state)._waits
        if known is not None and known[2][_KIND] != _OVER:
            return None
        return super().result(state)

    # ------------------------------------------------------------ decisions

    def decision(self, state: State, seat: str | None = None) -> Decision | None:
        """What is asked now; None once the game is over. `seat` matters where several decide."""
        if seat is not None and self._sealed:
            return super().decision(state, seat)
        found: Any = self._plain_decision(state)
        return self._other_decision(state) if found is False else found

    def _other_decision(self, state: State) -> Decision | None:
        """Of a state from elsewhere, of chance, or with answers that are called in other ways."""
        fresh = self.trusted(state)._waits is None
        known = self._known(state)
        if known is None or known[2][_KIND] != _DECISION:
            return super().decision(state)
        found: Any = self._plain_decision(state) if fresh else False
        if found is False:
            _, data, record = known
            found = state._decision = lazily(
                Decision, known, seat=self.program.world.seats[record[_SEAT]],
                options=self._options(data, record), optional=bool(record[_DECLINE]),
                can_stop=bool(record[_CAN_STOP]),
            )  # fmt: skip
        decision: Decision = found
        return decision

    def _options(self, data: bytes, record: bytes) -> Sequence[Any]:
        """What answers are called where no list of names tells."""
        view = memoryview(data).cast("i")  # no list: few cells are looked at
        if self._namings[view[ir.PC]].pieces is not None:
            return self.values.describe(view, _answers(record))
        cells = cells_from_bytes(data)
        return self.decisions.options(cells, self.machine.stop_of(cells, record))

    def _decided(self, name: str, data: bytes, record: bytes) -> Mapping[str, Any]:
        """Fields of a decision that were not found at once."""
        view = memoryview(data).cast("i")  # no list: few cells are looked at
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
        cells = cells_from_bytes(data)
        found = self.decisions.publish(cells, self.machine.stop_of(cells, record))
        return {field: getattr(found, field) for field in _DECISION_FIELDS}

    def asked(self, state: State, seat: str | None = None) -> Asked:
        """As much of the decision as it takes to find its answer in a move."""
        known: Known | None = state._waits if getattr(state, "_seal", None) is self._trust else None
        if known is None or seat is not None or known[2][_KIND] != _DECISION:
            return super().asked(state, seat)
        data = known[1]
        pc: int = _CELL.unpack_from(data, _PC)[0]
        found = self._asked.get(pc)
        if found is None:
            choice = self.machine.choices[pc].choice
            many = choice.kind == "many"
            ids = self.decisions.ids
            name = ids.fixed(choice, pc)
            if name is not None:
                found = self._asked[pc] = Asked(name, choice.name, choice.role, many)
            else:
                name = ids.of_choice(memoryview(data).cast("i"), choice, pc)
                found = Asked(name, choice.name, choice.role, many)
        return found

    def part_ended(self, step: Step) -> bool:
        """Cheaper than asking the step, which looks for what it is asked."""
        source = getattr(step, "_source", None)
        if source is not None and source[0] is self._step_source:
            return bool(source[2][0])
        return step.part_ended

    def choose(self, state: State, option: Any, seat: str | None = None) -> Step:
        """Answer the decision: one option, None, STOP, or for a chooseN the whole list."""
        found: Any = self._plain_choice(state, option, seat)
        if found is None:
            return self._other_choice(state, option, seat)
        step: Step = found
        return step

    def _other_choice(self, state: State, option: Any, seat: str | None) -> Step:
        """Where something was missing, it is found; whatever is wrong, the kernel tells."""
        found: Any = None
        if self.trusted(state)._decision is None and self.decision(state) is not None:
            found = self._plain_choice(state, option, seat)
        return super().choose(state, option, seat) if found is None else found

    def named_further(
        self, state: State, position: int, value: Any, roles: Sequence[str]
    ) -> Step | None:
        """The step to the next decision with one of these roles, if the answer leads to one."""
        step: Any = self._plain_choice(state, value, None)
        if step is None:  # it fails, perhaps only after the part: the kernel looks no further
            return super().named_further(state, position, value, roles)
        if self.part_ended(step):
            return None
        return step if self.asked(step.state).role in roles else None

    def advance(self, state: State, stop: Stop, answer: Any) -> Step:
        """Give the kernel's own answer to a stop of this state and run on."""
        known = self._known(state)
        if known is not None:
            _, data, record = known
            given, kind = (answer, layout.GIVEN_VALUE)
            if answer.__class__ is not int:
                given, kind = _special(answer)
            asked = record[_KIND] == _DECISION and record[_SEAT] == stop.seat
            found: Any = asked and _pc(data) == stop.pc and self._step(data, record, given, kind)
            if found:
                source = (self._step_source, known, found[1], given, kind)
                return lazily(Step, source, state=self._at(found))
        return super().advance(state, stop, answer)

    def _stepped(
        self, name: str, before: Known, record: bytes, answer: int, kind: int
    ) -> Mapping[str, Any]:
        """Fields of a step that were not found at once."""
        if name in ("part_ended", "barrier"):
            ended = record[0]
            return {"part_ended": ended != 0, "barrier": layout.BARRIERS[ended]}
        if name == "_tell":
            return {name: self._tell}
        # Runs depend on nothing but the state and the answer: what happened happens again.
        cells = cells_from_bytes(before[1])
        stop = self.machine.stop_of(cells, before[2])
        given: Any = answer
        if kind == layout.GIVEN_POSITION:
            given = stop.answers[answer]
        elif kind != layout.GIVEN_VALUE:
            given = DECLINE if kind == layout.GIVEN_DECLINE else STOP
        found = super().advance(self._new_state(cells, stop), stop, given)
        return {"learned": found.learned, "raw_events": found.raw_events}

    # ------------------------------------------------------- without Python

    @property
    def fast(self) -> Engine:
        """Code that tells no events, at full speed; made when first needed."""
        if self._fast is None:
            with making:
                from ludwright.native.engine import Engine

            self._fast = Engine(self.program, LEVEL)
        return self._fast

    def playouts(
        self, n: int, seed: int = 0, threads: int = 1, *, players: int | None = None,
        scenario: str | None = None, limit: int = layout.GAME_LIMIT, finals: bool = False,
        first: int = 0, go_on: bool = False,
    ) -> Playouts:  # fmt: skip
        """`n` uniformly random games; each depends on `seed` and its number alone.

        The numbers begin with `first`. `finals` keeps the last state of every game. The first
        fault is raised, unless games are to `go_on`: then all are kept in `failures`.
        """
        with making:
            from ludwright.native.playouts import playouts

        return playouts(
            self.fast, n, seed, threads, players=players, scenario=self._scenario(scenario),
            limit=limit, budget=self._budget, finals=finals, first=first, go_on=go_on,
        )  # fmt: skip

    def reason_in(self, cells: list[int]) -> str:
        """Why a game whose last cells these are ended."""
        found = super().result(self._new_state(cells))
        assert found is not None
        return found.reason

    def batch(self, n: int, seed: int = 0, players: int | None = None) -> Batch:
        """`n` games at their first decision, to be stepped together."""
        with making:
            from ludwright.native.batches import Batch

        return Batch.fresh(self.fast, n, seed, players, self._budget)

    def perft(self, state: State, depth: int) -> int:
        """Sequences of `depth` parts, counted in machine code."""
        if self.machine.unsupported is not None:
            return super().perft(state, depth)
        stop, depth = self._stop(state), counted("depth", depth)
        if depth == 0:
            return 1
        if stop.kind == "over":
            return 0
        if self._counter is None:
            with making:
                from ludwright.native.perft import Counter

            self._counter = Counter(self.program, self.chance, self._budget, level=LEVEL)
        found = self._counter.count(self._cells(state), stop, depth)
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
