"""What a person can type besides answers: `why`, `undo`, `info`, `log`, `save` and others."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ludwright.cli.screen.info import Info
from ludwright.cli.screen.menu import Menu, bare, beginning_with, is_number, show
from ludwright.cli.shared.output import plural
from ludwright.errors import IllegalMove
from ludwright.kernel.play.typed_moves import explain, known_words
from ludwright.kernel.views.wording import for_people
from ludwright.language.reading.prose import sections
from ludwright.simulate import Trace, TraceError, read_trace

if TYPE_CHECKING:
    from ludwright.cli.screen.asking import Question
    from ludwright.cli.screen.record import Record
    from ludwright.cli.screen.terminal import Terminal
    from ludwright.kernel.play.game import Game

HELP = """\
Type the number of an option, or the option itself. Its beginning is enough if no other begins
like it. Where you choose several, type them in any order, one by one or all at once.
You can also type:
  why ENTRY   whether ENTRY is allowed now, and if not, which rule forbids it
  info NAME   what a card, a piece, a space or an action is
  hint        what a bot would answer, after thinking for a second (hint 5: five seconds)
  undo        take back your last entry, up to the last new information
  board       show the table again
  moves       list everything you can enter
  log         what happened last (log all: from the beginning)
  rules       the rulebook, part by part (rules all: all of it)
  save FILE   save the game      load FILE   go on with a saved game
  help        this text          quit        leave"""

# What other programs call the commands.
_OTHER_WORDS = {
    **dict.fromkeys(("exit", "q", "bye", "leave", "stop"), "quit"),
    **dict.fromkeys(("?", "h", "commands"), "help"),
    **dict.fromkeys(("back", "u"), "undo"),
    **dict.fromkeys(("show", "look", "table"), "board"),
    **dict.fromkeys(("options", "list"), "moves"),
    "history": "log",
}
_CLOSE = 0.75  # `hlep` is `help`; how alike a word must be to a command
_EXAMPLES = 8  # of possible entries in one line
MARGIN = 4  # lines of the screen that hold the entry and what is asked next


class Quit(Exception):
    pass


class Sitting(Protocol):
    """As much of a table as commands need."""

    record: Record
    terminal: Terminal

    @property
    def has_open_picks(self) -> bool: ...
    def say(self, text: str) -> None: ...
    def tell(self, text: str) -> None: ...
    def takes(self, question: Question, entry: str) -> bool: ...
    def undo(self) -> bool: ...
    def show_again(self) -> None: ...
    def resume(self, trace: Trace) -> None: ...


class Commands:
    def __init__(self, table: Sitting, game: Game, rules: str) -> None:
        self._table = table
        self._game = game
        self._rulebook = rules
        self._known = {
            "why": self._why,
            "info": self._info,
            "hint": self._hint,
            "undo": self._undo,
            "board": self._board,
            "moves": self._moves,
            "log": self._log,
            "rules": self._rules,
            "save": self._save,
            "load": self._load,
            "help": self._help,
            "quit": self._quit,
        }

    def run(self, entry: str, question: Question) -> bool | None:
        """Whether the question has to be asked anew; None if the entry is no command."""
        word, _, rest = entry.partition(" ")
        command = self._known.get(word.lower())
        return None if command is None else command(rest.strip(), question)

    # -------------------------------------------------------------- reasons

    def explain(self, question: Question, entry: str) -> None:
        """Why an entry is no answer."""
        reason = self._reason(question, entry)
        self._table.tell(f"`{entry}` is not possible: {reason}{self._command_for(entry)}")

    def _command_for(self, entry: str) -> str:
        """The command that is most likely meant by an entry that is none."""
        word = entry.partition(" ")[0].lower()
        close = get_close_matches(word, self._known, 1, _CLOSE) if len(word) > 2 else []
        meant = _OTHER_WORDS.get(word) or "".join(close)
        return f"; the command is `{meant}`" if meant else ""

    def refuse(self, refused: IllegalMove) -> None:
        self._table.tell(f"not possible: {_told(refused)}")

    def _reason(self, question: Question, entry: str) -> str:
        state = self._table.record.state
        what = "no move" if question.decision.head and not question.picks_a_set else "nothing"
        if question.picks_a_set and entry in map(str, question.picks):
            return "it is picked already"
        if beginning_with(question.menu, entry):
            return _nearest(question.menu, entry, what)
        if question.decision.head and not question.picks_a_set:
            why = explain(self._game, state, entry)
            if why is not None and not why.legal:
                rule = f" ({why.rule}{f', line {why.span.line}' if why.span else ''})"
                return for_people(f"{why.reason or why.code}{rule if why.rule else ''}")
        word = self._known_word(entry)
        if word is None or question.decision.role == "action":
            return _nearest(question.menu, entry, what)
        try:
            self._game.choose(state, word, question.seat)
        except IllegalMove as refused:
            return _told(refused)
        return "it is not one of the options; `help` lists what you can type"

    def _known_word(self, entry: str) -> int | str | None:
        """What an entry names in the game, in whatever letters; None if nothing."""
        if is_number(entry):
            return int(entry)
        words = known_words(self._game)
        alike = (word for word in sorted(words) if word.lower() == entry.lower())
        return entry if entry in words else next(alike, None)

    # ------------------------------------------------------------- commands

    def _why(self, rest: str, question: Question) -> bool:
        if not rest:
            self._table.say("why what? For example: why 1")
        elif self._table.takes(question, rest):
            self._table.tell(f"`{rest}` is allowed")
        else:
            self.explain(question, rest)
        return False

    def _info(self, rest: str, question: Question) -> bool:
        if not rest:
            self._table.say("info about what? For example the name of a card, a space or an action")
            return False
        seat = question.seat if question.seat in self._table.record.seats else None
        self._table.tell(Info(self._game, self._table.record.state, seat).about(rest))
        return False

    def _hint(self, rest: str, question: Question) -> bool:
        from ludwright.cli.commands.analyse import hint

        record = self._table.record
        self._table.tell(hint(self._game, record.state, question.seat, record.past(), rest))
        return False

    def _undo(self, rest: str, question: Question) -> bool:
        if self._table.undo():
            return True
        self._table.say("nothing to take back: the last thing that happened can't be undone")
        return False

    def _board(self, rest: str, question: Question) -> bool:
        self._table.show_again()
        return True

    def _moves(self, rest: str, question: Question) -> bool:
        self._table.say(show(question.menu, self._table.terminal.width, full=True))
        return False

    def _log(self, rest: str, question: Question) -> bool:
        """The last lines, as many as the screen holds; `log all` tells all of them."""
        told = [line.text(question.seat) for line in self._table.record.story]
        lines = "\n".join(filter(None, told)).split("\n")
        kept = lines if rest == "all" else lines[-self._room() :]
        if len(kept) < len(lines):
            left = len(lines) - len(kept)
            shown = "it" if left == 1 else "them"
            kept = [f"({plural(left, 'earlier line')}; `log all` shows {shown})", *kept]
        self._table.tell("\n".join(kept) or "nothing has happened yet")
        return False

    def _room(self) -> int:
        """Lines that a text may have without scrolling its beginning away."""
        return max(5, self._table.terminal.height - MARGIN)

    def _rules(self, rest: str, question: Question) -> bool:
        """All of the prose if it fits, else a part of it by its heading."""
        self._table.tell(self._part_of_the_rules(rest))
        return False

    def _part_of_the_rules(self, wanted: str) -> str:
        parts = sections(self._rulebook)
        if wanted == "all" or (not wanted and self._rulebook.count("\n") < self._room()):
            return self._rulebook
        if wanted:
            found = [text for name, text in parts if bare(name).startswith(bare(wanted) or "?")]
            if found:
                return "\n\n".join(found)
        names = "\n".join(f"  {name}" for name, _ in parts[1:])
        heads = f"{parts[0][1]}\n\n" if not wanted else f"there is no part `{wanted}`\n"
        return f"{heads}`rules all`, or `rules` and the beginning of one of:\n{names}"

    def _save(self, rest: str, question: Question) -> bool:
        if not rest:
            self._table.say("save where? For example: save game.json")
            return False
        try:
            self._table.record.trace.write(Path(rest))
        except OSError as error:
            self._table.say(f"{rest} can't be written: {error.strerror or error}")
        else:
            left = self._table.has_open_picks
            without = ", without the picks that are not complete yet" if left else ""
            self._table.say(f"saved to {rest}{without}")
        return False

    def _load(self, rest: str, question: Question) -> bool:
        if not rest:
            self._table.say("load what? For example: load game.json")
            return False
        try:
            self._table.resume(read_trace(Path(rest)))
        except TraceError as error:
            self._table.say(str(error))
            return False
        return True

    def _help(self, rest: str, question: Question) -> bool:
        self._table.say(HELP)
        return False

    def _quit(self, rest: str, question: Question) -> bool:
        raise Quit


def _told(refused: IllegalMove) -> str:
    return for_people(f"{refused.reason}{f' ({refused.rule})' if refused.rule else ''}")


def _nearest(menu: Menu, entry: str, what: str) -> str:
    possible = beginning_with(menu, entry)
    if possible:
        shown = ", ".join(possible[:_EXAMPLES])
        return f"it is only the beginning of {shown}{', …' if possible[_EXAMPLES:] else ''}"
    if is_number(entry) and menu.items and not menu.stem:
        return f"the options have the numbers 1 to {len(menu.items)}"
    example = f"; `{menu.items[0].text}` would be one" if menu.items else ""
    return f"{what} is written like that here{example}"
