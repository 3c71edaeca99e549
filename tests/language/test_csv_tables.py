"""Tables from CSV files."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludwright as lw
from ludwright.loading import Compilation, compile_files, compile_texts

RULES = """```yaml
game: { id: test, title: Test, players: 2 }
seats: [red, blue]
enums: { Tag: [good, quiet, loud] }
tables: { Card: cards.csv }
actions: [{ id: wait }]
end: [{ when: turn > 9, draw: all, reason: late }]
```
"""
WRITTEN = RULES.replace(
    "cards.csv }",
    """
    [
      { id: peace, cost: 2, for: red, tags: [good, quiet] },
      { id: war-cry, cost: -5, for: blue, tags: [loud], title: Total war, big: true },
    ]
  }""",
)
CARDS = """id,cost,for,tags,title,big
peace, 2, red, "[good, quiet]",,

war-cry,-5,blue,[loud],Total war,true
"""


def from_texts(cards: str) -> Compilation:
    return compile_texts({"rulebook.md": RULES, "cards.csv": cards})


def test_a_file_says_the_same_as_rows() -> None:
    written, read = lw.compile_text(WRITTEN), from_texts(CARDS)
    assert written.diagnostics.items == []
    assert read.diagnostics.items == []
    assert read.gamedef == written.gamedef


def test_a_file_beside_the_rulebook_is_found_from_anywhere(tmp_path: Path) -> None:
    (tmp_path / "rulebook.md").write_text(RULES, "utf-8")
    (tmp_path / "cards.csv").write_text("\ufeff" + CARDS.replace("\n", "\r\n"), "utf-8")
    for source in (tmp_path, tmp_path / "rulebook.md"):
        found = compile_files(source)
        assert found.diagnostics.items == []
        assert found.gamedef == from_texts(CARDS).gamedef


@pytest.mark.parametrize(
    ("cards", "line"),
    [("id,cost\npeace,2,3\n", 2), ('id,cost\npeace,2\nwar,"3\n', 3), ("id,cost\npeace,2+\n", 2)],
)
def test_mistakes_are_shown_in_the_file(cards: str, line: int) -> None:
    (first, *_) = from_texts(cards).diagnostics.errors
    assert first.span is not None
    assert (first.span.file, first.span.line) == ("cards.csv", line)


def test_only_files_in_the_same_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text(CARDS, "utf-8")
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "rulebook.md").write_text(
        RULES.replace("cards.csv", "../cards.csv"), "utf-8"
    )
    found = compile_files(tmp_path / "game")
    assert "csv-table" in [item.code for item in found.diagnostics.errors]
