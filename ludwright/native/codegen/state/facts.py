"""Facts about spaces and pieces in the context, kept up to date: see `passes.space_sets`."""

from __future__ import annotations

from collections.abc import Iterator

from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Operand, Words
from ludwright.native.codegen.llvm.module import INLINED, Module
from ludwright.native.passes.masks import Family

_MAKE, _UPDATE = "make_facts", "update_facts"


def facts_at(module: Module, context: Operand, family: Family) -> Operand:
    """The address of the first set of a family."""
    start = layout.SLOTS + module.memo.words + module.sets.starts[family]
    return context.f.gep(context, start)


def need_facts(module: Module, f: Function) -> None:
    """From here on the facts are those of the state."""
    with f.if_(f.ctx[layout.FACTS_OF].ne(f.state), likely=False):
        f.call("void", module.once(_MAKE, lambda: _write_make(module)), f.state, f.context)


def forget_facts(module: Module, f: Function) -> None:
    """Something has changed that the facts do not follow: they no longer hold."""
    if module.sets:
        f.ctx[layout.FACTS_OF] = f.null


def begin_with_facts(module: Module, f: Function) -> None:
    """A run begins: it has the facts that it was given, or none."""
    if module.sets:
        f.ctx[layout.FACTS_OF] = f.ctx[layout.FACTS_GIVEN]
        f.ctx[layout.FACTS_GIVEN] = f.null


def keep_facts(module: Module, context: Words) -> None:
    """The next run in a context begins with the facts that it has now."""
    if module.sets:
        context[layout.FACTS_GIVEN] = context[layout.FACTS_OF]


def pass_facts_on(
    module: Module, to: Words, cells: Operand, like: Operand, source: Words | None = None
) -> None:
    """Hand facts to another context, which is about to work on cells that are equal to `like`. They
    are those that this context, or the `source`, has about `like`."""
    if module.sets:
        f = cells.f
        own = f.ctx if source is None else source
        to[layout.FACTS_OF] = f.null
        with f.if_(own[layout.FACTS_OF].eq(like)):
            f.copy(_all(module, to.base), _all(module, own.base), 8 * module.sets.words)
            to[layout.FACTS_OF] = cells


class FactsAside:
    """The facts about some cells, put aside while runs on copies of the cells change them."""

    def __init__(self, module: Module, f: Function, cells: Operand) -> None:
        self._module, self._f = module, f
        if module.sets:
            self._words = f.array(module.sets.words)
            self._known = f.ctx[layout.FACTS_OF].eq(cells)
            with f.if_(self._known):
                f.copy(self._words, _all(module, f.context), 8 * module.sets.words)

    def give(self, cells: Operand) -> None:
        """Bring the facts back: the next run is on cells that are equal to those."""
        if self._module.sets:
            f = self._f
            with f.if_(self._known):
                f.copy(_all(self._module, f.context), self._words, 8 * self._module.sets.words)
                f.ctx[layout.FACTS_GIVEN] = cells


def make_first_facts(module: Module, f: Function, cells: Operand) -> None:
    """Those of the state that a series of games begins in lie behind the others."""
    if module.sets:
        f.call("void", module.once(_MAKE, lambda: _write_make(module)), cells, f.context)
        f.copy(_first(module, f), _all(module, f.context), 8 * module.sets.words)


def give_first_facts(module: Module, f: Function) -> None:
    """Begin a game of the series with the facts of its first state."""
    if module.sets:
        f.copy(_all(module, f.context), _first(module, f), 8 * module.sets.words)
        f.ctx[layout.FACTS_GIVEN] = f.state


def context_words(module: Module) -> int:
    """Of memoised results, of facts, twice, and of ways."""
    return module.memo.words + 2 * module.sets.words + module.way_words


def _all(module: Module, context: Operand) -> Operand:
    return context.f.gep(context, layout.SLOTS + module.memo.words)


def _first(module: Module, f: Function) -> Operand:
    return f.gep(_all(module, f.context), module.sets.words)


# -------------------------------------------------------------------- updates


def piece_moved(module: Module, f: Function, piece: Operand, *places: Operand) -> None:
    """A piece has left one of these places for another."""
    sets = module.sets
    if not sets:
        return
    for place in places:
        _update(module, f, place)
    for family in sets.families:
        if family.of_pieces:
            f.ctx[layout.FACTS_CHANGED] = 1
            away = f.cell(piece + module.program.piece_place) < 0
            for words, at, bit in _bits(module, f, family, piece):
                others = f.load(words, at) & (bit ^ -1)
                f.store(words, at, others | f.select(away, bit, 0))


def property_changed(module: Module, f: Function, addr: int, index: Operand | None) -> None:
    """A cell has changed: that at an address, or that of a piece among those that begin there."""
    for family in module.sets.families:
        last = addr if index is None else family.at
        if family.kind == "cells" and family.at <= addr <= last < family.at + module.sets.pieces:
            piece = f.value(addr - family.at) if index is None else index
            _update(module, f, f.cell(piece + module.program.piece_place))
            return


def _update(module: Module, f: Function, place: Operand) -> None:
    if module.searches:
        f.ctx[layout.FACTS_CHANGED] = 1
    name = module.once(_UPDATE, lambda: _write_update(module))
    f.call("void", name, f.state, f.context, place)


def _write_update(module: Module) -> None:
    sets = module.sets
    with module.helper(_UPDATE, "void", "i64 place") as f:
        f.attributes = INLINED
        place = f.param("place")
        with f.if_(place.below(sets.spaces)):
            for family in sets.families:
                if not family.of_pieces:
                    bounds, size = sets.bounds(family), sets.words_of(False)
                    for words, at, bit in _bits(module, f, family, place):
                        for value in range(bounds.hi - bounds.lo + 1):
                            to = at + value * size
                            f.store(words, to, f.load(words, to) & (bit ^ -1))
            _add(module, f, place)
        f.ret()


def _write_make(module: Module) -> None:
    sets = module.sets
    with module.helper(_MAKE, "void") as f:
        f.attributes = "noinline nounwind"
        f.zero(_all(module, f.context), 8 * sets.words)
        if any(not family.of_pieces for family in sets.families):
            with f.for_range(0, sets.spaces) as place:
                _add(module, f, place)
        for family in sets.families:
            if family.of_pieces:
                with f.for_range(0, sets.pieces) as piece:
                    away = f.cell(piece + module.program.piece_place) < 0
                    for words, at, bit in _bits(module, f, family, piece):
                        f.store(words, at, f.load(words, at) | f.select(away, bit, 0))
        f.ctx[layout.FACTS_OF] = f.state
        f.ret()


def _add(module: Module, f: Function, place: Operand) -> None:
    """Add a space to the sets that it belongs to."""
    sets, program = module.sets, module.program
    piece = f.cell(place + program.place_head)
    for family in sets.families:
        if family.kind in ("free", "several"):
            free = family.kind == "free"
            holds = piece < 0 if free else f.cell(place + program.place_count) > 1
            for words, at, bit in _bits(module, f, family, place):
                f.store(words, at, f.load(words, at) | f.select(holds, bit, 0))
        elif not family.of_pieces:
            some = f.smax(piece, 0)
            if family.kind == "cells":
                found = f.cell(some + family.at)
            else:
                table, type_ = module.lookup(f, family.at, None)
                found = f.load(table, some, type_)
            value = f.select(piece < 0, family.none, found) - sets.bounds(family).lo
            for words, at, bit in _bits(module, f, family, place):
                to = value * sets.words_of(False) + at
                f.store(words, to, f.load(words, to) | bit)


def _bits(
    module: Module, f: Function, family: Family, element: Operand
) -> Iterator[tuple[Operand, Operand, Operand]]:
    """Where the sets of a family begin, the word of a set that an element lies in, and its bit
    there; the same in the mirror."""
    sets = module.sets
    start, mirror = facts_at(module, f.context, family), sets.mirror(family)
    yield start, element >> 6, f.value(1) << (element & 63)
    if mirror:
        element = element ^ (64 * sets.words_of(family.of_pieces) - 1)
        yield f.gep(start, mirror), element >> 6, f.value(1) << (element & 63)
