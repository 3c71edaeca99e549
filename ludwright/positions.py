"""Positions that nobody has played to: set up by statements, or read from a drawing.

A set-up needs the table of a game and not its course. So the table alone (`Table`) is compiled,
with a scenario for each set-up. The set-up is run there. What lies on the table then (variables,
pieces, whose turn it is) is put into a state of the real game at the same point, which goes on by
its own rules. Conditions go the other way: what lies on the table of a state is put into `Table`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ludwright import program as ir
from ludwright.diagnostics import Diagnostics, Span
from ludwright.errors import RulebookError
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.pieces import PieceClasses
from ludwright.kernel.interpreter.run import Run
from ludwright.kernel.play.core import declared_end
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views.naming import Values
from ludwright.kernel.views.reasons import Reasons
from ludwright.kernel.views.text_scene import Signs
from ludwright.kernel.views.wording import Wording
from ludwright.language.compiling import compile_game
from ludwright.language.compiling.tree_walk import nodes_in
from ludwright.language.gamedef import (
    DrawingDecl,
    FunctionDecl,
    GameDef,
    PhaseDecl,
    ProcDecl,
    ScenarioDecl,
)
from ludwright.language.parsing.effects import read_block
from ludwright.language.reading.nodes import YScalar
from ludwright.language.tree import (
    Block,
    CallProc,
    Conceal,
    EndGame,
    Expr,
    Offer,
    PushPhase,
    Resolve,
    Reveal,
    RunPhase,
    Window,
)

_IT = re.compile(r"\bit\b")
_EMPTY = (".", "_", "·")
NOWHERE = Span("position", 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class SetUp:
    """What is done after the set-up of a game, or of one of its scenarios."""

    statements: Block
    scenario: str | None = None


@dataclass(frozen=True, slots=True)
class Helpers:
    """Functions and procedures that examples have for themselves: they are no part of the game."""

    functions: tuple[FunctionDecl, ...] = ()
    procs: tuple[ProcDecl, ...] = ()


def _with_set_ups(gamedef: GameDef, set_ups: Sequence[SetUp]) -> GameDef:
    """The game with a scenario for each set-up, in their order.

    What the game's own scenarios do becomes procedures, so that many set-ups share it.
    """
    own = gamedef.scenarios or (ScenarioDecl("plain", ()),)
    names = {scenario.id: f"scenario {scenario.id}" for scenario in own}
    shared = tuple(ProcDecl(names[one.id], (), one.setup) for one in own)
    made: list[ScenarioDecl] = []
    for number, given in enumerate(set_ups):
        first = CallProc(names.get(given.scenario or own[0].id, names[own[0].id]))
        made.append(ScenarioDecl(f"position_{number + 1}", (first, *given.statements)))
    return replace(gamedef, scenarios=tuple(made), procs=gamedef.procs + shared)


_COURSE = (Offer, Resolve, Window, RunPhase, PushPhase)  # statements that name a part of the course


def _table_of(gamedef: GameDef) -> GameDef:
    """What set-ups and conditions need of a game: everything but its course.

    Where cells depend on the course (what is revealed, what an offer keeps to or gives free), all
    is kept. So it is where a set-up can lead into the course: by a trigger that offers actions, or
    carries out the text of a card.
    """
    course = (
        *(gamedef.actions, gamedef.operations, gamedef.specials, gamedef.events, gamedef.flow),
        *(gamedef.phases, gamedef.procs),
    )
    if any(
        isinstance(node, Reveal | Conceal)
        or (isinstance(node, Offer) and (node.within is not None or node.free))
        for node in nodes_in(course)
    ):
        return gamedef
    bare = replace(
        gamedef,
        triggers=tuple(t for t in gamedef.triggers if t.event in ("changed", "entered", "left")),
        phases=tuple(PhaseDecl(phase.id) for phase in gamedef.phases),
        flow=(EndGame("draw"),),
        actions=(),
        operations=(),
        specials=(),
        events=(),
        end=(),
        no_moves=(),
        show=(),
        words=(),
        score=None,
    )
    bare = replace(bare, procs=_called(bare))
    effects = (bare.setup, bare.scenarios, bare.triggers, bare.procs)
    leads_on = any(isinstance(node, _COURSE) for node in nodes_in(effects))
    return gamedef if leads_on else bare


def _called(gamedef: GameDef) -> tuple[ProcDecl, ...]:
    """The procedures that set-ups and triggers call, directly or not."""
    procs = {proc.name: proc for proc in gamedef.procs}
    found: dict[str, ProcDecl] = {}
    waiting: list[object] = [gamedef.setup, gamedef.scenarios, gamedef.triggers]
    while waiting:
        for node in nodes_in(waiting.pop()):
            if isinstance(node, CallProc) and node.proc in procs and node.proc not in found:
                found[node.proc] = procs[node.proc]
                waiting.append(procs[node.proc])
    return tuple(found.values())


class Table:
    """The table of a game, compiled with set-ups and conditions."""

    def __init__(self, program: ir.Program) -> None:
        self.machine = Machine(program)
        self._end = declared_end(program)
        wording = Wording(self.machine, Values(program, PieceClasses(program)))
        self._reasons = Reasons(self.machine, wording)

    def failing(self, state: State, condition: int) -> str:
        """What a condition (by its number) needs and does not have of what lies on the table of a
        state; "" where it holds."""
        machine = self.machine
        cells = list(machine.program.initial)
        cells[: self._end] = state.shared_cells[: self._end]
        memory = machine.scratch(cells, Run())
        *parts, whole = machine.program.checks[condition]
        if machine.expressions.expr(whole.when)(memory):
            return ""
        return self._reasons.failing(tuple(parts), memory) or f"it needs `{whole.text}`"


def table(
    gamedef: GameDef,
    set_ups: Sequence[SetUp],
    checks: Sequence[Expr],
    diagnostics: Diagnostics,
    helpers: Helpers | None = None,
) -> Table | None:
    """None if there are errors; they are in `diagnostics`."""
    more = helpers or Helpers()
    extended = replace(
        gamedef,
        functions=gamedef.functions + more.functions,
        procs=gamedef.procs + more.procs,
    )
    program = compile_game(_table_of(_with_set_ups(extended, set_ups)), {}, diagnostics, checks)
    return None if program is None or not diagnostics.ok else Table(program)


def statements(texts: Sequence[str], diagnostics: Diagnostics, span: Span = NOWHERE) -> Block:
    """Statements from their texts."""
    found: list[Block] = [
        read_block(YScalar(text, text, False, span), diagnostics) for text in texts
    ]
    return tuple(effect for block in found for effect in block)


class Arranger:
    """Makes positions of one game; `Game.position` asks it."""

    def __init__(self, gamedef: Callable[[], GameDef]) -> None:
        self._gamedef = gamedef
        self._known: dict[tuple[tuple[str, ...], str | None], Table] = {}

    def texts(self, program: ir.Program, setup: Sequence[str], drawing: str) -> list[str]:
        """All statements of a position: what is drawn, then what is said."""
        drawn = list(Drawings(self._gamedef(), program).statements(drawing)) if drawing else []
        return [*drawn, *setup]

    def set_up(self, texts: Sequence[str], scenario: str | None) -> Machine:
        """The table of the game with this as its only set-up."""
        key = (tuple(texts), scenario)
        made = self._known.get(key)
        if made is None:
            diagnostics = Diagnostics()
            given = SetUp(statements(texts, diagnostics), scenario)
            made = table(self._gamedef(), [given], (), diagnostics)
            if made is None:
                raise RulebookError(diagnostics.items, {"position": "\n".join(texts)})
            self._known[key] = made
        return made.machine


# --------------------------------------------------------------------------- drawings


class Drawings:
    """Reads positions as texts: rows of signs, the highest row first, then further words."""

    def __init__(self, gamedef: GameDef, program: ir.Program) -> None:
        self._declared = gamedef.drawing or DrawingDecl()
        self._world = program.world
        self._program = program
        self._group = self._declared.on or self._first_board()
        self._signs = dict(self._declared.signs) or dict(self._usual_signs())

    def _first_board(self) -> str:
        world = self._world
        for name, spaces in world.groups.items():
            if all(world.coordinates[space] != (0, 0) for space in spaces):
                return name
        raise ValueError("this game has no board with rows and columns to draw on")

    def _usual_signs(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The signs with which the table is drawn."""
        machine = Machine(self._program)
        wording = Wording(machine, Values(self._program, PieceClasses(self._program)))
        signs = Signs(self._world, self._world.seats, wording)
        for kind, seat, word in signs.combinations(self._world):
            view = {"kind": kind.name, "owner": seat, **({word[0]: word[1]} if word else {})}
            owner = f" of {seat}" if seat is not None else ""
            extra = f" with {word[0]}={word[1]}" if word else ""
            statement = f"place {kind.name}{owner} at it{extra}"
            if word and word[0] == "row":  # which never changes: one that is not on the board
                whose = f" and x.owner == {seat}" if seat is not None else ""
                wanted = f"x.row == {word[1]}{whose} and x.place not in spaces"
                statement = f"move first(x for x in {kind.name} if {wanted}) to it"
            yield signs.piece(view).sign, (statement,)

    def statements(self, text: str) -> Iterator[str]:
        rows, words = self._divided(text)
        yield from self._declared.first or (f"remove all of [x for c in {self._group} for x in c]",)
        names = {
            self._world.coordinates[space]: self._world.places[space].name
            for space in self._world.groups[self._group]
        }
        for at, row in enumerate(rows):
            number = len(rows) - at
            for column, sign in enumerate(self._cells(row, number), 1):
                if sign in _EMPTY:
                    continue
                if (column, number) not in names:
                    raise ValueError(f"row {number} of the drawing is too long: `{row}`")
                if sign not in self._signs:
                    known = ", ".join(self._signs)
                    raise ValueError(f"the sign `{sign}` in row {number} means nothing: {known}")
                for statement in self._signs[sign]:
                    yield _IT.sub(names[column, number], statement)
        for field, word in zip(self._declared.fields, words, strict=False):
            yield from _of_word(dict(field), word)

    def _divided(self, text: str) -> tuple[list[str], list[str]]:
        """The rows of the board, and the words behind it."""
        lines = [line for line in text.strip().split("\n") if line.strip()]
        if len(lines) == 1:
            first, *words = lines[0].split()
            return first.split("/"), words
        spaces = self._world.groups[self._group]
        height = max(self._world.coordinates[space][1] for space in spaces)
        rest = " ".join(lines[height:]).split()
        letters = {self._world.places[space].name.rstrip("0123456789") for space in spaces}
        return lines[:height], [word for word in rest if word not in letters]

    def _cells(self, row: str, number: int) -> list[str]:
        """The signs of one row; a number stands for so many empty spaces."""
        parts = row.split()
        if len(parts) > 1:
            return parts[1:] if parts[0] == str(number) else parts
        found: list[str] = []
        for part in re.findall(r"[0-9]+|.", row.strip()):
            found += ["."] * int(part) if part.isdecimal() else [part]
        return found


def _of_word(field: dict[str, tuple[str, ...]], word: str) -> Iterator[str]:
    if "" in field:
        if word != "-":
            yield from (_IT.sub(word, statement) for statement in field[""])
        return
    for part in (word,) if word in field else tuple(word):
        if part not in field and part != "-":
            raise ValueError(f"`{part}` in `{word}` means nothing: {', '.join(field)}")
        yield from field.get(part, ())
