"""Text templates: `notation` of moves, reasons of endings."""

from __future__ import annotations

import re

from ludwright import program as ir
from ludwright.diagnostics import Diagnostics, Span, did_you_mean
from ludwright.language import tree
from ludwright.language.compiling.expressions.results import value_of
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import Broken
from ludwright.language.parsing.expressions import parse_field
from ludwright.language.reading import YScalar
from ludwright.program.types import Type

_FIELD = re.compile(r"\{([^{}]*)\}")
_QUOTED = re.compile(r"'([^']*)'\s*(.*)")  # text that is written only where there is a value
_PATH = re.compile(r"\$?[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*\*?")


def split(text: str) -> list[tuple[str, bool]]:
    """Literal text and the insides of `{…}`, in order."""
    parts: list[tuple[str, bool]] = []
    at = 0
    for match in _FIELD.finditer(text):
        if match.start() > at:
            parts.append((text[at : match.start()], False))
        parts.append((match.group(1), True))
        at = match.end()
    if at < len(text):
        parts.append((text[at:], False))
    return parts


def notation(
    text: str, known: set[str], span: Span | None, diagnostics: Diagnostics
) -> ir.Template:
    """`{origin}{target}`: parameters and inner choices of the move, with `.letter` and `*`.

    `{'x' $taken}` writes the quoted text only where there is an answer.
    """
    result: list[str | tuple[str, ...]] = []
    for part, is_field in split(text):
        if not is_field:
            result.append(part)
            continue
        quoted = _QUOTED.fullmatch(part.strip())
        path = quoted[2] if quoted else part.strip()
        name = path.rstrip("*").split(".")[0]
        if not _PATH.fullmatch(path) or name not in known:
            diagnostics.error(
                "unknown-name",
                span,
                f"the notation names `{part}`, which this move does not have",
                did_you_mean(name, known) or "name a parameter or a choice of the move",
            )
            continue
        before = (f"'{quoted[1]}'",) if quoted else ()
        result.append((*before, *path.split(".")))
    return tuple(result)


def reason_parts(
    lowering: Lowering, text: str, node: tree.Node, scope: Scope
) -> tuple[str | tuple[ir.Expr, Type], ...]:
    """Why the game ended; `{expression}` is evaluated on the final state."""
    result: list[str | tuple[ir.Expr, Type]] = []
    for part, is_field in split(text):
        if not is_field:
            result.append(part)
            continue
        span = node.span or Span("", 1, 1, 1, 1)
        scalar = YScalar(part, part, False, span)
        parsed = parse_field(scalar, lowering.unit.diagnostics)
        if parsed is None:
            continue
        value = value_of(lowering.unit, parsed, scope)
        if not isinstance(value, Broken):
            result.append((value.expr, value.type))
    return tuple(result)
