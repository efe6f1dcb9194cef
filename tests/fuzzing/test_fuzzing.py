"""The fuzzer: its files are read as they are, its cases are repeatable, its findings are told.

A few cases of a fixed seed are tried here; ``python -m tests.fuzzing N SEED`` tries any number.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Never

import pytest

from machines import InputError
from tests.fuzzing.mutations import mutated
from tests.fuzzing.readers import Reader, readers
from tests.fuzzing.running import run
from tests.fuzzing.worker import case, tried

pytestmark = pytest.mark.usefixtures("compiled")  # questions about projects are searched

_RUN = 50_000  # letters: a pattern that tries the rest anew at each takes minutes
_BY_LOOKS = {"others", "sites"}  # told by patterns, each of which is tried on every file
# a file or a machine that they need may be missing
_ELSEWHERE = {"plan", "anything", "sites", "asked to open", "arguments"}


def test_what_mutations_begin_with_is_read(tmp_path: Path) -> None:
    for reader in readers():  # not parameters: they take a second to make, in each worker
        # the first to be read brings modules in, and other tests may have left threads at work
        outcomes = [tried(reader, content, tmp_path / "file", 60.0) for content in reader.seeds]
        allowed = {"read", "refused"} if reader.name in _ELSEWHERE else {"read"}
        assert set(outcomes) <= allowed, (reader.name, outcomes)
        assert "read" in outcomes, reader.name


def test_no_reader_takes_a_time_that_grows_as_the_square_of_a_run(tmp_path: Path) -> None:
    for reader in readers():
        letters = (b"0", b" ", b"a", b"\n", b"\t") if reader.name in _BY_LOOKS else (b"0", b" ")
        for seed in () if reader.name.startswith(("asked", "arguments")) else reader.seeds:
            number = re.search(rb"[0-9]+", seed)
            for letter in letters if number else ():
                content = seed[: number.end()] + letter * _RUN + b"!" + seed[number.end() :]
                outcome = tried(reader, content, tmp_path / "file")
                assert outcome in {"read", "refused"}, (reader.name, letter, seed[:80])


def test_a_case_is_the_same_whenever_it_is_asked_for() -> None:
    for number in range(60):
        reader, content = case(3, number)
        again, same = case(3, number)
        assert (reader.name, content) == (again.name, same)
    assert len({case(3, number)[1] for number in range(200)}) > 150


def test_mutations_change_what_they_are_given() -> None:
    seed = readers()[0].seeds[0]
    changed = [mutated(Random(number), seed, [b"other"]) != seed for number in range(50)]
    assert sum(changed) > 45


def _fails(error: BaseException) -> Reader:
    def read(_path: Path) -> Never:
        raise error

    return Reader("failing", read, ())


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (InputError("odd", value="\x1b\u202e", where="x" * 10**6), "refused"),
        (KeyError("allocation"), "KeyError"),
        (RecursionError(), "RecursionError"),
        (MemoryError(), "more than 1024 MiB"),
        (SystemExit(3), "SystemExit"),
    ],
    ids=lambda one: one if isinstance(one, str) else type(one).__name__,
)
def test_what_comes_of_a_file_is_told(error: BaseException, told: str, tmp_path: Path) -> None:
    assert tried(_fails(error), b"", tmp_path / "file").startswith(told)


def test_a_reader_that_takes_too_long_is_told_in_any_process(tmp_path: Path) -> None:
    def read(_path: Path) -> Never:
        while True:
            pass

    outcome = tried(Reader("busy", read, ()), b"", tmp_path / "file", 0.05)
    assert outcome.startswith("longer than 0.05 s: ")


def test_no_reader_fails_on_mutated_files() -> None:
    (outcome,) = run(560, seed=20)
    assert outcome.findings == []
    assert outcome.count.total() == 560
    assert min(outcome.count["read"], outcome.count["refused"]) > 40
