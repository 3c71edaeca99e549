"""Blocks that declare things: parameters, seats, variables, spaces, zones, pieces, tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, cast

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.gamedef import (
    EnumDecl,
    LimitDecl,
    MarkerConstraint,
    MarkerDecl,
    Parameter,
    PieceDecl,
    SeatDecl,
    TableDecl,
    TableRow,
    TypeExpr,
    VarDecl,
    ZoneDecl,
)
from ludwright.language.parsing.fields import (
    Fields,
    Unique,
    dotted_identifier,
    identifier,
    is_null,
    kebab_identifier,
    named_entries,
    scalars,
    wrong_shape,
)
from ludwright.language.parsing.longform import needed_value, optional_value, value
from ludwright.language.parsing.types_text import Declared, read_long_type, read_type
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.wording import shorten
from ludwright.language.tree import Expr

See = Literal["all", "owner", "none"]


def read_parameters(node: YNode | None, diagnostics: Diagnostics) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    for key, spec in named_entries(node, "parameters", diagnostics):
        name = identifier(key, "a parameter", diagnostics)
        fields = Fields(spec, f"the parameter `{name}`", diagnostics) if isinstance(
            spec, YMap
        ) else None  # fmt: skip
        given = fields.need("default") if fields is not None else spec
        default: int | bool | None = None
        if isinstance(given, YScalar) and isinstance(given.value, (int, bool)):
            default = given.value
        elif given is not None:
            diagnostics.error(
                "wrong-value",
                given.span,
                f"the parameter `{name}` needs a whole number, true or false",
                f"write `{name}: 3`",
            )
        if fields is None:
            found.append(Parameter(name, default if default is not None else 0, span=key.span))
            continue
        low = fields.integer("min") if fields.get("min") is not None else None
        high = fields.integer("max") if fields.get("max") is not None else None
        if default is None:  # this has been told; a number in the range leads to no more mistakes
            default = low or 0
        found.append(Parameter(name, default, low, high, fields.text("doc"), span=key.span))
        fields.finish()
    return tuple(found)


def read_seats(node: YNode | None, diagnostics: Diagnostics) -> tuple[SeatDecl, ...]:
    """`seats: [white, black]` or `seats: { white: { home: 1 } }`."""
    if isinstance(node, YList) and all(isinstance(item, YScalar) for item in node.items):
        return tuple(
            SeatDecl(identifier(item, "a seat", diagnostics), span=item.span)
            for item in node.items
            if isinstance(item, YScalar)
        )
    if isinstance(node, YScalar) and "," not in node.text:
        example = "seats: [red, blue]"
        wrong_shape(node, "`seats`", "a list of the names of seats", diagnostics, example)
        return ()
    found: list[SeatDecl] = []
    for key, spec in named_entries(node, "seats", diagnostics):
        name = identifier(key, "a seat", diagnostics)
        found.append(SeatDecl(name, attributes(spec, diagnostics), span=key.span))
    return tuple(found)


def attributes(node: YNode, diagnostics: Diagnostics) -> tuple[tuple[str, Expr], ...]:
    """Constants of the author's choice: `{ home: 1, kind: city }`."""
    if is_null(node):
        return ()
    if not isinstance(node, YMap):
        wrong_shape(node, "Attributes", "a mapping", diagnostics)
        return ()
    return tuple(
        (attribute_name(key, diagnostics), value(spec, diagnostics)) for key, spec in node.entries
    )


def attribute_name(key: YScalar, diagnostics: Diagnostics) -> str:
    # Attributes stand after a dot, where every word is free.
    return identifier(key, "an attribute", diagnostics, any_word=True)


def read_enums(node: YNode | None, diagnostics: Diagnostics) -> tuple[EnumDecl, ...]:
    found: list[EnumDecl] = []
    for key, spec in named_entries(node, "enums", diagnostics):
        name = identifier(key, "an enum", diagnostics)
        if isinstance(spec, YMap):
            fields = Fields(spec, f"the enum `{name}`", diagnostics)
            given = fields.need("values")
            fields.finish()
        else:
            given = spec
        values = words(given, f"the enum `{name}`", diagnostics)
        found.append(EnumDecl(name, values, span=key.span))
    return tuple(found)


def words(node: YNode | None, what: str, diagnostics: Diagnostics) -> tuple[str, ...]:
    """A list of names, each once."""
    if node is None:
        return ()
    if not isinstance(node, YList):
        wrong_shape(node, what, "a list of names", diagnostics)
        return ()
    unique = Unique("a value", diagnostics)
    found: list[str] = []
    for item in scalars(node, what, diagnostics):
        name = identifier(item, "a value", diagnostics)
        if unique.add(name, item.span):
            found.append(name)
    return tuple(found)


# --------------------------------------------------------------------- variables


def read_vars(node: YNode | None, diagnostics: Diagnostics) -> tuple[VarDecl, ...]:
    found: list[VarDecl] = []
    if isinstance(node, YMap):
        _collect_vars(node, "", found, diagnostics)
    else:
        for key, spec in named_entries(node, "variables", diagnostics):
            found.append(_variable(key, key.text, spec, diagnostics))
    return tuple(found)


def _collect_vars(node: YMap, prefix: str, found: list[VarDecl], diagnostics: Diagnostics) -> None:
    for key, spec in node.entries:
        name = prefix + key.text
        if isinstance(spec, YMap) and not {"type", "min", "max"} & {
            k.text for k, _ in spec.entries
        }:
            _collect_vars(spec, name + ".", found, diagnostics)
        else:
            found.append(_variable(key, name, spec, diagnostics))


_SCOPES: dict[str, Literal["seat", "space"]] = {
    "Seat": "seat",
    "seat": "seat",
    "Player": "seat",
    "Space": "space",
    "space": "space",
}


_MISSPELT_SCOPES = {
    **dict.fromkeys(("player", "players", "Players", "seats", "Seats"), "Seat"),
    **dict.fromkeys(("spaces", "Spaces"), "Space"),
}


def _variable(key: YScalar, full: str, spec: YNode, diagnostics: Diagnostics) -> VarDecl:
    if "=" in full:
        name, start = (part.strip() for part in full.split("=", 1))
        told = f"`{shorten(key.text)}` has no colon, and does not say which numbers"
        hint = f"write `{name}: 0..9 = {start}`, with the smallest and the largest number"
        diagnostics.error("invalid-name", key.span, told, hint)
        diagnostics.spoilt.add(name)
        full, spec = name, YScalar("0..1000000", "0..1000000", key.quoted, key.span)
    first, dot, rest = full.partition(".")
    scope: Literal["global", "seat", "space"] = "global"
    name = full
    if dot and first in _MISSPELT_SCOPES:
        meant = _MISSPELT_SCOPES[first]
        diagnostics.error(
            "invalid-name",
            key.span,
            f"`{full}` would be one variable of the whole game",
            f"for one of each, write `{meant}.{rest}`",
        )
        first = meant
    if dot and first in _SCOPES:
        scope, name = _SCOPES[first], rest
    name, each = _index_of(name, scope, key, diagnostics)
    word = YScalar(name, name, key.quoted, key.span)
    dotted_identifier(word, "a variable", diagnostics, behind_dot=scope != "global")
    history, see = False, "all"
    if isinstance(spec, YMap):
        fields = Fields(spec, f"the variable `{full}`", diagnostics)
        declared = read_long_type(fields)
        history = fields.flag("history")
        see = fields.choice("see", ("all", "owner", "none"), "all")
        fields.finish()
    else:
        declared = read_type(spec, diagnostics)
    return VarDecl(
        name,
        scope,
        declared.type,
        declared.default,
        declared.overflow,
        history,
        cast(See, see),
        each,
        span=key.span,
    )


def _index_of(
    name: str, scope: str, key: YScalar, diagnostics: Diagnostics
) -> tuple[str, TypeExpr | None]:
    """`gems[Gem]`, or `Gem.gems` behind `Seat.`: the name, and what it is kept for."""
    name, bracket, index = name.partition("[")
    first, dot, rest = name.partition(".")
    indices = [index[:-1]] if bracket and index.endswith("]") else []
    if scope != "global" and dot and first[:1].isupper():  # a type: `Seat.Card.level`
        kind = _SCOPES[first].capitalize() if first in _SCOPES else first
        name, indices = rest, [kind, *indices]
    if len(indices) > 1 or "[" in index or (bracket and not index.endswith("]")):
        diagnostics.error(
            "variable-index",
            key.span,
            f"`{key.text}` has more than one index, or one that does not end",
            "a variable of seats, of spaces, or of the game has one index: `Seat.gems[Gem]`",
        )
        return name, None
    if not indices:
        return name, None
    return name, read_type(YScalar(indices[0], indices[0], key.quoted, key.span), diagnostics).type


def with_groups(variables: tuple[VarDecl, ...], groups: Iterable[str]) -> tuple[VarDecl, ...]:
    """`tile.number`, where `tile` is a group of spaces, is a variable of those spaces."""
    known = set(groups)

    def of_group(declared: VarDecl) -> VarDecl:
        group, dot, name = declared.name.partition(".")
        if declared.scope != "global" or not dot or group not in known:
            return declared
        return replace(declared, name=name, scope="space", on=group)

    return tuple(of_group(declared) for declared in variables)


# ------------------------------------------------------------- zones and pieces


def read_limits(fields: Fields) -> tuple[LimitDecl, ...]:
    """`max: 3` and `limits: [{ of: c, max: 2 }]`."""
    found: list[LimitDecl] = []
    most = fields.get("max")
    if most is not None:
        found.append(LimitDecl(value(most, fields.diagnostics), span=most.span))
    given = fields.list("limits")
    for item in given.items if given is not None else ():
        if not isinstance(item, YMap):
            wrong_shape(item, "a limit", "a mapping with `max`", fields.diagnostics)
            continue
        limit = Fields(item, "a limit", fields.diagnostics)
        found.append(
            LimitDecl(
                needed_value(limit, "max"),
                optional_value(limit, "of"),
                optional_value(limit, "where"),
                span=item.span,
            )
        )
        limit.finish()
    return tuple(found)


def read_zones(node: YNode | None, diagnostics: Diagnostics) -> tuple[ZoneDecl, ...]:
    found: list[ZoneDecl] = []
    for key, spec in named_entries(node, "zones", diagnostics):
        name = identifier(key, "a zone", diagnostics)
        fields = spec_fields(spec, key, f"the zone `{name}`", diagnostics, "order: row")
        of = tuple(kind.text for kind in fields.scalars("of"))
        each, index = _zone_each(fields, diagnostics)
        found.append(
            ZoneDecl(
                name,
                each,
                of,
                cast(
                    Literal["bag", "row", "stack", "deck"],
                    fields.choice("order", ("bag", "row", "stack", "deck"), "bag"),
                ),
                cast(
                    Literal["all", "owner", "none", "top", "count"],
                    fields.choice("see", ("all", "owner", "none", "top", "count"), "all"),
                ),
                read_limits(fields),
                cast(Literal["none", "all"], fields.choice("init", ("none", "all"), "none")),
                index,
                span=key.span,
            )
        )
        fields.finish()
    return tuple(found)


def _zone_each(
    fields: Fields, diagnostics: Diagnostics
) -> tuple[Literal["seat", "none"], TypeExpr | None]:
    """Whose the zones are: one for each seat, or one for each member of a type."""
    node = fields.get("each")
    if node is None or (isinstance(node, YScalar) and node.text == "none"):
        return "none", None
    index = read_type(node, diagnostics).type
    if (index.kind, index.name, index.optional) == ("name", "Seat", False):
        return "seat", None
    return "none", index


def spec_fields(
    node: YNode, key: YScalar, what: str, diagnostics: Diagnostics, example: str = ""
) -> Fields:
    """The mapping behind a name; an empty one where there is nothing or something else."""
    if isinstance(node, YMap):
        return Fields(node, what, diagnostics)
    if not is_null(node):
        whole = f"{key.text}: {{ {example} }}" if example else ""
        wrong_shape(node, what, "a mapping", diagnostics, whole)
    return Fields(YMap((), key.span), what, diagnostics)


def read_pieces(node: YNode | None, diagnostics: Diagnostics) -> tuple[PieceDecl, ...]:
    found: list[PieceDecl] = []
    for key, spec in named_entries(node, "pieces", diagnostics):
        name = identifier(key, "a kind of piece", diagnostics)
        number = spec.value if isinstance(spec, YScalar) else None
        example = f"count: {number}" if type(number) is int else "owner: seat"
        fields = spec_fields(spec, key, f"the piece `{name}`", diagnostics, example)
        found.append(_piece(name, key.span, fields))
    return tuple(found)


def _piece(name: str, span: Span, fields: Fields) -> PieceDecl:
    diagnostics = fields.diagnostics
    owner = fields.text("owner") or None
    count = optional_value(fields, "count")
    each, rows = _each(fields)
    notation = fields.text("notation") or None
    individual = fields.flag("individual")
    if fields.flag("alike"):
        individual = False
    props: list[tuple[str, TypeExpr, Expr | None]] = []
    given = fields.mapping("props")
    overflows: list[tuple[str, Literal["clamp", "refuse"]]] = []
    entries = [*fields.rest(), *(given.entries if given is not None else ())]
    for key, spec in entries:
        declared = read_type(spec, diagnostics)
        called = attribute_name(key, diagnostics)
        props.append((called, declared.type, declared.default))
        if declared.overflow != "fault":
            overflows.append((called, declared.overflow))
    return PieceDecl(
        name, owner, tuple(props), each, rows, count, notation, individual, tuple(overflows),
        span=span,
    )  # fmt: skip


def _each(fields: Fields) -> tuple[tuple[tuple[str, TypeExpr], ...], str | None]:
    """`each: { rank: 2..14, suit: [C, D] }`, or `each: Card`, the rows of a table."""
    node = fields.get("each")
    if isinstance(node, YScalar):
        return (), identifier(node, "a table", fields.diagnostics)
    given = fields.mapping("each")
    found: list[tuple[str, TypeExpr]] = []
    for key, spec in given.entries if given is not None else ():
        declared: Declared = read_type(spec, fields.diagnostics)
        found.append((attribute_name(key, fields.diagnostics), declared.type))
    return tuple(found), None


# ------------------------------------------------------------- markers and tables


def read_markers(node: YNode | None, diagnostics: Diagnostics) -> tuple[MarkerDecl, ...]:
    """`support: [opposed, neutral, supported]`, or with `states`, `default`, `on`, `global`."""
    found: list[MarkerDecl] = []
    for key, spec in named_entries(node, "markers", diagnostics):
        name = identifier(key, "a marker", diagnostics)
        if isinstance(spec, YList):
            states = words(spec, f"the marker `{name}`", diagnostics)
            found.append(MarkerDecl(name, states, states[0] if states else "", span=key.span))
            continue
        fields = spec_fields(spec, key, f"the marker `{name}`", diagnostics)
        states = words(fields.need("states"), "`states`", diagnostics)
        first = states[0] if states else ""
        default = fields.choice("default", states, first, "defaultState") if states else first
        on = fields.text("on") or None
        is_global = fields.flag("global", "isGlobal")
        constraints = _constraints(fields, states)
        fields.finish()
        found.append(MarkerDecl(name, states, default, on, is_global, constraints, span=key.span))
    return tuple(found)


def _constraints(fields: Fields, states: tuple[str, ...]) -> tuple[MarkerConstraint, ...]:
    given = fields.list("constraints")
    found: list[MarkerConstraint] = []
    for item in given.items if given is not None else ():
        if not isinstance(item, YMap):
            wrong_shape(item, "a constraint", "a mapping", fields.diagnostics)
            continue
        inner = Fields(item, "a constraint", fields.diagnostics)
        when = needed_value(inner, "when")
        allowed = words(inner.need("allowed", "allowedStates"), "`allowed`", fields.diagnostics)
        inner.finish()
        for state in allowed:
            if state not in states:
                fields.diagnostics.error(
                    "wrong-value",
                    item.span,
                    f"`{state}` is not a state of this marker",
                    f"the states are {', '.join(states)}",
                )
        found.append(MarkerConstraint(when, allowed, span=item.span))
    return tuple(found)


def read_tables(node: YNode | None, diagnostics: Diagnostics) -> tuple[TableDecl, ...]:
    found: list[TableDecl] = []
    if node is not None and not isinstance(node, YMap):
        wrong_shape(node, "`tables`", "a mapping of names", diagnostics)
        return ()
    for key, spec in node.entries if node is not None else ():
        name = identifier(key, "a table", diagnostics)
        table = _table(name, key, spec, diagnostics)
        if table is not None:
            found.append(table)
    return tuple(found)


def _by_number(spec: YNode) -> bool:
    """`[0, 1, 3]` or `{ 0: 0, 1: 1 }`: values that are meant to be looked up by a number."""
    if isinstance(spec, YList):
        return bool(spec.items) and all(isinstance(item, YScalar) for item in spec.items)
    return (
        isinstance(spec, YMap)
        and bool(spec.entries)
        and all(key.text.isdecimal() for key, _ in spec.entries)
    )


def _numbers(spec: YNode) -> list[str]:
    if isinstance(spec, YList):
        return [item.text for item in spec.items if isinstance(item, YScalar)]
    assert isinstance(spec, YMap)
    return [item.text for _, item in spec.entries if isinstance(item, YScalar)]


def _table(name: str, key: YScalar, spec: YNode, diagnostics: Diagnostics) -> TableDecl | None:
    unique = Unique("a row", diagnostics)
    if _by_number(spec):
        numbered = ", ".join(_numbers(spec))
        diagnostics.error(
            "wrong-shape",
            spec.span,
            f"the rows of the table `{name}` have neither names nor columns",
            f'for values by number write a function: `fns: {{ {name}(n): "[{numbered}][n]" }}`',
        )
        diagnostics.spoilt.add(name)
        return None
    if isinstance(spec, YList):
        rows = [_row(item, unique, diagnostics) for item in spec.items]
        return TableDecl(name, tuple(row for row in rows if row is not None), span=key.span)
    if not isinstance(spec, YMap):
        wrong_shape(spec, f"the table `{name}`", "a list of rows", diagnostics)
        return TableDecl(name, (), span=key.span)
    if {entry.text for entry, _ in spec.entries} == {"cols", "rows"}:
        return TableDecl(name, _grid_rows(spec, unique, diagnostics), span=key.span)
    keyed: list[TableRow] = []
    for row_key, cells in spec.entries:
        row_name, title = kebab_identifier(row_key, "a row", diagnostics)
        unique.add(row_name, row_key.span)
        if isinstance(cells, YMap):
            row = _cells(cells, diagnostics)
            keyed.append(TableRow(row_name, row[0], row[1] or title, span=row_key.span))
        else:
            cell = (("value", value(cells, diagnostics)),)
            keyed.append(TableRow(row_name, cell, title, span=row_key.span))
    return TableDecl(name, tuple(keyed), True, span=key.span)


def _row(item: YNode, unique: Unique, diagnostics: Diagnostics) -> TableRow | None:
    if not isinstance(item, YMap):
        wrong_shape(item, "a row", "a mapping of columns", diagnostics)
        return None
    name, title = _row_name(item.get("id"), unique, diagnostics)
    cells = tuple(entry for entry in item.entries if entry[0].text != "id")
    values, given = _cells(YMap(cells, item.span), diagnostics)
    return TableRow(name, values, given or title, span=item.span)


def _row_name(
    node: YNode | None, unique: Unique, diagnostics: Diagnostics
) -> tuple[str | None, str]:
    if node is None:
        return None, ""
    if not isinstance(node, YScalar):
        wrong_shape(node, "`id`", "a name", diagnostics)
        return None, ""
    name, title = kebab_identifier(node, "a row", diagnostics)
    unique.add(name, node.span)
    return name, title


def _cells(node: YMap, diagnostics: Diagnostics) -> tuple[tuple[tuple[str, Expr], ...], str]:
    """Columns of one row; `title` is text to show, not a column."""
    fields = Fields(node, "a row", diagnostics)
    title = fields.text("title")
    return tuple(
        (attribute_name(key, diagnostics), value(cell, diagnostics)) for key, cell in fields.rest()
    ), title


def _grid_rows(spec: YMap, unique: Unique, diagnostics: Diagnostics) -> tuple[TableRow, ...]:
    fields = Fields(spec, "the table", diagnostics)
    columns = list(fields.scalars("cols"))
    rows = fields.list("rows")
    found: list[TableRow] = []
    for item in rows.items if rows is not None else ():
        if not isinstance(item, YList) or len(item.items) != len(columns):
            diagnostics.error(
                "table-row",
                item.span,
                f"a row of this table has {len(columns)} values, one per column",
                "write " + "[" + ", ".join(column.text for column in columns) + "]",
            )
            continue
        entries = tuple(zip(columns, item.items, strict=True))
        row = _row(YMap(entries, item.span), unique, diagnostics)
        if row is not None:
            found.append(row)
    return tuple(found)
