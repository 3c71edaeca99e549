"""What people read of things: `title`, `symbol`, `text` and `hidden`, wherever they are declared.

These words are no rules, so they are taken out of the blocks before anything else reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import WordsDecl
from ludwright.language.parsing.fields import wrong_shape
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar

PROSE = ("title", "symbol", "text")
_BESIDE_TITLE = ("symbol", "text")  # of rows and spaces, whose titles their readers know
_CHOICES = ("chooseOne", "chooseN")
Entry = tuple[YScalar, YNode]


class Words:
    """Takes the words out of the blocks of one rulebook."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self.found: list[WordsDecl] = []
        self._groups: set[str] = set()  # of spaces

    def taken(self, sections: Mapping[str, YNode]) -> dict[str, YNode]:
        """The sections without words."""
        spaces = sections.get("spaces")
        if isinstance(spaces, YMap):
            self._groups = {key.text for key, _ in spaces.entries}
        readers: dict[str, Callable[[YNode], YNode]] = {
            "seats": lambda node: self._named(node, "seat"),
            "zones": lambda node: self._named(node, "zone"),
            "pieces": lambda node: self._named(node, "kind"),
            "markers": lambda node: self._named(node, "variable", (*PROSE, "hidden")),
            "show": lambda node: self._named(node, "variable", (*PROSE, "hidden")),
            "phases": lambda node: self._named(node, "phase"),
            "actions": lambda node: self._named(node, "action"),
            "operations": lambda node: self._named(node, "action"),
            "specials": lambda node: self._named(node, "action"),
            "vars": self._variables,
            "tables": self._tables,
            "spaces": self._spaces,
        }
        result: dict[str, YNode] = {}
        for name, node in sections.items():
            found = readers[name](node) if name in readers else node
            result[name] = self._inside(found) if name in _WITH_EFFECTS else found
        return result

    # ------------------------------------------------------- declarations

    def _named(self, node: YNode, subject: str, keys: tuple[str, ...] = PROSE) -> YNode:
        """`{ name: { title: … } }` or `[{ id: name, title: … }]`."""
        if isinstance(node, YMap):
            return _changed(node, lambda key, spec: self._from(spec, subject, key.text, keys))
        if isinstance(node, YList):
            items = (self._from(item, subject, _id_of(item), keys) for item in node.items)
            return replace(node, items=tuple(items))
        return node

    def _from(self, spec: YNode, subject: str, name: str, keys: tuple[str, ...]) -> YNode:
        """A declaration without its words, which are noted."""
        if not isinstance(spec, YMap) or not any(key.text in keys for key, _ in spec.entries):
            return spec
        rest: list[Entry] = []
        words: dict[str, str] = {}
        for key, value in spec.entries:
            if key.text not in keys:
                rest.append((key, value))
            elif isinstance(value, YScalar) and value.text:
                words[key.text] = value.text
            else:
                wrong_shape(value, f"`{key.text}`", "a text", self._diagnostics)
        hidden = words.pop("hidden", "false")
        if hidden not in ("true", "false"):
            wrong_shape(spec, "`hidden`", "true or false", self._diagnostics)
        normal = name.replace("-", "_")
        decl = WordsDecl(subject, normal, **words, hidden=hidden == "true", span=spec.span)
        self.found.append(decl)
        return replace(spec, entries=tuple(rest))

    def _variables(self, node: YNode, prefix: str = "") -> YNode:
        if not isinstance(node, YMap):
            return self._named(node, "variable", (*PROSE, "hidden"))
        return _changed(node, lambda key, spec: self._variable(f"{prefix}{key.text}", spec))

    def _variable(self, name: str, spec: YNode) -> YNode:
        if not isinstance(spec, YMap):
            return spec
        if not {"type", "min", "max"} & {key.text for key, _ in spec.entries}:
            return self._variables(spec, f"{name}.")
        bare = name.partition("[")[0]  # `Seat.gems[Gem]`, `Seat.Space.influence`, `tile.number`
        first, _, rest = bare.partition(".")
        if rest and (first.lower() in ("seat", "player", "space") or first in self._groups):
            bare = rest
            first, _, rest = bare.partition(".")
            bare = rest if rest and first[:1].isupper() else bare
        return self._from(spec, "variable", bare, (*PROSE, "hidden"))

    def _tables(self, node: YNode) -> YNode:
        if not isinstance(node, YMap):
            return node
        return _changed(node, lambda key, spec: self._named(spec, "row", _BESIDE_TITLE))

    def _spaces(self, node: YNode) -> YNode:
        if not isinstance(node, YMap):
            return node
        return _changed(
            node, lambda key, spec: self._group(self._from(spec, "group", key.text, PROSE))
        )

    def _group(self, spec: YNode) -> YNode:
        if not isinstance(spec, YMap):
            return spec
        return _changed_at(spec, "spaces", lambda own: self._named(own, "space", _BESIDE_TITLE))

    # ------------------------------------------------------------ choices

    def _inside(self, node: YNode) -> YNode:
        """Words of choices, menu entries and parameters, at any depth."""
        if isinstance(node, YList):
            return replace(node, items=tuple(map(self._inside, node.items)))
        if not isinstance(node, YMap):
            return node
        return _changed(node, lambda key, spec: self._inside(self._choice(key.text, spec)))

    def _choice(self, key: str, spec: YNode) -> YNode:
        if key in _CHOICES and isinstance(spec, YMap):
            bind = spec.get("bind")
            name = bind.text.removeprefix("$") if isinstance(bind, YScalar) else ""
            return self._from(spec, "choice", name, PROSE)
        if key == "menu" and isinstance(spec, YMap):
            return _changed_at(spec, "options", lambda own: self._named(own, "label"))
        if key == "params" and isinstance(spec, YMap):
            return self._named(spec, "choice")
        return spec


def _changed(node: YMap, change: Callable[[YScalar, YNode], YNode]) -> YMap:
    return replace(node, entries=tuple((key, change(key, value)) for key, value in node.entries))


def _changed_at(node: YMap, wanted: str, change: Callable[[YNode], YNode]) -> YMap:
    return _changed(node, lambda key, value: change(value) if key.text == wanted else value)


_WITH_EFFECTS = frozenset((
    "actions", "operations", "specials", "procs", "flow", "phases", "phaseTemplates", "triggers",
    "events", "setup", "scenarios", "noMoves",
))  # fmt: skip


def _id_of(node: YNode) -> str:
    found = node.get("id") or node.get("name") if isinstance(node, YMap) else None
    return found.text if isinstance(found, YScalar) else ""
