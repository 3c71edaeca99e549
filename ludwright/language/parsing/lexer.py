"""Text to tokens. Mistakes of spelling that other languages teach are named here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from ludwright.language.parsing.source import MAX_TEXT, Refused
from ludwright.program.types import INT_MAX
from ludwright.quick_records import dataclass

TokenKind = Literal["int", "name", "op", "text", "end"]


@dataclass(frozen=True, slots=True)
class Token:
    kind: TokenKind
    text: str
    start: int
    end: int


# Words with a meaning in expressions: never a name, except after a dot.
GRAMMAR_WORDS = frozenset([
    "for", "in", "if", "else", "until", "and", "or", "not", "true", "false", "none",
    "to", "from", "of", "at", "then", "do",
])  # fmt: skip
BEFORE_TEXT = ("say", "else")  # a sentence in quotes may follow: `say "…"`, `require c else "…"`

RENAMES = {
    "from": "origin",
    "to": "target",
    "of": "owner",
    "at": "spot",
    "in": "within",
    "for": "each",
    "do": "run",
}

_OPERATORS = (
    "..", "==", "!=", "<=", ">=", "+=", "-=", "//",
    "+", "-", "*", "%", "<", ">", "=", "(", ")", "[", "]", ",", ".", ":", "?",
)  # fmt: skip
_SPACE = re.compile(r"\s+")
_NAME = re.compile(r"\$?[A-Za-z_][A-Za-z0-9_]*")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"[0-9]+")
_FLOAT = re.compile(r"[0-9]+\.[0-9]+|\.[0-9]+")
_TEXT = re.compile(r"\"[^\"]*\"?|'[^']*'?|“[^”]*”?|‘[^’]*’?|`[^`]*`?")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

LAMBDA = (
    "there are no functions without a name",
    "at least is `>=`; functions are declared under `fns:`, or use a generator: `f(x) for x in A`",
)
_NO_POWER = ("syntax-unknown-character", "there is no power operator", "multiply: `n * n`")
_FOREIGN: dict[str, tuple[str, str, str]] = {
    "===": ("syntax-c-operator", "`===` is not an operator here", "write `==`"),
    "!==": ("syntax-c-operator", "`!==` is not an operator here", "write `!=`"),
    "=<": ("syntax-c-operator", "`=<` is not an operator here", "write `<=`"),
    "**": _NO_POWER,
    "...": ("syntax-unknown-character", "`...` is not known here", "a range is written `1..6`"),
    "&&": ("syntax-c-operator", "`&&` is not an operator here", "write `and`"),
    "||": ("syntax-c-operator", "`||` is not an operator here", "write `or`"),
    "!": ("syntax-c-operator", "`!` is not an operator here", "write `not`"),
    "&": ("syntax-c-operator", "`&` is not an operator here", "write `and`"),
    "|": ("syntax-c-operator", "`|` is not an operator here", "write `or`"),
    "/": (
        "syntax-slash",
        "`/` is not an operator: all numbers are whole",
        "write `//`, which rounds down",
    ),
    "{": (
        "syntax-braces",
        "lists and sets are written in square brackets",
        "write `[a, b]` instead of `{a, b}`",
    ),
    "}": ("syntax-braces", "`}` has no meaning in an expression", "lists are written `[a, b]`"),
    ";": (
        "syntax-semicolon",
        "one statement per list item: `;` does not separate statements",
        "make the second statement an item of its own",
    ),
    "≤": ("syntax-unknown-character", "`≤` is not known here", "write `<=`"),
    "≥": ("syntax-unknown-character", "`≥` is not known here", "write `>=`"),
    "≠": ("syntax-unknown-character", "`≠` is not known here", "write `!=`"),
    "×": ("syntax-unknown-character", "`×` is not known here", "write `*`"),
    "÷": ("syntax-unknown-character", "`÷` is not known here", "write `//`"),
    "–": ("syntax-unknown-character", "this dash is not a minus sign", "write `-`"),
    "−": (
        "syntax-unknown-character",
        "this minus sign is not the one on the keyboard",
        "write `-`",
    ),
    "…": ("syntax-unknown-character", "`…` is not known here", "a range is written `1..6`"),
    "^": _NO_POWER,
}


def is_identifier(text: str) -> bool:
    return _IDENTIFIER.fullmatch(text) is not None


_SPELT = {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}


def as_a_name(text: str) -> str | None:
    """How to write a name with spaces, or with letters that names do not have."""
    name = re.sub(r"\W+", "_", plain_letters(text)).strip("_")
    return name if is_identifier(name) and 2 * len(name) > len(text.strip()) else None


def plain_letters(text: str) -> str:
    """The text in letters that every keyboard has."""
    spelt = unicodedata.normalize("NFKC", text.strip())
    for letter, letters in _SPELT.items():
        spelt = spelt.replace(letter, letters)
    return unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()


def rename_hint(word: str) -> str:
    return f"choose another name, for example `{RENAMES.get(word, word + '1')}`"


def tokenize(text: str) -> list[Token]:
    if len(text) > MAX_TEXT:
        raise Refused(
            "syntax-too-long",
            0,
            1,
            f"this text has {len(text)} characters; at most {MAX_TEXT} are allowed",
            "split it: give parts of it names under `fns:`",
        )
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        if space := _SPACE.match(text, at):
            at = space.end()
            continue
        token = _token(text, at, tokens)
        tokens.append(token)
        at = token.end
    tokens.append(Token("end", "", len(text), len(text)))
    return tokens


def _token(text: str, at: int, before: list[Token]) -> Token:
    if name := _NAME.match(text, at):
        return Token("name", name.group(), at, name.end())
    after_value = bool(before) and before[-1].end == at and before[-1].text not in ("(", "[", ",")
    number = _FLOAT.match(text, at)
    if number and not (text[at] == "." and after_value):
        raise Refused(
            "syntax-float",
            at,
            number.end(),
            "numbers are whole: there are no decimals",
            "count in smaller units, for example cents",
        )
    if number := _NUMBER.match(text, at):
        return _integer(text, at, number.end())
    if quoted := _TEXT.match(text, at):
        if before and before[-1].text in BEFORE_TEXT and text[at] in "\"'":
            return _sentence(at, quoted.group())
        refuse_text(at, quoted.group(), before)
    if text.startswith(("=>", "->"), at):
        raise Refused("syntax-lambda", at, at + 2, *LAMBDA)
    return _sign(text, at, before)


def _sign(text: str, at: int, before: list[Token]) -> Token:
    """An operator, or a sign that other languages have: the longest one that stands here."""
    for length in (3, 2, 1):
        sign = text[at : at + length]
        if sign in _OPERATORS:
            return Token("op", sign, at, at + length)
        if sign in _FOREIGN:
            code, message, suggestion = _FOREIGN[sign]
            raise Refused(code, at, at + length, message, suggestion)
    if text[at] == "$":
        raise Refused(
            "syntax-unknown-character",
            at,
            at + 1,
            "`$` must be followed directly by a name",
            "write for example `$city`",
        )
    if text[at].isalpha():
        raise _no_letter(text, at, before)
    raise Refused(
        "syntax-unknown-character",
        at,
        at + 1,
        f"the character {text[at]!r} has no meaning here",
        "remove it",
    )


def _no_letter(text: str, at: int, before: list[Token]) -> Refused:
    """A letter that names do not have."""
    word = _WORD.match(text, before[-1].start if before and before[-1].end == at else at)
    name = as_a_name(word.group()) if word is not None else None
    return Refused(
        "syntax-unknown-character",
        at,
        at + 1,
        f"`{text[at]}` cannot be part of a name",
        "names use only the letters a to z, digits and `_`" + (f": `{name}`" if name else ""),
    )


def _integer(text: str, start: int, end: int) -> Token:
    digits = text[start:end]
    if _NAME.match(text, end):
        wrong = end
        while wrong < len(text) and (text[wrong].isalnum() or text[wrong] == "_"):
            wrong += 1
        raise Refused(
            "syntax-bad-number",
            start,
            wrong,
            f"`{text[start:wrong]}` is neither a number nor a name",
            _dice(text[start:wrong]) or "a name cannot start with a digit",
        )
    if len(digits) > 10 or int(digits) > INT_MAX:
        raise Refused(
            "syntax-number-too-large",
            start,
            end,
            f"`{digits[:24]}` is too large; the largest number is {INT_MAX}",
            "use a smaller number",
        )
    return Token("int", digits, start, end)


def _sentence(start: int, literal: str) -> Token:
    if len(literal) < 2 or literal[0] != literal[-1]:
        raise Refused(
            "syntax-text-literal",
            start,
            start + len(literal),
            f"this sentence has no closing {literal[0]}",
            f"write {literal[0]} at its end",
        )
    return Token("text", literal, start, start + len(literal))


def refuse_text(start: int, literal: str, before: Sequence[Token] = ()) -> None:
    """Text where a value is expected; `before` are the tokens in front of it."""
    inner = literal.strip("\"'“”‘’`")
    end = start + len(literal)
    if before and before[-1].text == "say":
        told = "a sentence goes in straight quotes"
        raise Refused("syntax-text-literal", start, end, told, f'write `say "{inner}"`')
    if before and before[0].text in ("say", "print"):
        told = "a sentence is one text in quotes, with its values in braces"
        hint = 'write `say "You have {n} points"`'
        raise Refused("syntax-text-literal", start, end, told, hint)
    named = f"write the name without quotes: `{inner}`" if is_identifier(inner) else None
    raise Refused(
        "syntax-text-literal",
        start,
        start + len(literal),
        "text in quotes is not a value",
        named or "text is only possible after `say` and in fields such as `ask` and `title`",
    )


def _dice(word: str) -> str | None:
    """What `2d6` is called here."""
    count, letter, sides = word.partition("d")
    if not (letter and count.isdecimal() and sides.isdecimal()):
        return None
    return f"roll each die by itself: `roll x in 1..{sides}`"
