"""What a player can enter at a decision, as text; pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ludwright.kernel.views.wording import option_text

NUMBERED = 300  # a longer list is not printed in full
LINES = 8  # of a list that nobody has asked for
RUN = 4  # so many numbers in a row are shown as a range


@dataclass(frozen=True, slots=True)
class Item:
    text: str  # what is shown, and may be typed
    value: Any  # a move, or the option of a decision
    name: str = ""  # what the rules call it, which may be typed as well


@dataclass(frozen=True, slots=True)
class Menu:
    """The items; with `numbers` (low, high) any whole number between, instead of a list.

    With a `stem`, every item is that word and a number (`pit3`): the number means the item. Where
    one word comes with many numbers (`bid 5`, `bid 6`, …), the number means such an item too.
    """

    title: str
    items: tuple[Item, ...] = ()
    numbers: tuple[int, int] | None = None
    stem: str = ""

    @property
    def numbered(self) -> bool:
        """Items that are numbers themselves are not numbered: `3` must not mean two things."""
        named = self.stem or self.counted
        return not named and not any(is_number(item.text) for item in self.items)

    @property
    def counted(self) -> str:
        """The only word that comes with numbers in a row: `5` means `bid 5`, not the fifth item."""
        numbers: dict[str, list[int]] = {}
        for item in self.items:
            word, _, number = item.text.rpartition(" ")
            if word and is_number(number):
                numbers.setdefault(word, []).append(int(number))
        if len(numbers) != 1:
            return ""
        word, found = numbers.popitem()
        in_a_row = found == list(range(found[0], found[0] + len(found)))
        return word if in_a_row and len(found) > 1 else ""


def option_menu(title: str, options: Sequence[Any], texts: Sequence[str] = ()) -> Menu:
    """`texts`: what people call the first options, where that is known."""
    if isinstance(options, range):
        return Menu(title, numbers=(options[0], options[-1])) if options else Menu(title)
    names = [option_text(option) for option in options]
    shown = [*texts, *names[len(texts) :]]
    found = zip(shown, options, names, strict=True)
    return Menu(title, tuple(Item(text, option, name) for text, option, name in found))


def common_stem(items: Sequence[Item], words: Iterable[str]) -> str:
    """The word of those given that all items begin with, if only a number follows in each."""
    for word in words:
        rests = [item.text.removeprefix(word) for item in items if item.text.startswith(word)]
        if items and len(rests) == len(items) and all(map(is_number, rests)):
            return word
    return ""


def show(menu: Menu, width: int = 100, full: bool = False) -> str:
    """A list of many lines is cut short, unless it is asked for in full."""
    lines = [menu.title]
    if menu.numbers is not None:
        lines.append(f"  a number from {menu.numbers[0]} to {menu.numbers[1]}")
    texts = [item.text for item in menu.items[:NUMBERED]]
    left = len(menu.items) - len(texts)
    if menu.numbered:
        digits = len(str(len(texts)))
        texts = [f"{i:>{digits}} {text}" for i, text in enumerate(texts, 1)]
    elif menu.counted:
        word = f"{menu.counted} "
        found = [item.text for item in menu.items]
        texts = ranges([text.removeprefix(word) for text in found])
        texts = [word + text if is_number(text.split(" ")[0]) else text for text in texts]
        left = 0
    elif not menu.stem:
        texts = ranges(texts)
    shown = columns(texts, width)
    if not full and len(shown) > LINES + 1:  # the line that says so has room for the last one
        kept = texts[: LINES * _across(texts, width)]
        left += len(texts) - len(kept)
        shown = columns(kept, width)
    lines += shown
    if left:
        more = "type one" if full else "type one, or `moves` to see them all"
        lines.append(f"  … and {left} more; {more}")
    return "\n".join(lines)


def ranges(texts: Sequence[str]) -> list[str]:
    """Numbers in a row as one text: `3 to 9`. Other texts stay as they are."""
    found: list[str] = []
    run: list[int] = []

    def close() -> None:
        long = len(run) >= RUN
        found.extend([f"{run[0]} to {run[-1]}"] if long else map(str, run))
        run.clear()

    for text in texts:
        number = int(text) if is_number(text) else None
        if number is None or (run and number != run[-1] + 1):
            close()
        if number is None:
            found.append(text)
        else:
            run.append(number)
    close()
    return found


def columns(texts: Sequence[str], width: int) -> list[str]:
    """The texts in as many columns as fit, read downwards."""
    if not texts:
        return []
    cell, across = max(map(len, texts)), _across(texts, width)
    rows = -(-len(texts) // across)
    return [
        ("  " + "   ".join(text.ljust(cell) for text in texts[row::rows])).rstrip()
        for row in range(rows)
    ]


def _across(texts: Sequence[str], width: int) -> int:
    """How many columns fit."""
    return max(1, (width - 2) // (max(map(len, texts)) + 3))


def beginning_with(menu: Menu, entry: str) -> list[str]:
    """The items that begin with an entry."""
    start = bare(entry)
    return [item.text for item in menu.items if start and bare(item.text).startswith(start)]


def find(menu: Menu, entry: str) -> Item | None:
    """The item that an entry means: its number, its text, or its text in other letters or signs."""
    entry = " ".join(entry.split())
    if is_number(entry):
        number = int(entry)
        if menu.numbers is not None:
            low, high = menu.numbers
            return Item(entry, number) if low <= number <= high else None
        if menu.stem:
            entry = menu.stem + entry
        elif menu.counted:
            entry = f"{menu.counted} {entry}"
        elif menu.numbered:
            return menu.items[number - 1] if 1 <= number <= len(menu.items) else None
    for fold in (str, str.lower, bare):
        wanted = fold(entry)
        found = [
            item
            for item in menu.items
            if fold(item.text) == wanted or (item.name and fold(item.name) == wanted)
        ]
        if len(found) == 1:
            return found[0]
    return None


def find_beginning(menu: Menu, entry: str) -> Item | None:
    """The only item that begins with an entry."""
    start = bare(entry)
    found = [item for item in menu.items if start and bare(item.text).startswith(start)]
    return found[0] if len(found) == 1 else None


def bare(text: str) -> str:
    """Letters and digits only: `a3b4` means `a3-b4`."""
    return "".join(sign for sign in text.lower() if sign.isalnum())


def is_number(text: str) -> bool:
    # No longer than any number a game can hold, so that int() stays cheap.
    return len(text) < 20 and text.removeprefix("-").isdecimal() and text.isascii()
