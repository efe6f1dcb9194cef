"""Every kind of file that opens, in the order in which a file is looked at: the surest first.

Opening, importing, ``--platform``, drops and the window's file filters ask here. A new format of
others is a `Source` in a file of its own and a line in `SOURCES`; a new log is one of `READERS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from advisor.basics.content import HEAD_BYTES, read_content, read_head
from advisor.basics.scheduler_address import address_of
from advisor.project import live_dask
from advisor.project.project import Project
from advisor.project.project_file import FORMAT as PROJECT_FORMAT
from advisor.project.project_file import SUFFIX, read_project
from advisor.project.registry import SOURCES
from advisor.project.sources.site import Site, platform_of
from advisor.project.sources.source import Source
from advisor.project.workload_file import FORMAT as WORKLOAD_FORMAT
from advisor.project.workload_file import WorkloadFile, read_workload
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.logs.registry import READERS
from machines.errors import InputError
from machines.files import decoded, is_folder
from machines.formats.platform_toml import FORMAT as PLATFORM_FORMAT
from machines.formats.platform_toml import read_platform
from machines.platform import Platform

TASKS, MACHINES, RUNS = "tasks", "machines", "runs"


@dataclass(frozen=True)
class Found:
    """What one file holds; `machine_notes` are those on its platform."""

    project: Project | None = None
    workload: WorkloadFile | None = None
    platform: Platform | None = None
    machine_notes: tuple[str, ...] = ()
    site: Site | None = None


@dataclass(frozen=True)
class Kind:
    """One kind of file.

    `recognises`: path, first 64 KiB unpacked (none of a folder) → whether it is one.
    `read`: path → what it holds; PlacewiseError names file, place and value. Runs are read by
    `advisor.runs.logs.reading`, several logs together.
    `gives`: of tasks, machines and runs what it holds.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    gives: tuple[str, ...]
    recognises: Callable[[Path, bytes], bool]
    read: Callable[[Path], Found]


_FORMAT = re.compile(rb"""["']?format["']?\s*[:=]\s*["'](placewise-[\w-]+)["']""")
_MACHINES = re.compile(rb"^[ \t]*\[\[machine\]\]", re.MULTILINE)  # the format line may come late
_WORKFLOW = re.compile(rb'"workflow"\s*:')


def format_of(head: bytes) -> str:
    """The format of ours that a file names; empty: none."""
    found = _FORMAT.search(head)
    return "" if found is None else found[1].decode()


def _is_platform(_path: Path, head: bytes) -> bool:
    named = format_of(head)
    return named == PLATFORM_FORMAT or (
        named not in {PROJECT_FORMAT, WORKLOAD_FORMAT} and bool(_MACHINES.search(head))
    )


def _tasks(path: Path) -> Found:
    file = read_workload(path)
    return Found(workload=file, platform=file.platform, machine_notes=file.platform_warnings)


def _of_workers(site: Site) -> Found:
    return Found(None, None, *platform_of(site), site)


PROJECT = Kind(
    "project", "Placewise project", (SUFFIX,), (TASKS, MACHINES),
    lambda _path, head: format_of(head) == PROJECT_FORMAT,
    lambda path: Found(project=read_project(path)),
)  # fmt: skip
PLATFORM = Kind(
    "platform", "Placewise platform", (".toml",), (MACHINES,), _is_platform,
    lambda path: Found(platform=read_platform(path)),
)  # fmt: skip
WORKLOAD = Kind(
    "workload", "Placewise workload", (".toml", ".json"), (TASKS,),
    lambda _path, head: format_of(head) == WORKLOAD_FORMAT, _tasks,
)  # fmt: skip
WFFORMAT = Kind(
    "wfformat", "WfFormat", (".json", ".json.gz", ".gz"), (TASKS, MACHINES),
    lambda _path, head: not format_of(head) and bool(_WORKFLOW.search(head)), _tasks,
)  # fmt: skip
SCHEDULER = Kind(
    "dask-scheduler", "Dask scheduler", (), (MACHINES,),
    lambda path, _head: bool(address_of(path)),
    lambda path: _of_workers(live_dask.read(path)),
)  # fmt: skip
# a text of no other kind is looked at as such a table, and refused by what it is like
TABLE = Kind(
    "table", "Table of tasks", (".csv", ".tsv", ".txt"), (TASKS,),
    lambda _path, _head: False, _tasks,
)  # fmt: skip


def _of_others(source: Source) -> Kind:
    """A file in somebody else's format."""

    def read(path: Path) -> Found:
        if source.tasks:
            return _tasks(path)
        found = source.read(decoded(read_content(path)[0], str(path)), str(path))
        return Found(platform=found.platform, machine_notes=found.warnings, site=found.site)

    gives = (*([TASKS] if source.tasks else []), *([MACHINES] if source.machines else []))
    return Kind(source.name, source.title, source.suffixes, gives,
                lambda _path, head: source.recognises(head), read)  # fmt: skip


def _of_log(reader: LogReader) -> Kind:
    """A log: the runs that it tells of."""
    none = Found()  # runs of several files are read together
    return Kind(reader.name, reader.name, reader.suffixes, (RUNS,), reader.holds, lambda _: none)


KINDS: tuple[Kind, ...] = (
    SCHEDULER,
    PROJECT,
    PLATFORM,
    WORKLOAD,
    *map(_of_others, SOURCES),
    WFFORMAT,
    *map(_of_log, READERS),
    TABLE,
)


def kind_of_file(path: str | Path) -> Kind | None:
    """What kind a file, folder or address is of; None: of none that is known by its first bytes."""
    head = b"" if is_folder(path) else read_head(path, HEAD_BYTES)
    return next((kind for kind in KINDS if kind.recognises(Path(path), head)), None)


@contextmanager
def named_by_content(path: str | Path, wanted: str) -> Iterator[None]:
    """Where the block refuses a file that opens as another kind, say which and who takes it.

    `wanted`: what the block reads, in words.
    """
    try:
        yield
    except InputError:
        kind = kind_of_file(path)
        if kind is None:
            raise
        raise InputError(
            f"the content is {kind.title} ({' and '.join(kind.gives)}), not {wanted}",
            where=str(path), remedy="File › Import or placewise open takes it",
        ) from None  # fmt: skip


def suffixes(*gives: str) -> tuple[str, ...]:
    """The suffixes of files that hold one of these, each once; without names: of all."""
    return tuple(dict.fromkeys(
        suffix for kind in KINDS if not gives or set(gives) & set(kind.gives)
        for suffix in kind.suffixes if suffix
    ))  # fmt: skip
