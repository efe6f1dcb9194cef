"""The machine that the program runs on."""

from __future__ import annotations

import os

import pytest

from machines.local import this_machine


def test_it_has_the_cores_and_the_memory_of_this_computer() -> None:
    (machine,) = this_machine().machines
    assert 1 <= machine.cores <= (os.cpu_count() or 1)
    assert machine.memory_bytes is None or machine.memory_bytes > 1 << 20
    assert machine.speed == 1.0


def test_a_system_that_tells_little_still_gives_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.delattr(os, "sysconf", raising=False)
    monkeypatch.setattr("platform.node", lambda: "")
    (machine,) = this_machine().machines
    assert machine.name == "this machine"
    assert machine.memory_bytes is None


def test_memory_that_the_system_does_not_know_is_not_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unknown(_name: str) -> int:
        raise ValueError("unrecognized configuration name")

    monkeypatch.setattr(os, "sysconf", unknown)
    assert this_machine().machines[0].memory_bytes is None
