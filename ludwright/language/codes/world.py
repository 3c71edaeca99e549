"""Codes of declarations: seats, spaces, pieces, tables."""

from __future__ import annotations

from ludwright.language.codes.info import CodeInfo

WORLD: dict[str, CodeInfo] = {
    # --- declarations --------------------------------------------------------------------------
    "ambiguous-name": CodeInfo(
        "error",
        "a name is a value of several enums or tables",
        "Say which is meant: `Suit.red` instead of `red`.",
    ),
    "bad-count": CodeInfo(
        "error",
        "a number of pieces is impossible",
        "Give `count:` a number of at least 1, or a column of such numbers.",
    ),
    "bad-notation": CodeInfo(
        "error",
        "a piece's `notation` cannot be used",
        'Use only properties that never change, each in braces: `"{rank}{suit}"`.',
    ),
    "bad-pieces": CodeInfo(
        "error",
        "a kind of piece is described in two ways",
        "Combine properties, or name a table of rows, but not both.",
    ),
    "bad-players": CodeInfo(
        "error",
        "the numbers of players are impossible",
        "Write `players: 2`, or a range such as `players: 2..4`.",
    ),
    "bad-property-type": CodeInfo(
        "error",
        "a piece's property has a type that pieces cannot have",
        "Properties are single values: a range, `bool`, an enum, `Seat`, `Space` and the like.",
    ),
    "bad-size": CodeInfo(
        "error",
        "the size of a board or track is impossible",
        "Write `grid: [columns, rows]`, `hex: [columns, rows]` or `track: length`.",
    ),
    "bad-type": CodeInfo(
        "error",
        "a type is not written as it should be",
        "Examples: `0..10`, `bool`, `[red, blue]`, `Seat?`, `list[Seat, 10]`, `set[Space]`.",
    ),
    "division-by-zero": CodeInfo(
        "error",
        "a constant is divided by zero",
        "Divide by at least 1; check the values of the parameters used.",
    ),
    "empty-declaration": CodeInfo(
        "error",
        "something is declared that has no members",
        "Give it at least one member, or leave it out.",
    ),
    "mixed-values": CodeInfo(
        "error",
        "an attribute or column holds different kinds of values",
        "Give all of them numbers, or all of them names; `none` may stand among either.",
    ),
    "name-clash": CodeInfo(
        "error",
        "one name stands for two things",
        "Rename one of the two. Values of different enums may share names.",
    ),
    "nested-list": CodeInfo(
        "error",
        "a constant list holds lists",
        "Write one row of a table for each inner list.",
    ),
    "not-a-number": CodeInfo(
        "error",
        "a number is needed",
        "Write a whole number, a parameter, or arithmetic on them.",
    ),
    "not-constant": CodeInfo(
        "error",
        "a declaration needs a value that is known before play",
        "Use numbers, names, parameters, lists and arithmetic on them.",
    ),
    "number-out-of-range": CodeInfo(
        "error",
        "a number lies outside its range",
        "Change the number or the range; all numbers must fit 32 bits.",
    ),
    "parameter-out-of-range": CodeInfo(
        "error",
        "a parameter's value lies outside its `min` and `max`",
        "Choose a value within them.",
    ),
    "parameter-type": CodeInfo(
        "error",
        "a parameter was given the wrong kind of value",
        "A parameter whose default is a number takes numbers; else true or false.",
    ),
    "self-adjacent": CodeInfo(
        "warning",
        "a space is listed as its own neighbour",
        "Leave it out of its own list.",
    ),
    "too-few-seats": CodeInfo(
        "error",
        "there are fewer seats than players",
        "Name as many seats as the most players, or lower `players:`.",
    ),
    "too-large": CodeInfo(
        "error",
        "a declaration is larger than the engine allows",
        "Limits: 20,000 places, 20,000 pieces, 1,000,000 table cells, lists of 4,096.",
    ),
    "type-mismatch": CodeInfo(
        "error",
        "a value is of another type than is needed here",
        "Compare and combine values of the same type; only true or false is a condition.",
    ),
    "unknown-attribute": CodeInfo(
        "error",
        "a space has no such attribute",
        "Declare the attribute in the group of spaces, before the one that reads it.",
    ),
    "unknown-kind": CodeInfo(
        "error",
        "there is no such kind of piece",
        "Declare it under `pieces:`, or correct the spelling.",
    ),
    "unknown-name": CodeInfo(
        "error",
        "a name is not known here",
        "Declare it, or correct the spelling.",
    ),
    "unknown-parameter": CodeInfo(
        "error",
        "a value was given for a parameter the game does not have",
        "Choose one of the names under `parameters:`.",
    ),
    "unknown-seat": CodeInfo(
        "error",
        "there is no such seat",
        "Write `seat` for every seat, or one of the names under `seats:`.",
    ),
    "unknown-space": CodeInfo(
        "error",
        "there is no such space",
        "Declare it under `spaces:`, or correct the spelling.",
    ),
    "unknown-table": CodeInfo(
        "error",
        "there is no such table",
        "Declare it under `tables:`, or correct the spelling.",
    ),
    "unknown-type": CodeInfo(
        "error",
        "there is no such type",
        "Types are ranges, `bool`, `Seat`, `Space`, `Piece`, …, and the names of "
        "enums, tables, kinds of piece and groups of spaces.",
    ),
}
