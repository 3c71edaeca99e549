"""What a person means by a line: the answers it gives, one decision after another.

A line is read from left to right. At each decision of the seat the text must go on with the name of
the decision, or not, and with something that is offered there. So a line may hold the answer alone
(`KS`), several picks in any order (`KS AD AS`), or a whole move in the words of the log
(`die 4, from point6, die 1, from point8`). What is left out where a decision may be declined, or
picking may end, is declined or ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludwright.agents.protocol import STOP
from ludwright.cli.screen.menu import bare, is_number
from ludwright.errors import IllegalMove, LudwrightError
from ludwright.kernel.play.numbered_options import Offer, answers_in_order, offer_to, option_words
from ludwright.kernel.protocol.decision import Range
from ludwright.kernel.views.wording import option_text, plain

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.state import State

STEPS = 300  # answers tried for one line
LENGTH = 400  # characters of a line
SEPARATORS = " ,;:"
DONE = ("done", "stop")
NONE = ("none", "nothing")


@dataclass(frozen=True, slots=True)
class Word:
    """Something that may be typed, and the number of the option that it means."""

    text: str  # in small letters
    at: int


class Reader:
    """Reads the lines of one seat, beginning at one state."""

    def __init__(self, game: Game, stems: Sequence[str]) -> None:
        self._game = game
        self._stems = stems  # groups of spaces: `6` means `point6`
        self._left = STEPS

    def read(self, state: State, seat: str, line: str) -> list[Any] | None:
        """The answers that a line gives; None if it is no line of answers."""
        self._left = STEPS
        if not line.strip() or len(line) > LENGTH:
            return None
        return self._read(state, seat, " ".join(line.lower().split()), first=True)

    def _read(self, state: State, seat: str, rest: str, first: bool = False) -> list[Any] | None:
        rest = rest.lstrip(SEPARATORS)
        if not rest:
            return []
        if not first and (self._left <= 0 or self._asks_anew(state)):
            return None
        offer = offer_to(self._game, state, seat)
        if offer is None:
            return None
        rest = _without_name(rest, offer)
        for answers, left in self._answers(state, offer, rest):
            found = self._after(state, seat, answers, left)
            if found is not None:
                return found
        return None

    def _asks_anew(self, state: State) -> bool:
        decision = self._game.decision(state)
        return decision is None or decision.head

    def _after(self, state: State, seat: str, answers: list[Any], rest: str) -> list[Any] | None:
        """These answers and what the rest of the line says after them."""
        ended = False
        for answer in answers:
            self._left -= 1
            try:
                step = self._game.choose(state, answer, seat)
            except LudwrightError:
                return None
            state, ended = step.state, step.part_ended
        if not rest.strip(SEPARATORS):
            return answers
        if ended:
            return None
        found = self._read(state, seat, rest)
        return None if found is None else [*answers, *found]

    def _answers(self, state: State, offer: Offer, rest: str) -> Iterator[tuple[list[Any], str]]:
        """What the beginning of the text can mean here, and the text behind it."""
        if offer.many:
            yield from self._picks(state, offer, rest)
            return
        for at, left in self._options(state, offer, rest):
            yield [offer.options[at]], left
        if offer.decision.optional:
            for word in NONE:
                behind = _behind(rest, word)
                if behind is not None:
                    yield [None], behind
            yield [None], rest

    def _picks(self, state: State, offer: Offer, rest: str) -> Iterator[tuple[list[Any], str]]:
        """As many picks as the text has, in any order."""
        taken, _, rest = self._taken(state, offer, rest)
        picks = [offer.options[at] for at in taken]
        if not picks and offer.in_order:
            yield [STOP], rest
            return
        try:
            yield answers_in_order(self._game, state, offer, picks), rest
        except (IllegalMove, ValueError):
            return

    def picks(
        self, state: State, offer: Offer, line: str, made: Sequence[int]
    ) -> tuple[list[int], bool] | None:
        """The numbers of the options that a line picks besides those made already, and whether it
        says that these are all; None if there is anything else in it."""
        taken, done, rest = self._taken(state, offer, " ".join(line.lower().split()), made)
        return None if rest.strip(SEPARATORS) else (taken, done)

    def _taken(
        self, state: State, offer: Offer, rest: str, made: Sequence[int] = ()
    ) -> tuple[list[int], bool, str]:
        """The options that a text begins with, whether `done` follows, and the rest."""
        words = self._words(state, offer)
        taken: list[int] = []
        while True:
            rest = rest.lstrip(SEPARATORS)
            done = next((left for w in DONE if (left := _behind(rest, w)) is not None), None)
            if done is not None:
                return taken, True, done
            free = [word for word in words if word.at not in (*made, *taken)]
            found = next(iter(_matches(free, rest)), None)
            if found is None:
                found = self._several(free, rest, taken)
            if found is None:
                return taken, False, rest
            taken.append(found[0])
            rest = found[1]

    def _several(self, free: Sequence[Word], rest: str, taken: list[int]) -> tuple[int, str] | None:
        """`3 apple`: several that are called alike."""
        number, _, what = rest.partition(" ")
        if not is_number(number) or not 1 <= int(number) <= len(free):
            return None
        found: tuple[int, str] | None = None
        for _ in range(int(number)):
            if found is not None:
                taken.append(found[0])
            found = next(iter(_matches([w for w in free if w.at not in taken], what)), None)
            if found is None:
                return None
        return found

    def _options(self, state: State, offer: Offer, rest: str) -> Iterator[tuple[int, str]]:
        if isinstance(offer.options, Range):
            token = rest.replace(",", " ").split(" ")[0]
            if is_number(token) and int(token) in offer.options:
                yield offer.options.index(int(token)), rest[len(token) :]
            return
        yield from _matches(self._words(state, offer), rest)

    def _words(self, state: State, offer: Offer) -> list[Word]:
        """All that may be typed for an option: its words, its name, or the number of a space."""
        texts = option_words(self._game, state, offer)
        if len(texts) != len(offer.options):
            texts = [option_text(option) for option in offer.options]
        found: list[Word] = []
        for at, (text, option) in enumerate(zip(texts, offer.options, strict=True)):
            names = {text.lower(), option_text(option).lower()}
            for stem in self._stems:
                names |= {n.removeprefix(stem) for n in names if is_number(n.removeprefix(stem))}
            found += [Word(name, at) for name in names if name]
        return found


def _without_name(rest: str, offer: Offer) -> str:
    """The text behind the name of the decision, if it begins with it."""
    decision = offer.decision
    name = "with" if decision.name.startswith("__") else plain(decision.name).lower()
    left = _behind(rest, name)
    return rest if left is None or not left.strip(SEPARATORS) else left.lstrip(SEPARATORS)


def _matches(words: Sequence[Word], rest: str) -> list[tuple[int, str]]:
    """The options that the text begins with, the longest first; else the only one that begins
    like its first word."""
    exact = sorted(
        (-len(word.text), word.at, left)
        for word in words
        if (left := _behind(rest, word.text)) is not None
    )
    if exact:
        return [(at, left) for _, at, left in exact]
    token = rest.replace(",", " ").replace(":", " ").split(" ")[0]
    start = bare(token)
    if not start or is_number(token):
        return []
    begun = {word.at for word in words if bare(word.text).startswith(start)}
    return [(begun.pop(), rest[len(token) :])] if len(begun) == 1 else []


def _behind(text: str, word: str) -> str | None:
    """What follows a word at the beginning of a text, if the word ends there."""
    if not word or not text.startswith(word):
        return None
    left = text[len(word) :]
    joined = left[:1].isalnum() and word[-1:].isalnum()
    return None if joined else left
