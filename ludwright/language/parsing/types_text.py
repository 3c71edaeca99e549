"""Types as text (`0..150`, `set[1..13] = all`, `board?`) and in the long form `{type, min, max}`.

declared = type ["=" expr] {"clamp" | "refuse" | "fault"}
type = base ["?"]
base = "list" "[" type ["," sum] "]" | "set" "[" type "]" | "(" type {"," type} ")"
     | "[" NAME {"," NAME} "]" | sum ".." sum | NAME
signature = NAME {"." NAME} ["(" [param {"," param}] ")"]
param = NAME [":" type] ["=" expr]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import ParamDecl, TypeExpr
from ludwright.language.parsing.expressions import TextParser, tree_height
from ludwright.language.parsing.fields import Fields, identifier, wrong_shape
from ludwright.language.parsing.lexer import Token
from ludwright.language.parsing.longform import optional_value, value
from ludwright.language.parsing.source import BROKEN, MAX_DEPTH, Refused, Source
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.tree import Binary, Expr, IntLit, Name

Overflow = Literal["clamp", "refuse", "fault"]
_OVERFLOWS = ("clamp", "refuse", "fault")
# How other languages and the seeds spell types.
_SPELLINGS = {"boolean": "bool", "seat": "Seat", "player": "Seat", "Player": "Seat"}
_NOT_TYPES = {
    "int": "say which numbers: `0..20`",
    "integer": "say which numbers: `0..20`",
    "number": "say which numbers: `0..20`",
    "float": "numbers are whole: `0..20`",
    "string": "list the possible words: `[red, green]`, or declare them under `enums:`",
    "str": "list the possible words: `[red, green]`, or declare them under `enums:`",
    "text": "list the possible words: `[red, green]`, or declare them under `enums:`",
}


@dataclass(frozen=True, slots=True)
class Declared:
    type: TypeExpr
    default: Expr | None = None
    overflow: Overflow = "fault"


@dataclass(frozen=True, slots=True)
class Signature:
    name: str
    params: tuple[ParamDecl, ...]


class TypeParser(TextParser):
    def declared(self) -> Declared:
        kind = self.type()
        default: Expr | None = None
        overflow: Overflow = "fault"
        while self.token.kind != "end":
            if self.at(*_OVERFLOWS):
                overflow = cast(Overflow, self.advance().text)
            elif self.at("=") and default is None:
                self.advance()
                default = self.field()
            else:
                if self.at("default", "start", "starts", "starting"):
                    told, hint = f"there is no `{self.token.text}` here", "write `0..20 = 5`"
                    raise self.refuse("syntax-unexpected", self.token, told, hint)
                if self.at(",") and self.source.node.quoted:
                    told, hint = "a list of words stands in brackets", f"[{self.source.text}]"
                    raise self.refuse("syntax-unexpected", self.token, told, f"write `{hint}`")
                raise self.unexpected("expected `= default`, `clamp` or `refuse`")
        return Declared(kind, default, overflow)

    def type(self) -> TypeExpr:
        with self.deeper():
            start = self.token.start
            found = self.base()
            if self.accept("?"):
                found = TypeExpr(
                    found.kind,
                    found.name,
                    found.lo,
                    found.hi,
                    found.values,
                    found.items,
                    found.cap,
                    True,
                    span=self.span(start),
                )
            return found

    def base(self) -> TypeExpr:
        start = self.token.start
        if self.at("list", "set") and self.following.text == "[":
            return self.collection(self.advance().text, start)
        if self.at("["):
            return self.inline_enum(start)
        if self.at("("):
            return self.tuple_or_range(start)
        return self.range_or_name(start)

    def collection(self, word: str, start: int) -> TypeExpr:
        opener = self.opening()
        item = self.type()
        cap = self.sum() if word == "list" and self.accept(",") else None
        self.closing(opener)
        span = self.span(start)
        if word == "list":
            return TypeExpr("list", items=(item,), cap=cap, span=span)
        return TypeExpr("set", items=(item,), span=span)

    def inline_enum(self, start: int) -> TypeExpr:
        opener = self.opening()
        if self.token.kind == "int" and self.following.text == "..":
            hint = "a range stands without brackets: `0..5`"
            raise self.refuse("syntax-bad-type", self.token, "these brackets hold words", hint)
        values = self.names("a name")
        self.closing(opener)
        return TypeExpr("enum", values=values, span=self.span(start))

    def tuple_or_range(self, start: int) -> TypeExpr:
        """`(Seat, 0..5)`, `(0..5)?`, or a range that starts with a bracket: `(n + 1) * 2..9`."""
        if self.after_bracket().text in ("..", "+", "-", "*", "//", "%"):
            return self.range_or_name(start)
        opener = self.opening()
        items = [self.type()]
        while self.accept(","):
            items.append(self.type())
        self.closing(opener)
        return items[0] if len(items) == 1 else self.tuple(items, start)

    def after_bracket(self) -> Token:
        """The token behind the bracket that closes the one here: no guessing, no going back."""
        depth = 0
        for at in range(self.index, len(self.tokens)):
            text = self.tokens[at].text
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if depth == 0:
                return self.tokens[min(at + 1, len(self.tokens) - 1)]
        return self.tokens[-1]

    def tuple(self, items: list[TypeExpr], start: int) -> TypeExpr:
        return TypeExpr("tuple", items=tuple(items), span=self.span(start))

    def range_or_name(self, start: int) -> TypeExpr:
        token = self.token
        low = self.sum()
        if self.accept(".."):
            high = self.sum()
            return TypeExpr("range", lo=low, hi=high, span=self.span(start))
        if not isinstance(low, Name):
            hint = _type_hint(low)
            if self.at("to", "-") and self.following.kind == "int":
                hint = f"a range is written with two dots: `{token.text}..{self.following.text}`"
            raise Refused("syntax-bad-type", start, self.last_end, "this is not a type", hint)
        if low.id in _NOT_TYPES:
            raise self.refuse(
                "syntax-bad-type", token, f"there is no type `{low.id}`", _NOT_TYPES[low.id]
            )
        return TypeExpr("name", _SPELLINGS.get(low.id, low.id), span=self.span(start))

    def signature(self) -> Signature:
        token = self.binder("a name")
        name = token.text
        if name.startswith("$"):
            raise self.refuse(
                "invalid-name",
                token,
                "`$` marks choices; it cannot stand before this name",
                f"write `{name[1:]}`",
            )
        while self.accept("."):
            name += "." + self.after_dot("a name after `.`").text
        if not self.at("("):
            self.end()
            return Signature(name, ())
        opener = self.opening()
        params: list[ParamDecl] = []
        while not self.at(")"):
            params.append(self.param([param.name for param in params]))
            if not self.accept(","):
                break
        self.closing(opener)
        self.end()
        return Signature(name, tuple(params))

    def param(self, earlier: list[str]) -> ParamDecl:
        token = self.binder("a parameter")
        if token.text in earlier:
            raise self.refuse(
                "syntax-duplicate-name",
                token,
                f"`{token.text}` is named twice",
                "give the second one another name",
            )
        kind = self.type() if self.accept(":") else None
        default = self.expr() if self.accept("=") else None
        return ParamDecl(token.text, kind, default, span=self.span(token.start))


def _type_hint(found: Expr) -> str:
    match found:
        case Binary(op="-", left=IntLit(value=low), right=IntLit(value=high)):
            return f"a range is written with two dots: `{low}..{high}`"
        case _:
            pass
    if isinstance(found, IntLit):
        return (
            f"a number type is a range: `0..{max(found.value, 1)}`; what a variable begins with "
            f"follows it: `0..20 = {found.value}`"
        )
    return "types are `bool`, `0..9`, `Seat`, `Space`, `list[T, n]`, `set[T]`, `(A, B)`, `[a, b]`"


def broken_type(node: YNode) -> TypeExpr:
    return TypeExpr("name", BROKEN, span=node.span)


def parse_signature(node: YScalar, diagnostics: Diagnostics) -> Signature | None:
    """`name(a, b: Seat, n: 0..6 = 1)`."""
    source = Source(node)
    try:
        return TypeParser(source).signature()
    except Refused as refused:
        source.report(refused, diagnostics)
        return None


def read_type(node: YNode, diagnostics: Diagnostics) -> Declared:
    """A type with default in any spelling; a broken one becomes a type named `BROKEN`."""
    if isinstance(node, YList):
        return Declared(_enum_of(node, diagnostics))
    if isinstance(node, YMap):
        return read_long_type(Fields(node, "this type", diagnostics), finish=True)
    source = Source(node)
    try:
        parser = TypeParser(source)
        found = parser.declared()
        if tree_height(found.type) > MAX_DEPTH:
            raise parser.too_deep(0, len(source.text))
        if found.default is not None and tree_height(found.default) > MAX_DEPTH:
            raise parser.too_deep(0, len(source.text))
    except Refused as refused:
        source.report(refused, diagnostics)
        return Declared(broken_type(node))
    return found


def _enum_of(node: YList, diagnostics: Diagnostics) -> TypeExpr:
    values: list[str] = []
    for item in node.items:
        if isinstance(item, YScalar):
            values.append(identifier(item, "a value", diagnostics))
        else:
            wrong_shape(item, "a value of a list type", "one word", diagnostics)
    return TypeExpr("enum", values=tuple(values), span=node.span)


def read_long_type(fields: Fields, finish: bool = False) -> Declared:
    """`{type: …, min, max, default, overflow}`; the caller may know further keys."""
    given = fields.get("type")
    low, high = fields.get("min"), fields.get("max")
    default = optional_value(fields, "default", "init")
    overflow = cast(Overflow, fields.choice("overflow", _OVERFLOWS, "fault"))
    if low is not None and high is not None:
        kind = TypeExpr(
            "range",
            lo=value(low, fields.diagnostics),
            hi=value(high, fields.diagnostics),
            span=fields.span,
        )
        if isinstance(given, YScalar) and given.text not in ("int", "integer", "number"):
            fields.diagnostics.error(
                "wrong-value",
                given.span,
                "only numbers have `min` and `max`",
                "write `type: int`, or leave it out",
            )
        found = Declared(kind, default, overflow)
    elif given is None:
        fields.need("type")
        found = Declared(broken_type(fields.node), default, overflow)
    else:
        inner = read_type(given, fields.diagnostics)
        if default is None:
            default = inner.default
        if overflow == "fault":
            overflow = inner.overflow
        found = Declared(inner.type, default, overflow)
    if finish:
        fields.finish()
    return found
