"""Codes of names, types and effects: what the compiler proper finds."""

from __future__ import annotations

from ludwright.language.codes.info import CodeInfo

COMPILING: dict[str, CodeInfo] = {
    "by-class": CodeInfo(
        "error",
        "`by: class` stands where pieces cannot be chosen by their number",
        "It is for a `chooseN` over pieces, without `each`, `together`, `repeats` and `sequence`.",
    ),
    "any-owner": CodeInfo(
        "warning",
        "pieces are moved or removed without saying whose",
        "Where pieces of several seats lie, the first ones are taken, whoever owns them. Write "
        "`of SEAT`, or let somebody choose them with `chooseN`.",
    ),
    "may-be-empty": CodeInfo(
        "warning",
        "a choice in a flow may have nothing to choose from",
        "Say with `ifNone` what happens then; nothing can refuse it any more.",
    ),
    "nothing-to-place": CodeInfo(
        "warning",
        "`place` is written for pieces that all begin in a zone",
        "`place` takes pieces that lie nowhere. Move them from the zone instead, or leave out "
        "`init: all`.",
    ),
    "no-end": CodeInfo(
        "warning",
        "nothing can end the game",
        "A game ends by an entry of `end` or `noMoves`, by `end game`, or with its flow.",
    ),
    "look-name": CodeInfo(
        "warning",
        "`look` speaks of something that is not declared",
        "Nothing is drawn differently for it; correct the name, or remove the line.",
    ),
    "needs-index": CodeInfo(
        "error",
        "something that is kept several times is named without saying which of them",
        "Say which of the values is meant: `actor.gems[ruby]`, `$bid[p]`.",
    ),
    # --- Names ---------------------------------------------------------------------------------
    "arity": CodeInfo(
        "error",
        "a function or procedure is given too many or too few arguments",
        "The message says how it is declared or used; give exactly those arguments.",
    ),
    "attribute-of-collection": CodeInfo(
        "error",
        "`.name` is asked of a whole collection",
        "One thing has attributes. Go through the collection: `x.name for x in …`.",
    ),
    "calls-too-deep": CodeInfo(
        "error",
        "too many functions or procedures call each other in a chain",
        "At most 64. Join some of them into one.",
    ),
    "function-as-effect": CodeInfo(
        "error",
        "a function stands where an effect is needed",
        "Functions only compute. Use its value in an expression, or declare a procedure under "
        "`procs:`.",
    ),
    "name-out-of-scope": CodeInfo(
        "error",
        "a name is used where it is not visible",
        "Inside `each` the pick has the name given by `bind`; the variable of the options ends "
        "with them.",
    ),
    "procedure-as-value": CodeInfo(
        "error",
        "a procedure is used inside an expression",
        "Procedures change the game. Call it as an effect: `let x = name(…)`, and use `x`.",
    ),
    "interrupt-phase": CodeInfo(
        "error",
        "an interrupt phase is used as an ordinary one, or the other way round",
        "`push phase` puts a phase with `interrupt: true` on top of the current one; `goto`, "
        "`next` and `next phase` lead to the others.",
    ),
    "recursion": CodeInfo(
        "error",
        "something calls itself, directly or over others",
        "Games are bounded. Use `reach(…)`, a bounded `repeat`, or a list of what is still to do.",
    ),
    "rules-too-large": CodeInfo(
        "error",
        "functions that give collections use each other too often",
        "Each use is compiled into its place. Keep the collection with `let`, or in a variable.",
    ),
    "shadowing": CodeInfo(
        "error",
        "a new name is already taken",
        "Choose another name: nothing can be hidden by something of the same name.",
    ),
    "offered-twice": CodeInfo(
        "error",
        "an offer names one action twice",
        "Name each action once. `pass` names an action that is not among `actions`.",
    ),
    "table-as-value": CodeInfo(
        "error",
        "a whole table stands where a value is needed",
        "Pick a row: `table[key]` or `table.row`.",
    ),
    "unknown-action": CodeInfo(
        "error",
        "there is no such action",
        "Check the spelling; actions are declared under `actions:` and `operations:`.",
    ),
    "unknown-argument": CodeInfo(
        "error",
        "a named argument does not exist",
        "Check its spelling; the message says how the function is declared or used.",
    ),
    "unknown-card": CodeInfo(
        "error",
        "an event belongs to no card",
        "The `id` of an event is the name of a row in the table of cards.",
    ),
    "unknown-decision": CodeInfo(
        "error",
        "there is no choice of this name for bots to skip",
        "Name a parameter of an action, or what `chooseOne`, `chooseN` or `menu` calls its answer.",
    ),
    "unknown-function": CodeInfo(
        "error",
        "there is no such function",
        "Check the spelling, or declare it under `fns:`.",
    ),
    "unknown-history": CodeInfo(
        "error",
        "there is no such history",
        "Declare it: `history: { positions: { of: [board], keep: 100 } }`.",
    ),
    "unknown-phase": CodeInfo(
        "error",
        "there is no such phase",
        "Check the spelling; phases are declared under `phases:`.",
    ),
    "unknown-piece": CodeInfo(
        "error",
        "there is no such kind of piece",
        "Check the spelling; kinds of pieces are declared under `pieces:`.",
    ),
    "unknown-procedure": CodeInfo(
        "error",
        "there is no such procedure",
        "Check the spelling, or declare it under `procs:`.",
    ),
    "unknown-side": CodeInfo(
        "error",
        "a card does not have this side",
        "Name a side that the event declares.",
    ),
    "unknown-special": CodeInfo(
        "error",
        "there is no such special activity",
        "Check the spelling, or declare it under `specials:`.",
    ),
    "unknown-trigger-subject": CodeInfo(
        "error",
        "a trigger waits for something that does not exist",
        "Name a variable (`changed`), a place (`entered`, `left`), an action (`resolved`), a "
        "stage or a phase.",
    ),
    "unknown-value": CodeInfo(
        "error",
        "a modifier changes something that is no value",
        "Modifiers change functions declared under `values:`.",
    ),
    "unknown-variable": CodeInfo(
        "error",
        "there is no such variable to assign to",
        "Declare it under `vars:`, or make a new local name with `let`.",
    ),
    "unused": CodeInfo(
        "warning",
        "nothing uses this function or procedure",
        "Remove it, or call it where it was meant to be used.",
    ),
    "zone-needs-seat": CodeInfo(
        "error",
        "it is not said whose zone is meant",
        "Every seat has its own. Write `hand(actor)` or `seat.hand`.",
    ),
    # --- Types ---------------------------------------------------------------------------------
    "list-grows": CodeInfo(
        "error",
        "a local list is made longer from itself, and nothing says how long it can get",
        "Declare it as a variable with its length: `vars: { path: list[0..9, 20] }`.",
    ),
    "list-too-long": CodeInfo(
        "error",
        "a list could have too many elements",
        "At most 4,096. Filter it first, or use it only inside `count`, `any`, `sum` and the like.",
    ),
    "may-be-none": CodeInfo(
        "error",
        "something may be none where it must be there",
        "Test it first: `x != none and …`, `if x != none then …`, `for … if x != none`. Or say "
        "what counts instead: `default(x, 0)`. Where there always is one, `[…][0]` says so.",
    ),
    "none-in-order": CodeInfo(
        "error",
        "`none` is compared with `<` or `>`",
        "Test `== none` first, or use `default(…, 0)`.",
    ),
    "none-not-allowed": CodeInfo(
        "error",
        "`none` is stored where something must be",
        "Declare the type optional with a `?` after it.",
    ),
    "not-a-card": CodeInfo(
        "error",
        "`resolve` is given something that is no card",
        "Cards are rows of a table, or pieces made from one.",
    ),
    "not-a-collection": CodeInfo(
        "error",
        "one value stands where several are needed",
        "Write a list `[…]`, a range `a..b` or a comprehension `x for x in …`.",
    ),
    "not-a-condition": CodeInfo(
        "error",
        "something other than true or false is used as a condition",
        "Compare it (`… > 0`, `… != none`), or ask `any(…)`.",
    ),
    "not-a-marker": CodeInfo(
        "error",
        "something other than a marker is shifted",
        "Use `+=` for numbers; markers are declared under `markers:`.",
    ),
    "not-a-set": CodeInfo(
        "error",
        "values cannot be kept as a set",
        "Sets hold seats, spaces, pieces, enum values and small numbers. Use a list.",
    ),
    "not-assignable": CodeInfo(
        "error",
        "something that cannot change is assigned to",
        "Assign to variables, to changeable properties of pieces, or to names made with `let`.",
    ),
    "number-too-large": CodeInfo(
        "error",
        "a computed number does not fit",
        "Numbers must fit in 64 bits while computing and in the declared range when stored.",
    ),
    "out-of-range": CodeInfo(
        "error",
        "a constant lies outside the range of its variable",
        "Change it, or the type under `vars:`: a range of numbers, a group of spaces, a kind "
        "of piece.",
    ),
    "tuple-index": CodeInfo(
        "error",
        "an item of a tuple does not exist",
        "Items are counted from 0, by a constant. Or unpack it: `let a, b = …`.",
    ),
    "type-not-storable": CodeInfo(
        "error",
        "a list or tuple is declared for every seat or space",
        "Use a set, or several variables.",
    ),
    "overflow-without-range": CodeInfo(
        "error",
        "`clamp` or `refuse` stands behind a type that has no range",
        "Leave the word out; it says what happens when a number leaves its range.",
    ),
    "property-differs": CodeInfo(
        "error",
        "two kinds of pieces have a property of the same name that is not the same",
        "Give it the same range in both, or another name in one of them. A property under "
        "`each` never changes, all others can.",
    ),
    "unpack": CodeInfo(
        "error",
        "the number of names and of items differ",
        "Write as many names as the tuple has items.",
    ),
    "wrong-type": CodeInfo(
        "error",
        "one kind of thing is needed, another is given",
        "The message names both. Often an attribute leads from one to the other: `….piece`, "
        "`….place`, `….owner`.",
    ),
    # --- Effects and choices -------------------------------------------------------------------
    "bad-bounds": CodeInfo(
        "error",
        "the bounds of a choice cannot be met",
        "`min` is at least 0 and at most `max`.",
    ),
    "no-board": CodeInfo(
        "error",
        "a function needs a board with directions",
        "Declare a `grid` or `hex` under `spaces:`.",
    ),
    "no-direction": CodeInfo(
        "error",
        "it is not said which way a piece moves",
        "Give a `direction`, or use `move … to …`.",
    ),
    "no-effect": CodeInfo(
        "warning",
        "an effect or action changes nothing",
        "Give it an effect, or leave it out.",
    ),
    "no-options": CodeInfo(
        "error",
        "there is nothing to choose from",
        "List what can be chosen.",
    ),
    "no-owner": CodeInfo(
        "error",
        "a piece without owners is placed for a seat",
        "Declare the kind with `owner: seat`, or leave out `of …`.",
    ),
    "sealed-each": CodeInfo(
        "error",
        "`each` stands in a sealed choice",
        "Leave `each` out, and go through the picks of every seat behind the choice.",
    ),
    "sealed-actor": CodeInfo(
        "warning",
        "the options of a sealed choice speak of `actor`",
        "`actor` is the same seat for everybody; `chooser` is the seat that is asked.",
    ),
    "sealed-without-option": CodeInfo(
        "error",
        "a seat of a sealed choice may have nothing to choose",
        "Write `ifNone: skip` (it is not asked, its answer is none) or `ifNone: fault` (the rules "
        "never lead to that), or leave such seats out of `by`.",
    ),
    "refusal-after-chance": CodeInfo(
        "error",
        "a move could be refused after a roll",
        "Dice cannot be taken back. Test before the roll, make the choice optional, or ask first: "
        "whether it has an option (`if: any(…)`), a place has room, a piece is left, or a variable "
        "that refuses stays in its range.",
    ),
    "refusal-after-reveal": CodeInfo(
        "warning",
        "a move could be refused after something hidden has come to light",
        "What was seen cannot be taken back: a card that was revealed, or that decided what the "
        "rules do. Test before, make the choice optional, give it an `ifNone`, or ask first, as "
        "after a roll.",
    ),
    "asking-tells": CodeInfo(
        "warning",
        "who is asked gives away something hidden",
        "An offer with a `pass` asks nobody who can take none of the actions, and everybody sees "
        "that. Where this depends on a hand, write `always: true`: then every seat is asked, even "
        "if it can only pass.",
    ),
    "stop-outside-loop": CodeInfo(
        "error",
        "`stop` stands outside of any loop",
        "`stop` leaves a loop; `return` leaves a procedure or the effects of an action.",
    ),
    "enormous-work": CodeInfo(
        "warning",
        "an expression, a loop or a procedure can take very many steps",
        "A game that does too much without a decision ends in a fault. Go through fewer things at "
        "once, or keep what has been found in a variable.",
    ),
    "unbounded-loop": CodeInfo(
        "error",
        "a loop could go on forever",
        "Give `repeat` a `max`, or make every pass ask a decision or roll.",
    ),
    "unreachable": CodeInfo(
        "warning",
        "effects after a `return` or `stop` are never reached",
        "Remove them, or put the `return` or `stop` into an `if`.",
    ),
    # --- The course of the game ----------------------------------------------------------------
    "binding-too-early": CodeInfo(
        "error",
        "a choice is tested before it is made",
        "Filter the options of the choice, or `require` it after the choice.",
    ),
    "choice-after-roll": CodeInfo(
        "error",
        "an operation with snapshot decisions chooses after a roll",
        "Write `decisions: live` in the operation.",
    ),
    "choice-in-cost": CodeInfo(
        "error",
        "paying a cost asks for a decision",
        "Move the choice into a stage of `resolution`.",
    ),
    "hidden-read": CodeInfo(
        "error",
        "options depend on what the chooser cannot see",
        "They would give it away. Read only what that seat sees, or write `declassify(…)`.",
    ),
    "no-result": CodeInfo(
        "error",
        "it is not said what comes out",
        "An ending needs a winner, a draw or a `score:`; a procedure whose value is used needs "
        "`return …`.",
    ),
    "space-owner": CodeInfo(
        "warning",
        "`.owner` of a space is always none",
        "Zones of seats have an owner; on a space it is the piece that has one: `s.piece.owner`.",
    ),
    "never-true": CodeInfo(
        "warning",
        "an ending waits for a number that its variable cannot hold",
        "Widen the range of the variable under `vars:`, or change the number in the condition.",
    ),
    "range-too-small": CodeInfo(
        "warning",
        "a number is written into a variable whose range is smaller",
        "Widen the range under `vars:`, say `clamp` or `refuse` there, or test the number first.",
    ),
    "nothing-to-do": CodeInfo(
        "error",
        "the game has no actions, no phases and no flow",
        "Add `actions:` (what a seat can do), or a `flow:`.",
    ),
    "request-in-setup": CodeInfo(
        "error",
        "set-up ends a turn, or goes to a phase in a game whose phases do not follow each other",
        "Write `active = SEAT` to say who begins; in a `flow` write `run phase NAME`.",
    ),
    "run-phase-without-flow": CodeInfo(
        "error",
        "`run phase` is used without a `flow`",
        "Phases follow each other by themselves; write `goto NAME`.",
    ),
    "snapshot-dependence": CodeInfo(
        "error",
        "a later choice depends on an earlier effect of the same operation",
        "Write `decisions: live` in the operation, or choose before the effect.",
    ),
    "unreachable-phase": CodeInfo(
        "warning",
        "nothing ever enters a phase",
        "Write `goto NAME` or `next phase` somewhere, or remove the phase.",
    ),
    "window-outside-operation": CodeInfo(
        "error",
        "`window` stands outside of an operation",
        "Put it into a stage of an operation.",
    ),
    "wrong-zone": CodeInfo(
        "error",
        "a piece is moved to a zone that is not for its kind",
        "Move it elsewhere, or add its kind to `of` of the zone.",
    ),
    # --- GameDef files -------------------------------------------------------------------------
    "gamedef-unreadable": CodeInfo(
        "error",
        "a GameDef file could not be read as JSON",
        "Check the path, and compile the rulebook again.",
    ),
}
