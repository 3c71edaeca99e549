"""Other words for the same: aliases of fields, the long form of statements, fields without effect.

A respelled rulebook is the same game: it compiles to the same Program. Only the action `nodes` is
new; it is written in the short form first, so that both forms of it can be compared.
"""

from __future__ import annotations

import random
from typing import Any

from tests.native.rulebooks.setting import Block, Setting

# A statement in the short form, and the same as nodes.
Pair = tuple[str | Block, Block]

# What a key may be called instead, by the block it stands in.
_BLOCKS = {"fns": "functions", "operations": "operationProfiles", "specials": "specialActivities"}
_FIELDS = {
    "operations": {"resolution": "stages", "partialExecution": "partial",
                   "linkedSpecialActivityWindows": "windows", "effects": "do", "actionId": "action"},
    "markers": {"default": "defaultState", "global": "isGlobal"},
    "triggers": {"if": "match", "effects": "do"},
    "actions": {"phase": "phases"},
    "vars": {"default": "init"},
}  # fmt: skip


def _ref(kind: str, **fields: Any) -> Block:
    return {"ref": kind, **fields}


def _var(name: str) -> Block:
    return _ref("gvar", var=name)


def _noise(delta: Any) -> Block:
    return {"addVar": {"scope": "global", "var": "noise", "delta": delta}}


def _counted(query: Block) -> Block:
    return _noise({"aggregate": "count", "query": query})


def _values() -> list[Pair]:
    """Calculations."""
    doubled: Block = {"op": "*", "left": {"op": "+", "left": _var("noise"), "right": 1}, "right": 2}
    half: Block = {"op": "floorDiv", "left": _var("noise"), "right": 2}
    least: Block = {"op": "min", "left": _var("round"), "right": 3}
    chosen: Block = {
        "when": {"op": "==", "left": _ref("activePlayer"), "right": "red"},
        "then": 5,
        "else": {"op": "max", "left": least, "right": 1},
    }
    both: list[Block] = [
        {"op": "<", "left": _var("noise"), "right": 40},
        {"op": "or", "args": [{"op": "!=", "left": _ref("activeSeat"), "right": "blue"},
                              {"op": "not", "arg": {"op": "in", "item": _var("round"), "set": [1, 2]}}]},
    ]  # fmt: skip
    return [
        ("if __freeOperation then noise += 1", {"if": {"when": "__freeOperation", "then": [_noise(1)]}}),
        ("noise = (noise + 1) * 2 - noise // 2",
         {"setVar": {"scope": "global", "var": "noise", "value": {"op": "-", "left": doubled, "right": half}}}),
        ("noise += 5 if active == red else max(min(round, 3), 1)", _noise({"if": chosen})),
        ("if noise < 40 and (active != blue or not round in [1, 2]) then noise += 1",
         {"if": {"when": {"op": "and", "args": both}, "then": [_noise(1)]}}),
        ("actor.points += 1", {"addVar": {"scope": "pvar", "player": "actor", "var": "points", "delta": 1}}),
        ("noise += actor.points % 5",
         _noise({"op": "%", "left": _ref("pvar", player="actor", var="points"), "right": 5})),
        ("for $seat in seats do $seat.points += 1",
         {"addVar": {"scope": "pvar", "player": "all", "var": "points", "delta": 1}}),
        ("for $seat in [$other for $other in seats if $other != actor] do $seat.points += 1",
         {"addVar": {"scope": "pvar", "player": "allOther", "var": "points", "delta": 1}}),
        ("rotate(actor, 1).points += 1",
         {"addVar": {"scope": "pvar", "player": {"relative": "left"}, "var": "points", "delta": 1}}),
    ]  # fmt: skip


def _queries(made: Setting) -> list[Pair]:
    """Collections; places are asked by one of the cells."""
    cell = made.cells[0]
    joined = [{"query": "adjacentZones", "zone": cell}, {"query": "mapSpaces"}]
    own = [{"prop": "owner", "op": "eq", "value": "red"}]
    indexed: Block = {"op": "sum", "query": {"query": "mapSpaces", "filter": "$zone.count > 0"},
                      "bind": "$s", "valueExpr": _ref("zoneProp", zone="$s", prop="index")}  # fmt: skip
    return [
        ("noise += count(box)", _noise(_ref("zoneCount", zone="box:none"))),
        ("noise += count($token for $token in box if $token.owner == red)",
         _counted({"query": "tokensInZone", "zone": "box", "filter": own})),
        ("noise += count($token for $zone in spaces for $token in $zone)",
         _counted({"query": "tokensInMapSpaces"})),
        (f"noise += count($token for $zone in {cell}.adjacent for $token in $zone)",
         _counted({"query": "tokensInAdjacentZones", "zone": cell})),
        ("noise += sum($s.index for $s in [$zone for $zone in spaces if $zone.count > 0])",
         _noise({"aggregate": indexed})),
        ("noise += count(seats)", _counted({"query": "players"})),
        (f"noise += count({cell}.adjacent)", _counted({"query": "adjacentZones", "zone": cell})),
        ("noise += count(zones)", _counted({"query": "zones"})),
        (f"noise += count(reach([{cell}]) - [{cell}])",
         _counted({"query": "connectedZones", "zone": cell})),
        (f"noise += count({cell}.adjacent + spaces)", _counted({"query": "concat", "sources": joined})),
        ("noise += count(1..4)", _counted({"query": "intsInRange", "min": 1, "max": 4})),
        ("noise += count([red, blue])", _counted({"query": "enums", "values": ["red", "blue"]})),
        ({"do": ["let $some = [3, 4]", "noise += count($some)"]},
         {"let": {"bind": "$some", "value": "[3, 4]",
                  "in": [_counted({"query": "binding", "name": "$some"})]}}),
    ]  # fmt: skip


def _effects(made: Setting) -> list[Pair]:
    """Pieces and markers."""
    cell, last = made.cells[0], made.cells[-1]
    found: list[Pair] = []
    if made.has("Space.heat"):
        heat = {
            "setVar": {
                "scope": "zone",
                "zone": "s",
                "var": "heat",
                "value": _ref("zoneCount", zone="s"),
            }
        }
        found.append(
            (
                "for s in spaces do s.heat = count(s)",
                {"forEach": {"bind": "s", "over": {"query": "mapSpaces"}, "effects": [heat]}},
            )
        )
        found.append((f"noise += {cell}.heat", _noise(_ref("zoneVar", zone=cell, var="heat"))))
    if not made.gentle:
        found += _moves(cell)
    if made.markers and not made.checked:
        found += [
            (
                f"{last}.support = high",
                {"setMarker": {"space": last, "marker": "support", "state": "high"}},
            ),
            (
                f"shift {cell}.support by 1",
                {"shiftMarker": {"space": cell, "marker": "support", "delta": 1}},
            ),
            ("tension = hot", {"setGlobalMarker": {"marker": "tension", "state": "hot"}}),
            ("shift tension by -1", {"shiftGlobalMarker": {"marker": "tension", "delta": -1}}),
            (
                f"if {cell}.support == high then noise += 1",
                {
                    "if": {
                        "when": {
                            "op": "==",
                            "left": _ref("markerState", space=cell, marker="support"),
                            "right": "high",
                        },
                        "then": [_noise(1)],
                    }
                },
            ),
            (
                "if tension == hot then noise += 1",
                {
                    "if": {
                        "when": {
                            "op": "==",
                            "left": _ref("globalMarkerState", marker="tension"),
                            "right": "hot",
                        },
                        "then": [_noise(1)],
                    }
                },
            ),
        ]
    return found  # fmt: skip


def _moves(cell: str) -> list[Pair]:
    """A piece is placed where nothing lies, or what lies there is changed, moved or taken away."""
    place = {"createToken": {"type": "stone", "zone": cell, "props": {"owner": "actor"}}}
    short = [
        "$t.tired = true",
        f"move $t from {cell} to box",
        "if $t.place == box and $t.tired then noise += 1",
    ]
    there: list[Block] = [
        {"op": "==", "left": _ref("tokenZone", token="$t"), "right": "box"},
        _ref("tokenProp", token="$t", prop="tired"),
    ]
    nodes: list[Block] = [
        {"setTokenProp": {"token": "$t", "prop": "tired", "value": True}},
        {"moveToken": {"token": "$t", "from": cell, "to": "box"}},
        {"if": {"when": {"op": "and", "args": there}, "then": [_noise(1)]}},
    ]
    whole = {"let": {"bind": "$t", "value": f"{cell}.piece", "in": nodes}}
    tired = [{"prop": "tired", "op": "eq", "value": True}]
    return [
        ({"if": {"when": f"{cell}.piece == none", "then": [f"place stone of actor at {cell}"]}},
         {"if": {"when": f"{cell}.piece == none", "then": [place]}}),
        ({"if": {"when": f"{cell}.piece != none", "then": [f"let $t = {cell}.piece", *short]}},
         {"if": {"when": f"{cell}.piece != none", "then": [whole]}}),
        ({"if": {"when": f"{cell}.piece != none", "then": [f"remove {cell}.piece"]}},
         {"if": {"when": f"{cell}.piece != none", "then": [{"destroyToken": {"token": f"{cell}.piece"}}]}}),
        (f"move all of [$token for $token in {cell} if $token.tired == true] to box",
         {"moveAll": {"from": cell, "to": "box", "filter": tired}}),
    ]  # fmt: skip


def _turning(phases: list[str]) -> list[Pair]:
    found: list[Pair] = []
    if not phases:
        found.append(
            ("active = rotate(actor, 1)", {"setActivePlayer": {"player": {"relative": "left"}}})
        )
    if phases:
        found.append(("next phase", {"advancePhase": {}}))
    if "night" in phases:
        found += [
            ("goto night", {"gotoPhaseExact": {"phase": "night"}}),
            ("push phase alarm", {"pushPhase": {"phase": "alarm"}}),
        ]
    return found  # fmt: skip


class Spelling:
    """Blocks in the usual words, and in others."""

    def __init__(self, dice: random.Random, made: Setting) -> None:
        self.dice = dice
        self.setting = made

    def both(self, blocks: Block, phases: list[str]) -> tuple[Block, Block]:
        """The blocks with an action `nodes`, in the short form and in the long one."""
        blocks = self._more(blocks)
        short, nodes = self._action(phases)
        actions = blocks["actions"]
        plain = {**blocks, "actions": [*actions, short]}
        return plain, self._respelled({**blocks, "actions": [*actions, nodes]})

    def _more(self, blocks: Block) -> Block:
        """An operation that belongs to an action, and a choice that bots need not think about."""
        named = [name for action in blocks["actions"] for name in action.get("params", ())]
        always = not {"flow", "phases", "turn"} & blocks.keys()
        if named and always and self.dice.random() < 0.5:
            blocks = {**blocks, "bot": {**blocks["bot"], "skip": named[:1]}}
        if self.setting.gentle or self.dice.random() < 0.6:
            return blocks
        drill: Block = {"id": "drilling", "actionId": "drill", "effects": ["noise += 3"]}
        return {
            **blocks,
            "actions": [*blocks["actions"], {"id": "drill"}],
            "operations": [*blocks.get("operations", []), drill],
        }

    def _action(self, phases: list[str]) -> tuple[Block, Block]:
        ways = [*_values(), *_queries(self.setting), *_effects(self.setting)]
        chosen = self.dice.sample(ways, min(5, len(ways)))
        if (turning := _turning(phases)) and self.dice.random() < 0.3:
            chosen.append(self.dice.choice(turning))
        short, nodes = (
            ["noise += 2", *(pair[0] for pair in chosen)],
            [_noise(2), *(pair[1] for pair in chosen)],
        )
        head: Block = {"id": "nodes"}
        if self.dice.random() < 0.3:
            head |= {"declassify": True, "pre": "noise < 250"}
        return {**head, "effects": short}, {**head, "effects": nodes}

    def _respelled(self, blocks: Block) -> Block:
        """The same rules: some fields by their other name, some that say what holds anyway."""
        if "specials" in blocks and self.dice.random() < 0.5:
            blocks = _accompanied(blocks)
        found = {key: self._renamed(key, block) for key, block in blocks.items()}
        found["language"] = 1
        found["game"] = {**found["game"], "summary": "Whatever chance has written."}
        found["parameters"]["bonus"] = {**found["parameters"]["bonus"], "doc": "a number"}
        stone = found["pieces"]["stone"]
        found["pieces"] = {**found["pieces"], "stone": _with_props(stone)}
        land = found["spaces"].get("land")
        if land is not None:
            found["spaces"] = {**found["spaces"], "land": {**land, "oneWay": False}}
        board = found["spaces"]["board"]
        found["spaces"] = {**found["spaces"], "board": {**board, "names": "chess"}}
        return {_BLOCKS.get(key, key): block for key, block in found.items()}

    def _renamed(self, key: str, block: Any) -> Any:
        names = _FIELDS.get(key, {})
        if isinstance(block, list):
            return [self._fields(item, names) for item in block]
        if key in ("markers", "vars") and isinstance(block, dict):
            return {name: self._fields(item, names) for name, item in block.items()}
        return block

    def _fields(self, item: Any, names: Block) -> Any:
        if not isinstance(item, dict):
            return item
        return {names.get(name, name): value for name, value in item.items()}


def _accompanied(blocks: Block) -> Block:
    """The special activity names its operation, in the place of the other way around."""
    first, *others = blocks["operations"]
    operation = {key: v for key, v in first.items() if key != "linkedSpecialActivityWindows"}
    special = {**blocks["specials"][0], "accompanies": [operation["id"]]}
    return {**blocks, "operations": [operation, *others], "specials": [special]}


def _with_props(stone: Block) -> Block:
    """Properties under `props`, and that pieces are alike, unless they are not."""
    own = {name: value for name, value in stone.items() if name in ("tired", "level")}
    rest = {name: value for name, value in stone.items() if name not in own}
    return {**rest, "props": own} if "individual" in rest else {**rest, "props": own, "alike": True}
