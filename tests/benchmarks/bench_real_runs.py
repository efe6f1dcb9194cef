"""How near predictions of real runs are on every engine, beside the noise of repeats, and whether
plans come in the order in which they really end.

``python -m tests.benchmarks.bench_real_runs [--engines dask,slurm,…] [--workloads compute,…]`` runs
three workloads with commands (computing, writing and reading files, short tasks) on two machines of
one core, one of which has more to do, under three plans, twice each. Each run is predicted after
the runs of the other plans have taught; the noise is how near a plan's other run is. Then ten plans
of one workload run once each (``--ranked``). Programs as for ``make engines``; those that lack are
left out. Half an hour, on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from advisor import kernels
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.learning.plan_of_run import carried_plan
from advisor.runs.actual import Actual
from advisor.runs.matching import matched
from tests.benchmarks.bench_learning import (
    any_plan,
    errors,
    label_of,
    learnt_from,
    repeated,
    span_s,
)
from tests.real_workloads import COMMANDS, Running, asked_of, running

PLANS, TIMES, RANKED = 3, 2, 10


def plans_of(asked: Problem, count: int, seed: int) -> list[Plan]:
    """Random allocations, the share on the first machine from 0.2 to 0.9."""
    random = np.random.default_rng(seed)
    shares = np.linspace(0.2, 0.9, count)
    tasks = len(asked.workload.tasks)
    return [Plan(tuple((random.random(tasks) > share).astype(int).tolist())) for share in shares]


def ran(by: Running, asked: Problem, plan: Plan, name: str) -> Actual:
    """A run in a folder of its own, called so."""
    with tempfile.TemporaryDirectory() as folder:
        found = by(asked, plan, Path(folder))
    return matched(replace(found, name=name), asked)


def held_out(engine: str, name: str, by: Running) -> list[Actual]:
    """A row of the table: the error after the other plans' runs have taught, and the noise."""
    asked = asked_of(name)
    plans = plans_of(asked, PLANS, 1)
    runs = [ran(by, asked, plan, f"{place}-{time}")
            for time in range(TIMES) for place, plan in enumerate(plans)]  # fmt: skip
    labels = [label_of(one)[0] for one in runs]
    before = np.abs(errors(asked, runs, None))
    after = np.abs(errors(asked, runs, lambda a, b: labels[a] != labels[b]))
    noise = np.abs(repeated(runs))
    lengths = [one.makespan_s for one in runs]
    cells = (f"{min(lengths):.1f} to {max(lengths):.1f} s",
             *(f"{100 * float(np.median(one)):.1f} %" for one in (before, after, noise)),
             f"{100 * float(after.max()):.1f} %")  # fmt: skip
    print(f"| {engine} | {name} | {' | '.join(cells)} |", flush=True)
    return runs


def ranked(engine: str, name: str, by: Running, taught: Sequence[Actual]) -> None:
    """Whether ten other plans end in the predicted order: Spearman's rank correlation."""
    from scipy.stats import spearmanr

    asked = asked_of(name)
    known, _ = learnt_from(asked, taught)
    said_s, took_s = [], []
    for place, plan in enumerate(plans_of(asked, RANKED, 2)):
        actual = ran(by, asked, plan, f"{place}-0")
        carried = carried_plan(asked, any_plan(asked), actual)
        said_s.append(span_s(known, carried))
        took_s.append(actual.makespan_s)
    rank = spearmanr(said_s, took_s).statistic
    off = np.median(np.abs(np.array(said_s) / took_s - 1.0))
    told = f"ten plans of {min(took_s):.1f} to {max(took_s):.1f} s, rank correlation {rank:.2f}"
    print(f"{engine}, {name}: {told}, off by {100 * off:.1f} % in the median", flush=True)


def main(words: list[str]) -> None:
    """Print the table, and the rank correlations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", default="dask,slurm,snakemake,parsl,bash")
    parser.add_argument("--workloads", default=",".join(COMMANDS))
    parser.add_argument("--ranked", default="compute", help="the workloads of the ten plans")
    asked = parser.parse_args(words)
    kernels.load()
    print("| engine | workload | runs | before | learnt from other plans | repeats | worst |")
    print("|---|---|---|---|---|---|---|")
    with ExitStack() as stack:
        for engine in asked.engines.split(","):
            try:
                by = stack.enter_context(running(engine))
                runs = {name: held_out(engine, name, by) for name in asked.workloads.split(",")}
                for name in asked.ranked.split(","):
                    if name in runs:
                        ranked(engine, name, by, runs[name])
            except pytest.skip.Exception as lacking:
                print(f"{engine} is left out: {lacking}")


if __name__ == "__main__":
    main(sys.argv[1:])
