"""All strategies of Compare at once, by a scheduler's workers: pinned as one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from advisor.search.portfolio import each_strategy
from gui.document.document import Document, Outcome
from gui.panels.compare_panel import ComparePanel
from machines.stopping import ask
from tests.shuffled import Shuffled

Predicted = Callable[[Document], Outcome]
NAMES = ("heft", "cut", "cpop", "refine")


class Stuck(Shuffled):
    """Workers that answer two pieces, in their order, and no more."""

    def each(self, function, items):  # type: ignore[no-untyped-def]
        for place in range(2):
            yield place, function(items[place])
        while True:
            ask()
            time.sleep(0.001)


@pytest.fixture
def panel(qtbot: QtBot, loaded_document: Document, predicted: Predicted) -> Iterator[ComparePanel]:
    panel = ComparePanel(loaded_document)
    qtbot.addWidget(panel)
    panel.resize(900, 500)
    panel.show()
    predicted(loaded_document)
    qtbot.waitUntil(lambda: panel.comparison is not None)
    yield panel
    panel.close_jobs()


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Callable[[Shuffled], None]:
    def put(shards: Shuffled) -> None:
        for module in ("gui.basics.background_jobs", "gui.panels.strategy_runs"):
            monkeypatch.setattr(f"{module}.current", lambda: shards)

    return put


def pinned(document: Document) -> list[tuple[str, tuple[int, ...]]]:
    return [(pin.plan.strategy, pin.plan.allocation) for pin in document.project.pins]


def test_all_that_find_something_are_pinned_and_others_say_why(
    qtbot: QtBot,
    panel: ComparePanel,
    loaded_document: Document,
    workers: Callable[[Shuffled], None],
) -> None:
    shards = Shuffled()
    workers(shards)
    panel.add_strategies(NAMES)
    assert panel.runs.is_busy
    qtbot.waitUntil(lambda: not panel.runs.is_busy)
    outcome = loaded_document.outcome
    assert outcome is not None
    alone = each_strategy(outcome.problem, "makespan", NAMES, 2.0)
    assert pinned(loaded_document) == [
        (one.found.strategy, one.found.plan.allocation) for one in alone if one.found is not None
    ]
    assert [title for title, _ in panel.runs.refusals] == ["Minimum cut"]
    assert shards.calls == [("_tried", len(NAMES))]
    assert not panel.progress.isVisible()


def test_a_single_strategy_searches_in_its_own_process(
    qtbot: QtBot,
    panel: ComparePanel,
    loaded_document: Document,
    workers: Callable[[Shuffled], None],
) -> None:
    shards = Shuffled()
    workers(shards)
    panel.add_strategies(["heft"])
    qtbot.waitUntil(lambda: not panel.runs.is_busy)
    assert [strategy for strategy, _ in pinned(loaded_document)] == ["heft"]
    assert not any(name == "_tried" for name, _ in shards.calls)


def test_a_cancel_keeps_what_was_found_by_then(
    qtbot: QtBot,
    panel: ComparePanel,
    loaded_document: Document,
    workers: Callable[[Shuffled], None],
) -> None:
    workers(Stuck())
    panel.add_strategies(("heft", "cpop", "refine"))
    qtbot.waitUntil(lambda: len(loaded_document.project.pins) == 2)
    assert panel.progress.isVisible()
    panel.cancel()
    assert not panel.runs.is_busy
    assert not panel.progress.isVisible()
    assert len(pinned(loaded_document)) == 2


def test_those_asked_for_meanwhile_come_after(
    qtbot: QtBot,
    panel: ComparePanel,
    loaded_document: Document,
    workers: Callable[[Shuffled], None],
) -> None:
    workers(Shuffled())
    panel.add_strategies(("heft", "cpop"))
    panel.add_strategies(("refine",))
    qtbot.waitUntil(lambda: not panel.runs.is_busy)
    assert len(pinned(loaded_document)) == 3
