"""The run record while a run goes on: whole lines, there as soon as a task ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from advisor.runs.record import TaskRun
from advisor.runs.record_csv import header_line, is_record, line, parse
from machines.errors import InputError
from machines.files import MIB, decoded, keep_others_out, read_bytes, refusal

_LIMIT = 256 * MIB


class Recording:
    """Where the lines of one run go.

    Attributes
    ----------
    run : str
        The run's name in the record: "run 1" in an empty one.
    """

    def __init__(self, run: str = "run 1", path: Path | None = None, file: BinaryIO | None = None):
        self.run = run
        self._path, self._file = path, file

    def add(self, one: TaskRun) -> None:
        """Write a task's line; it is with the operating system when this returns.

        Raises
        ------
        InputError
            It can't be written.
        """
        if self._file is None:
            return
        try:
            self._file.write(line(self.run, one).encode())
        except OSError as error:
            raise refusal("can't be written", self._path or "", error) from error


@contextmanager
def recording(path: Path | None) -> Iterator[Recording]:
    """Add a run to a record, or begin one; None: nothing is written.

    Raises
    ------
    InputError
        It can't be written, is a file of another kind, or another run writes it.
    """
    if path is None:
        yield Recording()
        return
    try:
        file = path.open("ab", buffering=0)  # nothing stays in this process: it may be killed
    except (OSError, ValueError) as error:
        raise refusal("can't be written", path, error) from error
    with file:
        # two runs at once would take one name
        keep_others_out(file, path, "another run", "Wait for it, or name another file")
        run = _next_run(path)
        try:
            _begin(file)
        except OSError as error:
            raise refusal("can't be written", path, error) from error
        yield Recording(run, path, file)


def _next_run(path: Path) -> str:
    """A name that the record does not hold."""
    if not path.is_file() or not path.stat().st_size:
        return "run 1"
    text = decoded(read_bytes(path, _LIMIT), str(path))
    if not is_record(text) or not text.startswith(header_line()):
        raise InputError(
            "the file exists and is not a run record", where=str(path), remedy="Name another file"
        )
    taken = {one.name for one in parse(text, str(path))}
    number = len(taken) + 1
    while f"run {number}" in taken:
        number += 1
    return f"run {number}"


def _begin(file: BinaryIO) -> None:
    """The header of an empty file; a last line that is cut goes."""
    if not file.tell():
        file.write(header_line().encode())
        return
    name = Path(file.name)
    content = name.read_bytes()
    if not content.endswith(b"\n"):
        os.truncate(name, content.rfind(b"\n") + 1)
