"""The inspector's section of a scalable task: the law of its speedup, and its processors now.

A law is either sigma and kappa, as a fit gives them, or Z and D_k of a machine repairman
(`advisor.scaling.law`). How many processors the task takes is part of the plan: one undo step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from advisor.allocation.processors import lowered
from advisor.allocation.workload import Task
from advisor.basics.quantities import count, number, percent
from advisor.messages.styles import COMPLETIONS
from advisor.project import project_edits as edits
from advisor.project.project import Project
from advisor.scaling.law import MOST_TASK_PROCESSORS, Scaling, speedups
from gui.inspector import values
from gui.inspector.sheet import NONE, Field, Slider, beside_none, editable, with_field
from machines import InputError, Machine

FIT, QUEUE = "sigma, kappa", "Z, D_k"
_TITLES = {FIT: "By a fit: σ, κ", QUEUE: "By a queue: Z, D_k"}
_SOURCE = "Gunther 2005"
# what a law is at first: 5 % serial, said either way
_FIRST = {FIT: Scaling(sigma=0.05), QUEUE: Scaling(think_time_s=0.019, demands_s=(0.001,))}


def scaling_fields(project: Project, position: int) -> tuple[Field, ...]:
    """The kind of law; its fields and the plan's number of processors where there is one."""
    task = project.workload.tasks[position]
    if task.program is not None:
        return ()  # says itself how it scales
    scaling = task.scaling
    law = editable(
        "scaling",
        "Scaling",
        "How the task's time falls with its processors: time(P) = time(1)/S(P); work and times are "
        "then those on one processor. By a fit: serial fraction σ and coherency κ; by a queue: "
        "computing time Z and what a message asks of each stage of the interconnect, D_k "
        f"({_SOURCE}); none: it always takes its cores",
        law_of(scaling),
        lambda before, value: _with_law(before, position, str(value)),
        str,
        choices=(NONE, FIT, QUEUE),
        titled=beside_none(_TITLES.__getitem__),
        heading="Scaling",
    )
    if scaling is None:
        return (law,)
    shape = _fit_fields if scaling.sigma is not None else _queue_fields
    return (
        _processors_field(project, position, scaling),
        law,
        *shape(position, scaling),
        *_range_fields(position, scaling),
    )


def law_of(scaling: Scaling | None) -> str:
    """Which kind of law it is."""
    if scaling is None:
        return NONE
    return FIT if scaling.sigma is not None else QUEUE


def scaling_notes(project: Project, position: int) -> tuple[str, ...]:
    """Speedup and efficiency on the plan's processors, the knee and the peak."""
    task, machine = project.workload.tasks[position], _machine(project, position)
    scaling = task.scaling
    if scaling is None:
        return ()
    P = _taken(project, position)
    (S,) = speedups(scaling, [P]).tolist()
    knee = "never ends" if math.isinf(scaling.knee) else f"at {number(scaling.knee)}"
    notes = [
        f"On {P} of {count(machine.cores, 'processor')} of {machine.name}: speedup {number(S)}, "
        f"efficiency {percent(S / P)}",
        f"Knee {knee}: more processors bring little beyond ({_SOURCE}, Eq. (30))",
    ]
    if math.isfinite(scaling.peak):
        notes.append(f"Fastest on {number(scaling.peak)}; slower on more (arXiv:0808.1431)")
    return tuple(notes)


def _processors_field(project: Project, position: int, scaling: Scaling) -> Field:
    task, machine = project.workload.tasks[position], _machine(project, position)
    most = lowered(task, MOST_TASK_PROCESSORS, machine)
    turns = [f"{scaling.least} to {most} here"]
    turns += [f"knee {number(scaling.knee)}"] * math.isfinite(scaling.knee)
    turns += [f"peak {number(scaling.peak)}"] * math.isfinite(scaling.peak)
    return editable(
        "processors",
        "Processors",
        f"P: how many it takes in this plan; {', '.join(turns)}. The advisor chooses it with the "
        "allocation",
        _taken(project, position),
        lambda before, value: edits.with_processors(before, position, round(cast("float", value))),
        values.count,
        f"of {machine.cores}",
        slider=Slider(scaling.least, most, whole=True) if most > scaling.least else None,
        heading="Processors",
    )


def _fit_fields(position: int, scaling: Scaling) -> tuple[Field, ...]:
    serial = editable(
        "scaling.sigma",
        "Serial fraction σ",
        "sigma: the share that does not get faster with processors; 0 to 1. Speedup stays below "
        f"1/sigma (Amdahl 1967; {_SOURCE}, Eq. (8))",
        scaling.sigma,
        _writer(position, "sigma"),
        values.real,
        slider=Slider(0.0, 1.0),
    )
    coherency = editable(
        "scaling.kappa",
        "Coherency κ",
        "kappa: what each processor costs each other one, as in keeping data coherent; 0 to 1. "
        "Above 0 the speedup falls beyond √((1 − sigma)/kappa) (universal scalability law, "
        "arXiv:0808.1431)",
        scaling.kappa,
        _writer(position, "kappa"),
        values.real,
    )
    return serial, coherency


def _queue_fields(position: int, scaling: Scaling) -> tuple[Field, ...]:
    think = editable(
        "scaling.think_time_s",
        "Computing time Z",
        "Z: computing of one processor between two messages; ≥ 0. Only its ratio to D_k counts "
        f"({_SOURCE}, Fig. 2)",
        scaling.think_time_s,
        _writer(position, "think_time_s"),
        values.in_unit("s"),
        "s",
    )
    demands = editable(
        "scaling.demands_s",
        "Demands D_k",
        "D_k: time that a message takes in each stage of the interconnect, separated by "
        f"semicolons; ≥ 0, one of them > 0. The largest limits the speedup ({_SOURCE}, Eq. (30))",
        scaling.demands_s,
        _writer(position, "demands_s"),
        values.numbers,
        "s",
        show=values.shown_numbers,
    )
    waiting = editable(
        "scaling.completion",
        "Messaging",
        "synchronous: all wait until the last message is done, S = P (Z + D)/(Z + D + (P − 1) "
        f"D_max) ({_SOURCE}, Eq. (5)); asynchronous: messages are independent, exact Mean Value "
        "Analysis (Reiser & Lavenberg 1980)",
        scaling.completion,
        _writer(position, "completion"),
        str,
        choices=COMPLETIONS,
    )
    return think, demands, waiting


def _range_fields(position: int, scaling: Scaling) -> tuple[Field, ...]:
    least = editable(
        "scaling.least",
        "Fewest processors",
        "The task can't run on fewer; ≥ 1",
        scaling.least,
        _writer(position, "least"),
        values.count,
    )
    most = editable(
        "scaling.most",
        "Most processors",
        f"The task can't use more; up to {MOST_TASK_PROCESSORS:,}. Empty: all cores of its machine",
        scaling.most,
        _writer(position, "most"),
        values.optional(values.count),
        placeholder="all of its machine",
    )
    return least, most


def _writer(position: int, name: str) -> Callable[[Project, object], Project]:
    def write(project: Project, value: object) -> Project:
        task = project.workload.tasks[position]
        if task.scaling is None:
            return project
        return edits.with_task(project, position, _with_scaling(task, name, value))

    return write


def _with_scaling(task: Task, name: str, value: object) -> Task:
    """With another value in the law; the task's own cores follow the range."""
    if task.scaling is None:
        raise InputError("this task does not scale", where=f'task "{task.name}"')
    scaling = with_field(task.scaling, name, value)
    most = MOST_TASK_PROCESSORS if scaling.most is None else scaling.most
    cores = min(max(task.cores, scaling.least), max(most, scaling.least))
    return replace(task, scaling=scaling, cores=cores)


def _with_law(project: Project, position: int, law: str) -> Project:
    task = project.workload.tasks[position]
    before = task.scaling
    if law == law_of(before):
        return project
    if law == NONE:
        return edits.with_task(project, position, replace(task, scaling=None))
    first: Any = _FIRST[law]
    kept = {} if before is None else {"least": before.least, "most": before.most}
    return edits.with_task(project, position, replace(task, scaling=replace(first, **kept)))


def _taken(project: Project, position: int) -> int:
    chosen = project.plan.processors
    return project.workload.tasks[position].cores if chosen is None else chosen[position]


def _machine(project: Project, position: int) -> Machine:
    return project.platform.machines[project.plan.allocation[position]]
