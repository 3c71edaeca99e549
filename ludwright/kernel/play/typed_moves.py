"""What a typed move could mean even if it is illegal, so that the refusal can be explained.

A game reads only legal moves. To say *why* something is illegal, the text is fitted to the
actions' notations (`{origin}{target}`) and to the plain form `action(param=value, …)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ludwright.errors import IllegalMove
from ludwright.kernel.play.game import core_of, notation_of
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.views.naming import NotOfType
from ludwright.program import slot
from ludwright.program.types import Type

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.move import Why
    from ludwright.kernel.protocol.state import State
    from ludwright.program import ActionInfo

MAX_READINGS = 50  # readings tried
MAX_LENGTH = 80  # characters of an entry


def explain(game: Game, state: State, text: str) -> Why | None:
    """Why the entry is refused (or that it is legal); None if it can't be read as a move."""
    best: Why | None = None
    written = readings(game, text) or readings(game, text.lower())
    sensible = [move for move in written if _is_sensible(game, move)]
    named = written if "=" in text else []  # `move(origin=z9)` says itself what is meant
    for move in sensible or _spelt(game, state, text) or named:
        why = game.why(state, move)
        if why.legal:
            return why
        if why.code == "missing-choice" and move.params:
            continue  # the text fits only a part of the notation: it is not this move
        if best is None or best.code in ("not-an-option", "unreadable"):
            best = why
    return best


def _spelt(game: Game, state: State, text: str) -> list[Move]:
    """Moves that are spelt so; those that can be begun come last, for they tell more."""
    found = notation_of(game).spelt_like(state, text)[:MAX_READINGS]
    return sorted(found, key=lambda move: _can_begin(game, state, move))


def _can_begin(game: Game, state: State, move: Move) -> bool:
    try:
        game.legal_choices(state, Move(move.action_id, dict(list(move.params.items())[:1])))
    except IllegalMove:
        return False
    return True


def _is_sensible(game: Game, move: Move) -> bool:
    """Whether the answers are of the kinds that are asked for: `n` is no space."""
    choices = game.program.choices
    return all(
        any(_is_of(game, choice.type, value) for choice in choices if choice.name == name)
        for name, value in move.params.items()
    )


def _is_of(game: Game, type_: Type, value: Any) -> bool:
    if type_.kind == "piece":
        return isinstance(value, str)  # as people call it
    try:
        core_of(game).values.inside(type_, value)
    except NotOfType:
        return False
    return True


def readings(game: Game, text: str) -> list[Move]:
    text = text.strip()
    if not text or len(text) > MAX_LENGTH:
        return []
    words = known_words(game)
    found: dict[Move, None] = {}
    for action in game.program.actions:
        for params in _fitted(action, text, words):
            found[Move(action.name, params)] = None
            if len(found) >= MAX_READINGS:
                return list(found)
    return list(found)


def known_words(game: Game) -> frozenset[str]:
    world = game.program.world
    words = {place.name for place in world.places} | set(world.seats) | set(world.directions)
    for values in world.enums.values():
        words.update(values)
    for table in world.tables.values():
        words.update(table.rows)
    for kind in world.kinds:
        words.update(kind.names)
    return frozenset(words - {""})


def _fitted(action: ActionInfo, text: str, words: frozenset[str]) -> Iterator[Mapping[str, Any]]:
    if text == action.name:
        yield {}
    yield from _plain(action, text)
    if action.notation is not None:
        yield from _match(list(action.notation), text, words)


def _plain(action: ActionInfo, text: str) -> Iterator[Mapping[str, Any]]:
    """`move(origin=e2, target=e4)`, or `place b2` where there is one parameter."""
    if not text.startswith(action.name):
        return
    rest = text.removeprefix(action.name).strip()
    if rest.startswith("(") and rest.endswith(")"):
        rest = rest[1:-1]
    parts = [part.strip() for part in rest.split(",") if part.strip()]
    if parts and all("=" in part for part in parts):
        pairs = (part.split("=", 1) for part in parts)
        yield {name.strip(): _value(value.strip()) for name, value in pairs}
    elif parts and len(parts) <= len(action.params):
        yield dict(zip(action.params, map(_value, parts), strict=False))


def _match(
    template: list[str | tuple[str, ...]], text: str, words: frozenset[str]
) -> Iterator[dict[str, Any]]:
    """All ways to read the text with the template; values must be words of the game."""
    if not template:
        if not text:
            yield {}
        return
    part, rest = template[0], template[1:]
    if isinstance(part, str):
        if text.startswith(part):
            yield from _match(rest, text.removeprefix(part), words)
        return
    before, path = slot(part)
    name = path[0] if len(path) == 1 else ""
    if not name or name.endswith("*"):
        # A letter of something chosen, or a list: only its absence can be read backwards.
        yield from _match(rest, text, words)
        return
    rest_of_text = text.removeprefix(before) if text.startswith(before) else ""
    for end in range(len(rest_of_text), 0, -1):
        value = _value(rest_of_text[:end])
        if isinstance(value, int) or value in words:
            for params in _match(rest, rest_of_text[end:], words):
                yield {name: value, **params}
    yield from _match(rest, text, words)  # a parameter that was not asked for


def _value(text: str) -> int | str | bool:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.removeprefix("-").isdecimal() and text.isascii() else text
