"""What the study is made of: question, parameters, answer, simulation and JSON."""

from __future__ import annotations

from advisor.project.questions import QUESTIONS
from advisor.studies.study import CheckOf, Study
from advisor.studies.trees.of_project import OF_PROJECT
from advisor.studies.trees.parameters import TreesParameters
from advisor.studies.trees.report import chosen
from advisor.studies.trees.run import run

STUDY = Study(
    QUESTIONS["trees"],
    TreesParameters,
    run,
    CheckOf("advisor.studies.trees.check"),
    report=chosen,
    of_project=OF_PROJECT,
)
