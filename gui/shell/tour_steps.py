"""What the tour shows, in six steps on the example in which every choice is open."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QToolButton

from advisor.programs.choices.style import STYLE, style_named
from advisor.project import decision_edits, overlay_edits
from advisor.project.examples import load_example
from advisor.project.project import Pin, Project
from gui.document.document import Selection
from gui.shell.places import Places
from gui.shell.tour import Step

_TASK, _STYLE, _FANOUTS = "fft", "asynchronous-long", "8x8"


def example() -> Project:
    """The monitored campaign, with a plan beside it whose style and tree were chosen by hand."""
    project = load_example("monitored")
    task = project.workload.index[_TASK]
    own = decision_edits.with_decision(project, STYLE.name, task, style_named(_STYLE))
    own = overlay_edits.with_shape(own, 0, _FANOUTS)
    return replace(project, pins=(Pin("by hand", own.plan),))


def _show_board(window: Places) -> None:
    window.show_page("allocation")
    window.document.select(Selection())


def _show_answer(window: Places) -> None:
    _show_board(window)
    window.show_dock("reasons")
    window.panel("reasons")
    fold = window.findChild(QToolButton, "answer.by_decision_fold")
    if fold is not None:
        fold.setChecked(True)


def _show_task(window: Places) -> None:
    window.show_page("allocation")
    task = window.document.project.workload.index[_TASK]
    window.document.select(Selection(tasks=frozenset({task})))


def _show_overlay(window: Places) -> None:
    window.show_page("allocation")
    window.document.select(Selection(overlay=0))


def _show_comparison(window: Places) -> None:
    window.show_page("compare")


def _show_campaign(window: Places) -> None:
    window.show_page("campaign")


STEPS = (
    Step(
        "The board is the schedule",
        "A lane is a machine, a bar is a task from its start to its end, and the line on the "
        "right is the makespan: when the last task ends. While you drag a task, every machine "
        "shows what the makespan would be there: ▼ better, ▲ worse. Click a machine or a link "
        "to change its load.",
        "lazy_allocation",
        _show_board,
    ),
    Step(
        "Which decision matters",
        "“Advise” chooses machines, processors, message styles, mappings, blocks and trees "
        "together. The strip above the board shows what that reaches, who runs where and what "
        "limits; “Apply” makes it the current plan. “Why?” opens the reasons: “By decision” shows "
        "what each decision saves, after those above it and alone. “What if”, below, shows which "
        "assumption weighs most.",
        "answer",
        _show_answer,
    ),
    Step(
        "Choose a message style",
        "Click a task that is a parallel program: “Plan's choices” lists its message styles and "
        "mappings, each with the makespan that it would give. A click or Enter chooses one.",
        "dock_inspector",
        _show_task,
    ),
    Step(
        "Change a tree",
        "The tool “monitor” watches the nodes through a tree of processes. A click on its badge, "
        "on a machine's card, shows it here: choose a tree, or write fan-outs such as 8x8, and see "
        "its effect on the tasks.",
        "dock_inspector",
        _show_overlay,
    ),
    Step(
        "Compare, adopt, undo",
        "“Pin” keeps a plan, such as “by hand”. This page compares plans, with a column for each "
        "differing decision. “Adopt” takes all of a plan or one of its decisions. Every change is "
        "one step for “Undo”.",
        "lazy_compare",
        _show_comparison,
    ),
    Step(
        "Many cases at once",
        "A campaign computes each combination of workloads, machines, loads and strategies, and "
        "shows which strategy is best how often and how sure that is. “Run the example” takes half "
        "a minute; each of its cases opens on the board.",
        "lazy_campaign",
        _show_campaign,
    ),
)
