"""GraphML and node-link JSON, read by networkx."""

from __future__ import annotations

import json
import re
from warnings import catch_warnings, simplefilter

from advisor.project.sources.attributes import told_of
from advisor.project.sources.dax import root_of
from advisor.project.sources.source import Graph, Source, Step, Steps
from machines import InputError

_GRAPHML = re.compile(rb"<(?:\w+:)?graphml[\s>]")
_NODES = re.compile(rb'"nodes"\s*:\s*\[')
_OF_NETWORKX = re.compile(rb'"(?:directed|multigraph)"\s*:')
_LINKS = re.compile(rb'"(?:links|edges)"\s*:\s*\[')


def _graphml(text: str, where: str) -> Graph:
    import networkx as nx  # noqa: PLC0415 - slow to import

    root_of(text, where)  # networkx's reader would follow declared entities
    try:
        with catch_warnings():
            simplefilter("ignore")  # keys without a type are texts
            found = nx.parse_graphml(text)
    except (nx.NetworkXError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"not valid GraphML: {error}", where=where) from None
    return _of(found, where)


def _node_link(text: str, where: str) -> Graph:
    import networkx as nx  # noqa: PLC0415 - slow to import

    try:
        document = json.loads(text)
        edges = "links" if "links" in document else "edges"
        found = nx.node_link_graph(document, edges=edges)
    except (nx.NetworkXError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"not a graph of nodes and links: {error}", where=where) from None
    return _of(found, where)


def _of(found: object, where: str) -> Graph:
    import networkx as nx  # noqa: PLC0415 - slow to import

    assert isinstance(found, nx.Graph)
    if not found.is_directed():
        raise InputError("the graph is not directed: no task comes before another", where=where)
    nodes = {str(one): dict(data) for one, data in found.nodes(data=True)}
    edges = [(str(one), str(other), dict(data)) for one, other, data in found.edges(data=True)]
    told, steps = told_of(nodes.values(), (data for *_, data in edges)), Steps()
    for ident, data in nodes.items():
        name = str(data.get("label") or data.get("name") or ident)
        steps.step(ident, Step(name, told.seconds(data, f'{where}, "{ident}"')), where)
    for one, other, data in edges:
        steps.edge(one, other, told.bytes(data, where), where)
    return steps.graph("graph", where, told.notes)


SOURCES = (
    Source("graphml", "GraphML", (".graphml", ".xml"),
           lambda head: bool(_GRAPHML.search(head)), _graphml),
    Source("node-link", "Node-link JSON", (".json",),
           lambda head: bool(_OF_NETWORKX.search(head) and _NODES.search(head)
                             and _LINKS.search(head)
                             and head.lstrip().startswith(b"{")), _node_link),
)  # fmt: skip
