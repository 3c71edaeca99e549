"""Native code that makes Python's objects: nothing strange gets in, nothing is kept or lost."""

from __future__ import annotations

import ctypes
import enum
import gc
import sys
from collections.abc import Callable
from typing import Any

import pytest

import ludwright as lw
from ludwright.kernel.play.agent_dice import Dice
from ludwright.kernel.play.game import core_of
from ludwright.kernel.protocol.decision import Decision, Range
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Step
from tests.native.support import needs_native
from tests.native.test_driving import games, outcome

pytestmark = needs_native


class Raising:
    """Nothing can be found out about it."""

    def __hash__(self) -> int:
        raise RuntimeError("no hash")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")


class Text(str):
    __slots__ = ()


class Number(enum.IntEnum):
    TWO = 2


STRANGE: tuple[Any, ...] = (
    Raising(), Text("b2"), Text("stop"), Number.TWO, b"b2", 2.0, 2**80, -1, False, [], {}, object(),
)  # fmt: skip


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "kuhn-poker", "harvest-fair", "delta"])
def test_strange_answers_are_answered_alike(name: str) -> None:
    """In words of the kernel, or with the same error as the kernel's."""

    def said(game: lw.Game, state: lw.State, answer: Any, seat: Any = None) -> object:
        try:
            return outcome(game, state, answer, seat)
        except (RuntimeError, ValueError) as error:
            return str(error)

    plain, native = games(name)
    state = native.initial_state(1)
    for number in range(8):
        for strange in STRANGE:
            there = plain.state_from_bytes(state.to_bytes())
            assert said(plain, there, strange) == said(native, state, strange), (number, strange)
        decision = native.decision(state)
        if decision is None:
            break
        for seat in (Raising(), Text(decision.seat), b"x", 3):
            answer, there = decision.answers[0], plain.state_from_bytes(state.to_bytes())
            assert said(plain, there, answer, seat) == said(native, state, answer, seat)
        state = native.choose(state, decision.answers[-1]).state


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "liars-dice", "chess", "goofspiel"])
def test_strange_moves_are_answered_alike(name: str) -> None:
    """Moves with something strange in the place of an answer, of all of them, or of themselves."""

    def said(ask: Callable[..., Any], *given: Any) -> str:
        try:
            return str(ask(*given))
        except (TypeError, ValueError, AttributeError, RuntimeError, lw.IllegalMove) as error:
            return f"{type(error).__name__}: {error}"

    plain, native = games(name)
    state = native.initial_state(1)
    there = plain.state_from_bytes(state.to_bytes())
    listed = native.legal_moves(state)[0]
    action = Text(listed.action_id)
    moves: list[Any] = [None, "a1", object.__new__(lw.Move), lw.Move(action, listed.params)]
    moves += [lw.Move("", {})]
    for key in listed.params:
        moves += [lw.Move(listed.action_id, {**listed.params, key: odd}) for odd in STRANGE]
        moves += [lw.Move(listed.action_id, {Text(key): listed.params[key]})]
    for move in moves:
        for ask in ("legal_choices", "apply_move", "validate_move", "why"):
            results = [
                said(getattr(game, ask), at, move) for game, at in ((plain, there), (native, state))
            ]
            assert results[0].partition("describe")[0] == results[1].partition("describe")[0]


def _move(native: lw.Game, state: State, dice: Dice) -> State:
    """After the next part, played as a move."""
    moves = native.legal_moves(state)
    move = moves[dice.pick(len(moves))]
    while not (request := native.legal_choices(state, move)).complete:
        assert request.decision_id is not None
        answer: Any = list(request.options[: request.min or 1])
        if request.kind != "chooseN":
            answer = request.options[dice.pick(len(request.options))]
        move = move.with_param(request.decision_id, answer)
    native.legal_choices(state, lw.Move(move.action_id))
    return native.apply_move(state, move).state


def _play(name: str, times: int) -> int:
    native = games(name)[1]
    made = 0
    for seed in range(times):
        state, dice = native.initial_state(seed), Dice(seed)
        while (decision := native.decision(state)) is not None and made < 300 * (seed + 1):
            assert native.decision(state) is decision
            if decision.head and not dice.pick(5):
                state = _move(native, state, dice)
                made += 1
                continue
            answers = decision.answers
            state = native.choose(state, answers[dice.pick(len(answers))], decision.seat).state
            made += 1
        outcome(native, state, "nonsense")
    return made


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "kuhn-poker", "hearts", "harvest-fair"])
def test_references_are_given_back(name: str) -> None:
    native: Any = games(name)[1]
    core: Any = core_of(native)
    _play(name, 3)
    watched: list[Any] = [
        State, Decision, Step, Range, None, True, core.game_id, lw.STOP, *native.seats,
        *core.piece_names[:3], *(known for known in core.namings if known.names),
    ]  # fmt: skip

    def counted() -> tuple[list[int], int]:
        gc.collect()
        return [sys.getrefcount(value) for value in watched], len(gc.get_objects())

    before, objects = counted()
    made = _play(name, 40)
    after, now = counted()
    assert made > 80
    for value, one, two in zip(watched, before, after, strict=True):
        assert abs(two - one) < made / 10, value
    assert abs(now - objects) < made / 10


def test_another_game_may_be_played_in_the_middle() -> None:
    """The garbage collector runs whatever it finds, and it may run while an object is made."""
    native = games("hearts")[1]
    elsewhere = native.initial_state(99)
    calls = 0

    class Watched:
        """By the garbage collector."""

    class Finalised:
        def __init__(self) -> None:
            self.cycle = self

        def __del__(self) -> None:
            nonlocal elsewhere, calls
            calls += 1
            decision = native.decision(elsewhere)
            if decision is None:
                elsewhere = native.initial_state(calls)
            else:
                elsewhere = native.choose(elsewhere, decision.options[-1]).state

    def played(disturb: Callable[[], object]) -> list[bytes]:
        found: list[bytes] = []
        kept: list[Watched] = []
        dice = Dice(3)
        for seed in range(20):
            state = native.initial_state(seed)
            while (decision := native.decision(state)) is not None:
                # so that the collector's turn comes at another object each time
                kept += [Watched() for _ in range(dice.pick(5))]
                disturb()
                state = native.choose(state, decision.options[0]).state
                found.append(state.to_bytes())
        return found

    alone = played(int)
    threshold = gc.get_threshold()
    gc.set_threshold(12, 1, 1)
    try:
        disturbed = played(Finalised)
    finally:
        gc.set_threshold(*threshold)
    assert calls > 100
    assert disturbed == alone


def test_where_attributes_lie_is_found_or_refused() -> None:
    from ludwright.native.errors import NativeUnsupported
    from ludwright.native.python.object_table import _offsets

    made = Range(3, 8)
    for name, offset in zip(("lo", "hi"), _offsets(Range, ("lo", "hi")), strict=True):
        there = ctypes.c_int64.from_address(id(made) + offset).value
        assert there == id(getattr(made, name))

    class Elsewhere:
        """Its attributes are in a dictionary."""

    with pytest.raises(NativeUnsupported, match="attributes"):
        _offsets(Elsewhere, ("one",))


YES_OR_NO = """# Yes or no

```yaml
game: { id: yes, title: Yes or no, players: 2 }
seats: [red, blue]
vars: { said: 0..9, turns: 0..4 clamp }
actions:
  - id: say
    effects:
      - chooseOne: { bind: $yes, options: "[true, false]" }
      - if $yes then said += 1
      - turns += 1
end: [{ when: turns == 4, win: actor, reason: enough }]
```
"""


def test_yes_is_not_one(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, native = (lw.load_text(YES_OR_NO, engine=name) for name in ("python", "native"))
    state = native.choose(native.initial_state(), "say").state
    there = plain.state_from_bytes(state.to_bytes())
    for game, here in ((plain, there), (native, state)):
        decision = game.decision(here)
        assert decision is not None
        assert decision.options == (True, False)
    for wrong in (1, 0, 1.0, "true", None):
        assert outcome(plain, there, wrong) == outcome(native, state, wrong)
        assert isinstance(outcome(native, state, wrong), tuple)
    said = [outcome(plain, there, answer) for answer in (True, False)]
    monkeypatch.delattr(lw.Game, "choose")  # these are plain answers
    assert said == [outcome(native, state, answer) for answer in (True, False)]
