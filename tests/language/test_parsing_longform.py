"""Long and short spelling side by side: every node of the long form gives the same tree."""

from __future__ import annotations

import pytest

from tests.language.parsing_support import effects, expression, field


@pytest.mark.parametrize(
    ("long", "short"),
    [
        # conditions
        ("{ op: and, args: [a, b, c] }", "a and b and c"),
        ("{ op: or, args: [a, { op: not, arg: b }] }", "a or not b"),
        *((f"{{ op: '{op}', left: a, right: 1 }}", f"a {op} 1") for op in
          ("==", "!=", "<", "<=", ">", ">=")),
        ("{ op: in, item: a, set: [b, c] }", "a in [b, c]"),
        ("{ op: adjacent, left: 'hue:none', right: $s }", "hue in $s.adjacent"),
        (
            "{ op: connected, from: $a, to: $b, via: { op: '==', left: { ref: zoneProp, "
            "zone: $zone, prop: kind }, right: road }, maxDepth: 3 }",
            "$b in reach([$a], over=[$zone for $zone in spaces if $zone.kind == road], steps=3)",
        ),
        ("{ op: connected, from: $a, to: $b }", "$b in reach([$a])"),
        # values
        ("{ if: { when: a, then: 1, else: 2 } }", "1 if a else 2"),
        ("{ op: '+', left: a, right: { op: '*', left: 2, right: b } }", "a + 2 * b"),
        ("{ op: '-', left: a, right: 1 }", "a - 1"),
        ("{ op: /, left: a, right: 2 }", "a // 2"),
        ("{ op: floorDiv, left: a, right: 2 }", "a // 2"),
        ("{ op: min, left: a, right: 2 }", "min(a, 2)"),
        ("{ aggregate: { op: count, query: { query: players } } }", "count(seats)"),
        ("{ aggregate: count, query: { query: tokensInZone, zone: deck:none } }", "count(deck)"),
        (
            "{ aggregate: { op: sum, query: { query: players }, bind: $p, valueExpr: "
            "{ ref: pvar, player: $p, var: gold } } }",
            "sum($p.gold for $p in seats)",
        ),
        (
            "{ aggregate: { op: max, query: { query: mapSpaces }, bind: $s, valueExpr: $s.pop } }",
            "max($s.pop for $s in spaces)",
        ),
        # queries
        ("{ query: tokensInZone, zone: 'hand:actor' }", "hand(actor)"),
        ("{ query: tokensInZone, zone: 'hand:$p', filter: [] }", "hand($p)"),
        (
            "{ query: tokensInZone, zone: $s, filter: [{ prop: faction, op: eq, value: US }, "
            "{ prop: type, op: in, value: [base, troops] }, { prop: rank, op: neq, value: 2 }] }",
            "$token for $token in $s if $token.faction == US and $token.type in [base, troops] "
            "and $token.rank != 2",
        ),
        (
            "{ query: tokensInZone, zone: $s, filter: { or: [{ prop: a, value: x }, "
            "{ prop: b, value: y }] } }",
            "$token for $token in $s if $token.a == x or $token.b == y",
        ),
        (
            "{ query: tokensInMapSpaces, spaceFilter: $zone.pop > 0, filter: "
            "[{ prop: faction, op: eq, value: US }] }",
            "$token for $zone in spaces if $zone.pop > 0 for $token in $zone "
            "if $token.faction == US",
        ),
        (
            "{ query: tokensInMapSpaces }",
            "$token for $zone in spaces for $token in $zone",
        ),
        (
            "{ query: tokensInAdjacentZones, zone: $s }",
            "$token for $zone in $s.adjacent for $token in $zone",
        ),
        ("{ query: mapSpaces }", "spaces"),
        (
            "{ query: mapSpaces, filter: { op: '>', left: { ref: zoneProp, zone: $zone, "
            "prop: pop }, right: 0 } }",
            "$zone for $zone in spaces if $zone.pop > 0",
        ),
        ("{ query: zones }", "zones"),
        ("{ query: zones, filter: $zone == deck }", "$zone for $zone in zones if $zone == deck"),
        ("{ query: adjacentZones, zone: 'an-loc:none' }", "an_loc.adjacent"),
        ("{ query: connectedZones, zone: $s, includeStart: true }", "reach([$s])"),
        ("{ query: connectedZones, zone: $s, maxDepth: 2 }", "reach([$s], steps=2) - [$s]"),
        ("{ query: players }", "seats"),
        ("{ query: intsInRange, min: 1, max: a }", "1..a"),
        (
            "{ query: intsInRange, min: 1, max: 9, step: 2 }",
            "$n for $n in 1..9 if ($n - 1) % 2 == 0",
        ),
        ("{ query: enums, values: [red, green] }", "[red, green]"),
        ("{ query: concat, sources: [{ query: players }, [a]] }", "seats + [a]"),
        ("{ query: binding, name: $targets }", "$targets"),
        # references
        ("{ ref: binding, name: $x }", "$x"),
        ("{ ref: binding, name: __freeOperation }", "__freeOperation"),
        ("{ ref: gvar, var: mom.adsid }", "mom.adsid"),
        ("{ ref: pvar, player: actor, var: gold }", "actor.gold"),
        ("{ ref: pvar, player: { id: 1 }, var: gold }", "seats[1].gold"),
        ("{ ref: pvar, player: { chosen: $p }, var: gold }", "$p.gold"),
        ("{ ref: pvar, player: { relative: left }, var: gold }", "rotate(actor, 1).gold"),
        ("{ ref: pvar, player: { relative: right }, var: gold }", "rotate(actor, -1).gold"),
        ("{ ref: zoneCount, zone: 'hand:active' }", "count(hand(active))"),
        ("{ ref: zoneCount, zone: 'hand:0' }", "count(hand(seats[0]))"),
        ("{ ref: tokenProp, token: $t, prop: rank }", "$t.rank"),
        ("{ ref: tokenZone, token: $t }", "$t.place"),
        ("{ ref: zoneProp, zone: $s, prop: pop }", "$s.pop"),
        ("{ ref: markerState, space: $s, marker: support }", "$s.support"),
        ("{ ref: globalMarkerState, marker: leader }", "leader"),
        ("{ ref: activePlayer }", "active"),
        ("{ ref: activeSeat }", "active"),
    ],
)  # fmt: skip
def test_value(long: str, short: str) -> None:
    assert field(long) == expression(short)


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("{ setVar: { scope: global, var: x, value: 3 } }", "x = 3"),
        ("{ setVar: { scope: pvar, player: actor, var: x, value: y } }", "actor.x = y"),
        ("{ setVar: { scope: zone, zone: $s, var: terror, value: 1 } }", "$s.terror = 1"),
        (
            "{ setVar: { scope: pvar, player: all, var: x, value: 0 } }",
            "for $seat in seats do $seat.x = 0",
        ),
        (
            "{ addVar: { scope: pvar, player: allOther, var: x, delta: 1 } }",
            "for $seat in seats if $seat != actor do $seat.x += 1",
        ),
        ("{ addVar: { scope: global, var: x, delta: -3 } }", "x -= 3"),
        ("{ setActivePlayer: { player: { id: 1 } } }", "active = seats[1]"),
        ("{ moveToken: { token: $t, to: 'deck:none' } }", "move $t to deck"),
        (
            "{ moveToken: { token: $t, from: 'hand:actor', to: deck:none, position: bottom } }",
            "move $t from hand(actor) to deck at bottom",
        ),
        ("{ moveAll: { from: trick:none, to: 'taken:$p' } }", "move all of trick to taken($p)"),
        (
            "{ moveAll: { from: trick:none, to: out:none, filter: $token.rank > 3 } }",
            "move all of $token for $token in trick if $token.rank > 3 to out",
        ),
        (
            "{ draw: { from: deck:none, to: 'hand:actor', count: 2 } }",
            "draw 2 from deck to hand(actor)",
        ),
        ("{ shuffle: { zone: deck:none } }", "shuffle deck"),
        (
            "{ createToken: { type: man, zone: $s, props: { owner: actor, rank: 2 } } }",
            "place man of actor at $s with rank=2",
        ),
        ("{ destroyToken: { token: $t } }", "remove $t"),
        ("{ setTokenProp: { token: $t, prop: up, value: true } }", "$t.up = true"),
        ("{ reveal: { zone: 'hand:actor', to: all } }", "reveal hand(actor)"),
        (
            "{ reveal: { zone: deck:none, to: actor, filter: [{ prop: rank, value: 1 }] } }",
            "reveal $token for $token in deck if $token.rank == 1 to actor",
        ),
        ("{ conceal: { zone: deck:none, from: $p } }", "conceal deck from $p"),
        ("{ setMarker: { space: $s, marker: support, state: neutral } }", "$s.support = neutral"),
        ("{ shiftMarker: { space: $s, marker: support, delta: -1 } }", "shift $s.support by -1"),
        ("{ setGlobalMarker: { marker: leader, state: ky } }", "leader = ky"),
        ("{ shiftGlobalMarker: { marker: trail, delta: 1 } }", "shift trail by 1"),
        ("{ gotoPhaseExact: { phase: flop } }", "goto flop"),
        ("{ advancePhase: {} }", "next phase"),
        ("{ pushPhase: { phase: flop } }", "push phase flop"),
        ("{ if: { when: { ref: gvar, var: a }, then: [stop] } }", "if a then stop"),
        (
            "{ if: { when: { op: '!=', left: { ref: binding, name: __freeOperation }, "
            "right: true }, then: [{ addVar: { scope: global, var: gold, delta: -3 } }] } }",
            "if __freeOperation != true then gold -= 3",
        ),
        ("{ forEach: { bind: $p, over: { query: players }, effects: [stop] } }",
         "for $p in seats do stop"),
        ("{ let: { bind: $x, value: 3 } }", "let $x = 3"),
        ("{ rollRandom: { bind: $die, min: 1, max: 6 } }", "roll $die in 1..6"),
    ],
)  # fmt: skip
def test_effect(long: str, short: str) -> None:
    assert effects(f"[{long}]") == effects("['" + short + "']")


@pytest.mark.parametrize(
    ("long", "short"),
    [
        (
            "{ chooseOne: { bind: $x, chooser: p, options: { query: enums, values: [a, b] } } }",
            "{ chooseOne: { bind: $x, by: p, options: [a, b] } }",
        ),
        (
            "{ chooseN: { bind: $x, options: { query: mapSpaces }, n: 2 } }",
            "{ chooseN: { bind: $x, options: spaces, min: 2, max: 2 } }",
        ),
        (
            "{ forEach: { bind: $x, over: spaces, effects: [stop], limit: 6, countBind: $n, "
            "in: [gold += $n] } }",
            "{ forEach: { bind: $x, over: spaces, do: [stop], limit: '6', countBind: $n, "
            "in: [{ addVar: { var: gold, delta: $n } }] } }",
        ),
        (
            "{ chooseN: { bind: $x, options: spaces, max: 1, each: { effects: [stop] } } }",
            "{ chooseN: { bind: $x, options: spaces, max: 1, each: [stop] } }",
        ),
        (
            "{ with: { set: { a: true }, effects: [stop] } }",
            "{ with: { set: [a = true], do: [stop] } }",
        ),
    ],
)
def test_block(long: str, short: str) -> None:
    assert effects(f"[{long}]") == effects(f"[{short}]")


def test_let_in_at_the_end_is_spliced_and_elsewhere_keeps_its_scope() -> None:
    let = "{ let: { bind: $x, value: 3, in: [gold = $x] } }"
    assert effects(f"[{let}]") == effects("[let $x = 3, gold = $x]")
    assert effects(f"[{let}, stop]") == effects("[{ do: [let $x = 3, gold = $x] }, stop]")
    roll = "{ rollRandom: { bind: $d, min: 1, max: 6, in: [gold = $d] } }"
    assert effects(f"[{roll}]") == effects("[roll $d in 1..6, gold = $d]")
    assert effects(f"[{roll}, stop]") == effects("[{ do: [roll $d in 1..6, gold = $d] }, stop]")
