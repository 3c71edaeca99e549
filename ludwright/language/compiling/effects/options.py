"""What a choice offers, to whom and when, how many may be picked, and what is bound."""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.heads import choosing, decider
from ludwright.language.compiling.expressions import names
from ludwright.language.compiling.expressions.comprehensions import declare
from ludwright.language.compiling.expressions.type_check import (
    condition,
    number,
    stream,
    to_stream,
)
from ludwright.language.compiling.layout import WITHIN
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.narrowing import NOTHING, Facts
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import (
    BROKEN,
    MAX_LIST,
    NONE,
    Broken,
    Seq,
    Val,
    none_of,
    storable,
    universe,
)
from ludwright.program.types import Type

# ------------------------------------------------------------------------ results


def bind_result(
    lowering: Lowering, scope: Scope, bind: str, addr: int, type_: Type, code: Code, node: tree.Node
) -> None:
    local = Local(Val(code.load(addr, type_), type_))
    lowering.answer_types.setdefault(bind, type_)
    declare(lowering.unit, scope, bind, local, node.span)


def broken_result(scope: Scope, bind: str) -> None:
    scope.names[bind] = Local(Val(ir.Const(0), NONE), origin="broken")


def skip_unless(
    code: Code,
    when: ir.Expr | None,
    addr: int,
    type_: Type,
    seats: int = 0,  # of a sealed choice, which has a result for each
    known: Facts = NOTHING,  # about answers: they hold where there are none
) -> int | None:
    """`if`: where it fails nothing is asked, and none (or nothing) is bound, for each seat."""
    if when is None:
        return None
    ask, done = code.label(), code.label()
    skip = code.label()
    code.branch(when, skip)
    code.jump(ask)
    code.mark(skip)
    nothing = () if type_.kind == "list" else 0 if type_.kind == "set" else none_of(type_)
    if seats:
        for seat in range(seats):
            at = ir.Const(seat)
            code.emit(ir.Store(addr, ir.Const(nothing), type_, at, type_.width, seats))
    else:
        code.store(addr, ir.Const(nothing), type_)
    code.flow.learn(known)
    code.jump(done)
    code.mark(ask)
    return done


def cannot_be_none(lowering: Lowering, node: tree.ChooseOne | tree.ChooseN, scope: Scope) -> None:
    """Tell that an answer of this type is never none."""
    lowering.unit.error(
        "wrong-type",
        node.span,
        "a tuple cannot be none, so this choice cannot be optional",
        "use a `menu` with an entry to decline, or `ifNone: fault` where there is always one",
    )
    broken_result(scope, node.bind)


def of_picks(lowering: Lowering, options: Seq, addr: int, type_: Type) -> Facts:
    """What is known of the members of a set or list that is picked."""
    picked = to_stream(lowering.unit, Val(ir.LoadWide(addr, type_), type_), None)
    assert isinstance(picked, Seq)
    return lowering.unit.narrowing.of_picks(options.source, picked.source)


def many_type(lowering: Lowering, options: Seq, node: tree.ChooseN, scope: Scope) -> Type:
    """What several picks are: a set, or a list. Repeated picks can be more than the options."""
    elem = storable(options.elem) if universe(options.elem) is None else options.elem
    if universe(options.elem) is not None and node.ordering == "set" and not node.repeats:
        return Type("set", items=(replace(elem, optional=False),))
    cap = max(1, min(options.cap, MAX_LIST))
    if node.repeats and node.max is not None and node.max != tree.Name("all"):
        most = number(lowering.unit, node.max, scope)
        if isinstance(most, Val):
            cap = max(1, min(most.type.hi, MAX_LIST))
    return Type("list", items=(elem,), cap=cap)


# ---------------------------------------------------------------------- options


def options_of(lowering: Lowering, node: tree.Expr, scope: Scope) -> Seq | Broken:
    """The domain of a choice."""
    unit = lowering.unit
    labels = _plain_words(lowering, node, scope)
    if labels is not None:
        type_ = lowering.label_type(labels)
        return Seq(ir.ConstSource(tuple(range(len(labels)))), type_, len(labels), True)
    options = stream(unit, node, scope)
    if isinstance(options, Seq):
        options = within(unit, options)
    if isinstance(options, Seq) and options.elem.kind != "none" and options.elem.optional:
        unit.error(
            "may-be-none",
            node.span,
            "one of these options may be none, and nobody can choose none",
            "leave it out: `x for x in … if x != none`; to let it be declined: `optional: true`",
        )
        return BROKEN
    return options


def within(unit: Unit, options: Seq) -> Seq:
    """Of places only those that the offer allows which the choice is made in."""
    slot = unit.layout.globals.get(WITHIN)
    if slot is None or options.elem.kind != "place":
        return options
    reg, variable = unit.register(), slot.variable
    inside = ir.InSet(ir.Load(reg), ir.LoadWide(variable.addr, variable.type), 0)
    clauses = (ir.Loop((reg,), options.source), ir.Filter(inside))
    return replace(options, source=ir.Stream(clauses, ir.Load(reg)))


def _plain_words(lowering: Lowering, node: tree.Expr, scope: Scope) -> tuple[str, ...] | None:
    """`options: [pay, decline]` where none of the words is declared: they are just labels."""
    if not isinstance(node, tree.ListLit) or not node.items:
        return None
    words: list[str] = []
    for item in node.items:
        if not isinstance(item, tree.Name) or item.id.startswith("$"):
            return None
        if scope.find(item.id) is not None or names.is_known(lowering.unit, item.id):
            return None
        words.append(item.id)
    return tuple(words)


def asked_when(
    lowering: Lowering, when: tree.Expr | None, scope: Scope
) -> tuple[ir.Expr | None, Scope]:
    """The condition on which a choice is asked, and the scope in which it holds."""
    if when is None:
        return None, scope
    test = condition(lowering.unit, when, scope)
    return test, scope.assuming(lowering.unit.narrowing.implied(test, True))


def offered(
    lowering: Lowering, code: Code, node: tree.ChooseOne | tree.ChooseN, scope: Scope
) -> tuple[ir.Expr | None, Scope, ir.Expr | None, Seq | Broken]:
    """The condition, the scope of the one who chooses, who that is, and what is offered."""
    when, asked = asked_when(lowering, node.when, scope)
    by = decider(lowering, code, node.by, asked)
    asked = choosing(lowering.unit, asked, by)
    if by is None and node.by is not None:  # what is wrong with it has been told
        asked.names["chooser"] = Local(Val(ir.Const(0), NONE), origin="broken")
    return when, asked, by, options_of(lowering, node.options, asked)


# ---------------------------------------------------------------------- numbers


def bound(
    lowering: Lowering, node: tree.Expr | None, scope: Scope, default: int | None
) -> ir.Expr | None:
    """min or max: an expression; `all` is no bound at all."""
    if node is None:
        return None if default is None else ir.Const(default)
    if isinstance(node, tree.Name) and node.id == "all":
        return None
    value = number(lowering.unit, node, scope)
    return ir.Const(0) if isinstance(value, Broken) else value.expr


def least_picks(
    lowering: Lowering, node: tree.ChooseN, scope: Scope
) -> tuple[ir.Expr | None, bool]:
    """The least number, and whether one must go on while there is an option left."""
    minimum = bound(lowering, node.min, scope, 0)
    if node.min is not None and minimum is None:  # `min: all`
        return ir.Const(0), True
    return minimum, node.as_many_as_possible


def check_bounds(lowering: Lowering, node: tree.ChooseN) -> None:
    low = node.min.value if isinstance(node.min, tree.IntLit) else None
    high = node.max.value if isinstance(node.max, tree.IntLit) else None
    if (low is not None and low < 0) or (high is not None and high < 0):
        lowering.unit.error(
            "bad-bounds", node.span, "a choice cannot have fewer than 0 picks", "use 0 or more"
        )
    if low is not None and high is not None and low > high:
        lowering.unit.error(
            "bad-bounds", node.span, f"min {low} is more than max {high}", "swap them"
        )
