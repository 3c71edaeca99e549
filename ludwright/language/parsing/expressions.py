"""The expression grammar, by precedence climbing.

    field = expr [clauses]                     # bare generator: whole field, or sole call argument
    clauses = "for" names "in" or { "for" names "in" or | "if" or | "until" or }
    expr = or ["if" or "else" expr]
    or = and {"or" and}      and = not {"and" not}      not = "not" not | cmp
    cmp = range [("==" "!=" "<" "<=" ">" ">=" "in" "not in") range]
    range = sum [".." sum]   sum = term {("+"|"-") term}
    term = unary {("*"|"//"|"%") unary}     unary = "-" unary | post
    post = atom {"." NAME | "[" expr "]" | "(" [field | arg {"," arg}] ")"}
    atom = INT | true | false | none | ["$"]NAME | "(" expr {"," expr} ")"
         | "[" [expr clauses | expr {"," expr}] "]"

A bare generator may be followed by named arguments (`max(p.bet for p in seats, default=0)`).
"""

from __future__ import annotations

from dataclasses import fields
from typing import cast

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.parsing.cursor import CLAUSE_WORDS, CLOSERS, TextCursor
from ludwright.language.parsing.lexer import (
    GRAMMAR_WORDS,
    LAMBDA,
    Token,
    refuse_text,
    rename_hint,
)
from ludwright.language.parsing.source import MAX_DEPTH, Refused, Source
from ludwright.language.reading.nodes import YScalar
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
    Node,
    NoneLit,
    TupleLit,
    Unary,
    Until,
    Where,
)

# Left-associative levels, loosest first. Comparison and `..` are read apart: they do not chain.
_LOGIC = {"or": 1, "and": 2}
_COMPARISONS = frozenset(["==", "!=", "<", "<=", ">", ">=", "in", "not in"])
_SUM = frozenset(["+", "-"])
_TERM = frozenset(["*", "//", "%"])


def negate(arg: Expr, span: Span | None) -> Expr:
    """Minus `arg`; a literal becomes a literal, so that `-3` and `delta: -3` are one thing."""
    if isinstance(arg, IntLit):
        return IntLit(-arg.value, span=span)
    return Unary("-", arg, span=span)


def tree_height(node: Node) -> int:
    """How deep a tree is, measured without recursion (a long `a + a + …` is deep)."""
    height = 0
    level: list[object] = [node]
    while level:
        height += 1
        below: list[object] = []
        pending = level
        while pending:
            item = pending.pop()
            if isinstance(item, tuple):
                pending.extend(part for part in item if isinstance(part, (Node, tuple)))
            elif isinstance(item, Node):
                for field in fields(item):
                    value = getattr(item, field.name)
                    if isinstance(value, (Node, tuple)):
                        below.append(value)
        level = below
    return height


class TextParser(TextCursor):
    """Reads one text. Raises `Refused` at the first mistake; the caller reports it."""

    def field(self) -> Expr:
        start = self.token.start
        value = self.generator(self.expr(), start)
        return self.where(value, start) if self.at("where") else value

    def where(self, value: Expr, start: int) -> Expr:
        """`… where a = e, b = f`"""
        if self.following.kind != "name" or self.after_following.text != "=":
            raise self.unexpected("expected the end")
        self.advance()
        names: list[tuple[str, Expr]] = []
        while True:
            name = self.binder("a name").text
            self.expect("=", "after the name")
            at = self.token.start
            names.append((name, self.generator(self.expr(), at)))
            if not self.accept(","):
                break
        return Where(value, tuple(names), span=self.span(start))

    def generator(self, head: Expr, start: int) -> Expr:
        if not self.at("for"):
            return head
        clauses = self.clauses()
        return Comp(head, clauses, span=self.span(start))

    def clauses(self) -> tuple[Clause, ...]:
        found: list[Clause] = []
        while self.at(*CLAUSE_WORDS):
            start = self.token.start
            word = self.advance().text
            if word == "for":
                names = self.names("a name for each element")
                self.expect("in", "after the name")
                source = self.logic(1)
                found.append(For(names, source, span=self.span(start)))
            elif word == "if":
                found.append(If(self.logic(1), span=self.span(start)))
            else:
                found.append(Until(self.logic(1), span=self.span(start)))
        return tuple(found)

    def expr(self) -> Expr:
        with self.deeper():
            start = self.token.start
            value = self.logic(1)
            if not self.at("if"):
                return value
            word = self.advance()
            when = self.logic(1)
            if not self.at("else"):
                if self.token.kind != "end" and not self.at(")", "]", ",", "for"):
                    raise self.unexpected("expected `else`")
                raise self.refuse(
                    "syntax-missing-else",
                    word,
                    "this `if` has no `else`: the value would be missing where it fails",
                    "add `else …`; or, to filter, write `x for x in A if c`",
                )
            self.advance()
            other = self.expr()
            return Cond(when, value, other, span=self.span(start))

    def logic(self, level: int) -> Expr:
        """`or` (level 1) and `and` (level 2)."""
        start = self.token.start
        left = self.logic(2) if level == 1 else self.negation()
        while self.token.kind == "name" and _LOGIC.get(self.token.text) == level:
            op = cast(BinaryOp, self.advance().text)
            right = self.logic(2) if level == 1 else self.negation()
            left = Binary(op, left, right, span=self.span(start))
        return left

    def negation(self) -> Expr:
        start = self.token.start
        if not self.accept("not"):
            return self.comparison()
        with self.deeper():
            arg = self.negation()
        return Unary("not", arg, span=self.span(start))

    def comparison(self) -> Expr:
        start = self.token.start
        left = self.range()
        op = self.comparison_operator()
        if op is None:
            return left
        right = self.range()
        token = self.token
        if self.comparison_operator() is not None:
            raise self.refuse(
                "syntax-chained-comparison",
                token,
                "comparisons cannot be chained",
                "write `a < b and b < c`",
            )
        return Binary(op, left, right, span=self.span(start))

    def comparison_operator(self) -> BinaryOp | None:
        if self.at("not") and self.following.text == "in":
            self.advance()
            self.advance()
            return "not in"
        if self.at(*_COMPARISONS):
            return cast(BinaryOp, self.advance().text)
        return None

    def range(self) -> Expr:
        start = self.token.start
        left = self.sum()
        if not self.accept(".."):
            return left
        right = self.sum()
        if self.at(".."):
            raise self.refuse(
                "syntax-chained-range", self.token, "a range has two ends", "write `a..b`"
            )
        return Binary("..", left, right, span=self.span(start))

    def sum(self) -> Expr:
        start = self.token.start
        left = self.term()
        while self.at(*_SUM):
            op = cast(BinaryOp, self.advance().text)
            left = Binary(op, left, self.term(), span=self.span(start))
        return left

    def term(self) -> Expr:
        start = self.token.start
        left = self.unary()
        while self.at(*_TERM):
            op = cast(BinaryOp, self.advance().text)
            left = Binary(op, left, self.unary(), span=self.span(start))
        return left

    def unary(self) -> Expr:
        start = self.token.start
        if not self.accept("-"):
            return self.post()
        with self.deeper():
            arg = self.unary()
        return negate(arg, self.span(start))

    def post(self) -> Expr:
        start = self.token.start
        value = self.atom()
        while True:
            if self.accept("."):
                if self.token.kind != "name" or self.token.text.startswith("$"):
                    raise self.unexpected("expected a name after `.`")
                value = Attr(value, self.advance().text, span=self.span(start))
            elif self.at("["):
                opener = self.opening()
                index = self.expr()
                self.closing(opener)
                value = Index(value, index, span=self.span(start))
            elif self.at("("):
                value = self.call(value, start)
            else:
                return value

    def call(self, callee: Expr, start: int) -> Expr:
        fn = dotted(callee)
        if fn is None or fn.startswith("$"):
            raise self.refuse(
                "syntax-not-callable",
                self.token,
                "only a function or procedure named in the rulebook can be called",
                "write the function's name before `(`, the value inside: `f($x)`",
            )
        opener = self.opening()
        args, named = self.arguments()
        self.closing(opener)
        return Call(fn, args, named, span=self.span(start))

    def arguments(self) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
        args: list[Expr] = []
        named: list[tuple[str, Expr]] = []
        bare: Token | None = None  # the `for` of a generator without brackets
        while not self.at(")"):
            token = self.token
            if token.kind == "name" and self.following.text == "=":
                self.check_reserved(token)
                if any(token.text == name for name, _ in named):
                    raise self.refuse(
                        "syntax-duplicate-argument",
                        token,
                        f"the argument `{token.text}` is given twice",
                        "remove one of the two",
                    )
                self.advance()
                self.advance()
                named.append((token.text, self.expr()))
            elif token.kind == "name" and self.following.text == ":":
                raise Refused(
                    "syntax-named-argument-colon",
                    token.start,
                    self.following.end,
                    "named arguments use `=`, not `:`",
                    f"write `{token.text}=…`",
                )
            elif named:
                raise self.refuse(
                    "syntax-positional-after-named",
                    token,
                    "an argument without a name cannot follow a named one",
                    "put it first, or name it",
                )
            else:
                if bare is not None:
                    raise self.refuse(
                        "syntax-generator-brackets",
                        bare,
                        "a generator among several arguments needs brackets",
                        "write `[x for x in A if c]`",
                    )
                value = self.expr()
                bare = self.token if self.at("for") and not args else None
                value = self.generator(value, token.start) if bare else value
                if self.at("where") and not args:
                    value = self.where(value, token.start)
                args.append(value)
            if not self.accept(","):
                break
            if self.at(")"):
                raise self.unexpected("expected an argument after `,`")
        return tuple(args), tuple(named)

    def opening(self) -> Token:
        token = self.advance()
        self.open.append(token)
        return token

    def closing(self, opener: Token) -> None:
        closer = CLOSERS[opener.text]
        if not self.at(closer):
            raise self.unexpected(f"expected `{closer}`")
        self.advance()
        self.open.pop()

    def atom(self) -> Expr:
        token = self.token
        if token.kind == "int":
            self.advance()
            return IntLit(int(token.text), span=self.span(token.start))
        if token.kind == "name":
            return self.word(token)
        if self.at("("):
            return self.parenthesised()
        if self.at("["):
            return self.bracketed()
        if token.kind == "text":
            refuse_text(token.start, token.text)
        raise self.unexpected("expected a value")

    def word(self, token: Token) -> Expr:
        if token.text in ("true", "false", "none"):
            self.advance()
            span = self.span(token.start)
            return (
                NoneLit(span=span)
                if token.text == "none"
                else BoolLit(token.text == "true", span=span)
            )
        if token.text == "lambda":
            raise self.refuse("syntax-lambda", token, *LAMBDA)
        if token.text in GRAMMAR_WORDS:
            begun = token.text == "for" and self.following.kind == "name"
            each = self.following.text
            raise self.refuse(
                "syntax-reserved-word",
                token,
                f"`{token.text}` is a word of the language; a value is expected here",
                f"say first what each member gives: `{each} for {each} in …`"
                if begun
                else rename_hint(token.text),
            )
        self.advance()
        return Name(token.text, span=self.span(token.start))

    def parenthesised(self) -> Expr:
        opener = self.opening()
        items = [self.expr()]
        if self.at("for"):
            raise self.refuse(
                "syntax-generator-brackets",
                self.token,
                "a generator inside an expression stands in square brackets",
                "write `[x for x in A if c]`",
            )
        while self.accept(","):
            items.append(self.expr())
        self.closing(opener)
        if len(items) == 1:
            return items[0]
        return TupleLit(tuple(items), span=self.span(opener.start))

    def bracketed(self) -> Expr:
        opener = self.opening()
        if self.at("]"):
            self.closing(opener)
            return ListLit((), span=self.span(opener.start))
        head = self.expr()
        if self.at("for"):
            clauses = self.clauses()
            self.closing(opener)
            return Comp(head, clauses, span=self.span(opener.start))
        items = [head]
        while self.accept(","):
            items.append(self.expr())
        self.closing(opener)
        return ListLit(tuple(items), span=self.span(opener.start))


def dotted(expr: Expr) -> str | None:
    """`a.b.c` as one text, for names of functions, variables and phases."""
    parts: list[str] = []
    while isinstance(expr, Attr):
        parts.append(expr.name)
        expr = expr.of
    if not isinstance(expr, Name):
        return None
    return ".".join([expr.id, *reversed(parts)])


def parse_field(node: YScalar, diagnostics: Diagnostics) -> Expr | None:
    """A whole YAML field: an expression or a bare generator. None (and a report) if broken."""
    source = Source(node)
    try:
        parser = TextParser(source)
        value = parser.field()
        parser.end()
        if tree_height(value) > MAX_DEPTH:
            raise parser.too_deep(0, len(source.text))
    except Refused as refused:
        source.report(refused, diagnostics)
        return None
    return value
