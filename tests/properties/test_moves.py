"""The move protocol over a book in which everything nests, and over generated rulebooks; over the
shipped games it is a check of the conformance kit (see `test_games`).

`LUDWRIGHT_MOVE_BOOKS=2000` looks at that many generated rulebooks.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

import pytest

import ludwright as lw
from ludwright.agents.dice import Dice
from ludwright.errors import RulebookFault
from ludwright.kernel import program as ir
from ludwright.kernel import walking
from ludwright.kernel.decisions import DecisionIds
from ludwright.kernel.game import Game
from ludwright.language.canonical import gamedef_bytes
from ludwright.language.compiling import hidden
from ludwright.language.compiling.lowering import Lowering
from ludwright.testing import random_walk
from ludwright.testing.moves import MoveProtocol
from tests.native.rulebooks.writing import rulebook
from tests.native.support import needs_native

BOOKS = int(os.environ.get("LUDWRIGHT_MOVE_BOOKS", "30"))
BUDGET = 200  # nodes of a search: small, so that options stay unknown now and then
NATIVE = 10  # one of so many rulebooks is also played by the native engine

# Everything that nests, beside a zone that hides cards and a demand behind public pieces.
NESTED = """
```yaml
game: { id: nested, title: Nested, players: 2 }
seats: [red, blue]
spaces: { land: { track: 3 } }
tables: { Card: [{ id: gift }, { id: storm }] }
pieces: { stone: { owner: seat, count: 40 }, rumour: { each: { worth: 1..4 } } }
zones:
  hand: { each: seat, see: owner, of: rumour }
  heap: { order: deck, see: count, init: all, of: rumour }
vars: { total: 0..90 clamp, Seat.bid: 0..9, Space.n: 0..20 clamp, current: Card = gift }
setup: [draw 1 from heap to hand(red), draw 1 from heap to hand(blue)]
procs:
  ask(): [{ chooseOne: { bind: $s, options: land } }, $s.n += 1]
  both(): [ask(), ask()]
events:
  - id: gift
    unshaded: [{ forEach: { bind: i, over: 1..2, do: [{ offer: { actions: [dig, sow], free: true } }] } }]
    shaded: [ask(), both()]
  - { id: storm, effects: [{ chooseN: { bind: $s, options: land, min: 1, max: 2 } }, total += 1] }
operations:
  - id: dig
    cost: { validate: total >= 5, spend: [total -= 5] }
    effects: [{ chooseOne: { bind: $s, options: land } }, $s.n += 1]
    linkedSpecialActivityWindows: [raid]
  - { id: sow, effects: [{ chooseN: { bind: $s, options: land, max: 2 } }, total += count($s)] }
  - id: fill
    decisions: live
    effects:
      - forEach:
          bind: i
          over: 1..3
          do:
            - chooseOne: { bind: $s, options: land }
            - place stone of actor at $s
            - require i < 3 or $s == land3
specials:
  - { id: raid, timing: [before, after], effects: [{ chooseOne: { bind: $t, options: land } }, ask()] }
actions:
  - { id: pass, effects: [total += 1, current = storm] }
  - { id: event, effects: [resolve current, current = gift] }
  - { id: grant, effects: [{ chooseOne: { bind: $s, options: 1..2 } }, { offer: { actions: [dig, event] } }] }
  - { id: twice, effects: [{ offer: { actions: [grant] } }, { offer: { actions: [grant, pass] } }] }
  - id: seal
    effects:
      - chooseOne: { bind: $bid, options: 0..3, together: true }
      - for p in seats do p.bid = $bid[p]
      - both()
  - { id: gossip, effects: [draw 1 from heap to hand(actor), ask()], pre: any(heap) }
end: [{ when: total > 60, draw: all, reason: done }]
```
"""


def fail(what: str) -> NoReturn:
    raise AssertionError(what)


def checked(game: Game, seed: int, limit: int, stops: int, budget: int) -> Counter[str]:
    """Moves of some states of a random game."""
    protocol = MoveProtocol(game, Dice(seed), fail, budget)
    try:
        walk = random_walk(game, seed, limit)
    except RulebookFault:
        return Counter()
    for _, state, _ in walk.stops(stops):
        protocol.check(state, 2)
    return protocol.count


@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=needs_native)])
def test_moves_with_everything_that_nests(engine: str) -> None:
    game = lw.load_text(NESTED, engine=engine)
    total: Counter[str] = Counter()
    for seed in range(4):
        total += checked(game, seed, 30, 8, 10_000)
    assert total["moves"] > 40
    assert total["faults"] == 0


def generated(seed: int, engine: str = "python") -> Game | None:
    found = lw.compile_text(rulebook(random.Random(seed)))
    if found.program is None or found.gamedef is None:
        return None
    told = gamedef_bytes(found.gamedef)
    if engine == "native":
        from ludwright.native.game import NativeGame

        return NativeGame(found.program, told, gamedef=found.gamedef, search_budget=BUDGET)
    return Game(found.program, told, gamedef=found.gamedef, search_budget=BUDGET)


@pytest.mark.timeout(7200)
def test_moves_of_generated_rulebooks() -> None:
    total: Counter[str] = Counter()
    for seed in range(BOOKS):
        game = generated(seed)
        if game is None:
            continue
        try:
            total += checked(game, seed, 25, 4, BUDGET)
        except Exception as error:
            error.add_note(f"rulebook {seed}")
            raise
        total["books"] += 1
    print(f"\n{dict(total)}")
    assert total["books"] > 0.8 * BOOKS
    assert total["moves"] > 2 * BOOKS
    assert total["faults"] < 0.05 * total["questions"]


@needs_native
@pytest.mark.timeout(7200)
def test_moves_of_generated_rulebooks_on_the_native_engine() -> None:
    total: Counter[str] = Counter()
    for seed in range(0, BOOKS, NATIVE):
        game = generated(seed, "native")
        if game is not None:
            total += checked(game, seed, 25, 4, BUDGET)
    assert total["moves"] > 0


# ------------------------------------------------------------------ the checks themselves


def _shared_id(patch: pytest.MonkeyPatch) -> None:
    """Ids without the way to the decision."""

    def bare(self: DecisionIds, S: Any, choice: ir.Choice, pc: int) -> str:
        return choice.name

    patch.setattr(DecisionIds, "of_choice", bare)


def _remembered_answer(patch: pytest.MonkeyPatch) -> None:
    """A walk is resumed whatever the answers were."""
    patch.setattr(walking, "_same", lambda one, other: True)


def _equal_answer(patch: pytest.MonkeyPatch) -> None:
    """A walk is resumed where True was answered in the place of 1."""
    patch.setattr(walking, "_same", lambda one, other: one == other)


def _false_reveal(patch: pytest.MonkeyPatch) -> None:
    """Every piece that moves is taken for a secret that comes to light."""
    real = hidden.mark_barriers

    def marked(game: Lowering, *given: Any) -> None:
        real(game, *given)
        for code in game.codes:
            for at, instr in enumerate(code.instrs):
                if isinstance(instr, ir.MovePiece):
                    code.instrs[at] = replace(instr, barrier=True)

    patch.setattr(hidden, "mark_barriers", marked)


@pytest.mark.parametrize(
    "plant", [_shared_id, _remembered_answer, _equal_answer, _false_reveal],
    ids=lambda plant: plant.__name__.strip("_"),
)  # fmt: skip
def test_a_planted_fault_is_noticed(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    game = lw.load_text(NESTED, engine="python")
    assert any(_noticed(game, seed) for seed in range(6))


def _noticed(game: Game, seed: int) -> bool:
    try:
        return checked(game, seed, 30, 8, 10_000)["faults"] > 0
    except AssertionError:
        return True
