"""What can go wrong while a game is played: codes and texts, the same for both engines.

A fault is a mistake of the rulebook and is always raised. A refusal says that a path cannot be
taken: it prunes a search, and a player who insists gets it as an `IllegalMove`. The codes are
stable; `ludwright explain CODE` tells what each of them means.

Machine code knows a number only when it runs: it passes a placeholder, which `str.format` fills.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from ludwright.program.limits import OPTION_LIMIT
from ludwright.program.types import INT_MAX

FIRST_NUMBER, SECOND_NUMBER = "{a}", "{b}"  # placeholders


class Trouble(NamedTuple):
    code: str
    reason: str


# --------------------------------------------------------------------- faults: ranges


def index_outside(at: object, last: int) -> Trouble:
    return Trouble("range", f"index {at} is outside 0..{last}")


def item_outside(at: object, length: object) -> Trouble:
    return Trouble("range", f"item {at} of a list of {length}")


def number_outside(number: object, lo: int, hi: int) -> Trouble:
    return Trouble("range", _outside(number, lo, hi))


def not_of_kind(kind: str) -> Trouble:
    return Trouble("range", f"this piece is no `{kind}`")


def not_of_group(group: str) -> Trouble:
    words = "space" if group == "space" else f"space of `{group}`"
    return Trouble("range", f"this place is no {words}")


def bad_cost(cost: object) -> Trouble:
    return Trouble("range", f"a step costs {cost}; costs and their sum are 0..{INT_MAX}")


def _outside(number: object, lo: int, hi: int) -> str:
    return f"{number} is outside {lo}..{hi}"


def not_in_set(value: object, lo: int, hi: int) -> Trouble:
    return Trouble("range", f"{value} is outside the set's {lo}..{hi}")


def list_too_long(length: object, cap: int) -> Trouble:
    return Trouble("range", f"a list of {length} where {cap} fit")


def too_many_values(cap: int) -> Trouble:
    return Trouble("range", f"more than {cap} different values")


def too_many_groups(cap: int) -> Trouble:
    return Trouble("range", f"more than {cap} groups")


# --------------------------------------------------------------------- faults: others

DIVISION = Trouble("division", "division by zero")
OVERFLOW = Trouble("overflow", "a number left the 64-bit range")
SUM_OVERFLOW = Trouble("overflow", "a sum left the 64-bit range")
NOBODY = Trouble("none", "nobody is there to decide")
NOTHING_TO_CHANGE = Trouble("none", "there is nothing here to change")
NO_PIECE_TO_MOVE = Trouble("none", "there is no piece to move")
NO_PIECE_TO_REVEAL = Trouble("none", "there is no piece to reveal")
REQUIRED = Trouble("required", "a condition that must hold does not")
TICKS = Trouble("ticks", "this goes on and on without a decision")
TOO_MANY = Trouble("option-limit", f"there are more than {OPTION_LIMIT:,} things to choose from")
STATE = Trouble("state", "this state does not stand at a decision")
LOG_FULL = Trouble("log-full", "more has happened in this game than events can be numbered")
# A refusal where nothing can be taken back any more.
TOO_LATE = Trouble("late-refusal", "a rule refuses what can no longer be taken back")

# What a rulebook left open: the faults of `FaultHere`, by code.
LEFT_OPEN = {
    code: Trouble(code, reason)
    for code, reason in {
        "no-moves": "the seat to move has no move; say what happens then under `noMoves:`",
        "flow-ended": "the flow ran out; end it with `end game`, or give the game a `score:`",
        "nothing-to-choose": "nothing can be chosen, and `ifNone: fault` says that this cannot be",
        "no-result": "a procedure that returns a value ended without `return`",
        "absent": "this seat does not play: the game has fewer players",
        "scores": "there is not one score for each seat that plays",
    }.items()
}
ABSENT = LEFT_OPEN["absent"]
NOTHING_TO_CHOOSE = LEFT_OPEN["nothing-to-choose"]


def nothing_to_draw(name: str) -> Trouble:
    return Trouble("empty", f"nothing to draw for `{name}`")


def history_full(history: str, keep: int) -> Trouble:
    return Trouble("history-full", f"`{history}` keeps {keep} positions, and all are taken")


def history_uncounted(history: str) -> Trouble:
    return Trouble("history-full", f"`{history}` has recorded more positions than can be counted")


# -------------------------------------------------------------------------- refusals

REFUSED = Trouble("refused", "")  # by a condition; its rule says all there is to say
NOT_ALLOWED = "the rules do not allow this here"  # what a player is told of it
NOT_BEST = Trouble("not-best", "a better way must be taken")
TOO_MANY_PICKS = Trouble("too-many", "no more can be chosen")
NO_OPTION_POSSIBLE = Trouble("no-option", "nothing that is offered can be done")


def no_option(name: str, several: bool) -> Trouble:
    """Why a choice that must be made cannot be made."""
    return Trouble(
        "no-option", f"there is {'not enough' if several else 'nothing'} to choose for `{name}`"
    )


def refused_number(number: object, lo: int, hi: int) -> Trouble:
    return Trouble("out-of-range", _outside(number, lo, hi))


def no_extremum(op: str) -> Trouble:
    return Trouble("refused", f"there is no {op} of nothing")


# ---------------------------------------------------------------------- explanations


class Explanation(NamedTuple):
    kind: Literal["fault", "refusal"]
    summary: str
    help: str


EXPLANATIONS: dict[str, Explanation] = {
    "range": Explanation(
        "fault",
        "A number, an index or a list is outside what its declaration allows.",
        "Widen the range of the variable, test the number first, or say `clamp` or `refuse` "
        "where the variable is declared.",
    ),
    "division": Explanation(
        "fault", "Something is divided by zero.", "Test that the divisor is not 0 first."
    ),
    "overflow": Explanation("fault", "A number does not fit into 64 bits.", "Use smaller numbers."),
    "none": Explanation(
        "fault",
        "Something is done to none: no piece is moved, nobody decides.",
        "Test it first: `if x != none then …`.",
    ),
    "required": Explanation(
        "fault",
        "A condition that always has to hold does not: a `repeat` went past its `max`, a draw "
        "found too few pieces, a piece does not belong in its zone.",
        "Test it before, or say what happens then: `draw up to n` takes what there is.",
    ),
    "empty": Explanation(
        "fault", "A roll or a draw has no outcomes.", "Test first whether there are any: `any(…)`."
    ),
    "ticks": Explanation(
        "fault",
        "The rules work for very long without asking anyone anything.",
        "Give the loop a bound, or go through fewer things.",
    ),
    "option-limit": Explanation(
        "fault",
        f"A choice has more than {OPTION_LIMIT:,} options, or a roll so many outcomes, that are no "
        "range of numbers.",
        "Choose in two steps, from fewer things each, or from a range: `1..1000000`.",
    ),
    "state": Explanation(
        "fault",
        "The state does not wait at a decision of this game.",
        "Only use states that this game has made.",
    ),
    "log-full": Explanation(
        "fault", "More than two thousand million events have happened.", "End the game earlier."
    ),
    "history-full": Explanation(
        "fault",
        "A history holds as many positions as it keeps.",
        "Keep more of them (`keep:`), or only the last ones (`last: true`).",
    ),
    "late-refusal": Explanation(
        "fault",
        "A rule refuses a move after dice have fallen or something was shown, when nothing can "
        "be taken back any more.",
        "Test it before the roll, or say with `if` and `else` what happens.",
    ),
    "no-moves": Explanation(
        "fault", "The seat to move has no move.", "Say what happens then under `noMoves:`."
    ),
    "absent": Explanation(
        "fault",
        "A seat has no player in this game, and is to decide, wins, loses, or seats are counted "
        "from it.",
        "Go through `seats`, which are those that play, or test `green in seats` first.",
    ),
    "scores": Explanation(
        "fault",
        "A list of scores is longer or shorter than the number of players.",
        "Give each seat that plays its score: `score: p.points for p in seats`.",
    ),
    "flow-ended": Explanation(
        "fault",
        "The flow came to its last line, and nothing says how the game ends.",
        "End it with `end game`, or give the game a `score:`.",
    ),
    "nothing-to-choose": Explanation(
        "fault",
        "Nothing can be chosen where the rulebook says `ifNone: fault`.",
        "Say with `ifNone:` what happens then: `skip`, or statements.",
    ),
    "no-result": Explanation(
        "fault",
        "A procedure that returns a value ended without `return`.",
        "End every branch of it with `return …`.",
    ),
    "no-option": Explanation(
        "refusal",
        "A choice that must be made has no option that can be finished.",
        "Make it `optional: true`, or ask first whether there is anything: `if: any(…)`.",
    ),
    "refused": Explanation(
        "refusal", "A rule does not allow this here.", "The message names the rule and its line."
    ),
    "out-of-range": Explanation(
        "refusal",
        "A variable that refuses would leave its range.",
        "The move costs more than there is; choose another one.",
    ),
    "too-many": Explanation("refusal", "No more can be chosen.", "Stop picking."),
    "not-best": Explanation(
        "refusal", "A better way must be taken.", "The rule says `best`: only the best ways count."
    ),
}
