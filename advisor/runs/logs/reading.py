"""Runs from files and folders of any known kind, told by their content: the way in for all logs.

A folder that is no log as a whole (as Snakemake's is) is read file by file. What names the
machines of other logs (a Dask scheduler's list of workers) is no log: it is given with them, or
lies beside them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from advisor.basics.content import read_head
from advisor.basics.quantities import count
from advisor.runs.logs import dask_workers
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.logs.registry import READERS
from advisor.runs.run_record import Run, TaskRun
from machines.errors import InputError, readable
from machines.files import is_folder, is_there, kept_inputs, refusal

_HEAD_BYTES = 64 * 1024
_MOST_FILES = 1000  # of a folder
_MOST_TASKS = 1_000_000  # of all runs: 400 bytes each
_REMEDY = "Check the path and the spelling"


@kept_inputs()
def read_runs(paths: Iterable[str | Path]) -> tuple[Run, ...]:
    """The runs that files and folders tell of, in their order, each once, with distinct names.

    `paths`: logs of any kind in `READERS`, or folders; also a Dask scheduler's list of workers.
    """
    found: list[tuple[Path, Run]] = []
    names: dict[str, str] = {}
    read: set[Path] = set()
    for path in map(Path, paths):
        if not is_there(path):
            raise InputError("there is no such file", where=str(path), remedy=_REMEDY)
        for log in _inside(path):
            if log.resolve() not in read:
                names |= _read(log, found)
            read.add(log.resolve())
    if not found:
        raise InputError("no log is among these files", remedy=_known())
    if sum(len(run.tasks) for _, run in found) > _MOST_TASKS:
        raise InputError("these logs hold too many tasks", remedy=f"Allowed: {_MOST_TASKS:,}")
    named = [(path, _named(run, path, names)) for path, run in found]
    return _distinct(_once(named))


def reader_of(path: Path) -> LogReader | None:
    """What reads a file or folder; None: it is no log of a known kind."""
    head = b"" if is_folder(path) else read_head(path, _HEAD_BYTES)
    return next((reader for reader in READERS if reader.holds(path, head)), None)


def _inside(path: Path) -> list[Path]:
    """The logs of a folder that is none itself; else the path."""
    if not is_folder(path) or reader_of(path) is not None:
        return [path]
    try:
        files = sorted(one for one in path.iterdir() if one.is_file())
    except OSError as error:
        raise refusal("can't be read", path, error) from error
    if len(files) > _MOST_FILES:
        raise InputError(
            "this folder holds too many files", where=str(path), value=len(files),
            remedy=f"Allowed: {_MOST_FILES:,}; name the logs",
        )  # fmt: skip
    logs = [one for one in files if reader_of(one) is not None or dask_workers.holds(one)]
    if not logs:
        raise InputError("no file of this folder is a known log", where=str(path), remedy=_known())
    return logs


def _read(path: Path, found: list[tuple[Path, Run]]) -> dict[str, str]:
    """Add the runs of a log; the names of machines, where the file holds those instead."""
    reader = reader_of(path)
    if reader is not None:
        try:
            runs = reader.read(path)
        except InputError as error:
            raise error if str(path) in error.where else error.at(str(path)) from None
        found += [(path, run if run.engine else replace(run, engine=reader.engine)) for run in runs]
        return {}
    if dask_workers.holds(path):
        return dask_workers.read(path)
    raise InputError("not a log of a known kind", where=str(path), remedy=_known())


def _known() -> str:
    return "Known: " + ", ".join(reader.name for reader in READERS)


def _named(run: Run, path: Path, names: Mapping[str, str]) -> Run:
    """The run with machines named as by the list of workers: given, or in the log's folder."""
    addresses = {one.machine for one in run.tasks if dask_workers.is_address(one.machine)}
    if not addresses:
        return run
    if not addresses & names.keys():
        names = dask_workers.beside(path, addresses)
    known = {address: names[address] for address in addresses if address in names}
    notes = list(run.notes)
    if len(known) < len(addresses):
        example = min(addresses - known.keys())
        notes.append(
            f"{count(len(addresses) - len(known), 'worker')} known by address alone, such as "
            f"{readable(example)}: Client.scheduler_info(), saved as JSON beside the log, has names"
        )

    def renamed(one: TaskRun) -> TaskRun:
        return replace(one, machine=known[one.machine]) if one.machine in known else one

    return replace(run, tasks=tuple(map(renamed, run.tasks)), notes=tuple(notes))


def _once(found: list[tuple[Path, Run]]) -> list[tuple[Path, Run]]:
    """The runs without those that another file tells, too: they would count twice.

    Runs with the same tasks at the same fractions of a second are one run; whole seconds, or steps
    that a log states, may agree by chance.
    """
    kept: dict[object, tuple[Path, Run]] = {}
    for place, (path, run) in enumerate(found):
        times = frozenset((one.task, one.machine, one.start_s, one.end_s) for one in run.tasks)
        fine = not run.resolution_s and any(not end.is_integer() for _, _, _, end in times)
        key: object = times if fine else place
        if key not in kept:
            kept[key] = (path, run)
            continue
        first, one = kept[key]
        said = f"Counted once: {path.name} holds it, too"
        kept[key] = first, replace(one, notes=tuple(dict.fromkeys((*one.notes, said))))
    return list(kept.values())


def _distinct(found: list[tuple[Path, Run]]) -> tuple[Run, ...]:
    """The runs with names that differ: of the log; where several have it, with the file's."""
    names = [run.name or path.stem for path, run in found]
    many = Counter(names)
    clashes = {path for name, (path, _) in zip(names, found, strict=True) if many[name] > 1}
    names = [
        f"{path.stem}: {name}" if path in clashes and path.stem != name else name
        for name, (path, _) in zip(names, found, strict=True)
    ]
    taken: set[str] = set()
    runs = []
    for name, (_, run) in zip(names, found, strict=True):
        distinct, number = name, 1
        while distinct in taken:
            number += 1
            distinct = f"{name} ({number})"
        taken.add(distinct)
        runs.append(run if run.name == distinct else replace(run, name=distinct))
    return tuple(runs)
