"""What the study is made of: question, parameters and answer."""

from __future__ import annotations

from advisor.studies.allocation.parameters import AllocationParameters
from advisor.studies.allocation.run import run
from advisor.studies.questions import QUESTIONS
from advisor.studies.study import Study

STUDY = Study(QUESTIONS["allocation"], AllocationParameters, run)
