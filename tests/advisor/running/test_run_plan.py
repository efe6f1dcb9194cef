"""A plan's commands run in its order on its machines; what happens is told and recorded."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.allocation.plan import Plan
from advisor.engines.shell import Commands
from advisor.running import RunSettings, run_plan
from advisor.runs.run_record import FAILED, OK, parse
from machines import InputError, PlacewiseError
from tests.advisor.running.working import LONG, eventually, heard, living, problem_of, told, written
from tests.dask_cluster import running_cluster


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    workers = {
        "M1": {"name": "M1", "nthreads": 1},
        "other": {"name": "other", "nthreads": 1, "resources": {"M2": 1}},
    }
    with running_cluster(workers) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(params=["bash", "dask"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> RunSettings:
    """Each engine; Dask as a running cluster, so that no processes have to start."""
    address = request.getfixturevalue("scheduler") if request.param == "dask" else ""
    return RunSettings(request.param, address, tmp_path / "run.csv", tmp_path)


def test_commands_run_with_the_jobs_variables_in_the_folder(settings: RunSettings) -> None:
    command = 'echo "$PLACEWISE_TASK $PLACEWISE_MACHINE $PLACEWISE_CORES" > "$PLACEWISE_TASK"'
    problem = problem_of({"a": command, 'b "$(x)"': command})
    run, _ = heard(problem, Plan((0, 1)), settings)
    assert {one.task: (one.machine, one.status) for one in run.tasks} == {
        "a": ("M1", OK), 'b "$(x)"': ("M2", OK)
    }  # fmt: skip
    assert settings.folder is not None
    assert (settings.folder / "a").read_text() == "a M1 1\n"
    assert (settings.folder / 'b "$(x)"').read_text() == 'b "$(x)" M2 1\n'


def test_a_machine_keeps_the_plans_order_even_where_its_next_task_is_not_ready(
    settings: RunSettings,
) -> None:
    problem = problem_of({"a": "sleep 0.2", "b": ":", "c": ":"}, [("a", "b")])
    run, events = heard(problem, Plan((0, 1, 1), order=(0, 1, 2)), settings)
    assert [one.task for one in run.tasks] == ["a", "b", "c"]
    assert told(events) == ["+a", "-a", "+b", "-b", "+c", "-c"]


def test_what_needs_a_failed_task_does_not_run_and_the_others_do(settings: RunSettings) -> None:
    commands = {"a": "echo no such star; exit 3", "b": "touch b", "c": "touch c", "d": ":"}
    problem = problem_of(commands, [("a", "b"), ("b", "c")])
    run, events = heard(problem, Plan((0, 1, 0, 1)), settings)
    assert {one.task: one.status for one in run.tasks} == {"a": FAILED, "d": OK}
    failed = next(one for one in run.tasks if one.task == "a")
    assert failed.output == "no such star\nexit status 3"
    assert run.notes == ("Failed: a", "Did not run, as what they need failed: b, c")
    assert told(events)[-2:] == list(run.notes)
    assert settings.folder is not None
    assert not (settings.folder / "b").exists()


def test_the_record_holds_what_the_run_says(settings: RunSettings) -> None:
    problem = problem_of({"a": ":", "b": "exit 1"}, [("a", "b")])
    run, _ = heard(problem, Plan((0, 1)), settings)
    again, _ = heard(problem, Plan((0, 1)), settings)
    assert settings.record is not None
    found = parse(settings.record.read_text(encoding="utf-8"), "run.csv")
    assert [one.name for one in found] == [run.name, again.name] == ["run 1", "run 2"]
    for one, kept in zip(run.from_zero().tasks, found[0].tasks, strict=True):
        assert (one.task, one.machine, one.status) == (kept.task, kept.machine, kept.status)
        assert kept.end_s == pytest.approx(one.end_s, abs=1e-9)
    first, second = found[0].tasks
    assert second.ready_s == pytest.approx(first.end_s)


def test_a_command_may_tell_what_it_fetched(settings: RunSettings) -> None:
    problem = problem_of({"a": 'sleep 0.05; echo 1500 0.03 > "$PLACEWISE_FETCHED"'})
    run, _ = heard(problem, Plan((0,)), settings)
    (one,) = run.tasks
    assert one.bytes_in == 1500.0
    assert one.start_s - one.taken_s == pytest.approx(0.03)


def test_what_it_says_in_another_form_counts_as_nothing(settings: RunSettings) -> None:
    problem = problem_of({"a": 'echo a lot > "$PLACEWISE_FETCHED"'})
    (one,) = heard(problem, Plan((0,)), settings)[0].tasks
    assert (one.bytes_in, one.fetch_start_s) == (None, None)


def test_stopping_ends_whole_process_groups_and_keeps_what_ran(
    settings: RunSettings, tmp_path: Path
) -> None:
    here = tmp_path / "pid"
    problem = problem_of({"a": ":", "b": f"trap '' TERM; {LONG} & echo $$ > {here}; wait; {LONG}"})
    run = run_plan(problem, Plan((0, 0), order=(0, 1)), settings, None, written(here))
    assert [one.task for one in run.tasks] == ["a"]
    assert run.notes == ("Stopped: 1 of 2 tasks did not end",)
    assert not living(int(here.read_text()))


def test_only_the_end_of_a_long_output_is_kept(settings: RunSettings) -> None:
    problem = problem_of({"a": "yes | head -c 3000000; echo the end; exit 1"})
    (one,) = heard(problem, Plan((0,)), settings)[0].tasks
    assert one.output.endswith("the end\nexit status 1")
    assert len(one.output) < 20_000


def test_what_a_command_leaves_behind_ends_with_it(settings: RunSettings, tmp_path: Path) -> None:
    problem = problem_of({"a": f"{LONG} & echo $$ > {tmp_path}/pid"})
    heard(problem, Plan((0,)), settings)
    assert not living(int((tmp_path / "pid").read_text()))


def test_a_task_of_two_cores_waits_for_both() -> None:
    platform_cores = (2, 1)
    problem = problem_of({"a": "sleep 0.1", "b": "sleep 0.2", "c": ":"}, cores=platform_cores)
    run, events = heard(problem, Plan((0, 0, 0), order=(0, 1, 2)), RunSettings("bash"))
    assert told(events)[:3] == ["+a", "+b", "-a"]
    assert len(run.tasks) == 3


def test_tasks_without_a_command_are_named(tmp_path: Path) -> None:
    problem = problem_of({"a": ":", "b": "", "c": ""})
    with pytest.raises(InputError, match=r"no command is stated for b, c.*command ="):
        run_plan(problem, Plan((0, 0, 0)), RunSettings("bash", record=tmp_path / "run.csv"))
    assert not (tmp_path / "run.csv").exists()


def test_machines_without_a_worker_are_named_with_those_that_are_there(scheduler: str) -> None:
    problem = problem_of({"a": ":"}, names=("M9", "M1"))
    with pytest.raises(InputError, match=r"no worker for M9.*M1, other.*--name M9"):
        run_plan(problem, Plan((0,)), RunSettings("dask", scheduler))


def test_a_scheduler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from advisor.engines import on_dask

    monkeypatch.setattr(on_dask, "_PATIENCE_S", 0.2)
    with pytest.raises(InputError, match="no Dask scheduler answers"):
        run_plan(problem_of({"a": ":"}), Plan((0,)), RunSettings("dask", "tcp://127.0.0.1:9"))


def test_a_worker_that_is_lost_ends_the_run_and_the_record_stays(tmp_path: Path) -> None:
    record = tmp_path / "run.csv"
    problem = problem_of({"a": ":", "b": LONG, "c": LONG}, [("a", "b")])
    workers = {name: {"name": name, "nthreads": 1} for name in ("M1", "M2")}
    with running_cluster(workers) as cluster:
        settings = RunSettings("dask", cluster.scheduler_address, record)

        def lose(_event: object) -> None:
            if record.read_text().count("\n") == 2:  # a has ended
                cluster.scale(0)

        with pytest.raises(PlacewiseError, match=r"can't continue: the worker of M\d is gone"):
            run_plan(problem, Plan((0, 0, 1)), settings, lose)
    assert [one.task for one in parse(record.read_text(), "r")[0].tasks] == ["a"]


def test_a_disk_that_is_full_ends_the_run(settings: RunSettings) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    told_to = RunSettings(settings.engine, settings.scheduler, full)
    with pytest.raises(InputError, match=r"/dev/full: can't be written.*full"):
        run_plan(problem_of({"a": ":"}), Plan((0,)), told_to)


def test_a_folder_that_goes_away_fails_its_tasks(settings: RunSettings, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    problem = problem_of({"a": 'rmdir "$PWD"', "b": ":"}, [("a", "b")])
    there = RunSettings(settings.engine, settings.scheduler, folder=home)
    run, _ = heard(problem, Plan((0, 0)), there)
    assert [one.status for one in run.tasks] == [OK, FAILED]
    assert "can't be started" in run.tasks[1].output


def test_python_in_a_command_is_the_one_that_runs_this(tmp_path: Path) -> None:
    problem = problem_of({"a": "python -c 'import sys; print(sys.executable)' > which"})
    heard(problem, Plan((0,)), RunSettings("bash", folder=tmp_path))
    found = Path((tmp_path / "which").read_text().strip())
    assert found.parent == Path(sys.executable).parent


def test_dask_is_not_imported_before_it_is_used() -> None:
    program = (
        "import sys; import advisor.commands.run, advisor.engines.registry, advisor.running\n"
        "print('distributed' in sys.modules or 'dask' in sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert said.stdout == "False\n"


def test_a_killed_process_leaves_no_commands_and_no_files(tmp_path: Path) -> None:
    program = (
        "from advisor.engines.shell import Commands\n"
        "command = 'echo $$ > pid; echo 7 1 > $PLACEWISE_FETCHED; "
        f"echo $PLACEWISE_FETCHED > told; {LONG}'\n"
        f"Commands().run_command(command, {str(tmp_path)!r}, {{}})"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        eventually(written(tmp_path / "told"))
        process.kill()
    group = int((tmp_path / "pid").read_text())
    eventually(lambda: not living(group))
    told = Path((tmp_path / "told").read_text(encoding="utf-8").strip())
    assert told.parent.name.startswith("placewise-")
    eventually(lambda: not told.parent.exists())


def test_commands_that_were_stopped_leave_no_files(tmp_path: Path) -> None:
    commands = Commands()
    commands.run_command("echo 7 1 > $PLACEWISE_FETCHED; echo $PLACEWISE_FETCHED > told",
                       str(tmp_path), {})  # fmt: skip
    commands.stop()
    assert not Path((tmp_path / "told").read_text(encoding="utf-8").strip()).parent.exists()
    assert not commands.run_command("true", "", {})["ok"]
