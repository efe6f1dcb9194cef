"""Three workloads with commands, and every engine that runs their plans here.

They compute, write and read files, or are short, on two machines of one core, the second of which
has more to do for the same task.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor.allocation.plan import Plan
from advisor.allocation.plan_jobs import Jobs, jobs_of
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.engines import parsl, slurm, snakemake
from advisor.running import RunSettings, run_plan
from advisor.runs import run_record
from advisor.runs.logs.reading import read_runs
from advisor.runs.run_record import Run
from machines import Direction, Link, Machine, Platform
from tests.advisor.engines.running import run as run_program
from tests.engines import program
from tests.slurm_cluster import NODES, cluster

SLOW = NODES[1]
_PARTS = 6
_AGAIN = f'[ "$PLACEWISE_MACHINE" = {SLOW} ] && '
_COUNT = "n={0}; " + _AGAIN + "n={1}; awk -v n=$n 'BEGIN {{while (i < n) i++}}'"
_RANDOM = "head -c {} /dev/urandom >"
_WRITE = _RANDOM + "$PLACEWISE_TASK; " + _AGAIN + _RANDOM + "again; true"
COMMANDS: dict[str, dict[str, str]] = {
    "compute": {
        "cut": _COUNT.format(12_000_000, 20_000_000),
        "search": _COUNT.format(18_000_000, 30_000_000),
        "join": _COUNT.format(6_000_000, 10_000_000),
    },
    "data": {
        "cut": _WRITE.format(30_000_000, 20_000_000),
        "search": "sha256sum cut* >$PLACEWISE_TASK; " + _AGAIN + "md5sum cut* >/dev/null; true",
        "join": "cat cut* >$PLACEWISE_TASK; rm $PLACEWISE_TASK",
    },
    "short": {
        "cut": "sleep 0.05; " + _AGAIN + "sleep 0.03; true",
        "search": "sleep 0.03; " + _AGAIN + "sleep 0.02; true",
        "join": "sleep 0.02; true",
    },
}
Running = Callable[[Problem, Plan, Path], Run]


def asked_of(name: str) -> Problem:
    """Six times cut and search, and three joins; all are said to take half a minute."""
    names = [f"{kind}{at}" for kind in ("cut", "search") for at in range(_PARTS)]
    names += [f"join{at}" for at in range(_PARTS // 2)]
    tasks = tuple(
        Task(one, work=30.0, kind=one[:-1], command=COMMANDS[name][one[:-1]]) for one in names
    )
    pairs = [(f"cut{at}", f"search{at}") for at in range(_PARTS)]
    pairs += [(f"search{at}", f"join{at // 2}") for at in range(_PARTS)]
    flows = tuple(Flow(one, other, ((1, 1000.0),)) for one, other in pairs)
    way = Direction(0.0, 1e9)
    machines = (Machine(NODES[0]), Machine(SLOW))
    platform = Platform("two", machines, (Link(NODES[0], SLOW, way, way),))
    return Problem.of(platform, Workload(name, tasks, flows))


def _jobs(asked: Problem, plan: Plan) -> Jobs:
    return jobs_of(asked, plan, predict(asked, plan))


def _here(engine: str) -> Running:
    """Run by `placewise run`."""

    def run(asked: Problem, plan: Plan, folder: Path) -> Run:
        return run_plan(asked, plan, RunSettings(engine, record=folder / "run.csv", folder=folder))

    return run


def _by_snakemake(asked: Problem, plan: Plan, folder: Path) -> Run:
    jobs = _jobs(asked, plan)
    (folder / "Snakefile").write_text(snakemake.ENGINE.render(jobs), encoding="utf-8")
    words = shlex.split(snakemake.ENGINE.commands(jobs, "Snakefile")[0])
    run_program(folder, program(words[0]), *words[1:])
    return read_runs([folder])[0]


def _by_parsl(asked: Problem, plan: Plan, folder: Path) -> Run:
    (folder / "plan.py").write_text(parsl.ENGINE.render(_jobs(asked, plan)), encoding="utf-8")
    python = program("parsl-perf").replace("parsl-perf", "python")
    run_program(folder, python, "plan.py", "record.csv")
    return run_record.parse((folder / "record.csv").read_text(encoding="utf-8"), "record")[0]


@contextmanager
def running(engine: str) -> Iterator[Running]:
    """What runs plans on an engine."""
    if engine == "slurm":
        with tempfile.TemporaryDirectory() as state, cluster(Path(state) / "c", cores=1) as four:

            def by_slurm(asked: Problem, plan: Plan, folder: Path) -> Run:
                text = slurm.ENGINE.render(_jobs(asked, plan))
                (folder / "plan.sh").write_text(text, encoding="utf-8")
                found = four.run(["bash", "plan.sh"], folder)
                if found.returncode:
                    raise subprocess.SubprocessError(found.stderr)
                four.ended(folder)
                (file,) = folder.glob("*.csv")
                return run_record.parse(file.read_text(encoding="utf-8"), file.name)[0]

            yield by_slurm
        return
    scripts: dict[str, Running] = {"snakemake": _by_snakemake, "parsl": _by_parsl}
    yield scripts.get(engine) or _here(engine)
