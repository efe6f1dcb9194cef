"""Run records: what is written is read, cut lines are left out, bad cells are named."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from advisor.runs.run_record import (
    FAILED,
    HEADER,
    Run,
    TaskRun,
    header_line,
    is_record,
    line,
    parse,
    remark,
    render,
)
from machines import InputError

TIMES = st.floats(0, 1e6)
NAMES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12)
RUN = Run("one", (
    TaskRun("a", "M1", 0.0, 1.5, status="ok"),
    TaskRun('b, "c"', "M2", 2.0, 3.0, 1.5, 1.75, 10.0, FAILED),
))  # fmt: skip


def test_what_is_written_is_read() -> None:
    assert parse(render([RUN]), "r.csv") == (RUN,)
    assert is_record(header_line())


@given(NAMES, NAMES, TIMES, TIMES)
def test_any_name_and_time_comes_back(task: str, machine: str, one: float, other: float) -> None:
    assume(not task.startswith("'") and not machine.startswith("'"))
    run = Run("=1", (TaskRun(task, machine, 0.0, max(one, other)),))
    assert parse(header_line() + line(run.name, run.tasks[0]), "r.csv") == (run,)


def test_a_last_line_that_was_cut_is_left_out_and_said() -> None:
    text = render([RUN])
    cut = text[: text.rindex('"b') + 8]
    (found,) = parse(cut, "r.csv")
    assert [one.task for one in found.tasks] == ["a"]
    assert "cut" in found.notes[0]


def test_times_begin_at_the_first_slot() -> None:
    moved = Run("one", tuple(task.shifted(1e9) for task in RUN.tasks))
    (found,) = parse(render([moved]), "r.csv")
    assert found.tasks[0].taken_s == 0.0
    assert found.makespan_s == pytest.approx(RUN.makespan_s)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("one,a,M1,,,x,2,,ok", "line 2"),
        ("one,a,M1,,,3,2,,ok", "ends before"),
        ("one,a,M1,,,,2,,ok", "start_s"),
        ("one,a,M1,,,nan,2,,ok", "finite"),
        ("one,a,M1,,,1,2,,done", "unknown status"),
        ("one,a,M1,,5,1,2,,ok", "fetches after"),
        ("one,a,M1,,,1,2,-4,ok", "bytes_in"),
    ],
)
def test_bad_cells_are_named(row: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(",".join(HEADER) + "\n" + row + "\n", "r.csv")
    assert said in str(caught.value)
    assert "r.csv" in str(caught.value)


def test_a_header_that_lacks_a_column_is_refused_with_the_whole_one() -> None:
    with pytest.raises(InputError, match="lacks a column"):
        parse("task,start_s\na,1\n", "r.csv")


@pytest.mark.parametrize("time", ["1e31", "1e308", "inf", "nan"])
def test_times_beyond_all_measure_are_refused(time: str) -> None:
    with pytest.raises(InputError, match="end_s"):
        parse(header_line() + f"one,a,M1,,,0,{time},,ok\n", "r.csv")


def test_a_task_without_a_name_is_refused_with_its_line() -> None:
    row = "r, ,M1,0,,1,2,0,ok"
    with pytest.raises(InputError, match=r"r\.csv: line 2.*no name.*Name it"):
        parse(f"{header_line()}{row}\n", "r.csv")


def test_records_of_very_many_tasks_or_runs_are_refused_with_the_number() -> None:
    rows = "".join(f"r{number},A,M1,0,,1,2,0,ok\n" for number in range(1_001))
    with pytest.raises(InputError, match=r"too many runs.*r1000.*Allowed: 1,000"):
        parse(header_line() + rows, "r.csv")
    with pytest.raises(InputError, match=r"too many tasks.*200001.*Allowed: 200,000"):
        parse(header_line() + "\n" * 200_000, "r.csv")


def test_lines_of_notes_are_the_runs_and_no_tasks() -> None:
    one, other = TaskRun("t", "M1", 0.0, 1.0), TaskRun("# u", "M2", 1.0, 2.0)
    text = (
        header_line() + line("run 1", one) + remark("run 1", "Replanned at 1 s: =1 task, moved")
        + remark("run 1", "t", "M1 → M2") + line("run 1", other) + line("run 2", one)
        + remark("run 2", "Nothing clearly better") + remark("run 3", "no task ended")
    )  # fmt: skip
    first, second = parse(text, "r")
    assert first.notes == ("Replanned at 1 s: =1 task, moved",)
    assert [one.task for one in first.tasks] == ["t", "# u"]
    assert second.notes == ("Nothing clearly better",)
