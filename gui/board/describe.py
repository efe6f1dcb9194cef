"""Tasks, blocks and flows in words: tooltips, screen readers and the status line read these."""

from __future__ import annotations

from textwrap import wrap

import numpy as np

from advisor.allocation.core_groups import unequal_groups
from advisor.allocation.prediction import Transfers
from advisor.allocation.task_causes import FETCHING, task_causes, transfer_causes
from advisor.basics import quantities
from advisor.basics.quantities import duration, exact
from advisor.basics.rounding import ALIKE
from advisor.basics.units import Unit, durations
from gui.board.arcs import Arcs
from gui.document.document import Outcome
from machines.arrays import Floats, Ints

_FEW = 3  # names of many files
_WIDTH = 80  # letters of a line: tooltips do not wrap plain text


def task(outcome: Outcome, position: int, slack_s: Floats | None = None) -> str:
    """A task: where, how long and why, and its share of the critical path, or its slack."""
    prediction, project = outcome.prediction, outcome.project
    name = project.workload.tasks[position].name
    machine = project.platform.machines[prediction.plan.allocation[position]]
    here, alone = float(prediction.task_s[position]), float(prediction.task_dedicated_s[position])
    lines = [f"{name} on {machine.name}: {duration(here)} ({_digits(here)})"]
    if project.workload.tasks[position].scaling is not None:
        taken = int(outcome.costs.task_cores[position])
        lines.append(f"on {taken} of {quantities.count(machine.cores, 'processor')}")
    groups = zip(unequal_groups(machine), outcome.held_cores[position].tolist(), strict=False)
    if held := [f"{many} {group.name}" for group, many in groups if many]:
        lines.append(f"on cores {' and '.join(held)}")
    found = task_causes(outcome.costs, prediction)
    fetched = dict(zip(FETCHING, found.fetched[:, position].tolist(), strict=True))
    own = {cause: s - fetched.get(cause, 0.0) for cause, s in found.of(position).items()}
    own = {cause: s for cause, s in own.items() if s > ALIKE * here}
    spent = [_sum(own, here)]
    if here > alone * (1 + ALIKE):
        spent.append(f"slowdown s {quantities.slowdown(here / alone if alone > 0 else 1.0)}")
    if len(own) > 1:
        lines.append(", ".join(spent))
    waited = sum(fetched.values())
    if waited > 0:
        parts = _sum(fetched, waited)
        lines.append(f"holds its cores for {duration(waited)} before, while data come: {parts}")
    start, end = float(prediction.start_s[position]), float(prediction.end_s[position])
    lines.append("from {} to {}".format(*durations(start, end)))
    program = project.workload.tasks[position].program
    if program is not None:
        lines += wrap(program.words(), _WIDTH)
    if prediction.critical[position]:
        share = here / prediction.makespan_s if prediction.makespan_s > 0 else 0.0
        lines.append(f"on the critical path: {quantities.percent(share)} of it")
    elif slack_s is not None:
        lines.append(f"slack: could end {duration(float(slack_s[position]))} later")
    return "\n".join(lines)


def block(outcome: Outcome, label: str, tasks: Ints) -> str:
    """Several tasks drawn as one."""
    prediction = outcome.prediction
    start, end = float(prediction.start_s[tasks].min()), float(prediction.end_s[tasks].max())
    lines = [
        f"{label}: {duration(float(prediction.task_s[tasks].sum()))} of work in all",
        "from {} to {}".format(*durations(start, end)),
    ]
    critical = int(np.count_nonzero(prediction.critical[tasks]))
    if critical:
        lines.append(f"{quantities.count(critical, 'task')} on the critical path")
    return "\n".join(lines)


def flow(outcome: Outcome, position: int) -> str:
    """A flow: its data and what they take."""
    prediction, data = outcome.prediction, outcome.project.workload.edges[position]
    seconds = float(prediction.flow_s[position])
    alone = float(prediction.flow_dedicated_s[position])
    lines = [f"{data.name}: {duration(seconds)} ({_digits(seconds)})"]
    if seconds > alone > 0:
        moving, waiting = durations(alone, seconds - alone)
        split = f"{moving} on an idle network"
        if prediction.transfers is None:
            split = f"transferring {moving} + waiting for the link {waiting}"
        lines.append(f"{split}, slowdown {quantities.slowdown(seconds / alone)}")
    if data.size_bytes:
        lines.append(quantities.size(data.size_bytes))
    workload = outcome.project.workload
    names = [workload.files[file].name for file in workload.carried(position)]
    if names:
        shown = ", ".join(names[:_FEW]) + (", …" if len(names) > _FEW else "")
        lines += wrap(f"{'files' if len(names) > 1 else 'file'} {shown}", _WIDTH)
    if prediction.critical_flows[position]:
        lines.append("on the critical path")
    return "\n".join(lines)


def arc(outcome: Outcome, arcs: Arcs, position: int) -> str:
    """What moves along a curve: its flow, and the transfer that brings it."""
    transfers, row = outcome.prediction.transfers, int(arcs.transfer[position])
    workload, source = outcome.project.workload, int(arcs.source[position])
    ends = (workload.sources == source) & (workload.targets == int(arcs.target[position]))
    edges = np.flatnonzero(ends).tolist() if source >= 0 else []
    lines = [flow(outcome, edge) for edge in edges]
    if len(edges) > 1:
        lines.append(f"{quantities.size(float(workload.edge_bytes[edges].sum()))} in all")
    several = int(arcs.lines[position])
    if several > 1 and arcs.seconds[position] > 0:
        left, there = float(arcs.left_s[position]), float(arcs.arrived_s[position])
        begin, end = duration(left), duration(there)
        lines.append(f"{several:,} transfers, from {begin} to {end}; the last to arrive:")
    if transfers is not None and row >= 0:
        lines += _transfer(outcome, transfers, row)
    return "\n".join(lines)


def _transfer(outcome: Outcome, transfers: Transfers, row: int) -> list[str]:
    """When a transfer sets out and is there, and what its time goes to."""
    project, hosts = outcome.project, outcome.project.platform.hosts
    left, there = float(transfers.left_s[row]), float(transfers.arrived_s[row])
    spent = transfer_causes(transfers, row)
    name = transfers.name(project.workload, row)
    ends = f"{hosts[int(transfers.source[row])]} → {hosts[int(transfers.target[row])]}"
    return [
        f"{name}, {quantities.size(float(transfers.size_bytes[row]))}, {ends}",
        "departs at {}, arrives at {}".format(*durations(left, there)),
        _sum(spent, there - left),
    ]


def _digits(seconds: float) -> str:
    """All digits but those that rounding left at the end: 12.075 s, not 12.074999999999989 s."""
    return exact(float(f"{seconds:.12g}"), "s")


def _sum(parts: dict[str, float], whole_s: float) -> str:
    """As in "computing 5.00 s + transferring 1.00 s", without what rounding left."""
    unit = Unit.of_times(*parts.values())
    return " + ".join(
        f"{cause} {unit.text(s)}" for cause, s in parts.items() if s > ALIKE * whole_s
    )
