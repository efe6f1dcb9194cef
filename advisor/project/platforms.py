"""Machines from a file of any known kind, told by its content, or from the catalogue.

A new kind of file is a `PlatformReader` in a file of its own, and a line in `READERS`: opening,
importing and ``--platform`` all ask here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from advisor.basics.content import read_content, read_head
from advisor.project.project_file import FORMAT as PROJECT_FORMAT
from advisor.project.project_file import SUFFIX, read_project
from advisor.project.sources.elsewhere import known_by_its_looks
from advisor.project.sources.registry import SOURCES
from advisor.project.sources.source import Source
from advisor.project.workload_file import read_wfformat_machines
from machines import catalogue
from machines.errors import InputError
from machines.files import decoded, is_there, kept_inputs
from machines.formats.platform_toml import FORMAT as PLATFORM_FORMAT
from machines.formats.platform_toml import read_platform
from machines.platform import Platform

# What an importer of machines is: one record for each kind of file that describes a platform.


@dataclass(frozen=True)
class PlatformFile:
    """The machines that a file describes, and what was assumed or left out while reading."""

    platform: Platform
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlatformReader:
    """One kind of file that describes machines.

    Attributes
    ----------
    name : str
        A word.
    title : str
        What the window calls such files.
    suffixes : tuple of str
        That such files often have: what the window offers first.
    recognises : callable
        The first 16 KiB of a file, unpacked → whether it is of this kind.
    read : callable
        path → machines; PlacewiseError names the file, the place and the value.
    alone : bool
        The file describes machines and nothing else: opened, it makes a project of them.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: Callable[[str | Path], PlatformFile]
    alone: bool = True


_FORMAT = re.compile(rb"""["']?format["']?\s*[:=]\s*["'](placewise-[\w-]+)["']""")
_MACHINES = re.compile(rb"^[ \t]*\[\[machine\]\]", re.MULTILINE)  # the format line may come late
_WORKFLOW = re.compile(rb'"workflow"\s*:')


def format_of(head: bytes) -> str:
    """The format of ours that a file names; empty: none."""
    found = _FORMAT.search(head)
    return "" if found is None else found[1].decode()


def _is_platform(head: bytes) -> bool:
    named = format_of(head)
    return named == PLATFORM_FORMAT or (named != PROJECT_FORMAT and bool(_MACHINES.search(head)))


PLACEWISE = PlatformReader(
    "placewise", "Placewise platform", (".toml",), _is_platform,
    lambda path: PlatformFile(read_platform(path)),
)  # fmt: skip
PROJECT = PlatformReader(
    "project", "Placewise project", (SUFFIX,), lambda head: format_of(head) == PROJECT_FORMAT,
    lambda path: PlatformFile(read_project(path).platform), alone=False,
)  # fmt: skip
WFFORMAT = PlatformReader(
    "wfformat", "WfFormat", (".json", ".json.gz"),
    lambda head: not format_of(head) and bool(_WORKFLOW.search(head)),
    lambda path: PlatformFile(*read_wfformat_machines(path)), alone=False,
)  # fmt: skip


def _of_others(source: Source) -> PlatformReader:
    """The machines of a file in somebody else's format."""

    def read(path: str | Path) -> PlatformFile:
        where = str(path)
        found = source.read(decoded(read_content(path)[0], where), where)
        if found.platform is None:
            raise InputError("the file describes no machines", where=where)
        return PlatformFile(found.platform, found.warnings)

    return PlatformReader(
        source.name, source.title, source.suffixes, source.recognises, read, not source.tasks
    )


READERS: tuple[PlatformReader, ...] = (
    *(_of_others(one) for one in SOURCES if one.machines),
    PLACEWISE,
    PROJECT,
    WFFORMAT,
)


def reader_of(path: str | Path) -> PlatformReader | None:
    """What reads the machines of a file; None: it is of no kind that describes any."""
    head = read_head(path)
    return next((reader for reader in READERS if reader.recognises(head)), None)


@kept_inputs()
def read_machines(path: str | Path) -> PlatformFile:
    """The machines that a file of any known kind describes.

    Raises
    ------
    InputError
        Naming the file, the place, the value and what is allowed; a file of no known kind is told
        what a platform of ours would need.
    """
    reader = reader_of(path)
    if reader is not None:
        return reader.read(path)
    with known_by_its_looks(read_head(path), str(path)):
        return PLACEWISE.read(path)


def find_machines(name: str, path: Path) -> PlatformFile:
    """The machines of a file or, where there is no such file, of the catalogue.

    Parameters
    ----------
    name : str
        As the user gave it.
    path : Path
        Where the file would be.

    Raises
    ------
    InputError
        There is neither, or as `read_machines`.
    """
    names = catalogue.PLATFORMS.names()
    if name in names and (not is_there(path) or path.is_dir()):  # no folder is a platform
        return PlatformFile(catalogue.load(name))
    if not is_there(path) and "/" not in name and not name.endswith(".toml"):
        raise InputError(
            "neither a platform file nor a name in the catalogue",
            value=name,
            remedy="Names: " + ", ".join(names),
        )
    return read_machines(path)


def suffixes() -> tuple[str, ...]:
    """The suffixes of files that describe machines, each once."""
    return tuple(dict.fromkeys(suffix for reader in READERS for suffix in reader.suffixes))
