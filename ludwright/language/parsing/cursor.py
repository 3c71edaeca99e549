"""A cursor over the tokens of one text, and the best message for what does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludwright.diagnostics import Span
from ludwright.language.parsing.lexer import (
    GRAMMAR_WORDS,
    Token,
    rename_hint,
    tokenize,
)
from ludwright.language.parsing.source import MAX_DEPTH, Refused, Source
from ludwright.language.reading.wording import SEVERAL, SORTED_BY

CLOSERS = {"(": ")", "[": "]"}
CLAUSE_WORDS = frozenset(["for", "if", "until"])
# What other languages have, and what it is here.
_ARTICLES = ("a", "an", "the")
_NEGATIONS = ("nicht", "non")
_OF_ONE = ("empty", "full", "count", "sum", "max", "min", "any", "all", "opponent", "first")
_INSTEAD = {
    **dict.fromkeys(("und", "et"), "write `and`"),
    **dict.fromkeys(("oder", "ou"), "write `or`"),
    **dict.fromkeys(("equals", "gleich"), "write `==`"),
    **dict.fromkeys(("sonst", "sinon"), "write `else`"),
    **dict.fromkeys(("elif", "elsif", "elseif"), "write `else if c then S`"),
    "otherwise": "write `else`",
    "?": "write `a if c else b`",
}


class TextCursor:
    """Reads one text. Raises `Refused` at the first mistake; the caller reports it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = tokenize(source.text)
        self.index = 0
        self.depth = 0
        self.open: list[Token] = []

    # ------------------------------------------------------------------ tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    @property
    def following(self) -> Token:
        return self.tokens[min(self.index + 1, len(self.tokens) - 1)]

    @property
    def after_following(self) -> Token:
        return self.tokens[min(self.index + 2, len(self.tokens) - 1)]

    @property
    def last_end(self) -> int:
        return self.tokens[self.index - 1].end if self.index else 0

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.index += 1
        return token

    def at(self, *texts: str) -> bool:
        return self.token.kind != "end" and self.token.text in texts

    def accept(self, text: str) -> Token | None:
        return self.advance() if self.at(text) else None

    def expect(self, text: str, why: str) -> Token:
        if self.at(text):
            return self.advance()
        raise self.unexpected(f"expected `{text}` {why}", text)

    def span(self, start: int) -> Span:
        return self.source.span(start, self.last_end)

    def refuse(
        self, code: str, token: Token, message: str, suggestion: str | None = None
    ) -> Refused:
        return Refused(code, token.start, token.end, message, suggestion)

    def end(self) -> None:
        if self.token.kind != "end":
            raise self.unexpected("the text should end here")

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.too_deep(self.token.start, self.token.end)
        yield
        self.depth -= 1

    @staticmethod
    def too_deep(start: int, end: int) -> Refused:
        return Refused(
            "syntax-too-deep",
            start,
            max(end, start + 1),
            f"this expression has more than {MAX_DEPTH} levels",
            "give parts of it names under `fns:`, or use a list: `x in [a, b, c]`",
        )

    def name(self, what: str) -> Token:
        """A plain or `$` name; reserved words are refused with a hint."""
        token = self.token
        if token.kind != "name":
            raise self.unexpected(f"expected {what}")
        self.check_reserved(token)
        return self.advance()

    def check_reserved(self, token: Token) -> None:
        if token.text in GRAMMAR_WORDS:
            raise self.refuse(
                "syntax-reserved-word",
                token,
                f"`{token.text}` is a word of the language and cannot be a name",
                rename_hint(token.text),
            )

    def after_dot(self, what: str) -> Token:
        """A name behind a dot, where every word is free."""
        if self.token.kind != "name":
            raise self.unexpected(f"expected {what}")
        return self.advance()

    def binder(self, what: str) -> Token:
        """A name that is declared here: not one of the kernel's."""
        token = self.name(what)
        if token.text.removeprefix("$").startswith("__"):
            raise self.refuse(
                "reserved-name",
                token,
                "names that start with `__` belong to the program",
                f"write `{token.text.replace('__', '', 1)}`",
            )
        return token

    def names(self, what: str) -> tuple[str, ...]:
        found = [self.binder(what)]
        while self.accept(","):
            found.append(self.binder(what))
        texts = [token.text for token in found]
        for position, token in enumerate(found):
            if token.text in texts[:position]:
                raise self.refuse(
                    "syntax-duplicate-name",
                    token,
                    f"`{token.text}` is named twice",
                    "give the second one another name",
                )
        return tuple(texts)

    # ---------------------------------------------------------------- mistakes

    def unexpected(self, wanted: str, word: str = "") -> Refused:
        """The most helpful message for a token that cannot stand here."""
        token = self.token
        if token.kind == "end" or self._else_of_an_if():
            return self._unexpected_end(wanted)
        text = token.text
        if text in (")", "]"):
            return self._unexpected_closer(token)
        if text in ("=", "+=", "-="):
            return self._unexpected_assignment(token)
        if text == ":":
            return self.refuse(
                "syntax-colon",
                token,
                "`:` has no meaning inside an expression",
                "named arguments are written `name=value`",
            )
        if (missing := self._other_languages(token)) is not None:
            return missing
        instead = _INSTEAD.get(text)
        if text == ">" and self.index and self.tokens[self.index - 1].text == "<":
            text, instead = "<>", "write `!=`"
        if instead is not None:
            return self.refuse("syntax-unexpected", token, f"there is no `{text}`", instead)
        if text == "is":
            hint = "write `==` or `!=`; `empty(x)` asks whether nothing is there"
            return self.refuse("syntax-is", token, "`is` is not an operator", hint)
        if text == "else":
            return self.refuse(
                "syntax-stray-else",
                token,
                "this `else` belongs to no `if`",
                "after `for`, an `if` only filters; put `a if c else b` before the `for`",
            )
        if text in CLAUSE_WORDS:
            return self.refuse(
                "syntax-generator-brackets",
                token,
                f"`{text}` cannot follow here",
                "inside a larger expression put the generator in brackets: `[x for x in A if c]`",
            )
        if text in GRAMMAR_WORDS and self.index and not self._value_before():
            return self.refuse(
                "syntax-reserved-word",
                token,
                f"`{text}` is a word of the language; {wanted}",
                rename_hint(text),
            )
        starts_value = token.kind in ("int", "name") or text in ("(", "[")
        hint = f"remove `{text}`"
        if word and self.following.text != word:
            hint = f"write `{word}` before `{text}`"
        elif not word and starts_value and self.index and self._value_before():
            hint = self._between_two_values(token)
        return self.refuse("syntax-unexpected", token, f"`{text}` is not expected: {wanted}", hint)

    def _other_languages(self, token: Token) -> Refused | None:
        """What has another form here: a filter, a decimal comma, `of`, the order of `sort`, …"""
        text = token.text
        if text == "," and self.before_is("int") and self.following.kind == "int":
            return self.refuse(
                "syntax-float",
                token,
                "numbers are whole: there are no decimals",
                "count in smaller units, for example cents",
            )
        if text == "of" and self.index and self.following.kind == "name":
            hint = "to pick some out of several, write `x for x in A if c`"
            if self.following.text in ("actor", "active"):
                hint = f"write `{self.tokens[self.index - 1].text}({self.following.text})`"
            told = "`of` belongs to statements such as `place KIND of SEAT at Z`"
            return self.refuse("syntax-unexpected", token, told, hint)
        if token.text == "where":
            return self.refuse(
                "syntax-where",
                token,
                "`where` gives names to parts: `e where n = f`; it is no filter",
                "write `x for x in A if c`",
            )
        before = self.tokens[self.index - 1].text if self.index else ""
        if token.text == "-" and before in ("do", "then", "else"):
            word = "for" if before == "do" else "if"
            told = f"`{word}` takes one statement here"
            return self.refuse("syntax-unexpected", token, told, SEVERAL[word])
        if token.text == "by" and any(own.text == "sort" for own in self.tokens[: self.index]):
            return self.refuse("syntax-unexpected", token, "`sort` has no `by`", SORTED_BY)
        return None

    def _between_two_values(self, token: Token) -> str:
        """What to write where one value follows another: mostly words of everyday English."""
        before = self.tokens[self.index - 1]
        if before.text == "a" and token.text == "row":
            return "`line(s, 3)` asks whether three in a row go through the space `s`"
        if before.text == "roll":
            return "chance is a statement of its own: `roll x in 1..6`"
        if before.text == "return":
            return "leave `return` out: a function is its value"
        if before.text in _ARTICLES:
            return f"leave `{before.text}` out"
        if before.text in _NEGATIONS:
            return "write `not`"
        if before.text in ("each", "every"):
            return "write `for p in seats do S`, with what is done for each in place of `S`"
        if before.text in _OF_ONE and token.kind == "name" and self.following.kind != "name":
            return f"write `{before.text}({token.text})`"
        if token.text == "empty" and before.kind == "name":
            return f"write `empty({before.text})`"
        if token.text == "between":
            return f"write `{before.text} in 1..3`, with the numbers that are meant"
        if self._line(before) < self._line(token):
            return "begin each statement with `- `"
        hint = "put an operator or a comma between the two"
        if before.kind == token.kind == "name" and token.text not in GRAMMAR_WORDS:
            hint += f"; a name is one word: `{before.text}_{token.text}`"
        return hint

    def _else_of_an_if(self) -> bool:
        """Whether `else` goes on with the `if c then S` that stands before it, and cuts S off."""
        before = [token.text for token in self.tokens[: self.index]]
        return self.at("else") and before.count("then") > before.count("else")

    def _line(self, token: Token) -> int:
        return self.source.span(token.start, token.end).line

    def before_is(self, kind: str) -> bool:
        return self.index > 0 and self.tokens[self.index - 1].kind == kind

    def _value_before(self) -> bool:
        before = self.tokens[self.index - 1]
        return (
            before.kind == "int"
            or before.text in (")", "]")
            or (before.kind == "name" and before.text not in GRAMMAR_WORDS)
        )

    def _unexpected_end(self, wanted: str) -> Refused:
        if self.open:
            opener = self.open[-1]
            hint = f"add `{CLOSERS[opener.text]}`"
            if not self.source.node.quoted:
                hint += "; or, if a comma inside { } or [ ] cut it off, put it all in quotes"
            return self.refuse(
                "syntax-unbalanced-bracket", opener, f"this `{opener.text}` is never closed", hint
            )
        if self.index == 0:
            return Refused(
                "syntax-empty", 0, 1, f"there is nothing here: {wanted}", "write one, or `none`"
            )
        before = self.tokens[self.index - 1]
        what = "text" if self.token.kind == "end" else "statement"
        return self.refuse(
            "syntax-unfinished",
            before,
            f"the {what} stops after `{before.text}`: {wanted}",
            f"write what comes after `{before.text}`, or remove it",
        )

    def _unexpected_closer(self, token: Token) -> Refused:
        if self.open and self._expects_value():
            return self.refuse(
                "syntax-unexpected",
                token,
                f"a value is missing before `{token.text}`",
                "write the value, or remove what stands before",
            )
        if self.open:
            opener = self.open[-1]
            hint = f"`{opener.text}` is closed by `{CLOSERS[opener.text]}`"
            return self.refuse(
                "syntax-unbalanced-bracket",
                token,
                f"`{token.text}` does not close `{opener.text}`",
                hint,
            )
        hint = "remove it"
        if not self.source.node.quoted:
            hint += "; or, if a comma inside { } or [ ] cut the text, put it all in quotes"
        return self.refuse(
            "syntax-unbalanced-bracket", token, f"nothing is opened before this `{token.text}`",
            hint,
        )  # fmt: skip

    def _expects_value(self) -> bool:
        return self.open[-1].end <= self.last_end and not self._value_before()

    def _unexpected_assignment(self, token: Token) -> Refused:
        if token.text == "=":
            return self.refuse(
                "syntax-single-equals",
                token,
                "`=` sets a value; it does not compare",
                "write `==` to compare",
            )
        return self.refuse(
            "syntax-single-equals",
            token,
            f"`{token.text}` changes a variable; an expression only computes",
            "make it a statement of its own",
        )
