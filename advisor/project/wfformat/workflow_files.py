"""Files of a WfFormat workflow: who writes and reads each, and which dependencies carry none.

A workload's file has one writer, who does not read it. Logs know no such rule: what several tasks
write, or one task changes in place, becomes several files, the later ones called "name (2)", ….
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from advisor.allocation.data_files import DataFile
from advisor.basics.quantities import count, number
from advisor.project.wfformat.workflow_record import Record, Sizes
from machines import InputError

_NAMED = 3  # of many
_OUTSIDE = -1

Edge = tuple[int, int]  # writer or parent, reader or child: positions
Version = tuple[str, int]  # file and its writer, or `_OUTSIDE`


class Exchange(NamedTuple):
    """What tasks hand to each other.

    Attributes
    ----------
    files : tuple of DataFile
    reads, writes : list of tuple of str
        Names of files by task.
    bare : list of (parent, child)
        Dependencies without a file, in the order of the edges.
    """

    files: tuple[DataFile, ...]
    reads: list[tuple[str, ...]]
    writes: list[tuple[str, ...]]
    bare: list[Edge]


def few(names: Iterable[str]) -> str:
    """Some of many names."""
    every = sorted(names)
    return ", ".join(every[:_NAMED]) + (", …" if len(every) > _NAMED else "")


def exchange(
    records: list[Record], edges: Collection[Edge], sizes: Sizes, warnings: list[str]
) -> Exchange:
    """The files of a workflow, and what is left of its dependencies.

    Parameters
    ----------
    edges : dict or set of (parent, child)
        As the workflow tells them.
    warnings : list of str
        What is assumed is appended.

    Raises
    ------
    InputError
        A negative size.
    """
    writers: dict[str, list[int]] = {}
    for position, record in enumerate(records):
        for file in record.outputs:
            writers.setdefault(file, []).append(position)
    parents: list[set[int]] = [set() for _ in records]
    for parent, child in edges:
        parents[child].add(parent)
    read, unnamed = _versions_read(records, parents, writers, warnings)
    if unnamed:
        read = _without_cycles(read, edges, unnamed, sizes, warnings)
    names = _names(records, read, sizes)
    several = [file for file, made in writers.items() if len(made) > 1]
    if several:
        warnings.append(
            f"{count(len(several), 'file')} written by several tasks ({few(several)}): each writes "
            "a file of its own"
        )
    for child, versions in enumerate(read):
        parents[child].difference_update([writer for _, writer in versions])
    _warn_of_sizes(read, sizes, warnings)
    return Exchange(
        tuple(DataFile(name, _size(version, records, writers, sizes)) for version, name in
              names.items()),
        [tuple(names[version] for version in versions) for versions in read],
        [
            tuple(names[file, position] for file in record.outputs)
            for position, record in enumerate(records)
        ],
        [edge for edge in edges if edge[0] in parents[edge[1]]],
    )  # fmt: skip


def _versions_read(
    records: list[Record],
    parents: list[set[int]],
    writers: dict[str, list[int]],
    warnings: list[str],
) -> tuple[list[list[Version]], set[Edge]]:
    """What every task reads, and where its writer is no parent.

    Of a file's writers its parents, else the first, else from outside.
    """
    read: list[list[Version]] = []
    unnamed: set[Edge] = set()
    far: set[str] = set()
    changed: set[str] = set()
    for child, record in enumerate(records):
        versions: list[Version] = []
        near = parents[child]
        for file in dict.fromkeys(record.inputs):
            made = writers.get(file, ())
            named = [(file, writer) for writer in made if writer in near and writer != child]
            if not named:
                others = [writer for writer in made if writer != child]
                named = [(file, others[0] if others else _OUTSIDE)]
                if others:
                    unnamed.add((others[0], child))
                    far.add(file)
                elif made:
                    changed.add(file)
            versions += named
        read.append(versions)
    if far:
        warnings.append(
            f"{count(len(far), 'file')} read by tasks that do not name the writer among their "
            f"parents ({few(far)}): they wait for it all the same"
        )
    if changed:
        warnings.append(
            f"{count(len(changed), 'file')} that a task reads and writes and no other makes "
            f"({few(changed)}): what it reads comes from outside"
        )
    return read, unnamed


def _without_cycles(
    read: list[list[Version]],
    edges: Collection[Edge],
    unnamed: set[Edge],
    sizes: Sizes,
    warnings: list[str],
) -> list[list[Version]]:
    """Without what tasks read from those that come after them, where parents tell otherwise."""
    if len(_order(len(read), [*edges, *unnamed])) == len(read):
        return read
    place = {task: at for at, task in enumerate(_order(len(read), edges))}
    if len(place) < len(read):
        return read  # the parents tell a cycle: refused as that
    lost = {
        (child, file, writer)
        for child, one in enumerate(read)
        for file, writer in one
        if (writer, child) in unnamed and place[writer] > place[child]
    }
    total = sum(sizes.known.get(file, 0.0) for _, file, _ in lost)
    warnings.append(
        f"{count(len({file for _, file, _ in lost}), 'file')} read before they are written, "
        "according "
        f"to the parents ({few({file for _, file, _ in lost})}): {number(total, 'B')} are left out"
    )
    return [
        [(file, writer) for file, writer in one if (child, file, writer) not in lost]
        for child, one in enumerate(read)
    ]


def _order(tasks: int, edges: Iterable[Edge]) -> list[int]:
    """The tasks in a topological order, without those on or behind a cycle."""
    children: list[list[int]] = [[] for _ in range(tasks)]
    waiting = [0] * tasks
    for parent, child in edges:
        children[parent].append(child)
        waiting[child] += 1
    order = [task for task in range(tasks) if waiting[task] == 0]
    for task in order:
        for child in children[task]:
            waiting[child] -= 1
            if waiting[child] == 0:
                order.append(child)
    return order


def _names(records: list[Record], read: list[list[Version]], sizes: Sizes) -> dict[Version, str]:
    """A name for every version of every file, by task; the first keeps the file's own."""
    versions: dict[str, dict[int, None]] = {}
    for position, (record, taken) in enumerate(zip(records, read, strict=True)):
        for file, writer in taken:
            if writer == _OUTSIDE:
                versions.setdefault(file, {})[_OUTSIDE] = None
        for file in record.outputs:
            versions.setdefault(file, {})[position] = None
    for file in sizes.known:  # what nobody reads or writes is kept, too
        versions.setdefault(file, {_OUTSIDE: None})
    names: dict[Version, str] = {}
    for file, found in versions.items():
        name, following = file, 1
        for writer in found:
            names[file, writer] = name
            following += 1
            while (name := f"{file} ({following})") in versions:
                following += 1
    return names


def _size(
    version: Version, records: list[Record], writers: dict[str, list[int]], sizes: Sizes
) -> float:
    """Bytes of a file: the largest told, or of several writers what each tells; 0: none."""
    file, writer = version
    size = sizes.known.get(file)
    if writer != _OUTSIDE and len(writers[file]) > 1:
        own = records[writer].outputs[file]
        size = size if own is None else own
    if size is not None and size < 0:
        raise InputError("sizeInBytes must not be negative", where=f'file "{file}"', value=size)
    return size or 0.0


def _warn_of_sizes(read: list[list[Version]], sizes: Sizes, warnings: list[str]) -> None:
    """Files with several sizes, and files that are read and have none."""
    if sizes.contradicted:
        warnings.append(
            f"{count(len(sizes.contradicted), 'file')} with several sizes "
            f"({few(sizes.contradicted)}): the largest counts"
        )
    unknown = {file for one in read for file, _ in one if file not in sizes.known}
    if unknown:
        warnings.append(
            f"{count(len(unknown), 'file')} that tasks read "
            f"{'has' if len(unknown) == 1 else 'have'} no size in the file; taken as empty"
        )
