"""Pieces move between places of every order just as they do between plain lists.

One Program does whatever it is told, piece by piece; random orders are given to it and to a model
of a page of Python. The state must say the same after each of them, on both engines.
"""

from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import pytest

from ludwright import program as ir
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.state import State
from ludwright.program.world import Place
from tests.kernel.assembler import Assembler, const, integer, load, upto
from tests.kernel.board.test_pieces import CARDS, DECK, ROW, STACK
from tests.kernel.board.test_pieces import ZONES as VISIBLE

ZONES = (
    *VISIBLE,
    Place("tableau", "tableau", order="row", see="none"),
    Place("discard", "discard", order="stack", see="top"),
)
PIECES = CARDS.count
WHERE = ("default", "top", "bottom", "middle", "at")
ORDERS = (*WHERE, "mix", "swap", "show white", "show black", "hide white", "hide black")
SEATS = {"white": 0b01, "black": 0b10}


def obedient(seat: int) -> Assembler:
    """A seat says again and again what is done, with which piece, to which place, at which position."""
    asm = Assembler(zones=ZONES, kinds=(CARDS,), reveals=True)
    asm.mark("start")
    names = {
        "order": (0, len(ORDERS) - 1),
        "piece": (0, 5),
        "place": (-1, len(ZONES) - 1),
        "at": (-2, 8),
    }
    head = asm.head("$order", "choice")
    asm.emit(ir.HeadEnter(head))
    cells = {name: asm.variable(name, integer(*bounds)) for name, bounds in names.items()}
    asm.variable("secret", integer(), 7, see="none")
    asm.variable("purse", integer(), 3, scope="seat", count=2, see="owner")
    for name, bounds in names.items():
        asm.choose(f"${name}", const(seat), cells[name], integer(*bounds), options=upto(*bounds))
    order, piece, place, at = (load(cells[name]) for name in names)
    asm.emit(ir.Switch(order, tuple(map(asm.at, ORDERS)), asm.at("next")))
    instructions: dict[str, Any] = {
        "mix": ir.MixDeck(const(DECK)),
        "swap": ir.SwapInPlace(place, at, const(0)),
        **{f"show {seat}": ir.RevealPiece(piece, const(bit)) for seat, bit in SEATS.items()},
        **{f"hide {seat}": ir.RevealPiece(piece, const(bit), True) for seat, bit in SEATS.items()},
        **{where: ir.MovePiece(piece, place, where, at) for where in WHERE},  # type: ignore[arg-type]
    }
    for name, instruction in instructions.items():
        asm.mark(name)
        asm.emit(instruction, ir.Jump(asm.at("next")))
    asm.mark("next")
    asm.emit(ir.HeadExit(head), ir.Jump(asm.at("start")))
    return asm


@dataclass
class Model:
    """Lists of pieces, from the top. Of a deck so many cards on top and at the bottom are known; those
    between have no order, which a state shows as ascending."""

    places: list[list[int]] = field(default_factory=lambda: [[] for _ in ZONES])
    top: int = 0
    bottom: int = 0
    revealed: list[int] = field(default_factory=lambda: [0] * PIECES)

    def move(self, piece: int, place: int, where: str, at: int) -> None:
        self._take(piece)
        self.revealed[piece] = 0
        if place < 0:
            return
        target = self.places[place]
        if ZONES[place].order == "bag":
            target.append(piece)
            target.sort()
        elif place == DECK:
            self._into_deck(piece, where, at)
        elif where == "top" or (where == "default" and ZONES[place].order == "stack"):
            target.insert(0, piece)
        elif where == "at":
            target.insert(max(at, 0), piece)
        else:
            target.append(piece)

    def _take(self, piece: int) -> None:
        deck = self.places[DECK]
        if piece in deck:
            if piece in deck[: self.top]:
                self.top -= 1
            elif piece in deck[len(deck) - self.bottom :]:
                self.bottom -= 1
        for pieces in self.places:
            if piece in pieces:
                pieces.remove(piece)

    def _into_deck(self, piece: int, where: str, at: int) -> None:
        deck = self.places[DECK]
        first_unknown, first_below = self.top, len(deck) - self.bottom
        if where in ("default", "top") or (where == "at" and at <= first_unknown):
            deck.insert(max(at, 0) if where == "at" else 0, piece)
            self.top += 1
        elif where == "bottom" or (where == "at" and at >= first_below):
            deck.insert(at if where == "at" else len(deck), piece)
            self.bottom += 1
        else:
            unknown = sorted([*deck[first_unknown:first_below], piece])
            deck[first_unknown:first_below] = unknown

    def obey(self, order: str, piece: int, place: int, at: int) -> None:
        if order in WHERE:
            self.move(piece, place, order, at)
        elif order == "mix":
            self.places[DECK].sort()
            self.top = self.bottom = 0
        elif order == "swap":
            pieces = self.places[place]
            pieces[at], pieces[0] = pieces[0], pieces[at]
        elif order.startswith("show"):
            self.revealed[piece] |= SEATS[order.split()[1]]
        else:
            self.revealed[piece] &= ~SEATS[order.split()[1]]

    def shown(self, seat: int, place: int) -> dict[str, Any]:
        """What a seat is told of a place: how many there are, and those that it sees; where they
        have an order, with gaps between them."""
        pieces, zone = self.places[place], ZONES[place]
        told: dict[str, Any] = {"count": len(pieces)}
        seen = [
            {"kind": "card", "name": CARDS.names[piece]} if self.sees(seat, place, piece) else None
            for piece in pieces
        ]
        if zone.order not in ("row", "stack"):
            seen = [card for card in seen if card]
            seen.sort(key=repr)
        if seen:
            told["pieces"] = seen
        return told

    def seen(self, seat: int) -> set[int]:
        """All cards that a seat sees; those out of the game are open."""
        inside = {piece for pieces in self.places for piece in pieces}
        return set(range(PIECES)) - inside | {
            piece
            for place, pieces in enumerate(self.places)
            for piece in pieces
            if self.sees(seat, place, piece)
        }

    def place_of(self, piece: int) -> int:
        return next((at for at, pieces in enumerate(self.places) if piece in pieces), -1)

    def sees(self, seat: int, place: int, piece: int) -> bool:
        zone = ZONES[place]
        on_top = zone.see == "top" and self.places[place][0] == piece
        mine = zone.see == "owner" and zone.owner == seat
        return zone.see == "all" or on_top or mine or bool(self.revealed[piece] >> seat & 1)


def contents(game: Game, state: State) -> dict[str, Any]:
    """The same as of a model, from the cells of a state."""
    program, cells = game.program, state.cells
    places = []
    for place in range(len(ZONES)):
        found, at = [], cells[program.place_head + place]
        while at >= 0:
            found.append(at)
            at = cells[program.piece_next + at]
        assert len(found) == cells[program.place_count + place]
        assert all(cells[program.piece_place + piece] == place for piece in found)
        places.append(found)
    revealed = list(cells[program.revealed : program.revealed + PIECES])
    ends = [cells[where[DECK]] for where in (program.deck_top, program.deck_bottom)]
    return {"places": places, "revealed": revealed, "top": ends[0], "bottom": ends[1]}


def moved(seat: int, piece: int, old: Model, new: Model) -> list[dict[str, Any]]:
    """What a seat is told of a move: which card it was, if it saw it before or afterwards."""
    origin, place = old.place_of(piece), new.place_of(piece)
    seen = piece in old.seen(seat) | new.seen(seat)
    if not seen and origin == place:
        return []
    told: dict[str, Any] = {
        "piece": CARDS.names[piece] if seen else None,
        "kind": "card" if seen else None,
        "from": ZONES[origin].name if origin >= 0 else None,
        "to": ZONES[place].name if place >= 0 else None,
    }
    return [told if seen else {**told, "count": 1}]


def orders(dice: random.Random, model: Model) -> tuple[str, int, int, int]:
    order = dice.choice([*WHERE, *WHERE, "at", *ORDERS])
    piece, place, at = dice.randrange(PIECES), dice.randrange(-1, len(ZONES)), dice.randrange(-2, 9)
    if dice.random() < 0.4:
        place = DECK
    if order == "swap":
        place = dice.choice((ROW, STACK))
        if not model.places[place]:
            return "default", piece, place, at
        at = dice.randrange(len(model.places[place]))
    return order, piece, place, at


@pytest.mark.parametrize("seed", range(3))
def test_places_keep_pieces_like_lists_and_show_what_may_be_seen(seed: int) -> None:
    dice, model, game = random.Random(seed), Model(), obedient(seed % 2).game()
    state = game.initial_state()
    for number in range(300):
        order, piece, place, at = orders(dice, model)
        for answer in (ORDERS.index(order), piece, place):
            state = game.choose(state, answer).state
        step = game.choose(state, at)
        state, before, shown = step.state, model.seen(seed % 2), [*model.revealed]
        old = deepcopy(model)
        model.obey(order, piece, place, at)
        if order in WHERE:
            for name in game.seats:
                told = [event.fields for event in step.events(name) if event.kind == "moved"]
                assert told == moved(game.seats.index(name), piece, old, model), (order, piece)
            assert step.learned == bool(model.seen(seed % 2) - before), (order, piece, place, at)
        else:
            assert (step.barrier == "reveal") == (model.revealed != shown), (order, piece)
        assert contents(game, state) == vars(model), (order, piece, place, at)
        if number % 5 == 0:
            # the order, which is to be decided next, holds nothing meanwhile
            said = {"order": 0, "piece": piece, "place": place, "at": at}
            for seat, name in enumerate(game.seats):
                seen = game.observe(state, name)
                assert seen["places"] == {
                    zone.name: model.shown(seat, index) for index, zone in enumerate(ZONES)
                }
                assert seen["variables"] == {**said, "purse": {name: 3}}
            everything = {**said, "purse": dict.fromkeys(game.seats, 3), "secret": 7}
            assert game.observe(state, None)["variables"] == everything
