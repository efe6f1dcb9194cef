"""Pieces of work on Dask: ``python -m tests.benchmarks.bench_campaigns``.

First on workers of this process: what more of them gain, what a piece costs beside its own work,
memory, and how soon Ctrl-C is obeyed. Then what a scheduler has to do for many workers, from which
larger clusters are planned: its workers are objects of one process, whose pieces wait, and so all
that is measured is Dask's.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np
import psutil

from advisor import kernels
from advisor.allocation.problem import Problem
from advisor.campaigns.generators.registry import GENERATORS
from advisor.computing import computing, processors
from advisor.search import advise
from tests.dask_cluster import running_cluster

TASKS = 100
CASES, ROUNDS = 1000, 2
EMPTY = 1000
MANY = 100_000
EFFICIENCY, OVERHEAD_MS, WORKER_MB, CLIENT_MB = 0.9, 5.0, 500.0, 100.0
CANCEL_S = 1.0
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
    line("  processor time against theirs", cpu["pool"] / cpu["workers"], EFFICIENCY)


def pieces(shards: Any, workers: int) -> None:
    """What a piece costs beside its own work, and memory."""
    here = psutil.Process()
    _, took_s, cpu_s = timed(lambda: answered(shards, nothing, range(EMPTY)))
    line(f"{EMPTY} empty pieces, ms each", 1e3 * took_s / EMPTY, OVERHEAD_MS, most=True)
    line("  of processors", 1e3 * cpu_s / EMPTY, OVERHEAD_MS, most=True)
    count = 20 * workers
    _, took_s, cpu_s = timed(lambda: answered(shards, partial(waited, 0.6), range(count)))
    extra_s = took_s * workers / count - 0.6
    line("pieces of 0.6 s, each a task: ms beside", 1e3 * extra_s, OVERHEAD_MS, most=True)
    print(f"  of processors {1e3 * cpu_s / count:.1f}, of which some is of idle workers")
    before = here.memory_info().rss / 1e6
    _, took_s, _ = timed(lambda: sum(1 for _ in shards.each(nothing, range(MANY))))
    after = here.memory_info().rss / 1e6
    print(f"{MANY:,} empty pieces: {took_s:.1f} s")
    line("  MB by which this process grew", after - before, CLIENT_MB, most=True)
    largest = max(one.memory_info().rss for one in here.children(recursive=True)) / 1e6
    line("largest worker, MB", largest, WORKER_MB, most=True)


def interrupts(workers: int, rounds: int = 3) -> None:
    """Ctrl-C until the program is over, and so its workers, at worst."""
    for when, begun in (("start", _has_workers), ("work", _has_rows)):
        took_s = max(_interrupted(workers, begun) for _ in range(rounds))
        line(f"Ctrl-C while workers {when}, s until all is over", took_s, CANCEL_S, most=True)


def _interrupted(workers: int, begun: Callable[[psutil.Process, Path], bool]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ["-m", "advisor.commands.cli", "campaign", "lists", "--out", str(out)]
        with subprocess.Popen(
            [sys.executable, *command, "--workers", str(workers)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        ) as process:  # fmt: skip
            program = psutil.Process(process.pid)
            while not begun(program, out):
                sleep(0.05)
            began = perf_counter()
            os.killpg(process.pid, signal.SIGINT)
            process.wait()  # it waits for its workers
            return perf_counter() - began


def _has_workers(program: psutil.Process, _out: Path) -> bool:
    return len(program.children()) > 1


def _has_rows(_program: psutil.Process, out: Path) -> bool:
    rows = out / "results.csv"
    return rows.exists() and rows.read_bytes().count(b"\n") > 1


def messages(workers: int = 10, seconds: float = 0.5, rounds: int = 10) -> None:
    """What crosses between client, scheduler and workers for tasks of one small piece."""
    from distributed.comm import tcp

    sent, write = [0, 0], tcp.TCP.write

    async def counted(self: Any, *arguments: Any, **options: Any) -> int:
        size: int = await write(self, *arguments, **options)
        sent[0] += 1
        sent[1] += size
        return size

    tcp.TCP.write, count = counted, rounds * workers
    try:
        with (
            running_cluster({str(name): {"nthreads": 1} for name in range(workers)}) as cluster,
            computing(cluster.scheduler_address) as shards,
        ):
            answered(shards, nothing, range(4 * workers))
            before, began = list(sent), perf_counter()
            sleep(5.0)
            idle = [(one - two) / 5.0 for one, two in zip(sent, before, strict=True)]
            before, began = list(sent), perf_counter()
            answered(shards, partial(waited, seconds), range(count))
            took_s = perf_counter() - began
            for what, one, two, beside in zip(
                ("messages", "bytes"), sent, before, idle, strict=True
            ):
                print(f"{what} a task {(one - two - beside * took_s) / count:,.0f}, "
                      f"beside {beside / workers:,.1f} a second and worker")  # fmt: skip
    finally:
        tcp.TCP.write = write


def scheduled(workers: int, seconds: float = 2.0, rounds: int = 10) -> None:
    """Processor time of a scheduler, of the client, and of all workers in one process."""
    quiet = ("--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:

        def started(*command: str) -> psutil.Process:
            process = subprocess.Popen([sys.executable, "-m", *command])
            stack.callback(process.wait)
            stack.callback(process.kill)
            return psutil.Process(process.pid)

        told = Path(folder) / "told"
        scheduler = started(
            "distributed.cli.dask_scheduler", "--port", "0", "--scheduler-file", str(told), *quiet
        )
        while not told.exists() or not told.read_text():
            sleep(0.1)
        address = json.loads(told.read_text())["address"]
        crew = started("tests.benchmarks.bench_campaigns", address, str(workers))
        shards: Any = stack.enter_context(computing(address))
        while shards.workers < workers:
            sleep(0.5)
        answered(shards, nothing, range(4 * workers))
        three = {"scheduler": scheduler, "client": psutil.Process(), "all workers": crew}
        before = _spent(three)
        sleep(5.0)
        idle = {name: (now - before[name]) / 5.0 for name, now in _spent(three).items()}
        before, began, count = _spent(three), perf_counter(), rounds * workers
        answered(shards, partial(waited, seconds), range(count))
        took_s, after = perf_counter() - began, _spent(three)
    print(f"{workers} workers, {count:,} tasks of {seconds:g} s: {took_s:.1f} s, workers busy "
          f"{count * seconds / workers / took_s:.0%} of it; ms of a processor:")  # fmt: skip
    for name, now in after.items():
        own = (now - before[name] - idle[name] * took_s) / count
        print(f"  {name:12}{1e3 * own:7.2f} a task, "
              f"beside {1e3 * idle[name] / workers:.2f} a second and worker")  # fmt: skip


def _spent(processes: dict[str, psutil.Process]) -> dict[str, float]:
    times = {name: one.cpu_times() for name, one in processes.items()}
    return {name: one.user + one.system for name, one in times.items()}


def crew(address: str, workers: int) -> None:
    """Be so many workers, until somebody ends this process."""
    from distributed import Worker

    async def serve() -> None:
        quiet = {"host": "127.0.0.1", "dashboard": False, "dashboard_address": "127.0.0.1:0"}
        there = [Worker(address, nthreads=1, memory_limit=0, **quiet) for _ in range(workers)]
        await asyncio.gather(*there)
        await asyncio.gather(*(one.finished() for one in there))

    asyncio.run(serve())


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
    interrupts(workers)
    messages()
    scheduled(SCHEDULED)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        crew(sys.argv[1], int(sys.argv[2]))
    else:
        main()
