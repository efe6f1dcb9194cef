"""Jobs of Slurm, whichever of its programs tell of them, as runs.

Slurm tells whole seconds of local time. One log often holds several runs: a job number that falls
back begins another (the controller was set up anew), so does a name that comes again when nothing
was left, and a pause.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from advisor.basics.host_list import first_host, host_entries
from advisor.basics.quantities import count
from advisor.runs.logs.log_lines import day_and_time, instant, since_1970
from advisor.runs.run_record import FAILED, OK, Run, TaskRun
from machines.errors import InputError, visible

ENGINE = "slurm"
PAUSE_S = 300.0  # nothing of a run waiting or running for longer: another run
WHOLE_SECONDS = "Slurm tells whole seconds: times of short tasks are rough"
_NUMBER = re.compile(r"([0-9]{1,18})(?:_([0-9]+|\[.*\]))?(?:\+([0-9]+))?")
_NOT_ENDED = frozenset(
    ("PENDING", "RUNNING", "SUSPENDED", "REQUEUED", "RESIZING", "COMPLETING", "CONFIGURING",
     "STOPPED", "SIGNALING", "STAGE_OUT", "SPECIAL_EXIT", "RESV_DEL_HOLD", "REQUEUE_FED",
     "REQUEUE_HOLD")
)  # fmt: skip
STATES = _NOT_ENDED | frozenset(
    ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
     "BOOT_FAIL", "DEADLINE", "REVOKED", "LAUNCH_FAILED")
)  # fmt: skip
_NEVER = frozenset(("", "unknown", "none", "n/a", "invalid", "(null)"))
_CLOCK_S = 3600.0  # clocks are set by an hour
_DEPENDENCY = re.compile(r"(?:^|\s)(?:--dependency[= ]|-d ?)([a-z]+:[0-9:,?_a-z+]+)")
_WAITED = re.compile(r"[:,]([0-9]{1,18})(?:_([0-9]+))?")
_NO_TIME = "Times are like 2026-11-22T07:04:47: unset SLURM_TIME_FORMAT and print them again"


@dataclass(frozen=True)
class SlurmJob:
    """One job, or one step that is a task, as told.

    `start_s`, `end_s`: since 1970, in local time. `submit_s`, `eligible_s`: when it was handed in,
    and when nothing that it depends on was left.
    """

    number: int  # of the job
    part: str  # of an array; empty: of none
    name: str
    state: str
    machine: str
    start_s: float
    end_s: float
    submit_s: float | None
    eligible_s: float | None
    place: str = ""  # file and line, for messages
    needs: tuple[tuple[int, str], ...] = ()  # number and part of jobs that its command waits for
    peak_bytes: float | None = None

    @property
    def known_s(self) -> float:
        """When Slurm knew of it, as far as told."""
        return self.start_s if self.submit_s is None else self.submit_s

    @property
    def ok(self) -> bool:
        """Whether it ended well."""
        return self.state == "COMPLETED"


def job_number(text: str, place: str) -> tuple[int, str, bool]:
    """Number, part of an array, and whether it is a later component of a heterogeneous job."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise InputError("this is no number of a job", where=place, value=text)
    return int(match[1]), match[2] or "", bool(match[3] and int(match[3]))


def plain_state(text: str) -> str:
    """COMPLETED, FAILED, …: without who cancelled it."""
    return (text.split() or [""])[0].rstrip("+").upper()


def has_ended(state: str) -> bool:
    """Whether a job in this state is over."""
    return state not in _NOT_ENDED


def time_of(text: str, place: str) -> float | None:
    """Seconds since 1970; None: it never came to that."""
    if text.strip().lower() in _NEVER:
        return None
    found = instant(text) if "-" in text else since_1970(text)
    if found is None:
        raise InputError("this is no time", where=place, value=text, remedy=_NO_TIME)
    return found


def first_node(text: str, place: str) -> tuple[str, bool]:
    """The first node of a list, and whether there are more; empty where none was given."""
    if text.strip().lower() in _NEVER or text.startswith("None assigned"):
        return "", False
    entries = host_entries(text)
    first, more = first_host(entries[0], place)
    return first, more or len(entries) > 1


def end_of(start_s: float, end_s: float, elapsed_s: float | None) -> tuple[float, bool]:
    """When a job ended on the clock of its start, and whether the clock was set meanwhile."""
    if elapsed_s is None or abs(abs(end_s - start_s - elapsed_s) - _CLOCK_S) > 1.0:
        return end_s, False
    return start_s + elapsed_s, True


def runs_of(jobs: Sequence[SlurmJob], notes: Sequence[str], where: str) -> tuple[Run, ...]:
    """The runs that these jobs make, oldest first.

    `jobs`: that started and ended, in any order. `notes`: of the file, given to every run.
    """
    if not jobs:
        raise InputError(
            "no job of this log has started and ended", where=where, value=" ".join(notes) or None,
            remedy="Take it again when the jobs are over",
        )  # fmt: skip
    nameless = next((one for one in jobs if not one.name.strip()), None)
    if nameless is not None:
        raise InputError(
            f"job {nameless.number} has no name", where=nameless.place,
            remedy="Name it in the log, or leave it out",
        )  # fmt: skip
    turned = next((one for one in jobs if one.end_s < one.start_s), None)
    if turned is not None:
        raise InputError(
            f'job {turned.number} "{turned.name}" ends before it starts', where=turned.place,
            value=turned.end_s - turned.start_s, remedy="Leave it out; its clock was set back",
        )  # fmt: skip
    groups = _groups(jobs)
    return tuple(_run(group, why, notes) for group, why in groups)


def _groups(jobs: Sequence[SlurmJob]) -> list[tuple[list[SlurmJob], str]]:
    """The jobs of each run, and why it is one of its own."""
    found: list[tuple[list[SlurmJob], str]] = []
    seen: dict[tuple[str, str], SlurmJob] = {}
    last, over_s = None, 0.0
    for job in sorted(jobs, key=lambda one: (one.known_s, one.number, one.part)):
        why = "" if last is None else _apart(job, last, seen.get((job.name, job.part)), over_s)
        if why or last is None:
            found.append(([], why))
            seen, over_s = {}, job.end_s
        found[-1][0].append(job)
        seen[job.name, job.part] = job
        last, over_s = job, max(over_s, job.end_s)
    return found


def _apart(job: SlurmJob, last: SlurmJob, before: SlurmJob | None, over_s: float) -> str:
    """Why a job begins another run than the one before it; "": it does not.

    `before`: the job of this name in the run. `over_s`: when the last of the run so far ended.
    """
    again = before is not None and before.number == job.number
    if before is not None and again and not before.ok:
        return ""  # tried again under its number
    if job.known_s > over_s + PAUSE_S:
        return f"nothing waited or ran for {job.known_s - over_s:.0f} s before it"
    falls = job.number <= last.number if job.submit_s != last.submit_s else False
    if falls and job.submit_s is not None:
        return f"the numbers of jobs fall back from {last.number} to {job.number}"
    if before is not None and not again and job.known_s >= over_s:
        return f'"{job.name}" comes again when nothing is left'
    return ""


def _run(jobs: list[SlurmJob], why: str, notes: Sequence[str]) -> Run:
    called = _names(jobs)
    after = _after(jobs, called)
    tasks = tuple(
        TaskRun(
            visible(name), visible(job.machine), job.start_s, job.end_s,
            ready_s=None if job.eligible_s is None else min(job.eligible_s, job.start_s),
            status=OK if job.ok else FAILED,
            output="" if job.ok else f"Slurm: {visible(job.state)}", after=after[at],
            peak_bytes=job.peak_bytes,
        )
        for at, (job, name) in enumerate(zip(jobs, called, strict=True))
    )  # fmt: skip
    told = [WHOLE_SECONDS, *notes]
    if why:
        told.append(f"A run of its own: {why}")
    short = sum(one.end_s == one.start_s for one in jobs)
    if short:
        told.append(f"{count(short, 'task')} took no whole second: as if none at all")
    twice = [name for name, uses in Counter(called).items() if uses > 1]
    if twice:
        told.append(f"{count(len(twice), 'task')} ran more than once: {visible(twice[0])}")
    name = day_and_time(min(one.known_s for one in jobs))
    return Run(name, tasks, ENGINE, 1.0, tuple(told)).from_zero()


def _names(jobs: list[SlurmJob]) -> list[str]:
    """Tasks are called as their jobs; parts of an array by their number, where it is no name."""
    parts: dict[tuple[int, str], set[str]] = defaultdict(set)
    for job in jobs:
        parts[job.number, job.name].add(job.part)
    return [
        f"{job.name}_{job.part}" if job.part and len(parts[job.number, job.name]) > 1 else job.name
        for job in jobs
    ]


def needs_of(command: str) -> tuple[tuple[int, str], ...]:
    """The jobs that a line of sbatch or srun waits for: its ``--dependency`` or ``-d``."""
    found = _DEPENDENCY.search(command)
    listed = _WAITED.findall(found[1]) if found else []
    return tuple((int(number), part) for number, part in listed)


def _after(jobs: Sequence[SlurmJob], called: Sequence[str]) -> list[tuple[str, ...]]:
    """The tasks that every job waited for; of an array that is named alone all parts."""
    known: dict[tuple[int, str], list[str]] = defaultdict(list)
    for job, name in zip(jobs, called, strict=True):
        for part in {job.part, ""}:
            known[job.number, part].append(visible(name))
    return [
        tuple(dict.fromkeys(name for need in job.needs for name in known.get(need, ())))
        for job in jobs
    ]


def said(left: Counter[str], wide: Sequence[str], later: int, clocks: int = 0) -> list[str]:
    """What a log tells of that no run has: states of jobs, their nodes, components, clocks."""
    found = []
    if left:
        kinds = ", ".join(f"{many} {state or 'without state'}" for state, many in left.items())
        found.append(f"Jobs that did not start and end are left out: {kinds}")
    if wide:
        found.append(
            f"{count(len(wide), 'task')} ran on several nodes ({wide[0]}): the first counts"
        )
    if later:
        found.append(f"{count(later, 'component')} of heterogeneous jobs after the first left out")
    if clocks:
        found.append(f"Clocks were set during {count(clocks, 'job')}: the time that elapsed counts")
    return found


def renamed(job: SlurmJob, name: str) -> SlurmJob:
    """The same as a task of another name: a step's."""
    return replace(job, name=name, part="")
