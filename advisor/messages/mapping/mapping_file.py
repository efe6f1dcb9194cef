"""A mapping as JSON: what ``placewise study mapping --json`` says, and reading it again."""

from __future__ import annotations

from dataclasses import dataclass, field

from advisor.basics.json_text import parse
from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.messages.mapping.orders import Mapping, checked
from advisor.messages.mapping.process_communication import Communication, communication
from machines.checks import plain_name, whole
from machines.errors import InputError
from machines.files import MIB, read_bytes
from machines.formats.fields import numbers, place, required, table, whole_document
from machines.interconnect import network_of
from machines.multicore import counts_of, node_at, nodes_of, unequal, with_cores
from machines.network import Network

FORMAT = "placewise-mapping"
VERSION = 1
_KEYS = ("format", "version", "network", "order", "nodes", "places", "per_core", "threads",
         "labels", "flows")  # fmt: skip
_FLOWS = ("from", "to", "bytes")
_MOST_FLOWS = 200_000  # of more a file says nothing, and an export not what goes between hosts
_MOST_SHARING = 64
_LIMIT_BYTES = 64 * MIB


@dataclass(frozen=True)
class NamedMapping:
    """A mapping, its network and the names of its processes (empty: their numbers).

    With the communication, if known, an export can tell what goes between hosts. With the name of
    the parallel machine whose nodes they are, hosts that nobody names are called after it.
    `threads` is how many cores of its host each process takes, `per_core` how many processes such
    cores take at most; the network counts places.
    """

    network: Network
    mapping: Mapping
    labels: tuple[str, ...] = ()
    communication: Communication | None = field(default=None, compare=False)
    machine: str = field(default="", compare=False)
    threads: int = 1
    per_core: int = 1


def mapping_report(picture: MappingPicture) -> dict[str, object]:
    """The best mapping of a picture, to be written as JSON."""
    network, placed = nodes_of(picture.network), picture.network
    sharing = picture.problem.sharing
    each = [count // sharing for count in counts_of(placed)]
    cores = each if unequal(placed) else each[0]
    exact = picture.problem.sockets > 1 or sharing > 1 or picture.problem.computing is not None
    flows = picture.communication
    known = len(flows.sources) <= _MOST_FLOWS
    ends = (flows.sources.tolist(), flows.targets.tolist(), flows.size_bytes.tolist())
    return {
        "format": FORMAT,
        "version": VERSION,
        "network": {"kind": network.kind, "dims": list(network.dims)}
        | ({"cores": cores} if cores != 1 else {}),
        "order": picture.chosen.name,
        "nodes": node_at(picture.network, picture.chosen.mapping).tolist(),
        **(
            {"places": list(picture.chosen.mapping)} if exact and placed.size > network.size else {}
        ),
        **({"per_core": sharing} if sharing > 1 else {}),
        **({"threads": picture.threads} if picture.threads > 1 else {}),
        "labels": list(flows.labels),
        **({"flows": dict(zip(_FLOWS, ends, strict=True))} if known else {}),
    }


def read_mapping(path: str) -> NamedMapping:
    """The mapping in a JSON file: by itself, or what the mapping study printed."""
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
    shape = table(required(source, "network", "mapping"), ("kind", "dims", "cores"), "network")
    network = network_of(
        str(required(shape, "kind", "network")),
        [_whole(side) for side in numbers(shape, "dims", "network")],
    )
    cores: int | list[int]
    if isinstance(shape.get("cores"), list):
        cores = [_whole(each) for each in numbers(shape, "cores", "network")]
    else:
        cores = whole("cores", shape.get("cores", 1), low=1, where="network")
    sharing = whole("per_core", source.get("per_core", 1), low=1, high=_MOST_SHARING,
                    where="per_core")  # fmt: skip
    many = cores * sharing if isinstance(cores, int) else [each * sharing for each in cores]
    placed = with_cores(network, many)
    nodes = [_whole(node) for node in numbers(source, "nodes", "nodes")]
    labels = source.get("labels", [])
    if not isinstance(labels, list) or (labels and len(labels) != len(nodes)):
        raise InputError("labels must be a list of one name for each process", where="labels")
    mapping = checked(placed, len(nodes), nodes, sharing)
    if "places" in source:
        places = [_whole(place) for place in numbers(source, "places", "places")]
        mapping = _at_places(placed, mapping, places)
    flows = _flows(source["flows"], len(nodes)) if "flows" in source else None
    return NamedMapping(
        placed,
        mapping,
        tuple(plain_name("the name of a process", str(label)) for label in labels),
        flows,
        threads=whole("threads", source.get("threads", 1), low=1, where="threads"),
        per_core=sharing,
    )


def _at_places(network: Network, mapping: Mapping, places: list[int]) -> Mapping:
    """The core of each process, where its node has sockets; InputError: not on these nodes."""
    each_once = len(set(places)) == len(places) == len(mapping)
    known = each_once and all(0 <= place < network.size for place in places)
    if not known or (node_at(network, places) != node_at(network, mapping)).any():
        raise InputError("places must be a core of its node for each process", where="places")
    return tuple(places)


def _flows(inner: object, processes: int) -> Communication:
    """Who sends how many bytes to whom; InputError: lists of different lengths, no process."""
    source = table(inner, _FLOWS, "flows")
    sources, targets, sizes = (numbers(source, key, "flows") for key in _FLOWS)
    if not len(sources) == len(targets) == len(sizes):
        raise InputError("from, to and bytes must have one entry for each flow", where="flows")
    with place("flows"):
        first, last = ([_whole(end) for end in each] for each in (sources, targets))
        found = communication("mapping", processes, first, last, sizes)
        if sizes and not found.sources.size:
            raise InputError("no process sends anything to another one", value=sizes[0])
        return found


def _whole(value: float) -> int:
    if not value.is_integer():
        raise InputError("this must be a whole number", where="mapping", value=value)
    return int(value)
