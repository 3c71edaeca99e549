"""Numbers with a fraction in native code: 64-bit, rounded as Python rounds them."""

from __future__ import annotations

import struct

from ludwright.native.codegen.llvm.builder import Function, Operand

REAL = "double"


def constant(f: Function, value: float) -> Operand:
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    return Operand(f, f"0x{bits:016X}", REAL)


def real(number: Operand) -> Operand:
    """A whole number as one with a fraction."""
    return number.f.emit(f"sitofp i64 {number.text} to double", REAL)


def combined(op: str, left: Operand, right: Operand) -> Operand:
    """`fadd`, `fsub`, `fmul` or `fdiv`."""
    return left.f.emit(f"{op} double {left.text}, {right.text}", REAL)


def exceeds(left: Operand, right: Operand) -> Operand:
    return left.f.emit(f"fcmp ogt double {left.text}, {right.text}", "i1")


def root(value: Operand) -> Operand:
    return value.f.call(REAL, "llvm.sqrt.f64", value)


def logarithm(value: Operand) -> Operand:
    return value.f.call(REAL, "log", value)
