"""A board of six spaces on which somebody chooses, put together by hand."""

from __future__ import annotations

from typing import Any

from ludwright import program as ir
from ludwright.program.types import Type
from tests.kernel.assembler import Assembler, const, upto

NAMES = tuple("abcdef")
SPACE = Type("place", "space", 0, 5)
SPACES = Type("set", items=(SPACE,))


def board(**more: Any) -> Assembler:
    asm = Assembler(spaces=NAMES, **more)
    asm.mark("start")
    return asm


def finish(asm: Assembler, head: int | None = None) -> None:
    if head is not None:
        asm.emit(ir.HeadExit(head))
    asm.emit(ir.Finish(asm.end()))


def choose_many(**more: Any) -> Assembler:
    """white picks from six spaces; the picks stay in `picked`."""
    asm = board()
    picked = asm.variable("picked", more.get("result_type", SPACES))
    head = asm.head("$x", "choice")
    asm.emit(ir.HeadEnter(head))
    fields: dict[str, Any] = {
        "kind": "many", "result_type": SPACES, "options": upto(0, 5),
        "minimum": const(1), "maximum": const(2),
    }  # fmt: skip
    fields.update(more)
    asm.choose("$x", const(0), picked, SPACE, **fields)
    finish(asm, head)
    return asm
