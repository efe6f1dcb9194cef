"""Trees for MRNet: a topology configuration, which its front-end reads."""

from __future__ import annotations

from advisor.export.export_record import Export, Lines
from advisor.export.tree_on_hosts import NAMING, PLACING, TREE, TreeOnHosts
from advisor.trees import mrnet_trees as mrnet
from advisor.trees.topgen_spec import topgen_spec


def _render(subject: TreeOnHosts) -> str:
    return mrnet.render(subject.placed, subject.attach)


def _says(subject: TreeOnHosts) -> object:
    return mrnet.says(subject.placed, subject.attach)


def _commands(subject: TreeOnHosts, file: str) -> Lines:
    lines = mrnet.command(file, subject.attach)
    spec = None if subject.attach else topgen_spec(subject.tree)
    if spec is None:
        return lines
    same = f"The same tree by MRNet's generator: mrnet_topgen -f HOST -h HOSTS -o FILE -t {spec}"
    return (*lines, same)


def _notes(subject: TreeOnHosts) -> Lines:
    made_up = (
        f"The hosts {subject.placed.front_end}, … are made up: name your own under Hosts or with "
        "--hosts FILE."
    )
    named = () if subject.named else (made_up,)
    return (*subject.warnings, *named, *mrnet.doubts(subject.placed, subject.attach))


EXPORT = Export(
    "mrnet", "MRNet topology", ".top", TREE,
    _render, mrnet.parse, _says, _commands, _notes, (*PLACING, *NAMING),
)  # fmt: skip
