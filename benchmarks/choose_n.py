"""One `chooseN` over many spaces: time follows the options, never the subsets.

python benchmarks/choose_n.py
"""

from __future__ import annotations

import time

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


def timed(action: object, repeats: int = 50) -> float:
    assert callable(action)
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(repeats):
            action()
        best = min(best, (time.perf_counter() - start) / repeats)
    return best * 1e6


def main() -> None:
    print(
        f"{'spaces':>6} {'legal_moves µs':>15} {'legal_choices µs':>17} {'all picks, µs each':>19}"
    )
    for count in (10, 20, 30, 60):
        game = lw.load_text(RULEBOOK.format(count=count))
        state = game.initial_state()
        move = game.legal_moves(state)[0]

        def pick_all() -> None:
            at = state
            while (decision := game.decision(at)) is not None:
                at = game.choose(at, decision.options[0]).state

        moves = timed(lambda: game.legal_moves(state))
        choices = timed(lambda: game.legal_choices(state, move))
        picks = timed(pick_all, 3) / count
        print(f"{count:6} {moves:15.1f} {choices:17.1f} {picks:19.1f}")


if __name__ == "__main__":
    main()
