"""Plays one rulebook on both engines, in every way the native one can play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn
from unittest.mock import patch

from ludwright import program as ir
from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.interpreter.choice_point import ChoicePoint
from ludwright.kernel.interpreter.machine import ChanceMode, Machine
from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.play.agent_dice import Dice, game_seed, policy_seed
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.game import Game
from ludwright.kernel.play.playouts import playouts as interpreted
from ludwright.kernel.protocol.step import Step
from ludwright.language.canonical import gamedef_bytes
from ludwright.loading import Compilation
from ludwright.native.engine import Engine, NativeFailure
from ludwright.native.game import NativeGame
from ludwright.native.machine import NativeMachine
from ludwright.native.playouts import playouts
from ludwright.program.candidates import draws
from ludwright.testing import random_walk
from ludwright.testing.lockstep import answer_at, attempt, lockstep, number_of_answers
from ludwright.testing.moves import MoveProtocol

BUDGET = 200  # nodes of a search: small, so that it is used up and options stay unknown
TICKS = 3_000  # small as well, so that rules that never end are told soon
LIMIT = 40  # decisions of a game
TESTING_LESS = ("draw_first", "open_answers")  # passes that test fewer answers
CHANCES: tuple[ChanceMode, ...] = ("generator", "explicit")


@contextmanager
def claims_kept() -> Iterator[None]:
    """The interpreter fails where a choice has no option although the compiler says that it
    certainly has one, since it is not among the instructions that can refuse."""
    nothing = ChoicePoint.without_answers

    def checked(self: ChoicePoint, S: Cells, stop: Stop) -> int:
        elsewhere = stop.can_stop or stop.can_decline or self.choice.empty is not None
        if not stop.answers and not elsewhere and self.pc not in self.program.refusing:
            raise AssertionError(f"`{self.choice.name}` certainly has an option, and has none")
        return nothing(self, S, stop)

    with patch.object(ChoicePoint, "without_answers", checked):
        yield


def completed_moves(
    game: Game, seed: int, limit: int, stops: int, budget: int, **watch: Any
) -> Counter[str]:
    """Moves of some states of a random game, completed and compared in every way. `watch` is what
    else `MoveProtocol` takes."""

    def fail(what: str) -> NoReturn:
        raise AssertionError(what)

    protocol = MoveProtocol(game, Dice(seed), fail, budget, **watch)
    try:
        walk = random_walk(game, seed, limit)
    except RulebookFault:
        return Counter({"faulty games": 1})
    for _, state, _ in walk.stops(stops):
        protocol.check(state, 2)
    return protocol.count


def refused_too_late(game: Game, seed: int, limit: int) -> str | None:
    """What was offered as legal in a random game, and then refused; None if nothing was.

    Another seat's decision with nothing to choose ends a part as well, and the compiler does not
    look behind it: that fault is `no-option`.
    """
    dice = Dice(seed)
    try:
        state = game.initial_state(seed)
        for _ in range(limit):
            decision = game.decision(state)
            if decision is None or not decision.answers:
                return None
            at = dice.pick(len(decision.answers))
            try:
                state = game.choose(state, decision.answers[at], decision.seat).state
            except IllegalMove:
                if decision.legality[at] != "unknown":
                    raise
                return None
    except RulebookFault as fault:
        return str(fault) if fault.code == "late-refusal" else None
    return None


class Player:
    """A compiled rulebook and both its engines; raises AssertionError at the first difference."""

    def __init__(self, compilation: Compilation, level: int) -> None:
        assert compilation.program is not None
        assert compilation.gamedef is not None
        self.program = compilation.program
        self.gamedef = compilation.gamedef
        self.engine = Engine(self.program, level, events=True)
        self.whole_games = Engine(self.program, level)
        self._draws = bool(draws(self.program))
        self.machines = {chance: Machine(self.program, chance, BUDGET, TICKS) for chance in CHANCES}
        self.machine = self.machines["generator"]
        self.count: Counter[str] = Counter()

    def _players(self, seed: int) -> int:
        world = self.program.world
        return len(world.seats) if seed % 2 else world.min_players

    @staticmethod
    def _limit(seed: int) -> int:
        """Of a series: games end at any decision, in the middle of a move as well."""
        return LIMIT - seed % 11

    def lockstep(self, seeds: range) -> None:
        """Decision by decision, with both ways of chance."""
        for chance in CHANCES:
            one = self.machines[chance]
            two = NativeMachine(self.program, chance, BUDGET, TICKS, engine=self.engine)
            for seed in seeds:
                scenario = seed % max(1, len(self.program.scenarios))
                with claims_kept():
                    made, difference = lockstep(
                        one, two, seed, self._players(seed), LIMIT, scenario
                    )
                assert difference is None, f"{chance}, seed {seed}, {difference}"
                self.count["games"] += 1
                self.count["decisions"] += made

    def playouts(self, seed: int, games: int = 2) -> None:
        """Games inside the engine end as the same games played by hand do. Where answers are drawn
        before they are listed or tested, a hand would draw others: there they are the games of the
        interpreter's own series."""
        players = self._players(seed)
        for number in range(games):
            try:
                found = playouts(
                    self.whole_games, number + 1, seed, players=players, threads=1,
                    limit=self._limit(seed), ticks=TICKS,
                )  # fmt: skip
                told: object = (
                    tuple(map(int, found.scores[number])), int(found.decisions[number]),
                    int(found.turns[number]), int(found.ends[number]),
                )  # fmt: skip
            except RulebookFault as fault:
                told = str(fault)
            except NativeFailure as failure:
                # Where the budget leaves answers open, all tries may lead nowhere.
                if not self.engine.searches or "[dead-end]" not in str(failure):
                    raise
                told = str(failure)
            self.count["playouts"] += 1
            if self.engine.searches or self._draws:
                # searches of the interpreter take long
                if number == 0 and (seed % 8 == 5 or not self.engine.searches):
                    self._as_interpreted(seed, players)
                continue
            by_hand = self._by_hand(seed, number, players)
            assert told == by_hand, f"playout {number} of seed {seed}: {by_hand} by hand, {told}"
            if isinstance(by_hand, str):
                return

    def _as_interpreted(self, seed: int, players: int) -> None:
        """The first random game of a series to its last byte, with a budget that decides nothing."""
        core = Core(self.program, machine=Machine(self.program, tick_limit=TICKS))
        limit = self._limit(seed)
        one = interpreted(core, 1, seed, players=players, limit=limit, finals=True, go_on=True)
        two = playouts(
            self.whole_games, 1, seed, players=players, limit=limit, finals=True, go_on=True,
            ticks=TICKS,
        )  # fmt: skip
        if one != two and one.failures:
            # These passes leave tests of answers out, and with them the faults in such tests.
            tested = Engine(self.program, 0, without=TESTING_LESS)
            two = playouts(
                tested, 1, seed, players=players, limit=limit, finals=True, go_on=True, ticks=TICKS
            )
            self.count["faults of tests"] += 1
        assert one == two, f"playout 0 of seed {seed}: interpreted {one}, native {two}"
        self.count["playouts alike"] += 1

    def _by_hand(self, seed: int, number: int, players: int) -> object:
        dice = Dice(policy_seed(seed, number))
        machine = self.machine
        cells = machine.fresh(game_seed(seed, number), players, 0)
        stop, cells, _, error, _ = attempt(machine, cells, None, None)
        decisions, limit = 0, self._limit(seed)
        while not error and stop is not None and stop.kind == "decision" and decisions < limit:
            answer = answer_at(stop, dice.pick(number_of_answers(stop)))
            stop, cells, _, error, _ = attempt(machine, cells, stop, answer)
            decisions += 1
        if error:
            return error.removeprefix("RulebookFault: ").removeprefix("IllegalMove: ")
        scores = self.program.scores
        found = tuple(cells[scores : scores + len(self.program.world.seats)])
        return found, decisions, cells[ir.TURN], cells[ir.OVER] - 1

    def moves(self, seed: int, native: bool, **watch: Any) -> None:
        """The move protocol, on one of the engines beside the interpreter."""
        told = gamedef_bytes(self.gamedef)
        game = Game(self.program, told, gamedef=self.gamedef, search_budget=BUDGET)
        if native:
            game = NativeGame(
                self.program, told, gamedef=self.gamedef, search_budget=BUDGET, engine=self.engine
            )
        found = completed_moves(game, seed, 25, 4, BUDGET, **watch)
        self.count.update({f"move {name}": number for name, number in found.items()})

    def games(self, seed: int) -> None:
        """What a caller in Python sees: decisions, moves, events, observations, results."""
        told = gamedef_bytes(self.gamedef)
        chance = CHANCES[seed % 2]
        one = Game(self.program, told, chance, search_budget=BUDGET)
        two = NativeGame(self.program, told, chance, search_budget=BUDGET, engine=self.engine)
        dice = Dice(seed)
        try:
            states = [game.initial_state(seed, self._players(seed)) for game in (one, two)]
        except RulebookFault:
            return
        for step in range(LIMIT // 2):
            where = f"game {seed}, step {step}"
            assert states[0].to_bytes() == states[1].to_bytes(), where
            assert states[0].state_hash == states[1].state_hash, where
            decision = one.decision(states[0])
            assert decision == two.decision(states[1]), where
            seat = one.seats[step % 2]
            assert one.observe(states[0], seat) == two.observe(states[1], seat), where
            if decision is None or not decision.answers:
                assert one.result(states[0]) == two.result(states[1]), where
                return
            answer = decision.answers[dice.pick(len(decision.answers))]
            steps: list[Step] = []
            errors: list[str] = []
            for game, state in zip((one, two), states, strict=True):
                try:
                    steps.append(game.choose(state, answer))
                except (IllegalMove, RulebookFault) as error:
                    errors.append(f"{type(error).__name__}: {error}")
            if errors:
                assert len(errors) == 2, f"{where}: only one engine says {errors[0]}"
                assert errors[0] == errors[1], where
                return
            assert steps[0].events() == steps[1].events(), where
            states = [step.state for step in steps]
            self.count["choices"] += 1
