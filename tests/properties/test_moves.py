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
from typing import Any

import pytest

import ludwright as lw
from ludwright import program as ir
from ludwright.kernel.play import move_builder
from ludwright.kernel.play.game import Game
from ludwright.kernel.views.decisions import DecisionIds
from ludwright.language.canonical import gamedef_bytes
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs import after_chance
from tests.native.rulebooks.features import OF_500, features
from tests.native.rulebooks.playing import completed_moves, refused_too_late
from tests.native.rulebooks.writing import rulebook
from tests.native.support import needs_native

BOOKS = int(os.environ.get("LUDWRIGHT_MOVE_BOOKS", "30"))
BUDGET = 200  # nodes of a search: small, so that options stay unknown now and then
READ = 240  # rulebooks that are written, but not played
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
vars: { total: 0..90 clamp, Seat.bid: 0..9, Seat.purse: 0..9 = 1, Space.n: 0..20 clamp, current: Card = gift }
setup: [draw 1 from heap to hand(red), draw 1 from heap to hand(blue), blue.purse = 3, total = 20]
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
      - chooseOne: { bind: $bid, options: 0..chooser.purse, together: true }
      - for p in seats do p.bid = $bid[p]
      - both()
  - id: tour
    effects:
      - chooseN: { bind: $s, options: land, min: 2, max: 3, ordering: sequence }
      - total += $s[0].index
  - { id: gossip, effects: [draw 1 from heap to hand(actor), ask()], pre: any(heap) }
  - { id: boast, effects: [ask(), "reveal hand(actor)", { offer: { actions: [sow, tour] } }] }
end: [{ when: total > 60, draw: all, reason: done }]
```
"""


# What moves must have been completed with for the property to say something.
NESTINGS = (
    "an offer", "an event", "an offer behind an offer", "an offer behind an event",
    "an event behind an offer", "a special activity", "a sealed answer", "several picks in a loop",
    "a part that ends at reveal", "a part that ends at decision", "a part that ends at chance",
)  # fmt: skip


@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=needs_native)])
def test_moves_with_everything_that_nests(engine: str) -> None:
    game = lw.load_text(NESTED, engine=engine)
    total: Counter[str] = Counter()
    for seed in range(6):
        total += completed_moves(game, seed, 30, 8, 10_000)
    assert total["moves"] > 60
    assert total["faults"] + total["faulty games"] == 0
    for what in NESTINGS:
        assert total[f"moves with {what}"] > 0, what


def generated(seed: int, engine: str = "python") -> Game | None:
    found = lw.compile_text(rulebook(random.Random(seed)))
    if found.program is None or found.gamedef is None:
        return None
    told = gamedef_bytes(found.gamedef)
    if engine == "native":
        from ludwright.native.game import NativeGame

        return NativeGame(found.program, told, gamedef=found.gamedef, search_budget=BUDGET)
    return Game(found.program, told, gamedef=found.gamedef, search_budget=BUDGET)


def warned(seed: int) -> bool:
    """Whether the checker says that something could be refused too late."""
    items = lw.compile_text(rulebook(random.Random(seed))).diagnostics.items
    return any(item.code == "refusal-after-reveal" for item in items)


def test_generated_rulebooks_have_everything_that_nests() -> None:
    """At least half as often as counted over 500 of them: nothing ceases to be generated unseen."""
    found = Counter(
        what for seed in range(READ) for what in features(rulebook(random.Random(seed)))
    )
    for what, of_500 in OF_500.items():
        assert found[what] >= of_500 / 500 * READ / 2, what


@pytest.mark.timeout(7200)
def test_moves_of_generated_rulebooks() -> None:
    total: Counter[str] = Counter()
    for seed in range(BOOKS):
        game = generated(seed)
        if game is None:
            continue
        try:
            total += completed_moves(game, seed, 25, 4, BUDGET)
        except Exception as error:
            error.add_note(f"rulebook {seed}")
            raise
        total["books"] += 1
    print(f"\n{dict(total)}")
    assert total["books"] > 0.8 * BOOKS
    assert total["moves"] > 2 * BOOKS
    assert total["faults"] < 0.05 * total["questions"]


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=needs_native)])
def test_nothing_is_offered_in_generated_rulebooks_that_is_refused_too_late(engine: str) -> None:
    for seed in range(0, BOOKS if engine == "python" else BOOKS // NATIVE):
        game = None if warned(seed) else generated(seed, engine)
        for number in range(4):
            late = None if game is None else refused_too_late(game, number, 60)
            assert late is None, f"rulebook {seed}, game {number}: {late}"


@needs_native
@pytest.mark.timeout(7200)
def test_moves_of_generated_rulebooks_on_the_native_engine() -> None:
    total: Counter[str] = Counter()
    for seed in range(0, BOOKS, NATIVE):
        game = generated(seed, "native")
        if game is not None:
            total += completed_moves(game, seed, 25, 4, BUDGET)
    assert total["moves"] > 0


# ------------------------------------------------------------------ the checks themselves


def _shared_id(patch: pytest.MonkeyPatch) -> None:
    """Ids without the way to the decision."""

    def bare(self: DecisionIds, S: Any, choice: ir.Choice, pc: int) -> str:
        return choice.name

    patch.setattr(DecisionIds, "of_choice", bare)


def _remembering(patch: pytest.MonkeyPatch, key: Callable[[Any, Any], object]) -> None:
    """What was answered to a question is answered to every question with the same key."""
    real = Game.legal_choices
    kept: dict[object, Any] = {}

    def remembered(self: Game, state: Any, move: Any, seat: Any = None) -> Any:
        known = (id(self), state.to_bytes(), move.action_id, seat, key(move, state))
        if known not in kept:
            kept[known] = real(self, state, move, seat)
        return kept[known]

    patch.setattr(Game, "legal_choices", remembered)


def _remembered_answer(patch: pytest.MonkeyPatch) -> None:
    """The answer to a move with the same decisions, whatever was answered to them."""
    _remembering(patch, lambda move, state: tuple(move.params))


def _equal_answer(patch: pytest.MonkeyPatch) -> None:
    """The answer to a move in which True stood in the place of 1."""

    def key(move: Any, state: Any) -> object:
        values = move.params.items()
        return tuple((name, tuple(v) if isinstance(v, list) else v) for name, v in values)

    _remembering(patch, key)


def _false_reveal(patch: pytest.MonkeyPatch) -> None:
    """Every piece that moves is taken for a secret that comes to light, but where the compiler looks
    for what could be refused behind it."""
    real = after_chance.check

    def marked(game: Lowering, *given: Any) -> None:
        real(game, *given)
        for code in game.codes:
            for at, instr in enumerate(code.instrs):
                if isinstance(instr, ir.MovePiece):
                    code.instrs[at] = replace(instr, barrier=True)

    patch.setattr(after_chance, "check", marked)


def _lost_picks(patch: pytest.MonkeyPatch) -> None:
    """The picks of a sequence that a state holds already are taken for the move's own."""
    real = move_builder.MoveBuilder._in_order

    def lost(
        self: move_builder.MoveBuilder, state: Any, stop: Any, decision: Any, *given: Any
    ) -> Any:
        return real(self, state, stop, replace(decision, picked=()), *given)

    patch.setattr(move_builder.MoveBuilder, "_in_order", lost)


def _another_seat(patch: pytest.MonkeyPatch) -> None:
    """Whoever asks is shown what the first of several seats is asked."""
    real = move_builder.MoveBuilder.legal_choices

    def first(self: move_builder.MoveBuilder, state: Any, move: Any, seat: Any) -> Any:
        return real(self, state, move, None)

    patch.setattr(move_builder.MoveBuilder, "legal_choices", first)


@pytest.mark.parametrize(
    "plant",
    [_shared_id, _remembered_answer, _equal_answer, _false_reveal, _lost_picks, _another_seat],
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
        found = completed_moves(game, seed, 30, 30, 10_000)
        return found["faults"] + found["faulty games"] > 0
    except AssertionError:
        return True
