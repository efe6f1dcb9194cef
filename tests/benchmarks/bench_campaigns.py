"""Pieces of work on Dask: ``python -m tests.benchmarks.bench_campaigns [SCHEDULED_WORKERS]``.

First on workers of this process: what more of them gain, what a piece costs beside its own work,
and memory. Then what a scheduler has to do for many workers, from which larger clusters are
planned: its workers are objects of one process here, whose pieces do nothing, and so all that is
measured is Dask's.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from time import perf_counter, process_time, sleep
from typing import Any

import numpy as np
import psutil

from advisor import kernels
from advisor.allocation.problem import Problem
from advisor.campaigns.generators.registry import GENERATORS
from advisor.computing import computing, processors
from advisor.search import advise

TASKS = 100
CASES, ROUNDS = 1000, 4
EMPTY = 1000
MANY = 100_000
EFFICIENCY, OVERHEAD_MS, WORKER_MB, CLIENT_MB = 0.9, 5.0, 500.0, 100.0
SCHEDULED = 100  # workers of the last table


def case(seed: int) -> float:
    """A layered graph of `TASKS` tasks on eight machines, and its makespan by HEFT."""
    layered = GENERATORS["layered"]
    settings = layered.record(tasks=TASKS, machines=8)
    workload, platform = layered.make(settings, np.random.default_rng(seed), None)
    problem = Problem.of(platform, workload)
    return advise(problem, strategy="heft", seconds=1.0, clocked=False).value_s


def nothing(item: int) -> int:
    """The least of all pieces."""
    return item


def waited(seconds: float, item: int) -> int:
    """Holds a worker, not a processor."""
    sleep(seconds)
    return item


def answered(shards: Any, function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """All answers, in the order of the items."""
    found = dict(shards.each(function, items))
    return [found[place] for place in range(len(items))]


def processor_s() -> float:
    """Seconds of this process and its workers so far."""
    here = psutil.Process()
    times = [one.cpu_times() for one in (here, *here.children(recursive=True))]
    return sum(one.user + one.system for one in times)


def timed(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """What it gives, its seconds, and those of processors."""
    before, began = processor_s(), perf_counter()
    found = call()
    return found, perf_counter() - began, processor_s() - before


def cases(shards: Any, workers: int) -> None:
    """Cases here, by processes without Dask, and by workers, in turns: others may be busy, too."""
    kernels.load()
    spent: dict[str, list[tuple[float, float]]] = {"here": [], "pool": [], "workers": []}
    share = CASES // ROUNDS
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), kernels.load) as pool:
        list(pool.map(case, range(4 * workers)))
        answered(shards, case, range(4 * workers))  # all have loaded the kernels
        for begin in range(0, CASES, share):
            part = range(begin, begin + share)
            ways: dict[str, Callable[[], list[float]]] = {
                "here": lambda part=part: list(map(case, part)),
                "pool": lambda part=part: list(pool.map(case, part, chunksize=share // workers)),
                "workers": lambda part=part: answered(shards, case, part),
            }
            found = []
            for name, way in ways.items():
                values, *seconds = timed(way)
                found.append(values)
                spent[name].append(tuple(seconds))
            assert found[0] == found[1] == found[2], "the answers differ"
    wall = {name: sum(one for one, _ in all_) for name, all_ in spent.items()}
    cpu = {name: sum(one for _, one in all_) for name, all_ in spent.items()}
    print(f"{CASES} cases of {TASKS} tasks, {1e3 * cpu['here'] / CASES:.1f} ms each:")
    line("  efficiency of the workers", wall["here"] / wall["workers"] / workers, EFFICIENCY)
    line("  against processes without Dask", wall["pool"] / wall["workers"], EFFICIENCY)
    line(
        "  share of processor time that is the cases' own", cpu["here"] / cpu["workers"], EFFICIENCY
    )


def pieces(shards: Any, workers: int) -> None:
    """What a piece costs beside its own work, and memory."""
    here = psutil.Process()
    _, took_s, cpu_s = timed(lambda: answered(shards, nothing, range(EMPTY)))
    line(f"{EMPTY} empty pieces, ms each", 1e3 * took_s / EMPTY, OVERHEAD_MS, most=True)
    line("  of processors", 1e3 * cpu_s / EMPTY, OVERHEAD_MS, most=True)
    count = 20 * workers
    _, took_s, cpu_s = timed(lambda: answered(shards, partial(waited, 0.3), range(count)))
    extra_s = took_s * workers / count - 0.3
    line("0.3 s, one piece a task: ms beside", 1e3 * extra_s, OVERHEAD_MS, most=True)
    line("  of processors", 1e3 * cpu_s / count, OVERHEAD_MS, most=True)
    before = here.memory_info().rss / 1e6
    _, took_s, _ = timed(lambda: sum(1 for _ in shards.each(nothing, range(MANY))))
    after = here.memory_info().rss / 1e6
    print(f"{MANY:,} empty pieces: {took_s:.1f} s")
    line("  MB by which this process grew", after - before, CLIENT_MB, most=True)
    largest = max(one.memory_info().rss for one in here.children(recursive=True)) / 1e6
    line("largest worker, MB", largest, WORKER_MB, most=True)


def scheduled(workers: int, seconds: float = 1.0, rounds: int = 20) -> None:
    """What client and scheduler do for tasks on many workers."""
    from distributed.comm import tcp

    from tests.dask_cluster import running_cluster

    sent = {"messages": 0, "bytes": 0}
    write = tcp.TCP.write

    async def counted(self: Any, *arguments: Any, **options: Any) -> int:
        size = await write(self, *arguments, **options)
        sent["messages"] += 1
        sent["bytes"] += size
        return size

    tcp.TCP.write = counted
    try:
        with running_cluster({name: {"nthreads": 1} for name in range(workers)}) as cluster:
            with computing(cluster.scheduler_address) as shards:
                answered(shards, nothing, range(4 * workers))
                idle = _while(sent, lambda: sleep(5.0))
                count = rounds * workers
                whole = _while(
                    sent, lambda: answered(shards, partial(waited, seconds), range(count))
                )
    finally:
        tcp.TCP.write = write
    took_s, cpu_s = whole["s"], whole["cpu"]
    idle_cpu = idle["cpu"] / idle["s"]
    print(f"{workers} workers, {count:,} tasks of {seconds:g} s: {took_s:.1f} s "
          f"({count * seconds / workers / took_s:.0%} of the time busy)")  # fmt: skip
    for name in ("messages", "bytes"):
        beside = idle[name] / idle["s"] / workers
        print(f"  {name} a task {(whole[name] - beside * workers * took_s) / count:,.1f}, "
              f"and {beside:,.1f} a second and worker")  # fmt: skip
    print(f"  processor time of client, scheduler and workers together, ms a task: "
          f"{1e3 * (cpu_s - idle_cpu * took_s) / count:.2f}, "
          f"and {1e3 * idle_cpu / workers:.2f} a second and worker")  # fmt: skip


def _while(sent: dict[str, int], call: Callable[[], Any]) -> dict[str, float]:
    before, began, cpu = dict(sent), perf_counter(), process_time()
    call()
    return {
        "s": perf_counter() - began,
        "cpu": process_time() - cpu,
        **{name: sent[name] - before[name] for name in sent},
    }


def line(what: str, value: float, wanted: float, most: bool = False) -> None:
    """A figure beside what is wanted of it: at least, or at most."""
    met = value <= wanted if most else value >= wanted
    print(f"{what:50}{value:9.2f}  wanted {wanted:g}{'' if met else '  missed'}")


def main() -> None:
    """Measure and print."""
    print(f"\nPieces of work on Dask; load of the machine {os.getloadavg()[0]:.1f}")
    workers = max(2, processors())
    with computing(workers=workers) as shards:
        cases(shards, workers)
        pieces(shards, workers)
    scheduled(int(sys.argv[1]) if len(sys.argv) > 1 else SCHEDULED)


if __name__ == "__main__":
    main()
