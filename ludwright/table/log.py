"""The log as one viewer may read it: who did what, what chance gave, what changed.

A line stands for one part of a move. Its words are made from the events that were told to the
viewer, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, Literal

from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.played_moves import move_of, move_text
from ludwright.kernel.protocol.step import Event
from ludwright.kernel.views.plurals import plural
from ludwright.kernel.views.wording import plain
from ludwright.scene.words import in_words, worded
from ludwright.table.match import Match, Position
from ludwright.table.naming import Word, called, named, names_of, plainly

# what rulebooks often call the parts of a move, as a sentence says them
_BETWEEN = {
    "origin": "from", "source": "from", "target": "to", "destination": "to", "cell": "",
    "square": "", "space": "", "choice": "", "where": "in", "amount": "", "card": "", "piece": "",
    "point": "", "hex": "", "tile": "", "who": "", "whom": "", "what": "", "player": "",
    "special": "with", "special before": "with", "special during": "with", "special after": "with",
}  # fmt: skip
DETAILS = 8  # told below one line; more are counted
APIECE = 3  # changes of one variable, each with a line of its own


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
    before = 0
    for start, end in pairwise([*heads, len(positions)]):
        if end > first:
            head = _phase(match, viewer, positions[before:start])
            found.append(_line(match, viewer, start, positions[start:end], head))
        before = start
    return found


def _phase(match: Match, viewer: str | None, part: Sequence[Position]) -> str:
    """The phase that a part of the game has led to, in words."""
    begun = [e.fields["name"] for p in part for e in p.events(viewer) if e.kind == "phase"]
    name = str(begun[-1]).strip("_") if begun else ""
    return core_of(match.game).wording.title("phase", str(begun[-1]), plain(name)) if name else ""


def _line(
    match: Match, viewer: str | None, start: int, part: Sequence[Position], head: str
) -> dict[str, Any]:
    events = [event for position in part for event in position.events(viewer)]
    chosen = [e for e in events if e.kind == "chose" and e.fields["seat"] == part[0].seat]
    words = list(_header(match, start, part, events, chosen)) or ["declines"]
    told = {word["ref"] for word in words if not isinstance(word, str)}
    return {
        "at": start,
        "seat": part[0].seat,
        "words": words,
        "details": _said(match, events)
        or list(_details(match, events, chosen, told, part[0].seat)),
        "done": part[-1].step.part_ended,
        **({"head": head} if head else {}),
    }


def _header(
    match: Match, start: int, part: Sequence[Position], events: Sequence[Event],
    chosen: Sequence[Event],
) -> Iterator[Word]:  # fmt: skip
    if part[-1].decision is None:
        yield "takes back a sealed answer"
        return
    hidden = any("value" not in event.fields for event in chosen) or not chosen
    if hidden:
        played = list(_played(match, part[0].seat, events))
        yield from played or ["has chosen"]
        return
    written = _notation(match, start, part) if part[-1].step.part_ended else None
    if written is not None:
        refs = [str(v) for event in chosen for v in _values(event.fields["value"])]
        text = called(match, written) if written in refs else written
        yield {"text": text, "ref": " ".join(refs[-2:])}
        return
    for event in chosen:
        value = event.fields["value"]
        if value in (None, "none", []):
            continue  # an offer that was declined
        if event.fields["decision"] != "action":
            name = plain(str(event.fields["decision"])).strip("_ ")
            if word := _BETWEEN.get(name, name):
                yield word
        yield from named(match, value)


def _played(match: Match, seat: str, events: Sequence[Event]) -> Iterator[Word]:
    """Cards that came from a hand, where the choice itself was hidden but its cards are seen."""
    moves = [event.fields for event in events if event.kind == "moved" and event.fields["piece"]]
    places = match.game.program.world.places
    hands = {p.name for p in places if p.see != "all" and p.name.endswith(f":{seat}")}
    for piece in dict.fromkeys(str(one["piece"]) for one in moves if one["from"] in hands):
        if not _alike(piece):
            yield from named(match, piece)


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
        written = move_text(match.game, match.positions[start - 1].state, move_of(flat))
    except (LudwrightError, ValueError, TypeError):
        return None
    return written if written == written.strip() else None  # a part of it is missing


def _values(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _said(match: Match, events: Sequence[Event]) -> list[list[Word]]:
    """A rulebook that tells its story is taken at its word."""
    names = names_of(match)
    said = (str(event.fields["text"]) for event in events if event.kind == "said")
    return [list(names.linked(text)) for text in said]


def changes(match: Match, position: Position, viewer: str | None) -> list[str]:
    """What one step changes besides what was chosen and what moves, in a few words each."""
    events = [event for event in position.events(viewer) if event.kind != "moved"]
    chosen = [event for event in events if event.kind == "chose"]
    found = _said(match, events) or list(_details(match, events, chosen, set(), position.seat))
    return list(map(plainly, found))


def _details(
    match: Match, events: Sequence[Event], chosen: Sequence[Event], told: set[str], seat: str
) -> Iterator[list[Word]]:
    """What has changed and moved. What `seat` itself has is told in one line, without its name."""
    answers = {str(v) for event in chosen for v in _values(event.fields.get("value"))} | told
    found: list[list[Word]] = []
    own = [e for e in events if e.kind == "changed" and e.fields.get("of") == seat]
    if had := list(_had(match, own)):
        found.append([" · ".join(had)])
    events = [event for event in events if event not in own]
    for variable, group in groupby(events, _of_spaces(match)):
        alike = list(group)
        if variable and len(alike) > APIECE:
            found.append(list(_together(match, variable, alike)))
        else:
            found += [
                words for event in alike if (words := list(_detail(match, event, answers, seat)))
            ]
    yield from found[:DETAILS]
    if len(found) > DETAILS:
        yield [f"and {len(found) - DETAILS} more"]


def _of_spaces(match: Match) -> Callable[[Event], str]:
    """The variable of spaces that an event is about, if it is one that is told."""

    def variable(event: Event) -> str:
        fields = event.fields
        about = event.kind == "changed" and fields.get("of") in match.places
        return str(fields["variable"]) if about and _worth_telling(match, fields) else ""

    return variable


def _together(match: Match, variable: str, events: Sequence[Event]) -> Iterator[Word]:
    """Many changes of one variable in one line."""
    yield f"{core_of(match.game).wording.title('variable', variable, worded(variable))}:"
    for event in events:
        yield from named(match, event.fields["of"])
        yield f"{in_words(event.fields['new'])}{',' if event is not events[-1] else ''}"


def _detail(match: Match, event: Event, answers: set[str], seat: str) -> Iterator[Word]:
    fields = event.fields
    if event.kind == "rolled":
        yield f"{worded(str(fields['name']))}:"
        yield from named(match, fields["value"])
    elif event.kind == "moved":
        yield from _moved(match, event, answers, seat)
    elif event.kind == "changed" and _worth_telling(match, fields):
        if "of" in fields:
            yield from named(match, fields["of"])
        yield _change(match, fields)
    elif event.kind == "opened":
        yield from _opening(match, event)
    elif event.kind == "revealed":
        yield "shown:"
        yield from named(match, fields["piece"])
    elif event.kind == "gameOver":
        yield "the game is over"


def _had(match: Match, events: Sequence[Event]) -> Iterator[str]:
    """Changes of what one seat has; of a variable that changes twice, from the first to the last
    value."""
    whole: dict[str, dict[str, Any]] = {}
    for event in events:
        known = whole.setdefault(str(event.fields["variable"]), {**event.fields})
        known["new"] = event.fields["new"]
    for fields in whole.values():
        if fields["old"] != fields["new"] and _worth_telling(match, fields):
            yield _change(match, fields)


def _change(match: Match, fields: Mapping[str, Any]) -> str:
    variable = str(fields["variable"])
    name = core_of(match.game).wording.title("variable", variable, worded(variable))
    return f"{name} {in_words(fields['old'])} → {in_words(fields['new'])}"


def _opening(match: Match, event: Event) -> Iterator[Word]:
    """What was sealed until all had answered."""
    answers = list(event.fields["answers"].items())
    yield f"{worded(plain(str(event.fields['decision'])))}:"
    for seat, answer in answers:
        yield from named(match, seat)
        words = list(named(match, answer)) if answer is not None else ["nothing"]
        if (seat, answer) != answers[-1]:
            words.append(",")
        yield from words


def _worth_telling(match: Match, fields: Mapping[str, Any]) -> bool:
    """Numbers and words of the game, its seats and spaces; not the book-keeping of rules."""
    name = str(fields["variable"])
    words = match.game.program.words.get(("variable", name))
    if name.startswith("__") or isinstance(fields["new"], list | bool):
        return False
    if words is not None and words.hidden:
        return False
    of = fields.get("of")
    if of is None:
        return not _ticks(fields) and _shown(match, name, "values")
    return of in match.places or (of in match.seats and _shown(match, name, "seat_values"))


def _ticks(fields: Mapping[str, Any]) -> bool:
    """Whether a number only counts on, or begins again: a round, moves without a capture."""
    old, new = fields["old"], fields["new"]
    return isinstance(old, int) and isinstance(new, int) and (new == old + 1 or new == 0)


def _shown(match: Match, name: str, where: Literal["values", "seat_values"]) -> bool:
    """Whether a variable stands in the panel; if the rulebook lists some, the others do not."""
    look = match.rules.gamedef.look
    listed = getattr(look, where) if look is not None else None
    return listed is None or name in {one.name for one in listed}


def _moved(match: Match, event: Event, answers: set[str], seat: str) -> Iterator[Word]:
    fields, count = event.fields, event.fields.get("count", 1)
    source, goal = fields["from"], fields["to"]
    if source == goal or {str(source), str(goal)} <= answers:
        return
    own = source is None or str(source).endswith(f":{seat}")
    if own and goal in match.places and str(goal) in answers and count == 1:
        return  # `g4` says that something of one's own was placed there
    piece = fields["piece"]
    if piece in answers and str(source) not in answers and goal is None:
        return
    if piece is not None and not _alike(piece):
        if piece in answers and source is not None and ":" in source:
            return  # a card played from a hand
        yield from named(match, piece)
    else:
        kind, _, owner = str(fields["kind"] or "hidden piece").partition(" of ")
        many = f"{count} {plural(worded(kind))}" if count > 1 else worded(kind)
        yield f"{many} of {called(match, owner)}" if owner else many
    if source is not None:
        yield "from"
        yield {"text": called(match, source), "ref": source}
    yield "to" if goal is not None else "leaves the table"
    if goal is not None:
        yield {"text": called(match, goal), "ref": goal}


def _alike(piece: str) -> bool:
    """Whether a name is only a number of a kind: `unit12`, `man:white:3`."""
    return piece[-1:].isdigit() and len(piece) > 3
