"""Garbage is collected on the window's thread only, and not while it would be in the way."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject

from gui.basics.collector import Collector, collector_held


class Cycle:
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector(qapp: object) -> Iterator[Collector]:
    owner = QObject()
    before = gc.get_threshold()
    gc.collect()
    yield Collector(owner)
    gc.set_threshold(*before)
    owner.deleteLater()


def garbage(count: int) -> weakref.ref[Cycle]:
    made = [Cycle() for _ in range(count)]
    return weakref.ref(made[0])


def test_other_threads_do_not_collect(collector: Collector) -> None:
    gc.set_threshold(10, 1, 1)
    left: list[weakref.ref[Cycle]] = []
    thread = threading.Thread(target=lambda: left.append(garbage(1000)))
    thread.start()
    thread.join()
    assert left[0]() is not None
    collector.collect()
    assert left[0]() is None


def test_nothing_is_collected_before_it_is_due_or_while_held(collector: Collector) -> None:
    gc.set_threshold(100_000, 10, 10)
    left = garbage(10)
    collector.collect()
    assert left() is not None
    gc.set_threshold(5, 10, 10)
    with collector_held():
        collector.collect()
        assert left() is not None
    collector.collect()
    assert left() is None
