"""Small rulebooks of a careless or hostile designer. What must happen was worked out by hand from
the reference; both engines must do it.

Each case is what one action does and how `n` stands then; or the code of the mistake that the
checker tells, of the fault in play; or that the action is not offered.
"""

from __future__ import annotations

import pytest

import ludwright as lw
from tests.semantics.books import asked, book, codes, variable

WORLD = """
spaces: { board: { grid: [3, 3] }, port: { track: 2 } }
enums: { Art: [lore, song, dance] }
tables:
  Unit: [{ id: tank, cost: 5 }, { id: gun, cost: 2, range: 3 }]
  Card: [{ id: peace, worth: 3 }, { id: war, worth: 4 }]
  Price: { red: 3, blue: 5 }
pieces:
  man: { owner: seat, count: 3, level: 0..5 }
  king: { owner: seat, level: 0..5, crown: 0..3 clamp }
  tree: { count: 2, fruit: 0..2 refuse }
  unit: { each: Unit }
  card: { each: Card }
zones:
  pool: { of: [unit, card], init: all }
  hand: { of: card, each: seat, see: owner }
  bin: { of: man }
vars:
  n: 0..999
  sum: 0..5 clamp
  purse: 0..9 = 4 refuse
  bid: (0..9)?
  who: Seat?
  spot: board?
  "Seat.gems[Art]": 0..9
  "lane[1..3]": 0..9
  seen: "list[0..9, 4]"
  marks: "set[1..6]"
  Seat.gold: 0..9 = 2
  board.heat: 0..9
setup:
  - place man of red at a1 with level=2
  - place king of blue at b2 with level=4
  - place tree at c3
fns:
  "worth(p: man)": p.level * 10
  strong(p): p.level != none and p.level > 3
procs:
  half(x): [return x // 2]
  maybe(x):
    - if x > 3 then return red
    - return none
  "pay(k: 0..5)": [purse -= k]
  early():
    - n += 1
    - return
  pickOf(a):
    - chooseOne: { bind: $x, options: 1..a }
    - return $x
history: { marked: { of: [board], keep: 3 } }
TRIGGERS
end: [{ when: turn > 30, draw: all, reason: late }]
actions:
  - id: act
    effects:
EFFECTS
  - { id: pass }
"""


def rules(effects: str, triggers: str = "") -> str:
    lines = "\n".join(f"      - {line.strip()}" for line in effects.split(";"))
    return WORLD.replace("EFFECTS", lines).replace("TRIGGERS", triggers and f"triggers: {triggers}")


CASES: dict[str, tuple[str, object]] = {
    # kinds with different properties
    "a property of all that have it": ("n = sum(p.level for s in board for p in s if p.level != none)", 6),
    "kinds in a list": ("n = sum(p.level for s in board for p in s if p.kind in [man, king])", 6),
    "kinds not in a list": ("n = sum(p.level for s in board for p in s if p.kind not in [tree, unit, card])", 6),
    "another kind": ("n = count(p for s in board for p in s if p.kind != man)", 2),
    "the kind of nothing": ("n = count(s for s in board if s.piece.kind != man)", 8),
    "a kind that lacks it": ("n = sum(p.crown for s in board for p in s if p.kind in [man, king])", "may-be-none"),
    "not one kind of several": ("n = sum(p.level for s in board for p in s if p.kind != man)", "may-be-none"),
    "nothing is not of another kind": ("for s in board if s.piece.kind != tree do n += s.piece.level", "may-be-none"),
    "a column behind the kind": ("n = sum(p.cost for p in pool if p.kind == unit)", 7),
    "a column of the other table": ("n = sum(p.worth for p in pool if p.kind not in [unit, man, king, tree])", 7),
    "a column that a row lacks": ("n = sum(p.range for p in pool if p.kind == unit)", "may-be-none"),
    "a column, filtered": ("n = sum(p.range for p in pool if p.kind == unit and p.range != none)", 3),
    "a property in a loop that changes it": ("for s in board if s.piece.level != none do s.piece.level += 1; n = a1.piece.level if a1.piece.level != none else 99", 3),
    "to set what a kind lacks": ("c3.piece.level = 1", "fault none"),
    "to move what a loop looks at": ("for s in board if s.piece.kind == man do n += s.piece.level; n += 1", 3),
    "a man stays a man": ("forEach: { bind: s, over: s for s in board if s.piece.kind == man, do: [remove s.piece, n += s.piece.level] }", "may-be-none"),
    "a property of whatever lies there": ("b2.piece.crown += 9", "may-be-none"),
    "clamp of a property": ("for p in king do p.crown += 9; n = max(p.crown for p in king)", 3),
    "refuse of a property": ("for p in tree do p.fruit += 3", "not offered"),
    "a fixed owner": ("for p in man do p.owner = blue", "not-assignable"),
    "a fixed owner among others": ("a1.piece.owner = blue", "fault none"),
    "an owner that changes": ("b2.piece.owner = red; n = count(p for p in king if p.owner == red)", 1),
    "with an owner": ("place man at a2 with owner=blue", "unknown-attribute"),
    # typed parameters
    "a man for a man": ("n = sum(worth(p) for p in man)", 20),
    "a piece that was asked for its kind": ("if a1.piece.kind == man then n = worth(a1.piece)", 20),
    "a king for a man": ("n = sum(worth(p) for p in king)", "wrong-type"),
    "any piece for a man": ("if a1.piece != none then n = worth(a1.piece)", "may-be-none"),
    "a function that asks": ("n = count(p for s in board for p in s if strong(p))", 1),
    "a number outside a parameter": ("pay(7)", "out-of-range"),
    "a number that leaves a parameter": ("pay(n + 6)", "fault range"),
    "a purse that refuses": ("pay(5)", "not offered"),
    # none
    "none is no number": ("n = bid", "may-be-none"),
    "none is kept": ("bid = none; n = default(bid, 7)", 7),
    "none equals none": ("if bid == who then n = 1", "wrong-type"),
    "none in a list": ("n = 1 if none in [bid, 3] else 2", 1),
    "an attribute of none": ("n = 1 if spot.piece.owner == none else 2", 1),
    "a collection of none": ("n = count(spot.adjacent)", 0),
    "not none": ("n = 1 if not (bid != none) else 2", 1),
    "or else": ("n = 1 if bid == none or bid > 3 else 2", 1),
    "and then, the wrong way round": ("n = 1 if bid > 3 and bid != none else 2", "may-be-none"),
    "tested, then changed": ("if bid != none then bid = none; n = 3", 3),
    "tested, changed and read": ("do: [bid = 3, require bid != none, bid = none, n = bid]", "may-be-none"),
    "heat of a port": ("n = port1.heat", "may-be-none"),
    "the seat of none": ("who.gold += 1", "may-be-none"),
    "to move none": ("move b1.piece to b3", "fault none"),
    # clamp and refuse
    "clamp stops at the end": ("sum += 9; n = sum", 5),
    "clamp stops at zero": ("sum -= 9; n = sum + 1", 1),
    "refuse": ("purse -= 5", "not offered"),
    "refuse in a branch": ("if purse > 4 then purse -= 5; n = purse", 4),
    "refuse in a loop": ("for x in 1..2 do purse -= 2; n = purse + 10", 10),
    "refuse one too often": ("for x in 1..3 do purse -= 2", "not offered"),
    "below zero and back": ("n = purse - 9 + 9", 4),
    "a fault is no refusal": ("n -= 1", "fault range"),
    # procedures
    "half": ("let h = half(9); n = h", 4),
    "half of a negative number": ("let h = half(-9); n = h + 10", 5),
    "perhaps a seat": ("let m = maybe(2); n = 1 if m == none else 2", 1),
    "perhaps somebody's gold": ("let m = maybe(9); n = m.gold", "may-be-none"),
    "somebody's gold": ("let m = maybe(9); if m != none then n = m.gold", 2),
    "return leaves only the procedure": ("early(); early()", 2),
    "return leaves the effects": ("n = 1; if n == 1 then return; n = 2", 1),
    # indexed variables, tables, tuples
    "an index that is there": ("lane[2] = 5; n = sum(lane[i] for i in 1..3)", 5),
    "an index that is not there": ("n = lane[n + 4]", "fault range"),
    "a row by its number": ("n = Unit[1].cost", 2),
    "a row that is not there": ("n = Unit[n + 2].cost", "fault range"),
    "a table by something else": ("n = Price[lore]", "wrong-type"),
    "a row of a row": ("n = Unit[tank].cost", "wrong-type"),
    "a table by a seat": ("n = Price[actor]", 3),
    "a tuple by a seat": ("n = (1, 2)[red]", "tuple-index"),
    "an enum in order": ("n = 1 if lore < dance else 2", 1),
    "each of an enum": ("for g in Art do actor.gems[g] = 2; n = sum(actor.gems[g] for g in Art)", 6),
    # collections
    "a list that is full": ("for x in 1..5 do seen = seen + [x]", "fault range"),
    "a list that is not": ("for x in 1..4 do seen = seen + [x]; n = seen[3]", 4),
    "a set holds each once": ("marks = [1, 2, 2, 1]; n = count(marks)", 2),
    "a set is in order": ("marks = [5, 2]; n = [m for m in marks][0]", 2),
    "the least of nothing": ("n = min(s.heat for s in board if s.heat > 5)", "not offered"),
    "the least of nothing, with a default": ("n = min([s.heat for s in board if s.heat > 5], default=8)", 8),
    "the first of nothing": ("n = [s.heat for s in board if s.heat > 5][0]", "fault range"),
    "a loop reads its collection once": ("for s in board if s.piece != none do place tree at s; n = a1.count + b2.count", "not offered"),
    # histories
    "a history that is full": ("record marked; record marked; record marked; record marked", "fault history-full"),
    "how often": ("record marked; record marked; n = times(marked)", 2),
    "cleared": ("record marked; clear marked; n = times(marked) + 1", 1),
    # zones with `of:`
    "a king in the bin": ("move b2.piece to bin", "wrong-zone"),
    "whatever lies there, in the bin": ("move a1.piece to b1; move b2.piece to a1; move a1.piece to bin", "fault required"),
    "a man in the bin": ("move a1.piece to bin; n = count(bin)", 1),
    "a card among men": ("for c in card do move c to bin", "wrong-zone"),
    # swaps and with
    "a swap of variables": ("purse = 2; n = 5; swap n with purse; n += 100 * purse", 502),
    "a swap that refuses": ("n = 50; swap n with purse", "not offered"),
    "a swap that clamps": ("n = 50; swap n with sum; n += 10 * sum", 50),
    "a swap that is a fault": ("n = 50; swap n with red.gold", "fault range"),
    "for the time of a block": ("with: { set: [purse = 9], do: [n = purse] }", 9),
    "and its old value afterwards": ("do: [{ with: { set: [purse = 9], do: [purse -= 1] } }, n = purse]", 4),
}  # fmt: skip


def outcome(text: str) -> object:
    """How `n` stands after the action, or what prevents that."""
    found = codes(text)
    if found:
        return found[0]
    game = book(text)
    try:
        state = game.initial_state(1)
        if "act" not in [str(answer) for answer in asked(game, state).answers]:
            return "not offered"
        state = game.choose(state, "act").state
    except lw.RulebookFault as fault:
        return f"fault {fault.code}"
    return variable(game, state, "n")


@pytest.mark.parametrize("name", CASES)
def test_what_one_action_does(name: str) -> None:
    effects, wanted = CASES[name]
    assert outcome(rules(effects)) == wanted
