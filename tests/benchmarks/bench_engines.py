"""How near the makespans of held-out runs are that an engine calibrated from others predicts.

``python -m tests.benchmarks.bench_engines LOG ...`` reads logs of one engine (of Pegasus executions
in WfFormat with their makespan) and leaves each out in turn: a table in Markdown, with the time of
a fit.
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from advisor import kernels
from advisor.learning.engine_calibration import calibrate_engine
from advisor.learning.engine_runs import EngineValues, engine_runs


def main(paths: list[str]) -> None:
    """Print the table."""
    if len(paths) < 2:
        sys.exit("give two logs or more, of one engine")
    kernels.load()
    runs, _ = engine_runs(paths)
    print(
        "| run | took | without an engine | expected | 9 of 10 | off |\n|---|---|---|---|---|---|"
    )
    off, spent = [], []
    for held_out in runs:
        began = perf_counter()
        found = calibrate_engine([run for run in runs if run is not held_out])
        spent.append(perf_counter() - began)
        one = found.expected(held_out)
        off.append(one.makespan_s / held_out.makespan_s - 1.0)
        bare_s = held_out.predicted_s(EngineValues())[-1]
        cells = (
            one.name,
            f"{held_out.makespan_s:.0f} s",
            f"{bare_s:.1f} s",
            f"{one.makespan_s:.0f} s",
            f"{one.low_s:.0f} to {one.high_s:.0f} s",
            f"{100 * off[-1]:+.1f} %",
        )
        print("|", " | ".join(cells), "|")
    print(f"\nMedian error {100 * np.median(np.abs(off)):.1f} %; a fit took {max(spent):.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
