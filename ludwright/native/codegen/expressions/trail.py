"""`Trail`: the longest trail of links, each used once, with joints between them."""

from __future__ import annotations

from ludwright import program as ir
from ludwright.native.analysis.shapes import Int
from ludwright.native.codegen.expressions.body import Body
from ludwright.native.codegen.expressions.loads import Rows
from ludwright.native.codegen.llvm.builder import Operand, Var
from ludwright.native.codegen.state.values import Value, Wide, bit_of, copied, number, to_bits


def trail(b: Body, node: ir.Trail) -> Value:
    """Depth first, with a stack in place of recursion."""
    f, rows = b.f, b.program.rows[node.table]
    spaces = max(1, len(rows))
    words = (spaces + 63) // 64
    links, joints = _set(b, node.links, words), _set(b, node.joints, words)
    passed = joints if node.through is None else _both(b, joints, node.through, words)
    best = Var(f, init=0)
    if not any(rows):
        return best.get()
    walk = _Walk(b, node, Rows(b, rows, Int()), links, passed, best, spaces)
    with f.for_range(0, spaces) as joint, f.if_(bit_of(joints, joint)):
        walk.start(joint)
    return best.get()


def _set(b: Body, node: ir.Expr, words: int) -> Operand:
    given = to_bits(b.f, b.expr(node), words)
    kept = copied(given, given.shape)
    assert isinstance(kept, Wide)
    return kept.ptr


def _both(b: Body, joints: Operand, node: ir.Expr, words: int) -> Operand:
    through = _set(b, node, words)
    for word in range(words):
        b.f.store(through, word, b.f.load(through, word) & b.f.load(joints, word))
    return through


class _Walk:
    """All trails from one joint. At each depth: the joint, the link taken, and how far the
    neighbours of both have been looked at."""

    def __init__(
        self, b: Body, node: ir.Trail, rows: Rows, links: Operand, passed: Operand, best: Var,
        spaces: int,
    ) -> None:  # fmt: skip
        self.b, self.node, self.rows, self.best = b, node, rows, best
        self.links, self.passed = links, passed
        f = b.f
        self.free = f.array((spaces + 63) // 64)  # the links that are not used
        self.words = (spaces + 63) // 64
        self.joints, self.taken = f.array(spaces + 1), f.array(spaces + 1)
        self.next_link, self.next_joint = f.array(spaces + 1), f.array(spaces + 1)
        self.depth = Var(f, init=0)

    def start(self, joint: Operand) -> None:
        f = self.b.f
        for word in range(self.words):
            f.store(self.free, word, f.load(self.links, word))
        self.depth.set(-1)
        self._enter(joint)
        with f.while_(lambda: self.depth.get() >= 0):
            link = f.load(self.taken, self.depth.get())
            with f.if_(link < 0):
                self._take_link()
            with f.else_():
                self._leave_link(link)

    def _enter(self, joint: Operand) -> None:
        f = self.b.f
        self.depth.add(1)
        at = self.depth.get()
        f.store(self.joints, at, joint)
        f.store(self.taken, at, -1)
        f.store(self.next_link, at, self.rows.span(joint)[0])

    def _flip(self, link: Operand) -> None:
        f, word = self.b.f, link >> 6
        bit = f.value(1) << (link & 63)
        f.store(self.free, word, f.load(self.free, word) ^ bit)

    def _take_link(self) -> None:
        """The next link beside the joint that is not used; back where there is none."""
        f, depth = self.b.f, self.depth.get()
        with f.block() as out:
            at = f.load(self.next_link, depth)
            with f.if_(at >= self.rows.span(f.load(self.joints, depth))[1]):
                self.depth.add(-1)
                f.br(out)
            f.store(self.next_link, depth, at + 1)
            link = number(self.rows.elements[at])
            f.leave_unless(bit_of(self.free, link), out)
            self.b.expr(self.node.spend)
            self._flip(link)
            f.store(self.taken, depth, link)
            f.store(self.next_joint, depth, self.rows.span(link)[0])
            self.best.set(f.smax(self.best.get(), depth + 1))

    def _leave_link(self, link: Operand) -> None:
        """On to the next joint at its other end; the link is free again where there is none."""
        f, depth = self.b.f, self.depth.get()
        with f.block() as out:
            at = f.load(self.next_joint, depth)
            with f.if_(at >= self.rows.span(link)[1]):
                self._flip(link)
                f.store(self.taken, depth, -1)
                f.br(out)
            f.store(self.next_joint, depth, at + 1)
            joint = number(self.rows.elements[at])
            f.leave_if(joint.eq(f.load(self.joints, depth)), out)
            f.leave_unless(bit_of(self.passed, joint), out)
            self._enter(joint)
