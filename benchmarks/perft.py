"""Counting chess positions: move sequences per second beside python-chess, in one run.

    python benchmarks/perft.py [DEPTH]

Both count the last move of a sequence without making it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import ludwright as lw

ROUNDS = 3


def reference(board: Any, depth: int) -> int:
    """The usual loop over python-chess's legal moves."""
    if depth == 1:
        return int(board.legal_moves.count())
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += reference(board, depth - 1)
        board.pop()
    return total


def fresh_count(depth: int) -> Callable[[], int]:
    """A count whose table of positions is empty and whose machine code is made."""
    game = lw.load("chess", engine="native")
    state = game.initial_state()
    game.perft(state, 1)
    return lambda: game.perft(state, depth)


def rate(count: Callable[[], int]) -> float:
    begun = time.process_time()
    nodes = count()
    return nodes / (time.process_time() - begun)


def main() -> None:
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    chess: Any = None
    try:
        import chess
    except ImportError:
        print("python-chess is not installed: nothing to compare with")
    rows: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        own = rate(fresh_count(depth))
        other = rate(lambda: reference(chess.Board(), depth)) if chess else 0.0
        rows.append((own, other))
        print(f"depth {depth}: {own:,.0f} nodes/s, python-chess {other:,.0f}")
    if chess:
        ratios = sorted(own / other for own, other in rows)
        print(f"ratio {median(ratios):.2f} ({ratios[0]:.2f} .. {ratios[-1]:.2f})")


if __name__ == "__main__":
    main()
