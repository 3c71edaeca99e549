"""Reading YAML mappings field by field, with every unknown, missing or misshapen key reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.parsing.lexer import (
    GRAMMAR_WORDS,
    as_a_name,
    is_identifier,
    rename_hint,
)
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.wording import quoted, shorten
from ludwright.spelling import did_you_mean

MAX_NAME = 100
SURE = 0.75  # more alike than this, and one word is another one misspelt


def shape(node: YNode) -> str:
    if isinstance(node, YList):
        return "a list"
    if isinstance(node, YMap):
        return "a mapping"
    return "nothing" if is_null(node) else "one value"


def is_null(node: YNode | None) -> bool:
    """Absent, or a key with nothing behind it (in the language itself, nothing is `none`)."""
    return node is None or (isinstance(node, YScalar) and node.value is None)


def wrong_shape(
    node: YNode, what: str, wanted: str, diagnostics: Diagnostics, example: str = ""
) -> None:
    diagnostics.error(
        "wrong-shape",
        node.span,
        f"{what} should be {wanted}; this is {shape(node)}",
        f"write `{example}`" if example else f"write {wanted}",
    )


@dataclass
class Fields:
    """The entries of one mapping. Ask for each key, then `finish`: the rest is unknown."""

    node: YMap
    what: str  # in the author's words: "the zone `deck`"
    diagnostics: Diagnostics
    asked: dict[str, None] = field(default_factory=dict)
    needed: set[str] = field(default_factory=set)  # keys that have been reported as missing
    told: set[str] = field(default_factory=set)  # keys that have been reported as misspelt
    otherwise: str = ""  # what to write where a key is not known at all: `{}` is the key

    @property
    def span(self) -> Span:
        return self.node.span

    def entry(self, key: str, *aliases: str) -> tuple[YScalar, YNode] | None:
        names = (key, *aliases)
        self.asked.update(dict.fromkeys(names))
        found = [item for item in self.node.entries if item[0].text in names]
        if len(found) > 1 and found[0][0].text != found[1][0].text:
            first, second = found[0][0], found[1][0]
            self.diagnostics.error(
                "same-key-twice",
                second.span,
                f"`{first.text}` and `{second.text}` mean the same",
                f"keep only `{key}`",
            )
        return found[0] if found else None

    def get(self, key: str, *aliases: str) -> YNode | None:
        """The value of a key; None where it is absent or empty."""
        found = self.entry(key, *aliases)
        return None if found is None or is_null(found[1]) else found[1]

    def has(self, *keys: str) -> bool:
        return any(item[0].text in keys for item in self.node.entries)

    def need(self, key: str, *aliases: str) -> YNode | None:
        found = self.get(key, *aliases)
        if found is None:
            given = self.entry(key, *aliases)
            self.needed.add(key)
            if given is None and (misspelt := _misspelt(self.node, key, self.asked)) is not None:
                self.told.add(misspelt.text)
                told = f"did you mean `{key}`?"
                unknown_key(misspelt, self.what, self.asked, self.diagnostics, told)
                return None
            self.diagnostics.error(
                "missing-key",
                given[0].span if given else self.node.span,
                f"{self.what} needs `{key}`",
                f"add `{key}: …`",
            )
        return found

    def text(self, key: str, *aliases: str, default: str = "") -> str:
        node = self.get(key, *aliases)
        if node is None:
            return default
        if not isinstance(node, YScalar):
            wrong_shape(node, f"`{key}`", "text", self.diagnostics)
            return default
        return node.text

    def flag(self, key: str, *aliases: str, default: bool = False) -> bool:
        node = self.get(key, *aliases)
        if node is None:
            return default
        if isinstance(node, YScalar) and isinstance(node.value, bool):
            return node.value
        self.diagnostics.error(
            "wrong-value", node.span, f"`{key}` is either true or false", f"write `{key}: true`"
        )
        return default

    def integer(self, key: str, default: int = 0) -> int:
        node = self.get(key)
        if node is None:
            return default
        if isinstance(node, YScalar) and type(node.value) is int:
            return node.value
        self.diagnostics.error(
            "wrong-value", node.span, f"`{key}` is a whole number", f"write `{key}: {default}`"
        )
        return default

    def choice(
        self, key: str, choices: tuple[str, ...], default: str, *aliases: str, besides: str = ""
    ) -> str:
        """One of a closed list of words; `besides` says what else the key may hold."""
        node = self.get(key, *aliases)
        if node is None:
            return default
        if isinstance(node, YScalar) and node.text in choices:
            return node.text
        text = node.text if isinstance(node, YScalar) else ""
        self.diagnostics.error(
            "wrong-value",
            node.span,
            f"`{key}` is one of {', '.join(choices)}{besides}",
            did_you_mean(text, choices) or f"write `{key}: {default or choices[0]}`",
        )
        return default

    def mapping(self, key: str, *aliases: str) -> YMap | None:
        node = self.get(key, *aliases)
        if node is None or isinstance(node, YMap):
            return node
        wrong_shape(node, f"`{key}`", "a mapping", self.diagnostics)
        return None

    def list(self, key: str, *aliases: str) -> YList | None:
        node = self.get(key, *aliases)
        if node is None or isinstance(node, YList):
            return node
        wrong_shape(node, f"`{key}`", "a list", self.diagnostics)
        return None

    def scalars(self, key: str, *aliases: str) -> tuple[YScalar, ...]:
        """One word or a list of words."""
        node = self.get(key, *aliases)
        return () if node is None else scalars(node, f"`{key}`", self.diagnostics)

    def rest(self) -> Iterator[tuple[YScalar, YNode]]:
        """Entries under keys not asked for, for mappings with names of the author's choice."""
        for key, value in self.node.entries:
            if key.text not in self.asked:
                yield key, value

    def finish(self) -> None:
        before: tuple[YScalar, YNode] | None = None
        for key, value in self.node.entries:
            if key.text in self.told:
                continue
            if key.text not in self.asked:
                cut = _cut_text(key, value, before, self.asked)
                unknown_key(key, self.what, self.asked, self.diagnostics, cut, self.otherwise)
                self.diagnostics.spoilt.add(key.text)  # it may name what others read
            elif is_null(value) and key.text not in self.needed:
                # Taken as absent, `win:` would let everybody win, and `when:` would always hold.
                self.diagnostics.error(
                    "nothing-behind-key",
                    key.span,
                    f"nothing is written behind `{key.text}:`",
                    f"write what belongs there, or remove `{key.text}:`",
                )
            before = key, value


_MEANT = {
    **dict.fromkeys(("condition", "requires", "requirement", "needs", "when"), "pre"),
    **dict.fromkeys(("from", "choices", "among", "of"), "options"),
    **dict.fromkeys(("winner", "wins", "then"), "win"),
    **dict.fromkeys(("loser", "loses"), "lose"),
    **dict.fromkeys(("message", "because"), "reason"),
    **dict.fromkeys(("visible", "visibility", "hidden", "secret"), "see"),
    **dict.fromkeys(("owner", "per", "for"), "each"),
    **dict.fromkeys(("size", "capacity", "maximum"), "max"),
    **dict.fromkeys(("once", "times", "uses"), "limits"),
    **dict.fromkeys(("parameters", "choose", "targets"), "params"),
    **dict.fromkeys(("effect", "then"), "effects"),
    "name": "id",
}


def _misspelt(node: YMap, wanted: str, known: Iterable[str]) -> YScalar | None:
    """The key that stands for one that is missing."""
    for key, _ in node.entries:
        if key.text in known or len(key.text) > 2 * len(wanted):
            continue
        if SequenceMatcher(None, key.text.lower(), wanted.lower()).ratio() > SURE:
            return key
    return None


def _cut_text(
    key: YScalar, value: YNode, before: tuple[YScalar, YNode] | None, known: dict[str, None]
) -> str | None:
    """What to write where a key has no colon: it is forgotten, or a comma has cut a text."""
    if not (isinstance(value, YScalar) and value.text == "" and " " in key.text):
        return None
    first, _, rest = key.text.partition(" ")
    if first in known:
        return f"a colon is missing: `{first}: {shorten(rest)}`"
    told = "a comma ends the text before it; put the whole text into quotes"
    if before is None:
        return told  # `title` and `text` have been taken out
    if not isinstance(before[1], YScalar) or before[1].style != "plain":
        return None
    return f"{told}: {quoted(f'{before[1].text}, {key.text}')}"


def unknown_key(
    key: YScalar,
    what: str,
    known: dict[str, None],
    diagnostics: Diagnostics,
    instead: str | None = None,
    otherwise: str = "",
) -> None:
    listed = ", ".join(f"`{name}`" for name in known)
    told = f"the keys are {listed}" if listed else None
    if otherwise:
        told = otherwise.format(shorten(key.text))
    diagnostics.error(
        "unknown-key",
        key.span,
        f"{what} has no key `{shorten(key.text)}`",
        instead
        or did_you_mean(_MEANT.get(key.text, key.text), known)
        or did_you_mean(key.text, known)
        or told,
    )


def scalars(node: YNode, what: str, diagnostics: Diagnostics) -> tuple[YScalar, ...]:
    if isinstance(node, YScalar):
        return (node,)
    if isinstance(node, YList):
        found: list[YScalar] = []
        for item in node.items:
            if isinstance(item, YScalar):
                found.append(item)
            else:
                wrong_shape(item, f"an item of {what}", "one word", diagnostics)
        return tuple(found)
    template = "{" + ", ".join(key.text for key, _ in node.entries) + "}"
    braces = all(is_null(value) for _, value in node.entries)
    example = f'{what.strip("`")}: "{template}"' if braces else ""
    wrong_shape(node, what, "a word or a list of words", diagnostics, example)
    return ()


# ------------------------------------------------------------------------ names


def identifier(node: YScalar, what: str, diagnostics: Diagnostics, any_word: bool = False) -> str:
    """A name that expressions can use. `any_word`: also statement words (ids of actions)."""
    text = node.text
    bare = text.removeprefix("$")
    shown = shorten(text)
    if bare.startswith("__"):
        diagnostics.error(
            "reserved-name",
            node.span,
            f"`{shown}`: names that start with `__` belong to the program",
            f"write `{shorten(bare.lstrip('_')) or 'name'}`",
        )
    elif "{" in text:
        runtime_name(node.span, diagnostics)
    elif not is_identifier(bare) or len(bare) > MAX_NAME:
        diagnostics.error(
            "invalid-name",
            node.span,
            f"`{shown}` cannot be the name of {what}",
            _spelt(text)
            or f"names have up to {MAX_NAME} letters (a to z), digits and `_`, a letter first",
        )
    elif text in GRAMMAR_WORDS and not any_word:  # `$to` is no word of the language
        diagnostics.error(
            "syntax-reserved-word",
            node.span,
            f"`{text}` is a word of the language and cannot be the name of {what}",
            rename_hint(text),
        )
    return text


def _spelt(text: str) -> str | None:
    if (span := _RANGE.fullmatch(text)) is not None:
        return f"a range is written with two dots, and without brackets: `{span[1]}..{span[2]}`"
    name = as_a_name(text)
    if name is None or len(name) > MAX_NAME:
        return None
    return f"names use only the letters a to z, digits and `_`: write `{name}`"


def kebab_identifier(
    node: YScalar, what: str, diagnostics: Diagnostics, any_word: bool = False
) -> tuple[str, str]:
    """A name that may contain `-`: the name for expressions, and the text to show.

    Spaces, cards and scenarios often come from data with ids such as `card-1`. Expressions
    cannot tell that from a subtraction, so the name is `card_1` and `card-1` becomes the title.
    """
    text = node.text
    name = text.replace("-", "_")
    if name == text:
        return identifier(node, what, diagnostics, any_word), ""
    if not is_identifier(name) or name.startswith("_") or len(name) > MAX_NAME:
        diagnostics.error(
            "invalid-name",
            node.span,
            f"`{shorten(text)}` cannot be the name of {what}",
            _spelt(text)
            or f"names have up to {MAX_NAME} letters (a to z), digits, `_` and `-`, a letter first",
        )
    return name, text


def dotted_identifier(
    node: YScalar, what: str, diagnostics: Diagnostics, behind_dot: bool = False
) -> str:
    """A name with dots; behind a dot every word is free."""
    for part in node.text.split("."):
        scalar = YScalar(part, part, node.quoted, node.span)
        identifier(scalar, what, diagnostics, any_word=behind_dot)
        behind_dot = True
    return node.text


def runtime_name(span: Span, diagnostics: Diagnostics) -> None:
    diagnostics.error(
        "runtime-name",
        span,
        "a name cannot be put together while the game is played",
        "give each thing its own name, or use an index: `zone(seat)`, `$x[seat]`, `table[key]`",
    )


class Unique:
    """Names of one kind, each declared once."""

    def __init__(self, what: str, diagnostics: Diagnostics) -> None:
        self.what = what
        self.diagnostics = diagnostics
        self.seen: dict[str, Span] = {}

    def add(self, name: str, span: Span) -> bool:
        first = self.seen.get(name)
        if first is None:
            self.seen[name] = span
            return True
        self.diagnostics.error(
            "duplicate-name",
            span,
            f"there is already {self.what} `{name}`, at {first.file}:{first.line}:{first.column}",
            "rename or remove one of the two",
        )
        return False


_RANGE = re.compile(r"\s*(\d+)\s*-\s*(\d+)\s*")
# Sections that are mostly written as lists of things with an `id`.
_LISTED = ("actions", "phases", "events", "triggers", "operations", "specials")


def named_entries(
    node: YNode | None, what: str, diagnostics: Diagnostics
) -> Iterator[tuple[YScalar, YNode]]:
    """`{ name: spec, … }`, or the long form's `[{ id: name, … }, …]`, as (name, spec) pairs."""
    if node is None:
        return
    if isinstance(node, YMap) and what in _LISTED and isinstance(node.get("id"), YScalar):
        diagnostics.error(
            "wrong-shape",
            node.span,
            f"`{what}` is a list: every item begins with a dash",
            "write `- id: …`, and the rest of it below, two columns further in",
        )
        return
    if isinstance(node, YMap):
        yield from node.entries
        return
    if not isinstance(node, YList):
        _wrong_list(node, what, diagnostics)
        return
    for item in node.items:
        entry = id_and_rest(item, what, diagnostics)
        if entry is not None:
            yield entry


def _wrong_list(node: YScalar, what: str, diagnostics: Diagnostics) -> None:
    if "," not in node.text:
        wrong_shape(node, f"the list of {what}", "a mapping of names", diagnostics)
        return
    diagnostics.error(
        "wrong-shape",
        node.span,
        f"the list of {what} has no brackets",
        f"write `[{shorten(node.text)}]`",
    )


def id_and_rest(
    item: YNode, what: str, diagnostics: Diagnostics, key: str = "id"
) -> tuple[YScalar, YMap] | None:
    if isinstance(item, YScalar) and is_identifier(item.text):
        example = f"{{ {key}: {item.text} }}"
        wrong_shape(item, f"one of the {what}", f"a mapping with `{key}`", diagnostics, example)
        return item, YMap((), item.span)  # read as what was meant
    if not isinstance(item, YMap):
        wrong_shape(item, f"one of the {what}", f"a mapping with `{key}`", diagnostics)
        return None
    name = item.get(key)
    if name is None and (misspelt := _misspelt(item, key, ())) is not None:
        unknown_key(misspelt, f"one of the {what}", {}, diagnostics, f"did you mean `{key}`?")
        key = misspelt.text  # read as what was meant
        name = item.get(key)
    if not isinstance(name, YScalar) or is_null(name):
        diagnostics.error(
            "missing-key", item.span, f"one of the {what} has no `{key}`", f"add `{key}: …`"
        )
        return None
    rest = tuple(entry for entry in item.entries if entry[0].text != key)
    return name, YMap(rest, item.span, item.flow)
