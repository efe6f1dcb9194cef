"""Memory: peaks of logs become what tasks hold; what is stated stays unless it was too little."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.learning.calibration import Calibration
from advisor.learning.calibrations import calibrations
from advisor.runs.logs.reading import read_runs
from advisor.runs.matching import matched
from advisor.runs.run_record import FAILED, OK, Run, TaskRun
from machines import Machine, Platform

GB = 1e9


def learnt(
    peaks: dict[str, float],
    tasks: tuple[Task, ...],
    *,
    room: int | None = None,
    files: tuple[DataFile, ...] = (),
    failed: str = "",
) -> Calibration:
    """From one run in which each task took its peak, one after another."""
    platform = Platform("one", (Machine("M", memory_bytes=room),))
    problem = Problem.of(platform, Workload("w", tasks, files=files))
    ran = tuple(
        TaskRun(
            one.name, "M", at, at + 1.0, peak_bytes=peaks.get(one.name),
            status=FAILED if one.name == failed else OK,
        )
        for at, one in enumerate(tasks)
    )  # fmt: skip
    actual = matched(Run("r", ran), problem)
    return calibrations(problem, Plan((0,) * len(tasks)), (actual,))[5]


def held(found: Calibration) -> dict[str, float]:
    return {one.name: (one.memory_bytes or 0) / GB for one in found.workload.tasks}


def fits(count: int) -> tuple[Task, ...]:
    return tuple(Task(f"fit_{place}", work=1.0) for place in range(count))


def reading(count: int, sizes: list[float]) -> tuple[tuple[Task, ...], tuple[DataFile, ...]]:
    """Tasks that read a file each."""
    files = tuple(DataFile(f"in_{place}", size, "M") for place, size in enumerate(sizes))
    tasks = tuple(replace(one, reads=(f"in_{at}",)) for at, one in enumerate(fits(count)))
    return tasks, files


def test_a_kind_holds_what_nearly_all_stay_under_and_an_outlier_its_own() -> None:
    peaks = {f"fit_{place}": 1.0 * GB for place in range(40)} | {"fit_7": 5.0 * GB}
    found = learnt(peaks, (*fits(41), Task("end", work=1.0)))
    assert held(found)["fit_40"] == pytest.approx(1.0, rel=2e-3)  # was not measured
    assert held(found)["fit_7"] == pytest.approx(5.0, rel=2e-3)
    assert held(found)["fit_0"] == pytest.approx(1.0, rel=2e-3)
    assert held(found)["end"] == 0.0
    assert "Peaks of 40 tasks: fit 1.00 GB; set for 41 tasks" in found.sentence


def test_peaks_that_grow_with_input_are_a_line() -> None:
    tasks, files = reading(8, [GB * (place + 1) for place in range(8)])
    peaks = {f"fit_{at}": (0.5 + 2.0 * (at + 1)) * GB for at in range(6)}
    found = learnt(peaks, tasks, files=files)
    assert held(found)["fit_7"] == pytest.approx(16.5, rel=2e-3)
    assert "by input bytes" in found.sentence


def test_what_is_stated_stays_unless_a_peak_was_above_it() -> None:
    tasks = (Task("a", work=1.0, memory_bytes=4 * 10**9), Task("b", work=1.0, memory_bytes=10**9))
    found = learnt({"a": 2 * GB, "b": 3 * GB}, tasks)
    assert held(found)["a"] == 4.0
    assert held(found)["b"] == pytest.approx(3.0, rel=2e-3)
    assert any("b, 3.00 GB where 1.00 GB are stated" in note for note in found.notes)


def test_failed_tasks_and_logs_without_peaks_teach_nothing() -> None:
    assert not learnt({"fit_0": GB}, fits(2), failed="fit_0").learnt
    assert "tells no peaks" in learnt({}, fits(2)).sentence


def test_no_task_gets_more_than_any_machine_has() -> None:
    tasks, files = reading(7, [*(GB * (place + 1) for place in range(6)), 9e10])
    peaks = {f"fit_{place}": (place + 1) * GB for place in range(6)}
    assert held(learnt(peaks, tasks, room=8 * 10**9, files=files))["fit_6"] == 8.0


@pytest.mark.parametrize(
    ("text", "peaks"),
    [
        ("task_id\tname\tstatus\tsubmit\tduration\tpeak_rss\n"
         "1\tFIT (a)\tCOMPLETED\t2024-02-09 14:00:00.000\t11s\t1.5 GB\n"
         "2\tFIT (b)\tCOMPLETED\t2024-02-09 14:00:00.000\t11s\t-\n",
         [1.5 * 2**30, None]),
        ("JobID|JobName|State|Start|End|NodeList|MaxRSS\n"
         "1|fit|COMPLETED|2026-11-28T05:00:00|2026-11-28T05:00:10|n1|\n"
         "1.batch|batch|COMPLETED|2026-11-28T05:00:00|2026-11-28T05:00:10|n1|2048K\n"
         "1.extern|extern|COMPLETED|2026-11-28T05:00:00|2026-11-28T05:00:10|n1|0\n",
         [2048 * 1024.0]),
    ],
)  # fmt: skip
def test_logs_tell_peaks(tmp_path: Path, text: str, peaks: list[float | None]) -> None:
    (tmp_path / "log.txt").write_text(text, encoding="utf-8")
    (run,) = read_runs([tmp_path / "log.txt"])
    assert [one.peak_bytes for one in run.tasks] == peaks
