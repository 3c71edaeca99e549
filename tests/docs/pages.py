"""Reads the pages of `docs/language` and runs what they show.

A page holds prose and executed parts, told apart by the mark behind the fence:

- ```yaml base``` is the game that the fragments of the page belong to, until the next base;
- ```yaml example``` is a fragment, joined with the base (or a whole game, if it has `game:`);
- ```yaml error CODE …``` is a fragment that must give exactly these diagnostics;
- ```yaml long``` is the fragment before it in the long form: both must give the same GameDef;
- ```markdown example``` is a whole rulebook;
- ```markdown file NAME``` is a file that lies beside the rulebooks that follow it;
- ```play``` is a game played on the fragment before it, line by line;
- ```markdown error CODE …``` is a whole rulebook that must give these diagnostics, and
  ```text message``` behind it what the checker then prints;
- other ```text``` is not executed: it shows a grammar or a directory;
- a table with the columns Expression and Value holds conditions about the fragment before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from ludwright.kernel.interpreter.run import Run
from ludwright.kernel.play.game import core_of
from ludwright.kernel.protocol.state import State
from ludwright.language.codes import CODES
from ludwright.loading import Compilation, compile_text, compile_texts, game_from
from ludwright.program.faults import EXPLANATIONS
from ludwright.testing import plays
from ludwright.testing.plays import Line, conditions_of, lines_of

PAGES = Path(__file__).resolve().parents[2] / "docs" / "language"
_TOP_KEY = re.compile(r"^([A-Za-z]+):", re.MULTILINE)
_PLAYABLE = {"actions", "flow", "phases", "operations"}
_PASS = "actions: [{ id: pass }]\n"


@dataclass(frozen=True)
class Fence:
    mark: str  # all that stands behind the opening
    text: str
    line: int


@dataclass
class Example:
    """A fragment with everything on the page that is said about it."""

    page: str
    line: int
    blocks: list[str]  # the base and the fragment
    codes: list[str] | None = None  # the diagnostics it must give; None: no errors
    whole: bool = False  # a Markdown rulebook instead of YAML
    long_blocks: list[str] | None = None
    message: str | None = None  # what the checker prints
    plays: list[Fence] = field(default_factory=list)
    claims: list[tuple[str, int]] = field(default_factory=list)  # conditions, with their lines
    beside: dict[str, str] = field(default_factory=dict)  # files of the same folder

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line}"

    def markdown(self) -> str:
        if self.whole:
            return self.blocks[0]
        return _fenced(self.blocks, self.conditions())

    def conditions(self) -> list[str]:
        """Every condition the page states, each once."""
        found = [claim for claim, _ in self.claims]
        for play in self.plays:
            found += conditions_of(steps(play))
        return list(dict.fromkeys(found))


def _fenced(blocks: list[str], conditions: list[str]) -> str:
    """A rulebook of these blocks. Conditions ride along in the reason of an ending that never
    comes: there they are compiled as ordinary expressions and change nothing."""
    found = list(blocks)
    keys = {key for block in blocks for key in _TOP_KEY.findall(block)}
    if not keys & _PLAYABLE:
        found.append(_PASS)
    if conditions:
        told = " ".join("{" + condition + "}" for condition in conditions)
        found.append(f'end:\n  - {{ when: false, draw: all, reason: "{told}" }}\n')
    return "\n".join(f"```yaml\n{block}```\n" for block in found)


# ------------------------------------------------------------------------- reading


def pages() -> list[Path]:
    return sorted(PAGES.glob("*.md"))


def fences(page: Path) -> list[Fence]:
    tokens = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    return [
        Fence(token.info.strip(), token.content, token.map[0] + 1)
        for token in tokens
        if token.type == "fence" and token.map is not None
    ]


def examples(page: Path) -> list[Example]:
    """The fragments of a page in order, each with the plays and tables that follow it."""
    found: list[Example] = []
    base, files = "", dict[str, str]()
    for part in _parts(page):
        if isinstance(part, tuple):
            working = [example for example in found if example.codes is None]
            assert working, f"{page.name}:{part[1]}: a table of values needs a fragment before it"
            working[-1].claims.append(part)
            continue
        words = part.mark.split()
        kind = " ".join(words[:2])
        if kind == "yaml base":
            base = part.text
            found.append(Example(page.name, part.line, [base]))
        elif kind in ("yaml example", "yaml error", "yaml warning"):
            codes = None if kind == "yaml example" else words[2:]
            whole_game = re.search(r"^game:", part.text, re.MULTILINE) is not None
            blocks = [part.text] if whole_game or not base else [base, part.text]
            found.append(Example(page.name, part.line, blocks, codes))
        elif kind == "yaml long":
            blocks = found[-1].blocks
            found[-1].long_blocks = [*blocks[:-1], part.text]
        elif kind in ("markdown example", "markdown error"):
            codes = None if kind == "markdown example" else words[2:]
            beside = files if re.search(r"^extends: .*\.md", part.text, re.MULTILINE) else {}
            found.append(Example(page.name, part.line, [part.text], codes, True, beside=beside))
        elif kind == "markdown file":
            files[words[2]] = part.text
        elif kind == "text message":
            found[-1].message = part.text
        elif words[:1] == ["play"]:
            found[-1].plays.append(part)
        else:
            assert words[:1] == ["text"], f"{page.name}:{part.line}: nothing runs ```{part.mark}"
    return found


def _parts(page: Path) -> Iterator[Fence | tuple[str, int]]:
    """Fences and rows of value tables, in the order of the text."""
    blocks = fences(page)
    parts: list[Fence | tuple[str, int]] = [*blocks, *_value_rows(page, blocks)]
    yield from sorted(parts, key=lambda part: part[1] if isinstance(part, tuple) else part.line)


def _value_rows(page: Path, blocks: list[Fence]) -> Iterator[tuple[str, int]]:
    inside = {
        number
        for block in blocks
        for number in range(block.line, block.line + block.text.count("\n") + 2)
    }
    in_table = False
    lines = page.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, start=1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if number in inside or not line.startswith("|"):
            in_table = False
        elif cells[:2] == ["Expression", "Value"]:
            in_table = True
        elif in_table and not set(line) <= set("|- :"):
            left, right = (cell.strip("`") for cell in cells[:2])
            yield f"({left}) == ({right})", number


# --------------------------------------------------------------- the table of codes

CODES_PAGE = PAGES / "17-diagnostics.md"
_CODES_HEADING = "## All codes\n"


def codes_table() -> str:
    """Every code of the registry, as the reference prints it."""
    rows = ["| Code | Severity | Meaning |", "|---|---|---|"]
    for code, info in CODES.items():
        meaning = f"{info.summary}. {info.help}".replace("|", "\\|")
        rows.append(f"| `{code}` | {info.severity} | {meaning} |")
    return "\n".join(rows) + "\n"


def trouble_table(kind: str) -> str:
    """Every fault, or every refusal of a rule, as the reference prints it."""
    rows = ["| Code | Meaning |", "|---|---|"]
    for code, told in EXPLANATIONS.items():
        if told.kind == kind:
            rows.append(f"| `{code}` | {told.summary} {told.help} |")
    return "\n".join(rows) + "\n"


def rewrite_codes() -> None:
    """Brings the page up to date with the registry."""
    text = CODES_PAGE.read_text(encoding="utf-8")
    for kind in ("fault", "refusal"):
        table = f"<!-- {kind}s -->\n{trouble_table(kind)}<!-- end -->"
        before, _, rest = text.partition(f"<!-- {kind}s -->")
        text = before + table + rest.partition("<!-- end -->")[2]
    before, _, _ = text.partition(_CODES_HEADING)
    CODES_PAGE.write_text(f"{before}{_CODES_HEADING}\n{codes_table()}", encoding="utf-8")


# ------------------------------------------------------------------------- running


def compiled(example: Example) -> Compilation:
    name = "rulebook.md" if example.whole else example.page
    return compile_texts({name: example.markdown(), **example.beside})


def both_spellings(example: Example) -> tuple[Compilation, Compilation]:
    """The short and the long fragment, without the conditions of the page."""
    assert example.long_blocks is not None
    short, long = (_fenced(blocks, []) for blocks in (example.blocks, example.long_blocks))
    return compile_text(short, example.page), compile_text(long, example.page)


def steps(play: Fence) -> list[Line]:
    return lines_of(play.text, play.line + 1)


class Play:
    """One ```play``` block of a page."""

    def __init__(self, example: Example, fence: Fence) -> None:
        settings = dict(word.split("=", 1) for word in fence.mark.split()[1:])
        chance: Any = settings.pop("chance", "generator")
        seed = int(settings.pop("seed", "1"))
        scenario = settings.pop("scenario", None)
        players = settings.pop("players", None)
        parameters: dict[str, int | bool] = {
            name: value == "true" if value in ("true", "false") else int(value)
            for name, value in settings.items()
        }
        result = compile_texts({example.page: example.markdown(), **example.beside}, parameters)
        self.page = example.page
        self.game = game_from(result, chance)
        self.conditions = example.conditions()
        self.state = self.game.initial_state(
            seed, int(players) if players is not None else None, scenario
        )

    def run(self, lines: list[Line]) -> None:
        play = plays.Play(self.game, self.state, self.failing)
        for line in lines:
            try:
                play.step(line.text)
            except Exception as problem:
                where = f"{self.page}:{line.number}: {line.text}"
                raise AssertionError(f"{where}\n{problem}") from problem

    def holds(self, condition: str) -> bool:
        """A condition of the page, on the first state."""
        return not self.failing(self.state, condition)

    def failing(self, state: State, condition: str) -> str:
        """A condition that does not hold; "" if it does."""
        end = next(end for end in reversed(self.game.program.ends) if self._is_claims(end))
        parts = [part for part in end.reason if not isinstance(part, str)]
        expr, _ = parts[self.conditions.index(condition)]
        machine = core_of(self.game).machine
        cells = machine.scratch(state.shared_cells, Run())
        return "" if machine.expressions.expr(expr)(cells) else condition

    def _is_claims(self, end: Any) -> bool:
        parts = [part for part in end.reason if not isinstance(part, str)]
        return len(parts) == len(self.conditions)
