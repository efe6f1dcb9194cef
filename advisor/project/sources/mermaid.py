"""Flowcharts of Mermaid, as Nextflow draws its workflows: processes, operators and channels."""

from __future__ import annotations

import re

from advisor.project.sources.source import Graph, Source, Step, Steps, plain
from machines import InputError

_HEAD = re.compile(
    rb"\A(?:[ \t]*(?:%%[^\n]*)?\r?\n)*[ \t]*(?:flowchart|graph)[ \t]+(?:TB|TD|LR|RL|BT)\b"
)
_OPEN = r"(?:\(\(|\(\[|\[\(|\[\[|\{\{|[(\[{>])"
_NODE = re.compile(rf"(?<!\w)(\w++)\s*+{_OPEN}\"?([^\"()\[\]{{}}]*)\"?[)\]}}]+")
_EDGE = re.compile(r"(?<!\w)(\w++)\s*+(?:--+>|-\.->|==+>|---)(?:\|[^|]*\|)?\s*+(\w++)")


def _read(text: str, where: str) -> Graph:
    steps, labels = Steps(), dict[str, str]()
    edges: list[tuple[str, str]] = []
    for line in text.splitlines()[1:]:
        if len(line) > _LONGEST:
            raise InputError("a line is too long", where=where, value=line)
        found = _NODE.findall(line)
        labels |= {ident: plain(label) for ident, label in found if label.strip()}
        for ident, _ in found:
            labels.setdefault(ident, "")
        bare = _NODE.sub(r"\1", line)
        edges += _EDGE.findall(bare)
    for ident in dict.fromkeys([*labels, *(end for edge in edges for end in edge)]):
        label = labels.get(ident) or ident
        steps.step(ident, Step(label, kind=label), where)
    for source, target in dict.fromkeys(edges):
        if source != target:
            steps.edge(source, target, 0.0, where)
    return steps.graph("flowchart", where)


_LONGEST = 10_000  # characters

SOURCE = Source(
    "mermaid",
    "Mermaid flowchart",
    (".mmd", ".mermaid"),
    lambda head: bool(_HEAD.match(head)),
    _read,
)
