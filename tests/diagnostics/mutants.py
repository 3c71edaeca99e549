"""Spoilt rulebooks: what happens to a file in an editor, in a merge, or at a stranger's hands.

Run as a script it compiles a range of mutants under limits of time and memory and prints one
JSON object. It is a process of its own so that a mutant that eats memory ends only itself.
"""

from __future__ import annotations

import json
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FrameType

from ludwright.diagnostic_text import render_text, to_json
from ludwright.diagnostics import Diagnostics
from ludwright.loading import Compilation, compile_text, shipped_games

SKETCHES = Path(__file__).parent.parent / "language" / "sketches"
HEADER = "game: { id: sketch, title: Sketch, players: 2 }\n"

LONGEST_SECONDS = 2.0  # of processor time: the clock on the wall depends on the neighbours
GIVE_UP_SECONDS = 8.0
MEMORY_BYTES = 500 * 1024 * 1024

VALUE = re.compile(r"\s*(- )?(\w[\w.()]*: |- )")

Mutation = Callable[[random.Random, str], str]

GARBAGE = (
    "\u202e", "\ufeff", "\u00a0", "\u2028", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode(
        "utf-16"), "é", "\x00", "\x07", "\x1b[31m", "\t", "\r", "𝔘", "ﷺ", "\u0301" * 40, "０", "٣",
    "＝", "“", "”", "–", "×", "\x85", "\uffff", "\U000e0041",
)  # fmt: skip
SYMBOLS = "{}[]()<>:;,.'\"`#&*!|%@?-+=/\\$_~^ \n0123456789"
WORDS = (
    "for", "in", "if", "then", "else", "none", "actor", "all", "seats", "spaces", "end turn",
    "stop", "return", "return 1", "move", "to", "from", "of", "at", "place", "remove", "draw", "roll",
    "let x = 1", "1..0", "0..99999999", "-1", "[]", "()", "not", "and", "or", "x for x in", "goto",
    "true", "Seat", "Space", "Piece", "list[0..9, 5000]", "set[Space]", "$x", "__x", "it",
    "chooseOne", "null", "~", "next phase", "run phase x", "resolve x", "window w", "record h",
)  # fmt: skip
HUGE = (
    "2147483647", "2147483648", "-2147483648", "9223372036854775807", "9" * 400, "1000000", "4097",
    "100000", "0", "-1", "1e9", "0x7fffffff", "1_000_000", "00000000001", "65537", "3.14",
)  # fmt: skip


def _lines(text: str) -> list[str]:
    return text.split("\n")


def cut_lines(rng: random.Random, text: str) -> str:
    lines = _lines(text)
    at = rng.randrange(len(lines))
    del lines[at : at + rng.choice((1, 1, 1, 2, 5))]
    return "\n".join(lines)


def swap_lines(rng: random.Random, text: str) -> str:
    lines = _lines(text)
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def shift_indent(rng: random.Random, text: str) -> str:
    lines = _lines(text)
    at = rng.randrange(len(lines))
    change = rng.choice((-4, -2, -1, 1, 2, 4, 40))
    line = lines[at]
    lines[at] = " " * change + line if change > 0 else line[min(-change, len(line)) :]
    return "\n".join(lines)


def garble_characters(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(text) + 1)
        keep = at + rng.choice((0, 1, 1, 3))
        text = text[:at] + rng.choice(SYMBOLS) * rng.choice((0, 1, 1, 2)) + text[keep:]
    return text


def unicode_garbage(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice((1, 1, 4))):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(GARBAGE) + text[at:]
    return text


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    start = None
    for at, character in enumerate(text + " "):
        if character.isalnum() or character in "_$":
            start = at if start is None else start
        elif start is not None:
            yield start, at
            start = None


def swap_words(rng: random.Random, text: str) -> str:
    """A word of the rulebook, or of the language, in place of another."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        tokens = list(_tokens(text))
        if not tokens:
            return text
        start, end = rng.choice(tokens)
        from_start, from_end = rng.choice(tokens)
        new = rng.choice((text[from_start:from_end], rng.choice(WORDS), ""))
        text = text[:start] + new + text[end:]
    return text


def swap_values(rng: random.Random, text: str) -> str:
    """What stands behind one key or dash moves behind another: valid YAML, wrong rules."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        lines = _lines(text)
        places = [(n, m.end()) for n, line in enumerate(lines) if (m := VALUE.match(line))]
        if len(places) < 2:
            return text
        (a, from_a), (b, from_b) = rng.sample(places, 2)
        tail_a, tail_b = lines[a][from_a:], lines[b][from_b:]
        lines[a] = lines[a][:from_a] + tail_b
        if rng.random() < 0.5:
            lines[b] = lines[b][:from_b] + tail_a
        text = "\n".join(lines)
    return text


def huge_numbers(rng: random.Random, text: str) -> str:
    numbers = [(a, b) for a, b in _tokens(text) if text[a:b].isdigit()]
    for _ in range(rng.choice((1, 1, 2))):
        if not numbers:
            return swap_words(rng, text)
        start, end = numbers.pop(rng.randrange(len(numbers)))
        text = text[:start] + rng.choice(HUGE) + text[end:]
        numbers = [(a, b) for a, b in _tokens(text) if text[a:b].isdigit()]
    return text


def duplicate_blocks(rng: random.Random, text: str) -> str:
    lines = _lines(text)
    start = rng.randrange(len(lines))
    block = lines[start : start + rng.randint(1, 12)]
    at = rng.choice((start + len(block), rng.randrange(len(lines))))
    return "\n".join([*lines[:at], *block * rng.choice((1, 1, 2, 50)), *lines[at:]])


def deep_nesting(rng: random.Random, text: str) -> str:
    depth = rng.choice((10, 60, 70, 1_000, 20_000))
    kind = rng.randrange(6)
    if kind == 0:
        extra = "deep: " + "[" * depth + "]" * depth
    elif kind == 1:
        extra = "fns:\n  deep(): " + "(" * depth + "1" + ")" * depth
    elif kind == 2:
        extra = "fns:\n  deep(): " + "not " * depth + "true"
    elif kind == 3:
        extra = "setup:\n  - " + "if true then " * depth + "stop"
    elif kind == 4:
        extra = "setup:\n" + "".join(
            f"{'    ' * level}  - if:\n{'    ' * level}      when: true\n{'    ' * level}      then:\n"
            for level in range(1, min(depth, 300))
        )
    else:
        extra = "fns:\n" + "".join(
            f"  deep{level}(): deep{level + 1}() + deep{level + 1}()\n"
            for level in range(min(depth, 1_000))
        )
        last = rng.choice(("1", "seats", "[actor]", "true"))
        extra += f"  deep{min(depth, 1_000)}(): {last}\nscore: deep0()"
    return _into_block(text, extra)


def yaml_bomb(rng: random.Random, text: str) -> str:
    kind = rng.randrange(4)
    if kind == 0:
        extra = "a0: &a0 [x, x]\n" + "".join(
            f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
        )
    elif kind == 1:
        extra = "<<: " + "{ <<: " * 50 + "{}" + " }" * 50
    elif kind == 2:
        extra = "enums:\n" + "".join(f"  E{n}: [{', '.join('abcdefgh')}]\n" for n in range(400))
    else:
        extra = "!!python/object/apply:os.system ['true']: 1\n%YAML 9.9\n--- x\n"
    return _into_block(text, extra)


def _into_block(text: str, extra: str) -> str:
    """Added to the last ```yaml block, or to the end of a YAML file."""
    at = text.rfind("```")
    return text[:at] + extra + "\n" + text[at:] if at > 0 else f"{text}\n{extra}\n"


def truncate(rng: random.Random, text: str) -> str:
    start = rng.randrange(len(text))
    return text[:start] if rng.random() < 0.8 else text[start:]


def join_rulebooks(rng: random.Random, text: str) -> str:
    other = rng.choice(originals())[1]
    return text + "\n" + other


MUTATIONS: dict[str, tuple[int, Mutation]] = {
    "cut lines": (3, cut_lines),
    "swap lines": (2, swap_lines),
    "shift the indentation": (2, shift_indent),
    "garble characters": (4, garble_characters),
    "unicode garbage": (2, unicode_garbage),
    "swap words": (6, swap_words),
    "swap values": (5, swap_values),
    "huge numbers": (3, huge_numbers),
    "duplicate blocks": (2, duplicate_blocks),
    "deep nesting": (1, deep_nesting),
    "YAML bomb": (1, yaml_bomb),
    "truncate": (2, truncate),
    "join rulebooks": (1, join_rulebooks),
}


@cache
def originals() -> list[tuple[str, str]]:
    """Shipped rulebooks, and the sketches of larger games: file name and text."""
    found = [(f"{name}.md", path.read_text("utf-8")) for name, path in shipped_games().items()]
    for path in sorted(SKETCHES.glob("*.yaml")):
        found.append((path.name, HEADER + path.read_text("utf-8")))
    return found


def mutant(number: int) -> tuple[str, str, str]:
    """What was done, a file name, and the text. The same number is always the same mutant."""
    rng = random.Random(number)
    file, text = rng.choice(originals())
    names = list(MUTATIONS)
    weights = [weight for weight, _ in MUTATIONS.values()]
    done = rng.choices(names, weights, k=rng.choice((1, 1, 2, 3)))
    for name in done:
        text = MUTATIONS[name][1](rng, text) or "\n"
    return " + ".join(done), file, text


class TooSlow(BaseException):
    """Not an Exception: nothing in the compiler may swallow it."""


def _stop(signum: int, frame: FrameType | None) -> None:
    raise TooSlow


def compile_limited(file: str, text: str) -> tuple[float, str | None]:
    """Processor seconds, and what went wrong if anything did."""
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, GIVE_UP_SECONDS)
    begun = time.process_time()
    try:
        problem = _judge(compile_text(text, file))
    except TooSlow:
        problem = f"still running after {GIVE_UP_SECONDS} s: {traceback.format_exc(limit=-2)}"
    except Exception:
        problem = traceback.format_exc(limit=-3)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    taken = time.process_time() - begun
    if problem is None and taken > LONGEST_SECONDS:
        problem = f"took {taken:.1f} s"
    return taken, problem


def _judge(compilation: Compilation) -> str | None:
    """A mutant compiles, or says why not: with a message, a code and a printable place."""
    found: Diagnostics = compilation.diagnostics
    if compilation.program is None and found.ok:
        return "no program, but no error either"
    render_text(found.items, compilation.sources, color=True)
    json.dumps(to_json(found.items, compilation.sources))
    for item in found.items:
        if not item.message.strip():
            return f"{item.code} has no message"
        if item.span is not None and not (item.span.line >= 1 and item.span.column >= 1):
            return f"{item.code} points at {item.span}"
    return None


def run(numbers: range) -> dict[str, object]:
    slowest: list[tuple[float, int]] = []
    failures: list[dict[str, object]] = []
    clean = 0
    for number in numbers:
        what, file, text = mutant(number)
        taken, problem = compile_limited(file, text)
        slowest = sorted([*slowest, (round(taken, 3), number)], reverse=True)[:5]
        if problem is not None:
            failures.append({"number": number, "file": file, "what": what, "problem": problem})
        else:
            clean += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"clean": clean, "slowest": slowest, "peak_kb": peak, "failures": failures}


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    first, last = int(sys.argv[1]), int(sys.argv[2])
    print(json.dumps(run(range(first, last))))


if __name__ == "__main__":
    main()
