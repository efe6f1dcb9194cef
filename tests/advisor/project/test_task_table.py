"""Tables from spreadsheets: what columns are taken for, what rows state, what becomes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.basics.table_titles import (
    AFTER,
    CORES,
    DATA,
    LEFT_OUT,
    MACHINE,
    MEMORY,
    NAME,
    NUMBER,
    TIME,
    understood,
)
from advisor.project import project_edits as edits
from advisor.project.opening import first_project, open_file
from advisor.project.task_table import is_table, propose
from advisor.project.task_table_edits import applied
from advisor.project.task_table_workload import workload_of
from advisor.project.workload_file import dump_workload, parse_workload
from machines import InfeasibleError, InputError

TITLES = [
    ("name", NAME, ""),
    ("Task", NAME, ""),
    ("JobName", NAME, ""),
    ("job name", NAME, ""),
    ("ID", NUMBER, ""),
    ("JobID", NUMBER, ""),
    ("task_id", NUMBER, ""),
    ("minutes", TIME, "minutes"),
    ("time (min)", TIME, "min"),
    ("Runtime [h]", TIME, "h"),
    ("runtime_s", TIME, "s"),
    ("Walltime", TIME, ""),
    ("Elapsed", TIME, ""),
    ("duration in hours", TIME, "hours"),
    ("CPU time (s)", TIME, "s"),
    ("job duration", TIME, ""),
    ("cores", CORES, ""),
    ("AllocCPUS", CORES, ""),
    ("NCPUS", CORES, ""),
    ("cpus-per-task", CORES, ""),
    ("threads", CORES, ""),
    ("ReqMem", MEMORY, ""),
    ("MaxRSS", MEMORY, ""),
    ("Memory (GiB)", MEMORY, "GiB"),
    ("mem_mb", MEMORY, "mb"),
    ("after", AFTER, ""),
    ("Depends on", AFTER, ""),
    ("Predecessors", AFTER, ""),
    ("parents", AFTER, ""),
    ("GB", DATA, "GB"),
    ("output MB", DATA, "MB"),
    ("machine", MACHINE, ""),
    ("hostname", MACHINE, ""),
    ("Node", MACHINE, ""),
    ("Start time", LEFT_OUT, ""),
    ("user name", LEFT_OUT, ""),
    ("Status", LEFT_OUT, ""),
    ("", LEFT_OUT, ""),
]
ROOMY = edits.with_property(first_project(), 0, "cores", 4)
TABLE = "name, minutes, cores, after, GB\na, 1.5, 2, , 4\nb, 2,, a,\nc, 3, 1, a b, 0.5\n"


@pytest.mark.parametrize(("title", "role", "unit"), TITLES)
def test_titles_of_real_tables_are_recognised(title: str, role: str, unit: str) -> None:
    found = understood(title)
    assert (found.role, found.unit) == (role, unit)


def test_the_example_becomes_tasks_and_flows() -> None:
    workload = workload_of(propose(TABLE), "jobs")
    assert [task.work for task in workload.tasks] == [90.0, 120.0, 180.0]
    assert [task.cores for task in workload.tasks] == [2, 1, 1]
    assert [(flow.name, flow.size_bytes) for flow in workload.flows] == [
        ("a → b", 4e9),
        ("a → c", 4e9),
        ("b → c", 0.0),
    ]
    assert parse_workload(dump_workload(workload)) == workload


@pytest.mark.parametrize("mark", ["\t", ";", ","])
def test_all_separators_give_the_same(mark: str) -> None:
    text = mark.join(("task", "time", "after")) + "\n"
    text += mark.join(("one", "5", "")) + "\r\n" + mark.join(("two", "6", "one")) + "\n"
    workload = workload_of(propose(text), "jobs")
    assert [(task.name, task.work) for task in workload.tasks] == [("one", 5.0), ("two", 6.0)]
    assert len(workload.flows) == 1


def test_clocks_decimal_commas_and_units_in_cells_are_read() -> None:
    text = "job;walltime;mem\na;1:30:00;4 GiB\nb;2,5;512 MB\nc;02:30;\nd;1-00:00:00;-\n"
    rows = propose(text).rows
    assert [row.seconds for row in rows] == [5400.0, 2.5, 150.0, 86400.0]
    assert [row.memory_bytes for row in rows] == [4 * 2**30, 512_000_000, None, None]
    short = propose("name,minutes,after,GB\na,.5,,.25\nb,1,a,\n").rows
    assert (short[0].seconds, short[0].data_bytes) == (30.0, 250e6)


@pytest.mark.parametrize(
    ("after", "names"),
    [
        ("mesh part 1", ("mesh part 1",)),
        ("mesh part 1; b", ("mesh part 1", "b")),
        ("mesh part 1, b", ("mesh part 1", "b")),
        ("b, mesh part 1", ("b", "mesh part 1")),
        ("b c", ("b", "c")),
        ("['b', 'c']", ("b", "c")),
        ("b;b", ("b",)),
    ],
)
def test_predecessors_may_have_blanks_in_their_names(after: str, names: tuple[str, ...]) -> None:
    text = f"name\tafter\nmesh part 1\t\nb\t\nc\t\nd\t{after}\n"
    assert propose(text).rows[3].after == names


@pytest.mark.parametrize("title", ["ID", "name"])
def test_predecessors_may_be_numbers(title: str) -> None:
    text = f"{title}\ttask name\tdepends\n7\tx\t\n8\ty\t7\n" if title == "ID" else (
        "name\tdepends\nx\t\ny\t1\n"
    )  # fmt: skip
    (flow,) = workload_of(propose(text), "jobs").flows
    assert flow.name == "x → y"


@pytest.mark.parametrize(
    ("text", "place", "value"),
    [
        ("name,time\na,fast\n", 'row 1, column "time"', "fast"),
        ("name,time\na,1\na,2\n", 'row 1, column "name"', "a"),
        ("name,time\na,-1\n", 'row 1, column "time"', "-1"),
        ("name,cores\na,1\nb,0\n", 'row 2, column "cores"', "0"),
        ("name,cores\na,1.5\n", 'row 1, column "cores"', "1.5"),
        ("name,time\n,1\n", 'row 1, column "name"', ""),
        ("name,time\na,1,5\n", 'row 1, column "time"', "5"),
    ],
)
def test_a_wrong_cell_is_named_with_its_remedy(text: str, place: str, value: str) -> None:
    error = propose(text).errors[0]
    assert (error.where, error.value) == (place, value)
    assert error.remedy


@pytest.mark.parametrize("text", ["", "name,time\n", "\n\n"])
def test_text_without_rows_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="row of titles"):
        propose(text)


def test_a_table_without_names_can_be_mended_by_hand() -> None:
    proposal = propose("label,s\na,1\n")
    assert "names" in str(proposal.errors[0])
    mended = proposal.taken_as(0, NAME)
    assert not mended.errors
    assert mended.rows[0].name == "a"


def test_a_role_moves_to_the_column_that_takes_it() -> None:
    proposal = propose("name,minutes,hours\na,60,1\n")
    assert [column.role for column in proposal.columns] == [NAME, TIME, LEFT_OUT]
    assert proposal.notes == ("Left out: hours.",)
    other = proposal.taken_as(2, TIME)
    assert [column.role for column in other.columns] == [NAME, LEFT_OUT, TIME]
    assert other.rows[0].seconds == 3600.0


def test_numbers_without_a_unit_are_noted() -> None:
    proposal = propose("name,walltime,memory\na,5,1024\n")
    assert proposal.notes == (
        "walltime: numbers without a unit are seconds.",
        "memory: numbers without a unit are bytes.",
    )


def test_tasks_are_added_and_updated_and_it_is_stated() -> None:
    first = applied(ROOMY, propose(TABLE))
    assert first.text == "3 tasks and 3 flows are added."
    assert len(first.project.plan.allocation) == 4
    again = applied(first.project, propose("name,s,after\na,9,\nc,,b\n"))
    assert again.text == "1 task is updated. 1 flow is removed."
    tasks = again.project.workload.tasks
    assert tasks[1].work == 9.0
    assert tasks[1].cores == 2
    same = applied(first.project, propose(TABLE))
    assert (same.project, same.text) == (first.project, "Nothing changes.")
    larger = applied(ROOMY, propose("name,s,after,GB\na,1,,1\nb,1,a,\n")).project
    found = applied(larger, propose("name,s,after,GB\na,1,,7\nb,1,a,\n"))
    assert found.text == "1 flow is updated."
    assert found.project.workload.flows[-1].size_bytes == 7e9


def test_tasks_can_replace_all_others() -> None:
    found = applied(ROOMY, propose(TABLE), replacing=True)
    assert [task.name for task in found.project.workload.tasks] == ["a", "b", "c"]
    assert found.text == "3 tasks and 3 flows replace all others."


def test_the_machine_of_a_new_project_gets_the_cores_that_the_tasks_of_a_table_need() -> None:
    text = "name,minutes,cores\na,2,1\nb,2,4\n"
    found = applied(first_project(), propose(text), replacing=True)
    assert found.project.platform.machines[0].cores == 4
    assert found.text == (
        "2 tasks and 0 flows replace all others. machine 1 gets 4 cores, which they need."
    )
    edited = edits.with_property(first_project(), 0, "cores", 2)
    with pytest.raises(InfeasibleError, match="b needs 4 cores, machine 1 has 2"):
        applied(edited, propose(text), replacing=True)


def test_machines_are_those_of_the_platform() -> None:
    text = "name,machine\na,machine 1\n"
    assert applied(first_project(), propose(text)).project.plan.allocation == (0, 0)
    with pytest.raises(InputError, match="no machine has this name"):
        applied(first_project(), propose(text.replace("machine 1", "M9")))


@pytest.mark.parametrize("after", ["zz", "b"])
def test_unknown_predecessors_and_loops_are_refused(after: str) -> None:
    with pytest.raises(InputError):
        applied(first_project(), propose(f"name,after\na,\nb,{after}\n"))


def test_what_is_a_table_is_recognised_by_its_titles() -> None:
    assert is_table(TABLE)
    assert is_table("job\tminutes\n")
    assert not is_table('format = "placewise-workload"\nname = "x, time"\n')
    assert not is_table("[[task]]\nname, time\n")
    assert not is_table("once upon a time, there was\n")


def test_a_file_with_a_table_is_read_as_a_workload(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(TABLE.replace(", GB", ", GB, machine"))
    opened = open_file(path)
    assert opened.project.name == "jobs"
    assert [task.work for task in opened.project.workload.tasks] == [90.0, 120.0, 180.0]
    assert any("machine" in note for note in opened.notes)
    path.write_text("name,time\na,fast\n")
    with pytest.raises(InputError) as caught:
        open_file(path)
    assert "jobs.csv" in caught.value.where
    assert 'row 1, column "time"' in caught.value.where
