"""`--moves "e2e4; e7e5"`: a position by the moves that lead to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ludwright.cli.screen.menu import find, option_menu
from ludwright.cli.shared.output import UsageFailure
from ludwright.errors import IllegalMove

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.state import State


_EXAMPLES = 8  # of options that are possible


def played(game: Game, state: State, moves: str) -> tuple[State, list[State]]:
    """The state after moves with `;` between them, and the states before each of them."""
    before: list[State] = []
    texts = [text.strip() for text in re.split(r"[;\n]", moves) if text.strip()]
    for number, text in enumerate(texts, 1):
        before.append(state)
        state = _played(game, state, text, number)
    return state, before


def _played(game: Game, state: State, text: str, number: int) -> State:
    """After a move in the game's notation, or after the answer to the open decision."""
    decision = game.decision(state)
    if decision is None:
        raise UsageFailure(f"move {number} (`{text}`): the game is over")
    try:
        return game.apply_move(state, game.parse_move(state, text)).state
    except IllegalMove as refused:
        menu = option_menu("", decision.options)
        item: Any = find(menu, text)
        if item is None:
            first = ", ".join(each.text for each in menu.items[:_EXAMPLES])
            more = ", …" if menu.items[_EXAMPLES:] else ""
            possible = f"; possible are {first}{more}" if first else ""
            told = refused.reason or refused
            raise UsageFailure(f"move {number} (`{text}`): {told}{possible}") from None
    return game.choose(state, item.value).state
