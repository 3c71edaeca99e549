"""One `chooseN` over many spaces: time follows the options, never the subsets.

python benchmarks/choose_n.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import ludwright as lw

RULEBOOK = """
```yaml
game: {{ id: train, title: Train, players: 1 }}
spaces: {{ town: {{ track: {count} }} }}
vars: {{ Space.trained: bool, done: bool }}
actions:
  - id: train
    effects:
      - chooseN: {{ bind: $where, options: s for s in town if not s.trained, min: 1, max: all }}
      - for s in $where do s.trained = true
      - done = true
end: [{{ when: done, win: actor, reason: trained }}]
```
"""


def timed(action: Callable[[], object], repeats: int = 50) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(repeats):
            action()
        best = min(best, (time.perf_counter() - start) / repeats)
    return best * 1e6


def pick_all(game: lw.Game, state: lw.State) -> None:
    while (decision := game.decision(state)) is not None:
        state = game.choose(state, decision.options[0]).state


def measure(count: int) -> None:
    game = lw.load_text(RULEBOOK.format(count=count))
    state = game.initial_state()
    move = game.legal_moves(state)[0]
    moves = timed(lambda: game.legal_moves(state))
    choices = timed(lambda: game.legal_choices(state, move))
    picks = timed(lambda: pick_all(game, state), 3) / count
    print(f"{count:6} {moves:18.1f} {choices:18.1f} {picks:18.1f}")


def main() -> None:
    heads = ("legal_moves µs", "legal_choices µs", "all picks, µs each")
    print("spaces " + " ".join(f"{head:>18}" for head in heads))
    for count in (10, 20, 30, 60):
        measure(count)


if __name__ == "__main__":
    main()
