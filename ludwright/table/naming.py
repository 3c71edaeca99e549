"""What people call things: places, seats, cards. In a sentence, names can be pointed at.

A word that names something on the table says so (`ref`), so that a page can light it up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from ludwright.kernel.play.game import Game, core_of
from ludwright.scene.shapes import suit_letter
from ludwright.scene.words import in_words, titled, worded
from ludwright.table.match import Match

Word = str | dict[str, str]
SHORT = 3  # names up to this length are coordinates: `g7`
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_NUMBERED = re.compile(r"(?<=[a-z]{2})(?=\d)")


class Names:
    """The names of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._wording = core_of(game).wording
        world = game.program.world
        self._places = {place.name: at for at, place in enumerate(world.places)}
        self.cards = {
            name: f"{'10' if name[:-1] == 'T' else name[:-1]}{SUITS[suit_letter(name[-1:])]}"
            for kind in world.kinds
            if any(one.name == "suit" for one in kind.properties)
            for name in kind.names
            if name[:-1] and suit_letter(name[-1:])
        }

    def of(self, name: str) -> str:
        """What people call a place, a seat, an action or a piece."""
        if name in self.cards:
            return self.cards[name]
        if name in self._places:
            place = self._wording.place(self._places[name])
            plain = place == name and len(name) > SHORT and ":" not in name
            return _NUMBERED.sub(" ", titled(place)) if plain else place
        if name in self._game.seats:
            return self._wording.seat(name)
        kind, at, place = name.partition("@")
        if at:
            where, _, which = place.rpartition(":")
            if place not in self._places and where in self._places:
                return self.of(which)  # one of several: `card@hand:red:levy`
            return f"{self._wording.kind(kind)} ({self.of(place)})"
        for subject in ("action", "label", "row"):
            title = self._wording.title(subject, name, "")
            if title:
                return title
        return worded(self._wording.called(name))

    @cached_property
    def _known(self) -> dict[str, str]:
        """What can stand in a sentence, with the name that the rules have for it."""
        found: dict[str, str] = {}
        for name in (*self._game.seats, *self._places, *self.cards):
            said = self.of(name)
            for word in (said, said[:1].lower() + said[1:], name):
                if word == said or name not in self._game.seats:
                    found.setdefault(word, name)
        return {word: name for word, name in found.items() if len(word) > 1}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        words = sorted(self._known, key=lambda word: (-len(word), word))
        return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, words)) or '(?!)'})(?![\w-])")

    def linked(self, text: str) -> Iterator[Word]:
        """A sentence in which every name of something on the table can be pointed at."""
        at = 0
        for found in self._pattern.finditer(text):
            if between := text[at : found.start()].strip():
                yield between
            name = self._known[found[1]]
            yield {"text": self.cards.get(name, found[1]), "ref": name}
            at = found.end()
        if rest := text[at:].strip():
            yield rest


_made: WeakKeyDictionary[Game, Names] = WeakKeyDictionary()


def names_of(match: Match) -> Names:
    found = _made.get(match.game)
    if found is None:
        found = _made[match.game] = Names(match.game)
    return found


def called(match: Match, name: str) -> str:
    """What people call a place, a seat, an action or a piece."""
    return names_of(match).of(name)


def named(match: Match, value: Any) -> Iterator[Word]:
    """A value in words; what stands on the table can be pointed at."""
    if isinstance(value, list | tuple):
        if not value:
            yield "nothing"
        for part in value:
            yield from named(match, part)
    elif isinstance(value, str):
        yield {"text": called(match, value), "ref": value}
    else:
        yield in_words(value)


def plainly(words: Iterable[Word]) -> str:
    """Words as one text."""
    text = " ".join((one if isinstance(one, str) else one["text"]).strip() for one in words)
    return re.sub(r" ([,.:;!?])", r"\1", text)
