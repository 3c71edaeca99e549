"""One-line effects: every statement of the language, and what it becomes."""

from __future__ import annotations

import pytest

from ludwright.language.tree import (
    AddVar,
    AdvancePhase,
    Attr,
    Binary,
    Call,
    CallProc,
    Clear,
    Conceal,
    CreateToken,
    DestroyToken,
    Draw,
    Effect,
    EndGame,
    EndTurn,
    ForEach,
    GotoPhase,
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
    RollRandom,
    RunPhase,
    SetVar,
    ShiftMarker,
    Shuffle,
    Stop,
    Unary,
    Window,
)
from tests.language.parsing_support import effects, expression, statement

X, Y, ME = Name("x"), Name("y"), Name("me")


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("x = y", SetVar(X, Y)),
        ("x.y = 1", SetVar(Attr(X, "y"), IntLit(1))),
        ("x[1] = y", SetVar(Index(X, IntLit(1)), Y)),
        ("x += y", AddVar(X, Y)),
        ("x -= 3", AddVar(X, IntLit(-3))),
        ("x -= -3", AddVar(X, IntLit(3))),
        ("x -= y", AddVar(X, Unary("-", Y))),
        ("let x = y", Let(("x",), Y)),
        ("let x, y = f()", Let(("x", "y"), Call("f"))),
        ("f(x, n=1)", CallProc("f", (X,), (("n", IntLit(1)),))),
        ("move x to y", MoveToken(X, Y)),
        ("move x to y at top", MoveToken(X, Y, position="top")),
        ("move x from me to y", MoveToken(X, Y, origin=ME)),
        ("move all of x to y", MoveToken(X, Y, all=True)),
        ("move 2 man of me from x to y", MoveCount(IntLit(2), Name("man"), ME, X, Y)),
        (
            "move x + 1 man from x to y",
            MoveCount(Binary("+", X, IntLit(1)), Name("man"), None, X, Y),
        ),
        ("place man at y", CreateToken(Name("man"), Y)),
        ("place man of me at y", CreateToken(Name("man"), Y, owner=ME)),
        (
            "place 3 man of me at y with up=true, n=x",
            CreateToken(Name("man"), Y, IntLit(3), ME, (("up", expression("true")), ("n", X))),
        ),
        ("remove x", DestroyToken(X)),
        ("remove all of x", DestroyToken(X, True)),
        ("draw 3 from x to y", Draw(IntLit(3), X, Y)),
        ("draw up to 3 from x to y", Draw(IntLit(3), X, Y, up_to=True)),
        ("shuffle x", Shuffle(X)),
        ("reveal x", Reveal(X)),
        ("reveal x to all", Reveal(X)),
        ("reveal x to me", Reveal(X, ME)),
        ("conceal x", Conceal(X)),
        ("conceal x from me", Conceal(X, ME)),
        ("shift x.y by -1", ShiftMarker(Attr(X, "y"), IntLit(-1))),
        ("roll die in 1..6", RollRandom("die", Binary("..", IntLit(1), IntLit(6)))),
        ("record x", Record("x")),
        ("clear x", Clear("x")),
        ("require x", Require(X)),
        ("return", Return()),
        ("return x", Return(X)),
        ("stop", Stop()),
        ("resolve x", Resolve(X)),
        ("resolve x shaded", Resolve(X, Name("shaded"))),
        ("window during", Window("during")),
        ("goto flop", GotoPhase("flop")),
        ("next phase", AdvancePhase()),
        ("push phase flop", PushPhase("flop")),
        ("run phase flop", RunPhase("flop")),
        ("end turn", EndTurn()),
        ("end game", EndGame()),
        ("end game win me", EndGame("win", ME)),
        ("end game lose me", EndGame("lose", ME)),
        ("end game draw", EndGame("draw")),
        ("end game draw all", EndGame("draw", Name("all"))),
        ("if x then stop", IfEffect(X, (Stop(),))),
        ("if x then remove y else stop", IfEffect(X, (DestroyToken(Y),), (Stop(),))),
        ("if x then return else f(y)", IfEffect(X, (Return(),), (CallProc("f", (Y,)),))),
        ("if x then f(y) else return y", IfEffect(X, (CallProc("f", (Y,)),), (Return(Y),))),
        ("if x then resolve y else stop", IfEffect(X, (Resolve(Y),), (Stop(),))),
        ("if x then end game draw else stop", IfEffect(X, (EndGame("draw"),), (Stop(),))),
        ("if x then if y then stop", IfEffect(X, (IfEffect(Y, (Stop(),)),))),
        ("for x in y do f(x)", ForEach(("x",), Y, (CallProc("f", (X,)),))),
        (
            "for x in y for me in x do stop",
            ForEach(("x",), Y, (ForEach(("me",), X, (Stop(),)),)),
        ),
        (
            "for x in y if x do stop",
            ForEach(("x",), expression("[x for x in y if x]"), (Stop(),)),
        ),
    ],
)
def test_statement(text: str, effect: Effect) -> None:
    assert statement(text) == (effect,)


def test_a_single_statement_may_stand_without_a_list() -> None:
    assert effects("x = 1") == (SetVar(X, IntLit(1)),)


def test_words_of_statements_are_free_after_a_dot_and_as_ids() -> None:
    assert statement("x.draw = 1") == (SetVar(Attr(X, "draw"), IntLit(1)),)
    assert statement("require action == draw") == (
        Require(Binary("==", Name("action"), Name("draw"))),
    )
