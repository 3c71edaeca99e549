"""The bit at a position in a word: how an element of a set is found by its number in order."""

from __future__ import annotations

from ludwright.native.build.llvm import deposits_fast
from ludwright.native.codegen.llvm.module import Module


def add_nth_bit(module: Module) -> None:
    """`nth_bit`: the number of the bit at a position among those that are set in a word."""
    with module.function("nth_bit", "i64", "i64 word", "i64 position") as f:
        word, left = f.params("word", "position")
        if module.uses("bit_deposit") and deposits_fast():
            f.ret(f.cttz(f.call("i64", "llvm.x86.bmi.pdep.64", f.value(1) << left, word)))
            return
        at, width = f.value(0), 64
        while width > 1:  # halves are counted, down to one bit
            width //= 2
            below = f.ctpop(word & ((1 << width) - 1))
            beyond = left >= below
            left = left - f.select(beyond, below, 0)
            at = at + f.select(beyond, width, f.value(0))
            word = f.select(beyond, word >> width, word)
        f.ret(at)
