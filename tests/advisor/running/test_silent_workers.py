"""Heartbeats that stop, of a client that is none."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.running.run_cluster import SilentWorkers
from tests.advisor.running.working import eventually


class Scheduler:
    """What it says of its workers, and whom it was told to forget."""

    cluster = None

    def __init__(self, **seen: float) -> None:
        self.seen, self.forgotten, self.asked = seen, list[str](), 0
        self.scheduler = self

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        assert n_workers == -1
        self.asked += 1
        return {"workers": {name: {"last_seen": at} for name, at in self.seen.items()}}

    def sync(self, call: Any, **named: str) -> None:
        call(**named)

    def unregister(self, address: str, stimulus_id: str) -> None:
        assert stimulus_id
        self.forgotten.append(address)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.running.run_cluster._LOOK_S", 0.01)


def test_a_worker_of_the_run_that_misses_its_heartbeats_is_given_up_once() -> None:
    there = Scheduler(a=1000.0, b=980.0, other=900.0)
    silent = SilentWorkers(there, {"M1": "a", "M2": "b"})
    with silent.watched():
        eventually(lambda: there.forgotten)
        looked = there.asked
        eventually(lambda: there.asked > looked + 3)
    assert there.forgotten == ["b"]
    assert list(silent.said()) == [("silent", "M2", 20.0)]


@pytest.mark.parametrize("seen", [{"a": 1000.0, "b": 991.0}, {"b": 0.0}, {"a": 1000.0}])
def test_a_late_heartbeat_a_lone_worker_and_one_that_is_gone_are_no_silence(
    seen: dict[str, float],
) -> None:
    there = Scheduler(**seen)
    silent = SilentWorkers(there, {"M1": "a", "M2": "b"})
    with silent.watched():
        eventually(lambda: there.asked > 3)
    assert there.forgotten == []
    assert list(silent.said()) == []
