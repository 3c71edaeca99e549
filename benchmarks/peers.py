"""Other programs that play the same games, each as work to be measured.

A peer that is not installed is told by `Absent`, with what is missing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

from measuring import Work

HOLDEM = (
    "universal_poker(betting=nolimit,bettingAbstraction={how},numPlayers=4,numRounds=4,"
    "blind=10 20 0 0,firstPlayer=3 1 1 1,numSuits=4,numRanks=13,numHoleCards=2,"
    "numBoardCards=0 3 1 1,stack=1000 1000 1000 1000)"
)

# our name -> OpenSpiel's, where the rules are the same
OPENSPIEL = {
    "amazons": "amazons",
    "backgammon": "backgammon",
    "breakthrough": "breakthrough",
    "chess": "chess",
    "connect-four": "connect_four",
    "draughts": "checkers",
    "go": "go(board_size=9,komi=7.5)",
    "hearts": "hearts",
    "hedgerow": "quoridor",
    "hex": "hex(board_size=11)",
    "kuhn-poker": "kuhn_poker",
    "leduc-poker": "leduc_poker",
    "liars-dice": "liars_dice",
    "nim": "nim",
    "nine-mens-morris": "nine_mens_morris",
    "pig": "pig(players=2)",
    "reversi": "othello",
    "texas-holdem": HOLDEM.format(how="fcpa"),
    "tic-tac-toe": "tic_tac_toe",
}

# where a game does not compare one to one
REMARKS = {
    "backgammon": "OpenSpiel: half a double or a pass is one action",
    "breakthrough": "OpenSpiel: a move is one action, here two decisions",
    "chess": "OpenSpiel: a move is one action; drawn after 3 occurrences or 50 moves, here 5 or 75",
    "draughts": "OpenSpiel: each jump is one action; drawn after 40 quiet moves, here 80",
    "go": "a pass is one answer among the crossings; the shipped game asks first whether to pass",
    "hearts": "OpenSpiel: from the dealt cards",
    "hedgerow": "a run and a hedge are answers to one question; the shipped game asks which first",
    "kuhn-poker": "OpenSpiel: from the dealt cards",
    "leduc-poker": "OpenSpiel: from the dealt cards",
    "liars-dice": "OpenSpiel: from the dealt dice; a bid is one action, here three decisions",
    "nim": "OpenSpiel: a move is one action, here two decisions",
    "nine-mens-morris": "OpenSpiel: a move is one action, here two or three decisions",
    "reversi": "OpenSpiel: a move is one action, here two decisions",
    "pig": "OpenSpiel: holding nothing is allowed",
    "texas-holdem": "hands of 4-player tournaments; OpenSpiel: dealt cards, raises pot or all",
}


class Absent(Exception):
    """This peer cannot be measured here."""


@dataclass(frozen=True)
class Peer:
    work: Work  # whole games
    decisions: float  # of one game, on average


# ------------------------------------------------------------------ OpenSpiel


def _openspiel(name: str) -> tuple[Any, Any]:
    """The module and the game."""
    try:
        import pyspiel
    except ImportError:
        raise Absent("open_spiel is not installed") from None
    if name not in OPENSPIEL:
        raise Absent("not in OpenSpiel")
    try:
        return pyspiel, pyspiel.load_game(OPENSPIEL[name])
    except pyspiel.SpielError as error:
        raise Absent(str(error).splitlines()[0]) from None


def _roll(state: Any, dice: random.Random) -> None:
    """Chance as far as the next player."""
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(dice.choices(outcomes, weights)[0])


def openspiel(name: str) -> Peer:
    """Rollouts in C++ from the root, or from a dealt position where the root is chance."""
    pyspiel, game = _openspiel(name)
    root = game.new_initial_state()
    _roll(root, random.Random(1))

    def work(n: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(n, n)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1000, False, n, False)
        bot.step(root)
        return n

    # Counted in Python, because rollouts do not tell how long they were.
    dice, made, games = random.Random(2), 0, 0
    while games < 20 or (games < 1000 and made < 40_000):
        state = root.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                _roll(state, dice)
                continue
            state.apply_action(dice.choice(state.legal_actions()))
            made += 1
        games += 1
    return Peer(work, made / games)


def openspiel_bots(name: str) -> Work:
    """Whole games with their deal: random bots in C++, one call a game."""
    pyspiel, game = _openspiel(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    seeds = count(1)

    def work(n: int) -> int:
        for _ in range(n):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return n

    return work


def openspiel_from_python(name: str) -> Work:
    """Moves, each chosen by Python."""
    _, game = _openspiel(name)
    dice = random.Random(3)

    def work(n: int) -> int:
        made = 0
        draw = dice.random
        while made < n:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    _roll(state, dice)
                    continue
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
                made += 1
        return made

    return work


# --------------------------------------------------------------- python-chess


def _chess() -> Any:
    try:
        import chess  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise Absent("python-chess is not installed") from None
    return chess


def python_chess() -> Peer:
    chess = _chess()
    dice = random.Random(4)

    def play() -> int:
        board = chess.Board()
        plies = 0
        while board.outcome() is None:
            board.push(dice.choice(list(board.legal_moves)))
            plies += 1
        return plies

    def work(n: int) -> int:
        for _ in range(n):
            play()
        return n

    return Peer(work, sum(play() for _ in range(10)) / 10)


def python_chess_perft(depth: int) -> Work:
    """Positions counted."""
    chess = _chess()

    def below(board: Any, left: int) -> int:
        if left == 1:
            found: int = board.legal_moves.count()
            return found
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += below(board, left - 1)
            board.pop()
        return total

    def work(n: int) -> int:
        done = 0
        while done < n:
            done += below(chess.Board(), depth)
        return done

    return work


# ------------------------------------------------------------------- PokerKit


def pokerkit() -> Peer:
    """Hands of four players with 1000 chips and blinds of 10 and 20; raises as we draw them."""
    try:
        from pokerkit import Automation, NoLimitTexasHoldem
    except ImportError:
        raise Absent("pokerkit is not installed") from None
    dice = random.Random(5)
    automatic = tuple(Automation)

    def play() -> int:
        hand = NoLimitTexasHoldem.create_state(automatic, True, 0, (10, 20), 20, (1000,) * 4, 4)
        made = 0
        while hand.status:
            actions: list[Callable[[], object]] = [hand.check_or_call]
            if hand.can_fold():
                actions.append(hand.fold)
            lowest = hand.min_completion_betting_or_raising_to_amount
            if lowest is not None:
                highest = hand.max_completion_betting_or_raising_to_amount or lowest
                amount = dice.randint(lowest, highest)
                actions.append(partial(hand.complete_bet_or_raise_to, amount))
            dice.choice(actions)()
            made += 1
        return made

    def work(n: int) -> int:
        for _ in range(n):
            play()
        return n

    return Peer(work, sum(play() for _ in range(200)) / 200)
