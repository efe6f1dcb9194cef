"""The views of a study's result: several pictures, and what stays when they change."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from advisor.messages.diamond_blocks import Gantt
from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.blocks.run import run as run_blocks
from advisor.studies.study import Series, StudyResult, Table
from gui.plots.bar_panel import BarPanel
from gui.plots.curve_panel import CurvePanel
from gui.studies.mesh.mapping_view import MappingView
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


def test_an_axis_that_counts_has_whole_numbers_alone_unless_it_is_logarithmic(
    qtbot: QtBot,
) -> None:
    axes = ("contenders p", "", "slowdown", "")
    counted = Series("queue", (1.0, 2.0, 3.0), (1.5, 2.2, 3.1), *axes, counts=True)
    views = ResultViews()
    qtbot.addWidget(views)
    views.resize(900, 600)
    views.show_result(StudyResult("Some.", series=(counted,)))
    views.show()
    panel = views.page(0)
    assert isinstance(panel, CurvePanel)
    qtbot.waitUntil(lambda: panel.curves.area().width() > 500.0)
    (axis, _) = panel.curves.axes
    assert [text for _, text in axis.marks()] == ["1", "2", "3"]
    panel.curves.set_log(across=False, log=True)
    assert (math.log10(2.0), "2.00") in [(pytest.approx(at), text) for at, text in axis.marks()]
    panel.curves.set_log(across=False, log=False)
    assert [text for _, text in axis.marks()] == ["1", "2", "3"]
    views.show_result(StudyResult("Some.", series=(replace(counted, counts=False),)))
    assert "1.5" in [text for _, text in axis.marks()]


def test_a_table_without_rows_is_left_out(qtbot: QtBot) -> None:
    views = ResultViews()
    qtbot.addWidget(views)
    columns = (("parameter", ""), ("now", ""))
    found = (Table("None", columns, ()), Table("Some", columns, (("latency", 1.0),)))
    views.show_result(StudyResult("Some.", tables=found))
    assert views.titles() == ["Some"]


def test_content_that_resizes_the_views_while_they_are_filled_is_shown(qtbot: QtBot) -> None:
    views = ResultViews()
    qtbot.addWidget(views)
    views.show()
    bars = Series("time", ("one", "two"), (1.0, 2.0), "style", "", "time", "s", "bars")
    some = Table("Some", (("parameter", ""), ("now", "")), (("latency", 1.0),))
    views.show_result(StudyResult("Two.", series=(bars,), tables=(some,)))
    panel = views.page(0)
    assert isinstance(panel, BarPanel)
    panel.bars.scale_changed.connect(lambda: views.resize(views.width() + 10, views.height()))
    views.open(1)
    longer = replace(bars, y=(1.0, 200.0))
    others = tuple(replace(some, title=title) for title in ("Other", "More", "Most"))
    with qtbot.captureExceptions() as wrong:
        views.show_result(StudyResult("One.", series=(longer,)))
        views.open(0)
        views.show_result(StudyResult("Four.", series=(bars,), tables=others))
        views.open(3)
        views.show_result(StudyResult("Four.", series=(longer,), tables=others))
    assert not wrong
    assert (views.current(), views.in_sight()) == (3, [3])
    assert views.chooser.titles == ("Time by style", "Other", "More", "Most")
