"""Mappings as files that launchers of parallel programs read: one `Launcher` a format.

Each file is read back by our own parser before it is written, and must say what the mapping says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from advisor.export import mapping_csv, mpich, openmpi, slurm
from advisor.export.placement import Placement
from machines.errors import InputError, PlacewiseError
from machines.files import write_text
from machines.formats.fields import suggestion


@dataclass(frozen=True)
class Launcher:
    """One way to export a mapping.

    Attributes
    ----------
    name : str
        What the command line calls it.
    title : str
        What the menu shows.
    suffix : str
        Of the file's name, with its dot.
    render : callable
        placement → text.
    parse : callable
        text → what it says of the placement.
    says : callable
        placement → what `parse` must find.
    command : callable
        (placement, file) → the command lines that use the file.
    """

    name: str
    title: str
    suffix: str
    render: Callable[[Placement], str]
    parse: Callable[[str], object]
    says: Callable[[Placement], object]
    command: Callable[[Placement, str], tuple[str, ...]]

    def text(self, placement: Placement) -> str:
        """The file's text, read back and compared.

        Raises
        ------
        PlacewiseError
            The text does not say what the mapping says.
        """
        text = self.render(placement)
        if self.parse(text) != self.says(placement):
            raise PlacewiseError(
                f"the {self.title} does not hold this mapping",
                where="export",
                remedy="Check the names of the hosts",
            )
        return text


def _slots(placement: Placement) -> object:
    return placement.slots


def _hosts(placement: Placement) -> object:
    return placement.hosts


LAUNCHERS: dict[str, Launcher] = {
    each.name: each
    for each in (
        Launcher(
            "openmpi-rankfile", "Open MPI rankfile", ".rankfile",
            openmpi.rankfile, openmpi.parse_rankfile, _slots, openmpi.rankfile_command,
        ),
        Launcher(
            "openmpi-hostfile", "Open MPI hostfile (slots, beside a rankfile)", ".hostfile",
            openmpi.hostfile, openmpi.parse_hostfile, openmpi.expected_slots,
            openmpi.hostfile_command,
        ),
        Launcher(
            "openmpi-sequence", "Open MPI hostfile (rank by rank)", ".hostfile",
            openmpi.sequence, openmpi.parse_sequence, _hosts, openmpi.sequence_command,
        ),
        Launcher(
            "mpich-hostfile", "MPICH hostfile", ".hostfile",
            mpich.hostfile, mpich.parse_hostfile, _slots, mpich.command,
        ),
        Launcher(
            "slurm-hostlist", "Slurm host list (arbitrary distribution)", ".hosts",
            slurm.hostlist, slurm.parse_hostlist, _hosts, slurm.command,
        ),
        Launcher(
            "mapping-csv", "Mapping (CSV)", ".csv",
            mapping_csv.render, mapping_csv.parse, lambda placement: placement,
            lambda _placement, _file: (),
        ),
    )
}  # fmt: skip


def export_mapping(name: str, placement: Placement, path: str | Path) -> tuple[str, ...]:
    """Write a placement for a launcher; the command lines that use the file.

    Raises
    ------
    InputError
        Unknown format, or the file can't be written.
    PlacewiseError
        The text does not say what the mapping says; nothing is written.
    """
    if name not in LAUNCHERS:
        raise InputError(
            "unknown launcher", where="export", value=name, remedy=suggestion(name, LAUNCHERS)
        )
    launcher = LAUNCHERS[name]
    write_text(path, launcher.text(placement))
    return launcher.command(placement, str(path))
