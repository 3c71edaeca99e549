"""Random play that has nothing to choose comes back to the choice just before.

An answer is given without a test (`open_answers`), and the very next instruction is a choice with
nothing in it: a man is chosen that cannot walk. Nothing has changed since but the answer itself. So
the next answer is drawn there, and the part is not played again from its start.

This relies on the two choices following each other with nothing between them: then what is put back
are a few counters. The numbers are those that a part played again would draw.
"""

from __future__ import annotations

from ludwright import program as ir


def follows_on(program: ir.Program, pc: int) -> bool:
    """Whether the choice at `pc` comes right after another, to which play can come back."""
    if pc == 0:
        return False
    before, here = program.code[pc - 1], program.code[pc]
    if not isinstance(before, ir.Choose) or not isinstance(here, ir.Choose):
        return False
    one, two = program.choices[before.choice], program.choices[here.choice]
    return _is_plain(one) and _is_plain(two) and not one.safe


def _is_plain(choice: ir.Choice) -> bool:
    """One answer of one seat, which has to be given."""
    special = choice.optional or choice.silent or choice.together or choice.empty is not None
    return choice.kind == "one" and not special
