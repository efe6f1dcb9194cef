"""How near times of tasks are that machines on which nothing ran are expected to take.

``python -m tests.benchmarks.bench_unseen --folder FOLDER [--own]`` reads FOLDER in the layout of
Lotaru's public data (J. Bader et al. 2023, github.com/CRC-FONDA/Lotaru):
``execution_reports/MACHINE/results_WORKFLOW/execution_report_MACHINE.csv`` and
``benchmarks/bio-bench-MACHINE.csv``. Rows `train-…` of the machine `local` teach, with smaller
inputs; each row `test` of another machine, of an input that was tested on `local`, too, is
predicted. A kind's times are those of all its training rows, with ``--own`` of those of the input
that is tested alone (`train-1` of the first, `train-2` of the second). Beside it: seconds a byte
(naïve), and the median or, from a correlation of 0.75 on, the line of least squares, times the
ratio of the medians of a benchmark (plain).
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advisor.learning.kind_time import kind_time
from advisor.learning.unseen import MachineFactor, machine_factor
from machines import InputError
from machines.arrays import Floats

LOCAL = "local"
NONE = (-1.0, 1.0)  # seconds of a benchmark that there is none of
METHODS = ("this", "plain", "naïve")
Key = tuple[str, str]


@dataclass(frozen=True)
class Row:
    """A task that ran: of what, with how many bytes, how long."""

    label: str
    machine: str
    workflow: str
    task: str
    size: float
    seconds: float
    input_bytes: float  # of the workflow


@dataclass(frozen=True)
class Tested:
    """A row that was predicted: errors by method, and whether the range holds it."""

    row: Row
    errors: tuple[float, ...]
    held: bool


def reports(folder: Path) -> list[Row]:
    """Every row of every report; bytes as stored where uncompressed ones don't tell kinds apart."""
    paths = sorted(folder.glob("execution_reports/*/results_*/execution_report_*.csv"))
    if not paths:
        raise InputError(
            f"{folder} has no execution_reports/MACHINE/results_WORKFLOW/*.csv",
            where=str(folder),
            remedy="name a folder in the layout of Lotaru's public data",
        )
    read = [(path, list(csv.DictReader(path.read_text().splitlines()))) for path in paths]
    same = _same([line for path, lines in read if path.parts[-3] == LOCAL for line in lines])
    return [
        Row(
            line["Label"],
            path.parts[-3],
            line["Workflow"].lower(),
            line["Task"],
            float(line["TaskInputSize" if _key(line) in same else "TaskInputSizeUncompressed"]),
            float(line["Realtime"]) / 1000.0,
            float(line["WorkflowInputUncompressed"]),
        )
        for path, lines in read
        for line in lines
    ]


def _key(line: dict[str, str]) -> Key:
    return line["Workflow"].lower(), line["Task"]


def _same(lines: list[dict[str, str]]) -> set[Key]:
    sizes: dict[Key, set[str]] = {}
    for line in lines:
        sizes.setdefault(_key(line), set()).add(line["TaskInputSizeUncompressed"])
    return {key for key, some in sizes.items() if len(some) == 1}


def benchmarks(folder: Path, machine: str) -> dict[Key, float]:
    """Median seconds of the benchmark of every task that has one."""
    found = {}
    text = (folder / "benchmarks" / f"bio-bench-{machine}.csv").read_text()
    for workflow, task, _, *seconds in list(csv.reader(text.splitlines()))[1:]:
        middle = float(np.median([float(one) for one in seconds]))
        if middle not in NONE:
            found[workflow.lower(), task] = middle
    return found


def logs(folder: Path, machine: str) -> dict[Key, float]:
    """Logarithms of a machine's benchmarks over those of the local one."""
    here, there = benchmarks(folder, LOCAL), benchmarks(folder, machine)
    return {key: math.log(there[key] / here[key]) for key in there if key in here}


def predicted(folder: Path, own: bool) -> Iterator[Tested]:
    """Every row that is tested, predicted from local training rows and benchmarks."""
    rows = reports(folder)
    local = [row for row in rows if row.machine == LOCAL]
    inputs = _inputs(local)
    for machine in sorted({row.machine for row in rows} - {LOCAL}):
        if not (folder / "benchmarks" / f"bio-bench-{machine}.csv").exists():
            continue
        ratios = logs(folder, machine)
        factor = machine_factor(np.array(list(set(ratios.values()))))  # kinds share benchmarks
        for row in rows:
            if row.machine == machine and (label := inputs.get((row.workflow, row.input_bytes))):
                taught = [one for one in local if _teaches(one, row, label if own else "train")]
                if row.label == "test" and taught:
                    yield _tested(row, taught, factor, ratios.get((row.workflow, row.task)))


def _inputs(local: list[Row]) -> dict[tuple[str, float], str]:
    """Workflow and bytes of each tested input → the label of the rows with parts of it."""
    known: dict[str, list[float]] = {}
    for row in local:
        if row.label == "test" and row.input_bytes not in known.setdefault(row.workflow, []):
            known[row.workflow].append(row.input_bytes)
    return {
        (workflow, size): f"train-{1 + 2 * place // len(sizes)}"
        for workflow, sizes in known.items()
        for place, size in enumerate(sizes)
    }


def _tested(row: Row, taught: list[Row], factor: MachineFactor, ratio: float | None) -> Tested:
    x = np.array([one.size for one in taught])
    y = np.array([one.seconds for one in taught])
    times, doubt = factor.of(np.array([np.nan if ratio is None else ratio]))
    expected = kind_time(x, y).expected(row.size)
    low, high = expected.range(float(times[0]), float(doubt[0]))
    told = (
        expected.seconds * float(times[0]),
        _plain(x, y, row.size) * math.exp(factor.middle if ratio is None else ratio),
        float(np.mean(y / x)) * row.size,
    )
    errors = tuple(abs(one / row.seconds - 1.0) for one in told)
    return Tested(row, errors, low <= row.seconds <= high)


def _teaches(one: Row, row: Row, label: str) -> bool:
    return (one.workflow, one.task) == (row.workflow, row.task) and one.label.startswith(label)


def _plain(x: Floats, y: Floats, at: float) -> float:
    if np.ptp(x) > 0.0 and np.ptp(y) > 0.0 and np.corrcoef(x, y)[0, 1] >= 0.75:
        slope, beside = np.polyfit(x, y, 1)
        return float(max(beside + slope * at, 0.0))
    return float(np.median(y))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--own", action="store_true", help="the training rows of the tested input")
    given = parser.parse_args()
    if given.folder is None:
        print("No folder with Lotaru's data: name one with --folder")
        return
    found = list(predicted(given.folder, given.own))
    groups = {"all": found}
    for one in found:
        for name in (one.row.workflow, one.row.machine):
            groups.setdefault(name, []).append(one)
    print(
        f"| of | rows | {' | '.join(f'{one} (median, mean)' for one in METHODS)} | in the range |"
    )
    print(f"|{'---|' * (len(METHODS) + 3)}")
    for name, some in groups.items():
        errors = 100.0 * np.array([one.errors for one in some])
        cells = [f"{np.median(column):.1f} %, {np.mean(column):.1f} %" for column in errors.T]
        held = 100.0 * np.mean([one.held for one in some])
        print(f"| {name} | {len(some)} | {' | '.join(cells)} | {held:.1f} % |")


if __name__ == "__main__":
    main()
