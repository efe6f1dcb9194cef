"""Studies as close looks at a project: with what values they open, and where their answers go.

What a study says of which kind of subject is its own (`advisor.studies.study.StudyOf`); here is
what all have in common: finding it, cases, and what a record takes from the open project.

A task as its plan has it: its program with what is chosen about it, and its machine.

What the studies of programs open with, and how they put a choice into the plan.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from advisor.allocation.choices import chosen_task, of_task, with_choice
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task
from advisor.programs.program import Program
from advisor.project.case_edits import free_name
from advisor.project.project import Project
from advisor.project.project_edits import with_property
from advisor.project.study_case import (
    MACHINE,
    OVERLAY,
    TASK,
    Figure,
    StudyCase,
    Subject,
    settings_of,
)
from advisor.studies.network_settings import PLATFORM, ShapedNetworkSettings
from advisor.studies.network_source import network_of_settings
from advisor.studies.parameters import parse_settings, written
from advisor.studies.study import Study, StudyOf, StudyResult, Use
from machines import InputError, Machine
from machines.checks import LARGEST
from machines.errors import PlacewiseError
from machines.formats.fields import suggestion
from machines.parameters import properties_of


def subject_names(project: Project, kind: str) -> tuple[str, ...]:
    """What there is of a kind, by name."""
    if kind == TASK:
        return tuple(project.workload.index)
    if kind == OVERLAY:
        return tuple(one.name for one in project.workload.overlays)
    return tuple(project.platform.index)


def subject_of(project: Project, study: Study, name: str) -> Subject:
    """The task, overlay or machine of that name that the study can look at."""
    kinds = [one.kind for one in study.of_project if one.kind]
    refused: PlacewiseError | None = None
    for kind in kinds:
        if name in subject_names(project, kind):
            subject = Subject(kind, name)
            try:
                opening(project, study, subject)
            except InputError as error:
                refused = refused or error
            else:
                return subject
    if refused is not None:
        raise refused
    known = [one for kind in kinds for one in subject_names(project, kind)]
    raise InputError(
        f"the project has no {' or '.join(kinds) or 'subject'} of that name for this study",
        where=f"study {study.name}", value=name,
        remedy=suggestion(name, known) if known else "Leave the subject out",
    )  # fmt: skip


def subjects(project: Project, study: Study) -> tuple[Subject, ...]:
    """All that the study can look at, in the order of the project."""
    return tuple(
        Subject(one.kind, name)
        for one in study.of_project
        if one.kind
        for name in subject_names(project, one.kind)
        if not obstacle(project, study, Subject(one.kind, name))
    )


def obstacle(project: Project, study: Study, subject: Subject) -> str:
    """Why the study can't look at a subject, in words; empty if it can."""
    try:
        opening(project, study, subject)
    except PlacewiseError as error:
        return str(error)
    return ""


def opening(project: Project, study: Study, subject: Subject | None) -> dict[str, str]:
    """The settings, as texts, with which the study opens on a subject: those not at defaults."""
    if subject is None:
        found = next((one for one in study.of_project if not one.kind), None)
        return {} if found is None else texts_of(study, found.settings(project, None))
    _expect(project, subject)
    return texts_of(study, _looking(study, subject).settings(project, subject))


def texts_of(study: Study, values: Mapping[str, object]) -> dict[str, str]:
    """Those settings among values that are not at their defaults, as texts."""
    return {
        one.name: written(values[one.name])
        for one in properties_of(study.record)
        if one.name in values and values[one.name] != one.default
    }


def new_case(project: Project, study: Study, subject: Subject | None, name: str = "") -> StudyCase:
    """A case with the subject's own values, under a free name."""
    wish = name or (subject.name if subject is not None else "case")
    settings = settings_of(opening(project, study, subject))
    return StudyCase(free_name(project, study.name, wish), study.name, settings, subject)


def inputs_of(record: type, project: Project) -> dict[str, object]:
    """What a parameter record takes from the open project, where it has a field for it."""
    given = {"open_platform": project.platform, "open_workload": project.workload}
    names = {field.name for field in dataclasses.fields(record)}
    return {name: value for name, value in given.items() if name in names}


def parameters_for(
    study: Study, settings: Iterable[str], project: Project, problem: Problem | None = None
) -> object:
    """The parameter record of settings "key=value" and of what a project says beside them."""
    inputs = inputs_of(study.record, project)
    if problem is not None:
        inputs["problem"] = problem
    return parse_settings(study.record, settings, **inputs)


def used(
    project: Project, study: Study, subject: Subject | None, parameters: object, result: StudyResult
) -> Use:
    """The project with a study's answer in its plan, workload or platform: one step."""
    if subject is not None:
        _expect(project, subject)
        return _looking(study, subject).used(project, subject, parameters, result)
    found = next((one for one in study.of_project if not one.kind), None)
    if found is None:
        kinds = [_one(one.kind) for one in study.of_project]
        raise InputError(
            "the study is about nothing of the project", where=f"study {study.name}",
            remedy=f"Open it from {' or '.join(kinds)}" if kinds else "Its answer is no decision",
        )  # fmt: skip
    return found.used(project, None, parameters, result)


def verb_of(study: Study, subject: Subject | None) -> str:
    """What using its answer is called."""
    kind = "" if subject is None else subject.kind
    found = next((one for one in study.of_project if one.kind == kind), None)
    return StudyOf.verb if found is None else found.verb


def figures_of(result: StudyResult) -> tuple[Figure, ...]:
    """The key figures of a result."""
    return tuple(
        Figure(one.name, one.value, one.unit) for one in result.facts if abs(one.value) <= LARGEST
    )


def _one(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _looking(study: Study, subject: Subject) -> StudyOf:
    for one in study.of_project:
        if one.kind == subject.kind:
            return one
    kinds = ", ".join(one.kind for one in study.of_project if one.kind)
    raise InputError(
        f"the study does not look at {subject.kind}s", where=f"study {study.name}",
        value=subject.name, remedy=f"It looks at: {kinds}" if kinds else "It stands alone",
    )  # fmt: skip


def _expect(project: Project, subject: Subject) -> None:
    known = subject_names(project, subject.kind)
    if subject.name not in known:
        remedy = suggestion(subject.name, known) if known else "The project has none"
        raise InputError(
            f"the project has no such {subject.kind}", where=subject.words, remedy=remedy
        )


P = TypeVar("P")


@dataclass(frozen=True)
class PlannedTask:
    """One task of a project."""

    position: int
    task: Task  # as the workload has it
    program: Program | None  # doing what the plan chooses
    machine: Machine  # where the plan puts it

    @classmethod
    def of(cls, project: Project, subject: Subject) -> PlannedTask:
        """The task of that name, which is there."""
        position = project.workload.index[subject.name]
        task = project.workload.tasks[position]
        choices = of_task(project.plan.choices, position)
        machine = project.platform.machines[project.plan.allocation[position]]
        return cls(position, task, chosen_task(task, choices).program, machine)

    def running(self, kind: type[P], what: str) -> P:
        """Its program of a kind, that can run where it is."""
        if not isinstance(self.program, kind):
            raise InputError(
                f"the task has no program {what}", where=f'task "{self.task.name}"',
                remedy="Choose a task with such a program",
            )  # fmt: skip
        self.program.check(self.machine)  # type: ignore[attr-defined]
        return self.program


def rounded(value: float) -> float:
    """With the digits that a product of stated numbers has: 410, not 410.00000000000006."""
    return float(f"{value:.12g}")


def network_settings(task: PlannedTask) -> dict[str, object]:
    """The network inside its machine, as settings."""
    return {"network": PLATFORM, "machine": task.machine.name}


def with_task_choice(project: Project, task: PlannedTask, name: str, value: Hashable) -> Project:
    """The plan with one choice about a task's program, which its machine must then still run."""
    choices = with_choice(project.plan.choices, task.position, name, value)
    program: Any = chosen_task(task.task, of_task(choices, task.position)).program
    program.check(task.machine)
    return replace(project, plan=replace(project.plan, choices=choices, strategy="manual"))


# A machine whose network a study has described: by numbers, a shape or a ping-pong file.


def _settings(project: Project, subject: Subject) -> dict[str, object]:
    """The network inside the machine, if it has one."""
    if project.platform.machine(subject.name).network is None:
        return {}
    return {"network": PLATFORM, "machine": subject.name}


def _used(
    project: Project, subject: Subject, parameters: ShapedNetworkSettings, _result: StudyResult
) -> Use:
    """The machine with the network that was described."""
    position = project.platform.index[subject.name]
    net = network_of_settings(parameters).net
    if net == project.platform.machines[position].network:
        raise InputError(
            "the network is the machine's own already", where=subject.words, value=net.name,
            remedy="Choose another, state your own numbers, or fit a ping-pong file",
        )  # fmt: skip
    changed = with_property(project, position, "network", net)
    return Use(changed, f"Use {net.name} in {subject.name}")


NETWORK_OF_MACHINE = StudyOf(MACHINE, _settings, _used, "Use as network")
