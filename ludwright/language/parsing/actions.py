"""What seats can do: actions, operation profiles, special activities, event cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.gamedef import (
    ActionDecl,
    ActionParam,
    EventBranch,
    EventDecl,
    EventSide,
    Limit,
    OperationDecl,
    SpecialDecl,
    Stage,
)
from ludwright.language.parsing.effects import read_block
from ludwright.language.parsing.fields import (
    Fields,
    Unique,
    identifier,
    is_null,
    kebab_identifier,
    named_entries,
    wrong_shape,
)
from ludwright.language.parsing.longform import (
    ZONE,
    filtered,
    needed_value,
    optional_player,
    optional_value,
    value,
)
from ludwright.language.parsing.rules import items
from ludwright.language.parsing.sentences import sentence
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.wording import shorten
from ludwright.language.tree import Block, ChooseN, Effect, Expr, IntLit, Let, Name
from ludwright.spelling import did_you_mean

Scope = Literal["turn", "phase", "game"]
_SCOPES: tuple[Scope, ...] = ("turn", "phase", "game")
_CHOSEN = "what the player chooses goes under `params`: `params: {{ {}: … }}`"
TARGETS = "$targets"  # what the long form's `targeting` binds


def read_actions(
    node: YNode | None, diagnostics: Diagnostics, unique: Unique
) -> tuple[ActionDecl, ...]:
    found: list[ActionDecl] = []
    for key, given in named_entries(node, "actions", diagnostics):
        name = identifier(key, "an action", diagnostics, any_word=True)
        spec = YMap((), given.span) if is_null(given) else given  # `pass:` is an action, too
        if not isinstance(spec, YMap):
            wrong_shape(spec, f"the action `{name}`", "a mapping", diagnostics)
            continue
        fields = Fields(spec, f"the action `{name}`", diagnostics, otherwise=_CHOSEN)
        head, (pre, words) = _head(fields), _pre(fields)
        action = ActionDecl(
            name,
            head.actor,
            head.phases,
            head.params,
            pre,
            read_block(fields.get("cost"), diagnostics),
            read_block(fields.get("effects", "do"), diagnostics),
            head.limits,
            optional_value(fields, "ensure"),
            optional_value(fields, "best"),
            head.notation,
            fields.flag("declassify"),
            words,
            spellings=head.spellings,
            notation_span=head.notation_span,
            span=key.span,
        )
        fields.finish()
        if unique.add(name, key.span):
            found.append(action)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Head:
    """What an action and a profile that stands alone have in common."""

    actor: Expr | None
    phases: tuple[str, ...]
    params: tuple[ActionParam, ...]
    limits: tuple[Limit, ...]
    notation: str | None
    spellings: tuple[str, ...]
    notation_span: Span | None


_HEAD_KEYS = ("actor", "phase", "params", "limits", "notation")


def _head(fields: Fields) -> _Head:
    first, *others = [item.text for item in fields.scalars("notation")] or [""]
    return _Head(
        optional_player(fields, "actor"),
        tuple(
            identifier(name, "a phase", fields.diagnostics, any_word=True)
            for name in fields.scalars("phase", "phases")
        ),
        _params(fields),
        _limits(fields),
        first or None,
        tuple(others),
        None if (node := fields.get("notation")) is None else node.span,
    )


def _pre(fields: Fields) -> tuple[Expr | None, str]:
    """`pre: c`, or with words for whoever it refuses: `pre: { when: c, else: "…" }`."""
    node = fields.get("pre")
    if not isinstance(node, YMap) or node.get("when") is None:
        return optional_value(fields, "pre"), ""
    inner = Fields(node, "`pre`", fields.diagnostics)
    found = needed_value(inner, "when"), inner.text("else")
    inner.finish()
    return found


def _params(fields: Fields) -> tuple[ActionParam, ...]:
    """`{ cell: options }`, `{ cell: { if, options } }`, or `[{ name, domain }]`."""
    node = fields.get("params")
    diagnostics = fields.diagnostics
    unique = Unique("a parameter", diagnostics)
    found: list[ActionParam] = []
    if node is not None and not isinstance(node, (YMap, YList)):
        wrong_shape(node, "`params`", "a mapping of names to options", diagnostics)
        return ()
    if isinstance(node, YMap):
        for key, spec in node.entries:
            name = identifier(key, "a parameter", diagnostics)
            unique.add(name, key.span)
            found.append(_param(name, key.span, spec, diagnostics))
    if isinstance(node, YList) and any(isinstance(item, YScalar) for item in node.items):
        names = ", ".join(f"{item.text}: …" for item in node.items if isinstance(item, YScalar))
        diagnostics.error(
            "wrong-shape", node.span, "`params` says for every parameter what can be chosen",
            f"write `params: {{ {names} }}` with a collection behind each name",
        )  # fmt: skip
        return ()
    for item in items(node, "params", diagnostics) if isinstance(node, YList) else ():
        inner = Fields(item, "a parameter", diagnostics)
        given = inner.need("name")
        options = needed_value(inner, "domain", "options")
        when = optional_value(inner, "if", "when")
        ask = sentence(inner, "ask")
        optional = inner.flag("optional")
        inner.finish()
        if isinstance(given, YScalar):
            name = identifier(given, "a parameter", diagnostics)
            unique.add(name, given.span)
            found.append(ActionParam(name, options, when, ask, optional, span=given.span))
    return tuple(found)


def _param(name: str, span: Span, spec: YNode, diagnostics: Diagnostics) -> ActionParam:
    if isinstance(spec, YMap) and spec.get("options") is not None:
        inner = Fields(spec, f"the parameter `{name}`", diagnostics)
        when = optional_value(inner, "if")
        options = needed_value(inner, "options")
        ask = sentence(inner, "ask")
        optional = inner.flag("optional")
        inner.finish()
        return ActionParam(name, options, when, ask, optional, span=span)
    return ActionParam(name, value(spec, diagnostics), span=span)


def _limits(fields: Fields) -> tuple[Limit, ...]:
    """`[{ scope: turn, max: 1 }]`, or `{ turn: 1 }`."""
    node = fields.get("limits")
    diagnostics = fields.diagnostics
    found: list[Limit] = []
    if isinstance(node, YMap):
        inner = Fields(node, "`limits`", diagnostics)
        for scope in _SCOPES:
            most = optional_value(inner, scope)
            if most is not None:
                found.append(Limit(scope, most, span=node.span))
        inner.finish()
        return tuple(found)
    if isinstance(node, YScalar):
        example = "limits: { turn: 1 }"
        wrong_shape(node, "`limits`", "a mapping", diagnostics, example)
        return ()
    for item in items(node, "limits", diagnostics):
        inner = Fields(item, "a limit", diagnostics)
        scope = cast(Scope, inner.choice("scope", _SCOPES, "turn"))
        found.append(Limit(scope, needed_value(inner, "max"), span=item.span))
        inner.finish()
    return tuple(found)


# -------------------------------------------------------------------- operations


def read_operations(
    node: YNode | None,
    diagnostics: Diagnostics,
    unique: Unique,
    declared: tuple[ActionDecl, ...],
) -> tuple[tuple[OperationDecl, ...], tuple[ActionDecl, ...]]:
    """Profiles, and the actions of those that stand alone."""
    profiles: list[OperationDecl] = []
    own_actions: list[ActionDecl] = []
    actions = {action.id: action for action in declared}
    ids = Unique("an operation", diagnostics)
    for key, spec in named_entries(node, "operations", diagnostics):
        name = identifier(key, "an operation", diagnostics, any_word=True)
        if not isinstance(spec, YMap):
            wrong_shape(spec, f"the operation `{name}`", "a mapping", diagnostics)
            continue
        fields = Fields(spec, f"the operation `{name}`", diagnostics)
        action = fields.text("actionId", "action") or name
        operation = _operation(name, action, key.span, fields)
        head = _head(fields)
        pre, words = _pre(fields)
        ensure, best = (optional_value(fields, word) for word in ("ensure", "best"))
        fields.finish()
        if not ids.add(name, key.span):
            continue
        if any(other.action == action for other in profiles):
            _second_operation(operation, profiles, fields)
            continue
        profiles.append(operation)
        if action in actions:
            _one_says_it(operation, actions[action], fields)
        elif action != name:
            _no_such_action(operation, actions, fields)
        elif unique.add(action, key.span):
            own_actions.append(
                ActionDecl(
                    action,
                    head.actor,
                    head.phases,
                    head.params,
                    pre,
                    limits=head.limits,
                    ensure=ensure,
                    best=best,
                    notation=head.notation,
                    pre_words=words,
                    spellings=head.spellings,
                    notation_span=head.notation_span,
                    span=key.span,
                )
            )
    return tuple(profiles), tuple(own_actions)


def _action_span(fields: Fields, operation: OperationDecl) -> Span | None:
    """Where an operation names its action; its own id where it does not."""
    named = fields.get("actionId", "action")
    return operation.span if named is None else named.span


def _second_operation(
    operation: OperationDecl, profiles: list[OperationDecl], fields: Fields
) -> None:
    first = next(other for other in profiles if other.action == operation.action)
    fields.diagnostics.error(
        "second-operation",
        _action_span(fields, operation),
        f"the action `{operation.action}` already has the operation `{first.id}`; "
        f"`{operation.id}` would never be carried out",
        "give it an action of its own, or make both stages of one `resolution`",
    )


def _no_such_action(
    operation: OperationDecl, actions: dict[str, ActionDecl], fields: Fields
) -> None:
    name = operation.action
    fields.diagnostics.error(
        "unknown-action",
        _action_span(fields, operation),
        f"the operation `{operation.id}` belongs to the action `{shorten(name)}`, which is not "
        "declared under `actions:`",
        did_you_mean(name, actions) or "leave `actionId` out: an operation can stand alone",
    )


def _one_says_it(operation: OperationDecl, action: ActionDecl, fields: Fields) -> None:
    """Where an action has an operation, each says its own part, or both would be carried out."""
    if fields.has(*_HEAD_KEYS, "pre", "ensure", "best"):
        fields.diagnostics.error(
            "operation-action",
            operation.span,
            f"the operation `{operation.id}` belongs to the action `{action.id}`, which is "
            "declared under `actions:`",
            "move `actor`, `phase`, `params`, `pre`, `limits` and `notation` there",
        )
    for word, block, into in (
        ("effects", action.effects, "a stage of its `resolution`"),
        ("cost", action.cost, "its `cost: { spend: […] }`"),
    ):
        if block:
            fields.diagnostics.error(
                "operation-action",
                block[0].span or action.span,
                f"the action `{action.id}` has `{word}` of its own, but the operation "
                f"`{operation.id}` says what it does",
                f"move them into {into}",
            )


def _operation(name: str, action: str, span: Span, fields: Fields) -> OperationDecl:
    diagnostics = fields.diagnostics
    legality = fields.get("legality")
    validate, spend = _cost(fields)
    targets = _targeting(fields)
    stages = _stages(fields)
    if targets is not None:
        first = stages[0] if stages else Stage("resolve", ())
        stages = (Stage(first.name, (targets, *first.effects), span=first.span), *stages[1:])
    same, disjoint = _constraints(fields)
    return OperationDecl(
        name,
        action,
        None if legality is None else _inner_value(legality, "when", diagnostics),
        validate,
        spend,
        stages,
        _partial(fields),
        tuple(
            identifier(window, "a window", diagnostics, any_word=True)
            for window in fields.scalars("linkedSpecialActivityWindows", "windows")
        ),
        cast(
            Literal["snapshot", "live"],
            fields.choice("decisions", ("snapshot", "live"), "snapshot"),
        ),
        same,
        disjoint,
        span=span,
    )


def _inner_value(node: YNode, key: str, diagnostics: Diagnostics) -> Expr:
    """`legality: { when: c }`, or just `legality: c`."""
    if isinstance(node, YMap) and node.get(key) is not None:
        inner = Fields(node, "`legality`", diagnostics)
        found = needed_value(inner, key)
        inner.finish()
        return found
    return value(node, diagnostics)


def _cost(fields: Fields) -> tuple[Expr | None, Block]:
    """`cost: { validate: c, spend: […] }`, or just the effects."""
    node = fields.get("cost")
    if isinstance(node, YMap):
        inner = Fields(node, "`cost`", fields.diagnostics)
        validate = optional_value(inner, "validate")
        spend = read_block(inner.get("spend"), fields.diagnostics)
        inner.finish()
        return validate, spend
    return None, read_block(node, fields.diagnostics)


def _partial(fields: Fields) -> Literal["allow", "forbid"]:
    node = fields.get("partialExecution", "partial")
    if isinstance(node, YMap):
        inner = Fields(node, "`partialExecution`", fields.diagnostics)
        mode = inner.choice("mode", ("allow", "forbid"), "forbid")
        inner.finish()
    else:
        mode = fields.choice("partialExecution", ("allow", "forbid"), "forbid", "partial")
    return cast(Literal["allow", "forbid"], mode)


def _stages(fields: Fields) -> tuple[Stage, ...]:
    """`resolution: [{ stage, effects }]`, or plain `effects` for one stage."""
    diagnostics = fields.diagnostics
    if fields.has("effects", "do"):
        if fields.has("resolution", "stages"):
            diagnostics.error(
                "same-key-twice",
                fields.span,
                "`effects` is short for a `resolution` of one stage",
                "keep one of the two",
            )
        fields.get("resolution", "stages")
        return (Stage("resolve", read_block(fields.get("effects", "do"), diagnostics)),)
    found: list[Stage] = []
    unique = Unique("a stage", diagnostics)
    given = fields.list("resolution", "stages")
    for number, item in enumerate(items(given, "resolution", diagnostics), start=1):
        inner = Fields(item, "a stage", diagnostics)
        name = inner.get("stage", "id")
        label = f"stage_{number}"
        if isinstance(name, YScalar):
            label, _ = kebab_identifier(name, "a stage", diagnostics, any_word=True)
            unique.add(label, name.span)
        effects = read_block(inner.need("effects", "do"), diagnostics)
        inner.finish()
        found.append(Stage(label, effects, span=item.span))
    fields.get("effects", "do")
    return tuple(found)


def _targeting(fields: Fields) -> Effect | None:
    """`targeting` becomes the operation's first choice (or, for `allEligible`, its first let)."""
    node = fields.mapping("targeting")
    if node is None:
        return None
    inner = Fields(node, "`targeting`", fields.diagnostics)
    select = inner.choice("select", ("upToN", "allEligible", "exactN"), "upToN")
    most = optional_value(inner, "max", "n")
    condition = optional_value(inner, "filter")
    order = inner.choice("order", ("declared", "chosen"), "declared")
    inner.finish()
    spaces = filtered(ZONE, Name("spaces"), condition, node.span)
    if select == "allEligible":
        return Let((TARGETS,), spaces, span=node.span)
    if most is None:
        inner.need("max", "n")
        most = IntLit(1)
    return ChooseN(
        TARGETS,
        spaces,
        min=most if select == "exactN" else IntLit(0),
        max=most,
        ordering="sequence" if order == "chosen" else "set",
        span=node.span,
    )


Pairs = tuple[tuple[str, str], ...]


def _constraints(fields: Fields) -> tuple[Pairs, Pairs]:
    found: dict[str, list[tuple[str, str]]] = {"sameSpace": [], "disjointSpaces": []}
    for item in items(fields.get("constraints"), "constraints", fields.diagnostics):
        inner = Fields(item, "a constraint", fields.diagnostics)
        for key, pairs in found.items():
            if not inner.has(key):
                continue
            names = inner.scalars(key)
            if len(names) == 2:
                pairs.append((names[0].text, names[1].text))
            else:
                fields.diagnostics.error(
                    "wrong-value",
                    item.span,
                    f"`{key}` names two choices: the operation's and the special activity's",
                    f"write `{key}: [$space, $specialSpace]`",
                )
        inner.asked.update(dict.fromkeys(found))
        inner.finish()
    return tuple(found["sameSpace"]), tuple(found["disjointSpaces"])


# ------------------------------------------------------ special activities, events


def read_specials(node: YNode | None, diagnostics: Diagnostics) -> tuple[SpecialDecl, ...]:
    found: list[SpecialDecl] = []
    unique = Unique("a special activity", diagnostics)
    for key, spec in named_entries(node, "specials", diagnostics):
        name = identifier(key, "a special activity", diagnostics, any_word=True)
        if not isinstance(spec, YMap):
            wrong_shape(spec, f"the special activity `{name}`", "a mapping", diagnostics)
            continue
        fields = Fields(spec, f"the special activity `{name}`", diagnostics)
        special = SpecialDecl(
            name,
            tuple(operation.text for operation in fields.scalars("accompanies")),
            tuple(timing.text for timing in fields.scalars("timing")),
            optional_value(fields, "if", "pre", "legality"),
            read_block(fields.get("effects", "do"), diagnostics),
            optional_player(fields, "actor"),
            span=key.span,
        )
        fields.finish()
        if unique.add(name, key.span):
            found.append(special)
    return tuple(found)


_SIDES = ("unshaded", "shaded", "effects")


def read_events(node: YNode | None, diagnostics: Diagnostics) -> tuple[EventDecl, ...]:
    found: list[EventDecl] = []
    unique = Unique("an event", diagnostics)
    for key, spec in named_entries(node, "events", diagnostics):
        name, readable = kebab_identifier(key, "an event", diagnostics)
        if not isinstance(spec, YMap):
            example = f"{key.text}: {{ effects: […] }}"
            wrong_shape(spec, f"the event `{key.text}`", "a mapping", diagnostics, example)
            if unique.add(name, key.span):
                found.append(EventDecl(name, (EventSide("effects", ()),), span=key.span))
            continue
        if not any(side.text in _SIDES for side, _ in spec.entries) and spec.get("branches"):
            diagnostics.error(
                "missing-key",
                key.span,
                f"the branches of `{key.text}` stand on no side of the card",
                f"write `{key.text}: {{ effects: {{ branches: {{ … }} }} }}`",
            )
            if unique.add(name, key.span):
                found.append(EventDecl(name, (EventSide("effects", ()),), span=key.span))
            continue
        fields = Fields(spec, f"the event `{key.text}`", diagnostics)
        title = fields.text("title") or readable
        sides: list[EventSide] = []
        for side in _SIDES:
            given = fields.entry(side)
            if given is not None:
                sides.append(_side(side, given[0], given[1], diagnostics))
        fields.finish()
        if not sides:
            diagnostics.error(
                "missing-key",
                key.span,
                f"the event `{key.text}` has no text",
                "add `effects: […]`, or `unshaded: […]` and `shaded: […]`",
            )
        if unique.add(name, key.span):
            found.append(EventDecl(name, tuple(sides), title, span=key.span))
    return tuple(found)


def _side(name: str, key: YScalar, node: YNode, diagnostics: Diagnostics) -> EventSide:
    """`[effects]`, or `{ if, effects, branches: [{ id, if, effects }] }`."""
    if not isinstance(node, YMap):
        return EventSide(name, read_block(node, diagnostics), span=key.span)
    fields = Fields(node, f"the side `{name}`", diagnostics)
    when = optional_value(fields, "if", "when")
    effects = read_block(fields.get("effects", "do"), diagnostics)
    branches: list[EventBranch] = []
    unique = Unique("a branch", diagnostics)
    for label, spec in named_entries(fields.get("branches"), "branches", diagnostics):
        branch = identifier(label, "a branch", diagnostics, any_word=True)
        unique.add(branch, label.span)
        branches.append(_branch(branch, label, spec, diagnostics))
    fields.finish()
    return EventSide(name, effects, tuple(branches), when, span=key.span)


def _branch(name: str, label: YScalar, spec: YNode, diagnostics: Diagnostics) -> EventBranch:
    if not isinstance(spec, YMap):
        return EventBranch(name, read_block(spec, diagnostics), span=label.span)
    fields = Fields(spec, f"the branch `{name}`", diagnostics)
    when = optional_value(fields, "if", "when")
    effects = read_block(fields.get("effects", "do"), diagnostics)
    fields.finish()
    return EventBranch(name, effects, when, span=label.span)
