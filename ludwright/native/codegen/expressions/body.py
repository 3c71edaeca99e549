"""The function under construction as the code for expressions sees it: registers and dispatch.

Expressions contain streams and streams contain expressions. The modules that write them never
import each other: they call back through a `Body`, which finds the writer of a node by its class in
the tables of `dispatch`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.analysis.shapes import Int, Lst, Shape
from ludwright.native.codegen.llvm.builder import Function, Operand, Var
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.codegen.state.values import Value, Wide, number, read, temp, write
from ludwright.native.errors import NativeUnsupported
from ludwright.program import faults
from ludwright.program.faults import FIRST_NUMBER

Take = Callable[[Value], None]  # writes what is done with one element of a stream

_CLEARED = 64  # words of a register that are 0 before anything is put there


@dataclass(frozen=True, slots=True)
class Writers:
    """Who writes the code of each class of expressions and sources."""

    expressions: Mapping[type, Callable[[Body, Any], Value]]
    sources: Mapping[type, Callable[[Body, Any, Take], None]]


class Body:
    """One function under construction.

    `shared` says which registers lie in the memory of the run, and at which word.
    """

    def __init__(
        self, module: Module, f: Function, writers: Writers, shared: Mapping[int, int] | None = None
    ) -> None:
        self.module = module
        self.program = module.program
        self.f = f
        self._writers = writers
        self._shared = shared or {}
        self._registers: dict[int, tuple[Operand, Shape]] = {}
        # by node: its value, and whether it has been evaluated (None: it has)
        self._invariants: dict[int, tuple[Var, Var | None]] = {}

    def for_function(self, f: Function) -> Body:
        """The same for another function."""
        return Body(self.module, f, self._writers)

    # ------------------------------------------------------------- shapes

    def shape(self, node: ir.Expr) -> Shape:
        return self.module.shapes.of(node)

    def element(self, node: ir.Source) -> Shape | None:
        return self.module.shapes.element(node)

    def bounds(self, node: ir.Expr) -> Int:
        """Between which numbers a value lies, for checks that may be superfluous."""
        shape = self.shape(node)
        if isinstance(shape, Int) and self.module.uses("check_elimination"):
            return shape
        return Int()

    def check_index(self, index: Operand, bounds: Int, size: int, site: int) -> None:
        """A fault for an index past the end, unless its bounds rule that out."""
        if bounds.hi >= size:
            error = self.f.errors.fault(faults.index_outside(FIRST_NUMBER, size - 1), site)
            self.f.check(index < size, error, index)

    # ---------------------------------------------------------- registers

    def _register(self, number: int) -> tuple[Operand, Shape]:
        """The words of a register in this function."""
        known = self._registers.get(number)
        if known is None:
            shape = self.module.shapes.registers.get(number, Int())
            word = self._shared.get(number)
            ptr = self._cleared(shape) if word is None else self._in_memory(word)
            known = self._registers[number] = (ptr, shape)
        return known

    def _cleared(self, shape: Shape) -> Operand:
        """A register that is 0 before anything is put there."""
        ptr = temp(self.f, shape)
        for word in range(1 if isinstance(shape, Lst) else min(shape.words, _CLEARED)):
            at = f"{ptr.text}.z{word}"
            self.f.at_entry(f"{at} = getelementptr inbounds i64, ptr {ptr.text}, i64 {word}")
            self.f.at_entry(f"store i64 0, ptr {at}")
        return ptr

    def _in_memory(self, word: int) -> Operand:
        """A register in the memory of the run."""
        at = self.f.alloca("ptr")
        base, own = f"{at}.base", f"{at}.own"
        slot = f"getelementptr inbounds i64, ptr %ctx, i64 {int(layout.REGISTERS)}"
        self.f.at_entry(f"{at}.slot = {slot}")
        self.f.at_entry(f"{base} = load ptr, ptr {at}.slot")
        self.f.at_entry(f"{own} = getelementptr inbounds i64, ptr {base}, i64 {word}")
        return Operand(self.f, own, "ptr")

    def put_register(self, number: int, value: Value) -> None:
        ptr, shape = self._register(number)
        write(ptr, shape, value)

    def lend_register(self, number: int, value: Value) -> None:
        """Put what nobody will change into a register that is never put again: not copied."""
        if isinstance(value, Wide):
            self._registers[number] = (value.ptr, value.shape)
        else:
            self.put_register(number, value)

    def get_register(self, number: int) -> Value:
        return read(*self._register(number))

    # ----------------------------------------------------------- dispatch

    def expr(self, node: ir.Expr) -> Value:
        """The value of an expression."""
        if id(node) in self._invariants:
            return self._invariant(node)
        writer = self._writers.expressions.get(type(node))
        if writer is None:
            raise NativeUnsupported(f"the expression {type(node).__name__}")
        return writer(self, node)

    def num(self, node: ir.Expr) -> Operand:
        return number(self.expr(node))

    def each(self, node: ir.Source, take: Take) -> None:
        """Loop over a source; `take` writes the body."""
        writer = self._writers.sources.get(type(node))
        if writer is None:
            raise NativeUnsupported(f"the source {type(node).__name__}")
        writer(self, node, take)

    def opened(self, node: ir.Source) -> ir.Source:
        """A source without the names bound around it, which have their values from here on."""
        while isinstance(node, ir.BindSource):
            self.put_register(node.reg, self.expr(node.value))
            node = node.body
        return node

    # ---------------------------------------------------- loop invariants

    def invariant_is_known(self, node: ir.Expr) -> bool | None:
        """Whether the value of a loop invariant lies ready; None for any other node."""
        found = self._invariants.get(id(node))
        return None if found is None else found[1] is None

    @contextmanager
    def invariants(
        self, nodes: Iterable[ir.Expr], now: Callable[[ir.Expr], bool]
    ) -> Iterator[None]:
        """Around a loop: evaluate some nodes at most once, those for which `now` holds here, the
        others when they are first needed."""
        added: list[int] = []
        for node in nodes:
            if id(node) in self._invariants:
                continue
            value, known = Var(self.f), None
            if now(node):
                value.set(self.num(node))
            else:
                known = Var(self.f, "i1", 0)
            self._invariants[id(node)] = (value, known)
            added.append(id(node))
        yield
        for key in added:
            del self._invariants[key]

    def _invariant(self, node: ir.Expr) -> Operand:
        found = self._invariants.pop(id(node))
        value, known = found
        if known is not None:
            with self.f.if_(~known.get()):
                value.set(self.num(node))
                known.set(1)
        self._invariants[id(node)] = found
        return value.get()
