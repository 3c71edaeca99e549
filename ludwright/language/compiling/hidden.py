"""Legality reads only what the chooser sees.

If the options of a choice depended on a hidden hand, looking at one's own options would show it.
So whatever options, bounds, guards and demands read is traced back to the zones and variables it
comes from, through functions and locals. `declassify(…)` says that a rule means to give it away.
A piece that can never lie in a hidden zone (`contents`) is no secret, wherever it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace

from ludwright.diagnostics import Span
from ludwright.kernel import program as ir
from ludwright.language.compiling.code import Code
from ludwright.language.compiling.contents import Contents
from ludwright.language.compiling.lowering import Lowering
from ludwright.language.compiling.possible import Possible, Values

UNKNOWN = ir.Load(-1)
NODES = (ir.Expr, ir.Source, ir.Loop, ir.Filter, ir.Until)


@dataclass(frozen=True)
class Env:
    """What is known of the registers that are bound around a node."""

    # An expression of the choice's surroundings that a register stands for, or None.
    exprs: dict[int, ir.Expr | None] = field(default_factory=dict)
    values: dict[int, Values] = field(default_factory=dict)  # the values it can have

    def bound(self, reg: int, expr: ir.Expr | None, values: Values) -> Env:
        return Env({**self.exprs, reg: expr}, {**self.values, reg: values})

    def after(self, clause: ir.Loop | ir.Filter | ir.Until, possible: Possible) -> Env:
        """What is known behind a clause of a stream."""
        if isinstance(clause, ir.Loop):
            loop = possible.bound(clause, self.values)
            return Env({**self.exprs, **dict.fromkeys(clause.regs)}, {**self.values, **loop})
        if isinstance(clause, ir.Filter):
            return Env(self.exprs, possible.narrowed(clause.when, self.values))
        return self


def check(game: Lowering, contents: Contents) -> None:
    if not _has_secrets(game):
        return
    told: set[int] = set()  # actions whose own choices have been reported
    # The guard of an action repeats the options of its first parameter: actions come first, so
    # that one mistake is told once, where it stands.
    for code in sorted(game.codes, key=lambda code: code.action < 0):
        if code.action >= 0 and game.unit.gamedef.actions[code.action].declassify:
            continue
        stores = _stores(code)
        for index, instr in enumerate(code.instrs):
            bad = False
            if isinstance(instr, ir.Choose):
                bad = _check_choice(game, contents, game.choices[instr.choice], stores, told)
            elif isinstance(instr, ir.Require) and index in code.demands:
                search = _Search(game, contents, code.decider, stores)
                bad = _report(game, search, instr.when, instr.site)
            if bad and code.action >= 0:
                told.add(code.action)


def _has_secrets(game: Lowering) -> bool:
    return any(place.see != "all" for place in game.unit.world.places) or any(
        variable.see != "all" for variable in game.unit.layout.variables
    )


def mark_barriers(game: Lowering, contents: Contents) -> None:
    """Where a move lets something hidden take effect, the one who makes it learns of it.

    From there on nothing can be taken back, and no search for completions may look further: the
    options would tell what only lies behind them.
    """
    if not _has_secrets(game):
        return
    for code in game.codes:
        if not code.in_move:
            continue
        stores = _stores(code)
        viewers = {ir.Load(ir.ACTOR), code.decider}
        for index, instr in enumerate(code.instrs):
            node = _takes_effect(instr)
            searches = (
                _Search(game, contents, viewer, stores, declassified=False) for viewer in viewers
            )
            if node and any(True for search in searches for _ in search.find(node, Env())):
                assert isinstance(instr, ir.Branch | ir.Switch | ir.Store | ir.MovePiece)
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
        case _:
            return ()


def _stores(code: Code) -> dict[int, list[ir.Expr]]:
    """What each local may hold."""
    found: dict[int, list[ir.Expr]] = {}
    for instr in code.instrs:
        if isinstance(instr, ir.Store) and instr.addr in code.frames:
            found.setdefault(instr.addr, []).append(instr.value)
    return found


def _check_choice(
    game: Lowering,
    contents: Contents,
    choice: ir.Choice,
    stores: dict[int, list[ir.Expr]],
    told: set[int],
) -> bool:
    viewer = ir.Load(choice.chooser) if choice.together else choice.by
    search = _Search(game, contents, viewer, stores)
    for part in (choice.options, choice.minimum, choice.maximum):
        if _report(game, search, part, choice.site):
            return True
    bad = False
    for label in choice.labels:
        span = None
        if label.action >= 0:
            action = game.unit.gamedef.actions[label.action]
            if action.declassify or label.action in told:
                continue
            span = action.span
        bad = _report(game, search, label.guard, choice.site, span) or bad
    return bad


def _report(
    game: Lowering, search: _Search, node: object, site: int, span: Span | None = None
) -> bool:
    secret = next(iter(search.find(node, Env())), None)
    if secret is None:
        return False
    if span is None and site >= 0:
        span = game.unit.sites[site].span
    game.unit.error(
        "hidden-read",
        span,
        f"what may be chosen here depends on {secret}, which the one who chooses cannot see",
        "read only what that seat sees (its own zone, or `count(…)`), "
        "or say that the rule gives it away: `declassify(…)`",
    )
    return True


@dataclass
class _Search:
    game: Lowering
    contents: Contents
    viewer: ir.Expr
    stores: dict[int, list[ir.Expr]]
    declassified: bool = True  # whether `declassify(…)` counts as open

    def resolve(self, expr: ir.Expr, env: Env) -> ir.Expr | None:
        """An expression in terms of the choice's surroundings; None if it cannot be told."""
        if isinstance(expr, ir.Load) and expr.addr in env.exprs:
            return env.exprs[expr.addr]
        if isinstance(expr, ir.Lookup):
            return replace(expr, index=self.resolve(expr.index, env) or UNKNOWN)
        return expr

    def find(self, node: object, env: Env, seen: frozenset[int] = frozenset()) -> Iterator[str]:
        """Names of the hidden things that the value of `node` depends on."""
        if node is None or (self.declassified and id(node) in self.game.unit.declassified):
            return
        possible = self.contents.possible
        if isinstance(node, tuple):
            for item in node:
                yield from self.find(item, env, seen)
            return
        if not isinstance(node, NODES):
            return
        secret = self.secret(node, env)
        if secret is not None:
            yield secret
        match node:
            case ir.Load(addr=addr) | ir.LoadWide(addr=addr) if addr in self.stores:
                if addr not in seen:
                    for value in self.stores[addr]:
                        yield from self.find(value, env, seen | {addr})
                return
            case (
                ir.Bind(reg=reg, value=value, body=body)
                | ir.BindSource(reg=reg, value=value, body=body)
            ):
                yield from self.find(value, env, seen)
                values = possible.value(value, env.values)
                yield from self.find(body, env.bound(reg, self.resolve(value, env), values), seen)
                return
            case ir.CallFn(fn=number, args=args):
                function = self.game.unit.functions[number]
                yield from self.find(args, env, seen)
                inner = Env()
                for reg, arg in zip(function.params, args, strict=True):
                    values = possible.value(arg, env.values)
                    inner = inner.bound(reg, self.resolve(arg, env), values)
                yield from self.find(function.body, inner, seen)
                return
            case ir.Stream(clauses=clauses, head=head):
                inner = env
                for clause in clauses:
                    yield from self.find(clause, inner, seen)
                    inner = inner.after(clause, possible)
                yield from self.find(head, inner, seen)
                return
            case _:
                if is_dataclass(node):
                    for part in fields(node):
                        yield from self.find(getattr(node, part.name), env, seen)

    def secret(self, node: object, env: Env) -> str | None:
        layout = self.game.unit.layout
        match node:
            case ir.PiecesSource(place=place):
                return self.secret_place(place, env, top_only=False)
            case ir.LoadAt(addr=addr, index=index) if addr == layout.place_head:
                return self.secret_place(index, env, top_only=True)
            case ir.LoadAt(addr=addr, index=index) if addr == layout.piece_place:
                hiding = self.contents.hiding_place(index, env.values)
                if hiding is None:
                    return None
                zone = self.game.unit.world.places[hiding].zone
                return f"where a piece is (perhaps in `{zone}`)"
            case ir.LoadAt(addr=addr, index=index):
                return self.secret_variable(addr, index, env)
            case ir.Load(addr=addr) | ir.LoadWide(addr=addr):
                return self.secret_variable(addr, None, env)
            case _:
                return None

    def secret_place(self, place: ir.Expr, env: Env, top_only: bool) -> str | None:
        world, tables = self.game.unit.world, self.game.unit.tables
        resolved = self.resolve(place, env)
        match resolved:
            case ir.Const(value=int(value)):
                members = [value] if value >= 0 else []
                own = False
            case ir.Lookup(table=table, index=index):
                members = [value for value in tables[table] if value >= 0]
                owners = [world.places[m].owner for m in members]
                own = owners == list(range(len(world.seats)))
                own = own and self.resolve(index, env) == self.viewer
            case ir.Load(addr=addr) if addr in self.game.place_origin:
                return self.secret_place(self.game.place_origin[addr], env, top_only)
            case _:
                # A space, or a zone that is not known from the text. Spaces are open; if the type
                # allowed a zone as well, its name would have been written.
                members, own = [], False
        for member in members:
            see = world.places[member].see
            if see == "all" or (see == "owner" and own) or (see == "top" and top_only):
                continue
            return f"`{world.places[member].zone}`"
        return None

    def secret_variable(self, addr: int, index: ir.Expr | None, env: Env) -> str | None:
        for variable in self.game.unit.layout.variables:
            width = variable.type.width
            if variable.see == "all" or not (
                variable.addr <= addr < variable.addr + variable.count * width
            ):
                continue
            mine = index is not None and self.resolve(index, env) == self.viewer
            if variable.see == "owner" and mine:
                return None
            return f"the variable `{variable.name}`"
        return None
