"""YAML syntax errors in the author's words.

The parser says what it expected; an author needs to know what to change. The commonest cause
is an expression that YAML reads as something else, so the line is looked at again and the
suggestion shows the quoted text. Both the C parser's wording and the pure one's are known.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import yaml

from ludwright.diagnostics import Diagnostics, Span
from ludwright.language.reading.source import Block
from ludwright.language.reading.wording import SEVERAL, quoted, shorten

_LINE_PREFIX = re.compile(r"[ ]*(?:- +)*(?:[^\s\"'\[{#:][^:\n]*?:[ ]+)?")
_KEY_LINE = re.compile(r"[ ]*(?:- +)*(?P<key>[^\s:#][^:\n]*):(?:[ ]|$)")
_WITHOUT_COLON = re.compile(r"[ ]*(?:- +)+(?P<key>[A-Za-z]+) +(?P<rest>[\w-]+)[ ]*")
_WITHOUT_COLON_BRACE = re.compile(r"[ ]*(?:- +)*(?P<key>[A-Za-z]+) +\{")
# Why a line is one text to YAML, so that the next one cannot be an entry: no space after a colon
# or a dash, or `=` where a colon belongs.
_GLUED_COLON = re.compile(r"[ ]*(?:- +)*(?P<said>(?P<key>[A-Za-z]+):(?P<rest>\S.*))")
_GLUED_DASH = re.compile(r"[ ]*(?P<said>-(?P<rest>[A-Za-z]+:.*))")
_EQUALS = re.compile(
    r"[ ]*(?P<said>(?P<key>[A-Za-z][\w.]*(?:\([\w, ]*\))?) *= *(?P<rest>[^=\s].*))"
)
_COMMENT_OF_OTHERS = re.compile(r"[\]}]\s*(?P<mark>//|--|/\*|;)\s*(?P<words>.*)")
_SPOKEN = re.compile(r'[ ]*(?:- +)*(?P<said>(?:say|require)\b[^"\n]*"[^"\n]*: )')
_WORD_BEFORE = re.compile(r"\s([A-Za-z]\w*)$")
_BLOCK_START = re.compile(r"^[A-Za-z]+:", re.MULTILINE)
_SPECIAL_STARTS = {
    "*": "is an alias to YAML",
    "&": "is an anchor to YAML",
    "!": "is a tag to YAML",
    "%": "must be quoted",
    "@": "must be quoted",
    "`": "must be quoted",
    "|": "is a block of text to YAML",
    ">": "is a block of text to YAML",
    "[": "is a list to YAML and ends with its `]`",
    "{": "is a mapping to YAML and ends with its `}`",
    '"': "ends with the second quote",
    "'": "ends with the second quote",
}


_ONE_STATEMENT = re.compile(r"\s*-\s+(?P<word>for|if)\b.*\b(do|then|else)\s*$")
# `say "…: …"`: the colon in the text ends a key for YAML, and a quote is left over
_CUT_SENTENCE = re.compile(r"\s*-\s+(?P<text>[A-Za-z][^\"]*\"[^\"]*: [^\"]*\".*?)\s*$")


class _Explanation(NamedTuple):
    start: int
    end: int
    message: str
    suggestion: str
    code: str = "yaml-syntax"


def report_syntax_error(
    error: yaml.YAMLError, block: Block, base: int, diagnostics: Diagnostics
) -> int:
    """Adds one diagnostic; returns the index from which reading may be tried again."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        diagnostics.error(
            "yaml-syntax",
            block.opening,
            "this block could not be read as YAML",
            "look for characters that came from another program",
        )
        return len(block.text)
    at = min(base + error.problem_mark.index, len(block.text))
    context_at = at
    if error.context_mark is not None:
        context_at = min(base + error.context_mark.index, at)
    problem, context = error.problem or "", error.context or ""
    quote = _runaway_quote(at, block)
    if quote is not None:
        span = block.span(quote, quote + 1)
        mark = block.text[quote]
        diagnostics.error(
            "yaml-syntax",
            span,
            f"the quote {mark} opened here is not closed on its line",
            f"add {mark} where the text ends; it runs on into the lines below",
        )
        following = _BLOCK_START.search(block.text, quote)
        return following.start() if following is not None else len(block.text)
    found = _explain(problem, context, at, context_at, block)
    span = block.span(found.start, found.end)
    if not _already_said(span, diagnostics):
        diagnostics.error(found.code, span, found.message, found.suggestion)
    if "flow" in context or "simple key" in context:
        # The mistake is where the bracket or the key began; this line may be sound.
        return block.line_starts[block.line_index(at)]
    line_end = block.text.find("\n", at)
    return line_end + 1 if line_end != -1 else len(block.text)


def _runaway_quote(at: int, block: Block) -> int | None:
    """A quote that a value begins with, and whose text ends in a line below, before a mistake."""
    for line in range(block.line_index(at)):
        start = _value_start(line, block)
        mark = block.text[start : start + 1]
        text = block.line_text(line)[start - block.line_starts[line] :]
        if mark not in ('"', "'") or not mark:
            continue
        inside = text[1:].replace("\\\\", "").replace('\\"', "") if mark == '"' else text[1:]
        if mark not in inside and block.text.find(mark, start + len(text)) != -1:
            return start
    return None


def _already_said(span: Span, diagnostics: Diagnostics) -> bool:
    """`*x + 1` is first an alias and then a syntax error: one mistake, one diagnostic."""
    last = diagnostics.items[-1].span if diagnostics.items else None
    return last is not None and (last.file, last.line, last.column) == (
        span.file,
        span.line,
        span.column,
    )


def rest_of_value(block: Block, start: int) -> str:
    """The text from `start` to where the author most likely thinks the value ends."""
    line = block.line_index(start)
    before = block.text[block.line_starts[line] : start]
    text = block.text[start : block.line_starts[line] + len(block.line_text(line))]
    comment = re.search(r"\s#", text)
    if comment is not None:
        text = text[: comment.start()]
    in_flow = before.count("{") + before.count("[") > before.count("}") + before.count("]")
    if not in_flow:
        return text.rstrip()
    depth = 0
    for at, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and character == ","):
            return text[:at].rstrip()
    return text.rstrip()


def _explain(problem: str, context: str, at: int, context_at: int, block: Block) -> _Explanation:
    character = block.text[at : at + 1]
    if "mapping values are not allowed" in problem:
        return _stray_colon(at, block)
    if "quoted scalar" in context and ("end of stream" in problem or "document" in problem):
        quote = block.text[context_at : context_at + 1]
        line = block.line_index(context_at)
        cut = _CUT_SENTENCE.match(block.line_text(line))
        if cut is not None and quote == '"':
            start = block.line_starts[line]
            return _Explanation(
                start + cut.start("text"),
                start + cut.end("text"),
                "a `: ` inside a sentence makes YAML read it as a mapping",
                f"put the whole statement in single quotes: '{cut['text']}'",
            )
        return _Explanation(
            context_at,
            context_at + 1,
            f"the quote {quote} opened here is never closed",
            f"add {quote} where the text ends",
        )
    if "escape" in problem and "quoted scalar" in context:
        backslash = block.text.rfind("\\", context_at, at + 1)
        start = backslash if backslash != -1 else at
        return _Explanation(
            start,
            start + 2,
            'a `\\` inside "double quotes" starts an escape, and this one does not exist',
            "use 'single quotes', in which a `\\` is just a `\\`",
        )
    if "directive" in context:
        return _Explanation(
            context_at,
            max(at, context_at + 1),
            "lines starting with `%` are YAML directives, which rulebooks do not have",
            "delete the line",
            "yaml-directive",
        )
    if "flow" in context:
        return _in_brackets(at, context_at, block)
    if "cannot start any token" in problem and character in "@`%":
        return _quote_all(at, block)
    if "cannot start any token" in problem and character == "\t":
        return _Explanation(
            at,
            at + 1,
            "a tab stands where only spaces may stand",
            "replace it with spaces",
            "yaml-tab",
        )
    special = _special_start(at, context_at, context, block)
    if special is not None:
        return special
    return _out_of_place(problem, context, at, context_at, block)


def _stray_colon(at: int, block: Block) -> _Explanation:
    line = block.line_index(at)
    line_start, text = block.line_starts[line], block.line_text(line)
    match = _KEY_LINE.match(text)
    if match is not None and line_start + match.end("key") == at:
        key = match.group("key")
        before = _WITHOUT_COLON.fullmatch(block.line_text(line - 1)) if line else None
        if before is not None:
            start = block.line_starts[line - 1]
            return _Explanation(
                start + before.start("key"),
                start + before.end(),
                f"there is no colon after `{before['key']}`",
                f"write `{before['key']}: {shorten(before['rest'])}`",
            )
        if line and (glued := _glued(line - 1, block)) is not None:
            return glued
        above = _ONE_STATEMENT.match(block.line_text(line - 1)) if line else None
        if above is not None:
            start = block.line_starts[line - 1]
            return _Explanation(
                start + above.start("word"),
                start + above.end(),
                f"`{above['word']}` takes one statement, and it stands in the same line",
                SEVERAL["for" if above["word"] == "for" else "if"],
            )
        return _Explanation(
            line_start + match.start("key"),
            at + 1,
            f"`{shorten(key)}:` cannot stand here: the line above already has a value",
            "give it the same indentation as the key it stands beside, "
            "or end the line above with its colon",
        )
    start = _value_start(line, block)
    if (brace := _WITHOUT_COLON_BRACE.match(text)) is not None:
        return _Explanation(
            line_start + brace.start("key"),
            line_start + brace.end("key"),
            f"there is no colon after `{brace['key']}`",
            f"write `{brace['key']}: {{`",
        )
    return _Explanation(
        at,
        at + 1,
        "a colon followed by a space starts a new entry, even inside text",
        f"quote the whole text: {quoted(rest_of_value(block, start))}",
    )


def _glued(line: int, block: Block) -> _Explanation | None:
    """A line that looks like an entry, and is one text to YAML."""
    text, start = block.line_text(line).rstrip(), block.line_starts[line]
    if (dash := _GLUED_DASH.fullmatch(text)) is not None:
        message, hint = "a space is missing after this dash", f"- {dash['rest']}"
        said = dash
    elif (colon := _GLUED_COLON.fullmatch(text)) is not None:
        message = "a space is missing after this colon"
        hint = f"{colon['key']}: {colon['rest']}"
        said = colon
    elif (equals := _EQUALS.fullmatch(text)) is not None:
        message = f"`{shorten(equals['key'])}` needs a colon here, not `=`"
        hint = f"{equals['key']}: {equals['rest']}"
        said = equals
    else:
        return None
    return _Explanation(
        start + said.start("said"), start + said.end("said"), message, f"write `{shorten(hint)}`"
    )


def _in_brackets(at: int, context_at: int, block: Block) -> _Explanation:
    at_end = not block.text[at:].strip()
    if block.text[context_at : context_at + 1] not in ("{", "["):
        # The parser names the missing entry; the bracket it belongs to says more.
        if block.text[at : at + 1] == ":":
            return _no_key(at)
        opener = _last_open_bracket(context_at, block)
        if opener is None or not at_end:
            return _Explanation(
                at,
                at + 1,
                f"`{block.text[at : at + 1].strip()}` cannot stand here",
                "check the brackets and commas before it, and quote expressions inside brackets",
            )
        context_at = opener
    opened = block.text[context_at]
    closing = "}" if opened == "{" else "]"
    character = block.text[at : at + 1]
    if character in ("{", "[") and at > context_at:
        start = _piece_start(at, context_at, block)
        return _Explanation(
            at,
            at + 1,
            f"inside `{opened} {closing}` text may not contain `{character}`",
            f"quote the whole expression: {quoted(rest_of_value(block, start))}",
        )
    if at_end or block.line_index(at) > block.line_index(context_at):
        return _Explanation(
            context_at,
            context_at + 1,
            f"the `{opened}` opened here is not closed",
            f"add `{closing}` where it ends, or a comma between entries; "
            "long lists are easier to read as indented lines",
        )
    if character == ":" and (key := _WORD_BEFORE.search(block.text, context_at, at)) is not None:
        return _Explanation(
            key.start(1),
            at,
            f"a comma is missing before `{key[1]}`",
            f"write `, {key[1]}:`; if it is part of a text, put the text in quotes",
        )
    if character.isalnum() and block.text[at - 1] == "'":
        start = _piece_start(at, context_at, block)
        whole = rest_of_value(block, start).strip("'")
        return _Explanation(
            at - 1,
            at,
            "this ' ends the text: it began with the same sign",
            f'put the text in double quotes: "{shorten(whole)}"',
        )
    if character.isalnum() and block.text[context_at:at].rstrip().endswith("}"):
        return _brace_first(at, context_at, block)
    return _Explanation(
        at,
        at + 1,
        f"expected a comma or `{closing}` here",
        "separate entries with commas, and quote expressions that stand inside brackets",
    )


def _brace_first(at: int, context_at: int, block: Block) -> _Explanation:
    """`reason: {actor} has won`: YAML takes the brace for a mapping."""
    start = block.text.rindex("{", context_at, at)
    return _Explanation(
        start,
        at,
        "a text that begins with a brace needs quotes",
        f"quote the whole text: {quoted(rest_of_value(block, start))}",
    )


def _last_open_bracket(before: int, block: Block) -> int | None:
    """The innermost bracket still open at `before`, counting back over this section only."""
    depth = 0
    for at in range(before - 1, max(-1, before - 20_000), -1):
        character = block.text[at]
        if character in "]}":
            depth += 1
        elif character in "[{":
            if depth == 0:
                return at
            depth -= 1
    return None


def _special_start(at: int, context_at: int, context: str, block: Block) -> _Explanation | None:
    """Text whose first character means something to YAML: `[a] + [b]`, `*x + 1`, `> 5`."""
    line = block.line_index(at)
    start = context_at if "scanning a" in context and "key" not in context else None
    if start is None or block.line_index(start) != line:
        start = _value_start(line, block)
    first = block.text[start : start + 1]
    if first not in _SPECIAL_STARTS or start > at:
        return None
    spoken = _SPOKEN.match(block.line_text(line))
    if spoken is not None and start > block.line_starts[line] + spoken.start("said"):
        start = block.line_starts[line] + spoken.start("said")
        whole = rest_of_value(block, start)
        return _Explanation(
            start, start + len(whole), "a `: ` inside a sentence makes YAML read it as a mapping",
            f"put the whole statement in single quotes: {quoted(whole)}",
        )  # fmt: skip
    character = block.text[at : at + 1]
    if first in "[{\"'" and (not character.strip() or character in "]}"):
        return None
    whole = rest_of_value(block, start)
    remark = _COMMENT_OF_OTHERS.search(whole)
    if first in "[{" and remark is not None:
        words = remark["words"].removesuffix("*/").strip()
        return _Explanation(
            start + remark.start("mark"),
            start + len(whole),
            f"`{remark['mark']}` does not begin a comment",
            "a comment begins with `#`" + (f": `# {shorten(words)}`" if words else ""),
        )
    return _quote_all(start, block)


def _quote_all(start: int, block: Block) -> _Explanation:
    """Text whose first character means something to YAML."""
    first, whole = block.text[start], rest_of_value(block, start)
    return _Explanation(
        start,
        start + len(whole),
        f"text that starts with {_sign(first)} {_SPECIAL_STARTS[first]}",
        f"quote the whole text: {quoted(whole)}",
    )


def _out_of_place(
    problem: str, context: str, at: int, context_at: int, block: Block
) -> _Explanation:
    character = block.text[at : at + 1]
    if "simple key" in context:
        line = block.line_index(context_at)
        text = block.line_text(line).strip()
        start = context_at
        glued = re.match(r"([\w.$]+):(\S.*)", text)
        suggestion = "write `key: value`, or indent the line so that it continues the one above"
        before = block.line_text(line - 1) if line else ""
        indent = len(block.line_text(line)) - len(block.line_text(line).lstrip())
        if before[:indent].isspace() and before[indent:].startswith("- "):
            suggestion = f"begin it with a dash, as the line above: `- {shorten(text)}`"
        if glued is not None:
            suggestion = f"put a space after the colon: `{shorten(glued[1] + ': ' + glued[2])}`"
        return _Explanation(
            start,
            block.line_starts[line] + len(block.line_text(line).rstrip()),
            f"`{shorten(text)}` is not a `key: value` entry",
            suggestion,
        )
    end = at + 1
    if character in ("]", "}", ","):
        return _Explanation(
            at,
            end,
            f"there is a `{character}` too many here",
            "delete it, or quote the text it belongs to",
        )
    if character == ":":
        return _no_key(at)
    if "block collection" in context:
        return _Explanation(
            at,
            end,
            "this line stands among list items but is not one",
            "start it with `- `, or change its indentation so that it belongs to an item",
        )
    if "mapping keys are not allowed" in problem or character == "?":
        return _Explanation(
            at, end, "text may not start with `? `", "quote the text, or delete the `?`"
        )
    return _Explanation(
        at,
        end,
        "this line does not line up with the entries around it",
        "give it the same indentation as the other keys of its mapping",
    )


def _no_key(at: int) -> _Explanation:
    return _Explanation(
        at,
        at + 1,
        "there is no key before this colon",
        "write the key before the colon, or quote the text that starts with it",
        "yaml-empty-key",
    )


def _value_start(line: int, block: Block) -> int:
    match = _LINE_PREFIX.match(block.line_text(line))
    return block.line_starts[line] + (match.end() if match is not None else 0)


def _piece_start(at: int, context_at: int, block: Block) -> int:
    """Where the value that runs into `at` starts, inside brackets opened at `context_at`."""
    cuts = [context_at, block.text.rfind(",", context_at, at)]
    colon = block.text.rfind(": ", context_at, at)
    cuts.append(colon)
    start = max(cuts) + 1
    while start < at and block.text[start] in " \n":
        start += 1
    return start


def _sign(character: str) -> str:
    return "a backtick" if character == "`" else f"`{character}`"
