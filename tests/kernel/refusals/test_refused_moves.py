"""What a refusal says: which condition, with its line; and what a question about it answers."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright import Game, IllegalMove, Move, State
from tests.semantics.books import HEADER, book, markdown, variable

GUARDED = """
spaces: { land: { track: 3 } }
vars: { gold: 0..9 = 2, peace: bool }
phases:
  - id: day
    actionDefaults:
      pre: not peace
actions:
  - { id: pass }
  - id: guest
    actor: blue
  - id: rich
    pre: gold > 5
  - id: once
    limits:
      - { scope: game, max: 0 }
  - id: pick
    params: { where: s for s in land if gold > 8 }
    effects: [gold += 1]
operations:
  - id: march
    legality: gold > 6
    effects: [gold += 1]
  - id: train
    cost:
      validate: gold >= 7
    effects: [gold += 1]
"""
WHICH = {
    "guest": ("action guest: actor", "actor: blue"),
    "rich": ("action rich: pre", "pre: gold > 5"),
    "once": ("action once: limit of each game", "- { scope: game, max: 0 }"),
    "pick": ("action pick: choose where", "params: {"),
    "march": ("operation march: legality", "legality: gold > 6"),
    "train": ("operation train: cost", "validate: gold >= 7"),
}


def line_of(rules: str, text: str) -> int:
    lines = markdown(rules).splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize("action", WHICH)
def test_a_guard_says_which_of_its_conditions_fails(action: str) -> None:
    game = book(GUARDED)
    state = game.initial_state()
    rule, text = WHICH[action]
    why = game.why(state, Move(action))
    assert (why.legal, why.code, why.rule) == (False, "refused", rule)
    assert why.span is not None
    assert why.span.line == line_of(GUARDED, text)
    request = game.legal_choices(state, Move(action))
    assert (request.complete, request.legal, request.reason) == (True, False, why.reason)
    for ask in (game.apply_move, game.validate_move):
        with pytest.raises(IllegalMove) as caught:
            ask(state, Move(action))
        assert (caught.value.rule, caught.value.reason) == (rule, why.reason)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("guest", "`guest` is only for blue"),
        ("once", "`once` is allowed 0 times each game"),
        ("train", "`train` is not possible now: it needs `gold >= 7` (gold is 2)"),
    ],
)
def test_a_guard_says_what_it_needs(action: str, words: str) -> None:
    game = book(GUARDED)
    assert game.why(game.initial_state(), Move(action)).reason == words


SPECIALS = """
spaces: { land: { track: 3 } }
vars: { gold: 0..9 = 2 }
operations:
  - id: train
    decisions: live
    effects: [gold += 1]
    linkedSpecialActivityWindows: [raid, govern]
specials:
  - id: raid
    timing: after
    pre: gold > 8
    effects: [gold += 1]
  - id: govern
    timing: after
    actor: blue
    effects: [gold += 1]
"""


@pytest.mark.parametrize(
    ("special", "rule", "text"),
    [
        ("raid", "special activity raid: pre", "pre: gold > 8"),
        ("govern", "special activity govern: actor", "actor: blue"),
    ],
)
def test_a_special_activity_says_which_of_its_conditions_fails(
    special: str, rule: str, text: str
) -> None:
    game = book(SPECIALS)
    move = Move("train", {"__special_after": special})
    why = game.why(game.initial_state(), move)
    assert why.span is not None
    assert (why.code, why.rule, why.span.line) == ("not-an-option", rule, line_of(SPECIALS, text))


# ------------------------------------------------- actions that nobody could finish

UNFINISHED = """
spaces: { land: { spaces: { fen: { height: 1 }, dale: { height: 2 }, hill: { height: 3 } } } }
vars: { gold: 0..9, Space.n: 0..9 }
actions: [{ id: pass }]
operations:
  - id: climb
    effects:
      - chooseN: { bind: $camps, options: land, min: 1, max: 2 }
      - chooseOne: { bind: $peak, options: s for s in land if s.height > 8 }
      - $peak.n += 1
  - id: march
    effects:
      - chooseN: { bind: $stops, options: land, n: 3, ordering: sequence, repeats: true }
      - chooseN: { bind: $peaks, options: s for s in land if s.height > 8, min: 1, max: 2 }
      - for s in $peaks do s.n += 1
  - id: five
    effects:
      - chooseN: { bind: $all, options: land, n: 5 }
      - for s in $all do s.n += 1
"""


@pytest.fixture
def unfinished() -> tuple[Game, State]:
    game = book(UNFINISHED)
    return game, game.initial_state()


def test_nobody_is_offered_what_cannot_be_finished(unfinished: tuple[Game, State]) -> None:
    game, state = unfinished
    assert game.legal_moves(state) == [Move("pass")]


@pytest.mark.parametrize(
    "params",
    [
        {"$camps": ["fen"]},
        {"$camps": ["hill", "dale"]},
        {"$camps#0": "hill", "$camps#1": "fen"},
        {"$camps#0": "hill", "$camps#1": lw.STOP},
    ],
)
def test_the_choice_that_runs_dry_is_shown_without_options(
    unfinished: tuple[Game, State], params: dict[str, object]
) -> None:
    game, state = unfinished
    request = game.legal_choices(state, Move("climb", params))
    assert (request.complete, request.legal, request.decision_id) == (False, False, "$peak")
    assert (list(request.options), list(request.legality)) == ([], [])
    assert request.reason == "there is nothing to choose for `$peak`"


def test_a_choice_before_it_is_shown_with_options_that_lead_nowhere(
    unfinished: tuple[Game, State],
) -> None:
    game, state = unfinished
    request = game.legal_choices(state, Move("climb"))
    assert (request.complete, request.legal, request.decision_id) == (False, False, "$camps")
    assert list(request.options) == ["fen", "dale", "hill"]
    assert list(request.legality) == ["illegal"] * 3
    request = game.legal_choices(state, Move("march", {"$stops": ["fen", "fen", "hill"]}))
    assert (request.decision_id, list(request.options)) == ("$peaks", [])
    assert (request.min, request.max) == (1, 0)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (["moon"], "not-an-option"),
        (["fen", "fen"], "not-an-option"),
        ([], "too-few"),
        (["fen", "dale", "hill"], "too-many"),
        ("fen", "wrong-type"),
    ],
)
def test_a_wrong_answer_is_an_error_here_too(
    unfinished: tuple[Game, State], value: object, code: str
) -> None:
    game, state = unfinished
    with pytest.raises(IllegalMove) as caught:
        game.legal_choices(state, Move("climb", {"$camps": value}))
    assert caught.value.code == code
    assert "$camps" in caught.value.reason


def test_more_than_there_are_says_so(unfinished: tuple[Game, State]) -> None:
    game, state = unfinished
    request = game.legal_choices(state, Move("five"))
    assert (request.complete, request.legal, request.min, request.max) == (False, False, 5, 3)
    assert request.reason == "`$all` takes at least 5, and there are only 3"
    why = game.why(state, Move("five", {"$all": ["fen", "dale", "hill"]}))
    assert (why.code, why.reason) == ("no-option", "there is not enough to choose for `$all`")


# ---------------------------------------- a set that must hold what was chosen before it

SAME = """
spaces: { land: { track: 4 } }
vars: { Space.n: 0..9, Space.raids: 0..9 }
operations:
  - id: train
    decisions: live
    resolution:
      - stage: pick
        effects:
          - chooseN: { bind: $where, options: land, min: 1, max: 2 }
          - for s in $where do s.n += 1
    linkedSpecialActivityWindows: [raid]
    constraints: [{ sameSpace: [$where, $at] }]
specials:
  - { id: raid, timing: before, effects: [{ chooseOne: { bind: $at, options: land } }, $at.raids += 1] }
"""  # fmt: skip


@pytest.mark.parametrize(
    ("where", "fits"),
    [
        (["land4"], True),
        (["land1", "land4"], True),
        (["land4", "land2"], True),
        (["land1"], False),
        (["land1", "land2"], False),
    ],
)
def test_a_set_is_taken_or_refused_as_the_same_space_rule_says(
    where: list[str], fits: bool
) -> None:
    game = book(SAME)
    state = game.initial_state()
    raid = Move("train", {"__special_before": "raid", "special.$at": "land4"})
    request = game.legal_choices(state, raid)
    # Each of them belongs to some set that fits; a set of two may hold any other space.
    assert list(request.options) == ["land1", "land2", "land3", "land4"]
    assert (request.min, request.max) == (1, 2)
    move = raid.with_param("$where", where)
    if fits:
        assert game.legal_choices(state, move).complete
        counts = variable(game, game.apply_move(state, move).state, "n")
        assert {name for name, count in counts.items() if count} == set(where)
        return
    why = game.why(state, move)
    assert (why.legal, why.rule) == (False, "operation train: special activity in the same spaces")
    assert why.span is not None
    assert why.span.line == line_of(SAME, "- id: train")
    with pytest.raises(IllegalMove) as caught:
        game.legal_choices(state, move)
    assert caught.value.reason == why.reason


def test_picks_one_by_one_offer_only_what_still_fits() -> None:
    game = book(SAME)
    state = game.initial_state()
    move = Move("train", {"__special_before": "raid", "special.$at": "land4", "$where#0": "land2"})
    request = game.legal_choices(state, move)
    assert (request.decision_id, list(request.options)) == ("$where#1", ["land4"])
    assert not request.can_stop  # land2 alone is not where the raid was


# ---------------------------------------------------------------- sets over nothing

NOTHING = """
spaces: { land: { track: 3 } }
vars: { gold: 0..9, Space.n: 0..9 }
actions:
  - { id: pass }
  - id: visit
    effects:
      - gold += 1
      - chooseN: { bind: $where, options: s for s in land if s.n > 5, min: 0, max: 2 }
      - for s in $where do s.n += 1
  - id: tour
    effects:
      - gold += 1
      - forEach:
          bind: $i
          over: 1..2
          effects:
            - chooseN: { bind: $stop, options: s for s in land if s.n > 5, min: 0, max: 2 }
            - for s in $stop do s.n += 1
"""


def test_an_empty_list_answers_a_set_over_nothing() -> None:
    """It is not asked, so it may be left out; saying that nothing was chosen is right as well."""
    game = book(NOTHING)
    state = game.initial_state()
    silent = game.apply_move(state, Move("visit")).state
    empty = Move("visit", {"$where": []})
    assert game.legal_choices(state, empty).complete
    assert game.apply_move(state, empty).state.to_bytes() == silent.to_bytes()
    looped = Move("tour", {"$stop[0]": [], "$stop[1]": []})
    assert game.legal_choices(state, looped).complete
    assert variable(game, game.apply_move(state, looped).state, "gold") == 1


@pytest.mark.parametrize(
    "move",
    [
        Move("visit", {"$where": ["land1"]}),
        Move("visit", {"$there": []}),
        Move("pass", {"$where": []}),
        Move("tour", {"$where": []}),
    ],
)
def test_only_a_set_of_the_move_itself_may_be_empty(move: Move) -> None:
    game = book(NOTHING)
    why = game.why(game.initial_state(), move)
    assert (why.code, why.legal) == ("unknown-param", False)


# ------------------------------------------------------------- one word per option

RANGES = HEADER + """
vars: { gold: 0..9 = 5 }
actions:
  - { id: pay, effects: [{ chooseOne: { bind: $k, options: 1..gold } }, gold -= $k] }
  - { id: odd, effects: [{ chooseOne: { bind: $k, options: 1..9 } }, require $k % 2 == 1, gold = 1] }
  - { id: far, effects: [{ chooseOne: { bind: $k, options: 1..2000000 } }, gold = 1] }
"""  # fmt: skip


def test_every_option_has_a_word_also_of_a_range() -> None:
    game = book(RANGES, header="")
    state = game.initial_state()
    pay = game.legal_choices(state, Move("pay"))
    assert (list(pay.options), list(pay.legality)) == ([1, 2, 3, 4, 5], ["legal"] * 5)
    odd = game.legal_choices(state, Move("odd"))
    assert (list(odd.options), list(odd.legality)) == ([1, 3, 5, 7, 9], ["legal"] * 5)
    far = game.decision(game.choose(state, "far").state)
    assert far is not None
    assert len(far.legality) == len(far.options) == 2_000_000
    assert (far.legality[1_999_999], "unknown" in far.legality) == ("legal", False)
    with pytest.raises(IndexError):
        far.legality[2_000_000]
    assert pay.legality == ("legal", "legal", "legal", "legal", "legal")
