"""Every export, in the order in which they are offered: a new one is its file and a line here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from advisor.basics.plug_ins import plugged
from advisor.export import (
    decisions_csv,
    dot_graph,
    flux,
    mapping_csv,
    mpich,
    mpich_rank_order,
    openmpi,
    plan_json,
    prrte,
    schedule_csv,
    stat,
    transfers_csv,
)
from advisor.export import (
    mrnet_topology as mrnet,
)
from advisor.export import (
    simgrid_export as simulation,
)
from advisor.export import (
    slurm_hostlist as slurm,
)
from advisor.export import (
    trace_events as chrome_trace,
)
from advisor.export.export_options import Options
from advisor.export.export_record import Export, Kind, Lines
from machines.errors import InputError
from machines.formats.fields import suggestion

_ALL: tuple[Export[Any], ...] = (
    plan_json.EXPORT,
    schedule_csv.EXPORT,
    decisions_csv.EXPORT,
    transfers_csv.EXPORT,
    dot_graph.EXPORT,
    chrome_trace.EXPORT,
    *(each for part in plugged("advisor.export.of_engines") for each in part.ENGINE_EXPORTS),
    simulation.SCRIPT,
    simulation.PLATFORM,
    openmpi.RANKFILE,
    openmpi.HOSTFILE,
    openmpi.SEQUENCE,
    mpich.EXPORT,
    mpich_rank_order.EXPORT,
    slurm.EXPORT,
    mapping_csv.EXPORT,
    mrnet.EXPORT,
    stat.EXPORT,
    flux.EXPORT,
    prrte.EXPORT,
)
EXPORTS = {each.name: each for each in _ALL}


def exports_of(kind: Kind[Any]) -> dict[str, Export[Any]]:
    """The exports of plans, of mappings or of trees."""
    return {name: each for name, each in EXPORTS.items() if each.kind is kind}


def export(name: str, source: object, path: str | Path, options: Options | None = None) -> Lines:
    """Write a plan, a mapping or a tree for another program.

    Parameters
    ----------
    name : str
        Of the export.
    source : Planned, NamedMapping or FoundTree
        What is exported.
    path : str or Path
        The file.
    options : Options, optional
        Hosts, and how they are used.

    Returns
    -------
    tuple of str
        The command lines that use the file.

    Raises
    ------
    InputError
        Unknown name, a name that the format can't hold, too few hosts, or the file can't be
        written.
    PlacewiseError
        The text does not say what the source says; nothing is written.
    """
    if name not in EXPORTS:
        raise InputError(
            "unknown export format", where="export", value=name, remedy=suggestion(name, EXPORTS)
        )
    found = EXPORTS[name]
    return found.write(found.kind.place(source, options or Options()), path)


def listed(first: Kind[Any] | None = None) -> str:
    """The names of all exports by kind, those of `first` leading."""
    kinds: Iterable[Kind[Any]] = dict.fromkeys(each.kind for each in EXPORTS.values())
    ordered = sorted(kinds, key=lambda kind: kind is not first)
    parts = [f"of a {kind.name}: {', '.join(exports_of(kind))}" for kind in ordered]
    return "Formats " + "; ".join(parts)
