"""What is sent through a pipe arrives as it was; its arrays are sent as they lie in memory."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread

import numpy as np
import pytest

from gui.basics.messages import pickled, receive, send
from gui.basics.worker import CANCEL
from machines.arrays import Floats


class Busy:
    """Another thread fills its caches the first times that it is looked at."""

    def __init__(self, times: int, error: type[RuntimeError] = RuntimeError) -> None:
        self.times, self.error, self.looked = times, error, 0

    def __getstate__(self) -> dict[str, int]:
        self.looked += 1
        if self.looked <= self.times:
            raise self.error("dictionary changed size during iteration")
        return {"times": self.times}


@dataclass(frozen=True, eq=False)
class Holder:
    """Some arrays, of which two are one."""

    name: str
    values: Floats
    again: Floats
    few: Floats


@pytest.fixture
def pipe() -> Iterator[tuple[Connection, Connection]]:
    ours, theirs = Pipe()
    with ours, theirs:
        yield ours, theirs


def sent(pipe: tuple[Connection, Connection], message: object) -> object:
    """What arrives of a message, which may be longer than the pipe holds."""
    writer = Thread(target=send, args=(pipe[0], message))
    writer.start()
    found = receive(pipe[1])
    writer.join()
    return found


def test_arrays_arrive_as_they_were_and_may_be_written_to_as_before(
    pipe: tuple[Connection, Connection],
) -> None:
    values = np.arange(100_000.0).reshape(1000, 100)
    values.flags.writeable = False
    few = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    found = sent(pipe, Holder("née", values, values, few))
    assert isinstance(found, Holder)
    assert found.name == "née" and found.values is found.again
    for got, was in ((found.values, values), (found.few, few)):
        assert np.array_equal(got, was) and got.dtype == was.dtype and got.strides == was.strides
        assert got.flags.writeable == was.flags.writeable


@pytest.mark.parametrize("message", [CANCEL, None, (), np.float64(2.5), {"a": np.arange(0.0)}])
def test_messages_with_few_arrays_or_none_arrive_one_after_the_other(
    pipe: tuple[Connection, Connection], message: object
) -> None:
    for told in (message, "next"):
        send(pipe[0], told)
    assert repr(receive(pipe[1])) == repr(message)
    assert receive(pipe[1]) == "next"


def test_an_array_is_no_part_of_the_bytes_that_are_made_for_it() -> None:
    values = np.zeros(1_000_000)
    content, arrays = pickled(("values", values))
    assert len(content) < 1000
    assert [np.shares_memory(np.frombuffer(one.raw()), values) for one in arrays] == [True]


def test_a_value_whose_caches_fill_meanwhile_is_pickled_again() -> None:
    content, arrays = pickled(Busy(3))
    assert pickle.loads(content, buffers=arrays).times == 3


def test_what_never_can_be_pickled_is_told_at_once() -> None:
    deep = Busy(1000, RecursionError)
    with pytest.raises(RecursionError):
        pickled(deep)
    assert deep.looked == 1
    with pytest.raises(RuntimeError):
        pickled(Busy(10_000))
