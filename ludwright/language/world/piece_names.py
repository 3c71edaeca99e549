"""What people call each piece: `12-S`, `man#3`, `copper#7`, or by the author's template."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import PieceDecl
from ludwright.language.world.encoding import Universes, choices
from ludwright.language.world.values import suggest
from ludwright.program.world import PieceKind, Property, Table

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

# Gives one word of the name of the piece at a position of its kind.
_Word = Callable[[int], str]


class PieceNamer:
    """Names pieces so that no two of a game share a name."""

    def __init__(self, universes: Universes, diagnostics: Diagnostics) -> None:
        self._universes = universes
        self._diagnostics = diagnostics
        self._taken: set[str] = set()

    def names(
        self, kind: PieceKind, declaration: PieceDecl, table: Table | None
    ) -> tuple[str, ...]:
        fixed = [item for item in kind.properties if item.fixed]
        described = [item for item in fixed if item.name != "owner"]
        if declaration.notation is not None:
            stems = self._from_template(kind, declaration, declaration.notation, fixed, table)
        elif described:
            words = [self._word(item) for item in described]
            stems = ["-".join(word(at) for word in words) for at in range(kind.count)]
        else:
            return self._distinct(kind, [f"{kind.name}#{n}" for n in range(1, kind.count + 1)])
        return self._distinct(kind, _numbered(stems))

    def _word(self, item: Property) -> _Word:
        return lambda at: self._universes.show(item.initial[at], item.type)

    def _letter(
        self, kind: PieceKind, declaration: PieceDecl, item: Property, letters: str
    ) -> _Word:
        """`{rank:23456789TJQKA}`: one letter for each value of the property, in order."""
        lowest, size = item.type.lo, item.type.hi - item.type.lo + 1
        if len(letters) != size or len(set(letters)) != size:
            self._diagnostics.error(
                "bad-notation", declaration.span,
                f"`{item.name}` of `{kind.name}` has {size} values, but its notation gives "
                f"{len(set(letters))} different letters",
                f"write one letter for each value, in order: `{{{item.name}:…}}`",
            )  # fmt: skip
            return self._word(item)
        return lambda at: letters[item.initial[at] - lowest]

    def _column_word(self, table: Table, column: str, rows: Property) -> _Word:
        attribute = table.columns[column]

        def word(at: int) -> str:
            value = attribute.values[rows.initial[at]]
            if isinstance(value, int):
                return self._universes.show(value, attribute.type)
            items = attribute.type.items
            types = items if attribute.type.kind == "tuple" else items * len(value)
            shown = zip(value, types, strict=True)
            return ",".join(self._universes.show(item, type_) for item, type_ in shown)

        return word

    def _from_template(
        self,
        kind: PieceKind,
        declaration: PieceDecl,
        template: str,
        fixed: list[Property],
        table: Table | None,
    ) -> list[str]:
        words: dict[str, _Word] = {item.name: self._word(item) for item in fixed}
        rows = next((item for item in fixed if item.name == "row"), None)
        if table is not None and rows is not None:
            for column in table.columns:
                words.setdefault(column, self._column_word(table, column, rows))
        parts = _PLACEHOLDER.split(template)  # text, name, text, name, …, text
        for spelled in parts[1::2]:
            name, colon, letters = spelled.partition(":")
            item = next((item for item in fixed if item.name == name), None)
            if colon and item is not None:
                words[spelled] = self._letter(kind, declaration, item, letters)
            elif spelled not in words:
                changeable = any(item.name == name for item in kind.properties)
                why = "may change during the game" if changeable else "is not one of its properties"
                self._diagnostics.error(
                    "bad-notation", declaration.span,
                    f"the notation of `{kind.name}` uses `{{{name}}}`, which {why}",
                    suggest(name, words, choices(words) or "leave out `notation:`"),
                )  # fmt: skip
        if any("{" in text or "}" in text for text in parts[::2]):
            self._diagnostics.error(
                "bad-notation", declaration.span,
                f"the notation of `{kind.name}` has an unpaired brace",
                'write for example "{rank}{suit}"',
            )  # fmt: skip
        return [
            "".join(
                part if position % 2 == 0 else words[part](at) if part in words else part
                for position, part in enumerate(parts)
            )
            for at in range(kind.count)
        ]

    def _distinct(self, kind: PieceKind, names: list[str]) -> tuple[str, ...]:
        """Names that another kind has already taken are all led by the kind's name."""
        if any(name in self._taken for name in names):
            names = [f"{kind.name}:{name}" for name in names]
        distinct: list[str] = []
        for name in names:
            free = name
            while free in self._taken:
                free += "'"
            self._taken.add(free)
            distinct.append(free)
        return tuple(distinct)


def _numbered(stems: list[str]) -> list[str]:
    """`copper#1`, `copper#2` where several pieces would have one name."""
    repeated = {stem for stem, times in Counter(stems).items() if times > 1}
    used: Counter[str] = Counter()
    names: list[str] = []
    for stem in stems:
        used[stem] += 1
        names.append(f"{stem}#{used[stem]}" if stem in repeated or not stem else stem)
    return names
