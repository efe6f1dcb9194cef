"""What the study is made of: question, parameters, answer and simulation."""

from __future__ import annotations

import math

from advisor.messages.networks import ORDER_NAMES
from advisor.messages.styles import Style
from advisor.programs.choices.style import STYLE
from advisor.programs.message_program import StyledProgram, network_of, units_of
from advisor.project.project import Project
from advisor.project.questions import QUESTIONS
from advisor.project.study_case import TASK, Subject
from advisor.studies.of_project import (
    NETWORK_OF_MACHINE,
    PlannedTask,
    network_settings,
    rounded,
    with_task_choice,
)
from advisor.studies.study import CheckOf, Study, StudyOf, StudyResult, Use
from advisor.studies.styles.parameters import StylesParameters
from advisor.studies.styles.run import run
from machines import InputError

# The styles study as a close look at a task: its program's messages, and the style it takes.


def _settings(project: Project, subject: Subject) -> dict[str, object]:
    """Its messages on its machine, in that network's unit of time."""
    task = PlannedTask.of(project, subject)
    program = task.running(StyledProgram, "of messages in a style")  # type: ignore[type-abstract]
    net = network_of(task.machine)
    units = units_of(net, task.machine.speed)
    processes = program.fitted(net, units)
    if program.sent(processes) <= 0:
        raise InputError("nothing is sent between its processes", where=subject.words)
    message, traffic = program.message(processes, units), program.traffic
    return network_settings(task) | {
        "processors": program.processes,
        "pattern": traffic.kind,
        "reach": traffic.reach,
        "hotspot_share": traffic.share,
        "message_bytes": math.ceil(message.size),
        "computation": rounded(message.computation),
        "total_bytes": program.sent(processes) * message.size,
        "short_bytes": message.short_bytes,
        "mapping": program.order if program.order in ORDER_NAMES else "row-major",
        "seed": program.seed,
    }


def _used(
    project: Project, subject: Subject, _parameters: StylesParameters, result: StudyResult
) -> Use:
    """The plan with the style that is advised."""
    task = PlannedTask.of(project, subject)
    assert isinstance(result.answer, Style)
    changed = with_task_choice(project, task, STYLE.name, result.answer)
    return Use(changed, f"Use {STYLE.words(result.answer)} messages for {subject.name}")


OF_PROJECT = (StudyOf(TASK, _settings, _used), NETWORK_OF_MACHINE)


STUDY = Study(
    QUESTIONS["styles"],
    StylesParameters,
    run,
    CheckOf("advisor.studies.styles.check", repeats=True),
    of_project=OF_PROJECT,
)
