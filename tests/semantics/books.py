"""Small rulebooks for the tests of the rules of play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import ludwright as lw
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.state import State

HEADER = "game: { id: fixture, title: Fixture, players: 2 }\nseats: [red, blue]\n"


def markdown(rules: str, header: str = HEADER) -> str:
    return f"# Fixture\n\n```yaml\n{header}{rules.strip()}\n```\n"


def book(
    rules: str,
    *,
    chance: ChanceMode = "generator",
    search_budget: int | None = None,
    header: str = HEADER,
    **parameters: int | bool,
) -> Game:
    """A game for red and blue from the rules that matter to a test."""
    return lw.load_text(
        markdown(rules, header),
        chance=chance,
        name="rulebook.md",
        engine="auto",
        search_budget=search_budget,
        **parameters,
    )


def ending_with(game: str, effects: str, more: str = "") -> str:
    """Rules whose last lines are the effects of an action, and what comes after them."""
    lines = effects.strip("\n").splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    return game + "\n".join("      " + line[indent:] for line in lines) + "\n" + more


def codes(rules: str, header: str = HEADER) -> list[str]:
    """The codes of all errors the checker finds."""
    return [item.code for item in lw.compile_text(markdown(rules, header)).diagnostics.errors]


def told(rules: str, header: str = HEADER) -> list[str]:
    """The codes of all that the checker finds, warnings too."""
    return [item.code for item in lw.compile_text(markdown(rules, header)).diagnostics.items]


def asked(game: Game, state: State, seat: str | None = None) -> Decision:
    """The open decision; the game must not be over."""
    decision = game.decision(state, seat)
    assert decision is not None, "the game is over"
    return decision


def answered(game: Game, *answers: Any) -> State:
    """The state after these answers from the beginning."""
    state = game.initial_state()
    for answer in answers:
        state = game.choose(state, answer).state
    return state


def options(game: Game, state: State, seat: str | None = None) -> list[Any]:
    return list(asked(game, state, seat).options)


def variable(game: Game, state: State, name: str) -> Any:
    return game.observe(state, None)["variables"][name]


def place(game: Game, state: State, name: str) -> int:
    """How many pieces lie in a place; an empty space is not told."""
    found = game.observe(state, None)["places"].get(name, {"count": 0})
    return int(found["count"])


def walk(game: Game, seed: int, limit: int = 200, players: int | None = None) -> Iterator[State]:
    """The states of one random game."""
    rng = random.Random(seed)
    state = game.initial_state(seed=seed, players=players)
    for _ in range(limit):
        yield state
        decision = game.decision(state)
        if decision is None or not decision.answers:
            return
        state = game.choose(state, rng.choice(decision.answers), decision.seat).state


def assert_no_dead_end(rules: str, games: int = 8) -> None:
    """The checker has nothing against the rules, and in play every decision has an answer."""
    assert codes(rules) == []
    game = book(rules)
    for seed in range(games):
        state = game.initial_state(seed)
        dice = random.Random(seed)
        while (decision := game.decision(state)) is not None:
            assert decision.answers, "a dead end"
            state = game.choose(state, dice.choice(list(decision.answers))).state
