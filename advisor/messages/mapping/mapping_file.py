"""A mapping as JSON: what ``placewise study mapping --json`` says, and reading it again."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.basics.json_text import parse
from advisor.messages.mapping.orders import Mapping, checked
from advisor.messages.mapping.picture import MappingPicture
from machines.errors import InputError
from machines.files import MIB, read_bytes
from machines.formats.fields import numbers, place, required, table, whole_document
from machines.network import Network
from machines.shapes import network_of

FORMAT = "placewise-mapping"
VERSION = 1
_KEYS = ("format", "version", "network", "order", "nodes", "labels")
_LIMIT_BYTES = 64 * MIB


@dataclass(frozen=True)
class NamedMapping:
    """A mapping, its network and the names of its processes (empty: their numbers)."""

    network: Network
    mapping: Mapping
    labels: tuple[str, ...] = ()


def mapping_report(picture: MappingPicture) -> dict[str, object]:
    """The best mapping of a picture, to be written as JSON."""
    network = picture.network
    return {
        "format": FORMAT,
        "version": VERSION,
        "network": {"kind": network.kind, "dims": list(network.dims)},
        "order": picture.chosen.name,
        "nodes": list(picture.chosen.mapping),
        "labels": list(picture.communication.labels),
    }


def read_mapping(path: str) -> NamedMapping:
    """The mapping in a JSON file: by itself, or what the mapping study printed.

    Raises
    ------
    InputError
        Naming the file and the entry.
    """
    document = parse(read_bytes(path, _LIMIT_BYTES), path)
    with place(path):
        return mapping_of(document)


def is_mapping(document: object) -> bool:
    """Whether a parsed JSON document holds a mapping."""
    return isinstance(document, dict) and (
        document.get("format") == FORMAT or isinstance(document.get("mapping"), dict)
    )


def mapping_of(document: object) -> NamedMapping:
    """The mapping in a parsed JSON document; InputError if there is none or it is not whole."""
    if not is_mapping(document) or not isinstance(document, dict):
        raise InputError(
            "there is no mapping in it", remedy="Give what `placewise study mapping --json` printed"
        )
    inner = document if document.get("format") == FORMAT else document["mapping"]
    source = whole_document(inner, _KEYS, FORMAT, VERSION)
    shape = table(required(source, "network", "mapping"), ("kind", "dims"), "network")
    network = network_of(
        str(required(shape, "kind", "network")),
        [_whole(side) for side in numbers(shape, "dims", "network")],
    )
    nodes = [_whole(node) for node in numbers(source, "nodes", "nodes")]
    labels = source.get("labels", [])
    if not isinstance(labels, list) or (labels and len(labels) != len(nodes)):
        raise InputError("labels must be a list of one name for each process", where="labels")
    mapping = checked(network, len(nodes), nodes)
    return NamedMapping(network, mapping, tuple(map(str, labels)))


def _whole(value: float) -> int:
    if not value.is_integer():
        raise InputError("this must be a whole number", where="mapping", value=value)
    return int(value)
