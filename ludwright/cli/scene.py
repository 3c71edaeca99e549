"""From a seat's observation to the scene that `cli.board` draws.

Reads the observation and the World only, so that nothing hidden can reach the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ludwright.cli.board import GroupView, PieceView, Scene, SpaceView, ZoneView, letters
from ludwright.cli.menu import option_text
from ludwright.kernel.storage import decoder

if TYPE_CHECKING:
    from ludwright.kernel.game import Game
    from ludwright.kernel.program import Variable
    from ludwright.kernel.world import PieceKind, World

FEW = 6  # signs that are explained one by one
NOT_SHOWN = ("kind", "name", "owner", "row")


def scene_of(game: Game, observation: Mapping[str, Any]) -> Scene:
    world = game.program.world
    signs = Signs(world, observation["seats"])
    places: Mapping[str, Any] = observation["places"]
    variables: Mapping[str, Any] = observation["variables"]
    by_scope: dict[str, list[Variable]] = {"global": [], "seat": [], "space": []}
    for variable in game.program.variables:
        if variable.name in variables:
            by_scope.setdefault(variable.scope, []).append(variable)
    space_values = _space_values(game, by_scope["space"], variables)
    groups = tuple(
        GroupView(
            name,
            tuple(_space(world, space, places, signs, space_values) for space in spaces),
            slanted=_has_shape(game, name, "hex"),
            track=_has_shape(game, name, "track"),
        )
        for name, spaces in _groups(world)
    )
    on_board = [
        piece
        for group in groups
        if group.is_grid or group.track
        for space in group.spaces
        for piece in space.pieces
    ]
    return Scene(
        groups=groups,
        zones=tuple(_zones(world, places, observation["seats"], signs)),
        values=tuple(_told_values(game, by_scope["global"], variables)),
        seats=tuple(_told_seats(game, by_scope["seat"], variables, observation["seats"])),
        legend=_legend(on_board, observation["seats"]),
    )


def _told_values(
    game: Game, declared: Iterable[Variable], variables: Mapping[str, Any]
) -> Iterable[tuple[str, str]]:
    """What is there, or has changed; nothing, where nothing was declared, says nothing."""
    for variable in declared:
        value = variables[variable.name]
        if value or value != _declared(game, variable, 0):
            yield variable.name, option_text(value)


def _told_seats(
    game: Game, declared: Iterable[Variable], variables: Mapping[str, Any], seats: Sequence[str]
) -> Iterable[tuple[str, tuple[tuple[str, str], ...]]]:
    """Per seat the variables that say something of any of them; all of them where none does."""
    declared = list(declared)
    told = [
        variable
        for variable in declared
        if any(
            (value := variables[variable.name].get(seat, True))
            or value != _declared(game, variable, at)
            for at, seat in enumerate(seats)
        )
    ] or declared
    for seat in seats if told else ():
        known = [(v.name, variables[v.name]) for v in told]
        yield (
            seat,
            tuple((name, option_text(own[seat]) if seat in own else "?") for name, own in known),
        )


def _declared(game: Game, variable: Variable, index: int) -> Any:
    """What a variable holds before set-up."""
    at = variable.addr + index * variable.type.width
    cells = list(game.program.initial)
    return game.values.outside(variable.type, decoder(variable.type)(cells, at))


def _legend(pieces: Iterable[PieceView], seats: Sequence[str]) -> tuple[tuple[str, str], ...]:
    order = {seat: at for at, seat in enumerate(seats)}
    ordered = sorted(set(pieces), key=lambda p: (order.get(p.owner or "", -1), p.name))
    told = tuple(dict.fromkeys((piece.sign, _owned(piece)) for piece in ordered))
    names = list(dict.fromkeys(piece.name for piece in ordered))
    if len(told) > FEW and len(seats) == 2 and all(piece.owner for piece in ordered):
        # Two sides told apart by the size of their letters.
        signs = {piece.name: piece.sign.lower() for piece in ordered}
        pairs = [(f"{signs[name].upper()} {signs[name]}", name) for name in sorted(names)]
        return (*pairs, ("CAPITALS", seats[0]), ("small letters", seats[1]))
    return told


def _owned(piece: PieceView) -> str:
    return piece.name if piece.owner is None else f"{piece.owner} {piece.name}"


def _groups(world: World) -> list[tuple[str, Sequence[int]]]:
    """Every space once, in the first group that has it."""
    seen: set[int] = set()
    found: list[tuple[str, Sequence[int]]] = []
    for name, spaces in world.groups.items():
        own = [space for space in spaces if space not in seen]
        if own:
            found.append((name, own))
            seen.update(own)
    return found


def _has_shape(game: Game, group: str, shape: str) -> bool:
    declared = getattr(game.gamedef, "spaces", ())
    return any(item.name == group and item.shape == shape for item in declared)


def _space(
    world: World,
    space: int,
    places: Mapping[str, Any],
    signs: Signs,
    values: Mapping[str, tuple[tuple[str, str], ...]],
) -> SpaceView:
    name = world.places[space].name
    column, row = _coordinates(world, space)
    shown = places.get(name, {}).get("pieces", ())
    pieces = tuple(signs.piece(piece) for piece in shown if piece is not None)
    return SpaceView(name, column, row, pieces, values.get(name, ()))


def _coordinates(world: World, space: int) -> tuple[int, int]:
    """Where a space is drawn; a map may say so itself, with properties `column` and `row`."""
    if space < len(world.coordinates) and world.coordinates[space] != (0, 0):
        return world.coordinates[space]
    column, row = (world.space_attributes.get(name) for name in ("column", "row"))
    if column is None or row is None or {column.type.kind, row.type.kind} != {"int"}:
        return (0, 0)
    across, up = column.values[space], row.values[space]
    if isinstance(across, int) and isinstance(up, int) and across > 0 and up > 0:
        return across, up
    return (0, 0)


def _space_values(
    game: Game, declared: Iterable[Variable], variables: Mapping[str, Any]
) -> dict[str, tuple[tuple[str, str], ...]]:
    """Per space, what is not as it was declared: a map full of zeros says nothing."""
    found: dict[str, list[tuple[str, str]]] = {}
    world = game.program.world
    index = {place.name: at for at, place in enumerate(world.places[: world.space_count])}
    for variable in declared:
        for name, value in variables[variable.name].items():
            if value != _declared(game, variable, index[name]):
                found.setdefault(name, []).append((variable.name, option_text(value)))
    return {name: tuple(pairs) for name, pairs in found.items()}


def _zones(
    world: World, places: Mapping[str, Any], seats: Sequence[str], signs: Signs
) -> Iterable[ZoneView]:
    for place in world.places[world.space_count :]:
        owner = world.seats[place.owner] if place.owner >= 0 else None
        if owner is not None and owner not in seats:
            continue
        shown = places.get(place.name, {"count": 0})
        seen = [piece for piece in shown.get("pieces", ()) if piece is not None]
        if place.order == "bag":
            seen.sort(key=signs.rank)
        pieces = tuple(signs.piece(piece) for piece in seen)
        name = f"{place.zone} of {owner}" if owner is not None else str(place.zone)
        yield ZoneView(name, shown["count"], pieces, hidden=shown["count"] - len(pieces))


class Signs:
    """Short signs for pieces: a letter for what it is, its case or a second letter for whose."""

    def __init__(self, world: World, seats: Sequence[str]) -> None:
        self._seats = list(seats)
        self._enum_property = {kind.name: _enum_property(kind) for kind in world.kinds}
        names = (name for kind in world.kinds for name in kind.names)
        self._ranks = {name: at for at, name in enumerate(names)}
        words: list[str] = []
        for kind in world.kinds:
            prop = self._enum_property[kind.name]
            of = next((p.type.name for p in kind.properties if p.name == prop), "")
            rows = world.tables[of].rows if of in world.tables else ()
            words += world.enums.get(of, rows) if prop else (kind.name,)
        self._word_letters = letters(words)
        self._seat_letters = letters(self._seats)

    def rank(self, piece: Mapping[str, Any]) -> int:
        """Where a piece with a name of its own stands in the order of the rulebook."""
        return self._ranks.get(str(piece.get("name", "")), -1)

    def piece(self, piece: Mapping[str, Any]) -> PieceView:
        owner = piece.get("owner")
        word = self._word(piece)
        flags = self._flags(piece)
        # a card that carries a table's row is called by it
        name = piece.get("name") or piece.get("row") or " ".join([word, *flags])
        marks = "".join("*" if not flag[-1].isdigit() else flag.split()[-1] for flag in flags)
        return PieceView(str(name), owner, self._sign(word, owner) + marks)

    def _word(self, piece: Mapping[str, Any]) -> str:
        prop = self._enum_property.get(piece["kind"])
        return str(piece[prop]) if prop and piece.get(prop) is not None else str(piece["kind"])

    def _flags(self, piece: Mapping[str, Any]) -> list[str]:
        """What else tells it apart: true properties by name, numbers with their value."""
        skipped = (*NOT_SHOWN, self._enum_property.get(piece["kind"]))
        flags = []
        for name, value in piece.items():
            if name in skipped or value is None or value is False:
                continue
            flags.append(name if value is True else f"{name} {option_text(value)}")
        return flags

    def _sign(self, word: str, owner: str | None) -> str:
        letter = self._word_letters.get(word, word[:1].lower())
        if owner is None or owner not in self._seats:
            return letter
        if len(self._word_letters) == 1:
            return self._seat_letters[owner].upper()
        if len(self._seats) <= 2:
            return letter.upper() if owner == self._seats[0] else letter
        return self._seat_letters[owner].upper() + letter


def _enum_property(kind: PieceKind) -> str | None:
    """The property that says what a piece is: a word, or the row of a table."""
    words = [p.name for p in kind.properties if p.type.kind == "enum"]
    rows = [p.name for p in kind.properties if p.type.kind == "row" and p.name not in NOT_SHOWN]
    return next(iter(words + rows), None)
