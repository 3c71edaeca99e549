"""The memo of a search: verdicts on states it has seen, by a 128-bit hash."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Operand, Var, Words
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.layout import Slot
from ludwright.native.runtime.frame import KEY, KEY2
from ludwright.program.rng import mix

HASH, HASH2, AGE, VERDICT, VALUE = map(Slot, range(5))  # words of an entry
_FOUR = 4  # cells that are hashed at once


def add_hash(module: Module) -> None:
    """`hash_cells`: 128 bits of hash of all cells but the generator and the number of events.

    A sum of products, each of two pairs of cells with a number of its own added to either (known as
    NH): half as many multiplications as pairs, and none waits for another.
    """
    size = module.program.cells
    with module.function("hash_cells", "void", "ptr cells", "ptr to") as f:
        cells = f.param("cells")
        whole = (size - ir.PC) // _FOUR
        numbers = [_signed(mix(number)) for number in range(2 * whole + 2)]
        table = module.table(f, numbers, "i64")
        total = Var(f, "i128", Operand(f, "0", "i128"))

        def absorb(place: Operand, at: Operand | int) -> None:
            factors = []
            for word in range(2):
                pair = f.emit(f"load i64, ptr {f.gep(place, word).text}, align 4")
                factor = pair + f.load(f.gep(table, word), f.value(at) * 2)
                factors.append(f.emit(f"zext i64 {factor.text} to i128", "i128").text)
            product = f.emit(f"mul i128 {', '.join(factors)}", "i128")
            total.set(f.emit(f"add i128 {total.get().text}, {product.text}", "i128"))

        with f.for_range(0, whole) as at:
            absorb(f.gep(cells, at * _FOUR + ir.PC, "i32"), at)
        if ir.PC + _FOUR * whole < size:
            # the last ones, with some that have been before
            absorb(f.gep(cells, size - _FOUR, "i32"), whole)
        high = f.emit(f"lshr i128 {total.get().text}, 64", "i128")
        for place, half in enumerate((total.get(), high)):
            word = f.emit(f"trunc i128 {half.text} to i64")
            f.store(f.param("to"), place, f.call("i64", "mix", word))
        f.ret()


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def add_memo(module: Module) -> None:
    """`memo`: the entry of a state, new or old; null if the table is full.

    Entries of an older age count as empty; a new one has the verdict UNSEEN.
    """
    with module.function("memo", "ptr", "ptr ctx", "ptr key") as f:
        table, age = f.ctx[layout.MEMO], f.ctx[layout.MEMO_AGE]
        mask = (f.value(1) << f.ctx[layout.MEMO_USED]) - 1
        one, two = f.load(f.param("key")), f.load(f.param("key"), 1)
        at, tried = Var(f, init=one & mask), Var(f, init=0)
        with f.while_(lambda: tried.get() <= mask):
            entry = Words(f.gep(table, at.get() * module.memo_words))
            with f.if_(entry[AGE].ne(age)):
                entry[HASH], entry[HASH2] = one, two
                entry[AGE], entry[VERDICT] = age, layout.UNSEEN
                f.ret(entry.base)
            with f.if_(entry[HASH].eq(one) & entry[HASH2].eq(two)):
                f.ret(entry.base)
            at.set((at.get() + 1) & mask)
            tried.add(1)
        f.ret(f.null)


def entry_of(frame: Operand) -> Operand:
    """The entry of a frame's state; null if there is none."""
    f = frame.f
    return f.call("ptr", "memo", f.context, f.gep(frame, KEY))


def remember(frame: Operand, verdict: int) -> None:
    f, words = frame.f, Words(frame)
    # frames from before the search remembered anything have no hash
    with f.if_((words[KEY] | words[KEY2]).ne(0)):
        entry = entry_of(frame)
        with f.if_(~entry.is_null()):
            Words(entry)[VERDICT] = verdict


def remembered(frame: Operand) -> Operand:
    """The verdict on a state, UNSEEN if there is none yet."""
    f = frame.f
    verdict = Var(f, init=layout.UNSEEN)
    with f.if_(f.ctx[layout.MEMO_ON].ne(0)):
        entry = entry_of(frame)
        with f.if_(~entry.is_null()):
            verdict.set(Words(entry)[VERDICT])
    return verdict.get()


def hash_into(f: Function, frame: Operand, cells: Operand) -> None:
    """Note the hash of a state in its frame, while the search remembers states."""
    words = Words(frame)
    words[KEY] = 0
    words[KEY2] = 0
    with f.if_(f.ctx[layout.MEMO_ON].ne(0)):
        f.call("void", "hash_cells", cells, f.gep(frame, KEY))
