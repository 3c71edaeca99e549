"""Where none may stand: checked for every place of the language where a value is needed.

A value that may be none is refused wherever something must be there, with a test to write; the same
text is accepted behind such a test. Questions about none are allowed, since they are answered no.
"""

from __future__ import annotations

import pytest

import ludwright as lw

BOOK = """
# None
```yaml
game: {{ id: none, title: None, players: 2 }}
seats: {{ red: {{ home: a1 }}, blue: {{}} }}
enums: {{ Mood: [calm, wild] }}
spaces: {{ board: {{ grid: [3, 3], attributes: {{ worth: it.column }} }}, land: {{ spaces: {{ hill: {{ port: true, people: 2 }}, dale: {{}} }} }} }}
tables: {{ Price: [{{ id: wood, cost: 1 }}, {{ id: wool }}], chart: {{ cols: [a], rows: [[1], [2]] }}, pay: {{ red: 1 }} }}
pieces: {{ man: {{ owner: seat, rank: 0..9, king: bool, count: 6 }} }}
zones: {{ box: {{ order: stack }}, hand: {{ each: seat }} }}
vars:
  n: 0..99
  small: 0..9
  bid: (0..9)?
  leader: Seat
  rival: Seat?
  spot: Space?
  here: board
  mood: Mood
  hope: Mood?
  lore: Price?
  story: Price
  pet: man?
  flag: bool
  doubt: bool?
  way: Direction?
  road: Direction
  some: set[0..9]
  row: list[0..9, 9]
  pair: (0..9, Seat)
  Seat.points: 0..99
  Space.heat: 0..9
history: {{ seen: {{ of: [board], keep: 9 }} }}
markers: {{ support: {{ states: [low, high], global: true }} }}
actions:
  - id: act
    params: {{ c: board }}
    effects:
{effects}
{more}
```
"""

MORE = """fns:
  held(c): c.piece != none
  mine(p): x for x in board if x.piece.owner == p
  rank_of(c): c.piece.rank
  same(x): x
procs:
  touch():
    - bid = none
  clear_all():
    - for s in board do move all of s to box
  take(x):
    - n = x
  "give(x: 0..9)":
    - n = x
"""

# A rule with a hole, and an expression that may be none in it.
NUMBER = "bid"
HOLES: dict[str, tuple[str, str]] = {
    "addition": ("n = {} + 1", NUMBER),
    "addition, right": ("n = 1 + {}", NUMBER),
    "subtraction": ("n = 9 - {}", NUMBER),
    "product": ("n = 2 * {}", NUMBER),
    "division": ("n = {} // 2", NUMBER),
    "divisor": ("n = 8 // {}", NUMBER),
    "remainder": ("n = {} % 2", NUMBER),
    "negation": ("n = 9 + -{}", NUMBER),
    "less": ("require {} < 5", NUMBER),
    "at most": ("require {} <= 5", NUMBER),
    "more": ("require {} > 5", NUMBER),
    "at least": ("require 5 >= {}", NUMBER),
    "order of words": ("require {} < wild", "hope"),
    "order of truths": ("require {} < true", "doubt"),
    "order of tuples": ("require ({}, 1) < (2, 2)", NUMBER),
    "order of lists": ("require [{}, 1] < [2, 2]", NUMBER),
    "range from": ("n = count({}..5)", NUMBER),
    "range to": ("n = count(1..{})", NUMBER),
    "sum": ("n = sum({} for y in 1..3)", NUMBER),
    "min of many": ("n = min({} for y in 1..3)", NUMBER),
    "max of many": ("n = max({} for y in 1..3)", NUMBER),
    "max of tuples": ("pair = max(({}, y) for y in seats)", NUMBER),
    "min of two": ("n = min({}, 3)", NUMBER),
    "max of two": ("n = max(3, {})", NUMBER),
    "abs": ("n = abs({})", NUMBER),
    "sort": ("n = count(sort([{}, 2]))", NUMBER),
    "sort of tuples": ("n = count(sort([({}, 2), (1, 2)]))", NUMBER),
    "group": ("n = count(group({} for y in 1..3))", NUMBER),
    "set": ("some = set({} for y in 1..3)", NUMBER),
    "members of a set": ("some = some + [{}]", NUMBER),
    "list": ("row = [{}, 2]", NUMBER),
    "list in a set": ("some = [{}, 2]", NUMBER),
    "tuple": ("pair = ({}, red)", NUMBER),
    "tuple, second": ("pair = (1, {})", "rival"),
    "index of a list": ("n = row[{}]", NUMBER),
    "index of a table": ("n = chart[{}].a", NUMBER),
    "combos": ("n = count(combos(1..4, {}))", NUMBER),
    "assignment": ("n = {}", NUMBER),
    "assignment of a seat": ("leader = {}", "rival"),
    "assignment of a space": ("here = {}", "step(c, north)"),
    "assignment of a word": ("mood = {}", "hope"),
    "assignment of a row": ("story = {}", "lore"),
    "assignment of a truth": ("flag = {}", "doubt"),
    "assignment of a direction": ("road = {}", "way"),
    "assignment to a seat's variable": ("red.points = {}", NUMBER),
    "assignment to a property": ("if c.piece != none then c.piece.rank = {}", NUMBER),
    "adding": ("n += {}", NUMBER),
    "taking away": ("n -= {}", NUMBER),
    "adding to none": ("{} += 1", NUMBER),
    "active": ("active = {}", "rival"),
    "let, then a number": ("let v = {}\n      - n = v + 1", NUMBER),
    "argument of a procedure": ("give({})", NUMBER),
    "argument that is used": ("take({})", NUMBER),
    "result of a function": ("n = same({})", NUMBER),
    "one of two": ("n = 1 + (2 if flag else {})", NUMBER),
    "shift": ("shift support by {}", NUMBER),
    "repeat": ("repeat: {{ while: flag, max: {}, do: [n += 1] }}", NUMBER),
    "limit of a loop": ("forEach: {{ bind: y, over: board, limit: {}, do: [n += 1] }}", NUMBER),
    "least of a choice": ("chooseN: {{ bind: $x, options: board, min: {} }}", NUMBER),
    "most of a choice": ("chooseN: {{ bind: $x, options: board, max: {} }}", NUMBER),
    "number of a choice": ("chooseN: {{ bind: $x, options: board, n: {} }}", NUMBER),
    "options": ("chooseOne: {{ bind: $x, options: '[{}, 2]' }}", NUMBER),
    "who decides": ("chooseOne: {{ bind: $x, by: {}, options: board }}", "rival"),
    "how many to place": ("place {} man of red at c", NUMBER),
    "whose to place": ("place man of {} at c", "rival"),
    "where to place": ("place man of red at {}", "spot"),
    "property of a new piece": ("place man of red at c with rank={}", NUMBER),
    "where to move": ("move all of c to {}", "spot"),
    "how many to move": ("move {} man from c to box", NUMBER),
    "how many to draw": ("draw {} from box to hand(red)", NUMBER),
    "where to draw": ("draw 1 from box to hand({})", "rival"),
    "whom to show": ("reveal hand(red) to {}", "rival"),
    "outcomes": ("roll small in [{}, 2]", NUMBER),
    "who has won": ("end game win {}", "rival"),
    "distance": ("n = distance(c, {})", "spot"),
    "midpoint": ("require midpoint(c, {}) != none", "spot"),
    "rotate": ("leader = rotate({}, 1)", "rival"),
    "steps to rotate": ("leader = rotate(red, {})", NUMBER),
    "rotation": ("n = count(rotation(seats, start={}))", "rival"),
    "length of a ray": ("n = count(ray(c, north, {}))", NUMBER),
    "length of a line": ("require line(c, {})", NUMBER),
    "steps of reach": ("n = count(reach(c, steps={}))", NUMBER),
}  # fmt: skip

# Attributes of something that may be none may be none as well, and so may what some lack.
READ_FROM_NONE = (
    "c.piece.rank", "spot.worth", "spot.count", "rival.points", "lore.cost", "pet.rank",
    "step(c, north).worth", "(hill if flag else dale).people", "first(y for y in row)", "c.piece.owner.points",
    "pay[leader]", "$sealed[red]", "story.cost", "owner(pet).points", "opponent(rival).points",
    "top(box).rank", "hand(rival).count", "max(row, default=none)", "(1 if flag else none)",
    "same(bid)",
)  # fmt: skip


def errors(effects: str, more: str = MORE) -> list[str]:
    block = "\n".join(
        line if line.startswith("      ") else f"      - {line}" for line in effects.splitlines()
    )
    return [item.code for item in lw.compile_text(BOOK.format(effects=block, more=more)).diagnostics.errors]  # fmt: skip


@pytest.mark.parametrize("place", HOLES)
def test_none_is_refused_where_something_must_be(place: str) -> None:
    rule, expression = HOLES[place]
    assert errors(rule.format(expression)) == ["may-be-none"]


@pytest.mark.parametrize("place", HOLES)
def test_the_same_is_accepted_behind_a_test(place: str) -> None:
    rule, expression = HOLES[place]
    assert errors(f"require {expression} != none\n{rule.format(expression)}") == []


@pytest.mark.parametrize("expression", READ_FROM_NONE)
def test_what_is_read_from_none_may_be_none(expression: str) -> None:
    ask = "chooseOne: { bind: $sealed, together: true, optional: true, options: 0..9 }\n"
    effects = (ask if "$sealed" in expression else "") + f"n = {expression}"
    assert errors(effects) == ["may-be-none"]
    assert errors(effects.replace(f"n = {expression}", f"n = default({expression}, 1)")) == []


QUESTIONS = (
    "bid == 3", "bid != none", "rival in seats", "rival not in seats", "bid in some", "bid in row",
    "doubt", "not doubt", "doubt and flag", "hill.port", "any(doubt for y in 1..2)",
    "all(doubt for y in 1..2)", "any(y for y in land if y.port)", "c.piece.king",
    "adjacent(c, spot)", "connected(spot, c)", "line(spot, 3)", "any(spot)", "count(spot) == 0",
    "empty(spot)", "spot.piece == none", "rival == leader", "pet == c.piece",
    "any(spot.adjacent)", "any(step(spot, north).pieces)", "any(near(spot))",
    "(bid, 1) == (none, 1)", "[bid] == [2]", "count(distinct([bid, none])) > 1",
)  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_about_none_are_allowed(question: str) -> None:
    assert errors(f"require {question}") == []


PROVEN = (
    "require bid != none and bid > 3",
    "require bid == none or bid > 3",
    "require not (bid == none) and bid > 3",
    "require not (bid == none or bid < 3)",
    "require bid == 4 and bid > 3",
    "require bid == small and bid > 3",
    "require bid in row and bid > 3",
    "require c.piece.owner == red and c.piece.rank > 3",
    "require c.piece.owner != none and c.piece.rank > 3",
    "require c.piece.king and c.piece.rank > 3",
    "require c.piece.kind == man and c.piece.rank > 3",
    "require c.piece.kind in [man] and c.piece.rank > 3",
    "n = sum(d.piece.rank for d in board if d.piece.kind == man)",
    "require hope == wild and hope > mood",
    "n = bid if bid != none else 0",
    "n = 0 if bid == none else bid",
    "n = sum(d.piece.rank for d in board if d.piece != none)",
    "n = sum(d.piece.rank for d in board if d.piece.owner == red)",
    "n = count(d for d in board if d.piece != none if d.piece.rank < 5)",
    "n = sum(p.rank for d in board for p in d if p.rank < 5)",
    "n = sum(x.piece.rank for x in mine(red))",
    "n = max((d.piece.rank, d) for d in [x for x in board if held(x)])[0]",
    "require held(c) and c.piece.rank > 3",
    "require any(box) and box.piece.rank > 3",
    "require any(box) and first(box).rank > 3",
    "require count(box) > 0 and top(box).rank > 3",
    "require count(row) >= 1 and first(row) > 3",
    "require any(y for y in row if y > 2) and first(y for y in row if y > 2) < 9",
    "require bid != none\nrequire bid > 3",
    "if bid != none then n = bid",
    "if: { when: bid == none, then: [n = 1], else: [n = bid] }",
    "if: { when: bid == none, then: [return] }\nn = bid",
    "if bid == none then bid = 3\nn = bid",
    "bid = 3\nn = bid",
    "let v = bid\nrequire v != none\nn = v",
    "let v = c.piece\nif v != none then n = v.rank",
    "place man of red at c\nn = c.piece.rank",
    "for d in board if d.piece != none do n += d.piece.rank",
    "forEach: { bind: d, over: x for x in board if held(x), do: [n = d.piece.rank] }",
    "chooseOne: { bind: $d, options: d for d in board if d.piece != none }\nn = $d.piece.rank",
    "chooseOne: { bind: $d, options: 1..3, optional: true }\nif $d != none then n = $d",
    "chooseOne: { bind: $d, if: bid != none, options: 0..bid }",
    "chooseN: { bind: $d, if: bid != none, options: board, max: bid }",
    "chooseN: { bind: $d, options: d for d in board if held(d), max: 2, each: [n = $d.piece.rank] }",
    "menu: { options: { a: { if: bid != none, do: [n = bid] }, b: {} } }",
    "require bid != none\nfor y in 1..3 do n = bid + y",
    "require bid != none\nbid -= 1\nn = bid",
    "require bid != none\ntake(1)\nlet v = 1",
    "let v = bid\nrequire v != none\ntake(1)\nn = v",
)  # fmt: skip


@pytest.mark.parametrize("rule", PROVEN)
def test_what_is_known_to_be_there_needs_no_second_test(rule: str) -> None:
    assert errors(rule) == []


NOT_PROVEN = (
    "require c.piece.kind != man and c.piece.rank > 3",
    "require bid != none or bid > 3",
    "require bid == none and bid > 3",
    "require not (bid != none) and bid > 3",
    "n = bid if bid == none else 0",
    "if bid != none then n = 1\nn = bid",
    "if: { when: bid != none, then: [n = 1], else: [n = bid] }",
    "require bid != none\nbid = none\nn = bid",
    "require bid != none\ntouch()\nn = bid",
    "require c.piece != none\nremove c.piece\nn = c.piece.rank",
    "require c.piece != none\nmove all of c to box\nn = c.piece.rank",
    "let v = bid\nrequire v != none\nv = none\nn = v",
    "let v = c\nrequire v.piece != none\nv = a1\nn = v.piece.rank",
    "require bid != none\nfor y in 1..3 do n = bid\nbid = none\nn = bid",
    "require bid != none\nforEach: { bind: y, over: 1..3, do: [n = bid, bid = none] }",
    "require bid != none\nrepeat: { while: bid > 0, max: 3, do: [bid = none] }",
    "require bid != none\nrepeat: { while: bid > 0, max: 3, do: [touch()] }",
    "require c.piece != none\nforEach: { bind: y, over: board, do: [n = c.piece.rank, move all of c to y] }",
    "forEach: { bind: d, over: x for x in board if held(x), do: [clear_all(), n = d.piece.rank] }",
    "chooseOne: { bind: $d, options: d for d in board if d.piece != none }\nremove $d.piece\nn = $d.piece.rank",
    "chooseN: { bind: $d, options: d for d in board if held(d), max: 2, each: [remove $d.piece, n = $d.piece.rank] }",
    "chooseN: { bind: $d, options: '[bid + 1, 3]', if: bid != none, max: 2, each: [bid = none] }",
    "require any(y for y in row if y > 2) and first(y for y in row if y > 3) < 9",
    "require any(d for d in board if d.piece != none) and a1.piece.rank > 3",
    "require bid != none\nmenu: { options: { a: [bid = none], b: {} } }\nn = bid",
    "require rival != none or doubt\nleader = rival",
    "if: { when: bid == none, then: [n = 1] }\nn = bid",
    "require bid == rank_of(c) and bid > 3",
)  # fmt: skip


@pytest.mark.parametrize("rule", NOT_PROVEN)
def test_what_may_have_changed_is_not_known(rule: str) -> None:
    found = errors(rule)
    assert set(found) == {"may-be-none"}


def test_the_message_shows_the_test_to_write() -> None:
    text = BOOK.format(effects="      - require c.piece.rank < 5", more="")
    (problem,) = lw.compile_text(text).diagnostics.errors
    assert "`c.piece.rank` may be none here" in problem.message
    assert problem.suggestion is not None
    assert "`c.piece != none and c.piece.rank < 5`" in problem.suggestion


RULES = {
    "pre": "    pre: bid != none and bid > 2",
    "pre proves": "    pre: bid != none",
    "ensure": "    ensure: bid == none or bid > 2",
    "limit": "    limit: { max: 2, per: game }",
}


def test_a_guard_of_the_action_proves_for_its_effects() -> None:
    assert errors("n = bid") == ["may-be-none"]
    guarded = BOOK.format(effects="      - n = bid", more="").replace(
        "    params: { c: board }", "    params: { c: board }\n    pre: bid != none"
    )
    assert [item.code for item in lw.compile_text(guarded).diagnostics.errors] == []
    late = guarded.replace("- n = bid", "- bid = none\n      - n = bid")
    assert [item.code for item in lw.compile_text(late).diagnostics.errors] == ["may-be-none"]


def test_triggers_endings_and_scores() -> None:
    assert errors("n = 1", "score: bid") == ["may-be-none"]
    assert errors("n = 1", "score: default(bid, 0)") == []
    assert errors("n = 1", "end: [{ when: bid > 3, draw: all }]") == ["may-be-none"]
    assert errors("n = 1", "end: [{ when: bid != none and bid > 3, draw: all }]") == []
    assert errors("n = 1", "end: [{ when: rival != none, win: rival }]") == []
    assert errors("n = 1", "end: [{ when: flag, win: rival }]") == ["may-be-none"]
    assert errors("n = 1", "end: [{ when: flag, score: bid for p in seats }]") == ["may-be-none"]
    trigger = "triggers: [{{ on: {{ changed: n }}, if: {}, effects: [small = bid] }}]"
    assert errors("n = 1", trigger.format("bid != none")) == []
    assert errors("n = 1", trigger.format("flag")) == ["may-be-none"]


KINDS = """```yaml
game: {{ id: kinds, title: Kinds, players: 2 }}
seats: [red, blue]
spaces: {{ board: {{ grid: [3, 3] }} }}
pieces: {{ man: {{ owner: seat, rank: 0..9, king: bool }}, coin: {{ count: 3 }} }}
vars: {{ n: 0..99 clamp }}
actions:
  - id: act
    params: {{ c: board }}
    effects: ["n = sum(d.piece.rank for d in board if {test})"]
end: [{{ when: turn > 9, draw: all, reason: late }}]
```
"""


@pytest.mark.parametrize(
    "test", ["d.piece.owner == actor", "d.piece.king", "d.piece.rank == 3", "d.piece.kind == man"]
)
def test_a_property_that_one_kind_has_tells_that_there_is_a_piece(test: str) -> None:
    assert lw.compile_text(KINDS.format(test=test)).diagnostics.items == []


def test_a_property_that_is_not_so_tells_nothing() -> None:
    found = lw.compile_text(KINDS.format(test="d.piece.owner != actor")).diagnostics.items
    assert [item.code for item in found] == ["may-be-none"]
