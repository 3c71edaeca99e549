"""A rulebook that extends another: what is added, what is put in its place, what is removed.

Sections are put together entry by entry. An entry is known by its name: the key of a mapping, the
`id` of an item in a list, or a word in a list of words. What has no name is added behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from ludwright.diagnostics import Diagnostics
from ludwright.language.parsing.fields import shape
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.spelling import did_you_mean

Sections = dict[str, YNode]
T = TypeVar("T")

ALL = "all"  # `remove: { setup: all }`
# One thing as a whole: what is written anew takes its place.
_WHOLE = ("language", "turn", "flow", "score", "noMoves", "drawing")
_STATEMENTS = ("setup",)  # their entries have no names: the same one may stand there twice
_NOT_INHERITED = ("examples",)  # what holds for one game need not hold for another


def extended(
    base: Sections, own: Sections, removals: YNode | None, names: dict[str, str], found: Diagnostics
) -> Sections:
    """The sections of a rulebook with those that it extends. `names`: all names of sections."""
    result = {name: node for name, node in base.items() if name not in _NOT_INHERITED}
    _name_the_game(own, found)
    _remove(result, removals, names, found)
    for name, node in own.items():
        known = None if name in _WHOLE else result.get(name)
        result[name] = node if known is None else _merged(name, known, node, found)
    return result


def _name_the_game(own: Sections, found: Diagnostics) -> None:
    game = own.get("game")
    if isinstance(game, YMap) and game.get("id") is not None:
        return
    span = game.span if game is not None else next((n.span for n in own.values()), None)
    found.error(
        "missing-game",
        span,
        "a rulebook that extends another is a game of its own, and needs an id",
        "add `game: { id: my-variant }`",
    )


def _merged(name: str, base: YNode, own: YNode, found: Diagnostics) -> YNode:
    """Entries of the same name take each other's place; the others come behind.

    Where the variant has two of one name, both stay: whoever reads them reports that.
    """
    if isinstance(base, YMap) and isinstance(own, YMap):
        entries = _put_in(base.entries, own.entries, lambda entry: _key(entry[0]))
        return YMap(entries, own.span, own.flow)
    if isinstance(base, YList) and isinstance(own, YList):
        items = _put_in(base.items, own.items, partial(_name, name))
        return YList(items, own.span, own.flow)
    place = f"{base.span.file}:{base.span.line}:{base.span.column}"
    found.error(
        "duplicate-block",
        own.span,
        f"`{name}` is {shape(base)} at {place}, and cannot be extended by {shape(own)}",
        "write both the same way",
    )
    return base


def _put_in(base: Sequence[T], own: Sequence[T], called: Callable[[T], str]) -> tuple[T, ...]:
    named: dict[str, list[T]] = {}
    for entry in own:
        named.setdefault(called(entry), []).append(entry)
    taken = ({called(entry) for entry in base} & named.keys()) - {""}
    found: list[T] = []
    for entry in base:
        name = called(entry)
        found += named.pop(name, []) if name in taken else [entry]
    return (*found, *(entry for entry in own if called(entry) not in taken))


def _key(key: YScalar) -> str:
    """What an entry of a mapping is called: `gain(x)` is `gain`."""
    return key.text.split("(", maxsplit=1)[0].strip()


def _name(section: str, item: YNode) -> str:
    """What an item of a list is called; nothing if it has no name."""
    if section in _STATEMENTS:
        return ""
    node = item.get("id") if isinstance(item, YMap) else item
    return node.text if isinstance(node, YScalar) else ""


# --------------------------------------------------------------------------- removals


def _remove(
    sections: Sections, removals: YNode | None, names: dict[str, str], found: Diagnostics
) -> None:
    """`remove: { actions: [castle], setup: all }`."""
    if removals is None:
        return
    if not isinstance(removals, YMap):
        found.error(
            "wrong-value", removals.span, "`remove` says what is removed from which block",
            "write for example `remove: { actions: [castle], setup: all }`",
        )  # fmt: skip
        return
    for key, node in removals.entries:
        section = names.get(key.text)
        if section is None or section not in sections:
            found.error(
                "unknown-key", key.span,
                f"the rulebook that is extended has no block `{key.text}`",
                did_you_mean(key.text, sections) or "the blocks are " + _listed(sections),
            )  # fmt: skip
            continue
        words = node.items if isinstance(node, YList) else (node,)
        for word in words:
            _remove_one(sections, section, word, found)


def _remove_one(sections: Sections, section: str, word: YNode, found: Diagnostics) -> None:
    if not isinstance(word, YScalar):
        found.error(
            "wrong-value", word.span, "what is removed is called by its name",
            f"write for example `{section}: [name]`, or `{section}: all`",
        )  # fmt: skip
        return
    if word.text == ALL:
        sections.pop(section, None)
        return
    node = sections.get(section)
    if node is None or isinstance(node, YScalar):
        known: list[str] = []
    elif isinstance(node, YMap):
        known = [_key(key) for key, _ in node.entries]
    else:
        known = [name for item in node.items if (name := _name(section, item))]
    if word.text not in known:
        found.error(
            "extends", word.span,
            f"the rulebook that is extended has nothing called `{word.text}` in `{section}`",
            did_you_mean(word.text, known)
            or (f"there are {_listed(known)}" if known else f"write `{section}: all`"),
        )  # fmt: skip
        return
    if isinstance(node, YMap):
        entries = tuple(entry for entry in node.entries if _key(entry[0]) != word.text)
        sections[section] = YMap(entries, node.span, node.flow)
    elif isinstance(node, YList):
        items = tuple(item for item in node.items if _name(section, item) != word.text)
        sections[section] = YList(items, node.span, node.flow)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in list(names)[:12])
