"""One of several cases by number: `match`, with a `case` for each and perhaps a `default`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludwright.native.codegen.llvm.builder import Function, Label, Operand


class Cases:
    """The cases of a `match`."""

    def __init__(self, f: Function) -> None:
        self._f = f
        self._reached = f.reached
        self.out = f.label()
        self.labels: list[tuple[int, Label]] = []
        self.other: Label | None = None

    @contextmanager
    def case(self, number: int) -> Iterator[None]:
        label = self._f.label()
        self.labels.append((number, label))
        with self._arm(label):
            yield

    @contextmanager
    def default(self) -> Iterator[None]:
        self.other = self._f.label()
        with self._arm(self.other):
            yield

    @contextmanager
    def _arm(self, label: Label) -> Iterator[None]:
        self._f.place(label, loops=self._reached)
        yield
        self._f.br(self.out)


@contextmanager
def match(f: Function, value: Operand) -> Iterator[Cases]:
    """Run the case of a number; without a `default`, the other numbers do nothing."""
    cases, choose = Cases(f), f.label()
    f.br(choose)
    yield cases
    f.place(choose)  # after the cases, when all of them are known
    f.switch(value, cases.labels, cases.other or cases.out)
    f.place(cases.out)
