"""Searches and solvers against OpenSpiel's, in one run on one thread: `python -m benchmarks.bots`.

Simulations per second from the first position, with one playout per leaf and the same constants;
where something is hidden, over information sets, and hearts seeing all cards too. How long CFR+
takes to an exploitability. Both sides take turns and are measured in processor time; the ratio is
the median of the rounds. `--games` narrows it down.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ludwright
from ludwright.bots.solving.cfr import equilibrium
from ludwright.bots.solving.cfr_code import functions
from ludwright.bots.solving.exact import solve
from ludwright.bots.solving.game_tree import whole_tree


@dataclass(frozen=True)
class Searched:
    """A game to search: our name, theirs, and how many simulations theirs is given (they are slow
    in some games)."""

    ours: str
    theirs: str
    most: int = 10_000
    sets: bool = False  # over information sets
    sees_all: bool = False


SEARCHED = {
    "tic-tac-toe": Searched("tic-tac-toe", "tic_tac_toe"),
    "connect-four": Searched("connect-four", "connect_four"),
    "breakthrough": Searched("breakthrough", "breakthrough"),
    "hex": Searched("hex", "hex"),
    "nine-mens-morris": Searched("nine-mens-morris", "nine_mens_morris"),
    "reversi": Searched("reversi", "othello", 2_000),
    "go, 9 x 9": Searched("go", "go(board_size=9,komi=7.5)", 2_000),
    "backgammon": Searched("backgammon", "backgammon", 500),
    "chess": Searched("chess", "chess", 500),
    "hearts, all cards": Searched("hearts", "hearts", sees_all=True),
    "kuhn-poker, sets": Searched("kuhn-poker", "kuhn_poker", sets=True),
    "leduc-poker, sets": Searched("leduc-poker", "leduc_poker", sets=True),
    "hearts, sets": Searched("hearts", "hearts", sets=True),
}
# Our name, our parameters, theirs, the exploitability to reach.
SOLVED: dict[str, tuple[str, dict[str, int], str, float]] = {
    "kuhn-poker": ("kuhn-poker", {}, "kuhn_poker", 0.001),
    "leduc-poker": ("leduc-poker", {}, "leduc_poker", 0.001),
    "goofspiel-4": (
        "goofspiel", {"cards": 4},
        "turn_based_simultaneous_game(game=goofspiel(num_cards=4,points_order=random,"
        "returns_type=point_difference))",
        0.001,
    ),
    "liars-dice": ("liars-dice", {}, "liars_dice", 0.01),
}  # fmt: skip
ROUNDS = 5
ROUND_SECONDS = 0.1  # of each side; ten thousand simulations may take only three milliseconds


def rate(simulations: int, seed: int, search: Callable[[int], float]) -> float:
    """Simulations per second, in as many searches as a round takes; each says how long it took."""
    searches, taken = 0, 0.0
    while taken < ROUND_SECONDS:
        taken += search(1_000 * seed + searches)
        searches += 1
    return searches * simulations / taken


class Ours:
    def __init__(self, searched: Searched) -> None:
        self._game, self._sees_all = ludwright.load(searched.ours), searched.sees_all
        self._state = self._game.initial_state(1)
        self._search(2, 0)  # the code is made

    def rate(self, simulations: int, seed: int) -> float:
        return rate(simulations, seed, lambda each: self._search(simulations, each))

    def _search(self, simulations: int, seed: int) -> float:
        begun = time.process_time()
        self._game.search(
            self._state, simulations=simulations, seed=seed, solve=False, margin=0,
            sees_all=self._sees_all,
        )  # fmt: skip
        return time.process_time() - begun


class Theirs:
    def __init__(self, searched: Searched) -> None:
        import pyspiel

        self._spiel: Any = pyspiel
        self._game, self._sets = self._spiel.load_game(searched.theirs), searched.sets
        dice, self._state = random.Random(1), self._game.new_initial_state()
        while self._state.is_chance_node():
            self._state.apply_action(dice.choice(self._state.legal_actions()))

    def rate(self, simulations: int, seed: int) -> float:
        return rate(simulations, seed, lambda each: self._search(simulations, each))

    def _search(self, simulations: int, seed: int) -> float:
        rollouts = self._spiel.RandomRolloutEvaluator(1, seed)
        if self._sets:
            bot = self._spiel.ISMCTSBot(seed, rollouts, 2.0, simulations)
            think = bot.step
        else:
            args = (self._game, rollouts, 2.0, simulations, 1000, False, seed, False)
            think = self._spiel.MCTSBot(*args).mcts_search
        begun = time.process_time()
        think(self._state)
        return time.process_time() - begun


def compare(name: str, simulations: int) -> None:
    searched = SEARCHED[name]
    ours, theirs = Ours(searched), Theirs(searched)
    rows = [
        (ours.rate(simulations, seed), theirs.rate(min(searched.most, simulations), seed))
        for seed in range(1, ROUNDS + 1)
    ]
    ratios = [one / two for one, two in rows]
    one, two = (statistics.median(column) for column in zip(*rows, strict=True))
    print(
        f"{name}: {one:,.0f} simulations/s, OpenSpiel {two:,.0f}: "
        f"{statistics.median(ratios):.1f}x ({min(ratios):.1f}-{max(ratios):.1f})",
        flush=True,
    )


def our_solver(name: str, parameters: dict[str, Any], wanted: float) -> tuple[float, float]:
    functions()  # machine code is made before the clock starts
    game = ludwright.load(name, chance="explicit", **parameters)
    start = game.initial_state(0)
    game.decision(start)
    begun = time.process_time()
    found = equilibrium(whole_tree(game), wanted)
    return time.process_time() - begun, found.value


def their_solver(name: str, wanted: float) -> tuple[float, float]:
    import pyspiel

    game: Any = pyspiel.load_game(name)
    begun = time.process_time()
    solver = pyspiel.CFRPlusSolver(game)
    batch, done = 16, 0
    while True:
        for _ in range(batch):
            solver.evaluate_and_update_policy()
        done += batch
        policy = solver.average_policy()
        if pyspiel.exploitability(game, policy) <= wanted:
            break
        batch = max(batch, done // 4)
    taken = time.process_time() - begun
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    return taken, float(value)


def _quickest(solver: Callable[[], tuple[float, float]]) -> tuple[float, float]:
    found = [solver()]
    while len(found) < ROUNDS and sum(taken for taken, _ in found) < ROUND_SECONDS:
        found.append(solver())
    return min(found)


def solve_both(name: str) -> None:
    own_name, parameters, other, wanted = SOLVED[name]
    # what is over in a millisecond is done several times, and the quickest counts
    own, value = _quickest(lambda: our_solver(own_name, parameters, wanted))
    its, known = _quickest(lambda: their_solver(other, wanted))
    print(
        f"{name}: {own:.3f} s to {wanted}, value {value:.4f}; "
        f"OpenSpiel {its:.3f} s, {known:.4f}: {its / own:.1f}x",
        flush=True,
    )


def solve_tic_tac_toe() -> None:
    game = ludwright.load("tic-tac-toe")
    state = game.initial_state()
    game.search(state, simulations=1)
    times: list[float] = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        found = solve(game, state, 10, 1 << 28)
        times.append(time.process_time() - begun)
    print(f"tic-tac-toe solved: {dict(found.values)} in {min(times):.3f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=[*SEARCHED, *SOLVED])
    parser.add_argument("--simulations", type=int, default=10_000)
    given = parser.parse_args()
    for name in given.games:
        if name in SEARCHED:
            compare(name, given.simulations)
        if name == "tic-tac-toe":
            solve_tic_tac_toe()
        if name in SOLVED:
            solve_both(name)


if __name__ == "__main__":
    main()
