"""A session's process, spawned as a user's is: it answers, and how it ends is told."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from gui.basics.search_session import SearchSession
from gui.basics.worker import Call, Report
from tests.gui.basics.test_background_jobs import count


@pytest.fixture
def forked() -> None:
    """No fork in place of the start that users have."""


@pytest.fixture
def told() -> SimpleQueue[Report]:
    return SimpleQueue()


@pytest.fixture
def session(told: SimpleQueue[Report]) -> Iterator[SearchSession]:
    session = SearchSession("spawned search", None, lambda _session, report: told.put(report))
    yield session
    session.close(5.0)


def test_a_spawned_process_answers_calls_and_its_end_is_told(
    session: SearchSession, told: SimpleQueue[Report]
) -> None:
    session.send(Call(7, count, {"limit": 2, "pause_s": 0.0}))
    found = [told.get(timeout=120) for _ in range(4)]
    assert found == [
        Report("started", 7), Report("progress", 7, 0), Report("progress", 7, 1),
        Report("done", 7, 2),
    ]  # fmt: skip
    assert session.process_id is not None
    assert session.process_id != os.getpid()
    os.kill(session.process_id, signal.SIGKILL)
    assert told.get(timeout=120) == Report("died", value=-signal.SIGKILL)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_the_process_leaves_the_processors_to_the_window_from_its_first_moment(
    session: SearchSession, told: SimpleQueue[Report]
) -> None:
    session.send(Call(1, count, {"limit": 0, "pause_s": 0.0}))
    assert told.get(timeout=120) == Report("started", 1)
    assert session.process_id is not None
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, session.process_id) > min(ours, 18)
