"""What unquoted text stands for: YAML 1.2's core schema, with only what the language has."""

from __future__ import annotations

import re

from ludwright.diagnostics import Diagnostics, Span

_CONSTANTS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "false": False,
}
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan")
_LEAST, _GREATEST = -(2**63), 2**63 - 1
_NUMBER_START = frozenset("+-.0123456789")


def resolve(text: str, span: Span, diagnostics: Diagnostics) -> str | int | bool | None:
    """The value of an unquoted scalar; `yes`, `no`, `on` and `off` stay text."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _DECIMAL.fullmatch(text):
        return _integer(text, 10, span, diagnostics)
    if _HEXADECIMAL.fullmatch(text):
        return _integer(text, 16, span, diagnostics)
    if _FLOAT.fullmatch(text):
        diagnostics.error(
            "yaml-float",
            span,
            f"`{_shorten(text)}` is not a whole number; the language has only whole numbers",
            f'count in smaller units, or write "{_shorten(text)}" in quotes if it is text',
        )
    return text


def _integer(text: str, base: int, span: Span, diagnostics: Diagnostics) -> int | str:
    # Python refuses to convert thousands of digits; sixty-four bits need at most twenty.
    if len(text.lstrip("+-0x")) <= 20:
        number = int(text, base)
        if _LEAST <= number <= _GREATEST:
            return number
    diagnostics.error(
        "yaml-integer-range",
        span,
        f"the number {_shorten(text)} does not fit in 64 bits",
        f"use a number from {_LEAST} to {_GREATEST}",
    )
    return text


def _shorten(text: str) -> str:
    return text if len(text) <= 24 else text[:20] + "…"
