"""What a worker answers, and when it stops; its Dask is a stand-in."""

from __future__ import annotations

import pickle
import sys
from threading import Thread
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from advisor import kernels
from advisor.computing import at_worker
from advisor.computing.at_worker import Answered, Differs, answered, answers
from advisor.computing.versions import versions
from machines.errors import InputError
from machines.stopping import Stopped, ask
from tests.advisor.computing.pieces import refused, squared


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A worker in the middle of its task ``t``."""
    found = SimpleNamespace(
        address="tcp://here",
        get_current_task=lambda: "t",
        state=SimpleNamespace(tasks={"t": SimpleNamespace(state="executing")}),
        status=SimpleNamespace(name="running"),
    )
    module = ModuleType("distributed")
    module.get_worker = lambda: found  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "distributed", module)
    monkeypatch.setattr(at_worker, "_loading", Thread)  # one that never began is not alive
    return found


def reply(function: object, items: list[Any], expected: Any = None) -> Any:
    expected = versions() if expected is None else expected
    return pickle.loads(answered(expected, pickle.dumps(function), pickle.dumps(items)))


def test_answers_come_in_the_order_of_their_items(worker: Any) -> None:
    found = reply(squared, [3, 1, 2])
    assert found.answers == (9, 1, 4)
    assert found.failure is None


def test_one_with_other_versions_answers_nothing(worker: Any) -> None:
    assert reply(squared, [1], (("Placewise", "0"),)) == Differs("tcp://here", versions())


def test_what_is_not_readable_there_is_not_read_before_versions_are_compared(worker: Any) -> None:
    said = answered((("Placewise", "0"),), b"no pickle", b"no pickle")
    assert isinstance(pickle.loads(said), Differs)


def test_an_error_comes_with_the_answers_before_it() -> None:
    found = answers(refused, [1, 2, 3, 4], lambda: False)
    assert found.answers == (1, 2)
    assert isinstance(found.failure, InputError)
    assert found.failure.value == 3


def cancelled_midway(item: Any) -> int:
    ask()
    change_of[0]()
    ask()
    raise AssertionError("it was told to stop")


change_of: list[Any] = []


@pytest.mark.parametrize("change", ["cancelled", "forgotten", "closing"])
def test_it_stops_once_nobody_wants_the_answers(worker: Any, change: str) -> None:
    def happen() -> None:
        match change:
            case "cancelled":
                worker.state.tasks["t"].state = "cancelled"
            case "forgotten":
                worker.state.tasks.clear()
            case "closing":
                worker.status.name = "closing"

    change_of[:] = [happen]
    found = reply(cancelled_midway, [1])
    assert found.answers == ()
    assert isinstance(found.failure, Stopped)


def test_a_piece_that_is_given_up_does_not_wait_for_the_kernels(
    worker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = []

    def join(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            worker.state.tasks.clear()

    endless = SimpleNamespace(is_alive=lambda: True, join=join)
    monkeypatch.setattr(at_worker, "_loading", lambda: endless)
    found = reply(squared, [1])
    assert found.answers == ()
    assert isinstance(found.failure, Stopped)
    assert len(waited) == 3
    assert max(waited) <= 0.05


def unpicklable(_item: object) -> object:
    return lambda: None


def test_an_answer_that_can_not_cross_is_an_error_in_words(worker: Any) -> None:
    found = reply(unpicklable, [1])
    assert found.answers == ()
    assert "unpicklable" in str(found.failure)


class Odd(Exception):
    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.held = lambda: None


def odd(_item: object) -> object:
    raise Odd("1 and 2")


def test_an_error_that_can_not_cross_is_told_in_words() -> None:
    found = answers(odd, [1], lambda: False)
    assert str(found.failure) == "Odd: 1 and 2"


def test_a_function_is_read_once(worker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    at_worker._function.cache_clear()
    reply(squared, [1])
    reply(squared, [2])
    assert at_worker._function.cache_info().hits == 1


def test_a_worker_tells_what_it_computes_with(monkeypatch: pytest.MonkeyPatch) -> None:
    began = []
    monkeypatch.setattr(kernels, "ready", lambda: False)
    monkeypatch.setattr(at_worker, "_loading", lambda: began.append(1))
    found = at_worker.described()
    assert found.versions == versions()
    assert not found.ready
    assert began == [1], "it gets ready for the pieces that may come"


def test_answered_is_cheap_to_send() -> None:
    assert len(pickle.dumps(Answered((1,)))) < 200
