"""Positions put together by hand, and played on: one for every worked situation of the rules.

`game.position` would read the rules again for each of them. Here the game is loaded once. Every
situation begins where a faction is asked for its action on an event card; the map is empty, all
pieces are available, and then pieces, markers and tracks are put as the situation wants them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from ludwright import program as ir
from ludwright.kernel.interpreter.pieces import Pieces
from ludwright.kernel.play.game import core_of
from ludwright.kernel.protocol.decision import Decision
from ludwright.kernel.protocol.state import State, cells_from_bytes, cells_to_bytes
from ludwright.kernel.protocol.step import Event
from ludwright.program.cells import decoder, encoder
from tests.games.fire_in_the_lake.facts import GOALS
from tests.games.fire_in_the_lake.support import game, margins

SEATS = ("us", "arvn", "nva", "vc")
SNEAKY = ("irregular", "ranger", "guerrilla")
PLAIN = 1  # the number of a card without influence on others, to lie beside the deck
# What is answered where a situation does not care: nothing, as far as the rules allow it.
WITHOUT = {
    "$special": "goOn", "$gift": "keep", "$follow": "nothing", "$bomb": "spare", "$more": "noAid",
    "$path": "leave", "$trump": "hold", "$recruit": "nobody",
}  # fmt: skip


@dataclass(frozen=True)
class Pick:
    """Some pieces of one kind in one place, chosen one after the other or as a class."""

    kind: str
    place: str
    number: int = 1
    hidden: bool | None = None


@cache
def first_card(seat: str, scenario: str) -> State:
    """Where a faction is the first to be asked on the first card of a war."""
    played = game("python")
    for seed in range(200):
        state = played.initial_state(seed=seed, scenario=scenario)
        while (decision := played.decision(state)) is not None and decision.name != "action":
            state = played.choose(state, WITHOUT[decision.name]).state
        if decision is not None and decision.seat == seat:
            return state
    raise AssertionError(f"no card begins with {seat}")


class Situation:
    """A state that can be changed at will until somebody moves, and then only by moves."""

    def __init__(self, seat: str, scenario: str = "short", seed: int = 0) -> None:
        self.game = game("python")
        self.program = self.game.program
        self.world = self.program.world
        self.pieces = Pieces(self.program)
        self.variables = {item.name: item for item in self.program.variables}
        self.names = {place.name: at for at, place in enumerate(self.world.places)}
        self.events: list[Event] = []
        self._state: State | None = None
        self.cells = cells_from_bytes(first_card(seat, scenario).to_bytes())
        self.cells[ir.RNG_LO] = seed
        self.units, self.cards = self.world.kinds
        for piece in self.units.pieces:
            kind = self.kind_of(piece)
            self._lay(piece, "available:" + kind.split("_")[0])
            for name in ("hidden", "tunneled", "moved", "lifted"):
                self._write(name, piece, 0)
        for at in range(self.world.space_count):
            self._write("support", at, 0)
        self.set(unshaded=(), shaded=(), momentum=(), leader="thieu")
        self.next_card(PLAIN)

    # ------------------------------------------------------------ putting together

    def put(
        self, space: str, active: int = False, tunneled: int = False, **kinds: int
    ) -> Situation:
        """Pieces from the available boxes onto the map, hidden if they can be; `us_troops=3`."""
        for kind, number in kinds.items():
            home = self.pieces.within(self.cells, self.names["available:" + kind.split("_")[0]])
            chosen = [piece for piece in home if self.kind_of(piece) == kind][:number]
            assert len(chosen) == number, f"there are not {number} {kind}"
            for piece in chosen:
                self._lay(piece, space)
                self._write("hidden", piece, int(kind.split("_")[1] in SNEAKY and not active))
                self._write("tunneled", piece, int(tunneled))
        return self

    def box(self, place: str, **kinds: int) -> Situation:
        """Pieces from the available boxes into another box."""
        return self.put(place, active=True, **kinds)

    def set(self, **values: Any) -> Situation:
        """Variables of the whole table; sets as tuples of names."""
        for name, value in values.items():
            self._write(name, 0, value)
        return self

    def at(self, name: str, **values: Any) -> Situation:
        """A variable of spaces or seats: `at("support", hue=2)`."""
        for member, value in values.items():
            self._write(name, self._index(member), value)
        return self

    def only(self, *seats: str) -> Situation:
        """Nobody else is eligible."""
        return self.at("eligible", **{seat: seat in seats for seat in SEATS})

    def next_card(self, number: int) -> Situation:
        """The card that lies beside the deck."""
        for piece in self.pieces.within(self.cells, self.names["preview"]):
            self._lay(piece, "discard")
        self._lay(self.cards.first + number - 1, "preview")
        return self

    def lay_card(self, card: int, place: str) -> None:
        self._lay(card, place)

    def _lay(self, piece: int, place: str) -> None:
        self._state = None
        self.pieces.take(self.cells, piece)
        self.pieces.put(self.cells, piece, self.names[place], "default")

    def _index(self, member: str) -> int:
        return SEATS.index(member) if member in SEATS else self.names[member]

    def _variable(self, name: str) -> ir.Variable:
        return self.variables[name]

    def _write(self, name: str, index: int, value: Any) -> None:
        variable = self._variable(name)
        type_ = variable.type
        if type_.kind == "set":
            value = sum(1 << self._number(type_.items[0], item) for item in value)
        elif isinstance(value, str):
            value = self._number(type_, value)
        self._state = None
        encoder(type_)(self.cells, variable.addr + index * type_.width, value)

    def _number(self, type_: Any, value: str) -> int:
        if type_.kind == "enum":
            return self.world.enums[type_.name].index(value)
        if type_.kind == "row":
            return self.world.tables[type_.name].rows.index(value)
        return self._index(value)

    # ------------------------------------------------------------ looking

    def kind_of(self, piece: int) -> str:
        return self.units.names[piece].split("#")[0]

    def count(self, place: str, kind: str = "", **properties: bool) -> int:
        """Pieces of a kind, or of a faction, in a place: `count("hue", "vc_guerrilla", hidden=True)`."""
        found = self.pieces.within(self.cells, self.names[place])
        return sum(
            self.kind_of(piece).startswith(kind)
            and all(self._read(name, piece) == value for name, value in properties.items())
            for piece in found
        )

    def count_cards(self, place: str) -> int:
        return len(self.pieces.within(self.cells, self.names[place]))

    def on_map(self, kind: str) -> int:
        return sum(
            self.count(place.name, kind) for place in self.world.places[: self.world.space_count]
        )

    def see(self, name: str, member: str | None = None) -> Any:
        """A number, a truth value, the name of a value, or a set of names."""
        found = self._read(name, 0 if member is None else self._index(member))
        type_ = self._variable(name).type
        if type_.kind == "enum":
            return self.world.enums[type_.name][found]
        if type_.kind == "set" and type_.items[0].kind == "enum":
            words = self.world.enums[type_.items[0].name]
            return {word for at, word in enumerate(words) if found >> at & 1}
        return found

    def points(self, seat: str) -> int:
        """The score of a faction, as the rulebook counts it."""
        return margins(self.game, self.state)[self.game.seats.index(seat)] + GOALS[seat]

    def _read(self, name: str, index: int) -> Any:
        variable = self._variable(name)
        return decoder(variable.type)(self.cells, variable.addr + index * variable.type.width)

    # ------------------------------------------------------------ playing

    @property
    def state(self) -> State:
        if self._state is None:
            self._state = self.game.state_from_bytes(cells_to_bytes(self.cells))
        return self._state

    @property
    def decision(self) -> Decision:
        found = self.game.decision(self.state)
        assert found is not None, "the game is over"
        return found

    @property
    def options(self) -> list[Any]:
        return list(self.decision.options)

    def play(self, *answers: Any) -> Situation:
        """Give these answers; questions before one that offers it are answered with as little as
        the rules allow."""
        for answer in answers:
            if isinstance(answer, Pick):
                self._pick(answer)
                continue
            while not self._offered(answer):
                self._without()
            self._answer(answer)
        return self

    def skip_to(self, name: str) -> Situation:
        """As little as possible until this is asked."""
        while self.decision.name != name:
            self._without()
        return self

    def finish(self) -> Situation:
        """As little as possible until the next faction is asked for its action."""
        decision = self.game.decision(self.state)
        while decision is not None and decision.name not in ("action", "$gift", "$trump"):
            self._without()
            decision = self.game.decision(self.state)
        return self

    def rolled(self) -> list[int]:
        return [event.fields["value"] for event in self.events if event.kind == "rolled"]

    def _offered(self, answer: Any) -> bool:
        decision = self.decision
        declined = answer is None and (decision.optional or decision.can_stop)
        return answer in decision.options or declined

    def _without(self) -> None:
        decision = self.decision
        if decision.optional or decision.can_stop:
            self._answer(None)
        else:
            assert decision.name in WITHOUT, (
                f"{decision.seat} must answer {decision.name}: {decision.options}"
            )
            self._answer(WITHOUT[decision.name])

    def _pick(self, pick: Pick) -> None:
        left = pick.number
        while left:
            while not (name := self._named(pick)):
                self._without()
            asked = self.decision.name
            self._answer(name)
            following = self.game.decision(self.state)
            if following is not None and following.name == f"{asked}.count":
                self._answer(left)
            if following is None or following.name != asked:
                return  # all of them were chosen as a class
            left -= 1

    def _named(self, pick: Pick) -> str:
        """What a piece of this kind is called where it is offered; nothing if it is not."""
        decision = self.decision
        stop = core_of(self.game).machine.stop_at(self.cells)
        assert stop is not None, "the game is over"
        here = self.pieces.within(self.cells, self.names[pick.place])
        for name, piece in zip(decision.options, stop.answers, strict=True):
            fits = pick.hidden is None or bool(self._read("hidden", piece)) == pick.hidden
            if (
                isinstance(name, str)
                and piece in here
                and fits
                and self.kind_of(piece) == pick.kind
            ):
                return name
        return ""

    def _answer(self, answer: Any) -> None:
        if answer is None and self.decision.can_stop:
            answer = self.decision.answers[-1]
        step = self.game.choose(self.state, answer)
        self.events += step.events("us")
        self.cells, self._state = cells_from_bytes(step.state.to_bytes()), step.state
