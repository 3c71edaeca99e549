"""Every fault and every refusal names its rule, on both engines.

Native code holds only the errors that its bounds do not rule out, so its list of errors is the
list of what can go wrong in a game.
"""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

import ludwright as lw
from ludwright import program as ir
from tests.native.rulebooks.writing import rulebook
from tests.native.support import needs_native

# No rule is to blame: a state from outside, and a game of two thousand million events.
NOBODYS = {"state", "log-full"}
PACKAGE = Path(lw.__file__).parent


def without_a_rule(program: ir.Program) -> list[str]:
    from ludwright.native.translate import translate

    errors = translate(program, True, False).interface.errors
    return [
        f"[{error.code}] {error.reason}"
        for error in errors
        if error.kind in ("fault", "refusal")
        and error.code not in NOBODYS
        and not (0 <= error.site < len(program.sites) and program.sites[error.site].rule)
    ]


@needs_native
@pytest.mark.parametrize("name", sorted(lw.shipped_games()))
def test_whatever_can_fail_in_a_shipped_game_names_its_rule(name: str) -> None:
    program = lw.compile_files(lw.shipped_games()[name]).program
    assert program is not None
    assert without_a_rule(program) == []


@needs_native
@pytest.mark.parametrize("seed", range(12))
def test_whatever_can_fail_in_a_generated_game_names_its_rule(seed: int) -> None:
    program = lw.compile_text(rulebook(random.Random(seed))).program
    if program is not None:
        assert without_a_rule(program) == []


def test_no_engine_raises_an_error_without_a_site() -> None:
    """No call that makes a fault or a refusal gives -1 as its site."""
    found = []
    for file in sorted([*(PACKAGE / "kernel").rglob("*.py"), *(PACKAGE / "native").rglob("*.py")]):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name not in ("fault", "refusal", "Refused", "check_index"):
                continue
            given = {ast.unparse(arg) for arg in node.args}
            if "-1" in given and not given & {"faults.STATE", "faults.LOG_FULL"}:
                found.append(f"{file.name}:{node.lineno}: {ast.unparse(node)}")
    assert found == []


REVEAL = """```yaml
game: { id: show, title: Show, players: 2 }
seats: [red, blue]
pieces: { card: { each: { rank: 1..3 } } }
zones:
  deck: { of: card, order: deck, see: none, init: all }
  hand: { of: card, each: seat, see: owner }
actions:
  - id: show
    effects:
      - let c = hand(actor).piece
      - reveal c
```
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_reveal_of_nothing_names_its_line(engine: str) -> None:
    game = lw.load_text(REVEAL, engine=engine)
    with pytest.raises(lw.RulebookFault, match="no piece to reveal") as caught:
        game.choose(game.initial_state(), "show")
    assert caught.value.rule == "action show"
    assert caught.value.span is not None
    assert caught.value.span.line == 12
