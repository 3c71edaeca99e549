"""Legality reads only what the chooser sees.

If the options of a choice depended on a hidden hand, looking at one's own options would show it.
So whatever options, bounds, guards and demands read is traced back to the zones and variables it
comes from, through functions, locals, the arguments of every call and what procedures return
(`origins`). `declassify(…)` says that a rule means to give it away.
A piece that can never lie in a hidden zone (`contents`) is no secret, wherever it is. Whose zone is
read is known from `facts`: the one who chooses may be a constant, a variable, a parameter, a local.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ludwright import program as ir
from ludwright.cached import cached_property
from ludwright.diagnostics import Span
from ludwright.language.compiling.code import Code, Stock
from ludwright.language.compiling.expressions import attributes
from ludwright.language.compiling.layout import WITHIN
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.proofs.answerable import Proof, proof_at
from ludwright.language.compiling.proofs.fact_kinds import LiesAmong, LiesIn, Shown
from ludwright.language.compiling.proofs.facts import Facts
from ludwright.language.compiling.proofs.origins import Origin, Origins
from ludwright.language.compiling.proofs.value_sets import Values, members
from ludwright.language.compiling.values import SEAT, Val
from ludwright.program.nodes import children, walk

UNKNOWN = ir.Load(-1)
NOBODY = ir.Load(-2)  # a viewer of whom nothing is known: sees what everybody sees
NODES = (ir.Expr, ir.Source, ir.Loop, ir.Filter, ir.Until)


@dataclass(frozen=True)
class Env:
    """What is known of the registers that are bound around a node."""

    # An expression of the choice's surroundings that a register stands for, or None.
    exprs: dict[int, ir.Expr | None] = field(default_factory=dict)
    values: dict[int, Values] = field(default_factory=dict)  # the values it can have
    homes: dict[int, ir.Expr] = field(default_factory=dict)  # the place in which a piece was met


def check(lowering: Lowering, facts: Facts) -> None:
    if not _has_secrets(lowering):
        return
    origins = Origins(lowering, facts)
    hidden = _Hidden(lowering, facts, origins)
    told: set[int] = set()  # actions whose own choices have been reported
    # The guard of an action repeats the options of its first parameter: actions come first, so
    # that one mistake is told once, where it stands.
    for code in sorted(lowering.codes, key=lambda code: code.action < 0):
        if code.action >= 0 and lowering.unit.gamedef.actions[code.action].declassify:
            continue
        for index, instr in enumerate(code.instrs):
            bad = False
            if isinstance(instr, ir.Choose):
                choice = lowering.choices[instr.choice]
                viewer = ir.Load(choice.chooser) if choice.together else choice.by
                search = _Search(lowering, facts, origins, code, index, viewer, hidden=hidden)
                bad = _check_choice(lowering, choice, search, told)
                if not bad and instr.choice in lowering.passed_over:
                    open_ = _Search(lowering, facts, origins, code, index, NOBODY, hidden=hidden)
                    _check_who_is_asked(lowering, instr.choice, open_)
            elif isinstance(instr, ir.Require | ir.BestEnd | ir.Store):
                refused_by = _refused_by(lowering, code, index, instr)
                if refused_by is not None:
                    viewer = code.decider
                    search = _Search(lowering, facts, origins, code, index, viewer, hidden=hidden)
                    bad = _report(lowering, search, refused_by, instr.site)
            elif isinstance(instr, ir.Say):
                bad = _check_say(lowering, instr, facts, origins, code, index)
            if bad and code.action >= 0:
                told.add(code.action)
    for shown in lowering.shown:
        search = _Search(lowering, facts, origins, lowering.codes[0], 0, NOBODY)
        span = lowering.unit.gamedef.show[0].span
        for decl in lowering.unit.gamedef.show:
            span = decl.span if decl.name == shown.name else span
        _report(lowering, search, shown.value, -1, span, words=_SHOWN)


def _has_secrets(lowering: Lowering) -> bool:
    return any(place.see != "all" for place in lowering.unit.world.places) or any(
        variable.see != "all" for variable in lowering.unit.layout.variables
    )


def mark_barriers(lowering: Lowering, facts: Facts) -> None:
    """Where a move lets something hidden take effect, the one who makes it learns of it.

    From there on nothing can be taken back, and no search for completions may look further: the
    options would tell what only lies behind them.
    """
    if not _has_secrets(lowering):
        return
    origins = Origins(lowering, facts)
    hidden = _Hidden(lowering, facts, origins)
    for code in lowering.codes:
        if not code.in_move:
            continue
        viewers = {ir.Load(ir.ACTOR), code.decider}
        for index, instr in enumerate(code.instrs):
            node = _takes_effect(instr)
            if not node or not hidden.from_anyone(code, index, node):
                continue
            searches = (
                _Search(lowering, facts, origins, code, index, viewer, declassified=False)
                for viewer in viewers
            )
            if any(True for search in searches for _ in search.find(node, Env())):
                assert isinstance(
                    instr, ir.Branch | ir.Switch | ir.Store | ir.MovePiece | ir.MoveAll
                )
                code.instrs[index] = replace(instr, barrier=True)


def _takes_effect(instr: ir.Instr) -> tuple[object, ...]:
    """What decides how an instruction changes the state in sight."""
    match instr:
        case ir.Branch(when=when):
            return (when,)
        case ir.Switch(value=value):
            return (value,)
        case ir.Store(value=value, index=index, variable=variable) if variable >= 0:
            return (value, index)
        case ir.MovePiece(piece=piece, place=place):
            return (piece, place)
        case ir.MoveAll(pieces=pieces, place=place):
            return (pieces, place)
        case _:
            return ()


def _refused_by(
    lowering: Lowering, code: Code, index: int, instr: ir.Require | ir.BestEnd | ir.Store
) -> object:
    """What decides whether a move is refused here; None if nothing does.

    Only moves that can be finished are offered, so the offer tells it beforehand.
    """
    if not code.in_move and index not in code.demands:
        return None
    match instr:
        case ir.Require(fault=True):
            return None
        case ir.Require() if index in code.stocks:
            return _selected(code.stocks[index])
        case ir.Require(when=when):
            return when
        case ir.BestEnd(value=value):
            return value
        case ir.Store(addr=addr, value=value, overflow=overflow):
            return value if overflow == "refuse" or addr == _within(lowering) else None


def _selected(stock: Stock) -> ir.Source | None:
    """The pieces of a stock, unless they are all that lie somewhere, or all that are not in play:
    how many those are is no secret."""
    match stock.pieces:
        case ir.PiecesSource() | ir.Stream(clauses=(ir.Loop(source=ir.PiecesSource()),)):
            return None
        case pieces:
            return None if stock.supply else pieces


def _within(lowering: Lowering) -> int | None:
    """Where the places are kept to which `within` holds the parameters of an offer."""
    slot = lowering.unit.layout.globals.get(WITHIN)
    return None if slot is None else slot.variable.addr


def _check_choice(lowering: Lowering, choice: ir.Choice, search: _Search, told: set[int]) -> bool:
    for part in (choice.options, choice.minimum, choice.maximum):
        span = lowering.unit.option_spans.get(choice.site) if part is choice.options else None
        if _report(lowering, search, part, choice.site, span):
            return True
    if choice.ask is not None and _report(
        lowering, search, _told(choice.ask), choice.site, words=_ASKED
    ):
        return True
    bad = False
    for label in choice.labels:
        span = None
        if label.action >= 0:
            action = lowering.unit.gamedef.actions[label.action]
            if action.declassify or label.action in told:
                continue
            span = action.span if action.pre is None else action.pre.span or action.span
        bad = _report(lowering, search, label.guard, choice.site, span) or bad
    return bad


def _check_who_is_asked(lowering: Lowering, choice: int, search: _Search) -> None:
    """A seat that can take none of the actions is passed over, which everybody sees."""
    for label in lowering.choices[choice].labels:
        if label.action >= 0 and lowering.unit.gamedef.actions[label.action].declassify:
            continue
        secret = _secret(search, label.guard)
        if secret is not None:
            lowering.unit.diagnostics.warning(
                "asking-tells",
                lowering.passed_over[choice],
                f"whether this seat is asked depends on {secret}, which not everyone can see",
                "ask it even where it can only pass: `always: true`; if the others may know it, "
                "put it into `declassify(…)`",
            )
            return


_CHOSEN = (
    "what may be chosen here depends on {}, which the one who chooses cannot see",
    "read only what that seat sees (its own zone, or `count(…)`), ",
)
_ASKED = (
    "this question depends on {}, which the one who is asked cannot see",
    "tell only what that seat sees (its own zone, or `count(…)`), ",
)
_SHOWN = (
    "this value depends on {}, which not everyone can see",
    "show only what is in sight of all (`count(…)` is), ",
)
_SAID = (
    "this sentence depends on {}, which not everyone who hears it can see",
    'say it to those who do (`say "…" to SEAT`), ',
)


def _told(sentence: ir.Sentence) -> tuple[ir.Expr, ...]:
    """The values of a sentence that must be in sight. A single piece is named to those who see it
    (`Sentence.seen`); whether there is one at all, or how many there are, could be a secret."""
    return tuple(
        value
        for value, type_, seen in zip(sentence.values, sentence.types, sentence.seen, strict=True)
        if seen is None or type_.kind != "piece" or type_.optional
    )


def _check_say(
    lowering: Lowering, say: ir.Say, facts: Facts, origins: Origins, code: Code, index: int
) -> bool:
    match say.to:
        case ir.MakeSet(stream=ir.ItemsSource(items=(only,))):
            viewer = only
        case _:
            viewer = NOBODY
    search = _Search(lowering, facts, origins, code, index, viewer, tells=True)
    return _report(lowering, search, (say.when, _told(say.sentence)), say.site, words=_SAID)


def _report(
    lowering: Lowering,
    search: _Search,
    node: object,
    site: int,
    span: Span | None = None,
    words: tuple[str, str] = _CHOSEN,
) -> bool:
    secret = _secret(search, node)
    if secret is None:
        return False
    if span is None and site >= 0:
        span = lowering.unit.sites[site].span
    lowering.unit.error(
        "hidden-read",
        span,
        words[0].format(secret),
        f"{words[1]}or say that the rule gives it away: `declassify(…)`",
    )
    return True


def _secret(search: _Search, node: object) -> str | None:
    """What the viewer of a search does not see, in words."""
    if search.hidden is not None and not search.hidden.from_anyone(search.code, search.index, node):
        return None
    search.traced.clear()
    return next(iter(search.find(node, Env())), None)


@dataclass
class _Search:
    """Looks for what one seat does not see, at one instruction."""

    lowering: Lowering
    facts: Facts
    origins: Origins
    code: Code
    index: int
    viewer: ir.Expr
    declassified: bool = True  # whether `declassify(…)` counts as open
    tells: bool = False  # what is found is told to others than the one who chose
    hidden: _Hidden | None = None  # what is in sight of everyone need not be searched
    # Locals that have been traced already, each at a point and for a viewer.
    traced: set[tuple[int, int, int, ir.Expr]] = field(default_factory=set)

    @cached_property
    def proof(self) -> Proof:
        return proof_at(self.facts, self.code, self.index)

    def resolve(self, expr: ir.Expr, env: Env) -> ir.Expr | None:
        """An expression in terms of the choice's surroundings; None if it cannot be told."""
        if isinstance(expr, ir.Load) and expr.addr in env.exprs:
            return env.exprs[expr.addr]
        if isinstance(expr, ir.Lookup):
            return replace(expr, index=self.resolve(expr.index, env) or UNKNOWN)
        return expr

    def bound(self, outer: Env, bindings: dict[int, ir.Expr], env: Env) -> Env:
        """`outer` with registers that hold the values of expressions of `env`."""
        possible = self.facts.contents.possible
        exprs, values, homes = dict(outer.exprs), dict(outer.values), dict(outer.homes)
        for reg, value in bindings.items():
            exprs[reg] = self.resolve(value, env)
            values |= possible.binding(reg, value, env.values)
            if isinstance(value, ir.Load) and value.addr in env.homes:
                homes[reg] = env.homes[value.addr]
        return Env(exprs, values, homes)

    def after(self, clause: ir.Loop | ir.Filter | ir.Until, env: Env) -> Env:
        """What is known behind a clause of a stream."""
        possible = self.facts.contents.possible
        if isinstance(clause, ir.Filter):
            return replace(env, values=possible.narrowed(clause.when, env.values))
        if isinstance(clause, ir.Until):
            return env
        homes = dict(env.homes)
        if isinstance(clause.source, ir.PiecesSource):
            homes |= dict.fromkeys(clause.regs, clause.source.place)
        exprs = {**env.exprs, **dict.fromkeys(clause.regs)}
        return Env(exprs, {**env.values, **possible.bound(clause, env.values)}, homes)

    def met(self, piece: ir.Expr, env: Env) -> bool:
        """Whether a piece was found by looking at the place in which it lies."""
        if isinstance(piece, ir.Load) and piece.addr in env.homes:
            return True
        resolved = self.resolve(piece, env)
        if resolved is None:
            return False
        known = self.proof.normal.expr(resolved)
        return any(
            isinstance(fact, LiesIn | LiesAmong)
            and self.proof.normal.expr(fact.piece) == known
            and self.in_sight(fact)
            for fact in self.facts.at(self.code, self.index)
        )

    def in_sight(self, fact: LiesIn | LiesAmong) -> bool:
        """Whether it is no secret that a piece lies there."""
        if isinstance(fact, LiesIn):
            return not any(True for _ in self.find(fact.place, Env()))
        places = self.lowering.unit.world.places
        return all(places[at].see == "all" for at in members(fact.places) if at < len(places))

    def find(self, node: object, env: Env) -> Iterator[str]:
        """Names of the hidden things that the value of `node` depends on."""
        if node is None or (self.declassified and id(node) in self.lowering.unit.declassified):
            return
        if isinstance(node, tuple):
            for item in node:
                yield from self.find(item, env)
            return
        if not isinstance(node, NODES):
            return
        secret = self.secret(node, env)
        if secret is not None:
            yield secret
        match node:
            case ir.Load(addr=addr) if self.origins.of(addr):
                yield from self.trace(addr)
            case ir.LoadWide(addr=addr, index=index) | ir.LoadAt(addr=addr, index=index) if (
                self.origins.of(addr)
            ):
                yield from self.trace(addr)
                yield from self.find(index, env)
            case (
                ir.Bind(reg=reg, value=value, body=body)
                | ir.BindSource(reg=reg, value=value, body=body)
            ):
                yield from self.find(value, env)
                yield from self.find(body, self.bound(env, {reg: value}, env))
                return
            case ir.CallFn(fn=number, args=args):
                function = self.lowering.unit.functions[number]
                yield from self.find(args, env)
                given = dict(zip(function.params, args, strict=True))
                inner = self.bound(Env(), given, env)
                yield from self.find(function.body, inner)
                return
            case ir.Times(history=number):
                yield from self.find(self.lowering.unit.histories[number].values, Env())
            case ir.Stream(clauses=clauses, head=head):
                inner = env
                for clause in clauses:
                    yield from self.find(clause, inner)
                    inner = self.after(clause, inner)
                yield from self.find(head, inner)
                return
            case _:
                yield from self.find(tuple(children(node)), env)

    def trace(self, addr: int) -> Iterator[str]:
        """Names of the hidden things that a local depends on."""
        key = (addr, self.code.entry, self.index, self.viewer)
        if key in self.traced:
            return
        self.traced.add(key)
        for origin in self.origins.of(addr) or ():
            if self.tells:
                yield from self.read_from_choice(origin.value)
            yield from self.at(addr, origin).find(origin.value, Env())

    def read_from_choice(self, value: object) -> Iterator[str]:
        """What was read from a chosen piece is known to the one who chose it, perhaps to no one
        else. Only what a sentence itself reads from a piece is kept from others."""
        read = {node.addr for node in walk(value) if isinstance(node, ir.Load)}
        for choice in self.lowering.choices:
            itself = value == ir.Load(choice.result) or self.proof.same(choice.by, self.viewer)
            if choice.result in read and choice.type.kind == "piece" and not itself:
                yield f"`{choice.name}`, a piece that may be hidden"

    def at(self, addr: int, origin: Origin) -> _Search:
        """The search for the same viewer where a local gets its value."""
        origins, viewer, code = self.origins, self.viewer, self.code
        if origin.code is code:
            if not origins.unchanged(viewer, code, origin.index, self.index):
                viewer = NOBODY
            elif origins.unchanged(origin.value, code, origin.index, self.index):
                return self  # it would be the same value here, where more is known
        elif addr in code.frames:  # a parameter
            if origins.unchanged(viewer, code, -1, self.index):
                viewer = origins.before_call(viewer, origin.code, origin.index)
            else:
                viewer = NOBODY
        elif not origins.kept_by(viewer, origin.code):  # what the procedure returned
            viewer = NOBODY
        return replace(self, code=origin.code, index=origin.index, viewer=viewer)

    def secret(self, node: object, env: Env) -> str | None:
        layout = self.lowering.unit.layout
        match node:
            case ir.PiecesSource(place=place):
                return self.secret_place(place, env, top_only=False)
            case ir.LoadAt(addr=addr, index=index) if addr == layout.place_head:
                return self.secret_place(index, env, top_only=True)
            case ir.DrawFrom(place=place):  # what else can be drawn is chance, which ends the part
                return self.secret_place(place, env, top_only=True)
            case ir.LoadAt(addr=addr, index=index) if addr == layout.piece_place:
                return self.secret_whereabouts(index, env)
            case ir.LoadAt(addr=addr, index=index):
                return self.secret_variable(addr, index, env)
            case ir.Load(addr=addr) | ir.LoadWide(addr=addr):
                return self.secret_variable(addr, None, env)
            case _:
                return None

    def secret_whereabouts(self, piece: ir.Expr, env: Env) -> str | None:
        """Where a piece lies is open if no such piece can ever be hidden, or if it was met in a
        place: what is seen there has been looked at already."""
        hiding = self.facts.contents.hiding_place(piece, env.values)
        if hiding is None or self.met(piece, env):
            return None
        return f"where a piece is (perhaps in `{self.lowering.unit.world.places[hiding].zone}`)"

    def secret_place(self, place: ir.Expr, env: Env, top_only: bool) -> str | None:
        for member in sorted(self.facts.contents.places_of(place, env.values)):
            there = self.lowering.unit.world.places[member]
            if there.see == "all" or (there.see == "top" and top_only):
                continue
            if there.see == "owner" and self.own(place, member, env):
                continue
            return None if self.shown(place, env) else f"`{there.zone}`"
        return None

    def shown(self, place: ir.Expr, env: Env) -> bool:
        """Whether all that lies in a place has been revealed to the viewer."""
        if self.declassified and id(place) in self.lowering.unit.declassified:
            return True
        resolved = self.resolve(place, env)
        return resolved is not None and any(
            isinstance(fact, Shown)
            and self.proof.same(fact.place, resolved)
            and self.among(fact.seats)
            for fact in self.facts.at(self.code, self.index)
        )

    def among(self, seats: ir.Expr) -> bool:
        """Whether the viewer is certainly one of a set of seats."""
        match seats:
            case ir.Const(value=int(bits)):
                return bits == (1 << len(self.lowering.unit.world.seats)) - 1
            case ir.MakeSet(stream=ir.ItemsSource(items=items)):
                return any(self.proof.same(item, self.viewer) for item in items)
            case _:
                return False

    def own(self, place: ir.Expr, member: int, env: Env) -> bool:
        """Whether a place, if it is this one, belongs to the viewer."""
        unit = self.lowering.unit
        there = unit.world.places[member]
        assert there.zone is not None
        if self.proof.same(self.viewer, ir.Const(there.owner)):
            return True
        resolved = self.resolve(place, env)
        if resolved is None or not unit.world.zone_each[there.zone]:
            return False
        mine = attributes.zone_of(unit, there.zone, Val(self.viewer, SEAT), None)
        return self.proof.same(resolved, mine.expr)

    def secret_variable(self, addr: int, index: ir.Expr | None, env: Env) -> str | None:
        variable = self.facts.contents.possible.variable(addr)
        if variable is None or variable.see == "all":
            return None
        if index is None:
            index = ir.Const((addr - variable.addr) // variable.type.width)
        index = _owner_of(index)
        resolved = self.resolve(index, env)
        mine = resolved is not None and self.proof.same(resolved, self.viewer)
        if variable.see == "owner" and mine:
            return None
        return f"the variable `{variable.name}`"


@dataclass
class _Glance(_Search):
    """Looks at a value alone, and notes the locals that it reads instead of following them."""

    read: set[int] = field(default_factory=set)

    def trace(self, addr: int) -> Iterator[str]:
        self.read.add(addr)
        return iter(())


class _Hidden:
    """Which locals depend on something that is hidden from anyone: found once for all of them, so
    that a search, which is for one seat at one place, begins only where it can find something."""

    def __init__(self, lowering: Lowering, facts: Facts, origins: Origins) -> None:
        self._given = (lowering, facts, origins)
        readers: dict[int, set[int]] = {}
        waiting: list[int] = []
        for addr, values in origins.all():
            for origin in values:
                found, read = self._glance(origin.code, origin.index, origin.value)
                for other in read:
                    readers.setdefault(other, set()).add(addr)
                if found:
                    waiting.append(addr)
        self._locals: set[int] = set()
        while waiting:
            addr = waiting.pop()
            if addr not in self._locals:
                self._locals.add(addr)
                waiting.extend(readers.get(addr, ()))

    def from_anyone(self, code: Code, index: int, node: object) -> bool:
        """Whether the value of a node may depend on something that not everyone sees."""
        found, read = self._glance(code, index, node)
        return found or not self._locals.isdisjoint(read)

    def _glance(self, code: Code, index: int, node: object) -> tuple[bool, set[int]]:
        glance = _Glance(*self._given, code, index, NOBODY, declassified=False)
        found = bool([*glance.find(node, Env())])  # all of it: every local counts
        return found, glance.read


def _owner_of(index: ir.Expr) -> ir.Expr:
    """Whose value of a variable is read; behind an index that is `member * owners + owner`."""
    match index:
        case ir.Bind(value=owner, body=ir.Select(then=ir.Const(value=-1))):
            return owner
        case _:
            return index
