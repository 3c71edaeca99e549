"""Numbers that do not fit where they are written: told while the rulebook is checked.

`x = e` is told where everything that `e` can be lies outside the range of `x`, and where some of it
does and nothing in the same rule asks about the things that `e` is made of. A rule that asks knows
what it does; whether it asks the right thing is not proven here. Adding to a variable usually leads
out of its range in theory, so `x += e` is told only where it always does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludwright.language import tree
from ludwright.language.compiling.expressions.targets import Target
from ludwright.language.compiling.tree_walk import nodes_in
from ludwright.language.compiling.unit import Unit
from ludwright.language.compiling.values import Val
from ludwright.language.gamedef import GameDef
from ludwright.program.types import INT_MAX, INT_MIN, Type

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=", "in", "not in")


@dataclass(frozen=True)
class Written:
    """A number that can leave the range of the variable that it is written to."""

    node: tree.Effect
    value: tree.Expr
    name: str
    given: Type
    room: Type

    @property
    def never_fits(self) -> bool:
        return self.given.lo > self.room.hi or self.given.hi < self.room.lo


def note(unit: Unit, goal: Target, value: Val, node: tree.SetVar) -> None:
    """Look at an assignment of a number."""
    if not _may_fault(goal) or goal.slot is None or value.type.kind != "int":
        return
    written = Written(node, node.value, goal.slot.name, value.type, goal.type)
    bounded = value.type.lo > INT_MIN and value.type.hi < INT_MAX // 2
    if written.never_fits or (bounded and value.type.hi > goal.type.hi):
        unit.narrow.append(written)


def note_added(unit: Unit, goal: Target, delta: Val, node: tree.AddVar) -> None:
    """Look at something that is added."""
    if not _may_fault(goal) or goal.slot is None:
        return
    total = Type("int", lo=goal.type.lo + delta.type.lo, hi=goal.type.hi + delta.type.hi)
    written = Written(node, node.delta, goal.slot.name, total, goal.type)
    if written.never_fits:
        unit.narrow.append(written)


def _may_fault(goal: Target) -> bool:
    return goal.type.kind == "int" and goal.slot is not None and goal.slot.overflow == "fault"


def tell(unit: Unit) -> None:
    """Told are those that never fit, and those about whose parts their rule asks nothing."""
    waiting = {id(written.node): written for written in unit.narrow}
    for rule in _rules(unit.gamedef) if waiting else ():
        nodes = list(nodes_in(rule))
        own = [waiting.pop(id(node)) for node in nodes if id(node) in waiting]
        asked = _asked_about(nodes) | _computed(nodes) if own else set()
        for written in own:
            unasked = _plain(written.value) and not asked & _names(written.value)
            if written.never_fits or unasked:
                _warn(unit, written)


def _rules(gamedef: GameDef) -> Iterable[object]:
    yield from gamedef.actions
    yield from gamedef.procs
    yield from gamedef.triggers
    yield gamedef.flow
    yield gamedef.setup


def _plain(node: tree.Expr) -> bool:
    """Made of names and numbers alone: functions and filters may know more than their types."""
    return all(
        isinstance(part, tree.Name | tree.Attr | tree.IntLit | tree.Binary | tree.Unary)
        and not (isinstance(part, tree.Binary) and part.op not in ("+", "*"))
        for part in nodes_in(node)
    )


def _names(node: object) -> set[str]:
    found: set[str] = set()
    for part in nodes_in(node):
        if isinstance(part, tree.Name):
            found.add(part.id)
        elif isinstance(part, tree.Attr):
            found.add(part.name)
    return found


def _asked_about(nodes: Iterable[object]) -> set[str]:
    """Everything that comparisons in a rule are about."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, tree.Binary) and node.op in _COMPARISONS:
            found |= _names(node)
    return found


def _computed(nodes: Iterable[object]) -> set[str]:
    """Names of what the rule works out itself: more may be known of it than its type says."""
    return {name for node in nodes if isinstance(node, tree.Let) for name in node.names}


def _warn(unit: Unit, written: Written) -> None:
    given, room = written.given, written.room
    how = "never fits" if written.never_fits else "may not fit"
    unit.diagnostics.warning(
        "range-too-small",
        written.value.span,
        f"this is {given.lo}..{given.hi} and {how} into `{written.name}`, which is "
        f"{room.lo}..{room.hi}",
        f"widen the range of `{written.name}` under `vars:`, say `clamp` there, or test the "
        "number first",
    )
