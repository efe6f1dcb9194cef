"""What the study is made of: question, parameters, answer, simulation and JSON."""

from __future__ import annotations

from advisor.project.questions import QUESTIONS
from advisor.studies.mapping.of_project import OF_PROJECT
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.report import chosen
from advisor.studies.mapping.run import run
from advisor.studies.study import CheckOf, Study

STUDY = Study(
    QUESTIONS["mapping"],
    MappingParameters,
    run,
    CheckOf("advisor.studies.mapping.check", repeats=True),
    report=chosen,
    of_project=OF_PROJECT,
)
