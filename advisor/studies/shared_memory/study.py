"""What the study is made of: question, parameters and answer."""

from __future__ import annotations

from advisor.project.questions import QUESTIONS
from advisor.studies.shared_memory.of_project import OF_PROJECT
from advisor.studies.shared_memory.parameters import SharedMemoryParameters
from advisor.studies.shared_memory.run import run
from advisor.studies.study import Study

STUDY = Study(QUESTIONS["shared_memory"], SharedMemoryParameters, run, of_project=OF_PROJECT)
