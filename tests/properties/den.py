"""A small game with every kind of secret."""

from __future__ import annotations

DEN = """# Den
```yaml
game: { id: den, title: Den, players: 3 }
seats: [red, blue, green]
pieces:
  card: { each: { rank: 1..4, suit: [oak, ash, elm] } }
  coin: { each: { metal: [tin, iron] }, count: 5, worn: bool }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner }
  heap: { of: card, order: stack, see: none }
  bank: { of: coin, see: none, init: all }
  purse: { of: coin, each: seat, see: owner }
vars:
  Seat.plan: { type: 0..9, see: owner }
  omen: { type: 0..6, see: none }
  tally: 0..99
setup:
  - for p in seats do draw 3 from deck to hand(p)
  - for p in seats do draw 2 from bank to purse(p)
actions:
  - id: hide
    pre: any(hand(actor))
    params: { c: x for x in hand(actor) }
    effects:
      - say "{actor} hides {c} of {c.suit}"
      - chooseOne: { bind: $n, by: 'rotate(actor, 1)', options: 1..2, ask: "{actor} hides {c}: how many?" }
      - if c.rank > 2 then say "a high one"
      - move c to heap
      - say "you have {count(hand(actor))} left" to actor
      - shuffle heap
      - tally += $n
  - id: pay
    params: { k: x for x in purse(actor) }
    effects:
      - for x in purse(actor) do x.worn = true
      - move k to bank
      - draw 1 from bank to purse(actor)
  - id: dream
    effects: [roll omen in 1..6, roll actor.plan in 0..9]
  - id: renew
    effects:
      - for c in card do move c to deck
      - for p in seats do draw 3 from deck to hand(p)
  - id: vote
    pre: all(count(hand(p)) > 1 for p in seats)
    effects:
      - chooseN: { bind: $v, by: seats, together: true, options: hand(chooser), min: 1, max: 2, ifNone: fault }
      - chooseOne: { bind: $b, by: seats, together: true, optional: true, options: 0..3 }
      - for p in seats do move all of $v[p] to heap
end: [{ when: turn > 14, draw: all, reason: the night is over }]
```
"""
