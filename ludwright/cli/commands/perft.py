"""`ludwright perft GAME`: counting move sequences, the classic test of a move generator."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludwright.agents.answers import Answers
from ludwright.cli.shared.loading import first_state, load_game
from ludwright.cli.shared.output import plural, print_json
from ludwright.errors import IllegalMove
from ludwright.kernel.views.wording import option_text

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.state import State


def run(
    name: str,
    depth: int,
    divide: bool,
    players: int | None,
    parameters: Sequence[str],
    as_json: bool,
) -> None:
    # Every outcome of a roll is a branch of its own, so that the count depends on no seed.
    game = load_game(name, parameters, chance="explicit")
    state = first_state(game, 0, players)
    game.perft(state, min(depth, 1))  # machine code is made before the clock starts
    begun = time.perf_counter()
    branches = divided(game, state, depth) if divide and depth > 0 else None
    nodes = game.perft(state, depth) if branches is None else sum(branches.values())
    seconds = max(time.perf_counter() - begun, 1e-9)
    if as_json:
        report = {"game": name, "depth": depth, "nodes": nodes, "seconds": round(seconds, 6)}
        print_json(report if branches is None else {**report, "divide": branches})
        return
    for move, count in (branches or {}).items():
        print(f"{move}: {count:,}")
    print(f"depth {depth}: {plural(nodes, 'node')}, {nodes / seconds:,.0f} nodes/s")


def divided(game: Game, state: State, depth: int) -> dict[str, int]:
    """The count behind every first part, called by its answers."""
    counts: dict[str, int] = {}
    stack: list[tuple[State, tuple[str, ...]]] = [(state, ())]
    while stack:
        here, texts = stack.pop()
        decision = game.decision(here)
        if decision is None:
            continue
        opened: list[tuple[State, tuple[str, ...]]] = []
        for answer in Answers(decision):
            try:
                step = game.choose(here, answer)
            except IllegalMove:
                continue  # an option of unknown legality that proved to be a dead end
            answers = (*texts, option_text(answer))
            if step.part_ended:
                text = " ".join(answers)
                counts[text] = counts.get(text, 0) + game.perft(step.state, depth - 1)
            else:
                opened.append((step.state, answers))
        stack += reversed(opened)
    return counts
