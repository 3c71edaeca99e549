"""The loop that runs compiled instructions."""

from __future__ import annotations

from ludwright.kernel.interpreter.run import COMPLETE, TICKS, Memory, Step


class Dispatch:
    """Runs the code of one machine on scratch cells; every run has its own ticks."""

    def __init__(self, tick_limit: int) -> None:
        self.tick_limit = tick_limit
        self.code: list[Step] = []

    def run(self, memory: Memory, pc: int) -> int:
        """Run on from an instruction; return how the run ended."""
        memory[TICKS] = self.tick_limit
        code = self.code
        while pc >= 0:
            pc = code[pc](memory)
        return pc

    def run_until(self, memory: Memory, pc: int, ends: frozenset[int]) -> int:
        """The same, but the run is complete when it comes to one of these instructions."""
        memory[TICKS] = self.tick_limit
        code = self.code
        while pc >= 0 and pc not in ends:
            pc = code[pc](memory)
        return COMPLETE if pc >= 0 else pc
