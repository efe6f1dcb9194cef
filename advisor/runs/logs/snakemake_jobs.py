"""Jobs of Snakemake, whichever of its records tell of them: what they are called, where they ran.

Snakemake knows rules, wildcards and counts of resources, and no machines. A task's name and machine
are those that our own exports hand to the command; else the name is the rule's, with what tells
jobs of one rule apart, and the machine that of the one resource that a job holds (`m1=1`).
"""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from advisor.runs.run_record import OK
from machines.errors import visible

TASK_VARIABLE, MACHINE_VARIABLE = "PLACEWISE_TASK", "PLACEWISE_MACHINE"
_DEEPEST = 4  # commands inside commands
_LONGEST = 100_000  # characters of a command that is looked into
_WORDS = re.compile(r"[A-Za-z0-9]+")
_NO_WORD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]+\Z")  # cut: the next letter may go on
_QUOTED = re.compile(r"'([A-Za-z0-9][A-Za-z0-9._-]*)'|\"([A-Za-z0-9][A-Za-z0-9._-]*)\"")
_NO_MACHINES = frozenset(
    ("tmpdir", "runtime", "nodes", "tasks", "tasks_per_node", "gpu", "gpus", "qos", "ntasks")
)  # what Snakemake and its executors know themselves
_NO_MACHINES_BEGIN = ("_", "mem_", "disk_", "mem", "disk", "slurm_", "cpus_", "gpu_", "constraint")


@dataclass(frozen=True)
class SnakemakeJob:
    """One job that ran.

    `start_s`, `end_s`: since 1970.
    `status`, `message`: as of `TaskRun`.
    `start_known`, `end_known`: whether it is told; the other stands for one that is not.
    `end_seen`: whether Snakemake saw the end; else it is when the last output was changed.
    """

    rule: str
    outputs: tuple[str, ...]  # paths of the files it made, as told
    start_s: float
    end_s: float
    values: tuple[str, ...] = ()  # of its wildcards; empty: none, or not told
    command: str = ""  # of its shell, if that is told
    params: tuple[str, ...] = ()  # as Python writes them
    inputs: tuple[str, ...] = ()  # paths of the files it read, as told
    resources: tuple[tuple[str, float], ...] = ()  # counts that it held
    status: str = OK
    message: str = ""
    start_known: bool = True
    end_known: bool = True
    end_seen: bool = True


def words(text: str) -> tuple[str, ...]:
    """The letters and digits of a name, apart: what benchmarks and jobs are compared by."""
    return tuple(_WORDS.findall(text))


def names(jobs: Sequence[SnakemakeJob]) -> list[str]:
    """What the tasks are called, job by job.

    The name that the command was given, else that by its rule.
    """
    own = names_by_rule(jobs)
    return [
        visible(_given(job.command, TASK_VARIABLE) or name)
        for job, name in zip(jobs, own, strict=True)
    ]


def names_by_rule(jobs: Sequence[SnakemakeJob]) -> list[str]:
    """The rule, where it has one job; else with it what tells its jobs apart.

    That is the values of the wildcards, or the words in which their outputs differ, joined by
    underscores.
    """
    by_rule: dict[str, list[int]] = defaultdict(list)
    for at, job in enumerate(jobs):
        by_rule[job.rule].append(at)
    found = [""] * len(jobs)
    for rule, places in by_rule.items():
        several = len({(jobs[at].values, jobs[at].outputs) for at in places}) > 1
        apart = _apart([jobs[at] for at in places]) if several else [()] * len(places)
        for at, parts in zip(places, apart, strict=True):
            found[at] = "_".join((rule, *parts))
    return found


def _given(command: str, variable: str, depth: int = _DEEPEST) -> str:
    """The value that a command line gives to a variable, in whatever command inside it; or ""."""
    begin = f"{variable}="
    if begin not in command or not depth or len(command) > _LONGEST:
        return ""
    try:
        parts = shlex.split(command)
    except ValueError:
        return ""
    found = [part.removeprefix(begin) for part in parts if part.startswith(begin)]
    inner = (_given(part, variable, depth - 1) for part in parts if part != command)
    return found[0] if found else next(filter(None, inner), "")


def _apart(jobs: list[SnakemakeJob]) -> list[tuple[str, ...]]:
    """What tells the jobs of one rule apart."""
    if all(job.values for job in jobs):
        return [job.values for job in jobs]
    paths = [(job.outputs[0] if job.outputs else "").split("/") for job in jobs]
    if len({len(path) for path in paths}) > 1:
        return [tuple(path) for path in paths]
    columns = [_middles(parts) for parts in zip(*paths, strict=True) if len(set(parts)) > 1]
    return list(zip(*columns, strict=True))


def _middles(texts: Sequence[str]) -> list[str]:
    """Texts without the whole words that all begin or end with."""
    front = _begin([*texts])
    back = _begin([text[:front:-1] for text in texts])
    return [text[front : len(text) - back] for text in texts]


def _begin(texts: Sequence[str]) -> int:
    """How many letters the texts begin with alike, up to the end of a word."""
    pairs = enumerate(zip(*texts, strict=False))
    alike = next((at for at, letters in pairs if len(set(letters)) > 1), min(map(len, texts)))
    return len(_NO_WORD.sub("", texts[0][:alike]))


def machines(jobs: Sequence[SnakemakeJob]) -> tuple[list[str], str]:
    """Where the jobs ran, job by job ("": not told), and how that is known, as a sentence."""
    given = [_given(job.command, MACHINE_VARIABLE) for job in jobs]
    if all(given):
        return [visible(one) for one in given], ""
    told, how = _told_otherwise(jobs)
    return [visible(one) or other for one, other in zip(given, told, strict=True)], how


def _told_otherwise(jobs: Sequence[SnakemakeJob]) -> tuple[list[str], str]:
    by_resource, resources = _by_resource(jobs)
    by_param = _by_param(jobs)
    if resources:
        spelled = {one.lower(): one for one in by_param if one}
        named = [spelled.get(one.lower(), one) for one in by_resource]
        return named, f"Machines are taken from the resource that a job holds: {_few(resources)}"
    if any(by_param):
        few = _few({one for one in by_param if one})
        return by_param, f"Machines are guessed from what the jobs' params have in common: {few}"
    return [""] * len(jobs), "Snakemake does not say on which machines these tasks ran"


def _by_resource(jobs: Sequence[SnakemakeJob]) -> tuple[list[str], set[str]]:
    """The one resource of several that each job holds; nothing where any job holds more."""
    held = [
        [name for name, amount in job.resources if amount > 0 and _may_be_machine(name)]
        for job in jobs
    ]
    known = {name for job in jobs for name, _ in job.resources if _may_be_machine(name)}
    if len(known) < 2 or any(len(one) > 1 for one in held) or not any(held):
        return [""] * len(jobs), set()
    return [visible(one[0]) if one else "" for one in held], {one[0] for one in held if one}


def _may_be_machine(name: str) -> bool:
    return name not in _NO_MACHINES and not name.startswith(_NO_MACHINES_BEGIN)


def _by_param(jobs: Sequence[SnakemakeJob]) -> list[str]:
    """The one plain text among a job's params that other jobs of other rules or outputs share."""
    texts = [
        {first or second for param in job.params for first, second in _QUOTED.findall(param)
         if param[1:-1] == (first or second)}
        for job in jobs
    ]  # fmt: skip
    uses = Counter(text for one in texts for text in one)
    shared = [[text for text in one if uses[text] > 1] for one in texts]
    if any(len(one) > 1 for one in shared) or len(uses) < 2:
        return [""] * len(jobs)
    found = [one[0] if one else "" for one in shared]
    return found if len(set(found) - {""}) > 1 else [""] * len(jobs)


def _few(found: Iterable[str]) -> str:
    every = sorted(visible(one) for one in found)
    return ", ".join(every[:4]) + (", …" if len(every) > 4 else "")
