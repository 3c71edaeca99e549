"""Sentences for people: words, with expressions in braces: `{actor} takes {count(won)} cards`."""

from __future__ import annotations

import re

from ludwright.diagnostics import Diagnostics
from ludwright.language.parsing.expressions import TextParser, tree_height
from ludwright.language.parsing.fields import Fields, wrong_shape
from ludwright.language.parsing.source import MAX_DEPTH, Refused, Source
from ludwright.language.reading.nodes import YScalar
from ludwright.language.tree import Expr, Text

_BRACES = re.compile(r"\{([^{}]*)\}")


def parse_sentence(source: Source) -> Text:
    """A sentence with its values; raises `Refused` at the first mistake."""
    text = source.text
    words: list[str] = []
    values: list[Expr] = []
    at = 0
    for found in _BRACES.finditer(text):
        words.append(_plain(source, at, found.start()))
        values.append(_value(source.part(found.start(1), found.end(1))))
        at = found.end()
    words.append(_plain(source, at, len(text)))
    return Text(tuple(words), tuple(values), span=source.span(0, len(text)))


def _plain(source: Source, start: int, end: int) -> str:
    words = source.text[start:end]
    for sign in "{}":
        if sign in words:
            at = start + words.index(sign)
            message = f"this `{sign}` has no partner"
            hint = "a value in a sentence is written `{value}`"
            raise source.shifted(Refused("syntax-braces-in-text", at, at + 1, message, hint))
    return words


def _value(source: Source) -> Expr:
    try:
        parser = TextParser(source)
        if parser.token.kind == "end":
            raise parser.unexpected("expected a value between the braces")
        value = parser.field()
        parser.end()
        if tree_height(value) > MAX_DEPTH:
            raise parser.too_deep(0, len(source.text))
    except Refused as refused:
        raise source.shifted(refused) from None
    return value


def sentence(fields: Fields, key: str) -> Text | None:
    """The sentence of a field (`ask: "…"`); None where it is absent or broken."""
    node = fields.get(key)
    return None if node is None else read_sentence(node, key, fields.diagnostics)


def read_sentence(node: object, key: str, diagnostics: Diagnostics) -> Text | None:
    if not isinstance(node, YScalar):
        wrong_shape(node, f"`{key}`", "a text", diagnostics)  # type: ignore[arg-type]
        return None
    source = Source(node)
    try:
        return parse_sentence(source)
    except Refused as refused:
        source.report(refused, diagnostics)
        return None
