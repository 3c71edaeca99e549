"""What people look at beside the rules: computed values (`show`), titles, symbols and texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ludwright import program as ir
from ludwright.language.compiling.expressions.type_check import value_of
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.sites import placed
from ludwright.language.compiling.tree_walk import free_names
from ludwright.language.compiling.unit import Local, Scope
from ludwright.language.compiling.values import Broken, Val, seat_type
from ludwright.language.gamedef import GameDef


def shown(lowering: Lowering) -> tuple[ir.Shown, ...]:
    """The values of `show`, each of the game or, where it names `it`, of every seat."""
    unit = lowering.unit
    found: list[ir.Shown] = []
    for decl in unit.gamedef.show:
        reg = unit.register() if "it" in free_names(decl.value) else None
        scope = Scope()
        if reg is not None:
            scope.names["it"] = Local(Val(ir.Load(reg), seat_type(unit.world)))
        unit.rule = f"show {decl.name}"
        value = value_of(unit, decl.value, scope)
        if not isinstance(value, Broken):
            placed_value = placed(value.expr, unit.site(decl.span))
            found.append(ir.Shown(decl.name, placed_value, value.type, reg))
    return tuple(found)


def words(
    gamedef: GameDef, variables: Iterable[str], spellings: Mapping[str, tuple[ir.Spelling, ...]]
) -> dict[tuple[str, str], ir.Words]:
    """Titles, symbols and texts by what they are of; of actions also further notations."""
    found = {
        (decl.subject, decl.name): ir.Words(decl.title, decl.symbol, decl.text, decl.hidden)
        for decl in gamedef.words
    }
    titles = [("space", item.name, item.title) for group in gamedef.spaces for item in group.items]
    titles += [("row", row.key or "", row.title) for table in gamedef.tables for row in table.rows]
    for subject, name, title in titles:
        if title:
            known = found.get((subject, name), ir.Words())
            found[subject, name] = replace(known, title=title)
    declared = {
        name.partition("[")[0]: own for (of, name), own in found.items() if of == "variable"
    }
    for name in variables:
        stem, index, member = name.partition("[")
        if index:  # `goods[grain]` is called `goods grain`
            own = declared.get(stem, ir.Words())
            title = f"{own.title or stem} {member.removesuffix(']')}".replace("_", " ")
            found["variable", name] = replace(own, title=title)
    for action, ways in spellings.items():
        found["action", action] = replace(found.get(("action", action), ir.Words()), spellings=ways)
    return found
