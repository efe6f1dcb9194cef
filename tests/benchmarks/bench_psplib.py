"""The search on projects of PSPLIB: ``python -m tests.benchmarks.bench_psplib [FOLDER] [seconds]``.

Reads the `.sm` and `.mm` files of a folder and, where it is there, its `optima.csv` (lines of file
and least makespan known). Without a folder it makes projects whose least makespan is known: a strip
as high as the units of the first resource and as long as the makespan is cut into jobs, so that no
schedule is shorter; relations and the other resources are taken from that schedule.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path
from time import thread_time

import numpy as np

from advisor.allocation.problem import Problem
from advisor.kernels import load
from advisor.project.workload_file import read_workload
from advisor.search.portfolio import advise

_MADE, _SECONDS = 10, 10.0
_STARS = "*" * 72

Box = tuple[int, int, int, int]  # start, end, lowest unit, highest unit + 1


def main() -> None:
    """Print every project with its makespan, its bound and its gap to the least known."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else _SECONDS
    load()
    if folder is not None:
        told(folder, seconds)
        return
    for jobs in (30, 60):
        with tempfile.TemporaryDirectory() as made:
            make(Path(made), jobs)
            told(Path(made), seconds)


def told(folder: Path, seconds: float) -> None:
    """Search every project of a folder, and print what was found."""
    known = optima(folder)
    gaps = []
    print(f"{'project':20}{'makespan':>10}{'known':>8}{'bound':>8}{'gap':>8}{'seconds':>9}")
    for path in sorted(one for one in folder.iterdir() if one.suffix in {".sm", ".mm", ".fjs"}):
        found = read_workload(path)
        assert found.platform is not None
        problem = Problem.of(found.platform, found.workload)
        since = thread_time()
        best = advise(problem, seconds=seconds, clocked=False)
        took_s = thread_time() - since
        least = known.get(path.name, best.lower_bound_s)
        gaps.append(best.value_s / least - 1.0)
        print(f"{path.name:20}{best.value_s:10.0f}{known.get(path.name, np.nan):8.0f}"
              f"{best.lower_bound_s:8.0f}{100 * gaps[-1]:7.2f}%{took_s:9.1f}")  # fmt: skip
    if gaps:
        best_ones = np.mean(np.array(gaps) < 1e-9)
        print(f"mean gap {100 * np.mean(gaps):.2f} %, {100 * best_ones:.0f} % at the least known")


def optima(folder: Path) -> dict[str, float]:
    """{file: least makespan known} of a folder."""
    path = folder / "optima.csv"
    if not path.is_file():
        return {}
    rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
    return {name: float(value) for name, value in rows}


def make(folder: Path, jobs: int, many: int = _MADE) -> None:
    """Projects of so many jobs whose least makespan is known, and these makespans."""
    lines = []
    for seed in range(many):
        text, makespan = project(jobs, seed)
        name = f"made{jobs}-{seed}.sm"
        (folder / name).write_text(text, encoding="utf-8")
        lines.append(f"{name},{makespan}")
    (folder / "optima.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def project(jobs: int, seed: int, units: int = 12) -> tuple[str, int]:
    """(text of a `.sm` file, its least makespan)."""
    rng = np.random.default_rng((seed, jobs))
    makespan = 3 * jobs // 2
    boxes = strip(rng, jobs, makespan, units)
    others = rng.integers(0, 4, (jobs, 3))
    at = np.arange(makespan)[:, None]
    runs = (boxes[:, 0] <= at) & (at < boxes[:, 1])  # (times, jobs)
    room = [units, *np.maximum((runs @ others).max(axis=0), 1).tolist()]
    after = [
        [other for other in rng.permutation(jobs).tolist() if boxes[one, 1] <= boxes[other, 0]][:2]
        for one in range(jobs)
    ]
    return written(boxes, others, room, after), makespan


def strip(rng: np.random.Generator, jobs: int, length: int, height: int) -> np.ndarray:
    """A strip cut into so many boxes, (jobs, 4), the largest first, along its longer side."""
    boxes: list[Box] = [(0, length, 0, height)]
    while len(boxes) < jobs:
        boxes.sort(key=lambda one: (one[1] - one[0]) * (one[3] - one[2]))
        start, end, low, high = boxes.pop()
        if end - start >= high - low:
            cut = int(rng.integers(start + 1, end))
            boxes += [(start, cut, low, high), (cut, end, low, high)]
        else:
            cut = int(rng.integers(low + 1, high))
            boxes += [(start, end, low, cut), (start, end, cut, high)]
    return np.array(boxes)


def written(boxes: np.ndarray, others: np.ndarray, room: list[int], after: list[list[int]]) -> str:
    """A project as PSPLIB writes it, with its supersource and supersink."""
    jobs = len(boxes)
    fed = {other for ones in after for other in ones}
    relations = [[one + 2 for one in range(jobs) if one not in fed]]
    relations += [[other + 2 for other in ones] or [jobs + 2] for ones in after]
    lines = [
        _STARS, f"jobs (incl. supersource/sink ):  {jobs + 2}", "RESOURCES",
        f"  - renewable                 :  {len(room)}   R",
        "  - nonrenewable              :  0   N", "  - doubly constrained        :  0   D",
        _STARS, "PRECEDENCE RELATIONS:", "jobnr.    #modes  #successors   successors",
        *(f"{job} 1 {len(ones)} {' '.join(map(str, ones))}" for job, ones in
          enumerate([*relations, []], 1)),
        _STARS, "REQUESTS/DURATIONS:", "jobnr. mode duration  R 1  R 2  R 3  R 4", "-" * 72,
    ]  # fmt: skip
    nothing = " ".join("0" for _ in room)
    lines.append(f"1 1 0 {nothing}")
    for job, (start, end, low, high) in enumerate(boxes.tolist(), 2):
        rest = " ".join(map(str, others[job - 2].tolist()))
        lines.append(f"{job} 1 {end - start} {high - low} {rest}")
    lines += [
        f"{jobs + 2} 1 0 {nothing}", _STARS, "RESOURCEAVAILABILITIES:", "  R 1  R 2  R 3  R 4",
        " ".join(map(str, room)), _STARS,
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
