"""The views of a study's result: several pictures, and what stays when they change."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from advisor.messages.blocks import Gantt
from advisor.messages.mapping.picture import MappingPicture
from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.blocks.run import run as run_blocks
from advisor.studies.study import StudyResult, Table
from gui.studies.mesh.view import MappingView
from gui.studies.page.result_views import ResultViews
from tests.gui.studies.conftest import SMALL, picture_of
from tests.gui.studies.hands import settled

CHART = BlocksParameters(processors=4, blocks=8, n=64)


def test_every_picture_that_has_a_view_gets_a_view_of_its_own(qtbot: QtBot) -> None:
    chart = run_blocks(CHART).picture(Gantt)
    result = StudyResult("Two.", pictures=(chart, "no view draws this", picture_of(SMALL)))
    assert result.picture(MappingPicture) is picture_of(SMALL)
    assert result.picture(int) is None
    views = ResultViews()
    qtbot.addWidget(views)
    views.show_result(result)
    assert views.titles() == ["Gantt chart", "Mapping"]
    mapping = views.page(1)
    assert isinstance(mapping, MappingView)
    views.open(1)
    views.show_result(StudyResult("One.", pictures=(picture_of(SMALL),)))
    assert views.titles() == ["Mapping"]
    assert views.page(views.current()) is mapping
    settled(qtbot, mapping)
    mapping.close()


def test_a_table_without_rows_is_left_out(qtbot: QtBot) -> None:
    views = ResultViews()
    qtbot.addWidget(views)
    columns = (("parameter", ""), ("now", ""))
    found = (Table("None", columns, ()), Table("Some", columns, (("latency", 1.0),)))
    views.show_result(StudyResult("Some.", tables=found))
    assert views.titles() == ["Some"]
