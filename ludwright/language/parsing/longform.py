"""Values in the node spelling: `{op: '+', left: …}`, `{ref: gvar, …}`, `{query: …}`.

Every node gives exactly the tree of its short form. Wherever a value may stand, text is read
as a short expression and a YAML list as a list; the two spellings mix freely.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.parsing.expressions import parse_field, tree_height
from ludwright.language.parsing.fields import Fields, identifier, is_null, runtime_name
from ludwright.language.parsing.source import BROKEN, MAX_DEPTH
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.wording import shorten
from ludwright.language.tree import (
    Attr,
    Binary,
    BinaryOp,
    BoolLit,
    Call,
    Clause,
    Comp,
    Cond,
    Expr,
    For,
    If,
    Index,
    IntLit,
    ListLit,
    Name,
    Unary,
)
from ludwright.program.types import INT_MAX
from ludwright.spelling import did_you_mean

TOKEN = "$token"  # the implicit name of a piece in a filter
ZONE = "$zone"  # and of a space

_ZONE_SELECTOR = re.compile(r"([A-Za-z][\w-]*):(\$?[A-Za-z][\w]*|[0-9]+)")
_KEBAB = re.compile(r"[A-Za-z]\w*(-\w+)+")
_RUNTIME_KEYS = ("concat", "zoneExpr", "join", "template")


# ------------------------------------------------------------------- entry points


def value(node: YNode, diagnostics: Diagnostics) -> Expr:
    """Any expression in either spelling; a broken one becomes the name `BROKEN`."""
    return _bounded(_value(node, diagnostics), node.span, diagnostics)


def _bounded(found: Expr, span: Span, diagnostics: Diagnostics) -> Expr:
    if tree_height(found) <= MAX_DEPTH:
        return found
    diagnostics.error(
        "syntax-too-deep",
        span,
        f"this expression has more than {MAX_DEPTH} levels",
        "give parts of it names under `fns:`",
    )
    return broken(span)


def broken(span: Span | None) -> Expr:
    return Name(BROKEN, span=span)


def optional_value(fields: Fields, key: str, *aliases: str) -> Expr | None:
    node = fields.get(key, *aliases)
    return None if node is None else value(node, fields.diagnostics)


def needed_value(fields: Fields, key: str, *aliases: str) -> Expr:
    node = fields.need(key, *aliases)
    return broken(fields.span) if node is None else value(node, fields.diagnostics)


def zone(node: YNode, diagnostics: Diagnostics) -> Expr:
    """A place: `deck:none`, `hand:actor`, `$x`, or any short expression."""
    if not isinstance(node, YScalar):
        return value(node, diagnostics)
    if "{" in node.text:
        runtime_name(node.span, diagnostics)
        return broken(node.span)
    selector = _ZONE_SELECTOR.fullmatch(node.text)
    if selector is None:
        if _KEBAB.fullmatch(node.text):
            return Name(node.text.replace("-", "_"), span=node.span)
        return value(node, diagnostics)
    name, owner = selector.group(1).replace("-", "_"), selector.group(2)
    if owner == "none":
        return Name(name, span=node.span)
    seat: Expr = Name(owner, span=node.span)
    if owner.isdigit():
        seat = Index(Name("seats"), IntLit(min(int(owner[:9]), INT_MAX)), span=node.span)
    return Call(name, (seat,), span=node.span)


def needed_zone(fields: Fields, key: str) -> Expr:
    node = fields.need(key)
    return broken(fields.span) if node is None else zone(node, fields.diagnostics)


def filtered(
    head: str, source: Expr, condition: Expr | None, span: Span | None, *before: Clause
) -> Expr:
    """`head for head in source if condition`; just the source where nothing is filtered."""
    if condition is None and not before:
        return source
    clauses: list[Clause] = [*before, For((head,), source)]
    if condition is not None:
        clauses.append(If(condition))
    return Comp(Name(head), tuple(clauses), span=span)


def token_filter(node: YNode | None, diagnostics: Diagnostics) -> Expr | None:
    """A list of `{prop, op, value}` (all must hold), `and`/`or` of them, or a condition."""
    if node is None:
        return None
    if isinstance(node, YList) and not node.items:
        return None
    return _bounded(_filter(node, diagnostics), node.span, diagnostics)


def _filter(node: YNode, diagnostics: Diagnostics) -> Expr:
    if isinstance(node, YList):
        parts = [_filter(item, diagnostics) for item in node.items]
        return _joined_needed("and", parts, node.span)
    if not isinstance(node, YMap):
        return _value(node, diagnostics)
    fields = Fields(node, "a filter", diagnostics)
    if fields.has("prop"):
        return _property_filter(fields)
    for word in ("and", "or"):
        if fields.has(word):
            given = fields.list(word)
            fields.finish()
            items = given.items if given is not None else ()
            return _joined_needed(word, [_filter(item, diagnostics) for item in items], node.span)
    op = node.get("op")
    args = node.get("args")
    if isinstance(op, YScalar) and op.text in ("and", "or") and isinstance(args, YList):
        return _joined_needed(
            op.text, [_filter(item, diagnostics) for item in args.items], node.span
        )
    return _value(node, diagnostics)


def _property_filter(fields: Fields) -> Expr:
    prop = fields.text("prop")
    op = fields.choice("op", ("eq", "neq", "in", "notIn", "==", "!=", "<", "<=", ">", ">="), "eq")
    names: dict[str, str] = {"eq": "==", "neq": "!=", "notIn": "not in"}
    wanted = _needed(fields, "value")
    fields.finish()
    operator = cast(BinaryOp, names.get(op, op))
    return Binary(operator, Attr(Name(TOKEN), prop), wanted, span=fields.span)


def _joined(word: str, parts: list[Expr], span: Span) -> Expr | None:
    if not parts:
        return None
    joined = parts[0]
    for part in parts[1:]:
        joined = Binary(cast(BinaryOp, word), joined, part, span=span)
    return joined


def _joined_needed(word: str, parts: list[Expr], span: Span) -> Expr:
    joined = _joined(word, parts, span)
    return joined if joined is not None else BoolLit(word == "and", span=span)


# -------------------------------------------------------------------------- nodes


def _needed(fields: Fields, key: str, *aliases: str) -> Expr:
    node = fields.need(key, *aliases)
    return broken(fields.span) if node is None else _value(node, fields.diagnostics)


def _value(node: YNode, diagnostics: Diagnostics) -> Expr:
    if isinstance(node, YScalar):
        return _scalar(node, diagnostics)
    if isinstance(node, YList):
        return _list(node, diagnostics)
    return _mapping(node, diagnostics)


def _scalar(node: YScalar, diagnostics: Diagnostics) -> Expr:
    if type(node.value) is bool:
        return BoolLit(node.value, span=node.span)
    if type(node.value) is int:
        if abs(node.value) > INT_MAX:
            diagnostics.error(
                "syntax-number-too-large",
                node.span,
                f"`{node.text}` is too large; the largest number is {INT_MAX}",
                "use a smaller number",
            )
            return broken(node.span)
        return IntLit(node.value, span=node.span)
    if is_null(node):
        diagnostics.error("syntax-empty", node.span, "a value is missing here", "write `none`")
        return broken(node.span)
    if _ZONE_SELECTOR.fullmatch(node.text):
        return zone(node, diagnostics)
    return parse_field(node, diagnostics) or broken(node.span)


def _list(node: YList, diagnostics: Diagnostics) -> Expr:
    items = tuple(_value(item, diagnostics) for item in node.items)
    if len(items) == 1 and isinstance(items[0], Comp) and isinstance(node.items[0], YScalar):
        return items[0]  # `[x for x in A]`, which YAML reads as a list of one text
    for item, read in zip(node.items, items, strict=True):
        bare = isinstance(item, YScalar) and not item.text.lstrip().startswith("[")
        if isinstance(read, Comp) and bare:
            diagnostics.error(
                "syntax-generator-brackets",
                item.span,
                "a generator among several items needs brackets",
                'write "[x for x in A if c]" in quotes',
            )
    return ListLit(items, span=node.span)


def _mapping(node: YMap, diagnostics: Diagnostics) -> Expr:
    keys = {key.text for key, _ in node.entries}
    for key in _RUNTIME_KEYS:
        if key in keys:
            runtime_name(node.span, diagnostics)
            return broken(node.span)
    for key, reader in _READERS.items():
        if key in keys:
            return reader(node, diagnostics)
    shown = ", ".join(f"`{key}`" for key in _READERS)
    diagnostics.error(
        "unknown-node",
        node.span,
        "this mapping is not a value",
        f"a value in long form has one of {shown}; in short form it is text",
    )
    return broken(node.span)


def _op(node: YMap, diagnostics: Diagnostics) -> Expr:
    fields = Fields(node, "this `op`", diagnostics)
    op = fields.text("op")
    found = _op_value(op, fields)
    if found is None:
        diagnostics.error(
            "unknown-node",
            node.span,
            f"there is no op `{shorten(op)}`",
            did_you_mean(op, _OPS) or "the ops are " + ", ".join(f"`{name}`" for name in _OPS),
        )
        return broken(node.span)
    fields.finish()
    return found


_BINARY_OPS: dict[str, BinaryOp] = {
    "==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
    "+": "+", "-": "-", "*": "*", "//": "//", "/": "//", "floorDiv": "//", "%": "%",
}  # fmt: skip
_OPS = (*_BINARY_OPS, "min", "max", "and", "or", "not", "in", "adjacent", "connected")


def _op_value(op: str, fields: Fields) -> Expr | None:
    span = fields.span
    if op in _BINARY_OPS:
        left, right = _needed(fields, "left"), _needed(fields, "right")
        return Binary(_BINARY_OPS[op], left, right, span=span)
    if op in ("min", "max"):
        return Call(op, (_needed(fields, "left"), _needed(fields, "right")), span=span)
    if op in ("and", "or"):
        args = fields.list("args")
        parts = [_value(item, fields.diagnostics) for item in args.items] if args else []
        return _joined_needed(op, parts, span)
    if op == "not":
        return Unary("not", _needed(fields, "arg"), span=span)
    if op == "in":
        return Binary("in", _needed(fields, "item"), _needed(fields, "set"), span=span)
    if op == "adjacent":
        left, right = needed_zone(fields, "left"), needed_zone(fields, "right")
        return Binary("in", left, Attr(right, "adjacent"), span=span)
    if op == "connected":
        start, target = needed_zone(fields, "from"), needed_zone(fields, "to")
        return Binary("in", target, _reach(start, fields), span=span)
    return None


def _reach(start: Expr, fields: Fields) -> Expr:
    """`reach([start], over=[$zone for $zone in spaces if via], steps=n)`."""
    named: list[tuple[str, Expr]] = []
    via = fields.get("via")
    if via is not None:
        condition = _value(via, fields.diagnostics)
        named.append(("over", filtered(ZONE, Name("spaces"), condition, via.span)))
    depth = fields.get("maxDepth")
    if depth is not None:
        named.append(("steps", _value(depth, fields.diagnostics)))
    return Call("reach", (ListLit((start,)),), tuple(named), span=fields.span)


def _conditional(node: YMap, diagnostics: Diagnostics) -> Expr:
    outer = Fields(node, "this `if`", diagnostics)
    if outer.has("when"):  # {if: …} written flat
        inner = outer
        outer.entry("if")
    else:
        body = outer.mapping("if")
        outer.finish()
        if body is None:
            return broken(node.span)
        inner = Fields(body, "this `if`", diagnostics)
    when, then, other = (_needed(inner, key) for key in ("when", "then", "else"))
    inner.finish()
    return Cond(when, then, other, span=node.span)


def _aggregate(node: YMap, diagnostics: Diagnostics) -> Expr:
    """`{aggregate: {op: sum, query, bind, valueExpr}}`, or flat: `{aggregate: sum, query, …}`."""
    outer = Fields(node, "this `aggregate`", diagnostics)
    body = outer.get("aggregate")
    if isinstance(body, YMap):
        outer.finish()
        fields = Fields(body, "this `aggregate`", diagnostics)
        op = fields.choice("op", ("count", "sum", "min", "max"), "count")
    else:
        fields = outer
        op = fields.choice("aggregate", ("count", "sum", "min", "max"), "count")
    source = _needed(fields, "query")
    bind = fields.text("bind")
    if bind and isinstance(given := fields.get("bind"), YScalar):
        identifier(given, "a local", diagnostics)
    head = fields.get("valueExpr", "value")
    fields.finish()
    if head is None:
        if op != "count" and bind:
            fields.need("valueExpr", "value")
        return Call(op, (source,), span=node.span)
    each = _value(head, diagnostics)
    return Call(op, (Comp(each, (For((bind or TOKEN,), source),)),), span=node.span)


def _ref(node: YMap, diagnostics: Diagnostics) -> Expr:
    fields = Fields(node, "this `ref`", diagnostics)
    ref = fields.text("ref")
    span = node.span
    found: Expr
    match ref:
        case "binding":
            found = variable(fields, "name")
        case "gvar" | "var":
            found = variable(fields, "var")
        case "pvar":
            found = attribute(player(fields, "player"), variable(fields, "var"), span)
        case "zoneVar":
            found = attribute(needed_zone(fields, "zone"), variable(fields, "var"), span)
        case "zoneCount":
            found = Call("count", (needed_zone(fields, "zone"),), span=span)
        case "tokenProp":
            found = Attr(_needed(fields, "token"), fields.text("prop"), span=span)
        case "tokenZone":
            found = Attr(_needed(fields, "token"), "place", span=span)
        case "zoneProp":
            found = Attr(needed_zone(fields, "zone"), fields.text("prop"), span=span)
        case "markerState":
            found = Attr(needed_zone(fields, "space"), fields.text("marker"), span=span)
        case "globalMarkerState":
            found = variable(fields, "marker")
        case "activePlayer" | "activeSeat":
            found = Name("active", span=span)
        case _:
            diagnostics.error(
                "unknown-node",
                span,
                f"there is no ref `{shorten(ref)}`",
                did_you_mean(ref, _REFS) or "the refs are " + ", ".join(_REFS),
            )
            return broken(span)
    fields.finish()
    return found


_REFS = (
    "binding", "gvar", "pvar", "zoneVar", "zoneCount", "tokenProp", "tokenZone", "zoneProp",
    "markerState", "globalMarkerState", "activePlayer", "activeSeat",
)  # fmt: skip


def variable(fields: Fields, key: str) -> Expr:
    """A name, possibly dotted (`mom.adsid`), never an expression."""
    node = fields.need(key)
    if node is None:
        return broken(fields.span)
    if not isinstance(node, YScalar) or "{" in node.text:
        runtime_name(node.span, fields.diagnostics)
        return broken(node.span)
    found = _value(node, fields.diagnostics)
    inner = found
    while isinstance(inner, Attr):
        inner = inner.of
    if not isinstance(inner, Name):
        runtime_name(node.span, fields.diagnostics)
        return broken(node.span)
    return found


def attribute(of: Expr, name: Expr, span: Span) -> Expr:
    """`of.name`, where name may be dotted."""
    if isinstance(name, Attr):
        return Attr(attribute(of, name.of, span), name.name, span=span)
    return Attr(of, name.id if isinstance(name, Name) else BROKEN, span=span)


def player(fields: Fields, key: str) -> Expr:
    """A seat: `actor`, `active`, `{id: n}`, `{chosen: $x}`, `{relative: left}`, a name."""
    return selected(fields.need(key), fields)


def optional_player(fields: Fields, key: str, *aliases: str) -> Expr | None:
    node = fields.get(key, *aliases)
    return None if node is None else selected(node, fields)


def selected(node: YNode | None, fields: Fields) -> Expr:
    if node is None:
        return broken(fields.span)
    if isinstance(node, YScalar) and node.text == "allOther":
        return filtered(
            "$seat",
            Name("seats"),
            Binary("!=", Name("$seat"), Name("actor")),
            node.span,
        )
    if isinstance(node, YScalar) and type(node.value) is int:
        return Index(Name("seats"), IntLit(node.value), span=node.span)
    return value(node, fields.diagnostics)


def _seat_id(node: YMap, diagnostics: Diagnostics) -> Expr:
    fields = Fields(node, "this seat", diagnostics)
    number = _needed(fields, "id")
    fields.finish()
    return Index(Name("seats"), number, span=node.span)


def _chosen(node: YMap, diagnostics: Diagnostics) -> Expr:
    fields = Fields(node, "this seat", diagnostics)
    found = variable(fields, "chosen")
    fields.finish()
    return found


def _relative(node: YMap, diagnostics: Diagnostics) -> Expr:
    """The neighbour of the seat that acts; play goes to the left."""
    fields = Fields(node, "this seat", diagnostics)
    side = fields.choice("relative", ("left", "right"), "left")
    fields.finish()
    return Call("rotate", (Name("actor"), IntLit(1 if side == "left" else -1)), span=node.span)


# ------------------------------------------------------------------------ queries


def _query(node: YMap, diagnostics: Diagnostics) -> Expr:
    fields = Fields(node, "this `query`", diagnostics)
    query = fields.text("query")
    reader = _QUERIES.get(query)
    if reader is None:
        diagnostics.error(
            "unknown-node",
            node.span,
            f"there is no query `{shorten(query)}`",
            did_you_mean(query, _QUERIES) or "the queries are " + ", ".join(_QUERIES),
        )
        return broken(node.span)
    found = reader(fields)
    fields.finish()
    return found


def _tokens_in_zone(fields: Fields) -> Expr:
    place = needed_zone(fields, "zone")
    return filtered(TOKEN, place, _tokens(fields), fields.span)


def _tokens(fields: Fields) -> Expr | None:
    return token_filter(fields.get("filter"), fields.diagnostics)


def _tokens_in_map_spaces(fields: Fields) -> Expr:
    before: list[Clause] = [For((ZONE,), Name("spaces"))]
    where = _condition(fields, "spaceFilter")
    if where is not None:
        before.append(If(where))
    return filtered(TOKEN, Name(ZONE), _tokens(fields), fields.span, *before)


def _tokens_in_adjacent_zones(fields: Fields) -> Expr:
    near = For((ZONE,), Attr(needed_zone(fields, "zone"), "adjacent"))
    return filtered(TOKEN, Name(ZONE), _tokens(fields), fields.span, near)


def _condition(fields: Fields, key: str) -> Expr | None:
    node = fields.get(key)
    if node is None:
        return None
    if isinstance(node, YMap) and {key.text for key, _ in node.entries} == {"condition"}:
        inner = node.get("condition")
        node = inner if inner is not None else node
    return _value(node, fields.diagnostics)


def _map_spaces(fields: Fields) -> Expr:
    return filtered(ZONE, Name("spaces"), _condition(fields, "filter"), fields.span)


def _zones(fields: Fields) -> Expr:
    return filtered(ZONE, Name("zones"), _condition(fields, "filter"), fields.span)


def _adjacent_zones(fields: Fields) -> Expr:
    return Attr(needed_zone(fields, "zone"), "adjacent", span=fields.span)


def _connected_zones(fields: Fields) -> Expr:
    start = needed_zone(fields, "zone")
    reached = _reach(start, fields)
    if fields.flag("includeStart"):
        return reached
    return Binary("-", reached, ListLit((start,)), span=fields.span)


def _players(fields: Fields) -> Expr:
    return Name("seats", span=fields.span)


def _ints_in_range(fields: Fields) -> Expr:
    low, high = _needed(fields, "min"), _needed(fields, "max")
    numbers = Binary("..", low, high, span=fields.span)
    step = fields.get("step")
    if step is None:
        return numbers
    offset = Binary("-", Name("$n"), low)
    fits = Binary("==", Binary("%", offset, _value(step, fields.diagnostics)), IntLit(0))
    return filtered("$n", numbers, fits, fields.span)


def _enums(fields: Fields) -> Expr:
    values = fields.list("values")
    items = tuple(_value(item, fields.diagnostics) for item in values.items) if values else ()
    return ListLit(items, span=fields.span)


def _concat(fields: Fields) -> Expr:
    sources = fields.list("sources")
    parts = [_value(item, fields.diagnostics) for item in sources.items] if sources else []
    joined = _joined("+", parts, fields.span)
    return joined if joined is not None else ListLit((), span=fields.span)


def _bound(fields: Fields) -> Expr:
    return variable(fields, "name")


_QUERIES: dict[str, Callable[[Fields], Expr]] = {
    "tokensInZone": _tokens_in_zone,
    "tokensInMapSpaces": _tokens_in_map_spaces,
    "tokensInAdjacentZones": _tokens_in_adjacent_zones,
    "mapSpaces": _map_spaces,
    "zones": _zones,
    "adjacentZones": _adjacent_zones,
    "connectedZones": _connected_zones,
    "players": _players,
    "intsInRange": _ints_in_range,
    "enums": _enums,
    "concat": _concat,
    "binding": _bound,
}

_READERS: dict[str, Callable[[YMap, Diagnostics], Expr]] = {
    "ref": _ref,
    "aggregate": _aggregate,
    "op": _op,
    "query": _query,
    "if": _conditional,
    "chosen": _chosen,
    "relative": _relative,
    "id": _seat_id,
}
