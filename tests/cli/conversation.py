"""A terminal made of lines, and a small card game to talk about."""

from __future__ import annotations

from collections.abc import Sequence

import ludwright as lw
from ludwright.agents import RandomAgent
from ludwright.cli.screen.record import Setting
from ludwright.cli.screen.table import Table
from ludwright.kernel.views.board import unpainted

CARDS = """\
# Cards

Prose for people.

```yaml
game: { id: cards, title: Cards, players: 2 }
seats: [ann, bob]
spaces: { town: { spaces: [hue, saigon, danang] } }
pieces:
  card: { each: { rank: 1..8 } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner }
  table: { of: card, order: row, see: all }
vars: { Seat.points: 0..100, Space.terror: 0..3 }
setup:
  - for p in seats do draw 3 from deck to hand(p)
```

```text
a drawing
```

```yaml
actions:
  - id: march
    effects:
      - chooseN: { bind: $town, options: town, min: 1, max: 2 }
      - chooseOne: { bind: $more, options: "1..3" }
      - forEach: { bind: t, over: $town, do: ["t.terror = $more"] }
  - id: play
    params: { which: c for c in hand(actor) }
    effects: [move which to table, "actor.points += which.rank"]
    notation: "play {which}"
end:
  - { when: count(table) >= 4, score: p.points for p in seats, reason: four cards }
```
"""

BROKEN = """\
```yaml
game: { id: broken, title: Broken, players: 2 }
actions:
  - { id: go, pre: score = 3, effects: [socre += 1] }
```
"""


class Script:
    """Says the lines one after another, then leaves."""

    width = 80
    height = 40
    paint = staticmethod(unpainted)

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = list(lines)
        self.said: list[str] = []

    def ask(self, prompt: str) -> str:
        if not self._lines:
            raise EOFError
        line = self._lines.pop(0)
        self.said.append(f"{prompt}{line}")
        return line

    def say(self, text: str) -> None:
        self.said.append(text)

    def clear(self) -> None:
        self.said.append("(cleared)")

    @property
    def text(self) -> str:
        return "\n".join(self.said)

    def after(self, line: str) -> str:
        """What was said after the last time this line was typed."""
        at = max(i for i, said in enumerate(self.said) if said.endswith(f"> {line}"))
        return "\n".join(self.said[at + 1 :])


def sit(
    game: lw.Game, lines: Sequence[str], people: Sequence[str] | None = None, seed: int = 1
) -> tuple[Table, Script]:
    """A table where the first seat (or `people`) types the lines; random bots play the others."""
    script = Script(lines)
    present = frozenset(game.seats[:1] if people is None else people)
    bots = {seat: RandomAgent(5) for seat in game.seats if seat not in present}
    setting = Setting("game", {}, seed, len(game.seats))
    return Table(game, setting, present, bots, script, "the rules"), script
