"""The native game as a whole, and batches from Python."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from ludwright.errors import IllegalMove
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.game import core_of
from tests.native.support import engine, needs_native

pytestmark = needs_native


# ------------------------------------------------------------------ the game


def test_a_native_game_does_what_a_game_does() -> None:
    games = [lw.load("nim", engine=name) for name in ("python", "native")]
    states = [game.initial_state(seed=4) for game in games]
    while (decision := games[0].decision(states[0])) is not None:
        assert decision == games[1].decision(states[1])
        assert games[0].legal_moves(states[0]) == games[1].legal_moves(states[1])
        answer = decision.answers[-1]
        steps = [game.choose(state, answer) for game, state in zip(games, states, strict=True)]
        assert steps[0].events() == steps[1].events()
        states = [step.state for step in steps]
        assert states[0].to_bytes() == states[1].to_bytes()
    assert games[0].result(states[0]) == games[1].result(states[1])


def test_an_answer_that_is_not_offered_is_refused_alike() -> None:
    told = []
    for name in ("python", "native"):
        game = lw.load("nim", engine=name)
        with pytest.raises(IllegalMove) as caught:
            game.choose(game.initial_state(), "nowhere")
        told.append(str(caught.value))
    assert told[0] == told[1]


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(ValueError, match="auto, native or python"):
        lw.load("nim", engine="quantum")


# ------------------------------------------------------------------- batches


def test_a_batch_steps_many_states() -> None:
    import numpy as np

    from ludwright.native.batch import NativeBatch

    batch = NativeBatch.fresh(engine("tic-tac-toe"), 16, seed=2)
    assert (batch.counts == 9).all()
    assert batch.masks(9).all()
    kept = batch.copy()
    for _ in range(9):
        batch.step(np.zeros(16, np.int64))
    assert (batch.seats == -1).all()
    assert (batch.states == batch.states[0]).sum() >= batch.states.size - 32  # but for generators
    assert (kept.counts == 9).all()
    with pytest.raises(ValueError, match="not the number of an answer"):
        kept.step(np.full(16, 9))


# ------------------------------------------------------- tuples as answers

PAIRS = """# Pairs

```yaml
game: { id: pairs, title: Pairs, players: 2 }
seats: [red, blue]
vars: { total: 0..999 clamp, turns: 0..9 clamp }
actions:
  - id: take
    params: { pair: "[(n, p) for n in 1..3 for p in seats]" }
    effects:
      - total += pair[0]
      - chooseN: { bind: $more, options: "[(n, p) for n in 1..2 for p in seats]", max: 2 }
      - for n, p in $more do total += n * 10
      - turns += 1
end: [{ when: turns == 4, win: actor, reason: enough }]
```
"""


def _last(game: lw.Game, state: lw.State) -> Any:
    """The kernel's own form of the last answer."""
    stop = core_of(game).stop(state)
    return lw.STOP if stop.can_stop else stop.answers[-1]


def test_tuples_are_answered_in_steps_batches_and_playouts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import numpy as np

    from ludwright.native.batch import NativeBatch
    from ludwright.native.engine import Engine
    from ludwright.native.playouts import playouts

    plain = lw.load_text(PAIRS, engine="python")
    game = lw.load_text(PAIRS, engine="native")
    native = Engine(game.program, 0)
    batch = NativeBatch.fresh(native, 3, seed=1)
    state, there = game.initial_state(seed=1), plain.initial_state(seed=1)
    assert (batch.widths == 2).all()
    with pytest.raises(IllegalMove):
        game.choose(state, [2, "green"])
    taken: list[Any] = []
    monkeypatch.setattr(Core, "choose", lambda *given: taken.append(given))
    while (decision := game.decision(state)) is not None:
        if decision.name == "pair":
            assert decision.options[3] == [2, "blue"]
        state = game.choose(state, decision.answers[-1]).state
        core = core_of(plain)
        there = core.advance(there, core.stop(there), _last(plain, there)).state
        batch.step(batch.counts - 1 + (batch.extra > 0))
        assert there.to_bytes() == state.to_bytes()
        cells = np.frombuffer(state.to_bytes(), np.int32)
        assert (batch.states[:, 2:] == cells[2:]).all()
    assert not taken  # all of them plain
    assert not batch.masks(4).any()
    assert int(playouts(native, 20, seed=2).decisions.sum()) > 100


@pytest.mark.timeout(60)
def test_a_function_of_a_set_is_tried_with_sets_only() -> None:
    """Tables are made of what a function gives; a number below 0 is no set, and would never end."""
    game = lw.load("hex", board_size=5, engine="native")
    assert game.decision(game.initial_state()) is not None
