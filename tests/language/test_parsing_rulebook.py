"""Top-level blocks: what each becomes in the GameDef."""

from __future__ import annotations

import pytest

from ludwright.language.gamedef import (
    ActionDecl,
    ActionParam,
    Change,
    EndDecl,
    EnumDecl,
    EventBranch,
    EventSide,
    HistoryDecl,
    Limit,
    LimitDecl,
    MarkerConstraint,
    ModifierDecl,
    OperationDecl,
    ParamDecl,
    Parameter,
    PhaseDecl,
    PieceDecl,
    ProcDecl,
    SeatDecl,
    SpaceItem,
    SpecialDecl,
    Stage,
    TableRow,
    TriggerDecl,
    TurnDecl,
    TypeExpr,
    VarDecl,
    ZoneDecl,
)
from ludwright.language.tree import (
    AddVar,
    Call,
    CallProc,
    ChooseN,
    GotoPhase,
    IntLit,
    Let,
    Name,
    Stop,
)
from tests.language.parsing_support import expression, gamedef, parse

STOP = (Stop(),)
BOOL = TypeExpr("name", "bool")


def number(low: int, high: int, optional: bool = False) -> TypeExpr:
    return TypeExpr("range", lo=IntLit(low), hi=IntLit(high), optional=optional)


# ------------------------------------------------------------------ game and seats


def test_game_block() -> None:
    parsed = parse(
        "game: { id: go-9, title: Go, players: 2..4, summary: Stones. }\nlanguage: 1", game=False
    )
    assert parsed.problems == []
    game = parsed.game
    assert game is not None
    assert (game.id, game.title, game.summary) == ("go-9", "Go", "Stones.")
    assert (game.min_players, game.max_players) == (2, 4)
    assert [seat.name for seat in game.seats] == ["p1", "p2", "p3", "p4"]


def test_seats_by_name_and_with_attributes() -> None:
    assert gamedef("seats: [white, black]").seats == (SeatDecl("white"), SeatDecl("black"))
    seats = gamedef("seats: { white: { home: 1 }, black: { home: 8 } }").seats
    assert seats[1] == SeatDecl("black", (("home", IntLit(8)),))


def test_the_number_of_seats_is_the_number_of_players_where_none_is_given() -> None:
    game = parse("game: { id: x, title: X }\nseats: [a, b, c]", game=False).game
    assert game is not None
    assert (game.min_players, game.max_players) == (3, 3)


def test_parameters() -> None:
    text = "parameters: { size: 3, fast: true, run: { default: 4, min: 3, max: 5, doc: Line. } }"
    assert gamedef(text).parameters == (
        Parameter("size", 3),
        Parameter("fast", True),
        Parameter("run", 4, 3, 5, "Line."),
    )


def test_blocks_of_several_files_are_joined() -> None:
    game = gamedef("vars: { x: bool }\nsetup: [x = true]", "vars: { y: bool }\nsetup: [y = true]")
    assert [var.name for var in game.vars] == ["x", "y"]
    assert len(game.setup) == 2


# ------------------------------------------------------------------- declarations


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0..150", number(0, 150)),
        ("(0..5)?", number(0, 5, optional=True)),
        ("0..5?", number(0, 5, optional=True)),
        ("board?", TypeExpr("name", "board", optional=True)),
        ("seat", TypeExpr("name", "Seat")),
        ("'set[1..13]'", TypeExpr("set", items=(number(1, 13),))),
        ("'list[Card, 40]'", TypeExpr("list", items=(TypeExpr("name", "Card"),), cap=IntLit(40))),
        ("(Seat, bool)", TypeExpr("tuple", items=(TypeExpr("name", "Seat"), BOOL))),
        ("[C, D]", TypeExpr("enum", values=("C", "D"))),
        ("'[C, D]?'", TypeExpr("enum", values=("C", "D"), optional=True)),
        ("{ type: int, min: 0, max: 5 }", number(0, 5)),
        ("{ type: boolean }", BOOL),
        ("(n + 1) * 2..9", TypeExpr("range", lo=expression("(n + 1) * 2"), hi=IntLit(9))),
    ],
)
def test_types(text: str, kind: TypeExpr) -> None:
    assert gamedef(f"vars:\n  x: {text}").vars[0].type == kind


def test_variables_with_default_overflow_scope_and_prefix() -> None:
    text = """
vars:
  a: bool = true
  b: 0..9 = 3 clamp
  c: 0..9 refuse
  Seat.d: 0..9
  Space: { e: 0..3 }
  mom: { f: bool, g: { type: 0..5, default: 2, overflow: refuse, history: true, see: owner } }
"""
    assert gamedef(text).vars == (
        VarDecl("a", "global", BOOL, expression("true")),
        VarDecl("b", "global", number(0, 9), IntLit(3), "clamp"),
        VarDecl("c", "global", number(0, 9), None, "refuse"),
        VarDecl("d", "seat", number(0, 9)),
        VarDecl("e", "space", number(0, 3)),
        VarDecl("mom.f", "global", BOOL),
        VarDecl("mom.g", "global", number(0, 5), IntLit(2), "refuse", True, "owner"),
    )


def test_grids_and_tracks() -> None:
    text = """
spaces:
  board: { grid: [size, 8], adjacency: all, keep: dark, attributes: { home: rank(it) == 1 } }
  road: { track: 24, loop: true, names: numbers, limits: [{ max: 2, of: it.big, where: here.wet }] }
"""
    board, road = gamedef(text).spaces
    assert (board.shape, board.size) == ("grid", (Name("size"), IntLit(8)))
    assert (board.adjacency, board.keep) == ("all", "dark")
    assert board.attributes == (("home", expression("rank(it) == 1")),)
    assert (road.shape, road.size, road.loop, road.names) == (
        "track",
        (IntLit(24),),
        True,
        "numbers",
    )
    assert road.limits == (LimitDecl(IntLit(2), expression("it.big"), expression("here.wet")),)


def test_maps_written_out() -> None:
    text = """
spaces:
  map:
    oneWay: true
    spaces:
      an-loc: { adjacent: [hue], pop: 1, kind: city }
      hue: { adjacent: { north: an-loc }, title: Hue }
      sea:
    edges: [[sea, hue], [sea, an-loc, west]]
"""
    (group,) = gamedef(text).spaces
    assert (group.shape, group.one_way) == ("list", True)
    assert group.items == (
        SpaceItem("an_loc", ("hue",), (), (("pop", IntLit(1)), ("kind", Name("city"))), "an-loc"),
        SpaceItem("hue", (), (("north", "an_loc"),), (), "Hue"),
        SpaceItem("sea", ("hue",), (("west", "an_loc"),)),
    )


def test_zones() -> None:
    text = """
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: [card, coin], each: seat, see: owner, max: 7, limits: [{ of: it.gold, max: 2 }] }
  box:
"""
    assert gamedef(text).zones == (
        ZoneDecl("deck", "none", ("card",), "deck", "none", (), "all"),
        ZoneDecl(
            "hand",
            "seat",
            ("card", "coin"),
            "bag",
            "owner",
            (LimitDecl(IntLit(7)), LimitDecl(IntLit(2), expression("it.gold"))),
        ),
        ZoneDecl("box"),
    )


def test_pieces() -> None:
    text = """
pieces:
  man: { owner: seat, count: 15, king: bool = false, type: Man, notation: "{owner}" }
  card: { each: { rank: 2..14, suit: [C, D] }, individual: true }
  event: { each: Card, count: copies }
"""
    man, card, event = gamedef(text).pieces
    assert man == PieceDecl(
        "man",
        "seat",
        (("king", BOOL, expression("false")), ("type", TypeExpr("name", "Man"), None)),
        count=IntLit(15),
        notation="{owner}",
    )
    suit = TypeExpr("enum", values=("C", "D"))
    assert card == PieceDecl(
        "card", each=(("rank", number(2, 14)), ("suit", suit)), individual=True
    )
    assert event == PieceDecl("event", rows="Card", count=Name("copies"))


def test_enums_and_markers() -> None:
    text = """
enums: { Man: [pawn, king] }
markers:
  leader: [khanh, ky]
  support:
    states: [opposed, neutral, backed]
    default: neutral
    on: map
    constraints: [{ when: here.pop == 0, allowed: [neutral] }]
  trail: { states: [low, high], global: true }
"""
    game = gamedef(text)
    assert game.enums == (EnumDecl("Man", ("pawn", "king")),)
    leader, support, trail = game.markers
    assert (leader.states, leader.default) == (("khanh", "ky"), "khanh")
    assert (support.default, support.on) == ("neutral", "map")
    assert support.constraints == (MarkerConstraint(expression("here.pop == 0"), ("neutral",)),)
    assert trail.is_global


def test_tables() -> None:
    text = """
tables:
  Card: [{ id: card-1, title: Gulf, cost: 3 }, { cost: 4 }]
  threshold: { US: 50, NVA: 18 }
  shape: { big: { w: 2, h: [1, 2] } }
  blinds: { cols: [sb, bb], rows: [[10, 20], [15, 30]] }
"""
    card, threshold, shape, blinds = gamedef(text).tables
    assert card.rows == (
        TableRow("card_1", (("cost", IntLit(3)),), "Gulf"),
        TableRow(None, (("cost", IntLit(4)),)),
    )
    assert threshold.keyed
    assert threshold.rows[1] == TableRow("NVA", (("value", IntLit(18)),))
    assert shape.rows[0].cells == (("w", IntLit(2)), ("h", expression("[1, 2]")))
    assert not blinds.keyed
    assert blinds.rows[1].cells == (("sb", IntLit(15)), ("bb", IntLit(30)))


# -------------------------------------------------------------------------- rules


def test_functions_values_and_procedures() -> None:
    text = """
fns: { "mine(me, s: Space)": s.owner == me, led: "trick[0]" }
values: { sweep.max(me): 3, sweep.allowed: true }
procs:
  "pay(p, n: 0..6 = 1)": [p.gold -= n]
  turn(me): { returns: bool, ensure: a, best: "(x, y)", do: [stop] }
"""
    game = gamedef(text)
    mine, led, most, allowed = game.functions
    space = TypeExpr("name", "Space")
    assert mine.params == (ParamDecl("me"), ParamDecl("s", space))
    assert (led.params, led.modifiable) == ((), False)
    assert (most.name, most.modifiable, most.body) == ("sweep.max", True, IntLit(3))
    assert allowed.body == expression("true")
    pay, turn = game.procs
    assert pay.params[1] == ParamDecl("n", number(0, 6), IntLit(1))
    assert pay.body == (AddVar(expression("p.gold"), expression("-n")),)
    assert turn == ProcDecl("turn", (ParamDecl("me"),), STOP, BOOL, Name("a"), expression("(x, y)"))


def test_modifiers() -> None:
    text = (
        "modifiers: [{ id: m, while: wet, change: { sweep.max(me): 'min(it, 2)' }, priority: 2 }]"
    )
    change = Change("sweep.max", ("me",), expression("min(it, 2)"))
    assert gamedef(text).modifiers == (ModifierDecl((change,), Name("wet"), 2, "m"),)


def test_triggers_in_both_spellings() -> None:
    text = """
triggers:
  - { on: { changed: mom.adsid }, if: a, effects: [stop], immediate: true, priority: 1 }
  - { id: t, event: { type: phaseEnter, phase: main }, match: a, when: b, effects: [stop] }
  - { on: turn, effects: [stop] }
  - { event: { type: tokenEntered, zone: 'hand:actor' }, effects: [stop] }
"""
    assert gamedef(text).triggers == (
        TriggerDecl("trigger_1", "changed", "mom.adsid", STOP, Name("a"), True, 1),
        TriggerDecl("t", "phase", "main", STOP, expression("a and b")),
        TriggerDecl("trigger_3", "turn", "", STOP),
        TriggerDecl("trigger_4", "entered", "hand", STOP),
    )


def test_actions_in_both_spellings() -> None:
    short = """
actions:
  - id: move
    actor: white
    phase: [main, late]
    params: { origin: c for c in board, n: 1..3, up: { if: n == 1, options: [a, b] } }
    pre: ready
    cost: [gold -= 1]
    effects: [stop]
    limits: { turn: 1 }
    ensure: safe
    best: gold
    notation: "{origin}"
    declassify: true
"""
    long = """
actions:
  move:
    actor: white
    phase: [main, late]
    params:
      - { name: origin, domain: "c for c in board" }
      - { name: n, domain: { query: intsInRange, min: 1, max: 3 } }
      - { name: up, domain: { query: enums, values: [a, b] }, if: n == 1 }
    pre: ready
    cost: [{ addVar: { scope: global, var: gold, delta: -1 } }]
    effects: [stop]
    limits: [{ scope: turn, max: 1 }]
    ensure: safe
    best: gold
    notation: "{origin}"
    declassify: true
"""
    expected = ActionDecl(
        "move",
        Name("white"),
        ("main", "late"),
        (
            ActionParam("origin", expression("c for c in board")),
            ActionParam("n", expression("1..3")),
            ActionParam("up", expression("[a, b]"), expression("n == 1")),
        ),
        Name("ready"),
        (AddVar(Name("gold"), IntLit(-1)),),
        STOP,
        (Limit("turn", IntLit(1)),),
        Name("safe"),
        Name("gold"),
        "{origin}",
        True,
    )
    assert gamedef(short).actions == gamedef(long).actions == (expected,)


def test_an_operation_that_stands_alone_defines_its_action() -> None:
    text = """
operationProfiles:
  - id: train
    actor: US
    phase: main
    legality: { when: ready }
    cost: { validate: gold > 2, spend: [gold -= 3] }
    resolution: [{ stage: choose, effects: [a()] }, { effects: [b()] }]
    partialExecution: { mode: allow }
    linkedSpecialActivityWindows: [during]
    decisions: live
    constraints: [{ sameSpace: [$a, $b] }, { disjointSpaces: [$a, $c] }]
"""
    game = gamedef(text)
    assert game.operations == (
        OperationDecl(
            "train",
            "train",
            Name("ready"),
            expression("gold > 2"),
            (AddVar(Name("gold"), IntLit(-3)),),
            (Stage("choose", (CallProc("a"),)), Stage("stage_2", (CallProc("b"),))),
            "allow",
            ("during",),
            "live",
            (("$a", "$b"),),
            (("$a", "$c"),),
        ),
    )
    assert game.actions == (ActionDecl("train", Name("US"), ("main",)),)


def test_a_profile_of_a_declared_action_adds_no_second_one() -> None:
    text = "actions: [{ id: a }]\noperations: [{ id: profile, actionId: a, effects: [stop] }]"
    game = gamedef(text)
    assert [action.id for action in game.actions] == ["a"]
    assert (game.operations[0].id, game.operations[0].action) == ("profile", "a")


@pytest.mark.parametrize(
    ("select", "effect"),
    [
        (
            "upToN, max: 3",
            ChooseN("$targets", expression("$zone for $zone in spaces if $zone.pop > 0"),
                    min=IntLit(0), max=IntLit(3)),
        ),
        (
            "exactN, max: 2, order: chosen",
            ChooseN("$targets", expression("$zone for $zone in spaces if $zone.pop > 0"),
                    min=IntLit(2), max=IntLit(2), ordering="sequence"),
        ),
        (
            "allEligible",
            Let(("$targets",), expression("$zone for $zone in spaces if $zone.pop > 0")),
        ),
    ],
)  # fmt: skip
def test_targeting_is_the_first_choice(select: str, effect: ChooseN | Let) -> None:
    text = (
        "operations: [{ id: a, effects: [stop], "
        f"targeting: {{ select: {select}, filter: $zone.pop > 0 }} }}]"
    )
    assert gamedef(text).operations[0].stages == (Stage("resolve", (effect, Stop())),)


def test_specials_and_events() -> None:
    text = """
specials: [{ id: advise, accompanies: [train], timing: before, pre: a, effects: [stop], actor: US }]
events:
  - id: card-1
    title: Gulf of Tonkin
    unshaded: [stop]
    shaded: { if: a, effects: [stop], branches: [{ id: left, if: b, effects: [stop] }] }
"""
    game = gamedef(text)
    assert game.specials == (
        SpecialDecl("advise", ("train",), ("before",), Name("a"), STOP, Name("US")),
    )
    (event,) = game.events
    assert (event.id, event.title) == ("card_1", "Gulf of Tonkin")
    assert event.sides == (
        EventSide("unshaded", STOP),
        EventSide("shaded", STOP, (EventBranch("left", STOP, Name("b")),), Name("a")),
    )


def test_phases_and_turns() -> None:
    text = """
phases:
  - id: main
    onEnter: [a()]
    onExit: [b()]
    actionDefaults: { pre: actor.live, afterEffects: [c()] }
    actions: [move]
    next: main
turn: { order: programmed, offer: [jump, walk], best: action == jump }
"""
    game = gamedef(text)
    assert game.phases == (
        PhaseDecl(
            "main",
            (CallProc("a"),),
            (CallProc("b"),),
            expression("actor.live"),
            (CallProc("c"),),
            ("move",),
            "main",
        ),
    )
    assert game.turn == TurnDecl(
        "programmed", (), ("jump", "walk"), None, expression("action == jump")
    )
    assert gamedef("turn: { order: [b, a] }").turn == TurnDecl("fixed", ("b", "a"))


def test_phase_templates_are_filled_in() -> None:
    text = """
phaseTemplates:
  street:
    params: { cards: 0..5, after: Phase, burn: 0..1 = 1 }
    phase: { onEnter: ["deal(cards + burn)", goto after], next: after }
phases:
  - { fromTemplate: street, name: flop, cards: 3, after: turnCard }
  - { fromTemplate: street, name: turnCard, args: { cards: 1, after: flop, burn: 0 } }
"""
    flop, second = gamedef(text).phases
    assert flop == PhaseDecl(
        "flop",
        (CallProc("deal", (expression("3 + 1"),)), GotoPhase("turnCard")),
        next="turnCard",
    )
    assert second.on_enter[0] == CallProc("deal", (expression("1 + 0"),))


def test_an_argument_a_template_needs_is_missed() -> None:
    text = """
phaseTemplates: { street: { params: { cards: 0..5 }, phase: { onEnter: [deal(cards)] } } }
phases: [{ fromTemplate: street, name: flop, card: 3 }]
"""
    assert [item.code for item in parse(text).problems] == ["unknown-key"]  # `cards` is meant
    other = text.replace("card: 3", "height: 3")
    assert sorted(item.code for item in parse(other).problems) == ["missing-key", "unknown-key"]


def test_history_end_and_no_moves() -> None:
    text = """
history: { positions: { of: [board, active], keep: 151 }, ko: { of: "[board]", keep: last 2 } }
end:
  - { when: full(board), draw: all, reason: board full, at: [place] }
  - { when: done, score: area(p) for p in seats }
noMoves:
  - { when: check, win: opponent(active), reason: mate }
  - passes += 1
  - end turn
score: it.gold
"""
    game = gamedef(text)
    assert game.history == (
        HistoryDecl("positions", expression("[board, active]"), 151),
        HistoryDecl("ko", expression("[board]"), 2, True),
    )
    assert game.end == (
        EndDecl(
            "draw", Name("all"), None, "board full", Call("full", (Name("board"),)), ("place",)
        ),
        EndDecl("score", None, expression("area(p) for p in seats"), "", Name("done")),
    )
    mate, passing = game.no_moves
    assert isinstance(mate, EndDecl)
    assert mate.outcome == "win"
    assert isinstance(passing, tuple)
    assert len(passing) == 2
    assert game.score == expression("it.gold")


def test_scenarios() -> None:
    text = "scenarios: { short-war: { title: Short, setup: [stop] }, long: [stop] }"
    short, long = gamedef(text).scenarios
    assert (short.id, short.title, short.setup) == ("short_war", "Short", STOP)
    assert (long.id, long.title) == ("long", "")
