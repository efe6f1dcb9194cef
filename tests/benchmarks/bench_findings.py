"""Rows of a campaign as columns: ``python -m tests.benchmarks.bench_findings [ROWS]``.

How long it takes to make them, to filter them and to say what they show, and their memory.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter, thread_time

import numpy as np

from advisor.campaigns.findings import findings
from advisor.campaigns.results import Filters, Results
from advisor.campaigns.row_columns import Row
from machines.stopping import stoppable

ROWS, STRATEGIES = 100_000, 10
_PLAIN = Row(
    0, "allocation", "layered", "layered", 0, 120, 8, None, None, 0, "lab", "", "fair", "",
    "makespan", 1.0, 0.0, "s", 0.0, 0.0, False, 400,
)  # fmt: skip


def rows(many: int) -> list[Row]:
    """Strategies on instances of 4 sizes, 3 CCRs and 5 platforms; one case in a thousand fails."""
    draw = np.random.default_rng(0)
    found = []
    for case in range(many):
        instance, strategy = divmod(case, STRATEGIES)
        tasks, ccr = (20, 50, 100, 200)[instance % 4], (0.1, 1.0, 10.0)[instance // 4 % 3]
        value = float(draw.lognormal(0.0, 0.05)) * tasks
        failed = draw.random() < 0.001
        found.append(
            replace(
                _PLAIN, case=case, workload=f"layered {tasks} {ccr}", tasks=tasks, ccr=ccr,
                heterogeneity=float(draw.random()), seed=instance // 60,
                platform=f"p{instance // 12 % 5}", strategy=f"s{strategy}",
                value=None if failed else value, bound=0.8 * tasks,
                error="it failed" if failed else "",
            )
        )  # fmt: skip
    return found


def longest_hold_s(results: Results) -> float:
    """The longest work of `findings` between two looks whether it shall stop."""
    last, longest = thread_time(), 0.0

    def look() -> bool:
        nonlocal last, longest
        longest = max(longest, thread_time() - last)
        last = thread_time()
        return False

    with stoppable(look):
        findings(results)
    return longest


def main() -> None:
    """Measure and print."""
    given = rows(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
    tracemalloc.start()
    kept = Results(given, np.full(len(given), 0.1))
    size_mb = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    wanted = Filters(words="layered s3", between=(("tasks", 50, 100),))
    jobs: tuple[tuple[str, Callable[[], object], float], ...] = (
        ("rows to columns", lambda: Results(given, kept.took_s), 1000.0),
        ("100 rows more", lambda: kept.extended(given[:100], [0.1] * 100), 20.0),
        ("filtered", lambda: kept.where(kept.matching(wanted)), 20.0),
        ("findings", lambda: findings(Results(kept.rows, kept.took_s)), 1000.0),
    )
    print(f"\nFindings: {len(given):,} rows of {STRATEGIES} strategies, {size_mb:.1f} MB")
    for name, job, most_ms in jobs:
        began, clock = thread_time(), perf_counter()
        job()
        took_ms, wall_ms = 1e3 * (thread_time() - began), 1e3 * (perf_counter() - clock)
        mark = "" if took_ms <= most_ms else "  missed"
        print(f"{name:24}{took_ms:9.1f} ms{wall_ms:9.1f} ms on the wall{most_ms:9.0f}{mark}")
    hold_ms = 1e3 * longest_hold_s(kept)
    print(f"{'longest without a look':24}{hold_ms:9.1f} ms{'':21}{20:9.0f}")


if __name__ == "__main__":
    main()
