"""Rulebooks of any size, for measuring how costs grow. The rules stay the same, only more of it."""

from __future__ import annotations

_OPEN = "# {title}\n\nWritten by a benchmark.\n\n```yaml\n"
_CLOSE = "```\n"

_HEAD = """\
game: {{ id: {id}, title: {title}, players: 2 }}
seats: [red, blue]
end:
  - {{ when: moves == {moves}, draw: true, reason: enough }}
vars:
  moves: 0..{moves}
"""


def _map(spaces: int) -> str:
    """A ring with a chord at every space: four neighbours each."""
    lines = ["spaces:", "  land:", "    spaces:"]
    for at in range(spaces):
        near = {f"s{(at + 1) % spaces}", f"s{(at + 3) % spaces}"} - {f"s{at}"}
        lines.append(f"      s{at}: {{ adjacent: [{', '.join(sorted(near))}] }}")
    return "\n".join(lines) + "\n"


def of_spaces(spaces: int, moves: int = 100) -> str:
    """Settling a land: every space is looked at, with its neighbours, for every decision."""
    return (
        _OPEN.format(title="Land")
        + _HEAD.format(id="land", title="Land", moves=moves)
        + "  Space.held: 0..2\n"
        + _map(spaces)
        + """\
fns:
  sign(p): 1 if p == red else 2
  beside(s, n): count(t for t in s.adjacent if t.held == n)
actions:
  - id: settle
    params: { where: "s for s in land if s.held != sign(actor) and beside(s, 0) < 5" }
    effects: [where.held = sign(actor), moves += 1]
"""
        + _CLOSE
    )


def of_pieces(pieces: int, moves: int = 100) -> str:
    """Marching over twenty spaces with many alike pieces."""
    each = max(1, pieces // 20)
    return (
        _OPEN.format(title="March")
        + _HEAD.format(id="march", title="March", moves=moves)
        + _map(20)
        + f"""\
pieces: {{ army: {{ owner: seat, count: {pieces} }} }}
setup:
  - forEach:
      bind: n
      over: 1..{each}
      do:
        - forEach:
            bind: s
            over: land
            do: [place army of (red if (n + s.index) % 2 == 0 else blue) at s]
actions:
  - id: march
    params:
      who: x for s in land for x in s.pieces if x.owner == actor
      target: s for s in who.place.adjacent
    effects: [move who to target, moves += 1]
"""
        + _CLOSE
    )


_EVENT = """\
## Card {number}

The regime and the rebels read this card in their own way. Whoever plays it decides which side
holds; the other side may only look on and count what is left on the map afterwards.

```yaml
events:
  - id: card-{number}
    unshaded:
      - aid += {small}
      - if aid > {large} then gain(actor, {small})
      - chooseOne: {{ bind: $here, options: "s for s in land if s.held != {kind}", optional: true }}
      - if $here != none then $here.held = {kind}
    shaded:
      - forEach:
          bind: s
          over: t for t in land if t.held == {kind}
          do: [s.held = 0, aid -= 1]
      - gain(opponent(actor), {small} if aid < {large} else 1)
```

"""


def of_text(size: int) -> str:
    """Cards, each an event in a section of its own, up to about `size` characters."""
    head = (
        _OPEN.format(title="Cards")
        + _HEAD.format(id="cards", title="Cards", moves=50)
        + "  Space.held: 0..3\n  aid: -1000..1000 clamp\n  Seat.points: 0..100000 clamp\n"
        + _map(12)
    )
    cards, length = 0, len(head) + 600
    while length < size or not cards:
        cards += 1
        length += len(_event(cards)) + 20
    rows = "".join(f"    - {{ id: card-{n} }}\n" for n in range(1, cards + 1))
    return (
        head
        + f"tables:\n  Card:\n{rows}"
        + """\
pieces: { card: { each: Card } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  open: { of: card, max: 1 }
  discard: { of: card }
procs:
  gain(p, n): [p.points += n]
setup: [draw 1 from deck to open]
actions:
  - id: event
    effects:
      - resolve open.piece
      - moves += 1
      - move open.piece to discard
      - if any(deck) then draw 1 from deck to open
      - if empty(open) then end game draw
"""
        + _CLOSE
        + "".join(_event(n) for n in range(1, cards + 1))
    )


def _event(number: int) -> str:
    return _EVENT.format(
        number=number, small=number % 7 + 1, large=number % 90 + 5, kind=number % 3 + 1
    )
