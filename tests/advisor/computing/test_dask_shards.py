"""Pieces over a Dask cluster whose scheduler and workers are threads of this process."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from advisor import kernels
from advisor.basics.shards import computing_on, each
from advisor.computing import at_worker, computing
from advisor.computing.at_worker import Differs
from machines.errors import InputError
from machines.stopping import Stopped, stoppable
from tests.advisor.computing.pieces import refused, squared
from tests.dask_cluster import running_cluster


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_cluster({name: {"nthreads": 1} for name in "ab"}) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers are here: what they load would be loaded for all tests."""
    monkeypatch.setattr(kernels, "load", lambda _should_stop: True)
    monkeypatch.setattr(kernels, "ready", lambda: True)
    monkeypatch.setattr(at_worker, "_loading", threading.Thread)  # one that never began is over


def with_a(large: bytes, number: int) -> int:
    return len(large) + number


def test_many_calls_share_a_connection(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import functools

    notes: list[str] = []
    with computing(address, on_note=notes.append) as shards, computing_on(shards):
        assert shards.workers == 2
        assert dict(each(squared, range(300))) == {one: one * one for one in range(300)}

        with pytest.raises(InputError, match="three is not wanted"):
            list(each(refused, range(50)))

        abandoned = shards.each(squared, range(10**6))
        next(abandoned)
        abandoned.close()
        assert dict(shards.each(squared, [7, 8])) == {0: 49, 1: 64}

        with pytest.raises(Stopped), stoppable(lambda: True):
            list(each(squared, range(10**6)))

        large = functools.partial(with_a, b"x" * (1 << 20))  # goes to a worker once
        assert dict(each(large, range(9))) == {one: (1 << 20) + one for one in range(9)}
    assert notes == []


def test_workers_with_something_else_are_named_before_anything_runs(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = at_worker.versions()
    other = (("Placewise", "0.0.1 (00000000)"), *real[1:-1], ("numba", "0.1"))
    monkeypatch.setattr(at_worker, "versions", lambda: other)
    with pytest.raises(InputError) as at, computing(address):
        pass
    said = str(at.value)
    assert said.startswith(
        "2 workers have another version of Placewise or its packages: tcp://127.0.0.1:"
    )
    assert f"(Placewise 0.0.1 (00000000) instead of {real[0][1]}, numba 0.1 instead of" in said
    assert f"pip install placewise=={real[0][1].split()[0]} numpy==" in said


def test_where_all_have_become_others_nothing_is_answered(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = (("Placewise", "0.0.1 (00000000)"), *at_worker.versions()[1:])
    notes: list[str] = []
    with (
        computing(address) as shards,
        computing(address, on_note=notes.append, fallback=True) as window,
    ):
        monkeypatch.setattr(at_worker, "versions", lambda: other)
        with pytest.raises(InputError, match=r"2 workers have .* \(Placewise 0.0.1"):
            list(shards.each(squared, range(10)))

        assert dict(window.each(squared, range(10))) == {one: one * one for one in range(10)}
        assert "with another version of Placewise" in notes[0]
        assert notes[-1] == (
            "no worker runs this version of Placewise: 10 pieces computed on this machine"
        )


def test_one_that_has_become_another_is_left_out_and_the_others_go_on(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs: set[str] = set()
    real, described = at_worker.answered, at_worker.versions()

    def answered(expected: Any, function: bytes, items: bytes) -> bytes:
        from distributed import get_worker

        theirs.add(get_worker().address)
        if get_worker().address != min(theirs) or len(theirs) == 1:
            return real(expected, function, items)
        return pickle.dumps(Differs(min(theirs), (("Placewise", "0.0.1"), *described[1:])))

    monkeypatch.setattr(at_worker, "answered", answered)
    notes: list[str] = []
    with computing(address, on_note=notes.append) as shards:
        for _ in range(2):
            found = list(shards.each(squared, range(300)))
            assert sorted(found) == [(one, one * one) for one in range(300)]
    (note,) = notes
    assert note.startswith("1 worker left out, with another version of Placewise")
    assert f"{min(theirs)} (Placewise 0.0.1 instead of " in note


def test_another_python_is_refused_before_any_code_is_sent(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client

    def old(_client: object) -> Any:
        there = {"packages": {"python": "3.9.1.final.0"}}
        return {
            "scheduler": {"packages": {"python": "3.9.1.final.0"}},
            "workers": {"tcp://w:1": there},
        }

    def sent(*_: object, **__: object) -> None:
        raise AssertionError("code was sent")

    monkeypatch.setattr(Client, "get_versions", old)
    monkeypatch.setattr(Client, "run", sent)
    said = r"Python 3.9 instead of .* with Python 3"
    with pytest.raises(InputError, match=said), computing(address):
        pass


def test_workers_that_must_compile_first_are_counted(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[str] = []
    monkeypatch.setattr(kernels, "ready", lambda: False)
    with computing(address, on_note=notes.append):
        assert notes == ["2 workers compile the kernels first, once: half a minute"]


def test_nobody_there_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    from advisor.computing import dask_shards as cluster

    monkeypatch.setattr(cluster, "_FIRST_S", 0.1)
    said = r"no Dask scheduler answers .* Check that `dask scheduler`"
    with pytest.raises(InputError, match=said), computing("tcp://127.0.0.1:9"):
        pass


def test_an_address_that_is_none_is_said_too() -> None:
    with pytest.raises(InputError, match="no Dask scheduler answers"), computing("nonsense://x:1"):
        pass
