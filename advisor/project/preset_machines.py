"""Machines for a workload that comes without: those of a preset, or the ones that tasks name."""

from __future__ import annotations

from advisor.allocation.workload import Workload
from advisor.project.answers import Answers
from machines import Machine, Platform, catalogue

PRESET = "cluster"


def preset_for(workload: Workload, answers: Answers) -> tuple[Platform, tuple[str, ...]]:
    """The machines, and what is said of them: of a preset, or those that tasks name."""
    named, options = named_machines(workload), catalogue.PLATFORMS.names()
    if named:
        fitting = [one for one in options if set(named) <= catalogue.load(one).index.keys()]
        if len(fitting) == 1:
            said = f"The machines that the file names are those of a preset: {fitting[0]}."
            return catalogue.load(fitting[0]), (said,)
        machines = tuple(Machine(name, _most_cores(workload, name)) for name in named)
        said = "has 1 core" if all(one.cores == 1 for one in machines) else (
            "has as many cores as its largest task")  # fmt: skip
        said = f"The file names machines but does not describe them: each {said}."
        return Platform("machines of the workload", machines), (said,)
    name = answers.ask("machines", "Which machines run it? No file describes any.", PRESET,
                       lambda name: catalogue.entry(name).name, options)  # fmt: skip
    title = catalogue.entry(name).title
    said = (
        f"The file describes no machines, so those of a preset are used ({title}). "
        "Import a platform to use your own."
    )
    return catalogue.load(name), (said,)


def _most_cores(workload: Workload, machine: str) -> int:
    """Cores of the largest task that may run on a machine."""
    may = [one for one in workload.tasks
           if (one.allowed is None or machine in one.allowed)
           and (not one.seconds or machine in dict(one.seconds))]  # fmt: skip
    variants = [way.cores for one in may for way in one.variants]
    return max([1, *(one.cores for one in may), *variants])


def named_machines(workload: Workload) -> tuple[str, ...]:
    """Machines that tasks or flows name, in order of appearance."""
    names: dict[str, None] = {}
    for task in workload.tasks:
        names.update(dict.fromkeys(name for name, _ in task.seconds))
        names.update(dict.fromkeys(task.allowed or ()))
    for flow in workload.flows:
        for pair, _ in flow.seconds:
            names.update(dict.fromkeys(pair))
    return tuple(names)
