"""States from outside: whatever is in them, native code gives an error or plays on."""

from __future__ import annotations

import pickle
import random
import struct
from functools import cache

import pytest

import ludwright as lw
from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.protocol.state import State
from ludwright.native.game import NativeCore
from tests.native.support import needs_native

pytestmark = needs_native
TRIES = 60
VALUES = (-(2**31), -(2**31) + 1, -2, -1, 0, 1, 2, 3, 7, 31, 63, 64, 255, 1000, 65536, 2**31 - 1)


@cache
def played(name: str) -> tuple[Game, list[State]]:
    """States on the way through a game."""
    game = lw.load(name, engine="native")
    dice = random.Random(name)
    states = [game.initial_state(5, len(game.seats))]
    while len(states) < 50 and (decision := game.decision(states[-1])) is not None:
        states.append(game.choose(states[-1], dice.choice(decision.answers)).state)
    return game, states


def damaged(data: bytes, dice: random.Random) -> bytes:
    """A few cells hold something else."""
    block = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 3))):
        at = 4 * dice.randrange(len(block) // 4)
        (old,) = struct.unpack_from("<i", block, at)
        value = dice.choice(
            (dice.choice(VALUES), old + dice.choice((-1, 1, 5)), dice.randrange(99))
        )
        struct.pack_into("<i", block, at, max(-(2**31), min(2**31 - 1, value)))
    return bytes(block)


def play_on(game: Game, state: State, dice: random.Random) -> None:
    for _ in range(8):
        decision = game.decision(state)
        if decision is None or not decision.answers:
            return
        state = game.choose(state, dice.choice(decision.answers)).state


@pytest.mark.parametrize("name", lw.shipped_games())
def test_damaged_states_are_refused_or_played(name: str) -> None:
    game, states = played(name)
    dice = random.Random(f"{name} damaged")
    refused = 0
    for number in range(TRIES):
        data = damaged(dice.choice(states).to_bytes(), dice)
        try:
            if number % 3:
                state = game.state_from_bytes(data)
            else:
                good = states[0].__reduce__()
                state = pickle.loads(pickle.dumps(good[0](good[1][0], data)))
            play_on(game, state, dice)
        except (ValueError, RulebookFault, IllegalMove):
            refused += 1
    assert refused > 0


@pytest.mark.parametrize("name", lw.shipped_games())
def test_a_quick_look_passes_what_a_careful_one_passes(name: str) -> None:
    """All states of play, and no damaged one in which the kernel finds something wrong."""
    from ludwright.native.sound_states import SoundStates

    game, states = played(name)
    core = core_of(game)
    assert isinstance(core, NativeCore)
    interface = core.machine.engine.interface
    sound = SoundStates(core.program, core.frames, interface.lows, interface.highs)
    assert all(sound.holds(state.to_bytes(), list(state.cells)) for state in states)
    dice = random.Random(f"{name} looked at")
    for _ in range(TRIES):
        data = damaged(dice.choice(states).to_bytes(), dice)
        cells = list(struct.unpack(f"<{len(data) // 4}i", data))
        if sound.holds(data, cells):
            assert core.problem(cells) is None


def test_picks_that_do_not_exist_are_refused() -> None:
    """On the interpreter too: a set of bits without end would be read for ever."""
    for engine in ("python", "native"):
        game = lw.load("hearts", engine=engine)
        state = game.initial_state(1)
        decision = game.decision(state)
        assert decision is not None
        assert decision.kind == "chooseN"
        place = next(c.result for c in game.program.choices if c.name == decision.name)
        for value in (-1, 2**31 - 1):
            cells = list(state.cells)
            cells[place + 1] = value
            with pytest.raises(ValueError, match="not a state of this game"):
                game.state_from_bytes(struct.pack(f"<{len(cells)}i", *cells))


def test_a_hand_in_the_order_of_its_cards_coming_is_refused() -> None:
    """Native code finds cards by their order."""
    for engine in ("python", "native"):
        game = lw.load("hearts", engine=engine)
        cells = list(game.initial_state(1).cells)
        head, links = game.program.place_head + 1, game.program.piece_next
        first = cells[head]
        second = cells[links + first]
        cells[head], cells[links + first], cells[links + second] = (
            second, cells[links + second], first,
        )  # fmt: skip
        with pytest.raises(ValueError, match="in which order"):
            game.state_from_bytes(struct.pack(f"<{len(cells)}i", *cells))
