"""The window's pages and panels in one table; `LazyPanel` builds each when it is first shown.

A page answers one question in the window's centre and has a button on the rail; a panel is a dock
at the bottom or on the right; the answer is a strip above the board. A new study appears here by
itself, from `advisor.studies`.
"""
# Panels are imported where they are built, so that the window paints before it loads them all.
# ruff: noqa: PLC0415

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QWidget

from gui.basics.icons import has_icon
from gui.document.document import Document
from gui.document.expectations import Expectations
from gui.shell.actions import ActionSpec

if TYPE_CHECKING:
    from advisor.project.study_case import Subject
    from gui.document.actuals import Actuals
    from gui.document.advise import Advisor
    from gui.document.campaigns import Campaigns
    from gui.document.checker import Checker
    from gui.document.runner import Runner
    from gui.studies.page.memory import StudyMemory

CENTRE, BOTTOM, RIGHT, TOP = "centre", "bottom", "right", "top"
# Makes a widget; other events may come at each yield. A widget that is yielded is put where it is
# seen before it is filled: what it holds would be looked through again for every new place.
InParts = Generator[QWidget | None, None, QWidget]


@dataclass(frozen=True)
class Services:
    """What panels are built from."""

    document: Document
    advisor: Advisor
    checker: Checker
    memory: StudyMemory
    actuals: Actuals
    expectations: Expectations
    runner: Runner
    campaigns: Campaigns


@runtime_checkable
class HasSteps(Protocol):
    """A page with undo steps of its own, beside those of the document."""

    @property
    def undo_stack(self) -> QUndoStack:
        """Its steps."""


@runtime_checkable
class ChangesSteps(Protocol):
    """A page whose undo steps are others at times."""

    stack_changed: object  # Signal()


@runtime_checkable
class LooksAt(Protocol):
    """A page that can look at a thing of the project."""

    def open_on(self, subject: Subject) -> None:
        """Look at it, with its own values."""


_KEYS = tuple(f"Alt+{digit}" for digit in "1234567890")  # a bare digit is meant for a field


@dataclass(frozen=True)
class Panel:
    """One page or dock.

    `id`, `title`, `help`: name in code and settings, on screen, and one sentence.
    """

    id: str
    title: str
    help: str
    area: str  # "centre", "bottom", "right", or "top": always in sight beside the board
    build: Callable[[Services], QWidget | InParts]  # makes the widget, in parts if that takes long
    icon: str = ""  # for the rail
    shown: bool = True  # whether the dock is open at first
    alone: bool = False  # whether the docks, which are about the board, make room for the page

    @property
    def action(self) -> str:
        """Name of the action that opens it."""
        return f"{'page' if self.area == CENTRE else 'panel'}_{self.id}"


def panels() -> tuple[Panel, ...]:
    """All of them: pages in the order of the rail, then docks."""
    return (
        Panel(
            "allocation",
            "Allocation",
            "Which task goes to which machine",
            CENTRE,
            _board,
            "allocation",
        ),
        *_studies(),
        Panel(
            "compare", "Compare", "Strategies side by side", CENTRE, _compare, "compare", alone=True
        ),
        Panel(
            "campaign",
            "Campaign",
            "Many cases at once: which strategy is best, how often, and with what confidence",
            CENTRE,
            _campaign,
            "campaign",
            alone=True,
        ),
        Panel(
            "measure",
            "Measure",
            "What this machine is, by measuring it, beside both models of contention",
            CENTRE,
            _measure,
            "machine",
            alone=True,
        ),
        Panel(
            "evidence",
            "Evidence",
            "Published numbers compared with the models",
            CENTRE,
            _evidence,
            "evidence",
            alone=True,
        ),
        Panel("answer", "Answer", "The recommendation", TOP, _answer),
        Panel("inspector", "Inspector", "Fields of what is selected", RIGHT, _inspector),
        Panel(
            "what_if",
            "What if",
            "Which assumption weighs most, and what makes another plan best",
            BOTTOM,
            _what_if,
        ),
        Panel(
            "model_tables",
            "Model",
            "Tasks, flows, machines and links as tables to edit",
            BOTTOM,
            _model_tables,
            shown=False,
        ),
        Panel("breakdown", "Breakdown", "Where the time goes, by cause", BOTTOM, _breakdown),
        Panel("schedule", "Schedule table", "Every task and transfer in rows", BOTTOM, _schedule),
        Panel("reasons", "Reasons", "Why the plan is recommended", BOTTOM, _reasons, shown=False),
        Panel(
            "check",
            "SimGrid check",
            "Cross-check of the plan with SimGrid",
            BOTTOM,
            _check,
            shown=False,
        ),
        Panel(
            "actual",
            "Actual",
            "Runs compared with the prediction, and calibrations from them",
            BOTTOM,
            _actual,
            shown=False,
        ),
        Panel("history", "History", "The list of changes", BOTTOM, _history, shown=False),
    )


def specs(all_panels: tuple[Panel, ...]) -> tuple[ActionSpec, ...]:
    """The actions that open pages, the first ten with a key, and panels.

    History has one in the table.
    """
    pages = [panel for panel in all_panels if panel.area == CENTRE]
    result = [
        ActionSpec(
            page.action, page.title, "Analyse", page.help, _KEYS[place : place + 1], page.icon,
            check="page",
        )
        for place, page in enumerate(pages)
    ]  # fmt: skip
    for panel in all_panels:
        if panel.area in {BOTTOM, RIGHT} and panel.id != "history":
            menu, group = ("Analyse", 1) if panel.area == BOTTOM else ("View", 3)
            result.append(
                ActionSpec(panel.action, panel.title, menu, panel.help, group=group, check="toggle")
            )
    return tuple(result)


def _board(services: Services) -> QWidget:
    from gui.board.board_view import BoardView

    return BoardView(
        services.document, actuals=services.actuals, expectations=services.expectations
    )


def _studies() -> tuple[Panel, ...]:
    from advisor.studies import QUESTIONS, STUDIES

    def builder(name: str) -> Callable[[Services], InParts]:
        def build(services: Services) -> InParts:
            from gui.studies.page.study_panel import StudyPanel

            yield None
            panel = StudyPanel(services.document, STUDIES[name], services.memory, filled=False)
            yield panel
            yield from panel.fill()
            return panel

        return build

    return tuple(
        Panel(
            one.name,
            one.title,
            one.question,
            CENTRE,
            builder(one.name),
            one.name if has_icon(one.name) else "study",
            alone=True,
        )
        for one in QUESTIONS.values()
        if one.has_page
    )


def _compare(services: Services) -> InParts:
    from gui.panels.compare_panel import ComparePanel
    from gui.panels.compare_pictures import Pictures

    yield None
    pictures = yield from Pictures.in_parts(services.document)
    return ComparePanel(services.document, pictures=pictures)


def _campaign(services: Services) -> InParts:
    from gui.campaign.page import in_parts

    yield None
    return (yield from in_parts(services.campaigns))


def _measure(services: Services) -> QWidget:
    from gui.panels.measure_page import MeasurePage

    return MeasurePage(services.document)


def _evidence(_services: Services) -> QWidget:
    from gui.panels.evidence_panel import EvidencePage

    return EvidencePage()


def _answer(services: Services) -> QWidget:
    from gui.panels.answer_strip import AnswerStrip

    return AnswerStrip(services.document, services.advisor, services.expectations)


def _reasons(services: Services) -> QWidget:
    from gui.panels.reasons_panel import ReasonsPanel

    return ReasonsPanel(services.document, services.advisor)


def _inspector(services: Services) -> QWidget:
    from gui.inspector import Inspector

    return Inspector(services.document)


def _what_if(services: Services) -> InParts:
    import gui.plots.plot_panel  # noqa: F401 - half of what the panel needs

    yield None
    from gui.panels.what_if import WhatIfPanel

    yield None
    panel = WhatIfPanel(services.document, known=lambda: services.advisor.known)
    panel.map_panel.met.connect(services.advisor.offer)
    services.advisor.phase_changed.connect(panel.show_phase)
    panel.show_phase(services.advisor.phase)
    return panel


def _model_tables(services: Services) -> InParts:
    import gui.model.row_kinds  # noqa: F401 - half of what the panel needs

    yield None
    from gui.model.model_panel import ModelPanel

    return ModelPanel(services.document)


def _breakdown(services: Services) -> QWidget:
    from gui.panels.breakdown import BreakdownPanel

    advisor = services.advisor
    panel = BreakdownPanel(services.document, best=lambda: advisor.best)
    advisor.progress.connect(panel.show_progress)
    advisor.phase_changed.connect(panel.show_progress)
    return panel


def _schedule(services: Services) -> InParts:
    from gui.panels.schedule_table import ScheduleTable

    yield None
    panel = ScheduleTable(services.document, filled=False)
    yield panel
    yield from panel.fill()
    return panel


def _check(services: Services) -> QWidget:
    from gui.panels.simgrid_check import CheckPanel

    return CheckPanel(services.document, services.checker)


def _actual(services: Services) -> InParts:
    from gui.panels.actual_panel import ActualPanel

    yield None
    panel = ActualPanel(services.document, services.actuals, services.runner, filled=False)
    yield panel
    yield from panel.fill()
    return panel


def _history(services: Services) -> QWidget:
    from gui.panels.history import HistoryView

    return HistoryView(services.document.undo_stack)
