"""Values that leave their range. What is put into cells must fit them: stored, chosen or drawn.

Numbers have a range, and so have the places and pieces of a variable that is declared for one group
of spaces or one kind of piece. Locals are as wide as what the compiler knows they can get.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludwright.program import faults
from ludwright.program.faults import Trouble
from ludwright.program.instructions import Store
from ludwright.program.program import Program
from ludwright.program.types import NO_ENTITY, NO_INT, Type
from ludwright.program.world import World


@dataclass(frozen=True, slots=True)
class Limits:
    """What a scalar may be: from `lo` to `hi`, or `none`. Any other value is the fault `trouble`,
    whose reason has a placeholder for it."""

    lo: int
    hi: int
    none: int | None
    trouble: Trouble


def limits(world: World, type_: Type, declared: bool) -> Limits | None:
    """Of a scalar; None where every value fits that the compiler lets through."""
    if type_.kind == "int":
        none = NO_INT if type_.optional else None
        trouble = faults.number_outside(faults.FIRST_NUMBER, type_.lo, type_.hi)
        return Limits(type_.lo, type_.hi, none, trouble)
    if not declared or type_.kind not in ("place", "piece"):
        return None
    count = len(world.places) if type_.kind == "place" else world.piece_count
    if type_.lo <= 0 and type_.hi >= count - 1:
        return None
    wrong = faults.not_of_kind if type_.kind == "piece" else faults.not_of_group
    none = NO_ENTITY if type_.optional else None
    return Limits(type_.lo, type_.hi, none, wrong(type_.name))


class Owner:
    """Which of the values of a variable is meant; a reason tells it by name: `{b:17}` for those
    of variable number 17, and of what follows it."""

    def __init__(self, program: Program, number: int) -> None:
        self._program, self._number = program, number

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self._number)
        variables, world = self._program.variables, self._program.world
        member, at = divmod(self._number, variables[int(spec)].count)
        number = int(spec) + member  # `tally[1]`, `tally[2]`, … follow each other
        if not 0 <= number < len(variables):
            return f"`{variables[int(spec)].name}`"
        name, owner = f"`{variables[number].name}`", variables[number].first + at
        match variables[number].scope:
            case "seat" if owner < len(world.seats):
                return f"{name} of {world.seats[owner]}"
            case "space" if owner < len(world.places):
                return f"{name} of {world.places[owner].name}"
            case "piece":
                return f"{name} of a piece"
            case _:
                return name


def whose_range(store: Store) -> str:
    """What the reason of a number out of range says of the variable, and what to write."""
    if store.variable < 0 or store.type.kind != "int":
        return ""
    return (
        f", the range of {{b:{store.variable}}}; widen it where the variable is declared, or write "
        "`clamp` (stop at the end) or `refuse` (not allowed) behind it"
    )


def which_owner(program: Program, store: Store) -> int:
    """Which of a variable's values a store without an index changes."""
    if store.variable < 0:
        return 0
    return (store.addr - program.variables[store.variable].addr) // store.type.width


Misfit = Callable[[Any], tuple[int, Limits] | None]


def misfit(world: World, type_: Type, declared: bool = False) -> Misfit | None:
    """What finds the first part of a value that is outside its range; None where none can be."""
    if type_.kind == "list":
        return _misfit_in([misfit(world, type_.items[0], declared)] * type_.cap)
    if type_.kind == "tuple":
        return _misfit_in([misfit(world, item, declared) for item in type_.items])
    found = limits(world, type_, declared)
    if found is None:
        return None
    lo, hi, none = found.lo, found.hi, found.none
    return lambda value: None if lo <= value <= hi or value == none else (value, found)


def _misfit_in(items: list[Misfit | None]) -> Misfit | None:
    if not any(items):
        return None

    def first(value: Any) -> tuple[int, Limits] | None:
        if isinstance(value, int):
            return None  # none of an optional tuple
        for item, wrong_in in zip(value, items, strict=False):
            if wrong_in is not None and (wrong := wrong_in(item)) is not None:
                return wrong
        return None

    return first
