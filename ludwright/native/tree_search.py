"""Search trees grown by machine code, on several threads, without running Python in between."""

from __future__ import annotations

import ctypes
import math
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ludwright import program as ir
from ludwright.errors import LudwrightError
from ludwright.kernel.interpreter.run import Cells, Refused, late_refusal
from ludwright.kernel.interpreter.stop import DECLINE, STOP
from ludwright.kernel.play.trees.explored import Answer, Explored
from ludwright.kernel.play.trees.plain import TREE
from ludwright.kernel.play.trees.search import Grower
from ludwright.kernel.play.trees.settings import (
    FEWEST_BYTES,
    LOOK_DEPTH,
    ROOTS,
    SAMPLES,
    WIDEST,
    Settings,
)
from ludwright.kernel.play.trees.valuing import Scale, wins_are_exact
from ludwright.native import layout
from ludwright.native.analysis.shapes import Int
from ludwright.native.analysis.words import values_of
from ludwright.native.engine import Context, Engine
from ludwright.native.runtime import tree_layout as tree
from ludwright.native.runtime.kept_state import kept_words, rows
from ludwright.native.workers import wait_for
from ludwright.program.limits import TICK_LIMIT
from ludwright.program.rng import mix

_WORD = ctypes.c_int64
_SLICE = 0.005  # seconds of simulations between two looks at the clock
_LONGEST_LINE = 200
_OBJECTS, _OBJECTS_PER_CELL = 1 << 17, 64  # bytes that are left to Python for what it tells
_roots = (ctypes.c_double * len(ROOTS))(*ROOTS)


class NativeGrower(Grower):
    """Grows trees in machine code."""

    name = "native"

    def __init__(
        self, engine: Callable[[bool], Engine], play: Callable[..., Any], budget: int
    ) -> None:
        """`engine` gives code for trees, with hints or without; `play` plays random games."""
        self._engine, self._play, self._budget = engine, play, budget

    def last_states(self, cells: Cells, settings: Settings) -> Sequence[Cells]:
        found = self._play(SAMPLES, settings.seed, limit=settings.cutoff, finals=True, cells=cells)
        return [list(map(int, row)) for row in found.finals]

    def measured(self, cells: Cells, settings: Settings) -> list[int]:
        engine, players = self._engine(settings.hints), cells[ir.PLAYERS]
        if engine.program.score is None:
            return [0] * players
        context = Context(engine, layout.STEP, self._budget, TICK_LIMIT, asks=True)
        state, found = (ctypes.c_int32 * engine.cells)(*cells), (_WORD * players)()
        if engine.measured(ctypes.addressof(state), context.address, ctypes.addressof(found)):
            raise engine.error(context)
        return list(found)

    def explore(self, cells: Cells, settings: Settings, scale: Scale) -> Explored:
        return self._grown(settings, scale, cells, None, 0)

    def explore_sets(
        self, seat: int, worlds: Sequence[Cells], settings: Settings, scale: Scale
    ) -> Explored:
        return self._grown(settings, scale, worlds[0], worlds, seat)

    def _grown(
        self, settings: Settings, scale: Scale, cells: Cells, worlds: Sequence[Cells] | None,
        seat: int,
    ) -> Explored:  # fmt: skip
        """One tree for each thread; what they found is added up."""
        engine = self._engine(settings.hints)
        end = math.inf if settings.seconds is None else time.monotonic() + settings.seconds
        trees: list[_Tree] = []
        for threads in range(settings.threads, 0, -1):
            with suppress(_TooSmall) if threads > 1 else nullcontext():
                trees = [
                    _Tree(engine, own, scale, self._budget, cells, worlds, seat)
                    for own in _shared_out(settings, threads)
                ]
                break

        def halt() -> None:
            for each in trees:
                each.halt()

        interrupted = False
        try:
            wait_for([partial(each.work, end) for each in trees], halt)
        except KeyboardInterrupt:
            interrupted = True
        for each in trees:
            each.raise_error()
        found = trees[0].explored()
        for each in trees[1:]:
            found.add(each.explored())
        found.interrupted = interrupted
        return found


class _TooSmall(LudwrightError):
    """The memory that was given has no room for a tree."""


def _shared_out(settings: Settings, threads: int) -> list[Settings]:
    """What each of several threads does."""
    found: list[Settings] = []
    for number in range(threads):
        seed = mix(settings.seed ^ mix(number)) if number else settings.seed
        own = settings.with_share(number, threads)
        found.append(replace(own, memory=settings.memory // threads, seed=seed))
    return found


_largest_nodes: WeakKeyDictionary[Engine, int] = WeakKeyDictionary()


def _largest_node(engine: Engine) -> int:
    """Bytes that a simulation may add: a node with as many answers as can be, and an end."""
    if engine in _largest_nodes:
        return _largest_nodes[engine]
    program, interface = engine.program, engine.interface
    room = engine.room  # for lists of answers; ranges are not listed
    if any(isinstance(choice.options, ir.RangeSource) for choice in program.choices):
        room = max(room, WIDEST)
    seats = len(program.world.seats)
    node = tree.NODE_WORDS + seats + kept_words(rows(interface.lows, interface.highs))
    end = tree.NODE_WORDS + seats
    edges = (min(room, WIDEST) + 2) * max(tree.EDGE_WORDS, tree.SET_EDGE_WORDS)
    found = 8 * (node + end + edges + room + 2 + tree.SET_NODE_WORDS)
    return _largest_nodes.setdefault(engine, found)


class _Tree:
    """One tree in its own block of memory."""

    def __init__(
        self, engine: Engine, settings: Settings, scale: Scale, budget: int, cells: Cells,
        worlds: Sequence[Cells] | None, seat: int,
    ) -> None:  # fmt: skip
        self._engine, self._settings, self._program = engine, settings, engine.program
        self._play = Context(engine, layout.RANDOM, budget, TICK_LIMIT)
        self._step = Context(engine, layout.STEP, budget, TICK_LIMIT)
        self._play.slots[layout.LIMIT] = settings.cutoff
        for context in (self._step, self._step.inner):
            if context is not None:
                context.slots[layout.HALT] = ctypes.addressof(self._play.halt)
        self._seats = len(self._program.world.seats)
        self._players = cells[ir.PLAYERS]
        self._block = (ctypes.c_int32 * engine.cells)(*cells)
        self._words = (_WORD * tree.HEAD_WORDS)()
        self._keep: list[Any] = []
        self._done = 0
        self._failed = 0
        self._sets = worlds is not None
        if worlds is not None:
            states = np.array(worlds, np.int32)
            self._point(tree.WORLDS, states.ctypes.data, states)
            self._words[tree.WORLD_COUNT] = len(worlds)
            self._words[tree.SEAT] = seat
        self._lay_out(settings, scale)
        self._stand()

    def _point(self, slot: int, address: int, kept: Any) -> None:
        self._words[slot] = address
        self._keep.append(kept)

    def _room(self, slot: int, words: int) -> Any:
        block = (_WORD * words)()
        self._point(slot, ctypes.addressof(block), block)
        return block

    def _lay_out(self, settings: Settings, scale: Scale) -> None:
        words = self._words
        mixed = mix(settings.seed)
        words[tree.RNG] = _signed(mix(mixed ^ TREE))
        words[tree.SEED] = _signed(mixed)
        words[tree.STEP] = self._step.address
        self._room(tree.SCRATCH, (self._engine.cells + 1) // 2)
        self._room(tree.PATH, 2 * tree.PATH_LONGEST + 2)
        words[tree.PATH_ROOM] = tree.PATH_LONGEST
        self._room(tree.VALUES, self._seats)
        self._visits = self._room(tree.VISITS, WIDEST + 2)
        self._sums = self._room(tree.SUMS, (WIDEST + 2) * self._seats)
        self._room(tree.OPEN, WIDEST + 2)
        widest = max((shape.words for shape in self._engine.interface.answers.values()), default=1)
        self._room(tree.LOOK_ROOM, (LOOK_DEPTH + 1) * tree.look_words(self._engine.cells, widest))
        self._lay_out_nodes(settings)
        words[tree.WEIGHT] = _bits(settings.exploration)
        self._point(tree.ROOTS, ctypes.addressof(_roots), _roots)
        words[tree.URGENCY] = _bits(settings.urgency)
        words[tree.MARGIN] = settings.margin
        words[tree.SCALE], words[tree.CUT_SCALE] = scale.result, scale.cut
        words[tree.SOLVE] = int(settings.solve)
        exact = wins_are_exact(self._program, settings.margin)
        words[tree.LOOKS] = int(settings.solve and exact)
        words[tree.AHEAD] = settings.ahead if settings.solve and exact else 0

    def _lay_out_nodes(self, settings: Settings) -> None:
        """The table and the block of the nodes: all memory that nothing else has taken."""
        words = self._words
        beside = self._play.size + self._step.size + sum(map(_size, self._keep))
        beside += _OBJECTS + _OBJECTS_PER_CELL * self._engine.cells
        memory = settings.memory - beside
        if memory < FEWEST_BYTES // 2:
            needed = beside + FEWEST_BYTES // 2
            raise _TooSmall(
                f"`memory`: a tree of this game needs at least {needed:,} bytes, worlds aside"
            )
        # One part in sixteen of the memory is the table; untouched pages cost nothing.
        bits = max(8, (memory // (16 * tree.ENTRY_BYTES)).bit_length() - 1)
        if settings.simulations is not None:
            bits = min(bits, max(8, (2 * settings.simulations).bit_length()))
        table = np.zeros(1 << bits, np.int64)
        self._point(tree.TABLE, table.ctypes.data, table)
        words[tree.TABLE_BITS] = bits
        words[tree.TABLE_LEFT] = 3 * (1 << bits) // 4
        size = memory - (tree.ENTRY_BYTES << bits)
        if settings.simulations is not None:  # small blocks are used again, large ones made anew
            size = min(size, (settings.simulations + 1) * _largest_node(self._engine))
        arena = np.empty(size // 8, np.int64)
        self._point(tree.NEXT, arena.ctypes.data, arena)
        words[tree.LEFT] = size // 8 * 8

    @property
    def _address(self) -> int:
        return ctypes.addressof(self._words)

    def _stand(self) -> None:
        """Make the root."""
        result = self._engine.tree_root(
            self._step.address, self._address, ctypes.addressof(self._block)
        )
        if result:
            raise self._error(self._step)
        if not self._words[tree.ROOT]:
            raise MemoryError("the memory of the search has no room for one position")
        self._root = _Node(self._engine, self._words[tree.ROOT], self._seats)
        self._answers = self._root.answers()
        if self._sets:
            block = self._room(tree.ROOT, tree.SET_NODE_WORDS)
            block[tree.SET_KEY] = 0

    # ------------------------------------------------------------------- growing

    def halt(self) -> None:
        self._play.halt[0] = 1

    def work(self, end: float) -> None:
        """Grow the tree until the budget is used up."""
        limit = self._settings.simulations or 1 << 62
        size = 1 if end < math.inf else limit
        grow = self._engine.grow_sets if self._sets else self._engine.grow
        while self._done < limit and not self._play.halt[0]:
            began = time.monotonic()
            if self._done and began >= end:
                return
            until = min(limit, self._done + size)
            reached = grow(self._play.address, self._address, self._done, until)
            if reached < 0:
                self._failed = reached
                return
            early, self._done = reached < until, reached
            if early or self._solved() is not None:
                return
            took = time.monotonic() - began
            if took < _SLICE / 2:
                size = min(2 * size, 1 << 20)
            elif took > 2 * _SLICE:
                size = max(1, size // 2)

    def raise_error(self) -> None:
        if self._failed:
            failed = self._failed == tree.FAILED_IN_STEP
            raise self._error(self._step if failed else self._play)

    def _error(self, context: Context) -> Exception:
        error = self._engine.error(context)
        return late_refusal(self._program, error) if isinstance(error, Refused) else error

    # ------------------------------------------------------------------- results

    def _solved(self) -> list[int] | None:
        if self._sets or not self._settings.solve:
            return None
        return self._root.proven(self._players)

    def explored(self) -> Explored:
        """What the tree says about the answers at its root."""
        count, seats = len(self._answers), self._seats
        sums = [
            [int(value) for value in self._sums[at * seats : at * seats + self._players]]
            for at in range(count)
        ]
        found = Explored(
            self._answers, [int(value) for value in self._visits[:count]], sums, [None] * count
        )
        found.simulations, found.decisions = self._done, self._words[tree.DECISIONS]
        found.nodes, found.full = self._words[tree.NODES], bool(self._words[tree.FULL])
        if self._sets:
            best = max(range(count), key=lambda at: (found.visits[at], sum(sums[at])))
            found.line = [self._answers[best]]
            return found
        for edge in self._root.edges():
            found.proven[edge.answer] = edge.proven(self._players)
        found.solved = self._solved()
        found.line = self._line()
        return found

    def _line(self) -> list[Answer]:
        """As `kernel.play.trees.plain.line`."""
        found: list[Answer] = []
        node: _Node | None = self._root
        seen: set[int] = set()
        while node is not None and node.at not in seen and len(found) < _LONGEST_LINE:
            seen.add(node.at)
            best = node.best(self._players)
            if best is None:
                break
            found.append(node.answers()[best.answer])
            node = best.child()
        return found


class _Node:
    """A node, read from Python."""

    def __init__(self, engine: Engine, at: int, seats: int) -> None:
        self._engine, self.at, self._seats = engine, at, seats
        words = tree.NODE_WORDS + seats
        self._words = (_WORD * words).from_address(at)

    def proven(self, players: int) -> list[int] | None:
        if not self._words[tree.PROVEN]:
            return None
        return list(self._words[tree.NODE_WORDS : tree.NODE_WORDS + players])

    def answers(self) -> list[Answer]:
        """As the kernel has them."""
        words = self._words
        listed, width = words[tree.LISTED], words[tree.WIDTH]
        raw = list((_WORD * (listed * width)).from_address(words[tree.OPTIONS])) if listed else []
        shape = self._engine.interface.answers[words[tree.PC]]
        found: list[Answer] = raw if isinstance(shape, Int) else list(values_of(raw, shape))
        if words[tree.COUNT] > listed:
            found.append(STOP if words[tree.EXTRA] == layout.GIVEN_STOP else DECLINE)
        return found

    def edges(self) -> list[_Edge]:
        """Those that were tried."""
        first, size = self._words[tree.EDGES], 8 * tree.EDGE_WORDS
        return [
            _Edge(self._engine, first + at * size, self._seats)
            for at in range(self._words[tree.TRIED])
        ]

    def best(self, players: int) -> _Edge | None:
        """As `kernel.play.trees.plain.best_edge`."""
        who = self._words[tree.WHO]
        sure: _Edge | None = None
        open_: _Edge | None = None
        certain = -1
        for edge in self.edges():
            proven = edge.proven(players)
            if edge.dead or (not edge.visits and proven is None):
                continue
            if proven is None:
                if open_ is None or (edge.visits, edge.total) > (open_.visits, open_.total):
                    open_ = edge
            elif proven[who] > certain:
                sure, certain = edge, proven[who]
        if sure is None or open_ is None:
            return sure or open_
        return sure if certain * open_.visits >= open_.total else open_


class _Edge:
    """An edge, read from Python."""

    def __init__(self, engine: Engine, at: int, seats: int) -> None:
        self._engine, self._seats = engine, seats
        words = (_WORD * tree.EDGE_WORDS).from_address(at)
        self.visits, self.total = words[tree.TAKEN], words[tree.TOTAL]
        self.answer, self._child = words[tree.ANSWER], words[tree.CHILD]
        self.dead = self._child == tree.DEAD

    def child(self) -> _Node | None:
        """None where the tree ends."""
        if self._child <= tree.DEAD:
            return None
        found = _Node(self._engine, self._child, self._seats)
        return found if found.edges() else None

    def proven(self, players: int) -> list[int] | None:
        if self._child <= tree.DEAD:
            return None
        return _Node(self._engine, self._child, self._seats).proven(players)


def _size(buffer: Any) -> int:
    return int(buffer.nbytes) if isinstance(buffer, np.ndarray) else ctypes.sizeof(buffer)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _bits(value: float) -> int:
    found: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return found
