"""What the study is made of: question, parameters, answer and JSON."""

from __future__ import annotations

from advisor.project.questions import QUESTIONS
from advisor.studies.decision_map.parameters import DecisionMapParameters
from advisor.studies.decision_map.report import drawn
from advisor.studies.decision_map.run import run
from advisor.studies.study import Study

STUDY = Study(QUESTIONS["decision-map"], DecisionMapParameters, run, report=drawn)
