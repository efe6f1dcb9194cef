"""Pieces that a relay process hands on: answered once, stopped, or computed here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pytestqt.qtbot import QtBot

from advisor.basics.shards import computing_on, each
from gui.basics import remote_client as elsewhere
from gui.basics import remote_client_process as relay
from gui.basics.background_jobs import LatestWins
from gui.basics.remote_client import RemoteWorkers
from machines import InputError
from machines.stopping import Stopped, stoppable
from tests.gui import relays
from tests.gui.relays import process_of, thread_of
from tests.shuffled import Shuffled

ADDRESS = "tcp://there:8786"


class Heard:
    """What workers have to say."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.told: list[str] = []


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[RemoteWorkers, Heard]]]:
    """``made(relayed)``: an `RemoteWorkers` whose relay processes do that."""
    monkeypatch.setattr(elsewhere, "connect", relays.nowhere)
    opened: list[RemoteWorkers] = []

    def make(relayed: Callable[..., str]) -> tuple[RemoteWorkers, Heard]:
        monkeypatch.setattr(elsewhere, "relayed", relayed)
        heard = Heard()
        opened.append(RemoteWorkers(ADDRESS, heard.notes.append, heard.told.append))
        return opened[-1], heard

    yield make
    for one in opened:
        one.close()


def test_pieces_are_answered_by_another_process(
    made: Callable[..., tuple[RemoteWorkers, Heard]],
) -> None:
    there, heard = made(relays.backwards)
    with computing_on(there):
        found = list(each(process_of, range(5)))
    assert [place for place, _ in found] == [4, 3, 2, 1, 0]
    assert {place: value for place, (value, _) in found} == {one: 2 * one for one in range(5)}
    processes = {process for _, (_, process) in found}
    assert len(processes) == 1
    assert os.getpid() not in processes
    assert (heard.notes, heard.told) == ([], [f"Computed on {ADDRESS}"])
    with computing_on(there):  # the process stays warm
        assert {process for _, (_, process) in each(process_of, range(3))} == processes


def test_calls_at_the_same_time_have_processes_of_their_own(
    made: Callable[..., tuple[RemoteWorkers, Heard]],
) -> None:
    there, _ = made(relays.backwards)
    with computing_on(there):
        one, other = each(process_of, range(2)), each(process_of, range(2))
        _, (_, first) = next(one)
        _, (_, second) = next(other)
        assert first != second
        assert [place for place, _ in (*one, *other)] == [0, 0]


def test_what_a_process_that_ends_has_not_answered_is_computed_here(
    made: Callable[..., tuple[RemoteWorkers, Heard]],
) -> None:
    there, heard = made(relays.dying)
    with computing_on(there):
        found = list(each(process_of, range(5)))
    assert [place for place, _ in found] == [3, 1, 0, 2, 4]
    assert all(value == 2 * place for place, (value, _) in found)
    assert [process == os.getpid() for _, (_, process) in found] == [False, False, True, True, True]
    assert heard.notes == [f"Computed on this machine: the process that uses {ADDRESS} has ended"]


def test_what_a_process_that_ends_has_not_answered_another_one_answers(
    made: Callable[..., tuple[RemoteWorkers, Heard]],
) -> None:
    there, heard = made(relays.dying_of_many)
    with computing_on(there):
        found = list(each(process_of, range(3)))
    assert [(place, value) for place, (value, _) in found] == [(0, 0), (2, 4), (1, 2)]
    first, second, third = (process for _, (_, process) in found)
    assert first != second == third and os.getpid() not in (first, second)
    assert (heard.notes, heard.told) == ([], [f"Computed on {ADDRESS}"])


def test_what_no_process_answers_is_computed_on_the_thread_of_the_job_never_on_the_windows(
    qtbot: QtBot,
    made: Callable[..., tuple[RemoteWorkers, Heard]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there, _ = made(relays.dying)
    monkeypatch.setattr("gui.basics.background_jobs.current", lambda: there)
    jobs = LatestWins(None, "job of the test")
    with qtbot.waitSignal(jobs.done) as answered:
        jobs.request(lambda _stop: list(each(thread_of, range(5))))
    here = {thread for _, (_, process, thread) in answered.args[0] if process == os.getpid()}
    assert here == {"job of the test"}
    jobs.close()


def test_notes_are_heard_and_then_nothing_is_told(
    made: Callable[..., tuple[RemoteWorkers, Heard]],
) -> None:
    there, heard = made(relays.noting)
    with computing_on(there):
        list(each(process_of, range(2)))
    assert (heard.notes, heard.told) == ([f"The scheduler at {ADDRESS} is gone"], [])


def test_what_a_piece_refuses_is_raised(made: Callable[..., tuple[RemoteWorkers, Heard]]) -> None:
    there, _ = made(relays.backwards)
    with computing_on(there), pytest.raises(InputError, match="below 0"):
        list(each(process_of, [1, -1, 2]))
    with computing_on(there):
        assert len(list(each(process_of, [1, 2]))) == 2


@contextmanager
def stopped_after_the_first(there: RemoteWorkers) -> Iterator[None]:
    enough: list[object] = []
    with computing_on(there), stoppable(lambda: bool(enough)):
        pieces = each(process_of, range(3))
        enough.append(next(pieces))
        with pytest.raises(Stopped):
            next(pieces)
        yield


def test_a_stopped_call_is_stopped_there_and_its_process_serves_the_next(
    made: Callable[..., tuple[RemoteWorkers, Heard]],
) -> None:
    there, heard = made(relays.endless)
    with stopped_after_the_first(there):
        (warm,) = there._idle
        assert not warm._open  # it has said that it stopped, whatever it had told until then
    assert not heard.notes


def test_a_process_that_does_not_stop_is_ended(
    made: Callable[..., tuple[RemoteWorkers, Heard]],
) -> None:
    there, heard = made(relays.deaf)
    with stopped_after_the_first(there):
        assert not there._idle
    again, _ = made(relays.backwards)
    with computing_on(again):
        assert len(list(each(process_of, range(2)))) == 2
    assert not heard.notes


def test_once_closed_everything_is_computed_here(
    made: Callable[..., tuple[RemoteWorkers, Heard]],
) -> None:
    there, heard = made(relays.backwards)
    there.warm_up()
    there.close()
    with computing_on(there):
        assert {process for _, (_, process) in each(process_of, range(3))} == {os.getpid()}
    assert not heard.notes  # nobody was lost


def test_jobs_of_the_window_compute_where_it_is_set(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = Shuffled()
    monkeypatch.setattr("gui.basics.background_jobs.current", lambda: shards)
    jobs = LatestWins(None, "pieces")
    with qtbot.waitSignal(jobs.done) as answered:
        jobs.request(lambda _stop: dict(each(process_of, range(4))))
    assert {place: value for place, (value, _) in answered.args[0].items()} == {
        0: 0, 1: 2, 2: 4, 3: 6,
    }  # fmt: skip
    assert shards.calls == [("process_of", 4)]
    jobs.close()


# The other end ----------------------------------------------------------------------------


class Workers(Shuffled):
    """Workers of a scheduler that is lost in the middle of the second call."""

    def __init__(self, note: Callable[[str], None]) -> None:
        super().__init__()
        self.note = note

    def each(self, function, items):  # type: ignore[no-untyped-def]
        if self.calls:
            self.note("the scheduler was gone: 2 pieces computed on this machine")
        yield from super().each(function, items)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    relay._line.cache_clear()
    monkeypatch.setattr(relay.logging, "disable", lambda: None)
    yield
    relay._line.cache_clear()


def asked() -> tuple[list[object], str]:
    told: list[object] = []
    said = relay.relayed(ADDRESS, process_of, range(3), told.append, lambda: False)
    return told, said


def test_the_relay_hands_pieces_to_the_workers_and_says_what_they_say(
    line: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses: list[object] = []

    @contextmanager
    def computing(
        address: str, *, on_note: Callable[[str], None], **how: object
    ) -> Iterator[Workers]:
        addresses.append((address, how["fallback"]))
        on_note("2 workers compile the kernels first")
        yield Workers(on_note)

    monkeypatch.setattr("advisor.computing.computing", computing)
    relay.connect(ADDRESS)
    told, said = asked()
    assert told[0] == relay.Said("2 workers compile the kernels first")  # before anybody asked
    assert sorted(one.place for one in told[1:]) == [0, 1, 2]  # type: ignore[attr-defined]
    assert said == ""
    told, said = asked()
    assert told[0] == relay.Said("the scheduler was gone: 2 pieces computed on this machine")
    assert said == ""
    assert addresses == [(ADDRESS, True)]  # one connection


def test_where_nobody_answers_the_relay_computes_itself_and_says_so_once(
    line: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []

    def computing(address: str, **_how: object) -> object:
        tries.append(address)
        raise InputError("no Dask scheduler answers", where=address)

    monkeypatch.setattr("advisor.computing.computing", computing)
    relay.connect(ADDRESS)
    (first, said), (second, also) = asked(), asked()
    assert isinstance(first[0], relay.Said)
    assert first[0].text.startswith("Computed on this machine: ")
    assert "no Dask scheduler answers" in first[0].text
    assert [type(one) for one in second] == [relay.Answer] * 3
    assert (said, also) == ("", "")
    assert tries == [ADDRESS]  # it is tried again, but not at once
