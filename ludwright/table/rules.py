"""Rules: a compiled rulebook with its texts, and the paragraph that a rule stands below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ludwright.diagnostics import Diagnostics, Span
from ludwright.errors import LudwrightError, RulebookError
from ludwright.kernel.play.game import Game
from ludwright.language.canonical import from_json, gamedef_bytes, gamedef_hash
from ludwright.language.compiling import compile_game
from ludwright.language.gamedef import GameDef
from ludwright.loading import Compilation, compile_files, compile_texts, game_from, known_games
from ludwright.table.records import RulesRecord

FENCE = "```"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Prose of a rulebook: what a rule says in words, and where."""

    heading: str
    text: str
    file: str
    line: int


@dataclass(frozen=True)
class Rules:
    """A game that can be played, and the rulebook that people read."""

    game: Game
    record: RulesRecord

    @property
    def hash(self) -> str:
        return self.record.hash

    @property
    def gamedef(self) -> GameDef:
        found = self.game.gamedef
        assert isinstance(found, GameDef)
        return found

    def told(self, problem: Exception) -> str:
        """A problem in words, without telling players where the rulebook lies on the server."""
        text = str(problem)
        for source in self.record.sources:
            text = text.replace(source, Path(source).name)
        return text

    def paragraph(self, span: Span | None) -> Paragraph | None:
        """The prose above the block in which something stands."""
        text = self.record.sources.get(span.file) if span is not None else None
        return _above(text, span) if text is not None and span is not None else None


@lru_cache(512)
def _above(text: str, span: Span) -> Paragraph | None:
    lines = text.splitlines()
    at = min(span.line, len(lines)) - 1
    while at > 0 and not lines[at].lstrip().startswith(FENCE):
        at -= 1
    while at > 0 and not (lines[at - 1].strip() and not lines[at - 1].startswith(("#", FENCE))):
        if lines[at - 1].startswith("#"):
            return Paragraph(lines[at - 1].lstrip("# "), "", span.file, at)
        at -= 1
    end, at = at, _begin(lines, at)
    prose = _joined(lines[at:end])
    if _is_entry(prose) and at > 1 and not lines[at - 1].strip():  # a list, and what it lists
        before = _begin(lines, at - 1)
        prose = f"{_joined(lines[before : at - 1])}\n{prose}".strip()
    headings = (line for line in reversed(lines[:at]) if line.startswith("#"))
    heading = next(headings, "").lstrip("# ")
    return Paragraph(heading, prose, span.file, at + 1) if prose or heading else None


def _begin(lines: Sequence[str], end: int) -> int:
    """Where the paragraph begins that ends before a line."""
    at = end
    while at > 0 and lines[at - 1].strip() and not lines[at - 1].startswith(("#", FENCE)):
        at -= 1
    return at


def _is_entry(line: str) -> bool:
    return line.startswith(("- ", "* ")) or line.partition(".")[0].isdigit()


def _joined(lines: Sequence[str]) -> str:
    """The lines of a paragraph as one; the entries of a list stay apart."""
    joined = ""
    for line in (line.strip() for line in lines):
        joined += line if not joined else f"\n{line}" if _is_entry(line) else f" {line}"
    return joined


def rules_from(compilation: Compilation, parameters: Mapping[str, int | bool]) -> Rules:
    """The rules that a run of the compiler gave; raises `RulebookError` where it found mistakes."""
    game = game_from(compilation)
    assert compilation.gamedef is not None
    record = RulesRecord(
        gamedef_hash(compilation.gamedef), gamedef_bytes(compilation.gamedef),
        dict(compilation.sources), dict(parameters),
    )  # fmt: skip
    return Rules(game, record)


def rules_of_file(path: Path, parameters: Mapping[str, int | bool]) -> Rules:
    return rules_from(compile_files(path, parameters), parameters)


def mistakes(error: RulebookError, path: Path) -> str:
    """What is wrong with a rulebook, without telling players where it lies on the server."""
    folder = path if path.is_dir() else path.parent
    return str(error).replace(f"{folder}/", "")


@lru_cache(maxsize=64)
def _shipped(name: str, parameters: tuple[tuple[str, int | bool], ...]) -> Rules:
    return rules_of_file(known_games()[name], dict(parameters))


def shipped_rules(name: str, parameters: Mapping[str, int | bool]) -> Rules:
    return _shipped(name, tuple(sorted(parameters.items())))


def stored_rules(record: RulesRecord) -> Rules:
    """The rules of a match that is older than this process.

    The texts are compiled again, for the lines they give. If the language has changed so that they
    mean something else, the stored GameDef decides.
    """
    compilation = compile_texts(record.sources, record.parameters)
    gamedef = compilation.gamedef
    if compilation.ok and gamedef is not None and gamedef_hash(gamedef) == record.hash:
        return Rules(game_from(compilation), record)
    return Rules(_from_gamedef(record), record)


def _from_gamedef(record: RulesRecord) -> Game:
    import json

    diagnostics = Diagnostics()
    gamedef = from_json(json.loads(record.gamedef), diagnostics)
    if gamedef is None:
        raise RulebookError(diagnostics.items, {})
    if gamedef_hash(gamedef) != record.hash:
        raise LudwrightError("the stored GameDef is damaged: it does not have its hash")
    program = compile_game(gamedef, {}, diagnostics)
    return game_from(Compilation(diagnostics, {}, gamedef, program))
