"""Moves as text: the rulebook's own templates, or `action(param=value, …)`.

Reading never guesses: a text is matched against what the legal moves would be written as. A move is
completed only as long as it can still be written as that text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludwright.errors import IllegalMove
from ludwright.kernel.play.move_builder import MoveBuilder
from ludwright.kernel.protocol.move import ChoiceRequest, Move
from ludwright.kernel.protocol.state import State
from ludwright.kernel.views.naming import Values
from ludwright.kernel.views.wording import Wording
from ludwright.program import Program, slot

_LIMIT = 1_000  # questions asked while reading one text

Pattern = list[str | None]
"""Texts in their order; `None` stands for any text, of an answer that is not given yet."""


class Notation:
    """Writes and reads the moves of one game."""

    def __init__(
        self, program: Program, values: Values, wording: Wording, moves: MoveBuilder
    ) -> None:
        self._world = program.world
        self._values = values
        self._wording = wording
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
        if type_ is not None and type_.kind == "piece":
            piece = self._piece(state, move, name, str(value))
            value, rest = self._property(state, piece, value, rest[0]), rest[1:]
        for attribute in rest:
            value = self._attribute(value, attribute)
        return before + _text(value)

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
        if attribute in world.space_attributes and value in names:
            of = world.space_attributes[attribute]
            return outside(of.type, of.values[names.index(value)])
        if attribute in world.seat_attributes and value in world.seats:
            of = world.seat_attributes[attribute]
            return outside(of.type, of.values[world.seats.index(value)])
        return value

    # ------------------------------------------------------------ reading

    def read(self, state: State, text: str) -> Move:
        wanted = text.strip()
        begun = self._moves.legal_moves(state)
        found = [move for move in begun if self.write(state, move) == wanted]
        found = found or [move for move in begun if self.write_all(move) == wanted]
        found = found or self._completed(state, begun, wanted)
        if not found:
            raise IllegalMove("unreadable", "", f"`{wanted}` is not the text of a legal move here")
        if len(found) > 1:
            one = self.write_all(found[0])
            reason = f"`{wanted}` is the text of several legal moves; `{one}` is one of them"
            raise IllegalMove("ambiguous", "", reason)
        return found[0]

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
