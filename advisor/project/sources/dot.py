"""Graphs in the DOT language: Snakemake's ``--dag`` and ``--rulegraph``, generators, simulators.

A scanner of our own in one pass: what is read are nodes, edges and their attributes; ports,
subgraphs' styles and HTML labels are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from advisor.basics.quantities import count
from advisor.project.sources.attributes import told_of
from advisor.project.sources.source import Graph, Source, Step, Steps
from machines import InputError

# comments before the graph, each to its end: nothing is tried twice
_HEAD = re.compile(
    rb"\A\s*+(?:(?://[^\n]*+|#[^\n]*+|/\*[^*]*+\*/)\s*+)*+(?:strict\s++)?+(?:di)?graph\b"
)
_TOKEN = re.compile(
    r"""\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*
    |"(?P<text>(?:[^"\\]|\\.)*)"
    |(?P<word>[\w.+]+|-(?![->])[\w.]*)
    |(?P<sign>->|--|[{}\[\];,=:])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_WORDS = frozenset({"node", "edge", "graph", "subgraph", "strict", "digraph"})

_MOST = 1_000_000

_Edge = tuple[str, str, dict[str, str]]
Token = tuple[str, bool]  # the text, and whether it is a name rather than a sign


def _tokens(text: str, where: str) -> list[Token]:
    found: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            line = text.count("\n", 0, place) + 1
            raise InputError("not valid DOT", where=f"{where}, line {line}",
                             value=text[place : place + 20])  # fmt: skip
        place = match.end()
        if match["text"] is not None:
            found.append((match["text"].replace('\\"', '"'), True))
        elif match["word"]:
            found.append((match["word"], True))
        elif match["sign"]:
            found.append((match["sign"], False))
    return found


class _Reader:
    def __init__(self, text: str, where: str) -> None:
        self.tokens, self.place, self.where = _tokens(text, where), 0, where
        self.nodes: dict[str, dict[str, str]] = {}
        self.edges: list[tuple[str, str, dict[str, str]]] = []

    def read(self) -> None:
        depth = 0
        while self.place < len(self.tokens):
            token, is_name = self.tokens[self.place]
            if is_name and token not in _WORDS and depth:
                self._statement()
                continue
            self.place += 1
            depth += {"{": 1, "}": -1}.get(token, 0) if not is_name else 0
            if is_name and token in {"node", "edge", "graph"}:
                self._attributes()
            elif is_name and token == "subgraph" and self._peek() not in {"{", ""}:
                self.place += 1
        if depth:
            raise InputError("the graph has no end", where=self.where,
                             remedy="The file may be cut off; fetch it again")  # fmt: skip

    def _statement(self) -> None:
        """A node, an edge or chain of edges, or an attribute of the graph."""
        chain = [self._name()]
        if self._peek() == "=":
            self.place += 2
            return
        while self._peek() in {"->", "--"}:
            self.place += 1
            chain.append(self._name())
        attributes = self._attributes()
        for name in chain:
            self.nodes.setdefault(name, {})
        if len(chain) == 1:
            self.nodes[chain[0]].update(attributes)
        for one, other in pairwise(chain):
            self.edges.append((one, other, attributes))

    def _name(self) -> str:
        token, is_name = self.tokens[self.place] if self._peek() else ("", False)
        if not is_name:
            raise InputError("a node's name is missing", where=self.where, value=token)
        self.place += 1
        while self._peek() == ":":  # ports
            self.place += 2
        return token

    def _attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self._peek() == "[":
            self.place += 1
            while self._peek() not in {"]", ""}:
                key = self.tokens[self.place][0]
                self.place += 1
                if self._peek() == "=":
                    self.place += 1
                    found[key.lower()] = self.tokens[self.place][0] if self._peek() else ""
                    self.place += 1
                if self._peek() in {",", ";"}:
                    self.place += 1
            self.place += 1
        return found

    def _peek(self) -> str:
        return self.tokens[self.place][0] if self.place < len(self.tokens) else ""


def _read(text: str, where: str) -> Graph:
    reader = _Reader(text, where)
    reader.read()
    reader.edges = _through(reader)
    told = told_of(reader.nodes.values(), (one[2] for one in reader.edges))
    steps = Steps()
    for ident, attributes in reader.nodes.items():
        lines = re.split(r"\\[nlr]|\n", attributes.get("label", ""))
        rule = lines[0].strip()
        said = " ".join(part for line in lines[1:] for part in [line.partition(":")[2].strip()])
        name = f"{rule} {said}".strip() or ident
        seconds = told.seconds(attributes, f'{where}, "{ident}"')
        steps.step(ident, Step(name, seconds, kind=rule), where)
    for one, other, attributes in reader.edges:
        steps.edge(one, other, told.bytes(attributes, where), where)
    return steps.graph("graph", where, [*told.notes, *_done(reader.nodes)])


def _through(reader: _Reader) -> list[_Edge]:
    """The edges, those to nodes of empty label going on to what follows: Dask's results, operators.

    Such nodes are left out.
    """
    empty = {ident for ident, one in reader.nodes.items() if one.get("label") == ""}
    if not empty or len(empty) == len(reader.nodes):
        return reader.edges
    behind: dict[str, list[_Edge]] = {}
    for edge in reader.edges:
        behind.setdefault(edge[0], []).append(edge)
    found: dict[tuple[str, str], _Edge] = {}
    for source in [one for one in reader.nodes if one not in empty]:
        pending, seen = list(behind.get(source, ())), set[str]()
        while pending:
            _, target, attributes = pending.pop()
            if target not in empty:
                found.setdefault((source, target), (source, target, attributes))
            elif target not in seen:
                seen.add(target)
                pending += behind.get(target, ())
        if len(found) > _MOST:
            raise InputError("the graph has too many edges", where=reader.where,
                             remedy=f"Allowed: {_MOST:,}")  # fmt: skip
    reader.nodes = {ident: one for ident, one in reader.nodes.items() if ident not in empty}
    return list(found.values())


def _done(nodes: dict[str, dict[str, str]]) -> Iterator[str]:
    done = sum("dashed" in one.get("style", "") for one in nodes.values())
    if done:
        yield (f"{count(done, 'job')} drawn dashed, which Snakemake need not run again: kept; "
               "delete what is done")  # fmt: skip


SOURCE = Source("dot", "Graphviz DOT", (".dot", ".gv"), lambda head: bool(_HEAD.match(head)), _read)
