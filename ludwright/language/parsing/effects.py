"""Items of an effect list: statements as text, blocks and long-form effects as mappings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.parsing.fields import (
    Fields,
    identifier,
    is_null,
    runtime_name,
    scalars,
    wrong_shape,
)
from ludwright.language.parsing.long_effects import LONG_EFFECTS
from ludwright.language.parsing.longform import (
    needed_value,
    optional_player,
    optional_value,
    value,
)
from ludwright.language.parsing.sentences import read_sentence, sentence
from ludwright.language.parsing.source import BROKEN, MAX_BLOCK_DEPTH
from ludwright.language.parsing.statement_words import CHOOSING
from ludwright.language.parsing.statements import everyone_is_default, is_statement, parse_statement
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.wording import SEVERAL, shorten
from ludwright.language.tree import (
    Binary,
    Block,
    Call,
    ChooseN,
    ChooseOne,
    Comp,
    Do,
    Effect,
    Fault,
    For,
    ForEach,
    If,
    IfEffect,
    Let,
    Menu,
    MenuOption,
    Name,
    Offer,
    Repeat,
    RollRandom,
    Say,
    SetVar,
    Stop,
    Unary,
    With,
)
from ludwright.spelling import did_you_mean

_IT = "it"  # a seat, in `unless`
_REACTING = "__reacting"  # the seat that is asked, in a `react` block
_WITHOUT_COLON = {
    "if": f"write `if c then S`, or `if c then S else T`; {SEVERAL['if']}",
    "for": f"write `for x in A do S`; {SEVERAL['for']}",
    "while": "write `repeat: { while: …, max: …, do: […] }`",
}
# The body of a block: `do` in the short form, `effects` in the long form.
BODY = ("do", "effects")


def _cut_by_colon(text: str, word: str) -> tuple[str, str] | None:
    """What is wrong with a statement that YAML has cut at a colon; `word` is its first one."""
    if text.count('"') % 2:
        hint = "put the whole statement in single quotes: `- 'say \"…: …\"'`"
        return "a `: ` inside a sentence makes YAML read it as a mapping", hint
    if word == text:
        return None
    if "?" in text:
        return "there is no `… ? … : …`", "write `a if c else b`"
    if word == "while":
        return "there is no statement `while`", _WITHOUT_COLON[word]
    if word in ("if", "for"):
        return f"a one-line `{word}` has a word here, and no colon", _WITHOUT_COLON[word]
    if is_statement(word):
        hint = "put the whole statement in single quotes: `- '…'`"
        return "a `: ` inside a statement makes YAML read it as a mapping", hint
    return None


@dataclass
class EffectReader:
    """Reads effect lists; `depth` keeps nesting bounded."""

    diagnostics: Diagnostics
    depth: int = 0

    def block(self, node: YNode | None) -> Block:
        """A list of effects (or a single one). Broken items are reported and left out."""
        if is_null(node) or node is None:
            return ()
        items = node.items if isinstance(node, YList) else (node,)
        if self.depth >= MAX_BLOCK_DEPTH:
            self.diagnostics.error(
                "effects-too-deep",
                node.span,
                f"effects are nested more than {MAX_BLOCK_DEPTH} levels deep",
                "move the inner part to a procedure under `procs:`",
            )
            return ()
        self.depth += 1
        effects: list[Effect] = []
        for position, item in enumerate(items):
            effects.extend(self.item(item, last=position == len(items) - 1))
        self.depth -= 1
        return tuple(effects)

    def item(self, node: YNode, last: bool) -> tuple[Effect, ...]:
        if isinstance(node, YScalar):
            effect = parse_statement(node, self.diagnostics)
            return () if effect is None else (effect,)
        if isinstance(node, YList):
            wrong_shape(node, "an effect", "a statement or a block", self.diagnostics)
            return ()
        if len(node.entries) != 1:
            self._refuse_many_keys(node)
            return ()
        key, body = node.entries[0]
        reader = _BLOCKS.get(key.text)
        if reader is not None:
            return self._nested(reader(self, node, body), last)
        long_reader = LONG_EFFECTS.get(key.text)
        if long_reader is None:
            self._refuse_unknown(key, body, (*_BLOCKS, *LONG_EFFECTS))
            return ()
        fields = self.fields(key, body)
        if fields is None:
            return ()
        effect = long_reader(fields)
        fields.finish()
        return (effect,)

    def _nested(self, effects: tuple[Effect, ...], last: bool) -> tuple[Effect, ...]:
        """`let … in` ends with its block: at the end of a list it needs no scope of its own."""
        if len(effects) < 2 or last:
            return effects
        return (Do(effects, span=effects[0].span),)

    def fields(self, key: YScalar, body: YNode) -> Fields | None:
        if isinstance(body, YMap):
            return Fields(body, f"`{key.text}`", self.diagnostics)
        if is_null(body):
            return Fields(YMap((), key.span), f"`{key.text}`", self.diagnostics)
        wrong_shape(body, f"`{key.text}`", "a mapping", self.diagnostics)
        return None

    def _refuse_many_keys(self, node: YMap) -> None:
        keys = [key.text for key, _ in node.entries]
        hint = "write each effect as an item of its own"
        if "if" in keys:
            hint = "write `if: { when: …, then: […], else: […] }`"
        elif "for" in keys or "forEach" in keys:
            hint = "write `forEach: { bind: x, over: A, do: […] }`"
        elif "while" in keys:
            hint = "write `repeat: { while: …, max: …, do: […] }`"
        self.diagnostics.error(
            "effect-shape",
            node.span,
            f"an effect is a mapping with one key; this has {len(keys)}",
            hint,
        )

    def _refuse_unknown(self, key: YScalar, body: YNode, known: tuple[str, ...]) -> None:
        text = key.text
        if "(" in text and text.count("(") > text.count(")"):
            self.diagnostics.error(
                "syntax-named-argument-colon",
                key.span,
                "a `:` inside a call makes YAML read it as a mapping",
                "named arguments use `=`: `train(US, free=true)`",
            )
            return
        word = text.split(" ", 1)[0]
        hint = did_you_mean(text, known)
        if (cut := _cut_by_colon(text, word)) is not None:
            self.diagnostics.error("syntax-sentence-colon", key.span, *cut)
            return
        if word in _AS_TEXT:
            hint = f"write it as one text: `{_AS_TEXT[word]}`"
        elif word in CHOOSING:
            hint = "write `chooseOne: { bind: $x, options: A }`"
        elif is_null(body) and word != text:
            hint = f"statements go in square brackets, or after dashes: `[{shorten(text)}]`"
        elif hint is None and isinstance(body, YScalar) and word == text:
            hint = f"a variable is set by `{shorten(text)} = {shorten(body.text)}`"
        if isinstance(body, YMap) and isinstance(bound := body.get("bind"), YScalar):
            self.diagnostics.spoilt.add(bound.text)
        self.diagnostics.error(
            "unknown-effect",
            key.span,
            f"there is no effect or block `{shorten(text)}`",
            hint or "blocks are " + ", ".join(f"`{name}`" for name in _BLOCKS),
        )

    # ------------------------------------------------------------------ helpers

    def bind(self, fields: Fields, key: str = "bind") -> str:
        node = fields.need(key)
        if node is None:
            return BROKEN
        if not isinstance(node, YScalar):
            runtime_name(node.span, self.diagnostics)
            return BROKEN
        return identifier(node, "a choice or local", self.diagnostics)

    def binds(self, fields: Fields) -> tuple[str, ...]:
        """`bind: x`, `bind: [a, b]` or `bind: a, b`."""
        node = fields.need("bind")
        if node is None:
            return (BROKEN,)
        if isinstance(node, YScalar) and "," in node.text:
            parts = [part.strip() for part in node.text.split(",")]
            found = tuple(YScalar(part, part, node.quoted, node.span) for part in parts)
        else:
            found = scalars(node, "`bind`", self.diagnostics)
        return tuple(identifier(name, "a local", self.diagnostics) for name in found)

    def body(self, fields: Fields) -> Block:
        return self.block(fields.need(*BODY))


# ------------------------------------------------------------------------ blocks

_AS_TEXT = {
    "set": "x = e",
    "add": "x += e",
    "subtract": "x -= e",
    "call": "proc(…)",
    "move": "move X to Z",
    "place": "place KIND at Z",
    "remove": "remove X",
    "roll": "roll x in A",
    "require": "require e",
    "return": "return e",
    "goto": "goto PHASE",
    "record": "record H",
    "clear": "clear H",
    "resolve": "resolve CARD",
    "window": "window NAME",
    "shift": "shift M by n",
    "while": "repeat: { while: …, max: …, do: […] }",
    "for": "for x in A do S",
}


def _if(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    when = needed_value(fields, "when")
    then = reader.block(fields.need("then"))
    other = reader.block(fields.get("else"))
    fields.finish()
    return (IfEffect(when, then, other, span=node.span),)


def _for_each(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    bind = reader.binds(fields)
    over = needed_value(fields, "over")
    index = reader.bind(fields, "index") if fields.get("index") is not None else None
    limit = optional_value(fields, "limit")
    effects = reader.body(fields)
    count_bind = reader.bind(fields, "countBind") if fields.get("countBind") is not None else None
    after = reader.block(fields.get("in"))
    fields.finish()
    return (ForEach(bind, over, effects, index, limit, count_bind, after, span=node.span),)


def _repeat(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    when = needed_value(fields, "while")
    most = optional_value(fields, "max")
    effects = reader.body(fields)
    fields.finish()
    return (Repeat(when, effects, most, span=node.span),)


def _choose_one(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    effect = ChooseOne(
        bind=reader.bind(fields),
        options=needed_value(fields, "options"),
        by=optional_player(fields, "by", "chooser"),
        when=optional_value(fields, "if"),
        optional=fields.flag("optional"),
        together=fields.flag("together"),
        ask=sentence(fields, "ask"),
        if_none=_if_none(reader, fields),
        span=node.span,
    )
    fields.finish()
    return (effect,)


def _if_none(reader: EffectReader, fields: Fields) -> Block | None:
    """`ifNone: skip`, `ifNone: fault`, or statements."""
    found = fields.need("ifNone") if fields.has("ifNone") else fields.get("ifNone")
    if found is None:
        return None
    if fields.has("optional") and fields.flag("optional"):
        reader.diagnostics.error(
            "if-none",
            found.span,
            "`ifNone` cannot stand beside `optional: true`",
            "drop `ifNone`: what is `optional` is passed over where nothing can be chosen",
        )
    if isinstance(found, YScalar) and found.text == "skip":
        return ()
    if isinstance(found, YScalar) and found.text == "fault":
        return (Fault(span=found.span),)
    if fields.has("together") and fields.flag("together"):
        reader.diagnostics.error(
            "if-none",
            found.span,
            "`ifNone` of a sealed choice is `skip` or `fault`",
            "write `ifNone: skip`, and say behind the choice what happens to a seat that had "
            "nothing to choose: `for p in seats if $x[p] == none do …`",
        )
        return ()
    return reader.block(found)


def _choose_n(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    exact = optional_value(fields, "n")
    least, most = optional_value(fields, "min"), optional_value(fields, "max")
    if exact is not None:
        if least is not None or most is not None:
            reader.diagnostics.error(
                "choose-n-bounds",
                node.span,
                "`n` already says how many; `min` and `max` cannot stand beside it",
                "keep either `n`, or `min` and `max`",
            )
        least = most = exact
    fields.choice("mode", ("live",), "live")
    each = fields.entry("each")
    by = fields.get("by")
    by_class = isinstance(by, YScalar) and by.text == "class"
    effect = ChooseN(
        bind=reader.bind(fields),
        options=needed_value(fields, "options"),
        by=optional_player(fields, *(("chooser",) if by_class else ("by", "chooser"))),
        when=optional_value(fields, "if"),
        min=least,
        max=most,
        repeats=fields.flag("repeats"),
        ordering=cast(
            Literal["set", "sequence"], fields.choice("ordering", ("set", "sequence"), "set")
        ),
        as_many_as_possible=fields.flag("asManyAsPossible"),
        each=None if each is None else reader.block(_each_body(each[1])),
        together=fields.flag("together"),
        ask=sentence(fields, "ask"),
        if_none=_if_none(reader, fields),
        by_class=by_class,
        span=node.span,
    )
    fields.finish()
    return (effect,)


def _each_body(node: YNode) -> YNode:
    """`each: […]`, or `each: { do: […] }` as in other blocks."""
    if isinstance(node, YMap) and len(node.entries) == 1 and node.entries[0][0].text in BODY:
        return node.entries[0][1]
    return node


def _menu(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    by = optional_player(fields, "by", "chooser")
    bind = reader.bind(fields, "bind") if fields.get("bind") is not None else None
    ask = sentence(fields, "ask")
    given = fields.get("options")
    if_none = _if_none(reader, fields)
    if given is None and (entries := [key for key, _ in fields.rest()]):
        reader.diagnostics.error(
            "missing-key",
            entries[0].span,
            "the entries of a `menu` stand under `options`",
            f"write `menu: {{ options: {{ {entries[0].text}: […] }} }}`",
        )
        return ()
    given = fields.need("options")
    fields.finish()
    if not isinstance(given, YMap):
        if given is not None:
            wrong_shape(given, "`options` of a menu", "a mapping", reader.diagnostics)
        return ()
    options = tuple(_menu_option(reader, label, spec) for label, spec in given.entries)
    return (Menu(options, by, bind, if_none, ask, span=node.span),)


def _menu_option(reader: EffectReader, label: YScalar, spec: YNode) -> MenuOption:
    name = identifier(label, "a menu entry", reader.diagnostics, any_word=True)
    if not isinstance(spec, YMap):
        return MenuOption(name, None, reader.block(spec), span=label.span)
    fields = Fields(spec, f"the menu entry `{name}`", reader.diagnostics)
    when = optional_value(fields, "if")
    effects = reader.block(fields.get(*BODY))
    fields.finish()
    return MenuOption(name, when, effects, span=label.span)


def _offer(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    by = optional_player(fields, "by", "chooser")
    actions = action_names(fields, "actions")
    otherwise = fields.entry("none")
    effect = Offer(
        by,
        actions,
        None if otherwise is None else reader.block(otherwise[1]),
        optional_value(fields, "ensure"),
        optional_value(fields, "best"),
        fields.flag("free"),
        sentence(fields, "ask"),
        optional_value(fields, "within"),
        optional_player(fields, "as"),
        _pass(fields),
        fields.flag("always"),
        reader.block(fields.get("then")),
        action_spans(fields, "actions"),
        span=node.span,
    )
    fields.finish()
    return (effect,)


def _pass(fields: Fields) -> tuple[str, ...]:
    return action_names(fields, "pass") or ()


def _react(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    """An offer to every other seat in turn; those who can do nothing are not asked, unless
    `always`."""
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    others = Comp(
        Name(_REACTING),
        (
            For((_REACTING,), Call("rotation", (Name("seats"),), (("after", Name("actor")),))),
            If(Binary("!=", Name(_REACTING), Name("actor"))),
        ),
        span=node.span,
    )
    over = optional_value(fields, "by") or others
    declined = optional_value(fields, "unless")
    if declined is not None:  # tested once, before the first of them is asked
        asked = (For((_IT,), over), If(Unary("not", declined)))
        over = Comp(Name(_IT), asked, span=declined.span)
    actions = fields.scalars("actions")
    if not actions:
        fields.need("actions")
    first = fields.flag("first")
    offer = Offer(
        Name(_REACTING),
        action_names(fields, "actions") or (),
        (),
        ask=sentence(fields, "ask"),
        decline=_pass(fields),
        always=fields.flag("always"),
        then=(*reader.block(fields.get("then")), *((Stop(),) if first else ())),
        actions_span=action_spans(fields, "actions"),
        span=node.span,
    )
    fields.need("pass")
    fields.finish()
    return (ForEach((_REACTING,), over, (offer,), span=node.span),)


def action_names(fields: Fields, key: str) -> tuple[str, ...] | None:
    """Ids of actions; None (all of them) where absent or `all`."""
    if fields.get(key) is None:
        return None
    found = fields.scalars(key)
    if [name.text for name in found] == ["all"]:
        return None
    return tuple(identifier(name, "an action", fields.diagnostics, any_word=True) for name in found)


def action_spans(fields: Fields, key: str) -> tuple[Span, ...]:
    """Where the names stand."""
    found = fields.scalars(key) if action_names(fields, key) is not None else []
    return tuple(name.span for name in found)


def _with(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    given = fields.need("set")
    sets: list[SetVar] = []
    if isinstance(given, YMap):
        for key, new in given.entries:
            sets.append(SetVar(value(key, reader.diagnostics), value(new, reader.diagnostics)))
    elif given is not None:
        for effect in reader.block(given):
            if isinstance(effect, SetVar):
                sets.append(effect)
            else:
                reader.diagnostics.error(
                    "with-set",
                    effect.span,
                    "`set` only gives variables a value for the time of the block",
                    "write `x = e`",
                )
    effects = reader.body(fields)
    fields.finish()
    return (With(tuple(sets), effects, span=node.span),)


def _let(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    let = Let(reader.binds(fields), needed_value(fields, "value"), span=node.span)
    inner = reader.block(fields.get("in"))
    fields.finish()
    return (let, *inner)


def _roll_random(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    fields = reader.fields(node.entries[0][0], body)
    if fields is None:
        return ()
    bind = reader.bind(fields)
    low, high = needed_value(fields, "min"), needed_value(fields, "max")
    roll = RollRandom(bind, Binary("..", low, high), span=node.span)
    inner = reader.block(fields.get("in"))
    fields.finish()
    return (roll, *inner)


def _say(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    """`say: "…"`, or `say: { text: "…", to: SEATS, if: c }`."""
    if not isinstance(body, YMap):
        text = read_sentence(body, "say", reader.diagnostics)
        return () if text is None else (Say(text, span=node.span),)
    fields = Fields(body, "`say`", reader.diagnostics)
    found = fields.need("text")
    text = None if found is None else read_sentence(found, "text", reader.diagnostics)
    to, when = optional_value(fields, "to"), optional_value(fields, "if")
    fields.finish()
    if text is None:
        return ()
    return (Say(text, everyone_is_default(to), when, span=node.span),)


def _do(reader: EffectReader, node: YMap, body: YNode) -> tuple[Effect, ...]:
    return (Do(reader.block(body), span=node.span),)


_BLOCKS: dict[str, Callable[[EffectReader, YMap, YNode], tuple[Effect, ...]]] = {
    "if": _if,
    "forEach": _for_each,
    "repeat": _repeat,
    "chooseOne": _choose_one,
    "chooseN": _choose_n,
    "menu": _menu,
    "offer": _offer,
    "react": _react,
    "with": _with,
    "let": _let,
    "rollRandom": _roll_random,
    "do": _do,
    "say": _say,
}


def read_block(node: YNode | None, diagnostics: Diagnostics) -> Block:
    return EffectReader(diagnostics).block(node)
