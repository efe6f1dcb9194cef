"""Where machine code is kept, and by what it is known.

The code of a module lies in a folder named by a digest of all sources that it came from: a change
makes new only what it touches. A mark says that everything is there for this machine and this
compiler; who makes it holds a lock meanwhile, which ends with its process, however that ends.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import IO

_HERE = Path(__file__).parent
_SHARED = ("instance.py", "numba_options.py")  # what all modules are compiled with


def folder() -> Path | None:
    """Beside the sources, else in the user's cache, else nowhere."""
    beside = _HERE / "__pycache__"
    user = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache"
    for one in (beside, Path(user).expanduser() / "placewise"):
        with suppress(OSError):
            one.mkdir(parents=True, exist_ok=True)
            if os.access(one, os.W_OK):
                return one
    return None


def callees(module: ModuleType, modules: Sequence[ModuleType]) -> list[ModuleType]:
    """The kernel modules that a module may call, at first or second hand; itself the last."""
    found: list[ModuleType] = []
    for value in vars(module).values():
        if isinstance(value, ModuleType) and value in modules:
            found += [one for one in callees(value, modules) if one not in found]
    return [*found, module]


def digest(module: ModuleType, modules: Sequence[ModuleType]) -> str:
    """A name for the code of a module, by its source and all that it may call."""
    made = hashlib.sha256()
    for path in (*(_HERE / name for name in _SHARED), *_sources(module, modules)):
        made.update(path.read_bytes())
    return f"{module.__name__.rpartition('.')[2]}-{made.hexdigest()[:16]}"


def _sources(module: ModuleType, modules: Sequence[ModuleType]) -> list[Path]:
    return [Path(str(one.__file__)) for one in callees(module, modules)]


def mark(modules: Sequence[ModuleType]) -> Path | None:
    """The file that is there once the code of all modules is, for this machine."""
    base = folder()
    return base / f"ready-{state(modules)}" if base is not None else None


def state(modules: Sequence[ModuleType]) -> str:
    """What machine code depends on: the sources, the interpreter, the compiler, the processor.

    And where the sources are, by which the compiler finds it again.
    """
    from llvmlite import binding  # noqa: PLC0415 - a twentieth of a second; only when asked for

    parts = [digest(module, modules) for module in modules]
    parts += sorted({str(Path(str(module.__file__)).resolve().parent) for module in modules})
    parts += [sys.version, platform.machine(), metadata.version("numba")]
    parts += [metadata.version("numpy"), metadata.version("llvmlite")]
    parts += [binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Wait until no other process holds this file, and keep others out."""
    with path.open("a+b") as file:
        _acquire(file)
        yield  # closing the file releases it, as the end of the process does


if sys.platform == "win32":
    import msvcrt

    def _acquire(file: IO[bytes]) -> None:
        while True:
            with suppress(OSError):  # after ten seconds
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                return

else:
    import fcntl

    def _acquire(file: IO[bytes]) -> None:
        with suppress(OSError):  # some network file systems know no locks
            fcntl.flock(file, fcntl.LOCK_EX)
