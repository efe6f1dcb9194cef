"""What the study is made of: question, parameters and answer."""

from __future__ import annotations

from advisor.project.questions import QUESTIONS
from advisor.studies.allocation.of_project import OF_PROJECT
from advisor.studies.allocation.parameters import AllocationParameters
from advisor.studies.allocation.run import run
from advisor.studies.study import Study

STUDY = Study(QUESTIONS["allocation"], AllocationParameters, run, of_project=OF_PROJECT)
