"""Runtimes that ship: how engines fetch data and start tasks, each with where that is known from.

A preset has the name of the engine that it describes (`placewise export --to`), or is "ideal".
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from machines.catalogue.shelf import Catalogue
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes
from machines.formats import toml_text
from machines.formats.fields import (
    Table,
    properties,
    properties_table,
    table,
    text,
    whole_document,
)
from machines.parameters import properties_of
from machines.runtime import Runtime

FORMAT, VERSION = "placewise-runtime", 1
IDEAL = "ideal"
LIMIT_BYTES = MIB

_KEYS = frozenset({"format", "version", "title", "source", "runtime"})


@dataclass(frozen=True)
class Preset:
    """One runtime that ships.

    Attributes
    ----------
    title : str
        A few words.
    runtime : Runtime
    source : str
        Where its figures are from, and what they hold.
    """

    title: str
    runtime: Runtime
    source: str


def read_preset(path: Path) -> Preset:
    """The preset of a file."""
    return preset_from(tomllib.loads(path.read_text(encoding="utf-8")))


def preset_from(document: object) -> Preset:
    """The preset described by nested dicts with the file's keys."""
    source = whole_document(document, _KEYS, FORMAT, VERSION)
    known = tuple(one.name for one in properties_of(Runtime))
    own: Table = table(source.get("runtime", {}), known, "runtime")
    return Preset(
        text(source, "title", "runtime"),
        Runtime(**properties(own, Runtime, "runtime")),
        text(source, "source", "runtime"),
    )


RUNTIMES = Catalogue(
    "runtimes",
    read_preset,
    "runtime",
    first=lambda: (IDEAL, "dask", "slurm", "snakemake"),
    titled=lambda preset: preset.title,
)


def dump_preset(preset: Preset) -> str:
    """The text of a preset's file, such as `find_preset` reads."""
    return toml_text.dump(
        {
            "format": FORMAT, "version": VERSION, "title": preset.title, "source": preset.source,
            "runtime": properties_table(preset.runtime),
        }
    )  # fmt: skip


def find_preset(name: str) -> Preset:
    """The preset of that name, or of that file.

    Raises
    ------
    InputError
        There is neither, or the file is none of a runtime.
    """
    path = Path(name)
    if path.suffix != ".toml" or name in RUNTIMES.names():
        return RUNTIMES.load(name)
    document = toml_text.parse(decoded(read_bytes(path, LIMIT_BYTES), name), name)
    try:
        return preset_from(document)
    except InputError as error:
        raise error.at(name) from None


def preset_of(runtime: Runtime) -> str:
    """Name of the preset that a runtime is; empty: none."""
    same = (name for name in RUNTIMES.names() if RUNTIMES.load(name).runtime == runtime)
    return next(same, "")
