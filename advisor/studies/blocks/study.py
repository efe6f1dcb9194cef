"""What the study is made of: question, parameters, answer and simulation."""

from __future__ import annotations

from advisor.project.questions import QUESTIONS
from advisor.studies.blocks.of_project import OF_PROJECT
from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.blocks.run import run
from advisor.studies.study import CheckOf, Study

STUDY = Study(
    QUESTIONS["blocks"],
    BlocksParameters,
    run,
    CheckOf("advisor.studies.blocks.check", repeats=True),
    of_project=OF_PROJECT,
)
