"""What the study is made of: question, parameters, answer and simulation."""

from __future__ import annotations

from advisor.basics.quantities import count
from advisor.messages.networks import ORDER_NAMES
from advisor.programs.choices.block import BLOCK
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.message_program import network_of, units_of
from advisor.project.project import Project
from advisor.project.questions import QUESTIONS
from advisor.project.study_case import TASK, Subject
from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.blocks.run import run
from advisor.studies.of_project import (
    NETWORK_OF_MACHINE,
    PlannedTask,
    network_settings,
    rounded,
    with_task_choice,
)
from advisor.studies.study import CheckOf, Study, StudyOf, StudyResult, Use

# The blocks study as a close look at a task: its wavefront, and the blocks that it is cut into.


def _settings(project: Project, subject: Subject) -> dict[str, object]:
    """Its wavefront on its machine, beside the blocks that it has."""
    task = PlannedTask.of(project, subject)
    program = task.running(DiamondDag, "that is a wavefront")
    net = network_of(task.machine)
    units = units_of(net, task.machine.speed)
    settings = network_settings(task) | {
        "n": program.n,
        "processors": program.processes,
        "task_time": rounded(program.element_s * units),
        "bytes_per_value": program.bytes_per_value,
        "aggregation": rounded(program.aggregation_s * units),
        "mapping": program.order if program.order in ORDER_NAMES else "row-major",
        "seed": program.seed,
    }
    return settings if program.blocks is None else settings | {"against": program.blocks}


def _used(
    project: Project, subject: Subject, _parameters: BlocksParameters, result: StudyResult
) -> Use:
    """The plan with the blocks that the study chose, or those that were asked for."""
    task = PlannedTask.of(project, subject)
    blocks = result.answer
    assert isinstance(blocks, int)
    changed = with_task_choice(project, task, BLOCK.name, blocks)
    return Use(changed, f"Use {count(blocks, 'block')} for {subject.name}")


OF_PROJECT = (StudyOf(TASK, _settings, _used), NETWORK_OF_MACHINE)


STUDY = Study(
    QUESTIONS["blocks"],
    BlocksParameters,
    run,
    CheckOf("advisor.studies.blocks.check", repeats=True),
    of_project=OF_PROJECT,
)
