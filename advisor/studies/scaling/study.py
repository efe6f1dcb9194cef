"""What the study is made of: question, parameters and answer."""

from __future__ import annotations

from advisor.studies.questions import QUESTIONS
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run
from advisor.studies.study import Study

STUDY = Study(QUESTIONS["scaling"], ScalingParameters, run)
