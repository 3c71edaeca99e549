"""Codes of reading files, Markdown and YAML."""

from __future__ import annotations

from ludwright.language.codes.info import CodeInfo

READING: dict[str, CodeInfo] = {
    # --- files ---------------------------------------------------------------------------------
    "csv-table": CodeInfo(
        "error",
        "a table cannot be read from its CSV file",
        "`tables: { Card: cards.csv }` reads `cards.csv` in the folder of the rulebook. Its first "
        "line names the columns; text with a comma stands in double quotes.",
    ),
    "extends": CodeInfo(
        "error",
        "the rulebook that this one extends cannot be read, or has nothing like what is removed",
        "`extends: base.md` names one file in the same folder, `extends: chess` a shipped game, "
        "and no rulebook extends itself. "
        "`remove` names entries that the base has.",
    ),
    "file-ignored": CodeInfo(
        "warning",
        "a YAML file with rules lies in the folder and is not read",
        "Of a folder only `.md` files are read. Put the rules into a ```yaml block of one of them.",
    ),
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
    # --- Markdown ------------------------------------------------------------------------------
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
    # --- YAML ----------------------------------------------------------------------------------
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
        "an invisible control character stands in the rulebook, a table or a GameDef",
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
}
