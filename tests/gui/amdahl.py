"""A small study with a check, for the tests of study panels, and hands to work them with."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QToolBar, QToolButton
from pytestqt.qtbot import QtBot

from advisor.project.questions import Question
from advisor.studies.parameters import parameter
from advisor.studies.study import (
    Check,
    CheckProgress,
    Note,
    Series,
    Study,
    StudyProgress,
    StudyResult,
    Table,
)
from gui.document.document import Document
from gui.plots.curve_panel import CurvePanel
from gui.studies.page.study_panel import StudyPanel

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Amdahl:
    """How far parallel execution can go: speedup = 1/(s + (1 − s)/n) (Amdahl 1967)."""

    serial: float = parameter(0.1, low=0.0, high=1.0, help="Share that runs on one processor.")
    processors: int = parameter(8, low=1, high=1024, unit="processors", help="At most.")
    overhead: bool = parameter(False, help="Add a hundredth for every processor.")
    shape: str = parameter("line", choices=("line", "points", "bars"), help="How to draw it.")
    limit: float | None = parameter(None, low=1.0, help="Speedup that is wanted.")
    width: float = parameter(1.0, help="Of bars.", only={"shape": ("bars",)})
    file: str = parameter("", title="data file", path=True, help="Measured speedups.")


def amdahl(
    parameters: Amdahl,
    on_progress: Callable[[StudyProgress], None] | None = None,
    should_stop: Stop | None = None,
) -> StudyResult:
    extra = 0.01 if parameters.overhead else 0.0
    counts = tuple(float(n) for n in range(1, parameters.processors + 1))
    speedups = tuple(
        1 / (parameters.serial + (1 - parameters.serial) / n + extra * n) for n in counts
    )
    kind = parameters.shape
    if on_progress is not None:
        on_progress(StudyProgress(0.5, "half of it"))
    return StudyResult(
        headline=f"{counts[-1]:.0f} processors are {speedups[-1]:.2f} times as fast.",
        reasons=("The serial share does not shrink.",),
        series=(
            Series("speedup", counts, speedups, "processors", "", "speedup", "", kind),
            Series("ideal", counts, counts, "processors", "", "speedup", "", kind),
            Series("time", ("one", "all"), (1.0, 1 / speedups[-1]), "run", "", "time", "s", "bars"),
        ),
        tables=(
            Table(
                "Speedups",
                (("processors", ""), ("speedup", "")),
                tuple(zip(counts, speedups, strict=True)),
            ),
        ),
        notes=(
            Note(parameters.serial > 0, "A serial share is known.", "Amdahl 1967"),
            Note(False, "Memory < cache is not modelled."),
        ),
    )


def measured(
    parameters: Amdahl,
    on_progress: Callable[[CheckProgress], None],
    should_stop: Stop,
) -> Check:
    """Measures two counts of processors; the second one only when nobody says stop."""
    half = 0.25

    def so_far(counts: tuple[float, ...], complete: bool) -> Check:
        axes = ("processors", "", "speedup", "")
        values = tuple(0.9 * count for count in counts)
        points = Series("measured", counts, values, *axes, "points", (half,) * len(counts))
        table = Table("Measured", (("processors", ""),), tuple((count,) for count in counts))
        return Check(f"Measured at {len(counts)}.", (points,), table, complete=complete)

    on_progress(CheckProgress(0.5, "measuring", so_far((2.0,), False)))
    while parameters.processors == 13 and not should_stop():
        threading.Event().wait(0.005)
    if should_stop():
        return so_far((2.0,), False)
    return so_far((2.0, 4.0), True)


_ASKS = Question("amdahl", "Amdahl's law", "How much faster are more processors?", simulated=True)
AMDAHL = Study(_ASKS, Amdahl, amdahl, measured)


def shown(qtbot: QtBot, document: Document, study: Study = AMDAHL) -> StudyPanel:
    """The panel of a study, with its first answer."""
    panel = StudyPanel(document, study)
    qtbot.addWidget(panel)
    panel.resize(900, 500)
    panel.show()
    qtbot.waitUntil(lambda: panel.result is not None and not panel.running.is_busy)
    return panel


def tool(panel: StudyPanel, name: str = "study_check") -> QToolButton:
    """The button of one of the page's tools, on a toolbar as the window has it."""
    bar = panel.findChild(QToolBar) or QToolBar(panel)
    if not bar.actions():
        bar.addActions(panel.tools)
        bar.show()
    action = next(one for one in panel.tools if one.objectName() == name)
    button = bar.widgetForAction(action)
    assert isinstance(button, QToolButton)
    return button


def checked(qtbot: QtBot, panel: StudyPanel) -> None:
    """Press the check's button."""
    button = tool(panel)
    qtbot.waitUntil(button.isEnabled)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def line(panel: StudyPanel, name: str) -> QLineEdit:
    editor = panel.form.editor(name)
    assert isinstance(editor, QLineEdit)
    return editor


def curves(panel: StudyPanel) -> list[str]:
    """The names of what the first plot shows."""
    page = panel.views.page(0)
    assert isinstance(page, CurvePanel)
    return [series.name for series in page.curves.series]


def typed(qtbot: QtBot, editor: QLineEdit, text: str) -> None:
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Delete)
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
