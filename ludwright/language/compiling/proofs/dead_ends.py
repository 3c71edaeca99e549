"""Ways from a roll on which something may refuse, whatever the player does.

What is said of a roll holds for a draw too, and where something hidden comes to light or takes
effect. (Behind another seat's decision it is left to play: too many rules that are sound could not
be told from others.)

From a roll or draw all ways are followed to the next decision. It offers only answers that can be
finished; before a roll an action without any such answer is not offered, but behind a roll it is
too late for that, so there must be one. What the rules decide must be finished on every way, what
the player decides on one of the ways that are certainly open. Answers that can be told apart are
`none`, the entries of a menu, a few words, and the low end of a range. A choice that finds nothing
to offer is no decision: the way goes on behind it, or where its `ifNone` says.

Only what one seat decides belongs to a part; the choice of another seat ends it.

Most rulebooks have nothing that could refuse behind a roll, whatever was answered. So ways are
followed without telling answers apart first; there are many more of them with it. With answers
only those are followed on which something may refuse without: what is known besides can show that
a way is open, never that one is not. Where there are still too many, fewer answers are remembered:
a rulebook that is sound may be refused then, but none is accepted that is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from ludwright import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.demands import (
    AFTER_ROLL,
    AFTER_SECRET,
    Answers,
    Demands,
    Finding,
    Since,
    is_refusal,
)
from ludwright.language.compiling.proofs.fact_kinds import Is
from ludwright.language.compiling.proofs.facts import Facts
from ludwright.language.compiling.proofs.normal_forms import negated
from ludwright.program.flow import ends_part, reachable

REMEMBERED = (6, 2)  # facts about answers on a way; the second where the first are too many ways
SPOTS = 12_000  # on all ways together, with answers
SAID = 3  # facts of them about one answer
FEW = 8  # words that are tried one by one
NO_PICKS = ir.Const(0)  # the empty set
SOMEBODY = ir.Const(-2)  # who has decided, where that can no longer be told


@dataclass(frozen=True, slots=True)
class _Spot:
    """Before an instruction, on a way from a roll."""

    entry: int
    index: int
    calls: tuple[tuple[int, int], ...] = ()  # where to return to, the last call first
    seat: ir.Expr | None = None  # who has decided since the roll
    answers: Answers = ()


Ways = list[_Spot]  # one of them is enough


def behind_chance(lowering: Lowering, facts: Facts) -> list[Finding]:
    """What may refuse behind the rolls inside moves."""
    starts = [_Spot(code.entry, at + 1) for code in lowering.codes for at in code.chances]
    return _dead_ends(lowering, facts, starts, AFTER_ROLL)


def behind_secrets(lowering: Lowering, facts: Facts) -> list[Finding]:
    """What may refuse where something hidden has come to light, or taken effect, inside moves."""
    starts = [
        _Spot(code.entry, following)
        for code in lowering.codes
        if code.in_move
        for index, instr in enumerate(code.instrs)
        if _shows(instr) and facts.reached(code, index)  # to know what is reached takes long
        for following in code.successors(index)
    ]
    return _dead_ends(lowering, facts, starts, AFTER_SECRET)


def _shows(instr: ir.Instr) -> bool:
    match instr:
        case ir.RevealPiece():
            return True  # `conceal` as well: undo does not go behind it
        case ir.Store() | ir.Branch() | ir.Switch() | ir.MovePiece() | ir.MoveAll():
            return instr.barrier
        case _:
            return False


def _dead_ends(lowering: Lowering, facts: Facts, starts: Ways, since: Since) -> list[Finding]:
    if not starts:
        return []
    demands = Demands(lowering, facts, since)
    whatever = _Part(lowering, facts, demands, 0)
    doubtful = whatever.dead(whatever.spots(starts))
    found = whatever.findings(starts, doubtful)
    for remembered in REMEMBERED if found else ():
        part = _Part(lowering, facts, demands, remembered, doubtful)
        spots = part.spots(starts, SPOTS)
        if len(spots) <= SPOTS:
            return part.findings(starts, part.dead(spots))
    return found


class _Part:
    """All ways from rolls, as far as a part goes, with so many facts about answers on each.

    `doubtful`: where something may refuse if answers are not told apart; no other way is followed.
    """

    def __init__(
        self, lowering: Lowering, facts: Facts, demands: Demands, remembered: int,
        doubtful: set[_Spot] | None = None,
    ) -> None:  # fmt: skip
        self._remembered, self._doubtful = remembered, doubtful
        self._choices, self._facts, self._demands = lowering.choices, facts, demands
        self._codes = {code.entry: code for code in lowering.codes}
        self._results = {choice.result for choice in lowering.choices}
        self._callers: dict[int, list[tuple[int, int]]] = {}
        for code in lowering.codes:
            for index, instr in enumerate(code.instrs):
                if isinstance(instr, ir.CallProc):
                    self._callers.setdefault(instr.entry, []).append((code.entry, index + 1))
        self._seats: dict[tuple[int, int], ir.Expr] = {}
        self._needs: dict[_Spot, list[Ways]] = {}
        self._findings: dict[_Spot, Finding | None] = {}

    def spots(self, starts: Ways, limit: int | None = None) -> set[_Spot]:
        """All spots on the ways; only some of them if there are more than the limit."""
        return reachable(
            filter(self._followed, starts),
            lambda spot: (way for ways in self._known(spot) for way in ways if self._followed(way)),
            limit,
        )

    def _followed(self, spot: _Spot) -> bool:
        return self._doubtful is None or replace(spot, answers=()) in self._doubtful

    def findings(self, starts: Ways, dead: set[_Spot]) -> list[Finding]:
        led = reachable(
            [spot for spot in starts if spot in dead],
            lambda spot: (way for ways in self._known(spot) for way in ways if way in dead),
        )
        found = ((spot, self._findings[spot]) for spot in led)
        ordered = sorted(found, key=lambda pair: (pair[0].entry, pair[0].index))
        return [finding for _, finding in ordered if finding is not None]

    def _seat(self, code: Code, index: int, number: int) -> ir.Expr:
        key = (code.entry, index)
        if key not in self._seats:
            by = self._choices[number].by
            self._seats[key] = self._demands.proof(code, index).normal.expr(by)
        return self._seats[key]

    def _known(self, spot: _Spot) -> list[Ways]:
        if spot not in self._needs:
            code = self._codes[spot.entry]
            self._needs[spot] = list(self._next(code, spot))
            self._findings[spot] = None
            if not self._others(code, spot):
                self._findings[spot] = self._demands.finding(code, spot.index, spot.answers)
        return self._needs[spot]

    def dead(self, spots: set[_Spot]) -> set[_Spot]:
        """Where something may refuse whatever the player does."""
        dead = {spot for spot in spots if self._findings[spot] is not None}
        leading: dict[_Spot, list[_Spot]] = {}
        for spot in spots:
            for ways in self._known(spot):
                for way in ways:
                    leading.setdefault(way, []).append(spot)
        stack = list(dead)
        while stack:
            for spot in leading.get(stack.pop(), ()):
                if spot not in dead and any(dead.issuperset(ways) for ways in self._known(spot)):
                    dead.add(spot)
                    stack.append(spot)
        return dead

    # ------------------------------------------------------------------------ steps

    def _others(self, code: Code, spot: _Spot) -> bool:
        """Whether another seat decides here than before."""
        match code.instrs[spot.index]:
            case ir.Choose(choice=number) if spot.seat is not None:
                return self._seat(code, spot.index, number) != spot.seat
            case _:
                return False

    def _next(self, code: Code, spot: _Spot) -> Iterator[Ways]:
        """What must be finished: of each list one."""
        instr = code.instrs[spot.index]
        if isinstance(instr, ir.HeadExit) or self._others(code, spot):
            return
        if spot.seat is not None and _ends_part(instr, self._choices):
            return
        match instr:
            case ir.Choose(choice=number):
                yield from self._chosen(code, spot, self._choices[number], number)
            case ir.CallProc(entry=callee):
                calls = ((spot.entry, spot.index + 1), *spot.calls)
                yield [replace(spot, entry=callee, index=0, calls=calls)]
            case ir.Return():
                yield from self._returned(instr, spot)
            case ir.Branch(when=when, target=target):
                for index in self._branches(code, spot, when, code.target(target)):
                    yield [self._after(instr, spot, index)]
            case ir.Switch(value=value):
                for index in self._targets(code, spot, instr, value):
                    yield [self._after(instr, spot, index)]
            case _:
                for index in code.successors(spot.index):
                    yield [self._after(instr, spot, index)]

    def _returned(self, instr: ir.Return, spot: _Spot) -> Iterator[Ways]:
        """To the call on the way; from the procedure in which the roll was made, to all callers."""
        if spot.calls:
            (entry, index), *calls = spot.calls
            yield [replace(self._after(instr, spot, index), entry=entry, calls=tuple(calls))]
            return
        for entry, index in self._callers.get(spot.entry, ()):
            yield [replace(self._after(instr, spot, index), entry=entry)]

    def _after(self, instr: ir.Instr, spot: _Spot, index: int) -> _Spot:
        """What is still known when an instruction has written what it writes."""
        written, reads = self._facts.writes(instr), self._facts.reads
        seat = spot.seat
        if seat is not None and reads(seat).meets(written):
            seat = SOMEBODY
        answers = tuple(answer for answer in spot.answers if not reads(answer).meets(written))
        if self._remembered:
            answers = (*answers, *self._stored(instr, answers))[-self._remembered :]
        return replace(spot, index=index, seat=seat, answers=answers)

    def _stored(self, instr: ir.Instr, answers: Answers) -> Iterator[Is]:
        """What is stored where an answer is kept, or from there: none instead of an answer, and a
        set of picks at the beginning of a loop over it."""
        match instr:
            case ir.Store(addr=addr, value=ir.Const() as value, index=None):
                if addr in self._results:
                    yield Is(addr, value)
            case ir.Store(
                addr=addr,
                value=ir.MakeSet(stream=ir.SetSource(of=ir.LoadWide(addr=picks, index=None))),
                index=None,
            ):
                if Is(picks, NO_PICKS) in answers:
                    yield Is(addr, NO_PICKS)
            case _:
                pass

    def _branches(self, code: Code, spot: _Spot, when: ir.Expr, target: int) -> list[int]:
        if spot.answers:
            proof = self._demands.proof(code, spot.index, spot.answers)
            test = proof.normal.expr(when)
            if proof.holds(test):
                return [spot.index + 1]
            if proof.holds(negated(test)):
                return [target]
        return [spot.index + 1, target]

    def _targets(self, code: Code, spot: _Spot, instr: ir.Switch, value: ir.Expr) -> Iterable[int]:
        proof = self._demands.proof(code, spot.index, spot.answers)
        known = proof.normal.expr(value)
        match known:
            case ir.Const(value=int(number)) if number in range(len(instr.targets)):
                return [code.target(instr.targets[number])]
            case _:
                pass
        return {code.target(label) for label in (*instr.targets, instr.default)}

    # ---------------------------------------------------------------------- answers

    def _chosen(self, code: Code, spot: _Spot, choice: ir.Choice, number: int) -> Iterator[Ways]:
        instr = code.instrs[spot.index]
        after = self._after(instr, spot, spot.index + 1)
        none = self._answered(
            after, choice, NO_PICKS if choice.kind == "many" else ir.Const(choice.result_type.none)
        )
        without = [none] if choice.empty is None else self._without(code, spot, choice.empty)
        if without and self._demands.can_be_skipped(code, spot.index, number, spot.answers):
            yield without
        if choice.together:
            return
        if not choice.silent and after.seat is None:
            after = replace(after, seat=self._seat(code, spot.index, number))
            none = replace(none, seat=after.seat)
        if choice.kind == "labels":
            yield from self._entries(code, spot, choice, after)
        elif choice.kind == "many":
            if choice.as_many or choice.minimum not in (None, ir.Const(0)):
                yield [after]  # otherwise nothing need be picked
        else:
            ways = [
                self._answered(after, choice, value) for value in self._values(code, spot, choice)
            ]
            other = self._one_of_them(after, choice)
            yield [*ways, other, *([none] if choice.optional else [])]

    def _without(self, code: Code, spot: _Spot, empty: int) -> Ways:
        """Where a choice leads that has nothing to offer, unless it refuses then."""
        target = code.target(empty)
        if is_refusal(code, target):
            return []
        return [self._after(code.instrs[spot.index], spot, target)]

    def _entries(self, code: Code, spot: _Spot, choice: ir.Choice, after: _Spot) -> Iterator[Ways]:
        """Entries of a menu, or actions of an offer: one that is certainly open is enough. One that
        cannot be finished is not offered, so without any the way for that case is taken."""
        proof = self._demands.proof(code, spot.index, spot.answers)
        ways = [
            self._answered(after, choice, ir.Const(number)) for number in range(len(choice.labels))
        ]
        certain = [
            way
            for way, label in zip(ways, choice.labels, strict=True)
            if label.guard is None or proof.holds(proof.normal.expr(label.guard))
        ]
        if choice.empty is not None:
            certain += self._without(code, spot, choice.empty)
        if certain:
            yield certain
        else:
            yield from ([way] for way in ways)

    def _values(self, code: Code, spot: _Spot, choice: ir.Choice) -> list[ir.Expr]:
        """Some answers that are certainly on offer."""
        match choice.options:
            case ir.ConstSource(values=values) if len(values) <= FEW:
                return [ir.Const(value) for value in values if isinstance(value, int)]
            case ir.RangeSource(lo=lo):
                return [self._demands.proof(code, spot.index, spot.answers).normal.expr(lo)]
            case _:
                return []

    def _answered(self, after: _Spot, choice: ir.Choice, value: ir.Expr) -> _Spot:
        picks = choice.kind == "many" and choice.result_type.kind == "set"
        if not self._remembered or not (picks or choice.result_type.is_scalar):
            return after
        return replace(
            after, answers=(*after.answers, Is(choice.result, value))[-self._remembered :]
        )

    def _one_of_them(self, after: _Spot, choice: ir.Choice) -> _Spot:
        """An answer of which only that is known what its options say."""
        if not self._remembered or choice.optional or choice.options is None:
            return after
        said = self._facts.member(choice.result, choice.options)
        return replace(after, answers=(*after.answers, *islice(said, SAID))[-self._remembered :])


def _ends_part(instr: ir.Instr, choices: list[ir.Choice]) -> bool:
    """Whether something new is learned, so that another part begins."""
    return isinstance(instr, ir.Chance | ir.RevealPiece) or ends_part(instr, choices)
