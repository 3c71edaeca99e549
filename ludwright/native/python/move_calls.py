"""Questions about moves, and moves that are played, as one native function.

`follow(state, move, playing)` gives the answers of a move one after another, as `MoveBuilder` does,
with the functions of `game_calls`. Without `playing` (None) it gives what `Game.legal_choices`
would, otherwise what `Game.apply_move` would. It gives None where the kernel has to answer: where
the move is refused or incomplete, picks stand one by one, and wherever something else is not
plain. Nothing has happened then, since every step makes a new state.
"""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native import layout
from ludwright.native.codegen.llvm.builder import Function, Label, Operand, Var
from ludwright.native.codegen.llvm.module import Module
from ludwright.native.python import object_table as objects
from ludwright.native.python.byte_calls import DECISION, argument, bytes_in, field, python_function
from ludwright.native.python.game_calls import Table, equal, item, naming_at, truth
from ludwright.native.python.references import References, held, none
from ludwright.program.limits import MOVE_LIMIT


def add_move_calls(module: Module) -> None:
    with python_function(module, "follow") as (f, refs):
        state, move, playing = (argument(f, at) for at in range(3))
        with f.block() as other:
            walk = _Walk(f, refs, move, other)
            walk.begin(state)
            with f.block() as lacking:
                walk.go_on(lacking)
                # The part has ended: every answer must have been asked for.
                size = f.call("i64", "PyDict_Size", walk.answers)
                f.leave_unless(walk.used.get().eq(size), other)
                with f.if_(playing.ne(none(f))):
                    walk.ret_step()
                walk.ret_completed()
            f.leave_if(playing.ne(none(f)), other)
            walk.ret_open()
        # A key of the move may have failed to compare: the kernel comes to the same.
        f.call("void", "PyErr_Clear")
        refs.ret_none()


class _Walk:
    """A move on its way through its decisions. Leaves for `other` where something is not plain."""

    def __init__(self, f: Function, refs: References, move: Operand, other: Label) -> None:
        self.f, self.refs, self.other = f, refs, other
        self.table = table = Table(f, refs)
        f.leave_unless(table.is_a(move, objects.MOVE), other)
        self.action = table.attribute(move, objects.MOVE_ACTION)
        self.answers = table.attribute(move, objects.MOVE_ANSWERS)
        f.leave_if(self.action.is_null() | self.answers.is_null(), other)
        f.leave_unless(table.is_a(self.action, objects.STR), other)
        self.used = Var(f, init=0)  # how many answers of the move
        self.steps = refs.own(f.call("ptr", "PyList_New", 0))
        # The state, what it waits for, and the id of its decision.
        self.here, self.waits, self.called = (refs.later() for _ in range(3))
        self.step = refs.later()  # the last one, or the decision that is open
        self.given = f.array(3)  # arguments of calls

    def _put(self, slot: Var, value: Operand) -> None:
        """A reference in the place of the one that a slot held before."""
        f, before = self.f, slot.get()
        slot.set(value)
        with f.if_(~before.is_null()):
            f.call("void", "Py_DecRef", before)

    def _call(self, name: str, *given: Operand) -> Operand:
        """One of the functions of `game_calls`; a new reference."""
        for at, value in enumerate(given):
            self.f.store(self.given, at, value, "ptr")
        found = self.f.call("ptr", f"python_{name}", self.f.param("self"), self.given, len(given))
        return self.refs.checked(found)

    # ------------------------------------------------------------- answers

    def begin(self, state: Operand) -> None:
        """Come to the state, and answer the head of the move, if that is what is asked."""
        f, table = self.f, self.table
        self._put(self.here, held(state))
        pc, data, _ = self._look()
        cells = [f.load(data, cell, "i32") for cell in (ir.HEAD, ir.ANSWERED, ir.ACTION)]
        head, answered, action = cells
        menu = table.number(naming_at(pc) + 3).eq(objects.MENU)
        with f.if_(menu & head.ne(0) & answered.eq(0)):
            self._find_id(pc)
            f.leave_unless(self._answer().is_null(), self.other)
            self._choose(pc, self.action)
        with f.else_():
            names = f.select(action.ne(0), objects.ACTIONS, objects.HEADS)
            number = f.select(action.ne(0), action, head)
            f.leave_if(number.eq(0), self.other)
            name = item(table.object(names), number - 1)
            f.leave_unless(equal(self.action, name), self.other)

    def go_on(self, lacking: Label) -> None:
        """Give the answers that the move holds. Leaves for `lacking` at the first that it lacks;
        otherwise the part has ended."""
        f, table = self.f, self.table
        first = Var(f, init=1)
        with f.if_(f.call("i64", "PyList_Size", self.steps).ne(0)):
            first.set(0)
        with f.loop() as ended:
            with f.if_(first.get().eq(0)):
                f.leave_if(field(self._record(), layout.ENDED).ne(0), ended)
            first.set(0)
            pc, _, _ = self._look()
            self._find_id(pc)
            answer = self._answer()
            several = table.number(naming_at(pc) + 3).eq(objects.SEVERAL)
            with f.if_(answer.is_null()):
                f.leave_if(several, self.other)
                f.br(lacking)
            # No two decisions share an id, so there are not more of them than answers.
            self.used.add(1)
            f.leave_if(self.used.get() > MOVE_LIMIT, self.other)
            listed = table.is_a(answer, objects.TUPLE)
            f.leave_unless(listed.eq(several), self.other)
            with f.if_(several):
                self._choose_all(answer)
            with f.else_():
                self._choose(pc, answer)

    def _record(self) -> Operand:
        """The record of the state that the last step led to."""
        self._put(self.waits, held(self.table.waits_of(self.here.get(), self.other)))
        return bytes_in(item(self.waits.get(), 2))

    def _look(self) -> tuple[Operand, Operand, Operand]:
        """The instruction, the cells and the record of a state that waits for a decision."""
        f, record = self.f, self._record()
        data = bytes_in(item(self.waits.get(), 1))
        f.leave_unless(field(record, layout.STOP_KIND).eq(DECISION), self.other)
        return f.load(data, ir.PC, "i32"), data, record

    def _find_id(self, pc: Operand) -> None:
        f, table = self.f, self.table
        with f.block() as found:
            known = table.object(naming_at(pc) + 4)
            with f.if_(~known.is_null()):
                self._put(self.called, held(known))
                f.br(found)
            data = item(self.waits.get(), 1)
            name = f.call("ptr", "PyObject_CallOneArg", table.object(objects.FIND_ID), data)
            self._put(self.called, self.refs.checked(name))

    def _answer(self) -> Operand:
        """What the move says to the decision; null where it says nothing."""
        f = self.f
        found = f.call("ptr", "PyDict_GetItemWithError", self.answers, self.called.get())
        with f.if_(found.is_null()):
            f.leave_unless(f.call("ptr", "PyErr_Occurred").is_null(), self.other)
        return found

    def _choose(self, pc: Operand, answer: Operand) -> None:
        f, table = self.f, self.table
        how = table.number(naming_at(pc))
        with f.if_(how.eq(objects.OF_PIECES) | how.eq(objects.ELSEWHERE)):
            # what answers are called is kept with the decision of the state
            f.call("void", "Py_DecRef", self._call("decision", self.here.get()))
        step = self._call("choose", self.here.get(), answer, none(f))
        with f.if_(step.eq(none(f))):
            f.call("void", "Py_DecRef", step)
            f.br(self.other)
        self._took(step)

    def _choose_all(self, picks: Operand) -> None:
        f, table = self.f, self.table
        given = table.tuple(2)
        table.fill(given, (held(self.here.get()), held(picks)))
        step = f.call("ptr", "PyObject_Call", table.object(objects.CHOOSE_ALL), given, f.null)
        self.refs.drop(given)
        self._took(self.refs.checked(step))

    def _took(self, step: Operand) -> None:
        f = self.f
        self._put(self.step, step)
        failed = f.call("i32", "PyList_Append", self.steps, step)
        f.leave_if(failed.ne(Operand(f, "0", "i32")), self.refs.failed, likely=False)
        self._put(self.here, held(self.table.attribute(step, objects.STEP_STATE)))

    # ------------------------------------------------------------- results

    def ret_step(self) -> None:
        """Leave with all steps as one."""
        f, refs, table = self.f, self.refs, self.table
        with f.if_(f.call("i64", "PyList_Size", self.steps).eq(1)):
            refs.ret(refs.taken(self.step))
        steps = refs.own(f.call("ptr", "PyList_AsTuple", self.steps))
        source = table.tuple(2)
        table.fill(source, (held(table.object(objects.JOINED_FIELDS)), refs.give(steps)))
        made = table.new(objects.STEP)
        values = {objects.STEP_SOURCE: refs.give(source), objects.STEP_STATE: refs.taken(self.here)}
        table.put(made, values)
        refs.ret(refs.give(made))

    def ret_completed(self) -> None:
        """Leave with the word that the move is complete."""
        no_options = self.table.object(objects.NO_OPTIONS)
        self._put(self.called, held(none(self.f)))
        self._ret_request(objects.COMPLETED_FIELDS, True, no_options)

    def ret_open(self) -> None:
        """Leave with the decision that has no answer yet."""
        table = self.table
        self.f.leave_if(self.used.get() >= MOVE_LIMIT, self.other)
        decision = self._call("decision", self.here.get())
        self._put(self.step, decision)
        self.f.leave_unless(table.is_a(decision, objects.DECISION), self.other)
        options = table.attribute(decision, objects.DECISION_OPTIONS)
        self._ret_request(objects.DECIDED_FIELDS, False, options)

    def _ret_request(self, find: int, complete: bool, options: Operand) -> None:
        """Leave with a request whose other fields are found from the last step or decision."""
        refs, table, f = self.refs, self.table, self.f
        source = table.tuple(2)
        made = table.new(objects.REQUEST)
        table.fill(source, (held(table.object(find)), refs.taken(self.step)))
        table.put(made, {
            objects.REQUEST_SOURCE: refs.give(source),
            objects.REQUEST_COMPLETE: truth(f.value(int(complete))),
            objects.REQUEST_ID: refs.taken(self.called), objects.REQUEST_OPTIONS: held(options),
        })  # fmt: skip
        refs.ret(refs.give(made))
