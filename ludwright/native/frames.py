"""What the parts of a search have in common: the words of a frame, and verdicts."""

from __future__ import annotations

# words at the head of a frame; then its answers, then its cells
ABOVE, PC, SEAT, NEXT, COUNT, DECLINE, STOP, RANGE, FIRST, KEY, KEY2, HAS = range(12)
LEFT, TOTAL, BEST = range(12, 15)  # LEFT, TOTAL: of a count

# verdicts; BROKEN: a fault has been noted; VALUED: the end of a block with a value
NO, YES, OPEN, BROKEN, UNSEEN, VALUED, RESTART = 0, 1, 2, -1, -2, 2, -3

# So many nodes are visited before a search begins to remember: most need far fewer.
FORGETFUL = 256
# So many may be visited before they have to be counted exactly as the interpreter does, because
# of the budget. What is found before is the same, whatever is remembered; then the search begins
# again. Until then a memo of few bits will do, which stays in the processor's cache.
LAX = 1024
LAX_BITS = (2 * LAX - 1).bit_length()
