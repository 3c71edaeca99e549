"""Native random playouts against OpenSpiel's C++ rollouts and our own interpreter, in one run.

    python benchmarks/native_peers.py [--rounds 5] [--seconds 0.5] [game ...]

Both sides alternate on one core and are measured in processor time; the table gives the median
ratio of the rounds and its spread. Peers that are not installed are left out with a note.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable

import ludwright as lw
from ludwright.agents import RandomAgent
from ludwright.native.engine import Engine
from ludwright.native.playouts import playouts
from ludwright.native.stepping import Stepper
from ludwright.simulate import simulate

# our name -> OpenSpiel's, where the rules are the same
PEERS = {
    "amazons": "amazons",
    "backgammon": "backgammon",
    "breakthrough": "breakthrough",
    "chess": "chess",
    "connect-four": "connect_four",
    "hearts": "hearts",
    "hex": "hex(board_size=11)",
    "kuhn-poker": "kuhn_poker",
    "leduc-poker": "leduc_poker",
    "liars-dice": "liars_dice",
    "nim": "nim",
    "nine-mens-morris": "nine_mens_morris",
    "pig": "pig(players=2)",
    "reversi": "othello",
    "tic-tac-toe": "tic_tac_toe",
}


def pin() -> None:
    """Stay on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def rate(work: Callable[[int], int], seconds: float) -> float:
    """Games per second of processor time; `work(n)` plays about n and gives how many."""
    n = 1
    while True:
        start = time.process_time()
        done = work(n)
        spent = time.process_time() - start
        if spent >= seconds:
            return done / spent
        n = max(n + 1, int(n * min(50.0, 1.2 * seconds / max(spent, 1e-6))))


def native(engine: Engine) -> Callable[[int], int]:
    def work(n: int) -> int:
        playouts(engine, n, seed=n)
        return n

    return work


def interpreted(game: lw.Game) -> Callable[[int], int]:
    def work(n: int) -> int:
        return simulate(game, n, [RandomAgent], seed=n).games

    return work


def openspiel(name: str) -> Callable[[int], int] | str:
    """Rollouts in C++ from the root, or from a dealt position where the root is chance."""
    try:
        import pyspiel  # type: ignore[import-not-found]
    except ImportError:
        return "open_spiel is not installed"
    try:
        game = pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        return str(error).splitlines()[0]
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return "simultaneous moves"
    state = game.new_initial_state()
    dice = random.Random(1)
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(dice.choices(outcomes, weights)[0])

    def work(n: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(n, n)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1000, False, n, False)
        bot.step(state)
        return n

    return work


def stepping(engine: Engine) -> Callable[[int], int]:
    """Decisions driven from Python, one call each."""
    stepper = Stepper(engine)
    dice = random.Random(1).random

    def work(n: int) -> int:
        made = games = 0
        step = stepper.step
        while made < n:
            state, seat, answers, extra = stepper.start(games)
            games += 1
            while seat >= 0:
                count = len(answers)
                at = int(dice() * (count + (extra > 0)))
                if at < count:
                    state, seat, answers, extra = step(state, answers[at])
                else:
                    state, seat, answers, extra = step(state, 0, extra)
                made += 1
        return made

    return work


def spread(values: list[float]) -> str:
    middle = statistics.median(values)
    return f"{middle:8.2f} ({min(values):.2f}-{max(values):.2f})"


def compare(name: str, rounds: int, seconds: float) -> str:
    game = lw.load(name)
    start = time.process_time()
    engine = Engine(game.program)
    compiled = time.process_time() - start
    peer = openspiel(PEERS[name]) if name in PEERS else "no peer"
    ours, ratios, gains = [], [], []
    slow = rate(interpreted(game), seconds)
    for _ in range(rounds):
        fast = rate(native(engine), seconds)
        ours.append(fast)
        gains.append(fast / slow)
        if not isinstance(peer, str):
            ratios.append(fast / rate(peer, seconds))
    told = spread(ratios) if ratios else f"- {peer}"
    steps = rate(stepping(engine), seconds) if engine.interface.batches else 0.0
    return (
        f"{name:18s} {statistics.median(ours):12,.0f} {spread(gains):>26s} {steps:12,.0f} "
        f"{compiled:7.2f}  {told}"
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("games", nargs="*")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--seconds", type=float, default=0.5)
    given = arguments.parse_args()
    pin()
    print(
        f"{'game':18s} {'playouts/s':>12s} {'over interpreter':>26s} {'steps/s':>12s} "
        f"{'compile':>7s}  over OpenSpiel C++"
    )
    for name in given.games or lw.shipped_games():
        print(compare(name, given.rounds, given.seconds), flush=True)


if __name__ == "__main__":
    main()
