"""Conditions for the answers that can be finished, where they can be written down.

After a choice there may come others that find nothing to offer, and conditions that refuse. As long
as nothing but locals changes in between, whether an answer can be finished is an expression: there
is an option of the next choice for which the rest holds. Engines evaluate it instead of trying the
answer out. Where pieces move or variables change before the last refusal, they search as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ludwright import program as ir
from ludwright.language.compiling.proofs.refusals import unsure_extremum
from ludwright.program.flow import callees, ends_part, may_refuse
from ludwright.program.nodes import mapped, walk

_MOST = 250  # instructions looked at for one choice; beyond that a search is no worse
_HOLDS = ir.Const(1)
_FAILS = ir.Const(0)
_LONG = 200  # numbers in a range whose elements are tried one by one


class _Unclear(Exception):
    """No expression says it."""


@dataclass(frozen=True)
class _Place:
    """Where a walk through the code stands, and what locals hold there."""

    pc: int
    known: Mapping[int, ir.Expr | None]  # None: changed in a way no expression tells
    calls: tuple[int, ...]  # where calls under way return to
    heads: frozenset[int] = frozenset()  # moves inside the move: they end nothing

    def at(self, pc: int) -> _Place:
        return replace(self, pc=pc)

    def storing(self, addr: int, value: ir.Expr | None) -> _Place:
        return replace(self, pc=self.pc + 1, known={**self.known, addr: value})


class Finishing:
    """Finds the conditions of one Program's choices."""

    def __init__(
        self,
        code: tuple[ir.Instr, ...],
        choices: tuple[ir.Choice, ...],
        functions: tuple[ir.Function, ...],
        refusing: tuple[int, ...],
        cells: int,
        registers: int,
    ) -> None:
        self._code, self._choices, self._functions = code, choices, functions
        self._cells = cells
        self.registers = registers  # grows by those the conditions use
        self._may_refuse = may_refuse(code, choices, refusing)
        self._entries = sorted(callees(code))
        self._reads: dict[int, frozenset[int]] = {}
        self._left = 0
        self._by: ir.Expr = _HOLDS

    def marked(self) -> tuple[ir.Choice, ...]:
        """The choices, with conditions where there are any."""
        places = {i.choice: pc for pc, i in enumerate(self._code) if isinstance(i, ir.Choose)}
        return tuple(
            replace(choice, finish=self._finish(choice, places[number]))
            if number in places
            else choice
            for number, choice in enumerate(self._choices)
        )

    def _finish(self, choice: ir.Choice, pc: int) -> tuple[int, ir.Expr] | None:
        if choice.safe or choice.together or choice.kind == "many" or not choice.type.is_scalar:
            return None
        self._left = _MOST
        self._by = choice.by
        answer = self._register()
        try:
            if choice.optional and self._answered(pc, choice, _none(choice)) != _HOLDS:
                return None
            if choice.kind == "one":
                return answer, self._answered(pc, choice, ir.Load(answer))
            found: ir.Expr = _FAILS
            for number in range(len(choice.labels)):
                this = ir.Compare("==", ir.Load(answer), ir.Const(number))
                found = _select(this, self._answered(pc, choice, ir.Const(number)), found)
            return answer, found
        except _Unclear:
            return None

    def _register(self) -> int:
        self.registers += 1
        return self._cells + self.registers - 1

    # ------------------------------------------------------------- the walk

    def _answered(
        self, pc: int, choice: ir.Choice, answer: ir.Expr, place: _Place | None = None
    ) -> ir.Expr:
        """What must hold after an answer to a choice."""
        here = place or _Place(pc, {}, ())
        # the header tells of answers and actions in ways that are not followed here
        hidden: dict[int, ir.Expr | None] = {ir.ANSWERED: None, ir.LOG: None}
        if choice.kind == "labels":
            hidden[ir.ACTION] = None
        known = {**here.known, **hidden, choice.result: answer}
        return self._from(replace(here, pc=pc + 1, known=known))

    def _from(self, place: _Place) -> ir.Expr:
        pc = place.pc
        if pc not in self._may_refuse:
            return _HOLDS
        self._left -= 1
        if self._left < 0:
            raise _Unclear
        instr = self._code[pc]
        if ends_part(instr, self._choices):
            return _HOLDS
        match instr:
            case ir.Jump(target=target):
                return self._from(place.at(target))
            case ir.Tick() | ir.Emit() | ir.Say():
                return self._from(place.at(pc + 1))
            case ir.HeadEnter(head=head):
                return self._from(replace(place, pc=pc + 1, heads=place.heads | {head}))
            case ir.HeadExit(head=head) if head in place.heads:
                return self._from(place.at(pc + 1))
            case ir.Zero(ranges=ranges):
                cleared = {a: None for addr, count in ranges for a in range(addr, addr + count)}
                return self._from(replace(place, pc=pc + 1, known={**place.known, **cleared}))
            case ir.Store():
                return self._store(place, instr)
            case ir.Branch(when=when, target=target):
                test = self._put(when, place)
                return _select(test, self._from(place.at(pc + 1)), self._from(place.at(target)))
            case ir.Switch(value=value, targets=targets, default=default):
                chosen = self._put(value, place)
                if not isinstance(chosen, ir.Const) or not isinstance(chosen.value, int):
                    raise _Unclear
                inside = 0 <= chosen.value < len(targets)
                return self._from(place.at(targets[chosen.value] if inside else default))
            case ir.Require(when=when, fault=fault):
                rest = self._from(place.at(pc + 1))
                return rest if fault else _both(self._put(when, place), rest)
            case ir.CallProc(entry=entry):
                return self._from(replace(place, pc=entry, calls=(*place.calls, pc + 1)))
            case ir.Return():
                back, calls = self._caller(place)
                return self._from(replace(place, pc=back, calls=calls))
            case ir.HeadExit() | ir.Finish():
                return _HOLDS
            case ir.Choose(choice=number):
                return self._choose(place, self._choices[number])
            case _:
                raise _Unclear

    def _caller(self, place: _Place) -> tuple[int, tuple[int, ...]]:
        if place.calls:
            return place.calls[-1], place.calls[:-1]
        own = max((entry for entry in self._entries if entry <= place.pc), default=-1)
        calls = [
            pc
            for pc, instr in enumerate(self._code)
            if isinstance(instr, ir.CallProc) and instr.entry == own
        ]
        if len(calls) != 1:
            raise _Unclear
        return calls[0] + 1, ()

    def _store(self, place: _Place, instr: ir.Store) -> ir.Expr:
        if instr.variable >= 0 or instr.index is not None or instr.overflow != "fault":
            raise _Unclear
        value = self._put(instr.value, place)
        if isinstance(value, ir.Const | ir.Load):
            return self._from(place.storing(instr.addr, value))
        register = self._register()
        rest = self._from(place.storing(instr.addr, ir.Load(register)))
        return rest if rest in (_HOLDS, _FAILS) else ir.Bind(register, value, rest)

    def _choose(self, place: _Place, choice: ir.Choice) -> ir.Expr:
        if choice.kind == "many" or self._put(choice.by, place) != self._by:
            raise _Unclear
        found: ir.Expr = _FAILS
        if choice.kind == "labels":
            for number, label in enumerate(choice.labels):
                rest = self._answered(place.pc, choice, ir.Const(number), place)
                guard = _HOLDS if label.guard is None else self._put(label.guard, place)
                found = _either(found, _both(guard, rest))
        else:
            found = self._some(place, choice)
        if choice.optional:
            found = _either(self._answered(place.pc, choice, _none(choice), place), found)
        if choice.empty is not None:
            found = _either(found, self._from(place.at(choice.empty)))
        return found

    def _some(self, place: _Place, choice: ir.Choice) -> ir.Expr:
        """There is an option with which the rest can be finished."""
        assert choice.options is not None
        if not choice.type.is_scalar:
            raise _Unclear
        source = self._put(choice.options, place)
        register = self._register()
        rest = self._answered(place.pc, choice, ir.Load(register), place)
        if rest == _FAILS:
            return _FAILS
        if isinstance(source, ir.RangeSource) and rest != _HOLDS and not _short(source):
            raise _Unclear
        real = ir.Compare("!=", ir.Load(register), _none(choice))
        clauses: tuple[ir.Loop | ir.Filter, ...] = (
            ir.Loop((register,), source),
            ir.Filter(real),
        )
        if rest != _HOLDS:
            clauses = (*clauses, ir.Filter(rest))
        return ir.Aggregate("exists", ir.Stream(clauses, ir.Load(register)))

    # --------------------------------------------------------- substitution

    def _put(self, node: Any, place: _Place) -> Any:
        """An expression with what is known of locals in the place of their cells."""
        known = place.known
        match node:
            case ir.Load(addr=addr) | ir.LoadWide(addr=addr, index=None):
                if addr not in known:
                    return node
                value = known[addr]
                if value is None:
                    raise _Unclear
                return value
            case (
                ir.LoadAt(addr=addr, size=size, stride=stride)
                | ir.LoadWide(addr=addr, size=size, stride=stride)
            ):
                if any(addr <= cell < addr + size * stride for cell in known):
                    raise _Unclear
            case ir.CallFn(fn=fn):
                if any(cell in self._read_by(fn) for cell in known):
                    raise _Unclear
            case ir.Times():
                raise _Unclear
            case ir.Aggregate() if unsure_extremum(node):
                raise _Unclear
            case _:
                pass
        return mapped(node, lambda part: self._put(part, place))

    def _read_by(self, fn: int) -> frozenset[int]:
        """The cells a function reads by name; arrays are read only where no local lies."""
        if fn not in self._reads:
            found: set[int] = set()
            for item in walk(self._functions[fn].body):
                match item:
                    case ir.Load(addr=addr) | ir.LoadWide(addr=addr):
                        found.add(addr)
                    case ir.CallFn(fn=other):
                        found |= self._read_by(other)
                    case ir.Aggregate() if unsure_extremum(item):
                        raise _Unclear
                    case _:
                        pass
            self._reads[fn] = frozenset(found)
        return self._reads[fn]


def _none(choice: ir.Choice) -> ir.Const:
    return ir.Const(choice.type.none)


def _short(source: ir.RangeSource) -> bool:
    match source:
        case ir.RangeSource(lo=ir.Const(value=int(low)), hi=ir.Const(value=int(high))):
            return high - low < _LONG
        case _:
            return False


def _both(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if left == _HOLDS or right == _FAILS:
        return right
    return left if right == _HOLDS or left == _FAILS else ir.And(left, right)


def _either(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if left == _FAILS or right == _HOLDS:
        return right
    return left if right == _FAILS or left == _HOLDS else ir.Or(left, right)


def _select(when: ir.Expr, then: ir.Expr, other: ir.Expr) -> ir.Expr:
    if then == other:
        return then
    if then == _HOLDS and other == _FAILS:
        return when
    return ir.Select(when, then, other)
