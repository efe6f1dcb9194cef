"""Runs whose rest is planned anew when that is asked for: in a call, and by a signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.running import Ended, Event, Lost, Note, Replanned, RunSettings, Started, run_plan
from advisor.running.asking import ask, asked
from advisor.running.run_local import Happening, Slots
from advisor.running.steering import Steering
from advisor.runs.run_record import Run, parse
from machines import Machine, PlacewiseError, Platform
from tests.advisor.running.test_replanning import alike, by_turns
from tests.advisor.running.test_run_plan import scheduler, settings
from tests.advisor.running.working import heard, problem_of, told

__all__ = ["scheduler", "settings"]

COUNTED = "echo x >> ran-$PLACEWISE_TASK"


def asked_after(
    problem: Problem, plan: Plan, settings: RunSettings, when: Callable[[Event], bool]
) -> tuple[Run, list[Event]]:
    """The run, asked to replan once after such an event; all that was told."""
    events: list[Event] = []
    left = [1]

    def replan_asked() -> bool:
        return any(map(when, events)) and bool(left) and bool(left.pop())

    run = run_plan(problem, plan, settings, events.append, None, replan_asked)
    return run, events


def replans(events: list[Event]) -> list[Replanned]:
    return [one for one in events if isinstance(one, Replanned)]


def ran_once(folder: Path | None, names: Iterable[str]) -> None:
    """Each of these tasks has left one line."""
    assert folder is not None
    assert {path.name: path.read_text() for path in folder.glob("ran-*")} == {
        f"ran-{name}": "x\n" for name in names
    }


def behind_a_gate(folder: Path | None) -> tuple[Problem, Plan]:
    """Tasks that wait on M1 behind one that ends once another of them has run; M2 is idle."""
    waits = f"{COUNTED}; while [ ! -e open ]; do sleep 0.02; done"
    commands = {"t0": waits} | {f"t{k}": f"{COUNTED}; touch open" for k in range(1, 6)}
    return problem_of(commands | {"u": COUNTED}), Plan((0,) * 6 + (1,), tuple(range(7)))


def test_what_waits_goes_to_an_idle_machine_once_and_the_record_says_so(
    settings: RunSettings,
) -> None:
    problem, plan = behind_a_gate(settings.folder)
    run, events = asked_after(
        problem, plan, settings, lambda event: isinstance(event, Ended) and event.run.task == "u"
    )
    (found,) = replans(events)
    places = {one.task: one.machine for one in run.tasks}
    assert len(places) == 7
    assert len(run.tasks) == 7
    assert places["t0"] == "M1"
    assert {one.task for one in found.moves} == {t for t in places if places[t] == "M2"} - {"u"}
    assert {(one.source, one.target) for one in found.moves} == {("M1", "M2")}
    assert {one.task for one in found.rest} >= {one.task for one in found.moves}
    assert found.text.startswith("Replanned at ")
    assert f"{len(found.moves)} tasks moved, ends at " in found.text
    assert " instead of " in found.text
    assert found.text in run.notes
    ran_once(settings.folder, places)
    assert settings.record is not None
    text = settings.record.read_text(encoding="utf-8")
    (recorded,) = parse(text, "run.csv")
    assert recorded.notes == (found.text,)
    assert {one.task for one in recorded.tasks} == set(places)
    for one in found.moves:
        assert f"# run 1,{one.task},M1 → M2\n" in text


def test_where_nothing_is_better_nothing_moves_and_that_is_said(settings: RunSettings) -> None:
    commands = {f"t{k}": f"{COUNTED}; sleep 0.2" for k in range(4)}
    problem = problem_of(commands, [("t0", "t2"), ("t1", "t3")])
    run, events = asked_after(
        problem, Plan((0, 1, 0, 1)), settings, lambda event: isinstance(event, Started)
    )
    (found,) = replans(events)
    assert found.moves == ()
    assert found.text.startswith("Nothing clearly better was found at ")
    assert found.text.endswith(" as it is")
    assert {one.task: one.machine for one in run.tasks} == {
        "t0": "M1", "t1": "M2", "t2": "M1", "t3": "M2"
    }  # fmt: skip
    ran_once(settings.folder, commands)


def test_a_failure_is_one_after_a_replan_too(settings: RunSettings) -> None:
    commands = {"a": "exit 1", "b": COUNTED, "c": f"{COUNTED}; sleep 0.2", "d": COUNTED}
    problem = problem_of(commands, [("a", "b"), ("c", "d")])
    run, events = asked_after(
        problem, Plan((0, 0, 1, 1)), settings,
        lambda event: isinstance(event, Ended) and event.run.task == "a",
    )  # fmt: skip
    assert len(replans(events)) == 1
    assert {one.task: one.status for one in run.tasks} == {"a": "failed", "c": "ok", "d": "ok"}
    assert "Did not run, as what they need failed: b" in run.notes


def dying(folder: Path, tasks: int, dies: int, how: str = "KILL") -> Problem:
    """Tasks of half a second on three machines; one sends its worker a signal, the first time."""
    work = f"sleep 0.3; {COUNTED}"
    die = f"[ -e killed ] || {{ touch killed; sleep 0.1; kill -{how} $PPID; sleep 60; }}; "
    tasks_ = tuple(
        Task(f"t{k}", 0.3, command=die + work if k == dies else work) for k in range(tasks)
    )
    flows = tuple(Flow(f"t{k}", f"t{k + 9}") for k in range(tasks - 9))
    platform = Platform("p", tuple(Machine(f"M{k}") for k in range(3)))
    return Problem.of(platform, Workload("w", tasks_, flows))


@pytest.mark.engines
@pytest.mark.parametrize("when", ["asked", "never"])
def test_a_worker_that_is_killed_is_said_and_its_tasks_move_when_asked_or_at_last(
    tmp_path: Path, when: str
) -> None:
    problem = dying(tmp_path, 18, 7)
    run, events = asked_after(
        problem, by_turns(problem), RunSettings("dask", folder=tmp_path),
        lambda event: when == "asked" and isinstance(event, Lost),
    )  # fmt: skip
    names = [f"t{k}" for k in range(18)]
    assert sorted(one.task for one in run.tasks) == sorted(names)
    ran_once(tmp_path, names)
    (lost,) = [one for one in events if isinstance(one, Lost)]
    assert (lost.machine, lost.again) == ("M1", ("t7",))
    assert lost.text.startswith("M1 is gone, 1 task must run again; ")
    assert lost.text.endswith(" tasks wait for it until the rest is replanned")
    (found,) = replans(events)
    start = "Replanned at " if when == "asked" else "Nothing else can continue; replanned at "
    assert found.text.startswith(start)
    assert "t7" in {one.task for one in found.moves}
    assert {one.source for one in found.moves} >= {"M1"}
    gone = [one.machine for one in run.tasks if one.machine == "M1"]
    assert len(gone) == 2  # t1 and t4 had ended there


@pytest.mark.engines
@pytest.mark.parametrize("always", [True, False])
def test_a_worker_that_hangs_is_given_up_and_its_tasks_move(
    tmp_path: Path, always: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.running.run_cluster.BEATS", 4.0)
    problem = dying(tmp_path, 18, 7, "STOP")
    run, events = asked_after(
        problem, by_turns(problem), RunSettings("dask", folder=tmp_path, replan=always),
        lambda event: not always and isinstance(event, Lost),
    )  # fmt: skip
    names = [f"t{k}" for k in range(18)]
    assert sorted(one.task for one in run.tasks) == sorted(names)
    ran_once(tmp_path, names)
    (silent,) = [one.text for one in events if isinstance(one, Note) and "answered" in one.text]
    assert silent.startswith("M1 has not answered for ")
    assert silent.endswith(": it is used no more in this run")
    (lost,) = [one for one in events if isinstance(one, Lost)]
    assert (lost.machine, lost.again) == ("M1", ("t7",))
    assert any("t7" in {one.task for one in found.moves} for found in replans(events))


def test_a_rest_that_no_machine_can_run_ends_the_run() -> None:
    slots = Slots(
        [job("a", "M1")], {"M1": 1, "M2": 1}, {}, True, lambda _task: None
    )  # fmt: skip
    said: list[str] = []
    happenings: Iterator[list[Happening]] = iter([[("lost", "gone", "M1")]])
    with pytest.raises(PlacewiseError, match="no machine that is left can run a"):
        for kind, _, _ in slots.followed(lambda: iter(next(happenings, [])), lambda: False):
            said.append(kind)
    assert said == ["started", "lost", "stuck"]


def job(name: str, machine: str, *after: str) -> dict[str, Any]:
    return {"task": name, "machine": machine, "among": [], "cores": 1, "after": list(after),
            "held": {}, "behind": None, "environment": {}}  # fmt: skip


def test_what_an_engine_has_begun_stays_and_it_begins_nothing_more() -> None:
    """The engine has begun a, of which is heard, and b, of which is heard later."""
    begun: list[str] = []
    slots = Slots(
        [job("a", "M1"), job("b", "M2"), job("c", "M1", "a"), job("d", "M2", "b")],
        {"M1": 1, "M2": 1}, {}, True, lambda task: begun.append(task["task"]),
        take_back=lambda: {"a", "b"},
    )  # fmt: skip
    well = {"ok": True, "taken": 0.0, "end": 1.0}
    happenings: Iterator[list[Happening]] = iter(
        [[("started", "a", 0.0)], [("started", "b", 0.0), ("ended", "a", well)],
         [("ended", "b", well)], [("ended", "c", well), ("ended", "d", well)]]
    )  # fmt: skip
    answers = iter([True])
    slots.asked = lambda: next(answers, False)
    told = [
        (kind, name)
        for kind, name, _ in slots.followed(lambda: iter(next(happenings, [])), lambda: False)
    ]
    assert told == [
        ("started", "a"), ("asked", ""), ("started", "b"), ("ended", "a"), ("started", "c"),
        ("ended", "b"), ("started", "d"), ("ended", "c"), ("ended", "d"),
    ]  # fmt: skip
    assert begun == ["c", "d"]


def test_the_moment_of_asking_counts_not_that_of_the_last_end() -> None:
    """A task on M2 runs for twenty times its prediction: what waits there moves."""
    problem = alike(9)
    now = [100.0]
    steering = Steering(
        problem, by_turns(problem), 30.0, 100.0, always=False, clock=lambda: now[0]
    )  # fmt: skip
    slots = Slots([job(f"t{k}", f"M{k % 3}") for k in range(9)], {"M0": 1, "M1": 1, "M2": 1}, {},
                  True, lambda _task: None)  # fmt: skip
    steering.take(slots)
    for k in range(3):
        assert steering.hear("started", f"t{k}", 100.0, f"M{k}") == ()
    for k in (0, 1):
        assert steering.hear("ended", f"t{k}", {"taken": 100.0, "end": 110.0}, f"M{k}") == ()
    slots.waiting = [one for one in slots.waiting if one["task"] not in {"t0", "t1", "t2"}]
    now[0] = 300.0
    (found,) = steering.hear("asked", "", None, "")
    assert isinstance(found, Replanned)
    assert found.at_s == pytest.approx(200.0)
    assert {one.task for one in found.moves} >= {"t5", "t8"}
    assert {one["machine"] for one in slots.waiting} == {"M0", "M1"}


def test_a_machine_that_the_run_does_not_have_gets_nothing() -> None:
    problem = alike(9)
    plan = Plan(tuple(task % 2 for task in range(9)), tuple(range(9)))
    steering = Steering(problem, plan, 50.0, 0.0, always=False, there={"M0", "M1"})
    slots = Slots([job(f"t{k}", f"M{k % 2}") for k in range(9)], {"M0": 1, "M1": 1}, {}, True,
                  lambda _task: None)  # fmt: skip
    steering.take(slots)
    (found,) = steering.hear("stuck", "", None, "")
    assert isinstance(found, Replanned)
    assert {one.machine for one in found.rest} == {"M0", "M1"}


def test_each_signal_is_one_request_and_a_late_one_does_nothing() -> None:
    before = signal.getsignal(signal.SIGUSR1)
    try:
        with asked() as replan_asked:
            assert not replan_asked()
            ask(os.getpid())
            assert replan_asked()
            assert not replan_asked()
        ask(os.getpid())
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_process_that_is_gone_is_not_asked() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    ask(process.pid)


def test_another_thread_hears_no_signals() -> None:
    found: list[bool] = []

    def look() -> None:
        with asked() as replan_asked:
            found.append(replan_asked())

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [False]


def test_the_engines_own_scheduling_is_not_steered(settings: RunSettings) -> None:
    run = run_plan(
        problem_of({"a": COUNTED, "b": COUNTED}), Plan((0, 0)), replace(settings, own=True),
        None, None, lambda: True,
    )  # fmt: skip
    assert len(run.tasks) == 2
    assert run.notes == ()


def test_a_steered_run_without_a_wish_is_the_plans(settings: RunSettings) -> None:
    problem = problem_of({"a": "sleep 0.2", "b": ":", "c": ":"}, [("a", "b")])
    plan = Plan((0, 1, 1), order=(0, 1, 2))
    events: list[Event] = []
    run = run_plan(problem, plan, settings, events.append, None, lambda: False)
    assert (
        told(events)
        == ["+a", "-a", "+b", "-b", "+c", "-c"]
        == told(heard(problem, plan, settings)[1])
    )
    assert run.notes == ()


@pytest.mark.engines
def test_a_run_that_no_machine_can_finish_says_which_task_and_keeps_what_ended(
    tmp_path: Path,
) -> None:
    record = tmp_path / "run.csv"
    commands = {"a": COUNTED, "b": "kill -KILL $PPID; sleep 60", "c": COUNTED}
    problem = problem_of(commands, [("a", "b"), ("c", "b")])
    only = tuple(
        replace(task, allowed=("M1",)) if task.name == "b" else task
        for task in problem.workload.tasks
    )
    problem = Problem.of(problem.platform, Workload("w", only, problem.workload.flows))
    with pytest.raises(PlacewiseError, match="M1: no machine that is left can run b"):
        run_plan(problem, Plan((0, 0, 1)), RunSettings("dask", record=record, folder=tmp_path),
                 None, None, lambda: False)  # fmt: skip
    (run,) = parse(record.read_text(encoding="utf-8"), "r")
    assert sorted(one.task for one in run.tasks) == ["a", "c"]
    assert "M1 is gone" in run.notes[0]
    assert "no machine that is left can run all of the rest" in run.notes[1]
