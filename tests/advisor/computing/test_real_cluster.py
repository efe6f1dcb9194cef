"""A scheduler and two workers, started with the ``dask`` command; killed and started again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from advisor.computing import computing
from advisor.computing import dask_shards as cluster
from machines.errors import InputError, PlacewiseError
from machines.stopping import Stopped, stoppable
from tests.advisor.computing.pieces import busy, noted, squared
from tests.advisor.running.working import eventually
from tests.dask_programs import Programs
from tests.processes import listening

pytestmark = pytest.mark.engines


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with ExitStack() as stack:
        yield Programs(stack, tmp_path)


def test_nothing_is_lost_nor_twice_when_a_worker_and_then_the_scheduler_are_killed(
    programs: Programs,
) -> None:
    items, notes, answers = [(number, 0.02) for number in range(400)], [], {}
    with computing(programs.address, on_note=notes.append) as shards:
        eventually(lambda: shards.workers == 2)
        for place, (answer, _process) in shards.each(busy, items):
            assert place not in answers
            answers[place] = answer
            if len(answers) == 100:
                programs.workers[0].kill()
            if len(answers) == 200:
                programs.scheduler.kill()
                for program in (programs.scheduler, *programs.workers):
                    program.wait()  # a worker ends when it loses its scheduler
                programs.begin()
        assert dict(shards.each(squared, range(50))) == {one: one * one for one in range(50)}
    assert answers == {number: number * number for number in range(400)}
    assert [note for note in notes if "gone" in note or "back" in note] == [
        f"The scheduler at {programs.address} is gone: waiting 1 min for it",
        "The scheduler is back: unanswered pieces are computed again",
    ]


def test_a_scheduler_that_does_not_come_back_is_told_or_replaced_by_this_machine(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    items, notes, answers = [(number, 0.01) for number in range(100)], [], {}
    with (
        computing(programs.address, patience_s=0.5) as campaign,
        computing(programs.address, on_note=notes.append, fallback=True, patience_s=0.5) as window,
    ):
        eventually(lambda: window.workers == 2)
        for place, (answer, _process) in window.each(busy, items):
            assert place not in answers
            answers[place] = answer
            if len(answers) == 20:
                programs.scheduler.kill()
        assert answers == {number: number * number for number in range(100)}
        assert "gone" in notes[-2]
        assert re.fullmatch(
            r"the scheduler was gone for 500 ms: \d+ pieces computed on this machine", notes[-1]
        )
        with pytest.raises(PlacewiseError, match=r"the scheduler .*gone.* Start it again"):
            list(campaign.each(squared, range(5)))

        monkeypatch.setattr(cluster, "_TRY_S", 0.1)
        monkeypatch.setattr(cluster, "_NEXT_TRY_S", 0.0)
        assert dict(window.each(squared, range(5))) == {one: one * one for one in range(5)}
        assert notes[-1] == "the scheduler is gone: 5 pieces computed on this machine"
        programs.begin()
        monkeypatch.setattr(cluster, "_TRY_S", 30.0)
        assert dict(window.each(squared, range(5))) == {one: one * one for one in range(5)}
        assert notes[-1].endswith("is back")


def test_workers_are_free_once_a_call_is_stopped_or_its_scheduler_lost(
    programs: Programs, tmp_path: Path
) -> None:
    def began() -> bool:
        return len(list(tmp_path.glob("began *"))) == 2

    def ended() -> bool:
        return len(list(tmp_path.glob("ended *"))) == 2

    with computing(programs.address) as shards:
        eventually(lambda: shards.workers == 2)
        assert listening() == {"127.0.0.1"}  # theirs, as they were told; we open nothing
        with pytest.raises(Stopped), stoppable(began):
            list(shards.each(noted, [(str(tmp_path), 600.0)] * 9))
        eventually(ended)
        assert dict(shards.each(squared, range(9))) == {one: one * one for one in range(9)}

        for path in tmp_path.glob("* *"):
            path.unlink()

        def lost() -> bool:
            if began():
                programs.scheduler.kill()
            return ended()

        with pytest.raises(Stopped), stoppable(lost):
            list(shards.each(noted, [(str(tmp_path), 600.0)] * 9))
        for worker in programs.workers:
            worker.wait()


def test_a_worker_that_comes_later_with_another_placewise_gives_no_answer(
    programs: Programs, tmp_path: Path
) -> None:
    change = tmp_path / "change.py"
    change.write_text(
        "from advisor.computing import versions\nversions.digest = lambda: '00000000'\n",
        encoding="utf-8",
    )
    notes: list[str] = []
    answers = {}
    with computing(programs.address, on_note=notes.append) as shards:
        eventually(lambda: shards.workers == 2)
        other = programs.worker("--preload", str(change))
        items = [(number, 0.01) for number in range(100_000)]
        asked = shards.each(busy, items)
        for place, (answer, process) in asked:
            assert place not in answers
            assert process != other.pid
            answers[place] = answer
            if notes and len(answers) % 400 == 0:
                break
        asked.close()
        assert re.search(r"1 worker left out.*\(00000000\) instead of .* pip install pl", notes[0])
        assert all(answer == number * number for number, answer in answers.items())
        found = dict(shards.each(busy, items[:400]))  # the others alone
        assert {process for _, process in found.values()} <= {one.pid for one in programs.workers}
    assert len(notes) == 1


def test_a_worker_that_comes_later_without_placewise_is_left_out(
    programs: Programs, tmp_path: Path
) -> None:
    none = "raise ImportError('there is none here')\n"
    (tmp_path / "advisor.py").write_text(none, encoding="utf-8")
    notes: list[str] = []
    with computing(programs.address, on_note=notes.append) as shards:
        eventually(lambda: shards.workers == 2)
        programs.worker(path=str(tmp_path))
        eventually(lambda: shards.workers == 3)
        items = [(number, 0.01) for number in range(400)]
        assert {place: one for place, (one, _) in shards.each(busy, items)} == {
            number: number * number for number in range(400)
        }
    (note,) = (one for one in notes if "left out" in one)  # a busy machine may say more
    assert re.match(r"1 worker left out.* tcp://127.0.0.1:\d+ \(no Placewise\)", note)


def test_a_worker_without_placewise_is_named(programs: Programs, tmp_path: Path) -> None:
    none = "raise ImportError('there is none here')\n"
    (tmp_path / "advisor.py").write_text(none, encoding="utf-8")
    programs.worker(path=str(tmp_path))

    def refused() -> str:
        try:
            with computing(programs.address):
                return ""  # it has not come yet
        except InputError as error:
            return str(error)

    eventually(refused)
    assert re.match(
        r"1 worker has another version .* tcp://127.0.0.1:\d+ \(no Placewise\)", refused()
    )
