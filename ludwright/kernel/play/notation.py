"""Moves as text: the rulebook's own templates, or `action(param=value, …)`.

Reading never guesses: a text is matched against what the legal moves would be written as. A move is
completed only as long as it can still be written as that text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any

from ludwright.errors import IllegalMove, RulebookFault
from ludwright.kernel.interpreter.run import Refused, Run
from ludwright.kernel.play.core import Core
from ludwright.kernel.play.move_builder import MoveBuilder
from ludwright.kernel.protocol.move import ChoiceRequest, Move
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views.naming import NotOfType
from ludwright.program import Program, slot
from ludwright.program.program import Provided, Spelling

_LIMIT = 1_000  # questions asked while reading one text

Pattern = list[str | None]
"""Texts in their order; `None` stands for any text, of an answer that is not given yet."""


class Notation:
    """Writes and reads the moves of one game."""

    def __init__(self, program: Program, core: Core, moves: MoveBuilder) -> None:
        self._program = program
        self._world = program.world
        self._words = program.words
        self._core = core
        self._conditions: dict[int, Callable[[Any], Any]] = {}  # by identity of the text
        self._places = {place.name: at for at, place in enumerate(program.world.places)}
        self._values = core.values
        self._wording = core.wording
        self._moves = moves
        self._actions = {action.name: action for action in program.actions}
        self._types = {choice.name: choice.type for choice in program.choices}

    def write(self, state: State, move: Move) -> str:
        """Pieces by their names; where several are called alike, `read` also takes `write_all`."""
        action = self._actions.get(move.action_id)
        if action is not None and action.notation is not None:
            return "".join(
                part if isinstance(part, str) else self._value(state, move, part)
                for part in action.notation
            )
        return self.write_all(move)

    def words(self, state: State, move: Move) -> str:
        """For people to read: as the rulebook writes it, else the action and its answers as they
        are called (`event: Levy`). Where the rulebook's text lacks an answer that is not given yet,
        the name of the action says more."""
        action = self._actions.get(move.action_id)
        title = self._wording.title("action", move.action_id, move.action_id)
        if action is not None and action.notation is not None:
            text = self.write(state, move)
            return text if text == text.strip() else title
        told = [self._word(state, move, name, value) for name, value in move.params.items()]
        return f"{title}: {', '.join(told)}" if told else title

    def told(self, state: State, move: Move) -> str:
        """As it is written; a choice that belongs to no action is told by its answers alone."""
        if move.action_id in self._actions:
            return self.write(state, move)
        told = [
            self._word(state, move, name, each)
            for name, value in move.params.items()
            for each in (value if isinstance(value, list | tuple) else (value,))
        ]
        return ", ".join(told)

    def write_all(self, move: Move) -> str:
        """With every answer as the protocol has it."""
        if not move.params:
            return move.action_id
        params = ", ".join(f"{name}={_text(value)}" for name, value in move.params.items())
        return f"{move.action_id}({params})"

    def _value(self, state: State, move: Move, part: tuple[str, ...]) -> str:
        before, (name, *rest) = slot(part)
        if name.endswith("*"):
            base = name[:-1]
            return "".join(
                before + self._word(state, move, key, value)
                for key, value in move.params.items()
                if key == base or key.startswith(f"{base}[")
            )
        value = move.params.get(name)
        if value is None:
            return ""
        if not rest:
            return before + self._word(state, move, name, value)
        type_ = self._types.get(name)
        if type_ is not None and type_.kind == "place" and rest[0] == "piece":
            standing, rest = self._standing(state, value), rest[1:]
            value = None if standing is None else self._values.piece_names[standing]
            if standing is not None and rest:
                value, rest = self._property(state, standing, value, rest[0]), rest[1:]
        elif type_ is not None and type_.kind == "piece":
            piece = self._piece(state, move, name, str(value))
            value, rest = self._property(state, piece, value, rest[0]), rest[1:]
        for attribute in rest:
            value = self._attribute(value, attribute) if value is not None else None
        return "" if value is None else before + _text(value)

    def _standing(self, state: State, space: Any) -> int | None:
        """The piece on a space before the move; None if there is none."""
        place = self._places.get(str(space))
        cells, first = state.shared_cells, self._program.piece_place
        on = (n for n, _ in enumerate(self._values.piece_names) if cells[first + n] == place)
        return next(on, None)

    def _word(self, state: State, move: Move, name: str, value: Any) -> str:
        """An answer as people call it."""
        if isinstance(value, list | tuple):
            return "[" + ", ".join(self._word(state, move, name, item) for item in value) + "]"
        type_ = self._types.get(name.partition("[")[0])
        if type_ is None or not isinstance(value, str):
            return _text(value)
        if type_.kind == "piece":
            piece = self._piece(state, move, name, value)
            return value if piece is None else self._wording.stem(piece)
        subject = "space" if type_.kind == "place" else type_.kind
        return self._wording.title(subject, value, value)

    def _piece(self, state: State, move: Move, name: str, value: str) -> int | None:
        """The piece that an answer names. `card@stall` is the only kind that was offered, but
        perhaps not the only one that lies there: then the options say which."""
        found = self._values.pieces_of(state.shared_cells, value)
        if len({self._wording.stem(piece) for piece in found}) > 1:
            meant = self._moves.meant(state, move, name, value)
            return found[0] if meant is None else meant
        return found[0] if found else None

    def _property(self, state: State, piece: int | None, name: Any, attribute: str) -> Any:
        """`{card.rank}`: a property of a piece, or a column of the row that it carries."""
        if piece is None:
            return name
        known = self._values.properties(state.shared_cells, piece)
        if attribute in known:
            return known[attribute]
        row = known.get("row")
        return row if row is None else self._attribute(row, attribute)

    def _attribute(self, value: Any, attribute: str) -> Any:
        """A constant attribute of a named thing: `promote.letter`."""
        world, outside = self._world, self._values.outside
        for table in world.tables.values():
            if attribute in table.columns and value in table.rows:
                column = table.columns[attribute]
                return outside(column.type, column.values[table.rows.index(value)])
        names = [place.name for place in world.places[: world.space_count]]
        if attribute in ("column", "row") and value in names:
            return self._edge(names.index(value), attribute)
        if attribute in world.space_attributes and value in names:
            of = world.space_attributes[attribute]
            return outside(of.type, of.values[names.index(value)])
        if attribute in world.seat_attributes and value in world.seats:
            of = world.seat_attributes[attribute]
            return outside(of.type, of.values[world.seats.index(value)])
        return value

    def _edge(self, space: int, attribute: str) -> Any:
        """What stands at the edge of the board: `e` and `4` of `e4`."""
        world = self._world
        if space >= len(world.coordinates):
            return None
        column, row = world.coordinates[space]
        name = world.places[space].name.removesuffix(str(row))
        return row if attribute == "row" else name if name else column

    # ------------------------------------------------------------ reading

    def read(self, state: State, text: str) -> Move:
        wanted = text.strip()
        begun = self._moves.legal_moves(state)
        found = [move for move in begun if self.write(state, move) == wanted]
        found = found or [move for move in begun if self.write_all(move) == wanted]
        found = found or self._completed(state, begun, wanted)
        found = found or self._spelt(state, begun, wanted)
        if not found:
            raise IllegalMove("unreadable", "", f"`{wanted}` is not the text of a legal move here")
        if len(found) > 1:
            one = self.write_all(found[0])
            reason = f"`{wanted}` is the text of several legal moves; `{one}` is one of them"
            raise IllegalMove("ambiguous", "", reason)
        return found[0]

    def _spelt(self, state: State, begun: list[Move], wanted: str) -> list[Move]:
        """Moves that have `wanted` as another spelling: by the first spelling that any has."""
        ways = max((len(self._spellings(move)) for move in begun), default=0)
        for number in range(ways):
            found = [
                move
                for move in begun
                if number < len(self._spellings(move))
                and self._spell(state, move, self._spellings(move)[number]) == wanted
            ]
            if found:
                return found
        return []

    def spelt_like(self, state: State, text: str) -> list[Move]:
        """Moves that would have a text as another spelling, whether they are legal or not."""
        found: list[Move] = []
        for action in self._actions.values():
            moves = (Move(action.name, answers) for answers in self._imagined(action.params, text))
            found += (
                move
                for move in islice(moves, _LIMIT if self._spellings(Move(action.name)) else 0)
                if any(self._spell(state, move, way) == text for way in self._spellings(move))
            )
        return found

    def _imagined(self, params: tuple[str, ...], text: str) -> Iterator[dict[str, Any]]:
        """Answers to all parameters, of which the text names at least one; a parameter that it
        does not name may be left out."""
        known = [self._all_values(name) for name in params]
        named = [[value for value in values if str(value) in text] for values in known]
        for at, mentioned in enumerate(named):
            others = [[None, *named[n]] if n > at else values for n, values in enumerate(known)]
            for answers in product(*others[:at], mentioned, *others[at + 1 :]):
                pairs = zip(params, answers, strict=True)
                yield {name: answer for name, answer in pairs if answer is not None}

    def _all_values(self, name: str) -> list[Any]:
        """Whatever could be chosen under a name: a few words, spaces, seats or rows."""
        type_ = self._types.get(name)
        if type_ is None or type_.kind in ("int", "bool", "piece") or type_.width > 1:
            return []
        return [self._values.outside(type_, value) for value in range(type_.lo, type_.hi + 1)]

    def _spellings(self, move: Move) -> tuple[Spelling, ...]:
        words = self._words.get(("action", move.action_id))
        return () if words is None else words.spellings

    def _spell(self, state: State, move: Move, spelling: Spelling) -> str:
        parts: list[str] = []
        for part in spelling:
            if isinstance(part, str):
                parts.append(part)
            elif isinstance(part, tuple):
                parts.append(self._value(state, move, part))
            elif self._holds(state, move, part):
                parts.append(part.text)
        return "".join(parts)

    def _holds(self, state: State, move: Move, part: Provided) -> bool:
        """Whether the condition of a text holds, on the state before the move."""
        key = id(part)
        if key not in self._conditions:
            self._conditions[key] = self._core.machine.expressions.expr(part.when.body)
        memory = self._core.machine.scratch(state.shared_cells, Run())
        seat = self._core.stop(state).seat
        arguments = zip(part.names, part.when.params, part.when.param_types, strict=True)
        try:
            for name, register, type_ in arguments:
                answer = move.params.get(name)
                memory[register] = seat if name == "actor" else self._values.inside(type_, answer)
            return bool(self._conditions[key](memory))
        except (Refused, RulebookFault, NotOfType):
            return False

    def _completed(self, state: State, begun: list[Move], wanted: str) -> list[Move]:
        """Moves written as `wanted`, completed answer by answer: none, one, or two of several."""
        found: dict[Move, None] = {}
        stack = list(reversed(begun))
        for _ in range(_LIMIT):
            while stack and not self._fits(state, stack[-1], wanted):
                stack.pop()
            if not stack or len(found) > 1:
                break
            move = stack.pop()
            try:
                request = self._moves.legal_choices(state, move)
            except IllegalMove:
                continue
            if not request.complete and request.kind == "chooseOne":
                stack += self._answered(move, request)
            elif (request.legal or not request.complete) and wanted in (
                self.write(state, move),
                self.write_all(move),
            ):
                found[move] = None
        return list(found)

    def _fits(self, state: State, move: Move, wanted: str) -> bool:
        """Whether a move can be written so, however it is completed."""
        return any(_matches(pattern, wanted) for pattern in self._patterns(state, move))

    def _patterns(self, state: State, move: Move) -> Iterator[Pattern]:
        action = self._actions.get(move.action_id)
        answers = [f"{name}={_text(value)}" for name, value in move.params.items()]
        yield [move.action_id + ("(" + ", ".join(answers) if answers else ""), None]
        if action is None or action.notation is None:
            return
        pattern: Pattern = []
        for part in action.notation:
            if isinstance(part, str):
                pattern.append(part)
                continue
            name = slot(part)[1][0]
            if name in move.params or name.endswith("*"):
                pattern.append(self._value(state, move, part))
            if name not in move.params:
                pattern.append(None)
        yield pattern

    def _answered(self, move: Move, request: ChoiceRequest) -> list[Move]:
        assert request.decision_id is not None
        answers = [*request.options, *([None] if request.optional else [])]
        return [move.with_param(request.decision_id, answer) for answer in reversed(answers)]


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_text(item) for item in value) + "]"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _matches(pattern: Pattern, text: str) -> bool:
    """Whether a text fits: each part as early as it can stand, the last one at the end."""
    joined: Pattern = [""]
    for part in pattern:
        if part is None or joined[-1] is None:
            joined.append(part)
        else:
            joined[-1] += part
    first, *rest = joined
    assert first is not None
    if not rest:
        return text == first
    if not text.startswith(first):
        return False
    last = rest.pop()
    if last is not None:
        if not text.endswith(last) or len(text) < len(first) + len(last):
            return False
        text = text[: len(text) - len(last)]
    at = len(first)
    for part in rest:
        if part is not None:
            at = text.find(part, at)
            if at < 0:
                return False
            at += len(part)
    return True
