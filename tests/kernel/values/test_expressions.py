"""Expressions, streams, stores and the faults they raise."""

from __future__ import annotations

from typing import Any

import pytest

from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Refused, Run
from ludwright.program.types import NO_INT, Type
from tests.kernel.assembler import Assembler, const, integer, load, upto

R = [1_000_000_000 + number for number in range(8)]  # the assembler's registers


def machine(**more: Any) -> tuple[Assembler, Any]:
    asm = Assembler(seats=("a", "b", "c"), spaces=tuple("uvwxyz"), **more)
    asm.rows.append(((1, 2), (0, 2), (0, 1), (4,), (3,), ()))
    asm.tables.append((5, 6, 7))

    def value(expr: ir.Expr) -> Any:
        asm.code = [ir.Finish(asm.end())]
        asm.marks["start"] = 0
        linked = asm._link(expr)
        built = Machine(asm.program())
        S = built.scratch(built.fresh(0, 3, 0), Run())
        return built.expressions.expr(linked)(S)

    return asm, value


def listed(source: ir.Source, cap: int = 99) -> ir.MakeList:
    return ir.MakeList(source, cap)


def squares(lo: int, hi: int) -> ir.Stream:
    return ir.Stream((ir.Loop((R[0],), upto(lo, hi)),), ir.Arith("*", load(R[0]), load(R[0])))


EVEN = ir.Compare("==", ir.Arith("%", load(R[0]), const(2)), const(0))
EVENS = ir.Stream((ir.Loop((R[0],), upto(1, 6)), ir.Filter(EVEN)), load(R[0]))


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (ir.Arith("//", const(-7), const(2)), -4),
        (ir.Arith("%", const(-7), const(2)), 1),
        (ir.Arith("%", const(7), const(-2)), -1),
        (ir.Arith("min", const(3), const(2)), 2),
        (ir.Arith("max", const(3), const(2)), 3),
        (ir.Compare("<", const((1, 2)), const((1, 3))), True),
        (ir.And(const(1), ir.Compare("==", const(1), const(2))), False),
        (ir.Or(const(0), const(1)), 1),
        (ir.Select(const(0), const(5), const(6)), 6),
        (ir.Bind(R[1], const(4), ir.Arith("*", load(R[1]), load(R[1]))), 16),
        (ir.Lookup(0, const(2), -9), 7),
        (ir.Lookup(0, const(-1), -9), -9),
        (ir.Item(ir.MakeTuple((const(1), const(2), const(3))), 2), 3),
        (ir.ListItem(const((4, 5)), const(1)), 5),
        (ir.Length(const((4, 5))), 2),
        (ir.Length(const(0b1011), of_set=True), 3),
        (listed(squares(1, 4)), (1, 4, 9, 16)),
        (listed(EVENS), (2, 4, 6)),
        (ir.MakeList(ir.ConstSource((3, 1, 3)), 9, distinct=True), (3, 1)),
        (ir.Sorted(const((3, 1, 2))), (1, 2, 3)),
        (ir.Sorted(const((3, 1, 2)), descending=True), (3, 2, 1)),
        (ir.MakeSet(ir.ConstSource((3, 5)), 3, 9), 0b101),
        (listed(ir.SetSource(const(0b101), 3)), (3, 5)),
        (ir.SetOp("union", const(1), const(6)), 7),
        (ir.SetOp("minus", const(7), const(2)), 5),
        (ir.SetOp("both", const(7), const(10)), 2),
        (ir.InSet(const(4), const(0b10), 3), True),
        (ir.InSet(const(2), const(0b10), 3), False),
        (ir.InStream(const(4), EVENS), True),
        (ir.InStream(const(5), ir.ConstSource((1, 2))), False),
        (ir.Group(ir.ConstSource((3, 1, 3)), 9), ((1, 1), (3, 2))),
        (ir.Reach(ir.ConstSource((0,)), None, None, 0), 0b111),
        (ir.Reach(ir.ConstSource((0,)), const(0b010), None, 0), 0b011),
        (ir.Reach(ir.ConstSource((3,)), None, const(0), 0), 0b1000),
        (ir.Aggregate("count", EVENS), 3),
        (ir.Aggregate("sum", EVENS), 12),
        (ir.Aggregate("min", EVENS), 2),
        (ir.Aggregate("max", squares(1, 3)), 9),
        (ir.Aggregate("max", ir.ConstSource(()), const(-3)), -3),
        (ir.Aggregate("first", EVENS), 2),
        (ir.Aggregate("first", ir.ConstSource(())), -1),
        (ir.Aggregate("exists", EVENS), True),
        (ir.Aggregate("exists", ir.ConstSource(())), False),
        (ir.Aggregate("all", ir.Stream((ir.Loop((R[0],), upto(2, 2)),), EVEN)), True),
        (ir.Aggregate("any", ir.Stream((ir.Loop((R[0],), upto(1, 1)),), EVEN)), False),
        (ir.Aggregate("any", ir.ConstSource((0, 1))), True),
        (listed(ir.ConcatSource((upto(1, 2), ir.ItemsSource((const(9),))))), (1, 2, 9)),
        (listed(ir.SelectSource(const(1), upto(1, 2), upto(3, 4))), (1, 2)),
        (listed(ir.BindSource(R[2], const(2), ir.RangeSource(load(R[2]), const(4)))), (2, 3, 4)),
        (listed(ir.RowSource(0, const(1))), (0, 2)),
        (listed(ir.RowSource(0, const(-1))), ()),
        (listed(ir.SeatsSource()), (0, 1, 2)),
        (listed(ir.SeatsSource(const(1))), (1, 2, 0)),
        (listed(ir.SeatsSource(const(1), after=True)), (2, 0, 1)),
        (listed(ir.CombosSource(const((7, 8, 9)), const(2))), ((7, 8), (7, 9), (8, 9))),
        (listed(ir.CombosSource(const((7,)), const(2))), ()),
    ],
)
def test_values(expr: ir.Expr, expected: object) -> None:
    _, value = machine()
    assert value(expr) == expected


def test_nested_loops_and_tuples_unpack() -> None:
    _, value = machine()
    pairs = ir.Stream(
        (ir.Loop((R[0],), upto(1, 2)), ir.Loop((R[1],), ir.RangeSource(load(R[0]), const(2)))),
        ir.MakeTuple((load(R[0]), load(R[1]))),
    )
    assert value(listed(pairs)) == ((1, 1), (1, 2), (2, 2))
    sums = ir.Stream((ir.Loop((R[2], R[3]), pairs),), ir.Arith("+", load(R[2]), load(R[3])))
    assert value(listed(sums)) == (2, 3, 4)


def test_until_keeps_the_element_that_ends_the_loop() -> None:
    _, value = machine()
    big = ir.Compare(">=", load(R[0]), const(4))
    ray = (ir.Loop((R[0],), upto(1, 6)), ir.Until(big))
    assert value(listed(ir.Stream(ray, load(R[0])))) == (1, 2, 3, 4)
    # A filter behind `until` drops the element, but the loop ends all the same.
    assert value(listed(ir.Stream((*ray, ir.Filter(EVEN)), load(R[0])))) == (2, 4)
    odd = ir.Filter(ir.Not(EVEN))
    assert value(listed(ir.Stream((ray[0], odd, ray[1]), load(R[0])))) == (1, 3, 5)


def test_streams_are_lazy() -> None:
    _, value = machine()
    inverse = ir.Arith("//", const(6), ir.Arith("-", const(2), load(R[0])))
    stream = ir.Stream((ir.Loop((R[0],), upto(1, 3)),), inverse)
    assert value(ir.Aggregate("first", stream)) == 6
    with pytest.raises(RulebookFault):
        value(ir.Aggregate("sum", stream))


def test_functions_get_all_arguments_before_any_is_stored() -> None:
    asm, value = machine()
    body = ir.Arith("-", load(R[0]), load(R[1]))
    asm.functions.append(ir.Function("minus", (R[0], R[1]), body, integer()))
    swapped = ir.Bind(
        R[0], const(9), ir.Bind(R[1], const(4), ir.CallFn(0, (load(R[1]), load(R[0]))))
    )
    assert value(swapped) == -5


@pytest.mark.parametrize(
    ("expr", "code"),
    [
        (ir.Arith("//", const(1), const(0), 0), "division"),
        (ir.Arith("%", const(1), const(0), 0), "division"),
        (ir.Arith("*", const(2**40), const(2**40), 0), "overflow"),
        (ir.Arith("+", const(2**62), const(2**62), 0), "overflow"),
        (ir.Aggregate("sum", ir.ConstSource((2**62, 2**62)), site=0), "overflow"),
        (ir.ListItem(const((1,)), const(1), 0), "range"),
        (ir.Lookup(0, const(3), -1, 0), "range"),
        (ir.LoadAt(0, const(5), 3, -1, site=0), "range"),
        (ir.MakeSet(ir.ConstSource((9,)), 0, 3, 0), "range"),
        (ir.MakeList(ir.ConstSource((1, 2)), 1, site=0), "range"),
    ],
)
def test_faults_name_code_and_rule(expr: ir.Expr, code: str) -> None:
    _, value = machine()
    with pytest.raises(RulebookFault) as caught:
        value(expr)
    assert (caught.value.code, caught.value.rule) == (code, "a rule")


def test_the_largest_of_nothing_is_refused() -> None:
    _, value = machine()
    with pytest.raises(Refused):
        value(ir.Aggregate("max", ir.ConstSource(())))


# ----------------------------------------------------------------------- stores


def stored(value: int, overflow: Any, type_: Type | None = None) -> Any:
    asm = Assembler()
    asm.mark("start")
    type_ = type_ or integer(0, 9)
    x = asm.variable("x", type_, 5)
    asm.emit(ir.Store(x, load(ir.TURN), type_, overflow=overflow, variable=0, site=0))
    asm.emit(ir.Finish(asm.end()))
    asm.initial[ir.TURN] = value
    game = asm.game()
    return game.observe(game.initial_state(), None)["variables"]["x"]


def test_stores_keep_the_declared_range() -> None:
    assert stored(7, "fault") == 7
    assert stored(12, "clamp") == 9
    assert stored(-3, "clamp") == 0
    assert stored(NO_INT, "fault", integer(0, 9, optional=True)) is None
    with pytest.raises(RulebookFault) as caught:
        stored(12, "fault")
    assert caught.value.code == "range"
    with pytest.raises(RulebookFault) as late:
        stored(12, "refuse")
    assert late.value.code == "late-refusal", "nobody could have chosen otherwise in set-up"


def test_storing_at_none_is_a_fault() -> None:
    asm = Assembler(spaces=("a", "b"))
    asm.mark("start")
    x = asm.variable("x", integer(), scope="space", count=2)
    asm.emit(ir.Store(x, const(1), integer(), index=const(-1), size=2, site=0))
    with pytest.raises(RulebookFault) as caught:
        asm.game().initial_state()
    assert caught.value.code == "none"


def test_endless_loops_end() -> None:
    asm = Assembler()
    asm.mark("start")
    asm.emit(ir.Tick(0), ir.Jump(asm.at("start")))
    machine_ = Machine(asm.program(), tick_limit=1000)
    with pytest.raises(RulebookFault) as caught:
        machine_.start(machine_.scratch(machine_.fresh(0, 2, 0), Run()))
    assert caught.value.code == "ticks"


def test_histories_count_positions() -> None:
    asm = Assembler()
    asm.mark("start")
    x, times = asm.variable("x", integer()), asm.variable("times", integer())
    ring = asm.cells(1 + 2 * 3)
    asm.histories.append(ir.History("positions", ring, 3, True, (load(x),)))
    for value in (1, 2, 1, 1):
        asm.emit(ir.Store(x, const(value), integer()), ir.RecordPosition(0, 0))
    asm.emit(ir.Store(times, ir.Times(0), integer()), ir.Finish(asm.end()))
    game = asm.game()
    # The ring keeps the last three: 2, 1, 1.
    assert game.observe(game.initial_state(), None)["variables"]["times"] == 2
    asm.histories[0] = ir.History("positions", ring, 3, False, (load(x),))
    with pytest.raises(RulebookFault):
        asm.game().initial_state()
