"""Machines from a file of any known kind, told by its content, or from the catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from advisor.basics.content import read_head
from advisor.project.kinds import MACHINES, PLATFORM, PROJECT, kind_of_file, named_by_content
from advisor.project.sources.elsewhere import known_by_its_looks
from advisor.project.sources.site import joined
from machines import catalogue
from machines.errors import InputError
from machines.files import is_there, kept_inputs
from machines.formats.fields import place
from machines.platform import Platform


@dataclass(frozen=True)
class PlatformFile:
    """The machines that a file describes, and what was assumed or left out while reading."""

    platform: Platform
    warnings: tuple[str, ...] = ()


@kept_inputs()
def read_machines(path: str | Path) -> PlatformFile:
    """The machines that a file of any known kind describes.

    Raises
    ------
    InputError
        Naming the file, the place, the value and what is allowed; a file of no known kind is told
        what a platform of ours would need.
    """
    kind = kind_of_file(path)
    if kind is None or MACHINES not in kind.gives:
        with named_by_content(path, "machines"), known_by_its_looks(read_head(path), str(path)):
            return PlatformFile(PLATFORM.read(Path(path)).platform or _none(path))
    found = kind.read(Path(path))
    if kind is PROJECT and found.project is not None:
        return PlatformFile(found.project.platform)
    if found.platform is None and found.site is not None:
        with place(str(path)):
            _ = joined([found.site])  # which says what it lacks
    return PlatformFile(found.platform or _none(path), found.machine_notes)


def _none(path: str | Path) -> Platform:
    raise InputError("the file lists no machines", where=str(path))


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
