"""Campaigns from file to findings: ``python -m tests.benchmarks.bench_campaign_files``.

A thousand cases by workers and by this process: what of it all is the cases' own work, and the
same rows. Then a hundred thousand rows whose answers are known: what a row costs to be put into its
order and written, how much memory that and reading them takes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import psutil

from advisor import kernels
from advisor.campaigns.answer_case import Asking, answer
from advisor.campaigns.campaign_cases import Cases, planned
from advisor.campaigns.campaign_file import parse_campaign
from advisor.campaigns.findings import findings
from advisor.campaigns.open_campaign import read_folder
from advisor.campaigns.run_campaign import run_campaign
from advisor.computing import Here, computing, processors
from tests.benchmarks.bench_campaigns import line, timed

HEAD = 'format = "placewise-campaign"\nversion = 1\nname = "benchmark"\n'
CASES = (
    'workloads = [{ generate = "layered", tasks = 100, machines = 8, seeds = 250 }]\n'
    'strategies = ["heft", "peft", "min-min", "refine"]\nseconds = 0.05\n'
)
MANY = (
    'workloads = [{ generate = "layered", tasks = [20, 50], machines = 8, seeds = 25_000 }]\n'
    'strategies = ["heft", "min-min"]\n'
)
EFFICIENCY, OVERHEAD_MS, WORKER_MB, CLIENT_MB = 0.9, 5.0, 500.0, 200.0
_WIDE = 64  # answers that come in another order


def cases_of(text: str) -> Cases:
    """Those of a campaign with these lines."""
    return planned(parse_campaign(HEAD + text), Path())


def rows(out: Path) -> bytes:
    """What follows from the cases."""
    return (out / "results.csv").read_bytes() + (out / "results.jsonl").read_bytes()


class Known:
    """`Shards` that know one answer, and give it for every case, some at a time backwards."""

    def __init__(self, cases: Cases) -> None:
        self._answer = answer(Asking(cases)(0))

    def each(
        self, function: Callable[[Any], Any], items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        """The answers."""
        del function
        for first in range(0, len(items), _WIDE):
            for place in reversed(range(first, min(first + _WIDE, len(items)))):
                case = items[place].case
                told = replace(
                    self._answer.row,
                    case=case.number,
                    workload=case.source.label,
                    seed=case.source.seed,
                    strategy=case.strategy,
                )
                yield place, replace(self._answer, row=told)


def thousand(home: Path, workers: int) -> None:
    """A thousand cases here and by workers."""
    kernels.load()
    cases, largest = cases_of(CASES), 0.0
    alone, alone_s, alone_cpu_s = timed(lambda: run_campaign(cases, home / "alone", Here()))
    assert alone.complete
    with computing("", workers) as shards:
        list(shards.each(answer, [Asking(cases)(number) for number in range(4 * workers)]))
        began = process_time()
        _, all_s, all_cpu_s = timed(lambda: run_campaign(cases, home / "workers", shards))
        client_s = process_time() - began
        here = psutil.Process()
        largest = max(one.memory_info().rss for one in here.children(recursive=True)) / 1e6
    assert rows(home / "alone") == rows(home / "workers"), "the rows differ"
    many = len(cases)
    print(f"{many} cases of 100 tasks: {1e3 * alone_cpu_s / many:.1f} ms each, here")
    line(f"  efficiency of {workers} workers", alone_s / all_s / workers, EFFICIENCY)
    line("  share of processor time that is the cases' own", alone_cpu_s / all_cpu_s, EFFICIENCY)
    line("  ms a case in this process", 1e3 * client_s / many, OVERHEAD_MS, most=True)
    line("  largest worker, MB", largest, WORKER_MB, most=True)


def hundred_thousand(home: Path) -> None:
    """A hundred thousand rows written and read."""
    cases, here = cases_of(MANY), psutil.Process()
    known = Known(cases)
    before = here.memory_info().rss / 1e6
    began = perf_counter()
    run_campaign(cases, home / "many", known, lambda _progress: None)
    took_s, after = perf_counter() - began, here.memory_info().rss / 1e6
    print(f"{len(cases):,} rows written: {took_s:.1f} s")
    line("  ms a row", 1e3 * took_s / len(cases), OVERHEAD_MS, most=True)
    line("  MB by which this process grew", after - before, CLIENT_MB, most=True)
    began = perf_counter()
    folder = read_folder(home / "many")
    print(f"  read in {perf_counter() - began:.1f} s")
    began = perf_counter()
    findings(folder.results)
    print(f"  findings in {perf_counter() - began:.1f} s")
    line("  MB with the rows", here.memory_info().rss / 1e6 - before, CLIENT_MB, most=True)
    began = perf_counter()
    run_campaign(cases, home / "many", known)
    print(f"  looked through to go on: {perf_counter() - began:.1f} s")


def main() -> None:
    """Print both tables."""
    with tempfile.TemporaryDirectory() as home:
        hundred_thousand(Path(home))
        thousand(Path(home), max(2, processors()))


if __name__ == "__main__":
    main()
