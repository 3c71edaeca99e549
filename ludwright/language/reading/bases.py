"""`extends: base.md`: the rulebook that another one changes, read into its place.

The name of the file, or of a shipped game, becomes the list of its blocks. Which of their entries
count is the parser's business (`parsing.extending`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ludwright.diagnostics import Diagnostics
from ludwright.language.reading.nodes import YList, YMap, YNode, YScalar
from ludwright.language.reading.shipped import read_shipped, shipped_rulebooks
from ludwright.language.reading.source import Source
from ludwright.spelling import did_you_mean

MAX_BASES = 8  # rulebooks that extend each other
SUFFIXES = (".md", ".markdown", ".yaml", ".yml")

# The text of a file that lies beside another one, and the blocks of a text.
Beside = Callable[[str, str], Source | None]
Blocks = Callable[[Source], Iterable[YMap]]


class Bases:
    """Reads the rulebooks that others extend, and remembers which they were."""

    def __init__(self, beside: Beside, blocks: Blocks, found: Diagnostics) -> None:
        self._beside, self._blocks, self._diagnostics = beside, blocks, found
        self._under_way: list[str] = []
        self.files: set[str] = set()

    def within(self, block: YMap) -> YMap:
        """The same block, with the blocks of a base in the place of its name."""
        if block.get("extends") is None:
            return block
        entries = tuple(
            (key, self._read(node) if key.text == "extends" else node)
            for key, node in block.entries
        )
        return YMap(entries, block.span, block.flow)

    def _read(self, node: YNode) -> YNode:
        nothing = YList((), node.span)
        if not isinstance(node, YScalar):
            self._refuse(
                node,
                "`extends` names one rulebook",
                "write for example `extends: base.md`, or `extends: chess`",
            )
            return nothing
        source = self._source(node, node.text)
        if source is None:
            return nothing
        before = self._under_way
        chain = before or [node.span.file]
        if source.file in chain or len(chain) > MAX_BASES:
            self._refuse(
                node,
                f"{' extends '.join([*chain, source.file])}: this goes round and round"
                if source.file in chain
                else f"more than {MAX_BASES} rulebooks extend each other",
                "extend a rulebook that extends no other",
            )
            return nothing
        self.files.add(source.file)
        self._under_way = [*chain, source.file]
        blocks = tuple(self.within(block) for block in self._blocks(source))
        self._under_way = before
        return YList(blocks, node.span)

    def _source(self, node: YScalar, name: str) -> Source | None:
        """A file beside the rulebook, or a shipped game; None where that is refused."""
        if "/" in name or "\\" in name or name.startswith("."):
            self._refuse(
                node,
                "a rulebook extends a file in its own folder, or a shipped game",
                "write the name of a `.md` file that lies beside this one",
            )
            return None
        if name.lower().endswith(SUFFIXES):
            source = self._beside(node.span.file, name)
            if source is None:
                self._refuse(
                    node,
                    f"there is no file {name} beside this one",
                    "check its name, or put it into the same folder",
                )
            return source
        source = read_shipped(name, self._diagnostics)
        if source is None:
            self._refuse(
                node,
                f"there is no shipped game `{name}`",
                did_you_mean(name, shipped_rulebooks())
                or f"of a file beside this one write the whole name: `{name}.md`",
            )
        return source

    def _refuse(self, node: YNode, message: str, suggestion: str) -> None:
        self._diagnostics.error("extends", node.span, message, suggestion)
