"""`roll` into variables of seats and properties of pieces, and who is told."""

from __future__ import annotations

import pytest

import ludwright as lw

BOOK = """
```yaml
game: {{ id: rolling, title: Rolling, players: 2 }}
seats: [red, blue]
pieces: {{ die: {{ owner: seat, count: 1, face: 1..6 }} }}
zones: {{ cup: {{ of: die, each: seat, see: owner }} }}
vars: {{ Seat.luck: {{ type: 0..6, see: owner }}, Seat.open: 0..6 }}
setup:
  - for p in seats do place die of p at cup(p)
actions:
  - id: throw
    effects: ["roll {target} in 1..6"]
```
"""


def told(target: str, face: int, seat: str) -> str:
    game = lw.load_text(BOOK.format(target=target), chance="explicit")
    state = game.choose(game.initial_state(), "throw").state
    step = game.choose(state, face)
    return str((game.observe(step.state, seat), step.events(seat)))


@pytest.mark.parametrize("target", ["actor.luck", "actor.cup.piece.face", "first(cup(actor)).face"])
def test_only_the_owner_learns_a_hidden_roll(target: str) -> None:
    assert len({told(target, face, "blue") for face in range(1, 7)}) == 1
    assert len({told(target, face, "red") for face in range(1, 7)}) == 6


def test_everybody_learns_an_open_roll() -> None:
    assert len({told("actor.open", face, "blue") for face in range(1, 7)}) == 6


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("count(cup(red))", "syntax-bad-target"),
        ("red.lcuk", "unknown-variable"),
        ("red.cup", "unknown-variable"),
    ],
)
def test_bad_targets(target: str, code: str) -> None:
    found = lw.compile_text(BOOK.format(target=target)).diagnostics.items
    assert [item.code for item in found] == [code]
