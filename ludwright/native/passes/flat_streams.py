"""A comprehension over another one as one comprehension.

`kind(x) for x in enemies(view(c))` is compiled as a loop over the elements of a loop over the
elements of a loop. As one comprehension its conditions stand beside the loop that they are about,
and that loop can be a set.

This relies on the elements of the inner comprehension being cheap and unable to fail, since they
are evaluated where they are used; on names that are bound around it being numbers that lie ready;
and on no `until` that ends the outer loop.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludwright import program as ir
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.analysis.shapes import Int
from ludwright.program.nodes import mapped

_DEPTH = 3  # of the look-ups in an element

Clause = ir.Loop | ir.Filter | ir.Until


def with_flat_streams(program: ir.Program, shapes: Inference) -> ir.Program:
    """The Program with its comprehensions as flat as they can be."""
    flat = _Flat(shapes)
    return replace(
        program,
        code=tuple(map(flat.node, program.code)),
        choices=tuple(map(flat.node, program.choices)),
        functions=tuple(map(flat.node, program.functions)),
    )


class _Flat:
    def __init__(self, shapes: Inference) -> None:
        self._shapes = shapes
        self._known: dict[int, tuple[Any, Any]] = {}  # what is shared stays shared

    def node(self, node: Any) -> Any:
        known = self._known.get(id(node))
        if known is None:
            found = mapped(node, self.node)
            if isinstance(found, ir.Stream):
                found = self._stream(found)
            known = self._known[id(node)] = node, found
        return known[1]

    def _stream(self, stream: ir.Stream) -> ir.Stream:
        for at, clause in enumerate(stream.clauses):
            rest = stream.clauses[at + 1 :]
            inner = self._inner(clause, rest)
            if inner is not None and isinstance(clause, ir.Loop):
                head = inner.head
                put = {clause.regs[0]: head}
                behind = tuple(_put(each, put) for each in rest)
                clauses = (*stream.clauses[:at], *inner.clauses, *behind)
                return self._stream(ir.Stream(clauses, _put(stream.head, put)))
        return stream

    def _inner(self, clause: Clause, rest: tuple[Clause, ...]) -> ir.Stream | None:
        """The comprehension whose elements a loop takes, if the two can be one."""
        if not isinstance(clause, ir.Loop) or len(clause.regs) != 1:
            return None
        for behind in rest:
            if isinstance(behind, ir.Until):
                return None
            if isinstance(behind, ir.Loop):
                break
        source, put = clause.source, dict[int, ir.Expr]()
        while isinstance(source, ir.BindSource):
            value = _put(source.value, put)
            if not isinstance(value, ir.Load | ir.Const) or not self._is_number(value):
                return None
            put[source.reg] = value
            source = source.body
        if not isinstance(source, ir.Stream) or not isinstance(source.clauses[0], ir.Loop):
            return None
        return _put(source, put) if self._is_ready(source.head, _DEPTH) else None

    def _is_number(self, node: ir.Expr) -> bool:
        return isinstance(self._shapes.of(node), Int)

    def _is_ready(self, node: ir.Expr, depth: int) -> bool:
        """Whether an element is cheap, and cannot fail."""
        match node:
            case ir.Load() | ir.Const():
                return self._is_number(node)
            case ir.LoadAt(index=index, size=size):
                return (
                    depth > 0 and self._is_below(index, size) and self._is_ready(index, depth - 1)
                )
            case ir.Lookup(index=index, table=table):
                size = len(self._shapes.program.tables[table])
                return (
                    depth > 0 and self._is_below(index, size) and self._is_ready(index, depth - 1)
                )
            case _:
                return False

    def _is_below(self, index: ir.Expr, size: int) -> bool:
        bounds = self._shapes.of(index)
        return isinstance(bounds, Int) and bounds.hi < size


def _put(node: Any, values: dict[int, ir.Expr]) -> Any:
    """A node with values in the place of registers."""
    if isinstance(node, ir.Load):
        return values.get(node.addr, node)
    return mapped(node, lambda part: _put(part, values)) if values else node
