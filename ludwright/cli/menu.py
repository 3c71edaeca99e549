"""What a player can enter at a decision, as text; pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludwright.agents.protocol import STOP

NUMBERED = 300  # a longer list is not printed in full


@dataclass(frozen=True, slots=True)
class Item:
    text: str  # what is shown, and may be typed
    value: Any  # a move, or the option of a decision


@dataclass(frozen=True, slots=True)
class Menu:
    """The items; with `numbers` (low, high) any whole number between, instead of a list."""

    title: str
    items: tuple[Item, ...] = ()
    numbers: tuple[int, int] | None = None

    @property
    def numbered(self) -> bool:
        """Items that are numbers themselves are not numbered: `3` must not mean two things."""
        return not any(_is_number(item.text) for item in self.items)


def option_text(option: Any) -> str:
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


def option_menu(title: str, options: Sequence[Any]) -> Menu:
    if isinstance(options, range):
        return Menu(title, numbers=(options[0], options[-1])) if options else Menu(title)
    return Menu(title, tuple(Item(option_text(option), option) for option in options))


def show(menu: Menu, width: int = 100) -> str:
    lines = [menu.title]
    if menu.numbers is not None:
        lines.append(f"  a number from {menu.numbers[0]} to {menu.numbers[1]}")
    texts = [item.text for item in menu.items[:NUMBERED]]
    if menu.numbered:
        digits = len(str(len(texts)))
        texts = [f"{i:>{digits}} {text}" for i, text in enumerate(texts, 1)]
    lines += columns(texts, width)
    if len(menu.items) > NUMBERED:
        lines.append(f"  … and {len(menu.items) - NUMBERED} more; type one")
    return "\n".join(lines)


def columns(texts: Sequence[str], width: int) -> list[str]:
    """The texts in as many columns as fit, read downwards."""
    if not texts:
        return []
    cell = max(map(len, texts))
    across = max(1, (width - 2) // (cell + 3))
    rows = -(-len(texts) // across)
    return [
        ("  " + "   ".join(text.ljust(cell) for text in texts[row::rows])).rstrip()
        for row in range(rows)
    ]


def find(menu: Menu, entry: str) -> Item | None:
    """The item that an entry means: its number, its text, or its text in other letters."""
    entry = " ".join(entry.split())
    if _is_number(entry):
        number = int(entry)
        if menu.numbers is not None:
            low, high = menu.numbers
            return Item(entry, number) if low <= number <= high else None
        if menu.numbered:
            return menu.items[number - 1] if 1 <= number <= len(menu.items) else None
    for fold in (str, str.lower):
        found = [item for item in menu.items if fold(item.text) == fold(entry)]
        if len(found) == 1:
            return found[0]
    return None


def _is_number(text: str) -> bool:
    # No longer than any number a game can hold, so that int() stays cheap.
    return len(text) < 20 and text.removeprefix("-").isdecimal() and text.isascii()
