"""Trees for Flux: the hosts of its brokers with their parents, as its configuration takes them."""

from __future__ import annotations

from advisor.export.export_record import Export, Lines
from advisor.export.tree_on_hosts import PLACING, TREE, TreeOnHosts
from advisor.trees.daemon_trees import kary_of
from advisor.trees.flux_bootstrap import bootstrap_text, parse_bootstrap

Said = tuple[tuple[str, ...], tuple[int, ...]]


def _render(subject: TreeOnHosts) -> str:
    return bootstrap_text(subject.placed)


def _parse(text: str) -> Said:
    found = parse_bootstrap(text, "flux")
    return tuple(found.names()), tuple(found.tree.fanouts.tolist())


def _says(subject: TreeOnHosts) -> Said:
    names = tuple(f"{subject.placed.hosts[at]}:0" for at in subject.placed.host.tolist())
    return names, tuple(subject.tree.fanouts.tolist())


def _commands(subject: TreeOnHosts, file: str) -> Lines:
    k = kary_of(subject.tree)
    lines = (f"Flux: flux broker --config-path={file}   (on every host)",)
    return (
        lines
        if k is None
        else (*lines, f"The same tree without it: flux start -S tbon.topo=kary:{k}")
    )


def _notes(subject: TreeOnHosts) -> Lines:
    routers = 1 + subject.tree.internal
    made_up = (
        f"The hosts {subject.placed.front_end}, … are made up: name your own with --hosts FILE."
    )
    return (
        *(() if subject.named else (made_up,)),
        "Every process of the tree is a broker on a host of its own; add default_port, "
        "default_bind and default_connect of your site.",
        f"The loss of {routers:,} of them is critical: the front-end and all that have children. "
        "max_internal of the study limits them.",
    )


EXPORT = Export(
    "flux",
    "Flux bootstrap hosts",
    ".toml",
    TREE,
    _render,
    _parse,
    _says,
    _commands,
    _notes,
    PLACING,
)
