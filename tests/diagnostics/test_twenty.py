"""One rulebook, twenty mistakes designers make: all told in one run, each at its place."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ludwright.diagnostic_text import in_reading_order, render_text, to_json
from ludwright.loading import compile_text

RULEBOOK = """\
# Orchard

Players pick fruit from the trees and sell it.

```yaml
game: { id: orchard, title: Orchard, players: 2 }
seats: [ann, bob]
spaces: { orchard: { grid: [4, 4] } }
zones:
  market: { order: pile }
  barn: { each: seat }
pieces:
  fruit: { owner: seat }
  crate: { each: { size: 1..3 } }
vars:
  day: 1..30
  price: int
  Seat.coins: 0..99
  Seat.bids: "list[0..9, 5]"
  winner: Seat
```

## Set-up

```yaml
setup:
  - shufle market
  - dya = 1
  - day = 31
  - for s in seats do s.coins = "five"
```

## A turn

```yaml
actions:
  - id: pick
    params: { tree: t for t in orchrad if t.piece == none }
    effects:
      - place fruit of actor at tree
      - actor.coins += 3 / 2
  - id: sell
    pre: count(barn) > 0
    effects:
      - if day then end turn
      - actor.coin += price
      - winner = none
      - move barn(actor) to market
      - pay(actor, 3)
  - id: wait
    effects: [let x = day]
procs:
  pay(who):
    - who.coins -= 1
```

## The end

```yaml
end:
  - { when: day = 30, draw: all }
  - { when: actor.coins > ann, win: actor }
  - { when: cuont(orchard) == 0, draw: all }
  - { when: max(actor.coins, 3) > 9, win: actor }
```
"""


@dataclass(frozen=True)
class Mistake:
    line: int
    column: int
    code: str
    says: str  # what the suggestion must say


MISTAKES = [
    Mistake(10, 20, "wrong-value", "order: bag"),
    Mistake(17, 10, "syntax-bad-type", "0..20"),
    Mistake(19, 3, "type-not-storable", "set"),
    Mistake(27, 5, "syntax-unknown-statement", "shuffle"),
    Mistake(28, 5, "unknown-variable", "`day`"),
    Mistake(29, 11, "out-of-range", "vars:"),
    Mistake(30, 33, "syntax-text-literal", "without quotes"),
    Mistake(38, 32, "unknown-name", "`orchard`"),
    Mistake(41, 26, "syntax-slash", "`//`"),
    Mistake(43, 16, "zone-needs-seat", "barn(actor)"),
    Mistake(45, 12, "not-a-condition", "> 0"),
    Mistake(46, 9, "unknown-variable", "`coins`"),
    Mistake(47, 18, "none-not-allowed", "`?`"),
    Mistake(48, 14, "wrong-type", "move all of"),
    Mistake(49, 9, "arity", "pay(who)"),
    Mistake(50, 9, "no-effect", "give it an effect"),
    Mistake(61, 17, "syntax-single-equals", "`==`"),
    Mistake(62, 13, "wrong-type", "same kind"),
    Mistake(63, 13, "unknown-function", "`count`"),
    Mistake(64, 13, "yaml-split-expression", '"max(actor.coins, 3) > 9"'),
]


def test_all_twenty_are_told_in_one_run() -> None:
    compilation = compile_text(RULEBOOK, "orchard.md")
    found = in_reading_order(compilation.diagnostics.items, compilation.sources)
    places = [(d.span.line, d.span.column, d.code) for d in found if d.span is not None]
    assert places == [(m.line, m.column, m.code) for m in MISTAKES]
    for item, mistake in zip(found, MISTAKES, strict=True):
        assert mistake.says in (item.suggestion or ""), item
        assert item.message
    assert not compilation.ok


def test_the_report_shows_line_mark_and_help_of_each() -> None:
    compilation = compile_text(RULEBOOK, "orchard.md")
    report = render_text(compilation.diagnostics.items, compilation.sources)
    paragraphs = report.strip().split("\n\n")
    assert len(paragraphs) == len(MISTAKES) == 20
    lines = RULEBOOK.split("\n")
    for paragraph, mistake in zip(paragraphs, MISTAKES, strict=True):
        first, _, source, mark, *help_ = paragraph.split("\n")
        assert first.startswith(f"orchard.md:{mistake.line}:{mistake.column}: ")
        assert f"[{mistake.code}]" in first
        assert source == f"{mistake.line} | {lines[mistake.line - 1]}"
        assert mark.index("^") - mark.index("|") - 2 == mistake.column - 1
        assert mistake.says in " ".join(help_)


def test_programs_get_the_same_as_data() -> None:
    compilation = compile_text(RULEBOOK, "orchard.md")
    data = json.loads(json.dumps(to_json(compilation.diagnostics.items, compilation.sources)))
    assert [(d["line"], d["column"], d["code"]) for d in data] == [
        (m.line, m.column, m.code) for m in MISTAKES
    ]
    lines = RULEBOOK.split("\n")
    for item, mistake in zip(data, MISTAKES, strict=True):
        assert item["file"] == "orchard.md"
        assert item["source_line"] == lines[mistake.line - 1]
        assert mistake.says in item["suggestion"]
        assert (item["end_line"], item["end_column"]) > (item["line"], item["column"])
        assert item["severity"] == ("warning" if mistake.code == "no-effect" else "error")
