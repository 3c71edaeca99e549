"""Evaluates the constant expressions of declarations: sizes, bounds, counts, attributes.

Exact integers with floor division, no truthiness, bounded work. A failure is reported once, at
the expression's span, and gives None.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.parsing.source import BROKEN as UNREADABLE
from ludwright.language.tree import (
    Attr,
    Binary,
    BoolLit,
    Call,
    Cond,
    Expr,
    Index,
    IntLit,
    ListLit,
    Name,
    NoneLit,
    TupleLit,
    Unary,
)
from ludwright.language.world.values import NONE, Many, Named, Raw, describe, same, suggest
from ludwright.program.types import INT_MAX, INT_MIN
from ludwright.program.world import World

MAX_LIST = 4_096
MAX_TUPLE = 8
MAX_DEPTH = 150
MAX_INTERMEDIATE = 2**63 - 1
MAX_STEPS = 5_000_000  # of one evaluator: a computed attribute runs once per space
MAX_REFUSALS = 200  # of one evaluator: a table may repeat one mistake in every row

# Reads an attribute of a space (by name); None when no space has such an attribute.
AttributeReader = Callable[[str, str], Raw | None]

_ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
_ORDER: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class _Refused(Exception):
    """The problem has been reported; unwinds to `evaluate`."""


class ConstantEvaluator:
    """Evaluates over the parts of a world that are known so far."""

    def __init__(
        self,
        world: World,
        diagnostics: Diagnostics,
        read_attribute: AttributeReader | None = None,
        attribute_names: Callable[[], list[str]] = list,
    ) -> None:
        self._world = world
        self._diagnostics = diagnostics
        self._read_attribute = read_attribute
        self._attribute_names = attribute_names
        self._here: Named | None = None
        self._depth = 0
        self._steps = 0
        self._refusals = 0
        self._member_names: dict[str, frozenset[str]] = {}

    def reading(
        self, read_attribute: AttributeReader, attribute_names: Callable[[], list[str]]
    ) -> ConstantEvaluator:
        """The same, where spaces have attributes."""
        return ConstantEvaluator(self._world, self._diagnostics, read_attribute, attribute_names)

    def evaluate(self, expr: Expr, here: str | None = None) -> Raw | None:
        """The value, or None after a diagnostic. `here` is the space called `it` and `here`."""
        self._here = Named(here, "space") if here is not None else None
        self._depth = 0
        try:
            return self._value(expr)
        except _Refused:
            return None

    def integer(self, expr: Expr, what: str) -> int | None:
        """A number that fits the state's cells; `what` names it in the message."""
        value = self.evaluate(expr)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            suggestion: str | None = "write a whole number, a parameter or arithmetic on them"
            if isinstance(value, Named):
                suggestion = suggest(value.name, self._world.parameters, suggestion)
            self._diagnostics.error(
                "not-a-number", expr.span, f"{what} must be a number, not {describe(value)}",
                suggestion,
            )  # fmt: skip
            return None
        if not INT_MIN <= value <= INT_MAX:
            self._diagnostics.error(
                "number-out-of-range", expr.span,
                f"{what} is {value}, but numbers must lie in {INT_MIN}..{INT_MAX}",
                "use a smaller number",
            )  # fmt: skip
            return None
        return value

    # ------------------------------------------------------------------ nodes

    def _value(self, expr: Expr) -> Raw:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._refuse(
                "too-large", expr.span, "this expression is nested too deeply",
                "split it over several attributes",
            )  # fmt: skip
        self._spend(1, expr.span)
        value = self._dispatch(expr)
        self._depth -= 1
        return value

    def _dispatch(self, expr: Expr) -> Raw:
        if isinstance(expr, IntLit | BoolLit):
            return expr.value
        if isinstance(expr, NoneLit):
            return NONE
        if isinstance(expr, Name):
            return self._name(expr)
        if isinstance(expr, Attr):
            return self._attribute(expr)
        if isinstance(expr, Unary):
            if expr.op == "not":
                return not self._bool(expr.arg)
            return self._checked(-self._int(expr.arg), expr.span)
        if isinstance(expr, Binary):
            return self._binary(expr)
        if isinstance(expr, Cond):
            return self._value(expr.then if self._bool(expr.when) else expr.other)
        if isinstance(expr, ListLit):
            self._check_length(len(expr.items), expr.span)
            return Many(tuple(self._value(item) for item in expr.items))
        if isinstance(expr, TupleLit):
            if len(expr.items) > MAX_TUPLE:
                raise self._refuse(
                    "too-large", expr.span,
                    f"a tuple has at most {MAX_TUPLE} items, this one has {len(expr.items)}",
                    "write a list in [ ]",
                )  # fmt: skip
            return Many(tuple(self._value(item) for item in expr.items), is_list=False)
        if isinstance(expr, Call):
            return self._call(expr)
        if isinstance(expr, Index) and isinstance(expr.of, Name):
            raise self._refuse(
                "not-constant", expr.span,
                f"`{expr.of.id}` is not known yet where spaces, seats and rows are declared",
                f"declare a function: `fns: {{ f(s): {expr.of.id}[s] }}`, and write `f(s)`",
            )  # fmt: skip
        raise self._refuse(
            "not-constant", expr.span, "only constants can stand in a declaration",
            "use numbers, names, parameters, lists and arithmetic on them",
        )  # fmt: skip

    def _name(self, expr: Name) -> Raw:
        if expr.id == UNREADABLE:
            raise _Refused  # told when it was read
        if expr.id in ("it", "here"):
            if self._here is None:
                raise self._refuse(
                    "not-constant", expr.span, f"there is no `{expr.id}` here",
                    f"`{expr.id}` is the space, in computed attributes of a space group",
                )  # fmt: skip
            return self._here
        parameter = self._world.parameters.get(expr.id)
        return parameter if parameter is not None else Named(expr.id, span=expr.span)

    def _attribute(self, expr: Attr) -> Raw:
        if isinstance(expr.of, Name):
            members = self._members(expr.of.id)
            if members is not None:
                if expr.name in members:
                    return Named(expr.name, expr.of.id, expr.span)
                raise self._refuse(
                    "unknown-name", expr.span, f"`{expr.of.id}` has no value `{expr.name}`",
                    suggest(expr.name, members, _one_of(members)),
                )  # fmt: skip
        owner = self._value(expr.of)
        if owner is NONE:
            return NONE
        if isinstance(owner, Named) and self._read_attribute is not None:
            value = self._read_attribute(owner.name, expr.name)
            if value is not None:
                return value
            names = self._attribute_names()
            raise self._refuse(
                "unknown-attribute", expr.span,
                f"spaces have no attribute `{expr.name}` at this point",
                suggest(expr.name, names, _one_of(names)),
            )  # fmt: skip
        raise self._refuse(
            "not-constant", expr.span, f"`.{expr.name}` cannot be read in this declaration",
            "write the value itself",
        )  # fmt: skip

    def _members(self, name: str) -> tuple[str, ...] | None:
        """The values of an enum, or the rows of a table, called `name`."""
        if name in self._world.enums:
            return self._world.enums[name]
        table = self._world.tables.get(name)
        return table.rows if table is not None else None

    def _binary(self, expr: Binary) -> Raw:
        op = expr.op
        if op == "and":
            return self._bool(expr.left) and self._bool(expr.right)
        if op == "or":
            return self._bool(expr.left) or self._bool(expr.right)
        if op in ("in", "not in"):
            found = self._contains(self._value(expr.left), expr.right)
            return found if op == "in" else not found
        if op == "..":
            return self._range(expr)
        if op in ("==", "!="):
            left, right = self._value(expr.left), self._value(expr.right)
            if left is not NONE and right is not NONE and type(left) is not type(right):
                raise self._refuse(
                    "type-mismatch", expr.span,
                    f"{describe(left)} is never equal to {describe(right)}",
                    "compare values of the same type",
                )  # fmt: skip
            return same(left, right) if op == "==" else not same(left, right)
        if op in _ORDER:
            return _ORDER[op](self._int(expr.left), self._int(expr.right))
        return self._arithmetic(expr)

    def _contains(self, item: Raw, collection: Expr) -> bool:
        # A range or a whole group is not listed: a computed attribute asks for every space.
        if isinstance(collection, Binary) and collection.op == "..":
            low, high = self._int(collection.left), self._int(collection.right)
            return isinstance(item, int) and not isinstance(item, bool) and low <= item <= high
        if isinstance(collection, Name) and isinstance(item, Named):
            names = self._member_names.get(collection.id)
            if names is None:
                names = frozenset(self._universe(collection.id) or ())
                self._member_names[collection.id] = names
            if names:
                return item.name in names
        members = self._collection(collection).items
        self._spend(len(members), collection.span)
        return any(same(item, member) for member in members)

    def _hyphenated(self, expr: Expr) -> str | None:
        """`da-nang` where a space or row of that name was declared: it is called `da_nang`."""
        words: list[str] = []
        while isinstance(expr, Binary) and expr.op == "-" and isinstance(expr.right, Name):
            words.insert(0, expr.right.id)
            expr = expr.left
        if not words or not isinstance(expr, Name):
            return None
        name = "_".join((expr.id, *words))
        spaces = (place.name for place in self._world.places)
        rows = (row for table in self._world.tables.values() for row in table.rows)
        return name if name in spaces or name in rows else None

    def _arithmetic(self, expr: Binary) -> Raw:
        known = self._hyphenated(expr) if expr.op == "-" else None
        if known is not None:
            return Named(known, span=expr.span)
        left = self._value(expr.left)
        if expr.op == "+" and isinstance(left, Many) and left.is_list:
            right_items = self._collection(expr.right).items
            self._check_length(len(left.items) + len(right_items), expr.span)
            self._spend(len(left.items) + len(right_items), expr.span)
            return Many(left.items + right_items)
        first = self._as_int(left, expr.left.span)
        second = self._int(expr.right)
        if expr.op in ("//", "%") and second == 0:
            raise self._refuse(
                "division-by-zero", expr.span, "this divides by zero", "divide by at least 1"
            )
        return self._checked(_ARITHMETIC[expr.op](first, second), expr.span)

    def _range(self, expr: Binary) -> Raw:
        low, high = self._int(expr.left), self._int(expr.right)
        self._check_length(high - low + 1, expr.span)
        self._spend(max(0, high - low), expr.span)
        return Many(tuple(range(low, high + 1)))

    def _collection(self, expr: Expr) -> Many:
        """A list, or the members of the group, seats or spaces named."""
        value = self._value(expr)
        if isinstance(value, Many):
            return value
        if isinstance(value, Named) and not value.universe:
            members = self._universe(value.name)
            if members is not None:
                self._spend(len(members), expr.span)
                return Many(tuple(Named(member) for member in members))
        raise self._refuse(
            "type-mismatch", expr.span, f"a list is needed here, not {describe(value)}",
            "write a list in [ ], or the name of a group of spaces",
        )  # fmt: skip

    def _universe(self, name: str) -> tuple[str, ...] | None:
        world = self._world
        if name == "seats":
            return world.seats
        if name == "spaces":
            return tuple(place.name for place in world.places[: world.space_count])
        if name in world.groups:
            return tuple(world.places[index].name for index in world.groups[name])
        return world.enums.get(name)

    def _call(self, expr: Call) -> Raw:
        if expr.fn in ("min", "max") and expr.args and not expr.named:
            numbers = [self._int(argument) for argument in expr.args]
            return min(numbers) if expr.fn == "min" else max(numbers)
        if expr.fn == "abs" and len(expr.args) == 1 and not expr.named:
            return abs(self._int(expr.args[0]))
        if expr.fn == "count" and len(expr.args) == 1 and not expr.named:
            return len(self._collection(expr.args[0]).items)
        raise self._refuse(
            "not-constant", expr.span, f"`{expr.fn}(…)` cannot be used in a declaration",
            "declarations know min, max, abs (of numbers) and count (of a list or group)",
        )  # fmt: skip

    # ------------------------------------------------------------------ checks

    def _int(self, expr: Expr) -> int:
        return self._as_int(self._value(expr), expr.span)

    def _as_int(self, value: Raw, span: Span | None) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            suggestion: str | None = None
            if isinstance(value, Named):
                suggestion = suggest(value.name, self._world.parameters)
            raise self._refuse(
                "not-a-number", span, f"a number is needed here, not {describe(value)}", suggestion
            )
        return value

    def _bool(self, expr: Expr) -> bool:
        value = self._value(expr)
        if isinstance(value, bool):
            return value
        raise self._refuse(
            "type-mismatch", expr.span, f"a condition is needed here, not {describe(value)}",
            "write a comparison, for example `it.row == 1`",
        )  # fmt: skip

    def _checked(self, value: int, span: Span | None) -> int:
        if abs(value) > MAX_INTERMEDIATE:
            raise self._refuse(
                "number-out-of-range", span, "this number does not fit 64 bits",
                "use smaller numbers",
            )  # fmt: skip
        return value

    def _spend(self, steps: int, span: Span | None) -> None:
        exhausted = self._steps > MAX_STEPS
        self._steps += steps
        if exhausted:
            raise _Refused  # said once, when it happened
        if self._steps > MAX_STEPS:
            raise self._refuse(
                "too-large", span, "the constants of the declarations take too long to compute",
                "use simpler expressions, fewer spaces or smaller tables",
            )  # fmt: skip

    def _check_length(self, length: int, span: Span | None) -> None:
        if length > MAX_LIST:
            raise self._refuse(
                "too-large", span, f"this list has {length} items; at most {MAX_LIST} are allowed",
                "use a shorter list",
            )  # fmt: skip

    def _refuse(
        self, code: str, span: Span | None, message: str, suggestion: str | None
    ) -> _Refused:
        self._refusals += 1
        if self._refusals <= MAX_REFUSALS:
            self._diagnostics.error(code, span, message, suggestion)
        return _Refused()


def _one_of(names: tuple[str, ...] | list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:8])
    return f"choose one of {shown}" if shown else "declare it first"
