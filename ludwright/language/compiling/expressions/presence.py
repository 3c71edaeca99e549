"""`none`: where it may stand, and what to write where it may not.

One rule: what is read from none is none, a collection of none is empty, and a question about none
is answered no: a bool that may be none counts as false. `==`, `!=` and `in` take none as a value
like any other. Everywhere else something must be there; that is checked here, before anyone plays.
"""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.expressions.attributes import attribute
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.unit import Scope, Unit
from ludwright.language.compiling.values import BOOL, Seq, Val, none_of, noun
from ludwright.program.types import Type

MAX_SPELLED = 50  # characters of an expression that is repeated in a message


def optional(type_: Type) -> Type:
    return replace(type_, optional=True)


def holds_none(type_: Type) -> bool:
    """Whether a value of this type may be none, or have a none inside."""
    return type_.optional or type_.kind == "none" or any(map(holds_none, type_.items))


def fits(value: Type, expect: Type) -> bool:
    """Whether none can only stand where it may."""
    if (value.optional or value.kind == "none") and not expect.optional:
        return False
    if not value.items or not expect.items:
        return True
    pairs = zip(value.items, expect.items, strict=False)
    return all(fits(item, wanted) for item, wanted in pairs)


# ---------------------------------------------------------------------- narrowing


def truth(unit: Unit, value: Val) -> ir.Expr:
    """A bool as a condition: none is false."""
    if not value.type.optional:
        return value.expr
    if isinstance(value.expr, ir.Const):
        return ir.Const(int(value.expr.value == 1))
    holds = ir.Compare("==", value.expr, ir.Const(1))
    return unit.narrowing.proving(holds, if_true=unit.narrowing.there(value.expr))


def truths(unit: Unit, sequence: Seq) -> Seq:
    """A stream of conditions, none being false."""
    if not sequence.elem.optional:
        return sequence
    reg = unit.register()
    holds = truth(unit, Val(ir.Load(reg), sequence.elem))
    source = ir.Stream((ir.Loop((reg,), sequence.source),), holds)
    return Seq(source, BOOL, sequence.cap)


# ------------------------------------------------------- none as a value of a type


def stated(unit: Unit, value: Val, type_: Type) -> Val | None:
    """A value with every bare `none` in it as the none of its type (a number has another one than
    everything else); None where that cannot be said any more."""
    own = value.type
    if own.kind == "none":
        return Val(ir.Const(none_of(type_)), optional(type_)) if type_.is_scalar else None
    if not _bare(own):
        return value
    match value.expr:
        case ir.MakeTuple(items=items) if type_.kind == "tuple":
            parts = [
                stated(unit, Val(item, kind), wanted)
                for item, kind, wanted in zip(items, own.items, type_.items, strict=True)
            ]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                return None
            items_ = tuple(part.expr for part in known)
            return Val(ir.MakeTuple(items_), replace(own, items=tuple(p.type for p in known)))
        case ir.MakeList(stream=source) as made if type_.items:
            elems = restated(unit, Seq(source, own.items[0], own.cap), type_.items[0])
            if elems is None:
                return None
            return Val(replace(made, stream=elems.source), replace(own, items=(elems.elem,)))
        case _:
            return None


def restated(unit: Unit, sequence: Seq, elem: Type) -> Seq | None:
    """As `stated`, for the members of a stream."""
    if not _bare(sequence.elem):
        return sequence
    if isinstance(sequence.source, ir.ConstSource) and not sequence.source.values:
        return replace(sequence, elem=elem)
    reg = unit.register()
    loop = ir.Loop((reg,), sequence.source)
    if sequence.elem.kind == "none":
        nothing = ir.Stream((loop,), ir.Const(none_of(elem)))
        return Seq(nothing, optional(elem), sequence.cap)
    if isinstance(sequence.source, ir.Stream):
        head = stated(unit, Val(sequence.source.head, sequence.elem), elem)
        if head is not None:
            return Seq(replace(sequence.source, head=head.expr), head.type, sequence.cap)
    return None


def _bare(type_: Type) -> bool:
    return type_.kind == "none" or any(map(_bare, type_.items))


# ---------------------------------------------------------------------- diagnostics


def report(
    unit: Unit,
    value: Type,
    expect: Type,
    span: Span | None,
    node: tree.Expr | None = None,
    scope: Scope | None = None,
    literal: bool = False,
    around: tree.Expr | None = None,
) -> None:
    """Something may be none where it must be there: say what, and which test to write (around the
    condition it stands in, if it does)."""
    if literal:
        unit.error(
            "none-not-allowed",
            span,
            f"{noun(expect)} is needed here, not none",
            "declare it optional with `?` after its type",
        )
        return
    whole = spelled(node)
    if value.optional:
        culprit = spelled(_culprit(unit, node, scope)) or whole
        what = f"`{whole}`" if whole else "this"
        test = f"{culprit} != none" if culprit else "… != none"
        write = f"test it first: `{test} and …`, `if {test} then …`"
        condition = spelled(around)
        if condition is not None:
            write = f"write `{test} and {condition}`"
        instead = ""
        if value.kind == "bool":
            instead = f", or `{whole or '…'} == true`"
        elif value.kind == "int":
            instead = f", or use `default({whole or '…'}, 0)`"
        elif isinstance(node, tree.Call) and node.fn == "first":
            instead = ", or take `[…][0]` where there always is one"
        unit.error(
            "may-be-none",
            span,
            f"{what} may be none here, and {noun(expect)} is needed",
            f"{write}{instead}",
        )
        return
    unit.error(
        "may-be-none",
        span,
        "something in this may be none",
        "leave them out: `x for x in … if x != none`, or use `default(x, …)`",
    )


def _culprit(unit: Unit, node: tree.Expr | None, scope: Scope | None) -> tree.Expr | None:
    """`c.piece.rank` is none because `c.piece` is, unless there are pieces without a rank."""
    while isinstance(node, tree.Attr) and scope is not None:
        owner = expression(unit, node.of, scope)
        if not isinstance(owner, Val) or not owner.type.optional:
            break
        there = replace(owner, type=replace(owner.type, optional=False))
        found = attribute(unit, there, node.name, node.span)
        if not isinstance(found, Val) or found.type.optional:
            break
        node = node.of
    return node


def spelled(node: tree.Expr | None) -> str | None:
    """A short expression as the author wrote it."""
    text = _spelled(node)
    return text if text is not None and len(text) <= MAX_SPELLED else None


def _spelled(node: tree.Expr | None) -> str | None:
    match node:
        case tree.Name(id=name):
            return name
        case tree.IntLit(value=value):
            return str(value)
        case tree.Binary(op=op, left=left, right=right):
            sides = [_spelled(left), _spelled(right)]
            return None if None in sides else f"{sides[0]} {op} {sides[1]}"
        case tree.Attr(of=of, name=name):
            owner = _spelled(of)
            return None if owner is None else f"{owner}.{name}"
        case tree.Index(of=of, index=index):
            parts = [_spelled(of), _spelled(index)]
            return None if None in parts else f"{parts[0]}[{parts[1]}]"
        case tree.Call(fn=fn, args=args, named=()):
            given = [_spelled(arg) for arg in args]
            return None if None in given else f"{fn}({', '.join(str(each) for each in given)})"
        case _:
            return None
