"""Who computes beside the window lets its thread go first."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from gui.basics import background
from gui.basics.background import Naps, window_s


@pytest.fixture(autouse=True, scope="module")
def quick() -> None:
    """Elsewhere jobs begin at once; here they begin as they do in a window."""


class World:
    """A clock that naps and work move; the window's thread computes until `busy_until`.

    Attributes
    ----------
    naps : list of (float, float)
        When each began, and how long it was, in seconds.
    """

    def __init__(self) -> None:
        self.now_s = 0.0
        self.busy_until = 0.0
        self.naps: list[tuple[float, float]] = []

    def sleep(self, seconds: float) -> None:
        """A nap."""
        self.naps.append((self.now_s, seconds))
        self.now_s += seconds

    def asked_for(self, seconds: float, ask: Callable[[], None]) -> None:
        """Work that asks every 0.01 ms."""
        for _ in range(round(seconds * 1e5)):
            self.now_s += 1e-5
            ask()


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    world = World()
    monkeypatch.setattr(background, "perf_counter", lambda: world.now_s)
    monkeypatch.setattr(background, "sleep", world.sleep)
    monkeypatch.setattr(background, "window_s", lambda: min(world.now_s, world.busy_until))
    return world


def test_a_moment_every_millisecond_while_the_window_rests(world: World) -> None:
    nap = Naps()
    world.naps.clear()
    world.asked_for(0.0048, nap)
    assert [length for _, length in world.naps] == [1e-5] * 4
    assert [began for began, _ in world.naps] == pytest.approx(
        [0.001, 0.002, 0.003, 0.004], abs=1e-4
    )


def test_it_begins_when_the_window_has_done_what_it_is_at(world: World) -> None:
    world.busy_until = 0.03
    Naps()
    assert world.now_s == pytest.approx(0.03, abs=5e-4)


def test_it_begins_though_the_window_computes_for_seconds(world: World) -> None:
    world.busy_until = 10.0
    Naps()
    assert world.now_s == pytest.approx(0.05, abs=5e-4)


def test_it_naps_on_while_the_window_computes_but_gets_on_itself(world: World) -> None:
    nap = Naps()
    world.busy_until, world.now_s = 10.0, 1.0
    world.naps.clear()
    world.asked_for(0.01, nap)
    slept = sum(length for _, length in world.naps)
    # 5 ms of naps after every millisecond of work
    assert slept == pytest.approx(0.05, abs=0.006)
    assert max(length for _, length in world.naps) < 0.001  # it looks again soon


def test_a_moment_alone_where_the_system_does_not_tell(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "window_s", lambda: 0.0)
    world.busy_until = 10.0
    Naps()
    assert world.naps == [(0.0, 1e-5)]


def test_the_time_is_that_of_the_windows_thread_whoever_asks() -> None:
    def spend() -> None:
        sum(range(100_000))

    before = window_s()
    spend()
    ours = window_s() - before
    assert ours > 0
    found: list[float] = []

    def other() -> None:
        start = window_s()
        for _ in range(20):
            spend()
        found.append(window_s() - start)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert found[0] < 10 * ours  # it did twenty times as much; this thread slept
