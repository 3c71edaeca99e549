"""Writing one LLVM function as text, with Python operators and `with` blocks.

Operands are 64-bit integers (`i64`), conditions (`i1`) or pointers (`ptr`). Whatever changes lives
in a stack slot (`Var`); LLVM turns these slots into registers, so nothing here needs phi nodes.

Control flow is structured: `if_` and `else_`, `for_range`, `while_`, `loop`, `match` (in `cases`),
and `block`, which is left early by `leave_if`, `leave_unless` or `br`. Text that nothing can reach
is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NewType

from ludwright.native.codegen.llvm.error_table import ErrorTable
from ludwright.native.layout import Slot

Label = NewType("Label", str)

PAIR = "{i64, i1}"  # a number, and whether there is none because of an error or an overflow
_SIGNED = {"slt", "sle", "sgt", "sge", "eq", "ne"}
_NARROW = ("i32", "i8")  # in memory; operands of them are widened


class Operand:
    """A value of the function under construction."""

    __slots__ = ("f", "text", "type")

    def __init__(self, f: Function, text: str, type_: str = "i64") -> None:
        self.f = f
        self.text = text
        self.type = type_

    @property
    def constant(self) -> int | None:
        if self.text[0] == "%":  # a register, as nearly all are
            return None
        if self.text == "true":
            return 1
        if self.text == "false":
            return 0
        body = self.text.removeprefix("-")
        return int(self.text) if body.isdigit() else None

    def __add__(self, other: Operand | int) -> Operand:
        return self.f.op("add", self, other)

    def __sub__(self, other: Operand | int) -> Operand:
        return self.f.op("sub", self, other)

    def __mul__(self, other: Operand | int) -> Operand:
        return self.f.op("mul", self, other)

    def __and__(self, other: Operand | int) -> Operand:
        return self.f.op("and", self, other)

    def __or__(self, other: Operand | int) -> Operand:
        return self.f.op("or", self, other)

    def __xor__(self, other: Operand | int) -> Operand:
        return self.f.op("xor", self, other)

    def __lshift__(self, other: Operand | int) -> Operand:
        return self.f.op("shl", self, other)

    def __rshift__(self, other: Operand | int) -> Operand:
        """Shifts in zeros."""
        return self.f.op("lshr", self, other)

    def eq(self, other: Operand | int) -> Operand:
        return self.f.icmp("eq", self, other)

    def ne(self, other: Operand | int) -> Operand:
        return self.f.icmp("ne", self, other)

    def __lt__(self, other: Operand | int) -> Operand:
        return self.f.icmp("slt", self, other)

    def __le__(self, other: Operand | int) -> Operand:
        return self.f.icmp("sle", self, other)

    def __gt__(self, other: Operand | int) -> Operand:
        return self.f.icmp("sgt", self, other)

    def __ge__(self, other: Operand | int) -> Operand:
        return self.f.icmp("sge", self, other)

    def below(self, other: Operand | int) -> Operand:
        """Unsigned less: 0 <= self < other for an `other` that is not negative."""
        return self.f.icmp("ult", self, other)

    def __invert__(self) -> Operand:
        """The opposite of a condition."""
        return self.f.op("xor", self, self.f.true)

    def i64(self) -> Operand:
        """A condition as 0 or 1."""
        if self.type == "i64":
            return self
        if self.constant is not None:
            return Operand(self.f, str(self.constant))
        return self.f.emit(f"zext {self.type} {self.text} to i64", "i64")

    def is_null(self) -> Operand:
        return self.eq(self.f.null)


class Var:
    """A stack slot for one value."""

    __slots__ = ("f", "ptr", "type")

    def __init__(self, f: Function, type_: str = "i64", init: Operand | int | None = None) -> None:
        self.f = f
        self.type = type_
        self.ptr = f.alloca(type_)
        if init is not None:
            self.set(init)

    def get(self) -> Operand:
        return self.f.emit(f"load {self.type}, ptr {self.ptr}", self.type)

    def set(self, value: Operand | int) -> None:
        v = self.f.value(value, self.type)
        self.f.do(f"store {self.type} {v.text}, ptr {self.ptr}")

    def add(self, value: Operand | int) -> None:
        self.set(self.get() + value)


class Words:
    """Memory whose words have names: a context, or the head of a frame."""

    __slots__ = ("base",)

    def __init__(self, base: Operand) -> None:
        self.base = base

    def __getitem__(self, slot: Slot) -> Operand:
        return self.base.f.load(self.base, slot, slot.type)

    def __setitem__(self, slot: Slot, value: Operand | int) -> None:
        self.base.f.store(self.base, slot, value, slot.type)


class Function:
    """One function: its text so far, and where the next line goes.

    `params` are written like "i64 count". `on_fail` is the terminator that leaves the function
    after an error has been noted.
    """

    def __init__(
        self, name: str, result: str, params: Sequence[str], errors: ErrorTable, *,
        on_fail: str = "unreachable", linkage: str = "internal", attributes: str = "nounwind",
    ) -> None:  # fmt: skip
        self.name = name
        self.result = result
        self.errors = errors
        self.on_fail = on_fail
        self.linkage = linkage
        self.attributes = attributes
        self.called: dict[str, str] = {}  # the declaration of each function, by name
        self._params = {param.split()[-1]: param.split()[:-1] for param in params}
        self._allocas: list[str] = []  # and other lines at the top of the entry block
        self._lines: list[str] = []
        self._cold: list[str] = []
        self._count = 0
        self._open = True  # whether the next line can be reached
        self._targets: set[Label] = set()  # what has been jumped to so far
        self._fails: dict[tuple[object, ...], Label] = {}
        self._arm: tuple[Label, int] | None = None  # of the last `if_`: see `else_`
        self.is_cold = False  # whether what is called now is not to be inlined
        self._catch: Label | None = None  # where errors lead: see `catching`

    # ----------------------------------------------------------- plumbing

    def _fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    @property
    def reached(self) -> bool:
        """Whether the next line can be reached."""
        return self._open

    @property
    def size(self) -> int:
        """The number of its lines."""
        return len(self._allocas) + len(self._lines) + len(self._cold)

    def text(self, inlined: str = "") -> str:
        """`inlined`: "noinline" or "alwaysinline", where the function does not say so itself."""
        params = ", ".join(f"{' '.join(type_)} %{name}" for name, type_ in self._params.items())
        attributes = self.attributes
        if inlined and "inline" not in attributes:
            attributes = f"{attributes} {inlined}"
        head = f"define {self.linkage} {self.result} @{self.name}({params}) {attributes} {{"
        return "\n".join([head, "entry:", *self._allocas, *self._lines, *self._cold, "}"])

    def param(self, name: str) -> Operand:
        return Operand(self, f"%{name}", self._params[name][0])

    def params(self, *names: str) -> list[Operand]:
        return [self.param(name) for name in names]

    @property
    def state(self) -> Operand:
        return Operand(self, "%state", "ptr")

    @property
    def context(self) -> Operand:
        return Operand(self, "%ctx", "ptr")

    @property
    def ctx(self) -> Words:
        return Words(self.context)

    @property
    def null(self) -> Operand:
        return Operand(self, "null", "ptr")

    @property
    def true(self) -> Operand:
        return Operand(self, "true", "i1")

    @property
    def false(self) -> Operand:
        return Operand(self, "false", "i1")

    def alloca(self, type_: str) -> str:
        name = self._fresh("%v")
        self._allocas.append(f"  {name} = alloca {type_}")
        return name

    def array(self, words: int) -> Operand:
        """Words in the stack frame."""
        return Operand(self, self.alloca("i64" if words == 1 else f"[{words} x i64]"), "ptr")

    def at_entry(self, line: str) -> None:
        self._allocas.append(f"  {line}")

    def emit(self, line: str, type_: str = "i64") -> Operand:
        name = self._fresh("%t")
        if self._open:
            self._lines.append(f"  {name} = {line}")
        return Operand(self, name, type_)

    def do(self, line: str) -> None:
        if self._open:
            self._lines.append(f"  {line}")

    def end(self, line: str) -> None:
        """A terminator: what follows is unreachable until a label is placed."""
        self.do(line)
        self._open = False

    def value(self, value: Operand | int, type_: str = "i64") -> Operand:
        if isinstance(value, Operand):
            return value
        if type_ == "i1":
            return self.true if value else self.false
        return self.null if type_ == "ptr" and value == 0 else Operand(self, str(value), type_)

    # ---------------------------------------------------------- operators

    def op(self, name: str, left: Operand, right: Operand | int) -> Operand:
        r = self.value(right, left.type)
        a, b = left.constant, r.constant
        if left.type == "i1":
            folded = self._fold_condition(name, left, r, a, b)
            if folded is not None:
                return folded
        elif a is not None and b is not None and name in ("add", "sub", "mul", "and", "or"):
            total = {"add": a + b, "sub": a - b, "mul": a * b, "and": a & b, "or": a | b}[name]
            if -(1 << 63) <= total < 1 << 63:
                return Operand(self, str(total))
        elif b == 0 and name in ("add", "sub", "or", "shl", "lshr", "xor"):
            return left
        elif a == 0 and name == "add":
            return r
        return self.emit(f"{name} {left.type} {left.text}, {r.text}", left.type)

    def _fold_condition(
        self, name: str, left: Operand, right: Operand, a: int | None, b: int | None
    ) -> Operand | None:
        if name == "and":
            if a == 1:
                return right
            if b == 1:
                return left
        if name == "or":
            if a == 0:
                return right
            if b == 0:
                return left
        if name == "xor" and a is not None and b is not None:
            return self.value(a != b, "i1")
        return None

    def icmp(self, op: str, left: Operand, right: Operand | int) -> Operand:
        r = self.value(right, left.type)
        a, b = left.constant, r.constant
        if a is not None and b is not None and op in _SIGNED and left.type == "i64":
            holds = {
                "slt": a < b, "sle": a <= b, "sgt": a > b, "sge": a >= b,
                "eq": a == b, "ne": a != b,
            }[op]  # fmt: skip
            return self.value(holds, "i1")
        return self.emit(f"icmp {op} {left.type} {left.text}, {r.text}", "i1")

    def select(self, when: Operand, then: Operand | int, other: Operand | int) -> Operand:
        t, o = self.value(then), self.value(other)
        if when.constant is not None:
            return t if when.constant else o
        if t.text == o.text:
            return t
        line = f"select i1 {when.text}, {t.type} {t.text}, {o.type} {o.text}"
        return self.emit(line, t.type)

    def divide(self, op: str, left: Operand, right: Operand | int) -> Operand:
        """`udiv`, `urem`, `sdiv` or `srem`."""
        return self.emit(f"{op} i64 {left.text}, {self.value(right).text}")

    def checked(self, op: str, left: Operand, right: Operand) -> tuple[Operand, Operand]:
        """`add`, `sub` or `mul` of signed numbers, and whether the result overflowed."""
        return self.halves(self.call(PAIR, f"llvm.s{op}.with.overflow.i64", left, right))

    def halves(self, pair: Operand) -> tuple[Operand, Operand]:
        """The number and the flag of a PAIR."""
        flag = self.extract(pair, 1, "i1")
        return self.extract(pair, 0), flag

    def extract(self, pair: Operand, index: int, type_: str = "i64") -> Operand:
        return self.emit(f"extractvalue {pair.type} {pair.text}, {index}", type_)

    def smin(self, left: Operand, right: Operand | int) -> Operand:
        return self.call("i64", "llvm.smin.i64", left, right)

    def smax(self, left: Operand, right: Operand | int) -> Operand:
        return self.call("i64", "llvm.smax.i64", left, right)

    def cttz(self, value: Operand) -> Operand:
        """The number of zeros below the lowest bit that is set."""
        return self.call("i64", "llvm.cttz.i64", value, self.false)

    def ctlz(self, value: Operand) -> Operand:
        """The number of zeros above the highest bit that is set."""
        return self.call("i64", "llvm.ctlz.i64", value, self.false)

    def ctpop(self, value: Operand) -> Operand:
        """The number of bits that are set."""
        return self.call("i64", "llvm.ctpop.i64", value)

    # ------------------------------------------------------------- memory

    def gep(self, base: Operand, index: Operand | int, type_: str = "i64") -> Operand:
        """The address of an element; the operation is called getelementptr."""
        i = self.value(index)
        if i.constant == 0:
            return base
        line = f"getelementptr inbounds {type_}, ptr {base.text}, i64 {i.text}"
        return self.emit(line, "ptr")

    def load(self, base: Operand, index: Operand | int = 0, type_: str = "i64") -> Operand:
        at = self.gep(base, index, type_)
        got = self.emit(f"load {type_}, ptr {at.text}", type_)
        return self.emit(f"sext {type_} {got.text} to i64") if type_ in _NARROW else got

    def store(
        self, base: Operand, index: Operand | int, value: Operand | int, type_: str = "i64"
    ) -> None:
        v = self.value(value, "i64" if type_ in _NARROW else type_)
        if v.type == "i1" and type_ != "i1":
            v = v.i64()
        at = self.gep(base, index, type_)
        if type_ in _NARROW and v.constant is None:
            v = self.emit(f"trunc i64 {v.text} to {type_}", type_)
        self.do(f"store {type_} {v.text}, ptr {at.text}")

    def cell(self, addr: Operand | int) -> Operand:
        return self.load(self.state, addr, "i32")

    def set_cell(self, addr: Operand | int, value: Operand | int) -> None:
        self.store(self.state, addr, value, "i32")

    def copy(self, to: Operand, source: Operand, size: Operand | int) -> None:
        """`size` bytes that do not overlap."""
        self.call("void", "llvm.memcpy.p0.p0.i64", to, source, size, self.false)

    def zero(self, to: Operand, size: Operand | int) -> None:
        nothing = self.value(0, "i8")
        self.call("void", "llvm.memset.p0.i64", to, nothing, size, self.false)

    # -------------------------------------------------------------- calls

    def call(self, result: str, name: str, *args: Operand | int) -> Operand:
        values = [self.value(arg) for arg in args]
        given = ", ".join([f"{v.type} {v.text}" for v in values])
        if name not in self.called:
            types = ", ".join(v.type for v in values)
            self.called[name] = f"declare {result} @{name}({types})"
        line = f"call {result} @{name}({given}){' noinline' if self.is_cold else ''}"
        if result == "void":
            self.do(line)
            return self.value(0)
        return self.emit(line, result)

    def call_checked(self, name: str, *args: Operand | int) -> Operand:
        """The number that a function gives; where it failed, this function is left as well."""
        pair = self.call(PAIR, name, *args)
        self.leave_if(self.extract(pair, 1, "i1"), self.passed_on(), likely=False)
        return self.extract(pair, 0)

    def ret(self, value: Operand | int | None = None) -> None:
        if value is None:
            self.end("ret void")
        else:
            self.end(f"ret {self.result} {self.value(value, self.result).text}")

    def ret_both(self, first: Operand | int, second: Operand) -> None:
        """Two values at once."""
        pair = Operand(self, "undef", self.result)
        for index, value in enumerate((self.value(first), second)):
            line = f"insertvalue {pair.type} {pair.text}, {value.type} {value.text}, {index}"
            pair = self.emit(line, pair.type)
        self.ret(pair)

    def ret_checked(self, number: Operand | int) -> None:
        """The result of a function that could also have failed."""
        found = self.value(number)
        self.ret(self.emit(f"insertvalue {PAIR} {{i64 0, i1 false}}, i64 {found.text}, 0", PAIR))

    # ------------------------------------------------------------ control

    def label(self, stem: str = "L") -> Label:
        return Label(self._fresh(stem))

    def place(self, label: Label, loops: bool = False) -> None:
        """Go on here. `loops`: what can only be reached from further down is written as well."""
        if self._open:
            self._lines.append(f"  br label %{label}")
        elif label not in self._targets and not loops:
            return
        self._lines.append(f"{label}:")
        self._open = True

    def br(self, label: Label) -> None:
        self._jump(f"br label %{label}", label)

    def _jump(self, line: str, *labels: Label) -> None:
        if self._open:
            self._targets.update(labels)
        self.end(line)

    def branch(
        self, when: Operand, then: Label, other: Label, likely: bool | None = None
    ) -> None:  # fmt: skip
        if when.constant is not None:
            self.br(then if when.constant else other)
            return
        hint = "" if likely is None else f", !prof !{1 if likely else 2}"
        self._jump(f"br i1 {when.text}, label %{then}, label %{other}{hint}", then, other)

    def leave_if(self, when: Operand, out: Label, likely: bool | None = None) -> None:
        go = self.label()
        self.branch(when, out, go, likely)
        self.place(go)

    def leave_unless(self, when: Operand, out: Label) -> None:
        go = self.label()
        self.branch(when, go, out)
        self.place(go)

    @contextmanager
    def if_(self, when: Operand, likely: bool | None = None) -> Iterator[None]:
        then, after = self.label(), self.label()
        self.branch(when, then, after, likely)
        with self.arm(then, after):
            yield

    @contextmanager
    def arm(self, then: Label, after: Label) -> Iterator[None]:
        """What is done at one label before going on at another; `else_` may follow."""
        self.place(then)
        yield
        self._arm = (after, len(self._lines) if self._open else -1)
        self.place(after)

    @contextmanager
    def else_(self) -> Iterator[None]:
        """Directly behind an `if_`."""
        assert self._arm is not None
        other, jump = self._arm
        assert not self._open or self._lines[-1] == f"{other}:", "`else_` does not follow `if_`"
        after = self.label()
        if jump >= 0:
            self._lines[jump] = f"  br label %{after}"
            self._targets.add(after)
        yield
        self.place(after)

    @contextmanager
    def block(self) -> Iterator[Label]:
        """Gives the label of its end, for which it can be left early."""
        out = self.label()
        yield out
        self.place(out)

    @contextmanager
    def loop(self) -> Iterator[Label]:
        """Endless; gives the label for which it is left."""
        again, out = self.label(), self.label()
        self.place(again)
        yield out
        self.br(again)
        self.place(out)

    @contextmanager
    def while_(self, holds: Callable[[], Operand]) -> Iterator[None]:
        with self.loop() as out:
            self.leave_unless(holds(), out)
            yield

    @contextmanager
    def for_range(self, first: Operand | int, end: Operand | int) -> Iterator[Operand]:
        """For each number from `first` to `end` - 1."""
        i = Var(self, init=first)
        limit = Var(self, init=end)
        with self.loop() as out:
            now = i.get()
            self.leave_unless(now < limit.get(), out)
            yield now
            i.add(1)

    def switch(self, value: Operand, cases: Sequence[tuple[int, Label]], default: Label) -> None:
        labels = [label for _, label in cases]
        text = " ".join(f"{value.type} {case}, label %{label}" for case, label in cases)
        line = f"switch {value.type} {value.text}, label %{default} [ {text} ]"
        self._jump(line, default, *labels)

    # ------------------------------------------------------------- errors

    def fail(self, error: int, a: Operand | int = 0, b: Operand | int = 0) -> Label:
        """The label of a cold block that notes an error and leaves the function."""
        if self._catch is not None:
            return self._catch
        first, second = self.value(a), self.value(b)
        key = (error, first.text, second.text)
        known = self._fails.get(key)
        if known is not None and first.constant is not None and second.constant is not None:
            return known
        label = self.label("fail")
        if not self._open:
            return label
        self._cold += [
            f"{label}:",
            f"  call void @fail(ptr %ctx, i64 {error}, i64 {first.text}, i64 {second.text})",
            f"  {self.on_fail}",
        ]
        self._fails[key] = label
        return label

    @contextmanager
    def catching(self, label: Label) -> Iterator[None]:
        """Errors lead to a label of this function. Those of functions it calls are noted then."""
        around, self._catch = self._catch, label
        yield
        self._catch = around

    def check(
        self, when: Operand, error: int, a: Operand | int = 0, b: Operand | int = 0
    ) -> None:  # fmt: skip
        if when.constant == 1:
            return
        good = self.label()
        self.branch(when, good, self.fail(error, a, b), likely=True)
        self.place(good)

    def passed_on(self) -> Label:
        """The label of a cold block that leaves the function with an error noted elsewhere."""
        if self._catch is not None:
            return self._catch
        label = self._fails.get(("passed on",))
        if label is None:
            label = self._fails[("passed on",)] = self.label("fail")
            self._cold += [f"{label}:", f"  {self.on_fail}"]
        return label
