"""Carry a plan out: its commands in its order on its machines, and a record of what happened."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from advisor.allocation.plan import Plan
from advisor.allocation.plan_jobs import Job, Jobs, able_on, jobs_of, room_of
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.basics.quantities import few
from advisor.engines.running_here import BASH
from advisor.running.run_local import carried
from advisor.running.run_settings import (
    Ended,
    Lost,
    Note,
    OnEvent,
    Replanned,
    RunSettings,
    ShouldStop,
    Started,
)
from advisor.running.steering import Steering
from advisor.runs.growing import stopped_words
from advisor.runs.run_record import (
    FAILED,
    OK,
    Run,
    TaskRun,
    header_line,
    is_record,
    line,
    parse,
    remark,
)
from machines import Platform
from machines.errors import InputError
from machines.files import MIB, decoded, keep_others_out, read_bytes, refusal
from machines.runtime import PLAN

# The run record while a run goes on: whole lines, there as soon as a task ends.

_LIMIT = 256 * MIB


class Recording:
    """Where the lines of one run go.

    `run`: the run's name in the record: "run 1" in an empty one.
    """

    def __init__(self, run: str = "run 1", path: Path | None = None, file: BinaryIO | None = None):
        self.run = run
        self._path, self._file = path, file

    def add(self, one: TaskRun) -> None:
        """Write a task's line; it is with the operating system when this returns."""
        self._write(line(self.run, one))

    def remark(self, event: Lost | Replanned) -> None:
        """Write what was lost or planned anew: a line of it, and one for each task that moved."""
        moved = event.moves if isinstance(event, Replanned) else ()
        moves = ((one.task, f"{one.source} → {one.target}") for one in moved)
        self._write(remark(self.run, event.text) + "".join(remark(self.run, *one) for one in moves))

    def _write(self, text: str) -> None:
        if self._file is None:
            return
        try:
            self._file.write(text.encode())
        except OSError as error:
            raise refusal("can't be written", self._path or "", error) from error


@contextmanager
def recording(path: Path | None) -> Iterator[Recording]:
    """Add a run to a record, or begin one; None: nothing is written."""
    if path is None:
        yield Recording()
        return
    try:
        file = path.open("ab", buffering=0)  # nothing stays in this process: it may be killed
    except (OSError, ValueError) as error:
        raise refusal("can't be written", path, error) from error
    with file:
        # two runs at once would take one name
        keep_others_out(file, path, "another run", "Wait for it, or name another file")
        run = _next_run(path)
        try:
            _begin(file)
        except OSError as error:
            raise refusal("can't be written", path, error) from error
        yield Recording(run, path, file)


def _next_run(path: Path) -> str:
    """A name that the record does not hold."""
    if not path.is_file() or not path.stat().st_size:
        return "run 1"
    text = decoded(read_bytes(path, _LIMIT), str(path))
    if not is_record(text) or not text.startswith(header_line()):
        raise InputError(
            "the file exists and is not a run record", where=str(path), remedy="Name another file"
        )
    taken = {one.name for one in parse(text, str(path))}
    number = len(taken) + 1
    while f"run {number}" in taken:
        number += 1
    return f"run {number}"


def _begin(file: BinaryIO) -> None:
    """The header of an empty file; a last line that is cut goes."""
    if not file.tell():
        file.write(header_line().encode())
        return
    name = Path(file.name)
    content = name.read_bytes()
    if not content.endswith(b"\n"):
        os.truncate(name, content.rfind(b"\n") + 1)


_SHOWN = 5
Happening = tuple[str, str, Any]
Carrier = Callable[[list[dict[str, Any]], bool, ShouldStop], Iterator[Happening]]


def run_plan(
    problem: Problem,
    plan: Plan,
    settings: RunSettings,
    on_event: OnEvent | None = None,
    should_stop: ShouldStop | None = None,
    replan_asked: ShouldStop | None = None,
) -> Run:
    """Run the commands of a plan.

    Each task runs on its machine, or where the engine lets it, as soon as what it needs has ended.
    Where the platform's runtime keeps the plan's order, a task also waits for the one on whose
    cores it follows. A task whose command fails is told and recorded, and what needs it does not
    run; everything else goes on.

    `on_event`: hears of all this (`Event`), in this thread, as it happens.
    `should_stop`: asked every 50 ms; once it is true, what runs is ended within a second.
    `replan_asked`: asked as often; each time that it is true, the tasks that have not begun are
        planned anew from what the run has taught, and moved where all then ends clearly earlier.
        A machine that is lost then ends the run no more: the others continue, and once they have
        nothing to run, the rest is planned anew without being asked for. None: nobody will ask.
    Returns what ran, with tasks that failed and their output; its notes say what did not run.
    """
    jobs = jobs_to_run(problem, plan)
    stop = should_stop or (lambda: False)
    steering = None
    if settings.replan or (replan_asked is not None and not settings.own):
        steering = Steering(
            problem, plan, jobs.makespan_s, always=settings.replan,
            asked=replan_asked or (lambda: False), there=_places(settings, jobs, problem.platform),
        )  # fmt: skip
    with (
        recording(settings.record) as record,
        _carrier(settings, jobs, problem.platform, steering) as (carrier, notes),
    ):
        going = _Going(jobs, record, on_event or (lambda _event: None))
        if steering is not None:
            steering.began_s = going.began
        for text in notes:
            going.note(text)
        strict = jobs.order == PLAN and not (settings.own or settings.replan)
        tasks = _tasks(problem, jobs, settings)
        places = {task["task"]: task for task in tasks}
        for kind, name, value in carrier(tasks, strict, stop):
            machine = places[name]["machine"] if name in places else name
            going.hear(kind, name, value, machine)
            for said in () if steering is None else steering.hear(kind, name, value, machine):
                going.say(said)
        return going.ended(settings.engine, stopped=stop())


def jobs_to_run(problem: Problem, plan: Plan) -> Jobs:
    """The jobs of a plan whose commands can be run."""
    jobs = jobs_of(problem, plan, predict(problem, plan))
    lacking = jobs.without_command
    if lacking:
        raise InputError(
            f"no command is stated for {few(lacking, _SHOWN, lambda job: job.name)}",
            where=f'workload "{jobs.name}"',
            remedy='Give each task its command = "…" in the workload file',
        )
    return jobs


@contextmanager
def _carrier(
    settings: RunSettings, jobs: Jobs, platform: Platform, steering: Steering | None
) -> Iterator[tuple[Carrier, tuple[str, ...]]]:
    """What runs tasks, and what is to be said of it."""
    machines, room = _places(settings, jobs, platform), jobs.room_by_machine
    if settings.own or settings.replan:
        room = room_of(platform, jobs)
    if settings.engine == BASH:
        yield lambda tasks, strict, stop: carried(tasks, machines, room, strict, stop, steering), ()
        return
    from advisor.running import run_cluster as cluster  # noqa: PLC0415 - distributed is slow to import

    with cluster.carrier(
        settings.scheduler, machines, room, own=settings.own, steering=steering
    ) as found:
        yield found


def _places(settings: RunSettings, jobs: Jobs, platform: Platform) -> dict[str, int]:
    """Machine → cores: those of the plan, or all where tasks may go to others by themselves."""
    if settings.own or settings.replan:
        return {one.name: one.cores for one in platform.machines}
    return {name: cores for name, _, cores in jobs.machines}


def _tasks(problem: Problem, jobs: Jobs, settings: RunSettings) -> list[dict[str, Any]]:
    """The jobs as carriers take them; `among`: the machines of which the engine chooses."""
    among = able_on(problem) if settings.own else {}
    listed = list(jobs.jobs)
    if settings.own:  # not in the plan's order, which would be half of the plan
        place = {task.name: at for at, task in enumerate(problem.workload.tasks)}
        first = {one: at for at, one in enumerate(problem.workload.topological_order.tolist())}
        listed.sort(key=lambda job: first[place[job.name]])
    folder = "" if settings.folder is None else str(settings.folder.absolute())
    here = {} if settings.scheduler else _environment()
    return [
        {
            "task": job.name,
            "machine": job.machine,
            "among": among.get(job.name, []),
            "cores": job.cores,
            "after": [jobs.jobs[one].name for one in job.after],
            "behind": None if job.behind is None else jobs.jobs[job.behind].name,
            "held": job.held,
            "work": job.command,
            "folder": folder,
            "environment": here | dict(job.environment),
        }
        for job in listed
    ]


def _environment() -> dict[str, str]:
    """What makes ``python -m …`` mean the Python that runs this, in whatever folder."""
    found = {
        "PATH": os.pathsep.join(
            (os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath))  # noqa: PTH120
        )
    }
    if os.environ.get("PYTHONPATH"):
        places = os.environ["PYTHONPATH"].split(os.pathsep)
        found["PYTHONPATH"] = os.pathsep.join(os.path.abspath(one) for one in places)  # noqa: PTH100
    return found


@dataclass
class _Going:
    """A run while it goes on."""

    jobs: Jobs
    record: Recording
    tell: OnEvent
    began: float = field(default_factory=time.time)
    tasks: list[TaskRun] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _ends: dict[str, float] = field(default_factory=dict)
    _skipped: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._jobs = {job.name: job for job in self.jobs.jobs}

    def note(self, text: str) -> None:
        """Say something now and in the run's notes."""
        self.say(Note(text))

    def say(self, event: Note | Lost | Replanned) -> None:
        """The same with an event; the record holds what was lost or planned anew."""
        self.notes.append(event.text)
        if not isinstance(event, Note):
            self.record.remark(event)
        self.tell(event)

    def hear(self, kind: str, name: str, value: Any, machine: str) -> None:
        """What the carrier tells, of a task that is on a machine."""
        if kind in {"silent", "lost", "asked", "stuck"}:  # of which whoever steers tells
            return
        job = self._jobs[name]
        if kind == "started":
            self.tell(Started(name, machine, value - self.began))
        elif kind == "skipped":
            self._skipped.append(name)
        else:
            one = self._task_run(job, value)
            self._ends[name] = one.end_s
            self.tasks.append(one)
            self.record.add(one)
            self.tell(Ended(one))

    def ended(self, engine: str, *, stopped: bool) -> Run:
        """The run, once the carrier tells nothing more."""
        failed = [one.task for one in self.tasks if one.status == FAILED]
        if failed:
            self.note(f"Failed: {few(failed, _SHOWN)}")
        if self._skipped:
            self.note(f"Did not run, as what they need failed: {few(self._skipped, _SHOWN)}")
        left = len(self.jobs.jobs) - len(self.tasks) - len(self._skipped)
        if stopped and left:
            self.note(stopped_words(left, len(self.jobs.jobs)))
        return Run(self.record.run, tuple(self.tasks), engine, notes=tuple(self.notes))

    def _task_run(self, job: Job, outcome: dict[str, Any]) -> TaskRun:
        taken, fetch_s = outcome["taken"] - self.began, outcome["fetch_s"]
        needs = [self._ends[self.jobs.jobs[one].name] for one in job.after]
        return TaskRun(
            job.name,
            outcome.get("machine") or job.machine,
            taken + (fetch_s or 0.0),
            outcome["end"] - self.began,
            max(needs, default=0.0),
            taken if fetch_s else None,
            outcome["bytes"],
            OK if outcome["ok"] else FAILED,
            outcome["output"],
        )
