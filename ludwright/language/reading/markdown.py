"""The blocks of rules in a Markdown file.

Only fences marked exactly `yaml` or `yml` hold rules; everything else, `yaml example`
included, is prose. Fences may stand inside list items and quotations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.reading.source import Block, PlayBlock, Source

_RULE_MARKS = ("yaml", "yml")
_GAME = re.compile(r"^game[ ]*:", re.M)  # what every rulebook has
# How a block of rules begins, where nothing says that it is one.
_RULES = re.compile(r"(game|seats|vars|spaces|zones|pieces|setup|actions|phases|flow|end):\s")
_RULE_FENCE = re.compile(rf"[ ]*`{{3,}}({'|'.join(_RULE_MARKS)})[ ]*")
_PLAY_MARK = "play"  # a game written down, which `ludwright test` plays
# Fences depend on block structure only, so inline text and link definitions are not parsed.
_BLOCK_RULES = ("code", "fence", "blockquote", "hr", "list", "html_block", "heading", "lheading")


def rule_blocks(
    source: Source, diagnostics: Diagnostics, plays: list[PlayBlock] | None = None
) -> list[Block]:
    """All rule blocks of a Markdown file, in order; its `play` blocks go to `plays`."""
    lines = source.text.split("\n")
    blocks: list[Block] = []
    for token, first, last in _fences(source.text):
        mark = token.info.strip()
        opening = _opening(source.file, first + 1, lines[first], token.markup)
        if mark not in _RULE_MARKS:
            if mark.lower() in _RULE_MARKS:
                diagnostics.warning(
                    "markdown-fence-case",
                    opening,
                    f"a block marked `{mark}` is read as prose",
                    f"write {token.markup}yaml if it holds rules",
                )
            elif not mark and _RULES.match(token.content):
                diagnostics.warning(
                    "markdown-fence-case",
                    opening,
                    "a block without a mark is read as prose",
                    f"write {token.markup}yaml if it holds rules",
                )
            elif mark.split()[:1] == [_PLAY_MARK] and plays is not None:
                plays.append(PlayBlock(mark, token.content, first + 2, opening))
            continue
        content = token.content.split("\n")[:-1]
        if any(_RULE_FENCE.fullmatch(line) for line in content):
            diagnostics.error(
                "markdown-unclosed-fence",
                opening,
                "this block of rules is not closed before the next one begins",
                f"end it with a line that holds only {token.markup}",
            )
            continue
        if last - first < len(content) + 2:
            diagnostics.error(
                "markdown-unclosed-fence",
                opening,
                "this block of rules is never closed",
                f"end it with a line that holds only {token.markup}",
            )
        # Markdown only ever cuts columns off the front, so lengths say how many.
        whole_lines = lines[first + 1 : first + 1 + len(content)]
        cut = tuple(
            len(whole) - len(part) for whole, part in zip(whole_lines, content, strict=False)
        )
        blocks.append(Block(source.file, token.content, first + 2, cut, opening))
    return blocks


def _fences(text: str) -> Iterator[tuple[Token, int, int]]:
    """The fences of a text, with their first line and the line behind them, from 0."""
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.enableOnly([*_BLOCK_RULES, "paragraph"])
    for token in parser.parse(text):
        if token.type == "fence" and token.map is not None:
            yield token, token.map[0], token.map[1]


def unread_rules(source: Source) -> tuple[Span, str] | None:
    """Where rules seem to stand that no block marks as such, and what to write."""
    lines = source.text.split("\n")
    for token, first, _ in _fences(source.text):
        if _GAME.search(token.content):
            marked = (
                f"this block is marked `{token.info.strip()}`" if token.info else "it has no mark"
            )
            opening = _opening(source.file, first + 1, lines[first], token.markup)
            return opening, f"{marked}: write {token.markup}yaml and nothing else behind it"
    found = _GAME.search(source.text)
    if found is None:
        return None
    line = source.text.count("\n", 0, found.start()) + 1
    span = Span(source.file, line, 1, line, len(lines[line - 1]) + 1)
    return span, "put a line ```yaml before the rules and a line ``` behind them"


def whole_file_block(source: Source) -> Block:
    """A plain YAML file is one block."""
    return Block(source.file, source.text, 1, (), Span(source.file, 1, 1, 1, 1))


def _opening(file: str, line: int, text: str, markup: str) -> Span:
    column = max(text.find(markup), 0) + 1
    return Span(file, line, column, line, max(len(text.rstrip()) + 1, column))
