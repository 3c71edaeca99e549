"""One-line effects: `move X to Z`, `x += 1`, `if c then S`, …"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, cast

from ludwright.diagnostics import Diagnostics
from ludwright.language.parsing.expressions import TextParser, dotted, negate, tree_height
from ludwright.language.parsing.lexer import Token
from ludwright.language.parsing.sentences import parse_sentence
from ludwright.language.parsing.source import MAX_DEPTH, Refused, Source
from ludwright.language.parsing.statement_words import (
    ELSE_APART,
    FORMS,
    TWO_WORDS,
    WITH_IF,
    hint_for,
    hint_for_name,
)
from ludwright.language.reading.nodes import YScalar
from ludwright.language.tree import (
    AddVar,
    AdvancePhase,
    Attr,
    Call,
    CallProc,
    Clear,
    Comp,
    Conceal,
    CreateToken,
    DestroyToken,
    Draw,
    Effect,
    EndGame,
    EndTurn,
    Expr,
    For,
    ForEach,
    GotoPhase,
    If,
    IfEffect,
    Index,
    IntLit,
    Let,
    MoveCount,
    MoveToken,
    Name,
    PushPhase,
    Record,
    Require,
    Resolve,
    Return,
    Reveal,
    Reverse,
    RollRandom,
    RunPhase,
    Say,
    SetVar,
    ShiftMarker,
    Shuffle,
    Stop,
    Swap,
    TupleLit,
    Window,
)

_DICE = ("every die is rolled by itself", "write `roll x in 1..6` for each of them")
_NOT_AT = ("on", "onto", "in", "into", "to")


def everyone_is_default(seats: Expr | None) -> Expr | None:
    """`to all` says no more than leaving it out."""
    return None if isinstance(seats, Name) and seats.id == "all" else seats


class StatementParser(TextParser):
    opener = ""  # the word at the head of the statement that is being read

    def statement(self) -> Effect:
        token = self.token
        if token.kind == "name":
            if token.text in WITH_IF:
                told = f"`{token.text}` belongs in the same statement as its `if`"
                raise self.refuse("syntax-stray-else", token, told, ELSE_APART)
            if (token.text, self.following.text) in TWO_WORDS:
                return self.two_words(token)
            handler = _HANDLERS.get(token.text)
            if handler is not None and not self._is_plain_use():
                self.advance()
                outer, self.opener = self.opener, token.text
                with self.deeper():
                    effect = handler(self, token.start)
                self.opener = outer
                return effect
        return self.assignment_or_call(token)

    def end(self) -> None:
        if self.at(",") and not (self.before_is("int") and self.following.kind == "int"):
            told = "one text holds one statement"
            hint = "put several into a list: `[S, T]`, or one item `- S` for each"
            raise self.refuse("syntax-unexpected", self.token, told, hint)
        super().end()

    def ends_here(self) -> bool:
        """Whether the statement ends: the text does, or its `if` goes on with `else`."""
        return self.token.kind == "end" or self.at("else")

    def _is_plain_use(self) -> bool:
        """A statement word in front of `(`, `=` or `.`: a thing is called like the word."""
        if self.token.text in ("if", "for", "return", "require", "move", "draw", "place", "let"):
            return self.following.text in ("=", "+=", "-=", ".") and self.following.kind == "op"
        return self.following.text in ("(", "=", "+=", "-=", ".") and self.following.kind == "op"

    # ------------------------------------------------- assignments and calls

    def assignment_or_call(self, token: Token) -> Effect:
        start = token.start
        if token.kind == "name" and self._starts_unknown_statement():
            raise self.unknown_statement(token)
        target = self.post()
        if self.at("=", "+=", "-="):
            return self.assignment(target, start)
        if self.ends_here() and isinstance(target, Call):
            return CallProc(target.fn, target.args, target.named, span=self.span(start))
        if self.at("=="):
            raise self.refuse(
                "syntax-compare-as-statement",
                self.token,
                "`==` compares; a statement does something",
                "write `=` to set the value, or `require` before the comparison",
            )
        if self.at("++", "--") or (self.at("+", "-") and self.following.text in ("+", "-")):
            sign = self.token.text[0]
            raise self.refuse(
                "syntax-not-a-statement",
                self.token,
                f"there is no `{sign}{sign}`",
                f"write `x {sign}= 1`",
            )
        if self.ends_here():
            hint = "set it: `x = e`"
            if isinstance(target, IntLit):
                hint = "numbers are whole, and a comma ends the statement before it"
            elif name := dotted(target):
                hint = hint_for_name(name)
            raise Refused("syntax-not-a-statement", start, self.last_end, "this does nothing", hint)
        raise self.unexpected("expected `=`, `+=`, `-=` or the end of a call")

    def _starts_unknown_statement(self) -> bool:
        """`discard hand`: a word followed by another value is a statement nobody knows."""
        after = self.following
        return after.kind in ("name", "int") and after.text not in ("in", "and", "or", "if", "not")

    def unknown_statement(self, token: Token) -> Refused:
        words = [each.text for each in self.tokens[self.index :] if each.kind != "end"]
        return self.refuse(
            "syntax-unknown-statement",
            token,
            f"no statement starts with `{token.text}`",
            hint_for(words) or "statements are " + ", ".join(f"`{word}`" for word in sorted(FORMS)),
        )

    def assignment(self, target: Expr, start: int) -> Effect:
        if not isinstance(target, (Name, Attr, Index)):
            raise Refused(
                "syntax-bad-target",
                start,
                self.last_end,
                "this cannot be given a value",
                _with_dot(target) or "only variables, `seat.x`, `space.x` and `piece.x` can",
            )
        op = self.advance()
        sign_start = self.token.start
        value = self.field()
        if op.text == "=":
            return SetVar(target, value, span=self.span(start))
        if op.text == "-=":
            value = negate(value, self.span(sign_start))
        return AddVar(target, value, span=self.span(start))

    # --------------------------------------------------------- single words

    def let(self, start: int) -> Effect:
        names = self.names("a name after `let`")
        if self.at(":"):
            raise self.refuse(
                "syntax-colon",
                self.token,
                "a local name has no type of its own: it has that of its value",
                f"write `let {names[0]} = …`; an empty set is `set()`",
            )
        self.expect("=", "after the name")
        return Let(names, self.field(), span=self.span(start))

    def move(self, start: int) -> Effect:
        if self.at("all") and self.following.text == "of":
            self.advance()
            self.advance()
            what = self.field()
            self.expect("to", "and the place it goes to")
            return self.move_end(what, None, start, whole=True)
        count, up_to = self.how_many()
        if self.at("to") and not up_to:
            self.advance()
            return self.move_end(count, None, start)
        if not up_to and self.accept("from"):
            origin = self.expr()
            self.expect("to", "and the place it goes to")
            return self.move_end(count, origin, start)
        if self.at("on", "onto", "in", "into"):
            told = f"a piece is moved `to` a place, not `{self.token.text}` it"
            raise self.refuse("syntax-unexpected", self.token, told, "write `move X to Z`")
        kind, owner = self.kind_and_owner()
        props = self.properties()
        self.expect("from", "and the place they leave")
        origin = self.expr()
        self.expect("to", "and the place they go to")
        to = self.expr()
        return MoveCount(count, kind, owner, origin, to, up_to, props, span=self.span(start))

    def how_many(self) -> tuple[Expr, bool]:
        """`2`, `up to 2`, or `all`; or the one thing that is meant."""
        up_to = self.at("up") and self.following.text == "to"
        if up_to:
            self.advance()
            self.advance()
        if self.at("all") and self.following.kind == "name":
            start = self.advance().start
            return Name("all", span=self.span(start)), up_to
        return self.expr(), up_to

    def properties(self) -> tuple[tuple[str, Expr], ...]:
        """`with prop=e, …`"""
        props: list[tuple[str, Expr]] = []
        if self.accept("with"):
            while True:
                name = self.name("a property").text
                self.expect("=", "after the property")
                props.append((name, self.expr()))
                if not self.accept(","):
                    break
        return tuple(props)

    def move_end(
        self, what: Expr, origin: Expr | None, start: int, whole: bool = False
    ) -> MoveToken:
        to = self.expr()
        position: Literal["top", "bottom", "random"] | None = None
        if self.accept("at"):
            if not self.at("top", "bottom", "random"):
                raise self.unexpected("expected `top`, `bottom` or `random` after `at`")
            position = cast(Literal["top", "bottom", "random"], self.advance().text)
        return MoveToken(what, to, whole, position, origin, span=self.span(start))

    def kind_and_owner(self) -> tuple[Expr, Expr | None]:
        if self.token.kind != "name":
            raise self.unexpected("expected `to`, or a kind of piece")
        kind = self.post()
        owner = self.post() if self.accept("of") else None
        return kind, owner

    def place(self, start: int) -> Effect:
        if self.at("up") and self.following.text == "to":
            raise self.refuse(
                "syntax-unexpected",
                self.token,
                "`place` puts down a number of pieces, and takes no `up to`",
                "say how many there are at most: `place min(2, count(x for x in KIND if "
                "x.place == none)) KIND at SPACE`",
            )
        first = self.expr()
        count: Expr | None = None
        if self.at("of", "at", *_NOT_AT):
            kind, owner = first, self.post() if self.accept("of") else None
        else:
            count = first
            kind, owner = self.kind_and_owner()
        if self.at(*_NOT_AT):
            raise self.refuse(
                "syntax-unexpected",
                self.token,
                f"a piece is placed `at` a place, not `{self.token.text}` it",
                "write `place KIND at SPACE`",
            )
        self.expect("at", "and the place")
        to = self.expr()
        return CreateToken(kind, to, count, owner, self.properties(), span=self.span(start))

    def remove(self, start: int) -> Effect:
        if self.at("all") and self.following.text == "of":
            self.advance()
            self.advance()
            return DestroyToken(self.field(), True, span=self.span(start))
        count, up_to = self.how_many()
        if self.ends_here() and not up_to:
            return DestroyToken(count, span=self.span(start))
        if self.at("at"):
            raise self.refuse(
                "syntax-unexpected",
                self.token,
                "what is removed is a piece, or so many of a kind from a place",
                "write `remove SPACE.piece`, or `remove 1 KIND from SPACE`",
            )
        kind, owner = self.kind_and_owner()
        props = self.properties()
        self.expect("from", "and the place they leave")
        origin = self.expr()
        return MoveCount(count, kind, owner, origin, None, up_to, props, span=self.span(start))

    def swap(self, start: int) -> Effect:
        left = self.expr()
        self.expect("with", "and what it is exchanged with")
        return Swap(left, self.expr(), span=self.span(start))

    def reverse(self, start: int) -> Effect:
        return Reverse(self.expr(), span=self.span(start))

    def draw(self, start: int) -> Effect:
        up_to = self.at("up") and self.following.text == "to"
        if up_to:
            self.advance()
            self.advance()
        if self.at("from"):
            told = "this does not say how many to draw"
            raise self.refuse("syntax-unexpected", self.token, told, "write `draw 1 from Z to Z`")
        count = self.expr()
        self.expect("from", "and the zone they are drawn from")
        origin = self.expr()
        self.expect("to", "and the place they go to")
        return Draw(count, origin, self.expr(), up_to, span=self.span(start))

    def shuffle(self, start: int) -> Effect:
        return Shuffle(self.expr(), span=self.span(start))

    def reveal(self, start: int) -> Effect:
        what = self.field()
        to = self.field() if self.accept("to") else None
        return Reveal(what, everyone_is_default(to), span=self.span(start))

    def conceal(self, start: int) -> Effect:
        what = self.field()
        origin = self.field() if self.accept("from") or self.accept("to") else None
        return Conceal(what, everyone_is_default(origin), span=self.span(start))

    def shift(self, start: int) -> Effect:
        target = self.post()
        self.expect("by", "and the number of steps")
        return ShiftMarker(target, self.expr(), span=self.span(start))

    def roll(self, start: int) -> Effect:
        of: Expr | None = None
        if self.following.text in (".", "(", "["):
            at = self.token.start
            target = self.post()
            if not isinstance(target, Attr):
                raise Refused(
                    "syntax-bad-target",
                    at,
                    self.last_end,
                    "this cannot be given a value",
                    "only variables, `seat.x`, `space.x` and `piece.x` can",
                )
            bind, of = target.name, target.of
        else:
            if self.token.kind == "int":
                raise self.refuse("syntax-unexpected", self.token, *_DICE)
            bind = self.binder("a name for the result").text
        if self.token.kind != "end" and not self.at("in"):
            told = "this does not say what can come up"
            raise self.refuse("syntax-unexpected", self.token, told, f"write `roll {bind} in 1..6`")
        self.expect("in", "after the name, as in `roll die in 1..6`")
        return RollRandom(bind, self.field(), of, span=self.span(start))

    def record(self, start: int) -> Effect:
        return Record(self.name("the name of a history").text, span=self.span(start))

    def clear(self, start: int) -> Effect:
        return Clear(self.name("the name of a history").text, span=self.span(start))

    def require(self, start: int) -> Effect:
        when = self.expr()
        words = ""
        if self.accept("else"):
            if self.token.kind != "text":
                raise self.unexpected('expected the words in quotes: `require c else "…"`')
            words = self.advance().text[1:-1]
        return Require(when, words, span=self.span(start))

    def say(self, start: int) -> Effect:
        token = self.token
        if token.kind != "text":
            words = self.source.text[token.start :].strip()
            message, hint = "a sentence goes in quotes", f'write `say "{words}"`'
            raise self.refuse("syntax-unexpected", token, message, hint)
        self.advance()
        text = parse_sentence(self.source.part(token.start + 1, token.end - 1))
        to = self.field() if self.accept("to") else None
        when = self.expr() if self.accept("if") else None
        return Say(text, everyone_is_default(to), when, span=self.span(start))

    def returns(self, start: int) -> Effect:
        value = None if self.ends_here() else self.field()
        return Return(value, span=self.span(start))

    def stop(self, start: int) -> Effect:
        return Stop(span=self.span(start))

    def resolve(self, start: int) -> Effect:
        card = self.post()
        side = None if self.ends_here() else self.post()
        return Resolve(card, side, span=self.span(start))

    def window(self, start: int) -> Effect:
        return Window(self.name("the name of a window").text, span=self.span(start))

    def goto(self, start: int) -> Effect:
        if self.at("phase") and self.following.kind == "name":
            hint = f"write `goto {self.following.text}`"
            raise self.refuse("syntax-unexpected", self.token, "`goto` takes only the name", hint)
        return GotoPhase(self.name("the name of a phase").text, span=self.span(start))

    # ------------------------------------------------------------ two words

    def two_words(self, first: Token) -> Effect:
        self.advance()
        second = self.advance()
        match first.text, second.text:
            case "next", _:
                return AdvancePhase(span=self.span(first.start))
            case "run" | "push" as word, _:
                phase = self.name("the name of a phase").text
                effect = RunPhase if word == "run" else PushPhase
                return effect(phase, span=self.span(first.start))
            case _, "turn":
                return EndTurn(span=self.span(first.start))
            case _:
                return self.end_game(first.start)

    def end_game(self, start: int) -> Effect:
        if not self.at("win", "lose", "draw"):
            return EndGame(span=self.span(start))
        outcome = cast(Literal["win", "lose", "draw"], self.advance().text)
        seats = None if outcome == "draw" and self.ends_here() else self.field()
        return EndGame(outcome, seats, span=self.span(start))

    # --------------------------------------------------------------- guards

    def guard(self, start: int) -> Effect:
        when = self.expr()
        if self.at("do", ":"):
            raise self.refuse(
                "syntax-if-then", self.token, "the condition is followed by `then`",
                "write `if c then S`",
            )  # fmt: skip
        self.expect("then", "after the condition")
        body = self.statement()
        other = (self.statement(),) if self.accept("else") else ()
        return IfEffect(when, (body,), other, span=self.span(start))

    def loop(self, start: int) -> Effect:
        names = self.names("a name for each element")
        if names == ("each",) and self.token.kind == "name" and not self.at("in"):
            message = "each element gets a name, and the collection follows `in`"
            raise self.refuse(
                "syntax-unexpected", self.token, message, "write `for p in seats do S`"
            )
        self.expect("in", "after the name")
        over = self.logic(1)
        filters: list[If] = []
        while self.at("if"):
            at = self.advance().start
            filters.append(If(self.logic(1), span=self.span(at)))
        if filters:
            each = tuple(Name(name) for name in names)
            head = each[0] if len(each) == 1 else TupleLit(each)
            over = Comp(head, (For(names, over, span=over.span), *filters), span=over.span)
        if self.at("for"):
            inner_start = self.advance().start
            with self.deeper():
                body = self.loop(inner_start)
        else:
            if self.token.kind != "end" and not self.at("do"):
                raise self.refuse(
                    "syntax-for-do", self.token, "the list is followed by `do`",
                    "write `for x in A do S`",
                )  # fmt: skip
            self.expect("do", "before what is done for each")
            body = self.statement()
        return ForEach(names, over, (body,), span=self.span(start))


_HANDLERS: dict[str, Callable[[StatementParser, int], Effect]] = {
    "let": StatementParser.let,
    "move": StatementParser.move,
    "place": StatementParser.place,
    "remove": StatementParser.remove,
    "draw": StatementParser.draw,
    "shuffle": StatementParser.shuffle,
    "reverse": StatementParser.reverse,
    "swap": StatementParser.swap,
    "reveal": StatementParser.reveal,
    "conceal": StatementParser.conceal,
    "shift": StatementParser.shift,
    "roll": StatementParser.roll,
    "record": StatementParser.record,
    "clear": StatementParser.clear,
    "require": StatementParser.require,
    "say": StatementParser.say,
    "return": StatementParser.returns,
    "stop": StatementParser.stop,
    "resolve": StatementParser.resolve,
    "window": StatementParser.window,
    "goto": StatementParser.goto,
    "if": StatementParser.guard,
    "for": StatementParser.loop,
}

# Words that open a statement. They are free as names: what follows shows what is meant.
STATEMENT_WORDS = frozenset(_HANDLERS)


def is_statement(word: str) -> bool:
    """Whether statements begin with this word."""
    return word in STATEMENT_WORDS


def parse_statement(node: YScalar, diagnostics: Diagnostics) -> Effect | None:
    """One statement; None (and a report) if it cannot be read."""
    source = Source(node)
    parser: StatementParser | None = None
    try:
        parser = StatementParser(source)
        if parser.token.kind == "end":
            raise parser.unexpected("expected a statement")
        effect = parser.statement()
        parser.end()
        if tree_height(effect) > MAX_DEPTH:
            raise parser.too_deep(0, len(source.text))
    except Refused as refused:
        form = FORMS.get(parser.opener) if parser is not None else None
        if refused.code == "syntax-unfinished" and form is not None:
            refused.suggestion = f"write `{form}`"
        source.report(_unquoted(source.text) or refused, diagnostics)
        named = _NAMING.match(source.text)
        if named is not None:  # what follows may use the names all the same
            diagnostics.spoilt.update(re.findall(r"[$\w]+", named[1]))
        return None
    return effect


def _with_dot(target: Expr) -> str | None:
    """What is meant by `coins(actor) += 1`."""
    match target:
        case Call(fn=name, args=(Name(id=whose),)):
            return f"write `{whose}.{name}`"
        case _:
            return None


# A statement that makes local names: `let a, b = …`, `roll x in …`.
_NAMING = re.compile(r"(?:let|roll)\s+([$\w]+(?:\s*,\s*[$\w]+)*)")


def _unquoted(text: str) -> Refused | None:
    """`say` with a sentence that has no quotes; what is wrong inside it is no mistake then."""
    said = re.search(r"(?:^|\b(?:do|then|else)\s+)say\s+(?=[\w{])", text)
    if said is None:
        return None
    hint = f'write `say "{text[said.end() :].strip()}"`'
    return Refused("syntax-unexpected", said.end(), len(text), "a sentence goes in quotes", hint)
