"""Codes of the text of rules: expressions, statements, blocks."""

from __future__ import annotations

from ludwright.language.codes.info import CodeInfo

PARSING: dict[str, CodeInfo] = {
    # --- looks -----------------------------------------------------------------------------------
    "look-colour": CodeInfo(
        "error",
        "a colour is neither a known name nor `#rrggbb`",
        "The names are white, black, red, orange, yellow, green, blue, purple, pink, brown, grey, "
        "cream, sand, leaf, sea, sky, felt and paper. Others stand in quotes, since `#` begins a "
        'comment: `"#2f6f4f"`.',
    ),
    "look-symbol": CodeInfo(
        "error",
        "a symbol is neither a glyph nor the path of an SVG",
        "Write one sign, such as `♞`, or the `d` attribute of a path in quotes.",
    ),
    # --- text of expressions and statements ----------------------------------------------------
    "syntax-bad-number": CodeInfo(
        "error",
        "a number runs into letters",
        "A name cannot start with a digit; put a space or an operator between number and name.",
    ),
    "syntax-bad-target": CodeInfo(
        "error",
        "something that cannot be changed stands before `=`",
        "Only variables, `seat.x`, `space.x`, `piece.x` and locals can be given a value.",
    ),
    "syntax-bad-type": CodeInfo(
        "error",
        "the text is not a type",
        "Types are `bool`, a range such as `0..9`, `Seat`, `Space`, an enum, `list[T, n]`, "
        "`set[T]`, `(A, B)`, `[a, b]`, each with `?` if it may be `none`.",
    ),
    "syntax-braces": CodeInfo(
        "error",
        "lists are written in square brackets",
        "Write `[a, b]`; curly brackets have no meaning in an expression.",
    ),
    "syntax-c-operator": CodeInfo(
        "error",
        "an operator of another language",
        "Write `and`, `or` and `not`.",
    ),
    "syntax-chained-comparison": CodeInfo(
        "error",
        "comparisons are chained",
        "Write `a < b and b < c`.",
    ),
    "syntax-chained-range": CodeInfo(
        "error",
        "a range has more than two ends",
        "A range is `a..b`.",
    ),
    "syntax-colon": CodeInfo(
        "error",
        "a `:` stands inside an expression",
        "Named arguments are written `name=value`.",
    ),
    "syntax-compare-as-statement": CodeInfo(
        "error",
        "a statement only compares",
        "Write `=` to set a value, or `require` to demand that the comparison holds.",
    ),
    "syntax-duplicate-argument": CodeInfo(
        "error",
        "an argument is given twice",
        "Remove one of the two.",
    ),
    "syntax-duplicate-name": CodeInfo(
        "error",
        "a name is introduced twice in one place",
        "Give the second one another name.",
    ),
    "syntax-empty": CodeInfo(
        "error",
        "a value or statement is missing",
        "Write it, or remove the key; nothing at all is written `none`.",
    ),
    "syntax-float": CodeInfo(
        "error",
        "a number has a fraction",
        "The language has only whole numbers. Count in smaller units.",
    ),
    "syntax-for-do": CodeInfo(
        "error",
        "a one-line `for` lacks its `do`",
        "Write `for x in A do S`.",
    ),
    "syntax-generator-brackets": CodeInfo(
        "error",
        "a generator stands where it needs brackets",
        "Only as a whole field or as the one argument of a call may `x for x in A` stand "
        "bare; elsewhere write `[x for x in A]`.",
    ),
    "syntax-if-then": CodeInfo(
        "error",
        "a one-line `if` lacks its `then`",
        "Write `if c then S`.",
    ),
    "syntax-is": CodeInfo(
        "error",
        "`is` is not an operator",
        "Write `==` or `!=`.",
    ),
    "syntax-lambda": CodeInfo(
        "error",
        "a function without a name",
        "Declare the function under `fns:`, or use a generator: `f(x) for x in A`.",
    ),
    "syntax-missing-else": CodeInfo(
        "error",
        "a conditional value has no `else`",
        "Write `a if c else b`. To filter, write `x for x in A if c`.",
    ),
    "syntax-braces-in-text": CodeInfo(
        "error",
        "a brace in a sentence has no partner",
        "A value in a sentence is written `{value}`.",
    ),
    "syntax-sentence-colon": CodeInfo(
        "error",
        "a sentence with `: ` stands without quotes around the statement",
        "Put the whole statement in single quotes: `- 'say \"…: …\"'`.",
    ),
    "syntax-named-argument-colon": CodeInfo(
        "error",
        "a named argument is written with `:`",
        "Named arguments use `=`: `train(US, free=true)`.",
    ),
    "syntax-not-a-statement": CodeInfo(
        "error",
        "the text does nothing",
        "Statements set, move, call or decide something; a procedure is called with `name()`.",
    ),
    "syntax-not-callable": CodeInfo(
        "error",
        "something that is no function is called",
        "Only functions and procedures named in the rulebook can be called.",
    ),
    "syntax-number-too-large": CodeInfo(
        "error",
        "a number is too large",
        "Numbers lie between -2147483647 and 2147483647.",
    ),
    "syntax-positional-after-named": CodeInfo(
        "error",
        "an argument without a name follows a named one",
        "Put arguments without a name first.",
    ),
    "variable-index": CodeInfo(
        "error",
        "a variable has more than one index",
        "A variable is kept once for each seat, space or member of a group, and may have one index "
        "besides: `Seat.gems[Gem]`, `Seat.Space.influence`.",
    ),
    "syntax-reserved-word": CodeInfo(
        "error",
        "a word of the language is used as a name",
        "Choose another name; after a dot every word is free.",
    ),
    "syntax-semicolon": CodeInfo(
        "error",
        "two statements in one text",
        "Make each statement a list item of its own.",
    ),
    "syntax-single-equals": CodeInfo(
        "error",
        "`=` is used to compare",
        "Write `==` to compare; `=` sets a value and stands in statements only.",
    ),
    "syntax-slash": CodeInfo(
        "error",
        "`/` is not an operator",
        "Write `//`, which divides and rounds down.",
    ),
    "syntax-stray-else": CodeInfo(
        "error",
        "an `else` without its `if`",
        "After `for`, `if` only filters; put `a if c else b` before the `for`.",
    ),
    "syntax-text-literal": CodeInfo(
        "error",
        "text in quotes inside an expression",
        "Names of things stand without quotes; text is possible after `say`, and in fields such as "
        "`ask`, `notation`, `reason` and `title`.",
    ),
    "syntax-too-deep": CodeInfo(
        "error",
        "an expression has too many levels",
        "At most 64. Give parts of it names under `fns:`.",
    ),
    "syntax-too-long": CodeInfo(
        "error",
        "an expression or statement is too long",
        "At most 4,000 characters. Give parts of it names under `fns:` or `procs:`.",
    ),
    "syntax-unbalanced-bracket": CodeInfo(
        "error",
        "a bracket is not closed, or not opened",
        "Add or remove the bracket. If YAML cut the text at a comma, quote it.",
    ),
    "syntax-unexpected": CodeInfo(
        "error",
        "something stands where it does not fit",
        "The message says what was expected.",
    ),
    "syntax-unfinished": CodeInfo(
        "error",
        "the text stops too early",
        "Write what comes after the last word, or remove it.",
    ),
    "syntax-unknown-character": CodeInfo(
        "error",
        "a character has no meaning here",
        "Names use the letters a to z, digits and `_`; operators are those of the keyboard.",
    ),
    "syntax-unknown-statement": CodeInfo(
        "error",
        "no statement starts with this word",
        "Use one of the statements of the language, or call a procedure: `name(…)`.",
    ),
    "syntax-where": CodeInfo(
        "error",
        "`where` stands in the place of `if`",
        "Write `x for x in A if c`. `e where n = f` gives a part of an expression a name.",
    ),
    # --- effects, nodes and blocks -------------------------------------------------------------
    "if-none": CodeInfo(
        "error",
        "`ifNone` stands beside `optional`, or has statements in a sealed choice",
        "An optional choice is passed over where nothing can be chosen; drop `ifNone`. In a sealed "
        "choice write `ifNone: skip`; a seat that can choose nothing is not asked then.",
    ),
    "choose-n-bounds": CodeInfo(
        "error",
        "`n` stands beside `min` or `max`",
        "`n: 3` means exactly three; otherwise give `min` and `max`.",
    ),
    "duplicate-block": CodeInfo(
        "error",
        "a block stands twice and cannot be joined",
        "Blocks of lists or of mappings are joined over the rulebook; others may stand once.",
    ),
    "duplicate-name": CodeInfo(
        "error",
        "a name is declared twice",
        "Rename or remove one of the two.",
    ),
    "effect-shape": CodeInfo(
        "error",
        "an effect is a mapping with several keys",
        "Each effect is one list item with one key, such as `if: { when, then, else }`.",
    ),
    "effects-too-deep": CodeInfo(
        "error",
        "effects are nested too deeply",
        "At most 20 levels. Move the inner part to a procedure under `procs:`.",
    ),
    "end-outcome": CodeInfo(
        "error",
        "an ending must say one outcome",
        "Write exactly one of `win`, `lose`, `draw` and `score`.",
    ),
    "invalid-name": CodeInfo(
        "error",
        "the text cannot be a name",
        "Names use letters, digits and `_`, and start with a letter; ids of spaces, cards and "
        "scenarios may contain `-`.",
    ),
    "json-shape": CodeInfo(
        "error",
        "a GameDef in JSON is not as its schema says",
        "Compile the rulebook again; `ludwright compile --schema` prints the schema.",
    ),
    "json-too-deep": CodeInfo(
        "error",
        "a GameDef in JSON is nested too deeply",
        "Compile the rulebook again.",
    ),
    "language-version": CodeInfo(
        "error",
        "the file is for another version of the language",
        "This program reads language version 1.",
    ),
    "missing-game": CodeInfo(
        "error",
        "the rulebook has no `game:` block",
        "Add `game: { id: my-game, title: My game, players: 2 }`.",
    ),
    "missing-key": CodeInfo(
        "error",
        "a needed key is missing",
        "Add the key the message names.",
    ),
    "nothing-behind-key": CodeInfo(
        "error",
        "a key has nothing behind it",
        "Write what belongs there, or remove the key: an empty `when:` is no condition.",
    ),
    "operation-action": CodeInfo(
        "error",
        "an operation and its action say the same twice",
        "Where an action of that id is declared, `actor`, `phase`, `params`, `pre`, `limits` "
        "and `notation` belong there; effects and cost belong to the operation.",
    ),
    "reserved-name": CodeInfo(
        "error",
        "a name starts with `__`",
        "Such names belong to the program; choose another.",
    ),
    "runtime-name": CodeInfo(
        "error",
        "a name is put together while the game is played",
        "Names are fixed. Use an index instead: `zone(seat)`, `$x[seat]`, `table[key]`.",
    ),
    "same-key-twice": CodeInfo(
        "error",
        "two keys that mean the same stand side by side",
        "Keep one of the two.",
    ),
    "seat-count": CodeInfo(
        "error",
        "the number of seats and of players differ",
        "Name as many seats as players can take part.",
    ),
    "second-operation": CodeInfo(
        "error",
        "two operations belong to one action",
        "Only one can say what the action does: give the other an action of its own, or make "
        "them stages of one `resolution`.",
    ),
    "table-row": CodeInfo(
        "error",
        "a row has another number of values than the table has columns",
        "Give one value per column.",
    ),
    "unknown-effect": CodeInfo(
        "error",
        "there is no such effect or block",
        "Simple statements are text; blocks are `if`, `forEach`, `repeat`, `chooseOne`, "
        "`chooseN`, `menu`, `offer`, `with`.",
    ),
    "unknown-key": CodeInfo(
        "error",
        "a key is not known here",
        "Check its spelling; the message lists the keys.",
    ),
    "unknown-node": CodeInfo(
        "error",
        "a mapping is no value",
        "In long form a value has `ref`, `op`, `query`, `aggregate` or `if`; in short form it "
        "is text.",
    ),
    "unknown-template": CodeInfo(
        "error",
        "there is no such phase template",
        "Declare it under `phaseTemplates:`.",
    ),
    "with-set": CodeInfo(
        "error",
        "`with` sets something other than a variable",
        "Under `set` write only `x = e`.",
    ),
    "wrong-shape": CodeInfo(
        "error",
        "a list, mapping or single value stands where another is needed",
        "Write what the message asks for.",
    ),
    "wrong-value": CodeInfo(
        "error",
        "a value is not one of those possible here",
        "The message lists what can be written.",
    ),
}
