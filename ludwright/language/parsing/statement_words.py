"""The words that open statements, and what to write instead of words that do not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ludwright.spelling import nearest

CHOOSING = ("choose", "pick", "select", "ask")
FORMS = {
    "let": "let x = e",
    "move": "move X to Z",
    "place": "place KIND of SEAT at Z",
    "remove": "remove X",
    "draw": "draw n from Z to Z",
    "shuffle": "shuffle Z",
    "reverse": "reverse Z",
    "swap": "swap X with Y",
    "reveal": "reveal X to SEATS",
    "conceal": "conceal X",
    "shift": "shift M by n",
    "roll": "roll x in 1..6",
    "record": "record H",
    "clear": "clear H",
    "require": "require e",
    "say": 'say "…"',
    "return": "return e",
    "stop": "stop",
    "resolve": "resolve CARD",
    "window": "window NAME",
    "goto": "goto PHASE",
    "if": "if c then S",
    "for": "for x in A do S",
}
# What people write instead, from other languages and from the words of rulebooks.
_FOREIGN = {
    "set": "x = e",
    "call": "proc(…)",
    "add": "place KIND at Z",
    "increase": "x += n",
    "decrease": "x -= n",
    "capture": "remove X",
    "kill": "remove X",
    **dict.fromkeys(CHOOSING, "chooseOne: { bind: $x, options: A }"),
    **dict.fromkeys(("skip", "pass", "finish"), "end turn"),
    "win": "end game win SEAT",
    "lose": "end game lose SEAT",
    "put": "place KIND at Z",
    "create": "place KIND at Z",
    "destroy": "remove X",
    "delete": "remove X",
    "discard": "move X to Z",
    "deal": "draw n from Z to Z",
    "take": "draw n from Z to Z",
    "mix": "shuffle Z",
    "show": "reveal X to SEATS",
    "hide": "conceal X",
    "break": "stop",
    "exit": "stop",
    "assert": "require e",
    **dict.fromkeys(("print", "write", "tell"), 'say "…"'),
    "while": "a `repeat: { while, max, do }` block",
    "foreach": "for x in A do S",
    "var": "let x = e",
    "const": "let x = e",
}
_ARGUMENT = re.compile(r"[\w$]+(?:\.\w+)*")  # `where.row`
_NOTHING = ("pass", "skip", "nothing", "noop", "continue")
TWO_WORDS = frozenset(
    [("next", "phase"), ("run", "phase"), ("push", "phase"), ("end", "turn"), ("end", "game")]
)
# Words that stand in the same statement as their `if`.
WITH_IF = ("then", "else", "elif", "elseif", "elsif")
ELSE_APART = "write `if c then S else T` in one line, or `if: { when: c, then: […], else: […] }`"
_LEFT_OUT = "leave it out: what does nothing is not written"
# Whole phrases.
_PHRASES = {
    **dict.fromkeys(("next player", "next turn", "end the turn", "endturn"), "end turn"),
    **dict.fromkeys(
        ("game over", "end the game", "stop game", "stop the game", "endgame", "gameover"),
        "end game",
    ),
    **dict.fromkeys(("nextphase", "end phase", "end the phase"), "next phase"),
    "win": "end game win actor",
    "lose": "end game lose actor",
}


def statement_of(word: str) -> str | None:
    """The statement that is meant where one is called: `print(x)`, `deck.shuffle()`."""
    thing, dot, verb = word.rpartition(".")
    if dot and (form := FORMS.get(verb)) is not None:
        return form.replace(" X", f" {thing}", 1).replace(" Z", f" {thing}", 1)
    return FORMS.get(word) or _FOREIGN.get(word.lower())


def hint_for(words: Sequence[str]) -> str | None:
    """What to write instead of a statement of at least two words that opens with none known."""
    word, after = words[0], words[1]
    if (phrase := _PHRASES.get(" ".join(words).lower())) is not None:
        return f"did you mean `{phrase}`?"
    if word in _NOTHING and after != "turn":
        return _LEFT_OUT
    if (name := _of_several_words(words)) is not None:
        return f"a name is one word: `{name}`"
    close = nearest(word, FORMS)
    form = _FOREIGN.get(word.lower()) or (FORMS[close] if close else None)
    if word == "add" and after.isdecimal():
        form = f"x += {after}"
    elif after in ("win", "wins", "lose", "loses"):
        form = f"end game {after.removesuffix('s')} {word}"
    elif (word.lower(), after.lower()) in TWO_WORDS:
        form = f"{word} {after}".lower()
    hint = f"did you mean `{form}`?" if form else None
    plain = _ARGUMENT.fullmatch("".join(words[1:])) is not None
    if plain and not (form or "").startswith("end ") and word.lower() not in _FOREIGN:
        call = f"to call a procedure, write `{word}({''.join(words[1:])})`"
        hint = f"{hint} {call}" if hint else call
    return hint


def hint_for_name(name: str) -> str:
    """What to write instead of a statement that is only a name."""
    words = name.replace("_", " ")
    if tuple(words.split()) in TWO_WORDS:
        return f"did you mean `{words}`?"
    if (phrase := _PHRASES.get(words.lower())) is not None:
        return f"did you mean `{phrase}`?"
    return _LEFT_OUT if name in _NOTHING else f"to call a procedure write `{name}()`"


def _of_several_words(words: Sequence[str]) -> str | None:
    """`victory points += 1`: the name that is meant."""
    signs = [at for at, word in enumerate(words) if word in ("=", "+=", "-=")]
    named = words[: signs[0]] if signs else []
    return "_".join(named) if named and all(word.isidentifier() for word in named) else None
