"""From a seat's observation to the scene that `board` draws.

Reads the observation and what never changes, so that nothing hidden can reach the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludwright.kernel.views.board import GroupView, PieceView, Scene, SpaceView, ZoneView, letters
from ludwright.kernel.views.lattice import bar
from ludwright.kernel.views.naming import Values
from ludwright.kernel.views.wording import NOTHING, Wording, option_text
from ludwright.program import Program, Variable
from ludwright.program.cells import decoder
from ludwright.program.world import PieceKind, World

FEW = 6  # signs that are explained one by one
SPOTTED = ("rectangle", "hexagon", "flat")  # boards of hexes that are drawn by their spots
NOT_SHOWN = ("kind", "name", "owner", "row")


@dataclass(frozen=True)
class Setting:
    """What never changes about a game, as far as a drawing needs it."""

    program: Program
    values: Values
    wording: Wording
    shapes: Callable[[], Mapping[str, str]] = dict  # by group of spaces: "grid", "track", …

    def has_shape(self, group: str, shape: str) -> bool:
        return self.shapes().get(group) == shape

    def shows(self, variable: str) -> bool:
        """Bookkeeping is not drawn."""
        words = self.program.words.get(("variable", variable))
        return words is None or not words.hidden

    def called(self, variable: str) -> str:
        return self.wording.symbol("variable", variable) or self.wording.title("variable", variable)

    def phase(self, name: str | None) -> Iterable[tuple[str, str]]:
        """The phase under way, where the rulebook has a word for it."""
        words = self.program.words.get(("phase", name or ""))
        if words is not None and (words.title or words.symbol):
            yield "phase", f"{words.symbol} {words.title}".strip()

    def spoken(self, value: Any) -> str:
        """A value of a variable as people say it."""
        if isinstance(value, list | tuple):
            return " ".join(map(self.spoken, value)) if value else option_text(value)
        if value is None:
            return NOTHING
        if not isinstance(value, str):
            return option_text(value)
        return self.wording.called(value).replace("_", " ")

    def declared(self, variable: Variable, index: int) -> Any:
        """What a variable holds before set-up."""
        at = variable.addr + index * variable.type.width
        cells = list(self.program.initial)
        return self.values.outside(variable.type, decoder(variable.type)(cells, at))


def scene_of(game: Setting, observation: Mapping[str, Any]) -> Scene:
    """The table as the seat of an observation sees it."""
    world = game.program.world
    signs = Signs(world, observation["seats"], game.wording)
    places: Mapping[str, Any] = observation["places"]
    variables: Mapping[str, Any] = observation["variables"]
    by_scope: dict[str, list[Variable]] = {"global": [], "seat": [], "space": []}
    for variable in game.program.variables:
        if variable.name in variables and game.shows(variable.name):
            by_scope.setdefault(variable.scope, []).append(variable)
    space_values = _space_values(game, by_scope["space"], variables)
    groups = tuple(
        GroupView(
            name,
            tuple(_space(game, space, places, signs, space_values) for space in spaces),
            slanted=game.has_shape(name, "hex"),
            track=game.has_shape(name, "track"),
        )
        for name, spaces in _groups(world)
    )
    groups = _with_parts(game, groups)
    on_board = [
        piece
        for group in groups
        if group.is_grid or group.track
        for part in (group, *group.parts)
        for space in part.spaces
        for piece in space.pieces
    ]
    return Scene(
        groups=groups,
        zones=tuple(_zones(game, places, observation["seats"], signs)),
        values=(
            *game.phase(observation["phase"]),
            *_values(game, by_scope["global"], variables),
            *_computed(game, observation.get("shown", {})),
        ),
        seats=tuple(_seats(game, by_scope["seat"], observation)),
        legend=(
            *_legend(on_board, [game.wording.seat(seat) for seat in observation["seats"]]),
            *_grounds(world, groups),
        ),
    )


def _with_parts(game: Setting, groups: tuple[GroupView, ...]) -> tuple[GroupView, ...]:
    """Corners and sides are drawn with the board that they belong to; hexes at their spots."""
    world = game.program.world
    group_of = {at: name for name, spaces in world.groups.items() for at in spaces}
    parts: dict[str, list[GroupView]] = {}
    boards: list[GroupView] = []
    for group in groups:
        if group.spaces and game.shapes().get(group.name) in ("corners", "sides"):
            touched = world.touching["cells"][world.groups[group.name][0]]
            part = replace(group, spaces=_blank_parts(game, group))
            parts.setdefault(group_of[touched[0]], []).append(part)
        else:
            boards.append(group)
    return tuple(
        _at_spots(world, group, tuple(parts.get(group.name, ())))
        if group.name in parts or game.shapes().get(group.name) in SPOTTED
        else group
        for group in boards
    )


def _at_spots(world: World, group: GroupView, parts: tuple[GroupView, ...]) -> GroupView:
    signs = {at: sign for sign, spaces in _drawn(world, group.name) for at in spaces}
    spaces = tuple(
        replace(space, spot=world.spots[at], blank=f"{signs.get(at, '')}{space.name}")
        for at, space in zip(world.groups[group.name], group.spaces, strict=True)
    )
    return replace(group, spaces=spaces, spotted=True, parts=parts)


def _drawn(world: World, group: str) -> Iterable[tuple[str, tuple[int, ...]]]:
    """The signs with which the rulebook draws a board. Letters could be taken for pieces."""
    for sign, spaces in world.marked.get(group, {}).items():
        if sign != "." and not sign.isalnum():
            yield sign, spaces


def _grounds(world: World, groups: Iterable[GroupView]) -> Iterable[tuple[str, str]]:
    """What these signs mean: the words that are properties of their spaces."""
    for group in groups:
        for sign, spaces in _drawn(world, group.name) if group.spotted else ():
            words = [
                world.enums[attribute.type.name][value]
                for attribute in world.space_attributes.values()
                if attribute.type.kind == "enum"
                and isinstance(value := attribute.values[spaces[0]], int)
                and value >= 0
            ]
            if words:
                yield sign, " ".join(words).replace("_", " ")


def _blank_parts(game: Setting, group: GroupView) -> tuple[SpaceView, ...]:
    """How empty corners and sides look."""
    world, corners = game.program.world, game.has_shape(group.name, "corners")
    found: list[SpaceView] = []
    for at, space in zip(world.groups[group.name], group.spaces, strict=True):
        spot, cell = world.spots[at], world.spots[world.touching["cells"][at][0]]
        found.append(replace(space, spot=spot, blank="+" if corners else bar(spot, cell)))
    return tuple(found)


def _values(
    game: Setting, declared: Iterable[Variable], variables: Mapping[str, Any]
) -> Iterable[tuple[str, str]]:
    """Global variables, except those that were declared empty and still are."""
    for variable in declared:
        value = variables[variable.name]
        if value or value != game.declared(variable, 0):
            yield game.called(variable.name), game.spoken(value)


def _computed(game: Setting, shown: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for name, value in shown.items():
        if not isinstance(value, Mapping) and game.shows(name):
            yield game.called(name), game.spoken(value)


def _seats(
    game: Setting, declared: Iterable[Variable], observation: Mapping[str, Any]
) -> Iterable[tuple[str, tuple[tuple[str, str], ...]]]:
    """Variables by seat: those in which some seat has a value, or else all of them."""
    variables, seats = observation["variables"], observation["seats"]
    values: Mapping[str, Any] = observation.get("shown", {})
    computed = [
        (name, own) for name, own in values.items() if isinstance(own, Mapping) and game.shows(name)
    ]
    declared = list(declared)
    shown = [
        variable
        for variable in declared
        if any(
            (value := variables[variable.name].get(seat, True))
            or value != game.declared(variable, at)
            for at, seat in enumerate(seats)
        )
    ] or declared
    known = [*((v.name, variables[v.name]) for v in shown), *computed]
    for seat in seats if known else ():
        yield (
            game.wording.seat(seat),
            tuple(
                (game.called(name), game.spoken(own[seat]) if seat in own else "?")
                for name, own in known
            ),
        )


def _legend(pieces: Iterable[PieceView], seats: Sequence[str]) -> tuple[tuple[str, str], ...]:
    order = {seat: at for at, seat in enumerate(seats)}
    ordered = sorted(set(pieces), key=lambda p: (order.get(p.owner or "", -1), p.name))
    shown = tuple(dict.fromkeys((piece.sign, _owned(piece)) for piece in ordered))
    names = list(dict.fromkeys(piece.name for piece in ordered))
    if len(shown) > FEW and len(seats) == 2 and all(piece.owner for piece in ordered):
        if any(piece.sign.lower() == piece.sign.upper() for piece in ordered):
            return _both_sides(ordered, names, seats)
        # Two sides, one in upper case and one in lower case.
        signs = {piece.name: piece.sign.lower() for piece in ordered}
        pairs = [(f"{signs[name].upper()} {signs[name]}", name) for name in sorted(names)]
        return (*pairs, ("UPPER CASE", seats[0]), ("lower case", seats[1]))
    return shown


def _both_sides(
    pieces: Sequence[PieceView], names: Sequence[str], seats: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Glyphs of two sides, the first side's before the other's: `♔ ♚ king (white, black)`."""
    by_name = {
        name: dict.fromkeys(piece.sign for piece in pieces if piece.name == name) for name in names
    }
    first, *rest = ((" ".join(by_name[name]), name) for name in sorted(names))
    return ((first[0], f"{first[1]} ({', '.join(seats)})"), *rest)


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


def _space(
    game: Setting,
    space: int,
    places: Mapping[str, Any],
    signs: Signs,
    values: Mapping[str, tuple[tuple[str, str], ...]],
) -> SpaceView:
    world = game.program.world
    name = world.places[space].name
    column, row = world.column_and_row(space)
    shown = places.get(name, {}).get("pieces", ())
    pieces = tuple(signs.piece(piece) for piece in shown if piece is not None)
    title = f"{game.wording.symbol('space', name)} {game.wording.place(space)}".strip()
    return SpaceView(name, column, row, pieces, values.get(name, ()), title)


def _space_values(
    game: Setting, declared: Iterable[Variable], variables: Mapping[str, Any]
) -> dict[str, tuple[tuple[str, str], ...]]:
    """By space, the variables that differ from their declaration."""
    found: dict[str, list[tuple[str, str]]] = {}
    world = game.program.world
    index = {place.name: at for at, place in enumerate(world.places[: world.space_count])}
    for variable in declared:
        for name, value in variables[variable.name].items():
            if value != game.declared(variable, index[name] - variable.first):
                told = (game.called(variable.name), game.spoken(value))
                found.setdefault(name, []).append(told)
    return {name: tuple(pairs) for name, pairs in found.items()}


def _zones(
    game: Setting, places: Mapping[str, Any], seats: Sequence[str], signs: Signs
) -> Iterable[ZoneView]:
    world = game.program.world
    for index, place in enumerate(world.places[world.space_count :], world.space_count):
        owner = world.seats[place.owner] if place.owner >= 0 else None
        if owner is not None and owner not in seats:
            continue
        shown = places.get(place.name, {"count": 0})
        seen = [piece for piece in shown.get("pieces", ()) if piece is not None]
        if place.order == "bag":
            seen.sort(key=signs.rank)
        pieces = tuple(signs.piece(piece) for piece in seen)
        count: int = shown["count"]
        yield ZoneView(game.wording.place(index), count, pieces, hidden=count - len(pieces))


class Signs:
    """Short signs for pieces: a letter for what it is, its case or a second letter for whose."""

    def __init__(self, world: World, seats: Sequence[str], wording: Wording) -> None:
        self._seats = list(seats)
        self._wording = wording
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

    def combinations(
        self, world: World
    ) -> Iterable[tuple[PieceKind, str | None, tuple[str, str] | None]]:
        """Whatever has a sign of its own: kind, owner, and the property that says what it is."""
        for kind in world.kinds:
            prop = next(
                (p for p in kind.properties if p.name == self._enum_property[kind.name]), None
            )
            owned = any(p.name == "owner" for p in kind.properties)
            words: list[tuple[str, str] | None] = [None]
            if prop is not None:
                rows = world.tables[prop.type.name].rows if prop.type.kind == "row" else ()
                words = [(prop.name, word) for word in world.enums.get(prop.type.name, rows)]
            for seat in self._seats if owned else (None,):
                for word in words:
                    yield kind, seat, word

    def rank(self, piece: Mapping[str, Any]) -> int:
        """Where a piece with a name of its own stands in the order of the rulebook."""
        return self._ranks.get(str(piece.get("name", "")), -1)

    def piece(self, piece: Mapping[str, Any]) -> PieceView:
        owner = piece.get("owner")
        word = self._word(piece)
        flags = self._flags(piece)
        # A card that carries a table's row is called by it. Of several alike each may differ.
        own = piece.get("name") or piece.get("row")
        name = self._titled(str(own or word))
        name = name if piece.get("name") else " ".join([name, *flags])
        marks = "".join("*" if not flag[-1].isdigit() else flag.split()[-1] for flag in flags)
        shown = self._wording.seat(owner) if owner is not None else None
        return PieceView(name, shown, self._sign(word, owner) + marks)

    def _titled(self, word: str) -> str:
        kind = self._wording.title("kind", word, word)
        return kind if kind != word else self._wording.title("row", word, word)

    def _symbol(self, word: str) -> str:
        symbols = (self._wording.symbol(subject, word) for subject in ("kind", "row", "enum"))
        return next(filter(None, symbols), "")

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
        letter = self._symbol(word) or self._word_letters.get(word, word[:1].lower())
        if owner is None or owner not in self._seats:
            return letter
        if len(letter) == len(self._seats) > 1:  # a glyph for each seat
            return letter[self._seats.index(owner)]
        if len(self._word_letters) == 1:
            return self._wording.symbol("seat", owner) or self._seat_letters[owner].upper()
        if len(self._seats) <= 2:
            return letter.upper() if owner == self._seats[0] else letter
        return self._seat_letters[owner].upper() + letter


def _enum_property(kind: PieceKind) -> str | None:
    """The property that says what a piece is: a word, or the row of a table."""
    words = [p.name for p in kind.properties if p.type.kind == "enum"]
    owned = any(p.name == "owner" for p in kind.properties)  # men of a seat, unlike cards
    rows = [p.name for p in kind.properties if p.type.kind == "row" and (owned or p.name != "row")]
    return next(iter(words + rows), None)
