"""What a generated rulebook has in it that moves must cope with, read from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

# How many of the books with the seeds 0..499 have each of them.
OF_500 = {
    "an offer in a move": 291,
    "an offer in an offer": 50,
    "an event in an offer": 74,
    "an offer in an event": 116,
    "a special activity": 108,
    "a sealed choice": 200,
    "a hidden zone": 500,
    "a free operation": 121,
    "several picks in a loop": 192,
}


def features(text: str) -> set[str]:
    blocks: dict[str, Any] = {}
    for block in re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S):
        blocks |= yaml.safe_load(block)
    kinds = ("actions", "operations", "operationProfiles")
    moves = {move["id"]: move for key in kinds for move in blocks.get(key, ())}
    offered = {name: set(_offered(move)) for name, move in moves.items()}
    inner = set().union(*offered.values())
    events = list(_offered(blocks.get("events", {})))
    found = {
        "an offer in a move": any(offered.values()),
        "an offer in an offer": any(offered.get(name) for name in inner),
        "an event in an offer": any(_resolves(moves.get(name)) for name in inner | set(events)),
        "an offer in an event": bool(events),
        "a special activity": "specials" in blocks or "specialActivities" in blocks,
        "a sealed choice": any(node.get("together") for node in _nodes(blocks)),
        "a hidden zone": any(
            zone.get("see") in ("none", "owner", "count")
            for zone in blocks.get("zones", {}).values()
        ),
        "a free operation": any(node.get("free") is True for node in _nodes(blocks)),
        "several picks in a loop": any(
            "chooseN" in node
            for loop in _nodes(blocks)
            if "forEach" in loop
            for node in _nodes(loop["forEach"].get("do", ()))
        ),
    }
    return {name for name, holds in found.items() if holds}


def _nodes(block: Any) -> Iterator[dict[str, Any]]:
    """All mappings inside."""
    if isinstance(block, dict):
        yield block
    for inner in block.values() if isinstance(block, dict) else block:
        if isinstance(inner, dict | list):
            yield from _nodes(inner)


def _offered(block: Any) -> Iterator[str]:
    """The actions that offers inside name."""
    for node in _nodes(block):
        offer = node.get("offer")
        if isinstance(offer, dict):
            yield from offer.get("actions", ())


def _resolves(block: Any) -> bool:
    """Whether a card is resolved inside."""
    return block is not None and any(
        isinstance(part, str) and part.startswith("resolve ")
        for node in _nodes(block)
        for value in node.values()
        for part in (value if isinstance(value, list) else (value,))
    )
