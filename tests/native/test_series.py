"""Series of random games: the same report whichever engine plays them, on any number of threads."""

from __future__ import annotations

import pytest

import ludwright as lw
from ludwright.agents import EndlessChoices, GreedyAgent, RandomAgent
from ludwright.errors import RulebookFault
from ludwright.kernel.game import Game
from ludwright.simulate import Summary, simulate
from tests.native.support import needs_native

pytestmark = needs_native


def games(name: str) -> tuple[Game, Game]:
    return lw.load(name, engine="python"), lw.load(name, engine="native")


@pytest.mark.parametrize(
    ("name", "n", "limit"),
    [
        ("tic-tac-toe", 90, 100_000), ("pig", 4, 100_000), ("nim", 70, 100_000),
        ("goofspiel", 5, 100_000), ("kuhn-poker", 70, 100_000), ("leduc-poker", 20, 3),
    ],
)  # fmt: skip
def test_both_engines_give_the_same_report(name: str, n: int, limit: int) -> None:
    plain, native = games(name)
    wanted = simulate(plain, n, [RandomAgent], 7, limit=limit)
    assert wanted.games == n
    for threads in (1, 3):
        assert simulate(native, n, [RandomAgent], 7, limit=limit, threads=threads) == wanted


@pytest.mark.parametrize(("name", "limit"), [("chess", 150), ("delta", 100_000)])
def test_threads_do_not_matter(name: str, limit: int) -> None:
    """Also where choices may be refused later."""
    native = games(name)[1]
    one, two = (
        simulate(native, 130, [RandomAgent], 7, limit=limit, threads=threads) for threads in (1, 3)
    )
    assert one == two
    assert one.games == 130
    assert sum(one.reasons.values()) == 130
    assert 130 <= one.moves <= one.decisions


def test_other_agents_play_one_answer_at_a_time() -> None:
    plain, native = games("nim")
    one, two = (simulate(game, 3, [GreedyAgent, RandomAgent], 2) for game in (plain, native))
    assert one == two


def test_an_interrupt_keeps_the_games_before_it() -> None:
    def stop(summary: Summary) -> None:
        raise KeyboardInterrupt

    summary = simulate(games("tic-tac-toe")[1], 10**9, [RandomAgent], 1, on_game=stop)
    assert summary.interrupted
    assert 0 < summary.games < 10**9
    assert sum(summary.reasons.values()) == summary.games


BOOK = """
# A mistake

```yaml
game: { id: mistake, title: A mistake, players: 2 }
vars: { total: 0..9, die: 0..6 }
actions:
  - id: act
    params: { n: 1..3 }
    effects: [RULE]
end: [{ when: total == 99, win: actor }]
```
"""


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("total += n", "range"),
        ("total = n // total", "division"),
        ("total = 9 // (3 - n)", "division"),
    ],
)
def test_a_mistake_of_the_rulebook_is_told_with_its_rule(rule: str, code: str) -> None:
    told = []
    for engine in ("python", "native"):
        game = lw.load_text(BOOK.replace("RULE", rule), engine=engine)
        with pytest.raises(RulebookFault) as caught:
            simulate(game, 5, [RandomAgent], 3)
        assert caught.value.code == code
        assert caught.value.span is not None
        told.append(str(caught.value))
    assert told[0] == told[1]
    with pytest.raises(RulebookFault, match="act"):
        game.playouts(5, 3)  # type: ignore[attr-defined]


def test_a_move_that_never_ends_is_told_with_its_name() -> None:
    text = BOOK.replace("RULE", "{ repeat: { while: total < 9, max: 50000, do: [{ chooseOne: { bind: $m, options: 1..2 } }] } }")  # fmt: skip
    for engine in ("python", "native"):
        game = lw.load_text(text, engine=engine)
        with pytest.raises(EndlessChoices, match="`act`"):
            simulate(game, 1, [RandomAgent], 3, limit=20_000)
