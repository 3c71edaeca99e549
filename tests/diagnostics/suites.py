"""Reads the Markdown suites beside this file.

A heading with code blocks under it is a test. Its ```yaml blocks follow the blocks of the
heading "Preamble" (the common start of the game) and together make one rulebook; a ```markdown
block is a whole rulebook by itself. What must be found stands at the end of the line it is found
on, as a comment that is taken out before compiling:

    score: a = b    # error: [syntax-single-equals] column=10

A line may expect several; `warning:` instead of `error:` expects a warning; what is found
nowhere in the text is expected by a line of prose `Nowhere: error: [code]`. A ```text block is
the whole report as `ludwright check` prints it; LUDWRIGHT_UPDATE=1 rewrites those blocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ludwright.diagnostic_text import in_reading_order
from ludwright.diagnostics import Diagnostic
from ludwright.loading import Compilation, compile_text

FOLDER = Path(__file__).parent

_EXPECTED = re.compile(r"(error|warning): \[([a-z0-9-]+)\](?: column=(\d+))?")
_COMMENTS = re.compile(rf"(?:\s*# {_EXPECTED.pattern})+\s*$")
_NOWHERE = re.compile(rf"Nowhere: {_EXPECTED.pattern}")
_FENCE = re.compile(r"(`{3,})(\w*)\s*$")
_HEADING = re.compile(r"(#+) (.+)")


@dataclass(frozen=True, order=True)
class Expectation:
    line: int  # of the rulebook; 0 is nowhere
    severity: str
    code: str
    column: int | None = None

    def fits(self, item: Diagnostic) -> bool:
        line, column = (item.span.line, item.span.column) if item.span else (0, None)
        same = (self.line, self.severity, self.code) == (line, item.severity, item.code)
        return same and self.column in (None, column)

    def __str__(self) -> str:
        column = f" column={self.column}" if self.column is not None else ""
        return f"line {self.line}: {self.severity}: [{self.code}]{column}"


@dataclass
class Case:
    suite: Path
    heading: str
    first_line: int
    blocks: list[str] = field(default_factory=list)
    whole: str | None = None
    nowhere: list[Expectation] = field(default_factory=list)
    snapshot: str | None = None
    snapshot_lines: tuple[int, int] = (0, 0)  # of the suite, without its fences

    @property
    def id(self) -> str:
        return f"{self.suite.stem}: {self.heading}"


def suites() -> list[Path]:
    return sorted(FOLDER.glob("*.md"))


@cache
def cases() -> tuple[Case, ...]:
    return tuple(case for suite in suites() for case in read_suite(suite))


def read_suite(suite: Path) -> list[Case]:
    found: list[Case] = []
    lines = suite.read_text("utf-8").split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if heading := _HEADING.match(line):
            found.append(Case(suite, heading[2].strip(), at))
        elif nowhere := _NOWHERE.match(line):
            found[-1].nowhere.append(Expectation(0, nowhere[1], nowhere[2]))
        elif fence := _FENCE.match(line):
            start = at
            while lines[at].rstrip() != fence[1]:
                at += 1
            text = "".join(f"{each}\n" for each in lines[start:at])
            if fence[2] == "yaml":
                found[-1].blocks.append(text)
            elif fence[2] == "markdown":
                found[-1].whole = text
            elif fence[2] == "text":
                found[-1].snapshot, found[-1].snapshot_lines = text, (start, at)
            else:
                raise ValueError(f"{suite.name}:{start}: a block of no known kind")
            at += 1
    preamble = [block for case in found if case.heading == "Preamble" for block in case.blocks]
    tests = [c for c in found if c.heading != "Preamble" and (c.blocks or c.whole is not None)]
    for case in tests:
        case.blocks = [*preamble, *case.blocks]
    return tests


def rulebook(case: Case) -> tuple[str, list[Expectation]]:
    """The rulebook without the comments of the suite, and what they expect."""
    marked = case.whole
    if marked is None:
        marked = "\n".join(f"```yaml\n{block}```\n" for block in case.blocks)
    plain: list[str] = []
    expected = list(case.nowhere)
    for number, line in enumerate(marked.split("\n"), start=1):
        comments = _COMMENTS.search(line)
        if comments is None:
            plain.append(line)
            continue
        plain.append(line[: comments.start()])
        for severity, code, column in _EXPECTED.findall(comments[0]):
            expected.append(Expectation(number, severity, code, int(column) if column else None))
    return "\n".join(plain), sorted(expected, key=lambda each: (each.line, each.column or 0))


def compiled(case: Case) -> tuple[Compilation, list[Diagnostic], list[Expectation]]:
    text, expected = rulebook(case)
    compilation = compile_text(text)
    found = in_reading_order(compilation.diagnostics.items, compilation.sources)
    return compilation, found, expected


def differences(found: list[Diagnostic], expected: list[Expectation]) -> list[str]:
    """Each diagnostic answers one expectation; what is left over on either side is told."""
    missing = list(expected)
    told: list[str] = []
    for item in found:
        # An expectation with a column is the stricter one, so it is answered first.
        fitting = sorted((e for e in missing if e.fits(item)), key=lambda e: e.column is None)
        if fitting:
            missing.remove(fitting[0])
        else:
            line, column = (item.span.line, item.span.column) if item.span else (0, 0)
            told.append(
                f"not expected: line {line}: {item.severity}: [{item.code}] column={column}: "
                f"{item.message} ({item.suggestion})"
            )
    return told + [f"not found: {each}" for each in missing]


def write_snapshot(case: Case, text: str) -> None:
    """Replace the ```text block of a case, wherever earlier updates have moved it."""
    fresh = next(c for c in read_suite(case.suite) if c.heading == case.heading)
    lines = case.suite.read_text("utf-8").split("\n")
    start, end = fresh.snapshot_lines
    lines[start:end] = text.rstrip("\n").split("\n")
    case.suite.write_text("\n".join(lines), "utf-8")
