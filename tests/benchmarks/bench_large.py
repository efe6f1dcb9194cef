"""A workflow of 30,000 tasks from its gzipped file to the screen: ``python -m
tests.benchmarks.bench_large``.

In a process of its own: read the file, schedule it by HEFT on 32 machines, show the plan on the
board. Prints the seconds of each step and the peak of memory, wanted: 5 s and 1 GB in all.
"""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import resource
import tempfile
from itertools import pairwise
from pathlib import Path
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

_TASKS, _MACHINES = 30_000, 32


def wfformat(tasks: int) -> dict[str, object]:
    """A workflow in WfFormat 1.5: chains of five kinds that meet now and then, a file a task."""
    names = [f"kind{i % 5}_{i:05d}" for i in range(tasks)]
    above = [[names[i - back] for back in (200, 137) if i >= 200] for i in range(tasks)]
    specified = [
        {
            "name": name,
            "id": name,
            "parents": parents,
            "children": [],
            "inputFiles": [f"{parent}.out" for parent in parents],
            "outputFiles": [f"{name}.out"],
        }
        for name, parents in zip(names, above, strict=True)
    ]
    executed = [
        {"id": name, "runtimeInSeconds": 1.0 + (i * 7919) % 23} for i, name in enumerate(names)
    ]
    files = [
        {"id": f"{name}.out", "sizeInBytes": 1_000_000 * (1 + i % 3)}
        for i, name in enumerate(names)
    ]
    return {
        "name": "large",
        "schemaVersion": "1.5",
        "workflow": {
            "specification": {"tasks": specified, "files": files},
            "execution": {"makespanInSeconds": 1, "executedAt": "now", "tasks": executed},
        },
    }


def measure(path: Path) -> None:
    """Take the steps and print their times."""
    from PySide6.QtWidgets import QApplication

    from advisor import kernels
    from advisor.allocation.problem import Problem
    from advisor.project.project import Project
    from advisor.project.workload_file import read_workload
    from advisor.search.list_scheduling import heft
    from gui.shell.app import make_window
    from tests.benchmarks.bench_board import large

    application = QApplication([])
    window = make_window(application)
    window.show()
    kernels.load()
    platform = large(_MACHINES, _MACHINES).platform
    times = [("", perf_counter())]
    workload = read_workload(path).workload
    times.append(("read", perf_counter()))
    plan = heft(Problem.of(platform, workload))
    times.append(("costs and HEFT", perf_counter()))

    def shown(_outcome: object) -> None:
        window.repaint()
        times.append(("predicted and shown", perf_counter()))
        application.quit()

    window.document.outcome_changed.connect(shown)
    window.document.load(Project(platform, workload, plan))
    application.exec()
    window.end_jobs()
    print(f"\n{len(workload.tasks):,} tasks, {len(workload.flows):,} flows, {_MACHINES} machines")
    for (_, before), (step, after) in pairwise(times):
        print(f"  {step:<22}{after - before:8.2f} s")
    print(f"  {'in all':<22}{times[-1][1] - times[0][1]:8.2f} s    wanted ≤ 5 s")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {'peak of memory':<22}{peak_mb:8.0f} MB   wanted ≤ 1,000 MB")


def main() -> None:
    """Write the file, and measure in a fresh process, whose memory counts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.json.gz"
        path.write_bytes(gzip.compress(json.dumps(wfformat(_TASKS)).encode()))
        process = multiprocessing.get_context("spawn").Process(target=measure, args=(path,))
        process.start()
        process.join()


if __name__ == "__main__":
    main()
