"""What one case of each kind does. A finding is an assertion that fails, or any error that no
caller should meet; crashes, hangs and memory are the worker's business."""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import ludwright as lw
from ludwright.errors import LudwrightError
from ludwright.kernel import program as ir
from ludwright.kernel.game import Game
from ludwright.kernel.machine import ChanceMode
from ludwright.kernel.state import State
from ludwright.language.canonical import gamedef_bytes
from tests.diagnostics import mutants
from tests.fuzz.calls import CALLS, NATIVE_CALLS, told
from tests.fuzz.damage import damaged_json, damaged_state, wild_answer
from tests.fuzz.worker import BUILD_SECONDS, MEMORY_BYTES, limited
from tests.native.rulebooks.playing import Player
from tests.native.rulebooks.writing import rulebook

STATES = 25  # of one case
ANSWERS = 250
PLAYED = 60  # states that are kept of a game
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


class States:
    """Damaged states go through every method; what one engine takes, both answer alike."""

    COUNTS: ClassVar = ("states", "refused", "calls", "compared")

    def __init__(self, seed: int) -> None:
        self.seed = seed
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
        for _ in range(4):
            name = dice.choice([*CALLS, *NATIVE_CALLS])
            same = dice.getrandbits(64)
            counts["calls"] += 1
            if name in NATIVE_CALLS:
                with limited():
                    _outcome(NATIVE_CALLS[name], native, state, same)
                continue
            with limited():
                found = _outcome(CALLS[name], native, state, same)
            if dice.random() < 0.25:
                twin = plain.state_from_bytes(state.to_bytes())
                with limited(4 * 2.0):  # the interpreter is slower; it must end all the same
                    wanted = _outcome(CALLS[name], plain, twin, same)
                assert found == wanted, f"{name}: native {found!r:.500}, python {wanted!r:.500}"
                counts["compared"] += 1


def _outcome(call: Any, game: Game, state: State, seed: int) -> Any:
    try:
        return told(call(game, state, random.Random(seed)))
    except EXPECTED as error:
        return f"{type(error).__name__}: {error}"


class Answers:
    """Wild answers are refused or stand for one that is offered, alike on both engines."""

    COUNTS: ClassVar = ("answers", "taken", "compared")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.table = Table(seed)

    def run(self, number: int, counts: Counter[str]) -> None:
        dice = random.Random(f"answers {self.seed} {number}")
        native, plain, states = self.table.games[number % len(self.table.games)]
        state = dice.choice(states)
        decision = native.decision(state)
        options = [] if decision is None else list(decision.options[:40])
        before = state.to_bytes()
        for at in range(ANSWERS):
            answer = wild_answer(options, self.table.seen, dice)
            counts["answers"] += 1
            with limited():
                found = _chosen(native, state, answer, counts)
            if at % 50 == 0:
                twin = plain.state_from_bytes(before)
                assert found == _chosen(plain, twin, answer, counts), f"answer {answer!r}"
                counts["compared"] += 1
        assert state.to_bytes() == before, "a wrong answer changed the state"


def _chosen(game: Game, state: State, answer: Any, counts: Counter[str]) -> Any:
    try:
        step = game.choose(state, answer)
    except LudwrightError as error:
        return str(error)
    counts["taken"] += 1
    return step.state.to_bytes()


class Rulebooks:
    """Spoilt rulebooks are told what is wrong, or are played by both engines alike."""

    COUNTS: ClassVar = ("rulebooks", "valid", "optimised", "decisions")
    MUTATIONS: ClassVar = (
        mutants.swap_words, mutants.swap_words, mutants.swap_values, mutants.huge_numbers,
        mutants.cut_lines, mutants.duplicate_blocks, mutants.swap_lines, mutants.garble_characters,
    )  # fmt: skip

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def text(self, number: int) -> str:
        dice = random.Random(f"rulebooks {self.seed} {number}")
        text = rulebook(dice) if dice.random() < 0.7 else dice.choice(mutants.originals())[1]
        for _ in range(dice.choice((0, 1, 1, 1, 2))):
            text = dice.choice(self.MUTATIONS)(dice, text) or "\n"
        return text

    def run(self, number: int, counts: Counter[str]) -> None:
        with limited():
            compilation = lw.compile_text(self.text(number))
        counts["rulebooks"] += 1
        if not compilation.ok:
            assert compilation.diagnostics.errors, "refused without an error"
            return
        counts["valid"] += 1
        for level in (0, 2) if number % 10 == 0 else (0,):
            with limited(BUILD_SECONDS):
                player = Player(compilation, level)
            counts["optimised"] += level > 0
            for seed in range(2):
                with limited(4 * 2.0):  # four games, two of them interpreted
                    player.lockstep(range(seed, seed + 1))
            with limited():
                player.playouts(number)
            counts["decisions"] += player.count["decisions"]


class GameDefs:
    """A GameDef that something happened to is told what is wrong, or loads."""

    COUNTS: ClassVar = ("gamedefs", "valid")

    def __init__(self, seed: int) -> None:
        self.seed = seed
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


class Planted:
    """Cases that fail on purpose, in the ways a supervisor must notice."""

    COUNTS: ClassVar = ("cases tried",)

    def __init__(self, seed: int) -> None:
        self.seed = seed

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
}  # fmt: skip
ALL_KINDS = KINDS | {"planted": Planted}
