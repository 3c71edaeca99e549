"""References to Python objects in native code: none is lost, whichever way a function is left.

A call of the C interface that makes an object gives null where memory has run out, with the error
set. `own` goes to `failed` then. There, and at every `ret`, what the function still holds is given
back; `give` hands a reference over to something else.
"""

from __future__ import annotations

from ludwright.native.builder import F, V, Var


class References:
    """What one function holds. `fail_here` ends its text, so that it knows of all of them."""

    def __init__(self, f: F) -> None:
        self._f = f
        self._held: dict[str, Var] = {}  # by the name of the value; null when given away
        self.failed = f.label()
        self._null = V(f, "null", "ptr")

    def checked(self, made: V) -> V:
        """A new object that is handed over at once."""
        f, there = self._f, self._f.label()
        f.branch(f.icmp("eq", made, self._null), self.failed, there, likely=False)
        f.place(there)
        return made

    def own(self, made: V) -> V:
        """A new object."""
        self._keep(self.checked(made))
        return made

    def hold(self, value: V) -> V:
        """An object of somebody else, which stays alive meanwhile."""
        self._f.call("void", "Py_IncRef", value)
        self._keep(value)
        return value

    def _keep(self, value: V) -> None:
        slot = self.later()
        slot.set(value)
        self._held[value.text] = self._held.pop(slot.ptr)

    def later(self) -> Var:
        """Room for an object that comes in one of several ways."""
        slot = Var(self._f, "ptr")
        self._f.at_entry(f"store ptr null, ptr {slot.ptr}")
        self._held[slot.ptr] = slot
        return slot

    def taken(self, slot: Var) -> V:
        """What came there, given away."""
        value = slot.get()
        slot.set(self._null)
        return value

    def give(self, value: V) -> V:
        """Whoever gets it has to give it back."""
        self._held[value.text].set(self._null)
        return value

    def drop(self, value: V) -> None:
        self._f.call("void", "Py_DecRef", self.give(value))

    def ret(self, value: V) -> None:
        """Leave the function; a value that it holds must have been given away."""
        f = self._f
        for slot in self._held.values():
            still = slot.get()
            with f.if_(f.icmp("ne", still, self._null)):
                f.call("void", "Py_DecRef", still)
        f.ret(value)

    def ret_none(self) -> None:
        none = V(self._f, "@_Py_NoneStruct", "ptr")
        self._f.call("void", "Py_IncRef", none)
        self.ret(none)

    def fail_here(self) -> None:
        """Where the function is left with the error that is set."""
        self._f.place(self.failed)
        self.ret(self._null)
