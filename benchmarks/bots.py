"""Searches and solvers against OpenSpiel's, in one run on one thread.

`python -m benchmarks.bots` measures simulations per second from the first position with one playout
per leaf, and how long CFR+ takes to an exploitability, both in processor time. `--games` and
`--simulations` narrow it down.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import ludwright
from ludwright.bots.solving.cfr import equilibrium
from ludwright.bots.solving.cfr_code import functions
from ludwright.bots.solving.game_tree import whole_tree

# Our name, theirs, and how many simulations theirs is given (they are slow in some games).
SEARCHED = {
    "tic-tac-toe": ("tic_tac_toe", 10_000),
    "connect-four": ("connect_four", 10_000),
    "breakthrough": ("breakthrough", 10_000),
    "hex": ("hex", 10_000),
    "nine-mens-morris": ("nine_mens_morris", 10_000),
    "reversi": ("othello", 2_000),
    "chess": ("chess", 500),
    "backgammon": ("backgammon", 500),
}
SOLVED = {
    "kuhn-poker": ("kuhn_poker", 0.001),
    "leduc-poker": ("leduc_poker", 0.001),
}
REPEATS = 3


def ours(name: str, simulations: int) -> float:
    game = ludwright.load(name)
    state = game.initial_state(1)
    game.search(state, simulations=2)
    best = 0.0
    for seed in range(REPEATS):
        begun = time.process_time()
        game.search(state, simulations=simulations, seed=seed, solve=False, margin=0)
        best = max(best, simulations / (time.process_time() - begun))
    return best


def theirs(name: str, simulations: int) -> float:
    import pyspiel

    game: Any = pyspiel.load_game(name)
    best = 0.0
    for seed in range(REPEATS):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, rollouts, 2.0, simulations, 1000, False, seed, False)
        begun = time.process_time()
        bot.mcts_search(state)
        best = max(best, simulations / (time.process_time() - begun))
    return best


def our_solver(name: str, wanted: float) -> tuple[float, float]:
    functions()  # machine code is made before the clock starts
    game = ludwright.load(name, chance="explicit")
    game.initial_state(0)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=[*SEARCHED, *SOLVED])
    parser.add_argument("--simulations", type=int, default=10_000)
    given = parser.parse_args()
    for name in given.games:
        if name in SEARCHED:
            other, most = SEARCHED[name]
            one, two = ours(name, given.simulations), theirs(other, min(most, given.simulations))
            print(
                f"{name}: {one:,.0f} simulations/s, OpenSpiel {two:,.0f}: {one / two:.1f}x",
                flush=True,
            )
        if name in SOLVED:
            other, wanted = SOLVED[name]
            (own, value), (its, known) = our_solver(name, wanted), their_solver(other, wanted)
            print(
                f"{name}: {own:.3f} s to {wanted}, value {value:.4f}; "
                f"OpenSpiel {its:.3f} s, {known:.4f}: {its / own:.1f}x",
                flush=True,
            )


if __name__ == "__main__":
    main()
