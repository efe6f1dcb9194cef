"""Compiled loops over arrays, and when they are compiled.

A kernel module holds plain Python functions over numpy arrays, written so that numba can
compile them. They work as they are, slowly; `load` puts their compiled twins in their place.
Callers write ``from advisor.kernels import schedule as kernel`` and ``kernel.makespan(...)``,
so that they take whichever is there. Machine code is cached on disk, by a digest of all sources
that it came from; ``python -m advisor.kernels`` fills the cache.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

MODULES = (
    "advisor.kernels.cores",
    "advisor.kernels.schedule",
    "advisor.kernels.lists",
    "advisor.kernels.paths",
    "advisor.kernels.solution",
    "advisor.kernels.refine",
    "advisor.kernels.exact",
    "advisor.kernels.mapping",
    "advisor.kernels.wormhole",
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
    from numba import config, njit  # noqa: PLC0415 - half a second; only when asked for

    before, base = config.CACHE_DIR, cache_folder()
    compiled = {}
    try:
        for module, digest in zip(modules, _digests(modules), strict=True):
            config.CACHE_DIR = str(base / digest) if base else before
            for name, function in functions(module).items():
                options = _options(module, name) | {"cache": base is not None}
                dispatcher = njit(**options)(function)
                setattr(module, name, dispatcher)
                compiled[module.__name__, name] = dispatcher
    finally:
        config.CACHE_DIR = before
    return compiled


def _options(module: ModuleType, name: str) -> dict[str, Any]:
    """How a kernel is compiled.

    Its module may list it in ``INLINED`` (copied into its callers, because a call costs as much
    as what it does) and in ``BORROWING`` (it allocates nothing and returns no array, so that
    numba needs not count references to its arguments, which would take most of its time).
    """
    return {
        "nogil": True,
        "error_model": "numpy",
        "inline": "always" if name in getattr(module, "INLINED", ()) else "never",
        "_nrt": name not in getattr(module, "BORROWING", ()),
    }


def cache_folder() -> Path | None:
    """Where machine code is kept: beside the sources, else in the user's cache, else nowhere."""
    beside = Path(__file__).parent / "__pycache__"
    user = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache"
    for folder in (beside, Path(user).expanduser() / "placewise"):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return None


def _digests(modules: list[ModuleType]) -> Iterator[str]:
    """A digest for each module, of its source and of all that it may call."""
    digest = hashlib.sha256((Path(__file__).parent / "instance.py").read_bytes())
    for module in modules:
        digest.update(Path(str(module.__file__)).read_bytes())
        yield f"{module.__name__.rpartition('.')[2]}-{digest.hexdigest()[:16]}"
