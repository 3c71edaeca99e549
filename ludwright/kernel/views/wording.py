"""Words for people: names as they are read, sentences (`say`), and questions (`ask`).

Rules and callers use names (`hand:red`, `$away`, `stone#3`). What people read is made here, from
the titles of the rulebook where it gives any. What a seat is told goes through the same filter as
an observation: a piece that the seat does not see has no name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ludwright import program as ir
from ludwright.errors import RulebookFault
from ludwright.kernel.interpreter.machine import Machine
from ludwright.kernel.interpreter.run import Cells, Refused, Run
from ludwright.kernel.interpreter.sentences import Sentence
from ludwright.kernel.interpreter.stop import STOP, Stop
from ludwright.kernel.views.naming import Values
from ludwright.kernel.views.plurals import fitting, plural
from ludwright.kernel.views.questions import Questions
from ludwright.program.cells import set_members
from ludwright.program.types import Type

_HUMPS = re.compile(r"(?<=[a-z0-9])([A-Z])(?=[a-z])")
_NUMBERED = re.compile(r"#\d+'*$")  # at the end of the name of one of several alike
# `proc.$from[0]`, `__special_before`
_SIGNED = re.compile(r"(?:\w+\.)*(\$\w+|\b__\w+)(?:\[\w*\])*")
_SPECIALS = {
    "special before": "a special activity first?",
    "special during": "a special activity now?",
    "special after": "a special activity afterwards?",
}
# what rulebooks often call the parts of a move, as questions
_QUESTIONS = {
    "origin": "from where?", "source": "from where?", "from": "from where?",
    "target": "where to?", "destination": "where to?", "goal": "where to?", "to": "where to?",
    "into": "into where?", "where": "where?", "how": "how?", "who": "who?", "whom": "whom?",
    "amount": "how many?", "many": "how many?",
}  # fmt: skip
_NOUNS = (
    "card", "cell", "city", "column", "face", "hex", "kind", "piece", "pile", "place", "player",
    "point", "row", "seat", "side", "space", "square", "suit", "tile", "unit",
)  # fmt: skip
# a choice that is called by a letter or two is named by the kind of its answers
_BY_KIND = {"int": "how many?", "seat": "who?", "bool": "yes or no?", "direction": "which way?"}
LETTERS = 2
FEW = 4  # actions that a question names
ACTIONS = "__actions"  # the type of the labels that are actions
NOTHING = "–"  # in the place of a value that is not there, or cannot be told


def option_text(option: Any) -> str:
    """An option, or any other value, as it is shown and may be typed."""
    if option is None:
        return "none"
    if option == STOP:
        return "done"
    if isinstance(option, bool):
        return "yes" if option else "no"
    if isinstance(option, tuple | list):
        if not option:
            return "nothing"
        return " ".join(option_text(item) for item in option)
    return str(option)


def plain(name: str) -> str:
    """A name of the rules as plain words: `$drawCount[2]` is `draw count`."""
    bare = name.rpartition(".$")[2] or name
    bare = bare.removeprefix("$").partition("[")[0].partition("@")[0].partition("#")[0]
    return _HUMPS.sub(lambda found: f" {found[1].lower()}", bare).replace("_", " ").strip() or name


def for_people(text: str) -> str:
    """A reason or a rule without the signs of names: `$from[0]` is `from`."""
    return _SIGNED.sub(lambda found: plain(found[1]), text)


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


class Wording:
    """What people read, for one Program."""

    def __init__(self, machine: Machine, values: Values) -> None:
        self._machine = machine
        self._program = machine.program
        self._values = values
        self._questions = Questions(machine.program)
        self._made: dict[int, Sentence] = {}  # by the identity of a sentence of the Program
        world = machine.program.world
        self._places = {place.name: index for index, place in enumerate(world.places)}
        self._kinds = {kind.name for kind in world.kinds}
        declared = (*self._kinds, *world.enums, *world.tables)
        self._nouns = {*_NOUNS, *(plain(name[:1].lower() + name[1:]) for name in declared)}

    # -------------------------------------------------------------- names

    def title(self, subject: str, name: str, default: str | None = None) -> str:
        """The title of something declared, else its name in plain words."""
        words = self._program.words.get((subject, name))
        if words is not None and words.title:
            return words.title
        return plain(name) if default is None else default

    def symbol(self, subject: str, name: str) -> str:
        words = self._program.words.get((subject, name))
        return words.symbol if words is not None else ""

    def seat(self, name: str) -> str:
        return self.title("seat", name, name)

    def place(self, index: int) -> str:
        """`hand of Red`, or what a space is called."""
        place = self._program.world.places[index]
        if place.zone is None:
            return self.title("space", place.name, place.name)
        zone = self.title("zone", place.zone)
        seats = self._program.world.seats
        member = place.name.partition(":")[2]
        if place.owner < 0 and member:  # one for each member of something
            return f"{zone} {self.title('row', member, plain(member))}"
        return zone if place.owner < 0 else f"{zone} of {self.seat(seats[place.owner])}"

    def kind(self, name: str) -> str:
        return self.title("kind", name)

    def stem(self, piece: int) -> str:
        """What a piece is called, without a number and without its owner."""
        return self.names(piece)[0]

    def names(self, piece: int) -> tuple[str, str]:
        """What people call a piece, and what the rules do, without a number and an owner."""
        kind = self._values.piece_kinds[piece].name
        name = _NUMBERED.sub("", self._values.piece_names[piece]) or kind
        return self.kind(kind) if name == kind else self.title("row", name, name), name

    def piece(self, piece: int) -> str:
        """One name, wherever it stands and however many are like it."""
        _, of, owner = self._values.makes[piece].rpartition(" of ")
        seats = self._program.world.seats
        owned = of and owner in seats and self._machine.classes.alike[piece]
        return f"{self.stem(piece)} of {self.seat(owner)}" if owned else self.stem(piece)

    def called(self, name: str) -> str:
        """What people call something that callers name: a place, a seat, a piece, a label."""
        index = self._places.get(name)
        if index is not None:
            return self.place(index)
        if name in self._program.world.seats:
            return self.seat(name)
        first, _, second = name.partition(" ")
        if second and first in self._program.world.seats:
            return f"{self.called(second)} of {self.seat(first)}"
        kind, at, place = name.partition("@")
        if at:
            return f"{self.called(kind)} at {self.called(place)}"
        stem = _NUMBERED.sub("", name)
        if stem in self._kinds:
            return self.kind(stem)
        for subject in ("action", "label", "row", "enum"):
            title = self.title(subject, stem, "")
            if title:
                return title
        return plain(stem) if stem.startswith(("$", "__")) else stem

    def options(self, cells: Cells, type_: Type, values: Sequence[Any]) -> list[str]:
        """Options as people read and type them: different words for different ones."""
        texts = [self.value(type_, value) for value in values]
        if type_.kind != "piece":
            return texts
        for more in (self._where, self._properties):
            crowded = _repeated(texts)
            texts = [
                f"{text}{more(cells, piece)}" if text in crowded else text
                for text, piece in zip(texts, values, strict=True)
            ]
        crowded = _repeated(texts)
        numbers: dict[str, int] = {}
        for at, text in enumerate(texts):
            if text in crowded:  # they differ only in who has seen them
                numbers[text] = numbers.get(text, 0) + 1
                texts[at] = f"{text} ({numbers[text]})"
        return texts

    def _where(self, cells: Cells, piece: int) -> str:
        place = cells[self._program.piece_place + piece]
        return f" at {self.place(place)}" if place >= 0 else ""

    def _properties(self, cells: Cells, piece: int) -> str:
        told: list[str] = []
        for name, value in self._values.properties(cells, piece).items():
            if value is True:
                told.append(plain(name))
            elif isinstance(value, int) and value is not False:
                told.append(f"{plain(name)} {value}")
            elif value is not None and value is not False:
                told.append(str(value))
        return f" ({', '.join(told)})" if told else ""

    # ------------------------------------------------------------- values

    def value(self, type_: Type, value: Any) -> str:
        """A value in a sentence."""
        match type_.kind:
            case "list" | "tuple" | "set":
                return self._many(type_, value)
            case "int" | "bool" | "none":
                return option_text(self._values.outside(type_, value))
        if value < 0:
            return "none"
        match type_.kind:
            case "seat":
                return self.seat(self._program.world.seats[value])
            case "place":
                return self.place(value)
            case "piece":
                return self.piece(value)
            case "row":
                name = str(self._values.outside(type_, value))
                return self.title("row", name, name)
            case "label" if type_.name == ACTIONS:
                return self.title("action", str(self._values.outside(type_, value)))
            case kind:
                return self.title(kind, str(self._values.outside(type_, value)))

    def _many(self, type_: Type, value: Any) -> str:
        if type_.kind == "set":
            members: Sequence[Any] = set_members(value, type_.items[0].lo)
            types: Sequence[Type] = type_.items * len(members)
        else:
            members = value if isinstance(value, tuple) else ()
            types = type_.items if type_.kind == "tuple" else type_.items * len(members)
        words = [self.value(item, part) for item, part in zip(types, members, strict=True)]
        return ", ".join(words) if words else "nothing"

    def _unseen(self, type_: Type) -> str:
        """Pieces in the place of which a seat is told only that there are some."""
        if not type_.holds_pieces:
            return "?"  # was read from a piece
        of = type_ if type_.kind == "piece" else type_.items[0]
        known = {kind.name for kind in self._program.world.kinds}
        only = next(iter(known)) if len(known) == 1 else "piece"
        word = self.kind(of.name if of.name in known else only)
        return f"a {word}" if type_.kind == "piece" else plural(word)

    # ---------------------------------------------------------- sentences

    def sentence(
        self,
        sentence: ir.Sentence,
        values: tuple[Any, ...] | None,
        known: tuple[bool, ...],
    ) -> str:
        """A sentence as one reads it who knows these of its values; None, where they could not be
        computed. `coin|coins` follows the last number before it."""
        parts = [sentence.words[0]]
        number: int | None = None
        counts = False  # whether a number has been told
        for at, type_ in enumerate(sentence.types):
            told = values is not None and known[at]
            if values is None:
                parts.append(NOTHING)
            elif told:
                parts.append(self.value(type_, values[at]))
            else:
                parts.append(self._unseen(type_))
            if type_.kind == "int":
                counts, number = True, values[at] if told and values is not None else None
            words = sentence.words[at + 1]
            parts.append(fitting(words, number) if counts else words)
        return "".join(parts)

    # ---------------------------------------------------------- questions

    def answers(self, cells: Cells, stop: Stop) -> list[str]:
        """The options of a stop in words; none once the game is over."""
        choice = stop.choice
        if choice is None:
            instr = self._program.code[stop.pc]
            return (
                self.options(cells, instr.type, stop.answers)
                if isinstance(instr, ir.Chance)
                else []
            )
        if choice.kind == "labels":
            subject = "action" if choice.role == "action" else "label"
            labels = (choice.labels[index].name for index in stop.answers)
            return [f"{self.symbol(subject, n)} {self.title(subject, n)}".strip() for n in labels]
        return self.options(cells, choice.type, stop.answers)

    def question(self, cells: Cells, stop: Stop, action: str | None) -> str:
        """What a stop asks, as the one who decides reads it; "" if nothing is asked of a seat."""
        choice = stop.choice
        if choice is None:
            return ""
        asked = self.asked(cells, stop)
        if asked is None:
            asked = self._default(cells, stop, choice, action)
        return asked + _amount(choice, stop)

    def asked(self, cells: Cells, stop: Stop) -> str | None:
        """The rulebook's own question, if there is one and it can be told."""
        choice = stop.choice
        if choice is None:
            return None
        words = self._questions.sentence(cells, choice, stop.pc)
        if words is None:
            return None
        made = self._made.get(id(words))
        if made is None:
            made = self._made[id(words)] = Sentence(self._machine.expressions, words)
        S = self._machine.scratch(cells, Run())
        if choice.together:
            S[choice.chooser] = stop.seat
        try:
            known = tuple(bool(seen >> stop.seat & 1) for seen in made.seen(S))
            return self.sentence(words, made.values(S), known)
        except (Refused, RulebookFault):
            return None

    def _default(self, cells: Cells, stop: Stop, choice: ir.Choice, action: str | None) -> str:
        """A question made of names, where the rulebook has none of its own."""
        if choice.role == "action":
            offered = self.answers(cells, stop)
            if not 1 < len(offered) <= FEW:
                return "Your move"
            return _begun(f"{', '.join(offered[:-1])} or {offered[-1]}?")
        name = self._subject(choice)
        return _begun(f"{self.title('action', action)}: {name}" if action is not None else name)

    def _subject(self, choice: ir.Choice) -> str:
        """What is to be chosen: as the rulebook calls it, else the name as a question."""
        name = plain(choice.path or choice.name)
        given = self.title("choice", choice.name.removeprefix("$"), "")
        if given:
            return given
        if choice.role == "menu" and name == "menu":
            return "choose one"
        if name in _SPECIALS:
            return _SPECIALS[name]
        if name in _QUESTIONS:
            return _QUESTIONS[name]
        many = choice.kind == "many"
        noun = name.removesuffix("s") if many else name
        if noun in self._nouns:
            return f"which {name}?"
        return self._by_type(choice.type, many) if len(name) <= LETTERS else name

    def _by_type(self, type_: Type, many: bool) -> str:
        """A question about what can be chosen, where the name is just a letter or two."""
        if type_.kind in _BY_KIND:
            return _BY_KIND[type_.kind]
        noun = "one"
        if type_.kind == "piece":
            noun = self.kind(type_.name) if type_.name in self._kinds else "piece"
        elif type_.kind == "place":
            noun = "space"
        return f"which {plural(noun) if many else noun}?"


def _begun(text: str) -> str:
    """With a capital, as a sentence begins."""
    return f"{text[0].upper()}{text[1:]}" if text else "Choose"


def _repeated(texts: Sequence[str]) -> set[str]:
    return {text for text, times in Counter(texts).items() if times > 1}


def _amount(choice: ir.Choice, stop: Stop) -> str:
    if choice.kind != "many" or stop.minimum is None:
        return ""
    low, high = stop.minimum, stop.maximum
    return f" ({low})" if low == high else f" ({low} to {high})"
