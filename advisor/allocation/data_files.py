"""Files that tasks read and write: who makes each, who reads it, and what follows for the graph.

A reader depends on the file's writer, and the file moves from where it is made. A file that no
task makes lies outside, on a machine or a store, and moves from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from machines.arrays import Indices
from machines.checks import number, plain_name, repeated, text
from machines.errors import InputError

_DECLARE = "Declare it: [[file]] with name and bytes"


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that tasks read or write.

    Attributes
    ----------
    size_bytes : float
    at : str or None
        Machine or store on which it lies from the start, of a file that no task makes; ``None``:
        on the platform's only store.
    """

    name: str
    size_bytes: float
    at: str | None = None

    def __post_init__(self) -> None:
        where = f'file "{self.name}"'
        plain_name("name", self.name, where="file")
        number("bytes", self.size_bytes, where=where)
        if self.at is not None:
            text("at", self.at, where=where)


class TaskFiles(NamedTuple):
    """Name, reads and writes of a task."""

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]


class FileUse(NamedTuple):
    """Who makes and who reads the files, in positions.

    Attributes
    ----------
    writer : int32 array (files,)
        The task that makes each; −1: it lies outside.
    readers : tuple of tuple of int, length files
        The tasks that read each, ascending.
    source, target : int32 array (pairs,)
        Tasks joined by files, writer and reader, by reader and then by writer.
    first, carried : int32 array (pairs + 1,), (reads,)
        ``carried[first[pair]:first[pair + 1]]`` are a pair's files, in the reader's order.
    """

    writer: Indices
    readers: tuple[tuple[int, ...], ...]
    source: Indices
    target: Indices
    first: Indices
    carried: Indices

    def files(self, pair: int) -> tuple[int, ...]:
        """The files that join a pair."""
        return tuple(self.carried[self.first[pair] : self.first[pair + 1]].tolist())

    @property
    def pairs(self) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
        """(writer, reader, files) of all pairs."""
        ends = zip(self.source.tolist(), self.target.tolist(), strict=True)
        return tuple((*pair, self.files(position)) for position, pair in enumerate(ends))


def check_names(where: str, reads: tuple[str, ...], writes: tuple[str, ...]) -> None:
    """Refuse a task that names a file twice, or writes what it reads."""
    for key, names in (("reads", reads), ("writes", writes)):
        twice = repeated(names)
        if twice is not None:
            raise InputError(f"{key} names a file twice", where=where, value=twice)
    both = set(writes).intersection(reads)
    if both:
        raise InputError(
            "it writes a file that it reads",
            where=where,
            value=min(both),
            remedy="Give what it writes another name",
        )


def file_use(files: Sequence[DataFile], tasks: Sequence[TaskFiles]) -> FileUse:
    """Who makes and who reads the files. O(files + reads + writes).

    Raises
    ------
    InputError
        Two files of one name, a file that is not declared, two writers of one, or a made file
        that is said to lie somewhere.
    """
    index: dict[str, int] = {}
    for position, described in enumerate(files):
        if index.setdefault(described.name, position) != position:
            raise InputError(
                "two files have one name", where="file", value=described.name, remedy="Rename one"
            )
    writer = _writers(files, tasks, index)
    readers: list[list[int]] = [[] for _ in files]
    reader: list[int] = []
    read: list[int] = []
    for position, task in enumerate(tasks):
        for name in task.reads:
            file = _known(name, index, task, "reads")
            readers[file].append(position)
            read.append(file)
        reader += [position] * len(task.reads)
    made = np.array(writer, dtype=np.int32)
    return FileUse(
        _frozen(made),
        tuple(map(tuple, readers)),
        *_joined(made, np.array(reader, dtype=np.int32), np.array(read, dtype=np.int32)),
    )


def _joined(
    made: Indices, reader: Indices, read: Indices
) -> tuple[Indices, Indices, Indices, Indices]:
    """Source, target, first and carried of `FileUse`, from every read."""
    inside = made[read] >= 0
    target, carried = reader[inside], read[inside]
    source = made[carried]
    order = np.lexsort((source, target))
    source, target, carried = source[order], target[order], carried[order]
    new = np.ones(source.size, dtype=np.bool_)
    new[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    first = np.append(np.flatnonzero(new), source.size).astype(np.int32)
    return _frozen(source[new]), _frozen(target[new]), _frozen(first), _frozen(carried)


def _frozen(values: Indices) -> Indices:
    values.flags.writeable = False
    return values


def _writers(
    files: Sequence[DataFile], tasks: Sequence[TaskFiles], index: dict[str, int]
) -> list[int]:
    """The task that makes each file, or −1."""
    writer = [-1] * len(files)
    for position, task in enumerate(tasks):
        for name in task.writes:
            file = _known(name, index, task, "writes")
            if writer[file] >= 0:
                raise InputError(
                    f"two tasks write this file: {tasks[writer[file]].name} and {task.name}",
                    where=f'file "{name}"',
                    remedy="A file has one writer: give each its own file",
                )
            if files[file].at is not None:
                raise InputError(
                    f"{task.name} writes this file, so it is on the machine of that task",
                    where=f'file "{name}"',
                    value=f"at = {files[file].at}",
                    remedy=f"Remove at, or take the file out of the writes of {task.name}",
                )
            writer[file] = position
    return writer


def _known(name: str, index: dict[str, int], task: TaskFiles, key: str) -> int:
    if name not in index:
        what = (
            ("no task writes this file and it is not declared")
            if key == "reads"
            else "unknown file"
        )
        raise InputError(what, where=f'{key} of task "{task.name}"', value=name, remedy=_DECLARE)
    return index[name]
