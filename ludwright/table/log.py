"""The log as one viewer may read it: who did what, what chance gave, what changed.

A line stands for one part of a move. Its words are made from the events that were told to the
viewer, and from nothing else. A word that names something on the table says so (`ref`), so that a
page can light it up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.played_moves import move_of, move_text
from ludwright.kernel.protocol.step import Event
from ludwright.scene.words import in_words, titled, worded
from ludwright.table.match import Match, Position

Word = str | dict[str, str]
SHORT = 3  # names up to this length are coordinates: `g7`
# what rulebooks often call the parts of a move, as a sentence says them
_BETWEEN = {
    "origin": "from", "source": "from", "target": "to", "destination": "to", "cell": "",
    "square": "", "space": "", "choice": "", "where": "in", "amount": "",
}  # fmt: skip
DETAILS = 8  # told below one line; more are counted


def starts(positions: Sequence[Position]) -> list[int]:
    """Where the lines of the log begin: each at the first answer of a part."""
    found: list[int] = []
    for at in range(1, len(positions)):
        before, here = positions[at - 1], positions[at]
        begins = at == 1 or before.step.part_ended or before.seat != here.seat
        if begins or (here.decision is not None and here.decision.head):
            found.append(at)
    return found


def lines(match: Match, viewer: str | None, first: int, last: int) -> list[dict[str, Any]]:
    """The lines up to a position, from the one that holds position `first` on."""
    positions = match.positions[: last + 1]
    heads = starts(positions)
    found: list[dict[str, Any]] = []
    for start, end in pairwise([*heads, len(positions)]):
        if end > first:
            found += _line(match, viewer, start, positions[start:end])
    return found


def _line(
    match: Match, viewer: str | None, start: int, part: Sequence[Position]
) -> Iterator[dict[str, Any]]:
    events = [event for position in part for event in position.events(viewer)]
    chosen = [event for event in events if event.kind == "chose"]
    yield {
        "at": start,
        "seat": part[0].seat,
        "words": list(_header(match, start, part, chosen)),
        "details": list(_said(events) or _details(match, events, chosen)),
        "done": part[-1].step.part_ended,
    }


def _header(
    match: Match, start: int, part: Sequence[Position], chosen: Sequence[Event]
) -> Iterator[Word]:
    if part[-1].decision is None:
        yield "takes back a sealed answer"
        return
    hidden = any("value" not in event.fields for event in chosen) or not chosen
    if hidden:
        yield "has chosen"
        return
    written = _notation(match, start, part) if part[-1].step.part_ended else None
    if written is not None:
        refs = [str(v) for event in chosen for v in _values(event.fields["value"])]
        yield {"text": written, "ref": " ".join(refs[-2:])}
        return
    for event in chosen:
        if event.fields["decision"] != "action":
            name = worded(str(event.fields["decision"]))
            if word := _BETWEEN.get(name, name):
                yield word
        yield from named(match, event.fields["value"])


def _notation(match: Match, start: int, part: Sequence[Position]) -> str | None:
    """The move as the rulebook writes it, where it has a way of writing moves."""
    pairs = [(p.decision, p.answer) for p in part if p.decision is not None]
    flat = [
        (decision, pick)
        for decision, answer in pairs
        for pick in (answer if decision.kind == "chooseN" else [answer])
    ]
    action = next((d.action for d, _ in reversed(pairs) if d.action), None)
    declared = {a.id: a.notation for a in match.rules.gamedef.actions}
    if not flat or not declared.get(action or ""):
        return None
    try:
        return move_text(match.game, match.positions[start - 1].state, move_of(flat))
    except (LudwrightError, ValueError, TypeError):
        return None


def _values(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list | tuple) else [value]


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


def called(match: Match, name: str) -> str:
    """What people call a place, a seat, an action or a piece."""
    wording = core_of(match.game).wording
    if name in match.places:
        place = wording.place(match.places[name])
        return titled(place) if place == name and len(name) > SHORT and ":" not in name else place
    if name in match.game.seats:
        return wording.seat(name)
    kind, at, place = name.partition("@")
    if at:
        return f"{wording.kind(kind)} ({called(match, place)})"
    for subject in ("action", "label", "row"):
        title = wording.title(subject, name, "")
        if title:
            return title
    return worded(name)


def _said(events: Sequence[Event]) -> list[list[Word]]:
    """A rulebook that tells its story is taken at its word."""
    return [[str(event.fields["text"])] for event in events if event.kind == "said"]


def changes(match: Match, position: Position, viewer: str | None) -> list[str]:
    """What one step changes besides what was chosen and what moves, in a few words each."""
    events = [event for event in position.events(viewer) if event.kind != "moved"]
    chosen = [event for event in events if event.kind == "chose"]
    found = _said(events) or list(_details(match, events, chosen))
    return [
        " ".join(word if isinstance(word, str) else word["text"] for word in words)
        for words in found
    ]


def _details(
    match: Match, events: Sequence[Event], chosen: Sequence[Event]
) -> Iterator[list[Word]]:
    answers = {str(v) for event in chosen for v in _values(event.fields.get("value"))}
    found = [words for event in events if (words := list(_detail(match, event, answers)))]
    yield from found[:DETAILS]
    if len(found) > DETAILS:
        yield [f"and {len(found) - DETAILS} more"]


def _detail(match: Match, event: Event, answers: set[str]) -> Iterator[Word]:
    fields = event.fields
    if event.kind == "rolled":
        yield f"{worded(str(fields['name']))}:"
        yield from named(match, fields["value"])
    elif event.kind == "moved":
        yield from _moved(match, event, answers)
    elif event.kind == "changed" and _worth_telling(match, fields):
        if "of" in fields:
            yield from named(match, fields["of"])
        variable = str(fields["variable"])
        name = core_of(match.game).wording.title("variable", variable, worded(variable))
        yield f"{name} {in_words(fields['old'])} → {in_words(fields['new'])}"
    elif event.kind == "revealed":
        yield "shown:"
        yield from named(match, fields["piece"])
    elif event.kind == "gameOver":
        yield "the game is over"


def _worth_telling(match: Match, fields: Mapping[str, Any]) -> bool:
    """Numbers and words of the game, its seats and spaces; not the book-keeping of rules."""
    name = str(fields["variable"])
    words = match.game.program.words.get(("variable", name))
    if name.startswith("__") or isinstance(fields["new"], list | bool):
        return False
    if words is not None and words.hidden:
        return False
    of = fields.get("of")
    return of is None or of in match.seats or of in match.places


def _moved(match: Match, event: Event, answers: set[str]) -> Iterator[Word]:
    fields, count = event.fields, event.fields.get("count", 1)
    source, goal = fields["from"], fields["to"]
    if source == goal or {str(source), str(goal)} <= answers:
        return
    piece = fields["piece"]
    plain = fields["kind"] if piece is None or _alike(piece) else piece
    what = worded(str(plain)) if plain else "hidden"
    yield f"{count} {what}" if count > 1 else what
    if source is not None:
        yield "from"
        yield {"text": called(match, source), "ref": source}
    yield "to" if goal is not None else "leaves the table"
    if goal is not None:
        yield {"text": called(match, goal), "ref": goal}


def _alike(piece: str) -> bool:
    """Whether a name is only a number of a kind: `unit12`, `man:white:3`."""
    return piece[-1:].isdigit() and len(piece) > 3
