"""Liveness: which locals of a procedure are still needed at each of its instructions.

Only procedures in which the program can wait are looked at; the locals of all others are registers.
Sets of locals are bits of a number: a long procedure has many locals, and a set for each of its
instructions would make the work grow with the square of its length.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludwright import program as ir
from ludwright.language.compiling.addresses import LocalCell
from ludwright.language.compiling.code import Code, Frame
from ludwright.language.compiling.lowering import Lowering
from ludwright.program.nodes import values_in


class Liveness:
    """What is known of one procedure's slots at each of its instructions, as masks."""

    def __init__(self, lowering: Lowering, code: Code, given: set[int]) -> None:
        """`given`: slots that others fill before they call the procedure."""
        self.code = code
        self._slots = list(code.frames)
        self._bit = {slot: 1 << number for number, slot in enumerate(self._slots)}
        self._uses: list[int] = []
        self._defines: list[int] = []
        for index, instr in enumerate(code.instrs):
            used, defined = _uses(lowering, code, index, instr, code.frames)
            self._uses.append(self.mask(used))
            self._defines.append(self.mask(defined))
        self._successors = [code.successors(index) for index in range(len(code.instrs))]
        self._live_out = self._needed()
        self._dirty = self._written(given)

    def mask(self, slots: Iterable[int]) -> int:
        """Some slots as one number; those of other procedures are left out."""
        found = 0
        for slot in slots:
            found |= self._bit.get(slot, 0)
        return found

    def slots(self, mask: int) -> list[int]:
        """The slots of a mask, in the order of their declaration."""
        found: list[int] = []
        while mask:
            lowest = mask & -mask
            found.append(self._slots[lowest.bit_length() - 1])
            mask ^= lowest
        return found

    def live_across(self, index: int) -> int:
        """What must be kept while the program is stopped at (or inside the call at) `index`."""
        if isinstance(self.code.instrs[index], ir.CallProc):
            return self._live_out[index] | self._uses[index]
        # The options are computed again from the stopped state, so what they read is kept as well;
        # the answer itself is written only when the program goes on.
        return self._uses[index] | (self._live_out[index] & ~self._defines[index])

    def dirty(self, index: int) -> int:
        """What may hold something before an instruction."""
        return self._dirty[index]

    def _needed(self) -> list[int]:
        """Per instruction: the slots that are read behind it before they are written again."""
        live_in = [0] * len(self._uses)
        live_out = [0] * len(self._uses)
        changed = True
        while changed:
            changed = False
            for index in range(len(live_in) - 1, -1, -1):
                out = 0
                for following in self._successors[index]:
                    out |= live_in[following]
                new = self._uses[index] | (out & ~self._defines[index])
                if out != live_out[index] or new != live_in[index]:
                    live_out[index], live_in[index] = out, new
                    changed = True
        self._live_at_start = live_in[0] if live_in else 0
        return live_out

    def _written(self, given: set[int]) -> list[int]:
        dirty = [0] * len(self._uses)
        if dirty:
            filled = (slot for slot in self._slots if slot in given)
            dirty[0] = self._live_at_start | self.mask((self.code.ret, *filled))
        changed = True
        while changed:
            changed = False
            for index, defined in enumerate(self._defines):
                after = dirty[index] | defined
                for following in self._successors[index]:
                    if after & ~dirty[following]:
                        dirty[following] |= after
                        changed = True
        return dirty


def given(codes: list[Code]) -> set[int]:
    """Slots that somebody else fills before a call: parameters, whether they are read or not."""
    return {
        instr.addr
        for code in codes
        for instr in code.instrs
        if isinstance(instr, ir.Store)
        and isinstance(instr.addr, LocalCell)
        and instr.addr not in code.frames
    }


def slots_in(node: object, own: dict[int, Frame]) -> set[int]:
    """Frame slots named anywhere in an instruction or expression."""
    return {addr for addr in values_in(node, LocalCell) if addr in own}


def _uses(
    lowering: Lowering, code: Code, index: int, instr: ir.Instr, own: dict[int, Frame]
) -> tuple[set[int], set[int]]:
    """The slots that an instruction reads, and those that it fills anew."""
    if isinstance(instr, ir.Choose):
        choice = lowering.choices[instr.choice]
        asked = (choice.by, choice.options, choice.labels, choice.ask)
        used = slots_in((*asked, choice.minimum, choice.maximum, choice.loops), own)
        results = slots_in((choice.result, choice.answered), own)
        if choice.kind == "many" or choice.together:
            return used | results, set()
        return used, results
    if isinstance(instr, ir.Chance):
        used = slots_in((instr.outcomes, instr.loops), own)
        return used, slots_in(instr.addr, own)
    if isinstance(instr, ir.Store):
        used = slots_in((instr.value, instr.index), own)
        target = slots_in(instr.addr, own)
        if instr.index is not None:
            return used | target, set()
        return used, target
    if isinstance(instr, ir.BestBegin):
        return set(), slots_in(instr.addr, own)
    if isinstance(instr, ir.CallProc):
        call = code.calls.get(index)
        return slots_in(() if call is None else (call.loops, call.ask), own), set()
    if isinstance(instr, ir.Return):
        return slots_in(instr.ret, own), set()
    return slots_in(instr, own), set()
