"""How right slowdowns beside overlays are: ``python -m tests.benchmarks.bench_overlays``.

Predicted against a simulation of every message, over loads of 0.05 … 0.8 of hosts of 1, 2 and 4
cores beside tasks of any number of their cores; back-ends begin together, then at any time.
"""

from __future__ import annotations

import numpy as np

from tests.advisor.overlays.beside_cases import KINDS, LOADS, Beside, beside

_OPERATIONS = 400
_SHAPES = [(cores, held) for cores in (1, 2, 4) for held in range(1, cores + 1)]


def main() -> None:
    """Simulate and print."""
    for apart in (False, True):
        print(f"\nSlowdown beside an overlay, back-ends begin {'apart' if apart else 'together'}:")
        print("deviation from the simulation, median and largest (of contenders that wait)")
        every = {"all cores": list[Beside](), "some cores": list[Beside]()}
        for kind in KINDS:
            for cores, held in _SHAPES:
                cells = [beside(kind, cores, held, load, _OPERATIONS, apart=apart)
                         for load in LOADS]  # fmt: skip
                title = "all cores" if held == cores else "some cores"
                every[title] += [one for one in cells if one is not None]
        for title, found in every.items():
            _show(f"task on {title}", [one for one in found if not one.falls_behind])
            _show("   where processes fall behind", [one for one in found if one.falls_behind])


def _show(name: str, cells: list[Beside]) -> None:
    ours = np.abs([one.error for one in cells])
    theirs = np.abs([one.waiting / one.simulated - 1.0 for one in cells])
    print(
        f"{name:32}{len(cells):4} cells  {np.median(ours):6.1%} {ours.max():6.1%}"
        f"   ({np.median(theirs):6.1%} {theirs.max():6.1%})"
    )


if __name__ == "__main__":
    main()
