"""Calls in expressions: functions of the rulebook, zones of a seat, and built-in functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludwright import program as ir
from ludwright.diagnostics import Span
from ludwright.language import tree
from ludwright.language.compiling.expressions import attributes, builtins, presence
from ludwright.language.compiling.expressions.comprehensions import declare
from ludwright.language.compiling.expressions.dispatch import expression
from ludwright.language.compiling.expressions.type_check import (
    check_type,
    condition,
    to_value,
    typed,
    untyped_none,
)
from ludwright.language.compiling.sites import placed
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import (
    BROKEN,
    MAX_CALLS,
    MAX_INLINED,
    MAX_INLINED_AT_ONCE,
    Broken,
    Compiled,
    Seq,
    TableRef,
    Val,
    join,
    noun,
    piece_type,
    seat_type,
    unnamed,
)
from ludwright.language.gamedef import FunctionDecl, ParamDecl
from ludwright.program.types import INT_MAX, INT_MIN, Type
from ludwright.spelling import did_you_mean

NARROW = Type("label", "narrow")  # behind the types of arguments, in the key of an instance
# What other languages call it, and what to write here.
_OTHER_NAMES = {
    "len": "did you mean `count`?",
    "length": "did you mean `count`?",
    "size": "did you mean `count`?",
    "exists": "did you mean `any`?",
    "some": "did you mean `any`?",
    "every": "did you mean `all`?",
    "sorted": "did you mean `sort`?",
    "unique": "did you mean `distinct`?",
    "range": "write a range with two dots: `1..6`",
    "list": "write a list in brackets: `[a, b]`",
    "neighbours": "write `s.adjacent`, or `near(s)` for all directions",
    "neighbors": "write `s.adjacent`, or `near(s)` for all directions",
    **dict.fromkeys(("random", "roll", "rand", "dice"), "chance is a statement: `roll x in 1..6`"),
    **dict.fromkeys(
        ("choose", "chooseOne", "chooseN", "pick"),
        "a choice is a block of its own: `chooseOne: { bind: $x, options: A }`",
    ),
    "filter": "write `x for x in A if c`",
    "map": "write `f(x) for x in A`",
    "next": "the seat after `p` is `rotation(seats, after=p)[0]`",
    "nextPlayer": "the seat after `p` is `rotation(seats, after=p)[0]`",
    "next_player": "the seat after `p` is `rotation(seats, after=p)[0]`",
}


def call(unit: Unit, node: tree.Call, scope: Scope, expect: Type | None) -> Compiled:
    if node.fn in unit.declared_functions:
        return _declared(unit, unit.declared_functions[node.fn], node, scope)
    if unit.world.zone_each.get(node.fn):
        if len(node.args) != 1 or node.named:
            unit.error(
                "arity",
                node.span,
                f"`{node.fn}(seat)` takes the seat it belongs to",
                f"write `{node.fn}(actor)`",
            )
            return BROKEN
        seat = typed(unit, node.args[0], scope, presence.optional(seat_type(unit.world)))
        if isinstance(seat, Broken):
            return seat
        return attributes.zone_of(unit, node.fn, seat, node.span)
    if node.fn in unit.world.zone_index:
        return _zone_at(unit, node, scope)
    built_in = builtins.FUNCTIONS.get(node.fn)
    if built_in is not None:
        return built_in(unit, node, scope, expect)
    if node.fn in unit.declared_procs:
        unit.error(
            "procedure-as-value",
            node.span,
            f"`{node.fn}` is a procedure; its effects cannot happen inside an expression",
            f"write `let x = {node.fn}(…)` as an effect of its own",
        )
        return BROKEN
    known = set(unit.declared_functions) | set(builtins.FUNCTIONS)
    known |= {name for name, each in unit.world.zone_each.items() if each}
    known |= set(unit.world.zone_index)
    unit.error(
        "unknown-function",
        node.span,
        f"there is no function `{node.fn}`",
        _OTHER_NAMES.get(node.fn)
        or _only_one(unit, node.fn)
        or _in_brackets(unit, node.fn)
        or _space_of(unit, node.fn)
        or did_you_mean(node.fn, known)
        or "declare it under `fns:`",
    )
    return BROKEN


def _only_one(unit: Unit, name: str) -> str | None:
    """What is meant by `hand(actor)`, where all seats share the zone."""
    if name not in unit.world.zones:
        return None
    return f"there is one zone `{name}` for all; for one each, declare it with `each: seat`"


def _in_brackets(unit: Unit, name: str) -> str | None:
    """What is meant by `Price(red)`."""
    layout = unit.layout
    slots = (layout.globals.get(name), layout.seat_vars.get(name), layout.space_vars.get(name))
    indexed = any(slot is not None and slot.each is not None for slot in slots)
    if name in unit.world.tables or indexed:
        return f"which one is meant stands in square brackets: `{name}[…]`"
    return None


def _space_of(unit: Unit, name: str) -> str | None:
    """What is meant by `board(1, 1)`."""
    spaces = unit.world.groups.get(name)
    if not spaces:
        return None
    first = unit.world.places[spaces[0]].name
    return f"spaces have names, such as `{first}`; or look for one: `first(c for c in {name} if …)`"


def _zone_at(unit: Unit, node: tree.Call, scope: Scope) -> Compiled:
    """`pile(3)`: one of the zones that there are for each member of something."""
    index = unit.world.zone_index[node.fn]
    if len(node.args) != 1 or node.named:
        unit.error(
            "arity",
            node.span,
            f"`{node.fn}(…)` takes {noun(index)} that says which one it is",
            f"write `{node.fn}(x)`",
        )
        return BROKEN
    key = typed(unit, node.args[0], scope, index)
    return key if isinstance(key, Broken) else attributes.zone_at(unit, node.fn, key, node.span)


# ----------------------------------------------------------- functions of the game


def _arguments(count: int) -> str:
    return {0: "no arguments", 1: "1 argument"}.get(count, f"{count} arguments")


def bind_arguments(
    unit: Unit,
    what: str,
    params: tuple[ParamDecl, ...],
    node: tree.Call | tree.CallProc,
) -> dict[str, tree.Expr] | None:
    """Which argument goes to which parameter; None (after a diagnostic) if it does not fit."""
    names = [param.name for param in params]
    given: dict[str, tree.Expr] = {}
    if len(node.args) > len(names):
        unit.error(
            "arity",
            node.span,
            f"`{what}` takes {_arguments(len(names))}, not {len(node.args)}",
            f"it is declared as `{what}({', '.join(names)})`",
        )
        return None
    for name, value in zip(names, node.args, strict=False):
        given[name] = value
    for name, value in node.named:
        if name not in names:
            unit.error(
                "unknown-argument",
                value.span or node.span,
                f"`{what}` has no parameter `{name}`",
                did_you_mean(name, names) or f"it is declared as `{what}({', '.join(names)})`",
            )
            return None
        if name in given:
            unit.error("arity", value.span or node.span, f"`{name}` is given twice", "give it once")
            return None
        given[name] = value
    missing = [param.name for param in params if param.name not in given and param.default is None]
    if missing:
        unit.error(
            "arity",
            node.span,
            f"`{what}` also needs `{missing[0]}`",
            f"it is declared as `{what}({', '.join(names)})`",
        )
        return None
    return given


def general(type_: Type) -> Type:
    """A type without what differs between calls, so that they share one instance."""
    match type_.kind:
        case "int":
            return replace(type_, lo=INT_MIN, hi=INT_MAX)
        case "place" | "piece":
            return unnamed(type_)
        case _:
            return type_


def can_be_called(
    unit: Unit, stack: Sequence[str], name: str, span: Span | None, called: str, instead: str
) -> bool:
    """Nothing calls itself, and chains of calls have an end; else the mistake is told.

    `stack`: the functions or procedures under way; `instead`: what to use in place of recursion.
    """
    if name in stack:
        chain = " → ".join([*stack[stack.index(name) :], name])
        unit.error("recursion", span, f"`{name}` calls itself: {chain}", instead)
        return False
    if len(stack) >= MAX_CALLS:
        unit.error(
            "calls-too-deep",
            span,
            f"more than {MAX_CALLS} {called} call each other in a chain, from "
            f"`{stack[0]}` to `{name}`",
            "join some of them into one",
        )
        return False
    return True


def _declared(unit: Unit, decl: FunctionDecl, node: tree.Call, scope: Scope) -> Compiled:
    unit.used_names.add(decl.name)
    hint = "games are bounded; use `reach(…)`, a loop or a table instead"
    if not can_be_called(unit, unit.function_stack, decl.name, node.span, "functions", hint):
        return BROKEN
    given = bind_arguments(unit, decl.name, decl.params, node)
    if given is None:
        return BROKEN
    args: list[Compiled] = []
    for param in decl.params:
        expect = unit.types.resolve(param.type) if param.type is not None else None
        argument = given.get(param.name)
        if argument is not None:
            compiled = expression(unit, argument, scope, expect)
        else:
            assert param.default is not None
            compiled = expression(unit, param.default, Scope(), expect)
        if isinstance(compiled, TableRef):
            compiled = to_value(unit, compiled, node.span)
        if isinstance(compiled, Val) and expect is not None:
            span = argument.span if argument else node.span
            compiled = check_type(unit, compiled, expect, span, argument, scope)
        if isinstance(compiled, Broken):
            return BROKEN
        args.append(compiled)
    if all(isinstance(arg, Val) for arg in args):
        values = tuple(arg for arg in args if isinstance(arg, Val))
        made = _instance_for(unit, decl, values, scope)
        if made is not None:
            index, type_ = made
            if index < 0:
                return BROKEN
            return Val(ir.CallFn(index, tuple(arg.expr for arg in values)), type_)
    return _inlined(unit, decl, args, node)


def _instance_for(
    unit: Unit, decl: FunctionDecl, values: tuple[Val, ...], scope: Scope
) -> tuple[int, Type] | None:
    """The compiled body for these arguments. Calls share one where they can: one that knows nothing
    of the kinds that parameters are declared with. Only where that one finds something missing
    which every piece of these kinds has, there is another one for arguments of these kinds."""
    types = tuple(general(arg.type) for arg in values)
    key = (decl.name, types)
    if isinstance(decl.body, tree.Comp) and decl.name not in unit.modifiers:
        return unit.function_cache.setdefault(key, None)
    narrow = decl.name, (*types, NARROW)
    if narrow in unit.function_cache and _of_declared_kinds(unit, decl, values, scope):
        return unit.function_cache[narrow]
    if key in unit.function_cache:
        return unit.function_cache[key]
    before = unit.trial()
    made = unit.function_cache[key] = instance(unit, decl, types)
    if unit.failed_since(before) and _of_declared_kinds(unit, decl, values, scope):
        unit.take_back(before)
        made = unit.function_cache[narrow] = instance(unit, decl, types, narrow=True)
    return made


def _declared_kinds(unit: Unit, decl: FunctionDecl) -> list[str]:
    """For each parameter the kind of pieces that it is declared for; "" where it is for others."""
    types = [unit.types.resolve(param.type) if param.type else None for param in decl.params]
    return [type_.name if type_ is not None and type_.kind == "piece" else "" for type_ in types]


def _of_declared_kinds(
    unit: Unit, decl: FunctionDecl, values: tuple[Val, ...], scope: Scope
) -> bool:
    """Whether a parameter is declared for a kind of pieces, and all such arguments certainly are
    of that kind, or have all that it has."""
    pairs = [pair for pair in zip(_declared_kinds(unit, decl), values, strict=True) if pair[0]]
    return bool(pairs) and all(_is_of_kind(unit, value, kind, scope) for kind, value in pairs)


def _is_of_kind(unit: Unit, value: Val, kind: str, scope: Scope) -> bool:
    if value.type.optional or value.type.name == kind:
        return not value.type.optional
    properties = _properties(unit, value.expr, kind)
    return bool(properties) and all(unit.knows(scope, prop) for prop in properties)


def _properties(unit: Unit, piece: ir.Expr, name: str) -> list[ir.Expr]:
    """What a piece has that is of a kind."""
    kind = attributes.attribute(unit, Val(piece, piece_type(unit.world)), "kind", None)
    number = next((at for at, kind in enumerate(unit.world.kinds) if kind.name == name), None)
    if number is None or not isinstance(kind, Val) or not attributes.is_kind_of_piece(kind):
        return []
    return attributes.properties_of_kinds(unit, kind, [number])


def _body(unit: Unit, decl: FunctionDecl, scope: Scope) -> Compiled:
    """The function's own expression, then the modifiers that change it, in their order."""
    unit.function_stack.append(decl.name)
    rule = unit.rule
    unit.rule = f"function {decl.name}"
    result = expression(unit, decl.body, scope)
    for modifier, position in unit.modifiers.get(decl.name, ()):
        change = modifier.changes[position]
        base = to_value(unit, result, decl.body.span)
        if isinstance(base, Broken):
            break
        reg = unit.register()
        inner = scope.inner()
        inner.names["it"] = Local(Val(ir.Load(reg), base.type))
        for own, theirs in zip(decl.params, change.params, strict=False):
            if own.name != theirs:
                local = scope.find(own.name)
                assert local is not None
                inner.names[theirs] = local
        when = condition(unit, modifier.when, inner) if modifier.when else ir.Const(1)
        inner = inner.assuming(unit.narrowing.implied(when, True))
        changed = to_value(unit, expression(unit, change.body, inner, base.type), change.span)
        if isinstance(changed, Broken):
            break
        joined = join(base.type, changed.type)
        if joined is None:
            check_type(unit, changed, base.type, change.span)
            break
        one, other = (presence.stated(unit, value, joined) for value in (changed, base))
        if one is None or other is None:
            untyped_none(unit, change.span)
            break
        select = ir.Select(when, one.expr, ir.Load(reg))
        result = Val(ir.Bind(reg, other.expr, select), joined)
    unit.function_stack.pop()
    unit.rule = rule
    return result


def instance(
    unit: Unit, decl: FunctionDecl, types: tuple[Type, ...], narrow: bool = False
) -> tuple[int, Type] | None:
    """One compiled body for these argument types; None if the result is a stream (inlined).
    `narrow`: pieces have what the kinds have that their parameters are declared for."""
    scope = Scope()
    regs: list[int] = []
    for param, type_ in zip(decl.params, types, strict=True):
        regs.append(unit.register())
        declare(unit, scope, param.name, Local(Val(ir.Load(regs[-1]), type_)), param.span)
    for reg, kind in zip(regs, _declared_kinds(unit, decl) if narrow else (), strict=False):
        if kind:
            properties = _properties(unit, ir.Load(reg), kind)
            scope = scope.assuming(unit.narrowing.there(*properties))
    result = _body(unit, decl, scope)
    match result:
        case Seq():
            return None
        case Val(expr=expr, type=type_):
            site = unit.site(decl.span, f"function {decl.name}")
            function = ir.Function(decl.name, tuple(regs), expr, type_, types)
            unit.functions.append(placed(function, site))
            return len(unit.functions) - 1, type_
        case _:
            return -1, Type("none")


def _inlined(unit: Unit, decl: FunctionDecl, args: list[Compiled], node: tree.Call) -> Compiled:
    """Streams in or out: the body is compiled into the place of the call."""
    outermost = unit.inlined_before is None
    if unit.inlined_before is None:
        unit.inlined_before = unit.inlined
    result = BROKEN if _too_often(unit, decl) else _in_place(unit, decl, args, node)
    if outermost:
        unit.inlined_before = None
    return result


def _too_often(unit: Unit, decl: FunctionDecl) -> bool:
    """Whether a function that gives a collection is compiled too often; told once."""
    unit.inlined += 1
    assert unit.inlined_before is not None
    at_once = unit.inlined - unit.inlined_before
    over = max(unit.inlined - MAX_INLINED, at_once - MAX_INLINED_AT_ONCE)
    if over == 1:
        most = MAX_INLINED if at_once <= MAX_INLINED_AT_ONCE else MAX_INLINED_AT_ONCE
        unit.error(
            "rules-too-large",
            decl.span,
            f"functions that give collections, such as `{decl.name}`, are used more than "
            f"{most:,} times by each other",
            "keep what it gives in a variable or with `let`, and use that",
        )
    return over > 0


def _in_place(unit: Unit, decl: FunctionDecl, args: list[Compiled], node: tree.Call) -> Compiled:
    scope = Scope()
    bound: list[tuple[int, ir.Expr]] = []
    for param, arg in zip(decl.params, args, strict=True):
        assert isinstance(arg, Val | Seq)
        declare(unit, scope, param.name, _kept(unit, arg, bound), param.span)
    return _bound(unit, _body(unit, decl, scope), bound, node)


def _kept(unit: Unit, value: Val | Seq, bound: list[tuple[int, ir.Expr]]) -> Local:
    """A value that is worked out once; a stream stands for itself wherever it is used."""
    if isinstance(value, Val) and not isinstance(value.expr, ir.Const):
        reg = unit.register()
        bound.append((reg, value.expr))
        return Local(Val(ir.Load(reg), value.type))
    return Local(value)


def _bound(
    unit: Unit, result: Compiled, bound: list[tuple[int, ir.Expr]], node: tree.Expr
) -> Compiled:
    """A result with the values that its registers stand for."""
    if isinstance(result, TableRef):
        result = to_value(unit, result, node.span)
    for reg, value in reversed(bound):
        if isinstance(result, Seq):
            result = replace(result, source=ir.BindSource(reg, value, result.source))
        elif isinstance(result, Val):
            result = replace(result, expr=ir.Bind(reg, value, result.expr))
    return result


def where(unit: Unit, node: tree.Where, scope: Scope, expect: Type | None) -> Compiled:
    """`value where a = e, b = f`"""
    inner = scope.inner()
    bound: list[tuple[int, ir.Expr]] = []
    broken = False
    for name, part in node.names:
        found = expression(unit, part, inner)
        if isinstance(found, TableRef):
            found = to_value(unit, found, part.span)
        if isinstance(found, Broken):
            broken = True
            inner.names[name] = Local(Val(ir.Const(0), Type("none")), origin="broken")
        else:
            declare(unit, inner, name, _kept(unit, found, bound), part.span)
    result = expression(unit, node.value, inner, expect)
    return BROKEN if broken else _bound(unit, result, bound, node)
