"""Compiled loops over arrays, and when they are compiled.

A kernel module holds plain Python functions over numpy arrays, written so that numba can
compile them. They work as they are, slowly; `load` puts their compiled twins in their place.
Callers write ``from advisor.kernels import schedule as kernel`` and ``kernel.makespan(...)``,
so that they take whichever is there. Machine code is cached on disk (`cache`);
``python -m advisor.kernels`` fills the cache, and `prepare` lets it do so in the background.
"""

from __future__ import annotations

import functools
import importlib
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from threading import Lock
from time import sleep
from types import ModuleType
from typing import Any, TypeAlias

MODULES = (
    "advisor.kernels.costs_kernel",
    "advisor.kernels.heaps",
    "advisor.kernels.fairness",
    "advisor.kernels.kept_kernel",
    "advisor.kernels.cores_kernel",
    "advisor.kernels.engine_kernel",
    "advisor.kernels.memory_kernel",
    "advisor.kernels.simulation_state",
    "advisor.kernels.solution",
    "advisor.kernels.refine_kernel",
    "advisor.kernels.execution_kernel",
    "advisor.kernels.schedule_kernel",
    "advisor.kernels.paths_kernel",
    "advisor.kernels.lists_kernel",
    "advisor.kernels.backlog",
    "advisor.kernels.estimate",
    "advisor.kernels.exact_kernel",
    "advisor.kernels.wormhole_kernel",
    "advisor.kernels.transitions_kernel",
    "advisor.kernels.gathering_kernel",
    "advisor.kernels.equivalence_kernel",
    "advisor.kernels.waits",
    "advisor.kernels.shared_refine_kernel",
    "advisor.kernels.shared_exact",
    "advisor.kernels.shared_lists_kernel",
    "advisor.kernels.mapping_ground",
    "advisor.kernels.mapping_kernel",
    "advisor.kernels.partial",
    "advisor.kernels.lookahead",
    "advisor.kernels.delays",
    "advisor.kernels.drawn_kernel",
)
"""Kernel modules; a module may call functions of those before it. Long chains come early."""

_Kernels: TypeAlias = dict[tuple[str, str], Callable[..., Any]]  # by module and name
_plain: _Kernels = {}  # those that compiled ones took the place of
_compiled: dict[tuple[str, ...], _Kernels] = {}  # by the modules that were asked for
_lock = Lock()
_log = logging.getLogger(__name__)
_LOOK_S = 0.02
WITH_PARENT = "--with-parent"
"""Asks ``python -m advisor.kernels`` to end when its standard input does."""


def loaded() -> bool:
    """Whether the compiled kernels are in place."""
    return bool(_plain)


def ready() -> bool:
    """Whether `load` needs to compile nothing."""
    from advisor.kernels import cache  # noqa: PLC0415 - its imports are not for every start

    if MODULES in _compiled:
        return True
    mark = cache.mark(_modules())
    return mark is not None and mark.exists()


def prepare(should_stop: Callable[[], bool] | None = None) -> bool:
    """Have the cache filled by processes of their own, so that this one stays fluid.

    Of several that ask at the same time one works, the others wait for it.

    Returns
    -------
    bool
        Whether the cache is full now: False when stopped, or when it can't be.
    """
    from advisor.kernels import cache  # noqa: PLC0415

    if cache.folder() is None:
        return False
    if ready():
        return True
    _tell()
    command = [sys.executable, "-m", "advisor.kernels", WITH_PARENT, *MODULES]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet
    ) as process:
        try:
            while process.poll() is None and not (should_stop and should_stop()):
                sleep(_LOOK_S)
        finally:
            process.terminate()
    return ready()


@functools.cache
def _tell() -> None:
    _log.info("preparing the fast search, once on this machine; it takes about half a minute")


def load(should_stop: Callable[[], bool] | None = None) -> bool:
    """Put the compiled kernels in place of the plain ones, preparing what the cache lacks.

    Safe to call from any thread and more than once. Functions become visible as they compile,
    each working alone, so others may go on calling kernels meanwhile.

    Returns
    -------
    bool
        Whether they are in place: False when stopped while they were being prepared.
    """
    if MODULES not in _compiled and not prepare(should_stop) and should_stop and should_stop():
        return False
    with _lock:
        if not loaded():
            from advisor.kernels import compiling  # noqa: PLC0415

            modules = _modules()
            first = MODULES not in _compiled
            if first:
                _compiled[MODULES] = compiling.twins(modules)
            for (name, function), twin in _compiled[MODULES].items():
                _plain[name, function] = getattr(sys.modules[name], function)
                setattr(sys.modules[name], function, twin)
            if first:
                compiling.warm_up(modules)
    return True


def unload() -> None:
    """Put the plain kernels back."""
    with _lock:
        for (name, function), plain in _plain.items():
            setattr(sys.modules[name], function, plain)
        _plain.clear()


def _modules() -> list[ModuleType]:
    return [importlib.import_module(name) for name in MODULES]
