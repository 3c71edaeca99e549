"""From a Program to the text of its native code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int, Shape
from ludwright.native.build.manifest import Interface
from ludwright.native.codegen.instructions.entry import write_program
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.options.listing import Options, answer_shape
from ludwright.native.codegen.options.random_answer import write_draws
from ludwright.native.codegen.state.facts import context_words
from ludwright.native.codegen.state.nth_bit import add_nth_bit
from ludwright.native.codegen.state.pieces import PieceCode
from ludwright.native.codegen.state.ticks import add_halted, add_pause
from ludwright.native.passes.pass_list import without as passes_without
from ludwright.native.python.byte_calls import add_byte_calls
from ludwright.native.python.game_calls import add_game_calls
from ludwright.native.python.move_calls import add_move_calls
from ludwright.native.runtime.best import BestSearch
from ludwright.native.runtime.count import Count
from ludwright.native.runtime.frame import Frames
from ludwright.native.runtime.legality import Search
from ludwright.native.runtime.library import add_library
from ludwright.native.runtime.offers import Publishing
from ludwright.native.runtime.playout import add_batch, add_playouts
from ludwright.native.runtime.set_tree import add_set_tree
from ludwright.native.runtime.shown import add_shown
from ludwright.native.runtime.tree import add_tree
from ludwright.native.runtime.tree_parts import add_parts
from ludwright.native.runtime.trial import Trials


@dataclass(frozen=True)
class Translation:
    """LLVM text, and what Python must know to use it."""

    text: str
    interface: Interface


def translate(
    program: ir.Program, events: bool = False, counting: bool = False,
    without: Iterable[str] | None = None, trees: bool = False,
) -> Translation:  # fmt: skip
    """Raises `NativeUnsupported` for what cannot be translated.

    `without` names optimisations to leave out (see `passes.pass_list`). Python drives code with
    `events`; other code plays whole games and batches. Code for `trees` grows search trees and
    does nothing else.
    """
    module = Module(program, events, counting, passes_without(without))
    add_library(module)
    add_nth_bit(module)
    add_halted(module)
    add_pause(module)
    options = Options(module, PieceCode(module))
    room = options.room()
    options.write_all()
    write_draws(module)
    write_program(module, options)
    Publishing(module).write()
    if module.searches:
        _add_searches(module, Frames(module, room))
    if trees:
        add_trees(module, options.pieces)
    elif events:
        add_byte_calls(module)
        add_game_calls(module)
        add_move_calls(module)
    elif not counting:
        add_playouts(module)
        add_batch(module)
    # Observations are made with the code that tells events.
    shown = add_shown(module) if events and program.shown else ()
    interface = Interface(
        len(module.program.code), room, module.searches, events, module.memo_words,
        context_words(module), module.shared_words, tuple(module.errors.items),
        tuple(module.records), _answers(module, program), *module.shapes.cells.all(), shown,
    )  # fmt: skip
    return Translation(module.text(), interface)


def add_trees(module: Module, pieces: PieceCode) -> None:
    add_parts(module)
    add_tree(module)
    add_set_tree(module, pieces)


def _add_searches(module: Module, frames: Frames) -> None:
    module.memo_words = 4 + frames.best_words
    trials = Trials(frames)
    Search(trials).write()
    if frames.value_words:
        BestSearch(trials).write()
    if module.counting is not None:
        Count(trials).write()


def _answers(module: Module, program: ir.Program) -> dict[int, Shape]:
    """By instruction of the Program itself: nobody stops in code that a pass has put behind it."""
    found: dict[int, Shape] = {}
    for pc, instr in enumerate(program.code):
        if isinstance(instr, ir.Choose):
            found[pc] = answer_shape(module, module.program.choices[instr.choice])
        elif isinstance(instr, ir.Chance):
            found[pc] = module.shapes.element(instr.outcomes) or Int()
    return found
