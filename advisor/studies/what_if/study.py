"""What the study is made of: question, parameters and answer."""

from __future__ import annotations

from advisor.project.questions import QUESTIONS
from advisor.studies.study import Study
from advisor.studies.what_if.run import WhatIfParameters, run

STUDY = Study(QUESTIONS["what-if"], WhatIfParameters, run)
