"""Phases, phase templates and the order of turns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import Any, Literal, TypeVar, cast

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import PhaseDecl, TurnDecl, TypeExpr
from ludwright.language.parsing.declarations import spec_fields
from ludwright.language.parsing.effects import action_names, action_spans, read_block
from ludwright.language.parsing.fields import (
    Fields,
    Unique,
    id_and_rest,
    identifier,
    named_entries,
    wrong_shape,
)
from ludwright.language.parsing.longform import optional_value, value
from ludwright.language.parsing.types_text import read_type
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.wording import shorten
from ludwright.language.tree import Expr, GotoPhase, Name, Node, PushPhase, RunPhase
from ludwright.spelling import did_you_mean


def read_phases(
    node: YNode | None, templates: dict[str, PhaseTemplate], diagnostics: Diagnostics
) -> tuple[PhaseDecl, ...]:
    found: list[PhaseDecl] = []
    unique = Unique("a phase", diagnostics)
    for key, spec in _phase_entries(node, diagnostics):
        name = identifier(key, "a phase", diagnostics, any_word=True)
        fields = spec_fields(spec, key, f"the phase `{name}`", diagnostics)
        if fields.has("fromTemplate"):
            phase = _instance(name, fields, templates)
        else:
            phase = _phase(name, fields)
            fields.finish()
        if unique.add(name, key.span):
            found.append(replace(phase, span=key.span))
    return tuple(found)


def _phase_entries(node: YNode | None, diagnostics: Diagnostics) -> list[tuple[YScalar, YNode]]:
    """Phases are named by `id`; instances of a template by `name`."""
    if not isinstance(node, YList):
        return list(named_entries(node, "phases", diagnostics))
    found: list[tuple[YScalar, YNode]] = []
    for item in node.items:
        named = isinstance(item, YMap) and item.get("fromTemplate") is not None
        key = "name" if named and isinstance(item, YMap) and item.get("id") is None else "id"
        entry = id_and_rest(item, "phases", diagnostics, key)
        if entry is not None:
            found.append(entry)
    return found


def _phase(name: str, fields: Fields) -> PhaseDecl:
    diagnostics = fields.diagnostics
    defaults = fields.mapping("actionDefaults")
    pre: Expr | None = None
    after: YNode | None = None
    if defaults is not None:
        inner = Fields(defaults, "`actionDefaults`", diagnostics)
        pre = optional_value(inner, "pre")
        after = inner.get("afterEffects")
        inner.finish()
    return PhaseDecl(
        name,
        read_block(fields.get("onEnter"), diagnostics),
        read_block(fields.get("onExit"), diagnostics),
        pre,
        read_block(after, diagnostics),
        action_names(fields, "actions"),
        fields.text("next") or None,
        fields.flag("interrupt"),
        action_spans(fields, "actions"),
        span=fields.span,
    )


# --------------------------------------------------------------------- templates


@dataclass(frozen=True, slots=True)
class PhaseTemplate:
    name: str
    params: tuple[tuple[str, TypeExpr, Expr | None], ...]
    phase: PhaseDecl


def read_phase_templates(node: YNode | None, diagnostics: Diagnostics) -> dict[str, PhaseTemplate]:
    """`{ street: { params: { cards: 0..5 }, phase: { onEnter: […] } } }`."""
    found: dict[str, PhaseTemplate] = {}
    unique = Unique("a phase template", diagnostics)
    for key, spec in named_entries(node, "phase templates", diagnostics):
        name = identifier(key, "a phase template", diagnostics)
        fields = spec_fields(spec, key, f"the phase template `{name}`", diagnostics)
        params: list[tuple[str, TypeExpr, Expr | None]] = []
        given = fields.mapping("params")
        for param, kind in given.entries if given is not None else ():
            declared = read_type(kind, diagnostics)
            label = identifier(param, "a parameter", diagnostics)
            params.append((label, declared.type, declared.default))
        body = fields.need("phase")
        fields.finish()
        if not isinstance(body, YMap):
            if body is not None:
                wrong_shape(body, "`phase`", "a mapping", diagnostics)
            continue
        inner = Fields(body, f"the phase template `{name}`", diagnostics)
        phase = _phase("", inner)
        inner.finish()
        if unique.add(name, key.span):
            found[name] = PhaseTemplate(name, tuple(params), phase)
    return found


def _instance(name: str, fields: Fields, templates: dict[str, PhaseTemplate]) -> PhaseDecl:
    """A template with its parameters replaced by the arguments given beside `fromTemplate`."""
    wanted = fields.text("fromTemplate")
    template = templates.get(wanted)
    if template is None:
        fields.diagnostics.error(
            "unknown-template",
            fields.span,
            f"there is no phase template `{shorten(wanted)}`",
            did_you_mean(wanted, templates) or "declare it under `phaseTemplates:`",
        )
        return PhaseDecl(name)
    nested = fields.mapping("args")
    source = fields if nested is None else Fields(nested, "`args`", fields.diagnostics)
    arguments: dict[str, Expr] = {}
    for param, _, default in template.params:
        given = source.get(param)
        if given is not None:
            arguments[param] = value(given, fields.diagnostics)
        elif default is not None:
            arguments[param] = default
        else:
            source.need(param)
    source.finish()
    if source is not fields:
        fields.finish()
    return replace(substitute(template.phase, arguments), id=name)


N = TypeVar("N", bound=Node)


def substitute(node: N, arguments: dict[str, Expr]) -> N:
    """The tree with names replaced by expressions, and names of phases and actions by names."""
    return cast(N, _substitute(node, arguments))


def _substitute(item: Any, arguments: dict[str, Expr]) -> Any:
    if isinstance(item, Name):
        return arguments.get(item.id, item)
    if isinstance(item, tuple):
        return tuple(_substitute(part, arguments) for part in item)
    if not isinstance(item, Node):
        return item
    changes = {
        field.name: _substitute(getattr(item, field.name), arguments)
        for field in dataclass_fields(item)
        if not field.name.endswith("span")
    }
    if isinstance(item, (GotoPhase, RunPhase, PushPhase)):
        changes["phase"] = _word(item.phase, arguments)
    if isinstance(item, PhaseDecl):
        changes["next"] = None if item.next is None else _word(item.next, arguments)
        if item.actions is not None:
            changes["actions"] = tuple(_word(action, arguments) for action in item.actions)
    return replace(item, **changes)


def _word(name: str, arguments: dict[str, Expr]) -> str:
    argument = arguments.get(name)
    return argument.id if isinstance(argument, Name) else name


# -------------------------------------------------------------------------- turn


def read_turn(node: YNode | None, diagnostics: Diagnostics) -> TurnDecl | None:
    if node is None:
        return None
    if not isinstance(node, YMap):
        wrong_shape(node, "`turn`", "a mapping", diagnostics)
        return None
    fields = Fields(node, "`turn`", diagnostics)
    seats: tuple[str, ...] = ()
    order: Literal["roundRobin", "fixed", "programmed"] = "roundRobin"
    if isinstance(fields.get("order"), YList):
        seats = tuple(seat.text for seat in fields.scalars("order"))
        order = "fixed"
    else:
        word = fields.choice(
            "order", ("roundRobin", "programmed"), "roundRobin", besides=", or a list of seats"
        )
        order = cast(Literal["roundRobin", "programmed"], word)
    turn = TurnDecl(
        order,
        seats,
        action_names(fields, "offer"),
        optional_value(fields, "ensure"),
        optional_value(fields, "best"),
        action_spans(fields, "offer"),
        span=node.span,
    )
    fields.finish()
    return turn
