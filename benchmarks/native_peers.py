"""Random games of Ludwright and of other programs, in one run on one core.

    python benchmarks/native_peers.py [--rounds 5] [--seconds 0.5] [game ...]

All sides take turns and are measured in processor time; ratios are the median of the rounds, with
the smallest and the largest. A ratio above 1 means that Ludwright is faster. Peers that are not
installed are left out with a note. A game with a rulebook in `variants` is played by that one,
where random games are those of the peer.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import peers
from measuring import Work, pin, rate, rates, ratios, short, table

import ludwright as lw
from ludwright.agents import RandomAgent
from ludwright.kernel.play.game import core_of
from ludwright.native.game import NativeGame
from ludwright.native.machine import NativeMachine
from ludwright.simulate import simulate

PLAYERS = {"texas-holdem": 4}
PERFT_DEPTH = 4
VARIANTS = Path(__file__).parent / "variants"


@dataclass(frozen=True)
class Ours:
    """One of our games; `parts` of a playout are what the peer plays (hands of a tournament)."""

    game: NativeGame
    players: int | None
    decisions: float  # of one part
    turns: float
    parts: float

    @property
    def length(self) -> str:
        """Decisions, and turns where the rules have them."""
        return short(self.decisions) + (f" in {short(self.turns)}" if self.turns > 1 else "")

    def work(self, n: int) -> int:
        self.game.playouts(n, seed=n, players=self.players)
        return n


def loaded(name: str, engine: str) -> lw.Game:
    variant = VARIANTS / f"{name}.md"
    return lw.load(variant if variant.exists() else name, engine=engine)


def ours(name: str) -> Ours:
    game = loaded(name, "native")
    assert isinstance(game, NativeGame)
    players = PLAYERS.get(name)
    sample = game.playouts(500, seed=2, players=players)
    parts = 1.0
    if name == "texas-holdem":
        parts = statistics.mean(_hands(game, seed, players) for seed in range(300))
    decisions, turns = float(sample.decisions.mean()), float(sample.turns.mean())
    return Ours(game, players, decisions / parts, turns, parts)


def _hands(game: lw.Game, seed: int, players: int | None) -> int:
    """Of one random tournament."""
    state = game.initial_state(seed, players)
    dice = random.Random(seed)
    while (decision := game.decision(state)) is not None:
        state = game.choose(state, dice.choice(decision.options)).state
    hands: int = game.observe(state, None)["variables"]["hands"]
    return hands


def interpreted(name: str, players: int | None) -> Work:
    game = loaded(name, "python")

    def work(n: int) -> int:
        return simulate(game, n, [RandomAgent], seed=n, players=players).games

    return work


def driven(game: lw.Game, players: int | None) -> Work:
    """`decision` and `choose` from Python."""
    draw = random.Random(1).random
    seeds = count(1)  # some games are over before anybody decides: the next seed is another game

    def work(n: int) -> int:
        made = 0
        decide, choose = game.decision, game.choose
        while made < n:
            state = game.initial_state(next(seeds), players)
            while (decision := decide(state)) is not None:
                options = decision.options
                answer = options[int(draw() * len(options))] if options else decision.answers[0]
                state = choose(state, answer).state
                made += 1
        return made

    return work


# ----------------------------------------------------------------------- tables


def playout_row(name: str, rounds: int, seconds: float) -> list[str]:
    mine = ours(name)
    slow = rate(interpreted(name, mine.players), seconds)
    try:
        peer = peers.openspiel(name)
        found, theirs = rates([mine.work, peer.work], rounds, seconds)
        compared = [
            short(statistics.median(theirs)), short(peer.decisions),
            ratios(found, theirs, mine.parts),
            ratios(found, theirs, mine.parts * mine.decisions / peer.decisions),
            peers.REMARKS.get(name, ""),
        ]  # fmt: skip
    except peers.Absent as reason:
        (found,) = rates([mine.work], rounds, seconds)
        compared = ["", "", "", "", str(reason)]
    middle = statistics.median(found)
    return [
        name, short(middle * mine.parts), mine.length, short(middle / slow), *compared
    ]  # fmt: skip


def driven_row(name: str, rounds: int, seconds: float) -> list[str]:
    game = loaded(name, "native")
    machine = core_of(game).machine
    assert isinstance(machine, NativeMachine)
    machine.engine.await_optimised()
    mine = driven(game, PLAYERS.get(name))
    try:
        found, theirs = rates([mine, peers.openspiel_from_python(name)], rounds, seconds)
    except peers.Absent:
        (found,) = rates([mine], rounds, seconds)
        return [name, short(statistics.median(found)), "", ""]
    middles = [short(statistics.median(values)) for values in (found, theirs)]
    return [name, *middles, ratios(found, theirs)]


def chess_rows(rounds: int, seconds: float) -> list[list[str]]:
    mine = ours("chess")
    peer = peers.python_chess()
    found, theirs = rates([mine.work, peer.work], rounds, seconds)
    games = [
        "random games, python-chess", short(statistics.median(found)),
        short(statistics.median(theirs)), ratios(found, theirs),
        f"{mine.turns:.0f} and {peer.decisions:.0f} plies a game",
    ]  # fmt: skip

    # Another seed makes other states, of which the counter remembers nothing.
    seeds = count(1)

    def counting(n: int) -> int:
        done = 0
        while done < n:
            done += mine.game.perft(mine.game.initial_state(next(seeds)), PERFT_DEPTH)
        return done

    counting(1)  # the code is made when it is first needed

    found, theirs = rates([counting, peers.python_chess_perft(PERFT_DEPTH)], rounds, seconds)
    counted = [
        f"perft {PERFT_DEPTH} positions, python-chess", short(statistics.median(found)),
        short(statistics.median(theirs)), ratios(found, theirs),
        "here transpositions are counted once",
    ]  # fmt: skip
    return [games, counted]


def poker_rows(rounds: int, seconds: float) -> list[list[str]]:
    mine = ours("texas-holdem")
    rows = []
    peer = peers.pokerkit()
    for what, work, told in (
        ("Texas hold'em hands, PokerKit", peer.work,
         f"{mine.decisions:.1f} and {peer.decisions:.1f} decisions a hand"),
        ("Texas hold'em hands, OpenSpiel's bots", peers.openspiel_bots("texas-holdem"),
         "in C++, with the deal"),
    ):  # fmt: skip
        found, theirs = rates([mine.work, work], rounds, seconds)
        middles = [statistics.median(found) * mine.parts, statistics.median(theirs)]
        rows.append([what, *map(short, middles), ratios(found, theirs, mine.parts), told])
    return rows


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("games", nargs="*")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--seconds", type=float, default=0.5)
    given = arguments.parse_args()
    pin()
    names: Sequence[str] = given.games or list(lw.shipped_games())
    extent = (given.rounds, given.seconds)

    print("Random games per second against OpenSpiel's rollouts in C++\n")
    head = [
        "game", "games/s", "decisions in turns", "over interpreter", "OpenSpiel/s", "decisions",
        "ratio of games", "ratio of decisions", "remark",
    ]  # fmt: skip
    print(table(head, [playout_row(name, *extent) for name in names]), flush=True)

    print("\nDecisions per second, each made by Python: `decision` + `choose`\n")
    rows = [driven_row(name, *extent) for name in names]
    print(table(["game", "native", "OpenSpiel", "ratio"], rows), flush=True)

    print("\nOther peers, per second\n")
    others: list[list[str]] = []
    for name, measured in (("chess", chess_rows), ("texas-holdem", poker_rows)):
        if name in names:
            try:
                others += measured(*extent)
            except peers.Absent as reason:
                others.append([name, "", "", "", str(reason)])
    print(table(["what", "Ludwright", "peer", "ratio", "remark"], others))


if __name__ == "__main__":
    main()
