"""``python -m advisor.kernels``: compile every kernel into the cache, once, at installation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import perf_counter

from advisor.kernels import MODULES, WITH_PARENT, cache, compiling


def main(names: Sequence[str] = ()) -> None:
    """Compile and say so in one line.

    Parameters
    ----------
    names : sequence of str
        Kernel modules, each after those that it calls; default all. With `WITH_PARENT` it ends
        when whoever started it has, in whichever way.
    """
    before = perf_counter()
    if WITH_PARENT in names:
        names = [name for name in names if name != WITH_PARENT]
        compiling.end_with(sys.stdin.buffer.read)
    names = names or MODULES
    compiling.fill_cache(names)
    seconds = perf_counter() - before
    print(f"{len(names)} kernel modules ready after {seconds:.1f} s, kept in {cache.folder()}")


if __name__ == "__main__":
    main(sys.argv[1:])
