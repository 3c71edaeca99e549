"""How states, answers and GameDefs are spoilt."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence
from typing import Any

from ludwright.kernel.protocol.move import Move

EDGES = (
    -(2**31), -(2**31) + 1, -2, -1, 0, 1, 2, 3, 7, 31, 63, 64, 255, 1_000, 65_536, 2**31 - 2,
    2**31 - 1,
)  # fmt: skip
LOWEST, HIGHEST = EDGES[0], EDGES[-1]


def damaged_state(data: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    """A few cells hold something else; now and then the whole block has another size."""
    block = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
        cells = len(block) // 4
        if not cells:
            break
        at = 4 * dice.randrange(cells)
        kind = dice.randrange(40)
        if kind < 30:
            (old,) = struct.unpack_from("<i", block, at)
            near = old + dice.choice((-2, -1, 1, 1, 5))
            value = dice.choice((dice.choice(EDGES), near, dice.randrange(99)))
            struct.pack_into("<i", block, at, max(LOWEST, min(HIGHEST, value)))
        elif kind < 34:  # two cells change places
            to = 4 * dice.randrange(cells)
            block[at : at + 4], block[to : to + 4] = block[to : to + 4], block[at : at + 4]
        elif kind < 39:  # a stretch of another state of the same game
            other = dice.choice(others)
            end = at + 4 * dice.randint(1, 12)
            block[at:end] = other[at:end]
        else:
            del block[len(block) - dice.randint(1, 8) :]
    return bytes(block)


WILD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2**31, -(2**63), 2**64, 10**30, 1.0, 0.5, float("nan"),
    float("inf"), "", " ", "none", "__stop", "action", "\x00", "é", "x" * 300, b"a1", (), [], [[]],
    ["a1", "a1"], ("a1",), {}, {"a1": 1}, {"a1"}, object(), int, "$x", "#0", "a1.a2", Ellipsis,
)  # fmt: skip


class Number(int):
    """Looks like a number, and is not one of ours."""


class Word(str):
    """Looks like a word, and is not one of ours."""

    __slots__ = ()


def wild_answer(options: Sequence[Any], seen: Sequence[Any], dice: random.Random) -> Any:
    """Something to answer with: nonsense, near misses, answers to other questions."""
    kind = dice.randrange(9)
    known = dice.choice(options) if options else None
    if kind < 3:
        return dice.choice(WILD)
    if kind == 3:
        return dice.choice(seen) if seen else None
    if kind == 4:
        return [dice.choice([known, *seen[:5], *WILD[:8]]) for _ in range(dice.randrange(5))]
    if kind == 5 and isinstance(known, str):
        return dice.choice((known + " ", known.upper(), known[:-1], known[::-1], Word(known)))
    if kind == 5 and isinstance(known, int):
        return dice.choice((known + 1, -known, float(known), str(known), Number(known)))
    if kind == 6:
        return [known] * dice.choice((1, 2, 30))
    if kind == 7:
        return (known, dice.choice(WILD))
    return list(options)[: dice.randrange(6)] if options else []


def wild_move(moves: Sequence[Move], options: Sequence[Any], dice: random.Random) -> Any:
    """A move of which something is wrong: its action, an answer, one too few or too many."""
    kind = dice.randrange(8)
    if kind == 0 or not moves:
        name = dice.choice(("", "x", "chance", "pass", "\x00", "a" * 300))
        return Move(name, {"$x": dice.choice(WILD)})
    move = dice.choice(moves)
    params = dict(move.params)
    name = dice.choice([*params, "$x", "action"])
    if kind == 1:
        return dice.choice((*WILD, move.action_id, (move.action_id, params)))
    if kind == 2:
        params.pop(name, None)
    elif kind == 3:
        params[dice.choice(("$x", "", "action", f"{name}#0", f"{name}[0]", "\x00"))] = 1
    elif kind == 4 and len(moves) > 1:  # answers of another move
        params.update(dice.choice(moves).params)
    else:
        params[name] = wild_answer(options, list(params.values()), dice)
    return Move(move.action_id, params)


def damaged_json(data: Any, dice: random.Random) -> Any:
    """A copy of JSON data in which one or two things are gone, changed or doubled."""
    for _ in range(dice.choice((1, 1, 2))):
        data = _damaged_once(data, dice)
    return data


JSON_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2**31, 10**40, 1.5, "", "x", "none", [], {}, [[]], {"kind": "int"},
)  # fmt: skip


def _damaged_once(data: Any, dice: random.Random) -> Any:
    if isinstance(data, dict) and data and dice.random() < 0.93:
        key = dice.choice(list(data))
        kind = dice.randrange(12)
        if kind == 0:
            return {name: value for name, value in data.items() if name != key}
        if kind == 1:
            return {**data, "surplus": dice.choice(JSON_VALUES)}
        if kind == 2:
            return {**data, key: data[dice.choice(list(data))]}
        return {**data, key: _damaged_once(data[key], dice)}
    if isinstance(data, list) and data and dice.random() < 0.93:
        at = dice.randrange(len(data))
        kind = dice.randrange(12)
        if kind == 0:
            return data[:at] + data[at + 1 :]
        if kind == 1:
            return [*data, data[at]]
        if kind == 2:
            return data[::-1]
        return [*data[:at], _damaged_once(data[at], dice), *data[at + 1 :]]
    if isinstance(data, int) and not isinstance(data, bool) and dice.random() < 0.6:
        return data + dice.choice((-1, 1, 100, 2**31))
    return dice.choice(JSON_VALUES)
