"""Compiles kernel modules, on two cores at once."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any

from advisor.kernels import cache
from advisor.kernels.numba_options import merging, options

_PROCESSES = 2  # that many modules wait for no other, most of the time


def functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The kernels of a module in the order of definition; `warm_up` and ``PLAIN`` are none."""
    return {
        name: value
        for name, value in vars(module).items()
        if callable(value)
        and getattr(value, "__module__", "") == module.__name__
        and not isinstance(value, type)
        and name not in ("warm_up", *getattr(module, "PLAIN", ()))
    }


def twins(modules: Sequence[ModuleType]) -> dict[tuple[str, str], Any]:
    """For every kernel, by module and name, what compiles it when called.

    It calls those of other modules by their names there: it works once all are in place.
    """
    from numba import config, njit  # noqa: PLC0415 - half a second; only when asked for

    before, base = config.CACHE_DIR, cache.folder()
    made = {}
    try:
        for module in modules:
            config.CACHE_DIR = str(base / cache.digest(module, modules)) if base else before
            for name, function in functions(module).items():
                chosen = options(module, name) | {"cache": base is not None}
                dispatcher = njit(**chosen)(function)
                dispatcher.get_call_template = merging(dispatcher.get_call_template)
                made[module.__name__, name] = dispatcher
    finally:
        config.CACHE_DIR = before
    return made


def install(modules: Sequence[ModuleType]) -> None:
    """Put the twins in place of the kernels."""
    for (module, name), twin in twins(modules).items():
        setattr(sys.modules[module], name, twin)


def warm_up(modules: Sequence[ModuleType]) -> None:
    """Call the kernels, so that they are compiled or taken from the cache."""
    with warnings.catch_warnings():
        # the cache may be read-only; kernels then live for this process only
        warnings.simplefilter("ignore")
        for module in modules:
            module.warm_up()


def fill_cache(names: Sequence[str]) -> None:
    """Compile the modules into the cache, unless another process does or has done it."""
    modules = [importlib.import_module(name) for name in names]
    mark = cache.mark(modules)
    if mark is None or mark.exists():
        return
    with cache.lock(mark.with_name(mark.name.replace("ready", "lock"))):
        if mark.exists():
            return
        processes = min(_PROCESSES, os.cpu_count() or 1, len(modules))
        if processes > 1:
            _share_out(modules, names, processes)
        else:
            install(modules)
            warm_up(modules)
        mark.touch()


def _share_out(modules: Sequence[ModuleType], names: Sequence[str], processes: int) -> None:
    """Give each process the first module whose callees are compiled, until none is left."""
    context = multiprocessing.get_context("spawn")
    needed = {m.__name__: {one.__name__ for one in cache.callees(m, modules)} for m in modules}
    waiting, done, idle = list(names), set[str](), list[Connection]()
    for _ in range(processes):
        ours, theirs = context.Pipe()
        with theirs:
            context.Process(target=serve, args=(theirs, names, sys.path), daemon=True).start()
        idle.append(ours)
    busy: dict[Connection, str] = {}
    while waiting or busy:
        for name in [one for one in waiting if needed[one] - {one} <= done][: len(idle)]:
            waiting.remove(name)
            pipe = idle.pop()
            pipe.send(name)
            busy[pipe] = name
        told = wait(list(busy))
        for pipe in [one for one in busy if one in told]:
            pipe.recv()
            done.add(busy.pop(pipe))
            idle.append(pipe)
    for pipe in idle:
        pipe.close()


def serve(pipe: Connection, names: Sequence[str], paths: Sequence[str]) -> None:
    """Compile the modules that are named through a pipe, until its other end closes.

    Nobody waits for a module that is being compiled when the process that asked has ended.
    """
    sys.path[:] = paths
    parent = multiprocessing.parent_process()
    if parent is not None:
        end_with(lambda: wait([parent.sentinel]))
    install([importlib.import_module(name) for name in names])
    try:
        while True:
            name = pipe.recv()
            warm_up([sys.modules[name]])
            pipe.send(name)
    except (EOFError, OSError):
        return


def end_with(other: Callable[[], object]) -> None:
    """End this process as soon as `other` returns, also in the middle of a compilation."""

    def follow() -> None:
        other()
        os._exit(1)

    threading.Thread(target=follow, name="with its parent", daemon=True).start()
