"""A module of generated code: its functions, constant tables and what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ludwright.kernel import program as ir
from ludwright.kernel.paths import sure
from ludwright.native.builder import F
from ludwright.native.inference import Inference
from ludwright.native.interface import Record
from ludwright.native.keeping import Kept
from ludwright.native.layout import ErrorTable
from ludwright.native.shapes import Shape
from ludwright.native.spending import Spending
from ludwright.native.tabulating import Tables

if TYPE_CHECKING:
    from ludwright.native.settling import Settling

HEADER = """\
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @malloc(i64)
declare void @free(ptr)
declare i64 @clock()
declare ptr @PyBytes_AsString(ptr)
declare i64 @PyBytes_Size(ptr)
declare ptr @PyBytes_FromStringAndSize(ptr, i64)
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyLong_AsVoidPtr(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare void @PyErr_Clear()
declare i32 @PyErr_CheckSignals()
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare ptr @PyTuple_New(i64)
declare ptr @PyTuple_GetItem(ptr, i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyBool_FromLong(i64)
declare ptr @PyType_GenericNew(ptr, ptr, ptr)
declare i32 @PyObject_RichCompareBool(ptr, ptr, i32)
declare ptr @PyDict_GetItemWithError(ptr, ptr)
declare i64 @PySequence_Index(ptr, ptr)
declare ptr @PySet_New(ptr)
declare i64 @PySet_Size(ptr)
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)
@_Py_NoneStruct = external global i8
"""

FOOTER = """\
!1 = !{!"branch_weights", i32 2000, i32 1}
!2 = !{!"branch_weights", i32 1, i32 2000}
"""

MANY = 300_000  # characters of text in all functions, from which on
LONG = 300  # lines make a function that is not inlined

BODY_PARAMS = (("ptr noalias", "state"), ("ptr noalias", "ctx"))
RESULT = "{i64, i1}"  # a number, and whether an error was noted instead


class Module:
    """Collects the text of one Program's native code."""

    def __init__(self, program: ir.Program, events: bool = False) -> None:
        self.program = program
        self.events = events  # whether runs can tell what happened
        self.settling: Settling | None = None  # for code that counts moves and plays no games
        self.records: list[Record] = []  # the kinds of records such runs write
        self._record_numbers: dict[Record, int] = {}
        self.has_best = any(isinstance(instr, ir.BestBegin) for instr in program.code)
        self.errors = ErrorTable()
        self.sure = sure(program)
        self.shapes = Inference(program)
        self.tabulated = Tables(program, self.shapes)
        if results := self.tabulated.results():
            # what a table holds says more than the function it was made from
            self.shapes = Inference(program, results)
            self.tabulated = Tables(program, self.shapes)
        self.kept = Kept(program, self.shapes, self.tabulated)
        self.spending = Spending(program)
        self._globals: list[str] = []
        self._tables: dict[tuple[str, tuple[int, ...]], str] = {}
        self._functions: list[F] = []
        self._named: dict[str, F] = {}
        self.begun: set[str] = set()  # functions of the Program that are written or being written
        self.memo_words = 4  # of an entry in the memo of searches
        self.shared_words = 1  # memory of a run for registers that several functions use

    def text(self) -> str:
        functions = [f.text() for f in self._functions]
        if sum(map(len, functions)) > MANY:
            # What has one caller would be inlined whatever its size, and passes over functions
            # of thousands of lines take more than their share of time.
            functions = [f.text(apart=f.size > LONG) for f in self._functions]
        return "\n".join([HEADER, *self._globals, *functions, FOOTER])

    # ------------------------------------------------------------- tables

    def table(self, values: Sequence[int], type_: str = "i32") -> str:
        """A constant array; equal ones are shared."""
        key = (type_, tuple(int(value) for value in values))
        name = self._tables.get(key)
        if name is None:
            name = self._tables[key] = f"@table{len(self._tables)}"
            told = ", ".join(f"{type_} {value}" for value in key[1])
            size = len(key[1])
            body = f"[{told}]" if size else "zeroinitializer"
            self._globals.append(
                f"{name} = private unnamed_addr constant [{size} x {type_}] {body}"
            )
        return name

    def record(self, record: Record) -> int:
        """The number of a kind of record."""
        if record not in self._record_numbers:
            self._record_numbers[record] = len(self.records)
            self.records.append(record)
        return self._record_numbers[record]

    # ---------------------------------------------------------- functions

    def add(self, f: F) -> F:
        self._functions.append(f)
        self._named[f.name] = f
        return f

    def once(self, name: str, make: Callable[[], F]) -> str:
        """The name of a helper, written when it is first needed."""
        if name not in self._named:
            made = make()
            assert made.name == name
            if name not in self._named:
                self.add(made)
        return name

    def pure(self, name: str, params: Sequence[tuple[str, str]] = ()) -> F:
        """A function that gives a number or fails."""
        return F(
            name, RESULT, (*BODY_PARAMS, *params), self.errors,
            on_fail="ret {i64, i1} {i64 0, i1 true}",
        )  # fmt: skip

    def helper(self, name: str, result: str, params: Sequence[tuple[str, str]] = ()) -> F:
        """A function of the engine that cannot fail."""
        return F(name, result, (*BODY_PARAMS, *params), self.errors, on_fail="unreachable")

    def words(self, shape: Shape) -> int:
        return max(1, shape.words)
