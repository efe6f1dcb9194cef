"""What the study is made of: question, parameters and answer."""

from __future__ import annotations

from dataclasses import replace

from advisor.project.project import Project
from advisor.project.questions import QUESTIONS
from advisor.studies.allocation.parameters import AllocationParameters
from advisor.studies.allocation.run import run
from advisor.studies.study import Study, StudyOf, StudyResult, Use
from machines import InputError

# The allocation study as a look at a whole project: its answer is a plan.


def _settings(project: Project, _subject: None) -> dict[str, object]:
    return {"objective": project.objective}


def _used(
    project: Project, _subject: None, parameters: AllocationParameters, result: StudyResult
) -> Use:
    """The project with the recommended plan."""
    problem = parameters.problem
    fits = (problem.platform, problem.workload) == (project.platform, project.workload)
    if result.recommendation is None or not fits:
        raise InputError(
            "the plan is of another workload or platform", where="study allocation",
            remedy="Ask again for the project as it is",
        )  # fmt: skip
    return Use(replace(project, plan=result.recommendation.plan), "Use the allocation found")


OF_PROJECT = (StudyOf("", _settings, _used),)


STUDY = Study(QUESTIONS["allocation"], AllocationParameters, run, of_project=OF_PROJECT)
