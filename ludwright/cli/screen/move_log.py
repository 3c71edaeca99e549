"""What has happened, in words, without telling a seat what it may not know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ludwright.agents.protocol import STOP
from ludwright.cli.screen.menu import is_number
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.played_moves import move_of
from ludwright.kernel.views.effects import Change, Changes, Effect, Effects, Make, answers_in
from ludwright.kernel.views.plurals import plural
from ludwright.kernel.views.wording import option_text, plain

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.decision import Decision
    from ludwright.kernel.protocol.state import State
    from ludwright.kernel.protocol.step import Event, Step

Called = Callable[[str], str]
"""What people call something that the rules name."""

EFFECTS = 8  # told below one line; more are counted
MANY = 12  # pieces that are told one by one; of more only their number
_SIGNS = re.compile(r"#\d+'*|\$|__\w*")


def unsigned(name: str) -> str:
    """A name without the signs that only rules need, where no game is there to ask."""
    return _SIGNS.sub("", name).replace("@", " at ")


@dataclass(frozen=True, slots=True)
class Given:
    """One answer of a part: what was asked, what was answered, and in which words."""

    decision: Decision
    option: Any
    text: str
    step: Step
    seen: frozenset[str] | None = None  # who saw the piece that was chosen; None if it was none


@dataclass(frozen=True, slots=True)
class Line:
    """One part of a move in the log: who, what it is called, and what happened on the way.

    The set-up of a game is a line of nobody.
    """

    seat: str
    move: str
    steps: tuple[Step, ...]
    called: Called = unsigned
    open_to: frozenset[str] = frozenset()  # who saw all that was chosen, when it was chosen
    effects: Effects | None = None  # None: what was changed is not told
    sealed: bool = False  # others answered at the same time: what followed is not this seat's doing
    seats: tuple[str, ...] = ()  # of the game

    def text(self, viewer: str | None) -> str:
        """As a seat may read it, "" if there is nothing to read; None reads everything."""
        events = [event for step in self.steps for event in step.events(viewer)]
        told = list(news(events, self.called))
        if not self.seat:
            return "\n".join(told)
        chosen = [event for event in events if event.kind == "chose"]
        if viewer not in (None, self.seat):
            told += self._effects(events)
        if not chosen and viewer not in (None, self.seat):
            return ""  # a sealed pick; more picks will follow
        hidden = any("value" not in event.fields for event in chosen) and viewer not in self.open_to
        if not hidden:
            return "\n".join([f"{self.called(self.seat)}: {self.move}", *told])
        said = any(event.kind == "said" for event in events)
        return "\n".join([*self._seen(events, viewer, said), *told])

    def _seen(self, events: Sequence[Event], viewer: str | None, said: bool) -> Iterator[str]:
        """A move whose choices are hidden, by what is seen of it."""
        name = self.called(self.seat)
        moved = [e for e in events if e.kind == "moved" and e.fields["piece"] is not None]
        if self.sealed:
            yield f"{name} has chosen"
            if not said:
                yield from (f"  {text}" for text in _moves(_arriving(moved, viewer), self))
            yield from self._laid_open(events, moved, viewer)
            return
        own = list(_own_ways(moved, self.seat))
        seen = [e for e in own or moved if self.effects is None or self._is_card(e)]
        words = "; ".join([*self._answers(events), *_moves(_first_ways(seen), self)])
        if words:
            yield f"{name}: {words}"
        elif not said:
            yield f"{name} has chosen in secret"

    def _laid_open(
        self, events: Sequence[Event], moved: Sequence[Event], viewer: str | None
    ) -> Iterator[str]:
        """The cards that others had chosen under seal, where they went for all to see: they may
        have left the table again by the end of the step."""
        told = _words_said(events)
        others = [seat for seat in self.seats if seat != viewer]
        cards = [e for e in _first_ways(moved) if _owner(e.fields["from"]) in others]
        cards = [e for e in cards if _owner(e.fields["to"]) in (None, _owner(e.fields["from"]))]
        for seat, group in groupby(cards, lambda event: _owner(event.fields["from"])):
            news = [e for e in group if not _was_told(told, _piece(e, self.called))]
            if news and seat is not None:
                yield f"  {self.called(seat)}: {'; '.join(_moves(news, self))}"

    def _is_card(self, event: Event) -> bool:
        """Whether a piece is told by its name, and not counted with others of its kind."""
        effects = self.effects
        return effects is None or effects.make(str(event.fields["piece"]))[0] not in effects.kinds

    def _answers(self, events: Sequence[Event]) -> Iterator[str]:
        """What the seat chose in sight of all: an action, spaces, numbers."""
        told: list[str] = []
        for event in events:
            if event.kind == "chose" and event.fields["seat"] == self.seat:
                value = event.fields.get("value")
                if value not in (None, "none", []):
                    told.append(spoken(value, self.called))
        if told:
            yield " ".join(told)

    def _effects(self, events: Sequence[Event]) -> Iterator[str]:
        if self.effects is None or self.sealed:
            return
        found = self.effects.of(events, answers_in(events) | self._named(events))
        for effect in found[:EFFECTS]:
            yield f"  {effect_text(effect, self.effects, self.called)}"
        if len(found) > EFFECTS:
            yield f"  and {len(found) - EFFECTS} more"

    def _named(self, events: Sequence[Event]) -> set[str]:
        """The cards that the line itself names: those that left the places of its seat."""
        moved = [e for e in events if e.kind == "moved" and e.fields["piece"] is not None]
        return {str(e.fields["piece"]) for e in moved if _belongs(e.fields["from"], self.seat)}


def effect_text(effect: Effect, effects: Effects, called: Called) -> str:
    """`silver of Ada 5 → 2`, `3 cubes of Ada from Supply to Pans, Market (2)`."""
    if isinstance(effect, Change):
        of = "" if effect.of is None else f" of {called(effect.of)}"
        old, new = (spoken(value, called) for value in (effect.old, effect.new))
        return f"{plain(effect.variable)}{of}: {old} → {new}"
    if isinstance(effect, Changes):
        values = (f"{called(space)} {spoken(value, called)}" for space, value in effect.values)
        return f"{plain(effect.variable)}: {', '.join(values)}"
    names = ", ".join(_amount(make, n, effects, called) for make, n in effect.pieces.items())
    sources, goals = _places(effect.sources, called), _places(effect.goals, called)
    if None in effect.goals:
        return f"{names} {'leaves' if effect.count == 1 else 'leave'} {sources or 'the table'}"
    return f"{names}{f' from {sources}' if sources else ''} to {goals}"


def _amount(make: Make, count: int, effects: Effects, called: Called) -> str:
    name, owner = make
    kind = name is None or name in effects.kinds
    what = "hidden piece" if name is None else called(name)
    if count > 1:
        what = f"{count} {plural(what) if kind else what}"
    return f"{what} of {called(owner)}" if owner is not None else what


def _places(counts: Mapping[str | None, int], called: Called) -> str:
    known = {place: count for place, count in counts.items() if place is not None}
    return ", ".join(
        called(place) + (f" ({count})" if count > 1 and len(known) > 1 else "")
        for place, count in known.items()
    )


def _owner(place: str | None) -> str | None:
    return (place or "").partition(":")[2] or None


def _belongs(place: str | None, seat: str | None) -> bool:
    return seat is not None and _owner(place) == seat


def _arriving(moved: Iterable[Event], viewer: str | None) -> list[Event]:
    """The ways that end at a seat."""
    ends = [e for e in moved if _belongs(e.fields["to"], viewer)]
    return [e for e in ends if not _belongs(e.fields["from"], viewer)]


def _own_ways(moved: Iterable[Event], seat: str) -> Iterator[Event]:
    """What left the places of a seat, until those of others were cleared as well: from then on it
    is the end of a trick, a deal or a round."""
    for event in moved:
        _, owned, owner = (event.fields["from"] or "").partition(":")
        if owner == seat:
            yield event
        elif owned:
            return


def _first_ways(moved: Iterable[Event]) -> list[Event]:
    """Where pieces went first: what follows from it is seen on the table."""
    found: list[Event] = []
    reached: set[tuple[str, Any]] = set()
    for event in moved:
        piece = str(event.fields["piece"])
        if (piece, event.fields["from"]) not in reached:
            found.append(event)
        reached.add((piece, event.fields["to"]))
    return found


def news(events: Iterable[Event], called: Called = unsigned) -> Iterator[str]:
    """What the game says, what chance gave and what was shown, where the viewer may know it.

    What the game has told in its own words is not told again.
    """
    events = list(events)
    told = _words_said(events)
    for event in events:
        if event.kind == "said":
            yield f"  {event.fields['text']}"
        elif event.kind in ("revealed", "concealed"):
            what = "is shown" if event.kind == "revealed" else "is hidden again"
            name = _piece(event, called)
            if event.kind == "concealed" or not _was_told(told, name):
                yield f"  {name} {what}"
        elif event.kind == "opened":
            answers = event.fields["answers"]
            if not all(_was_told(told, spoken(answer, called)) for answer in answers.values()):
                yield f"  {opening(event, called)}"
        if event.kind == "rolled" and "value" in event.fields:
            value = spoken(event.fields["value"], called)
            if not _was_told(told, value):
                yield f"  {plain(str(event.fields['name']))}: {value}"


def opening(event: Event, called: Called) -> str:
    """`bid: Ada 3, Ben 5`: what was sealed until all had answered."""
    answers = event.fields["answers"].items()
    told = (f"{called(seat)} {spoken(answer, called)}" for seat, answer in answers)
    return f"{plain(str(event.fields['decision']))}: {', '.join(told)}"


def _words_said(events: Iterable[Event]) -> Counter[str]:
    """The words of the sentences that the game itself has told."""
    said = [str(event.fields["text"]) for event in events if event.kind == "said"]
    return Counter(word for text in said for word in re.findall(r"\w+", text))


def _was_told(told: Counter[str], text: str) -> bool:
    """Whether the game has said all these words; each counts once."""
    words = Counter(re.findall(r"\w+", text))
    if not words or any(told[word] < count for word, count in words.items()):
        return False
    told.subtract(words)
    return True


def spoken(value: Any, called: Called) -> str:
    """A value that callers exchange, as people say it."""
    if isinstance(value, list | tuple):
        return ", ".join(spoken(item, called) for item in value) or "nothing"
    return called(value) if isinstance(value, str) and value != STOP else option_text(value)


def _moves(moved: Iterable[Event], line: Line) -> Iterator[str]:
    """The pieces that a viewer saw arriving, by the places where they did."""
    for place, group in groupby(moved, lambda event: event.fields["to"]):
        counted = Counter(
            name
            for event in group
            for name in [line.called(str(event.fields["piece"]))] * event.fields.get("count", 1)
        )
        told = [name if n == 1 else f"{n} {name}" for name, n in counted.items()]
        left = sum(counted.values()) if len(told) > MANY else 0
        names = f"{left} pieces" if left else ", ".join(told)
        yield f"{names} {_to(place, line)}"


def _piece(event: Event, called: Called) -> str:
    """`KH`, or `3 apple` of pieces that are alike."""
    count, name = event.fields.get("count", 1), called(str(event.fields["piece"]))
    return f"{count} {name}" if count > 1 else name


def _to(place: str | None, line: Line) -> str:
    """`to played` for the seat's own, `to taken of East` for another's."""
    if place is None:
        return "out of the game"
    _, colon, owner = place.partition(":")
    if colon and owner == line.seat:
        return f"to {line.called(place).removesuffix(f' of {line.called(owner)}')}"
    return f"to {line.called(place)}"


# ---------------------------------------------------------------------- what a move is called


def line_of(game: Game, start: State, part: Sequence[Given]) -> Line:
    """The line of a part that began at a state."""
    text = part_text(game, start, part)
    steps = tuple(given.step for given in part)
    seen = [given.seen for given in part if given.seen is not None]
    sealed = any(given.decision.together for given in part)
    open_to = frozenset[str]() if sealed or not seen else frozenset.intersection(*seen)
    called = core_of(game).wording.called
    effects = Effects(game.program, getattr(game.gamedef, "look", None))
    seat, seats = part[-1].decision.seat, tuple(game.seats)
    return Line(seat, text, steps, called, open_to, effects, sealed, seats)


def part_text(game: Game, start: State, part: Sequence[Given]) -> str:
    """A part in the game's notation; without one, the answers in the words they were offered."""
    move = move_of([(given.decision, given.option) for given in part])
    written = {action.name for action in game.program.actions if action.notation is not None}
    if part[0].decision.head and move.action_id in written:
        return game.notation(start, move)
    return answers_text(game, part)


def answers_text(game: Game, part: Sequence[Given]) -> str:
    """`march: into hue, units 3`; what was declined and could be is left out."""
    wording = core_of(game).wording
    words: list[str] = []
    name = ""
    for given in part:
        decision = given.decision
        if given.option == STOP or (decision.name.startswith("__") and _is_none(given.option)):
            continue
        if decision.role == "action":
            words.append(wording.title("action", str(given.option)))
        elif decision.name.startswith("__"):
            words.append(f"with {given.text}")
        elif decision.kind == "chooseN" and decision.decision_id == name:
            words[-1] += f" {given.text}"
        elif decision.role == "menu":
            words.append(given.text)
        elif len(plain(decision.name)) == 1 and not is_number(given.text):
            words.append(given.text)  # a single letter tells nobody what was asked
        else:
            words.append(f"{plain(decision.name)} {given.text}")
        name = decision.decision_id
    first = part[0].decision.role == "action" and len(words) > 1 and part[1].decision.role != "menu"
    return f"{words[0]}: {', '.join(words[1:])}" if first else ", ".join(words) or "done"


def _is_none(option: Any) -> bool:
    """Whether nothing was taken, where a menu of the rules has an entry for it."""
    return option is None or option == "none"
