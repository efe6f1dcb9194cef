"""``python -m advisor.kernels``: compile every kernel into the cache, once, at installation."""

from __future__ import annotations

from time import perf_counter

from advisor.kernels import MODULES, cache_folder, load


def main() -> None:
    """Compile and say so in one line."""
    before = perf_counter()
    load()
    seconds = perf_counter() - before
    print(f"{len(MODULES)} kernel modules ready after {seconds:.1f} s, kept in {cache_folder()}")


if __name__ == "__main__":
    main()
