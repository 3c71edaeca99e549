"""Runs the examples of a rulebook: positions, and what its author says about them.

Examples stand in the rulebook (`examples:`, ```play blocks) or in files `examples*.md` beside it.
The set-ups and conditions of all examples are compiled together, apart from the game
(`positions.Table`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludwright.diagnostics import Diagnostics, Span
from ludwright.errors import LudwrightError, RulebookError
from ludwright.kernel.play.game import Game, core_of
from ludwright.language.parsing.examples import ExampleDecl, read_example_file, read_examples
from ludwright.language.parsing.expressions import parse_field
from ludwright.language.reading import YScalar, read_rulebook
from ludwright.language.reading.files import example_files
from ludwright.language.tree import BoolLit, Expr
from ludwright.loading import Compilation, compile_files, game_from
from ludwright.native.errors import OutOfReach
from ludwright.positions import Drawings, Helpers, SetUp, Table, statements, table
from ludwright.testing.plays import CHECK, Line, Play, lines_of


@dataclass(frozen=True, slots=True)
class Failure:
    """Where an example goes another way than its author says."""

    file: str
    line: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}\n    {self.reason}"


@dataclass(frozen=True, slots=True)
class Outcome:
    example: ExampleDecl
    failure: Failure | None = None


@dataclass(frozen=True)
class Written:
    """Everything that is written about a game to be tested."""

    examples: tuple[ExampleDecl, ...]
    sources: dict[str, str]
    helpers: Helpers | None = None


@dataclass
class Batch:
    """Examples with the same parameters, the game, and its table with all their set-ups."""

    compilation: Compilation
    table: Table
    conditions: dict[str, int]  # text -> number of the check
    broken: dict[int, str]  # drawings that cannot be read, by example
    games: dict[tuple[str, str], Game] = field(default_factory=dict)  # by chance and engine

    def game(self, chance: str, engine: str) -> Game:
        if (chance, engine) not in self.games:
            mode: Any = chance
            self.games[chance, engine] = game_from(self.compilation, mode, engine=engine)
        return self.games[chance, engine]


def run_examples(path: str | Path, engine: str = "python") -> Iterator[Outcome]:
    """Run every example of a rulebook; `RulebookError` if it, or one of them, cannot be read."""
    base = compile_files(path)
    if not base.ok:
        raise RulebookError(base.diagnostics.items, base.sources)
    yield from run_written(path, base, all_examples(Path(path), base), engine)


def run_written(
    path: str | Path, base: Compilation, written: Written, engine: str = "python"
) -> Iterator[Outcome]:
    """Run the examples of a game that has been compiled."""
    examples = written.examples
    keys = dict.fromkeys(tuple(sorted(example.parameters.items())) for example in examples)
    for key in keys:
        own = [item for item in examples if tuple(sorted(item.parameters.items())) == key]
        changed = compile_files(path, dict(key)) if key else base
        batch = _batch(changed, own, written)
        for number, example in enumerate(own):
            yield Outcome(example, _run(batch, number, example, engine))


def all_examples(path: Path, base: Compilation) -> Written:
    """The examples in a rulebook and beside it, with the texts they stand in."""
    beside = [file for file in example_files(path) if str(file) not in base.sources]
    if not beside:
        return Written(base.examples, dict(base.sources))
    diagnostics = Diagnostics()
    rulebook = read_rulebook(list(beside), diagnostics)
    found = read_examples(rulebook.blocks, rulebook.plays, diagnostics)
    functions, procs = read_example_file(rulebook.blocks, diagnostics)
    sources = {**base.sources, **rulebook.sources}
    errors = [item for item in diagnostics.errors if item.code != "rulebook-empty"]
    if errors:
        raise RulebookError(errors, sources)
    return Written((*base.examples, *found), sources, Helpers(functions, procs))


def _batch(base: Compilation, examples: list[ExampleDecl], written: Written) -> Batch:
    assert base.gamedef is not None
    assert base.program is not None
    diagnostics = Diagnostics()
    set_ups: list[SetUp] = []
    broken: dict[int, str] = {}
    for example in examples:
        drawn: Sequence[str] = ()
        if example.drawing:
            try:
                drawn = list(Drawings(base.gamedef, base.program).statements(example.drawing))
            except ValueError as problem:
                broken[len(set_ups)] = str(problem)
        block = statements(drawn, diagnostics, example.span) + example.setup
        set_ups.append(SetUp(block, example.settings.get("scenario")))
    conditions, checks = _conditions(examples, written.sources, diagnostics)
    made = table(base.gamedef, set_ups, checks, diagnostics, written.helpers)
    if made is None:
        raise RulebookError(diagnostics.errors, written.sources)
    return Batch(base, made, conditions, broken)


def _conditions(
    examples: list[ExampleDecl], sources: Mapping[str, str], diagnostics: Diagnostics
) -> tuple[dict[str, int], list[Expr]]:
    """The conditions of all examples, each once."""
    numbers: dict[str, int] = {}
    checks: list[Expr] = []
    for example in examples:
        for line in _lines(example):
            text = line.text.removeprefix(CHECK).strip()
            if not line.text.startswith(CHECK) or text in numbers:
                continue
            span = _where(text, _file(example, line), line.number, sources)
            parsed = parse_field(YScalar(text, text, False, span), diagnostics)
            numbers[text] = len(checks)
            checks.append(BoolLit(True) if parsed is None else parsed)
    return numbers, checks


def _where(text: str, file: str, number: int, sources: Mapping[str, str]) -> Span:
    """Where a condition stands in its line; the line, where it is written over several."""
    lines = sources.get(file, "").split("\n")
    column = lines[number - 1].find(text) + 1 if 0 < number <= len(lines) else 0
    if not column:
        return Span(file, number, 1, number, 2)
    return Span(file, number, column, number, column + len(text))


def _lines(example: ExampleDecl) -> list[Line]:
    return [line for given in example.lines for line in lines_of(given.text, given.line)]


def _file(example: ExampleDecl, line: Line) -> str:
    return next((item.file for item in example.lines if item.line == line.number), "")


def _run(batch: Batch, number: int, example: ExampleDecl, engine: str) -> Failure | None:
    settings = example.settings
    game = batch.game(settings.get("chance", "generator"), engine)
    first = Line("the set-up", example.span.line)
    if number in batch.broken:
        return Failure(example.span.file, first.number, "the drawing", batch.broken[number])
    try:
        players = settings.get("players")
        given = (
            batch.table.machine, number, int(settings.get("seed", "1")),
            int(players) if players else None, settings.get("scenario"),
        )  # fmt: skip
        try:
            state = core_of(game).arranged(*given)
        except OutOfReach:
            game = batch.game(settings.get("chance", "generator"), "python")
            state = core_of(game).arranged(*given)
        held = batch.conditions
        play = Play(game, state, lambda state, text: batch.table.failing(state, held[text]))
    except (LudwrightError, ValueError) as problem:
        return Failure(example.span.file, first.number, first.text, str(problem))
    for line in _lines(example):
        try:
            play.step(line.text)
        except (AssertionError, LudwrightError, ValueError) as problem:
            return Failure(_file(example, line), line.number, line.text, str(problem))
    return None
