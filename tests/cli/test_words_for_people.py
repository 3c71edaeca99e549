"""What people read and type, over all shipped games: no signs of the rules, and the words of the
log can be typed."""

from __future__ import annotations

import re

import pytest

import ludwright as lw
from ludwright.agents import RandomAgent
from ludwright.cli.screen.record import Record, Setting
from ludwright.cli.screen.table import Table
from ludwright.kernel.play.agent_dice import Dice
from ludwright.kernel.views.board import unpainted
from ludwright.loading import shipped_games
from tests.cli.conversation import Script

# `$x`, `__x`, `unit@hue`, `man#3`: names that only rules have
SIGNS = re.compile(r"\$\w|__|\w@\w|#\d")
LINES = 16
ASKS = 8  # one in so many entries asks each of the four questions
TELLS_LESS = ("harvest-fair",)  # what the notation of the game leaves out is asked
GAMES = sorted(shipped_games())


class Typist:
    """A person who types something from the menu, and now and then asks about it."""

    width = 100
    height = 40
    paint = staticmethod(unpainted)

    def __init__(self, game: lw.Game, seed: int) -> None:
        self.game = game
        self._dice = Dice(seed)
        self._left = LINES
        self.table: Table | None = None
        self.said: list[str] = []
        self.began: list[
            tuple[lw.State, str, int, int]
        ] = []  # lines: where, whose, how many before, and answers

    def say(self, text: str) -> None:
        self.said.append(text)

    def clear(self) -> None:
        self.said.append("")

    def ask(self, prompt: str) -> str:
        self.said.append(prompt)
        if "Press Enter" in prompt:
            return ""
        self._left -= 1
        if self._left < 0:
            raise EOFError
        assert self.table is not None
        decision = self.game.decision(self.table.state)
        assert decision is not None
        record = self.table.record
        seat = next(s for s in (decision.together or (decision.seat,)) if s in self.table.people)
        if not record.in_a_part and not self.table.has_open_picks:
            self.began.append((record.state, seat, len(record.lines), len(record.past())))
        menu = self.table.question(seat).menu
        if menu.numbers is not None:
            return str(menu.numbers[0])
        item = menu.items[self._dice.pick(len(menu.items))]
        places = [p.name for p in self.game.program.world.places if p.zone is None] or [item.text]
        place = places[self._dice.pick(len(places))]  # most of them are refused
        asked = {0: f"why {item.text}x", 1: f"info {item.text}", 2: "log", 3: place}
        return asked.get(self._dice.pick(ASKS), item.text)


def seated(name: str, people: int, seed: int) -> tuple[Table, Typist]:
    game = lw.load(name, engine="python")
    typist = Typist(game, seed)
    players = game.program.world.min_players
    seats = game.seats[:players]
    present = frozenset(seats[:people])
    bots = {seat: RandomAgent(seed) for seat in seats if seat not in present}
    table = Table(game, Setting(name, {}, seed, players), present, bots, typist, "the rules")
    typist.table = table
    return table, typist


@pytest.mark.parametrize("name", GAMES)
def test_no_sign_of_the_rules_reaches_a_player(name: str) -> None:
    """One person against bots, who asks about this and that."""
    table, typist = seated(name, 1, seed=3)
    table.play()
    assert signs_in(table, typist) == []


@pytest.mark.parametrize("name", GAMES)
def test_what_the_log_prints_can_be_typed(name: str) -> None:
    """It leads to the same answers, or, if the notation of the game tells less, begins with them."""
    table, typist = seated(name, 9, seed=5)
    table.play()
    assert signs_in(table, typist) == []
    answers = [param for entry in table.trace.entries for param in entry.params]
    tried = 0
    for start, seat, number, before in typist.began[:8]:
        if number >= len(table.record.lines):
            break
        line = table.record.lines[number]
        again, script = table_at(typist.game, table, start, seat, line.move)
        again.ask(again.question(seat))
        typed = [param for entry in again.trace.entries for param in entry.params]
        assert typed, f"{seat}: {line.move}\n{script.text}"
        assert typed == answers[before : before + len(typed)], f"{seat}: {line.move}"
        whole = len(typed) == len(line.steps)
        assert whole or name in TELLS_LESS, f"{seat}: {line.move}\n{script.text}"
        tried += 1
    assert tried > 2 or name in ("kuhn-poker", "leduc-poker", "liars-dice")


def signs_in(table: Table, typist: Typist) -> list[str]:
    """Lines that were shown, or could be, with a sign of the rules."""
    seats = table.record.seats
    said = [*typist.said, *(table.drawn(seat) for seat in (None, *seats))]
    said += [line.text(seat) for line in table.record.lines for seat in seats]
    return [line for text in said for line in text.split("\n") if SIGNS.search(line)]


def table_at(
    game: lw.Game, table: Table, state: lw.State, seat: str, line: str
) -> tuple[Table, Script]:
    """A table where a seat types one line at a state."""
    script = Script([line])
    again = Table(game, table.record.setting, frozenset([seat]), {}, script)
    again.record = Record(game, table.record.setting, state)
    return again, script
