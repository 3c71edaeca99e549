"""A game at the table: people at a terminal and bots in the other seats.

The terminal is handed in, so that whole conversations can be tested as lists of lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ludwright.agents import Agent, View
from ludwright.agents.agent import careful_answer
from ludwright.agents.answers import Answers
from ludwright.agents.protocol import CHANCE, STOP
from ludwright.cli.screen.asking import Asking, Question
from ludwright.cli.screen.commands import Commands, Quit
from ludwright.cli.screen.menu import Item, find, find_beginning, is_number, show
from ludwright.cli.screen.move_log import news
from ludwright.cli.screen.reading import DONE, Reader
from ludwright.cli.screen.record import Record, Setting, moved, resumed
from ludwright.cli.screen.terminal import Terminal
from ludwright.errors import IllegalMove
from ludwright.kernel.play.game import core_of
from ludwright.kernel.play.numbered_options import answers_in_order, option_words, sorted_picks
from ludwright.kernel.protocol.move import Move
from ludwright.kernel.views.board import Look, Role, faces
from ludwright.kernel.views.observation import SPECTATOR
from ludwright.kernel.views.wording import listed, plain

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.decision import Decision
    from ludwright.kernel.protocol.state import State
    from ludwright.kernel.protocol.step import Step
    from ludwright.simulate import Trace


REMARKS = "+#!?"  # that people write behind a move


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
        self.people = people
        self._bots = bots
        self._faults_told: set[tuple[str, str]] = set()
        self.terminal = terminal
        self._wording = core_of(game).wording
        self._asking = Asking(game)
        self._reader = Reader(game, tuple(game.program.world.groups))
        self._commands = Commands(self, game, rules)
        self._start(Record(game, setting))

    def _start(self, record: Record) -> None:
        self.record = record
        self._shown: State | None = None
        self._screen = ""  # the table as it was last shown
        self._picked: tuple[int, ...] = ()  # picks of a set that is not complete yet
        self._at_screen: str | None = None  # the person who looks at it
        self._read: dict[str | None, int] = {}  # by viewer: how many lines were told
        self._turned: dict[str | None, bool] = {}

    @property
    def state(self) -> State:
        return self.record.state

    @property
    def trace(self) -> Trace:
        return self.record.trace

    # --------------------------------------------------------------- playing

    def play(self) -> None:
        """Until the game is over or the player leaves."""
        if self._tells_at_once():
            self._tell_news(self._viewer())
        try:
            while (decision := self._game.decision(self.state)) is not None:
                seat = self._asked(decision)
                if seat is None:
                    self._bot(decision)
                else:
                    self._person(seat)
        except (Quit, EOFError, KeyboardInterrupt):
            self.say("goodbye")
            return
        viewer = self._viewer()
        if not self._tells_at_once() and self._at_screen is not None:
            self._read[viewer] = self._read.get(self._at_screen, 0)
            self._tell_news(viewer)
        self.say(f"\n{self.drawn(viewer)}\n")
        self.say(self.outcome())

    def outcome(self) -> str:
        result = self._game.result(self.state)
        if result is None:
            return "the game is not over"
        named = self._wording.seat
        winners = " and ".join(map(named, result.winners))
        text = f"{winners} won" if winners else "nobody won"
        if result.outcome == "draw" or len(result.winners) == len(self.record.seats) > 1:
            text = "a draw"
        if result.outcome == "score":
            text += " with " + ", ".join(f"{named(seat)} {n}" for seat, n in result.scores.items())
        return f"{text}: {result.reason}" if result.reason else text

    def sitting(self) -> str:
        """`you are white, against greedy`."""
        record = self.record
        named = self._wording.seat
        people = [named(seat) for seat in record.seats if seat in self.people]
        if not people:
            return ""
        bots: dict[str, list[str]] = {}
        for seat in record.seats:
            if seat not in self.people:
                bots.setdefault(record.setting.sitting.get(seat, "a bot"), []).append(named(seat))
        if not bots:
            return f"{listed(people)} play at this screen" if people[1:] else f"you are {people[0]}"
        own = f"you are {people[0]}" if not people[1:] else f"{listed(people)} play at this screen"
        if len(record.seats) == 2:
            return f"{own}, against {next(iter(bots))}"
        return f"{own}, against {'; '.join(f'{b} ({listed(s)})' for b, s in bots.items())}"

    def _asked(self, decision: Decision) -> str | None:
        """The person to ask; None if a bot decides. What chance gives anybody may enter."""
        if decision.seat == CHANCE:
            return CHANCE
        seats = decision.together or (decision.seat,)
        return next((seat for seat in seats if seat in self.people), None)

    def _viewer(self) -> str | None:
        """Whose view is shown when nobody is asked: one person's, what all see where several
        share the screen, or everything when nobody plays."""
        people = [seat for seat in self.record.seats if seat in self.people]
        if len(people) > 1:
            return SPECTATOR
        return people[0] if people else None

    def _bot(self, decision: Decision) -> None:
        agent = self._bots[decision.seat]
        if not Answers(decision):
            self.record.back_to_start()
            return
        record = self.record
        view = View(self._game, self.state, decision, record.seats, record.past())
        answer = careful_answer(agent, view)
        self._note_faults(decision.seat, view)
        self._answer(decision, answer)

    def _note_faults(self, seat: str, view: View) -> None:
        """Tell once of a mistake in the rulebook that a bot met while it thought ahead."""
        for fault in view.faults:
            known = (fault.code, fault.rule)
            if known not in self._faults_told:
                self._faults_told.add(known)
                name = self._wording.seat(seat)
                self.say(
                    f"({name} thought of an answer after which the rulebook is at fault, and plays "
                    f"on: {fault})"
                )

    def _person(self, seat: str) -> None:
        question = self.question(seat)
        if not Answers(question.decision):
            self.say("This can't be finished; the move starts again.")
            self.record.back_to_start()
            return
        self._hand_over(question)
        if not self._forced(question):
            self.ask(question)

    def ask(self, question: Question) -> None:
        """Show a question and read lines until one of them changes something."""
        self._show(question)
        seat = question.seat
        while True:
            prompt = "chance" if seat == CHANCE else self._wording.seat(seat)
            entry = self.terminal.ask(f"{prompt}> ").strip()
            if entry and self._entered(question, entry):
                return

    def question(self, seat: str) -> Question:
        """What a person is asked now."""
        return self._asking.question(self.state, seat, self._picked)

    def _show(self, question: Question) -> None:
        if self.state is not self._shown:
            if question.decision.head or self._shown is None or not self.record.in_a_part:
                drawn = self.drawn(self._seer(question.seat))
                if self._shown is None or drawn != self._screen:
                    self.say("\n" + drawn + "\n")
                self._screen = drawn
            self._shown = self.state
        title, *rest = show(question.menu, self.terminal.width).split("\n")
        self.say("\n".join([self.terminal.paint(title, Role("title")), *rest]))

    def _seer(self, seat: str) -> str | None:
        return self._viewer() if seat == CHANCE else seat

    def show_again(self) -> None:
        """The next question comes with the table."""
        self._shown = None

    # ------------------------------------------------------------ hot seat

    def _hand_over(self, question: Question) -> None:
        """Where several share the screen and something is hidden, nobody sees the others' view."""
        seat = question.seat
        if seat in (CHANCE, self._at_screen) or len(self.people) < 2:
            return
        if question.decision.together or self.record.hides_something():
            self.terminal.clear()
            name = self._wording.seat(seat)
            self.terminal.ask(f"Hand over to {name}. Press Enter when only {name} looks. ")
            self.terminal.clear()
            self._shown = None
            self._tell_news(seat)
        self._at_screen = seat

    def _tell_news(self, seat: str | None) -> None:
        """What has happened since somebody looked last."""
        lines = self.record.story
        told = [line.text(seat) for line in lines[self._read.get(seat, 0) :]]
        self._read[seat] = len(lines)
        if any(told):
            self.tell("\n".join(filter(None, told)))

    def _tells_at_once(self) -> bool:
        return len(self.people) < 2 or not self.record.hides_something()

    # ------------------------------------------------------------- answering

    def _forced(self, question: Question) -> bool:
        """Whether the only answer there is was given, and told."""
        only = self._asking.only_answer(self.state, question)
        if only is None:
            return False
        self.record.begin_entry()
        name = self._wording.seat(question.seat) if question.seat != CHANCE else "chance"
        if isinstance(only, Move):
            self.say(f"{name}: {question.menu.items[0].text} (the only move)")
            self._walk(only, question.seat)
            return True
        told = ", ".join(item.text for item in question.menu.items if item.text != "done")
        if is_number(told):
            told = f"{plain(question.decision.name)} {told}"
        self.say(f"{name}: {told or 'nothing'} (the only choice)")
        if question.picks_a_set and only != [STOP]:
            self._give_set(question, only)
        else:
            self._give(question.seat, only)
        return True

    def _entered(self, question: Question, entry: str) -> bool:
        """Whether an entry has changed anything, so that the question is asked anew."""
        item = find(question.menu, entry) or _nothing_more(question, entry)
        if item is None:
            done = self._commands.run(entry, question)
            if done is not None:
                return done
        else:
            self._enter(question, item)
            return True
        if self._typed(question, entry):
            return True
        begun = find_beginning(question.menu, entry)
        if begun is not None:
            self._enter(question, begun)
            return True
        self._commands.explain(question, entry)
        return False

    def takes(self, question: Question, entry: str) -> bool:
        """Whether an entry would be taken as an answer, or as the beginning of one."""
        if find(question.menu, entry) is not None or find_beginning(question.menu, entry):
            return True
        if question.decision.head and self._written(entry) is not None:
            return True
        return self._reader.read(self.state, question.seat, entry) is not None

    def _enter(self, question: Question, item: Item) -> None:
        if question.picks_a_set:
            self._pick(question, [] if item.value is None else [item.value], item.value is None)
            return
        self.record.begin_entry()
        if isinstance(item.value, Move):
            self._walk(item.value, question.seat)
        else:
            self._answer(question.decision, item.value)

    def _typed(self, question: Question, entry: str) -> bool:
        """Whether an entry means something that the menu does not list."""
        if question.picks_a_set and self._typed_picks(question, entry):
            return True
        if question.decision.head and question.seat != CHANCE:
            move = self._written(entry)
            if move is not None:
                self.record.begin_entry()
                self._walk(move, question.seat)
                return True
        answers = None if is_number(entry) else self._reader.read(self.state, question.seat, entry)
        if answers is None:
            return False
        self.record.begin_entry()
        self._picked = ()
        self._give(question.seat, answers)
        return True

    def _written(self, entry: str) -> Move | None:
        """The move that an entry is in the game's notation; `+` and `!` behind it do not count."""
        for text in dict.fromkeys((entry, entry.rstrip(REMARKS))):
            try:
                return self._game.parse_move(self.state, text)
            except IllegalMove:
                continue
        return None

    # ----------------------------------------------------------------- picks

    def _typed_picks(self, question: Question, entry: str) -> bool:
        """Several picks at once, in any order: `KS AD AS`, or by their numbers: `1 4 5`."""
        numbers = entry.replace(",", " ").split()
        if len(numbers) > 1 and question.menu.numbered and all(map(is_number, numbers)):
            items = [find(question.menu, number) for number in numbers]
            if None in items or len({item.text for item in items if item}) < len(items):
                return False
            self._pick(question, [i.value for i in items if i and i.value is not None], False)
            return True
        found = self._reader.picks(self.state, question.offer, entry, self._picked)
        if found is None or not (found[0] or found[1]):
            return False
        return self._pick(question, *found)

    def _pick(self, question: Question, numbers: list[int], done: bool) -> bool:
        """Add to the picks; when they are all that can be, or said to be, they are the answer."""
        picked = (*self._picked, *numbers)
        try:
            after = self._asking.question(self.state, question.seat, picked)
        except IllegalMove as refused:
            self._commands.refuse(refused)
            return False
        draft = after.draft
        assert draft is not None
        if done or not draft.add:
            try:
                answers_in_order(self._game, self.state, after.offer, after.picks)
            except IllegalMove as refused:
                self._commands.refuse(refused)
                return False
            self.record.begin_entry()
            self._picked = ()
            self._give_set(after, after.picks)
            return True
        self._picked = picked
        return True

    def _give_set(self, question: Question, picks: list[Any]) -> None:
        """The picks of a set, in the order in which the state asks, in the words of the set."""
        offer, state = question.offer, self.state
        texts = dict(
            zip(map(str, offer.options), option_words(self._game, state, offer), strict=True)
        )
        words = [texts[str(pick)] for pick in sorted_picks(self._game, state, offer, picks)]
        self._give(question.seat, answers_in_order(self._game, state, offer, picks), words)

    # --------------------------------------------------------------- answers

    def _give(self, seat: str, answers: list[Any], words: Sequence[str] = ()) -> None:
        for answer, text in zip_longest(answers, words, fillvalue=""):
            decision = self._game.decision(self.state, seat)
            assert decision is not None, "the answers were tried before"
            self._answer(decision, answer, text)

    def _walk(self, move: Move, seat: str) -> None:
        """Give a move's answers one by one; what it leaves open is asked next."""
        left = {key: _listed(value) for key, value in move.params.items()}
        first = True
        while True:
            decision = self._game.decision(self.state, seat)
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

    def _answer(self, decision: Decision, option: Any, text: str = "") -> Step:
        step, line = self.record.answer(decision, option, text)
        if line is None or not self._tells_at_once():
            return step
        seat, viewer = decision.seat, self._viewer()
        own = seat in self.people
        text = "\n".join(news(step.events(seat), self._wording.called)) if own else ""
        if not own:
            text = line.text(viewer)
            name = self._wording.seat(seat) if seat != CHANCE else ""
            if text.startswith(f"{name}: "):
                number = self._game.seats.index(seat) if seat in self._game.seats else 0
                painted = self.terminal.paint(name, Role("seat", name, number))
                text = painted + text.removeprefix(name)
        if text:
            self.tell(text)
        return step

    # ------------------------------------------------------- taking back, saving

    def undo(self) -> bool:
        """Take back the last pick, or the last entry."""
        if self._picked:
            self._picked = self._picked[:-1]
            return True
        if not self.record.undo():
            return False
        self._shown = None
        return True

    @property
    def has_open_picks(self) -> bool:
        return bool(self._picked)

    def resume(self, trace: Trace) -> None:
        """Verify a saved game and go on where it stopped; nothing changes if it is refused."""
        self._start(resumed(self._game, trace, self.people))
        viewers = (*self.record.seats, SPECTATOR, None)
        self._read = dict.fromkeys(viewers, len(self.record.story))

    # -------------------------------------------------------------- showing

    def drawn(self, viewer: str | None) -> str:
        seats = tuple(map(self._wording.seat, self.record.seats))
        look = Look(self.terminal.paint, self._is_turned(viewer), self._moved(viewer), seats)
        return core_of(self._game).draw(self.state, viewer, self.terminal.width, look)

    def _is_turned(self, viewer: str | None) -> bool:
        """Whether a seat sits at the far side of the board: decided once, at the start."""
        if viewer not in self._turned:
            known = viewer in self.record.seats
            setting = self.record.setting
            turned = False
            if known and viewer is not None:
                first = self._game.initial_state(setting.seed, setting.players, setting.scenario)
                scene = core_of(self._game).scene(first, viewer)
                turned = faces(scene, self._wording.seat(viewer))
            self._turned[viewer] = turned
        return self._turned[viewer]

    def _moved(self, viewer: str | None) -> frozenset[str]:
        """Where others have moved since the viewer did."""
        steps: list[Step] = []
        for line in reversed(self.record.lines):
            if line.seat == viewer and viewer is not None:
                break
            steps += line.steps
            if viewer in (None, SPECTATOR):
                break
        return moved(iter(steps), viewer)

    def say(self, text: str) -> None:
        self.terminal.say(text)

    def tell(self, text: str) -> None:
        """Lines of the log, broken between words where they are too long."""
        lines: list[str] = []
        for line in text.split("\n"):
            indent = " " * (len(line) - len(line.lstrip()))
            lines += wrap(line, self.terminal.width, subsequent_indent=f"{indent}  ") or [line]
        self.say("\n".join(lines))


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _nothing_more(question: Question, entry: str) -> Item | None:
    """`done` ends every choice that may be left at that, whatever its list calls it: the picks of
    an `each` are choices of their own, and end with none."""
    if entry.strip().lower() not in DONE:
        return None
    return next((item for item in question.menu.items if item.value in (None, STOP)), None)
