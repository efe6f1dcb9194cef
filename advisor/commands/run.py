"""The subcommand `run`: a plan carried out, and what that took beside what was predicted."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path

from advisor.allocation.plan import Plan
from advisor.allocation.plan_jobs import Jobs
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count, duration, percent
from advisor.basics.units import durations
from advisor.commands.inputs import load_kernels, read_planned
from advisor.commands.interrupts import INTERRUPTED, interruptible
from advisor.commands.text import say, say_json
from advisor.odds.dispatch import dispatched
from advisor.odds.draws import draws_of
from advisor.running import (
    Event,
    Lost,
    Note,
    Replanned,
    RunSettings,
    Started,
    jobs_to_run,
    run_plan,
)
from advisor.running.asking import asked, can_be_asked
from advisor.running.duel import PLANNED, Duel, duel
from advisor.runs.run_record import FAILED, Run, TaskRun
from machines import InputError, PlacewiseError
from machines.errors import LONGEST_LINE, readable, visible
from machines.stopping import Stopped

_END_OF_OUTPUT = 200  # characters
_DRAWS = 16  # of what is simulated before a comparison
_CRUMB = 2e-3  # of the longer of two times: their common unit has no digits for it


def run_run(arguments: Namespace) -> int:
    """List the commands, ask, run them, and say how long it took."""
    problem, plan = read_planned(arguments.plan, arguments.workload, arguments.platform)
    load_kernels(problem)
    settings = RunSettings(
        arguments.engine,
        arguments.scheduler,
        Path(arguments.record) if arguments.record else None,
        Path(arguments.folder) if arguments.folder else None,
        replan=arguments.replan,
    )
    jobs = jobs_to_run(problem, plan)
    if not arguments.yes:
        _ask(jobs, arguments.plan)
    board = _Board(jobs)
    if arguments.compare_default is not None:
        return _compare(problem, plan, settings, arguments, board)
    if can_be_asked() and sys.stderr.isatty():
        _tell(f"placewise: note: while it runs, kill -USR1 {os.getpid()} replans the rest")
    with interruptible() as stopped, asked() as replan_asked:
        try:
            run = run_plan(problem, plan, settings, board.show, stopped, replan_asked)
        except PlacewiseError:
            if stopped():  # Ctrl-C while the cluster was starting reaches its processes, too
                raise Stopped("stopped") from None
            raise
        interrupted = stopped()
    complete = len(run.tasks) == len(jobs.jobs)
    if arguments.json:
        say_json(run_report(run, jobs, arguments.record))
    elif not interrupted or run.tasks:
        say(sentence(run, jobs))
    _expect_none_failed(run, arguments)
    return INTERRUPTED if interrupted and not complete else 0


def _compare(
    problem: Problem, plan: Plan, settings: RunSettings, arguments: Namespace, board: _Board
) -> int:
    """The plan against the engine's own scheduling, in turn."""
    draws = draws_of(problem, _DRAWS)
    if (expected := dispatched(problem, plan, draws)) is not None:
        _tell(f"placewise: note: before anything runs: {expected.sentence}")
    last: list[Run] = []

    def told(way: str, run: Run) -> None:
        last[:] = [run]
        board.start_over()
        what = "the plan" if way == PLANNED else "the engine's own scheduling"
        _tell(f"placewise: note: {what} took {duration(run.makespan_s)}")

    with interruptible() as stopped:
        rounds = arguments.compare_default
        found = duel(problem, plan, settings, rounds, told, board.show, stopped)
        if stopped():
            return INTERRUPTED
    if found is None:
        _expect_none_failed(last[0], arguments)
        raise Stopped("stopped")
    if arguments.json:
        say_json(duel_report(found))
    else:
        say(found.sentence)
    return 0


def duel_report(found: Duel) -> dict[str, object]:
    """What `run --compare-default --json` prints."""
    return {
        "plan_s": [one.makespan_s for one in found.planned],
        "engine_s": [one.makespan_s for one in found.own],
        "noise_s": found.noise_s,
        "winner": found.winner or None,
        "sentence": found.sentence,
    }


def sentence(run: Run, jobs: Jobs) -> str:
    """What the run took, against what was predicted."""
    if len(run.tasks) < len(jobs.jobs) or any(one.status == FAILED for one in run.tasks):
        well = sum(one.status != FAILED for one in run.tasks)
        return f"{well:,} of {count(len(jobs.jobs), 'task', 'tasks')} ran well."
    taken, predicted = run.makespan_s, jobs.makespan_s
    took, was = durations(taken, predicted)
    if min(taken, predicted) < _CRUMB * max(taken, predicted):
        took, was = duration(taken), duration(predicted)
    apart = ""
    if predicted > 0 and took != was:
        share = taken / predicted - 1.0
        apart = f", {percent(abs(share))} {'longer' if share > 0 else 'shorter'}"
    tasks = count(len(jobs.jobs), "task", "tasks")
    return f"{tasks} ran in {took}, predicted {was}{apart}."


def run_report(run: Run, jobs: Jobs, record: str | None) -> dict[str, object]:
    """What `run --json` prints."""
    predicted = {job.name: job.seconds for job in jobs.jobs}
    return {
        "run": run.name,
        "engine": run.engine,
        "record": record,
        "makespan_s": run.makespan_s,
        "predicted_makespan_s": jobs.makespan_s,
        "tasks": {
            one.task: {
                "machine": one.machine,
                "taken_s": one.taken_s,
                "start_s": one.start_s,
                "end_s": one.end_s,
                "predicted_s": predicted[one.task],
                "status": one.status,
                "output": one.output,
            }
            for one in run.tasks
        },
        "notes": list(run.notes),
    }


class _Board:
    """Says on standard error what happens."""

    def __init__(self, jobs: Jobs) -> None:
        self._predicted = {job.name: job.seconds for job in jobs.jobs}
        self._width = max(len(visible(name)) for name in self._predicted)
        self._ended = 0

    def start_over(self) -> None:
        """Another run begins."""
        self._ended = 0

    def show(self, event: Event) -> None:
        """A line for each task that ends and each note."""
        if isinstance(event, Started):
            return
        if isinstance(event, Note | Lost | Replanned):
            _tell(f"placewise: note: {readable(event.text, LONGEST_LINE)}")
            return
        one = event.run
        self._ended += 1
        place = f"{self._ended}/{len(self._predicted)}"
        took, was = durations(one.end_s - one.start_s, self._predicted[one.task])
        how = "  FAILED" if one.status == FAILED else ""
        where = f"{visible(one.task):<{self._width}}  {visible(one.machine)}"
        _tell(f"{place:>9}  {where}  {took}, predicted {was}{how}")


def _ask(jobs: Jobs, path: str) -> None:
    """List the commands, and run nothing unless somebody agrees."""
    _tell(f"{path} would run these commands:")
    for job in jobs.jobs:
        _tell(f"  {visible(job.name)} on {visible(job.machine)}:  {visible(job.command)}")
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        raise InputError(
            "nothing was run: these commands need your consent", where=path,
            remedy="Read them, then add --yes",
        )  # fmt: skip
    sys.stderr.write("Run them? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise Stopped("nothing was run")


def _expect_none_failed(run: Run, arguments: Namespace) -> None:
    failed = [one for one in run.tasks if one.status == FAILED]
    if not failed:
        return
    others = f" and {count(len(failed) - 1, 'other task', 'other tasks')}" if failed[1:] else ""
    kept = f"{arguments.record} holds what ran" if arguments.record else "Nothing was recorded"
    raise PlacewiseError(
        f'task "{failed[0].task}"{others} failed: {_end(failed[0])}',
        where=arguments.plan,
        remedy=f"{kept}. Try its command alone",
    )


def _end(one: TaskRun) -> str:
    said = " | ".join(part.strip() for part in one.output.splitlines() if part.strip())
    return said if len(said) <= _END_OF_OUTPUT else f"…{said[-_END_OF_OUTPUT:]}"


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
