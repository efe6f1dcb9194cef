"""Parsl's monitoring database: `monitoring.db`, a run a row of `workflow`.

A try lasts, by its worker's clock, from `running` to `running_ended`; where the latter was not
sent, until its result was back at the submitting program. One that began and has no end, as in a
run that was killed, failed after no time. The label of its executor is the machine, or its host
where one executor has several. Tasks have numbers and functions and no names: one is called by the
file of its standard output where every task has its own, by its function where all differ, else
"function #number", with the numbers that it waited for (`advisor.runs.matching` works on those).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from advisor.basics.quantities import count
from advisor.runs.logs.database import Database, Value, database, has_tables
from advisor.runs.logs.log_lines import Gathering, instant
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.name_patterns import NUMBERED
from advisor.runs.run_record import FAILED, OK, Run
from machines.errors import InputError

_TABLES = frozenset(("workflow", "task", "try"))
_TASK = ("run_id", "task_id", "task_func_name", "task_depends", "task_stdout")
_TRY = ("run_id", "task_id", "try_id", "task_executor", "hostname", "task_try_time_launched",
        "task_try_time_running", "task_try_time_returned", "task_fail_history")  # fmt: skip
_RESOURCE = ("run_id", "task_id", "try_id", "psutil_process_memory_resident")
_DONE = frozenset(("exec_done", "memo_done", "join_done"))
_ENDED = "running_ended"  # by the worker's clock
_WRONG = frozenset(("failed", "fail_retryable", "dep_fail"))
_INTERNAL = "_parsl_internal"  # the executor of what Parsl does itself
_GENERATED = re.compile(r"task_[0-9]+_.*")  # of stdout=AUTO_LOGNAME: the number and the function
_KILLED = "The database has no end of it"
_WORDS = 300  # characters of what a failed task said


@dataclass(frozen=True, slots=True)
class _Task:
    number: int
    function: str
    after: tuple[int, ...]
    stdout: str


@dataclass(frozen=True, slots=True)
class _Try:
    task: int
    executor: str
    host: str
    launched_s: float | None
    running_s: float | None
    ended_s: float | None
    status: str
    output: str
    peak_bytes: float | None  # with the worker that ran it


def _holds(path: Path, head: bytes) -> bool:
    return has_tables(path, head, _TABLES)


def _read(path: Path) -> tuple[Run, ...]:
    with database(path) as found:
        tasks, tries = _tasks(found), _tries(found)
        columns = ("run_id", "workflow_name", "time_began", "time_completed", "rundir")
        workflows = found.rows("workflow", columns, 3)
        unmerged = found.unmerged
    runs: list[tuple[float, Run]] = []
    empty: InputError | None = None
    for _, ident, _name, began, completed, rundir in workflows:
        notes = [] if completed else ["The workflow has no end: its program was killed, or runs"]
        if unmerged:
            notes.append("The database was in use: its newest rows lie in the -wal file beside it")
        name = PurePosixPath(str(rundir or "")).name or str(ident)[:8]
        try:
            run = _run(f"{path}: run {name}", name, tasks[ident], tries[ident], notes)
        except InputError as error:
            empty = error
        else:
            runs.append((instant(str(began)) or 0.0, run))
    if not runs:
        raise empty or InputError("no workflow is in this database", where=str(path))
    return tuple(run for _, run in sorted(runs, key=lambda one: one[0]))


def _tasks(found: Database) -> dict[Value, list[_Task]]:
    result: dict[Value, list[_Task]] = defaultdict(list)
    for _, run, number, function, depends, stdout in found.rows("task", _TASK, 4):
        if isinstance(number, int):
            after = tuple(int(one) for one in re.findall(r"[0-9]{1,15}", str(depends or "")))
            name = _stem(str(stdout or ""))
            result[run].append(_Task(number, str(function), after, name))
    return result


def _tries(found: Database) -> dict[Value, list[_Try]]:
    states: dict[tuple[Value, Value, Value], dict[str, float | None]] = defaultdict(dict)
    if "status" in found.tables:
        columns = ("run_id", "task_id", "try_id", "task_status_name", "timestamp")
        for _, run, task, number, state, at in found.rows("status", columns):
            states[run, task, number][str(state)] = instant(str(at))
    peaks = _peaks(found)
    result: dict[Value, list[_Try]] = defaultdict(list)
    for _, run, task, number, executor, host, launched, running, returned, history in found.rows(
        "try", _TRY, 4
    ):
        if not isinstance(task, int) or executor == _INTERNAL:
            continue
        told = states.get((run, task, number), {})
        failed = bool(told.keys() & _WRONG) and not told.keys() & _DONE
        ended_s = told.get(_ENDED)
        if ended_s is None:
            ended_s = instant(str(returned))
        result[run].append(
            _Try(
                task, str(executor), str(host or ""), instant(str(launched)),
                instant(str(running)), ended_s, FAILED if failed else OK,
                str(history or "")[-_WORDS:] if failed else "", peaks.get((run, task, number)),
            )
        )  # fmt: skip
    return result


def _peaks(found: Database) -> dict[tuple[Value, Value, Value], float]:
    """The most resident memory of every try that was watched, of its worker and all it started."""
    most: dict[tuple[Value, Value, Value], float] = {}
    if "resource" in found.tables:
        for _, run, task, number, resident in found.rows("resource", _RESOURCE, 4):
            if isinstance(resident, int | float) and 0.0 < resident < math.inf:
                key = run, task, number
                most[key] = max(most.get(key, 0.0), float(resident))
    return most


def _run(where: str, name: str, tasks: list[_Task], tries: list[_Try], notes: Iterable[str]) -> Run:
    names, said = _names(tasks)
    by_host = _by_host(tries)
    after = {task.number: task.after for task in tasks}
    found = Gathering(where, since_1970=True)
    never = {task.number for task in tasks} - {one.task for one in tries}
    for one in tries:
        if one.running_s is None:
            never.add(one.task)
            continue
        killed = one.ended_s is None
        found.add(
            names.get(one.task, f"task{NUMBERED}{one.task}"),
            one.host if by_host else one.executor,
            one.running_s,
            one.running_s if one.ended_s is None else one.ended_s,
            ready_s=one.launched_s,
            status=FAILED if killed else one.status,
            output=_KILLED if killed else one.output,
            after=tuple(names[each] for each in after.get(one.task, ()) if each in names),
            peak_bytes=one.peak_bytes,
        )
    if never:
        said = (*said, f"{count(len(never), 'task')} never began: {names[min(never)]}")
    return found.run(name, "parsl", (*notes, *said))


def _names(tasks: list[_Task]) -> tuple[dict[int, str], tuple[str, ...]]:
    """What the tasks are called, by number, and what there is to say of it."""
    for attribute in ("stdout", "function"):
        names = {task.number: getattr(task, attribute) for task in tasks}
        if all(names.values()) and max(Counter(names.values()).values(), default=0) == 1:
            return names, ()
    functions = sorted({task.function for task in tasks})
    few = ", ".join(functions[:3]) + (", …" if len(functions) > 3 else "")
    said = f"Parsl knows these tasks by number and function alone ({few})"
    return {task.number: f"{task.function}{NUMBERED}{task.number}" for task in tasks}, (said,)


def _stem(stdout: str) -> str:
    """The file without folder and ending; empty where Parsl made it up."""
    stem = PurePosixPath(stdout).stem
    return "" if _GENERATED.fullmatch(stem) else stem


def _by_host(tries: list[_Try]) -> bool:
    """Whether hosts are the machines: one executor, on several of them."""
    hosts = {one.host for one in tries if one.host}
    return len({one.executor for one in tries}) == 1 and len(hosts) > 1


READER = LogReader("Parsl monitoring database", "parsl", _holds, _read, (".db",))
