"""Parsl: a script that carries a plan out, with executors for each machine.

A machine has one for its cores, and one for tasks that hold the same units of its resources. Jobs
and machines are tables of literals at its head. Apps are made of them: one a kind and executor.
Futures as inputs keep the dependencies, the plan's order is the priority in each executor's queue,
and times are taken on the workers and written as a run record.

Tried with Parsl 2026.10.26. Channels are gone from Parsl: other machines are reached by providers.
"""

from __future__ import annotations

import shlex

from advisor.allocation.plan_jobs import CORES_VARIABLE, GPU, MACHINE_VARIABLE, TASK_VARIABLE, Jobs
from advisor.allocation.task import Held
from advisor.basics.slugs import unique_slugs
from advisor.engines import python_table
from advisor.engines.engine import Engine
from advisor.engines.shell import FETCHED_VARIABLE
from advisor.runs import run_record as record_csv
from machines.errors import InputError
from machines.resources import MEMORY

_NEEDED = ("task", "app", "machine", "label", "cores", "priority", "after", "command")

_HEAD = '''\
#!/usr/bin/env python3
"""A plan run by Parsl: an executor a machine, an app a kind. Written by Placewise.

    python FILE [RECORD.csv]
"""

import csv
import os
import sys
import tempfile
import time
from concurrent.futures import as_completed
from pathlib import Path

if Path(__file__).name == "parsl.py":
    sys.exit("call this file otherwise: it would be imported in place of Parsl")

# Parsl starts programs of its own, which are beside the interpreter
os.environ["PATH"] += os.pathsep + str(Path(sys.executable).parent)

import parsl
from parsl.config import Config
from parsl.executors import HighThroughputExecutor
from parsl.providers import LocalProvider

# Label: the executor's. Cores: how many tasks it runs at a time. GPUs: those that each sees.
'''

_TABLE = """
# After: places in this table of the tasks whose data it needs. Priority: low goes first.
"""

_BODY = f'''

def provider_of(machine):
    """What starts the machine's workers. ← FILL IN for other machines than this one, such as
    SlurmProvider(partition, walltime="01:00:00", scheduler_options="#SBATCH --nodelist=HOST")."""
    return LocalProvider(init_blocks=1, max_blocks=1)


ADDRESS = "127.0.0.1"  # ← FILL IN what workers on other machines reach this one by


def executor_of(machine):
    return HighThroughputExecutor(
        label=machine["label"],
        address=ADDRESS,
        cores_per_worker=1,
        max_workers_per_node=machine["cores"],
        available_accelerators=machine["gpus"],
        provider=provider_of(machine),
    )


def app_of(kind, label):
    """The decorated app of a kind on an executor: what it returns was measured on the worker."""

    def run(task, machine, cores, command, inputs=(), parsl_resource_specification=None):
        import os
        import subprocess
        import tempfile
        import time

        if not all(one["status"] == "ok" for one in inputs):
            return {{"status": "left out", "output": "what it needs failed"}}
        named = {{"{TASK_VARIABLE}": task, "{MACHINE_VARIABLE}": machine}}
        named["{CORES_VARIABLE}"] = str(cores)
        ready = max((one["end"] for one in inputs), default=None)
        with tempfile.NamedTemporaryFile("r") as told:  # a command may say there what it fetched
            named["{FETCHED_VARIABLE}"] = told.name
            taken = time.time()
            done = subprocess.run(
                ["sh", "-c", "--", command],
                env={{**os.environ, **named}},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            end = time.time()
            fetched = told.read().split()
        try:
            size, seconds = (float(word) for word in fetched)
        except ValueError:
            size, seconds = None, 0.0
        return {{
            "status": "failed" if done.returncode else "ok",
            "ready": ready,
            "taken": None if size is None else taken,
            "start": min(taken + seconds, end),
            "end": end,
            "bytes": size,
            "output": done.stdout.decode(errors="replace")[-2000:],
        }}

    run.__name__ = kind
    return parsl.python_app(run, executors=[label])


def cell(text):
    return "'" + text if text.startswith(("=", "+", "-", "@")) else text


def row_of(job, done, zero):
    times = (done[name] for name in ("ready", "taken", "start", "end"))
    told = ["" if one is None else one - zero for one in times]
    size = "" if done["bytes"] is None else done["bytes"]
    return ["parsl", cell(job["task"]), cell(job["machine"]), *told, size, done["status"]]


def result_of(future):
    try:
        return future.result()
    except Exception as error:
        return {{"status": "lost", "output": repr(error)}}


def submitted():
    """The table's jobs as futures, in the plan's order."""
    apps = {{key: app_of(*key) for key in {{(job["app"], job["label"]) for job in JOBS}}}}
    futures = []
    for job in JOBS:
        future = apps[job["app"], job["label"]](
            job["task"],
            job["machine"],
            job["cores"],
            job["command"],
            inputs=[futures[place] for place in job["after"]],
            parsl_resource_specification={{"priority": job["priority"]}},
        )
        futures.append(future)
    return futures


def run_folder():
    """Where Parsl writes its logs: not where a blank would split the line that starts a worker."""
    here = os.path.abspath("runinfo")
    return tempfile.mkdtemp(prefix="runinfo-") if len(here.split()) > 1 else here


def main(record):
    lacking = [job["task"] for job in JOBS if not job["command"]]
    if lacking:
        sys.exit("fill in the commands of " + ", ".join(lacking))
    executors = [executor_of(one) for one in MACHINES]
    config = Config(executors=executors, strategy="none", run_dir=run_folder())
    whole = True
    with open(record, "w", newline="", encoding="utf-8") as file, parsl.load(config):
        file.write({record_csv.header_line()!r})
        rows = csv.writer(file, lineterminator="\\n")
        zero, futures = time.time(), submitted()
        places = dict(zip(futures, JOBS))
        for future in as_completed(futures):
            job, done = places[future], result_of(future)
            if "start" in done:
                rows.writerow(row_of(job, done, zero))
                file.flush()
            if done["status"] != "ok":
                whole = False
                print(job["task"], done["status"] + ":", done["output"], file=sys.stderr)
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "run.csv"))
'''


def render(jobs: Jobs) -> str:
    """The script."""
    machines, rows = says(jobs)
    tables = (
        _HEAD + python_table.render("MACHINES", map(dict, machines)),
        _TABLE + python_table.render("JOBS", map(dict, rows)),
    )
    return "".join(tables) + _BODY


Rows = list[tuple[tuple[str, object], ...]]


def says(jobs: Jobs) -> tuple[Rows, Rows]:
    """The rows of both tables."""
    kinds = list(dict.fromkeys(job.kind for job in jobs.jobs))
    apps = dict(zip(kinds, unique_slugs(kinds), strict=True))
    groups = _groups(jobs)
    slugs = unique_slugs(" ".join((name, *(kind for kind, _ in held))) for name, held in groups)
    labels = dict(zip(groups, slugs, strict=True))
    return (
        [
            (
                ("machine", name),
                ("label", labels[name, held]),
                ("cores", workers),
                ("gpus", _gpus(dict(held).get(GPU, 0), workers)),
            )
            for (name, held), workers in groups.items()
        ],
        [
            (
                ("task", job.name),
                ("app", apps[job.kind]),
                ("machine", job.machine),
                ("label", labels[job.machine, job.resources]),
                ("cores", job.cores),
                ("priority", len(jobs.jobs) - job.priority),
                ("after", list(job.after)),
                ("command", job.command),
            )
            for job in jobs.jobs
        ],
    )


def _groups(jobs: Jobs) -> dict[tuple[str, Held], int]:
    """Machines, each with what some of its jobs hold of its resources: how many run at a time.

    As many as there are cores, units of what they hold, and memory for the largest of them.
    """
    found: dict[tuple[str, Held], int] = {}
    room = jobs.room_by_machine
    for name, _, cores in jobs.machines:
        for held in dict.fromkeys(job.resources for job in jobs.jobs if job.machine == name):
            alike = [job for job in jobs.jobs if (job.machine, job.resources) == (name, held)]
            most = {MEMORY: max(job.memory_bytes for job in alike)} | dict(held)
            limits = [there // most[kind] for kind, there in room.get(name, {}).items()
                      if most.get(kind)]  # fmt: skip
            found[name, held] = max(1, min(cores, *limits)) if limits else cores
    return found


def _gpus(each: int, workers: int) -> list[str]:
    """Which GPUs each worker sees, as CUDA_VISIBLE_DEVICES takes them."""
    rows = (range(first, first + each) for first in range(0, each * workers, each or 1))
    return [",".join(map(str, row)) for row in rows]


def parse(text: str) -> tuple[Rows, Rows]:
    """The rows of a script."""
    machines, rows = (python_table.read(text, name) for name in ("MACHINES", "JOBS"))
    if not text.endswith(_BODY):
        raise InputError("what follows the tables is not that of a plan", where="Parsl script")
    for number, row in enumerate(rows, 1):
        if tuple(row) != _NEEDED:
            raise InputError("a job lacks something", where=f"Parsl script: job {number}")
    return [tuple(row.items()) for row in machines], [tuple(row.items()) for row in rows]


def commands(_jobs: Jobs, file: str) -> tuple[str, ...]:
    """The command line that carries it out."""
    return (f"python {shlex.quote(file)} run.csv",)


def notes(jobs: Jobs) -> tuple[str, ...]:
    """What Parsl can't keep of the plan."""
    found = [
        "Parsl sends a task to its executor when what it needs is done: among those the plan's "
        "first goes first, but a machine never waits for a task that is not ready",
        "Until provider_of in the file names them, all machines are workers on this one, each "
        "executor with as many as its machine has cores",
    ]
    if any(job.cores > 1 for job in jobs.jobs):
        found.append(
            "A Parsl worker is one core: tasks of several cores take one worker all the same, and "
            "may meet others there"
        )
    if any(job.resources for job in jobs.jobs):
        found.append(
            "Tasks that hold resources have an executor of their own, whose workers are beside "
            "those for cores: together they may be more than the machine has cores"
        )
    if any(job.licences for job in jobs.jobs):
        found.append("Parsl does not count what all machines share, such as licences")
    return tuple(found)


ENGINE = Engine(
    "parsl",
    "Parsl script",
    ".py",
    render,
    parse,
    says,
    commands,
    notes,
    stem="run_on_parsl",
)
