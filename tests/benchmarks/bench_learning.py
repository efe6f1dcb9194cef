"""How near predictions of held-out runs are, after learning from other runs, and what was learnt.

``python -m tests.benchmarks.bench_learning [FOLDER]`` reads real runs of one workflow in FOLDER
(default: the variable PLACEWISE_RUNS): ``placewise/workload.toml`` and ``platform.toml``, what was
written beforehand; ``dask/runs_3x5.json``, runs under five plans, three times each;
``slurm/jobcomp.log``. It says so where there is none. Each run is held out in turn, the others
teach, and the run is predicted with the machines and the order that it used. A simulated site,
whose truth is known, needs no folder; nor do the times for a run of many tasks.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time

import numpy as np

from advisor import kernels
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.learning.calibrations import Calibration, calibrated, calibrations
from advisor.learning.plan_of_run import carried_plan
from advisor.odds import draws_of
from advisor.odds.drawn_plan import Sampler
from advisor.project.workload_file import read_workload
from advisor.runs.actual import Actual
from advisor.runs.difference import difference
from advisor.runs.logs.reading import read_runs
from advisor.runs.matching import matched
from advisor.runs.run_record import Run, TaskRun
from advisor.search.list_scheduling import heft
from machines import InputError
from machines.formats.platform_toml import read_platform
from tests.advisor.learning.site import NAMES, OTHER, SPLIT, Site, actuals, problem
from tests.benchmarks.bench_board import large

FEW_S = 8.0
WANTED = 0.05  # of the actual makespan, median
VARIABLE = "PLACEWISE_RUNS"

Label = tuple[str, int]
Teaches = Callable[[int, int], bool]


def label_of(actual: Actual) -> Label:
    """The plan that a run followed, and which repetition it is: of "best-2"."""
    plan, _, repetition = actual.run.name.rpartition("-")
    return plan, int(repetition)


def dask_runs(path: Path) -> list[Run]:
    """The runs of a record of repetitions; files were fetched in the slot, one after the other."""
    found = []
    for one in json.loads(path.read_text()):
        tasks = tuple(
            TaskRun(
                task["task"],
                task["machine"],
                task["compute"],
                task["end"],
                fetch_start_s=task["start"],
                bytes_in=sum(size for size, _ in task["moved"].values()),
            )
            for task in one["tasks"]
        )
        found.append(Run(f"{one['label']}-{one['rep']}", tasks, "dask").from_zero())
    return found


def learnt_from(asked: Problem, runs: Sequence[Actual]) -> tuple[Problem, tuple[Calibration, ...]]:
    """The problem after all that some runs teach."""
    plan = carried_plan(asked, any_plan(asked), runs[0])
    found = calibrations(asked, plan, runs)
    platform, workload = calibrated(
        asked, [calibration for calibration in found if calibration.learnt]
    )
    return Problem.of(platform, workload), found


def any_plan(asked: Problem) -> Plan:
    """Every task where it is quickest: runs have machines and orders of their own."""
    return Plan(tuple(int(row.argmin()) for row in asked.costs.task_s))


def span_s(known: Problem, plan: Plan) -> float:
    """The predicted makespan as records have it, which begin when the engine has started a task."""
    found = predict(known, plan)
    return found.makespan_s - found.overhead_s


def errors(asked: Problem, runs: Sequence[Actual], teaches: Teaches | None) -> np.ndarray:
    """Relative errors of the predictions of all runs; None: before anything is learnt."""
    found = []
    for place, actual in enumerate(runs):
        others = [one for k, one in enumerate(runs) if teaches is not None and teaches(k, place)]
        known = learnt_from(asked, others)[0] if others else asked
        plan = carried_plan(asked, any_plan(asked), actual)
        found.append(span_s(known, plan) / actual.makespan_s - 1.0)
    return np.array(found)


def covered(asked: Problem, runs: Sequence[Actual], teaches: Teaches) -> int:
    """How many runs end in the 90 % range that others give, with the spreads that these teach."""
    found = 0
    for place, actual in enumerate(runs):
        known, _ = learnt_from(asked, [one for k, one in enumerate(runs) if teaches(k, place)])
        plan = carried_plan(known, any_plan(asked), actual)
        drawn_s = Sampler(known, draws_of(known, 1024)).makespans_s(plan)
        low_s, high_s = np.quantile(drawn_s, (0.05, 0.95))
        found += bool(low_s <= actual.makespan_s <= high_s)
    return found


def say(name: str, off: np.ndarray) -> None:
    """One line: the median error, its sign, the worst."""
    middle = float(np.median(np.abs(off)))
    mark = "" if middle <= WANTED else "  missed"
    print(
        f"{name:52} {100 * middle:7.2f} % {100 * float(np.median(off)):+8.2f} % "
        f"{100 * float(np.abs(off).max()):7.1f} %{mark}"
    )


def header(title: str, runs: Sequence[Actual]) -> None:
    """What follows."""
    print(f"\n{title}: {len(runs)} runs")
    print(f"{'':52} {'median':>9} {'signed':>10} {'worst':>9}   wanted {100 * WANTED:.0f} %")


def say_learnt(asked: Problem, runs: Sequence[Actual]) -> None:
    """What all runs together teach."""
    for calibration in learnt_from(asked, runs)[1]:
        print(f"  {calibration.title}: {calibration.sentence}")


def repeated(runs: Sequence[Actual]) -> np.ndarray:
    """A run predicted by the median makespan of the same plan's other repetitions."""
    found = []
    for actual in runs:
        plan, repetition = label_of(actual)
        others = [one.makespan_s for one in runs if label_of(one)[0] == plan
                  and label_of(one)[1] != repetition]  # fmt: skip
        found.append(float(np.median(others)) / actual.makespan_s - 1.0)
    return np.array(found)


def of_dask(folder: Path, asked: Problem) -> None:
    """The runs under five plans."""
    runs = [matched(run, asked) for run in dask_runs(folder / "dask" / "runs_3x5.json")]
    labels = [label_of(actual) for actual in runs]
    header("Dask", runs)
    say("before learning", errors(asked, runs, None))
    rules: dict[str, Teaches] = {
        "learnt from other plans in other repetitions": lambda a, b: (
            labels[a][0] != labels[b][0] and labels[a][1] != labels[b][1]
        ),
        "learnt from other plans": lambda a, b: labels[a][0] != labels[b][0],
        "learnt from other repetitions": lambda a, b: labels[a][1] != labels[b][1],
        "learnt from all other runs": lambda a, b: a != b,
        "learnt from the run itself: the model alone": lambda a, b: a == b,
    }
    for name, rule in rules.items():
        say(name, errors(asked, runs, rule))
    for name in ("learnt from other plans", "learnt from all other runs"):
        print(f"{name}: {covered(asked, runs, rules[name])} of {len(runs)} in their 90 % range")
    stated = [one for one in runs if label_of(one)[0] in {"best", "heft", "rr"}]
    say("a plan's makespan by its other repetitions: the noise", repeated(stated))
    say_learnt(asked, runs)


def of_log(title: str, path: Path, asked: Problem) -> None:
    """The runs of a log: each by the others, or by itself if it is alone."""
    runs = []
    for run in read_runs([path]):
        try:
            runs.append(matched(run, asked))
        except InputError as error:
            print(f"left out: {error}")
    header(title, runs)
    say("before learning", errors(asked, runs, None))
    if len(runs) > 1:
        say("learnt from all other runs", errors(asked, runs, lambda a, b: a != b))
    say("learnt from the run itself: the model alone", errors(asked, runs, lambda a, b: a == b))
    say_learnt(asked, runs)


def of_site() -> None:
    """A simulated site: plans that no run followed."""
    asked, site = problem(), Site(odd={("use", "M2"): 3.0}, noise=0.05)
    draw = np.random.default_rng(0)
    teaching = [site.run(where, seed) for seed in range(5) for where in (SPLIT, OTHER)]
    known, _ = learnt_from(asked, actuals(asked, *teaching))
    off, before, runs = [], [], []
    for seed in range(40):
        where = {name: ("M1", "M2")[int(draw.integers(2))] for name in NAMES}
        (actual,) = actuals(asked, site.run(where, 100 + seed))
        plan = carried_plan(asked, any_plan(asked), actual)
        runs.append(actual)
        off.append(predict(known, plan).makespan_s / actual.makespan_s - 1.0)
        before.append(predict(asked, plan).makespan_s / actual.makespan_s - 1.0)
    header("Simulated, plans that no run followed", runs)
    say("before learning", np.array(before))
    say("learnt from ten runs of two other plans", np.array(off))


def of_large(tasks: int = 30_000) -> None:
    """Processor seconds of a run of many tasks on 32 machines: why it differs, what it teaches."""
    kernels.load()
    project = large(tasks)
    asked = Problem.of(project.platform, project.workload)
    plan, draw = heft(asked), np.random.default_rng(0)
    told = predict(asked, plan)
    begin_s = 1.25 * told.start_s + draw.uniform(0.0, 0.01, tasks)
    end_s = begin_s + (told.end_s - told.start_s) * draw.lognormal(0.05, 0.05, tasks)
    entries = zip(
        asked.workload.tasks, plan.allocation, begin_s.tolist(), end_s.tolist(), strict=True
    )
    machines = asked.platform.machines
    run = Run("large", tuple(TaskRun(t.name, machines[m].name, a, b) for t, m, a, b in entries))
    actual = matched(run.from_zero(), asked)
    print(f"\nA run of {tasks:,} tasks, s of a processor")
    for name, call in (
        ("difference", lambda: difference(asked, plan, actual)),
        ("calibrations of one run", lambda: calibrations(asked, plan, [actual])),
        ("calibrations of three", lambda: calibrations(asked, plan, [actual] * 3)),
    ):
        began = process_time()
        call()
        took_s = process_time() - began
        print(f"{name:52} {took_s:7.2f}   wanted {FEW_S:g}{'' if took_s <= FEW_S else '  missed'}")


def main() -> None:
    """Print the tables."""
    of_site()
    of_large()
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get(VARIABLE, "")
    folder = Path(named)
    if not named or not (folder / "placewise" / "workload.toml").is_file():
        print(f"\nNo real runs: name their folder as argument, or in {VARIABLE}.")
        return
    workload = read_workload(folder / "placewise" / "workload.toml").workload
    asked = Problem.of(read_platform(folder / "placewise" / "platform.toml"), workload)
    of_dask(folder, asked)
    for title, name in (
        ("Slurm, whole seconds", "slurm/jobcomp.log"),
        ("Snakemake", "snakemake"),
        ("Parsl", "parsl/monitoring.db"),
    ):
        if (folder / name).exists():
            of_log(title, folder / name, asked)


if __name__ == "__main__":
    main()
