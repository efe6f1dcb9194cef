"""What the study is made of: question, parameters and answer."""

from __future__ import annotations

from advisor.project.questions import QUESTIONS
from advisor.studies.scaling.of_project import OF_PROJECT
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run
from advisor.studies.study import Study

STUDY = Study(QUESTIONS["scaling"], ScalingParameters, run, of_project=OF_PROJECT)
