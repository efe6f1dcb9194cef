"""The task graph as Graphviz DOT: one cluster a machine, the critical path in bold."""

from __future__ import annotations

from advisor.basics import quantities
from advisor.export.export_record import PLAN, Export, Planned


def render(planned: Planned) -> str:
    """DOT text; nodes carry the task's name and time, edges their transfer time."""
    problem, plan, prediction = planned
    workload = problem.workload
    lines = [
        f"digraph {_quoted(workload.name)} {{",
        "  rankdir=LR;",
        "  node [shape=box];",
    ]
    for machine, described in enumerate(problem.platform.machines):
        lines += [f"  subgraph cluster_{machine} {{", f"    label={_quoted(described.name)};"]
        for task, place in enumerate(plan.allocation):
            if place == machine:
                seconds = quantities.duration(float(prediction.task_s[task]))
                label = _quoted(f"{workload.tasks[task].name}\n{seconds}")
                lines.append(f"    t{task} [label={label}{_bold(prediction.critical[task])}];")
        lines.append("  }")
    ends = workload.ends()
    for flow, (source, target) in enumerate(ends):
        seconds_s = float(prediction.flow_s[flow])
        label = _quoted(quantities.duration(seconds_s)) if seconds_s > 0 else '""'
        bold = _bold(prediction.critical_flows[flow])
        lines.append(f"  t{source} -> t{target} [label={label}{bold}];")
    return "\n".join([*lines, "}"]) + "\n"


def _bold(critical: bool) -> str:
    return ", style=bold" if critical else ""


def _quoted(text: str) -> str:
    """A DOT string; a line break becomes the escape that DOT shows as one."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\r", "").replace("\n", "\\n") + '"'


EXPORT = Export("dot", "Graph by machine (Graphviz DOT)", ".dot", PLAN, render, stem="graph")
