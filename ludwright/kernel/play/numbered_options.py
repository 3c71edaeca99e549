"""What a seat is offered: numbered options, and what may still be added to picks.

A state asks for the picks of a set in ascending order, so that every set has one path. People pick
in any order: to them the whole set is offered, what can be added to their picks is worked out here,
and `answers_in_order` gives the answers as the state takes them. The table and the terminal both
ask this way.

The number of an option is its position in the list that the seat was shown; where the choice may be
declined, that is the number after the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any

from ludwright.errors import IllegalMove
from ludwright.kernel.interpreter.stop import STOP, Stop
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.play.pick_names import PickNames
from ludwright.kernel.play.pick_request import Picking
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.state import State
from ludwright.kernel.protocol.step import Step
from ludwright.kernel.views.observation import SPECTATOR


@dataclass(frozen=True)
class Offer:
    """A decision as it is put to a seat. Of a choice of several, `options` is the whole set."""

    seat: str
    decision: Decision
    options: Sequence[Any]
    site: int
    in_order: bool = False  # picks are a sequence, in the order in which they are made

    @property
    def many(self) -> bool:
        return self.decision.kind == "chooseN"

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.options) + self.decision.optional

    def value(self, number: int) -> Any:
        """What a number stands for; None where that is to decline."""
        if not 0 <= number < self.size:
            raise IllegalMove("not-an-option", "", f"there is no option {number}")
        return self.options[number] if number < len(self.options) else None


@dataclass(frozen=True)
class Draft:
    """Picks that are not an answer yet: what can be added, and whether they would do."""

    add: tuple[int, ...]
    can_stop: bool


def offer_to(game: Game, state: State, seat: str) -> Offer | None:
    decision = game.decision(state, seat)
    if decision is None:
        return None
    core = core_of(game)
    stop = _stop(core, state, decision, seat)
    site = stop.choice.site if stop.choice is not None else -1
    options: Sequence[Any] = decision.options
    if decision.kind == "chooseN" and not _in_order(stop):
        options = Picking(core, state, stop, decision, seat).request([]).options
    return Offer(seat, decision, options, site, _in_order(stop))


def _stop(core: Core, state: State, decision: Decision, seat: str) -> Stop:
    return core.sealed_stop(state, seat) if decision.together else core.stop(state)


def _in_order(stop: Stop) -> bool:
    return stop.choice is not None and bool(stop.choice.sequence)


def draft(game: Game, state: State, offer: Offer, numbers: Sequence[int]) -> Draft:
    """What can be added to some picks."""
    picks = [offer.value(number) for number in numbers]
    core = core_of(game)
    stop = _stop(core, state, offer.decision, offer.seat)
    if _in_order(stop):
        return _next_in_order(game, state, offer, picks)
    request = Picking(core, state, stop, offer.decision, offer.seat).request(picks)
    left = list(request.options)
    add: list[int] = []
    for number, option in enumerate(offer.options):
        # alike pieces have one name: as many of them can be added as are offered
        if number not in numbers and option in left:
            left.remove(option)
            add.append(number)
    return Draft(tuple(add), request.can_stop)


def _next_in_order(game: Game, state: State, offer: Offer, picks: Sequence[Any]) -> Draft:
    """Of a sequence, each pick leads to a state that says what may follow."""
    for pick in picks:
        state = game.choose(state, pick, offer.seat).state
    decision = game.decision(state, offer.seat)
    if decision is None or decision.decision_id != offer.decision.decision_id:
        return Draft((), True)
    options = list(decision.options)
    add = tuple(number for number, value in enumerate(offer.options) if value in options)
    return Draft(add, decision.can_stop)


def choose(game: Game, state: State, offer: Offer, value: Any) -> Step:
    """The step after an answer: one option, or the list of all picks."""
    if offer.many:
        return core_of(game).choose_all(state, list(value), offer.seat)
    return game.choose(state, value, offer.seat)


def only_answer(offer: Offer) -> list[Any] | None:
    """The answers of a seat that has no choice: one option, none, or picks of all there are.

    Where the legality of an option is not known, there is a choice.
    """
    decision = offer.decision
    if "unknown" in decision.legality:
        return None
    if not offer.many:
        found = list(decision.answers) if len(decision.options) < 2 else []
        return found if len(found) == 1 else None
    if not offer.options and (decision.can_stop or decision.min == 0):
        return [STOP]
    left = decision.min - len(decision.picked)
    whole = not offer.in_order and len(offer.options) == left > 0
    return list(offer.options) if whole else None


def option_words(game: Game, state: State, offer: Offer) -> list[str]:
    """The options of an offer as people read and type them, in their order."""
    core = core_of(game)
    if not offer.many or offer.in_order:
        return core.option_texts(state, offer.seat if offer.decision.together else None)
    stop = _stop(core, state, offer.decision, offer.seat)
    named = PickNames(core.machine, core.answering, state.shared_cells, stop, offer.decision)
    assert stop.choice is not None
    # alike pieces have one name, and are called alike
    names = [_as_key(option) for option in offer.options]
    first = [names.index(name) for name in dict.fromkeys(names)]
    positions = named.positions([offer.options[at] for at in first])
    domain = [named.domain[position] for position in positions]
    texts = core.wording.options(state.shared_cells, stop.choice.type, domain)
    by_name = dict(zip((names[at] for at in first), texts, strict=True))
    return [by_name[name] for name in names]


def _as_key(option: Any) -> str:
    return f"{type(option).__name__} {option}"


def answers_in_order(game: Game, state: State, offer: Offer, picks: Sequence[Any]) -> list[Any]:
    """The picks of a set, made in any order, as the answers that the state takes one by one.

    Raises `IllegalMove` where they are no answer.
    """
    if offer.in_order:
        return [*picks, STOP] if _stops(game, state, offer, picks) else list(picks)
    core = core_of(game)
    stop = _stop(core, state, offer.decision, offer.seat)
    core.choose_all(state, list(picks), offer.seat)  # whether they are an answer
    named = PickNames(core.machine, core.answering, state.shared_cells, stop, offer.decision)
    answers: list[Any] = []
    following: Stop | None = stop
    count = len(stop.picked)
    for _, value in named.values(list(picks)):
        assert following is not None, "choose_all took all of them"
        decision = core.decisions.publish(state.shared_cells, following)
        assert decision is not None
        answers.append(decision.options[list(following.answers).index(value)])
        count += 1
        state = core.advance(state, following, value).state
        following = core.still_open(state, stop, count)
    return answers if following is None else [*answers, STOP]


def sorted_picks(game: Game, state: State, offer: Offer, picks: Sequence[Any]) -> list[Any]:
    """The picks of a set in the order in which a state asks for them."""
    core = core_of(game)
    stop = _stop(core, state, offer.decision, offer.seat)
    named = PickNames(core.machine, core.answering, state.shared_cells, stop, offer.decision)
    return [name for name, _ in named.values(list(picks))]


def _stops(game: Game, state: State, offer: Offer, picks: Sequence[Any]) -> bool:
    """Whether the state still waits for a pick after these."""
    for pick in picks:
        state = game.choose(state, pick, offer.seat).state
    decision = game.decision(state, offer.seat)
    return decision is not None and decision.decision_id == offer.decision.decision_id


def seen_by(game: Game, state: State, decision: Decision, option: Any) -> frozenset[str] | None:
    """Who saw a piece when it was chosen, spectators included; None where no piece is chosen.

    Of one who declines, those who saw all that could have been chosen.
    """
    core = core_of(game)
    if decision.seat not in core.seat_numbers:
        return None
    stop = _stop(core, state, decision, decision.seat)
    if stop.choice is None or not stop.choice.type.holds_pieces:
        return None
    if stop.choice.type.kind != "piece" or not stop.answers:
        return frozenset()
    options = list(decision.options)
    chosen = [stop.answers[options.index(option)]] if option in options else list(stop.answers)
    pieces, cells = core.machine.pieces, state.shared_cells
    mask = reduce(and_, (pieces.viewers(cells, piece) for piece in chosen))
    seats = {name for name, at in core.seat_numbers.items() if mask >> at & 1}
    everyone = mask & pieces.everyone == pieces.everyone
    return frozenset(seats | {SPECTATOR}) if everyone else frozenset(seats)
