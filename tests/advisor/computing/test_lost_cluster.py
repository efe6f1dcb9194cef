"""A cluster that goes away, or stays without workers; its client is a stand-in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from advisor.computing import dask_shards as cluster
from advisor.computing import session
from advisor.computing.dask_shards import Cluster
from advisor.computing.session import CompatibleWorkers, Lost
from machines.stopping import Stopped, stoppable


class Clock:
    """Seconds that pass as they are slept."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(cluster, "monotonic", found.monotonic)
    monkeypatch.setattr(cluster, "sleep", found.sleep)
    monkeypatch.setattr(session, "monotonic", found.monotonic)
    return found


def lost(notes: list[str]) -> tuple[Cluster, Any]:
    client: Any = SimpleNamespace(status="connecting")
    return Cluster(client, "tcp://s:1", notes.append, fallback=False, patience_s=60.0), client


def test_a_scheduler_that_comes_back_in_time_is_used_again(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[str] = []
    found, client = lost(notes)

    def sleep(seconds: float) -> None:
        clock.now += seconds
        if clock.now > 59.0:
            client.status = "running"

    monkeypatch.setattr(cluster, "sleep", sleep)
    assert found.back(client) is client
    assert notes == [
        "The scheduler at tcp://s:1 is gone: waiting 1 min for it",
        "The scheduler is back: unanswered pieces are computed again",
    ]
    assert found.back(client) is client
    assert len(notes) == 2


def test_one_that_does_not_is_lost(clock: Clock) -> None:
    found, client = lost([])
    with pytest.raises(Lost, match="gone for 1 min"):
        found.back(client)
    assert clock.now == pytest.approx(60.0, abs=0.1)


def test_waiting_for_it_can_be_stopped(clock: Clock) -> None:
    found, client = lost([])
    with pytest.raises(Stopped), stoppable(lambda: clock.now > 1.0):
        found.back(client)
    assert clock.now < 1.2


def test_a_cluster_that_stays_without_workers_is_lost(clock: Clock) -> None:
    found = CompatibleWorkers([].append, 60.0)
    found.look({})
    clock.now = 59.0
    found.look({})
    found.look({"tcp://a": 3})
    clock.now = 100.0
    found.look({})
    clock.now = 161.0
    with pytest.raises(Lost, match="no worker connected within 1 min"):
        found.look({})
    found.look({})  # and it is waited for anew
