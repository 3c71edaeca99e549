"""What a person is asked at a decision: the menu, and the picks of a set made so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ludwright.agents.answers import Answers
from ludwright.agents.protocol import CHANCE
from ludwright.cli.screen.menu import Item, Menu, common_stem, option_menu
from ludwright.errors import IllegalMove
from ludwright.kernel.play.game import core_of, notation_of
from ludwright.kernel.play.numbered_options import (
    Draft,
    Offer,
    draft,
    offer_to,
    only_answer,
    option_words,
)
from ludwright.kernel.protocol.decision import Range
from ludwright.kernel.views.wording import plain

if TYPE_CHECKING:
    from ludwright.kernel.play.game import Game
    from ludwright.kernel.protocol.decision import Decision
    from ludwright.kernel.protocol.move import Move
    from ludwright.kernel.protocol.state import State

ENDS = ("?", "!", ".", "…")  # of a question; else there is a colon behind it
OPENED = 40  # moves that are only begun: of more, it is not worked out how they go on


@dataclass(frozen=True, slots=True)
class Question:
    """What is put to a person: one of the items, or for a set, picks in any order."""

    seat: str
    decision: Decision
    offer: Offer
    menu: Menu
    whole_moves: bool = False  # the items are moves of the game
    picked: tuple[int, ...] = ()  # numbers of the options of the offer
    draft: Draft | None = None  # what can be added to them

    @property
    def picks_a_set(self) -> bool:
        return self.offer.many and not self.offer.in_order

    @property
    def picks(self) -> list[Any]:
        return [self.offer.options[number] for number in self.picked]


class Asking:
    """Makes questions for people out of the decisions of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._wording = core_of(game).wording

    def question(self, state: State, seat: str, picked: tuple[int, ...] = ()) -> Question:
        offer = offer_to(self._game, state, seat)
        assert offer is not None, "only those are asked who decide"
        decision = offer.decision
        if offer.many and not offer.in_order:
            found = draft(self._game, state, offer, picked)
            menu = self._picking(state, offer, picked, found)
            return Question(seat, decision, offer, menu, picked=picked, draft=found)
        moves = self._moves(state, decision)
        menu = moves or self._options(state, offer)
        return Question(seat, decision, offer, menu, whole_moves=moves is not None)

    def only_answer(self, state: State, question: Question) -> list[Any] | Move | None:
        """What a person without a choice answers: picks of a set, one option, or a whole move."""
        if question.picked or not question.whole_moves:
            return None if question.picked else only_answer(question.offer)
        if len(question.menu.items) != 1:
            return None
        move: Move = question.menu.items[0].value
        try:
            request = self._game.legal_choices(state, move)
        except IllegalMove:
            return None
        return move if request.complete and request.legal else None

    # --------------------------------------------------------------- menus

    def _moves(self, state: State, decision: Decision) -> Menu | None:
        """Whole moves, where a move is an action with a notation and no two are written alike."""
        if not decision.head or decision.role not in ("action", "param"):
            return None
        moves = self._game.legal_moves(state)
        texts = [self._game.notation(state, move) for move in moves]
        if not moves or len(set(texts)) < len(texts):
            return None
        # What the rules write may not be what people say (`card@hand:red`); both can be typed.
        words = [notation_of(self._game).words(state, move) for move in moves]
        several = {text for text, n in Counter(words).items() if n > 1}
        items = [
            self._move_item(state, move, text, len(moves))
            if not move.params or said in several
            else Item(said, move, text)
            for move, text, said in zip(moves, texts, words, strict=True)
        ]
        return self._stemmed(Menu(self._moves_title(state, decision, moves), tuple(items)))

    def _moves_title(self, state: State, decision: Decision, moves: Sequence[Move]) -> str:
        """The question of the offer, or of the only parameter, where the rulebook has one."""
        core = core_of(self._game)
        seat = self._wording.seat(decision.seat)
        whole = decision.role == "action" or all(len(move.params) < 2 for move in moves)
        asked = core.wording.asked(core.cells(state), core.stop(state)) if whole else None
        return f"{seat} to move:" if asked is None else f"{seat}: {_ended(asked)}"

    def _move_item(self, state: State, move: Move, text: str, among: int) -> Item:
        """A move that is only begun says how it goes on: `raise 40 to 990`."""
        if move.params or among > OPENED:
            return Item(text, move)
        title = self._wording.title("action", move.action_id, text)
        shown = title if text == move.action_id else text
        try:
            request = self._game.legal_choices(state, move)
        except IllegalMove:
            return Item(shown, move, move.action_id)
        options = request.options
        if not request.complete and shown != shown.strip() and not isinstance(options, Range):
            return Item(title, move, move.action_id)  # the rest of its text is not known yet
        if request.complete or not isinstance(options, Range) or request.optional:
            return Item(shown.strip() or title, move, move.action_id)
        return Item(f"{shown.strip()} {options.lo} to {options.hi}", move, move.action_id)

    def _options(self, state: State, offer: Offer) -> Menu:
        decision, options = offer.decision, offer.options
        title = self._title(state, offer)
        if isinstance(options, Range) and not (decision.optional or decision.can_stop):
            return option_menu(title, range(options.lo, options.hi + 1))
        texts = () if isinstance(options, Range) else self._texts(state, offer)
        return self._stemmed(option_menu(title, tuple(Answers(decision)), texts))

    def _picking(self, state: State, offer: Offer, picked: tuple[int, ...], found: Draft) -> Menu:
        """What can still be added; `done` where that is enough."""
        texts = option_words(self._game, state, offer)
        title = self._title(state, offer)
        made = [*map(str, offer.decision.picked), *(texts[at] for at in picked)]
        if made:
            base = title.removesuffix(":")
            so_far = " So far" if base.endswith("?") else ", so far"
            title = f"{base}{so_far} {', '.join(made)}:"
        alike = Counter(texts[at] for at in found.add)
        first = {texts[at]: at for at in reversed(found.add)}
        items = [
            Item(text if n == 1 else f"{text} ×{n}", first[text], text) for text, n in alike.items()
        ]
        if found.can_stop:
            items.append(Item("done", None))
        return self._stemmed(Menu(title, tuple(items)))

    def _title(self, state: State, offer: Offer) -> str:
        decision = offer.decision
        if decision.seat == CHANCE:
            return f"Chance: {plain(decision.name)}?"
        asked = self._game.question(state, offer.seat)
        if offer.in_order and decision.picked:
            asked += f", so far {', '.join(map(str, decision.picked))}"
        return f"{self._wording.seat(offer.seat)}: {_ended(asked)}"

    def _texts(self, state: State, offer: Offer) -> list[str]:
        """The options in words, as far as they are still those of the state."""
        texts = option_words(self._game, state, offer)
        return texts if len(texts) == len(offer.options) else []

    def _stemmed(self, menu: Menu) -> Menu:
        """Spaces that the board shows by their numbers are entered by them."""
        stem = common_stem(menu.items, self._game.program.world.groups)
        return replace(menu, stem=stem) if stem else menu


def _ended(question: str) -> str:
    """A question with a sign behind it: `Which three cards? (3)`, `Ships (0 to 4):`."""
    asked, _, amount = question.rpartition(" (")
    whole = question.endswith(ENDS) or (amount and asked.endswith(ENDS))
    return question if whole else f"{question}:"
