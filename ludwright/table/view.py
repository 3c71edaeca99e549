"""The view: all that one seat, or a spectator, is told of a position. Made here and nowhere else.

Its sources are the observation, the scene drawn from it, the decision as it is offered to this
seat, and the events as they were told to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from ludwright.errors import IllegalMove
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.numbered_options import Offer, choose
from ludwright.kernel.protocol.decision import Range
from ludwright.kernel.views.observation import SPECTATOR
from ludwright.kernel.views.wording import option_text
from ludwright.scene import scene_of
from ludwright.scene.asking import action_label, presets
from ludwright.scene.model import Item, Scene, SeatPanel, Shape, Text, Value
from ludwright.scene.words import worded
from ludwright.table.glossary import in_play
from ludwright.table.log import changes, lines, starts
from ludwright.table.match import Match, Position
from ludwright.table.naming import called, names_of
from ludwright.table.rules import Paragraph

LISTED = 400  # options of a range that a page lists; longer ones get a stepper only


def view_of(
    match: Match, viewer: str | None, at: int | None = None, first: int = 0, narrow: bool = False
) -> dict[str, Any]:
    """A position as a viewer sees it, with the log from position `first` on.

    `viewer` is a seat, `SPECTATOR`, or None for everything: then the caller knows that it may be
    shown. Without `at`, it is the last position, with what the seat is asked. `narrow`: drawn for
    the screen of a phone.
    """
    last = len(match.positions) - 1
    here = last if at is None else max(0, min(at, last))
    position = match.positions[here]
    observation, scene, drawn = _seen(match, position, viewer, narrow)
    seated = viewer if viewer in match.seats else None
    view: dict[str, Any] = {
        "title": scene.title,
        "viewer": None if viewer == SPECTATOR else viewer,
        "all": viewer is None,
        "version": match.version,
        "at": here,
        "last": last,
        "status": scene.status,
        "phase": observation["phase"],
        "turn": observation["turn"],
        "scene": drawn,
        "seats": [
            {"id": name, **_seat(panel)}
            for name, panel in zip(observation["seats"], scene.seats, strict=True)
        ],
        "values": [_plain(value) for value in scene.values],
        "result": observation["result"],
        "log": _log(match, viewer, first, here),
        "moved": list(_moves(match, SPECTATOR if match.open and viewer else viewer, here)),
        "asked": _asked(observation),
        "inPlay": in_play(observation, _table_zones(match)),
    }
    if here == last and seated is not None:
        view["undo"] = _undo(match, seated)
        offer = match.offer(seated)
        if offer is not None:
            view["decision"] = _decision(match, offer, scene, observation)
    return view


PERSONAL = ("viewer", "undo", "decision")  # what differs from seat to seat where all see the same


def encoded(match: Match, view: dict[str, Any], first: int) -> str:
    """A view as the message that is sent; what views have in common is written once."""
    shown = match.now.shown
    if shown.get("drawn") is not view["scene"]:
        return _json({"tell": "view", **view})
    texts = shown.setdefault("texts", {})
    if first not in texts:
        texts[first] = _json({name: view[name] for name in view if name not in PERSONAL})
    own = {name: view[name] for name in PERSONAL if name in view}
    return f"{_json({'tell': 'view', **own})[:-1]},{texts[first][1:]}"


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _seen(
    match: Match, position: Position, viewer: str | None, narrow: bool
) -> tuple[dict[str, Any], Scene, dict[str, Any]]:
    """What a viewer sees: the observation, the scene of it, and that as it is sent.

    Where nothing is hidden and no zone is anybody's, all see the same board: it is made once.
    """
    alike = match.looks_alike and not narrow
    if position is not match.positions[-1] or viewer is None or not alike:
        observation = match.game.observe(position.state, viewer)
        scene = scene_of(match.game, observation, narrow)
        return observation, scene, scene_json(scene)
    shown = match.now.shown
    if "drawn" not in shown:
        shown["observation"] = match.game.observe(position.state, SPECTATOR)
        shown["scene"] = scene_of(match.game, shown["observation"])
        shown["drawn"] = scene_json(shown["scene"])
    return shown["observation"], shown["scene"], shown["drawn"]


def _log(match: Match, viewer: str | None, first: int, here: int) -> list[dict[str, Any]]:
    """The lines of the log; where nothing is hidden, all read the same."""
    if viewer is None or not match.open or here != len(match.positions) - 1:
        return lines(match, viewer, first, here)
    known = match.now.shown.setdefault("lines", {})
    if first not in known:
        known[first] = lines(match, SPECTATOR, first, here)
    found: list[dict[str, Any]] = known[first]
    return found


def _table_zones(match: Match) -> dict[str, str]:
    """Zones that belong to nobody, with their order."""
    world = match.game.program.world
    return {p.name: p.order for p in world.places[world.space_count :] if p.owner < 0}


def _asked(observation: Mapping[str, Any]) -> list[str]:
    decision = observation["decision"]
    return list(decision["together"] or [decision["seat"]]) if decision else []


def _seat(panel: SeatPanel) -> dict[str, Any]:
    return {
        "name": panel.name, "number": panel.number, "colour": panel.colour, "rank": panel.rank,
        "toAct": panel.to_act, "badges": list(panel.badges), "faint": panel.faint,
        "values": [_plain(value) for value in panel.values],
    }  # fmt: skip


def _plain(value: Value) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": value.name, "text": value.text, "most": value.most}
    return {**plain, "dice": list(value.dice)} if value.dice else plain


def _undo(match: Match, seat: str) -> dict[str, Any]:
    reach = match.reach(seat)
    last = len(match.positions) - 1
    mine = [at for at in range(last) if match.positions[at + 1].seat == seat]
    own = [at for at in mine if at >= reach.position]
    return {
        "to": own[-1] if own else None,
        "ask": mine[-1] if mine and not own and not match.over else None,  # only if all agree
        "steps": len(own),
        "reason": reach.reason,
        "withdraw": match.can_withdraw(seat),
    }


# ------------------------------------------------------------------------- the scene


def scene_json(scene: Scene) -> dict[str, Any]:
    """A scene without what is as it is by default."""
    return {
        "width": round(scene.width, 1),
        "height": round(scene.height, 1),
        **({"background": scene.background} if scene.background else {}),
        **({"board": round(scene.board, 1)} if scene.board else {}),
        "items": [_item(item) for item in scene.items],
    }


def _item(item: Item) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": item.id, "kind": item.kind, "x": round(item.x, 2), "y": round(item.y, 2),
        "marks": [_mark(mark) for mark in item.marks],
    }  # fmt: skip
    if item.name:
        told["name"] = item.name
    if item.turn:
        told["turn"] = round(item.turn, 2)
    if item.answers:
        told["answers"] = list(item.answers)
    if item.row:
        told["row"] = item.row
    if item.holds:
        told["holds"] = list(item.holds)
    return told


_DEFAULTS = {kind: [(f.name, f.default) for f in fields(kind)] for kind in (Shape, Text)}


@lru_cache(4096)
def _mark(mark: Shape | Text) -> dict[str, Any]:
    """Shared by all views that have the same mark; not to be changed."""
    return {
        name: value
        for name, default in _DEFAULTS[type(mark)]
        if (value := getattr(mark, name)) != default
    }


def _moves(match: Match, viewer: str | None, here: int) -> Iterator[dict[str, Any]]:
    """What went from where to where in the last step, for a page to show it moving."""
    return _moved(match.positions[here], viewer) if here else iter(())


def _moved(position: Position, viewer: str | None) -> Iterator[dict[str, Any]]:
    for event in position.events(viewer):
        if event.kind == "moved" and event.fields["from"] != event.fields["to"]:
            yield {"from": event.fields["from"], "to": event.fields["to"]}


# ---------------------------------------------------------------------- the decision


def _decision(
    match: Match, offer: Offer, scene: Scene, observation: Mapping[str, Any]
) -> dict[str, Any]:
    decision = offer.decision
    targets = _Targets(scene, match)
    told: dict[str, Any] = {
        "number": match.number(offer.seat),
        "id": decision.decision_id,
        "prompt": match.game.question(match.state, offer.seat),
        "path": list(_path(match, offer.seat, targets)),
        "many": offer.many,
        "min": decision.min,
        "max": decision.max,
        "together": list(decision.together),
        "rule": _rule_in_force(match, offer),
    }
    if isinstance(offer.options, Range):
        told["range"] = _range(match, offer, offer.options, observation)
    if len(offer.options) <= LISTED:
        texts = _texts(match, offer, observation)
        told["options"] = [
            {"text": text, "items": targets.of(value, decision.name)}
            for text, value in zip(texts, offer.options, strict=True)
        ]
    if decision.name == "action" and len(offer.options) == 1 and _opens(match, offer):
        told["opens"] = True
    if decision.optional:
        told["decline"] = len(offer.options)
    if offer.many:
        told["canStop"] = decision.can_stop or decision.min == 0
    return told


def _opens(match: Match, offer: Offer) -> bool:
    """Whether the only action does nothing but ask its own seat on: then a page may take it."""
    position = match.tried(offer.seat, match.number(offer.seat), 0)
    if position is None or position.step.part_ended:
        return False
    following = match.game.decision(position.state)
    return following is not None and following.seat == offer.seat and not following.together


def _rule_in_force(match: Match, offer: Offer) -> dict[str, Any]:
    """The paragraph above the block that asks; where actions are offered, that above theirs."""
    rule, span = core_of(match.game).rule(offer.site)
    offered = set(offer.options) if offer.decision.name == "action" else ()
    spans = [action.span for action in match.rules.gamedef.actions if action.id in offered]
    found = dict.fromkeys(filter(None, map(match.rules.paragraph, spans)))
    if len(found) == 1:
        return paragraph_json(next(iter(found)), rule)
    return paragraph_json(match.rules.paragraph(span), rule)


def _range(
    match: Match, offer: Offer, numbers: Range, observation: Mapping[str, Any]
) -> dict[str, Any]:
    """Numbers to choose from, with those that the rulebook has a name for."""
    look, name = match.rules.gamedef.look, offer.decision.name.lstrip("$")
    named = presets(look, observation, offer.seat, name, numbers.lo, numbers.hi)
    found = [{"text": text, "value": value} for text, value in named]
    return {"lo": numbers.lo, "hi": numbers.hi, **({"presets": found} if found else {})}


def _texts(match: Match, offer: Offer, observation: Mapping[str, Any]) -> list[str]:
    """The options in words. Of a set, the state itself asks only for those that may come first."""
    if offer.decision.name == "action":
        look = match.rules.gamedef.look
        labels = [action_label(look, observation, offer.seat, str(v)) for v in offer.options]
    else:
        labels = [""] * len(offer.options)
    words = match.game.option_texts(match.state, offer.seat)
    known = {
        str(value): word
        for value, word in zip(offer.decision.options, words, strict=False)
        if word != value  # the rules' own name: people have another word for it
    }
    return [
        label or known.get(str(value)) or option_words(match, value)
        for label, value in zip(labels, offer.options, strict=True)
    ]


def option_words(match: Match, value: Any) -> str:
    if isinstance(value, str) and value != "__stop":
        return called(match, value)
    if isinstance(value, list | tuple):
        return " ".join(option_words(match, part) for part in value) or "nothing"
    return option_text(value)


def _path(match: Match, seat: str, targets: _Targets) -> Iterator[dict[str, Any]]:
    """The answers of this move so far; each says which position undoes it."""
    heads = starts(match.positions)
    if not heads or match.positions[-1].step.part_ended:
        return
    for at in range(heads[-1], len(match.positions)):
        position = match.positions[at]
        if position.seat == seat and position.decision is not None:
            yield {
                "text": option_words(match, position.answer),
                "undo": at - 1,
                "items": targets.of(position.answer),
            }


def paragraph_json(paragraph: Paragraph | None, rule: str) -> dict[str, Any]:
    if paragraph is None:
        return {"rule": rule, "heading": "", "text": "", "line": 0}
    return {
        "rule": rule, "heading": paragraph.heading, "text": paragraph.text, "line": paragraph.line,
    }  # fmt: skip


class _Targets:
    """Which items of a scene an option can be chosen by."""

    def __init__(self, scene: Scene, match: Match) -> None:
        self._by_answer: dict[str, list[str]] = {}
        self._ids = [item.id for item in scene.items]
        self._known = set(self._ids)
        self._seats = set(match.seats)
        self._world = match.game.program.world
        for item in scene.items:
            for answer in item.answers:
                self._by_answer.setdefault(answer, []).append(item.id)

    def of(self, value: Any, name: str = "") -> list[str]:
        """The items of an option of the decision with this name."""
        if not isinstance(value, str):
            return self._line(value, name.lstrip("$").lower())
        if value in self._seats:
            return [f"seat:{value}", *self._by_answer.get(value, ())]
        if value in self._by_answer:
            return self._by_answer[value]
        _, at, place = value.partition("@")
        return self._lying(place) if at else []

    def _line(self, value: Any, name: str) -> list[str]:
        """A number that a rulebook calls a column or a row stands for its spaces."""
        if name not in ("column", "row") or not isinstance(value, int):
            return []
        axis = 0 if name == "column" else 1
        places = zip(self._world.places, self._world.coordinates, strict=False)
        found = [f"space:{place.name}" for place, at in places if at[axis] == value]
        return [item for item in found if item in self._known]

    def _lying(self, place: str) -> list[str]:
        """Pieces that are alike are called by their place, with more words where those differ."""
        while place:
            alike = re.compile(rf"piece:{re.escape(place)}(:\w+)?:\d+")
            inside = [i for i in self._ids if alike.fullmatch(i)]
            found = [i for i in (f"space:{place}", f"zone:{place}") if i in self._known]
            if found:
                return inside if len(inside) == 1 else found
            place = place.rpartition(":")[0]
        return []


# --------------------------------------------------------------------------- previews


def preview(match: Match, seat: str, decision: int, number: int) -> dict[str, Any]:
    """What an option would change, as far as the seat may know it before it has decided."""
    position = match.tried(seat, decision, number)
    if position is None:
        return {"moved": [], "says": []}
    return {"moved": list(_moved(position, seat)), "says": changes(match, position, seat)}


# --------------------------------------------------------------------------- why not


def why_not(match: Match, seat: str, value: str) -> dict[str, Any]:
    """Why something on the table cannot be chosen now, with the rule that says so."""
    offer = match.offer(seat)
    if offer is None:
        who = " and ".join(map(worded, match.asked_seats())) or "nobody"
        reason = f"{who} decides now"
        return {"legal": False, "title": "Not your turn", "reason": reason, "rule": None}
    try:
        choose(match.game, match.state, offer, [value] if offer.many else value)
    except IllegalMove as refused:
        told = _readable(match, refused.reason)
        paragraph = match.rules.paragraph(refused.span)
        return {
            "legal": False, "title": f"Not {called(match, value)}", "reason": told,
            "rule": paragraph_json(paragraph, refused.rule),
        }  # fmt: skip
    return {"legal": True, "title": called(match, value), "reason": "", "rule": None}


def _readable(match: Match, reason: str) -> str:
    known = {*match.game.seats, *match.places, *names_of(match).cards}

    def word(found: re.Match[str]) -> str:
        name = found[1]
        return called(match, name) if name in known or name.isidentifier() else name

    return re.sub(r"`([^`]*)`", word, reason)
