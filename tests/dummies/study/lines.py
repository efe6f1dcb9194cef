"""The two lines beside the folder, and a test's way to add them for its time."""

from __future__ import annotations

import pytest

from advisor.project.questions import QUESTIONS, FileOption, Question

# in `advisor.project.questions`; a folder there needs no `package`
QUESTION = Question(
    "dice",
    "Throwing dice",
    "How many throws until a six?",
    simulated=True,
    files=(FileOption("throws", "throws", "throws that were noted, one a line", ("file={file}",)),),
    package="tests.dummies.study",
)
# in `gui.studies.picture.pictures`, for a picture of its own
VIEW = ("tests.dummies.study.picture_view", "DieView", "Die")


def add_study(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the study to the command line, the library and the window."""
    from gui.studies.picture.pictures import VIEWS, View

    monkeypatch.setitem(QUESTIONS, QUESTION.name, QUESTION)
    monkeypatch.setitem(VIEWS, "tests.dummies.study.picture.Die", View(*VIEW))
