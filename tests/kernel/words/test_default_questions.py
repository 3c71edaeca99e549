"""What is asked where the rulebook has no question of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludwright as lw

BOOK = """
```yaml
game: {{ id: asked, players: 2 }}
seats: [ana, ben]
enums: {{ Crop: [apple, date] }}
spaces: {{ land: {{ grid: [2, 2] }} }}
pieces: {{ man: {{ owner: seat, count: 1 }} }}
setup: [for p in seats do for m in man if m.owner == p do move m to a1]
actions:
  - id: act
    params: {{ {parameter} }}
{more}
end: [{{ when: turn > 9, draw: all }}]
```
"""


def asked(tmp_path: Path, parameter: str, more: str = "") -> str:
    path = tmp_path / "asked.md"
    path.write_text(BOOK.format(parameter=parameter, more=more))
    game = lw.load(path, engine="python")
    return game.question(game.initial_state(), "ana")


@pytest.mark.parametrize(
    ("parameter", "question"),
    [
        ("origin: c for c in land", "Act: from where?"),
        ("target: c for c in land", "Act: where to?"),
        ("cell: c for c in land", "Act: which cell?"),
        ("piece: m for m in man", "Act: which piece?"),
        ("crop: c for c in Crop", "Act: which crop?"),
        ("amount: 1..3", "Act: how many?"),
        ("lifted: c for c in land", "Act: lifted"),  # no noun: as it is called
    ],
)
def test_the_name_of_a_parameter_becomes_a_question(
    tmp_path: Path, parameter: str, question: str
) -> None:
    assert asked(tmp_path, parameter) == question


def test_an_offer_of_few_actions_names_them(tmp_path: Path) -> None:
    more = "  - { id: wait }\n  - { id: sail, title: set sail }"
    assert asked(tmp_path, "cell: c for c in land", more) == "Act, wait or set sail?"
    many = "\n".join(f"  - {{ id: more{n} }}" for n in range(4))
    assert asked(tmp_path, "cell: c for c in land", many) == "Your move"
