"""References to Python objects in native code: none is lost, whichever way a function is left.

A call of the C interface that makes an object gives null where memory has run out, with the error
set. `own` goes to `failed` then. There, and at every `ret`, what the function still holds is given
back; `give` hands a reference over to something else.
"""

from __future__ import annotations

from ludwright.native.codegen.llvm.builder import Function, Operand, Var


class References:
    """What one function holds. `fail_here` ends its text, so that it knows of all of them."""

    def __init__(self, f: Function) -> None:
        self._f = f
        self._held: dict[str, Var] = {}  # by the name of the value; null when given away
        self.failed = f.label()

    def checked(self, made: Operand) -> Operand:
        """A new object that is handed over at once."""
        self._f.leave_if(made.is_null(), self.failed, likely=False)
        return made

    def own(self, made: Operand) -> Operand:
        """A new object."""
        self._keep(self.checked(made))
        return made

    def hold(self, value: Operand) -> Operand:
        """An object of somebody else, which stays alive meanwhile."""
        self._keep(held(value))
        return value

    def _keep(self, value: Operand) -> None:
        slot = self.later()
        slot.set(value)
        self._held[value.text] = self._held.pop(slot.ptr)

    def later(self) -> Var:
        """Room for an object that comes in one of several ways."""
        slot = Var(self._f, "ptr")
        self._f.at_entry(f"store ptr null, ptr {slot.ptr}")
        self._held[slot.ptr] = slot
        return slot

    def taken(self, slot: Var) -> Operand:
        """What came there, given away."""
        value = slot.get()
        slot.set(self._f.null)
        return value

    def give(self, value: Operand) -> Operand:
        """Whoever gets it has to give it back."""
        self._held[value.text].set(self._f.null)
        return value

    def drop(self, value: Operand) -> None:
        self._f.call("void", "Py_DecRef", self.give(value))

    def ret(self, value: Operand) -> None:
        """Leave the function; a value that it holds must have been given away."""
        f = self._f
        for slot in self._held.values():
            still = slot.get()
            with f.if_(~still.is_null()):
                f.call("void", "Py_DecRef", still)
        f.ret(value)

    def ret_none(self) -> None:
        self.ret(held(none(self._f)))

    def fail_here(self) -> None:
        """Where the function is left with the error that is set."""
        self._f.place(self.failed)
        self.ret(self._f.null)


def none(f: Function) -> Operand:
    return Operand(f, "@_Py_NoneStruct", "ptr")


def held(value: Operand) -> Operand:
    """An object with a reference of its own."""
    value.f.call("void", "Py_IncRef", value)
    return value
