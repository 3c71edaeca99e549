"""What can still be met on a path through the code."""

from __future__ import annotations

from dataclasses import replace

import ludwright as lw
from ludwright.kernel import program as ir
from ludwright.kernel.paths import settled
from tests.kernel.assembler import Assembler, const, integer, upto


def test_only_the_end_of_its_own_move_settles_what_a_move_asks() -> None:
    asm = Assembler(spaces=("a",))
    asm.mark("start")
    outer, inner = asm.head("outer"), asm.head("inner")
    cells = [asm.cells() for _ in range(3)]
    asm.emit(ir.HeadEnter(outer))
    asm.choose("$a", const(0), cells[0], integer(0, 9), options=upto(0, 2))
    asm.emit(ir.HeadEnter(inner))
    asm.choose("$b", const(0), cells[1], integer(0, 9), options=upto(0, 2))
    asm.emit(ir.HeadExit(inner))
    asm.choose("$c", const(0), cells[2], integer(0, 9), options=upto(0, 2))
    asm.emit(ir.HeadExit(outer), ir.Finish(asm.end()))
    program = replace(asm.program(), refusing=())
    of_outer, of_inner = settled(program)
    b, c = 3, 5
    assert b + 1 not in of_outer, "$c is still to come"
    assert c + 1 in of_outer
    assert b + 1 in of_inner


def test_a_choice_is_settled_by_what_follows_it() -> None:
    program = lw.load("chess", engine="python").program
    (decided,) = settled(program)
    last = {
        choice.name: pc + 1 in decided
        for pc, instr in enumerate(program.code)
        if isinstance(instr, ir.Choose) and (choice := program.choices[instr.choice])
    }
    assert last == {"action": False, "origin": False, "target": False, "promote": True}
