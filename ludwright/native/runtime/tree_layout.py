"""Where the words of a search tree lie: its head, its nodes and its edges.

Everything but the head lies in one block of memory that the caller gives; it is filled from its
start and never outgrown.
"""

from __future__ import annotations

from itertools import count

from ludwright.kernel.play.trees.settings import WIDEST
from ludwright.native.codegen.llvm.reals import REAL
from ludwright.native.layout import Pointer, Slot


class Real(Slot):
    """A word that holds a number with a fraction."""

    type = REAL


_head, _node, _edge, _set_node = (count() for _ in range(4))


# ------------------------------------------------------------------- the head
RNG = Slot(next(_head))  # the tree's own generator
SEED = Slot(next(_head))  # of playouts, mixed
STEP = Pointer(next(_head))  # the context of steps within the tree
SCRATCH = Pointer(next(_head))  # a state to run on
NEXT = Pointer(next(_head))  # the first free byte
LEFT = Slot(next(_head))  # bytes that are free
TABLE = Pointer(next(_head))  # nodes by key
TABLE_BITS = Slot(next(_head))
TABLE_LEFT = Slot(next(_head))  # entries that may still be filled
ROOT = Pointer(next(_head))
PATH = Pointer(next(_head))  # pairs of words, one for every edge on the way
PATH_ROOM = Slot(next(_head))
VALUES = Pointer(next(_head))  # of the last simulation, by seat
VISITS = Pointer(next(_head))  # by answer at the root
SUMS = Pointer(next(_head))  # by answer at the root, by seat
WEIGHT = Real(next(_head))  # UCB's constant
ROOTS = Pointer(next(_head))  # the roots of the logarithms of the first whole numbers
URGENCY = Real(next(_head))
MARGIN = Slot(next(_head))
SCALE = Slot(next(_head))
CUT_SCALE = Slot(next(_head))
SOLVE = Slot(next(_head))
DECISIONS = Slot(next(_head))  # made in playouts
NODES = Slot(next(_head))
FULL = Slot(next(_head))  # 1 once memory was missing
WORLDS = Pointer(next(_head))  # states to begin with, where something is hidden
WORLD_COUNT = Slot(next(_head))
SEAT = Slot(next(_head))  # who searches
LOOKS = Slot(next(_head))  # 1: new nodes look for a win at once
LOOKED = Slot(next(_head))  # answers tried out in looks
LOOKS_LEFT = Slot(next(_head))  # of the look under way
LOOK_ROOM = Pointer(next(_head))  # states and options of a look; the first is for `tree_ahead`
AHEAD = Slot(next(_head))  # decisions of a playout that take a win at once
LOOKED_AHEAD = Slot(next(_head))  # answers tried out in them
WON_AHEAD = Slot(next(_head))
OPEN = Pointer(next(_head))  # edges of the answers on offer, where something is hidden
HEAD_WORDS = next(_head)

# --------------------------------------------------- a node, where all is seen
KEY = Slot(next(_node))
PC = Slot(next(_node))
WHO = Slot(next(_node))  # the seat that decides
COUNT = Slot(next(_node))  # answers
LISTED = Slot(next(_node))  # of them, those that are options
EXTRA = Slot(next(_node))  # the kind of answer that the last one is, if it is no option
WIDTH = Slot(next(_node))  # words of an option
TRIED = Slot(next(_node))
TIMES = Slot(next(_node))  # visits
PROVEN = Slot(next(_node))
FLOOR = Pointer(next(_node))  # the values of the best answer that is proven
STATE = Pointer(next(_node))
OPTIONS = Pointer(next(_node))
EDGES = Pointer(next(_node))
NODE_WORDS = next(_node)  # behind them: the proven values, by seat

# an edge; those that were never tried have an answer and nothing else
MEAN = Real(next(_edge))  # what it was worth on average; of a proven answer, its rank
RARITY = Real(next(_edge))  # 1 / sqrt(visits); 0 of a proven answer
TAKEN = Slot(next(_edge))  # visits
TOTAL = Slot(next(_edge))
CHILD = Pointer(next(_edge))
ANSWER = Slot(next(_edge))  # the number of the answer
EDGE_WORDS = next(_edge)
DEAD = 1  # the CHILD of an answer that proved to be refused

# ------------------------------------------ a node, where something is hidden
SET_KEY = Slot(next(_set_node))
BRANCHES = 4  # lists of edges, by the last bits of their answers
FIRST_EDGES = [Pointer(next(_set_node)) for _ in range(BRANCHES)]
SET_NODE_WORDS = next(_set_node)

# an edge: MEAN, RARITY, TAKEN and TOTAL as above, then
_set_edge = count(TOTAL + 1)
AVAILABLE = Slot(next(_set_edge))
ID = Slot(next(_set_edge))  # the answer as one word
NEXT_EDGE = Pointer(next(_set_edge))
SET_EDGE_WORDS = next(_set_edge)

# What `tree_ahead` gives where somebody wins: at the first decision, or later.
WON_AT_ONCE, WON = 1, 2
PATH_LONGEST = 4096  # edges on one way down
ENTRY_BYTES = 8
# What `grow` gives back besides the number of simulations done: which context holds the error.
FAILED_IN_PLAY, FAILED_IN_STEP = -1, -2


def look_words(cells: int, widest: int) -> int:
    """Words that a look needs for every depth: a state and its options."""
    return (cells + 1) // 2 + (WIDEST + 2) * widest
