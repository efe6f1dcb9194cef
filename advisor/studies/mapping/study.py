"""What the study is made of: question, parameters, answer, simulation and JSON."""

from __future__ import annotations

from collections.abc import Hashable

from advisor.allocation.problem import Problem
from advisor.messages.mapping.mapping_file import mapping_report
from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.messages.networks import ORDER_NAMES, placed
from advisor.programs.choices.mapping_choice import MAPPING, mapping_words
from advisor.programs.message_program import MessageProgram, network_of, seated
from advisor.project.project import Project
from advisor.project.questions import QUESTIONS
from advisor.project.study_case import TASK as TASK_KIND
from advisor.project.study_case import Subject
from advisor.studies.mapping.parameters import TASK, MappingParameters, mapped_program
from advisor.studies.mapping.run import run
from advisor.studies.of_project import (
    NETWORK_OF_MACHINE,
    PlannedTask,
    network_settings,
    with_task_choice,
)
from advisor.studies.study import CheckOf, Study, StudyOf, StudyResult, Use
from machines import InputError, Interconnect

# The mapping study as a close look at a task: its processes' messages on its machine's nodes.


def _settings(project: Project, subject: Subject) -> dict[str, object]:
    """Its processes on its machine; where they are now is the own mapping beside the others."""
    task = PlannedTask.of(project, subject)
    program = task.running(MessageProgram, "of messages")  # type: ignore[type-abstract]
    processes = _processes(program, network_of(task.machine))
    mapped_program(project.workload, subject.name, processes)
    settings = network_settings(task) | {
        "pattern": TASK,
        "task": subject.name,
        "processes": program.processes,
        "seed": program.seed,
    }
    if program.threads > 1:
        settings |= {"cores": program.threads, "threads": program.threads}
    if isinstance(program.order, tuple):
        settings["own"] = ", ".join(map(str, program.order))
    return settings


def _used(
    project: Project, subject: Subject, parameters: MappingParameters, result: StudyResult
) -> Use:
    """The plan with the nodes of the mapping that is best; an order by its name."""
    task = PlannedTask.of(project, subject)
    program = task.running(MessageProgram, "of messages")  # type: ignore[type-abstract]
    net, nodes = network_of(task.machine), result.answer
    assert isinstance(nodes, tuple)
    if max(parameters.places) > 1:
        raise InputError(
            "a program's processes have a node each", where=f"{subject.words}: cores",
            value=parameters.cores, remedy="Ask with one core a node",
        )  # fmt: skip
    processes = _processes(program, net)
    if len(nodes) != processes:
        raise InputError(
            f"the mapping is for {len(nodes)} processes, and the task has {processes}",
            where=subject.words, remedy=f"Ask with processes={processes}",
        )  # fmt: skip
    value = _named(net, nodes, program.seed)
    changed = with_task_choice(project, task, MAPPING.name, value)
    words = f"{mapping_words(value)} mapping" if isinstance(value, str) else "the mapping found"
    return Use(changed, f"Use {words} for {subject.name}")


def _processes(program: MessageProgram, net: Interconnect) -> int:
    return seated(net, program.order, program.seed, program.processes)


def _named(net: Interconnect, nodes: tuple[int, ...], seed: int) -> Hashable:
    """The name of an order that has these nodes; else the nodes."""
    for name in ORDER_NAMES:
        try:
            found = placed(net.network, name, len(nodes), seed)
        except InputError:  # not every network has every order
            continue
        if tuple(int(node) for node in found) == nodes:
            return name
    return nodes


OF_PROJECT = (StudyOf(TASK_KIND, _settings, _used), NETWORK_OF_MACHINE)


# The JSON of the mapping study: beside that of any study, the mapping that it chose.


def chosen(result: StudyResult, _problem: Problem | None) -> dict[str, object]:
    """Under "mapping" the best one, as `export` and the study itself read it."""
    picture = result.picture(MappingPicture)
    return {} if picture is None else {"mapping": mapping_report(picture)}


STUDY = Study(
    QUESTIONS["mapping"],
    MappingParameters,
    run,
    CheckOf("advisor.studies.mapping.check", repeats=True),
    report=chosen,
    of_project=OF_PROJECT,
)
