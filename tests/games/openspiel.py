"""Playing a rulebook and the same game of OpenSpiel side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State

Spelling = Callable[[Any, int], Any]  # OpenSpiel's state and action -> the rulebook's option


def scores(game: Game, state: State) -> list[int]:
    """By seat, of those that play."""
    result = game.result(state)
    assert result is not None
    return list(result.scores.values())


def asked(other: Any) -> str:
    """Whom OpenSpiel asks, in the words of `current_seat` for seats without names."""
    return "chance" if other.is_chance_node() else f"p{other.current_player() + 1}"


def compare_tree(game: Game, state: State, other: Any, spell: Spelling) -> int:
    """Go through both whole trees, chance included; the number of histories."""
    decision = game.decision(state)
    if other.is_terminal():
        assert decision is None, other.history_str()
        assert scores(game, state) == other.returns(), other.history_str()
        return 1
    assert decision is not None, other.history_str()
    assert decision.seat == asked(other), other.history_str()
    spelled = {spell(other, action): action for action in other.legal_actions()}
    assert set(decision.answers) == set(spelled), other.history_str()
    found = 1
    for option, action in spelled.items():
        after = game.choose(state, option).state
        found += compare_tree(game, after, other.child(action), spell)
    return found
