"""Plays: a game written down line by line, where each line does something or says what holds.

    red asked amount: 1..2            red is asked `amount` and may answer 1 or 2
    red is asked "How many?"          red reads this question
    red: 2                            red answers 2; by name, or by the words that people read
    red: play; 5; stop                several answers, one after the other
    red: 2 open coin@hand:red         two answers: pieces, by what they are and where they lie
    red plays e2e4, c2c4              red makes these moves, one after the other
    red can e2e4, d2d4                these moves are legal
    red cannot e2e5: not a move       this one is not; the reason given holds these words
    red refused 3                     red may not answer 3
    red faults 3                      the answer shows a mistake of the rulebook
    red sees hand:red: 5, 2           what red sees in a place
    red hears "blue draws a card"     red was told this since the line before
    red reads "coins 3"               the table, as it is drawn for red, has these words in a line
    check stones == 1                 a condition that holds now
    over: win red (mate)              how the game ended

`#` with a space before it begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ludwright.errors import IllegalMove, LudwrightError, RulebookFault
from ludwright.kernel.interpreter.stop import STOP
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.play.typed_moves import explain
from ludwright.kernel.protocol.decision import CHANCE, Decision, Range
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Step

_COMMENT = re.compile(r"(^|\s)#.*")
CHECK = "check "
WHOEVER = "?"  # in the place of a seat: whoever decides


class PlayError(AssertionError):
    """A line of a play does not hold; the message says what does."""


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    number: int  # in its file


def lines_of(text: str, first: int) -> list[Line]:
    """The lines of a play that say something; `first` is the number of the first one."""
    found = (
        Line(_COMMENT.sub("", line).strip(), first + at) for at, line in enumerate(text.split("\n"))
    )
    return [line for line in found if line.text]


def conditions_of(lines: Sequence[Line]) -> list[str]:
    """The conditions that a play checks, each once."""
    checks = (line.text for line in lines if line.text.startswith(CHECK))
    return list(dict.fromkeys(text.removeprefix(CHECK).strip() for text in checks))


def written(value: Any) -> str:
    """A value as plays write it."""
    if isinstance(value, Range):
        return f"{value.lo}..{value.hi}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(written(item) for item in value) + "]"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "stop" if value == STOP else str(value)


class Play:
    """A state, and lines that change it or say something about it.

    `failing` tells what a condition lacks in a state, "" if it holds: conditions are expressions of
    the rulebook.
    """

    def __init__(self, game: Game, state: State, failing: Callable[[State, str], str]) -> None:
        self.game = game
        self.state = state
        self._failing = failing
        self._steps: list[Step] = []  # since the last line that did something

    def step(self, text: str) -> None:
        """Do what a line says; `PlayError` where something else is the case."""
        first, _, rest = text.partition(" ")
        if first == "check":
            lacking = self._failing(self.state, rest.strip())
            _expect(not lacking, f"this does not hold: {lacking}")
        elif first == "over:":
            _expect(self.over() == rest.strip(), f"the game ended as: {self.over()}")
        elif first.endswith(":"):
            self._answers(first[:-1], rest)
        else:
            word, _, what = rest.partition(" ")
            self._statement(first, word, what.strip())

    def _statement(self, seat: str, word: str, what: str) -> None:
        known = {
            "plays": self._plays,
            "can": self._can,
            "cannot": self._cannot,
            "asked": self._asked,
            "is": self._is_asked,
            "refused": lambda seat, what: self._fails(IllegalMove, seat, what),
            "faults": lambda seat, what: self._fails(RulebookFault, seat, what),
            "sees": self._sees,
            "hears": self._hears,
            "reads": self._reads,
        }
        if word not in known:
            raise PlayError(f"`{word}` is no word of a play; known are: {', '.join(known)}")
        if seat == WHOEVER:
            seat = self._whoever()
        if seat not in (*self.game.seats, CHANCE):
            raise PlayError(f"there is no seat `{seat}`; there are: {', '.join(self.game.seats)}")
        known[word](seat, what)

    def _whoever(self) -> str:
        found = self.game.decision(self.state)
        if found is None:
            raise PlayError(f"the game is over: {self.over()}")
        return found.seat

    # --------------------------------------------------------------- moves

    def _plays(self, seat: str, what: str) -> None:
        self._steps = []
        for text in _separate(what):
            seat = self._whoever() if "," in what else seat
            move = self._read(seat, text)
            step = self.game.apply_move(self.state, move, seat)
            self._steps.append(step)
            self.state = step.state

    def _read(self, seat: str, text: str) -> Move:
        self.decision(seat)
        try:
            return self.game.parse_move(self.state, text)
        except IllegalMove as error:
            raise PlayError(f"`{text}` is not possible: {self._reason(text, error)}") from None

    def _reason(self, text: str, error: IllegalMove) -> str:
        why = explain(self.game, self.state, text)
        return error.reason if why is None or why.reason is None else why.reason

    def _can(self, seat: str, what: str) -> None:
        for text in _separate(what):
            self._read(seat, text)

    def _cannot(self, seat: str, what: str) -> None:
        text, _, wanted = what.partition(": ")
        self.decision(seat)
        try:
            self.game.parse_move(self.state, text.strip())
        except IllegalMove as error:
            reason = self._reason(text.strip(), error)
            _expect(wanted.strip() in reason, f"the reason is: {reason}")
            return
        raise PlayError(f"`{text}` is possible")

    # ------------------------------------------------------------- answers

    def decision(self, seat: str) -> Decision:
        found = self.game.decision(self.state)
        if found is None:
            raise PlayError(f"the game is over: {self.over()}")
        if seat in found.together:
            found = self.game.decision(self.state, seat) or found
        _expect(found.seat == seat, f"{found.seat} decides now: {shown(found)}")
        return found

    def _asked(self, seat: str, what: str) -> None:
        asked = shown(self.decision(seat))
        _expect(asked == what, f"asked is: {asked}")

    def _is_asked(self, seat: str, what: str) -> None:
        self.decision(seat)
        question = self.game.question(self.state, seat)
        wanted = what.removeprefix("asked").strip().strip('"')
        _expect(question == wanted, f"the question is: {question}")

    def _answers(self, seat: str, text: str) -> None:
        steps: list[Step] = []
        parts = [one for part in text.split(";") for one in _repeated(part.strip())]
        for part in parts:
            try:
                self.answer(seat, part)
            except (AssertionError, LudwrightError) as problem:
                where = f"at `{part}`: " if len(parts) > 1 else ""
                raise PlayError(f"{where}{problem}") from None
            steps += self._steps
        self._steps = steps

    def answer(self, seat: str, text: str) -> None:
        decision = self.decision(seat)
        named = seat if decision.together else None
        step = self.game.choose(self.state, self.value(decision, text), named)
        self._steps, self.state = [step], step.state

    def value(self, decision: Decision, text: str) -> Any:
        for option in decision.answers:
            if written(option) == text:
                return option
        named = self._in_words(decision)
        if named.count(text) == 1:
            return decision.options[named.index(text)]
        if text.startswith("[") and decision.kind == "chooseN":
            return [self.value(decision, part.strip()) for part in text[1:-1].split(",") if part]
        if "@" in text:
            return self._piece(decision, text)
        return int(text) if text.lstrip("-").isdigit() else text

    def _piece(self, decision: Decision, text: str) -> Any:
        """`WORDS@PLACE`: the option that is a piece there to which all these words apply."""
        words, _, place = text.rpartition("@")
        core = core_of(self.game)
        stop = core.stop(self.state)
        if stop.choice is None or stop.choice.type.kind != "piece":
            return text
        cells, values = self.state.shared_cells, core.values
        found = [
            option
            for piece, option in zip(stop.answers, decision.options, strict=True)
            if values.place_of(cells, piece) == place
            and _applies(words.split(), values.words_about(cells, piece))
        ]
        if len(found) > 1:
            raise PlayError(f"`{text}` may be any of: {', '.join(map(written, found))}")
        return found[0] if found else text

    def _in_words(self, decision: Decision) -> list[str]:
        """The options as people read them: `shell` for one of several cards that are alike."""
        if isinstance(decision.options, Range):
            return []
        seat = None if decision.seat == CHANCE else decision.seat
        return self.game.option_texts(self.state, seat)

    def _fails(self, kind: type[Exception], seat: str, text: str) -> None:
        try:
            self.answer(seat, text)
        except kind:
            return
        raise PlayError("this was allowed")

    # -------------------------------------------------------- what is told

    def _reads(self, seat: str, what: str) -> None:
        wanted = " ".join(what.strip('"').split())
        drawn = self.game.draw(self.state, None if seat == CHANCE else seat)
        lines = [" ".join(line.split()) for line in drawn.split("\n")]
        _expect(any(wanted in line for line in lines), f"the table is drawn as:\n{drawn}")

    def _hears(self, seat: str, what: str) -> None:
        heard = [
            str(event.fields["text"])
            for step in self._steps
            for event in step.events(seat)
            if event.kind == "said"
        ]
        wanted = what.strip('"')
        _expect(wanted in heard or (what == "nothing" and not heard), f"{seat} heard: {heard}")

    def _sees(self, seat: str, what: str) -> None:
        """`PLACE: name, name` or `PLACE: 3 hidden`."""
        places: dict[str, Any] = self.game.observe(self.state, seat)["places"]
        place, _, wanted = what.partition(": ")
        found = places.get(place, {"count": 0})
        pieces = found.get("pieces") or [None] * found["count"]
        names = [
            "hidden" if piece is None else piece.get("name", piece["kind"]) for piece in pieces
        ]
        seen = ", ".join(names) or "nothing"
        if set(names) == {"hidden"}:
            seen = f"{len(names)} hidden"
        _expect(seen == wanted, f"{seat} sees there: {seen}")

    def over(self) -> str:
        """`win red (reason)`, `draw (reason)` or `score red 3, blue 2 (reason)`."""
        result = self.game.result(self.state)
        if result is None:
            return "not yet"
        if result.outcome == "score":
            what = ", ".join(f"{seat} {score}" for seat, score in result.scores.items())
        else:
            what = ", ".join(result.winners)
        return " ".join(part for part in (result.outcome, what, f"({result.reason})") if part)


def shown(decision: Decision) -> str:
    """`name: a, b, c`, with `none` or `stop` where they may be answered."""
    options = decision.options
    words = [written(options)] if isinstance(options, Range) else [written(one) for one in options]
    if decision.optional:
        words.append("none")
    if decision.can_stop:
        words.append("stop")
    return f"{decision.decision_id}: {', '.join(words)}"


def _repeated(text: str) -> list[str]:
    """`3 coin@purse` is the same answer three times."""
    number, _, rest = text.partition(" ")
    return [rest.strip()] * int(number) if number.isdigit() and "@" in rest else [text]


def _applies(words: Sequence[str], about: set[str]) -> bool:
    """Whether all words are true of a piece; those behind a minus must not be."""
    return all((word[1:] not in about) if word[0] == "-" else word in about for word in words)


def _separate(text: str) -> list[str]:
    """Moves with commas between; commas inside of brackets belong to a move."""
    return [part.strip() for part in re.split(r",(?![^(\[]*[)\]])", text) if part.strip()]


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise PlayError(otherwise)
