"""All work is counted, so that no run goes on for ever: where it is, and what it costs.

A run has so many ticks, on either engine. A pass of a loop of effects costs one, or more if much is
done in it. Expressions that can never be much work cost nothing. In what could be enormous
(`HEAVY`), every pass of every larger loop and every call of a larger function is charged with the
work that it is (`Spend`); so is a call of a procedure that does much without any loop. What can be
seen to be enormous is told to the author as well.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import accumulate
from operator import itemgetter
from typing import Any

from ludwright import program as ir
from ludwright.language.compiling.linking.work_bounds import ENDLESS, Work
from ludwright.language.compiling.unit import Unit
from ludwright.program.nodes import walk

HEAVY = 100_000_000  # nodes of one expression: below, nothing in it is counted
ENORMOUS = 1_000_000_000  # nodes evaluated at one place of the rulebook: the author is told
_GRAIN = 1_000  # nodes of one pass or call that are charged, in what is heavy
_PER_TICK = 100  # such nodes, or instructions, that cost one tick
_PER_TICK_LIGHT = 100_000  # nodes that cost one tick where they are only a bound, and a coarse one
_LARGE = 10  # ticks: a procedure that costs more is charged when it is called


class _Sites:
    """Where functions and procedures stand; numbered when asked for."""

    def __init__(self, unit: Unit, program: ir.Program) -> None:
        self._unit, self._program = unit, program
        self._functions = {decl.name: decl for decl in unit.gamedef.functions}
        self._procedures = {decl.name: decl for decl in unit.gamedef.procs}

    def function(self, name: str) -> int:
        decl = self._functions.get(name)
        return self._unit.site(decl.span if decl is not None else None, f"function {name}")

    def procedure(self, procedure: ir.Procedure) -> int:
        if procedure.action >= 0:
            return self._program.actions[procedure.action].site
        decl = self._procedures.get(procedure.name)
        # Triggers, phases and cards are procedures as well, and have no declaration of that name.
        span, kind = (None, "") if decl is None else (decl.span, "procedure ")
        return self._unit.site(span, f"{kind}{procedure.name}")


def charged(unit: Unit, program: ir.Program) -> ir.Program:
    """The Program with all that can be much work counted; tells what is enormous."""
    sites = _Sites(unit, program)
    work = Work(program, _nowhere, ENDLESS, _nothing)
    program = replace(program, choices=tuple(_searched(work, c) for c in program.choices))
    heavy = [root for root in _roots(program) if work.total(root) > HEAVY]
    instructions = _Instructions(program, work, sites)
    if heavy or max(instructions.stated(lambda *_: False), default=0) > ENORMOUS:
        _tell(unit, program, sites)
    if heavy:
        program = _with_spending(program, sites, heavy)
        instructions = _Instructions(program, Work(program, _nowhere, ENDLESS, _nothing), sites)
    charged_program = instructions.charged()
    added = tuple(unit.sites[len(program.sites) :])  # calls that are much work are sites, too
    return replace(charged_program, sites=program.sites + added)


def _searched(work: Work, choice: ir.Choice) -> ir.Choice:
    """Where it would be enormous to say what can be finished, a search with its budget tells."""
    if choice.finish is not None and work.of(choice.finish[1])[1] > HEAVY:
        return replace(choice, finish=None)
    return choice


def _nowhere(name: str) -> int:
    return -1


def _roots(program: ir.Program) -> list[Any]:
    return [
        *program.code, *program.choices, *program.histories, *program.ends, program.score
    ]  # fmt: skip


def _nothing(work: int, times: int, site: int) -> None:
    return None


# ------------------------------------------------------------------ expressions


def _with_spending(program: ir.Program, sites: _Sites, heavy: list[Any]) -> ir.Program:
    fine = Work(program, sites.function, _GRAIN, _spend)
    wanted = {id(root) for root in heavy}

    def spending(roots: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(fine.of(root)[0] if id(root) in wanted else root for root in roots)

    called = _called(program, heavy)
    return replace(
        program, code=spending(program.code), choices=spending(program.choices),
        histories=spending(program.histories), ends=spending(program.ends),
        score=spending((program.score,))[0],
        functions=tuple(
            new if number in called else old
            for number, (old, new) in enumerate(zip(program.functions, fine.functions, strict=True))
        ),
        registers=fine.registers - program.cells,
    )  # fmt: skip


def _spend(work: int, times: int, site: int) -> ir.Spend:
    return ir.Spend(max(1, work // _PER_TICK), site)


def _called(program: ir.Program, roots: list[Any]) -> set[int]:
    """The functions that some records call, directly or over others."""
    found: set[int] = set()
    stack = list(roots)
    while stack:
        new = {node.fn for node in walk(stack.pop()) if isinstance(node, ir.CallFn)} - found
        found |= new
        stack += [program.functions[number].body for number in new]
    return found


# ----------------------------------------------------------------- instructions


class _Instructions:
    """What instructions, passes of their loops and calls of procedures can be in work."""

    def __init__(self, program: ir.Program, work: Work, sites: _Sites) -> None:
        self._program = program
        self._sites = sites
        self._by_entry = {procedure.entry: procedure for procedure in program.procedures}
        self._own = [work.total(instr) for instr in program.code]
        for pc, instr in enumerate(program.code):
            if isinstance(instr, ir.Choose):
                self._own[pc] += work.total(program.choices[instr.choice])

    def charged(self) -> ir.Program:
        """Passes and calls cost what is done in them."""
        part = _PER_TICK_LIGHT // _PER_TICK
        costs = [1 + own // part for own in self._own]
        code = list(self._program.code)
        whole: dict[int, int] = {}  # by the entry of a procedure
        for procedure in self._callees_first():
            for pc, instr in self._calls(procedure):
                cost = whole[instr.entry]
                if cost > _LARGE * _PER_TICK:
                    site = self._sites.procedure(self._by_entry[instr.entry])
                    code[pc] = replace(instr, ticks=cost // _PER_TICK, site=site)
                else:
                    costs[pc] += cost
            whole[procedure.entry] = sum(costs[procedure.entry : procedure.end])
        sums = list(accumulate(costs, initial=0))
        for start, end, tick in self._loops():
            ticks = (sums[end] - sums[start]) // _PER_TICK
            if ticks > 1:
                code[end] = replace(tick, ticks=ticks)
        return replace(self._program, code=tuple(code))

    def stated(self, told: Callable[[int, int], bool]) -> Iterator[int]:
        """The work of procedures; what is enormous, and has been `told`, counts no longer."""
        costs = list(self._own)
        whole: dict[int, int] = {}
        loops = sorted(self._loops(), key=itemgetter(0))
        for procedure in self._callees_first():
            for pc, instr in self._calls(procedure):
                costs[pc] += whole[instr.entry]
            first = bisect_left(loops, procedure.entry, key=itemgetter(0))
            last = bisect_left(loops, procedure.end, key=itemgetter(0))
            # inner ones first
            for start, end, tick in sorted(loops[first:last], key=lambda loop: loop[1] - loop[0]):
                body = sum(costs[start:end])
                costs[end] += min(body * max(0, tick.passes - 1), ENDLESS)
                if body * tick.passes > ENORMOUS and told(body * tick.passes, tick.site):
                    costs[start : end + 1] = [0] * (end + 1 - start)
            total = min(sum(costs[procedure.entry : procedure.end]), ENDLESS)
            yield total
            if total > ENORMOUS and told(total, self._sites.procedure(procedure)):
                total = 0
            whole[procedure.entry] = total

    def _calls(self, procedure: ir.Procedure) -> Iterator[tuple[int, ir.CallProc]]:
        for pc in range(procedure.entry, procedure.end):
            instr = self._program.code[pc]
            if isinstance(instr, ir.CallProc):
                yield pc, instr

    def _loops(self) -> Iterator[tuple[int, int, ir.Tick]]:
        """Where the loops begin and end, with the last instruction before they go back."""
        for pc, instr in enumerate(self._program.code):
            if isinstance(instr, ir.Tick):
                back = self._program.code[pc + 1]
                assert isinstance(back, ir.Jump), "a loop goes back once it has counted"
                yield back.target, pc, instr

    def _callees_first(self) -> list[ir.Procedure]:
        """Procedures do not call themselves, so each can come after those that it calls."""
        found: dict[int, ir.Procedure] = {}
        stack = [(procedure, False) for procedure in self._program.procedures]
        while stack:
            procedure, done = stack.pop()
            if done:
                found[procedure.entry] = procedure
            elif procedure.entry not in found:
                stack.append((procedure, True))
                stack += [(self._by_entry[call.entry], False) for _, call in self._calls(procedure)]
        return list(found.values())


# --------------------------------------------------------------------- warnings


def _tell(unit: Unit, program: ir.Program, sites: _Sites) -> None:
    told: set[int] = set()

    def tell(steps: int, site: int) -> bool:
        if site >= 0 and site not in told:
            told.add(site)
            _warn(unit, site, steps)
        return True

    def note(work: int, times: int, site: int) -> None:
        tell(work * times, site)

    work = Work(program, sites.function, ENORMOUS, note, only_stated=True)
    for _ in _Instructions(program, work, sites).stated(tell):
        pass
    work.of((program.histories, program.ends, program.score))


def _warn(unit: Unit, site: int, steps: int) -> None:
    known = unit.sites[site]
    rounded = int(float(f"{steps:.0e}"))
    unit.diagnostics.warning(
        "enormous-work",
        known.span,
        f"this can take {rounded:,} steps or so ({known.rule})",
        "a game that takes too many without a decision ends in a fault: go through fewer things "
        "at once, or keep what has been found in a variable",
    )
