"""What a rulebook tells bots (`bot:`).

It is compiled with the rules, so that mistakes are told, but no rule reads it: only a Program that
is made for searches keeps it.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.language import tree
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.rules import endings
from ludwright.language.compiling.sites import placed
from ludwright.language.compiling.tree_walk import nodes_in
from ludwright.language.compiling.unit import Local, Scope, Unit
from ludwright.language.compiling.values import Broken, Val, seat_type
from ludwright.spelling import did_you_mean

USUAL_CUTOFF = 20  # decisions of a playout before a rulebook's value is asked

Measure = tuple[int, ir.Expr]  # the register of the seat, and a number


def measure(unit: Unit, node: tree.Expr, rule: str) -> Measure | None:
    """How well a seat (`it`) stands."""
    reg = unit.register()
    scope = Scope()
    scope.names["it"] = Local(Val(ir.Load(reg), seat_type(unit.world)))
    unit.rule = rule
    value = endings.measure(unit, node, scope)
    if isinstance(value, Broken):
        return None
    first = ir.Item(value.expr, 0) if value.type.kind == "tuple" else value.expr
    return reg, placed(first, unit.site(node.span))


def mark_used(unit: Unit) -> None:
    """Functions that only bots need are not unused."""
    decl = unit.gamedef.bot
    if decl is None or decl.value is None:
        return
    open_: list[object] = [decl.value]
    while open_:
        for node in nodes_in(open_.pop()):
            name = node.fn if isinstance(node, tree.Call) else getattr(node, "id", None)
            function = unit.declared_functions.get(name) if isinstance(name, str) else None
            if function is not None and function.name not in unit.used_names:
                unit.used_names.add(function.name)
                open_.append(function.body)


def compiled(lowering: Lowering, keep: bool) -> Measure | None:
    """The value of `bot:`. Unless it is kept, nothing of it stays behind but its mistakes."""
    unit = lowering.unit
    decl = unit.gamedef.bot
    if decl is None:
        return None
    _check_skipped(lowering)
    growing: tuple[list[object], ...] = (unit.functions, unit.tables, unit.rows, unit.sites)  # type: ignore[assignment]
    lengths = [len(part) for part in growing]
    found = None if decl.value is None else measure(unit, decl.value, "bot")
    if keep:
        return found
    for part, length in zip(growing, lengths, strict=True):
        del part[length:]
    return None


def hints(lowering: Lowering, choices: tuple[ir.Choice, ...]) -> ir.Hints | None:
    decl = lowering.unit.gamedef.bot
    if decl is None:
        return None
    named = {skip.name for skip in decl.skip}
    skip = tuple(at for at, choice in enumerate(choices) if _name(choice) in named)
    return ir.Hints(skip, decl.cutoff or (USUAL_CUTOFF if decl.value is not None else 0))


def _name(choice: ir.Choice) -> str:
    """As its author writes it; empty for what has no name of its own."""
    return choice.name.rpartition("$")[2] if choice.role in ("param", "choice", "menu") else ""


def _check_skipped(lowering: Lowering) -> None:
    unit, decl = lowering.unit, lowering.unit.gamedef.bot
    assert decl is not None
    known = {_name(choice) for choice in lowering.choices} - {""}
    for skip in decl.skip:
        if skip.name not in known:
            unit.error(
                "unknown-decision",
                skip.span,
                f"nothing is chosen under the name `{skip.name}`",
                did_you_mean(skip.name, known)
                or "name a parameter of an action, or what a choice calls its answer",
            )
