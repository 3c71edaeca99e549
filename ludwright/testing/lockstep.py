"""Plays the interpreter and the native engine side by side and reports the first difference."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from ludwright import program as ir
from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Run
from ludwright.kernel.interpreter.stop import Stop
from ludwright.kernel.protocol.state import cells_from_bytes, cells_to_bytes
from ludwright.kernel.views.call_frames import Frames
from ludwright.kernel.views.state_check import problem
from ludwright.native.machine import NativeMachine
from ludwright.program.rng import Generator


@dataclass(frozen=True, slots=True)
class Difference:
    """The first step at which two machines disagree."""

    step: int
    what: str
    interpreted: object
    native: object
    rule: str = ""

    def __str__(self) -> str:
        place = f" (rule: {self.rule})" if self.rule else ""
        return (
            f"step {self.step}: {self.what}{place}\n"
            f"  interpreted: {self.interpreted}\n  native:      {self.native}"
        )


def lockstep(
    one: Machine, two: NativeMachine, seed: int, players: int, limit: int = 10_000,
    scenario: int = 0,
) -> tuple[int, Difference | None]:  # fmt: skip
    """Random play on both; (decisions made, first difference)."""
    policy, frames = Generator(seed ^ 0x5DEECE66D), Frames(one.program)
    cells = one.fresh(seed, players, scenario)
    rule = "set-up"
    outcomes = _outcomes(one, two, cells, None, None)
    for step in range(limit):
        wanted, found, silent_run = outcomes
        difference = compare(step, wanted, found, rule)
        silent: _Outcome = (*wanted[:4], _NOTHING)
        difference = difference or compare(step, silent, silent_run, f"{rule} (without events)")
        if difference is not None:
            return step, difference
        stop, cells = wanted[:2]
        if stop is None:
            return step, None
        refused = _refused(two, frames, cells)
        if refused is not None:
            return step, Difference(step, "a state that play has come to", "goes on", refused, rule)
        if stop.kind == "over":
            return step, None
        if not number_of_answers(stop):
            return step, None
        rule = rule_of(one.program, stop)
        if step % 7 == 0:
            stops = [_fields(machine.stop_at(cells)) for machine in (one, two)]
            if stops[0] != stops[1]:
                return step, Difference(step, "decision found again", stops[0], stops[1], rule)
        answer = answer_at(stop, policy.below(number_of_answers(stop)))
        outcomes = _outcomes(one, two, cells, stop, answer)
    return limit, None


def number_of_answers(stop: Stop) -> int:
    """How many ways there are to answer, declining and stopping among them."""
    return len(stop.answers) + stop.can_decline + stop.can_stop


def answer_at(stop: Stop, number: int) -> object:
    """One of the ways to answer."""
    if number < len(stop.answers):
        return stop.answers[number]
    return None if stop.can_decline and number == len(stop.answers) else "__stop"


def _refused(two: NativeMachine, frames: Frames, cells: list[int]) -> str | None:
    """Why a state would not come back from its bytes.

    Native code leaves out checks that the bounds of cells make needless, so a state of real play
    that is outside of them would be worse than one that cannot be loaded again.
    """
    again = cells_from_bytes(cells_to_bytes(cells))
    return problem(two.program, frames, again) or two.outside(again)


_Outcome = tuple[Stop | None, list[int], str, str, list[tuple[object, ...]]]
_NOTHING: list[tuple[object, ...]] = []


def _outcomes(
    one: Machine, two: NativeMachine, cells: list[int], stop: Stop | None, answer: object
) -> tuple[_Outcome, _Outcome, _Outcome]:
    """The outcomes of both machines; native code without events is a different path."""
    return (
        attempt(one, cells, stop, answer),
        attempt(two, cells, stop, answer),
        attempt(two, cells, stop, answer, events=False),
    )


def attempt(
    machine: Machine, cells: list[int], stop: Stop | None, answer: object, *, events: bool = True
) -> _Outcome:
    """(stop, cells, barrier, error, events) of one run."""
    noted: list[tuple[object, ...]] = []
    run = Run(stop.seat if stop is not None else -1, noted if events else None)
    memory = machine.scratch(cells, run)
    try:
        found = machine.start(memory) if stop is None else machine.answer(memory, stop, answer)
    except (IllegalMove, RulebookFault) as error:
        return None, cells, run.barrier, f"{type(error).__name__}: {error}", []
    heard = [*noted, ("learned", run.learned)]
    settled = [int(cell) for cell in machine.state_cells(memory)]
    return found, settled, run.barrier, "", heard if events else []


def _fields(stop: Stop | None) -> tuple[object, ...]:
    if stop is None:
        return ()
    # A range may be long, and equals another without being written out.
    answers = stop.answers if isinstance(stop.answers, range) else tuple(stop.answers)
    return (
        stop.kind, stop.pc, stop.seat, answers, stop.unknown, stop.can_decline,
        stop.can_stop, stop.minimum, stop.maximum, stop.picked, stop.pending, stop.dead_end,
        stop.weights, isinstance(stop.answers, range),
    )  # fmt: skip


def compare(step: int, one: _Outcome, two: _Outcome, rule: str = "") -> Difference | None:
    """The first difference between two outcomes of the decision that `rule` names."""
    if one[3] != two[3]:
        return Difference(step, "errors", one[3], two[3], rule)
    if one[1] != two[1]:
        cell = next(at for at, pair in enumerate(zip(one[1], two[1], strict=True))
                    if pair[0] != pair[1])  # fmt: skip
        return Difference(step, f"cell {cell}", one[1][cell], two[1][cell], rule)
    if _fields(one[0]) != _fields(two[0]):
        return Difference(step, "decision", _fields(one[0]), _fields(two[0]), rule)
    if one[2] != two[2]:
        return Difference(step, "barrier", one[2], two[2], rule)
    for left, right in zip_longest(one[4], two[4]):
        if left != right:
            return Difference(step, "event", left, right, rule)
    return None


def rule_of(program: ir.Program, stop: Stop) -> str:
    """The rule that asked, with its line in the rulebook."""
    if stop.choice is None:
        instr = program.code[stop.pc]
        number = instr.site if isinstance(instr, ir.Chance) else -1
    else:
        number = stop.choice.site
    if not 0 <= number < len(program.sites):
        return ""
    site = program.sites[number]
    return site.rule if site.span is None else f"{site.rule}, line {site.span.line}"
