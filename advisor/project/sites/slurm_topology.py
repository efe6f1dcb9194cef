"""Switches of Slurm: topology.conf, scontrol show topology and topology.yaml.

A line of a switch above others may list all nodes below it: nodes hang on the lowest switch.
"""

from __future__ import annotations

from advisor.project.sites.slurm_nodes import hosts, lines_of, pairs
from advisor.project.sources.site import Node, Site
from advisor.project.sources.yaml_documents import loaded
from machines import InputError

_TITLE = "switches"


def topology(text: str, where: str) -> Site:
    """Of topology.conf or scontrol show topology."""
    rows = [pairs(line) for line in lines_of(text)]
    return _site(
        [
            (row["switchname"], row.get("switches", ""), row.get("nodes", ""))
            for row in rows
            if row.get("switchname")
        ],
        where,
    )


def topology_yaml(text: str, where: str) -> Site:
    """Of topology.yaml: the tree of the cluster's default topology, else the first."""
    found = loaded(text, where)
    listed = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    trees = [one for one in listed if isinstance(one.get("tree"), dict)]
    if not trees:
        raise InputError("no topology of this file is a tree", where=where,
                         remedy="Blocks and flat topologies tell no switches")  # fmt: skip
    tree = next((one for one in trees if one.get("cluster_default")), trees[0])["tree"]
    switches = tree.get("switches")
    if not isinstance(switches, list) or not all(isinstance(one, dict) for one in switches):
        raise InputError("switches must be a list of mappings", where=where)
    rows = [
        tuple(str(one.get(key) or "") for key in ("switch", "children", "nodes"))
        for one in switches
    ]
    return _site([(name, below, nodes) for name, below, nodes in rows], where)


def _site(rows: list[tuple[str, str, str]], where: str) -> Site:
    above: dict[str, str] = {}
    nodes: list[Node] = []
    for name, below, held in rows:
        for child in hosts(below or held, where):
            if above.setdefault(child, name) != name:
                raise InputError("this has two switches above it", where=where, value=child,
                                 remedy="Only trees of switches are read")  # fmt: skip
            if not below:
                nodes.append(Node(child))
    for name, _, _ in rows:
        _check_top(name, above, where)
    if not nodes:
        raise InputError("no switch has nodes", where=where)
    return Site(_TITLE, tuple(nodes), tuple(above.items()), whole=False)


def _check_top(name: str, above: dict[str, str], where: str) -> None:
    seen = {name}
    while (name := above.get(name, "")) != "":
        if name in seen:
            raise InputError("the switches form a ring", where=where, value=name)
        seen.add(name)
