"""Functions every module has: errors, the generator, pieces in places."""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.module import Module

_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)
_FIRST = 0xBF58476D1CE4E5B9 - (1 << 64)
_SECOND = 0x94D049BB133111EB - (1 << 64)
_LOW = 0xFFFFFFFF


def add_runtime(module: Module) -> None:
    _fail(module)
    _mix(module)
    _draw(module)
    _policy(module)


def _fail(module: Module) -> None:
    f = F(
        "fail", "void", (("ptr", "ctx"), ("i64", "error"), ("i64", "a"), ("i64", "b")),
        module.errors, on_fail="unreachable", attributes="cold noinline nounwind",
    )  # fmt: skip
    f.set_ctx(layout.ERROR, f.param("error") + 1)
    f.set_ctx(layout.ERROR_A, f.param("a"))
    f.set_ctx(layout.ERROR_B, f.param("b"))
    f.end("ret void")
    module.add(f)


def finish(f: F, z: V) -> V:
    """SplitMix64's output function."""
    z = (z ^ (z >> 30)) * _FIRST
    z = (z ^ (z >> 27)) * _SECOND
    return z ^ (z >> 31)


def _mix(module: Module) -> None:
    f = F("mix", "i64", (("i64", "value"),), module.errors, on_fail="unreachable")
    f.ret(finish(f, f.param("value") + _GAMMA))
    module.add(f)


def _below(f: F, seed: Var, n: V) -> V:
    """A uniform number in 0..n-1; `seed` moves on."""

    def product() -> V:
        seed.set(seed.get() + _GAMMA)
        return (finish(f, seed.get()) >> 32) * n

    found = Var(f, init=product())
    sure, maybe, again = f.label(), f.label(), f.label()
    f.branch((found.get() & _LOW).below(n), maybe, sure, likely=False)
    f.place(maybe)
    threshold = Var(f, init=f.emit(f"urem i64 {(f.value(1 << 32) - n).text}, {n.text}"))
    f.place(again)
    redo = f.label()
    f.branch((found.get() & _LOW).below(threshold.get()), redo, sure)
    f.place(redo)
    found.set(product())
    f.br(again)
    f.place(sure)
    return found.get() >> 32


def _draw(module: Module) -> None:
    """From the generator in the state."""
    f = F(
        "draw", "i64", (("ptr", "state"), ("i64", "n")), module.errors, on_fail="unreachable"
    )  # fmt: skip
    # two cells as one word; a state may lie at any multiple of four bytes
    seed = Var(f, init=f.emit("load i64, ptr %state, align 4"))
    assert ir.RNG_LO == 0
    assert ir.RNG_HI == 1
    result = _below(f, seed, f.param("n"))
    f.do(f"store i64 {seed.get().text}, ptr %state, align 4")
    f.ret(result)
    module.add(f)


def _policy(module: Module) -> None:
    """From the generator of random play; a single outcome draws nothing."""
    f = F("policy", "i64", (("ptr", "ctx"), ("i64", "n")), module.errors, on_fail="unreachable")
    only, several = f.label(), f.label()
    f.branch(f.param("n") <= 1, only, several)
    f.place(only)
    f.ret(0)
    f.place(several)
    seed = Var(f, init=f.ctx(layout.POLICY))
    result = _below(f, seed, f.param("n"))
    f.set_ctx(layout.POLICY, seed.get())
    f.ret(result)
    module.add(f)
