"""What was asked: which tasks on which machines, what for, and how contention is read."""

from __future__ import annotations

from advisor.allocation.costs import EXACT
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.timeline_modes import SHARING_WORDS
from advisor.basics.quantities import count, size
from advisor.export.report_page.page_blocks import Block, Fact, Facts, Section, Text
from advisor.export.report_page.subject import Reported

_OBJECTIVES = {
    True: "the makespan: the time until the last task ends",
    False: "the total: the sum of all task and transfer times",
}


def _blocks(reported: Reported) -> tuple[Block, ...]:
    project = reported.project
    platform, workload = project.platform, project.workload
    moved = float(workload.edge_bytes.sum())
    stores = (platform.stores, "store"), (platform.switches, "switch")
    joined = [count(len(platform.links), "link")]
    joined += [
        count(len(found), name, "switches" if name == "switch" else "")
        for found, name in stores
        if found
    ]
    handed = count(len(workload.edges), "flow") if len(workload.edges) else "no flows"
    files = f", {count(len(workload.files), 'file')}" if workload.files else ""
    if workload.overlays:
        files += f", {count(len(workload.overlays), 'overlay')}"
    reading = "exact processor sharing" if project.reading == EXACT else "the published formula"
    return (
        Text(
            f"Where should the tasks of {workload.name or 'this workload'} run on "
            f"{platform.name or 'these machines'}, so that they take the least time? Judged by "
            f"{_OBJECTIVES[project.objective == MAKESPAN]}."
        ),
        Facts(
            (
                Fact(
                    "Workload",
                    count(len(workload.tasks), "task"),
                    f"{handed}{files}" + (f", {size(moved)} handed on" if moved else ""),
                ),
                Fact("Platform", count(len(platform.machines), "machine"), ", ".join(joined)),
                Fact("Contention", reading, "of the processors and links that others use, too"),
                Fact("Timeline", SHARING_WORDS[project.sharing], "tasks and transfers of the plan"),
            )
        ),
    )


SECTION = Section("question", "Question", _blocks)
