"""All blocks of a rulebook, in any order and any number, to one GameDef."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from ludwright.diagnostics import Diagnostics
from ludwright.language.gamedef import GameDef, SeatDecl
from ludwright.language.parsing.actions import (
    read_actions,
    read_events,
    read_operations,
    read_specials,
)
from ludwright.language.parsing.declarations import (
    read_enums,
    read_markers,
    read_parameters,
    read_pieces,
    read_seats,
    read_tables,
    read_vars,
    read_zones,
    with_groups,
)
from ludwright.language.parsing.effects import read_block
from ludwright.language.parsing.extending import extended
from ludwright.language.parsing.fields import SURE, Fields, Unique, is_null, shape, wrong_shape
from ludwright.language.parsing.lexer import plain_letters
from ludwright.language.parsing.look import read_look
from ludwright.language.parsing.phases import read_phase_templates, read_phases, read_turn
from ludwright.language.parsing.rules import (
    read_bot,
    read_drawing,
    read_end,
    read_functions,
    read_history,
    read_modifiers,
    read_no_moves,
    read_procs,
    read_scenarios,
    read_score,
    read_show,
    read_triggers,
)
from ludwright.language.parsing.spaces import read_spaces
from ludwright.language.parsing.titles import Words
from ludwright.language.reading.limits import ReadingStopped, limited
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.wording import shorten
from ludwright.spelling import nearest

# Every top-level key, with the other names it is known by.
SECTIONS: dict[str, tuple[str, ...]] = {
    "game": (),
    "language": (),
    "parameters": (),
    "seats": (),
    "enums": (),
    "vars": (),
    "spaces": (),
    "zones": (),
    "pieces": (),
    "markers": (),
    "tables": (),
    "fns": ("functions",),
    "values": (),
    "procs": (),
    "modifiers": (),
    "triggers": (),
    "actions": (),
    "operations": ("operationProfiles",),
    "specials": ("specialActivities",),
    "events": (),
    "phases": (),
    "phaseTemplates": (),
    "turn": (),
    "flow": (),
    "history": (),
    "noMoves": (),
    "end": (),
    "score": (),
    "setup": (),
    "scenarios": (),
    "show": (),
    "drawing": (),
    "extends": (),  # another rulebook; the reader puts its blocks here
    "remove": (),  # what of it does not count
    "look": (),
    "bot": (),
    "examples": (),  # read by `parsing.examples`: they are no rules
}
# What people call a block who have not met its name.
_SYNONYMS = ("variables", "procedures", "functions", "spieler", "joueurs")
_OTHER_NAMES = {
    "variables": "vars",
    "state": "vars",
    **dict.fromkeys(("players", "spieler", "joueurs"), "seats"),
    "board": "spaces",
    "map": "spaces",
    "cards": "pieces",
    "tokens": "pieces",
    "moves": "actions",
    "rules": "actions",
    "procedures": "procs",
    "ending": "end",
    "victory": "end",
    "scoring": "score",
}
# Keys that stand at the margin by mistake.
_PART_OF = {
    **dict.fromkeys(("id", "title", "summary"), "`game`"),
    **dict.fromkeys(("params", "pre", "cost", "effects", "limits", "ensure"), "an action"),
    **dict.fromkeys(("when", "win", "lose", "draw", "reason"), "an item of `end`"),
    **dict.fromkeys(("onEnter", "onExit"), "a phase"),
    **dict.fromkeys(("grid", "hex", "hexagon", "track"), "a group of `spaces`"),
}
MAX_PLAYERS = 16
_PLAYERS = re.compile(r"([0-9]{1,3})\s*\.\.\s*([0-9]{1,3})")
_GAME_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def parse_rulebook(blocks: list[YMap], diagnostics: Diagnostics) -> GameDef | None:
    """The GameDef, or None if not even `game:` could be read, or there are too many problems.

    Everything wrong is reported in one run. When there are errors the GameDef holds what could
    be read, for later passes to find more; expressions that could not be read are the name
    `BROKEN` (see `source`).
    """
    try:
        return _parse(blocks, limited(diagnostics))
    except ReadingStopped:
        return None


def _parse(blocks: list[YMap], diagnostics: Diagnostics) -> GameDef | None:
    words = Words(diagnostics)
    sections = words.taken(_collect(blocks, diagnostics))
    head = _game(sections.get("game"), blocks, diagnostics)
    _language(sections.get("language"), diagnostics)
    get = sections.get
    seats = _seats(read_seats(get("seats"), diagnostics), head, get("game"), diagnostics)
    functions = Unique("a function", diagnostics)
    action_names = Unique("an action", diagnostics)
    plain = read_functions(get("fns"), diagnostics, functions, modifiable=False)
    modifiable = read_functions(get("values"), diagnostics, functions, modifiable=True)
    actions = read_actions(get("actions"), diagnostics, action_names)
    operations, own_actions = read_operations(get("operations"), diagnostics, action_names, actions)
    templates = read_phase_templates(get("phaseTemplates"), diagnostics)
    spaces = read_spaces(get("spaces"), diagnostics)
    game = GameDef(
        id=head.id if head else "",
        title=head.title if head else "",
        min_players=head.min_players if head else 1,
        max_players=head.max_players if head else 1,
        summary=head.summary if head else "",
        parameters=read_parameters(get("parameters"), diagnostics),
        seats=seats,
        enums=read_enums(get("enums"), diagnostics),
        vars=with_groups(read_vars(get("vars"), diagnostics), (group.name for group in spaces)),
        spaces=spaces,
        zones=read_zones(get("zones"), diagnostics),
        pieces=read_pieces(get("pieces"), diagnostics),
        markers=read_markers(get("markers"), diagnostics),
        tables=read_tables(get("tables"), diagnostics),
        functions=plain + modifiable,
        procs=read_procs(get("procs"), diagnostics),
        modifiers=read_modifiers(get("modifiers"), diagnostics),
        triggers=read_triggers(get("triggers"), diagnostics),
        actions=actions + own_actions,
        operations=operations,
        specials=read_specials(get("specials"), diagnostics),
        events=read_events(get("events"), diagnostics),
        phases=read_phases(get("phases"), templates, diagnostics),
        turn=read_turn(get("turn"), diagnostics),
        flow=read_block(get("flow"), diagnostics),
        history=read_history(get("history"), diagnostics),
        end=read_end(get("end"), diagnostics),
        no_moves=read_no_moves(get("noMoves"), diagnostics),
        score=read_score(get("score"), diagnostics),
        setup=read_block(get("setup"), diagnostics),
        scenarios=read_scenarios(get("scenarios"), diagnostics),
        show=read_show(get("show"), diagnostics),
        drawing=read_drawing(get("drawing"), diagnostics),
        bot=read_bot(get("bot"), diagnostics),
        words=tuple(words.found),
        look=read_look(get("look"), diagnostics),
        span=named.span if (named := get("game")) is not None else None,
    )
    return game if head is not None else None


# ------------------------------------------------------------ joining the blocks


def _read_as(
    word: str, meant: str | None, names: dict[str, str], given: set[str | None]
) -> str | None:
    """The block that a misspelt name surely stands for; None where that is a guess, or where the
    rulebook has such a block besides."""
    if meant is None or names[meant] in given:
        return None
    sure = word.lower() in _SYNONYMS or SequenceMatcher(None, word.lower(), meant).ratio() > SURE
    return names[meant] if sure else None


def _of_one_game(blocks: list[YMap], diagnostics: Diagnostics) -> list[YMap]:
    """The blocks without those of files that hold another game, as in a folder of rulebooks."""
    games = [
        (key.span, node)
        for block in blocks
        for key, node in block.entries
        if key.text == "game" and isinstance(node, YMap) and node.get("id") is not None
    ]
    others = {span.file: span for span, _ in reversed(games) if span.file != games[0][0].file}
    if others:
        diagnostics.error(
            "duplicate-block",
            next(reversed(others.values())),
            f"the folder holds several games: {games[0][0].file} has a `game` with an `id` as well",
            "a folder is read as one rulebook: name one of the files instead of the folder, or "
            "move one of them into a folder of its own",
        )
    return [block for block in blocks if block.span.file not in others]


def _collect(blocks: list[YMap], diagnostics: Diagnostics) -> dict[str, YNode]:
    """Top-level keys over all blocks; what stands under the same key is put together."""
    names = {alias: key for key, aliases in SECTIONS.items() for alias in (key, *aliases)}
    blocks = _of_one_game(blocks, diagnostics)
    found: dict[str, YNode] = {}
    firsts: dict[str, YScalar] = {}
    given = {names.get(key.text) for block in blocks for key, _ in block.entries}
    for block in blocks:
        for key, node in block.entries:
            name = names.get(key.text)
            if name is None:
                meant = nearest(_OTHER_NAMES.get(key.text.lower(), key.text), names)
                if (part_of := _PART_OF.get(key.text)) is not None:
                    hint = f"it belongs in {part_of}: indent it"
                elif meant is not None:
                    hint = f"did you mean `{meant}`?"
                else:
                    hint = "the blocks are " + ", ".join(f"`{section}`" for section in SECTIONS)
                diagnostics.error(
                    "unknown-key", key.span, f"a rulebook has no block `{shorten(key.text)}`", hint
                )
                if part_of is not None:
                    continue
                # Read as what was meant, so that what it declares is not missed elsewhere.
                name = _read_as(key.text, meant, names, given)
            if name is None or is_null(node):
                continue
            if name not in found:
                found[name], firsts[name] = node, key
            else:
                joined = _join(name, found[name], firsts[name], node, key, diagnostics)
                found[name] = joined
    return _with_base(found, names, diagnostics)


def _with_base(
    own: dict[str, YNode], names: dict[str, str], diagnostics: Diagnostics
) -> dict[str, YNode]:
    """The sections, with those of the rulebook that they extend."""
    base, removals = own.pop("extends", None), own.pop("remove", None)
    if isinstance(base, YList):
        blocks = [block for block in base.items if isinstance(block, YMap)]
        return extended(_collect(blocks, diagnostics), own, removals, names, diagnostics)
    if removals is not None:
        diagnostics.error(
            "extends",
            removals.span,
            "there is nothing to remove: this rulebook extends no other",
            "add `extends: base.md`",
        )
    return own


def _join(
    name: str,
    first: YNode,
    first_key: YScalar,
    second: YNode,
    key: YScalar,
    diagnostics: Diagnostics,
) -> YNode:
    if isinstance(first, YList) and isinstance(second, YList):
        return YList(first.items + second.items, first.span)
    if isinstance(first, YMap) and isinstance(second, YMap):
        unique = Unique(f"an entry of `{name}` called", diagnostics)
        for entry, _ in first.entries:
            unique.seen.setdefault(entry.text, entry.span)
        new = tuple(entry for entry in second.entries if unique.add(entry[0].text, entry[0].span))
        return YMap(first.entries + new, first.span, first.flow)
    place = f"{first_key.span.file}:{first_key.span.line}:{first_key.span.column}"
    diagnostics.error(
        "duplicate-block",
        key.span,
        f"`{name}` already stands at {place} ({shape(first)}) and cannot be joined with "
        f"{shape(second)}",
        "write both the same way, or keep one",
    )
    return first


# ------------------------------------------------------------------ game and seats


class _Head:
    def __init__(self, id: str, title: str, summary: str, players: tuple[int, int] | None) -> None:
        self.id = id
        self.title = title
        self.summary = summary
        self.players = players
        self.min_players, self.max_players = players or (1, 1)


def _game(node: YNode | None, blocks: list[YMap], diagnostics: Diagnostics) -> _Head | None:
    if node is None:
        unread = any(item.code.startswith("yaml-") for item in diagnostics.errors)
        if unread or not (blocks or diagnostics.ok):
            return None  # it may stand in what could not be read, which has been said
        diagnostics.error(
            "missing-game",
            blocks[0].span if blocks else None,
            "the rulebook does not say what game it is",
            "add `game: { id: my-game, title: My game, players: 2 }`",
        )
        return None
    if not isinstance(node, YMap):
        wrong_shape(node, "`game`", "a mapping with `id`, `title` and `players`", diagnostics)
        return None
    fields = Fields(node, "`game`", diagnostics)
    given = fields.need("id")
    name = given.text if isinstance(given, YScalar) else ""
    if given is not None and not _GAME_ID.fullmatch(name):
        suggestion = re.sub(r"[^a-z0-9]+", "-", plain_letters(name).lower()).strip("-")
        diagnostics.error(
            "invalid-name",
            given.span,
            f"`{shorten(name)}` cannot be the id of a game",
            f"use small letters, digits and `-`: `{suggestion[:40] or 'my-game'}`",
        )
    players = _players(fields)
    head = _Head(name, fields.text("title") or name, fields.text("summary"), players)
    fields.finish()
    return head


def _players(fields: Fields) -> tuple[int, int] | None:
    """`2` or `2..4`; None where it is left to the list of seats."""
    node = fields.get("players")
    if node is None:
        return None
    low = high = 0
    if isinstance(node, YScalar) and type(node.value) is int:
        low = high = node.value
    elif isinstance(node, YScalar) and (match := _PLAYERS.fullmatch(node.text)):
        low, high = int(match.group(1)), int(match.group(2))
    if not 1 <= low <= high <= MAX_PLAYERS:
        fields.diagnostics.error(
            "wrong-value",
            node.span,
            f"`players` is a number or a range, from 1 to {MAX_PLAYERS}",
            "write `players: 2` or `players: 2..4`",
        )
        return None
    return low, high


def _seats(
    seats: tuple[SeatDecl, ...],
    head: _Head | None,
    game: YNode | None,
    diagnostics: Diagnostics,
) -> tuple[SeatDecl, ...]:
    """The named seats, or p1, p2, … as many as can play."""
    if head is None:
        return seats
    unique = Unique("a seat", diagnostics)
    for seat in seats:
        if seat.span is not None:
            unique.add(seat.name, seat.span)
    if not seats:
        if isinstance(game, YMap) and game.get("players") is None:
            diagnostics.error(
                "missing-key", game.span, "`game` needs `players`", "add `players: 2`"
            )
        return tuple(SeatDecl(f"p{number}") for number in range(1, head.max_players + 1))
    if head.players is None:
        head.min_players = head.max_players = len(seats)
    elif len(seats) > head.max_players:  # too few are told when the seats are made
        diagnostics.error(
            "seat-count",
            seats[0].span,
            f"there are {len(seats)} seats, but up to {head.max_players} players",
            f"name {head.max_players} seats, or change `players`",
        )
    return seats


def _language(node: YNode | None, diagnostics: Diagnostics) -> None:
    if node is None or (isinstance(node, YScalar) and node.value == 1):
        return
    diagnostics.error(
        "language-version",
        node.span,
        "this version of the program reads language version 1",
        "write `language: 1`, or leave it out",
    )
