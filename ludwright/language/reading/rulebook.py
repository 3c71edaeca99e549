"""From files to the YAML blocks of one rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ludwright.diagnostics import Diagnostics
from ludwright.language.reading.bases import Bases
from ludwright.language.reading.csv_tables import CSV_SUFFIX, Beside, with_csv
from ludwright.language.reading.files import YAML_SUFFIXES, Paths, read_beside, read_sources
from ludwright.language.reading.limits import (
    MAX_FILE_BYTES,
    MAX_RULEBOOK_LINES,
    NodeBudget,
    ReadingStopped,
    limited,
)
from ludwright.language.reading.markdown import rule_blocks, unread_rules, whole_file_block
from ludwright.language.reading.nodes import YMap
from ludwright.language.reading.prose import check_prose
from ludwright.language.reading.shipped import with_shipped
from ludwright.language.reading.source import PlayBlock, Source, source_from_text
from ludwright.language.reading.yaml import read_block


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The texts, for showing diagnostics, and the blocks in reading order.

    A section may be spread over several blocks and files; the parser joins them.
    """

    sources: dict[str, str] = field(default_factory=dict)
    blocks: list[YMap] = field(default_factory=list)
    plays: list[PlayBlock] = field(default_factory=list)


def read_rulebook(paths: Paths, diagnostics: Diagnostics) -> Rulebook:
    """Reads a Markdown or YAML file, a folder of Markdown files, or a list of those."""
    return rulebook_from(read_sources(paths, diagnostics), diagnostics)


def rulebook_from(sources: Iterable[Source], diagnostics: Diagnostics) -> Rulebook:
    """Reads files whose texts are known; `diagnostics` say why others could not be read."""
    explained = bool(diagnostics.errors)
    return _from_sources(sources, diagnostics, explained, read_beside(diagnostics))


def read_texts(texts: Mapping[str, str], diagnostics: Diagnostics) -> Rulebook:
    """Reads texts that are already in memory; names ending in `.yaml` are whole YAML, and those
    ending in `.csv` are tables that the others may name."""
    sources = {name: source_from_text(name, text) for name, text in texts.items()}
    rules = [source for name, source in sources.items() if not name.endswith(CSV_SUFFIX)]
    return _from_sources(rules, diagnostics, False, lambda _, name: sources.get(name))


def _from_sources(
    sources: Iterable[Source], diagnostics: Diagnostics, explained: bool, beside: Beside
) -> Rulebook:
    rulebook = Rulebook()
    reported = limited(diagnostics)
    reader = _Reader(rulebook, reported, with_shipped(beside, reported))
    read: list[tuple[str, list[YMap], list[PlayBlock]]] = []
    try:
        for source in sources:
            own: list[YMap] = []
            plays: list[PlayBlock] = []
            read.append((source.file, own, plays))
            for block in reader.blocks(source, plays):
                own.append(reader.bases.within(block))
    except ReadingStopped:
        return rulebook
    finally:
        for file, blocks, plays in read:
            if file not in reader.bases.files:  # otherwise it counts as what is extended
                rulebook.blocks.extend(blocks)
                rulebook.plays.extend(plays)
    any_blocks = reader.any_blocks
    if not any_blocks and not explained:
        _tell_empty(rulebook, diagnostics)
    return rulebook


def _tell_empty(rulebook: Rulebook, diagnostics: Diagnostics) -> None:
    texts = (Source(file, text) for file, text in rulebook.sources.items())
    unread = next((found for text in texts if (found := unread_rules(text)) is not None), None)
    span, help_ = unread or (
        None,
        "write the rules in blocks that start with ```yaml and end with ```",
    )
    diagnostics.error(
        "rulebook-empty", span, "there are no rules to read: no block is marked ```yaml", help_
    )


class _Reader:
    """Reads texts into blocks, all of them together within the limits."""

    def __init__(self, rulebook: Rulebook, diagnostics: Diagnostics, beside: Beside) -> None:
        self._rulebook, self._diagnostics, self._beside = rulebook, diagnostics, beside
        self._budget = NodeBudget()
        self._lines_left = MAX_RULEBOOK_LINES
        self.any_blocks = False
        self.bases = Bases(beside, lambda source: self.blocks(source, []), diagnostics)

    def blocks(self, source: Source, plays: list[PlayBlock]) -> Iterator[YMap]:
        self._rulebook.sources[source.file] = source.text
        self._lines_left -= source.text.count("\n") + 1
        if self._lines_left < 0 or len(source.text) > MAX_FILE_BYTES:
            _too_large(source, self._diagnostics)
            raise ReadingStopped
        if source.file.lower().endswith(YAML_SUFFIXES):
            blocks = [whole_file_block(source)]
        else:
            blocks = list(rule_blocks(source, self._diagnostics, plays))
            check_prose(source, blocks, self._diagnostics)
        for block in blocks:
            self.any_blocks = True
            content = read_block(block, self._diagnostics, self._budget)
            if content is not None:
                sources = self._rulebook.sources
                yield with_csv(content, self._beside, sources, self._diagnostics)


def _too_large(source: Source, diagnostics: Diagnostics) -> None:
    diagnostics.error(
        "rulebook-too-large",
        None,
        f"the rulebook has more than {MAX_RULEBOOK_LINES:,} lines or a text of more than "
        f"{MAX_FILE_BYTES // 2**20} MB; reading stopped before {source.file}",
        "leave out files that hold no rules",
    )
