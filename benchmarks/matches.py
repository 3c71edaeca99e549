"""Matches against OpenSpiel's `MCTSBot`: `python -m benchmarks.matches`.

Both sides move in turns from the first position, and change colours after each game. With
`--equal simulations` both have the same number for a move and the same constants, and nothing is
proven. OpenSpiel gives an answer that ends the game no bonus for exploration, so a win is tried
less often than it should be while others have a large one. `--mended` takes its bot in Python
without that rule. `--without` takes away what ours has and theirs has not, in its specification in
Python: `transpositions`, and `counting`, by which each node counts its first playout too and the
first simulation is spent on the root. With `--equal time` ours plays as it is, and the number of
its simulations is as much larger as its simulations are faster, measured in processor time in the
same run. So matches are repeatable on a busy machine.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import ludwright
from ludwright.kernel.interpreter.run import Cells
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.play.trees import plain
from ludwright.kernel.play.trees.analysis import interval

ROUNDS = 5  # of measuring both sides in turns
FITTED = 4  # times that the number of simulations is fitted to the time


@dataclass(frozen=True)
class Board:
    """A game that both know."""

    ours: str
    theirs: str
    written: Callable[[Any, int], str]  # an action of theirs in our notation
    parameters: tuple[tuple[str, int], ...] = ()
    decisions: int = 1  # of one move here


def _plain(state: Any, action: int) -> str:
    return str(state.action_to_string(action))


def _column(state: Any, action: int) -> str:
    return str(action + 1)


def _cell(state: Any, action: int) -> str:
    return f"{'abc'[action % 3]}{3 - action // 3}"


def _turned(state: Any, action: int) -> str:
    """OpenSpiel's first side of breakthrough starts at the top."""
    text = state.action_to_string(action).rstrip("*")
    return f"{text[0]}{9 - int(text[1])}{text[2]}{9 - int(text[3])}"


BOARDS = {
    "tic-tac-toe": Board("tic-tac-toe", "tic_tac_toe", _cell),
    "connect-four": Board("connect-four", "connect_four", _column),
    "hex-5": Board("hex", "hex(board_size=5)", _plain, (("board_size", 5),)),
    "breakthrough": Board("breakthrough", "breakthrough", _turned, decisions=2),
}


class PoorerTree(plain.Tree):
    """Ours, without what theirs does not have."""

    without: tuple[str, ...] = ()

    def node(self, cells: Cells, stop: Stop | None) -> plain.Node | None:
        if "transpositions" in self.without:
            self.known.pop(plain.position(cells), None)
        known = plain.position(cells) in self.known
        found = super().node(cells, stop)
        if found is not None and not known and "counting" in self.without:
            found.visits = 1
        return found


class Match:
    """Games of one board."""

    def __init__(
        self, board: Board, simulations: int, own: int, engine: str = "native", **settings: Any
    ) -> None:
        import pyspiel

        self._spiel, self.board, self.settings = pyspiel, board, settings
        parameters: dict[str, Any] = dict(board.parameters)
        self.game = ludwright.load(board.ours, engine=engine, **parameters)
        self.other: Any = pyspiel.load_game(board.theirs)
        self.simulations, self.own, self.mended = simulations, own, False

    def bot(self, simulations: int, seed: int) -> Any:
        if self.mended:
            return _mended_bot(self.other, simulations, seed)
        rollouts = self._spiel.RandomRolloutEvaluator(1, seed)
        return self._spiel.MCTSBot(self.other, rollouts, 2.0, simulations, 1000, False, seed, False)

    def play(self, number: int) -> float:
        """Our points: 1, one half or 0."""
        first, bot = number % 2 == 0, self.bot(self.simulations, number + 1)
        state, their_state = self.game.initial_state(number), self.other.new_initial_state()
        seats = self.game.seats
        mine = seats[0] if first else seats[1]
        move = 0
        while (turn := self.game.current_seat(state)) is not None:
            move += 1
            known = {self.board.written(their_state, a): a for a in their_state.legal_actions()}
            if turn == mine:
                state, text = self._moved(state, 1_000_003 * number + move)
                action = known[text]
            else:
                action = bot.step(their_state)
                text = self.board.written(their_state, action)
                state = self.game.apply_move(state, self.game.parse_move(state, text)).state
            their_state.apply_action(action)
        assert their_state.is_terminal()
        result = self.game.result(state)
        assert result is not None
        return 0.5 if len(result.winners) != 1 else float(mine in result.winners)

    def _moved(self, state: Any, seed: int) -> tuple[Any, str]:
        """Our move, decision by decision, and how it is written."""
        told = ""
        for part in range(self.board.decisions):
            share = self.own // self.board.decisions
            found = self.game.search(state, simulations=share, seed=seed + part, **self.settings)
            told += str(found.best)
            state = self.game.choose(state, found.best).state
        return state, told

    def even_out(self) -> float:
        """Give ours as many simulations as it makes in the time of theirs; the ratio of the rates.

        A search begins with what it does once, so both are measured with what they are given."""
        for _ in range(FITTED):
            mine, yours = list[float](), list[float]()
            for seed in range(ROUNDS):
                mine.append(_seconds(partial(self._think, seed)))
                bot, state = self.bot(self.simulations, seed + 1), self.other.new_initial_state()
                yours.append(_seconds(partial(bot.mcts_search, state)))
            self.own = max(1, round(self.own * min(yours) / min(mine)))
        return self.own / self.simulations

    def _think(self, seed: int) -> None:
        self.game.search(self.game.initial_state(1), simulations=self.own, seed=seed)


def _seconds(work: Callable[[], object]) -> float:
    """Of processor time."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _mended_bot(game: Any, simulations: int, seed: int) -> Any:
    """OpenSpiel's bot in Python, with the bonus for all answers."""
    import numpy as np
    from open_spiel.python.algorithms import mcts  # type: ignore[import-untyped]

    dice = np.random.RandomState(seed)  # its own kind
    rollouts = mcts.RandomRolloutEvaluator(1, dice)

    def uct_value(node: Any, parent_explore_count: int, uct_c: float) -> float:
        if not node.explore_count:
            return math.inf
        spread = math.sqrt(math.log(parent_explore_count) / node.explore_count)
        return float(node.total_reward / node.explore_count + uct_c * spread)

    return mcts.MCTSBot(
        game, 2.0, simulations, rollouts, solve=False, random_state=dice,
        child_selection_fn=uct_value,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--equal", choices=["simulations", "time"], default="simulations")
    parser.add_argument("--games", nargs="*", default=["tic-tac-toe", "connect-four", "hex-5"])
    parser.add_argument("-n", type=int, default=400)
    parser.add_argument("--simulations", type=int, default=100, help="of theirs, for a move")
    parser.add_argument("--mended", action="store_true", help="their bot explores ends too")
    parser.add_argument("--without", nargs="*", choices=["transpositions", "counting"])
    given = parser.parse_args()
    engine = "native"
    if given.without is not None:
        engine, PoorerTree.without = "python", tuple(given.without)
        plain.Tree = PoorerTree  # type: ignore[misc]
    alike: dict[str, Any] = {"solve": False, "margin": 0}
    for name in given.games:
        settings = alike if given.equal == "simulations" else {}
        own = given.simulations - ("counting" in PoorerTree.without)
        match = Match(BOARDS[name], given.simulations, own, engine, **settings)
        said, match.mended = " (mended)" if given.mended else "", given.mended
        if given.without:
            said += f" without {', '.join(given.without)}"
        if given.equal == "time":
            faster = match.even_out()
            said = f" ({faster:.1f}x as fast: {match.own} against {given.simulations})"
        points = sum(match.play(number) for number in range(given.n))
        low, high = interval(points / given.n, given.n)
        print(
            f"{name}, equal {given.equal}{said}: share {points / given.n:.3f} of {given.n} games, "
            f"95 % {low:.3f} … {high:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
