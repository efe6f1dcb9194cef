"""The bash script and the Makefile: carried out for real, with hostile names, failures and ssh."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.engines import bash, makefile
from advisor.engines.engine import Engine
from machines import InputError
from tests.advisor.engines.dozen import jobs
from tests.advisor.engines.scripted import (
    carried,
    chain,
    check_dozen,
    dozen,
    program,
    runs,
    ssh,
    written,
)

both = pytest.mark.parametrize("engine", [bash.ENGINE, makefile.ENGINE], ids=lambda one: one.name)


@both
def test_a_plan_is_carried_out_and_recorded(engine: Engine, tmp_path: Path) -> None:
    plan = dozen()
    found = carried(engine, written(engine, tmp_path, plan))
    assert found.returncode == 0, found.stderr
    (run,) = runs(tmp_path)
    check_dozen(run, plan, tmp_path)


@both
def test_a_failure_is_named_and_the_next_run_goes_on(engine: Engine, tmp_path: Path) -> None:
    plan = chain("echo 1 >>ran", "echo 2 >>ran; echo no disk; test -e fixed", "echo 3 >>ran")
    file = written(engine, tmp_path, plan)
    found = carried(engine, file)
    assert found.returncode != 0
    assert "task t 1 failed on M1 with status 1" in found.stderr
    assert "no disk" in found.stderr
    (run,) = runs(tmp_path)
    assert [(one.task, one.status) for one in run.tasks] == [("t 0", "ok"), ("t 1", "failed")]
    (tmp_path / "fixed").touch()
    assert carried(engine, file).returncode == 0
    assert (tmp_path / "ran").read_text().split() == ["1", "2", "2", "3"]
    (run,) = runs(tmp_path)
    assert [one.task for one in run.tasks] == ["t 0", "t 1", "t 1", "t 2"]


def test_a_script_that_is_done_is_a_new_run_when_it_is_run_again(tmp_path: Path) -> None:
    file = written(bash.ENGINE, tmp_path, chain("echo >>ran"))
    first = carried(bash.ENGINE, file)
    record = next(tmp_path.glob("*.csv"))
    record.write_text(record.read_text().replace("\n2", "\nearlier-2"))  # runs of one second
    assert (first.returncode, carried(bash.ENGINE, file).returncode) == (0, 0)
    assert len(runs(tmp_path)) == 2
    assert (tmp_path / "ran").read_text() == "\n\n"


def test_make_does_what_is_done_once_until_it_is_cleaned(tmp_path: Path) -> None:
    file = written(makefile.ENGINE, tmp_path, chain("echo >>ran"))
    for _ in range(2):
        assert carried(makefile.ENGINE, file).returncode == 0
    assert (tmp_path / "ran").read_text() == "\n"
    clean = [program(makefile.ENGINE)[0], "-f", file.name, "clean"]
    subprocess.run(clean, cwd=tmp_path, check=True, capture_output=True)
    assert carried(makefile.ENGINE, file).returncode == 0
    assert (tmp_path / "ran").read_text() == "\n\n"


@both
def test_another_host_is_reached_over_ssh_and_this_one_is_not(
    engine: Engine, tmp_path: Path
) -> None:
    variables = ssh(tmp_path)
    plan = chain("echo here >>ran")
    plan = replace(plan, machines=((socket.gethostname(), "M1", 1),),
                   jobs=(replace(plan.jobs[0], machine=socket.gethostname()),))  # fmt: skip
    other = chain('echo "it\'s $PLACEWISE_MACHINE" >>ran; exit 3', machine="-o 'x' $(touch pwned)")
    assert carried(engine, written(engine, tmp_path, plan), **variables).returncode == 0
    found = carried(engine, written(engine, tmp_path, other), **variables)
    assert "with status 3" in found.stderr
    assert (tmp_path / "hosts").read_text() == "-o 'x' $(touch pwned)\n"
    assert (tmp_path / "ran").read_text() == "here\nit's -o 'x' $(touch pwned)\n"
    assert not (tmp_path / "pwned").exists()


@both
@pytest.mark.parametrize("far", [False, True])
def test_an_end_by_the_user_ends_what_runs(engine: Engine, far: bool, tmp_path: Path) -> None:
    variables = ssh(tmp_path) if far else {"LOCAL": "1"}
    plan = chain("exec 3>up; echo up >&3; exec sleep 600")
    os.mkfifo(tmp_path / "up")
    file = written(engine, tmp_path, plan)
    started = subprocess.Popen(
        [*program(engine), file.name], cwd=tmp_path, env=os.environ | variables,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    with (tmp_path / "up").open() as task:
        assert task.readline() == "up\n"
        started.send_signal(signal.SIGTERM)
        assert started.wait(20) != 0
        assert task.read() == ""  # nobody holds it any more
    assert not list(tmp_path.glob("*.run/*.done"))


@both
def test_what_a_command_says_that_it_fetched_is_no_computing(
    engine: Engine, tmp_path: Path
) -> None:
    plan = chain('echo 2000 0.001 >"$PLACEWISE_FETCHED"', 'echo "a b" >"$PLACEWISE_FETCHED"')
    assert carried(engine, written(engine, tmp_path, plan)).returncode == 0
    ((first, second),) = (run.tasks for run in runs(tmp_path))
    assert first.bytes_in == 2000
    assert first.fetch_start_s == 0.0
    assert first.start_s == pytest.approx(min(0.001, first.end_s))
    assert (second.bytes_in, second.fetch_start_s) == (None, None)


@both
def test_a_task_without_command_is_a_marked_place(engine: Engine, tmp_path: Path) -> None:
    plan = jobs(with_commands=False)
    file = written(engine, tmp_path, plan)
    assert file.read_text().count("No command is stated for the next task") == len(plan.jobs)
    found = carried(engine, file)
    assert found.returncode == 2
    assert "no command is stated for task" in found.stderr
    if engine.name == "bash":
        assert not list(tmp_path.glob("*.run"))


@both
@pytest.mark.parametrize(
    ("this", "other"),
    [("SIGNS", "sings"), ("t_1", "t_0"), ("M1", "M2"), ("t_1.done", "t_0.done"), ("flock", "true"),
     ("t_0 t", "t_9 t"), (" 1 ", " one "), ("carry_out\n", ""), ("\tfalse", "")],
)  # fmt: skip
def test_a_changed_text_is_noticed(engine: Engine, this: str, other: str) -> None:
    plan = chain("echo SIGNS", "true", "false")
    head, found, last = engine.render(plan).rpartition(this)
    try:
        assert not found or engine.parse(head + other + last) != engine.says(plan)
    except InputError:
        return


@both
def test_a_text_that_is_cut_is_refused(engine: Engine) -> None:
    text = engine.render(dozen())
    for cut in (text[: len(text) // 2], text[:-12], text.rpartition("\n")[0][:-300], ""):
        with pytest.raises(InputError):
            engine.parse(cut)


def test_make_runs_no_more_at_once_than_a_machine_has_cores() -> None:
    plan = dozen()
    rules = {name: over | needs for name, _, _, needs, over, _ in makefile.says(plan)}
    for at, job in enumerate(plan.jobs):
        for one in job.over:
            assert one < at
            assert plan.jobs[one].machine == job.machine
            assert plan.jobs[one].name in rules[job.name]
