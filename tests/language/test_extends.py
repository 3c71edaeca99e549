"""`extends: base.md`: entries are added, replaced and removed, and every mistake has its place."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludwright as lw
from ludwright.loading import Compilation, compile_texts, game_from

BASE = """
game: { id: base, title: Base, players: 2 }
seats: [red, blue]
vars: { Seat.coins: 0..9, round: 0..9 }
fns: { gain(): 1 }
setup: [red.coins = 2]
actions:
  - { id: take, effects: [actor.coins += gain()] }
  - { id: steal, effects: [round = 1] }
end:
  - { when: actor.coins >= 8, win: actor, reason: many coins }
examples: [{ title: nobody, holds: [round == 5] }]
"""
HEAD = "extends: base.md\ngame: { id: variant }\n"


def fenced(rules: str) -> str:
    return f"# Rules\n\n```yaml\n{rules.strip()}\n```\n"


def variant(rules: str, base: str = BASE, **more: str) -> Compilation:
    texts = {"variant.md": fenced(rules), "base.md": fenced(base)}
    return compile_texts(texts | {f"{name}.md": fenced(text) for name, text in more.items()})


def told(found: Compilation) -> list[tuple[str, str, int]]:
    return [
        (item.code, item.span.file if item.span else "", item.span.line if item.span else 0)
        for item in found.diagnostics.errors
    ]


def test_entries_are_added_replaced_and_removed() -> None:
    found = variant(
        HEAD
        + """
remove: { actions: [steal], setup: all, vars: round }
fns: { gain(): 3, loss(): 1 }
actions:
  - { id: rest }
  - { id: take, effects: [actor.coins += gain() - loss()] }
"""
    )
    game = found.gamedef
    assert found.ok
    assert game is not None
    assert (game.id, game.title, game.max_players) == ("variant", "Base", 2)
    assert [action.id for action in game.actions] == ["take", "rest"]
    assert [one.name for one in game.functions] == ["gain", "loss"]
    assert [var.name for var in game.vars] == ["coins"]
    assert game.setup == ()
    assert found.examples == ()


def test_what_has_no_name_comes_behind() -> None:
    found = variant(HEAD + "setup: [blue.coins = 1]\nend: [{ when: round == 9, draw: all }]")
    assert found.gamedef is not None
    assert len(found.gamedef.setup) == 2
    assert len(found.gamedef.end) == 2
    assert found.gamedef.end[0].reason is not None


def test_a_variant_is_the_same_game_as_one_written_out() -> None:
    whole = BASE.replace("id: base", "id: variant").replace("gain(): 1", "gain(): 3")
    written = lw.compile_text(fenced(whole.split("examples:", maxsplit=1)[0]))
    extended = variant(HEAD + "fns: { gain(): 3 }")
    assert extended.gamedef == written.gamedef
    assert extended.program is not None
    assert written.program is not None
    assert extended.program.fingerprint == written.program.fingerprint


def test_a_base_may_extend_another() -> None:
    middle = "extends: root.md\ngame: { id: middle }\nfns: { gain(): 2 }"
    found = variant(HEAD + "remove: { actions: [steal] }", base=middle, root=BASE)
    assert found.ok, found.diagnostics.items
    assert found.gamedef is not None
    assert [action.id for action in found.gamedef.actions] == ["take"]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (HEAD + "remove: { actions: [stael] }", [("extends", "variant.md", 6)]),
        (HEAD + "remove: { zones: all }", [("unknown-key", "variant.md", 6)]),
        (HEAD + "remove: [actions]", [("wrong-value", "variant.md", 6)]),
        ("extends: base.md\nvars: { x: 0..3 }", [("missing-game", "variant.md", 5)]),
        ("extends: bose.md\ngame: { id: v, players: 2 }\nactions: [{ id: go }]", [("extends", "variant.md", 4)]),
        ("extends: ../base.md\ngame: { id: v, players: 2 }\nactions: [{ id: go }]", [("extends", "variant.md", 4)]),
        ("remove: { vars: all }\ngame: { id: v, players: 2 }\nactions: [{ id: go }]", [("extends", "variant.md", 4)]),
        (HEAD + "actions: { take: {} }", [("duplicate-block", "variant.md", 6)]),
        # two entries of one name are as wrong as in any rulebook
        (HEAD + "actions: [{ id: take }, { id: take, effects: [round = 2] }]", [("duplicate-name", "variant.md", 6)]),
        (HEAD + "fns: { gain(): 1, gain(n): n }", [("duplicate-name", "variant.md", 6)]),
        # statements have no names
        (HEAD + "remove: { setup: [red.coins = 2] }", [("extends", "variant.md", 6)]),
        # what is wrong with the base is told in the base
        (HEAD + "remove: { fns: [gain] }", [("unknown-function", "base.md", 10)]),
    ],
)  # fmt: skip
def test_mistakes_are_told_where_they_are(rules: str, expected: list[tuple[str, str, int]]) -> None:
    texts = {"variant.md": fenced(rules)}
    if rules.startswith("extends: base.md"):
        texts["base.md"] = fenced(BASE)
    assert told(compile_texts(texts)) == expected


def test_statements_come_after_those_of_the_base() -> None:
    """Also if the same statement stands there: each of them is carried out."""
    base = BASE.replace("[red.coins = 2]", "[red.coins += 2]")
    found = variant(HEAD + "setup: [red.coins += 2, blue.coins += 1, red.coins += 2]", base)
    game = game_from(found, engine="python")
    check = game.observe(game.initial_state(), None)["variables"]["coins"]
    assert check == {"red": 6, "blue": 1}


def test_endings_with_names_are_replaced_and_removed() -> None:
    """Their order is that of the base; a name changes nothing else."""
    base = BASE.replace("- { when: actor.coins >= 8", "- { id: rich, when: actor.coins >= 8")
    base = base.replace(
        "examples:", "  - { id: late, when: round == 9, draw: all, reason: late }\nexamples:"
    )
    found = variant(
        HEAD + "end: [{ id: rich, when: actor.coins >= 3, win: actor, reason: few }]", base
    )
    assert found.ok
    assert [one.reason for one in found.definition.end] == ["few", "late"]
    found = variant(HEAD + "remove: { end: [rich] }", base)
    assert [one.reason for one in found.definition.end] == ["late"]
    nameless = compile_texts(
        {"base.md": fenced(base.replace("id: rich, ", "").replace("id: late, ", ""))}
    )
    assert compile_texts({"base.md": fenced(base)}).gamedef_hash == nameless.gamedef_hash
    twice = base.replace("id: late", "id: rich")
    assert [code for code, *_ in told(compile_texts({"base.md": fenced(twice)}))] == [
        "duplicate-name"
    ]


def test_rulebooks_that_extend_each_other_are_refused() -> None:
    circle = variant(HEAD, base="extends: variant.md\ngame: { id: base }")
    assert "extends" in [code for code, _, _ in told(circle)]
    long = {f"r{n}.md": fenced(f"extends: r{n + 1}.md\ngame: {{ id: r{n} }}") for n in range(12)}
    long["r12.md"] = fenced(BASE)
    assert ("extends", "r8.md", 4) in told(compile_texts({"r0.md": long.pop("r0.md"), **long}))


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "base.md").write_text(fenced(BASE))
    (tmp_path / "variant.md").write_text(fenced(HEAD + "remove: { actions: [steal] }"))
    for place in (tmp_path / "variant.md", tmp_path):
        game = lw.load(place, engine="python")
        assert game.gamedef.id == "variant"
        assert [action.name for action in game.program.actions] == ["take"]
    assert lw.load(tmp_path / "base.md", engine="python").gamedef.id == "base"


def test_a_shipped_game_is_extended_by_its_name() -> None:
    rules = "extends: mill-valley\ngame: { id: small-valley, title: Small valley }"
    found = compile_texts({"variant.md": fenced(rules)})  # its tables lie beside it, in a file
    assert told(found) == []
    base = lw.load("mill-valley", engine="python")
    made = lw.load_text(fenced(rules), engine="python")
    assert made.gamedef.id == "small-valley"
    assert made.program.actions == base.program.actions
    assert any(name.endswith("mill-valley/rulebook.md") for name in found.sources)


def test_a_shipped_game_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "ches.md").write_text(fenced(BASE))
    (tmp_path / "variant.md").write_text(fenced("extends: ches\ngame: { id: variant }"))
    found = lw.compile_files(tmp_path / "variant.md").diagnostics.errors[0]
    assert (found.code, found.message) == ("extends", "there is no shipped game `ches`")
    assert found.suggestion is not None
    assert "chess" in found.suggestion
