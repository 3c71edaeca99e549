"""The `spaces:` block: groups of spaces, and maps written out."""

from __future__ import annotations

from typing import Literal, cast

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import SpaceGroup, SpaceItem
from ludwright.language.parsing.declarations import (
    attribute_name,
    attributes,
    read_limits,
    spec_fields,
)
from ludwright.language.parsing.fields import (
    Fields,
    Unique,
    identifier,
    is_null,
    kebab_identifier,
    named_entries,
    scalars,
    wrong_shape,
)
from ludwright.language.parsing.longform import value
from ludwright.language.parsing.shapes import read_shape
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.wording import shorten
from ludwright.language.tree import Expr

FARTHEST = 1_000_000  # of a point on a map


def read_spaces(node: YNode | None, diagnostics: Diagnostics) -> tuple[SpaceGroup, ...]:
    found: list[SpaceGroup] = []
    if isinstance(node, YList) and all(isinstance(item, YScalar) for item in node.items):
        spaces = ", ".join(item.text for item in node.items if isinstance(item, YScalar))
        wrong_shape(
            node, "`spaces`", "groups of spaces, each with a name", diagnostics,
            f"spaces: {{ map: {{ spaces: [{shorten(spaces)}] }} }}",
        )  # fmt: skip
        return ()
    for key, spec in named_entries(node, "spaces", diagnostics):
        name = identifier(key, "a group of spaces", diagnostics)
        fields = spec_fields(
            spec, key, f"the group of spaces `{name}`", diagnostics, "grid: [8, 8]"
        )
        found.append(_group(name, key, fields))
    return tuple(found)


def _group(name: str, key: YScalar, fields: Fields) -> SpaceGroup:
    diagnostics = fields.diagnostics
    shape = read_shape(name, key, fields)
    items = _items(fields)
    if shape.kind != "list" and fields.has("spaces"):
        diagnostics.error(
            "wrong-value",
            key.span,
            f"the group of spaces `{name}` is a {shape.kind} and also lists its spaces",
            f"keep either `{shape.kind}` or `spaces`",
        )
    computed = fields.get("attributes")
    keep, keep_if = _keep(fields)
    group = SpaceGroup(
        name,
        shape.kind,
        shape.size,
        items,
        cast(
            Literal["orthogonal", "diagonal", "all"],
            fields.choice("adjacency", ("orthogonal", "diagonal", "all"), "orthogonal"),
        ),
        keep,
        fields.flag("loop"),
        fields.flag("oneWay"),
        cast(Literal["chess", "numbers"], fields.choice("names", ("chess", "numbers"), "chess")),
        () if computed is None else attributes(computed, diagnostics),
        read_limits(fields),
        tuple(kind.text for kind in fields.scalars("of")),
        shape.form,
        keep_if,
        shape.base,
        cast(
            Literal["bag", "row", "stack"], fields.choice("order", ("bag", "row", "stack"), "bag")
        ),
        shape.layout,
        shape.legend,
        shape.top,
        span=key.span,
    )
    fields.finish()
    return group


def _keep(fields: Fields) -> tuple[Literal["all", "dark", "light"], Expr | None]:
    """`keep: dark`, or a condition about the space `it`."""
    node = fields.get("keep")
    if isinstance(node, YScalar) and node.text in ("all", "dark", "light"):
        return cast(Literal["all", "dark", "light"], node.text), None
    return "all", None if node is None else value(node, fields.diagnostics)


class _Map:
    """Spaces written out, and the edges between them, before they are joined."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self.names: dict[str, YScalar] = {}
        self.titles: dict[str, str] = {}
        self.adjacent: dict[str, list[str]] = {}
        self.directions: dict[str, list[tuple[str, str]]] = {}
        self.attributes: dict[str, tuple[tuple[str, Expr], ...]] = {}
        self.points: dict[str, tuple[int, int] | None] = {}
        self.unique = Unique("a space", diagnostics)

    def add(self, key: YScalar, spec: YNode) -> None:
        name, title = kebab_identifier(key, "a space", self.diagnostics)
        if not self.unique.add(name, key.span):
            return
        self.names[name] = key
        self.titles[name] = title
        self.adjacent[name] = []
        self.directions[name] = []
        self.attributes[name] = ()
        self.points[name] = None
        if is_null(spec):
            return
        if not isinstance(spec, YMap):
            wrong_shape(spec, f"the space `{key.text}`", "a mapping", self.diagnostics)
            return
        fields = Fields(spec, f"the space `{key.text}`", self.diagnostics)
        self.titles[name] = fields.text("title") or title
        self.points[name] = self.point(fields)
        self.neighbours(name, fields)
        self.attributes[name] = tuple(
            (attribute_name(attribute, self.diagnostics), value(node, self.diagnostics))
            for attribute, node in fields.rest()
        )

    def point(self, fields: Fields) -> tuple[int, int] | None:
        """`at: [x, y]`: where a map is to draw the space, from the left and from above."""
        node = fields.get("at")
        if node is None:
            return None
        parts = node.items if isinstance(node, YList) else ()
        found = [part.value for part in parts if isinstance(part, YScalar)]
        whole = [value for value in found if type(value) is int and abs(value) <= FARTHEST]
        if len(whole) != 2 or len(parts) != 2:
            self.diagnostics.error(
                "wrong-value",
                node.span,
                f"`at` is where a map draws the space: two whole numbers up to {FARTHEST}",
                "write `at: [40, 25]`: 40 from the left, 25 from above",
            )
            return None
        return whole[0], whole[1]

    def neighbours(self, name: str, fields: Fields) -> None:
        """`adjacent: [a, b]`, or by direction: `adjacent: { north: a }`."""
        node = fields.get("adjacent")
        if isinstance(node, YMap):
            for direction, target in node.entries:
                word = identifier(direction, "a direction", self.diagnostics)
                for space in scalars(target, "`adjacent`", self.diagnostics):
                    self.directions[name].append((word, self.normal(space)))
        elif node is not None:
            self.adjacent[name] += [
                self.normal(space) for space in scalars(node, "`adjacent`", self.diagnostics)
            ]

    def normal(self, node: YScalar) -> str:
        return kebab_identifier(node, "a space", self.diagnostics)[0]

    def edge(self, item: YNode) -> None:
        """`[a, b]`, or `[a, b, north]`: from a north to b."""
        parts = item.items if isinstance(item, YList) else ()
        ends = [part for part in parts if isinstance(part, YScalar)]
        if len(ends) != len(parts) or len(ends) not in (2, 3):
            self.diagnostics.error(
                "wrong-value",
                item.span,
                "an edge names two spaces, and a direction if there is one",
                "write `[a, b]` or `[a, b, north]`",
            )
            return
        start, end = self.normal(ends[0]), self.normal(ends[1])
        if start not in self.names:
            self.diagnostics.error(
                "unknown-space",
                ends[0].span,
                f"there is no space `{ends[0].text}` in this group",
                "list it under `spaces`",
            )
            return
        if len(ends) == 3:
            word = identifier(ends[2], "a direction", self.diagnostics)
            self.directions[start].append((word, end))
        else:
            self.adjacent[start].append(end)

    def items(self) -> tuple[SpaceItem, ...]:
        return tuple(
            SpaceItem(
                name,
                tuple(dict.fromkeys(self.adjacent[name])),
                tuple(dict.fromkeys(self.directions[name])),
                self.attributes[name],
                self.titles[name],
                self.points[name],
                span=key.span,
            )
            for name, key in self.names.items()
        )


def _items(fields: Fields) -> tuple[SpaceItem, ...]:
    """`spaces: { port: {…} }`, `[port, hill]`, or `[{ id: port, … }]`; then `edges`."""
    node = fields.get("spaces")
    board = _Map(fields.diagnostics)
    if isinstance(node, YList) and all(isinstance(item, YScalar) for item in node.items):
        for item in node.items:
            if isinstance(item, YScalar):
                board.add(item, YMap((), item.span))
    else:
        for key, spec in named_entries(node, "spaces", fields.diagnostics):
            board.add(key, spec)
    edges = fields.list("edges")
    for item in edges.items if edges is not None else ():
        board.edge(item)
    return board.items()
