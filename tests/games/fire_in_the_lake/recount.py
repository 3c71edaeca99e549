"""Positions counted again from the facts of the box, many at a time.

Reads where the pieces stand and what the tracks say; everything else follows from `facts.py`, not
from the rulebook. All arrays have one row for each position.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

import ludwright as lw
from ludwright.kernel.play.game import core_of
from ludwright.kernel.protocol.state import State
from tests.games.fire_in_the_lake.facts import FORCES, GOALS, SPACES

Numbers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

SEATS = ("us", "arvn", "nva", "vc")
SNEAKY = ("irregular", "ranger", "guerrilla")
MARKERS = 15  # terror and sabotage together
MOST = 75  # on any track


class Recount:
    """Some positions of one game."""

    def __init__(self, played: lw.Game, states: Sequence[State]) -> None:
        self._machine, self._program = core_of(played).machine, played.program
        self._states = [list(state.shared_cells) for state in states]
        self._cells = np.array(self._states, np.int64)
        world = self._program.world
        unit = next(kind for kind in world.kinds if kind.name == "unit")
        rows = next(part.initial for part in unit.properties if part.name == "row")
        self._units = slice(unit.first, unit.first + unit.count)
        self.forces = world.tables["Force"].rows
        self._force = np.array(rows)
        self.places = [place.name for place in world.places]

    def variable(self, name: str) -> Numbers:
        """Its values: one, or one for each seat, space or piece."""
        found = next(one for one in self._program.variables if one.name == name)
        return self._cells[:, found.addr : found.addr + found.count]

    def where(self, *forces: str) -> Truths:
        """Which units are of these kinds, or of these factions."""
        named = [name in forces or name.split("_")[0] in forces for name in self.forces]
        found: Truths = np.array(named)[self._force]
        return found

    @cached_property
    def _standing(self) -> Numbers:
        """The place of each unit."""
        first = self._program.piece_place
        return self._cells[:, first : first + self._units.stop][:, self._units]

    def count(self, *forces: str) -> Numbers:
        """Units of some kinds or factions, for each place."""
        return self._per_place(np.broadcast_to(self.where(*forces), self._standing.shape))

    def turned_up(self, place: str) -> list[int]:
        """The number of the card that lies on top of a place, in each position that has one."""
        top = self._cells[:, self._program.place_head + self.places.index(place)]
        cards = next(kind for kind in self._program.world.kinds if kind.name == "card")
        rows = next(part.initial for part in cards.properties if part.name == "row")
        names = self._program.world.tables["Card"].rows
        return [int(names[rows[card - cards.first]].split("_")[0][1:]) for card in top if card >= 0]

    def _per_place(self, counted: Truths) -> Numbers:
        rows, places = len(self._cells), len(self.places)
        at = self._standing + places * np.arange(rows)[:, None]
        found = np.bincount(at[counted], minlength=rows * places).reshape(rows, places)
        return found.astype(np.int64)

    def _of_spaces(self, fact: int) -> Any:
        """A column of the facts, in the order of the game's spaces."""
        return np.array([SPACES[name][fact] for name in self.places[: len(SPACES)]])

    # --------------------------------------------------------- what follows from the facts

    @cached_property
    def coin_control(self) -> Truths:
        """1.7: the two counterinsurgents together have more pieces than all others."""
        friends, enemies = self.count("us", "arvn"), self.count("nva", "vc")
        return (friends > enemies)[:, : len(SPACES)] & self._land

    @cached_property
    def nva_control(self) -> Truths:
        """1.7: the NVA have more pieces than all others together."""
        return (self.count("nva") > self.count("us", "arvn", "vc"))[:, : len(SPACES)] & self._land

    @cached_property
    def _land(self) -> Truths:
        found: Truths = self._of_spaces(0) != "loc"
        return found

    def population(self, spaces: Truths) -> Numbers:
        found: Numbers = (spaces * self._of_spaces(2)).sum(axis=1)
        return found

    def mood(self, sign: int) -> Numbers:
        """1.6: total support, or total opposition."""
        found: Numbers = ((self.variable("support") * sign).clip(0) * self._of_spaces(2)).sum(
            axis=1
        )
        return found

    @cached_property
    def scores(self) -> Numbers:
        """7.2 and 7.3, by seat."""
        home = self.count("us_troops", "us_base")[:, self.places.index("available:us")]
        bases = {seat: self.count(f"{seat}_base")[:, : len(SPACES)].sum(axis=1) for seat in SEATS}
        return np.stack(
            [
                self.mood(1) + home,
                self.population(self.coin_control) + self.variable("patronage")[:, 0],
                self.population(self.nva_control) + bases["nva"],
                self.mood(-1) + bases["vc"],
            ],
            axis=1,
        )

    @property
    def margins(self) -> Numbers:
        found: Numbers = self.scores - np.array([GOALS[seat] for seat in SEATS])
        return found

    # ---------------------------------------------------------------------------- checks

    def assert_sound(self) -> None:
        """Pieces, stacking, markers and tracks are within what the box allows."""
        spaces = len(SPACES)
        boxes = [self.places.index(name) for name in ("outOfPlay", "casualties")]
        boxes += [self.places.index(f"available:{seat}") for seat in SEATS]
        assert ((self._standing < spaces) | np.isin(self._standing, boxes)).all()
        for name, number in FORCES.items():
            assert self.where(name).sum() == number, name
        bases = self.count(*(f"{seat}_base" for seat in SEATS))[:, :spaces]
        assert (bases <= np.where(self._land, 2, 0)).all(), "bases"
        coin = self.count("us", "arvn")[:, :spaces]
        assert not coin[:, self._of_spaces(1) == "north-vietnam"].any(), "COIN in the North"
        people, land = self._of_spaces(2) > 0, self._land
        assert not self.variable("support")[:, ~people].any(), "support without people"
        assert not self.variable("terror")[:, ~land].any(), "terror on a LoC"
        assert not self.variable("sabotaged")[:, land].any(), "sabotage off the LoCs"
        sneaky = self.where(*(name for name in FORCES if name.split("_")[1] in SNEAKY))
        assert not self.variable("hidden")[:, ~sneaky].any(), "a piece that cannot hide"
        dug = self.where(*(name for name in FORCES if name.endswith("_base")))
        assert not self.variable("tunneled")[:, ~dug].any(), "a tunnel without a base"
        markers = self.variable("terror").sum(axis=1) + self.variable("sabotaged").sum(axis=1)
        assert (markers <= MARKERS).all(), "markers"
        for name, most in (("resources", MOST), ("aid", MOST), ("patronage", MOST), ("econ", 15)):
            assert ((self.variable(name) >= 0) & (self.variable(name) <= most)).all(), name
        assert ((self.variable("trail") >= 0) & (self.variable("trail") <= 4)).all()
        self._assert_boxes()

    def _assert_boxes(self) -> None:
        """Only Americans are casualties; only COIN and, by Détente (77), NVA troops are out."""
        casualties, out = (self.places.index(name) for name in ("casualties", "outOfPlay"))
        assert not self.count("arvn", "nva", "vc")[:, casualties].any(), "casualties"
        assert not self.count("nva_guerrilla", "nva_base", "vc")[:, out].any(), "out of play"
        for seat in SEATS:
            others = [other for other in SEATS if other != seat]
            assert not self.count(*others)[:, self.places.index(f"available:{seat}")].any(), seat

    def assert_told(self) -> None:
        """Scores, totals and control are what the rulebook shows."""
        frozen = self.variable("frozen")[:, 0]
        support, opposition = self.mood(1), self.mood(-1)
        for at in np.flatnonzero(frozen == 0):
            found = self._machine.shown(self._states[at])
            told = dict(zip((one.name for one in self._program.shown), found, strict=True))
            assert told["score"] == self.scores[at].tolist()
            assert told["support"] == [support[at]]
            assert told["opposition"] == [opposition[at]]
            for name, held in (
                ("coinControl", self.coin_control),
                ("nvaControl", self.nva_control),
            ):
                assert [*told[name][0]] == np.flatnonzero(held[at]).tolist(), name
