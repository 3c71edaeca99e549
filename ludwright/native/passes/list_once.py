"""`a if any(a) else b` lists `a` once, and `b` only if that list is empty.

A function that is written once and used twice comes in two copies, whose registers have different
names. So this pass relies on alpha equality: two expressions are the same if they differ only in
the names of the registers they bind, and if their errors would say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from ludwright import program as ir
from ludwright.program.nodes import changed, fields_of, mapped, parts_of

N = TypeVar("N")


def alike_sites(program: ir.Program) -> str:
    """Which sites say the same: code depends on that, and not on what they say."""
    first: dict[ir.Site, int] = {}
    return ",".join(str(first.setdefault(site, at)) for at, site in enumerate(program.sites))


def same(program: ir.Program, one: object, two: object) -> bool:
    """Equal in value and in what an error says."""
    return _Comparison(program).same(one, two)


def alike(program: ir.Program, one: object, two: object) -> dict[int, int] | None:
    """The registers of the first as the second calls them, those that are bound around it too; None
    if they differ in more than these names and in what an error says."""
    comparison = _Comparison(program, around=True)
    return comparison.names if comparison.same(one, two) else None


def renamed(node: N, names: Mapping[int, int]) -> N:
    """A node with other names of registers."""
    changes: dict[str, Any] = {}
    for name in fields_of(type(node)):
        value = getattr(node, name)
        if name in ("addr", "reg"):
            changes[name] = names.get(value, value)
        elif name == "regs":
            changes[name] = tuple(names.get(register, register) for register in value)
    inside = mapped(node, lambda part: renamed(part, names))
    return changed(inside, changes) if changes else inside


class _Comparison:
    def __init__(self, program: ir.Program, *, around: bool = False) -> None:
        self.program = program
        self._around = around
        self.names: dict[int, int] = {}  # registers of the first, as the second calls them

    def _same_name(self, one: int, two: int) -> bool:
        if self._around and one >= self.program.cells and two >= self.program.cells:
            return self.names.setdefault(one, two) == two
        return self.names.get(one, one) == two

    def same(self, one: Any, two: Any) -> bool:
        if type(one) is not type(two):
            return False
        if isinstance(one, tuple):
            return len(one) == len(two) and all(map(self.same, one, two))
        if parts_of(type(one)) is None:
            return bool(one == two)
        match one:
            case ir.Load():
                return self._same_name(one.addr, two.addr)
            case ir.Bind() | ir.BindSource():
                if not self.same(one.value, two.value):
                    return False
                self.names[one.reg] = two.reg
                return self.same(one.body, two.body)
            case ir.Loop():
                if len(one.regs) != len(two.regs) or not self.same(one.source, two.source):
                    return False
                self.names.update(zip(one.regs, two.regs, strict=True))
                return True
            case _:
                return all(
                    self._same_field(name, getattr(one, name), getattr(two, name))
                    for name in fields_of(type(one))
                )

    def _same_field(self, name: str, one: Any, two: Any) -> bool:
        if name == "site":
            return self._around or self._site(one) == self._site(two)
        if name == "addr":
            return self._same_name(one, two)
        return self.same(one, two)

    def _site(self, number: int) -> object:
        sites = self.program.sites
        return sites[number] if 0 <= number < len(sites) else number
