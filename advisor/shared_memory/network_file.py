"""Networks of software shared memory: the presets that ship, and the user's own files.

`resources/dvsm_networks` holds the paper's two, which equal the constants of the model, and
present-day ones with their source and what that does not print (docs/dvsm.md).
"""

from __future__ import annotations

import math
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from advisor.models.dvsm_network import Network as DvsmNetwork
from machines.catalogue.shelf import Catalogue
from machines.checks import number, plain_name, text
from machines.errors import readable
from machines.files import MIB, decoded, read_bytes
from machines.formats import toml_text
from machines.formats.fields import (
    Table,
    names,
    place,
    required,
    rows,
    whole_document,
)

FORMAT = "placewise-dvsm-network"
VERSION = 1

_FIELDS = fields(DvsmNetwork)
_PAIRS = ("software_small", "software_large")


@dataclass(frozen=True)
class NetworkPreset:
    """A network with where its figures are from."""

    key: str  # what the command line and applications call it; of a file, its name without ending
    network: DvsmNetwork
    source: str = ""  # where the figures are published; empty: the user's own
    assumed: tuple[str, ...] = ()  # one sentence for each figure that the source does not print


def read_dvsm_network(path: str | Path) -> NetworkPreset:
    """The network in a file of its own; InputError names file, place and value."""
    where = str(path)
    document = toml_text.parse(decoded(read_bytes(path, MIB), where), where)
    known = ("format", "version", *(field.name for field in _FIELDS), "source", "assumed")
    with place(where):
        source = whole_document(document, known, FORMAT, VERSION)
        return NetworkPreset(
            key=readable(Path(path).stem),
            network=_network(source),
            source=text("source", source.get("source", ""), empty=True),
            assumed=names(source.get("assumed", []), "assumed", ""),
        )


def _paper() -> tuple[str, ...]:
    return ("fast-ethernet", "oc3-atm")


DVSM_NETWORKS = Catalogue(
    "dvsm_networks", read_dvsm_network, "network", first=_paper,
    titled=lambda preset: preset.network.name,
)  # fmt: skip
dvsm_network_names = DVSM_NETWORKS.names
dvsm_network = DVSM_NETWORKS.load


def dump_dvsm_network(preset: NetworkPreset) -> str:
    """TOML text of a network, as `read_dvsm_network` reads it."""
    values: Table = {"format": FORMAT, "version": VERSION}
    for field in _FIELDS:
        value = getattr(preset.network, field.name)
        if value != field.default:
            values[field.name] = list(value) if isinstance(value, tuple) else value
    if preset.source:
        values["source"] = preset.source
    if preset.assumed:
        values["assumed"] = list(preset.assumed)
    return toml_text.dump(values)


def _network(source: Table) -> DvsmNetwork:
    given: dict[str, Any] = {}
    for field in _FIELDS:
        name = field.name
        if name not in source:
            if field.default is MISSING:
                required(source, name, "network")
        elif name == "name":
            given[name] = plain_name(name, source[name], where="network")
        elif name in _PAIRS:
            given[name] = tuple(rows(source, name))
        elif name == "knee" and source[name] == math.inf:
            given[name] = math.inf
        else:
            given[name] = number(name, source[name], where="network")
    return DvsmNetwork(**given)
