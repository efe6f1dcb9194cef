"""The page *Measure*: a curve beside both models, the words of the command, one undo step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from advisor.measuring.measure import HostState, Measurement, Network
from advisor.measuring.measurement_words import lines
from advisor.measuring.memory_and_disk import Memory
from advisor.measuring.peer import Host
from advisor.measuring.processors import Contention, Point, predicted
from advisor.measuring.samples import Estimate
from advisor.project.opening import first_project
from gui.document.document import Document
from gui.panels.measure_page import MeasurePage, share_done


def near(value: float) -> Estimate:
    return Estimate(value, 0.98 * value, 1.02 * value)


def made() -> Measurement:
    """Of two cores, on which one contender costs nothing and three cost half again."""
    points = tuple(Point(many, near(1.0 + 0.2 * many), predicted(2, many)) for many in (1, 2, 3))
    host = Host("here", 2, 8 * 10**9, 500.0)
    network = Network(host, True, {1: near(1e-5)}, refused="too few sizes")
    return Measurement(
        host, HostState(0.01, 0.0, 0.0), {0: near(500.0), 1: near(480.0)},
        Contention(points, (0.1, 0.1)), Memory(near(1e10), near(1.3)), network, near(1e9),
    )  # fmt: skip


@pytest.fixture
def page(qtbot: QtBot, loaded_document: Document) -> MeasurePage:
    page = MeasurePage(loaded_document)
    qtbot.addWidget(page)
    page.resize(1154, 708)
    page.show()
    return page


def test_the_curve_stands_beside_both_models_with_the_words_of_the_command(
    page: MeasurePage,
) -> None:
    assert not page.use_button.isVisible()
    found = made()
    page.show_measurement(found)

    assert page.words.text().split("\n") == lines(found)
    names = [one.name for one in page.curve.curves.series]
    assert names == ["measured", "90 % range", "processor sharing", "published formula"]
    band = page.curve.curves.series[1]
    assert band.lower == tuple(one.slowdown.low for one in found.contention.points)
    assert band.y == tuple(one.slowdown.high for one in found.contention.points)
    assert page.curve.isVisible()
    assert page.curve.height() >= 0.5 * page.height()
    refused = replace(found.contention, points=(), refused="the cores were busy")
    page.show_measurement(replace(found, contention=refused))
    assert not page.curve.isVisible()
    assert "refused: the cores were busy" in page.words.text()


def test_use_these_is_one_undo_step(page: MeasurePage, loaded_document: Document) -> None:
    loaded_document.load(first_project())
    before = loaded_document.project
    page.show_measurement(made())
    page.use_button.click()

    machines = loaded_document.project.platform.machines
    assert [(one.name, one.cores) for one in machines] == [("here", 2)]
    assert loaded_document.undo_stack.count() == 1
    loaded_document.undo_stack.undo()
    assert loaded_document.project == before


def test_what_can_t_be_used_or_asked_is_said_in_its_place(
    page: MeasurePage, loaded_document: Document
) -> None:
    before = loaded_document.project  # its tasks have times for M1 and M2 alone
    page.show_measurement(made())
    page.use_button.click()
    assert "M1" in page.message.text()
    assert loaded_document.project is before
    page.peer.setText("nowhere:port")
    page.start_button.click()
    assert "port" in page.message.text()
    assert not page.process.is_busy


def test_a_measurement_is_cancelled(qtbot: QtBot, page: MeasurePage) -> None:
    page.start_button.click()
    qtbot.waitUntil(lambda: page.progress.value() >= 1)
    page.cancel_button.click()
    qtbot.waitUntil(lambda: not page.process.is_busy)
    assert page.found is None
    assert page.start_button.isVisible()
    page.close()


def test_progress_rises_with_what_is_told() -> None:
    told = ["a look at what runs", "the speed of every core", "the network"]
    told += [f"contention, round {turn} of 5" for turn in range(1, 6)]
    shares = [share_done(words) for words in (*told, "memory and disk")]
    assert shares == sorted(set(shares))
