"""Where a move only has its effects left: a count of moves does not carry them out.

So a position one move before the end of a count is counted without making those moves.

This relies on `program.flow.effects_only`: from these instructions on, nothing is asked or refused
before the part or the move ends, so every way that comes here is one complete way.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.program.flow import effects_only, leaders

WORD = 64


class EffectsOnly:
    """What `program.flow.effects_only` says, by instruction; nothing where the pass is off."""

    def __init__(self, program: ir.Program, on: bool) -> None:
        self._by_head = effects_only(program) if on else ()
        self.words = len(program.heads) // WORD + 1
        # By instruction, `words` words: the set of the heads whose moves have only effects left.
        self.masks = [0] * (len(program.code) * self.words)
        for head, decided in enumerate(self._by_head, 1):
            for pc in decided:
                self.masks[pc * self.words + head // WORD] |= 1 << head % WORD
        self._leaders = leaders(program.code, program.choices)

    def may_begin(self, pc: int) -> bool:
        """Whether a run can come here from where something is still open."""
        return any(
            pc in decided and (pc in self._leaders or pc - 1 not in decided)
            for decided in self._by_head
        )
