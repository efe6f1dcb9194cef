"""What the study is made of: question, parameters, answer and simulation."""

from __future__ import annotations

from advisor.project.questions import QUESTIONS
from advisor.studies.study import CheckOf, Study
from advisor.studies.styles.of_project import OF_PROJECT
from advisor.studies.styles.parameters import StylesParameters
from advisor.studies.styles.run import run

STUDY = Study(
    QUESTIONS["styles"],
    StylesParameters,
    run,
    CheckOf("advisor.studies.styles.check", repeats=True),
    of_project=OF_PROJECT,
)
