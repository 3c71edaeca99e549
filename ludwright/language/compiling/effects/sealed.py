"""`together`: a sealed decision of several seats, asked on the same state, answered in any order.

Nobody can take back a sealed decision because somebody has nothing to choose, so `proofs.sealed`
demands that every seat has an option, or `ifNone`: with `skip` such seats are not asked, with
`fault` the rulebook promises that there are none.
"""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.effects.heads import HeadScope, choosing
from ludwright.language.compiling.effects.if_none import can_pick
from ludwright.language.compiling.effects.options import (
    asked_when,
    bound,
    broken_result,
    cannot_be_none,
    check_bounds,
    least_picks,
    many_type,
    options_of,
    skip_unless,
)
from ludwright.language.compiling.effects.sentences import question
from ludwright.language.compiling.expressions.comprehensions import declare
from ludwright.language.compiling.expressions.type_check import stream
from ludwright.language.compiling.lowering import Lowering, Sealed
from ludwright.language.compiling.tree_walk import free_names
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import NONE, Broken, Seq, Val, seat_type, storable
from ludwright.program.types import Type

SealedNode = tree.ChooseOne | tree.ChooseN


def choose(lowering: Lowering, code: Code, node: SealedNode, scope: Scope) -> int | None:
    """Gives the index of the compiled Choice."""
    unit = lowering.unit
    seats = _seats(lowering, node, scope)
    chooser = unit.register()
    when, asked = asked_when(lowering, node.when, scope)
    inner = choosing(unit, asked, ir.Load(chooser))
    options = options_of(lowering, node.options, inner)
    if isinstance(seats, Broken) or isinstance(options, Broken):
        broken_result(scope, node.bind)
        return None
    result = _result_type(lowering, options, node, inner)
    if result.optional and not result.is_scalar:
        cannot_be_none(lowering, node, scope)
        return None
    addr = code.slot(result, node.bind, len(unit.world.seats))
    everyone = Type("set", items=(seat_type(unit.world),))
    answered = code.slot(everyone, "answered")
    done = skip_unless(code, when, addr, result, len(unit.world.seats))
    head = HeadScope(lowering, code, node.bind.lstrip("$"), "choice", None)
    source = seats.source if node.if_none != () else _who_can(lowering, node, asked, seats.source)
    by: ir.Expr = ir.MakeSet(source, 0, seat_type(unit.world).hi, unit.site(node.span))
    asked_at = None
    if not isinstance(source, ir.SeatsSource):  # afterwards it must be known who was asked
        asked_at = code.slot(everyone, "asked")
        code.store(asked_at, by, everyone)
        by = code.load(asked_at, everyone)
    choice = ir.Choice(
        node.bind,
        "choice",
        "one",
        options.elem,
        addr,
        result,
        by,
        options=options.source,
        optional=isinstance(node, tree.ChooseOne) and node.optional,
        together=True,
        chooser=chooser,
        answered=answered,
        loops=code.move_loops(),
        site=unit.site(node.span, f"{unit.rule}: choose {node.bind}"),
        ask=question(lowering, node.ask, inner),
    )
    if isinstance(node, tree.ChooseN):
        choice = _several(lowering, node, inner, choice)
    index = lowering.add_choice(code, choice)
    if node.if_none is None:
        lowering.sealed[index] = Sealed(source, node.span)
    code.emit(ir.Choose(index))
    if done is not None:
        code.mark(done)
    value = Val(ir.Const(0) if asked_at is None else code.load(asked_at, everyone), NONE)
    declare(unit, scope, node.bind, Local(value, addr, result, origin="sealed"), node.span)
    head.close()
    return index


def _seats(lowering: Lowering, node: SealedNode, scope: Scope) -> Seq | Broken:
    """Who is asked."""
    item = seat_type(lowering.unit.world)
    if node.by is not None:
        return stream(lowering.unit, node.by, scope, item)
    return Seq(ir.SeatsSource(), item, len(lowering.unit.world.seats), True)


def _asks_for_chooser(lowering: Lowering, node: SealedNode, scope: Scope) -> None:
    """`actor` is one seat, the same for all who choose: most often `chooser` was meant."""
    bounds = (node.min, node.max) if isinstance(node, tree.ChooseN) else ()
    read = set(free_names((node.options, *bounds)))
    if "actor" in read and "chooser" not in read and scope.find("actor") is None:
        lowering.unit.diagnostics.warning(
            "sealed-actor",
            node.options.span or node.span,
            "several seats choose here, and all of them are offered what `actor` has",
            "write `chooser` in the place of `actor`: it is the seat that is asked",
        )


def _result_type(lowering: Lowering, options: Seq, node: SealedNode, scope: Scope) -> Type:
    """What the answer of one seat is."""
    _asks_for_chooser(lowering, node, scope)
    if isinstance(node, tree.ChooseN):
        return many_type(lowering, options, node, scope)
    type_ = storable(options.elem)
    if node.optional or node.when is not None or node.if_none == ():
        return replace(type_, optional=True)
    return type_


def _who_can(lowering: Lowering, node: SealedNode, scope: Scope, seats: ir.Source) -> ir.Source:
    """The seats that can choose: `ifNone: skip`."""
    unit = lowering.unit
    seat = unit.register()
    inner = choosing(unit, scope, ir.Load(seat))
    options = options_of(lowering, node.options, inner)
    assert not isinstance(options, Broken)  # it was well before
    if isinstance(node, tree.ChooseN):
        minimum, _ = least_picks(lowering, node, inner)
        maximum = bound(lowering, node.max, inner, None)
        test = can_pick(unit, options, minimum, maximum, node.repeats, node.span)
    else:
        test = ir.Aggregate("exists", options.source)
    return ir.Stream((ir.Loop((seat,), seats), ir.Filter(test)), ir.Load(seat))


def _several(lowering: Lowering, node: tree.ChooseN, scope: Scope, choice: ir.Choice) -> ir.Choice:
    """A choice of which several picks are made."""
    check_bounds(lowering, node)
    minimum, as_many = least_picks(lowering, node, scope)
    return replace(
        choice,
        kind="many",
        minimum=minimum,
        maximum=bound(lowering, node.max, scope, None),
        as_many=as_many,
        sequence=node.ordering == "sequence" or node.repeats,
        repeats=node.repeats,
    )
