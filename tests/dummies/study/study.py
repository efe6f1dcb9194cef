"""What the study is made of: question, parameters, answer, simulation and JSON."""

from __future__ import annotations

from advisor.studies.study import CheckOf, Study
from tests.dummies.study.lines import QUESTION
from tests.dummies.study.parameters import DiceParameters
from tests.dummies.study.report import die_report
from tests.dummies.study.run import run

STUDY = Study(QUESTION, DiceParameters, run, CheckOf("tests.dummies.study.check"), die_report)
