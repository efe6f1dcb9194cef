"""What ships beside the code: platform presets, examples, icons and help.

Found through the import system, so that it works from a checkout and from an installed package.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path


@dataclass(frozen=True)
class Example:
    """One ready-made project.

    Attributes
    ----------
    name : str
        What the command line calls it.
    title, description : str
        A few words, and one sentence.
    platform : str
        Name of a preset of `machines.catalogue`.
    workload : Path
        A workload file.
    """

    name: str
    title: str
    description: str
    platform: str
    workload: Path


def folder(name: str) -> Path:
    """The folder of that kind of resource: "platforms", "engines" or "icons", for example."""
    return Path(str(files("resources"))) / name


@cache
def examples() -> tuple[Example, ...]:
    """All examples, in the order in which they are offered."""
    home = folder("examples")
    index = tomllib.loads((home / "examples.toml").read_text(encoding="utf-8"))
    return tuple(
        Example(
            entry["name"],
            entry["title"],
            entry["description"],
            entry["platform"],
            home / entry["workload"],
        )
        for entry in index["example"]
    )
