"""Time per pick of an operation over many spaces, completed through `legal_choices`.

Run `python benchmarks/train_picks.py`. *Train* picks a set, *March* carries out each pick before
the next. Each request lists the spaces that are left, so a pick costs in proportion to the spaces,
whatever was picked before: all picks of a move together take time linear in their number.
"""

from __future__ import annotations

import time
from pathlib import Path

import ludwright as lw

FIXTURE = Path(__file__).parent.parent / "tests" / "seeds" / "fixtures" / "train.md"
SIZES = (10, 20, 30, 60)
ROUNDS = 5


def seconds_per_pick(game: lw.Game, action: str, key: str, picks: int) -> float:
    """Seconds per pick, for the best of several rounds."""
    best = float("inf")
    state = game.initial_state(seed=1)
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        move = lw.Move(action)
        for number in range(picks):
            request = game.legal_choices(state, move)
            move = move.with_param(key.format(number), request.options[0])
        best = min(best, time.perf_counter() - begun)
    return best / picks


def main() -> None:
    text = FIXTURE.read_text(encoding="utf-8")
    print("spaces  templates  picks  train µs/pick  march µs/pick")
    for size in SIZES:
        game = lw.load_text(text, width=size)
        templates = len(game.legal_moves(game.initial_state(seed=1)))
        for picks in sorted({1, size // 2, size}):
            train = seconds_per_pick(game, "train", "$where#{}", picks) * 1e6
            march = seconds_per_pick(game, "march", "$into[{}]", picks) * 1e6
            print(f"{size:6}  {templates:9}  {picks:5}  {train:13.0f}  {march:13.0f}")


if __name__ == "__main__":
    main()
