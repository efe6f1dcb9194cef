"""Compiled loops over arrays, and when they are compiled.

A kernel module holds plain Python functions over numpy arrays, written so that numba can
compile them. They work as they are, slowly; `load` puts their compiled twins in their place.
Callers write ``from advisor.kernels import schedule as kernel`` and ``kernel.makespan(...)``,
so that they take whichever is there. Machine code is cached on disk under a digest of the
sources; ``python -m advisor.kernels`` fills the cache.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

MODULES = (
    "advisor.kernels.cores",
    "advisor.kernels.schedule",
    "advisor.kernels.lists",
    "advisor.kernels.paths",
)
"""Kernel modules; a module may call functions of those before it."""

_plain: dict[tuple[str, str], Callable[..., Any]] = {}
_lock = Lock()


def loaded() -> bool:
    """Whether the compiled kernels are in place."""
    return bool(_plain)


def load() -> None:
    """Put the compiled kernels in place of the plain ones, compiling what the cache lacks.

    Safe to call from any thread and more than once. Functions become visible as they compile,
    each working alone, so others may go on calling kernels meanwhile.
    """
    with _lock:
        if loaded():
            return
        modules = [importlib.import_module(name) for name in MODULES]
        compiled = _compile(modules)
        for (name, function), dispatcher in compiled.items():
            _plain[name, function] = dispatcher.py_func
        with warnings.catch_warnings():
            # the cache may be read-only; kernels then live for this process only
            warnings.simplefilter("ignore")
            for module in modules:
                module.warm_up()


def unload() -> None:
    """Put the plain kernels back."""
    with _lock:
        for (name, function), plain in _plain.items():
            setattr(sys.modules[name], function, plain)
        _plain.clear()


def functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The kernels of a module in the order of definition; `warm_up` is none."""
    return {
        name: value
        for name, value in vars(module).items()
        if callable(value)
        and getattr(value, "__module__", "") == module.__name__
        and not isinstance(value, type)
        and name != "warm_up"
    }


def _compile(modules: list[ModuleType]) -> dict[tuple[str, str], Any]:
    from numba import config, njit  # noqa: PLC0415  half a second; only when asked for

    before, config.CACHE_DIR = config.CACHE_DIR, str(cache_folder())
    try:
        compiled = {}
        for module in modules:
            for name, function in functions(module).items():
                inline = "always" if name in getattr(module, "INLINED", ()) else "never"
                options = {"cache": True, "nogil": True, "error_model": "numpy", "inline": inline}
                dispatcher = njit(**options)(function)
                setattr(module, name, dispatcher)
                compiled[module.__name__, name] = dispatcher
        return compiled
    finally:
        config.CACHE_DIR = before


def cache_folder() -> Path:
    """Where machine code is kept: beside the sources, or in the user's cache if read-only.

    The name carries a digest of all kernel sources, because a kernel that calls another
    must be compiled anew when that one changes.
    """
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for source in sorted(here.glob("*.py")):
        digest.update(source.read_bytes())
    name = f"kernels-{digest.hexdigest()[:16]}"
    if os.access(here, os.W_OK):
        return here / "__pycache__" / name
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or Path.home() / ".cache") / "placewise" / name
