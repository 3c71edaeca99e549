"""A module of generated code: its functions, constant tables and what they have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from ludwright import program as ir
from ludwright.native.analysis.counted_work import CountedWork
from ludwright.native.analysis.shape_inference import Inference
from ludwright.native.build.manifest import Record
from ludwright.native.codegen.llvm.builder import PAIR, Function, Operand
from ludwright.native.codegen.llvm.error_table import ErrorTable
from ludwright.native.passes.best_bound import Bound, with_bounds
from ludwright.native.passes.cold_set_up import set_up
from ludwright.native.passes.constant_tables import ConstantTables
from ludwright.native.passes.effects_only import EffectsOnly
from ludwright.native.passes.flat_streams import with_flat_streams
from ludwright.native.passes.masks import Mask
from ludwright.native.passes.memoize import Memo
from ludwright.native.passes.pass_list import NAMES
from ludwright.native.passes.space_sets import SpaceSets
from ludwright.program.candidates import draws
from ludwright.program.flow import commit_points

HEADER = """\
declare ptr @PyLong_AsVoidPtr(ptr)
@_Py_NoneStruct = external global i8
"""

FOOTER = """\
!1 = !{!"branch_weights", i32 2000, i32 1}
!2 = !{!"branch_weights", i32 1, i32 2000}
"""

# LLVM takes disproportionately long for functions of thousands of lines, and it would inline a
# function with one caller whatever its size. So long functions of a large module are not inlined.
_LARGE_MODULE = 200_000  # characters of text in all functions
_LONG_FUNCTION = 300  # lines
# A vast module gets few passes of LLVM, and LLVM does not judge what is worth inlining: a function
# that is short, together with what is inlined in it, is inlined everywhere.
_VAST_MODULE = 4_000_000  # characters
_SHORT_FUNCTION = 150  # lines
_CALLED = re.compile(r"@(function\d+)\(")

RUN_PARAMS = ("ptr noalias state", "ptr noalias ctx")


def is_narrow(values: Sequence[int]) -> bool:
    """Whether numbers fit into 32 bits."""
    return all(-(1 << 31) <= value < 1 << 31 for value in values)


# Of functions that are short and part of every move: LLVM would not inline them everywhere.
INLINED = "inlinehint nounwind"


class Module:
    """Collects the text of one Program's native code.

    `events`: runs can say what happened. `counting`: the code counts moves and plays no games.
    """

    def __init__(
        self, program: ir.Program, events: bool = False, counting: bool = False,
        without: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.events = events
        self._without = without
        self.records: list[Record] = []  # the kinds of records of events
        self._record_numbers: dict[Record, int] = {}
        # code that tells events or counts does not play at random
        self.bounds: dict[int, Bound] = {}
        if self.uses("best_bound") and not (events or counting):
            program, self.bounds = with_bounds(program)
        self.has_best = any(isinstance(instr, ir.BestBegin) for instr in program.code)
        self.errors = ErrorTable()
        self.shapes = Inference(program)
        self.tables = ConstantTables(program, self.shapes, self.uses("constant_tables"))
        if results := self.tables.results():
            # the values in a table have narrower bounds than the function it was made from
            self.shapes = Inference(program, results)
            self.tables = ConstantTables(program, self.shapes)
        # Random play draws from candidates; code that tells events or counts has no random play.
        self.draws = {} if events or counting else draws(program)
        if self.uses("flat_streams"):
            program = with_flat_streams(program, self.shapes)
        self.program = program
        self.commit_points = commit_points(program)
        self.set_up = set_up(program) if self.uses("cold_set_up") else frozenset[int]()
        self.memo = Memo(program, self.shapes, self.tables, self.uses("memoize"))
        self.sets = SpaceSets(
            program, self.shapes, self.uses("space_sets"), self.uses("all_at_once"),
            self.uses("line_masks"),
        )  # fmt: skip
        self.counted_work = CountedWork(program)
        self.counting: EffectsOnly | None = None
        if counting:
            self.counting = EffectsOnly(program, self.uses("effects_only"))
        # Whether anything is searched: a count follows every way, as a search does.
        self.searches = self.has_best or counting or any(map(self.needs_search, program.choices))
        self._globals: list[str] = []
        self._constants: dict[tuple[str, tuple[int, ...]], str] = {}
        self._lookups: dict[tuple[int, int | None], tuple[str, str]] = {}
        # by identity of a set, which is kept: its function, and what that is given
        self.set_functions: dict[int, tuple[Mask, tuple[str, Iterable[Mask]] | None]] = {}
        self._functions: list[Function] = []
        self._begun: set[str] = set()  # functions that are written or being written
        self._names: dict[object, str] = {}
        self.memo_words = 4  # of an entry in the memo of searches
        self.way_words = 0  # of ways that are kept: see `passes.known_ways`
        self.shared_words = 1  # memory of a run for registers that several functions use

    def uses(self, name: str) -> bool:
        """Whether a pass is on: see `passes.pass_list`."""
        assert name in NAMES
        return name not in self._without

    def needs_search(self, choice: ir.Choice) -> bool:
        """Whether something after a choice may refuse its answers."""
        return not choice.safe and not choice.together

    def text(self) -> str:
        functions = [f.text() for f in self._functions]
        total = sum(map(len, functions))
        if total > _LARGE_MODULE:
            for at, f in enumerate(self._functions):
                if f.size > _LONG_FUNCTION:
                    functions[at] = f.text(inlined="noinline")
        if total > _VAST_MODULE:
            self._inline_short(functions)
        return "\n".join([HEADER, *self._declared(), *self._globals, *functions, FOOTER])

    def _declared(self) -> list[str]:
        """What is called and lies elsewhere: in LLVM, in Python or in the C library."""
        own = {f.name for f in self._functions}
        called = {name: line for f in self._functions for name, line in f.called.items()}
        return [line for name, line in called.items() if name not in own]

    def _inline_short(self, functions: list[str]) -> None:
        """Mark the short functions of the Program; whoever calls others comes after them."""
        grown: dict[str, int] = {}
        for at, f in enumerate(self._functions):
            if f.size > _SHORT_FUNCTION or not f.name.startswith("function"):
                continue
            size = f.size + sum(grown.get(name, 0) for name in _CALLED.findall(functions[at]))
            if size <= _SHORT_FUNCTION:
                grown[f.name] = size
                functions[at] = f.text(inlined="alwaysinline")

    # ------------------------------------------------------------- tables

    def table(self, f: Function, values: Sequence[int], type_: str = "i32") -> Operand:
        """A constant array; equal ones are shared."""
        key = (type_, tuple(int(value) for value in values))
        name = self._constants.get(key)
        if name is None:
            name = self._constants[key] = f"@table{len(self._constants)}"
            items = ", ".join(f"{type_} {value}" for value in key[1])
            size = len(key[1])
            body = f"[{items}]" if size else "zeroinitializer"
            self._globals.append(
                f"{name} = private unnamed_addr constant [{size} x {type_}] {body}"
            )
        return Operand(f, name, "ptr")

    def lookup(self, f: Function, number: int, none: int | None) -> tuple[Operand, str]:
        """A table of the Program and the type of its entries; the entry of `none`, if one is
        wanted, lies in front of the others."""
        key = (number, none)
        if key not in self._lookups:
            values = self.program.tables[number]
            type_ = "i32" if is_narrow(values) else "i64"
            listed = values if none is None else (none, *values)
            self._lookups[key] = self.table(f, listed, type_).text, type_
        name, type_ = self._lookups[key]
        return Operand(f, name, "ptr"), type_

    def record(self, record: Record) -> int:
        """The number of a kind of record."""
        if record not in self._record_numbers:
            self._record_numbers[record] = len(self.records)
            self.records.append(record)
        return self._record_numbers[record]

    # ---------------------------------------------------------- functions

    def begin(self, name: str) -> bool:
        """Whether a function has still to be written; asked again, it has not."""
        known = name in self._begun
        self._begun.add(name)
        return not known

    def name_of(self, stem: str, what: object) -> str:
        """A name for a function; equal ones have the same."""
        return self._names.setdefault((stem, what), f"{stem}{len(self._names)}")

    def once(self, name: str, write: Callable[[], None]) -> str:
        """The name of a function that is written when it is first needed."""
        if self.begin(name):
            write()
        return name

    @contextmanager
    def function(
        self, name: str, result: str, *params: str, on_fail: str = "unreachable",
        exported: bool = False, cold: bool = False,
    ) -> Iterator[Function]:  # fmt: skip
        """A function, which joins the module once its text is complete."""
        f = Function(
            name, result, params, self.errors, on_fail=on_fail,
            linkage="dso_local" if exported else "internal",
            attributes="cold noinline nounwind" if cold else "nounwind",
        )  # fmt: skip
        yield f
        self._functions.append(f)

    @contextmanager
    def fallible(self, name: str, *params: str) -> Iterator[Function]:
        """A function of a state that gives a number or fails."""
        failed = f"ret {PAIR} {{i64 0, i1 true}}"
        with self.function(name, PAIR, *RUN_PARAMS, *params, on_fail=failed) as f:
            yield f

    @contextmanager
    def helper(self, name: str, result: str, *params: str) -> Iterator[Function]:
        """A function of a state that cannot fail."""
        with self.function(name, result, *RUN_PARAMS, *params) as f:
            yield f
