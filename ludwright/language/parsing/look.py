"""The `look:` block: colours, symbols, shapes, templates, and which values are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from ludwright.diagnostics import Diagnostics
from ludwright.language.look import (
    BETWEEN,
    COLOURS,
    LONGEST_BADGE,
    MOST_SLOTS,
    PIECE_SHAPES,
    SIZES,
    SPACE_SHAPES,
    ActionLook,
    AmountLook,
    BadgeLook,
    FaceLook,
    LookDecl,
    PieceLook,
    Preset,
    SeatLook,
    ShownName,
    SpaceLook,
    Style,
    StyleCase,
    ZoneDrawing,
    ZoneLook,
    ZonePlace,
    is_colour,
    is_symbol,
    is_template,
)
from ludwright.language.parsing.fields import Fields, named_entries, scalars, wrong_shape
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.wording import shorten
from ludwright.spelling import did_you_mean

Check = Callable[[YScalar, Diagnostics], str]


def read_look(node: YNode | None, diagnostics: Diagnostics) -> LookDecl | None:
    if node is None:
        return None
    if not isinstance(node, YMap):
        wrong_shape(node, "`look`", "a mapping", diagnostics)
        return None
    fields = Fields(node, "`look`", diagnostics)
    found = LookDecl(
        _one(fields, "background", _colour),
        fields.flag("ring", default=True),
        tuple(_seat(k, s, diagnostics) for k, s in _entries(fields, "seats")),
        tuple(_space(k, s, diagnostics) for k, s in _entries(fields, "spaces")),
        tuple(_piece(k, s, diagnostics) for k, s in _entries(fields, "pieces")),
        tuple(_zone(k, s, diagnostics) for k, s in _entries(fields, "zones")),
        _names(fields, "values"),
        _names(fields, "seatValues"),
        _names(fields, "centre"),
        tuple(_badge(k, s, diagnostics) for k, s in _entries(fields, "badges")),
        _one(fields, "inPlay", _plain),
        tuple(
            ActionLook(k.text, _scalar(s, "a label", _template, diagnostics), span=k.span)
            for k, s in _entries(fields, "actions")
        ),
        tuple(_amount(k, s, diagnostics) for k, s in _entries(fields, "amounts")),
        span=node.span,
    )
    fields.finish()
    return found


def _entries(fields: Fields, key: str) -> list[tuple[YScalar, YNode]]:
    return list(named_entries(fields.mapping(key), key, fields.diagnostics))


def _names(fields: Fields, key: str) -> tuple[ShownName, ...] | None:
    found = fields.entry(key)
    if found is None:
        return None
    return tuple(
        ShownName(one.text, span=one.span)
        for one in scalars(found[1], f"`{key}`", fields.diagnostics)
        if one.value is not None
    )


# ------------------------------------------------------------------------- the parts


def _seat(key: YScalar, spec: YNode, diagnostics: Diagnostics) -> SeatLook:
    if isinstance(spec, YScalar):
        return SeatLook(key.text, _colour(spec, diagnostics), span=key.span)
    fields = _fields(spec, f"the look of the seat `{shorten(key.text)}`", diagnostics)
    found = SeatLook(
        key.text, _one(fields, "colour", _colour), _one(fields, "symbol", _symbol), span=key.span
    )
    fields.finish()
    return found


def _space(key: YScalar, spec: YNode, diagnostics: Diagnostics) -> SpaceLook:
    fields = _fields(spec, f"the look of the spaces `{shorten(key.text)}`", diagnostics)
    found = SpaceLook(
        key.text,
        _style(fields, "shape", _word(SPACE_SHAPES)),
        _style(fields, "colour", _colour),
        _style(fields, "symbol", _symbol),
        _label(fields),
        _size(fields),
        _within(fields, "between", 100, BETWEEN),
        span=key.span,
    )
    fields.finish()
    return found


def _piece(key: YScalar, spec: YNode, diagnostics: Diagnostics) -> PieceLook:
    fields = _fields(spec, f"the look of the pieces `{shorten(key.text)}`", diagnostics)
    face = fields.mapping("face")
    found = PieceLook(
        key.text,
        _style(fields, "shape", _word(PIECE_SHAPES)),
        _style(fields, "colour", _colour),
        _style(fields, "symbol", _symbol),
        _label(fields),
        _size(fields),
        None if face is None else _face(face, diagnostics),
        span=key.span,
    )
    fields.finish()
    return found


def _face(spec: YMap, diagnostics: Diagnostics) -> FaceLook:
    fields = Fields(spec, "the face of a card", diagnostics)
    found = FaceLook(
        _one(fields, "corner", _template),
        _one(fields, "title", _template),
        _style(fields, "symbol", _symbol),
        _style(fields, "colour", _colour),
        tuple(_template(line, diagnostics) for line in fields.scalars("text")),
        span=spec.span,
    )
    fields.finish()
    return found


def _zone(key: YScalar, spec: YNode, diagnostics: Diagnostics) -> ZoneLook:
    fields = _fields(spec, f"the look of the zone `{shorten(key.text)}`", diagnostics)
    drawings = ("pile", "row", "fan", "tokens", "count", "hidden")
    found = ZoneLook(
        key.text,
        cast(ZoneDrawing, fields.choice("as", drawings, "")),
        cast(ZonePlace, fields.choice("at", ("centre", "seat", "below"), "")),
        _label(fields),
        _size(fields),
        _within(fields, "slots", 0, (0, MOST_SLOTS)),
        span=key.span,
    )
    fields.finish()
    return found


def _badge(key: YScalar, spec: YNode, diagnostics: Diagnostics) -> BadgeLook:
    """`D: button`."""
    if len(key.text) > LONGEST_BADGE:
        diagnostics.error(
            "wrong-value", key.span, f"a badge has at most {LONGEST_BADGE} signs",
            f"write `{key.text[:1]}: …`",
        )  # fmt: skip
    return BadgeLook(key.text, _scalar(spec, "a badge", _plain, diagnostics), span=key.span)


def _amount(key: YScalar, spec: YNode, diagnostics: Diagnostics) -> AmountLook:
    """`amount: { all-in: highest }`."""
    what = f"the amounts of `{shorten(key.text)}`"
    if not isinstance(spec, YMap):
        wrong_shape(spec, what, "a mapping of names to values", diagnostics)
        return AmountLook(key.text, span=key.span)
    presets = tuple(
        Preset(title.text, _scalar(value, what, _plain, diagnostics), span=title.span)
        for title, value in spec.entries
    )
    return AmountLook(key.text, presets, span=key.span)


# ------------------------------------------------------------------------ the values


def _scalar(node: YNode, what: str, check: Check, diagnostics: Diagnostics) -> str:
    if isinstance(node, YScalar):
        return check(node, diagnostics)
    wrong_shape(node, what, "one value", diagnostics)
    return ""


def _plain(node: YScalar, diagnostics: Diagnostics) -> str:
    return node.text


def _fields(spec: YNode, what: str, diagnostics: Diagnostics) -> Fields:
    if not isinstance(spec, YMap):
        wrong_shape(spec, what, "a mapping", diagnostics)
        spec = YMap((), spec.span)
    return Fields(spec, what, diagnostics)


def _one(fields: Fields, key: str, check: Check) -> str:
    node = fields.get(key)
    if node is None:
        return ""
    return _scalar(node, f"`{key}`", check, fields.diagnostics)


def _style(fields: Fields, key: str, check: Check) -> Style | None:
    """`red`, `[sand, brown]`, or `{ crop: { apple: red, date: brown } }`."""
    node = fields.get(key)
    diagnostics = fields.diagnostics
    match node:
        case None:
            return None
        case YScalar():
            return Style(check(node, diagnostics), span=node.span)
        case YList():
            parts = scalars(node, f"`{key}`", diagnostics)
            return Style(turn=tuple(check(p, diagnostics) for p in parts), span=node.span)
    if len(node.entries) != 1 or not isinstance(node.entries[0][1], YMap):
        wrong = f"`{key}` is one value, a list, or `{{ property: {{ value: … }} }}`"
        example = f"write `{key}: {{ type: {{ first: …, second: … }} }}`"
        diagnostics.error("wrong-value", node.span, wrong, example)
        return None
    (by, cases), *_ = node.entries
    assert isinstance(cases, YMap)
    found: list[StyleCase] = []
    for value, spec in cases.entries:
        if isinstance(spec, YScalar):
            found.append(StyleCase(value.text, check(spec, diagnostics), span=value.span))
        else:
            wrong_shape(spec, f"`{shorten(value.text)}`", "one value", diagnostics)
    return Style(by=by.text, cases=tuple(found), span=by.span)


def _word(words: Sequence[str]) -> Check:
    def check(node: YScalar, diagnostics: Diagnostics) -> str:
        if node.text in words:
            return node.text
        diagnostics.error(
            "wrong-value",
            node.span,
            f"a shape is one of {', '.join(words)}",
            did_you_mean(node.text, words) or f"write `{words[0]}`",
        )
        return ""

    return check


def _colour(node: YScalar, diagnostics: Diagnostics) -> str:
    if is_colour(node.text):
        return node.text.lower()
    diagnostics.error(
        "look-colour",
        node.span,
        f"`{shorten(node.text)}` is no colour",
        did_you_mean(node.text, COLOURS)
        or f'write `"#rrggbb"` in quotes, or one of {", ".join(COLOURS)}',
    )
    return ""


def _symbol(node: YScalar, diagnostics: Diagnostics) -> str:
    """A glyph, or the outline of an SVG path; it is drawn as large as there is room for it."""
    text = node.text.strip()
    if is_symbol(text):
        return text
    diagnostics.error(
        "look-symbol",
        node.span,
        f"`{shorten(text)}` is neither a glyph nor the path of an SVG",
        'write one sign (`♞`), or the `d` of a path in quotes ("M0 0L10 0L5 8Z")',
    )
    return ""


def _template(node: YScalar, diagnostics: Diagnostics) -> str:
    if not is_template(node.text):
        diagnostics.error(
            "wrong-value",
            node.span,
            "a template is a text with names of properties in braces",
            'write `"{rank} of {suit}"`',
        )
        return ""
    return node.text


def _label(fields: Fields) -> str | None:
    """None where nothing is said; `none` is no label."""
    given = fields.entry("label")
    if given is None:
        return None
    node = given[1]
    if isinstance(node, YScalar) and (node.value is None or node.text == "none"):
        return ""
    return _one(fields, "label", _template)


def _size(fields: Fields) -> int:
    """In percent of what is usual."""
    return _within(fields, "size", 100, SIZES)


def _within(fields: Fields, key: str, default: int, bounds: tuple[int, int]) -> int:
    number = fields.integer(key, default)
    if bounds[0] <= number <= bounds[1]:
        return number
    node = fields.get(key)
    fields.diagnostics.error(
        "wrong-value",
        node.span if node is not None else fields.span,
        f"`{key}` is a number from {bounds[0]} to {bounds[1]}",
        f"write `{key}: {max(default, bounds[0])}`",
    )
    return default
