"""Shapes of groups of spaces: grids, boards of hexagons, tracks, corners, sides, and drawings."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, cast

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.gamedef import SignDecl
from ludwright.language.parsing.declarations import attribute_name
from ludwright.language.parsing.effects import EffectReader
from ludwright.language.parsing.fields import Fields, is_null, wrong_shape
from ludwright.language.parsing.longform import value
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar, span_within
from ludwright.language.tree import Expr, IntLit

_PRODUCT = re.compile(r"([0-9]+)\s*[x×*]\s*([0-9]+)")
Kind = Literal["grid", "hex", "track", "list", "corners", "sides"]
Form = Literal["rhombus", "rectangle", "hexagon"]
_WORDS = ("grid", "hex", "hexagon", "track", "corners", "sides")
FORMS = ("rhombus", "rectangle", "hexagon")
Top = Literal["pointed", "flat"]
TOPS = ("pointed", "flat")
PLAIN = "."  # a sign for a space of which nothing is to be said


@dataclass(frozen=True)
class ShapeDecl:
    kind: Kind = "list"
    size: tuple[Expr, ...] = ()
    form: Form = "rhombus"
    base: str = ""  # of corners and sides: the board
    layout: tuple[str, ...] = ()
    legend: tuple[SignDecl, ...] = ()
    top: Top = "pointed"


def read_shape(name: str, key: YScalar, fields: Fields) -> ShapeDecl:
    diagnostics = fields.diagnostics
    given = [word for word in _WORDS if fields.has(word)]
    if not given and not fields.has("spaces"):
        diagnostics.error(
            "missing-key",
            key.span,
            f"the group of spaces `{name}` has no shape",
            "add `grid: [8, 8]`, `hex: [5, 5]`, `hexagon: 3`, `track: 24` or `spaces: { … }`",
        )
    if len(given) > 1:
        diagnostics.error(
            "wrong-value",
            key.span,
            f"the group of spaces `{name}` has several shapes: {' and '.join(given)}",
            "keep one of them",
        )
    nodes = {word: fields.get(word) for word in _WORDS}
    shape = _shape(given[0], nodes[given[0]], diagnostics) if given else ShapeDecl()
    return _drawn(name, key, fields, shape)


def _shape(word: str, node: YNode | None, diagnostics: Diagnostics) -> ShapeDecl:
    if word in ("corners", "sides"):
        if not isinstance(node, YScalar):
            span = node.span if node is not None else None
            diagnostics.error(
                "wrong-value", span, f"`{word}` names the board that they belong to",
                f"write for example `{word}: board`",
            )  # fmt: skip
        base = node.text if isinstance(node, YScalar) else ""
        return ShapeDecl(cast(Kind, word), base=base)
    form: Form = "hexagon" if word == "hexagon" else "rhombus"
    top: Top = "pointed"
    size: YNode | None = node
    if word == "hex" and isinstance(node, YMap):
        inner = Fields(node, "`hex`", diagnostics)
        form = cast(Form, inner.choice("shape", FORMS, "rhombus"))
        top = cast(Top, inner.choice("top", TOPS, "pointed"))
        size = inner.get("size")
        inner.finish()
    kind = cast(Kind, "hex" if word == "hexagon" else word)
    dimensions = 1 if form == "hexagon" or kind == "track" else 2
    return ShapeDecl(kind, _size(size, word, dimensions, diagnostics), form, top=top)


def _size(
    node: YNode | None, word: str, dimensions: int, diagnostics: Diagnostics
) -> tuple[Expr, ...]:
    """Nothing where the drawing of the board is to say it."""
    if node is None or is_null(node):
        return ()
    parts = node.items if isinstance(node, YList) else (node,)
    if len(parts) != dimensions or isinstance(node, YMap):
        number = {"track": 24, "hexagon": 3, "hex": 3}.get(word, 8)
        wanted = f"`{word}: {number}`" if dimensions == 1 else f"`{word}: [8, 8]`"
        diagnostics.error(
            "wrong-value",
            node.span,
            f"the size of a {word} is "
            + ("one number" if dimensions == 1 else "`[columns, rows]`"),
            _times(node, word) or f"write {wanted}",
        )
        if len(parts) != dimensions:  # read as some size, so that its spaces have rows and columns
            return tuple(IntLit(8) for _ in range(dimensions))
    return tuple(value(part, diagnostics) for part in parts)


def _times(node: YNode, word: str) -> str | None:
    """What is meant by `grid: 3x3`."""
    given = _PRODUCT.fullmatch(node.text) if isinstance(node, YScalar) else None
    return f"write `{word}: [{given[1]}, {given[2]}]`" if given is not None else None


# ---------------------------------------------------------------------------- drawings


class _Sign(NamedTuple):
    text: str
    span: Span


def _drawn(name: str, key: YScalar, fields: Fields, shape: ShapeDecl) -> ShapeDecl:
    """A board that is drawn: `layout: |` and `legend:`."""
    diagnostics = fields.diagnostics
    legend = _legend(fields)
    layout = fields.get("layout")
    if layout is None:
        if fields.has("legend"):
            diagnostics.error(
                "missing-key", key.span, f"`{name}` has a legend and no drawing", "add `layout: |`"
            )
        if shape.kind in ("grid", "hex", "track") and not shape.size:
            diagnostics.error(
                "missing-key", key.span, f"the size of `{name}` is not said",
                "write `grid: [8, 8]`, `hex: { shape: rectangle, size: [8, 8] }`, `hexagon: 3`, "
                "or draw it: `layout: |`",
            )  # fmt: skip
        return shape
    if not isinstance(layout, YScalar) or shape.kind not in ("grid", "hex"):
        diagnostics.error(
            "wrong-value", layout.span, "a `layout` is the drawing of a grid or a board of hexes",
            "write the rows below `layout: |`, the highest first",
        )  # fmt: skip
        return shape
    rows = _rows(layout)
    known = {PLAIN, *(mark.sign for mark in legend)}
    for sign in (sign for row in rows for sign in row if sign.text not in known):
        diagnostics.error(
            "wrong-value", sign.span, f"the legend does not say what `{sign.text}` means",
            f"add to `legend:` for example `\"{sign.text}\": {{ terrain: hill }}`",
        )  # fmt: skip
        known.add(sign.text)
    drawn = replace(shape, layout=tuple(" ".join(s.text for s in row) for row in rows))
    return replace(drawn, legend=legend, size=shape.size or _measured(shape, rows))


def _measured(shape: ShapeDecl, rows: list[list[_Sign]]) -> tuple[Expr, ...]:
    """The size of a board as it is drawn."""
    if shape.form == "hexagon":
        return (IntLit((len(rows) + 1) // 2),)
    return IntLit(max(map(len, rows), default=0)), IntLit(len(rows))


def _rows(layout: YScalar) -> list[list[_Sign]]:
    """The signs of every row: words, or single characters where a row is one word."""
    rows: list[list[_Sign]] = []
    start = 0
    for line in layout.text.split("\n"):
        words = line.split()
        signs = list(words[0]) if len(words) == 1 else words
        at = start
        row: list[_Sign] = []
        for sign in signs:
            at = layout.text.index(sign, at)
            row.append(_Sign(sign, span_within(layout, at, at + len(sign))))
            at += len(sign)
        if row:
            rows.append(row)
        start += len(line) + 1
    return rows


def _legend(fields: Fields) -> tuple[SignDecl, ...]:
    node = fields.get("legend")
    if node is None:
        return ()
    if not isinstance(node, YMap):
        wrong_shape(node, "`legend`", "a mapping from signs to what they mean", fields.diagnostics)
        return ()
    return tuple(_sign(key, spec, fields.diagnostics) for key, spec in node.entries)


def _sign(key: YScalar, spec: YNode, diagnostics: Diagnostics) -> SignDecl:
    if is_null(spec) or (isinstance(spec, YScalar) and spec.text == "none"):
        return SignDecl(key.text, left_out=True, span=key.span)
    if not isinstance(spec, YMap):
        wrong_shape(
            spec, f"the sign `{key.text}`", "a mapping of properties, or `none`", diagnostics
        )
        return SignDecl(key.text, span=key.span)
    fields = Fields(spec, f"the sign `{key.text}`", diagnostics)
    setup = EffectReader(diagnostics).block(fields.get("setup"))
    named = tuple(
        (attribute_name(name, diagnostics), value(node, diagnostics))
        for name, node in fields.rest()
    )
    return SignDecl(key.text, named, setup, span=key.span)
