"""What one case of each kind does. A finding is an assertion that fails, or any error that no
caller should meet; crashes, hangs and memory are the worker's business."""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar

import ludwright as lw
from ludwright import program as ir
from ludwright.errors import LudwrightError
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.play.game import Game
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.protocol.state import State
from ludwright.language.canonical import gamedef_bytes
from ludwright.loading import Compilation
from ludwright.native.game import NativeGame
from tests.diagnostics import mutants
from tests.fuzz.calls import CALLS, COSTLY, GIVEN_UP, NATIVE_CALLS, told
from tests.fuzz.damage import damaged_json, damaged_state, wild_answer, wild_move
from tests.fuzz.originals import small
from tests.fuzz.worker import BUILD_SECONDS, CALL_SECONDS, MEMORY_BYTES, limited
from tests.native.rulebooks.playing import Player
from tests.native.rulebooks.writing import rulebook

STATES = 25  # of one case
ANSWERS = 250
METHODS = [*CALLS, *NATIVE_CALLS]
MOVES = 0.2  # the share of answers that are whole moves
COMPARED, COMPARED_COSTLY = 1 / 12, 1 / 100  # shares of calls that both engines answer
GENERATED, SMALL = 0.15, 0.6  # shares of spoilt rulebooks; the others were shipped ones
OPTIMISED = 5  # one of so many valid ones is also played by optimised code
MOVE_SECONDS = 15.0  # after these no other move of a book is looked at
# The interpreter is slower, and so is unoptimised code that plays a game of forty decisions with
# searches behind each; they must end all the same.
SLOWER = 4
PLAYED = 60  # states that are kept of a game
WARM = 4  # books that are played before memory is limited
# What a caller may meet: a mistake of theirs, or of a rulebook. Nothing else may come out.
EXPECTED = (LudwrightError, ValueError, TypeError)


class Table:
    """Every shipped game on both engines, with states on the way through it."""

    def __init__(self, seed: int) -> None:
        self.games: list[tuple[Game, Game, list[State]]] = []
        self.seen: list[Any] = []
        for name in lw.shipped_games():
            for chance in _chances(name):
                native = lw.load(name, engine="native", chance=chance)
                plain = lw.load(name, engine="python", chance=chance)
                states = self._played(native, random.Random(f"{seed} {name}"))
                # All code is made before the first case: making it counts as nobody's time.
                native.perft(states[0], 1)
                native.playouts(1, limit=50)
                asked = (s for s in states if native.current_seat(s) in native.seats)
                native.search(next(asked), simulations=1, cutoff=1, memory=16 << 20, worlds=2)
                self.games.append((native, plain, states))

    def _played(self, game: Game, dice: random.Random) -> list[State]:
        found: list[State] = []
        state = game.initial_state(dice.randrange(10**6), len(game.seats))
        for _ in range(400):
            found.append(state)
            decision = game.decision(state)
            if decision is None or not decision.answers:
                state = game.initial_state(dice.randrange(10**6))
                continue
            self.seen += decision.options[:1]
            state = game.choose(state, dice.choice(decision.answers)).state
        return dice.sample(found, PLAYED)


def _chances(name: str) -> Iterator[ChanceMode]:
    yield "generator"
    code = lw.load(name, engine="python").program.code
    if any(isinstance(instr, ir.Chance) for instr in code):
        yield "explicit"


class Kind:
    """What all kinds have."""

    COUNTS: ClassVar[tuple[str, ...]]
    CHUNK: ClassVar = 400  # cases of one worker
    # Cases between two collections of garbage; 0 leaves that to Python. Compilers make many objects
    # and few of them are garbage: looking for it takes a quarter of the time.
    COLLECTED: ClassVar = 0

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def run(self, number: int, counts: Counter[str]) -> None:
        raise NotImplementedError


class States(Kind):
    """Damaged states go through every method; what one engine takes, both answer alike."""

    COUNTS: ClassVar[tuple[str, ...]] = ("states", "refused", "calls", "compared")
    CHUNK: ClassVar = 4_000

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.table = Table(seed)

    def run(self, number: int, counts: Counter[str]) -> None:
        dice = random.Random(f"states {self.seed} {number}")
        native, plain, states = self.table.games[number % len(self.table.games)]
        others = [state.to_bytes() for state in dice.sample(states, 5)]
        for _ in range(STATES):
            data = damaged_state(dice.choice(states).to_bytes(), others, dice)
            counts["states"] += 1
            with limited():
                state = self._taken(native, data, dice)
            if state is None:
                counts["refused"] += 1
                continue
            self._ask(native, plain, state, dice, counts)

    def _taken(self, game: Game, data: bytes, dice: random.Random) -> State | None:
        """Through one of the doors."""
        try:
            if dice.random() < 0.7:
                return game.state_from_bytes(data)
            cells = [int.from_bytes(data[at : at + 4], "little", signed=True)
                     for at in range(0, len(data), 4)]  # fmt: skip
            told_ = {"game": game.gamedef_hash, "chance": game.chance, "cells": cells}
            return game.state_from_json(told_)
        except EXPECTED:
            return None

    def _ask(
        self, native: Game, plain: Game, state: State, dice: random.Random, counts: Counter[str]
    ) -> None:
        """Every method once, and some of them again on the other engine."""
        data = state.to_bytes()
        for name in dice.sample(METHODS, len(METHODS)):
            same = dice.getrandbits(64)
            call = CALLS.get(name) or NATIVE_CALLS[name]
            counts["calls"] += 1
            with limited():
                found = _outcome(call, native, state, same)
            if name in CALLS and dice.random() < (COMPARED_COSTLY if name in COSTLY else COMPARED):
                twin = plain.state_from_bytes(data)
                with limited(SLOWER * CALL_SECONDS):
                    wanted = _outcome(call, plain, twin, same)
                told_ = f"{name}: native {found!r:.500}, python {wanted!r:.500}"
                assert found == wanted or GIVEN_UP in (found, wanted), told_
                counts["compared"] += 1
        assert state.to_bytes() == data, "a question changed the state"


def _outcome(call: Any, game: Game, state: State, seed: int) -> Any:
    try:
        return told(call(game, state, random.Random(seed)))
    except EXPECTED as error:
        return f"{type(error).__name__}: {error}"


class Answers(Kind):
    """Wild answers and moves are refused or stand for what is offered, alike on both engines."""

    COUNTS: ClassVar[tuple[str, ...]] = ("answers", "moves", "taken", "compared")
    CHUNK: ClassVar = 8_000

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.table = Table(seed)

    def run(self, number: int, counts: Counter[str]) -> None:
        dice = random.Random(f"answers {self.seed} {number}")
        native, plain, states = self.table.games[number % len(self.table.games)]
        state = dice.choice(states)
        decision = native.decision(state)
        options = [] if decision is None else list(decision.options[:40])
        moves = native.legal_moves(state)[:40]
        before = state.to_bytes()
        for at in range(ANSWERS):
            way = "choose"
            if dice.random() < MOVES:
                way = dice.choice(("apply_move", "legal_choices"))
                counts["moves"] += 1
                given = wild_move(moves, options, dice)
            else:
                given = wild_answer(options, self.table.seen, dice)
            counts["answers"] += 1
            with limited():
                found = _answered(native, way, state, given)
            counts["taken"] += not isinstance(found, str)
            if at % 50 == 0:
                twin = plain.state_from_bytes(before)
                with limited(SLOWER * CALL_SECONDS):
                    wanted = _answered(plain, way, twin, given)
                assert found == wanted, f"{way} of {given!r}: {found!r:.500}, {wanted!r:.500}"
                counts["compared"] += 1
        assert state.to_bytes() == before, "a wrong answer changed the state"


def _answered(game: Game, way: str, state: State, given: Any) -> Any:
    try:
        return told(getattr(game, way)(state, given))
    except LudwrightError as error:
        return str(error)
    except TypeError as error:
        if isinstance(given, Move) or way == "choose":
            raise
        return str(error)


class Compiled(Kind):
    """Cases that make machine code."""

    def __init__(self, seed: int) -> None:
        """Load what makes it: that stays in memory, and belongs to no case."""
        super().__init__(seed)
        for number in range(WARM):
            compilation = lw.compile_text(rulebook(random.Random(f"warm {seed} {number}")))
            if compilation.ok:
                _played(compilation, 2 if number == 0 else 0, number, range(1))


class Rulebooks(Compiled):
    """Spoilt rulebooks are told what is wrong, or are played by both engines alike."""

    COUNTS: ClassVar[tuple[str, ...]] = ("rulebooks", "valid", "optimised", "decisions")
    CHUNK: ClassVar = 2_500
    COLLECTED: ClassVar = 10
    MUTATIONS: ClassVar = (
        mutants.swap_words, mutants.swap_words, mutants.swap_values, mutants.huge_numbers,
        mutants.cut_lines, mutants.duplicate_blocks, mutants.swap_lines, mutants.garble_characters,
    )  # fmt: skip

    def text(self, number: int) -> str:
        dice = random.Random(f"rulebooks {self.seed} {number}")
        kind = dice.random()
        if kind < GENERATED:
            text = rulebook(dice)
        elif kind < GENERATED + SMALL:
            text = dice.choice(small())
        else:
            text = dice.choice(mutants.originals())[1]
        for _ in range(dice.choice((0, 1, 1, 1, 2))):
            text = dice.choice(self.MUTATIONS)(dice, text) or "\n"
        return text

    def run(self, number: int, counts: Counter[str]) -> None:
        text = self.text(number)
        with limited():
            compilation = lw.compile_text(text)
        counts["rulebooks"] += 1
        if not compilation.ok:
            assert compilation.diagnostics.errors, "refused without an error"
            return
        counts["valid"] += 1
        for level in (0, 2) if number % OPTIMISED == 0 else (0,):
            player = _played(compilation, level, number, range(2))
            counts["optimised"] += level > 0
            counts["decisions"] += player.count["decisions"]


def _played(compilation: Compilation, level: int, number: int, seeds: range) -> Player:
    """Both engines beside each other, decision by decision and in whole games."""
    with limited(BUILD_SECONDS):
        player = Player(compilation, level)
    for seed in seeds:
        with limited(SLOWER * CALL_SECONDS):  # four games, two of them interpreted
            player.lockstep(range(seed, seed + 1))
    with limited(SLOWER * CALL_SECONDS):
        player.playouts(number)
    return player


class Books(Compiled):
    """Generated rulebooks as they are: compiled once, then played side by side, in whole games and
    move by move."""

    COUNTS: ClassVar[tuple[str, ...]] = (
        "books", "refused", "optimised", "decisions", "moves", "questions", "cut short",
    )  # fmt: skip
    COLLECTED: ClassVar = 4

    def run(self, number: int, counts: Counter[str]) -> None:
        text = rulebook(random.Random(f"books {self.seed} {number}"))
        with limited():
            compilation = lw.compile_text(text)
        if not compilation.ok:
            assert compilation.diagnostics.errors, "refused without an error"
            counts["refused"] += 1
            return
        level = 2 if number % 16 == 15 else 0
        player = _played(compilation, level, number, range(3))
        if number % 8 == 3:
            with limited(SLOWER * CALL_SECONDS):
                player.games(number)
        counts["books"] += 1
        counts["optimised"] += level > 0
        counts["decisions"] += player.count["decisions"]
        # beside the interpreter, or it alone
        player.moves(number, native=number % 10 > 0, limited=_question, enough=_patience())
        counts["moves"] += player.count["move moves"]
        counts["questions"] += player.count["move questions"]
        counts["cut short"] += player.count["move left out"]


def _question(game: Game) -> AbstractContextManager[None]:
    """The time for one question about a move."""
    return limited(CALL_SECONDS if isinstance(game, NativeGame) else SLOWER * CALL_SECONDS)


def _patience() -> Callable[[], bool]:
    end = time.process_time() + MOVE_SECONDS
    return lambda: time.process_time() > end


class GameDefs(Kind):
    """A GameDef that something happened to is told what is wrong, or loads."""

    COUNTS: ClassVar[tuple[str, ...]] = ("gamedefs", "valid")

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.originals = []
        for name in lw.shipped_games():
            compilation = lw.compile_files(lw.shipped_games()[name])
            assert compilation.gamedef is not None
            self.originals.append(json.loads(gamedef_bytes(compilation.gamedef)))
        self._folder = tempfile.TemporaryDirectory()

    def run(self, number: int, counts: Counter[str]) -> None:
        dice = random.Random(f"gamedefs {self.seed} {number}")
        data = damaged_json(dice.choice(self.originals), dice)
        path = Path(self._folder.name) / "game.json"
        path.write_text(json.dumps(data))
        with limited():
            compilation = lw.compile_files(path)
        counts["gamedefs"] += 1
        counts["valid"] += compilation.ok
        if not compilation.ok:
            assert compilation.diagnostics.errors, "refused without an error"
            return
        game = lw.load(path, engine="python")
        with limited():
            try:
                state = game.initial_state(1)
            except LudwrightError:
                return
        with limited():
            _outcome(CALLS["several choices"], game, state, number)


class Planted(Kind):
    """Cases that fail on purpose, in the ways a supervisor must notice."""

    COUNTS: ClassVar[tuple[str, ...]] = ("cases tried",)

    def run(self, number: int, counts: Counter[str]) -> None:
        counts["cases tried"] += 1
        with limited():
            if number == 1:
                os.kill(os.getpid(), signal.SIGSEGV)
            while number == 3:
                pass
            if number == 5:
                bytearray(10 * MEMORY_BYTES)
            assert number != 7, "two engines differ"


KINDS: dict[str, Any] = {
    "states": States, "answers": Answers, "rulebooks": Rulebooks, "gamedefs": GameDefs,
    "books": Books,
}  # fmt: skip
ALL_KINDS = KINDS | {"planted": Planted}
