"""Expressions as their authors would write them, for messages to players."""

from __future__ import annotations

from ludwright.language import tree

_LOOSE = {"or": 1, "and": 2, "not": 3}
_TIGHT = {"+": 6, "-": 6, "*": 7, "//": 7, "%": 7, "..": 5}
_COMPARING = 4


def text_of(node: tree.Expr, outer: int = 0) -> str:
    """The short spelling; brackets stand only where they are needed."""
    match node:
        case tree.IntLit(value=number):
            return str(number)
        case tree.BoolLit(value=truth):
            return "true" if truth else "false"
        case tree.NoneLit():
            return "none"
        case tree.Name(id=name):
            return name
        case tree.Attr(of=of, name=name):
            return f"{text_of(of, 9)}.{name}"
        case tree.Index(of=of, index=index):
            return f"{text_of(of, 9)}[{text_of(index)}]"
        case tree.Call(fn=fn, args=args, named=named):
            given = [text_of(arg) for arg in args]
            given += [f"{name}={text_of(value)}" for name, value in named]
            return f"{fn}({', '.join(given)})"
        case tree.Unary(op=op, arg=arg):
            level = _LOOSE["not"] if op == "not" else 8
            written = f"not {text_of(arg, level)}" if op == "not" else f"-{text_of(arg, level)}"
            return _bracketed(written, level, outer)
        case tree.Binary(op=op, left=left, right=right):
            level = _LOOSE.get(op) or _TIGHT.get(op) or _COMPARING
            sign = op if op == ".." else f" {op} "
            written = f"{text_of(left, level)}{sign}{text_of(right, level + 1)}"
            return _bracketed(written, level, outer)
        case tree.Cond(when=when, then=then, other=other):
            written = f"{text_of(then, 1)} if {text_of(when, 1)} else {text_of(other)}"
            return _bracketed(written, 0, outer)
        case tree.TupleLit(items=items):
            return f"({', '.join(map(text_of, items))})"
        case tree.ListLit(items=items):
            return f"[{', '.join(map(text_of, items))}]"
        case tree.Comp(head=head, clauses=clauses):
            written = " ".join([text_of(head, 1), *map(_clause, clauses)])
            return f"[{written}]" if outer else written
        case _:
            return "…"


def _bracketed(written: str, level: int, outer: int) -> str:
    return f"({written})" if level < outer else written


def _clause(clause: tree.Clause) -> str:
    match clause:
        case tree.For(names=names, source=source):
            return f"for {', '.join(names)} in {text_of(source, 1)}"
        case tree.If(when=when):
            return f"if {text_of(when, 1)}"
        case tree.Until(when=when):
            return f"until {text_of(when, 1)}"
