"""Nothing that steers a terminal or turns text around comes in by any door."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludwright.characters import escaped, is_line
from ludwright.cli.shared.output import print_failure, print_json
from ludwright.language.canonical import gamedef_bytes
from ludwright.loading import compile_files, compile_texts
from ludwright.simulate.trace import TraceError, trace_from_json
from ludwright.table.frames import BadFrame, parse

UNSEEN = ("\x1b[31m", "\x00", "\x9b31m", "\u202e", "\u2066", "\x7f", "\ufeff", "\ud800", "\u2028")
BOOK = """# Fair{0}

Prose{1}, and more.

```yaml
game: {{ id: fair, title: Fair, players: 2 }}
tables: {{ Card: cards.csv }}
vars: {{ n: 0..9 }}
actions: [{{ id: act, effects: [n = 1] }}]
end: [{{ when: n == 1, win: actor, reason: over }}]
```

```text
a board{2}
```
"""
CARDS = "id,cost,title\npeace,2,Peace{0}\n"
CODE = "yaml-control-character"


def told(*prose: str, card: str = "") -> list[tuple[str, str, int]]:
    texts = {"rulebook.md": BOOK.format(*prose), "cards.csv": CARDS.format(card)}
    found = compile_texts(texts).diagnostics.errors
    return [(item.code, item.span.file, item.span.line) for item in found if item.span is not None]


@pytest.mark.parametrize("character", UNSEEN, ids=ascii)
def test_prose_and_tables_say_where_it_stands(character: str) -> None:
    assert told("", "", "") == []
    assert told(character, "", "") == [(CODE, "rulebook.md", 1)]
    assert told("", character, "") == [(CODE, "rulebook.md", 3)]
    assert told("", "", character) == [(CODE, "rulebook.md", 14)]
    assert told("", "", "", card=character) == [(CODE, "cards.csv", 2)]


@pytest.mark.parametrize(
    "text", ["Ärger", "日本", "👩‍👩‍👧", "a\tb", "שלום", "e\u0301", "“quoted” – …"]
)
def test_what_people_write_is_taken(text: str) -> None:
    assert told(text, text, text) == []


@pytest.mark.parametrize("character", UNSEEN, ids=ascii)
def test_a_gamedef_names_the_place(character: str, tmp_path: Path) -> None:
    made = compile_texts({"rulebook.md": BOOK.format("", "", ""), "cards.csv": CARDS.format("")})
    assert made.gamedef is not None
    data = json.loads(gamedef_bytes(made.gamedef))
    data["end"][0]["reason"] = f"over{character}"
    path = tmp_path / "fair.json"
    path.write_text(json.dumps(data), "utf-8")
    found = compile_files(path).diagnostics.errors
    assert [item.code for item in found] == [CODE]
    assert "end[0].reason" in found[0].message


@pytest.mark.parametrize("character", UNSEEN, ids=ascii)
def test_a_saved_game_is_refused(character: str) -> None:
    with pytest.raises(TraceError, match="invisible character") as caught:
        trace_from_json({"format": "ludwright-trace/3", "game": f"pig{character}"}, "save")
    assert is_line(str(caught.value))


@pytest.mark.parametrize("character", [*UNSEEN, "\n"], ids=ascii)
def test_a_name_at_the_table_is_one_plain_line(character: str) -> None:
    frame = {"say": "sit", "seat": "red", "label": f"Ann{character}", "bot": None}
    with pytest.raises(BadFrame):
        parse(json.dumps(frame))
    parse(json.dumps(frame | {"label": "Ann 日本"}))


@pytest.mark.parametrize("character", UNSEEN, ids=ascii)
def test_what_commands_tell_shows_it_escaped(
    character: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_failure(f"there is no game {character}")
    print_json({"text": character})
    out, err = capsys.readouterr()
    assert json.loads(out) == {"text": character}
    assert is_line(out.rstrip("\n"))
    assert err == f"there is no game {escaped(character)}\n"
    assert is_line(err.rstrip("\n"))
