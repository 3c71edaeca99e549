"""What is drawn can be read: in a real browser, with its own letters, in all games that are shipped."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from ludwright.loading import known_games
from ludwright.scene import scene_of
from ludwright.table.view import scene_json
from tests.table.browsers import Person, chromium
from tests.table.playing import new_match, play
from tests.table.server_under_test import serving

pytestmark = pytest.mark.timeout(300)
POSITIONS = (0, 12, 30)  # answers before a picture is taken

# Texts that leave the outline they stand on, and texts of two things that lie on each other. Points
# and knots have their names beside them; cards in a fan cover each other.
MEASURE = """async (scene) => {
  const board = document.querySelector("lw-board");
  board.scene = scene;
  await board.updateComplete;
  const inside = (a, b, by) => a.left >= b.left - by && a.right <= b.right + by && a.top >= b.top - by && a.bottom <= b.bottom + by;
  const apart = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) < 2 || Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) < 4;
  const found = [], seen = [];
  const scale = board.querySelector("svg.scene").getScreenCTM().a;
  for (const item of board.querySelectorAll("g.item")) {
    const edges = [...item.querySelectorAll("path")].map((path) => path.getBoundingClientRect());
    const edge = edges.length ? { left: Math.min(...edges.map((e) => e.left)), right: Math.max(...edges.map((e) => e.right)),
      top: Math.min(...edges.map((e) => e.top)), bottom: Math.max(...edges.map((e) => e.bottom)) } : null;
    const point = item.classList.contains("space") && item.querySelector("path")?.getAttribute("fill") === "none";
    const turned = item.getAttribute("transform").includes("rotate");
    for (const text of item.querySelectorAll("text")) {
      const box = text.getBoundingClientRect();
      if (!box.width || turned) continue;
      const small = edge && edge.right - edge.left < 40 * scale;
      if (edge && !small && !point && !inside(box, edge, 2 * scale)) found.push(`${item.dataset.id}: ${text.textContent} leaves its outline`);
      if (!item.classList.contains("piece")) {
        for (const [other, there, id] of seen) {
          if (id !== item.dataset.id && !apart(box, there)) found.push(`${item.dataset.id}: ${text.textContent} lies on ${other} of ${id}`);
        }
        seen.push([text.textContent, box, item.dataset.id]);
      }
    }
  }
  return found;
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium() as browser, serving(tmp_path_factory.mktemp("drawn") / "m.db") as served:
        person = Person(browser, served, viewport={"width": 1800, "height": 1200})
        match = served.create("tic-tac-toe", ["me", "me"])
        yield person.join(match["match"], *match["tokens"].values()).page


@pytest.mark.parametrize("game", sorted(set(known_games()) - {"fire-in-the-lake"}))
def test_words_stay_where_they_belong(page: Page, game: str) -> None:
    found: list[str] = []
    for answers in POSITIONS:
        match = new_match(game, seed=answers + 3)
        play(match, answers, random.Random(answers))
        for viewer in (*match.seats[:1], None):
            scene = scene_of(match.game, match.game.observe(match.state, viewer))
            found += page.evaluate(MEASURE, scene_json(scene))
    assert found == []
