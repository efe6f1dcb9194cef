"""A hundred thousand rows of a campaign: ``python -m tests.benchmarks.bench_campaign_rows``.

Rows are shown, filtered, sorted, copied, exported and scrolled while the window's thread beats each
millisecond. For each of these printed are the milliseconds until it is done, and the longest time
that the window's thread itself computed without a beat: another program's work does not count.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, thread_time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtWidgets import QApplication

from advisor.campaigns.results import Results
from gui.basics.tables_out import TablesOut
from gui.campaign.findings_view import FindingsView
from gui.campaign.rows_table_columns import case_columns
from gui.campaign.rows_view import RowsView
from tests.gui.campaign.synthetic import synthetic

MANY = 100_000
LIMIT_MS = 16.0
_SCROLLS = 60
_LONGEST_S = 60.0


def beaten(application: QApplication, do: Callable[[], object], over: Callable[[], bool]) -> None:
    """Do something, then let events be served one by one until it is over; print both times."""
    began = perf_counter()
    longest = _held(do)
    while not over() and perf_counter() - began < _LONGEST_S:
        longest = max(longest, _held(lambda: _serve(application)))
    took_ms = 1e3 * (perf_counter() - began)
    sign = "" if longest <= LIMIT_MS else "  over the limit"
    print(f"{took_ms:9.0f} ms {longest:9.1f} ms{sign}", flush=True)


def _serve(application: QApplication) -> None:
    application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 1)


def _held(do: Callable[[], object]) -> float:
    before = thread_time()
    do()
    return 1e3 * (thread_time() - before)


def steps(view: RowsView, results: Results) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is measured, and what does it."""
    some = results.where(np.arange(MANY) < MANY - 1000)
    headings = [one.heading for one in case_columns(results)]
    falls = Qt.SortOrder.DescendingOrder

    def sort(name: str) -> Callable[[], object]:
        return lambda: view.table.sortByColumn(headings.index(name), falls)

    yield "first shown", lambda: view.show_results(some)
    yield "a thousand more", lambda: view.show_results(results)
    yield "sorted by value", sort("Value")
    yield "sorted by workload", sort("Workload")
    yield "sorted by strategy", sort("Strategy")
    yield "filtered by two words", lambda: view.filter.setText("tasks=50 heft")
    yield "filter taken away", view.filter.clear
    box = view.choosers["strategy"]
    yield "one strategy", lambda: box.setCurrentIndex(2)
    yield "all strategies", lambda: box.setCurrentIndex(0)
    yield "failed only", lambda: view.failed_only.setChecked(True)
    yield "all again", lambda: view.failed_only.setChecked(False)


def leaving(view: RowsView) -> Iterator[tuple[str, Callable[[], object]]]:
    """All rows on their way out."""
    yield "copied", view.table.copy
    path = Path(tempfile.mkdtemp()) / "rows.csv"
    yield "exported", lambda: view.exports.export(path)


def main() -> int:
    """Print a line for each step."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    results = synthetic(MANY)
    view = RowsView("rows", "Rows", case_columns)
    view.resize(1400, 900)
    view.show()
    print(f"{MANY:,} rows              until shown   window held")
    for name, do in steps(view, results):
        print(f"{name:24}", end="")
        beaten(application, do, lambda: not view.is_busy)
    ways = view.findChildren(TablesOut)
    for name, do in leaving(view):
        print(f"{name:24}", end="")
        beaten(application, do, lambda: not any(one.is_busy for one in ways))
    bar = view.table.verticalScrollBar()

    def scroll() -> None:
        for page in range(_SCROLLS):
            bar.setValue(page * bar.maximum() // _SCROLLS)
            longest.append(_held(lambda: _serve(application)))

    longest: list[float] = []
    scroll()
    print(f"{'scrolled, a frame':24}{np.median(longest):9.1f} ms {max(longest):9.1f} ms")
    findings = FindingsView()
    findings.resize(1400, 900)
    findings.show()
    print(f"{'what it shows':24}", end="")
    beaten(application, lambda: findings.show_results(results, MANY), lambda: not findings.is_busy)
    for widget in (view, findings):
        widget.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
