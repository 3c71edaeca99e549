"""Functions, procedures, modifiers, triggers, history, and how the game ends."""

from __future__ import annotations

import re
from typing import Literal

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import (
    BotDecl,
    Change,
    DrawingDecl,
    EndDecl,
    FunctionDecl,
    HistoryDecl,
    ModifierDecl,
    ProcDecl,
    ScenarioDecl,
    ShowDecl,
    SkipDecl,
    TriggerDecl,
)
from ludwright.language.parsing.declarations import spec_fields
from ludwright.language.parsing.effects import BODY, EffectReader, read_block
from ludwright.language.parsing.expressions import dotted
from ludwright.language.parsing.fields import (
    Fields,
    Unique,
    identifier,
    kebab_identifier,
    named_entries,
    scalars,
    wrong_shape,
)
from ludwright.language.parsing.longform import (
    needed_value,
    optional_player,
    optional_value,
    value,
    zone,
)
from ludwright.language.parsing.types_text import parse_signature, read_type
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.wording import shorten
from ludwright.language.tree import Binary, Block, Call, Effect, Expr, Name
from ludwright.program.limits import GAME_LIMIT
from ludwright.spelling import did_you_mean, nearest

# ------------------------------------------------------ functions and procedures


def read_functions(
    node: YNode | None, diagnostics: Diagnostics, unique: Unique, modifiable: bool
) -> tuple[FunctionDecl, ...]:
    """`fns: { "owns(me, s: Space)": expr }`; under `values:` names may be dotted."""
    found: list[FunctionDecl] = []
    for key, spec in _mapping(node, "values" if modifiable else "fns", diagnostics):
        signature = parse_signature(key, diagnostics)
        body = value(spec, diagnostics)
        if signature is None:
            continue
        if "." in signature.name and not modifiable:
            diagnostics.error(
                "invalid-name",
                key.span,
                f"the function `{signature.name}` cannot have a `.` in its name",
                "only names under `values:` may be dotted",
            )
        if unique.add(signature.name, key.span):
            found.append(
                FunctionDecl(signature.name, signature.params, body, modifiable, span=key.span)
            )
    return tuple(found)


def _mapping(
    node: YNode | None, what: str, diagnostics: Diagnostics
) -> tuple[tuple[YScalar, YNode], ...]:
    if node is None:
        return ()
    if not isinstance(node, YMap):
        wrong_shape(node, f"`{what}`", "a mapping", diagnostics)
        return ()
    return node.entries


def read_procs(node: YNode | None, diagnostics: Diagnostics) -> tuple[ProcDecl, ...]:
    """`procs: { "pay(p, n: 0..9 = 1)": [effects] }`, or `{ returns, do, ensure, best }`."""
    unique = Unique("a procedure", diagnostics)
    found: list[ProcDecl] = []
    for key, spec in _mapping(node, "procs", diagnostics):
        signature = parse_signature(key, diagnostics)
        name = signature.name if signature is not None else key.text
        proc = _proc(name, spec, diagnostics)
        if signature is not None and unique.add(name, key.span):
            found.append(
                ProcDecl(
                    name,
                    signature.params,
                    proc.body,
                    proc.returns,
                    proc.ensure,
                    proc.best,
                    span=key.span,
                )
            )
    return tuple(found)


def _proc(name: str, spec: YNode, diagnostics: Diagnostics) -> ProcDecl:
    if not isinstance(spec, YMap):
        return ProcDecl(name, (), read_block(spec, diagnostics))
    fields = Fields(spec, f"the procedure `{name}`", diagnostics)
    returns = fields.get("returns")
    found = ProcDecl(
        name,
        (),
        EffectReader(diagnostics).block(fields.need(*BODY)),
        None if returns is None else read_type(returns, diagnostics).type,
        optional_value(fields, "ensure"),
        optional_value(fields, "best"),
    )
    fields.finish()
    return found


# -------------------------------------------------------- modifiers and triggers


def items(node: YNode | None, what: str, diagnostics: Diagnostics) -> tuple[YMap, ...]:
    """A list of mappings."""
    if node is None:
        return ()
    if not isinstance(node, YList):
        wrong_shape(node, f"`{what}`", "a list", diagnostics)
        return ()
    found: list[YMap] = []
    for item in node.items:
        if isinstance(item, YMap):
            found.append(item)
        else:
            wrong_shape(item, f"an item of `{what}`", "a mapping", diagnostics)
    return tuple(found)


def read_modifiers(node: YNode | None, diagnostics: Diagnostics) -> tuple[ModifierDecl, ...]:
    found: list[ModifierDecl] = []
    unique = Unique("a modifier", diagnostics)
    for item in items(node, "modifiers", diagnostics):
        fields = Fields(item, "a modifier", diagnostics)
        name = _optional_id(fields, "a modifier", unique)
        when = optional_value(fields, "while")
        change = fields.need("change")
        changes: list[Change] = []
        for key, body in _mapping(change, "change", diagnostics):
            new = value(body, diagnostics)
            signature = parse_signature(key, diagnostics)
            if signature is not None:
                params = tuple(param.name for param in signature.params)
                changes.append(Change(signature.name, params, new, span=key.span))
        priority = fields.integer("priority")
        fields.finish()
        found.append(ModifierDecl(tuple(changes), when, priority, name, span=item.span))
    return tuple(found)


def _optional_id(fields: Fields, what: str, unique: Unique) -> str:
    node = fields.get("id")
    if node is None:
        return ""
    if not isinstance(node, YScalar):
        wrong_shape(node, "`id`", "a name", fields.diagnostics)
        return ""
    name, _ = kebab_identifier(node, what, fields.diagnostics)
    unique.add(name, node.span)
    return name


TriggerEvent = Literal["changed", "entered", "left", "stage", "resolved", "phase", "turn"]
_EVENTS: dict[str, TriggerEvent] = {
    "changed": "changed",
    "entered": "entered",
    "left": "left",
    "stage": "stage",
    "resolved": "resolved",
    "phase": "phase",
    "turn": "turn",
    "varChanged": "changed",
    "tokenEntered": "entered",
    "tokenLeft": "left",
    "actionResolved": "resolved",
    "phaseEnter": "phase",
    "turnStart": "turn",
}
_SUBJECTS = ("var", "zone", "stage", "action", "phase")


def read_triggers(node: YNode | None, diagnostics: Diagnostics) -> tuple[TriggerDecl, ...]:
    found: list[TriggerDecl] = []
    unique = Unique("a trigger", diagnostics)
    for number, item in enumerate(items(node, "triggers", diagnostics), start=1):
        fields = Fields(item, "a trigger", diagnostics)
        name = _optional_id(fields, "a trigger", unique) or f"trigger_{number}"
        event, subject = _event(fields)
        when = optional_value(fields, "if", "when")
        match = optional_value(fields, "match")
        if match is not None:
            when = match if when is None else Binary("and", match, when, span=item.span)
        effects = read_block(fields.need("effects", "do"), diagnostics)
        immediate = fields.flag("immediate")
        priority = fields.integer("priority")
        fields.finish()
        found.append(
            TriggerDecl(name, event, subject, effects, when, immediate, priority, span=item.span)
        )
    return tuple(found)


def _event(fields: Fields) -> tuple[TriggerEvent, str]:
    """`on: { changed: trail }`, `on: turn`, or long `event: { type: phaseEnter, phase }`."""
    node = fields.need("on", "event")
    diagnostics = fields.diagnostics
    if isinstance(node, YScalar):
        return _event_name(node, diagnostics), ""
    if not isinstance(node, YMap):
        if node is not None:
            wrong_shape(node, "`on`", "one event: `{ changed: x }`", diagnostics)
        return "turn", ""
    if node.get("type") is not None:
        inner = Fields(node, "`event`", diagnostics)
        kind = inner.get("type")
        event = _event_name(kind, diagnostics) if isinstance(kind, YScalar) else "turn"
        given = [subject for key in _SUBJECTS if (subject := inner.get(key)) is not None]
        inner.finish()
        return event, _subject(given[0], diagnostics) if given else ""
    if len(node.entries) != 1:
        diagnostics.error(
            "wrong-value",
            node.span,
            "a trigger waits for one event",
            "write one trigger for each",
        )
        return "turn", ""
    key, subject = node.entries[0]
    event = _event_name(key, diagnostics)
    return event, "" if event == "turn" else _subject(subject, diagnostics)


def _event_name(node: YScalar, diagnostics: Diagnostics) -> TriggerEvent:
    event = _EVENTS.get(node.text)
    if event is not None:
        return event
    word, _, subject = node.text.partition(" ") if " " in node.text else node.text.partition("(")
    word = word.rstrip(":")
    if word in _EVENTS and subject:
        suggestion = f"write `on: {{ {word}: {shorten(subject.rstrip(')'))} }}`"
    else:
        suggestion = did_you_mean(node.text, _EVENTS) or (
            f"write `on: {{ changed: {shorten(node.text)} }}` for a variable; "
            f"the events are {', '.join(list(_EVENTS)[:7])}"
        )
    diagnostics.error(
        "wrong-value", node.span, f"there is no event `{shorten(node.text)}`", suggestion
    )
    return "turn"


def _subject(node: YNode, diagnostics: Diagnostics) -> str:
    """What the event is about: a name, possibly dotted; `hand:actor` means any `hand`."""
    found = zone(node, diagnostics)
    name = found.fn if isinstance(found, Call) else dotted(found)
    if name is None:
        diagnostics.error(
            "wrong-value",
            node.span,
            "an event is about one named thing",
            "write the name of a variable, place, stage, action or phase",
        )
    return name or ""


# ---------------------------------------------------------- history and endings

_LAST = re.compile(r"last\s+([0-9]{1,6})")


def read_history(node: YNode | None, diagnostics: Diagnostics) -> tuple[HistoryDecl, ...]:
    found: list[HistoryDecl] = []
    for key, spec in named_entries(node, "histories", diagnostics):
        name = identifier(key, "a history", diagnostics)
        fields = spec_fields(spec, key, f"the history `{name}`", diagnostics)
        of = needed_value(fields, "of")
        keep = fields.need("keep")
        fields.finish()
        count, last = 1, False
        if isinstance(keep, YScalar) and type(keep.value) is int and 1 <= keep.value <= 100_000:
            count = keep.value
        elif isinstance(keep, YScalar) and (match := _LAST.fullmatch(keep.text)):
            count, last = max(1, int(match.group(1))), True
        elif keep is not None:
            diagnostics.error(
                "wrong-value",
                keep.span,
                "`keep` says how many positions are remembered",
                "write `keep: 150`, or `keep: last 2` to forget the oldest",
            )
        found.append(HistoryDecl(name, of, count, last, span=key.span))
    return tuple(found)


Outcome = Literal["win", "lose", "draw", "score"]
OUTCOMES: tuple[Outcome, ...] = ("win", "lose", "draw", "score")


def read_end(node: YNode | None, diagnostics: Diagnostics) -> tuple[EndDecl, ...]:
    if isinstance(node, YScalar):
        diagnostics.error(
            "wrong-shape",
            node.span,
            "`end` is a list of ways in which the game can end",
            f"write `end: [{{ when: {shorten(node.text)}, win: actor }}]`",
        )
        return ()
    if isinstance(node, YMap):
        diagnostics.error(
            "wrong-shape",
            node.span,
            "`end` is a list of ways in which the game can end",
            "put brackets around it, `end: [{ … }]`, or `- ` before each way",
        )
        return (end_entry(node, diagnostics),)
    named = Unique("an ending", diagnostics)
    return tuple(end_entry(item, diagnostics, named) for item in items(node, "end", diagnostics))


def end_entry(item: YMap, diagnostics: Diagnostics, named: Unique | None = None) -> EndDecl:
    """`named`: it may have a name, by which a variant can replace it."""
    fields = Fields(item, "this ending", diagnostics)
    if named is not None:
        _optional_id(fields, "the name of an ending", named)
    when = optional_value(fields, "when", "if")
    given: list[Outcome] = [outcome for outcome in OUTCOMES if fields.has(outcome)]
    misspelt = any(nearest(key.text, OUTCOMES) for key, _ in item.entries)
    if len(given) != 1 and (given or not misspelt):
        diagnostics.error(
            "end-outcome",
            item.span,
            "an ending says one thing: who wins, who loses, a draw, or a score"
            if given
            else "this ending does not say how the game ends",
            "write one of `win: SEATS`, `lose: SEATS`, `draw: all`, `score: e for p in seats`",
        )
    results = {name: _outcome(fields, name) for name in OUTCOMES}
    # After a mistake that has been reported, a draw is as good as any other ending.
    outcome: Outcome = given[0] if given and results[given[0]] is not None else "draw"
    reason = fields.text("reason")
    at = tuple(name.text for name in fields.scalars("at"))
    fields.finish()
    seats = None if outcome == "score" else results[outcome] or Name("all")
    return EndDecl(outcome, seats, results["score"], reason, when, at, span=item.span)


def _outcome(fields: Fields, name: Outcome) -> Expr | None:
    node = fields.get(name)
    if isinstance(node, YScalar) and node.value is True:
        return Name("all", span=node.span)  # `draw: true`
    return optional_value(fields, name) if name == "score" else optional_player(fields, name)


def read_no_moves(node: YNode | None, diagnostics: Diagnostics) -> tuple[EndDecl | Block, ...]:
    """Endings and effects, in order; effects that follow each other are one block."""
    if node is None:
        return ()
    entries = node.items if isinstance(node, YList) else (node,)
    found: list[EndDecl | Block] = []
    run: list[Effect] = []
    reader = EffectReader(diagnostics)
    for position, item in enumerate(entries):
        keys = {key.text for key, _ in item.entries} if isinstance(item, YMap) else set()
        if isinstance(item, YMap) and keys & set(OUTCOMES):
            if run:
                found.append(tuple(run))
                run = []
            found.append(end_entry(item, diagnostics))
        else:
            run.extend(reader.item(item, last=position == len(entries) - 1))
    if run:
        found.append(tuple(run))
    return tuple(found)


def read_score(node: YNode | None, diagnostics: Diagnostics) -> Expr | None:
    return None if node is None else value(node, diagnostics)


def read_show(node: YNode | None, diagnostics: Diagnostics) -> tuple[ShowDecl, ...]:
    """`show: { points: points(it), pot: { value: sum(p.bet for p in seats), hidden: true } }`."""
    unique = Unique("a value to show", diagnostics)
    found: list[ShowDecl] = []
    for key, spec in named_entries(node, "show", diagnostics):
        name = identifier(key, "a value to show", diagnostics, any_word=True)
        if unique.add(name, key.span):
            found.append(ShowDecl(name, _shown_value(spec, diagnostics), span=key.span))
    return tuple(found)


def _shown_value(spec: YNode, diagnostics: Diagnostics) -> Expr:
    """A value, or a mapping that has it as `value`, beside words that were taken out before."""
    if isinstance(spec, YMap) and [key.text for key, _ in spec.entries] == ["value"]:
        spec = spec.entries[0][1]
    return value(spec, diagnostics)


def read_drawing(node: YNode | None, diagnostics: Diagnostics) -> DrawingDecl | None:
    """`drawing: { on: board, first: […], signs: { K: statement }, fields: […] }`."""
    if node is None:
        return None
    if not isinstance(node, YMap):
        wrong_shape(node, "`drawing`", "a mapping", diagnostics)
        return None
    fields = Fields(node, "`drawing`", diagnostics)
    first = tuple(scalar.text for scalar in fields.scalars("first"))
    signs = fields.mapping("signs")
    found = DrawingDecl(
        fields.text("on"),
        first,
        () if signs is None else _statements_by_word(signs, diagnostics),
        tuple(_drawing_field(item, diagnostics) for item in _items_of(fields.list("fields"))),
        span=node.span,
    )
    fields.finish()
    return found


def read_bot(node: YNode | None, diagnostics: Diagnostics) -> BotDecl | None:
    """`bot: { value: 3 * it.points, cutoff: 20, skip: [discard] }`."""
    if node is None:
        return None
    if not isinstance(node, YMap):
        wrong_shape(node, "`bot`", "a mapping", diagnostics)
        return None
    fields = Fields(node, "`bot`", diagnostics)
    given = optional_value(fields, "value")
    cutoff, at = fields.integer("cutoff"), fields.get("cutoff")
    if at is not None and not 1 <= cutoff <= GAME_LIMIT:
        diagnostics.error(
            "wrong-value",
            at.span,
            f"`cutoff` is a number of decisions from 1 to {GAME_LIMIT:,}",
            "write `cutoff: 20`",
        )
        cutoff = 0
    skip = tuple(
        SkipDecl(scalar.text.removeprefix("$"), span=scalar.span)
        for scalar in fields.scalars("skip")
    )
    fields.finish()
    return BotDecl(given, cutoff, skip, span=node.span)


def _items_of(node: YList | None) -> tuple[YNode, ...]:
    return () if node is None else node.items


def _statements_by_word(
    node: YMap, diagnostics: Diagnostics
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """`{ K: statement, b: [statement, …] }`, as texts."""
    return tuple(
        (key.text, tuple(item.text for item in scalars(spec, "a sign", diagnostics)))
        for key, spec in node.entries
    )


def _drawing_field(
    node: YNode, diagnostics: Diagnostics
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a word behind the board means: by word, or one statement for any (`it`)."""
    if isinstance(node, YMap):
        return _statements_by_word(node, diagnostics)
    return (("", tuple(item.text for item in scalars(node, "a field", diagnostics))),)


def read_scenarios(node: YNode | None, diagnostics: Diagnostics) -> tuple[ScenarioDecl, ...]:
    found: list[ScenarioDecl] = []
    unique = Unique("a scenario", diagnostics)
    for key, spec in named_entries(node, "scenarios", diagnostics):
        name, readable = kebab_identifier(key, "a scenario", diagnostics)
        if not isinstance(spec, YMap):
            setup, title = read_block(spec, diagnostics), readable
        else:
            fields = Fields(spec, f"the scenario `{key.text}`", diagnostics)
            setup = read_block(fields.get("setup"), diagnostics)
            title = fields.text("title") or readable
            fields.finish()
        if unique.add(name, key.span):
            found.append(ScenarioDecl(name, setup, title, span=key.span))
    return tuple(found)
