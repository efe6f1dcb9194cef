"""What the study is made of: question, parameters and answer."""

from __future__ import annotations

from dataclasses import replace

from advisor.programs.choices.technology import TECHNOLOGY, SoftwareTechnology, technology_words
from advisor.programs.shared_memory_program import SharedMemoryProgram
from advisor.project.project import Project
from advisor.project.questions import QUESTIONS
from advisor.project.study_case import TASK, Subject
from advisor.shared_memory.shared_memory_costs import technology_of
from advisor.studies.of_project import PlannedTask, network_settings, with_task_choice
from advisor.studies.shared_memory.parameters import (
    FUTURE,
    NOW,
    OPEN_TASK,
    PRESETS,
    SharedMemoryCase,
    SharedMemoryParameters,
)
from advisor.studies.shared_memory.run import run
from advisor.studies.study import Study, StudyOf, StudyResult, Use
from machines import InputError

# The shared-memory study as a close look at a task: its program on its machine's workstations.

_SOFTWARE = ("protocol", "fault", "lock")


def _settings(project: Project, subject: Subject) -> dict[str, object]:
    """Its counts on its machine; the what-if differs by software alone, as a plan's may."""
    task = PlannedTask.of(project, subject)
    program = task.running(SharedMemoryProgram, "that shares memory")
    memory = task.machine.shared_memory
    assert memory is not None  # it can run there
    if program.technology is not None:
        memory = program.technology.on(memory)
    now = technology_of(memory, task.machine.speed)
    settings = network_settings(task) | {
        "application": OPEN_TASK,
        "task": subject.name,
        "technology": NOW,
        "processor": now.processor,
        "system_benefit": now.system_benefit,
        "base_processor": now.processor,
        "base_system_benefit": now.system_benefit,
    }
    for name in _SOFTWARE:
        settings |= {name: getattr(PRESETS[FUTURE], name), f"base_{name}": getattr(now, name)}
    return settings


def _used(
    project: Project, subject: Subject, parameters: SharedMemoryParameters, _result: StudyResult
) -> Use:
    """The plan with the software of the what-if."""
    task = PlannedTask.of(project, subject)
    case = SharedMemoryCase.of(parameters)
    base, wanted = case.base, case.what_if
    software = {name: getattr(wanted.technology, name) for name in _SOFTWARE}
    if case.application != task.running(SharedMemoryProgram, "that shares memory").application:
        raise InputError(
            "the study is about another application", where=subject.words,
            value=case.application.name, remedy=f"Ask with application={OPEN_TASK}",
        )  # fmt: skip
    if wanted.net != base.net or wanted.technology != replace(base.technology, **software):
        raise InputError(
            "a plan chooses protocol software, prefetching and locks; the what-if has another "
            "processor or network, too",
            where=subject.words,
            remedy="Change the machine for these, and leave them in the what-if as in the base",
        )
    found = SoftwareTechnology(**software)
    changed = with_task_choice(project, task, TECHNOLOGY.name, found)
    return Use(changed, f"Use software ({technology_words(found)}) for {subject.name}")


OF_PROJECT = (StudyOf(TASK, _settings, _used, "Use what-if"),)


STUDY = Study(QUESTIONS["shared_memory"], SharedMemoryParameters, run, of_project=OF_PROJECT)
