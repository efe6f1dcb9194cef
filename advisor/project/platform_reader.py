"""What an importer of machines is: one record for each kind of file that describes a platform."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from machines.platform import Platform


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
