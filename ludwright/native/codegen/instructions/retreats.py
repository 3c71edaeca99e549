"""How often answers that were given without a test have been refused: `layout.REFUSED` and
`layout.RETREATS`. See `native.runtime.open_answers`."""

from __future__ import annotations

from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Operand

MOST_RETREATS = 32  # of one part: more of them may take longer than a search that remembers


def can_retreat(f: Function) -> Operand:
    """Whether a refused answer may be drawn again where it was given; the last time that answers
    of a part are refused, the part begins once more, with tests."""
    return f.ctx[layout.ENDED].eq(0) & (f.ctx[layout.RETREATS] < MOST_RETREATS)


def refused_at(f: Function, level: Operand) -> Operand:
    return f.load(f.gep(f.context, layout.REFUSED), level)


def refuse(f: Function, level: Operand, number: Operand | int) -> None:
    f.store(f.gep(f.context, layout.REFUSED), level, f.value(number))
