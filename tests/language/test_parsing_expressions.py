"""The expression grammar: what each text becomes."""

from __future__ import annotations

import pytest

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.parsing.longform import value
from ludwright.language.tree import (
    Attr,
    Binary,
    BoolLit,
    Call,
    Comp,
    Cond,
    Expr,
    For,
    If,
    Index,
    IntLit,
    ListLit,
    Name,
    NoneLit,
    TupleLit,
    Unary,
    Until,
)
from tests.language.parsing_support import expression, field, yaml_node

A, B, C = Name("a"), Name("b"), Name("c")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a", A),
        ("$a", Name("$a")),
        ("12", IntLit(12)),
        ("-3", IntLit(-3)),
        ("- -3", IntLit(3)),
        ("-a", Unary("-", A)),
        ("true", BoolLit(True)),
        ("none", NoneLit()),
        ("a.b.to", Attr(Attr(A, "b"), "to")),
        ("a[b]", Index(A, B)),
        ("a(b)[1].c", Attr(Index(Call("a", (B,)), IntLit(1)), "c")),
        ("a.b(c)", Call("a.b", (C,))),
        ("a(b, c=1)", Call("a", (B,), (("c", IntLit(1)),))),
        ("a()", Call("a")),
        ("(a)", A),
        ("(a, b)", TupleLit((A, B))),
        ("[]", ListLit(())),
        ("[a, b]", ListLit((A, B))),
        ("[a for a in b]", Comp(A, (For(("a",), B),))),
        ("a if b else c", Cond(B, A, C)),
        ("a if b else b if c else c", Cond(B, A, Cond(C, B, C))),
        ("not a in b", Unary("not", Binary("in", A, B))),
        ("a not in b", Binary("not in", A, B)),
        ("1..6", Binary("..", IntLit(1), IntLit(6))),
        ("a + 1 .. b", Binary("..", Binary("+", A, IntLit(1)), B)),
        ("action == move", Binary("==", Name("action"), Name("move"))),
    ],
)
def test_text_becomes_tree(text: str, tree: Expr) -> None:
    assert expression(text) == tree


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a or b and c", "a or (b and c)"),
        ("not a and b", "(not a) and b"),
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a // b % c", "(a // b) % c"),
        ("-a * b", "(-a) * b"),
        ("a + b == c", "(a + b) == c"),
        ("a == b and b == c", "(a == b) and (b == c)"),
        ("a in 1..b + 1", "a in (1..(b + 1))"),
        ("a or b if c else a", "(a or b) if c else a"),
    ],
)
def test_precedence(text: str, same: str) -> None:
    assert expression(text) == expression(same)


def test_a_bare_generator_is_a_whole_field_or_a_sole_argument() -> None:
    clauses = (
        For(("d",), Name("ds")),
        For(("x", "y"), Call("ray", (Name("d"),))),
        Until(Attr(Name("x"), "full")),
        If(Name("y")),
    )
    generator = "x for d in ds for x, y in ray(d) until x.full if y"
    assert expression(generator) == Comp(Name("x"), clauses)
    assert expression(f"any({generator})") == Call("any", (Comp(Name("x"), clauses),))
    assert expression(f"[{generator}]") == Comp(Name("x"), clauses)


def test_named_arguments_may_follow_a_bare_generator() -> None:
    comp = Comp(A, (For(("a",), B),))
    assert expression("max(a for a in b, default=0)") == Call(
        "max", (comp,), (("default", IntLit(0)),)
    )


def test_yaml_lists_are_lists_and_a_list_of_one_generator_is_that_generator() -> None:
    assert field("[a, 1, true]") == ListLit((A, IntLit(1), BoolLit(True)))
    assert field("[a for a in b if c]") == expression("[a for a in b if c]")
    assert field('["[a for a in b]", c]') == ListLit((Comp(A, (For(("a",), B),)), C))


def test_every_node_knows_where_it_stands() -> None:
    node = yaml_node("it: >\n  first +\n  second.x\n")
    found = value(node, Diagnostics())
    assert isinstance(found, Binary)
    assert found.left.span == Span("rules.yaml", 2, 3, 2, 8)
    assert found.right.span == Span("rules.yaml", 3, 3, 3, 11)
    assert found.span == Span("rules.yaml", 2, 3, 3, 11)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000,
        "(" * 1500 + "a" + ")" * 1500,
        "-" * 3000 + "a",
        "not " * 900 + "a",
        "a + " * 900 + "a",
        "a if b else " * 300 + "a",
        "a.b" * 900,
        "a" + "[0]" * 900,
        "a + " * 5000 + "a",
    ],
)
def test_depth_and_length_end_in_one_problem(text: str) -> None:
    diagnostics = Diagnostics()
    value(yaml_node(f'it: "{text}"'), diagnostics)
    assert [item.code for item in diagnostics.items] in (
        ["syntax-too-deep"],
        ["syntax-too-long"],
    )


def test_sixty_four_levels_are_fine() -> None:
    assert expression("(" * 60 + "a" + ")" * 60) == A
    assert expression(" + ".join("a" * 60)) is not None
