"""Both engines side by side over every shipped game: same bytes, decisions, events and errors.

Ten thousand decisions in all run with every test; `LUDWRIGHT_DECISIONS=1000000` is the long run.
"""

from __future__ import annotations

import os

import pytest

import ludwright as lw
from ludwright.kernel.interpreter.machine import ChanceMode, Machine
from ludwright.kernel.play.game import core_of
from tests.kernel.refusals.test_finishing import RULEBOOK
from tests.native.support import engine, needs_native

pytestmark = needs_native
GAMES = sorted(lw.shipped_games())
DECISIONS = int(os.environ.get("LUDWRIGHT_DECISIONS", "10000"))


def play(
    name: str, games: list[tuple[ChanceMode, int]], limit: int, enough: int, level: int
) -> int:
    """Games of one rulebook, each a mode of chance and a seed, until enough has been decided."""
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    native = engine(name, events=True, level=level)
    pairs: dict[ChanceMode, tuple[Machine, NativeMachine]] = {}
    decisions = 0
    for chance, seed in games:
        if chance not in pairs:
            machine = NativeMachine(native.program, chance, engine=native)
            pairs[chance] = Machine(native.program, chance), machine
        world = native.program.world
        players = len(world.seats) if seed % 2 else world.min_players
        left = min(limit, enough - decisions)
        made, difference = lockstep(*pairs[chance], seed, players, left)
        assert difference is None, f"{name}, {chance}, seed {seed}: {difference}"
        decisions += made
        if decisions >= enough:
            break
    return decisions


@pytest.mark.parametrize("chance", ["generator", "explicit"])
@pytest.mark.parametrize("name", GAMES)
def test_shipped_games_agree(name: str, chance: ChanceMode) -> None:
    assert play(name, [(chance, seed) for seed in range(2)], 60, 120, 0) > 0


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_share_of_all_decisions(name: str) -> None:
    """The same number for each game; every third game rolls its dice as decisions."""
    share = -(-DECISIONS // len(GAMES))
    levels = (0, 2) if share > 10_000 else (0,)
    made = 0
    for number, level in enumerate(levels):
        first = 1_000_000 * (number + 1)
        games: list[tuple[ChanceMode, int]] = [
            ("explicit" if seed % 3 == 2 else "generator", seed)
            for seed in range(first, first + share)
        ]
        made += play(name, games, 1_000, -(-share // len(levels)), level)
    assert made >= share


@pytest.mark.parametrize("budget", [0, 1, 7])
def test_a_small_budget_leaves_the_same_options_open(budget: int) -> None:
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    game = lw.load("delta", search_budget=budget)
    native = NativeMachine(game.program, search_budget=budget, engine=engine("delta", events=True))
    made, difference = lockstep(core_of(game).machine, native, 5, 4, 40)
    assert difference is None, str(difference)
    assert made > 0


def test_a_difference_is_told_with_step_and_values() -> None:
    from ludwright.testing.lockstep import Difference

    told = str(Difference(3, "cell 7", 1, 2, "action place"))
    assert told.startswith("step 3: cell 7 (rule: action place)")
    assert "interpreted: 1" in told
    assert "native:      2" in told


CHATTER = """# Chatter

```yaml
game: { id: chatter, title: Chatter, players: 2 }
vars: { n: 0..9 }
actions:
  - { id: talk, effects: [for a in 1..150 do for b in 1..150 do n = (n + 1) % 10] }
```
"""


def test_a_move_may_tell_more_than_there_is_room_for_at_first() -> None:
    from ludwright.native.engine import EVENT_ROOM, Engine
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import attempt, lockstep

    program = lw.load_text(CHATTER).program
    native = NativeMachine(program, engine=Engine(program, 0, events=True))
    machine = Machine(program)
    assert lockstep(machine, native, 1, 2, 2) == (2, None)
    stop, cells, *_ = attempt(machine, machine.fresh(1, 2, 0), None, None)
    assert stop is not None
    events = attempt(machine, cells, stop, stop.answers[0])[4]
    assert 4 * len(events) > EVENT_ROOM


VEILED = """# Veiled

```yaml
game: { id: veiled, title: Veiled, players: 2 }
seats: [red, blue]
vars: { omen: { type: 0..9, default: 3, see: none }, round: 0..99 clamp, noise: 0..99 clamp }
actions:
  - id: look
    params: { n: 1..2 }
    best: (round, noise)
    effects: [round += omen, noise += n]
```
"""


def test_nothing_is_known_of_what_is_best_behind_a_secret() -> None:
    """A path that learns something ends its search there, with no value to compare."""
    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    game = lw.load_text(VEILED)
    native = NativeMachine(game.program, engine=Engine(game.program, 0, events=True))
    assert lockstep(core_of(game).machine, native, 1, 2, 6) == (6, None)
    decision = game.decision(game.initial_state())
    assert decision is not None
    assert decision.answers == [1, 2]


QUEUE = """# Queue

```yaml
game: { id: queue, title: Queue, players: 2 }
vars: { queue: "list[Seat, 2]" }
actions:
  - { id: grow, effects: ["queue = queue + [actor]"] }
  - { id: fill, effects: ["queue = [p for n in 1..2 for p in seats]"] }
```
"""


@pytest.mark.parametrize("answers", [(0, 0, 0), (1,)])
def test_a_list_that_grows_too_long_is_a_fault_on_both_engines(answers: tuple[int, ...]) -> None:
    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import attempt

    program = lw.load_text(QUEUE).program
    native = NativeMachine(program, engine=Engine(program, 0, events=True))
    for machine in (Machine(program), native):
        stop, cells, _, error, _ = attempt(machine, machine.fresh(1, 2, 0), None, None)
        for answer in answers:
            assert not error
            assert stop is not None
            stop, cells, _, error, _ = attempt(machine, cells, stop, answer)
        assert error.startswith("RulebookFault: [range] a list of ")
        assert "where 2 fit; rule: action" in error


@pytest.mark.parametrize("budget", [1, 2, 3, 5, 8])
def test_what_is_told_without_trying_costs_both_engines_the_same(budget: int) -> None:
    from ludwright.native.engine import Engine
    from ludwright.native.machine import NativeMachine
    from ludwright.testing.lockstep import lockstep

    program = lw.load_text(RULEBOOK).program
    assert any(choice.finish is not None for choice in program.choices)
    native = NativeMachine(program, search_budget=budget, engine=Engine(program, 0, events=True))
    made, difference = lockstep(Machine(program, search_budget=budget), native, 3, 1, 30)
    assert difference is None, str(difference)
    assert made > 0
