"""Expressions that YAML cut in two.

Inside `{ }` and `[ ]` a comma ends a value, so `[pay(me, 3)]` is a list of `pay(me` and `3)`.
A `: ` does the same to `- train(US, free: true)`. The sign is a bracket that opens in one
piece and closes in a later one. Each case is reported once, and the pieces are put together
again, so that the rest of the checks see what the author meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludwright.diagnostics import Diagnostics
from ludwright.language.reading.nodes import Origin, YMap, YNode, YScalar
from ludwright.language.reading.offsets import folded_plain_text
from ludwright.language.reading.source import Block
from ludwright.language.reading.wording import quoted

_LONGEST_SPLIT = 32  # pieces; keeps hostile input from being searched over and over
_LONGEST_COMMENT = 200  # characters looked at after an expression


class Piece(NamedTuple):
    """A node and the range of the block it was read from."""

    node: YNode
    start: int
    end: int


def open_brackets(text: str) -> int:
    """How many more `(` and `[` are opened than closed; below zero if too many close."""
    return text.count("(") + text.count("[") - text.count(")") - text.count("]")


def rejoin_items(items: list[Piece], block: Block, diagnostics: Diagnostics) -> list[Piece]:
    """The items of a flow list, with expressions that commas cut put together again."""
    if not any(_opens(item.node) for item in items):
        return items
    joined: list[Piece] = []
    at = 0
    while at < len(items):
        last = _closing(items, at, block)
        if last is None:
            joined.append(items[at])
            at += 1
        else:
            joined.append(_joined(items[at].start, items[last].end, block, diagnostics))
            at = last + 1
    return joined


def rejoin_entries(
    entries: list[tuple[Piece, Piece]], block: Block, diagnostics: Diagnostics
) -> list[tuple[Piece, Piece]]:
    """The entries of a flow map, with keys and values that commas cut put together again."""
    if not any(_opens(key.node) or _opens(value.node) for key, value in entries):
        return entries
    joined: list[tuple[Piece, Piece]] = []
    at = 0
    while at < len(entries):
        key, value = entries[at]
        start = key if _is_absent(value) else value
        last = None
        if _opens(start.node):
            following = [later for later, _ in entries[at + 1 : at + _LONGEST_SPLIT]]
            last = _closing([start, *following], 0, block)
        if last is None or any(not _is_absent(v) for _, v in entries[at + 1 : at + last]):
            joined.append((key, value))
            at += 1
            continue
        end = entries[at + last][0].end
        whole = _joined(start.start, end, block, diagnostics)
        tail = entries[at + last][1]
        if start is key:
            joined.append((whole, tail))
        else:
            joined.append((key, whole))
        at += last + 1
    return joined


def rejoin_pair(
    entries: Sequence[tuple[Piece, Piece]], block: Block, diagnostics: Diagnostics
) -> Piece | None:
    """A map that is really one expression cut by a `: `, as in `train(US, free: true)`."""
    if len(entries) != 1:
        return None
    key, value = entries[0]
    if not _opens(key.node) or not isinstance(value.node, YScalar):
        return None
    if open_brackets(block.text[key.start : value.end]) != 0:
        return None
    return _joined(key.start, value.end, block, diagnostics)


def report_cut_by_comment(piece: Piece, block: Block, diagnostics: Diagnostics) -> None:
    """`f(x #1)`: the ` #` starts a comment, and the expression ends before it."""
    if not _opens(piece.node):
        return
    rest = block.text[piece.end : piece.end + _LONGEST_COMMENT].split("\n", 1)[0]
    if rest.lstrip().startswith("#") and ")" in rest:
        diagnostics.error(
            "yaml-split-expression",
            block.span(piece.start, piece.end + len(rest)),
            "` #` starts a comment and cuts your expression short",
            f"quote the whole expression: {quoted(block.text[piece.start : piece.end] + rest)}",
        )


def _opens(node: YNode) -> bool:
    return isinstance(node, YScalar) and node.style == "plain" and open_brackets(node.text) > 0


def _is_absent(piece: Piece) -> bool:
    """The empty value of an entry that has no colon."""
    return isinstance(piece.node, YScalar) and piece.start == piece.end


def _closing(pieces: Sequence[Piece], first: int, block: Block) -> int | None:
    """The piece that closes the brackets which piece `first` leaves open."""
    if not _opens(pieces[first].node):
        return None
    depth = 0
    for at in range(first, min(len(pieces), first + _LONGEST_SPLIT)):
        piece = pieces[at]
        if isinstance(piece.node, YScalar) or _is_bare_pair(piece, block):
            depth += open_brackets(block.text[piece.start : piece.end])
        if depth <= 0:
            return at if depth == 0 else None
    return None


def _is_bare_pair(piece: Piece, block: Block) -> bool:
    """`free: true)` standing in a list: a map without braces."""
    return isinstance(piece.node, YMap) and block.text[piece.start : piece.start + 1] != "{"


def _joined(start: int, end: int, block: Block, diagnostics: Diagnostics) -> Piece:
    text = folded_plain_text(block.text, start, end)
    span = block.span(start, end)
    if ": " in text:
        message = "a `: ` split your expression; quote it"
        # Same length, so positions inside the expression stay right.
        text = text.replace(": ", "= ")
        suggestion = f"name arguments with `=`: {quoted(text.replace('= ', '='))}"
    else:
        message = "a comma split your expression; quote it"
        suggestion = f"write {quoted(text)}"
    diagnostics.error("yaml-split-expression", span, message, suggestion)
    node = YScalar(text, text, False, span, "plain", Origin(block, start, end))
    return Piece(node, start, end)
