"""Background work: the latest wins, cancelling keeps the best so far, nothing is left behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from gui.basics.background_jobs import LatestWins, ProcessEnded, SearchProcess
from machines.errors import InputError


@pytest.fixture
def jobs(qtbot: QtBot) -> Iterator[LatestWins]:
    jobs = LatestWins(None, "test job")
    yield jobs
    jobs.close()


@pytest.fixture
def process(qtbot: QtBot) -> Iterator[SearchProcess]:
    process = SearchProcess(None, "test search", warm_up=None)
    yield process
    process.close()


def count(
    limit: int,
    pause_s: float,
    on_progress: Callable[[object], None],
    should_stop: Callable[[], bool],
) -> int:
    """An engine call: counts to `limit` and gives how far it came."""
    for number in range(limit):
        if should_stop():
            return number
        on_progress(number)
        time.sleep(pause_s)
    return limit


def refuse(on_progress: object, should_stop: object) -> None:
    raise InputError("no such strategy", where="strategy", value="x", remedy="Choose another")


def stubborn(on_progress: Callable[[object], None], should_stop: object) -> None:
    on_progress("deaf")
    time.sleep(60)


def die(on_progress: object, should_stop: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def exhaust(on_progress: object, should_stop: object) -> None:
    raise MemoryError


def test_a_job_answers_from_another_thread(qtbot: QtBot, jobs: LatestWins) -> None:
    with qtbot.waitSignal(jobs.done) as answer:
        jobs.request(lambda should_stop: threading.current_thread().name)
    assert answer.args == ["test job"]
    assert not jobs.is_busy


def test_only_the_latest_of_many_requests_answers(qtbot: QtBot, jobs: LatestWins) -> None:
    answers: list[object] = []
    ran: list[int] = []
    jobs.done.connect(answers.append)

    def job(number: int, should_stop: Callable[[], bool]) -> int:
        ran.append(number)
        while not should_stop() and number < 49:
            time.sleep(0.001)
        return number

    for number in range(50):
        jobs.request(lambda should_stop, number=number: job(number, should_stop))
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == [49]
    assert len(ran) < 50


def test_busy_is_told_once_at_the_start_and_once_at_the_end(qtbot: QtBot, jobs: LatestWins) -> None:
    told: list[bool] = []
    jobs.busy.connect(told.append)
    jobs.request(lambda should_stop: 1)
    with qtbot.waitSignal(jobs.done):
        jobs.request(lambda should_stop: 2)
    assert told == [True, False]


def test_a_user_error_of_a_job_is_a_signal(qtbot: QtBot, jobs: LatestWins) -> None:
    with qtbot.waitSignal(jobs.failed) as answer:
        jobs.request(lambda should_stop: refuse(None, None))
    assert isinstance(answer.args[0], InputError)


def test_a_job_without_enough_memory_says_so(qtbot: QtBot, jobs: LatestWins) -> None:
    with qtbot.waitSignal(jobs.failed) as answer:
        jobs.request(lambda should_stop: exhaust(None, None))
    assert "memory" in str(answer.args[0])


def test_a_defect_in_a_job_goes_to_the_hook_and_the_next_request_is_served(
    qtbot: QtBot, jobs: LatestWins, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda what: met.append(what.exc_type))
    with qtbot.waitSignal(jobs.busy, check_params_cb=lambda busy: not busy):
        jobs.request(lambda should_stop: [][0])  # noqa: PLE0643 - the defect
    qtbot.waitUntil(lambda: met == [IndexError])
    with qtbot.waitSignal(jobs.done) as answer:
        jobs.request(lambda should_stop: "still here")
    assert answer.args == ["still here"]


def test_a_cancelled_job_is_told_to_stop_and_does_not_answer(
    qtbot: QtBot, jobs: LatestWins
) -> None:
    stopped = threading.Event()
    answers: list[object] = []
    jobs.done.connect(answers.append)

    def job(should_stop: Callable[[], bool]) -> None:
        while not should_stop():
            time.sleep(0.001)
        stopped.set()

    jobs.request(job)
    jobs.cancel()
    assert not jobs.is_busy
    with qtbot.waitSignal(jobs.done):
        jobs.request(lambda should_stop: "next")
    assert answers == ["next"]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_a_job_leaves_the_processors_to_the_window(qtbot: QtBot, jobs: LatestWins) -> None:
    with qtbot.waitSignal(jobs.done) as done:
        jobs.request(lambda _should_stop: os.getpriority(os.PRIO_PROCESS, 0))
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert done.args is not None
    assert done.args[0] > min(ours, 18)


def test_a_job_naps_when_it_asks_whether_to_stop(
    qtbot: QtBot, jobs: LatestWins, monkeypatch: pytest.MonkeyPatch
) -> None:
    naps: list[float] = []
    monkeypatch.setattr("gui.basics.background.sleep", naps.append)
    monkeypatch.setattr("gui.basics.background._AWAKE_S", 1e-3)

    def job(should_stop: Callable[[], bool]) -> int:
        before = len(naps)
        until = time.perf_counter() + 0.003
        while time.perf_counter() < until:
            assert not should_stop()
        return len(naps) - before

    with qtbot.waitSignal(jobs.done) as done:
        jobs.request(job)
    assert done.args is not None
    assert done.args[0] >= 2  # one a millisecond


def test_progress_that_is_not_taken_yet_is_replaced(qtbot: QtBot, jobs: LatestWins) -> None:
    told: list[object] = []
    jobs.progress.connect(told.append)

    def job(should_stop: object, on_progress: Callable[[object], None]) -> str:
        for number in range(10_000):
            on_progress(number)
        return "end"

    with qtbot.waitSignal(jobs.done):
        jobs.request_reporting(job)
    assert told
    assert told[-1] == 9_999
    assert len(told) < 10_000


def test_closing_ends_the_thread_and_refuses_requests(qtbot: QtBot, jobs: LatestWins) -> None:
    def job(should_stop: Callable[[], bool]) -> None:
        while not should_stop():
            time.sleep(0.001)

    jobs.request(job)
    jobs.close()
    assert "test job" not in [thread.name for thread in threading.enumerate()]
    jobs.request(job)
    assert not jobs.is_busy


def test_an_owner_that_is_destroyed_stops_its_job(qtbot: QtBot) -> None:
    from PySide6.QtCore import QObject

    owner = QObject()
    jobs = LatestWins(owner, "orphan")
    ended = threading.Event()

    def job(should_stop: Callable[[], bool]) -> None:
        while not should_stop():
            time.sleep(0.001)
        ended.set()

    jobs.request(job)
    owner.deleteLater()
    qtbot.waitUntil(ended.is_set)


def test_a_call_runs_in_another_process(qtbot: QtBot, process: SearchProcess) -> None:
    told: list[object] = []
    process.progress.connect(told.append)
    with qtbot.waitSignal(process.done, timeout=20_000) as answer:
        process.start(count, limit=5, pause_s=0.0)
    assert answer.args == [5]
    assert told == [0, 1, 2, 3, 4]
    assert process.process_id not in {None, os.getpid()}
    first = process.process_id
    with qtbot.waitSignal(process.done, timeout=20_000):
        process.start(count, limit=1, pause_s=0.0)
    assert process.process_id == first


def test_cancelling_keeps_the_best_so_far(qtbot: QtBot, process: SearchProcess) -> None:
    with qtbot.waitSignal(process.progress, timeout=20_000):
        process.start(count, limit=10_000, pause_s=0.01)
    with qtbot.waitSignal(process.done) as answer:
        process.cancel()
    assert 1 <= answer.args[0] < 10_000
    assert not process.is_busy


def test_cancelling_before_the_call_began_keeps_nothing(
    qtbot: QtBot, process: SearchProcess
) -> None:
    answers: list[object] = []
    process.done.connect(answers.append)
    with qtbot.waitSignal(process.cancelled):
        process.start(count, limit=10_000, pause_s=0.01)
        process.cancel()
    with qtbot.waitSignal(process.done, timeout=20_000):
        process.start(count, limit=2, pause_s=0.0)
    assert answers == [2]


def test_a_newer_call_stops_the_older(qtbot: QtBot, process: SearchProcess) -> None:
    answers: list[object] = []
    process.done.connect(answers.append)
    with qtbot.waitSignal(process.progress, timeout=20_000):
        process.start(count, limit=10_000, pause_s=0.01)
    process.start(count, limit=3, pause_s=0.0)
    qtbot.waitUntil(lambda: bool(answers), timeout=20_000)
    assert answers == [3]


def test_a_user_error_in_the_process_is_a_signal(qtbot: QtBot, process: SearchProcess) -> None:
    with qtbot.waitSignal(process.failed, timeout=20_000) as answer:
        process.start(refuse)
    error = answer.args[0]
    assert isinstance(error, InputError)
    assert (error.where, error.remedy) == ("strategy", "Choose another")
    with qtbot.waitSignal(process.failed, timeout=20_000) as answer:
        process.start(exhaust)
    assert "memory" in str(answer.args[0])


def test_a_killed_process_fails_its_call_and_the_next_call_gets_another(
    qtbot: QtBot, process: SearchProcess
) -> None:
    with qtbot.waitSignal(process.failed, timeout=20_000) as answer:
        process.start(die)
    assert isinstance(answer.args[0], ProcessEnded)
    assert answer.args[0].last is None
    with qtbot.waitSignal(process.done, timeout=20_000) as answer:
        process.start(count, limit=1, pause_s=0.0)
    assert answer.args == [1]


def test_of_a_killed_process_the_best_so_far_is_kept_with_how_it_ended(
    qtbot: QtBot, process: SearchProcess
) -> None:
    with qtbot.waitSignal(process.progress):
        process.start(stubborn)
    assert process.process_id is not None
    with qtbot.waitSignal(process.failed) as answer:
        os.kill(process.process_id, signal.SIGKILL)
    assert answer.args[0].last == "deaf"
    assert "SIGKILL" in str(answer.args[0])
    with qtbot.waitSignal(process.done) as answer:
        process.start(count, limit=1, pause_s=0.0)
    assert answer.args == [1]


def test_what_is_dropped_does_not_answer_and_the_next_call_does(
    qtbot: QtBot, process: SearchProcess
) -> None:
    answers: list[object] = []
    process.done.connect(answers.append)
    with qtbot.waitSignal(process.progress):
        process.start(count, limit=10_000, pause_s=0.01)
    process.drop()
    assert not process.is_busy
    with qtbot.waitSignal(process.done):
        process.start(count, limit=2, pause_s=0.0)
    assert answers == [2]


def test_a_call_that_does_not_react_is_ended_after_a_while(
    qtbot: QtBot, process: SearchProcess
) -> None:
    with qtbot.waitSignal(process.progress, timeout=20_000):
        process.start(stubborn)
    stuck = process.process_id
    with qtbot.waitSignal(process.failed) as answer:
        process.cancel()
    assert answer.args[0].last == "deaf"
    with qtbot.waitSignal(process.done, timeout=20_000):
        process.start(count, limit=1, pause_s=0.0)
    assert process.process_id != stuck


def test_closing_in_the_middle_of_a_call_leaves_nothing(
    qtbot: QtBot, process: SearchProcess
) -> None:
    with qtbot.waitSignal(process.progress, timeout=20_000):
        process.start(count, limit=10_000, pause_s=0.01)
    process.close()
    assert not process.is_busy
    process.start(count, limit=1, pause_s=0.0)
    assert not process.is_busy
