"""Pegasus DAX 2 and 3: jobs in XML with their files, run times and parents.

Documents that declare entities or refer to others are refused (defusedxml).
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError

from advisor.project.sources.source import Graph, Source, plain, quantity
from advisor.project.wfformat.wfformat_reader import workload_of
from advisor.project.wfformat.workflow_record import Record, Sizes
from machines import InputError

_ADAG = re.compile(rb"<(?:\w+:)?adag[\s>]")


def root_of(text: str, where: str) -> Element:
    """The outermost element of an XML text."""
    from defusedxml import DefusedXmlException  # noqa: PLC0415 - where there is XML
    from defusedxml.ElementTree import fromstring  # noqa: PLC0415

    try:
        found: Element = fromstring(text.encode("utf-8"), forbid_dtd=False)
    except DefusedXmlException as error:
        raise InputError(f"the XML declares what is not read: {error}", where=where) from None
    except ParseError as error:
        raise InputError(f"not valid XML: {error}", where=where,
                         remedy="The file may be cut off; fetch it again") from None  # fmt: skip
    return found


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def _read(text: str, where: str) -> Graph:
    root, sizes = root_of(text, where), Sizes()
    parents: dict[str, list[str]] = {}
    for child in root:
        if local(child) == "child":
            found = [one.get("ref", "") for one in child if local(one) == "parent"]
            parents.setdefault(child.get("ref", ""), []).extend(found)
    jobs = [one for one in root if local(one) in {"job", "dag", "dax"}]
    records = [_record(job, parents, sizes, where) for job in jobs]
    if not records:
        raise InputError("the workflow has no jobs", where=where)
    unknown = parents.keys() - {one.ident for one in records}
    if unknown:
        raise InputError("a child is no job", where=where, value=min(unknown))
    warnings: list[str] = []
    workload = workload_of(plain(root.get("name") or "workflow"), records, sizes, warnings)
    return Graph(workload, None, tuple(warnings))


def _record(job: Element, parents: dict[str, list[str]], sizes: Sizes, where: str) -> Record:
    ident = job.get("id")
    if not ident:
        raise InputError("a job has no id", where=where, value=job.get("name"))
    place = f'{where}, job "{ident}"'
    inputs: list[str] = []
    outputs: dict[str, float | None] = {}
    for use in job:
        if local(use) != "uses":
            continue
        file = use.get("file") or use.get("name") or ""
        size = quantity(use.get("size"), "size", place) if use.get("size") else None
        sizes.add(file, size)
        if use.get("link") == "input":
            inputs.append(file)
        elif file:
            outputs[file] = size
    runtime = job.get("runtime") or _profile(job, "runtime")
    cores = _profile(job, "pegasus.cores") or _profile(job, "cores")
    return Record(
        ident=ident,
        name=ident,
        kind=job.get("name") or ident,
        runtime_s=quantity(runtime, "runtime", place) if runtime else None,
        cores=quantity(cores, "cores", place) if cores else None,
        parents=tuple(parents.get(ident, ())),
        children=(),
        inputs=tuple(dict.fromkeys(inputs)),
        outputs=outputs,
    )


def _profile(job: Element, key: str) -> str:
    for one in job:
        if local(one) == "profile" and one.get("key") == key:
            return (one.text or "").strip()
    return ""


SOURCE = Source(
    "dax", "Pegasus DAX", (".dax", ".xml"), lambda head: bool(_ADAG.search(head)), _read
)
