"""Which choices need no completion search: nothing after them in the same part can refuse."""

from __future__ import annotations

from dataclasses import replace

from ludwright import program as ir
from ludwright.program.flow import may_refuse
from ludwright.program.nodes import walk


def mark_safe(
    code: tuple[ir.Instr, ...], choices: tuple[ir.Choice, ...], refusing: tuple[int, ...]
) -> tuple[ir.Choice, ...]:
    """A choice is safe if no path from it meets a refusal before the move or the part ends."""
    unsafe = may_refuse(code, choices, refusing)
    position = {
        instr.choice: index for index, instr in enumerate(code) if isinstance(instr, ir.Choose)
    }
    return tuple(
        replace(choice, safe=position[number] + 1 not in unsafe)
        if number in position and position[number] + 1 < len(code)
        else choice
        for number, choice in enumerate(choices)
    )


def refusing(
    code: tuple[ir.Instr, ...], choices: tuple[ir.Choice, ...], functions: tuple[ir.Function, ...],
    proven: set[int],
) -> tuple[int, ...]:  # fmt: skip
    """The instructions that can refuse; of choices only those that may find nothing to offer, or
    have options or conditions that can refuse."""
    unsure = _unsure_functions(functions)

    def refuses(instr: ir.Instr) -> bool:
        if _refuses(instr, choices, proven):
            return True
        if isinstance(instr, ir.Say):
            return False  # what cannot be said is left unsaid
        asked = None
        if isinstance(instr, ir.Choose):
            asked = replace(choices[instr.choice], ask=None)
        return any(_unsure(item, unsure) for item in walk((instr, asked)))

    return tuple(index for index, instr in enumerate(code) if refuses(instr))


def _unsure(item: object, functions: set[int]) -> bool:
    return unsure_extremum(item) or (isinstance(item, ir.CallFn) and item.fn in functions)


def _unsure_functions(functions: tuple[ir.Function, ...]) -> set[int]:
    """The functions in which, or in what they call, an expression can refuse."""
    found: set[int] = set()
    while True:
        more = {
            number
            for number, function in enumerate(functions)
            if number not in found and any(_unsure(item, found) for item in walk(function.body))
        }
        if not more:
            return found
        found |= more


def _refuses(instr: ir.Instr, choices: tuple[ir.Choice, ...], proven: set[int]) -> bool:
    match instr:
        case ir.Require(fault=False) | ir.BestEnd():
            return True
        case ir.Store(overflow="refuse", variable=variable) if variable >= 0:
            return True
        case ir.Choose(choice=number):
            return number not in proven and not always_possible(choices[number])
        case _:
            return False


def always_possible(choice: ir.Choice) -> bool:
    if choice.optional or choice.empty is not None or choice.as_many or choice.together:
        return True
    if choice.kind == "many":
        return choice.minimum is None or choice.minimum == ir.Const(0)
    if choice.kind == "labels":
        return any(label.guard is None for label in choice.labels)
    return choice.options is not None and _never_empty(choice.options)


def _never_empty(source: ir.Source) -> bool:
    match source:
        case ir.ConstSource(values=values):
            return bool(values)
        case ir.ItemsSource(items=items):
            return bool(items)
        case ir.SeatsSource():
            return True
        case ir.RangeSource(lo=ir.Const(value=int(low)), hi=ir.Const(value=int(high))):
            return low <= high
        case ir.ConcatSource(parts=parts):
            return any(_never_empty(part) for part in parts)
        case ir.SelectSource(then=then, other=other):
            return _never_empty(then) and _never_empty(other)
        case ir.BindSource(body=body):
            return _never_empty(body)
        case _:
            return False


def unsure_extremum(item: object) -> bool:
    """`min` or `max` without a default refuses where there is nothing."""
    return (
        isinstance(item, ir.Aggregate)
        and item.op in ("min", "max")
        and item.default is None
        and not _never_empty_stream(item.stream)
    )


def _never_empty_stream(source: ir.Source) -> bool:
    if isinstance(source, ir.Stream):
        return all(
            isinstance(clause, ir.Loop) and _never_empty(clause.source) for clause in source.clauses
        )
    return _never_empty(source)
