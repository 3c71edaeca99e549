"""From LLVM text to callable machine code.

LLVM is only called by somebody who holds `forking.making`, or in the thread of a build. What it
made is therefore closed as soon as it is not needed, and not left to the garbage collector.
"""

from __future__ import annotations

import itertools
import sys
import weakref
from collections import deque
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import llvmlite.binding as llvm  # type: ignore[import-untyped]

from ludwright.forking import making

# For texts of more characters than these, compile time counts more than the last few per cent of
# speed. From the first on nothing is vectorised; from the second on only tiny functions, and those
# with one caller, are inlined; from the third on only a few passes of LLVM are run.
MEDIUM, LARGE, HUGE = 200_000, 400_000, 600_000
_FEW_PASSES = (
    "always_inliner", "sroa", "simplify_cfg", "sccp", "jump_threading", "new_gvn", "simplify_cfg",
    "dead_code_elimination",
)  # fmt: skip

# Whether all parts of one object lie near each other in memory, which this linker of LLVM sees to.
# Calls are short then. Where they may be far, LLVM cannot use its quick selection of instructions
# for any call, and unoptimised code takes two thirds more time to make.
_NEAR = sys.platform == "linux"

_names = itertools.count()
_ready: list[Any] = []
_unused: deque[Any] = deque()  # loaded code that nobody can call any more
_at_work: list[str] = []  # the texts that LLVM is compiling: meanwhile its lock is taken


def _setup() -> Any:
    """The JIT of this process, made when first needed."""
    if not _ready:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        with _machine(2) as machine:
            _ready.append(llvm.create_lljit_compiler(machine, use_jit_link=_NEAR))
    return _ready[0]


def _machine(level: int) -> Any:
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        reloc="pic",
        codemodel="small" if _NEAR else "jitdefault",
    )


def circumstances(level: int) -> tuple[str, ...]:
    """Everything that machine code depends on, apart from the Program."""
    _setup()
    return (
        llvmlite.__version__,
        ".".join(map(str, llvm.llvm_version_info)),
        llvm.get_default_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        str(level),
    )


def deposits_fast() -> bool:
    """Whether this processor has the instruction `pdep`, and not as a slow routine."""
    _setup()
    slow = llvm.get_host_cpu_name() in ("bdver4", "znver1", "znver2")
    return bool(llvm.get_host_cpu_features().get("bmi2")) and not slow


def optimised(text: str, level: int) -> bytes:
    """Object code. Level 0 does not optimise: it takes a tenth of the time, for half the speed."""
    _setup()
    generated = min(level, 1) if len(text) > HUGE else level
    _at_work.append(text)
    try:
        with llvm.parse_assembly(text) as parsed, _machine(generated) as machine:
            parsed.verify()
            if level:
                _optimise(parsed, machine, level, len(text))
            return bytes(machine.emit_object(parsed))
    finally:
        _at_work.remove(text)


def _optimise(parsed: Any, machine: Any, level: int, size: int) -> None:
    with llvm.create_pipeline_tuning_options(speed_level=level) as options:
        options.loop_vectorization = options.slp_vectorization = size <= MEDIUM
        if size > LARGE:
            options.inlining_threshold = 0
        with llvm.create_pass_builder(machine, options) as builder:
            made = _few_passes() if size > HUGE else builder.getModulePassManager()
            with made as passes:
                passes.run(parsed, builder)


def _few_passes() -> Any:
    passes = llvm.create_new_module_pass_manager()
    for name in _FEW_PASSES:
        getattr(passes, f"add_{name}_pass")()
    return passes


class Library:
    """Loaded object code; its functions exist as long as it does."""

    def __init__(self, code: bytes, exports: list[str]) -> None:
        jit = _setup()
        _dispose()
        builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name in exports:
            builder.export_symbol(name)
        self._tracker = builder.link(jit, f"ludwright{next(_names)}")
        weakref.finalize(self, _give_up, self._tracker).atexit = False

    def address(self, name: str) -> int:
        found: int = self._tracker[name]
        return found


def _give_up(tracker: Any) -> None:
    _unused.append(tracker)
    _dispose()


def _dispose() -> None:
    """Unload what is not used any more: now, or else when code is next loaded.

    Garbage is collected in any thread and in the middle of anything, so nothing is waited for.
    """
    if not _at_work and making.acquire(blocking=False):
        try:
            while True:
                _unused.pop().close()
        except IndexError:
            pass
        finally:
            making.release()
