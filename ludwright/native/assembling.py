"""From LLVM text to callable machine code."""

from __future__ import annotations

import itertools
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import llvmlite.binding as llvm  # type: ignore[import-untyped]

# Characters of text above which compile time counts more than the last few per cent of speed:
MIDDLE = 300_000  # nothing is vectorised
LARGE = 500_000  # nothing that has several callers and is not tiny is inlined
HUGE = 700_000  # only the passes that pay: combining instructions takes half the time for nothing
_FEW_PASSES = (
    "sroa", "simplify_cfg", "sccp", "jump_threading", "new_gvn", "simplify_cfg",
    "dead_code_elimination",
)  # fmt: skip

_names = itertools.count()
_ready: list[Any] = []


def _setup() -> Any:
    """The JIT of this process, made when first needed."""
    if not _ready:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = _machine(2)
        _ready.append(llvm.create_lljit_compiler(machine))
    return _ready[0]


def _machine(level: int) -> Any:
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        reloc="pic",
        codemodel="jitdefault",
    )


def circumstances(level: int) -> tuple[str, ...]:
    """Everything besides the Program that machine code depends on."""
    _setup()
    return (
        llvmlite.__version__,
        ".".join(map(str, llvm.llvm_version_info)),
        llvm.get_default_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        str(level),
    )


def optimised(text: str, level: int) -> bytes:
    """Object code; at level 0 as the text says, in a tenth of the time at half the speed."""
    _setup()
    parsed = llvm.parse_assembly(text)
    parsed.verify()
    machine = _machine(min(level, 1) if len(text) > HUGE else level)
    if level:
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization = options.slp_vectorization = len(text) <= MIDDLE
        if len(text) > LARGE:
            options.inlining_threshold = 0
        builder = llvm.create_pass_builder(machine, options)
        passes = _few_passes() if len(text) > HUGE else builder.getModulePassManager()
        passes.run(parsed, builder)
    return bytes(machine.emit_object(parsed))


def _few_passes() -> Any:
    passes = llvm.create_new_module_pass_manager()
    for name in _FEW_PASSES:
        getattr(passes, f"add_{name}_pass")()
    return passes


class Library:
    """Loaded object code; its functions live as long as it does."""

    def __init__(self, code: bytes, exports: list[str]) -> None:
        jit = _setup()
        builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name in exports:
            builder.export_symbol(name)
        self._tracker = builder.link(jit, f"ludwright{next(_names)}")

    def address(self, name: str) -> int:
        found: int = self._tracker[name]
        return found
