"""The kinds of events that a run tells of.

An engine notes raw events as tuples: the kind, then what follows it here. `views.observation` turns
them into what each seat may know.
"""

from __future__ import annotations

from enum import StrEnum


class EventKind(StrEnum):
    CHANGED = "changed"  # variable, index, old value, new value, seats that see it
    CHOSE = "chose"  # seat, instruction, answer
    OPENED = "opened"  # instruction, seats that were asked, what each seat answered: a seal is open
    ROLLED = "rolled"  # instruction, outcome
    MOVED = "moved"  # piece, from, to, seats that see it
    SHUFFLED = "shuffled"  # place
    REVEALED = "revealed"  # piece, seats that now see it, seats that saw it or now do
    CONCEALED = "concealed"  # piece, seats that no longer see it, seats that saw it
    EMITTED = "emitted"  # the name of an `Emit`, its fields
    SAID = "said"  # instruction, seats that hear it, values, seats that see each; values or None
    OVER = "over"  # the end
    # Only as machine code notes it; told as `CHOSE`: seat, all picks of a decision for several.
    PICKED = "picked"
    # Only as machine code notes it; told as `SAID` without values.
    UNSAID = "unsaid"
