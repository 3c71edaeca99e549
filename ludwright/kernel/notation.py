"""Moves as text: the rulebook's own templates, or `action(param=value, …)`.

Reading never guesses: a text is matched against what the legal moves would be written as.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ludwright.errors import IllegalMove
from ludwright.kernel.moves import ChoiceRequest, Move
from ludwright.kernel.program import ActionInfo, Template, slot
from ludwright.kernel.state import State

if TYPE_CHECKING:
    from ludwright.kernel.game import Game

_LIMIT = 20_000  # complete moves looked at while reading one text


class Notation:
    """Writes and reads the moves of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._actions = {action.name: action for action in game.program.actions}

    def write(self, state: State, move: Move) -> str:
        action = self._actions.get(move.action_id)
        if action is not None and action.notation is not None:
            return self._filled(action, action.notation, move)
        if not move.params:
            return move.action_id
        told = ", ".join(f"{name}={_told(value)}" for name, value in move.params.items())
        return f"{move.action_id}({told})"

    def _filled(self, action: ActionInfo, template: Template, move: Move) -> str:
        return "".join(
            part if isinstance(part, str) else self._value(move, part) for part in template
        )

    def _value(self, move: Move, part: tuple[str, ...]) -> str:
        before, (name, *rest) = slot(part)
        if name.endswith("*"):
            base = name[:-1]
            return "".join(
                before + _told(value)
                for key, value in move.params.items()
                if key == base or key.startswith(f"{base}[")
            )
        value = move.params.get(name)
        if value is None:
            return ""
        for attribute in rest:
            value = self._attribute(value, attribute)
        return before + _told(value)

    def _attribute(self, value: Any, attribute: str) -> Any:
        """A constant attribute of a named thing: `promote.letter`."""
        world = self._game.program.world
        outside = self._game.values.outside
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
        partial: list[Move] = []
        for move in self._game.legal_moves(state):
            if self.write(state, move) == wanted:
                partial.append(move)
        if len(partial) == 1:
            return partial[0]
        if len(partial) > 1:
            raise IllegalMove("ambiguous", "", f"`{wanted}` could be any of {len(partial)} moves")
        found = {move for move in self._completions(state) if self.write(state, move) == wanted}
        if len(found) == 1:
            return found.pop()
        if found:
            raise IllegalMove("ambiguous", "", f"`{wanted}` could be any of {len(found)} moves")
        raise IllegalMove("unreadable", "", f"`{wanted}` is not the text of a legal move here")

    def _completions(self, state: State) -> Iterator[Move]:
        """Complete moves of templates, one option at a time, up to a limit."""
        left = _LIMIT
        stack = list(reversed(self._game.legal_moves(state)))
        while stack and left:
            left -= 1
            move = stack.pop()
            try:
                request = self._game.legal_choices(state, move)
            except IllegalMove:
                continue
            if request.complete:
                if request.legal:
                    yield move
            elif request.type == "chooseOne" and request.decision_id is not None:
                stack += self._answered(move, request)
            else:
                yield move

    def _answered(self, move: Move, request: ChoiceRequest) -> list[Move]:
        assert request.decision_id is not None
        answers = [*request.options, *([None] if request.optional else [])]
        return [move.with_param(request.decision_id, answer) for answer in reversed(answers)]


def _told(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_told(item) for item in value) + "]"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
