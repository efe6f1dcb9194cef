"""A Dask cluster that somebody else started, whose Python has Dask and may lack this product."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from advisor.allocation.plan import Plan
from advisor.running import Ended, Event, Lost, Note, Replanned, RunSettings, run_plan
from advisor.runs.run_record import parse
from machines import PlacewiseError
from tests.advisor.running.working import LONG, eventually, heard, living, problem_of, written
from tests.engines import program
from tests.processes import listening

pytestmark = [
    pytest.mark.engines,
    # that Dask may be of another version, which is what a user would be warned of, too
    pytest.mark.filterwarnings("ignore::distributed.versions.VersionMismatchWarning"),
]
# without an address the server of Dask's pages, which runs without them, is on all interfaces
QUIET = ("--no-dashboard", "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")


class Cluster:
    """A scheduler and two workers, as processes."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack, self._folder = stack, folder
        told = folder / "scheduler.json"
        self.scheduler = self._started("scheduler", "--port", "0", "--scheduler-file", str(told))
        eventually(lambda: told.exists() and told.read_text())
        self.address = json.loads(told.read_text())["address"]
        self.workers = [
            self._started("worker", self.address, "--nthreads", "1", "--no-nanny", *named)
            for named in (("--name", "M1"), ("--name", "x", "--resources", "M2=1"))
        ]

    def _started(self, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(
            [program("dask"), *arguments, *QUIET],
            cwd=self._folder, env=environment, stdout=quiet, stderr=quiet,
        )  # fmt: skip
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as stack:
        found = Cluster(stack, tmp_path)
        settings = RunSettings("dask", found.address)

        def is_there() -> bool:
            try:
                run_plan(problem_of({"a": ":", "b": ":"}), Plan((0, 1)), settings)
            except PlacewiseError as error:
                assert "no worker for" in str(error)  # they have not come yet
                return False
            return True

        eventually(is_there)
        assert listening() == {"127.0.0.1"}
        yield found


def test_its_workers_are_sent_what_they_run(cluster: Cluster, tmp_path: Path) -> None:
    problem = problem_of({"a": "echo 1 > a; exit 1", "b": "pwd > b", "c": ":"}, [("a", "c")])
    settings = RunSettings("dask", cluster.address, folder=tmp_path)
    run, _ = heard(problem, Plan((0, 1, 1)), settings)
    assert {one.task: one.status for one in run.tasks} == {"a": "failed", "b": "ok"}
    assert (tmp_path / "b").read_text() == f"{tmp_path}\n"


def test_stopping_ends_its_commands_and_leaves_its_workers(
    cluster: Cluster, tmp_path: Path
) -> None:
    told = tmp_path / "pid"
    problem = problem_of({"a": f"echo $$ > {told}; {LONG}", "b": ":"}, [("a", "b")])
    settings = RunSettings("dask", cluster.address)
    run = run_plan(problem, Plan((0, 1)), settings, None, written(told))
    assert run.tasks == ()
    assert not living(int(told.read_text()))
    again = run_plan(problem_of({"a": ":", "b": ":"}), Plan((0, 1)), settings)
    assert len(again.tasks) == 2


def test_a_scheduler_that_is_lost_ends_the_run_and_the_record_stays(
    cluster: Cluster, tmp_path: Path
) -> None:
    record = tmp_path / "run.csv"
    problem = problem_of({"a": ":", "b": LONG}, [("a", "b")])

    def lose(_event: object) -> None:
        if record.read_text().count("\n") == 2:  # a has ended
            cluster.scheduler.kill()

    with pytest.raises(PlacewiseError, match="can't continue: the scheduler is gone"):
        run_plan(problem, Plan((0, 1)), RunSettings("dask", cluster.address, record), lose)
    assert [one.task for one in parse(record.read_text(), "r")[0].tasks] == ["a"]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_is_lost_or_hangs_does_not_end_a_run_whose_rest_can_be_replanned(
    cluster: Cluster, tmp_path: Path, how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.running.run_cluster.BEATS", 4.0)
    sent: list[signal.Signals] = []
    count = "echo x >> $PLACEWISE_TASK"
    commands = {"a": f"{count}; touch begun", "b": LONG, "c": count, "d": count}
    commands["b"] = f"[ -e lost ] || {{ touch lost; {LONG}; }}; {count}"
    problem = problem_of(commands, [("a", "b"), ("b", "c"), ("b", "d")])
    settings = RunSettings("dask", cluster.address, tmp_path / "run.csv", tmp_path)
    events: list[Event] = []

    def hear(event: Event) -> None:
        events.append(event)

    def replan_asked() -> bool:
        if (tmp_path / "lost").exists() and not sent:
            cluster.workers[1].send_signal(how)
            sent.append(how)
        found = [one for one in events if isinstance(one, Lost)]
        return bool(found) and not any(isinstance(one, Replanned) for one in events)

    run = run_plan(problem, Plan((0, 1, 1, 0)), settings, hear, None, replan_asked)
    assert {one.task: one.machine for one in run.tasks} == dict.fromkeys("abcd", "M1")
    assert all((tmp_path / name).read_text() == "x\n" for name in "abcd")
    assert [one.text for one in events if isinstance(one, Lost)] == [
        "M2 is gone, 1 task must run again; 2 tasks wait for it until the rest is replanned"
    ]
    hung = [one.text for one in events if isinstance(one, Note) and "not answered" in one.text]
    assert len(hung) == (how == signal.SIGSTOP)


def test_a_worker_that_hung_and_comes_back_takes_leave(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.running.run_cluster.BEATS", 4.0)
    work = "sleep 0.5; echo x >> $PLACEWISE_TASK"
    problem = problem_of(dict.fromkeys("abcd", work), [("a", "b"), ("b", "c"), ("b", "d")])
    hung: list[Event] = []

    def hear(event: Event) -> None:
        if isinstance(event, Ended) and not hung:
            cluster.workers[1].send_signal(signal.SIGSTOP)
            hung.append(event)
        if isinstance(event, Lost):
            cluster.workers[1].send_signal(signal.SIGCONT)

    settings = RunSettings("dask", cluster.address, folder=tmp_path, replan=True)
    run = run_plan(problem, Plan((0, 1, 1, 0)), settings, hear, None, lambda: False)
    assert {one.task: one.machine for one in run.tasks} == dict.fromkeys("abcd", "M1")
    eventually(lambda: cluster.workers[1].poll() is not None)
