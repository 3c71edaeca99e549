"""Every diagnostic code, with what it means in general.

A diagnostic itself speaks about one place in one rulebook; this registry is what
`ludwright explain CODE` and the reference pages print. Codes are stable: tests and tools
assert codes, never prose. Keep one dictionary, grouped by section, alphabetical inside each.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludwright.diagnostics import Severity


@dataclass(frozen=True, slots=True)
class CodeInfo:
    severity: Severity
    summary: str
    help: str


CODES: dict[str, CodeInfo] = {
    # --- Reading: files ------------------------------------------------------------------
    "file-missing": CodeInfo(
        "error",
        "the file or folder does not exist",
        "Check the spelling of the path; it is looked up from the current folder.",
    ),
    "file-not-text": CodeInfo(
        "error",
        "the file is not UTF-8 text",
        "Save the rulebook as UTF-8 text; most editors offer this under “save with encoding”.",
    ),
    "file-too-large": CodeInfo(
        "error",
        "the file is larger than a rulebook file may be",
        "Split the rulebook into several Markdown files in one folder; each may hold 4 MB.",
    ),
    "file-type": CodeInfo(
        "error",
        "the file is neither Markdown nor YAML",
        "Rulebooks are `.md` files with ```yaml blocks, or plain `.yaml` files.",
    ),
    "file-unreadable": CodeInfo(
        "error",
        "the file could not be read",
        "Check that the path names an ordinary file and that you have the right to read it.",
    ),
    "folder-empty": CodeInfo(
        "error",
        "the folder holds no Markdown files",
        "A rulebook folder holds `rulebook.md` and, if you like, further `.md` files.",
    ),
    "rulebook-empty": CodeInfo(
        "error",
        "the rulebook has no rules in it",
        "Rules stand in fenced blocks that begin with ```yaml; other text is prose.",
    ),
    "rulebook-too-large": CodeInfo(
        "error",
        "the rulebook has too many files or is too large as a whole",
        "Leave out files that hold no rules; a rulebook may have 500 files, 16 MB and 200,000 "
        "lines.",
    ),
    "too-many-problems": CodeInfo(
        "error",
        "reading stopped because there are too many problems",
        "Mend the problems shown first; many of the others usually follow from them.",
    ),
    # --- Reading: Markdown ---------------------------------------------------------------
    "markdown-fence-case": CodeInfo(
        "warning",
        "a block looks like rules but is read as prose",
        "Only blocks marked exactly ```yaml (or ```yml) are rules.",
    ),
    "markdown-unclosed-fence": CodeInfo(
        "error",
        "a ```yaml block is never closed",
        "Close the block with a line of as many backticks as it was opened with.",
    ),
    # --- Reading: YAML -------------------------------------------------------------------
    "yaml-alias": CodeInfo(
        "error",
        "text starts with `*`, which YAML reads as an alias",
        "Aliases are not part of the language. Quote text that starts with `*`.",
    ),
    "yaml-anchor": CodeInfo(
        "error",
        "text starts with `&`, which YAML reads as an anchor",
        "Anchors are not part of the language; use `fns`, `procs` or `parameters` to share rules.",
    ),
    "yaml-control-character": CodeInfo(
        "error",
        "an invisible control character stands in the rules",
        "Delete the character; it usually comes from copying out of another program.",
    ),
    "yaml-directive": CodeInfo(
        "error",
        "a line starting with `%` is a YAML directive",
        "Directives are not part of the language. Delete the line.",
    ),
    "yaml-duplicate-key": CodeInfo(
        "error",
        "the same key stands twice in one mapping",
        "Rename one of the two, or put both contents under one key.",
    ),
    "yaml-empty-block": CodeInfo(
        "warning",
        "a ```yaml block has nothing in it",
        "Fill the block, or mark it as something else than `yaml`.",
    ),
    "yaml-empty-key": CodeInfo(
        "error",
        "a `:` has no key before it",
        "Write the key before the colon, or quote the text if the colon belongs to it.",
    ),
    "yaml-float": CodeInfo(
        "error",
        "a number has a fraction",
        "The language has only whole numbers. Count in smaller units, or quote text.",
    ),
    "yaml-integer-range": CodeInfo(
        "error",
        "a number is too large",
        "Whole numbers must fit in 64 bits.",
    ),
    "yaml-key-not-text": CodeInfo(
        "error",
        "a list or mapping is used as a key",
        "Keys are names or short text. Quote an expression that starts with `[` or `{`.",
    ),
    "yaml-merge-key": CodeInfo(
        "error",
        "`<<` is YAML's merge key",
        "Merging is not part of the language; write the entries out.",
    ),
    "yaml-multiple-documents": CodeInfo(
        "error",
        "a `---` line starts a second document in one block",
        "Delete the line, or start a new ```yaml block.",
    ),
    "yaml-not-mapping": CodeInfo(
        "error",
        "a block is not made of `key: value` entries",
        "Each block starts with section names such as `game:`, `spaces:` or `actions:`.",
    ),
    "yaml-odd-space": CodeInfo(
        "error",
        "a line is indented with something that only looks like a space",
        "Indent with ordinary spaces; such characters come from copying out of web pages.",
    ),
    "yaml-split-expression": CodeInfo(
        "error",
        "YAML split an expression in two",
        "Quote the whole expression. Inside `{ }` or `[ ]` quote every expression.",
    ),
    "yaml-syntax": CodeInfo(
        "error",
        "the block is not valid YAML",
        "Usual causes: text that must be quoted, a bracket or quote that is not closed, or "
        "lines that do not line up.",
    ),
    "yaml-tab": CodeInfo(
        "error",
        "a line is indented with a tab",
        "Indent with spaces.",
    ),
    "yaml-tag": CodeInfo(
        "error",
        "text starts with `!`, which YAML reads as a tag",
        "Tags are not part of the language. Quote text that starts with `!`.",
    ),
    "yaml-too-deep": CodeInfo(
        "error",
        "lists and mappings are nested too deeply",
        "At most 64 levels are read. Move inner parts to `procs` or `fns`.",
    ),
    "yaml-too-many-nodes": CodeInfo(
        "error",
        "the rulebook has too many entries",
        "At most 200,000 keys, values and list items are read.",
    ),
    # --- World: declarations -------------------------------------------------------------
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
        "Properties are single values: a range, `bool`, an enum, `Seat`, `Space`, …",
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
    # --- Parsing: text of expressions and statements -------------------------------------
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
    "syntax-one-line-else": CodeInfo(
        "error",
        "a one-line `if` has an `else`",
        "Write a block: `if: { when: c, then: [S], else: [S] }`.",
    ),
    "syntax-positional-after-named": CodeInfo(
        "error",
        "an argument without a name follows a named one",
        "Put arguments without a name first.",
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
        "Names of things stand without quotes; text is possible in `notation`, `reason` and "
        "`title` only.",
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
        "`where` is not a word of the language",
        "Write `x for x in A if c`.",
    ),
    # --- Parsing: effects, nodes and blocks ----------------------------------------------
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
    "operation-action": CodeInfo(
        "error",
        "an operation repeats what its action says",
        "Where an action of that id is declared, `actor`, `phase`, `params`, `pre`, `limits` "
        "and `notation` belong there.",
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
