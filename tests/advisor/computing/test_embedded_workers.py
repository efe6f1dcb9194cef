"""Workers of this process: who may reach them, what outlives what, and pieces that end them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.basics.scheduler_address import unprotected
from advisor.computing import computing
from advisor.computing.dask_shards import Cluster
from advisor.computing.window import PiecesLost
from machines.stopping import Stopped, stoppable
from tests.advisor.computing.pieces import busy, deadly, deadly_once, squared
from tests.advisor.running.working import eventually
from tests.processes import children, listening, ports, strangers_in

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def shards() -> Iterator[Cluster]:
    with computing(workers=2) as found:
        assert isinstance(found, Cluster)
        yield found


def test_pieces_are_computed_by_processes_that_nobody_else_can_reach(shards: Cluster) -> None:
    found = dict(shards.each(busy, [(number, 0.01) for number in range(200)]))
    assert {place: answer for place, (answer, _) in found.items()} == {
        number: number * number for number in range(200)
    }
    processes = {process for _, process in found.values()}
    assert len(processes) == 2
    assert processes < set(children(os.getpid()))
    assert listening() == {"127.0.0.1"}
    assert ports()
    assert strangers_in() == []


def test_a_scheduler_without_tls_is_said_before_its_first_use() -> None:
    assert unprotected("tls://host:8786") == ""
    assert "tcp://host:8786 has no TLS" in unprotected("tcp://host:8786")
    assert "host:8786 has no TLS" in unprotected("host:8786")


def test_a_call_that_is_abandoned_does_not_disturb_the_next(shards: Cluster) -> None:
    first = shards.each(busy, [(number, 0.05) for number in range(1000)])
    next(first)
    with pytest.raises(Stopped), stoppable(lambda: True):
        list(shards.each(busy, [(0, 600.0)] * 9))
    assert dict(shards.each(squared, range(100))) == {one: one * one for one in range(100)}
    first.close()
    assert dict(shards.each(squared, range(100))) == {one: one * one for one in range(100)}


def test_workers_that_die_are_replaced_and_nothing_is_lost_nor_twice(
    shards: Cluster, tmp_path: Path
) -> None:
    items = [(number, str(tmp_path / "mark")) for number in range(100)]
    found = list(shards.each(deadly_once, items))
    assert sorted(found) == [(number, number) for number in range(100)]
    eventually(lambda: shards.workers == 2)


def test_a_piece_that_ends_its_workers_is_named_and_all_others_are_answered(
    shards: Cluster,
) -> None:
    found = {}
    with pytest.raises(PiecesLost, match=r"1 piece crashed every worker .* number 4") as at:
        for place, answer in shards.each(deadly, range(20)):
            assert place not in found
            found[place] = answer
    assert at.value.places == (3,)
    assert found == {number: number for number in range(20) if number != 3}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_process_and_leave_no_file(
    tmp_path: Path, how: signal.Signals
) -> None:
    script, folder = tmp_path / "program.py", tmp_path / "temporary"
    folder.mkdir()
    script.write_text(
        f"""
import signal
from advisor.computing import computing
from tests.advisor.computing.pieces import noted
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let what is behind ignore it
    with computing(workers=2) as shards:
        list(shards.each(noted, [({str(tmp_path)!r}, 600.0)] * 8))
""",
        encoding="utf-8",
    )
    paths = os.pathsep.join(map(os.path.abspath, sys.path))
    environment = os.environ | {"PYTHONPATH": paths, "TMPDIR": str(folder)}
    with subprocess.Popen([sys.executable, script], env=environment) as process:
        eventually(lambda: len(list(tmp_path.glob("began *"))) == 2)
        started = children(process.pid)
        assert {int(path.name.split()[1]) for path in tmp_path.glob("began *")} < set(started)
        process.send_signal(how)
    eventually(lambda: not any(Path(f"/proc/{one}").exists() for one in started))
    assert list(folder.iterdir()) == []


def test_workers_that_still_start_are_ended_when_nobody_wants_them_any_more() -> None:
    before = set(children(os.getpid()))

    def coming() -> set[int]:
        return set(children(os.getpid())) - before

    with pytest.raises(Stopped), computing(workers=2, should_stop=lambda: len(coming()) == 2):
        pass
    eventually(lambda: not coming())


@pytest.mark.parametrize("when", ["while workers start", "while they work"])
def test_an_interrupt_at_the_terminal_is_heard_by_the_program_alone(
    tmp_path: Path, when: str
) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "advisor.commands.cli", "campaign", "lists", "--out", str(out)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    with subprocess.Popen(
        [*command, "--workers", "2"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        env=environment, start_new_session=True,
    ) as process:  # fmt: skip
        if when == "while they work":
            eventually((out / "results.csv").exists)
        eventually(lambda: len(children(process.pid)) >= 3)  # one looks after their semaphores
        started = children(process.pid)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, said = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith("placewise: ")
    eventually(lambda: not any(Path(f"/proc/{one}").exists() for one in started))
