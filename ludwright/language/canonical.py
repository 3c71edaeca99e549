"""GameDef as JSON: what is hashed, saved and published.

Encoder, decoder and schema all follow the fields of the dataclasses, so they cannot drift apart:
- a declaration is an object with its fields in camelCase; fields at their default are left out;
- an effect is an object with one key, its name in the long form (`setVar`, `forEach`, …),
  holding its fields;
- an expression is a number, true, false, null (`none`), `{"ref": name}`, `{"list": […]}`,
  `{"tuple": […]}`, or one key (`binary`, `unary`, `call`, `attr`, `index`, `if`, `comp`) holding
  its fields: `{"binary": {"op": "+", "left": …, "right": …}}`;
- spans are left out: the same rules give the same bytes, wherever they were written.

The hash is that of the rules: titles, the words of sentences and hints to bots do not count.
"""

from __future__ import annotations

import hashlib
import json
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, Literal, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from ludwright.characters import code_point, unseen_in
from ludwright.diagnostics import Diagnostics
from ludwright.language import tree
from ludwright.language.gamedef import GameDef
from ludwright.language.reading.limits import ReadingStopped, limited
from ludwright.language.tree import Effect, Expr, Node
from ludwright.program.types import INT_MAX
from ludwright.spelling import did_you_mean

LANGUAGE_VERSION = 1
MAX_JSON_DEPTH = 320  # levels of JSON; the deepest game the parser accepts stays below

Json: TypeAlias = Any  # plain data: dict, list, str, int, bool, None

_TAGS: dict[type[Node], str] = {
    tree.Name: "ref",
    tree.Attr: "attr",
    tree.Index: "index",
    tree.Call: "call",
    tree.Unary: "unary",
    tree.Cond: "if",
    tree.TupleLit: "tuple",
    tree.ListLit: "list",
    tree.Comp: "comp",
    tree.For: "for",
    tree.If: "if",
    tree.Until: "until",
    tree.IfEffect: "if",
    tree.CallProc: "call",
    tree.GotoPhase: "gotoPhaseExact",
}
_RENAMED = {"other": "else", "origin": "from", "acts_as": "as", "decline": "pass"}
_BARE: tuple[type[Node], ...] = (tree.Name, tree.TupleLit, tree.ListLit)  # one field, unwrapped
# Fields that no rule reads, in whichever node.
_PROSE = frozenset((
    "title", "summary", "doc", "words", "pre_words", "drawing", "look", "point", "bot", "spellings",
))  # fmt: skip
_LITERALS: tuple[type[Node], ...] = (tree.IntLit, tree.BoolLit, tree.NoneLit)


# ------------------------------------------------------------------------ shapes


# Worked out once per kind of node; by name, since classes are asked for in hot loops.
_UNIONS: dict[str, dict[str, type[Node]]] = {}
_FIELDS: dict[str, dict[str, tuple[Field[Any], Any]]] = {}


def _union(base: type[Node]) -> dict[str, type[Node]]:
    """The kinds of node that can stand where `base` is asked for, by their key in JSON."""
    if base.__name__ not in _UNIONS:
        found = [
            item
            for item in vars(tree).values()
            if isinstance(item, type) and issubclass(item, base) and item is not base
        ]
        _UNIONS[base.__name__] = {_tag(item): item for item in found if item not in _LITERALS}
    return _UNIONS[base.__name__]


def _tag(kind: type[Node]) -> str:
    name = kind.__name__
    return _TAGS.get(kind, name[0].lower() + name[1:])


def _fields(kind: type[Node]) -> dict[str, tuple[Field[Any], Any]]:
    """JSON name → field and its type."""
    if kind.__name__ not in _FIELDS:
        hints = get_type_hints(kind)
        _FIELDS[kind.__name__] = {
            _json_name(kind, field.name): (field, hints[field.name])
            for field in fields(kind)
            if not field.name.endswith("span")
        }
    return _FIELDS[kind.__name__]


def _json_name(kind: type[Node], name: str) -> str:
    if name == "body" and issubclass(kind, Effect):
        return "effects"
    if name in _RENAMED:
        return _RENAMED[name]
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _default(field: Field[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    if field.default_factory is not MISSING:
        return field.default_factory()
    return None  # `X | None` without a default: absent in JSON means None


def _is_tagged(kind: type[Node]) -> bool:
    return issubclass(kind, (Expr, Effect)) or kind in (tree.For, tree.If, tree.Until)


# ---------------------------------------------------------------------- encoding


def to_json(game: GameDef) -> dict[str, Json]:
    """Plain data; `from_json` is its inverse."""
    encoded: dict[str, Json] = _encode(game)
    return {"language": LANGUAGE_VERSION, **encoded}


def _encode(item: Any, rules_only: bool = False) -> Json:
    if isinstance(item, (tree.IntLit, tree.BoolLit)):
        return item.value
    if isinstance(item, tree.NoneLit):
        return None
    if isinstance(item, Node):
        kind = type(item)
        if kind in _BARE:
            (field, _) = next(iter(_fields(kind).values()))
            return {_tag(kind): _encode(getattr(item, field.name), rules_only)}
        body = {
            name: _encode(found, rules_only)
            for name, (field, _) in _fields(kind).items()
            if (found := getattr(item, field.name)) != _default(field)
            and not (rules_only and field.name in _PROSE)
        }
        return {_tag(kind): body} if _is_tagged(kind) else body
    if isinstance(item, tuple):
        return [{} if part is None else _encode(part, rules_only) for part in item]
    return item


def gamedef_bytes(game: GameDef) -> bytes:
    """The canonical bytes: sorted keys, no spaces, ASCII. Equal games give equal bytes."""
    return _bytes(to_json(game))


def gamedef_hash(game: GameDef) -> str:
    """Of the rules alone: a game with other titles and sentences is the same game."""
    rules = {"language": LANGUAGE_VERSION, **_encode(game, rules_only=True)}
    return hashlib.sha256(_bytes(rules)).hexdigest()


def _bytes(data: Json) -> bytes:
    return json.dumps(
        data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    ).encode("ascii")


# ---------------------------------------------------------------------- decoding


_COMPILE_AGAIN = "compile the rulebook again: `ludwright compile`"


class _Invalid(Exception):
    """This part is not as the schema says; already reported."""


def from_json(data: Json, diagnostics: Diagnostics) -> GameDef | None:
    """The GameDef that `to_json` gave, or None and diagnostics that name the place in the data.

    The text of diagnostics gives the path (`actions[0].effects[2].setVar`): JSON has no lines.
    """
    if _depth(data) > MAX_JSON_DEPTH:
        diagnostics.error(
            "json-too-deep", None, "the GameDef is nested too deeply to be one", _COMPILE_AGAIN
        )
        return None
    if not isinstance(data, dict):
        diagnostics.error("json-shape", None, "a GameDef is a JSON object", _COMPILE_AGAIN)
        return None
    version = data.get("language")
    if version != LANGUAGE_VERSION or isinstance(version, bool):
        diagnostics.error(
            "language-version",
            None,
            f"This GameDef says language version {version!r}; this program reads "
            f"version {LANGUAGE_VERSION}",
            "compile the rulebook again",
        )
        return None
    unseen = unseen_in(data)
    if unseen is not None:
        character, where = unseen
        diagnostics.error(
            "yaml-control-character",
            None,
            f"the text at `{where}` holds the invisible character {code_point(character)}",
            "delete it there, or compile the rulebook again",
        )
        return None
    body = {key: item for key, item in data.items() if key != "language"}
    try:
        game = cast(GameDef, _Decoder(limited(diagnostics)).node(GameDef, body, ""))
    except (_Invalid, ReadingStopped):
        return None
    except RecursionError:  # called from deep inside another program
        diagnostics.error(
            "json-too-deep", None, "the GameDef is nested too deeply to be one", _COMPILE_AGAIN
        )
        return None
    return game


def _depth(data: Json) -> int:
    depth = 0
    level = [data]
    while level and depth <= MAX_JSON_DEPTH:
        depth += 1
        below: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        level = below
    return depth


class _Decoder:
    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics

    def fail(self, path: str, message: str, suggestion: str | None = None) -> _Invalid:
        self.diagnostics.error(
            "json-shape", None, f"at {path or 'the top'}: {message}", suggestion or _COMPILE_AGAIN
        )
        return _Invalid()

    def node(self, kind: type[Node], data: Json, path: str) -> Node:
        if kind in _BARE:
            (field, hint) = next(iter(_fields(kind).values()))
            return kind(**{field.name: self.value(hint, data, path)})
        if not isinstance(data, dict):
            raise self.fail(path, f"expected an object ({kind.__name__})")
        known = _fields(kind)
        broken = False
        for key in data:
            if key not in known:
                self.fail(path, f"unknown key {str(key)[:40]!r}", did_you_mean(str(key), known))
                broken = True
        arguments: dict[str, Any] = {}
        for name, (field, hint) in known.items():
            if name not in data:
                if field.default is MISSING and field.default_factory is MISSING:
                    if not _allows_none(hint):
                        self.fail(path, f"the key {name!r} is missing")
                        broken = True
                    arguments[field.name] = None
                continue
            try:
                arguments[field.name] = self.value(
                    hint, data[name], f"{path}.{name}" if path else name
                )
            except _Invalid:
                broken = True
        if broken:
            raise _Invalid()
        return kind(**arguments)

    def value(self, hint: Any, data: Json, path: str) -> Any:
        origin = get_origin(hint)
        if origin in (Union, types.UnionType):
            return self.union(get_args(hint), data, path)
        if origin is Literal:
            return self.literal(get_args(hint), data, path)
        if origin is tuple:
            return self.tuple(get_args(hint), data, path)
        if hint is Expr:
            return self.expression(data, path)
        if hint is Effect:
            return self.tagged(_union(Effect), data, path, "an effect")
        if hint is str:
            return self.text(data, path)
        if hint is bool:
            if not isinstance(data, bool):
                raise self.fail(path, "expected true or false")
            return data
        if hint is int:
            return self.integer(data, path)
        if _is_tagged(hint):
            return self.tagged({_tag(hint): hint}, data, path, _tag(hint))
        return self.node(hint, data, path)

    def union(self, hints: tuple[Any, ...], data: Json, path: str) -> Any:
        """`X | None` (null only as the expression `none`), and the few real unions."""
        kinds = [hint for hint in hints if hint is not type(None)]
        if len(kinds) == 1:
            return self.value(kinds[0], data, path)
        if tree.For in kinds:
            return self.tagged({_tag(kind): kind for kind in kinds}, data, path, "a clause")
        if bool in kinds:
            return data if isinstance(data, bool) else self.integer(data, path)
        wanted = list if isinstance(data, list) else dict
        for kind in kinds:
            if (get_origin(kind) is tuple) == (wanted is list):
                return self.value(kind, data, path)
        raise self.fail(path, "expected an object or a list")

    def literal(self, choices: tuple[Any, ...], data: Json, path: str) -> Any:
        if isinstance(data, str) and data in choices:
            return data
        raise self.fail(path, f"expected one of {', '.join(map(str, choices))}")

    def tuple(self, hints: tuple[Any, ...], data: Json, path: str) -> tuple[Any, ...]:
        if not isinstance(data, list):
            raise self.fail(path, "expected a list")
        if len(hints) == 2 and hints[1] is Ellipsis:
            hints = (hints[0],) * len(data)
        elif len(hints) != len(data):
            raise self.fail(path, f"expected a list of {len(hints)}")
        found: list[Any] = []
        broken = False
        for position, (hint, item) in enumerate(zip(hints, data, strict=True)):
            try:
                found.append(self.nullable(hint, item, f"{path}[{position}]"))
            except _Invalid:
                broken = True
        if broken:
            raise _Invalid()
        return tuple(found)

    def nullable(self, hint: Any, data: Json, path: str) -> Any:
        """In a fixed tuple an absent `Expr | None` is written `{}`: null is the value `none`."""
        if data == {} and _allows_none(hint):
            return None
        return self.value(hint, data, path)

    def expression(self, data: Json, path: str) -> Expr:
        if data is None:
            return tree.NoneLit()
        if isinstance(data, bool):
            return tree.BoolLit(data)
        if isinstance(data, int):
            return tree.IntLit(self.integer(data, path))
        return cast(Expr, self.tagged(_union(Expr), data, path, "an expression"))

    def tagged(self, kinds: Mapping[str, type[Node]], data: Json, path: str, what: str) -> Node:
        if not isinstance(data, dict) or len(data) != 1:
            raise self.fail(path, f"expected {what}: an object with one key")
        (tag, body), *_ = data.items()
        kind = kinds.get(tag)
        if kind is None:
            raise self.fail(path, f"{str(tag)[:40]!r} is not {what}", did_you_mean(str(tag), kinds))
        return self.node(kind, body, f"{path}.{tag}")

    def text(self, data: Json, path: str) -> str:
        if not isinstance(data, str):
            raise self.fail(path, "expected text")
        return data

    def integer(self, data: Json, path: str) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            raise self.fail(path, "expected a whole number")
        if abs(data) > INT_MAX:
            raise self.fail(path, f"the number must be between {-INT_MAX} and {INT_MAX}")
        return data


def _allows_none(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


# ------------------------------------------------------------------------ schema


def json_schema() -> dict[str, Json]:
    """JSON Schema (2020-12) of a GameDef, made from the dataclasses."""
    definitions: dict[str, Json] = {}
    schema = _Schema(definitions)
    game = schema.body(GameDef)
    game["properties"] = {"language": {"const": LANGUAGE_VERSION}, **game["properties"]}
    game["required"] = ["language", *game["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ludwright GameDef",
        **game,
        "$defs": dict(sorted(definitions.items())),
    }


class _Schema:
    def __init__(self, definitions: dict[str, Json]) -> None:
        self.definitions = definitions

    def body(self, kind: type[Node]) -> dict[str, Json]:
        """The fields of a node, without the key that names it."""
        if kind in _BARE:
            ((_, hint),) = _fields(kind).values()
            return self.of(hint)
        known = _fields(kind)
        return {
            "type": "object",
            "properties": {name: self.of(hint) for name, (_, hint) in known.items()},
            "required": [
                name
                for name, (field, hint) in known.items()
                if field.default is MISSING
                and field.default_factory is MISSING
                and not _allows_none(hint)
            ],
            "additionalProperties": False,
        }

    def of(self, hint: Any) -> dict[str, Json]:
        origin = get_origin(hint)
        if origin in (Union, types.UnionType):
            kinds = [part for part in get_args(hint) if part is not type(None)]
            if tree.For in kinds:
                return self.tagged("Clause", {_tag(kind): kind for kind in kinds})
            return self.of(kinds[0]) if len(kinds) == 1 else {"anyOf": list(map(self.of, kinds))}
        if origin is Literal:
            return {"enum": list(get_args(hint))}
        if origin is tuple:
            return self.array(get_args(hint))
        if hint is Expr:
            literals = [{"type": "boolean"}, {"type": "null"}, self.of(int)]
            return self.tagged("Expr", _union(Expr), literals)
        if hint is Effect:
            return self.tagged("Effect", _union(Effect))
        if hint is str:
            return {"type": "string"}
        if hint is bool:
            return {"type": "boolean"}
        if hint is int:
            return {"type": "integer", "minimum": -INT_MAX, "maximum": INT_MAX}
        if _is_tagged(hint):
            return self.tagged(hint.__name__, {_tag(hint): hint})
        return self.reference(hint.__name__, lambda: self.body(hint))

    def array(self, hints: tuple[Any, ...]) -> dict[str, Json]:
        if len(hints) == 2 and hints[1] is Ellipsis:
            return {"type": "array", "items": self.of(hints[0])}
        items = [
            {"anyOf": [{"type": "object", "maxProperties": 0}, self.of(hint)]}
            if _allows_none(hint)
            else self.of(hint)
            for hint in hints
        ]
        size = len(items)
        return {"type": "array", "prefixItems": items, "minItems": size, "maxItems": size}

    def tagged(
        self, name: str, kinds: Mapping[str, type[Node]], literals: list[Json] | None = None
    ) -> dict[str, Json]:
        def union() -> dict[str, Json]:
            nodes = [
                {
                    "type": "object",
                    "properties": {tag: self.body(kind)},
                    "required": [tag],
                    "additionalProperties": False,
                }
                for tag, kind in kinds.items()
            ]
            return {"anyOf": [*(literals or []), *nodes]}

        return self.reference(name, union)

    def reference(self, name: str, make: Callable[[], dict[str, Json]]) -> dict[str, Json]:
        if name not in self.definitions:
            self.definitions[name] = {}  # filled below; a node may contain its own kind
            self.definitions[name] = make()
        return {"$ref": f"#/$defs/{name}"}
