"""Walks over the syntax tree of a whole game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar

from ludwright.language import tree
from ludwright.language.gamedef import EndDecl, GameDef

N = TypeVar("N", bound=tree.Node)

_names: dict[type, tuple[str, ...]] = {}


def parts(node: tree.Node) -> list[object]:
    """The fields of a node that say something, which its place in the text does not."""
    kind = node.__class__
    names = _names.get(kind)
    if names is None:
        found = tuple(part.name for part in fields(kind) if not part.name.endswith("span"))
        names = _names.setdefault(kind, found)
    return [getattr(node, name) for name in names]


def nodes_in(node: object) -> Iterator[tree.Node]:
    """Every node below (and including) this one, in the order of the text."""
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tree.Node):
            yield item
            stack.extend(reversed(parts(item)))
        elif isinstance(item, tuple):
            stack.extend(reversed(item))


def dotted(node: tree.Expr) -> str | None:
    """`a.b.c` as it is written; None of anything else."""
    match node:
        case tree.Name(id=name):
            return name
        case tree.Attr(of=of, name=name):
            prefix = dotted(of)
            return f"{prefix}.{name}" if prefix is not None else None
        case _:
            return None


def free_names(node: object) -> Iterator[str]:
    """Every bare name in an expression that no comprehension binds."""
    match node:
        case tree.Name(id=name):
            yield name
        case tree.Comp(head=head, clauses=clauses):
            bound = {name for c in clauses if isinstance(c, tree.For) for name in c.names}
            sources = [c.source if isinstance(c, tree.For) else c.when for c in clauses]
            for part in (head, *sources):
                yield from (name for name in free_names(part) if name not in bound)
        case tree.Where(value=value, names=names):
            known: set[str] = set()
            for own, part in names:
                yield from (name for name in free_names(part) if name not in known)
                known.add(own)
            yield from (name for name in free_names(value) if name not in known)
        case tree.Expr():
            yield from free_names(tuple(parts(node)))
        case tuple():
            for item in node:
                yield from free_names(item)


def effects_in(gamedef: GameDef) -> Iterator[tree.Effect]:
    return (node for node in nodes_in(gamedef) if isinstance(node, tree.Effect))


class NodesByKind:
    """Every node of a game by its class: one walk answers many questions about the whole game."""

    def __init__(self, gamedef: GameDef) -> None:
        self._of: dict[type[tree.Node], list[Any]] = {}
        for node in nodes_in(gamedef):
            self._of.setdefault(node.__class__, []).append(node)

    def of(self, kind: type[N]) -> list[N]:
        return self._of.get(kind, [])

    @property
    def effects(self) -> frozenset[type[tree.Node]]:
        """What kinds of effects the game uses anywhere."""
        return frozenset(kind for kind in self._of if issubclass(kind, tree.Effect))


def asked_of_others(gamedef: GameDef, nodes: NodesByKind) -> frozenset[str]:
    """The procedures that some call tells who decides in them (`by=`), with all that they call."""
    calls = nodes.of(tree.CallProc)
    found = {node.proc for node in calls if any(name == "by" for name, _ in node.named)}
    bodies = {decl.name: decl for decl in gamedef.procs}
    waiting = list(found)
    while waiting:
        for node in nodes_in(bodies.get(waiting.pop())):
            if isinstance(node, tree.CallProc) and node.proc not in found:
                found.add(node.proc)
                waiting.append(node.proc)
    return frozenset(found)


def names_of_end(decl: EndDecl) -> set[str]:
    """The names that a way to end the game uses."""
    return {name for part in (decl.when, decl.seats, decl.score) for name in free_names(part)}
