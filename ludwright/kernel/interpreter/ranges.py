"""The fault of a value that does not fit its cells."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.run import fault
from ludwright.program.faults import Trouble
from ludwright.program.ranges import Limits, Owner


def out_of_range(
    program: ir.Program, site: int, wrong: tuple[int, Limits], whose: str = "", owner: int = 0
) -> RulebookFault:
    """`whose`: what is said of the variable (`whose_range`), `owner`: which of its values it is."""
    value, found = wrong
    told = (found.trouble.reason + whose).format(a=value, b=Owner(program, owner))
    return fault(program, Trouble(found.trouble.code, told), site)
