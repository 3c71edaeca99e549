"""Which choices need no completion search: nothing after them in the same part can refuse."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

from ludwright.kernel import program as ir

NODES = (ir.Expr, ir.Source, ir.Instr, ir.Loop, ir.Filter, ir.Until)


def mark_safe(
    code: tuple[ir.Instr, ...], choices: tuple[ir.Choice, ...], proven: set[int]
) -> tuple[tuple[ir.Choice, ...], tuple[int, ...]]:
    """The choices with those marked after which nothing can refuse before the move or the part
    ends, and the instructions where that begins to hold: a search need not go further."""
    refuses = may_refuse(code, choices, proven)
    position = {
        instr.choice: index for index, instr in enumerate(code) if isinstance(instr, ir.Choose)
    }
    marked = tuple(
        replace(choice, safe=not refuses[position[number] + 1])
        if number in position and position[number] + 1 < len(code)
        else choice
        for number, choice in enumerate(choices)
    )
    settled = {
        following
        for index, instr in enumerate(code)
        if refuses[index]
        for following in _successors(index, instr, choices)
        if following < len(code) and not refuses[following]
    }
    return marked, tuple(sorted(settled))


def may_refuse(
    code: tuple[ir.Instr, ...], choices: tuple[ir.Choice, ...], proven: set[int]
) -> list[bool]:
    """Whether a refusal can be met from each instruction on, before the move or the part ends.

    A call comes back to where it was made, not to every place that calls the same procedure:
    otherwise whatever follows any call of a procedure would seem to follow all of them.
    """
    before: dict[int, list[int]] = {}  # instruction -> those that lead to it
    calls: dict[int, list[int]] = {}  # entry of a procedure -> its calls
    entries: dict[int, int] = {}  # a call -> the entry of what it calls
    ends: dict[int, list[int]] = {}  # entry of a procedure -> its Returns
    starts = {instr.entry for instr in code if isinstance(instr, ir.CallProc)}
    procedure = 0  # each stands in one piece, from its entry on
    for index, instr in enumerate(code):
        procedure = index if index in starts else procedure
        if isinstance(instr, ir.CallProc):
            calls.setdefault(instr.entry, []).append(index)
            entries[index] = instr.entry
        elif isinstance(instr, ir.Return):
            ends.setdefault(procedure, []).append(index)
        else:
            for target in _successors(index, instr, choices):
                before.setdefault(target, []).append(index)

    def reached(goals: set[int], returning: set[int] | None, down: bool, up: bool) -> set[int]:
        """From where a goal is reached, a call being one step if what it calls comes back.

        down: goals inside called procedures count; up: goals after a Return count.
        """
        found = set(goals)
        known = found if returning is None else returning
        stack = list(goals)
        while stack:
            index = stack.pop()
            previous = list(before.get(index, ()))
            entry = entries.get(index - 1)
            if entry in known:
                previous.append(index - 1)
            previous += [c for c in calls.get(index, ()) if down or (not up and c + 1 in found)]
            if up and entry is not None:
                previous += ends.get(entry, ())
            new = [item for item in previous if item not in found]
            found.update(new)
            stack += new
        return found

    all_ends = {index for group in ends.values() for index in group}
    returning = reached(all_ends, None, down=False, up=False)
    refusing = {i for i, instr in enumerate(code) if _refuses(instr, choices, proven)}
    inside = reached(refusing, returning, down=True, up=False)
    found = reached(inside, returning, down=False, up=True)
    return [index in found for index in range(len(code))]


def _successors(index: int, instr: ir.Instr, choices: tuple[ir.Choice, ...]) -> list[int]:
    if getattr(instr, "barrier", False):
        return []
    match instr:
        case ir.HeadExit() | ir.Chance() | ir.RevealPiece() | ir.Finish() | ir.FaultHere():
            return []  # the move, or the part, ends here
        case ir.Jump(target=target):
            return [target]
        case ir.Branch(target=target):
            return [index + 1, target]
        case ir.Switch(targets=targets, default=default):
            return [*targets, default]
        case ir.Choose(choice=number) if choices[number].together:
            return []  # a sealed decision is a barrier
        case ir.Choose(choice=number) if (empty := choices[number].empty) is not None:
            return [index + 1, empty]
        case _:
            return [index + 1]


def _refuses(instr: ir.Instr, choices: tuple[ir.Choice, ...], proven: set[int]) -> bool:
    match instr:
        case ir.Require(fault=False) | ir.BestEnd():
            return True
        case ir.Store(overflow="refuse", variable=variable) if variable >= 0:
            return True
        case ir.Choose(choice=number):
            return number not in proven and not always_possible(choices[number])
        case _:
            return _unsure_extremum(instr)


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


def _unsure_extremum(node: object) -> bool:
    """`min` or `max` without a default refuses where there is nothing."""
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if (
            isinstance(item, ir.Aggregate)
            and item.op in ("min", "max")
            and item.default is None
            and not _never_empty_stream(item.stream)
        ):
            return True
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, NODES) and is_dataclass(item):
            stack.extend(getattr(item, f.name) for f in fields(item))
    return False


def _never_empty_stream(source: ir.Source) -> bool:
    if isinstance(source, ir.Stream):
        return all(
            isinstance(clause, ir.Loop) and _never_empty(clause.source) for clause in source.clauses
        )
    return _never_empty(source)
