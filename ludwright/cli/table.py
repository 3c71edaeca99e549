"""A game at the table: people at a terminal and bots in the other seats.

The terminal is handed in, so that whole conversations can be tested as lists of lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ludwright.agents import Agent, View
from ludwright.agents.answers import Answers
from ludwright.agents.protocol import STOP
from ludwright.cli.menu import (
    Item,
    Menu,
    beginning_with,
    common_stem,
    find,
    find_beginning,
    option_menu,
    show,
)
from ludwright.cli.move_log import Line, answers_text, move_of, move_text, news
from ludwright.errors import IllegalMove
from ludwright.kernel.play.session import Session
from ludwright.kernel.play.typed_moves import explain
from ludwright.kernel.protocol.decision import Range
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.views.wording import option_text
from ludwright.simulate import Recorder, Trace, TraceError, read_trace, replay

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.decision import Decision
    from ludwright.kernel.protocol.state import State
    from ludwright.kernel.protocol.step import Step

HELP = """\
Type the number of an option or the option itself. Besides:
  why ENTRY   whether ENTRY is allowed now, and by which rule it is not
  hint        what a bot would answer, after thinking for a second (hint 5: five seconds)
  undo        take back your last entry, up to the last new information
  board       show the table again
  moves       list everything you can enter
  log         what has happened
  rules       the rulebook
  save FILE   save the game      load FILE   go on with a saved game
  help        this text          quit        leave"""


NEWS = ("rolled", "shuffled", "revealed", "concealed")  # events nobody could foresee
_EXAMPLES = 8  # of possible entries in one line


class Terminal(Protocol):
    width: int

    def ask(self, prompt: str) -> str:
        """A line; EOFError or KeyboardInterrupt when the player leaves."""
        ...

    def say(self, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Setting:
    """What a game was started with; enough to start it again."""

    name: str
    parameters: Mapping[str, int | bool]
    seed: int
    players: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a person began a move, and how much had been written down before."""

    state: State
    answers: int
    lines: int


class Quit(Exception):
    pass


class Table:
    def __init__(
        self,
        game: Game,
        setting: Setting,
        people: frozenset[str],
        bots: Mapping[str, Agent],
        terminal: Terminal,
        rules: str = "",
    ) -> None:
        self._game = game
        self._people = people
        self._bots = bots
        self._terminal = terminal
        self._rulebook = rules
        self._commands = {
            "why": self._why,
            "hint": self._think,
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
        self._start(setting)

    def _start(self, setting: Setting) -> None:
        state = self._game.initial_state(seed=setting.seed, players=setting.players)
        self._setting = setting
        self._seats = self._game.seats[: setting.players]
        self._session = Session(self._game, state)
        self._recorder = Recorder(self._game, state)
        self._past: list[tuple[State, Any]] = []  # the states before each answer, for bots
        self._lines: list[Line] = []
        self._part: list[tuple[Decision, Any, Step]] = []
        self._part_start = state
        self._entries: list[int] = []  # answers before each entry of this part, for undo
        self._marks: list[Mark] = []  # beginnings of moves since something new became known
        self._shown: State | None = None
        self._screen = ""  # the table as it was last shown

    @property
    def state(self) -> State:
        return self._session.state

    @property
    def trace(self) -> Trace:
        s = self._setting
        return self._recorder.trace(
            s.name, self._game.gamedef_hash, s.parameters, s.players, s.seed
        )

    # --------------------------------------------------------------- playing

    def play(self) -> None:
        """Until the game is over or the player leaves."""
        try:
            while (decision := self._game.decision(self.state)) is not None:
                seat = self._asked(decision)
                if seat is None:
                    self._bot(decision)
                else:
                    decision = self._game.decision(self.state, seat) or decision
                    self._person(decision)
        except (Quit, EOFError, KeyboardInterrupt):
            self._say("goodbye")
            return
        self._say(self._drawn(self._viewer()))
        self._say(self.outcome())

    def outcome(self) -> str:
        result = self._game.result(self.state)
        if result is None:
            return "the game is not over"
        text = f"{' and '.join(result.winners)} won" if result.winners else "nobody won"
        if result.outcome == "draw" or len(result.winners) == len(self._seats) > 1:
            text = "a draw"
        if result.outcome == "score":
            text += " with " + ", ".join(f"{seat} {n}" for seat, n in result.scores.items())
        return f"{text}: {result.reason}" if result.reason else text

    def _asked(self, decision: Decision) -> str | None:
        """The person to ask; None if a bot decides."""
        seats = decision.together or (decision.seat,)
        return next((seat for seat in seats if seat in self._people), None)

    def _viewer(self) -> str | None:
        """Whose view is shown when nobody is asked: one person's, or all when nobody plays."""
        return next((seat for seat in self._seats if seat in self._people), None)

    def _bot(self, decision: Decision) -> None:
        agent = self._bots[decision.seat]
        if not Answers(decision):
            self._back_to_start()
            return
        view = View(self._game, self.state, decision, self._seats, self._remembered())
        self._answer(decision, agent.choose(view))

    def _remembered(self) -> list[tuple[State, Any]]:
        """What was answered so far, without what was taken back."""
        del self._past[len(self._recorder.answers) :]
        return self._past

    def _person(self, decision: Decision) -> None:
        if not Answers(decision):
            self._say("This can't be finished; the move starts again.")
            self._back_to_start()
            return
        if self.state is not self._shown:
            if decision.head or self._shown is None or not self._part:
                drawn = self._drawn(decision.seat)
                if self._shown is None or drawn != self._screen:
                    self._say("\n" + drawn + "\n")
                self._screen = drawn
            self._shown = self.state
        menu = self._menu(decision)
        self._say(show(menu, self._terminal.width))
        while True:
            entry = self._terminal.ask(f"{decision.seat}> ").strip()
            if not entry:
                continue
            word, _, rest = entry.partition(" ")
            item = find(menu, entry)
            command = self._commands.get(word.lower()) if item is None else None
            if command is not None:
                if command(rest.strip(), decision):
                    return
            elif item is not None:
                self._enter(decision, item)
                return
            elif (
                self._typed_move(decision, entry)
                or self._typed_option(decision, entry)
                or self._typed_list(decision, entry)
            ):
                return
            elif (begun := find_beginning(menu, entry)) is not None:
                self._enter(decision, begun)
                return
            else:
                self._explain(decision, entry)

    def _menu(self, decision: Decision) -> Menu:
        named = decision.role in ("action", "param")  # the move is an action with a notation
        if decision.head and named and (moves := self._game.legal_moves(self.state)):
            texts = [self._game.notation(self.state, move) for move in moves]
            if len(set(texts)) == len(texts):
                items = tuple(Item(text, move) for text, move in zip(texts, moves, strict=True))
                return self._stemmed(Menu(f"{decision.seat} to move:", items))
        return self._options(decision)

    def _options(self, decision: Decision) -> Menu:
        title = f"{decision.seat}: {self._question(decision)}"
        options = decision.options
        if isinstance(options, Range) and not (decision.optional or decision.can_stop):
            return option_menu(title, range(options.lo, options.hi + 1))
        texts = () if isinstance(options, Range) else self._texts(decision)
        return self._stemmed(option_menu(title, tuple(Answers(decision)), texts))

    def _texts(self, decision: Decision) -> list[str]:
        """The options in words, as far as they are still those of the state."""
        texts = self._game.option_texts(self.state, decision.seat)
        return texts if len(texts) == len(decision.options) else []

    def _question(self, decision: Decision) -> str:
        asked = self._game.question(self.state, decision.seat)
        chosen = ", ".join(map(option_text, decision.picked))
        asked += f", so far {chosen}" if chosen else ""
        return asked if asked.endswith("?") else f"{asked}:"

    def _stemmed(self, menu: Menu) -> Menu:
        """Spaces that the board shows by their numbers are entered by them."""
        stem = common_stem(menu.items, self._game.program.world.groups)
        return replace(menu, stem=stem) if stem else menu

    def _enter(self, decision: Decision, item: Item) -> None:
        self._begin_entry()
        if isinstance(item.value, Move):
            self._walk(item.value, decision.seat)
        else:
            self._answer(decision, item.value)

    def _begin_entry(self) -> None:
        self._entries.append(len(self._recorder.answers))
        if not self._part and self._all_is_open():
            self._marks.append(Mark(self.state, len(self._recorder.answers), len(self._lines)))

    def _all_is_open(self) -> bool:
        """Whether every seat sees everything. Then the moves of others reveal nothing hidden."""
        whole = self._game.observe(self.state, None)
        return all(
            seen[part] == whole[part]
            for seen in (self._game.observe(self.state, seat) for seat in self._seats)
            for part in ("places", "variables")
        )

    def _walk(self, move: Move, seat: str) -> None:
        """Give a move's answers one by one; what it leaves open is asked next."""
        left = {key: _listed(value) for key, value in move.params.items()}
        first = True
        while True:
            decision = self._game.decision(self.state)
            if decision is None or decision.seat != seat or (decision.head and not first):
                return
            if decision.role == "action":
                answer: Any = move.action_id
            elif decision.decision_id in left:
                values = left[decision.decision_id]
                if values:
                    answer = values.pop(0)
                elif decision.can_stop:
                    answer = STOP
                else:
                    return
            else:
                return
            first = False
            if self._answer(decision, answer).part_ended:
                return

    def _answer(self, decision: Decision, option: Any) -> Step:
        if not self._part:
            self._part_start = self.state
        before, past = self.state, self._remembered()
        step = self._session.choose(option, decision.seat)
        past.append((before, option))
        self._recorder.add(decision, option, step)
        self._part.append((decision, option, step))
        if step.learned:
            self._entries = []
        if step.learned or decision.together or any(e.kind in NEWS for e in step.events()):
            self._marks = []
        if step.part_ended:
            self._report(decision.seat, step)
            self._part = []
            self._entries = []
        return step

    def _report(self, seat: str, step: Step) -> None:
        move = move_of([(decision, option) for decision, option, _ in self._part])
        begun = self._part[0][0].head
        text = move_text(self._game, self._part_start, move) if begun else answers_text(move)
        line = Line(seat, text, tuple(step for _, _, step in self._part))
        self._lines.append(line)
        own = seat in self._people
        text = "\n".join(news(step.events(seat))) if own else line.text(self._viewer())
        if text:
            self._say(text)

    def _back_to_start(self) -> None:
        while self._session.can_undo:
            self._session.undo()
        self._recorder.drop(len(self._recorder.answers) - len(self._part))
        self._part = []
        self._entries = []

    # -------------------------------------------------------------- entries

    def _typed(self, decision: Decision, entry: str) -> bool:
        """Whether an entry means something that the menu does not list."""
        return (
            self._typed_move(decision, entry)
            or self._typed_option(decision, entry)
            or self._typed_list(decision, entry)
        )

    def _typed_move(self, decision: Decision, entry: str) -> bool:
        """A complete move in the game's notation, also where only its template is listed."""
        if not decision.head:
            return False
        try:
            move = self._game.parse_move(self.state, entry)
        except IllegalMove:
            return False
        self._enter(decision, Item(entry, move))
        return True

    def _typed_option(self, decision: Decision, entry: str) -> bool:
        """The first answer of a move alone, where whole moves are listed: the rest is asked."""
        item = find(self._options(decision), entry) if not entry.isdecimal() else None
        if item is None:
            return False
        self._enter(decision, item)
        return True

    def _typed_list(self, decision: Decision, entry: str) -> bool:
        """Several picks at once, in any order: `KS AD AS`."""
        wanted: list[Any] = entry.replace(",", " ").split()
        if decision.kind != "chooseN" or len(wanted) < 2:
            return False
        try:
            self._game.choose(self.state, wanted, decision.seat)
        except IllegalMove:
            return False
        self._begin_entry()
        name = decision.decision_id
        while True:
            now = self._game.decision(self.state, decision.seat)
            if now is None or now.decision_id != name or now.seat != decision.seat:
                return True
            pick = next((option for option in now.options if option in wanted), None)
            if pick is None and not now.can_stop:
                return True
            if pick is not None:
                wanted.remove(pick)
            self._answer(now, STOP if pick is None else pick)
            if pick is None:
                return True

    def _explain(self, decision: Decision, entry: str) -> None:
        text = self._reason(decision, entry)
        self._say(f"`{entry}` is not possible: {text}")

    def _reason(self, decision: Decision, entry: str) -> str:
        if decision.head:
            if beginning_with(self._menu(decision), entry):
                return self._hint(self._menu(decision), entry)
            why = explain(self._game, self.state, entry)
            if why is not None and not why.legal:
                rule = f" ({why.rule}{f', line {why.span.line}' if why.span else ''})"
                return f"{why.reason or why.code}{rule if why.rule else ''}"
            return self._hint(self._menu(decision), entry)
        try:
            self._game.choose(self.state, entry, decision.seat)
        except IllegalMove as error:
            return f"{error.reason}{f' ({error.rule})' if error.rule else ''}"
        return "it is not one of the options; `help` lists what you can type"

    def _hint(self, menu: Menu, entry: str) -> str:
        possible = beginning_with(menu, entry)
        if possible:
            shown = ", ".join(possible[:_EXAMPLES])
            return f"it is only the beginning of {shown}{', …' if possible[_EXAMPLES:] else ''}"
        example = f"; `{menu.items[0].text}` would be one" if menu.items else ""
        return f"no move is written like that here{example}"

    # ------------------------------------------------------------- commands
    # Each returns True if the decision has to be asked again.

    def _why(self, rest: str, decision: Decision) -> bool:
        if not rest:
            self._say("why what? For example: why 1")
        elif find(self._menu(decision), rest) is not None:
            self._say(f"`{rest}` is allowed")
        else:
            try:
                self._game.parse_move(self.state, rest)
                self._say(f"`{rest}` is allowed")
            except IllegalMove:
                self._explain(decision, rest)
        return False

    def _think(self, rest: str, decision: Decision) -> bool:
        from ludwright.cli.analyse import hint

        self._say(hint(self._game, self.state, decision.seat, self._remembered(), rest))
        return False

    def _undo(self, rest: str, decision: Decision) -> bool:
        if not self._entries or not self._session.can_undo:
            while self._marks and self._marks[-1].state is self.state:
                self._marks.pop()  # this move was begun before, and taken back
            if not self._part and self._marks:
                self._back_to(self._marks.pop())
                return True
            self._say("nothing to take back: the last thing that happened can't be undone")
            return False
        length = self._entries.pop()
        while len(self._recorder.answers) > length and self._session.can_undo:
            self._session.undo()
            self._recorder.drop(len(self._recorder.answers) - 1)
            self._part.pop()
        self._shown = None
        return True

    def _back_to(self, mark: Mark) -> None:
        """Take back the whole last move, and the answers of others to it."""
        self._session = Session(self._game, mark.state)
        self._recorder.drop(mark.answers)
        del self._lines[mark.lines :]
        self._entries = []
        self._shown = None

    def _board(self, rest: str, decision: Decision) -> bool:
        self._shown = None
        return True

    def _moves(self, rest: str, decision: Decision) -> bool:
        self._say(show(self._menu(decision), self._terminal.width, full=True))
        return False

    def _log(self, rest: str, decision: Decision) -> bool:
        lines = [line.text(decision.seat) for line in self._lines]
        self._say("\n".join(filter(None, lines)) or "nothing has happened yet")
        return False

    def _rules(self, rest: str, decision: Decision) -> bool:
        self._say(self._rulebook)
        return False

    def _save(self, rest: str, decision: Decision) -> bool:
        if not rest:
            self._say("save where? For example: save game.json")
            return False
        try:
            self.trace.write(Path(rest))
        except OSError as error:
            self._say(f"{rest} can't be written: {error.strerror or error}")
        else:
            self._say(f"saved to {rest}")
        return False

    def _load(self, rest: str, decision: Decision) -> bool:
        if not rest:
            self._say("load what? For example: load game.json")
            return False
        try:
            self.resume(read_trace(Path(rest)))
        except TraceError as error:
            self._say(str(error))
            return False
        return True

    def resume(self, trace: Trace) -> None:
        """Verify a saved game and go on where it stopped; nothing changes if it is refused."""
        outcome = replay(self._game, self._game.gamedef_hash, trace)
        if outcome.difference is not None:
            raise TraceError(str(outcome.difference))
        terminal, self._terminal = self._terminal, _Silent()
        self._start(Setting(trace.game, trace.parameters, trace.seed, trace.players))
        for entry in trace.entries:
            for _, option in entry.params:
                decision = self._game.decision(self.state, entry.seat)
                assert decision is not None, "replay has verified every answer"
                if entry.seat in self._people or self._part:
                    self._begin_entry()
                self._answer(decision, option)
        self._terminal = terminal

    def _help(self, rest: str, decision: Decision) -> bool:
        self._say(HELP)
        return False

    def _quit(self, rest: str, decision: Decision) -> bool:
        raise Quit

    # -------------------------------------------------------------- showing

    def _drawn(self, seat: str | None) -> str:
        return self._game.draw(self.state, seat, self._terminal.width)

    def _say(self, text: str) -> None:
        self._terminal.say(text)


class _Silent:
    width = 100

    def ask(self, prompt: str) -> str:
        raise EOFError

    def say(self, text: str) -> None:
        return


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
