"""YAML blocks to nodes: strict, positioned, and safe on any input.

The events of the C parser are consumed one by one with our own stack, so nesting never
recurses, aliases are never expanded, and reading stops at the stated limits. What YAML allows
but the language does not (tags, anchors, merge keys, …) is an error with its own code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from ludwright.characters import UNSEEN, code_point
from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.reading.limits import MAX_NESTING, MAX_NODES, NodeBudget, ReadingStopped
from ludwright.language.reading.nodes import Origin, ScalarStyle, YList, YMap, YNode, YScalar
from ludwright.language.reading.resolving import resolve
from ludwright.language.reading.source import Block
from ludwright.language.reading.splits import (
    Piece,
    rejoin_entries,
    rejoin_items,
    rejoin_pair,
    report_cut_by_comment,
)
from ludwright.language.reading.syntax_errors import report_syntax_error, rest_of_value
from ludwright.language.reading.texts import with_measured_texts
from ludwright.language.reading.wording import quoted, shorten

_STYLES: dict[str | None, ScalarStyle] = {
    None: "plain",
    "": "plain",
    "'": "single",
    '"': "double",
    "|": "literal",
    ">": "folded",
}
# What YAML forbids, line separators nobody sees, and characters that reorder text on screen.
_ODD_INDENT = re.compile(r"^ *([\t\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000])[^\n]*\S", re.M)
_TOP_LEVEL_KEY = re.compile(r"^[^\s#\-\]}&*!|>%@`,\[{][^\n]*?:(?:[ \n]|$)", re.M)


class _StopBlock(Exception):
    """Raised after a limit was reported; the rest of the block is not looked at."""


def read_block(
    block: Block, diagnostics: Diagnostics, budget: NodeBudget | None = None
) -> YMap | None:
    """The top-level mapping of a block, or None (after diagnostics) if there is none."""
    if _has_odd_indentation(block, diagnostics):
        return None
    block = _without_control_characters(block, diagnostics)
    block = with_measured_texts(block)
    return _BlockReader(block, diagnostics, budget or NodeBudget()).read()


def _has_odd_indentation(block: Block, diagnostics: Diagnostics) -> bool:
    matches = list(_ODD_INDENT.finditer(block.text))
    if not matches:
        return False
    first = matches[0]
    others = f" (and {len(matches) - 1} more like it)" if len(matches) > 1 else ""
    span = block.span(first.start(1), first.end(1))
    if first.group(1) == "\t":
        diagnostics.error(
            "yaml-tab",
            span,
            f"this line{others} is indented with a tab",
            "indent with spaces, for example two per level",
        )
    else:
        diagnostics.error(
            "yaml-odd-space",
            span,
            f"this line{others} is indented with U+{ord(first.group(1)):04X}, "
            "which only looks like a space",
            "retype the indentation with ordinary spaces",
        )
    return True


def _without_control_characters(block: Block, diagnostics: Diagnostics) -> Block:
    match = UNSEEN.search(block.text)
    if match is None:
        return block
    count = len(UNSEEN.findall(block.text))
    others = f" (and {count - 1} more)" if count > 1 else ""
    diagnostics.error(
        "yaml-control-character",
        block.span(match.start(), match.end()),
        f"the invisible character {code_point(match.group())}{others} may not stand in rules",
        "delete it",
    )
    # One character for one, so that all positions stay right and reading can go on.
    text = UNSEEN.sub("\ufffd", block.text)
    return Block(block.file, text, block.first_line, block.columns_cut, block.opening)


@dataclass(slots=True)
class _Open:
    """A list or map whose end has not been read yet; a map's pieces are key, value, key, …"""

    is_map: bool
    flow: bool
    start: int
    end: int
    pieces: list[Piece] = field(default_factory=list)

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.end = max(self.end, piece.end)

    def pairs(self) -> list[tuple[Piece, Piece]]:
        return list(zip(self.pieces[::2], self.pieces[1::2], strict=False))


class _BlockReader:
    """Reads one block; after a syntax error it goes on with the next top-level section."""

    def __init__(self, block: Block, diagnostics: Diagnostics, budget: NodeBudget) -> None:
        self.block = block
        self.diagnostics = diagnostics
        self.budget = budget
        self.base = 0  # where the part being parsed starts in the block
        self.stack: list[_Open] = []
        self.top: _Open | None = None  # the block's own mapping, filled by all parts
        self.documents = 0
        self.complained = False

    def read(self) -> YMap | None:
        start: int | None = 0
        while start is not None:
            start = self._read_part(start)
        if self.top is None:
            if not self.complained:
                self.diagnostics.warning(
                    "yaml-empty-block",
                    self.block.opening,
                    "this block has no rules in it",
                    "fill it, or mark it as something else than `yaml`",
                )
            return None
        node = self._finished_map(self.top).node
        if not isinstance(node, YMap) or (self.complained and not node.entries):
            return None
        return node

    def _read_part(self, base: int) -> int | None:
        """Reads from `base`; returns where to go on after a syntax error."""
        self.base = base
        self.documents = 0
        self.stack.clear()
        try:
            for event in _events(self.block.text[base:]):
                self._take(event)
        except _StopBlock:
            self.complained = True
        except yaml.YAMLError as error:
            self.complained = True
            resume = report_syntax_error(error, self.block, base, self.diagnostics)
            self._drop_unfinished_entry(error)
            return self._next_section(resume)
        return None

    def _drop_unfinished_entry(self, error: yaml.YAMLError) -> None:
        """In `a: x: y` the parser has already delivered `a: x`; that is not what was meant."""
        if self.top is None:
            return
        pieces = self.top.pieces
        if len(pieces) % 2:
            pieces.pop()
        mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
        if pieces and mark is not None:
            error_line = self.block.line_index(self.base + mark.index)
            if self.block.line_index(pieces[-1].end) >= error_line:
                del pieces[-2:]

    def _next_section(self, after: int) -> int | None:
        """The next line that starts a top-level entry, if the block is made of those."""
        if self.top is None or self.top.flow:
            return None
        match = _TOP_LEVEL_KEY.search(self.block.text, max(after, self.base + 1))
        return match.start() if match is not None else None

    # --- events --------------------------------------------------------------------------

    def _take(self, event: yaml.Event) -> None:
        if event.start_mark is None or event.end_mark is None:
            return  # the stubs allow it; parsers always set both
        start, end = self.base + event.start_mark.index, self.base + event.end_mark.index
        if isinstance(event, yaml.ScalarEvent):
            self._check_properties(event, start)
            self._attach(self._scalar(event, start, end))
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            self._check_properties(event, start)
            self._open(event, start)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self._close(end)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(start, end)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._document(event, start, end)

    def _document(self, event: yaml.DocumentStartEvent, start: int, end: int) -> None:
        self.documents += 1
        if event.version is not None or event.tags:
            line_end = self.block.text.find("\n", start)
            self.diagnostics.error(
                "yaml-directive",
                self.block.span(start, line_end if line_end != -1 else end),
                "lines starting with `%` are YAML directives, which rulebooks do not have",
                "delete the line",
            )
        if self.documents > 1:
            self.diagnostics.error(
                "yaml-multiple-documents",
                self.block.span(start, end),
                "`---` starts a second document; a block holds one",
                "delete the line, or start a new ```yaml block",
            )
            raise _StopBlock

    def _check_properties(
        self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, start: int
    ) -> None:
        if event.tag is not None:
            self.diagnostics.error(
                "yaml-tag",
                self._word(start),
                "text that starts with `!` is a YAML tag, which rulebooks do not have",
                f"if it belongs to your text, quote all of it: {self._quoted_rest(start)}",
            )
        if event.anchor is not None:
            self.diagnostics.error(
                "yaml-anchor",
                self._word(start),
                "text that starts with `&` is a YAML anchor, which rulebooks do not have",
                f"if it belongs to your text, quote all of it: {self._quoted_rest(start)}; "
                "to share rules use `fns` or `procs`",
            )

    def _alias(self, start: int, end: int) -> None:
        self.diagnostics.error(
            "yaml-alias",
            self.block.span(start, end),
            "text that starts with `*` is a YAML alias, which rulebooks do not have",
            f"if it belongs to your text, quote all of it: {self._quoted_rest(start)}",
        )
        text = self.block.text[start:end]
        origin = Origin(self.block, start, end)
        span = self.block.span(start, end)
        self._attach(Piece(YScalar(text, text, False, span, "plain", origin), start, end))

    def _word(self, start: int) -> Span:
        match = re.compile(r"\S+").match(self.block.text, start)
        return self.block.span(start, match.end() if match is not None else start)

    def _quoted_rest(self, start: int) -> str:
        return quoted(rest_of_value(self.block, start))

    def _scalar(self, event: yaml.ScalarEvent, start: int, end: int) -> Piece:
        style = _STYLES[event.style]
        text: str = event.value
        shown_end = end
        if style in ("literal", "folded"):
            # The parser's end mark lies behind all blank lines that follow.
            shown_end = start + len(self.block.text[start:end].rstrip())
        span = self.block.span(start, shown_end)
        quoted_text = style in ("single", "double")
        if style == "double" and UNSEEN.search(text):
            # `"\\e[31m"` would move the cursor of whoever reads it at a terminal
            self.diagnostics.error(
                "yaml-control-character",
                span,
                "this text holds an invisible character, written with a backslash",
                "leave it out",
            )
            text = UNSEEN.sub("\ufffd", text)
        value = resolve(text, span, self.diagnostics) if style == "plain" else text
        if event.tag is not None:
            value = text
        node = YScalar(value, text, quoted_text, span, style, Origin(self.block, start, end))
        piece = Piece(node, start, shown_end)
        report_cut_by_comment(piece, self.block, self.diagnostics)
        return piece

    # --- structure -----------------------------------------------------------------------

    def _count_node(self, start: int) -> None:
        self.budget.left -= 1
        if self.budget.left < 0:
            self.diagnostics.error(
                "yaml-too-many-nodes",
                self.block.span(start, start),
                f"the rulebook has more than {MAX_NODES:,} keys, values and list items",
                "leave out what is not needed",
            )
            raise ReadingStopped

    def _open(self, event: yaml.CollectionStartEvent, start: int) -> None:
        self._count_node(start)
        is_map = isinstance(event, yaml.MappingStartEvent)
        if not self.stack:
            if not is_map:
                self._not_a_mapping(start)
            if self.top is None:
                self.top = _Open(is_map, bool(event.flow_style), start, start)
            self.stack.append(self.top)
            return
        if len(self.stack) >= MAX_NESTING:
            self.diagnostics.error(
                "yaml-too-deep",
                self.block.span(start, start + 1),
                f"lists and mappings are nested more than {MAX_NESTING} levels deep",
                "move inner parts to `procs` or `fns`",
            )
            raise _StopBlock
        self.stack.append(_Open(is_map, bool(event.flow_style), start, start))

    def _attach(self, piece: Piece) -> None:
        self._count_node(piece.start)
        if self.stack:
            self.stack[-1].add(piece)
        elif piece.start != piece.end:
            self._not_a_mapping(piece.start)

    def _not_a_mapping(self, start: int) -> None:
        self.diagnostics.error(
            "yaml-not-mapping",
            self.block.span(start, start + 1),
            "a block is made of `key: value` entries",
            "start it with a section name such as `actions:`, and indent what belongs to it",
        )
        raise _StopBlock

    def _close(self, end: int) -> None:
        done = self.stack.pop()
        if done.flow:
            done.end = end
        if self.stack:
            finish = self._finished_map if done.is_map else self._finished_list
            self.stack[-1].add(finish(done))

    def _finished_list(self, done: _Open) -> Piece:
        items = done.pieces
        if done.flow:
            items = rejoin_items(items, self.block, self.diagnostics)
        span = self.block.span(done.start, done.end)
        node = YList(tuple(item.node for item in items), span, done.flow)
        return Piece(node, done.start, done.end)

    def _finished_map(self, done: _Open) -> Piece:
        pairs = done.pairs()
        if done is not self.top:
            whole = rejoin_pair(pairs, self.block, self.diagnostics)
            if whole is not None:
                return whole
        if done.flow:
            pairs = rejoin_entries(pairs, self.block, self.diagnostics)
        span = self.block.span(done.start, done.end)
        return Piece(YMap(self._checked(pairs), span, done.flow), done.start, done.end)

    def _checked(self, pairs: list[tuple[Piece, Piece]]) -> tuple[tuple[YScalar, YNode], ...]:
        """The entries whose keys are usable; each of the others gets a diagnostic."""
        entries: list[tuple[YScalar, YNode]] = []
        seen: dict[str, YScalar] = {}
        for key, value in pairs:
            name = key.node
            if not isinstance(name, YScalar):
                self.diagnostics.error(
                    "yaml-key-not-text",
                    name.span,
                    "a list or mapping cannot be a key",
                    "write a name before the colon; quote an expression that starts with "
                    "`[` or `{`",
                )
            elif name.style == "plain" and name.text == "":
                self.diagnostics.error(
                    "yaml-empty-key",
                    name.span,
                    "there is no key before this colon",
                    "write the key before the colon",
                )
            elif name.style == "plain" and name.text == "<<":
                self.diagnostics.error(
                    "yaml-merge-key",
                    name.span,
                    "`<<` is YAML's merge key, which rulebooks do not have",
                    "write the entries out",
                )
            elif name.text in seen:
                self.diagnostics.error(
                    "yaml-duplicate-key",
                    name.span,
                    f"`{shorten(name.text)}` stands twice here; "
                    f"the first is in line {seen[name.text].span.line}",
                    "rename one of them, or join what they hold",
                )
            else:
                seen[name.text] = name
                entries.append((name, value.node))
        return tuple(entries)


def _events(text: str) -> Iterator[yaml.Event]:
    loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    events: Iterator[yaml.Event] = yaml.parse(text, Loader=loader)
    return events
