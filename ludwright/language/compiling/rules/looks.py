"""Whether a `look` speaks of things that there are. A name that nobody declared changes no rule, so
it is a warning; a colour or symbol that cannot be drawn is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ludwright.diagnostics import Span
from ludwright.language.compiling.unit import Unit
from ludwright.language.look import (
    ENDS,
    LONGEST_BADGE,
    MOST_SLOTS,
    SIZES,
    FaceLook,
    LookDecl,
    PieceLook,
    SpaceLook,
    Style,
    is_colour,
    is_symbol,
    template_names,
)
from ludwright.program.types import Type
from ludwright.program.world import PieceKind
from ludwright.spelling import did_you_mean

# what a template may name besides the properties of a piece, or the attributes of a space
_OF_PIECES = ("name", "title", "text", "kind", "owner")
_OF_SPACES = ("name", "title")
Known = Mapping[str, Type | None]


def check(unit: Unit) -> None:
    look = unit.gamedef.look
    if look is not None:
        _Checker(unit).look(look)


class _Checker:
    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._world = unit.world
        self._diagnostics = unit.diagnostics

    def look(self, look: LookDecl) -> None:
        world, gamedef = self._world, self._unit.gamedef
        self._colour(look.background, look.span)
        sizes = [(spaces.size, spaces.span) for spaces in look.spaces]
        sizes += [(piece.size, piece.span) for piece in look.pieces]
        sizes += [(zone.size, zone.span) for zone in look.zones]
        for size, span in sizes:
            self._within(size, SIZES, "size", span)
        for zone in look.zones:
            self._within(zone.slots, (0, MOST_SLOTS), "slots", zone.span)
        for seat in look.seats:
            self._known(seat.name, seat.span, world.seats, "seat")
            self._colour(seat.colour, seat.span)
            self._symbol(seat.symbol, seat.span)
        for spaces in look.spaces:
            groups = [group.name for group in gamedef.spaces]
            if self._known(spaces.name, spaces.span, groups, "group of spaces"):
                self._spaces(spaces)
        for piece in look.pieces:
            kinds = {kind.name: kind for kind in world.kinds}
            if self._known(piece.name, piece.span, kinds, "kind of piece"):
                self._pieces(piece, kinds[piece.name])
        for zone in look.zones:
            self._known(zone.name, zone.span, [z.name for z in gamedef.zones], "zone")
        values = self._variables("global")
        for name in (*(look.values or ()), *(look.centre or ())):
            self._known(name.name, name.span, values, "variable or value of `show`")
        for name in look.seat_values or ():
            own = self._variables("seat")
            self._known(name.name, name.span, own, "variable of seats, or value of `show`")
        self._at_seats(look)
        self._asked(look)

    def _at_seats(self, look: LookDecl) -> None:
        """Badges, and who is in play: variables that hold seats."""
        seats = [v.name for v in self._unit.gamedef.vars if v.scope == "global"]
        for badge in look.badges:
            self._within(len(badge.sign), (1, LONGEST_BADGE), "badges", badge.span)
            self._known(badge.of, badge.span, seats, "variable that holds seats")
        if look.in_play:
            self._known(look.in_play, look.span, seats, "variable that holds seats")

    def _asked(self, look: LookDecl) -> None:
        """The words of actions, and numbers with names."""
        gamedef = self._unit.gamedef
        actions = [action.id for action in gamedef.actions]
        values = list(dict.fromkeys((*self._variables("global"), *self._variables("seat"))))
        for action in look.actions:
            self._known(action.name, action.span, actions, "action")
            for name in template_names(action.label):
                self._known(name, action.span, values, "variable or value of `show`")
        for amount in look.amounts:
            for preset in amount.presets:
                self._known(preset.value, preset.span, [*ENDS, *values], "value of `show`")

    def _variables(self, scope: str) -> list[str]:
        gamedef = self._unit.gamedef
        declared = [v.name for v in gamedef.vars if v.scope == scope]
        markers = [m.name for m in gamedef.markers if m.is_global and scope == "global"]
        return [*declared, *markers, *(shown.name for shown in gamedef.show)]

    def _spaces(self, look: SpaceLook) -> None:
        attributes = {name: a.type for name, a in self._world.space_attributes.items()}
        known: Known = {**attributes, **dict.fromkeys(_OF_SPACES)}
        for style, check in ((look.colour, self._colour), (look.symbol, self._symbol)):
            self._style(style, known, check)
        self._style(look.shape, known, None)
        self._template(look.label or "", look.span, known)

    def _pieces(self, look: PieceLook, kind: PieceKind) -> None:
        known: dict[str, Type | None] = {p.name: p.type for p in kind.properties}
        for prop in kind.properties:
            if prop.type.kind == "row" and prop.type.name in self._world.tables:
                columns = self._world.tables[prop.type.name].columns
                known |= {name: column.type for name, column in columns.items()}
        known |= {name: None for name in _OF_PIECES if name not in known}
        face = look.face or FaceLook()
        for style in (look.colour, face.colour):
            self._style(style, known, self._colour)
        for style in (look.symbol, face.symbol):
            self._style(style, known, self._symbol)
        self._style(look.shape, known, None)
        for text in (look.label or "", face.corner, face.title, *face.text):
            self._template(text, face.span or look.span, known)

    # ---------------------------------------------------------------- values

    def _style(self, style: Style | None, known: Known, check: object) -> None:
        if style is None:
            return
        texts = [(style.text, style.span), *((text, style.span) for text in style.turn)]
        texts += [(case.text, case.span) for case in style.cases]
        for text, span in texts:
            if callable(check):
                check(text, span)
        if not style.by or not self._known(style.by, style.span, known, "property"):
            return
        values = self._values(known[style.by])
        for case in style.cases if values else ():
            self._known(case.value, case.span, values, f"value of `{style.by}`")

    def _values(self, type_: Type | None) -> Sequence[str]:
        """The values of a type that has names for them."""
        match type_.kind if type_ is not None else "":
            case "bool":
                return ("true", "false")
            case "enum" if type_ is not None:
                return self._world.enums.get(type_.name, ())
            case "row" if type_ is not None and type_.name in self._world.tables:
                return self._world.tables[type_.name].rows
            case "seat":
                return self._world.seats
            case _:
                return ()

    def _within(self, size: int, bounds: tuple[int, int], what: str, span: Span | None) -> None:
        if not bounds[0] <= size <= bounds[1]:
            self._diagnostics.error(
                "wrong-value", span, f"`{what}` is a number from {bounds[0]} to {bounds[1]}", None
            )

    def _colour(self, text: str, span: Span | None) -> None:
        if text and not is_colour(text):
            self._diagnostics.error("look-colour", span, f"`{text[:40]}` is no colour", None)

    def _symbol(self, text: str, span: Span | None) -> None:
        if text and not is_symbol(text):
            self._diagnostics.error(
                "look-symbol", span, f"`{text[:40]}` is neither a glyph nor an SVG path", None
            )

    def _template(self, text: str, span: Span | None, known: Known) -> None:
        for name in template_names(text):
            self._known(name, span, known, "property")

    def _known(self, name: str, span: Span | None, names: Iterable[str], what: str) -> bool:
        listed = list(names)
        if name in listed or name.replace("-", "_") in listed:
            return True
        self._diagnostics.warning(
            "look-name",
            span,
            f"there is no {what} `{name[:40]}`: this changes nothing",
            did_you_mean(name, listed)
            or (f"there are {', '.join(f'`{n}`' for n in listed[:12])}" if listed else None),
        )
        return False
