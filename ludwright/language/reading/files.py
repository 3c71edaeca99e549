"""Paths to source texts: one file, a folder, or a list of both."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.reading.limits import (
    MAX_FILE_BYTES,
    MAX_RULEBOOK_BYTES,
    MAX_RULEBOOK_FILES,
)
from ludwright.language.reading.source import Source, source_from_text

AnyPath: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = AnyPath | Sequence[AnyPath]

MARKDOWN_SUFFIXES = (".md", ".markdown")
YAML_SUFFIXES = (".yaml", ".yml")
_LOOKED_AT = 100_000  # bytes of a YAML file beside the rules
_RULES = re.compile(
    rb"^(game|seats|vars|spaces|zones|pieces|tables|fns|procs|actions|phases|events|setup|end):",
    re.MULTILINE,
)
_MAIN_FILE = "rulebook.md"
_EXAMPLES = "examples*.md"  # beside the rules: worked examples, which are no rules


def example_files(path: Path) -> list[Path]:
    """The files with worked examples beside a rulebook, which is a file or a folder."""
    folder = path if path.is_dir() else path.parent
    return [] if path.match(_EXAMPLES) else sorted(folder.glob(_EXAMPLES))


def read_sources(paths: Paths, diagnostics: Diagnostics) -> list[Source]:
    """The texts of all readable files, in the order in which they make up the rulebook."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    files: list[Path] = []
    for path in given:
        files.extend(_files_at(Path(path), diagnostics))
    sources: list[Source] = []
    total = 0
    for count, file in enumerate(_each_once(files), start=1):
        source = _read(file, diagnostics) if count <= MAX_RULEBOOK_FILES else None
        total += len(source.text) if source is not None else 0
        if count > MAX_RULEBOOK_FILES or total > MAX_RULEBOOK_BYTES:
            diagnostics.error(
                "rulebook-too-large",
                None,
                f"the rulebook has more than {MAX_RULEBOOK_FILES} files "
                f"or {MAX_RULEBOOK_BYTES // 2**20} MB; reading stopped at {_shown(file)}",
                "leave out files that hold no rules",
            )
            break
        if source is not None:
            sources.append(source)
    return sources


def read_beside(diagnostics: Diagnostics) -> Callable[[str, str], Source | None]:
    """What reads a file in the folder of another one."""

    def read(file: str, name: str) -> Source | None:
        path = Path(file).parent / name
        return _read(path, diagnostics, data=True) if path.is_file() else None

    return read


def _files_at(path: Path, diagnostics: Diagnostics) -> list[Path]:
    try:
        if not path.is_dir():
            return [path]
        children = sorted(child for child in path.iterdir() if not child.is_dir())
        found = [
            child
            for child in children
            if child.suffix in MARKDOWN_SUFFIXES and not child.match(_EXAMPLES)
        ]
        for child in children:
            if child.suffix in YAML_SUFFIXES and _holds_rules(child):
                diagnostics.warning(
                    "file-ignored",
                    None,
                    f"{_shown(child)} holds rules, but of a folder only `.md` files are read",
                    "put its rules into a ```yaml block of a `.md` file",
                )
    except (OSError, ValueError) as error:
        _unreadable(path, error, diagnostics)
        return []
    if not found:
        diagnostics.error(
            "folder-empty",
            None,
            f"the folder {_shown(path)} holds no Markdown files",
            f"write the rules in {_shown(path / _MAIN_FILE)}",
        )
    return sorted(found, key=lambda child: (child.name != _MAIN_FILE, child.name))


def _holds_rules(file: Path) -> bool:
    """Whether a YAML file has blocks of a rulebook; other data may lie beside the rules."""
    with file.open("rb") as opened:
        return _RULES.search(opened.read(_LOOKED_AT)) is not None


def _each_once(files: Iterable[Path]) -> list[Path]:
    seen: set[str] = set()
    result: list[Path] = []
    for file in files:
        identity = os.path.normcase(os.path.abspath(file))
        if identity not in seen:
            seen.add(identity)
            result.append(file)
    return result


def _read(file: Path, diagnostics: Diagnostics, data: bool = False) -> Source | None:
    """`data`: not rules, so whatever it is called."""
    name = _shown(file)
    if not data and file.suffix.lower() not in (*MARKDOWN_SUFFIXES, *YAML_SUFFIXES):
        diagnostics.error(
            "file-type",
            None,
            f"{name} is neither Markdown nor YAML",
            "rulebooks are .md files with ```yaml blocks, or .yaml files",
        )
        return None
    try:
        # A pipe or device might never end, so only ordinary files are opened.
        if not stat.S_ISREG(file.stat().st_mode):
            raise OSError("it is not an ordinary file")
        with file.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        diagnostics.error(
            "file-missing",
            None,
            f"there is no file {name}",
            "check the spelling of the path",
        )
        return None
    except (OSError, ValueError) as error:
        _unreadable(file, error, diagnostics)
        return None
    if len(content) > MAX_FILE_BYTES:
        diagnostics.error(
            "file-too-large",
            None,
            f"{name} is larger than {MAX_FILE_BYTES // 2**20} MB",
            "split it into several Markdown files in one folder",
        )
        return None
    return _decoded(name, content, diagnostics)


def _decoded(name: str, data: bytes, diagnostics: Diagnostics) -> Source | None:
    try:
        text = data.decode("utf-8")
        bad = data.find(b"\0")
        problem = "holds NUL bytes, so it is not a text file"
    except UnicodeDecodeError as error:
        text, bad = "", error.start
        problem = "is not UTF-8 text"
    if bad == -1:
        return source_from_text(name, text)
    before = source_from_text(name, data[:bad].decode("utf-8", errors="replace")).text
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    diagnostics.error(
        "file-not-text",
        Span(name, line, column, line, column + 1),
        f"{name} {problem}",
        "save it as UTF-8",
    )
    return None


def _unreadable(path: Path, error: Exception, diagnostics: Diagnostics) -> None:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    diagnostics.error(
        "file-unreadable",
        None,
        f"{_shown(path)} could not be read: {reason}",
        "check that it is an ordinary file and that you may read it",
    )


def _shown(path: Path) -> str:
    # File names may hold bytes that are no text; they must still be printable.
    return path.as_posix().encode("utf-8", errors="replace").decode("utf-8")
