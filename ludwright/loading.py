"""`load`: from a name or a path to a game that can be played."""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ludwright import compilations, native
from ludwright import program as ir
from ludwright.compilations import Compilation
from ludwright.diagnostics import Diagnostics
from ludwright.errors import LudwrightError, RulebookError
from ludwright.forking import importing
from ludwright.gc_pauses import without_collecting
from ludwright.kernel.interpreter.machine import ChanceMode
from ludwright.kernel.play.game import Game, core_of
from ludwright.kernel.protocol.arguments import counted, parameters_of
from ludwright.kernel.protocol.state import State
from ludwright.language.canonical import from_json
from ludwright.language.codes import without_consequences
from ludwright.language.compiling import compile_game
from ludwright.language.gamedef import GameDef
from ludwright.language.parsing import parse_rulebook
from ludwright.language.parsing.examples import ExampleDecl, read_examples
from ludwright.language.reading import Rulebook, read_texts, rulebook_from
from ludwright.language.reading.files import read_beside, read_sources
from ludwright.language.reading.shipped import shipped_rulebooks
from ludwright.language.reading.source import Source
from ludwright.positions import Arranger
from ludwright.records import packed, unpacked
from ludwright.spelling import did_you_mean

__all__ = [
    "ENGINES", "VARIABLE", "Compilation", "chosen_engine", "compile_files", "compile_text",
    "compile_texts", "game_from", "large_games", "load", "load_text", "reloaded", "restored",
    "shipped_games",
]  # fmt: skip

ENGINES = ("auto", "native", "python")
VARIABLE = "LUDWRIGHT_ENGINE"
_LARGE = 5_000  # instructions


def shipped_games() -> dict[str, Path]:
    """The folders under `games/` that hold a rulebook, by name."""
    return dict(shipped_rulebooks())


def large_games() -> dict[str, Path]:
    """The folders under `games/` whose rulebook has chapters instead of one file, by name.

    They are played like the others. What runs over every shipped game leaves them out, since code
    for them takes many seconds to make; they have tests of their own.
    """
    root = Path(__file__).parent / "games"
    folders = (folder for folder in sorted(root.iterdir()) if folder.is_dir())
    return {
        folder.name: folder
        for folder in folders
        if not (folder / "rulebook.md").is_file() and any(folder.glob("*-*.md"))
    }


def known_games() -> dict[str, Path]:
    """All games that can be played by their name, the large ones last."""
    return shipped_games() | large_games()


@without_collecting()
def compile_files(
    paths: str | Path | list[str | Path], parameters: Mapping[str, int | bool] | None = None
) -> Compilation:
    """Check and compile a rulebook (one file, a folder, or several files) or a GameDef JSON."""
    diagnostics, values = Diagnostics(), parameters_of(parameters)
    if isinstance(paths, str | Path) and str(paths).endswith(".json"):
        return _compile_json(Path(paths), values, diagnostics)
    sources = read_sources(paths, diagnostics)
    readable = not diagnostics.items
    name = compilations.key_of(((s.file, s.text) for s in sources), values)
    found = compilations.find(name) if readable else None
    if found is not None and _as_it_was(found, sources):
        return found
    since = time.thread_time()
    rulebook = rulebook_from(sources, diagnostics)
    made = _compiled_rulebook(rulebook, values, diagnostics)
    if readable and time.thread_time() - since > compilations.WORTH_KEEPING:
        compilations.keep(name, made)
    return made


def _as_it_was(found: Compilation, sources: list[Source]) -> bool:
    """Whether the files that these texts name still hold what was read from them."""
    own = {source.file for source in sources}
    read = read_beside(Diagnostics())
    others = ((name, text) for name, text in found.sources.items() if name not in own)
    return all(
        (now := read(name, Path(name).name)) is not None and now.text == text
        for name, text in others
    )


def compile_text(
    text: str, name: str = "rulebook.md", parameters: Mapping[str, int | bool] | None = None
) -> Compilation:
    return compile_texts({name: text}, parameters)


@without_collecting()
def compile_texts(
    texts: Mapping[str, str], parameters: Mapping[str, int | bool] | None = None
) -> Compilation:
    """The same from the texts of several files, by name."""
    diagnostics, values = Diagnostics(), parameters_of(parameters)
    return _compiled_rulebook(read_texts(dict(texts), diagnostics), values, diagnostics)


def _compiled_rulebook(
    rulebook: Rulebook, parameters: Mapping[str, int | bool], diagnostics: Diagnostics
) -> Compilation:
    gamedef = parse_rulebook(rulebook.blocks, diagnostics)
    examples = read_examples(rulebook.blocks, rulebook.plays, diagnostics)
    return _compiled(gamedef, rulebook.sources, parameters, diagnostics, examples)


def _compile_json(
    path: Path, parameters: Mapping[str, int | bool], diagnostics: Diagnostics
) -> Compilation:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        diagnostics.error(
            "gamedef-unreadable",
            None,
            f"{path.name} cannot be read as a GameDef: {problem}",
            "check the path, or compile the rulebook again: `ludwright compile`",
        )
        return Compilation(diagnostics, {})
    return _compiled(from_json(data, diagnostics), {}, parameters, diagnostics)


def _compiled(
    gamedef: GameDef | None,
    sources: Mapping[str, str],
    parameters: Mapping[str, int | bool],
    diagnostics: Diagnostics,
    examples: tuple[ExampleDecl, ...] = (),
) -> Compilation:
    if gamedef is None:
        return Compilation(without_consequences(diagnostics), sources)
    program = compile_game(gamedef, parameters, diagnostics)
    without_consequences(diagnostics)
    return Compilation(diagnostics, sources, gamedef.with_values(parameters), program, examples)


@without_collecting()
def load(
    source: str | Path | list[str | Path],
    *,
    chance: ChanceMode = "generator",
    engine: str = "auto",
    search_budget: int | None = None,
    **parameters: int | bool,
) -> Game:
    """A shipped game by name, or a rulebook or GameDef JSON by path, ready to play.

    Parameters declared by the rulebook are given by name: `load("tic-tac-toe", size=4, run=4)`.

    `engine` is "native" (machine code; needs the extra `ludwright[native]`), "python" (the
    interpreter) or "auto": native if possible, else interpreted. `Game.engine` says which
    it is, `Game.engine_reason` why it is not native. The code is made when the game is first
    played. The environment variable LUDWRIGHT_ENGINE takes the place of "auto".
    """
    if chance not in ("generator", "explicit"):
        raise ValueError(f"chance is 'generator' or 'explicit', not {chance!r}")
    if isinstance(source, str) and not Path(source).exists():
        games = shipped_games() | large_games()
        if source not in games:
            hint = did_you_mean(source, games) or f"shipped are: {', '.join(games)}"
            raise FileNotFoundError(f"no game and no file is called {source!r}; {hint}")
        source = games[source]
    return game_from(compile_files(source, parameters), chance, search_budget, engine)


@without_collecting()
def load_text(
    text: str, *, chance: ChanceMode = "generator", name: str = "rulebook.md",
    engine: str = "auto", search_budget: int | None = None, **parameters: int | bool,
) -> Game:  # fmt: skip
    """A game from the text of a rulebook."""
    return game_from(compile_text(text, name, parameters), chance, search_budget, engine)


def game_from(
    compilation: Compilation,
    chance: ChanceMode = "generator",
    search_budget: int | None = None,
    engine: str = "auto",
) -> Game:
    asked, engine = engine, chosen_engine(engine)
    if not compilation.ok or compilation.program is None:
        raise RulebookError(compilation.diagnostics.items, compilation.sources)
    options: dict[str, Any] = {}
    if search_budget is not None:
        options["search_budget"] = counted("search_budget", search_budget)
    missing = native.missing() if engine != "python" else None
    if engine == "native" and missing is not None:
        raise native.NativeMissing(missing)
    if engine == "auto" and missing is None:
        options["optional"] = True
    elif engine == "auto":
        options["engine_reason"], engine = missing, "python"

    def definition() -> GameDef:
        return compilation.definition

    made: type[Game] = Game
    if engine != "python":
        # Imported late: the interpreter does not need it.
        with importing:
            from ludwright.native.game import NativeGame

        made = NativeGame
    with without_collecting():
        game = made(
            compilation.program, lambda: compilation.gamedef_json, chance=chance,
            gamedef=definition, gamedef_hash=compilation.gamedef_hash,
            reload=lambda: (
                restored,
                (
                    compilation.key, compilation.gamedef_hash, packed(definition()), chance,
                    search_budget, asked,
                ),
            ),
            **options,
        )  # fmt: skip
        game.arranger = Arranger(definition)
        game.hinting = partial(_with_hints, definition)
        core_of(game).seal.picture = partial(_picture, game)
        # If native code was asked for by name, a game without it is an error at once.
        assert engine != "native" or game.engine == "native"
    if len(compilation.program.code) > _LARGE:
        gc.collect()  # now, so that this first long look at the game does not delay a decision
    return game


def _picture(game: Game, state: State) -> str:
    """A whole position as SVG, hidden things included: what notebooks show of a state."""
    with importing:
        from ludwright.scene import scene_of, svg

    return svg(scene_of(game, game.observe(state, None)))


def _with_hints(definition: Callable[[], GameDef]) -> ir.Program | None:
    """The same rules with what the rulebook tells bots; None where it tells them nothing."""
    gamedef = definition()
    if gamedef.bot is None:
        return None
    program = compile_game(gamedef, {}, Diagnostics(), hints=True)
    assert program is not None, "it was compiled before"
    return program


def restored(
    key: str, gamedef_hash: str, gamedef: bytes, chance: ChanceMode, search_budget: int | None,
    engine: str,
) -> Game:  # fmt: skip
    """How games are unpickled: what took long to compile is found on disk, if it is still there."""
    found = compilations.find(key) if key else None
    if found is not None and found.gamedef_hash == gamedef_hash:
        return game_from(found, chance, search_budget, engine)
    return reloaded(unpacked(gamedef), chance, search_budget, engine)


@without_collecting()
def reloaded(gamedef: GameDef, chance: ChanceMode, search_budget: int | None, engine: str) -> Game:
    """A game from the GameDef of another, with the same options."""
    diagnostics = Diagnostics()
    program = compile_game(gamedef, {}, diagnostics)
    return game_from(Compilation(diagnostics, {}, gamedef, program), chance, search_budget, engine)


def with_chance(game: Game, chance: ChanceMode) -> Game:
    """The same game, with chance drawn by the generator or asked of the caller."""
    if game.chance == chance:
        return game
    if not isinstance(game.gamedef, GameDef):
        raise LudwrightError("only a game that was loaded from a rulebook can be loaded again")
    return reloaded(game.gamedef, chance, None, "auto")


def chosen_engine(engine: str) -> str:
    """The engine that was asked for; for "auto", the one that the environment names."""
    where = "engine"
    if engine == "auto" and os.environ.get(VARIABLE):
        engine, where = os.environ[VARIABLE], VARIABLE
    if engine not in ENGINES:
        raise ValueError(f"{where} is auto, native or python, not {engine!r}")
    return engine
