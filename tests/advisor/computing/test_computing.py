"""Where pieces are computed, as it was asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from advisor import computing as room
from advisor import kernels
from advisor.basics.shards import computing_on, each
from advisor.computing import computing
from machines.errors import InputError
from machines.stopping import Stopped
from tests.advisor.computing.pieces import squared


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "load", lambda _should_stop: True)


def test_one_worker_computes_here_in_order_without_dask() -> None:
    with computing(workers=1) as shards, computing_on(shards):
        assert list(each(squared, range(5))) == [(one, one * one) for one in range(5)]
        assert shards.workers == 1


def test_a_machine_with_one_processor_computes_here_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "processors", lambda: 1)
    with computing() as shards:
        assert shards.workers == 1


def test_what_asks_to_stop_is_asked() -> None:
    asked = iter([False, False, True])
    found = []
    with pytest.raises(Stopped), computing(workers=1, should_stop=lambda: next(asked)) as shards:
        found.extend(shards.each(squared, range(10)))
    assert next(asked, None) is None


def test_no_workers_are_refused() -> None:
    with pytest.raises(InputError, match="must be a worker"), computing(workers=0):
        pass


def test_at_least_one_processor_is_there() -> None:
    assert room.processors() >= 1


def test_importing_the_room_imports_no_dask() -> None:
    code = "import sys, advisor.computing; sys.exit('distributed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
