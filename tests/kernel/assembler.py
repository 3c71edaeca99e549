"""A small assembler for hand-written Programs, so that the kernel is tested without a compiler."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from ludwright import program as ir
from ludwright.kernel.play.game import Game
from ludwright.program.types import Type
from ludwright.program.world import PieceKind, Place, World
from tests.engines import under_test

REGISTER = 1_000_000_000  # placeholders, replaced when linking
TARGET = 2_000_000_000
BOOL = Type("bool", lo=0, hi=1)


def integer(lo: int = -1000, hi: int = 1000, optional: bool = False) -> Type:
    return Type("int", lo=lo, hi=hi, optional=optional)


@dataclass
class Assembler:
    """Collects code; `mark` names a place in it and `at` jumps there."""

    seats: tuple[str, ...] = ("white", "black")
    spaces: tuple[str, ...] = ()
    zones: tuple[Place, ...] = ()
    kinds: tuple[PieceKind, ...] = ()
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reveals: bool = False

    def __post_init__(self) -> None:
        self.code: list[Any] = []
        self.targets: list[str] = []
        self.marks: dict[str, int] = {}
        self.choices: list[ir.Choice] = []
        self.variables: list[ir.Variable] = []
        self.heads: list[ir.Head] = []
        self.actions: list[ir.ActionInfo] = []
        self.ends: list[ir.EndInfo] = []
        self.procedures: list[tuple[str, str, str, int, dict[str, ir.CallSite], int]] = []
        self.histories: list[ir.History] = []
        self.rows: list[tuple[tuple[object, ...], ...]] = []
        self.tables: list[tuple[int, ...]] = []
        self.functions: list[ir.Function] = []
        self.sites: list[ir.Site] = [ir.Site(None, "a rule")]
        self.labels: dict[str, tuple[str, ...]] = {}
        self.registers = 16
        self.initial: list[int] = [0] * ir.HEADER
        self.initial[ir.PHASE] = -1
        places = tuple(Place(name, None) for name in self.spaces) + self.zones
        count = sum(kind.count for kind in self.kinds)
        self.world = World(
            seats=self.seats, places=places, space_count=len(self.spaces), kinds=self.kinds,
            enums=self.enums, min_players=len(self.seats),
        )  # fmt: skip
        self.scores = self.cells(len(self.seats))
        self.ranks = self.cells(len(self.seats))
        self.piece_place = self.cells(count, -1)
        self.piece_next = self.cells(count, -1)
        self.place_head = self.cells(len(places), -1)
        self.place_count = self.cells(len(places))
        self.deck_top: dict[int, int] = {}
        self.deck_bottom: dict[int, int] = {}
        for index, place in enumerate(places):
            if place.order == "deck":
                self.deck_top[index] = self.cells(1)
                self.deck_bottom[index] = self.cells(1)
        self.revealed = self.cells(count) if self.reveals else -1

    # -- layout

    def cells(self, count: int = 1, value: int = 0) -> int:
        self.initial += [value] * count
        return len(self.initial) - count

    def variable(self, name: str, type_: Type, value: int = 0, **more: Any) -> int:
        count = more.pop("count", 1)
        addr = self.cells(count * type_.width, value)
        scope = more.pop("scope", "global")
        self.variables.append(ir.Variable(name, scope, type_, addr, count, **more))
        return addr

    def reg(self, number: int) -> int:
        """Registers are numbered behind the cells, so ask for them through a placeholder."""
        return REGISTER + number

    def at(self, mark: str) -> int:
        """A jump target, known once everything is linked."""
        if mark not in self.targets:
            self.targets.append(mark)
        return TARGET + self.targets.index(mark)

    def head(self, name: str, kind: Any = "offer") -> int:
        self.heads.append(ir.Head(name, kind))
        return len(self.heads) - 1

    def end(self, outcome: Any = "draw", reason: str = "done") -> int:
        self.ends.append(ir.EndInfo(outcome, (reason,)))
        return len(self.ends) - 1

    # -- code

    def mark(self, name: str) -> None:
        self.marks[name] = len(self.code)

    def emit(self, *instrs: Any) -> None:
        self.code += instrs

    def choose(self, name: str, by: ir.Expr, result: int, type_: Type, **more: Any) -> None:
        fields: dict[str, Any] = {
            "name": name, "role": "choice", "kind": "one", "type": type_, "result": result,
            "result_type": type_, "by": by, "safe": True, "site": 0,
        }  # fmt: skip
        fields.update(more)
        self.choices.append(ir.Choice(**fields))
        self.emit(ir.Choose(len(self.choices) - 1))

    def procedure(
        self, name: str, start: str, end: str, ret: int,
        calls: dict[str, ir.CallSite] | None = None, action: int = -1,
    ) -> None:  # fmt: skip
        self.procedures.append((name, start, end, ret, calls or {}, action))

    # -- linking

    def program(self) -> ir.Program:
        self.marks.setdefault("end-of-code", len(self.code))
        cells = len(self.initial)
        procedures = [
            ir.Procedure(
                name, self.marks[start], self.marks[end], ret,
                {self.marks[site]: call for site, call in calls.items()}, action,
            )
            for name, start, end, ret, calls, action in self.procedures
        ]  # fmt: skip
        return ir.Program(
            world=self.world, cells=cells, registers=self.registers, initial=tuple(self.initial),
            code=tuple(self._link(instr) for instr in self.code), tables=tuple(self.tables),
            rows=tuple(self.rows),
            functions=tuple(self._link(function) for function in self.functions),
            choices=tuple(self._link(choice) for choice in self.choices),
            heads=tuple(self.heads), actions=tuple(self.actions), ends=tuple(self.ends),
            variables=tuple(self.variables), histories=tuple(self.histories),
            procedures=tuple(procedures), phases=(), scenarios=(), sites=tuple(self.sites),
            labels=self.labels, entry=self.marks.get("start", 0), piece_place=self.piece_place,
            piece_next=self.piece_next, place_head=self.place_head, place_count=self.place_count,
            deck_top=self.deck_top, deck_bottom=self.deck_bottom, revealed=self.revealed,
            scores=self.scores, ranks=self.ranks, score=None, fixed_properties={},
            refusing=tuple(range(len(self.code))),
        )  # fmt: skip

    def _link(self, node: Any) -> Any:
        """Put real addresses for placeholders and instruction numbers for marks."""
        if isinstance(node, int) and not isinstance(node, bool):
            if node >= TARGET:
                return self.marks[self.targets[node - TARGET]]
            return len(self.initial) + node - REGISTER if node >= REGISTER else node
        if isinstance(node, tuple):
            return tuple(self._link(item) for item in node)
        if not is_dataclass(node) or isinstance(node, type | Type | ir.Const | ir.ConstSource):
            return node
        return type(node)(**{f.name: self._link(getattr(node, f.name)) for f in fields(node)})

    def game(self, **options: Any) -> Game:
        """On the engine under test."""
        if under_test() == "native":
            from ludwright.native.game import NativeGame

            return NativeGame(self.program(), b"{}", **options)
        return Game(self.program(), b"{}", **options)


def const(value: Any) -> ir.Const:
    return ir.Const(value)


def load(addr: int) -> ir.Load:
    return ir.Load(addr)


def upto(lo: int, hi: int) -> ir.RangeSource:
    return ir.RangeSource(const(lo), const(hi))
