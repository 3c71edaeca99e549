"""Text templates: `notation` of moves, reasons of endings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ludwright import program as ir
from ludwright.diagnostics import Diagnostics, Span
from ludwright.language import tree
from ludwright.language.compiling.expressions.names import is_known
from ludwright.language.compiling.expressions.type_check import condition, value_of
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.sites import placed
from ludwright.language.compiling.tree_walk import free_names
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import Broken, Val
from ludwright.language.parsing.expressions import parse_field
from ludwright.language.reading import YScalar
from ludwright.program.types import Type
from ludwright.spelling import did_you_mean

_FIELD = re.compile(r"\{([^{}]*)\}")
_PROVIDED = re.compile(r"'([^']*)'\s+if\s+(.*)")  # text that is written where something holds
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


def spelling(
    lowering: Lowering, text: str, known: set[str], types: Mapping[str, Type], node: tree.Node
) -> ir.Spelling:
    """Another way to write a move: `{origin.piece.type.sign}{'x' if takes(origin, target)}…`."""
    diagnostics = lowering.unit.diagnostics
    result: list[str | tuple[str, ...] | ir.Provided] = []
    for part, is_field in split(text):
        provided = _PROVIDED.fullmatch(part.strip()) if is_field else None
        if provided is None:
            template = notation(
                "{" + part + "}" if is_field else part, known, node.span, diagnostics
            )
            result += template
            continue
        when = _provided(lowering, provided[2], types, node)
        if when is not None:
            result.append(ir.Provided(provided[1], *when))
    return tuple(result)


def _provided(
    lowering: Lowering, text: str, types: Mapping[str, Type], node: tree.Node
) -> tuple[ir.Function, tuple[str, ...]] | None:
    """A condition over the answers of a move, as a function of those that it names."""
    unit = lowering.unit
    span = node.span or Span("", 1, 1, 1, 1)
    parsed = parse_field(YScalar(text, text, False, span), unit.diagnostics)
    if parsed is None:
        return None
    used = tuple(name for name in dict.fromkeys(free_names(parsed)) if name in types)
    registers = tuple(unit.register() for _ in used)
    scope = Scope()
    for name, register in zip(used, registers, strict=True):
        scope.names[name] = Local(Val(ir.Load(register), types[name]))
    body = condition(unit, parsed, scope)
    argument_types = tuple(types[name] for name in used)
    function = ir.Function("notation", registers, body, Type("bool"), argument_types)
    return placed(function, unit.site(node.span, unit.rule)), used


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
        if parsed is None or _names_a_parameter(lowering.unit, parsed, span):
            continue
        value = value_of(lowering.unit, parsed, scope)
        if not isinstance(value, Broken):
            result.append((value.expr, value.type))
    return tuple(result)


def _names_a_parameter(unit: Unit, node: tree.Expr, span: Span) -> bool:
    """Parameters of an action are gone when the reason is told."""
    for name in sorted(free_names(node)):
        if name in unit.action_params and not is_known(unit, name):
            unit.error(
                "unknown-name", span,
                f"a reason is told when the move is over: it cannot name its parameter `{name}`",
                f"keep it: `last = {name}` in the effects, and `{{last}}` in the reason",
            )  # fmt: skip
            return True
    return False
