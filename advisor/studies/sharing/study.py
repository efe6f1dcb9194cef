"""What the study is made of: question, parameters and answer."""

from __future__ import annotations

from advisor.project.questions import QUESTIONS
from advisor.studies.sharing.parameters import SharingParameters
from advisor.studies.sharing.run import run
from advisor.studies.study import Study

STUDY = Study(QUESTIONS["sharing"], SharingParameters, run)
