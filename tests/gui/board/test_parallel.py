"""Parallel tasks from the inspector to the board: a style changes the bar, its causes, the answer.

The window's parts on one document, driven by keys and mouse, on the example that ships.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.basics.causes import (
    COMPUTING,
    MESSAGE_OVERHEAD,
    NETWORK_CONTENTION,
    SHARED_MEMORY_OVERHEAD,
    TRANSFERRING,
)
from advisor.programs.program import PROGRAM_CAUSES
from advisor.project.examples import load_example
from gui.basics.theme import theme
from gui.basics.verdicts import ILLEGAL
from gui.board.board_legend import CRITICAL, EXPECTED, SLOWED
from gui.document.document import Document, Outcome, Selection
from gui.inspector import Inspector
from gui.panels.breakdown import BreakdownPanel
from tests.gui.board.conftest import Hand
from tests.gui.inspector.hands import choose_by_keys, choose_by_mouse, type_into

SPECTRA, ALIGN = 1, 2
Show = Callable[[Document], Hand]


@pytest.fixture
def parallel(qapp: object) -> Document:
    return Document(load_example("multicomputer"))


@pytest.fixture
def inspector(qtbot: QtBot, parallel: Document) -> Inspector:
    widget = Inspector(parallel)
    qtbot.addWidget(widget)
    widget.resize(340, 900)
    parallel.select(Selection(tasks=frozenset({SPECTRA})))
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def bar(hand: Hand, task: int) -> tuple[float, dict[str, float]]:
    """Seconds of a task's bar, and what they are split into."""
    lanes = hand.board.schedule.lanes
    assert lanes is not None
    item = int(lanes.bar_of[task])
    seconds = float(lanes.end_s[item] - lanes.start_s[item])
    shares = lanes.shares[:, item] * seconds
    return seconds, {c: s for c, s in zip(lanes.causes, shares.tolist(), strict=True) if s > 0}


def expected(document: Document, task: int) -> tuple[float, dict[str, float]]:
    """The same from the engine."""
    program = document.project.workload.tasks[task].program
    assert program is not None
    cost = program.cost(document.project.platform.machines[1])
    parts = zip(PROGRAM_CAUSES, cost.parts_s, strict=True)
    return cost.seconds, {cause: seconds for cause, seconds in parts if seconds > 0}


def agrees(hand: Hand, document: Document, task: int = SPECTRA) -> bool:
    seconds, split = bar(hand, task)
    wanted_s, wanted = expected(document, task)
    return seconds == pytest.approx(wanted_s) and split == pytest.approx(wanted)


def test_a_style_chosen_by_keys_changes_the_bar_and_its_causes_and_undo_brings_them_back(
    qtbot: QtBot, parallel: Document, inspector: Inspector, show: Show
) -> None:
    hand = show(parallel)
    assert agrees(hand, parallel)
    before, split = bar(hand, SPECTRA)
    assert set(split) == {COMPUTING, TRANSFERRING, NETWORK_CONTENTION, MESSAGE_OVERHEAD}
    choose_by_keys(qtbot, inspector, "program.transport", "short")
    hand.wait_until_current()
    assert agrees(hand, parallel)
    after, slower = bar(hand, SPECTRA)
    assert after > 4 * before
    assert slower[MESSAGE_OVERHEAD] > 50 * split[MESSAGE_OVERHEAD]
    assert NETWORK_CONTENTION not in slower
    assert parallel.undo_stack.count() == 1
    parallel.undo_stack.undo()
    hand.wait_until_current()
    assert bar(hand, SPECTRA) == (pytest.approx(before), pytest.approx(split))


def test_a_style_chosen_by_mouse_changes_the_bar(
    qtbot: QtBot, parallel: Document, inspector: Inspector, show: Show
) -> None:
    hand = show(parallel)
    choose_by_mouse(qtbot, inspector, "program.completion", "synchronous")
    hand.wait_until_current()
    assert agrees(hand, parallel)
    choose_by_mouse(qtbot, inspector, "program.mapping", "hilbert")
    hand.wait_until_current()
    assert agrees(hand, parallel)
    assert [parallel.undo_stack.text(k) for k in range(2)] == [
        "Change Completion",
        "Change Mapping",
    ]


def test_each_cause_has_its_colour_on_the_bar(parallel: Document, show: Show) -> None:
    hand = show(parallel)
    view = hand.board.schedule
    rect = view.item_rect(view.item_of(SPECTRA))
    seconds, split = bar(hand, SPECTRA)
    picture = hand.viewport.grab().toImage()
    x = rect.left()
    for cause, part in split.items():
        wide = rect.width() * part / seconds
        colour = picture.pixelColor(round(x + wide / 2), round(rect.bottom() - 5))
        assert colour == theme().cause(cause), cause
        x += wide


def test_a_task_that_shares_memory_shows_its_overhead_on_the_bar(
    qtbot: QtBot, parallel: Document, inspector: Inspector, show: Show
) -> None:
    hand = show(parallel)
    before, _ = bar(hand, ALIGN)
    parallel.select(Selection(machine=1))
    choose_by_mouse(qtbot, inspector, "shared_memory", "fast-ethernet")
    parallel.select(Selection(tasks=frozenset({ALIGN})))
    choose_by_mouse(qtbot, inspector, "program", "shared-memory")
    hand.wait_until_current()
    assert agrees(hand, parallel, ALIGN)
    seconds, split = bar(hand, ALIGN)
    assert set(split) == {COMPUTING, SHARED_MEMORY_OVERHEAD}
    assert SHARED_MEMORY_OVERHEAD in hand.board.legend.names
    assert "shared-memory overhead" in hand.board.schedule.tip_at(hand.task(ALIGN).toPointF())
    parallel.select(Selection(machine=1))
    type_into(qtbot, inspector, "shared_memory.protocol", "0.1")
    hand.wait_until_current()
    assert bar(hand, ALIGN)[1][SHARED_MEMORY_OVERHEAD] < split[SHARED_MEMORY_OVERHEAD]
    for _ in range(3):
        parallel.undo_stack.undo()
    hand.wait_until_current()
    assert bar(hand, ALIGN)[0] == pytest.approx(before)
    assert seconds != pytest.approx(before)


def test_the_legend_names_the_causes_that_are_there(
    parallel: Document, loaded_document: Document, show: Show
) -> None:
    legend = show(parallel).board.legend
    assert {NETWORK_CONTENTION, MESSAGE_OVERHEAD} < set(legend.names)
    assert not {NETWORK_CONTENTION, MESSAGE_OVERHEAD} & set(
        show(loaded_document).board.legend.names
    )
    one_line, narrow = legend.heightForWidth(2000), legend.heightForWidth(420)
    assert narrow > one_line
    legend.resize(420, narrow)
    assert [name for _, _, name in legend._places(420)] == [
        *legend.names,
        CRITICAL,
        SLOWED,
        EXPECTED,
    ]
    assert legend._places(150)[-1][2] == "…"


def test_the_breakdown_shows_overhead_and_contention(
    qtbot: QtBot, parallel: Document, predicted: Callable[[Document], Outcome]
) -> None:
    panel = BreakdownPanel(parallel)
    qtbot.addWidget(panel)
    predicted(parallel)
    shown = {part.name: part.value for part in panel.bars.groups[1].bars[0].segments}
    _, spectra = expected(parallel, SPECTRA)
    _, align = expected(parallel, ALIGN)
    for cause in (NETWORK_CONTENTION, MESSAGE_OVERHEAD):
        assert shown[cause] == pytest.approx(spectra.get(cause, 0.0) + align.get(cause, 0.0))


def test_the_tooltip_says_the_program_in_words(parallel: Document, show: Show) -> None:
    hand = show(parallel)
    text = hand.board.schedule.tip_at(hand.task(SPECTRA).toPointF())
    assert "100,000 messages of 1.02 kB to all others in turn" in " ".join(text.split())
    assert "computing 5.000 s + transferring" in text
    assert "message overhead" in text
    assert max(map(len, text.splitlines())) < 120


def test_a_machine_without_network_is_hatched_with_the_reason_while_dragging(
    parallel: Document, show: Show
) -> None:
    hand = show(parallel)
    hand.lift(ALIGN, hand.lane(0))
    hand.wait_for_offers()
    offer = hand.board.surface.machine_offer(0)
    assert offer.verdict == ILLEGAL
    assert "the machine has no network for a parallel program" in offer.long
    hand.viewport.grab()
    hand.release(hand.lane(0))
    assert parallel.project.plan.allocation[ALIGN] == 1
    hand.key(Qt.Key.Key_Escape)


def test_the_card_of_a_parallel_machine_counts_its_nodes(parallel: Document, show: Show) -> None:
    facts = show(parallel).board.surface.facts
    assert facts[1].build == "32 nodes · speed 1"
    assert "network: 8 × 4 mesh" in facts[1].sentence
    assert "network" not in facts[0].sentence
