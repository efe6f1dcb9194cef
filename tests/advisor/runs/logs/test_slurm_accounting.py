"""``sacct -P``: jobs and steps, states, node lists, columns in any order, cut lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.runs.logs.slurm_accounting import READER
from advisor.runs.logs.slurm_jobs import first_node
from advisor.runs.run_record import FAILED, OK, Run
from machines import InputError

HEADER = "JobID|JobName|State|Submit|Eligible|Start|End|ElapsedRaw|NodeList"


def at(second: int) -> str:
    return f"2026-11-22T07:{second // 60:02d}:{second % 60:02d}"


def row(
    ident: str,
    name: str,
    start: int,
    end: int,
    state: str = "COMPLETED",
    *,
    submit: int = 0,
    nodes: str = "n1",
) -> str:
    cells = (ident, name, state, at(submit), at(submit), at(start), at(end), end - start, nodes)
    return "|".join(map(str, cells))


def runs(tmp_path: Path, *lines: str, header: str = HEADER, end: str = "\n") -> tuple[Run, ...]:
    place = tmp_path / "sacct.txt"
    place.write_text("\n".join((header, *lines)) + end)
    assert READER.holds(place, place.read_bytes())
    return READER.read(place)


def seen(run: Run) -> list[tuple[str, str, float, float]]:
    return [(one.task, one.machine, one.start_s, one.end_s) for one in run.tasks]


def said(run: Run, part: str) -> bool:
    return any(part in note for note in run.notes)


def test_jobs_are_tasks_and_their_own_steps_are_not(tmp_path: Path) -> None:
    (run,) = runs(
        tmp_path,
        row("7", "a", 10, 12),
        row("7.batch", "batch", 10, 12),
        row("7.extern", "extern", 10, 12),
        row("8", "b", 12, 15, submit=1, nodes="n2"),
        row("8.0", "python", 12, 15),
    )
    assert seen(run) == [("a", "n1", 0, 2), ("b", "n2", 2, 5)]
    assert [one.ready_s for one in run.tasks] == [-10, -9]
    assert run.resolution_s == 1.0
    assert said(run, "whole seconds")


def test_named_steps_of_one_job_are_tasks(tmp_path: Path) -> None:
    (run,) = runs(
        tmp_path,
        row("7", "group", 10, 15),
        row("7.batch", "batch", 10, 15),
        row("7.0", "a", 10, 12),
        row("7.1", "b", 12, 14),
    )
    assert seen(run) == [("a", "n1", 0, 2), ("b", "n1", 2, 4)]


def test_parts_of_an_array_have_its_name_and_their_number(tmp_path: Path) -> None:
    (run,) = runs(
        tmp_path,
        row("7_1", "map", 10, 12),
        row("7_2", "map", 10, 13),
        row("8_1", "alone", 13, 14),
        row("7_[3-9]", "map", 0, 0, "PENDING").replace(at(0), "Unknown"),
    )
    assert [one.task for one in run.tasks] == ["map_1", "map_2", "alone"]
    assert said(run, "1 PENDING")


def test_states_become_failures_or_are_left_out(tmp_path: Path) -> None:
    (run,) = runs(
        tmp_path,
        row("1", "a", 10, 12),
        row("2", "b", 10, 12, "CANCELLED by 1000"),
        row("3", "c", 10, 12, "TIMEOUT"),
        row("4", "d", 10, 12, "NODE_FAIL"),
        row("4", "d", 20, 22, submit=12),
        row("5", "e", 10, 12, "OUT_OF_MEMORY"),
        row("6", "f", 10, 12, "RUNNING"),
        row("7", "g", 0, 0, "CANCELLED").replace(f"{at(0)}|{at(0)}|0", "None|Unknown|0"),
    )
    assert [(one.task, one.status) for one in run.tasks] == [
        ("a", OK), ("b", FAILED), ("c", FAILED), ("d", FAILED), ("e", FAILED), ("d", OK),
    ]  # fmt: skip
    assert run.tasks[2].output == "Slurm: TIMEOUT"
    assert said(run, "1 RUNNING, 1 CANCELLED")
    assert said(run, "1 task ran more than once: d")


def test_a_task_on_several_nodes_is_on_the_first(tmp_path: Path) -> None:
    (run,) = runs(
        tmp_path, row("1", "a", 10, 12, nodes="n[03-05,9]"), row("2+0", "b", 10, 12, nodes="gpu1"),
        row("2+1", "b", 10, 12, nodes="cpu1"), row("3", "c", 10, 12, nodes="None assigned"),
    )  # fmt: skip
    assert {one.task: one.machine for one in run.tasks} == {"a": "n03", "b": "gpu1", "c": ""}
    assert said(run, "several nodes (a)")
    assert said(run, "1 component of heterogeneous jobs")


def test_columns_come_in_any_order_and_with_a_bar_at_the_end(tmp_path: Path) -> None:
    (run,) = runs(
        tmp_path,
        f"n1|COMPLETED|{at(2)}|{at(5)}|9|a|",
        header="NodeList|State|Start|End|JobID|JobName|",
    )
    assert seen(run) == [("a", "n1", 0, 3)]
    assert run.tasks[0].ready_s is None


def test_squeue_with_bars_is_read_too(tmp_path: Path) -> None:
    (run,) = runs(
        tmp_path,
        f"1|a|COMPLETED|M2|{at(7)}|{at(8)}|0:01",
        header="JOBID|NAME|STATE|NODELIST|START_TIME|END_TIME|TIME",
    )
    assert seen(run) == [("a", "M2", 0, 1)]


@pytest.mark.parametrize("bar", ["", "|"])
def test_a_name_may_hold_bars(tmp_path: Path, bar: str) -> None:
    lines = row("1", "a|b | c", 1, 2) + bar, row("2", "d", 1, 2) + bar
    (run,) = runs(tmp_path, *lines, header=HEADER + bar)
    assert {one.task for one in run.tasks} == {"a|b | c", "d"}


def test_jobs_that_were_cancelled_as_they_waited_are_left_out(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, row("1", "a", 1, 2), row("2", "b", 3, 3, "CANCELLED by 0", nodes=""))
    assert [one.task for one in run.tasks] == ["a"]
    assert said(run, "1 CANCELLED")


def test_clocks_that_are_set_back_meanwhile_are_put_right(tmp_path: Path) -> None:
    line = f"1|a|COMPLETED|{at(3000)}|{at(600)}|00:20:00|n1"
    (run,) = runs(tmp_path, line, header="JobID|JobName|State|Start|End|Elapsed|NodeList")
    assert seen(run) == [("a", "n1", 0, 1200)]
    assert said(run, "Clocks were set during 1 job")


def test_a_last_line_that_is_cut_is_left_out(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, row("1", "a", 1, 2), row("2", "b", 1, 2)[:30], end="")
    assert len(run.tasks) == 1
    assert said(run, "cut")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (row("1", "a", 1, 2) + "|more", "line 2: 10 cells under 9"),
        (row("one", "a", 1, 2), "no number of a job"),
        (row("1", "a", 3, 2).replace("|-1|", "||"), "ends before it starts"),
        (row("1", "a", 1, 2).replace(at(1), "22 Nov 07:00"), "SLURM_TIME_FORMAT"),
        (row("1", "a", 1, 2, nodes="n[1-"), "no host"),
        (row("1", "a", 1, 2).replace("|1|n1", "|soon|n1"), "ElapsedRaw"),
        (row("1", "a", 1, 2, "RUNNING"), "1 RUNNING"),
        ("", "no job"),
    ],
)
def test_what_can_not_be_is_refused_with_its_line(tmp_path: Path, line: str, part: str) -> None:
    with pytest.raises(InputError) as found:
        runs(tmp_path, line)
    assert part in str(found.value)
    assert "sacct.txt" in str(found.value)


def test_a_missing_column_is_named_with_the_command_that_prints_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'start'.*sacct -P -o"):
        runs(tmp_path, header="JobID|JobName|State|End")


def test_columns_cut_at_their_width_are_no_accounting() -> None:
    head = b"JobID           JobName      State\n------------ ---------- ----------\n"
    assert not READER.holds(Path("x"), head)


def test_the_first_of_very_many_nodes_is_found_without_the_others() -> None:
    wide = "n[000-255,400]" * 6
    assert first_node(wide, "here") == ("n000" * 6, True)
    assert first_node("n[07]", "here") == ("n07", False)
    with pytest.raises(InputError, match="falls"):
        first_node("n[7-3]", "here")


def test_a_job_without_a_name_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"sacct\.txt: line 3: job 8 has no name.*Name it"):
        runs(tmp_path, row("7", "a", 10, 12), row("8", " ", 12, 15))
