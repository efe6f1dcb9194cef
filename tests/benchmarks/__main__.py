"""``python -m tests.benchmarks``: every benchmark of this folder, one after the other."""

from __future__ import annotations

import importlib
from pathlib import Path


def main() -> None:
    """Run the `main` of each ``bench_*.py`` in the order of their names."""
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        importlib.import_module(f"tests.benchmarks.{path.stem}").main()


if __name__ == "__main__":
    main()
