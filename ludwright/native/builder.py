"""Writing one LLVM function as text, with Python operators and `with` blocks.

Values are 64-bit integers (`i64`), conditions (`i1`) or pointers. Whatever changes lives in a
stack slot (`Var`); LLVM turns the slots into registers, so nothing here needs phi nodes, and code
may be shared between loops by storing where to go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ludwright.native.layout import ErrorTable

_SIGNED = {"slt", "sle", "sgt", "sge", "eq", "ne"}


class V:
    """A value of the function under construction."""

    __slots__ = ("f", "text", "type")

    def __init__(self, f: F, text: str, type_: str = "i64") -> None:
        self.f = f
        self.text = text
        self.type = type_

    @property
    def constant(self) -> int | None:
        if self.text == "true":
            return 1
        if self.text == "false":
            return 0
        body = self.text.removeprefix("-")
        return int(self.text) if body.isdigit() else None

    def __add__(self, other: V | int) -> V:
        return self.f.op("add", self, other)

    def __sub__(self, other: V | int) -> V:
        return self.f.op("sub", self, other)

    def __mul__(self, other: V | int) -> V:
        return self.f.op("mul", self, other)

    def __and__(self, other: V | int) -> V:
        return self.f.op("and", self, other)

    def __or__(self, other: V | int) -> V:
        return self.f.op("or", self, other)

    def __xor__(self, other: V | int) -> V:
        return self.f.op("xor", self, other)

    def __lshift__(self, other: V | int) -> V:
        return self.f.op("shl", self, other)

    def __rshift__(self, other: V | int) -> V:
        """Shifts in zeros."""
        return self.f.op("lshr", self, other)

    def eq(self, other: V | int) -> V:
        return self.f.icmp("eq", self, other)

    def ne(self, other: V | int) -> V:
        return self.f.icmp("ne", self, other)

    def __lt__(self, other: V | int) -> V:
        return self.f.icmp("slt", self, other)

    def __le__(self, other: V | int) -> V:
        return self.f.icmp("sle", self, other)

    def __gt__(self, other: V | int) -> V:
        return self.f.icmp("sgt", self, other)

    def __ge__(self, other: V | int) -> V:
        return self.f.icmp("sge", self, other)

    def below(self, other: V | int) -> V:
        """Unsigned less: 0 <= self < other for an `other` that is not negative."""
        return self.f.icmp("ult", self, other)

    def not_(self) -> V:
        return self.f.op("xor", self, V(self.f, "true", "i1"))

    def i64(self) -> V:
        """A condition as 0 or 1."""
        if self.type == "i64":
            return self
        if self.constant is not None:
            return V(self.f, str(self.constant))
        return self.f.emit(f"zext {self.type} {self.text} to i64", "i64")


class Var:
    """A stack slot for one value."""

    __slots__ = ("f", "ptr", "type")

    def __init__(self, f: F, type_: str = "i64", init: V | int | None = None) -> None:
        self.f = f
        self.type = type_
        self.ptr = f.alloca(type_)
        if init is not None:
            self.set(init)

    def get(self) -> V:
        return self.f.emit(f"load {self.type}, ptr {self.ptr}", self.type)

    def set(self, value: V | int) -> None:
        v = self.f.value(value, self.type)
        self.f.do(f"store {self.type} {v.text}, ptr {self.ptr}")

    def add(self, value: V | int) -> None:
        self.set(self.get() + value)


class F:
    """One function: its text so far, and where the next line goes."""

    def __init__(
        self, name: str, result: str, params: Sequence[tuple[str, str]], errors: ErrorTable,
        *, on_fail: str, linkage: str = "internal", attributes: str = "nounwind",
    ) -> None:  # fmt: skip
        self.name = name
        self.result = result
        self.params = params
        self.errors = errors
        self.on_fail = on_fail
        self.linkage = linkage
        self.attributes = attributes
        self._head: list[str] = []  # allocas, at the top of the entry block
        self._lines: list[str] = []
        self._cold: list[str] = []
        self._count = 0
        self._open = True
        self._fails: dict[tuple[object, ...], str] = {}

    # ----------------------------------------------------------- plumbing

    def _fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    @property
    def size(self) -> int:
        """In lines."""
        return len(self._head) + len(self._lines) + len(self._cold)

    def text(self, apart: bool = False) -> str:
        """`apart`: not to be inlined."""
        params = ", ".join(f"{type_} %{name}" for type_, name in self.params)
        inlined = " noinline" if apart and "inline" not in self.attributes else ""
        attributes = self.attributes + inlined
        head = f"define {self.linkage} {self.result} @{self.name}({params}) {attributes} {{"
        return "\n".join([head, "entry:", *self._head, *self._lines, *self._cold, "}"])

    def param(self, name: str) -> V:
        for type_, own in self.params:
            if own == name:
                return V(self, f"%{name}", type_.split()[0])
        raise KeyError(name)

    @property
    def state(self) -> V:
        return V(self, "%state", "ptr")

    @property
    def context(self) -> V:
        return V(self, "%ctx", "ptr")

    def alloca(self, type_: str) -> str:
        name = self._fresh("%v")
        self._head.append(f"  {name} = alloca {type_}")
        return name

    def at_entry(self, line: str) -> None:
        self._head.append(f"  {line}")

    def emit(self, line: str, type_: str = "i64") -> V:
        name = self._fresh("%t")
        if self._open:
            self._lines.append(f"  {name} = {line}")
        return V(self, name, type_)

    def do(self, line: str) -> None:
        if self._open:
            self._lines.append(f"  {line}")

    def end(self, line: str) -> None:
        """A terminator: what follows is unreachable until a label is placed."""
        self.do(line)
        self._open = False

    def value(self, value: V | int, type_: str = "i64") -> V:
        if isinstance(value, V):
            return value
        if type_ == "i1":
            return V(self, "true" if value else "false", "i1")
        return V(self, str(value), type_)

    # ---------------------------------------------------------- operators

    def op(self, name: str, left: V, right: V | int) -> V:
        r = self.value(right, left.type)
        a, b = left.constant, r.constant
        if left.type == "i1":
            folded = self._fold_condition(name, left, r, a, b)
            if folded is not None:
                return folded
        elif a is not None and b is not None and name in ("add", "sub", "mul", "and", "or"):
            total = {"add": a + b, "sub": a - b, "mul": a * b, "and": a & b, "or": a | b}[name]
            if -(1 << 63) <= total < 1 << 63:
                return V(self, str(total))
        elif b == 0 and name in ("add", "sub", "or", "shl", "lshr", "xor"):
            return left
        elif a == 0 and name == "add":
            return r
        return self.emit(f"{name} {left.type} {left.text}, {r.text}", left.type)

    def _fold_condition(
        self, name: str, left: V, right: V, a: int | None, b: int | None
    ) -> V | None:
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
            return V(self, "true" if a != b else "false", "i1")
        return None

    def icmp(self, op: str, left: V, right: V | int) -> V:
        r = self.value(right, left.type)
        a, b = left.constant, r.constant
        if a is not None and b is not None and op in _SIGNED and left.type == "i64":
            holds = {
                "slt": a < b, "sle": a <= b, "sgt": a > b, "sge": a >= b,
                "eq": a == b, "ne": a != b,
            }[op]  # fmt: skip
            return V(self, "true" if holds else "false", "i1")
        return self.emit(f"icmp {op} {left.type} {left.text}, {r.text}", "i1")

    def select(self, when: V, then: V | int, other: V | int) -> V:
        t, o = self.value(then), self.value(other)
        if when.constant is not None:
            return t if when.constant else o
        if t.text == o.text:
            return t
        line = f"select i1 {when.text}, {t.type} {t.text}, {o.type} {o.text}"
        return self.emit(line, t.type)

    def smin(self, left: V, right: V | int) -> V:
        r = self.value(right)
        return self.emit(f"call i64 @llvm.smin.i64(i64 {left.text}, i64 {r.text})")

    def smax(self, left: V, right: V | int) -> V:
        r = self.value(right)
        return self.emit(f"call i64 @llvm.smax.i64(i64 {left.text}, i64 {r.text})")

    def cttz(self, value: V) -> V:
        return self.emit(f"call i64 @llvm.cttz.i64(i64 {value.text}, i1 false)")

    def ctpop(self, value: V) -> V:
        return self.emit(f"call i64 @llvm.ctpop.i64(i64 {value.text})")

    # ------------------------------------------------------------- memory

    def gep(self, base: V, index: V | int, type_: str = "i64") -> V:
        i = self.value(index)
        if i.constant == 0:
            return base
        line = f"getelementptr inbounds {type_}, ptr {base.text}, i64 {i.text}"
        return self.emit(line, "ptr")

    def load(self, base: V, index: V | int = 0, type_: str = "i64") -> V:
        at = self.gep(base, index, type_)
        got = self.emit(f"load {type_}, ptr {at.text}", type_)
        if type_ in ("i32", "i8"):
            return self.emit(f"sext {type_} {got.text} to i64")
        return got

    def store(self, base: V, index: V | int, value: V | int, type_: str = "i64") -> None:
        v = self.value(value, "i64" if type_ in ("i32", "i8") else type_)
        if v.type == "i1" and type_ != "i1":
            v = v.i64()
        at = self.gep(base, index, type_)
        if type_ in ("i32", "i8") and v.constant is None:
            v = self.emit(f"trunc i64 {v.text} to {type_}", type_)
        self.do(f"store {type_} {v.text}, ptr {at.text}")

    def cell(self, addr: V | int) -> V:
        return self.load(self.state, addr, "i32")

    def set_cell(self, addr: V | int, value: V | int) -> None:
        self.store(self.state, addr, value, "i32")

    def ctx(self, slot: int) -> V:
        return self.load(self.context, slot)

    def ctx_ptr(self, slot: int) -> V:
        return self.load(self.context, slot, "ptr")

    def set_ctx(self, slot: int, value: V | int) -> None:
        self.store(self.context, slot, value)

    def copy(self, to: V, source: V, size: V | int) -> None:
        """`size` bytes that do not overlap."""
        n = self.value(size)
        self.do(
            f"call void @llvm.memcpy.p0.p0.i64(ptr {to.text}, ptr {source.text}, "
            f"i64 {n.text}, i1 false)"
        )

    def zero(self, to: V, size: V | int) -> None:
        n = self.value(size)
        self.do(f"call void @llvm.memset.p0.i64(ptr {to.text}, i8 0, i64 {n.text}, i1 false)")

    def call(self, result: str, name: str, *args: V | int) -> V:
        told = ", ".join(f"{v.type} {v.text}" for v in (self.value(a) for a in args))
        if result == "void":
            self.do(f"call void @{name}({told})")
            return V(self, "0")
        return self.emit(f"call {result} @{name}({told})", result)

    # ------------------------------------------------------------ control

    def label(self, stem: str = "L") -> str:
        return self._fresh(stem)

    def place(self, label: str) -> None:
        if self._open:
            self._lines.append(f"  br label %{label}")
        self._lines.append(f"{label}:")
        self._open = True

    def br(self, label: str) -> None:
        self.end(f"br label %{label}")

    def branch(self, when: V, then: str, other: str, likely: bool | None = None) -> None:
        if when.constant is not None:
            self.br(then if when.constant else other)
            return
        hint = "" if likely is None else f", !prof !{1 if likely else 2}"
        self.end(f"br i1 {when.text}, label %{then}, label %{other}{hint}")

    def ret(self, value: V | int, type_: str | None = None) -> None:
        v = self.value(value, type_ or self.result)
        self.end(f"ret {self.result} {v.text}")

    def end_with(self, number: V) -> None:
        """The result of a function that could also have failed."""
        pair = self.emit(f"insertvalue {{i64, i1}} {{i64 0, i1 false}}, i64 {number.text}, 0", "")
        self.end(f"ret {{i64, i1}} {pair.text}")

    @contextmanager
    def if_(self, when: V, likely: bool | None = None) -> Iterator[None]:
        then, after = self.label(), self.label()
        self.branch(when, then, after, likely)
        self.place(then)
        yield
        self.place(after)

    @contextmanager
    def loop(self) -> Iterator[tuple[str, str]]:
        """Endless; gives the labels (again, out)."""
        again, out = self.label(), self.label()
        self.place(again)
        yield again, out
        self.br(again)
        self.place(out)

    @contextmanager
    def count(self, first: V | int, end: V | int) -> Iterator[V]:
        """for i in first .. end-1."""
        i = Var(self, init=first)
        limit = Var(self, init=end)
        head, body, out = self.label(), self.label(), self.label()
        self.place(head)
        now = i.get()
        self.branch(now < limit.get(), body, out)
        self.place(body)
        yield now
        i.add(1)
        self.br(head)
        self.place(out)

    def leave_unless(self, when: V, out: str) -> None:
        go = self.label()
        self.branch(when, go, out)
        self.place(go)

    def leave_if(self, when: V, out: str) -> None:
        go = self.label()
        self.branch(when, out, go)
        self.place(go)

    def switch(self, value: V, cases: Sequence[tuple[int, str]], default: str) -> None:
        told = " ".join(f"{value.type} {case}, label %{label}" for case, label in cases)
        self.end(f"switch {value.type} {value.text}, label %{default} [ {told} ]")

    # ------------------------------------------------------------- errors

    def fail(self, error: int, a: V | int = 0, b: V | int = 0) -> str:
        """The label of a cold block that notes an error and leaves the function."""
        first, second = self.value(a), self.value(b)
        key = (error, first.text, second.text)
        known = self._fails.get(key)
        if known is not None and first.constant is not None and second.constant is not None:
            return known
        label = self._fresh("fail")
        self._cold += [
            f"{label}:",
            f"  call void @fail(ptr %ctx, i64 {error}, i64 {first.text}, i64 {second.text})",
            f"  {self.on_fail}",
        ]
        self._fails[key] = label
        return label

    def check(self, when: V, error: int, a: V | int = 0, b: V | int = 0) -> None:
        if when.constant == 1:
            return
        good = self.label()
        self.branch(when, good, self.fail(error, a, b), likely=True)
        self.place(good)

    def passed_on(self) -> str:
        """The label of a cold block that leaves the function with an error noted elsewhere."""
        label = self._fails.get(("passed on",))
        if label is None:
            label = self._fails[("passed on",)] = self._fresh("fail")
            self._cold += [f"{label}:", f"  {self.on_fail}"]
        return label
