"""The optimisations of the native engine, by name. Each can be switched off, to measure it.

Code without a pass plays the same games; it is only slower. One exception: passes decide which
answers a playout tests, so a fault that only such a test meets may not show with every pass. What
decides which nodes a search visits, or which expressions it evaluates, is no pass: the interpreter
does the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ludwright.errors import LudwrightError

VARIABLE = "LUDWRIGHT_WITHOUT"


@dataclass(frozen=True, slots=True)
class Pass:
    """One optimisation."""

    name: str
    effect: str
    measured: Literal["playouts", "steps", "counts"] = "playouts"  # what gains from it


PASSES = (
    Pass("constant_tables", "a function that reads no state becomes a table"),
    Pass("memoize", "a function called in a loop keeps its results until a cell it reads changes"),
    Pass("loop_invariants", "what is the same for all elements of a loop is evaluated once"),
    Pass("list_once", "`a if any(a) else b` lists `a` once"),
    Pass("flat_streams", "a comprehension over another one is one comprehension"),
    Pass("branchless", "short loops run without branches"),
    Pass("branchless_lists", "options are listed without a branch for their last condition"),
    Pass("index_lookup", "a loop over constants with one table entry visits only those"),
    Pass("check_elimination", "checks that known bounds of numbers make superfluous are left out"),
    Pass("space_sets", "which spaces are free, or whose, is kept as bits; loops take only those"),
    Pass("all_at_once", "a condition on each space is tested for all spaces at once"),
    Pass("line_masks", "whether a space lies on a full line is asked of masks known beforehand"),
    Pass("draw_bits", "of options that are a set a playout looks up only the one that it draws"),
    Pass("bit_deposit", "an element of a set is found by its position in one instruction"),
    Pass("bulk_move", "`move all of` relinks each place once"),
    Pass("bitset_places", "the pieces of a sorted place are found by one vector comparison"),
    Pass("drawn_link", "a piece just drawn is unlinked without looking for it"),
    Pass("flood_shifts", "`reach` takes a step from all spaces at once, by shifts"),
    Pass("set_steps", "the neighbours of all spaces of a set are found at once, by shifts"),
    Pass("known_ways", "whether there is a way is asked of the way that was found before"),
    Pass("group_counters", "groups of small numbers are counted in an array"),
    Pass("late_memo", "a search remembers states only once it has become long"),
    Pass("inexact_nodes", "a short search need not count nodes as the interpreter does"),
    Pass("best_memo", "decisions in a `best` block look up what its search found", "steps"),
    Pass("best_bound", "random play ends a search for the best at a value that none can exceed"),
    Pass("draw_first", "a playout tests only the answers it draws"),
    Pass("open_answers", "a playout tests no answer, and comes back to one that leads nowhere"),
    Pass("near_retreat", "a playout with nothing to choose comes back to the choice just before"),
    Pass("shared_setup", "playouts begin at the first draw or decision"),
    Pass("cold_set_up", "what a game does once, before its first decision, is not inlined"),
    Pass("effects_only", "a count does not carry out moves that can no longer fail", "counts"),
    Pass("count_memo", "a count looks up positions that it has met before", "counts"),
)  # fmt: skip
NAMES = tuple(each.name for each in PASSES)


def without(names: Iterable[str] | None = None) -> frozenset[str]:
    """Checked names of passes to leave out; None: those that LUDWRIGHT_WITHOUT lists."""
    if names is None:
        given = os.environ.get(VARIABLE, "")
        return _checked([name.strip() for name in given.split(",") if name.strip()], VARIABLE)
    return _checked(names, "without")


def _checked(names: Iterable[str], source: str) -> frozenset[str]:
    found = frozenset(names)
    unknown = sorted(found.difference(NAMES))
    if unknown:
        raise LudwrightError(
            f"{source}: there is no pass {', '.join(map(repr, unknown))}; "
            f"the passes are {', '.join(NAMES)}"
        )
    return found
