"""jobcomp/filetxt and ``scontrol show job``: records of keys, and where one run ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.runs.logs.slurm_jobcomp import READER
from advisor.runs.run_record import FAILED, Run
from machines import InputError


def at(second: int) -> str:
    return f"2026-11-22T07:{second // 60:02d}:{second % 60:02d}"


def job(
    number: int, name: str, submit: int, start: int, end: int, more: str = "", *, node: str = "M1"
) -> str:
    return (
        f"JobId={number} UserId=u(0) Name={name} JobState=COMPLETED Partition=all "
        f"StartTime={at(start)} EndTime={at(end)} NodeList={node} WorkDir=/a b "
        f"SubmitTime={at(submit)} EligibleTime={at(min(submit + 1, start))}{more} ExitCode=0:0 \n"
    )


def runs(tmp_path: Path, text: str) -> tuple[Run, ...]:
    place = tmp_path / "jobcomp.log"
    place.write_text(text)
    assert READER.holds(place, place.read_bytes())
    return READER.read(place)


def names(found: tuple[Run, ...]) -> list[list[str]]:
    return [[one.task for one in run.tasks] for run in found]


def said(run: Run, part: str) -> bool:
    return any(part in note for note in run.notes)


def test_lines_are_jobs_whatever_their_order(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, job(2, "b b", 0, 3, 3) + job(1, "a", 0, 1, 3, node="M2"))
    found = [(one.task, one.machine, one.ready_s, one.start_s, one.end_s) for one in run.tasks]
    assert found == [("a", "M2", 0, 0, 2), ("b b", "M1", 0, 2, 2)]
    assert run.name == "2026-11-22 07:00:00"
    assert said(run, "1 task took no whole second")


def test_numbers_that_fall_back_begin_another_run(tmp_path: Path) -> None:
    found = runs(tmp_path, job(5, "try", 0, 1, 2) + job(2, "b", 9, 9, 12) + job(1, "a", 9, 9, 10))
    assert names(found) == [["try"], ["a", "b"]]
    assert said(found[1], "fall back from 5 to 1")


def test_names_that_come_again_when_nothing_is_left_begin_another_run(tmp_path: Path) -> None:
    text = "".join(
        job(10 * turn + place, name, 20 * turn, 20 * turn + place, 20 * turn + place + 2)
        for turn in range(3)
        for place, name in enumerate("abc")
    )
    found = runs(tmp_path, text)
    assert names(found) == [["a", "b", "c"]] * 3
    assert said(found[2], '"a" comes again')


def test_jobs_handed_in_one_by_one_stay_together(tmp_path: Path) -> None:
    text = "".join(job(at_, f"t{at_}", 10 * at_, 10 * at_ + 1, 10 * at_ + 9) for at_ in range(5))
    assert names(runs(tmp_path, text)) == [["t0", "t1", "t2", "t3", "t4"]]


def test_a_long_pause_begins_another_run(tmp_path: Path) -> None:
    found = runs(tmp_path, job(1, "try", 0, 1, 2) + job(2, "a", 600, 601, 602))
    assert names(found) == [["try"], ["a"]]
    assert said(found[1], "nothing waited or ran for 598 s")


def test_parts_of_an_array_are_told(tmp_path: Path) -> None:
    text = job(7, "map", 0, 1, 2, " ArrayJobId=7 ArrayTaskId=1") + job(
        8, "map", 0, 1, 3, " ArrayJobId=7 ArrayTaskId=2"
    )
    assert names(runs(tmp_path, text)) == [["map_1", "map_2"]]


def test_scontrol_show_job_is_read_too(tmp_path: Path) -> None:
    text = "".join(
        f"JobId={number} JobName={name}\n   UserId=u(0)\n   JobState=FAILED Reason=None\n"
        f"   SubmitTime={at(0)} EligibleTime={at(0)}\n   StartTime={at(1)} EndTime={at(4)}\n"
        "   NodeList=n[2-3]\n\n"
        for number, name in ((1, "a"), (2, "b"))
    )
    (run,) = runs(tmp_path, text)
    assert [(one.task, one.machine, one.status) for one in run.tasks] == [
        ("a", "n2", FAILED), ("b", "n2", FAILED),
    ]  # fmt: skip
    assert said(run, "2 tasks ran on several nodes (a)")


def test_jobs_that_never_started_are_left_out(tmp_path: Path) -> None:
    text = job(1, "a", 0, 1, 2) + job(2, "b", 0, 3, 4).replace(at(3), "Unknown")
    (run,) = runs(tmp_path, text)
    assert names((run,)) == [["a"]]
    assert said(run, "left out: 1 COMPLETED")


def test_jobs_that_were_cancelled_as_they_waited_are_left_out(tmp_path: Path) -> None:
    text = job(1, "a", 0, 1, 2) + job(2, "b", 0, 3, 3, node="(null)").replace(
        "COMPLETED", "CANCELLED"
    )
    (run,) = runs(tmp_path, text)
    assert names((run,)) == [["a"]]
    assert said(run, "left out: 1 CANCELLED")


def test_of_a_heterogeneous_job_the_first_component_counts(tmp_path: Path) -> None:
    text = job(1, "a", 0, 1, 2, " HetJobId=1 HetJobOffset=0") + job(
        2, "a", 0, 1, 2, " HetJobId=1 HetJobOffset=1", node="M2"
    )
    (run,) = runs(tmp_path, text)
    assert [(one.task, one.machine) for one in run.tasks] == [("a", "M1")]
    assert said(run, "1 component")


def test_a_last_job_that_is_cut_is_left_out(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, job(1, "a", 0, 1, 2) + job(2, "b", 0, 3, 4)[:60])
    assert names((run,)) == [["a"]]
    assert said(run, "cut")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (job(1, "a", 0, 3, 2), "line 1: job 1"),
        (job(1, "a", 0, 1, 2).replace(at(1), "11/22-07:00"), "no time"),
        (job(1, "a", 0, 1, 2).replace("EndTime", "Ende") + job(2, "b", 0, 1, 2), "EndTime"),
        (job(1, "a", 0, 1, 2).replace(at(2), "Unknown"), "no job"),
    ],
)
def test_what_can_not_be_is_refused_with_its_line(tmp_path: Path, text: str, part: str) -> None:
    with pytest.raises(InputError) as found:
        runs(tmp_path, text)
    assert part in str(found.value)
