"""A whole game as text a person can read: every decision, its options, the answer, the hashes.

Shipped games keep one such text as a golden copy; a change of rules or engine shows as a
difference in it, at the first decision that went another way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludwright.agents import RandomAgent, View
from ludwright.kernel.play.game import Game

OPTIONS_SHOWN = 12


def playthrough(
    game: Game, seed: int, players: int | None = None, limit: int = 2000,
    scenario: str | None = None,
) -> str:  # fmt: skip
    """Play with random agents and write down what happens."""
    state = game.initial_state(seed=seed, players=players, scenario=scenario)
    seats = game.seats
    agents = {name: RandomAgent(seed * 1000 + number) for number, name in enumerate(seats)}
    lines = [f"game {game.gamedef.id}, seed {seed}, state {state.state_hash[:16]}"]
    for _ in range(limit):
        decision = game.decision(state)
        if decision is None:
            break
        answer = agents[decision.seat].choose(View(game, state, decision, seats))
        step = game.choose(state, answer, decision.seat)
        state = step.state
        lines.append(
            f"{decision.seat}: {decision.decision_id} {_options(decision.answers)} -> "
            f"{_text(answer)}"
        )
        lines.extend(f"    {_event(event)}" for event in step.events())
    result = game.result(state)
    lines.append(f"state {state.state_hash[:16]}")
    if result is None:
        lines.append(f"stopped after {limit} decisions")
    else:
        lines.append(f"scores {result.scores}; {result.reason}")
    return "\n".join(lines) + "\n"


def _options(answers: Sequence[Any]) -> str:
    shown = ", ".join(_text(answer) for answer in answers[:OPTIONS_SHOWN])
    more = len(answers) - OPTIONS_SHOWN
    return f"[{shown}{f', … {more} more' if more > 0 else ''}]"


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "(" + ", ".join(_text(item) for item in value) + ")"
    return "none" if value is None else str(value)


def _event(event: Any) -> str:
    fields = ", ".join(f"{name} {_text(value)}" for name, value in event.fields.items())
    return f"{event.kind}: {fields}" if fields else event.kind
