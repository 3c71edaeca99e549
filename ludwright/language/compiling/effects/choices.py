"""Decisions: chooseOne and chooseN become `Choose` instructions."""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects import by_class, sealed
from ludwright.language.compiling.effects.choose_each import choose_each
from ludwright.language.compiling.effects.heads import HeadScope
from ludwright.language.compiling.effects.if_none import IfNone, can_pick
from ludwright.language.compiling.effects.options import (
    bind_result,
    bound,
    broken_result,
    cannot_be_none,
    check_bounds,
    least_picks,
    many_type,
    of_picks,
    offered,
    options_of,
    skip_unless,
)
from ludwright.language.compiling.effects.sentences import question
from ludwright.language.compiling.explanations import explain_options
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.narrowing import NOTHING
from ludwright.language.compiling.unit import Scope
from ludwright.language.compiling.values import (
    Broken,
    storable,
)
from ludwright.program.types import Type

# ---------------------------------------------------------------------- chooseOne


def choose_one(
    lowering: Lowering,
    code: Code,
    node: tree.ChooseOne,
    scope: Scope,
    role: ir.Role = "choice",
) -> int | None:
    """Gives the index of the compiled Choice."""
    unit = lowering.unit
    if node.together:
        return sealed.choose(lowering, code, node, scope)
    when, asked, by, options = offered(lowering, code, node, scope)
    if by is None or isinstance(options, Broken):
        broken_result(scope, node.bind)
        return None
    if options.elem.kind == "none":
        what = "there is nothing to choose from"
        unit.error("no-options", node.options.span, what, "list what can be chosen")
        broken_result(scope, node.bind)
        return None
    without = IfNone(lowering, code, node.if_none)
    optional = node.optional or node.when is not None or without.goes_on
    type_ = replace(storable(options.elem), optional=optional or options.elem.optional)
    if optional and not type_.is_scalar:
        cannot_be_none(lowering, node, scope)
        return None
    addr = code.slot(type_, node.bind)
    known = unit.narrowing.of_answer(options.source, addr) if optional else NOTHING
    done = skip_unless(code, when, addr, type_, known=known)
    head = HeadScope(lowering, code, node.bind.lstrip("$"), "choice", by)
    index = lowering.add_choice(
        code,
        ir.Choice(
            node.bind,
            role,
            "one",
            options.elem,
            addr,
            type_,
            by,
            options=options.source,
            optional=node.optional,
            empty=without.target,
            loops=code.move_loops(),
            site=unit.site(node.span, f"{unit.rule}: choose {node.bind}"),
            ask=question(lowering, node.ask, asked),
        ),
    )
    explain_options(unit, lowering.choices[index].site, node.options, asked)
    code.emit(ir.Choose(index))
    if not node.optional:
        code.flow.learn(unit.narrowing.of_element(options.source, ir.Load(addr)))
    code.flow.learn(known)
    without.close(scope, ((addr, type_),), known)
    if done is not None:
        code.mark(done)
    bind_result(lowering, scope, node.bind, addr, type_, code, node)
    head.close()
    return index


# ------------------------------------------------------------------------ chooseN


def choose_many(lowering: Lowering, code: Code, node: tree.ChooseN, scope: Scope) -> None:
    if node.by_class:
        _choose_by_class(lowering, code, node, scope)
    elif node.each is not None:
        if node.together:
            lowering.unit.error(
                "sealed-each",
                node.span,
                "`each` does something after every pick, and a sealed choice shows nothing before "
                "all have chosen",
                "leave `each` out, and go through the picks behind the choice: "
                f"`for x in {node.bind}[p] do …`",
            )
        choose_each(lowering, code, node, scope)
    elif node.together:
        sealed.choose(lowering, code, node, scope)
    else:
        _choose_all(lowering, code, node, scope)


def _choose_by_class(lowering: Lowering, code: Code, node: tree.ChooseN, scope: Scope) -> None:
    """`by: class`: of alike pieces only how many; the effects follow when all are chosen."""
    unit = lowering.unit
    when, asked, by, options = offered(lowering, code, node, scope)
    if by is None or isinstance(options, Broken) or not by_class.allowed(unit, node, options):
        broken_result(scope, node.bind)
        return
    check_bounds(lowering, node)
    type_ = Type("set", items=(replace(options.elem, optional=False),))
    addr = code.slot(type_, node.bind)
    minimum, as_many = least_picks(lowering, node, asked)
    bounds = by_class.Bounds(minimum, bound(lowering, node.max, asked, None), as_many)
    done = skip_unless(code, when, addr, type_)
    head = HeadScope(lowering, code, node.bind.lstrip("$"), "choice", by)
    without = IfNone(lowering, code, node.if_none)
    test = can_pick(unit, options, minimum, bounds.maximum, False, node.span)
    if node.if_none is not None:
        without.unless(test)
    elif minimum not in (None, ir.Const(0)):
        code.demands.append(len(code.instrs))
        code.emit(ir.Require(test, unit.site(node.span, f"{unit.rule}: choose {node.bind}")))
    was_in_move, code.in_move = code.in_move, True

    def again() -> ir.Source:
        found = options_of(lowering, node.options, asked)
        assert not isinstance(found, Broken)  # it was well before
        return found.source

    words = question(lowering, node.ask, asked)
    by_class.ByClass(lowering, code, node, options.elem, again, by, words).ask(addr, type_, bounds)
    code.in_move = was_in_move
    without.close(scope, ((addr, type_),))
    if done is not None:
        code.mark(done)
    bind_result(lowering, scope, node.bind, addr, type_, code, node)
    head.close()


def _choose_all(lowering: Lowering, code: Code, node: tree.ChooseN, scope: Scope) -> None:
    """Several picks; the effects follow when all are made."""
    unit = lowering.unit
    when, asked, by, options = offered(lowering, code, node, scope)
    if by is None or isinstance(options, Broken):
        broken_result(scope, node.bind)
        return
    check_bounds(lowering, node)
    type_ = many_type(lowering, options, node, asked)
    addr = code.slot(type_, node.bind)
    minimum, as_many = least_picks(lowering, node, asked)
    maximum = bound(lowering, node.max, asked, None)
    known = of_picks(lowering, options, addr, type_)
    done = skip_unless(code, when, addr, type_, known=known)
    head = HeadScope(lowering, code, node.bind.lstrip("$"), "choice", by)
    without = IfNone(lowering, code, node.if_none)
    without.unless(can_pick(unit, options, minimum, maximum, node.repeats, node.span))
    index = lowering.add_choice(
        code,
        ir.Choice(
            node.bind,
            "choice",
            "many",
            options.elem,
            addr,
            type_,
            by,
            options=options.source,
            minimum=minimum,
            maximum=maximum,
            as_many=as_many,
            sequence=node.ordering == "sequence" or node.repeats,
            repeats=node.repeats,
            loops=code.move_loops(),
            site=unit.site(node.span, f"{unit.rule}: choose {node.bind}"),
            ask=question(lowering, node.ask, asked),
        ),
    )
    explain_options(unit, lowering.choices[index].site, node.options, asked)
    nothing: int | tuple[object, ...] = () if type_.kind == "list" else 0
    code.store(addr, ir.Const(nothing), type_)
    code.emit(ir.Choose(index))
    without.proves(index)
    code.flow.learn(known)
    without.close(scope, ((addr, type_),), known)
    if done is not None:
        code.mark(done)
    bind_result(lowering, scope, node.bind, addr, type_, code, node)
    head.close()
