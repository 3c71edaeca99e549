"""Procedures: one compiled body per combination of argument types; calls pass by cells."""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.code import Code, Procedure
from ludwright.language.compiling.effects.assignments import coerce
from ludwright.language.compiling.effects.dispatch import block
from ludwright.language.compiling.effects.heads import HeadScope
from ludwright.language.compiling.expressions import presence
from ludwright.language.compiling.expressions.calls import bind_arguments, can_be_called, general
from ludwright.language.compiling.expressions.comprehensions import declare
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.type_check import (
    as_set,
    condition,
    to_value,
    typed,
    value_of,
)
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.tree_walk import nodes_in
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import (
    BROKEN,
    Broken,
    Compiled,
    Seq,
    Val,
    join,
    none_of,
    seat_type,
    space_type,
    storable,
    universe,
    unnamed,
)
from ludwright.language.gamedef import ParamDecl, ProcDecl
from ludwright.language.parsing.statement_words import statement_of
from ludwright.program.types import INT_MAX, NO_INT, Type
from ludwright.spelling import did_you_mean


def call(lowering: Lowering, code: Code, node: tree.CallProc, scope: Scope) -> Val | None:
    """Call; the returned value, if there is one."""
    unit = lowering.unit
    decl = unit.declared_procs.get(node.proc)
    if decl is None:
        known = set(unit.declared_procs)
        if node.proc in unit.declared_functions:
            unit.error(
                "function-as-effect",
                node.span,
                f"`{node.proc}` is a function and changes nothing",
                "use it inside an expression, or declare it under `procs:`",
            )
        else:
            meant = statement_of(node.proc)
            unit.error(
                "unknown-procedure",
                node.span,
                f"there is no procedure `{node.proc}`",
                (f"write `{meant}`" if meant is not None else None)
                or did_you_mean(node.proc, known)
                or "declare it under `procs:`",
            )
        return None
    return _call(lowering, code, decl, node, scope)


def _call(
    lowering: Lowering, code: Code, decl: ProcDecl, node: tree.CallProc, scope: Scope
) -> Val | None:
    """Store the arguments, call, and give back the returned value if there is one."""
    unit = lowering.unit
    unit.used_names.add(decl.name)
    hint = "use a bounded `repeat`, or keep a list of what is still to do"
    if not can_be_called(unit, lowering.procedure_stack, decl.name, node.span, "procedures", hint):
        return None
    by_node = next((value for name, value in node.named if name == "by"), None)
    own_by = any(param.name == "by" for param in decl.params)
    if by_node is not None and not own_by:
        node = replace(node, named=tuple(n for n in node.named if n[0] != "by"))
    given = bind_arguments(unit, decl.name, decl.params, node)
    if given is None:
        return None
    args = [_argument(lowering, param, given.get(param.name), scope) for param in decl.params]
    decider, is_actor = code.decider, code.decider_is_actor
    if by_node is not None and not own_by:
        seat = typed(unit, by_node, scope, seat_type(unit.world))
        if isinstance(seat, Broken):
            return None
        decider, is_actor = seat.expr, False
    values = [arg for arg in args if isinstance(arg, Val)]
    if len(values) != len(args):
        return None
    types = tuple(map(_parameter_type, decl.params, values))
    # `ensure` and `best` speak of a whole: at the level of the flow, the procedure is one move.
    whole = decl.ensure is not None or decl.best is not None
    head = HeadScope(lowering, code, decl.name, "choice", decider) if whole else None
    # A procedure in which somebody else decides elsewhere is compiled once, for both.
    is_actor = is_actor and decl.name not in lowering.asked_of_others
    procedure = instance(lowering, decl, types, code.in_move or whole, is_actor)
    for (_, slot, type_), value in zip(procedure.params, values, strict=True):
        code.emit(ir.Store(slot, value.expr, type_, site=unit.site(node.span)))
    if procedure.by is not None:
        code.store(procedure.by, decider, seat_type(unit.world))
    code.call(procedure.code)
    callee = procedure.code
    result: Val | None = None
    if callee.result is not None and callee.result_type is not None:
        result = Val(ir.Load(callee.result), callee.result_type)
    if head is None or head.head < 0:
        return result
    if result is not None:  # what follows the move may ask again, and a register would not last
        kept = code.slot(result.type, "result")
        code.store(kept, result.expr, result.type)
        result = Val(code.load(kept, result.type), result.type)
    head.close()
    return result


def _argument(
    lowering: Lowering, param: ParamDecl, node: tree.Expr | None, scope: Scope
) -> Val | Broken:
    unit = lowering.unit
    expect = unit.types.resolve(param.type) if param.type is not None else None
    if node is None:
        assert param.default is not None
        node, scope = param.default, Scope()
    compiled = expression(unit, node, scope, expect)
    value = _whole(lowering, compiled, node, expect)
    if isinstance(value, Broken) or expect is None:
        return value
    coerced = coerce(lowering, value, expect, node, scope)
    if coerced is None:
        return BROKEN
    if expect.kind in ("place", "piece"):  # any of them can be handed over, whatever it is called
        expect = join(expect, value.type) or expect
    return Val(coerced, expect)


def _parameter_type(param: ParamDecl, value: Val) -> Type:
    """What a parameter is kept in. A range that is declared is the same for all calls, and a number
    outside it is a fault."""
    declared = param.type is not None and value.type.kind == "int"
    return value.type if declared else general(value.type)


def _whole(
    lowering: Lowering, compiled: Compiled, node: tree.Expr, expect: Type | None
) -> Val | Broken:
    """Collections are handed over as sets where they can be: any two of a kind fit."""
    unit = lowering.unit
    if isinstance(compiled, Seq) and (expect is None or expect.kind == "set"):
        item = compiled.elem
        if item.kind == "place":
            item = space_type(unit.world)
        if item.is_scalar and universe(item) is not None and item.kind != "int":
            return as_set(unit, compiled, replace(item, optional=False), node.span)
    return to_value(unit, compiled, node.span, expect)


def instance(
    lowering: Lowering, decl: ProcDecl, types: tuple[Type, ...], in_move: bool, by_actor: bool
) -> Procedure:
    key = (decl.name, types, in_move, by_actor, lowering.dispatching)
    known = lowering.procedures.get(key)
    if known is not None:
        return known
    unit = lowering.unit
    rule, unit.rule = unit.rule, f"procedure {decl.name}"
    code = lowering.new_code(decl.name, in_move, ir.Load(ir.ACTOR), decider_is_actor=by_actor)
    by = None
    if not by_actor:
        by = code.slot(seat_type(unit.world), "by")
        code.decider = ir.Load(by)
    scope = code.scope()
    params: list[tuple[str, int, Type]] = []
    for param, type_ in zip(decl.params, types, strict=True):
        addr = code.slot(type_, param.name)
        params.append((param.name, addr, type_))
        local = Local(Val(code.load(addr, type_), type_), addr, type_)
        declare(unit, scope, param.name, local, param.span)
    procedure = Procedure(code, params, by)
    lowering.procedures[key] = procedure
    if decl.returns is not None:
        code.result_type = unit.types.resolve(decl.returns)
        if code.result_type is not None:
            code.result_type = unnamed(code.result_type)
            code.result = unit.register()
    code.must_return = decl.returns is not None or any(
        isinstance(node, tree.Return) and node.value is not None for node in nodes_in(decl.body)
    )
    lowering.procedure_stack.append(decl.name)
    best = begin_best(lowering, code, decl.best, scope)
    block(lowering, code, decl.body, scope)
    code.settle_results()
    _without_return(lowering, code, decl)
    # `return` inside a body with `ensure` or `best` still has to pass them
    if decl.ensure is not None or best is not None:
        code.mark(code.exit)
        code.exit = code.label()
    if decl.ensure is not None:
        site = unit.site(decl.ensure.span, f"{unit.rule}: ensure")
        code.demands.append(len(code.instrs))
        code.emit(ir.Require(condition(unit, decl.ensure, scope), site))
    end_best(lowering, code, decl.best, best, scope)
    lowering.procedure_stack.pop()
    code.finish()
    procedure.done = True
    unit.rule = rule
    return procedure


def _without_return(lowering: Lowering, code: Code, decl: ProcDecl) -> None:
    """Past the last line of a procedure that gives a value: none, or a mistake."""
    if code.result is None or code.result_type is None:
        return
    if code.result_type.is_scalar and code.result_type.optional:
        code.store(code.result, ir.Const(none_of(code.result_type)), code.result_type)
    elif not (decl.body and isinstance(decl.body[-1], tree.Return)):
        site = lowering.unit.site(decl.span, f"{lowering.unit.rule}: it ends without `return`")
        code.emit(ir.FaultHere("no-result", site))


def begin_best(
    lowering: Lowering, code: Code, best: tree.Expr | None, scope: Scope
) -> tuple[int, int, Type] | None:
    """Start of a part that must end with the largest possible value of `best`."""
    if best is None:
        return None
    value = value_of(lowering.unit, best, scope)
    if isinstance(value, Broken):
        return None
    if presence.holds_none(value.type):
        certain = replace(value.type, optional=False)
        presence.report(lowering.unit, value.type, certain, best.span, best, scope)
        return None
    number = len(lowering.codes) * 1000 + len(code.instrs)
    type_ = storable(value.type)
    if type_.kind == "bool":
        type_ = Type("int", lo=0, hi=1)
    # Where nothing is known to be best, its words are below all numbers of the type.
    word = Type("int", lo=NO_INT, hi=INT_MAX)
    addr = code.slot(word, "best", type_.width)
    lowering.pinned.add(addr)  # an action reads what its offer found
    code.emit(ir.BestBegin(number, addr, type_))
    return number, addr, type_


def end_best(
    lowering: Lowering,
    code: Code,
    best: tree.Expr | None,
    begun: tuple[int, int, Type] | None,
    scope: Scope,
) -> None:
    if best is None or begun is None:
        return
    value = value_of(lowering.unit, best, scope)
    if isinstance(value, Broken):
        return
    number, addr, type_ = begun
    site = lowering.unit.site(best.span, f"{lowering.unit.rule}: best")
    code.emit(ir.BestEnd(number, addr, type_, value.expr, site))
