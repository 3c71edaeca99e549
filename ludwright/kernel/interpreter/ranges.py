"""The fault of a value that does not fit its cells."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.run import fault
from ludwright.program.faults import Trouble
from ludwright.program.ranges import Limits


def out_of_range(program: ir.Program, site: int, wrong: tuple[int, Limits]) -> RulebookFault:
    value, found = wrong
    return fault(program, Trouble(found.trouble.code, found.trouble.reason.format(a=value)), site)
