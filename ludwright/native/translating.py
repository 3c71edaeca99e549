"""From a Program to the text of its native code."""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.kernel import program as ir
from ludwright.native.best import BestSearch
from ludwright.native.counting import Counting
from ludwright.native.fastcall import add_fastcalls
from ludwright.native.interface import Interface
from ludwright.native.module import Module
from ludwright.native.options import Options, answer_shape
from ludwright.native.pieces import PieceCode
from ludwright.native.playing import add_batch, add_playouts
from ludwright.native.programs import write_program
from ludwright.native.runtime import add_runtime
from ludwright.native.searching import Searching
from ludwright.native.settling import Settling
from ludwright.native.shapes import Int, Shape
from ludwright.native.talking import add_talking
from ludwright.native.ticking import add_ticking


@dataclass(frozen=True)
class Translation:
    """LLVM text, and what Python must know to use it."""

    text: str
    interface: Interface


def translate(program: ir.Program, events: bool = False, counting: bool = False) -> Translation:
    """Raises `NativeUnsupported` for what cannot be translated."""
    module = Module(program, events)
    if counting:
        module.settling = Settling(module)
    add_runtime(module)
    add_ticking(module)
    pieces = PieceCode(module)
    options = Options(module, pieces)
    room = options.room()
    options.write_all()
    searches = write_program(module, pieces, options)
    search = Searching(module, room) if searches else None
    if search is not None:
        search.write()
        if search.value_words:
            BestSearch(search).write()
        if counting:
            Counting(search).write()
    if not counting:
        add_playouts(module)
        add_fastcalls(module)
        add_talking(module)
        add_batch(module, room)
    interface = Interface(
        room, searches, events, module.memo_words, module.kept.words, module.shared_words,
        tuple(module.errors.items), tuple(module.records), _answers(module),
        *module.shapes.cells.all(),
    )  # fmt: skip
    return Translation(module.text(), interface)


def _answers(module: Module) -> dict[int, Shape]:
    found: dict[int, Shape] = {}
    for pc, instr in enumerate(module.program.code):
        if isinstance(instr, ir.Choose):
            found[pc] = answer_shape(module, module.program.choices[instr.choice])
        elif isinstance(instr, ir.Chance):
            found[pc] = module.shapes.element(instr.outcomes) or Int()
    return found
