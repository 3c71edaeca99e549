"""Instructions of a Program as native code: one function for a stretch of them.

Every instruction has a label; jumps, calls and returns within the stretch are jumps of the native
code. A function is entered at an instruction, with an answer to a choice, or at the offer of one:
see `programs`.
"""

from __future__ import annotations

from ludwright.kernel import program as ir
from ludwright.kernel.context import fault_words, uncounted
from ludwright.kernel.pieces import EVERYONE
from ludwright.kernel.types import INT_MAX, NO_INT, Type
from ludwright.native import layout
from ludwright.native.builder import F, V, Var
from ludwright.native.chances import Chances
from ludwright.native.deciding import Deciding
from ludwright.native.errors import NativeUnsupported
from ludwright.native.eventing import (
    CHANGED,
    CONCEALED,
    EMITTED,
    ENDED,
    MOVED,
    REVEALED,
    SHUFFLED,
    Events,
)
from ludwright.native.expressions import Body
from ludwright.native.module import BODY_PARAMS, Module
from ludwright.native.moving import Moving, WholeMove, whole_move
from ludwright.native.options import Options
from ludwright.native.pieces import PieceCode
from ludwright.native.publishing import end_part
from ludwright.native.recalling import recallable
from ludwright.native.shapes import CELL, Int, Lst, Shape, as_list, of_type
from ludwright.native.ticking import tick
from ludwright.native.values import Value, Wide

_REVEAL, _END, _OVER = (layout.BARRIERS.index(name) for name in ("reveal", "end", "over"))
_STOP_OVER = layout.STOPS.index("over")


class Running:
    """Writes one function with the instructions `span` of a Program."""

    def __init__(
        self, module: Module, pieces: PieceCode, options: Options, span: tuple[int, int],
        shared: dict[int, int],
    ) -> None:  # fmt: skip
        self.module = module
        self.program = module.program
        self.pieces = pieces
        self.options = options
        self.first, self.end = span
        self.f = F(
            f"part{self.first}", "i32", (*BODY_PARAMS, ("i32", "where")), module.errors,
            on_fail="ret i32 -4",
        )  # fmt: skip
        self.body = Body(module, self.f, shared)
        self.events = Events(self.body)
        self.has_best = module.has_best
        f = self.f
        self.seat = Var(f, init=0)
        self.given = Var(f, init=0)
        self.answer = Var(f, init=0)
        self.answer_at = Var(f, "ptr")
        self.silently = Var(f, init=0)
        self._result = Var(f)
        self._events = Var(f, init=0)
        self.complete = "complete"
        self.deciding = Deciding(module, self)
        self._returns: dict[int, list[int]] = {}
        for pc, instr in self._code():
            if isinstance(instr, ir.CallProc):
                self._returns.setdefault(instr.ret, []).append(pc + 1)

    def _code(self) -> list[tuple[int, ir.Instr]]:
        return list(enumerate(self.program.code[self.first : self.end], self.first))

    @property
    def whole(self) -> bool:
        return self.end - self.first == len(self.program.code)

    # ------------------------------------------------------------ the whole

    def write(self) -> None:
        f = self.f
        self._enter()
        for pc, instr in self._code():
            f.place(self.at(pc))
            if pc in self.module.kept.changed:
                self.module.kept.next_epoch(f)
            self._leave_if_sure(pc)
            self._leave_if_settled(pc)
            self._instruction(pc, instr)
        f.place(self.at(self.end))
        f.br(f.fail(f.errors.engine("end", "the program ran past its end")))
        f.place(self.complete)
        f.ret(layout.COMPLETE)
        f.place("leave")
        f.end(f"ret i32 {f.emit(f'trunc i64 {self._result.get().text} to i32', 'i32').text}")
        self.module.add(f)

    def leave(self, result: V) -> str:
        """The label that ends this function with a result."""
        self._result.set(result)
        return "leave"

    def at(self, pc: int) -> str:
        return f"at.{pc}"

    def goto(self, pc: int) -> None:
        self.f.br(self.at(pc))

    def _enter(self) -> None:
        """Jump to where the run goes on."""
        f, program = self.f, self.program
        size = len(program.code)
        plain = {program.entry} if self.first <= program.entry < self.end else set()
        plain |= {p.entry for p in program.procedures if self.first <= p.entry < self.end}
        cases: list[tuple[int, str]] = []
        answered: list[tuple[int, str]] = []
        for pc, instr in self._code():
            if isinstance(instr, ir.Choose):
                answered.append((size + pc, f"apply.{pc}"))
                cases.append((2 * size + pc, f"offer.{pc}"))
                empty = program.choices[instr.choice].empty
                if empty is not None:
                    plain.add(empty)
            elif isinstance(instr, ir.Chance):
                answered.append((size + pc, f"settle.{pc}"))
                plain.add(pc)
            elif isinstance(instr, ir.BestBegin) or (
                isinstance(instr, ir.CallProc) and not self.whole
            ):
                plain.add(pc + 1)
        cases += [(pc, self.at(pc)) for pc in sorted(plain)]
        bad = f.fail(f.errors.fault("state", -1, "this state does not stand at a decision"))
        entry = f.param("where")
        fresh, with_answer = f.label(), f.label()
        f.branch(
            f.icmp("sge", entry, V(f, str(size), "i32"))
            & f.icmp("slt", entry, V(f, str(2 * size), "i32")),
            with_answer, fresh,
        )  # fmt: skip
        f.place(fresh)
        f.switch(entry, cases, bad)
        f.place(with_answer)
        self.seat.set(f.ctx(layout.STOP_SEAT))
        self.given.set(f.ctx(layout.GIVEN) & 3)
        self.silently.set(f.ctx(layout.GIVEN) >> 2)
        at = f.ctx_ptr(layout.GIVEN_AT)
        self.answer_at.set(at)
        self.answer.set(f.load(at))
        if answered:
            f.switch(entry, answered, bad)
        else:
            f.br(bad)

    # ------------------------------------------------------------- pieces of it

    def end_part(self, barrier: int) -> None:
        end_part(self.f, barrier)

    def log(self, amount: V | int = 1) -> None:
        """Count an event; the cell is brought up to date where anyone can see it."""
        self._events.add(amount)

    def settle_log(self) -> None:
        f = self.f
        f.set_cell(ir.LOG, f.smin(f.cell(ir.LOG) + self._events.get(), INT_MAX))
        self._events.set(0)

    def searching(self) -> V:
        f = self.f
        if not self.deciding.searches:
            return V(f, "false", "i1")
        return f.ctx(layout.MODE).eq(layout.SEARCHING)

    def counting(self) -> V:
        """Every way to finish the part is wanted."""
        f = self.f
        if self.module.settling is None:
            return V(f, "false", "i1")
        return f.ctx(layout.COUNTING).ne(0)

    def _leave_if_sure(self, pc: int) -> None:
        """From here on nothing can refuse: a search for any completion has found one."""
        if pc in self.module.sure and self.deciding.searches:
            found = self.searching() & self.not_for_best() & self.counting().not_()
            self.f.leave_if(found, self.complete)

    def _leave_if_settled(self, pc: int) -> None:
        """A count does not carry out what is decided."""
        settling = self.module.settling
        if settling is not None and settling.may_begin(pc):
            f = self.f
            f.leave_if(self.counting() & settling.holds(f, f.state, pc), self.complete)

    def not_for_best(self) -> V:
        """A search for the best goes on past the end of a move."""
        f = self.f
        return f.ctx(layout.BEST).eq(0) if self.has_best else V(f, "true", "i1")

    def clear(self, addr: int, count: int) -> None:
        f = self.f
        if count <= 4:
            for cell in range(addr, addr + count):
                f.set_cell(cell, 0)
        else:
            f.zero(f.gep(f.state, addr, "i32"), 4 * count)

    # ---------------------------------------------------------- instructions

    def _instruction(self, pc: int, instr: ir.Instr) -> None:
        f, body = self.f, self.body
        following = self.at(pc + 1)
        if getattr(instr, "barrier", False):
            # The chooser is about to learn something: no search looks further.
            if self.deciding.searches:
                f.leave_if(self.searching(), self.complete)
            self.end_part(_REVEAL)
        match instr:
            case ir.Store():
                self._store(instr)
            case ir.Zero(ranges=ranges):
                for addr, count in ranges:
                    self._zero(addr, count)
            case ir.Jump(target=target):
                self.goto(target)
            case ir.Branch(when=when, target=target):
                whole = whole_move(self.program, pc)
                if whole is not None:
                    self._move_all(whole)
                body.goto(when, following, self.at(target))
            case ir.Switch(value=value, targets=targets, default=default):
                cases = [(number, self.at(target)) for number, target in enumerate(targets)]
                f.switch(body.num(value), cases, self.at(default))
            case ir.CallProc(entry=entry, ret=ret, ticks=ticks, site=site):
                if ticks:
                    tick(f, site, ticks)
                self._call(pc, entry, ret)
            case ir.Return(ret=ret):
                self._return(ret)
            case ir.Tick(site=site, ticks=ticks):
                tick(f, site, ticks)
            case ir.Choose(choice=number):
                self.deciding.choose(pc, number)
            case ir.Chance():
                Chances(self).write(pc, instr)
            case ir.MovePiece():
                self._move(instr)
            case ir.SwapInPlace(place=place, first=first, second=second):
                self._swap(body.num(place), body.num(first), body.num(second))
            case ir.MixDeck(place=place):
                at = body.num(place)
                self.pieces.mix(f, at)
                self.log()
                self.events.note(SHUFFLED, 0, (at, Int()))
            case ir.RevealPiece():
                self._reveal(instr)
            case ir.Require(when=when, site=site, fault=fault):
                if fault:
                    reason = "a condition that must hold does not"
                    error = f.errors.fault("required", site, reason)
                else:
                    error = f.errors.refusal(site)
                body.goto(when, following, f.fail(error))
            case ir.HeadEnter(head=head):
                with f.if_(f.cell(ir.HEAD).eq(0)):
                    f.set_cell(ir.HEAD, head + 1)
                    f.set_cell(ir.ANSWERED, 0)
                    f.set_cell(ir.ACTION, 0)
            case ir.HeadExit(head=head):
                self._head_exit(head)
            case ir.BestBegin():
                self._best_begin(pc, instr)
            case ir.BestEnd():
                self._best_end(instr)
            case ir.RecordPosition():
                self._record(instr)
            case ir.ClearHistory(history=number):
                history = self.program.histories[number]
                self.clear(history.addr, 1 + 2 * history.keep)
            case ir.Emit():
                self.log()
                self._tell(pc, instr)
            case ir.Finish(end=end):
                self._finish(pc, end)
            case ir.FaultHere(code=code, site=site):
                f.br(f.fail(f.errors.fault(code, site, fault_words(code))))
            case _:
                raise NativeUnsupported(f"the instruction {type(instr).__name__}")

    def _call(self, pc: int, entry: int, ret: int) -> None:
        f = self.f
        self._put_return(ret, f.value(pc + 1))
        if self.first <= entry < self.end:
            self.goto(entry)
            return
        self.settle_log()
        owner = max(p.entry for p in self.program.procedures if p.entry <= entry)
        result = f.emit(f"call i32 @part{owner}(ptr %state, ptr %ctx, i32 {entry})", "i32")
        wide = f.emit(f"sext i32 {result.text} to i64")
        f.branch(wide < 0, self.leave(wide), self.at(pc + 1))

    def _put_return(self, ret: int, value: V) -> None:
        if ret < self.program.cells:
            self.f.set_cell(ret, value)
        else:
            self.body.put_register(ret, value, Int())

    def _return(self, ret: int) -> None:
        f = self.f
        if not self.whole:
            self.settle_log()
        if ret < self.program.cells:
            target = f.cell(ret)
            f.set_cell(ret, 0)
        else:
            target = self.body.number(self.body.get_register(ret))
            self.body.put_register(ret, f.value(0), Int())
        if not self.whole:
            f.end(f"ret i32 {f.emit(f'trunc i64 {target.text} to i32', 'i32').text}")
            return
        ways = [(pc, self.at(pc)) for pc in self._returns.get(ret, [])]
        f.switch(target, ways, f.fail(f.errors.engine("return", "a return to nowhere")))

    def _zero(self, addr: int, count: int) -> None:
        cells = self.program.cells
        if addr < cells:
            self.clear(addr, count)
            return
        for register in range(addr, addr + count):
            shape = self.module.shapes.registers.get(register, Int())
            if isinstance(shape, Int):
                self.body.put_register(register, self.f.value(0), shape)

    def _head_exit(self, head: int) -> None:
        f = self.f
        with f.if_(f.cell(ir.HEAD).eq(head + 1)):
            if self.deciding.searches:
                f.leave_if(self.searching() & self.not_for_best(), self.complete)
            if self.has_best:
                f.set_ctx(layout.SPOILED, 1)
            self.end_part(_END)
            for cell in (ir.HEAD, ir.ANSWERED, ir.ACTION, ir.FREE):
                f.set_cell(cell, 0)

    def _finish(self, pc: int, end: int) -> None:
        f = self.f
        if self.deciding.searches:
            f.leave_if(self.searching() & self.not_for_best(), self.complete)
        f.set_cell(ir.OVER, end + 1)
        f.set_cell(ir.PC, pc)
        self.log()
        self.settle_log()
        self.events.note(ENDED, end)
        self.end_part(_OVER)
        f.set_ctx(layout.STOP_KIND, _STOP_OVER)
        f.ret(layout.STOPPED)

    # ------------------------------------------------------------------ best

    def _best_begin(self, pc: int, instr: ir.BestBegin) -> None:
        """The largest value that can be reached, found by a search; inside one it does not bind."""
        f, body = self.f, self.body
        self.settle_log()
        shape = of_type(instr.type)
        slot = body.temp(shape)
        for word in range(shape.words):
            f.store(slot, word, NO_INT)
        real, known = f.label(), f.label()
        f.branch(self.searching() & self.counting().not_(), known, real)
        f.place(real)
        width = instr.type.width if recallable(self.module, instr) else 0
        verdict = f.call(
            "i64", "best_search", f.state, f.context, f.value(pc + 1), f.value(instr.best),
            f.value(instr.addr), f.value(width),
        )  # fmt: skip
        self.deciding._leave_if_failed(verdict)
        f.leave_if(verdict.eq(0), known)
        f.copy(slot, f.ctx_ptr(layout.VALUE), 8 * shape.words)
        f.place(known)
        value = body.read(slot, shape)
        if instr.addr < self.program.cells:
            body.encode(instr.type, instr.addr, value)
        else:
            body.put_register(instr.addr, value, shape)

    def _best_end(self, instr: ir.BestEnd) -> None:
        f, body = self.f, self.body
        shape = of_type(instr.type)
        reached = body.kept(body.expr(instr.value), body.shape(instr.value))
        sought, other = f.label(), f.label()
        f.branch(self.searching() & f.ctx(layout.BEST).eq(instr.best + 1), sought, other)
        f.place(sought)
        given = reached.shape if isinstance(reached, Wide) else Int()
        body.write(f.ctx_ptr(layout.VALUE), shape, reached, given)
        f.ret(layout.BEST_END)
        f.place(other)
        if instr.addr < self.program.cells:
            wanted = body.decode(instr.type, instr.addr)
        else:
            wanted = body.get_register(instr.addr)
        error = f.errors.refusal(instr.site, "not-best", "a better way must be taken")
        f.check(body.order(reached, wanted) >= 0, error)
        if instr.addr < self.program.cells:
            self.clear(instr.addr, instr.type.width)

    # ----------------------------------------------------------------- store

    def _store(self, instr: ir.Store) -> None:
        f, body = self.f, self.body
        index = body.num(instr.index) if instr.index is not None else None
        value = self._ranged(instr)
        if index is None:
            if instr.addr >= self.program.cells:
                shape = value.shape if isinstance(value, Wide) else Int()
                body.put_register(instr.addr, value, shape)
                return
            at = f.value(instr.addr)
        else:
            assert instr.index is not None
            self._check_target(instr, index, body.bounds(instr.index))
            at = index * instr.stride + instr.addr
        if instr.variable >= 0:
            if instr.type.is_scalar:
                number = body.number(value).i64()
                before = f.cell(at)
                changed = before.ne(number)
                self._changed(instr, index, changed, before, number, CELL)
            else:
                old = body.decode(instr.type, at)
                changed = body.equal(old, value).not_()
                self._changed(instr, index, changed, old, value, of_type(instr.type))
        body.encode(instr.type, at, value)

    def _changed(
        self, instr: ir.Store, index: V | None, changed: V, old: Value, new: Value, shape: Shape
    ) -> None:
        f = self.f
        self.log(changed.i64())
        if self.events.on:
            with f.if_(changed):
                seen: Value | int = EVERYONE
                if index is not None and self.program.variables[instr.variable].scope == "piece":
                    seen = self._seen_by(index)
                self.events.note(
                    CHANGED, instr.variable, (0 if index is None else index, Int()),
                    (old, shape), (new, shape), (seen, Int()),
                )  # fmt: skip

    def _tell(self, pc: int, instr: ir.Emit) -> None:
        """The fields are evaluated only where someone wants to hear of them."""
        if not self.events.on:
            return
        f, body = self.f, self.body
        wanted, done = f.label(), f.label()
        f.branch(f.ctx(layout.EVENTS).ne(0), wanted, done)
        f.place(wanted)
        values = [(body.expr(value), body.shape(value)) for _, value, _ in instr.fields]
        self.events.note(EMITTED, pc, *values)
        f.place(done)

    def _check_target(self, instr: ir.Store, index: V, bounds: Int) -> None:
        f = self.f
        if bounds.lo < 0:
            error = f.errors.fault("none", instr.site, "there is nothing here to change")
            f.check(index >= 0, error)
        self.body.check_index(index, bounds, instr.size, instr.site)

    def _ranged(self, instr: ir.Store) -> Value:
        """The value to store, within its range."""
        f, body = self.f, self.body
        type_ = instr.type
        value = body.expr(instr.value)
        if type_.kind == "list":
            return self._short_enough(value, type_, instr.site)
        if type_.kind != "int" or isinstance(value, Wide):
            return value
        number = value.i64()
        bounds = body.bounds(instr.value)
        if type_.lo <= bounds.lo and bounds.hi <= type_.hi:
            return number
        fits = (number >= type_.lo) & (number <= type_.hi)
        if type_.optional:
            fits = fits | number.eq(NO_INT)
        if instr.overflow == "clamp":
            clamped = f.select(number < type_.lo, type_.lo, f.value(type_.hi))
            return f.select(fits, number, clamped)
        reason = f"{{a}} is outside {type_.lo}..{type_.hi}"
        if instr.overflow == "refuse":
            error = f.errors.refusal(instr.site, "out-of-range", reason)
        else:
            error = f.errors.fault("range", instr.site, reason)
        f.check(fits, error, number)
        return number

    def _short_enough(self, value: Value, type_: Type, site: int) -> Value:
        f = self.f
        listed = self.body.listed(value)
        shape = listed.shape
        assert isinstance(shape, Lst)
        if as_list(shape).cap > type_.cap:
            length = f.load(listed.ptr)
            error = f.errors.fault("range", site, f"a list of {{a}} where {type_.cap} fit")
            f.check(length <= type_.cap, error, length)
        return listed

    # ---------------------------------------------------------------- pieces

    def _move(self, instr: ir.MovePiece) -> None:
        f, body = self.f, self.body
        piece, place = body.num(instr.piece), body.num(instr.place)
        f.check(piece >= 0, f.errors.fault("none", instr.site, "there is no piece to move"))
        world = self.program.world
        body.check_index(piece, body.bounds(instr.piece), world.piece_count, instr.site)
        body.check_index(place, body.bounds(instr.place), len(world.places), instr.site)
        at = body.num(instr.at) if instr.at is not None else f.value(0)
        origin = f.cell(piece + self.program.piece_place)
        before = self._seen_by(piece)
        beneath = self.pieces.beneath(f, origin) if any(self.pieces.tops) else None
        self.pieces.take(f, piece)
        self.pieces.put(f, piece, place, instr.where, at)
        if self.program.revealed >= 0:
            f.set_cell(piece + self.program.revealed, 0)
        self.log()
        if self.events.on:
            after = self._seen_by(piece)
            self.events.learn(before, after)
            told = ((piece, Int()), (origin, Int()), (place, Int()), (before | after, Int()))
            self.events.note(MOVED, 0, *told)
        if beneath is not None:
            self._uncovered(beneath, origin)

    def _uncovered(self, beneath: V, origin: V) -> None:
        """Another piece may have come to light, as by a `reveal`."""
        f = self.f
        with f.if_(beneath >= 0):
            everyone = (1 << len(self.program.world.seats)) - 1
            revealed = self.program.revealed
            seen = f.cell(beneath + revealed) if revealed >= 0 else f.value(0)
            on_top = f.cell(origin + self.program.place_head).eq(beneath)
            with f.if_(on_top & seen.ne(everyone)):
                if self.deciding.searches:
                    f.leave_if(self.searching(), self.complete)
                self.end_part(_REVEAL)
                self.events.learn(seen, f.value(everyone))

    def _seen_by(self, piece: V) -> V:
        """Who sees a piece; nobody asks where no events are wanted."""
        f = self.f
        seats = Var(f, init=0)
        if self.events.on:
            with f.if_(f.ctx(layout.EVENTS).ne(0)):
                seats.set(self.pieces.viewers(f, piece))
        return seats.get()

    def _move_all(self, whole: WholeMove) -> None:
        """Do a whole loop at once, unless each move is to be told or the ticks may run out."""
        f, body = self.f, self.body
        listed = body.get_register(whole.listed)
        shape = listed.shape if isinstance(listed, Wide) else None
        if not isinstance(listed, Wide) or not isinstance(shape, Lst) or shape.item is None:
            return  # nothing is ever listed
        one_by_one = f.label()
        length = f.load(listed.ptr)
        left = f.ctx(layout.TICKS_LEFT) - length
        fresh = body.number(body.get_register(whole.index)).eq(0) & (length > 1) & (left >= 0)
        if self.events.on:
            fresh = fresh & f.ctx(layout.EVENTS).eq(0)
        f.leave_unless(fresh, one_by_one)
        moving = Moving(self.module, self.pieces)
        f.leave_unless(moving.move_all(f, listed.ptr, body.num(whole.place)), one_by_one)
        f.set_ctx(layout.TICKS_LEFT, left)
        self.module.kept.next_epoch(f)
        self.log(length)
        body.put_register(whole.index, length, Int())
        body.put_register(whole.item, f.load(listed.ptr, length), Int())
        f.br(self.at(whole.out))
        f.place(one_by_one)

    def _swap(self, place: V, first: V, second: V) -> None:
        f = self.f
        error = f.errors.engine("swap", "positions {a} and {b} are not in this place")
        f.check(place.below(len(self.program.world.places)), error, first, second)
        count = f.cell(place + self.program.place_count)
        f.check(first.below(count) & second.below(count), error, first, second)
        self.pieces.swap(f, place, first, second)

    def _reveal(self, instr: ir.RevealPiece) -> None:
        f, body = self.f, self.body
        piece, seats = body.num(instr.piece), body.num(instr.seats)
        f.check(piece >= 0, f.errors.fault("none", instr.site, "there is no piece to reveal"))
        if self.program.revealed < 0:
            return
        body.check_index(
            piece, body.bounds(instr.piece), self.program.world.piece_count, instr.site
        )
        cell = piece + self.program.revealed
        before = f.cell(cell)
        after = before & (seats ^ -1) if instr.hide else before | seats
        with f.if_(after.ne(before)):
            if self.deciding.searches:
                f.leave_if(self.searching(), self.complete)
            f.set_cell(cell, after)
            self.log()
            kind = CONCEALED if instr.hide else REVEALED
            told = ((piece, Int()), (before ^ after, Int()), (before | after, Int()))
            self.events.note(kind, 0, *told)
            self.end_part(_REVEAL)

    def _record(self, instr: ir.RecordPosition) -> None:
        f, body = self.f, self.body
        history = self.program.histories[instr.history]
        count = f.cell(history.addr)
        if history.last:
            error = f.errors.fault("history-full", instr.site, uncounted(history.name))
            f.check(count < INT_MAX, error)
        else:
            reason = f"`{history.name}` holds {history.keep} positions"
            error = f.errors.refusal(instr.site, "history-full", reason)
            f.check(count < history.keep, error)
        at = f.emit(f"urem i64 {count.text}, {history.keep}") * 2 + (history.addr + 1)
        key = body.position_key(instr.history)
        f.set_cell(at, body.low_half(key))
        f.set_cell(at + 1, body.high_half(key))
        f.set_cell(history.addr, count + 1)
