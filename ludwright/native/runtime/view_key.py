"""What a seat sees of a state, as one word: `kernel.play.trees.visibility`."""

from __future__ import annotations

from ludwright.kernel.play.trees.visibility import SHOWN_HEADER, is_declared
from ludwright.native.codegen.llvm.builder import Function, Operand, Var
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.state.pieces import PieceCode
from ludwright.native.runtime.tree_parts import hashed


def add_view_key(module: Module, pieces: PieceCode) -> None:
    """`view_key`: equal for states that look the same to a seat."""
    program = module.program
    with module.helper("view_key", "i64", "i64 seat") as f:
        key = Var(f, init=1)
        for cell in SHOWN_HEADER:
            key.set(hashed(key.get(), f.cell(cell)))
        _add_cells(f, key, f.value(program.place_count), len(program.world.places))
        own = [v for v in program.variables if v.scope == "piece" and is_declared(v)]
        with f.for_range(0, program.world.piece_count) as piece:
            seen = (pieces.viewers(f, piece) >> f.param("seat")) & 1
            with f.if_(seen.ne(0)):
                key.set(hashed(key.get(), f.cell(piece + program.piece_place)))
                for variable in own:
                    index = piece - variable.first
                    with f.if_(index.below(variable.count)):
                        at = index * variable.type.width + variable.addr
                        _add_cells(f, key, at, variable.type.width)
            with f.else_():
                key.set(hashed(key.get(), f.value(-2)))
        for variable in program.variables:
            if variable.scope == "piece" or not is_declared(variable):
                continue
            width = variable.type.width
            if variable.see == "all":
                _add_cells(f, key, f.value(variable.addr), width * variable.count)
            elif variable.see == "owner" and variable.scope == "seat":
                _add_cells(f, key, f.param("seat") * width + variable.addr, width)
        f.ret(key.get())


def _add_cells(f: Function, key: Var, first: Operand, count: int) -> None:
    with f.for_range(0, count) as at:
        key.set(hashed(key.get(), f.cell(first + at)))
