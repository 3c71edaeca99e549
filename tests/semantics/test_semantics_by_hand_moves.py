"""Games of a few answers, worked out by hand from the reference: triggers, sealed choices, repeated
picks, hidden zones, refusals after a roll. Both engines must play them so."""

from __future__ import annotations

from typing import Any

import pytest

import ludwright as lw
from tests.semantics.books import asked, book, codes

BASE = """
spaces: { board: { grid: [3, 1] } }
pieces:
  man: { owner: seat, count: 4, level: 0..5 clamp }
  king: { owner: seat, count: 1, level: 0..5 clamp, crown: 0..3 }
  card: { each: { rank: 1..6 } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner }
  pile: { of: card, order: stack }
  camp: { of: [man, king], each: seat }
vars: { n: 0..99, m: 0..99, level: 0..9, Seat.gold: 0..9 = 3, Seat.rank: 0..9, round: 0..9 }
"""

BIDS = "chooseOne: { bind: $b, together: true, options: 0..chooser.gold }"
PARRY = "  - { id: parry, pre: actor.gold > 5, effects: [m += 1] }\n"
FIRST = object()  # the first option, whatever it is


def acting(*effects: str, also: str = "") -> str:
    lines = "".join(f"      - {effect}\n" for effect in effects)
    end = "end: [{ when: turn > 30, draw: all, reason: late }]"
    return f"{BASE}{also}\n{end}\nactions:\n  - id: act\n    effects:\n{lines}  - {{ id: pass }}\n"


def flowing(*effects: str, also: str = "") -> str:
    lines = "".join(f"  - {effect}\n" for effect in effects)
    return f"{BASE}{also}\nscore: it.gold\nflow:\n{lines}"


Answers = list[Any]  # one after the other; with the seat where it is not the one that is asked
CASES: dict[str, tuple[str, Answers, str | dict[str, Any]]] = {
    "trigger on level: the variable of the game wins": (acting("place man of red at a1", "for p in man do p.level += 1", "level = 4", also="triggers: [{ on: { changed: level }, effects: [n += new, m += 1] }]"), ["act"], {"n": 4, "m": 1}),
    "trigger on Piece.level": (acting("for p in king do p.level += 2", "level = 4", also="triggers: [{ on: { changed: Piece.level }, effects: [n += new, m += piece.level] }]"), ["act"], {"n": 4, "m": 4}),
    "trigger on Seat.rank": (acting("for p in seats do p.rank = 5", "level = 4", also="triggers: [{ on: { changed: Seat.rank }, effects: [n += new, seat.gold += 1] }]"), ["act"], {"n": 10, "gold": {"red": 4, "blue": 4}}),
    "the same name twice": (BASE.replace("Seat.rank", "Seat.level")+"\nactions: [{ id: pass }]", [], "name-clash"),
    "two owners": (acting("n = 1", also="triggers: [{ on: { changed: gold }, effects: [m += 1] }]").replace("crown: 0..3", "crown: 0..3, gold: 0..3"), ["act"], "ambiguous-name"),
    "clamped: no change": (acting("for p in king do p.level = 5", "for p in king do p.level += 1", also="triggers: [{ on: { changed: Piece.level }, effects: [n += 1] }]"), ["act"], {"n": 2}),
    "immediate": (acting("level = 1", "level = 2", "n += 10 * m", also="triggers: [{ on: { changed: level }, immediate: true, effects: [m += 1] }]"), ["act"], {"n": 20, "m": 2}),
    "queued": (acting("level = 1", "level = 2", "n += 10 * m", also="triggers: [{ on: { changed: level }, effects: [m += 1] }]"), ["act"], {"n": 0, "m": 2}),
    "trigger sets itself off, queued, bounded": (acting("level = 1", also="triggers: [{ on: { changed: level }, if: level < 5, effects: [level += 1] }]"), ["act"], {"level": 5}),
    "for ever": (acting("m = 1", also="triggers: [{ on: { changed: m }, effects: [m += 1] }]"), ["act"], "fault required"),
    "itself, immediate": (acting("m = 1", also="triggers: [{ on: { changed: m }, immediate: true, effects: [m += 1] }]"), ["act"], "recursion"),
    "old and new": (acting("level = 7", also="triggers: [{ on: { changed: level }, effects: [n = 10 * old + new] }]"), ["act"], {"n": 7}),
    "trigger with a kind it lacks": (acting("for p in king do p.crown = 1", also="triggers: [{ on: { changed: crown }, effects: [n = piece.crown * 10 + piece.level] }]"), ["act"], {"n": 10}),
    "entered knows nothing of the kind": (acting("place man of red at a1", also="triggers: [{ on: { entered: board }, effects: [n += piece.crown] }]"), ["act"], "may-be-none"),
    "origin of a placed piece is none": (acting("place man of red at a1", also="triggers: [{ on: { entered: board }, effects: [n += 1 if origin == none else 5] }]"), ["act"], {"n": 1}),
    "swap sets off both": (acting("place man of red at a1", "place king of blue at b1", "swap a1 with b1", also="triggers: [{ on: { entered: board }, effects: [n += 1] }]"), ["act"], {"n": 4}),
    "sealed in any order": (flowing(BIDS, "n = $b[red] * 10 + $b[blue]"), [("blue", 2), ("red", 1)], {"n": 12}),
    "sealed: withdraw by answering": (flowing(BIDS, "n = $b[red] * 10 + $b[blue]"), [("blue", 2), ("blue", 3)], "illegal"),
    "sealed in an action": (acting(BIDS, "n = $b[red] * 10 + $b[blue]"), ["act", ("blue", 3), ("red", 0)], {"n": 3}),
    "sealed by some, read all": (flowing("chooseOne: { bind: $b, together: true, by: '[blue]', options: 1..3 }", "n = $b[red]"), [("blue", 2)], "fault range"),
    "sealed by some, read those": (flowing("chooseOne: { bind: $b, together: true, by: '[blue]', options: 1..3 }", "n = $b[blue]"), [("blue", 2)], {"n": 2}),
    "sealed by nobody": (flowing("chooseOne: { bind: $b, together: true, by: p for p in seats if p.gold > 5, options: 1..3 }", "n = 7"), [], {"n": 7}),
    "sealed optional, read none": (flowing("chooseOne: { bind: $b, together: true, optional: true, options: 1..3 }", "n = default($b[red], 9)"), [("red", None), ("blue", 1)], {"n": 9}),
    "sealed skip": (flowing("chooseOne: { bind: $b, together: true, options: x for x in 1..3 if x > chooser.rank + 2, ifNone: skip }", "n = default($b[red], 9) * 10 + default($b[blue], 9)", also="setup: [red.rank = 5]"), [("blue", 3)], {"n": 93}),
    "sealed chooseN skip": (flowing("chooseN: { bind: $b, together: true, options: x for x in 1..3 if x > chooser.rank, n: 2, ifNone: skip }", "n = count($b[red]) * 10 + count($b[blue])", also="setup: [red.rank = 2]"), [("blue", [1, 3])], {"n": 2}),
    "sealed each": (flowing("chooseN: { bind: $b, together: true, options: 1..3, n: 2, each: [n += $b] }"), [], "sealed-each"),
    "sealed by class": (flowing("chooseN: { bind: $b, together: true, options: board, by: class, n: 2 }"), [], "by-class"),
    "sealed with no option": (flowing("chooseOne: { bind: $b, together: true, options: hand(chooser) }"), [], "sealed-without-option"),
    "sealed in procedure": (flowing("ask()", also="procs:\n  ask():\n    - chooseOne: { bind: $b, together: true, options: hand(chooser) }\n    - n += 1"), [], "sealed-without-option"),
    "sealed guarded loop": (flowing("draw 1 from deck to hand(red)", "draw 1 from deck to hand(blue)", "repeat: { while: all(any(hand(p)) for p in seats), max: 3, do: [{ chooseOne: { bind: $b, together: true, options: hand(chooser) } }, 'for p in seats do move $b[p] to pile', n += 1] }"), [FIRST, FIRST], {"n": 1}),
    "sealed guard spoilt": (flowing("draw 1 from deck to hand(red)", "draw 1 from deck to hand(blue)", "repeat: { while: all(any(hand(p)) for p in seats), max: 3, do: [move all of hand(red) to pile, { chooseOne: { bind: $b, together: true, options: hand(chooser) } }, n += 1] }"), [], "sealed-without-option"),
    "repeats beyond the options": (acting("chooseN: { bind: $x, options: 1..2, n: actor.gold, repeats: true }", "n = sum($x) * 10 + count($x)"), ["act", [2, 2, 2]], {"n": 63}),
    "repeats, max of a variable": (acting("chooseN: { bind: $x, options: 1..2, max: 9, repeats: true }", "n = count($x)"), ["act", [1]*9], {"n": 9}),
    "repeats, one too many": (acting("chooseN: { bind: $x, options: 1..2, max: 2, repeats: true }", "n = count($x)"), ["act", [1]*3], "illegal"),
    "sequence": (acting("chooseN: { bind: $x, options: 1..3, n: 2, ordering: sequence }", "n = $x[0] * 10 + $x[1]"), ["act", [3, 1]], {"n": 31}),
    "set": (acting("chooseN: { bind: $x, options: 1..3, n: 2 }", "n = [x for x in $x][0] * 10 + [x for x in $x][1]"), ["act", [3, 1]], {"n": 13}),
    "min above what there is": (acting("chooseN: { bind: $x, options: 1..3, min: 4 }", "n = 1"), ["act"], "illegal"),
    "min of a variable above max": (acting("chooseN: { bind: $x, options: 1..3, min: actor.gold, max: 2 }", "n = 1"), ["act"], "illegal"),
    "filtered picks keep what they are": (acting("place man of red at a1", "place king of red at b1", "chooseN: { bind: $x, options: s for s in board if s.piece.kind == king, n: 1 }", "n = sum(s.piece.crown + 1 for s in $x)"), ["act", ["b1"]], {"n": 1}),
    "filtered answer, optional": (acting("place king of red at b1", "chooseOne: { bind: $x, options: s for s in board if s.piece.kind == king, optional: true }", "if $x != none then n = $x.piece.crown + 1"), ["act", "b1"], {"n": 1}),
    "filtered answer, changed": (acting("place king of red at b1", "chooseOne: { bind: $x, options: s for s in board if s.piece.kind == king, optional: true }", "move b1.piece to camp(red)", "if $x != none then n = $x.piece.crown + 1"), [], "may-be-none"),
    "filtered answer of a procedure": (acting("place king of red at b1", "let k = king_at()", "if k != none then n = k.piece.crown + 1", also="procs:\n  king_at():\n    - chooseOne: { bind: $x, options: s for s in board if s.piece.kind == king, optional: true }\n    - return $x"), [], "may-be-none"),
    "others' cards": (acting("chooseOne: { bind: $x, options: c for c in hand(opponent(actor)) if c.rank > 2, ifNone: skip }", "n = 1"), [], "hidden-read"),
    "how many of the others' cards": (acting("chooseOne: { bind: $x, options: 0..count(hand(opponent(actor))) }", "n = $x + 1"), ["act", 0], {"n": 1}),
    "the top of the deck": (acting("chooseOne: { bind: $x, options: c for c in deck if c.rank == 1, ifNone: skip }"), [], "hidden-read"),
    "a king in the hand": (acting("for k in king do move k to hand(red)"), [], "wrong-zone"),
    "draw from too few": (acting("draw 7 from deck to hand(red)"), ["act"], "fault required"),
    "draw up to": (acting("draw up to 7 from deck to hand(red)", "n = count(hand(red))"), ["act"], {"n": 6}),
    "draw from nothing": (acting("draw 6 from deck to pile", "draw 1 from deck to hand(red)"), ["act"], "fault required"),
    "roll from nothing": (acting("roll x in [p for p in seats if p.gold > 5]", "n = 1"), ["act"], "fault empty"),
    "discard after a draw": (acting("draw 1 from deck to hand(actor)", "chooseOne: { bind: $x, options: hand(actor) }", "move $x to pile", "n = count(pile)"), ["act", FIRST], {"n": 1}),
    "refuse after a roll": (acting("roll d in 1..6", "require d > 3"), [], "refusal-after-chance"),
    "pay after a roll": (acting("roll d in 1..6", "actor.gold -= d").replace("Seat.gold: 0..9 = 3", "Seat.gold: 0..9 = 3 refuse"), [], "refusal-after-chance"),
    "pay picks after a roll": (acting("roll d in 1..6", "chooseN: { bind: $x, options: 1..3, max: 2 }", "for x in $x do actor.gold -= x", "n = 9 - actor.gold").replace("Seat.gold: 0..9 = 3", "Seat.gold: 0..9 = 3 refuse"), ["act", [1, 2]], {"n": 9}),
    "pay too much after a roll": (acting("roll d in 1..6", "chooseN: { bind: $x, options: 1..3, max: 2 }", "for x in $x do actor.gold -= x").replace("Seat.gold: 0..9 = 3", "Seat.gold: 0..9 = 3 refuse"), ["act", [2, 3]], "illegal"),
    "ifNone after a roll": (acting("roll d in 1..6", "chooseOne: { bind: $x, options: x for x in 1..5 if x <= actor.gold, ifNone: skip }", "if $x != none then actor.gold -= $x", "n = 9 - actor.gold").replace("Seat.gold: 0..9 = 3", "Seat.gold: 0..9 = 3 refuse"), ["act", 3], {"n": 9}),
    "react asks nobody who can only pass": (acting("react: { actions: [parry], pass: pass }", "n = 5") + PARRY, ["act"], {"n": 5}),
    "react always asks": (acting("react: { actions: [parry], pass: pass, always: true }", "n = 5") + PARRY, ["act"], {"n": 0}),
    "react always asks, then goes on": (acting("react: { actions: [parry], pass: pass, always: true }", "n = 5") + PARRY, ["act", ("blue", "pass")], {"n": 5, "m": 0}),
    "react always asks, and nothing else is possible": (acting("react: { actions: [parry], pass: pass, always: true }", "n = 5") + PARRY, ["act", ("blue", "parry")], "illegal"),
    "react always asks, and more is possible": (acting("actor.gold = 9", "opponent(actor).gold = 9", "react: { actions: [parry], pass: pass, always: true }", "n = 5") + PARRY, ["act", ("blue", "parry")], {"n": 5, "m": 1}),
    "must pick after a roll": (acting("roll d in 1..6", "chooseN: { bind: $x, options: 1..3, min: 1, max: 2 }", "for x in $x do actor.gold -= x").replace("Seat.gold: 0..9 = 3", "Seat.gold: 0..9 = 0 refuse"), [], "refusal-after-chance"),
}  # fmt: skip


def played(rules: str, answers: Answers) -> str | dict[str, Any]:
    """The variables in the end, or what is wrong with the rules or the answers."""
    found = codes(rules)
    if found:
        return found[0]
    game = book(rules)
    try:
        state = game.initial_state(1)
        for given in answers:
            seat, answer = given if isinstance(given, tuple) else (None, given)
            if answer is FIRST:
                answer = asked(game, state).options[0]
            state = game.choose(state, answer, seat).state
    except lw.RulebookFault as fault:
        return f"fault {fault.code}"
    except lw.IllegalMove:
        return "illegal"
    variables: dict[str, Any] = game.observe(state, None)["variables"]
    return variables


@pytest.mark.parametrize("name", CASES)
def test_what_the_answers_lead_to(name: str) -> None:
    rules, answers, wanted = CASES[name]
    found = played(rules, answers)
    if isinstance(wanted, dict) and isinstance(found, dict):
        assert {key: found[key] for key in wanted} == wanted
    else:
        assert found == wanted
