"""Functions every module has: noting errors, and the generators behind chance and random play."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Operand, Var
from ludwright.native.codegen.llvm.module import Module
from ludwright.program.rng import FIRST_FACTOR, GAMMA, SECOND_FACTOR

_GAMMA = GAMMA - (1 << 64)
_FIRST = FIRST_FACTOR - (1 << 64)
_SECOND = SECOND_FACTOR - (1 << 64)
_LOW = 0xFFFFFFFF


def add_library(module: Module) -> None:
    _fail(module)
    _mix(module)
    _draw(module)
    _policy(module)


def _fail(module: Module) -> None:
    """`fail`: note an error."""
    with module.function("fail", "void", "ptr ctx", "i64 error", "i64 a", "i64 b", cold=True) as f:
        f.ctx[layout.ERROR] = f.param("error") + 1
        f.ctx[layout.ERROR_A] = f.param("a")
        f.ctx[layout.ERROR_B] = f.param("b")
        f.ret()


def _scrambled(z: Operand) -> Operand:
    """SplitMix64's output function."""
    z = (z ^ (z >> 30)) * _FIRST
    z = (z ^ (z >> 27)) * _SECOND
    return z ^ (z >> 31)


def _mix(module: Module) -> None:
    """`mix`: a number from another one, as `program.rng.mix`."""
    with module.function("mix", "i64", "i64 value") as f:
        f.ret(_scrambled(f.param("value") + _GAMMA))


def following(seed: Var) -> Operand:
    """The next 64 bits of a generator; `seed` moves on."""
    seed.set(seed.get() + _GAMMA)
    return _scrambled(seed.get())


def bounded(seed: Var, n: Operand) -> Operand:
    """A uniform number in 0..n-1; `seed` moves on."""
    f = seed.f

    def product() -> Operand:
        return (following(seed) >> 32) * n

    found = Var(f, init=product())
    with f.if_((found.get() & _LOW).below(n), likely=False):
        threshold = Var(f, init=f.divide("urem", f.value(1 << 32) - n, n))
        with f.while_(lambda: (found.get() & _LOW).below(threshold.get())):
            found.set(product())
    return found.get() >> 32


def _draw(module: Module) -> None:
    """`draw`: from the generator in the state."""
    with module.function("draw", "i64", "ptr state", "i64 n") as f:
        # two cells as one word; a state may lie at any multiple of four bytes
        assert (ir.RNG_LO, ir.RNG_HI) == (0, 1)
        seed = Var(f, init=f.emit("load i64, ptr %state, align 4"))
        result = bounded(seed, f.param("n"))
        f.do(f"store i64 {seed.get().text}, ptr %state, align 4")
        f.ret(result)


def _policy(module: Module) -> None:
    """`policy`: from the generator of random play; a single outcome draws nothing."""
    with module.function("policy", "i64", "ptr ctx", "i64 n") as f:
        with f.if_(f.param("n") <= 1):
            f.ret(0)
        seed = Var(f, init=f.ctx[layout.POLICY])
        result = bounded(seed, f.param("n"))
        f.ctx[layout.POLICY] = seed.get()
        f.ret(result)
