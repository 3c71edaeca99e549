"""The log as one viewer may read it: who did what, what chance gave, what changed.

A line stands for one part of a move. Its words are made from the events that were told to the
viewer, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

from ludwright.errors import LudwrightError
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.play.played_moves import move_of, move_text
from ludwright.kernel.protocol.step import Event
from ludwright.kernel.views.effects import Change, Effect, Effects, Make, Moved, answers_in
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
        "details": list(_details(match, events, chosen, told, part[0].seat)),
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
        yield from _in_sight(match, part[0].seat, events, chosen)
        return
    written = _notation(match, start, part) if part[-1].step.part_ended else None
    if written is not None:
        refs = [str(v) for event in chosen for v in _values(event.fields["value"])]
        text = called(match, written) if written in refs else written
        yield {"text": text, "ref": " ".join(refs[-2:])}
        return
    for event in chosen:
        yield from _answer(match, event)


def _answer(match: Match, event: Event) -> Iterator[Word]:
    """One answer that was told, behind the word for what was asked."""
    value = event.fields["value"]
    if value in (None, "none", []):
        return  # an offer that was declined
    if event.fields["decision"] != "action":
        name = plain(str(event.fields["decision"])).strip("_ ")
        if len(name) > 1 and (word := _BETWEEN.get(name, name)):
            yield word
    yield from named(match, value)


def _in_sight(
    match: Match, seat: str, events: Sequence[Event], chosen: Sequence[Event]
) -> Iterator[Word]:
    """A move of which some choices are hidden: the others, and the cards that came to light."""
    told = False
    played = list(_played(match, seat, events))
    for event in chosen:
        if "value" in event.fields:
            words = list(_answer(match, event))
        else:
            words, played = played, []
        told = told or bool(words)
        yield from words
    yield from played
    if not told and not played:
        yield "has chosen"


def _played(match: Match, seat: str, events: Sequence[Event]) -> Iterator[Word]:
    """Cards that came from a hand, where the choice itself was hidden but its cards are seen."""
    moves = [event.fields for event in events if event.kind == "moved" and event.fields["piece"]]
    places = match.game.program.world.places
    hands = {p.name for p in places if p.see != "all" and p.name.endswith(f":{seat}")}
    own = [one for one in moves if one["from"] in hands]
    got = [one for one in moves if str(one["to"]).endswith(f":{seat}")]  # from an open row
    for piece in dict.fromkeys(str(one["piece"]) for one in own or got):
        name, owner = effects_of(match).make(piece)
        if owner is None and name not in effects_of(match).kinds:
            yield {"text": called(match, str(name)), "ref": piece}


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


def changes(match: Match, position: Position, viewer: str | None) -> list[str]:
    """What one step changes besides what was chosen and what moves, in a few words each."""
    events = [event for event in position.events(viewer) if event.kind != "moved"]
    chosen = [event for event in events if event.kind == "chose"]
    return list(map(plainly, _details(match, events, chosen, set(), position.seat)))


def _details(
    match: Match, events: Sequence[Event], chosen: Sequence[Event], told: set[str], seat: str
) -> Iterator[list[Word]]:
    """What chance gave, what was shown or said, and what changed in sight of the viewer. What
    `seat` itself has is told in one line, without its name."""
    answers = answers_in(chosen) | told
    said = " ".join(str(event.fields["text"]) for event in events if event.kind == "said")
    found = [words for event in events if (words := list(_news(match, event, said)))]
    effects = effects_of(match).of(events, answers, seat)
    own = [one for one in effects if isinstance(one, Change) and one.of == seat]
    if own:
        found.append([" · ".join(_change(match, one) for one in own)])
    found += [list(_effect(match, one)) for one in effects if one not in own]
    found += [list(_end(match)) for event in events if event.kind == "gameOver"]
    yield from found[:DETAILS]
    if len(found) > DETAILS:
        yield [f"and {len(found) - DETAILS} more"]


def _end(match: Match) -> Iterator[Word]:
    """That the game is over, with the scores if they decide."""
    result = match.game.result(match.positions[-1].state)
    yield "the game is over" if result is None or result.outcome != "score" else "final scores:"
    scores = [] if result is None or result.outcome != "score" else list(result.scores.items())
    for at, (seat, score) in enumerate(scores, 1):
        yield from named(match, seat)
        yield f"{score}{',' if at < len(scores) else ''}"


def _news(match: Match, event: Event, said: str) -> Iterator[Word]:
    if event.kind == "said":
        yield from names_of(match).linked(str(event.fields["text"]))
    elif event.kind == "rolled":
        words = list(named(match, event.fields["value"]))
        if plainly(words) not in said:
            yield f"{worded(str(event.fields['name']))}:"
            yield from words
    elif event.kind == "opened":
        yield from _opening(match, event)
    elif event.kind == "revealed":
        yield "shown:"
        yield from named(match, event.fields["piece"])


def _effect(match: Match, effect: Effect) -> Iterator[Word]:
    wording = core_of(match.game).wording
    if isinstance(effect, Moved):
        yield from _moved(match, effect)
        return
    if isinstance(effect, Change):
        if effect.of is not None:
            yield from named(match, effect.of)
        yield _change(match, effect)
        return
    yield f"{wording.title('variable', effect.variable, worded(effect.variable))}:"
    for at, (space, value) in enumerate(effect.values, 1):
        yield from named(match, space)
        yield f"{in_words(value)}{',' if at < len(effect.values) else ''}"


def _change(match: Match, change: Change) -> str:
    title = core_of(match.game).wording.title
    name = title("variable", change.variable, worded(change.variable))
    return f"{name} {in_words(change.old)} → {in_words(change.new)}"


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


def _moved(match: Match, moved: Moved) -> Iterator[Word]:
    """`3 cubes of Guild from Supply to Pans, Market (2)`; `2 cubes of Guild leave Bar, Dunes`."""
    makes = list(moved.pieces)
    for make in makes:
        yield from _what(match, make, moved.pieces[make])
        if make != makes[-1]:
            yield ","
    gone = None in moved.goals
    if gone:
        yield "leaves" if moved.count == 1 else "leave"
    if sources := _counted(match, moved.sources):
        if not gone:
            yield "from"
        yield from sources
    elif gone:
        yield "the table"
    if goals := _counted(match, moved.goals):
        yield "to"
        yield from goals


def _counted(match: Match, places: Mapping[str | None, int]) -> list[Word]:
    """Places with commas between them; how many, where there are several of each."""
    found: list[Word] = []
    known = [place for place in places if place is not None]
    for place in known:
        found.append({"text": called(match, place), "ref": place})
        more = f"({places[place]})" if places[place] > 1 and len(known) > 1 else ""
        if tail := more + ("," if place != known[-1] else ""):
            found.append(tail)
    return found


def _what(match: Match, make: Make, count: int) -> Iterator[Word]:
    """Pieces by their number, their name and their owner; of one kind, or of one name."""
    name, owner = make
    if name is None or name in effects_of(match).kinds:
        kind = "hidden piece" if name is None else called(match, name)
        what = f"{count} {plural(kind)}" if count > 1 else kind
        yield f"{what} of {called(match, owner)}" if owner else what
        return
    if count > 1:
        yield str(count)
    yield from named(match, name)
    if owner:
        yield f"of {called(match, owner)}"


_effects: WeakKeyDictionary[Game, Effects] = WeakKeyDictionary()


def effects_of(match: Match) -> Effects:
    found = _effects.get(match.game)
    if found is None:
        found = _effects[match.game] = Effects(match.game.program, match.rules.gamedef.look)
    return found
