"""A game to play: the public face of the kernel.

Everything here takes a state and gives a new one; nothing is kept in between. Each change runs on
a copy, so an error of any kind leaves no trace.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.errors import IllegalMove, LudwrightError
from ludwright.forking import importing
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.play.core import Arranger, Core
from ludwright.kernel.play.move_builder import MoveBuilder
from ludwright.kernel.play.notation import Notation
from ludwright.kernel.play.perft import perft
from ludwright.kernel.play.random_answer import random_answer
from ludwright.kernel.protocol.arguments import counted, needed, picker, whole
from ludwright.kernel.protocol.decision import CHANCE, Decision
from ludwright.kernel.protocol.definition import Definition, SpacesDefinition
from ludwright.kernel.protocol.move import ChoiceRequest, Move, Why
from ludwright.kernel.protocol.result import Result
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Step
from ludwright.kernel.views import outcome
from ludwright.kernel.views.determinize import Determinizer
from ludwright.kernel.views.position_hash import Positions
from ludwright.program.limits import GAME_LIMIT, SEARCH_BUDGET

if TYPE_CHECKING:
    # Imported where they are used: numpy is not needed to play.
    from ludwright.kernel.play.batch import Batch, Origin
    from ludwright.kernel.play.playouts import Playouts
    from ludwright.kernel.play.trees.analysis import Analysis
    from ludwright.kernel.play.trees.recalling import Recalling
    from ludwright.kernel.play.trees.search import Grower, Hinted, Searcher
    from ludwright.kernel.play.trees.worlds import Past


# How an equal game is made: a function that can be pickled, and its arguments.
Reload = Callable[[], tuple[Callable[..., "Game"], tuple[Any, ...]]]


class Game:
    """One rulebook, ready to play."""

    def __init__(
        self,
        program: ir.Program,
        gamedef_json: bytes | Callable[[], bytes] = b"",
        chance: ChanceMode = "generator",
        *,
        gamedef: Definition | Callable[[], Definition] | None = None,
        gamedef_hash: str | None = None,
        search_budget: int = SEARCH_BUDGET,
        engine_reason: str = "it was asked for",
        reload: Reload | None = None,
    ) -> None:
        self.arranger: Arranger | None = None  # what `position` asks; set by `load`
        # gives the same rules with what the rulebook tells bots, if anything; set by `load`
        self.hinting: Callable[[], ir.Program | None] | None = None
        self._engine_reason = engine_reason
        self._reload = reload
        self._given_gamedef = gamedef
        self.program = program
        self._given_json = gamedef_json
        self.gamedef_hash = gamedef_hash or hashlib.sha256(self.gamedef_json).hexdigest()
        self.chance: ChanceMode = chance
        self._search_budget = search_budget
        self._core = core = self._new_core()
        self._positions = Positions(core.machine)
        self._determinizer = Determinizer(core.machine, core.projection)
        self._moves = MoveBuilder(core)
        self._notation = Notation(program, core, self._moves)

    def _new_core(self) -> Core:
        """What plays the game one answer at a time; here, the interpreter."""
        return Core(
            self.program, self.chance, self.gamedef_hash, self._search_budget, shapes=self._shapes
        )

    @cached_property
    def gamedef_json(self) -> bytes:
        """The canonical bytes of the rulebook; most games are played without them."""
        given = self._given_json
        return given() if callable(given) else given

    @cached_property
    def _gamedef(self) -> Definition | None:
        given = self._given_gamedef
        return given() if callable(given) else given

    def _shapes(self) -> dict[str, str]:
        """Of groups of spaces; of hexes the form of the board, or how they stand."""
        spaces = () if self._gamedef is None else self._gamedef.spaces
        return {group.name: _shape(group) for group in spaces}

    def __repr__(self) -> str:
        if self._gamedef is None:
            return f"<Game of {len(self.program.code)} instructions>"
        given = ", ".join(f"{name}={value}" for name, value in self._gamedef.parameter_values)
        name = f"{self._gamedef.id}({given})" if given else self._gamedef.id
        return f"<Game {name}: {', '.join(self.seats)}>"

    def __copy__(self) -> Game:
        return self  # the rules never change, and a game keeps nothing else

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is loaded again from its GameDef, with the same options."""
        if self._reload is None:
            raise TypeError("only a game that was loaded from a rulebook can be pickled")
        return self._reload()

    @property
    def gamedef(self) -> Definition:
        """What the game says about itself: title, players, parameters."""
        if self._gamedef is None:
            raise LudwrightError("this game was made from a Program alone; it has no GameDef")
        return self._gamedef

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
        return self.seats[: self._core.cells(state)[ir.PLAYERS]]

    # ------------------------------------------------------------- states

    def initial_state(
        self, seed: int = 0, players: int | None = None, scenario: str | None = None
    ) -> State:
        """The state at the first decision. Seeds are whole numbers, taken modulo 2**64."""
        return self._core.initial_state(seed, players, scenario)

    def position(
        self,
        *setup: str,
        drawing: str = "",
        moves: Sequence[str] = (),
        seed: int = 0,
        players: int | None = None,
        scenario: str | None = None,
    ) -> State:
        """A state that was not played to: set up by statements after the game's own set-up
        (`"place man of white at e1"`), by a drawing of the board, or by moves, in this order."""
        if self.arranger is None:
            raise LudwrightError("this game was made from a Program alone; it has no statements")
        for text in (*setup, drawing):
            needed(str, text)
        texts = self.arranger.texts(self.program, setup, drawing)
        if texts:
            table = self.arranger.set_up(texts, scenario)
            state = self._core.arranged(table, 0, seed, players, scenario)
        else:
            state = self.initial_state(seed, players, scenario)
        for move in moves:
            state = self.apply_move(state, self.parse_move(state, move)).state
        return state

    def state_from_bytes(self, data: bytes) -> State:
        """A state saved with `State.to_bytes`."""
        return self._core.state_from_bytes(data)

    def state_to_json(self, state: State) -> dict[str, Any]:
        """A readable form that `state_from_json` takes back."""
        return {
            "game": self.gamedef_hash,
            "chance": self.chance,
            "cells": list(self._core.cells(state)),
            "view": self.observe(state, None),
        }

    def state_from_json(self, data: dict[str, Any]) -> State:
        """A state saved with `state_to_json`."""
        cells = needed(dict, data).get("cells")
        if data.get("game") != self.gamedef_hash or data.get("chance") != self.chance:
            raise ValueError("this state belongs to another game")
        if not isinstance(cells, list) or any(isinstance(cell, bool) for cell in cells):
            raise ValueError("`cells` is not a list of numbers")
        return self._core.trusted(State(self._core.game_id, cells))

    def state_hash(self, state: State) -> str:
        """Over all bytes."""
        return self._core.trusted(state).state_hash

    def position_hash(self, state: State) -> str:
        """Of the position alone: for repetitions and transpositions."""
        return self._positions.hash(self._core.cells(state))

    # ---------------------------------------------------------- decisions

    def decision(self, state: State, seat: str | None = None) -> Decision | None:
        """What is asked now; None once the game is over.

        With `seat`, what this seat is asked: None where it is not asked.
        """
        if seat is not None and not self._core.is_asked(state, seat):
            return None
        return self._core.decision(state, seat)

    def question(self, state: State, seat: str | None = None) -> str:
        """What is asked now, in words for the one who decides; "" if nobody, or not `seat`, is."""
        if seat is not None and not self._core.is_asked(state, seat):
            return ""
        return self._core.question(state, seat)

    def option_texts(self, state: State, seat: str | None = None) -> list[str]:
        """The options of the decision in words for people, in their order; none where `seat` is
        not asked."""
        if seat is not None and not self._core.is_asked(state, seat):
            return []
        return self._core.option_texts(state, seat)

    def current_seat(self, state: State) -> str | None:
        """Who is asked: a seat, "chance", or None once the game is over."""
        decision = self.decision(state)
        return decision.seat if decision is not None else None

    def choose(self, state: State, option: Any, seat: str | None = None) -> Step:
        """Answer the decision: one option, None, STOP, or for a chooseN the whole list."""
        return self._core.choose(state, option, seat)

    def chance_outcomes(self, state: State) -> list[tuple[Any, float]]:
        """What chance may answer, and how likely each outcome is; empty where chance does not
        decide. Only a game that was loaded with `chance="explicit"` asks for chance."""
        decision = self.decision(state)
        if decision is None or decision.seat != CHANCE:
            return []
        total = sum(decision.weights)
        return [
            (option, weight / total)
            for option, weight in zip(decision.options, decision.weights, strict=True)
        ]

    def random_answer(self, state: State, pick: Callable[[int], int]) -> Any:
        """An answer at random; `pick(n)` gives a number below n.

        The same numbers give the same answers as in `playouts`.
        """
        return random_answer(self._core, state, picker(pick))

    def withdraw(self, state: State, seat: str) -> State:
        """Take back a sealed answer while other seats have yet to answer."""
        return self._core.withdraw(state, seat)

    # -------------------------------------------------------------- moves

    def legal_moves(self, state: State, seat: str | None = None) -> list[Move]:
        """Complete moves of simple actions, templates of operations and events.

        Of whoever decides, or of one seat: none where it is not asked.
        """
        self._core.trusted(state)
        if seat is not None and seat != CHANCE:
            self._core.playing(state, seat)
        return self._moves.legal_moves(state, seat)

    def legal_choices(self, state: State, move: Move, seat: str | None = None) -> ChoiceRequest:
        """The next open decision of a partial move."""
        return self._moves.legal_choices(self._core.trusted(state), needed(Move, move), seat)

    def apply_move(self, state: State, move: Move, seat: str | None = None) -> Step:
        """Play one part: the answers of a move up to its end or the next new information."""
        return self._moves.apply(self._core.trusted(state), needed(Move, move), seat)

    def validate_move(self, state: State, move: Move, seat: str | None = None) -> None:
        """Raises `IllegalMove` unless the move can be applied."""
        self.apply_move(state, move, seat)

    def why(self, state: State, move: Move, seat: str | None = None) -> Why:
        """Whether a move is legal here, and if not, which rule says so."""
        try:
            self.apply_move(state, move, seat)
        except IllegalMove as error:
            return Why(False, error.code, error.rule, error.reason, error.span)
        return Why(True)

    def notation(self, state: State, move: Move) -> str:
        """A move as its rulebook writes it. It need not be legal, but it must name an action that
        there is."""
        self._moves.check_action(self._core.trusted(state), needed(Move, move))
        return self._notation.write(state, move)

    def parse_move(self, state: State, text: str) -> Move:
        """The legal move a text stands for."""
        return self._notation.read(self._core.trusted(state), needed(str, text))

    def perft(self, state: State, depth: int) -> int:
        """The number of different sequences of `depth` complete parts from here."""
        return perft(self._core, self._core.trusted(state), counted("depth", depth))

    # ---------------------------------------------------- many games at once

    def playouts(
        self, n: int, seed: int = 0, threads: int = 1, *, players: int | None = None,
        scenario: str | None = None, limit: int = GAME_LIMIT, finals: bool = False,
        first: int = 0, go_on: bool = False, state: State | None = None,
    ) -> Playouts:  # fmt: skip
        """`n` uniformly random games; each depends on `seed` and its number alone.

        They begin with set-up, or with `state`: then chance is drawn anew from there on. The
        numbers begin with `first`. `finals` keeps the last state of every game. The first fault is
        raised, unless games are to `go_on`: then all are kept in `failures`. Machine code uses as
        many `threads` as it is given.
        """
        _need_numpy("playouts")
        with importing:
            from ludwright.kernel.play.playouts import playouts

        cells = self._first_cells(state, players, scenario)
        return playouts(
            self._drawing_core, n, seed, threads, players=players, scenario=scenario, limit=limit,
            finals=finals, first=first, go_on=go_on, cells=cells,
        )  # fmt: skip

    def batch(
        self, n: int, seed: int = 0, players: int | None = None, scenario: str | None = None
    ) -> Batch:
        """`n` games at their first decision, to be stepped together. Row i is the game of playout
        i: it depends on `seed` and i alone."""
        origin = self._origin(n, seed, players, scenario)
        with importing:
            from ludwright.kernel.play.batch import InterpretedBatch

        number = self._core.scenario_number(scenario)
        return InterpretedBatch.fresh(self._core, n, seed, players, number).of(origin)

    def batch_of(self, states: Sequence[State]) -> Batch:
        """Games that go on from these states, to be stepped together."""
        origin, cells = self._origin(), [self._core.cells(state) for state in states]
        with importing:
            from ludwright.kernel.play.batch import InterpretedBatch

        return InterpretedBatch.placed(self._core, cells).of(origin)

    def _origin(
        self, n: int | None = None, seed: int = 0, players: int | None = None,
        scenario: str | None = None,
    ) -> Origin:  # fmt: skip
        """Where a batch comes from. With `n`, its games begin with set-up."""
        _need_numpy("batch")
        if self.chance == "explicit":
            raise LudwrightError(
                "the games of a batch draw chance themselves; load the game with "
                'chance="generator", or step states with `choose`'
            )
        with importing:
            from ludwright.kernel.play.batch import Origin

        if n is None:
            return Origin(self)
        return Origin(self, True, whole("seed", seed), players, scenario, counted("n", n))

    # ------------------------------------------------------------ thinking

    def search(
        self, state: State, seat: str | None = None, *, simulations: int | None = None,
        seconds: float | None = None, past: Past | None = None, **settings: Any,
    ) -> Analysis:  # fmt: skip
        """How good the answers of whoever decides are, found by a tree search (`docs/bots.md`).

        The budget is `simulations`, `seconds` or both; further settings are the fields of
        `trees.settings.Settings`: `memory` in bytes, `seed`, `threads` and others. Where something
        is hidden, only what the seat may know is used: `past` tells what was answered since the
        game began, as pairs of a state and the answer given there. Each answer must lead to the
        state of the next pair, and the last one to `state`. What is left out at the beginning is
        not used.
        """
        with importing:
            from ludwright.kernel.play.trees.settings import settings_of

        cells = self._core.cells(state)
        if seat is not None:
            self._core.playing(state, seat)
        made = settings_of(simulations=simulations, seconds=seconds, **settings)
        return self._searcher.search(cells, seat, made, self._recalling.checked(past, state))

    def worlds(
        self, state: State, seat: str, n: int, *, past: Past | None = None, seed: int = 0
    ) -> list[State]:
        """States that a seat could be in, given all that it has seen since the game began.

        They are drawn as `search` draws them. `past` is that of `search`; without it only what the
        seat sees now counts, as in `determinize`. The same world may come several times. There are
        fewer than `n` where each of few possible ones was drawn often, and none where none was
        found that agrees with the past. Under seal, seats that are asked first may have answered.
        """
        core, number = self._core, self._core.playing(state, seat)
        if core.decision(state) is None:
            raise IllegalMove("game-over", "", "the game is over")
        told = self._recalling.checked(past, state)
        found = self._searcher.worlds(core.cells(state), number, counted("n", n), told, seed)
        return [State(core.game_id, cells) for cells in found]

    @cached_property
    def _recalling(self) -> Recalling:
        with importing:
            from ludwright.kernel.play.trees.recalling import Recalling

        return Recalling(self._core)

    @cached_property
    def _searcher(self) -> Searcher:
        with importing:
            from ludwright.kernel.play.trees.search import Searcher

        core = self._drawing_core
        return Searcher(core, self._notation, self._grower(), self._hinted)

    @cached_property
    def _hinted(self) -> Hinted:
        with importing:
            from ludwright.kernel.play.trees.search import Hinted

        program = self.hinting() if self.hinting is not None else None
        return Hinted(self._drawing_core.machine, program)

    def _grower(self) -> Grower:
        """What grows the trees of searches."""
        with importing:
            from ludwright.kernel.play.trees.search import PlainGrower

        return PlainGrower(self._drawing_core, self._hinted)

    @cached_property
    def _drawing_core(self) -> Core:
        """A core that draws chance from the generator."""
        if self.chance == "generator":
            return self._core
        return Core(self.program, "generator", self.gamedef_hash, self._search_budget)

    def _first_cells(
        self, state: State | None, players: int | None, scenario: str | None
    ) -> list[int] | None:
        """The cells of the state that games begin with; None if they begin with set-up."""
        if state is None:
            return None
        if players is not None or scenario is not None:
            raise ValueError("a state says itself who plays; give no `players` and no `scenario`")
        return self._core.cells(state)

    # ------------------------------------------------------------ outcome

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it runs."""
        return self._core.result(state)

    def score(self, state: State, seat: str) -> int | None:
        """The rulebook's measure of how well a seat stands, if it has one."""
        core = self._core
        return outcome.score(core.machine, core.cells(state), core.playing(state, seat))

    def observe(self, state: State, seat: str | None) -> dict[str, Any]:
        """All that a seat may know of a state, as plain JSON values."""
        return self._core.observe(state, seat)

    def draw(self, state: State, seat: str | None = None, width: int = 100) -> str:
        """The table as a seat sees it, in text; without a seat, all of it."""
        return self._core.draw(state, seat, width)

    def determinize(self, state: State, seat: str, seed: int) -> State:
        """Another state that the seat could be in: what it does not see is drawn anew.

        The seat observes the same in both. What it remembers or has deduced from earlier play is
        not in a state, so the result need not agree with that.
        """
        core, number = self._core, whole("seed", seed)
        cells = self._determinizer.determinize(core.cells(state), core.playing(state, seat), number)
        return State(core.game_id, cells)

    def replay(self, state: State, answers: Sequence[Any]) -> State:
        """The state after a list of atomic answers."""
        for answer in answers:
            state = self.choose(state, answer).state
        return state


def _shape(group: SpacesDefinition) -> str:
    if group.top == "flat":
        return "flat"
    return group.shape if group.form == "rhombus" else group.form


def _need_numpy(what: str) -> None:
    if find_spec("numpy") is None:
        raise LudwrightError(
            f"`{what}` gives arrays of numpy, which is not installed here; "
            "install it with `pip install 'ludwright[native]'`"
        )


def notation_of(game: Game) -> Notation:
    """How the moves of a game are written; not part of the public face either."""
    return game._notation


def core_of(game: Game) -> Core:
    """The core of a game, for engines, tests and tools; it is not part of the public face."""
    return game._core
